"""Exact values and regrets of vectorised environments, against the table asked by itself."""

from __future__ import annotations

from typing import Any

import pytest

import komadai
from komadai import solve
from komadai.errors import SpecError
from komadai.lab import rl
from komadai.lab.rl.measure import value

np = pytest.importorskip("numpy", reason="the extra rl is not installed")
TABLE = solve.open(komadai.variant("nana"))


def number(found: int | None) -> float:
    return np.nan if found is None else float(found)  # type: ignore[no-any-return]


def values(env: rl.VecEnv) -> Any:
    return np.array([number(value(TABLE, env.position(game))) for game in range(env.num_envs)])


@pytest.mark.parametrize("autoreset", ["next_step", "same_step", "disabled"])
@pytest.mark.parametrize("encoding", ["flat", "steps"])
def test_values_and_regrets_are_those_of_the_table(autoreset: Any, encoding: Any) -> None:
    env = rl.VecEnv("nana", 24, encoding=encoding, autoreset=autoreset, max_plies=30, seed=3, values=True)
    _, info = env.reset()
    assert np.isnan(info["regret"]).all()
    judged, ends = 0, 0
    for _ in range(120):
        before, over = values(env), (info["result"] > 0) & (autoreset != "same_step")
        _, reward, terminated, truncated, info = env.step(env.random_actions())
        after, ended = values(env), terminated | truncated
        turn_over = info["discount"] <= 0
        np.testing.assert_array_equal(info["value"], after)
        for game in range(env.num_envs):
            if over[game] or not turn_over[game]:
                assert np.isnan(info["regret"][game])
            elif terminated[game]:
                assert info["regret"][game] == before[game] - reward[game]
            elif truncated[game] and autoreset == "same_step":
                assert np.isnan(info["regret"][game])
            else:
                assert info["regret"][game] == before[game] + after[game]
            judged += not np.isnan(info["regret"][game])
        ends += int(ended.sum())
    assert judged > 300
    assert ends > 20


def test_a_clone_judges_by_itself() -> None:
    env = rl.VecEnv("nana", 3, values=True)
    env.reset()
    env.step(env.random_actions())
    twin, actions = env.clone(), env.random_actions()
    first, second = env.step(actions)[4], twin.step(actions)[4]
    np.testing.assert_array_equal(first["regret"], second["regret"])


def test_games_without_a_table_have_no_values() -> None:
    with pytest.raises(SpecError, match="perpetual check"):
        rl.VecEnv("shogi", 1, values=True)
    env = rl.VecEnv("shogi", 1)
    assert "value" not in env.reset()[1]
