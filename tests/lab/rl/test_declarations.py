"""The declaration of an entered king as an action of agents, where the rules know it."""

from __future__ import annotations

import pickle
from copy import deepcopy
from typing import Any

import pytest

import komadai
from helpers.support import NAMES
from komadai.errors import IllegalMoveError, SpecError
from komadai.lab import rl
from komadai.lab.rl.episodes import Episode
from komadai.spec.board import FarRanks

np = pytest.importorskip("numpy", reason="the extra rl is not installed")

WINS = "3GKG3/PPPPPPPP1/9/9/9/9/9/9/4k4 b 2R2B2G4S4N4L10P 1"
DRAWS = "3GKG3/PPPPPPPP1/9/9/9/9/9/9/2r1k1b2 b RBG2S2Ng2s2n4l10p 1"  # 25 points
NOT_YET = "3GKG3/PPPPPP3/9/PP7/9/9/9/9/4k4 b 2R2B2G4S4N4L10P 1"  # too few pieces have entered
OPTIONS = {"entering_king": "24"}


def position(text: str) -> komadai.Position:
    return komadai.Position("shogi", text, **OPTIONS)


@pytest.mark.parametrize("kind", ["flat", "steps"])
def test_the_declaration_is_the_last_action_and_others_keep_their_numbers(kind: Any) -> None:
    plain, knows = rl.Encoding("shogi", kind), rl.Encoding("shogi", kind, **OPTIONS)
    assert (plain.declare, knows.declare) == (None, plain.num_actions)
    assert knows.actions == (*plain.actions, "declare")
    assert knows.num_actions == plain.num_actions + 1
    assert plain.id.startswith(f"shogi/{kind}/1@")
    assert knows.id.startswith(f"shogi/{kind}+declare/1@")
    assert pickle.loads(pickle.dumps(knows)).id == knows.id


@pytest.mark.parametrize("name", NAMES)
def test_no_game_has_a_declaration_by_default(name: str) -> None:
    """So that nets made for the encodings of former versions still fit."""
    kind: Any = "steps" if name == "ko" else "flat"
    assert rl.Encoding(name, kind).declare is None


@pytest.mark.parametrize("kind", ["flat", "steps"])
def test_masks_have_it_exactly_where_it_holds(kind: Any) -> None:
    encoding = rl.Encoding("shogi", kind, **OPTIONS)
    env = rl.VecEnv("shogi", 4, encoding=encoding, **OPTIONS)
    texts = [WINS, DRAWS, NOT_YET, position(WINS).sfen().replace(" b ", " w ")]
    _, info = env.reset(to=texts)
    for number, text in enumerate(texts):
        at = position(text)
        assert info["action_mask"][number, encoding.declare] == (at.declaration() is not None) == (number < 2)
        assert (info["action_mask"][number] == encoding.mask(at)).all()
        assert info["legal_count"][number] == encoding.mask(at).sum()
    # The same after a look that changes nothing, and for some games begun anew.
    _, again = env.reset(to=texts, mask=np.array([False, True, False, True]))
    assert (again["action_mask"] == info["action_mask"]).all()
    assert (again["legal_count"] == info["legal_count"]).all()


@pytest.mark.parametrize("kind", ["flat", "steps"])
@pytest.mark.parametrize("autoreset", ["next_step", "same_step", "disabled"])
def test_a_declaration_ends_the_game(kind: Any, autoreset: Any) -> None:
    env = rl.VecEnv("shogi", 2, encoding=kind, autoreset=autoreset, **OPTIONS)
    env.reset(to=[WINS, DRAWS])
    declare = env.encoding.declare
    assert declare is not None
    _, reward, terminated, truncated, info = env.step([declare, declare])
    assert reward.tolist() == [1, 0]
    assert terminated.all()
    assert not truncated.any()
    assert [rl.RESULTS[code] for code in info["result"]] == ["declaration"] * 2
    assert info["winner"].tolist() == [0, -1]
    assert info["discount"].tolist() == [0, 0]
    last = info["final_info"]["action_mask"] if autoreset == "same_step" else info["action_mask"]
    assert not last.any()
    if autoreset != "disabled":
        _, info = (None, info) if autoreset == "same_step" else env.step([0, 0])[::4]
        assert env.positions() == [komadai.Position("shogi").sfen()] * 2
        assert info["ply"].tolist() == [0, 0]
    else:
        assert env.step([0, 0])[2].all()


def test_whole_moves_and_random_actions() -> None:
    env = rl.VecEnv("shogi", 2, autoreset="disabled", **OPTIONS)
    env.reset(to=[WINS, NOT_YET])
    offsets, words = env.legal_turns()
    assert [*np.diff(offsets)] == [len(position(text).legal_moves()) for text in (WINS, NOT_YET)]
    assert env.turn(words[0]) in position(WINS).legal_moves()
    with pytest.raises(IllegalMoveError, match="environment 1"):
        env.step_turns([-1, -1])
    with pytest.raises(IllegalMoveError, match=r"environment 1: action 2187 \(declare\) is not legal"):
        env.step([env.encoding.declare, env.encoding.declare])
    assert env.step_turns([-1, 0])[2].tolist() == [True, False]
    many = rl.VecEnv("shogi", 4000, seed=5, **OPTIONS)
    _, info = many.reset(to=[WINS] * 4000)
    drawn = (many.random_actions() == many.encoding.declare).sum()
    assert 1 <= drawn <= 4 * 4000 / info["legal_count"][0]


def test_states_copies_and_mirrors_keep_it() -> None:
    env = rl.VecEnv("shogi", 2, autoreset="disabled", **OPTIONS)
    env.reset(to=[WINS, WINS])
    declare = env.encoding.declare
    twin = env.clone()
    _, _, _, _, info = env.step([declare, int(np.flatnonzero(env.reset(to=[WINS, WINS])[1]["action_mask"][1])[0])])
    assert info["result"].tolist() == [8, 0]
    assert twin.step([declare, declare])[2].all()
    other = rl.VecEnv("shogi", 2, autoreset="disabled", **OPTIONS)
    _, kept = other.load_state_dict(env.state_dict())
    for name in ("result", "winner", "legal_count", "action_mask"):
        assert (kept[name] == info[name]).all(), name
    obs = np.zeros((1, *env.encoding.shape), np.uint8)
    assert env.mirror(obs, np.array([declare]))[1].tolist() == [declare]


def test_a_declaration_is_no_move() -> None:
    encoding = rl.Encoding("shogi", **OPTIONS)
    assert encoding.action(position(WINS), "declare") == encoding.declare
    assert rl.Encoding("shogi", "steps", **OPTIONS).action(position(WINS), "declare") == [
        rl.Encoding("shogi", "steps", **OPTIONS).declare
    ]
    for at, made in ((position(NOT_YET), encoding), (komadai.Position("shogi"), rl.Encoding("shogi"))):
        with pytest.raises(IllegalMoveError, match="declare is not legal here"):
            made.action(at, "declare")
    with pytest.raises(IllegalMoveError, match=r"action 2187 \(declare\) is no move"):
        encoding.move(position(WINS), encoding.declare)


def test_the_fast_path_finds_every_declaration() -> None:
    """What VecEnv marks is what positions say, all through games of kings that run."""
    env = rl.VecEnv("shogi", 24, seed=3, max_plies=60, **OPTIONS)
    starts = [
        f"{'4K4' if n % 2 else '3GKG3'}/{'P' * (4 + n % 5)}{5 - n % 5}/9/9/9/9/9/9/{'4k4' if n % 3 else '3gkg3'} b 2R2B"
        for n in range(24)
    ]
    _, info = env.reset(to=[position(text) for text in starts])
    seen = set()
    for _ in range(60):
        for number in range(24):
            at = env.position(number)
            may = info["legal_count"][number] > 0 and at.declaration() is not None
            assert bool(info["action_mask"][number, env.encoding.declare]) == may
            seen.add(may)
        actions = env.random_actions()
        info = env.step(actions)[4]
    assert seen == {True, False}


def test_pettingzoo_and_gymnasium_declare() -> None:
    pytest.importorskip("pettingzoo", reason="the extra pettingzoo is not installed")
    from komadai.lab.rl.aec_env import aec
    from komadai.lab.rl.gym_env import gym

    env = aec("shogi", **OPTIONS)
    env.reset(options={"position": position(WINS)})
    declare = env.unwrapped.encoding.declare
    assert env.observe("player_0")["action_mask"][declare] == 1
    env.step(declare)
    assert env.rewards == {"player_0": 1, "player_1": -1}
    assert all(env.terminations.values())
    assert env.infos["player_0"]["result"] == "declaration"

    alone = gym("shogi", 1, side="b", **OPTIONS)
    alone.reset(options={"position": position(WINS)})
    assert alone.action_masks()[declare]
    _, reward, ended, _, info = alone.step(declare)
    assert (reward, ended, info["result"]) == (1, True, "declaration")
    # The opponent declares too: a level where it wins, and any policy by the word.
    for opponent in (None, lambda at: "declare" if at.declaration() else min(at.legal_moves().texts())):
        alone = gym("shogi", 1, opponent=opponent, side="w", **OPTIONS)
        _, info = alone.reset(options={"position": position(WINS)})
        assert info["result"] == "declaration"
        twin = deepcopy(alone)
        assert not twin.action_masks().any()


def test_openspiel_declares() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="the extra openspiel is not installed")
    import komadai.lab.rl.openspiel

    assert komadai.lab.rl.openspiel
    game = pyspiel.load_game("komadai_shogi", {"entering_king": "24"})
    again = pyspiel.load_game(str(game))
    assert game.num_distinct_actions() == again.num_distinct_actions() == 2188
    for text, returns in ((WINS, [1, -1]), (DRAWS, [0, 0])):
        state = game.new_initial_state(text)
        declare = game.num_distinct_actions() - 1
        assert declare in state.legal_actions()
        assert state.action_to_string(0, declare) == "declare"
        state.apply_action(declare)
        assert state.is_terminal()
        assert state.returns() == returns
        assert state.legal_actions() == []


def declaring(variant: komadai.Variant, parameters: bytes) -> Any:
    return lambda seed: lambda at: "declare" if at.declaration() else min(at.legal_moves().texts())


def test_games_of_a_policy_with_itself_end_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from komadai.lab.rl import episodes

    monkeypatch.setattr(episodes, "opening_position", lambda variant, plies, chance: position(WINS))
    (game,) = rl.self_play(f"{__name__}:declaring", "shogi", 1, **OPTIONS)
    assert game == Episode(0, position(WINS).sfen(ply=True), (), "b", "declaration")


def test_a_game_with_a_declaration_has_no_table() -> None:
    from dataclasses import replace

    from komadai.solve import shape_of

    nana, rule = komadai.variant("nana"), komadai.variant("shogi", entering_king="27").declaration
    assert rule is not None
    rule = replace(rule, region=FarRanks(1), points=())
    with pytest.raises(SpecError, match="a declaration may end it"):
        shape_of(replace(nana, id="other", declaration=rule))
