"""Games as text: prompts, retries, forfeits, declarations."""

from __future__ import annotations

from pathlib import Path

import pytest

import komadai
from helpers.command import said_of
from helpers.support import NAMES
from komadai import solve
from komadai.errors import NotationError
from komadai.lab import rl
from komadai.lab.rl.learners import LearnerError, learner
from komadai.lab.rl.measure import value

NANA = komadai.variant("nana")


@pytest.mark.parametrize("name", NAMES)
def test_every_game_is_played_to_its_end_by_text(name: str) -> None:
    """Random play answers prompts; its system text has the rules page, its prompts position and legal moves."""
    lots = rl.random_policy(5)
    env = rl.TextEnv(name, max_plies=40)
    assert env.variant.name in env.system
    assert "## Common conventions" in env.system
    assert env.system.count("\n# ") == 1
    prompt, info = env.reset()
    over, plies = False, 0
    while not over:
        assert info["position"] == env.position.sfen(ply=True)
        assert f"Position: {info['position']}" in prompt
        assert f"Legal moves: {' '.join(sorted(info['legal']))}" in prompt
        prompt, _, ended, broken, info = env.step(f"move: {lots(env.position)}")
        over, plies = ended or broken, plies + 1
    assert info["result"]
    assert plies == len(env.position.move_stack) <= 40
    with pytest.raises(NotationError, match="the game is over"):
        env.step("resign")


def test_retries_are_counted_and_the_last_refusal_loses() -> None:
    env = rl.TextEnv("nana", retries=1)
    env.reset()
    prompt, reward, ended, broken, info = env.step("move: K*2b")
    assert (reward, ended, broken, info["illegal"], info["played"]) == (0, False, False, 1, None)
    assert f"Your last answer was refused: {info['error']}." in prompt
    assert "2b" in info["error"]
    prompt, _, _, _, info = env.step("K*1a")
    assert "refused" not in prompt
    assert (info["illegal"], info["error"]) == (1, None)
    assert not env.step("hm hm")[2]
    _, reward, ended, _, info = env.step("hm hm")
    assert (reward, ended, info["result"]) == (-1, True, "Black wins: no legal move was named")
    assert (info["illegal"], info["unparsable"], info["forfeited"]) == (1, 2, True)


def test_resignation_loses() -> None:
    env = rl.TextEnv("shogi", opponent=rl.random_policy(1))
    env.reset(side="w")
    assert len(env.position.move_stack) == 1
    _, reward, ended, _, info = env.step("move: resign")
    assert (reward, ended, info["result"]) == (-1, True, "Black wins by resignation")


@pytest.mark.parametrize("answers", [["resign"], ["K*2b", "hm", "move: K*a1"]], ids=["resigned", "unreadable"])
def test_a_forfeit_counts_the_regret_of_losing_at_once(answers: list[str]) -> None:
    """The value of the position and 1: 2 where it is won, 1 where it is drawn, 0 where it is lost."""
    table = solve.open(NANA)
    env = rl.TextEnv(NANA, rules=False)
    seen = set()
    for at in table.sample(60, 5):
        if at.is_game_over():
            continue
        worth = value(table, at)
        assert worth is not None
        env.reset(position=at)
        for answer in answers:
            _, reward, ended, _, info = env.step(answer)
        assert (reward, ended, info["forfeited"], info["regret"]) == (-1, True, True, worth + 1)
        seen.add(info["regret"])
    assert seen == {0, 1, 2}


ENTERED = "3GKG3/PPPPPPPP1/9/9/9/9/9/9/4k4 b 2R2B2G4S4N4L10P 1"


@pytest.mark.parametrize("word", ["declare", "move: WIN", "%KACHI", "My move: `declare`", "I declare."])
def test_a_declaration_is_an_answer_where_the_rules_know_it(word: str) -> None:
    env = rl.TextEnv("shogi", entering_king="27")
    assert "`move: declare`" in env.system
    at = komadai.Position("shogi", ENTERED, entering_king="27")
    prompt, _ = env.reset(position=at)
    assert "which wins: move: declare" in prompt
    _, reward, ended, broken, info = env.step(word)
    assert (reward, ended, broken, info["played"], info["forfeited"]) == (1, True, False, "declare", False)
    assert info["result"] == "Black wins: declared with an entered king"
    for game, message in ((env, "what a declaration needs"), (rl.TextEnv("shogi"), "know no declaration")):
        game.reset()
        info = game.step(word)[-1]
        assert message in info["error"]
        assert (info["illegal"], info["unparsable"]) == (1, 0)


def test_an_opponent_declares_too() -> None:
    env = rl.TextEnv("shogi", opponent=rl.level_policy("shogi", 1, entering_king="27"), entering_king="27")
    at = komadai.Position("shogi", ENTERED.replace(" b ", " w "), entering_king="27")
    env.reset(position=at, side="w")
    _, reward, ended, _, info = env.step(f"move: {min(at.legal_moves().texts())}")
    assert (reward, ended, info["reply"]) == (-1, True, "declare")


def test_the_reply_comes_with_the_answer_and_rewards_are_the_learners() -> None:
    env = rl.TextEnv("nana", opponent=rl.random_policy(2))
    best = rl.best_policy("nana")
    for seed in range(4):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            assert env.side == env.position.turn
            _, reward, over, _, info = env.step(str(best(env.position)))
            assert info["regret"] == 0
        assert reward == 1
    assert info["reply"] is None or info["value"] == -1


def test_an_environment_refuses_what_it_cannot_use() -> None:
    with pytest.raises(NotationError, match=r"retries -1 .*; max_plies 0"):
        rl.TextEnv("nana", retries=-1, max_plies=0)
    env = rl.TextEnv("nana")
    with pytest.raises(NotationError, match="none has begun"):
        env.step("K*1a")
    with pytest.raises(NotationError, match="expected one of nana"):
        env.reset(position=komadai.Position("shogi"))
    with pytest.raises(NotationError, match="side 'x'"):
        env.reset(side="x")  # type: ignore[arg-type]


def test_a_variant_without_a_page_has_its_rules_in_words(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(said_of("export-variant", "minishogi").replace('id = "minishogi"', 'id = "own"'), encoding="utf-8")
    env = rl.TextEnv(komadai.load(file))
    assert "- K (" in env.system


def test_learners_are_described_in_a_line() -> None:
    for text in ("random", "best", "level=2", "python:builtins:str"):
        assert callable(learner(text, NANA))
    for text, message in {
        "level=11": "a level from 1 to 10",
        "rndom": "random",
        "command:": "names no program",
        "command:'": "No closing quotation",
        "python:json": "python:MODULE:FUNCTION",
        "python:nowhere:f": "nowhere",
        "python:math:pi": "no function",
    }.items():
        with pytest.raises(NotationError, match=message):
            learner(text, NANA)
    with pytest.raises(LearnerError, match="does not start"):
        learner("command:/nowhere/at/all", NANA)
