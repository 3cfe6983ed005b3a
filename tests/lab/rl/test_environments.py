"""Batches of games: results as the rules give them, the same for any number of threads, and kept byte for byte."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import komadai
import komadai.lab.rl
from helpers.support import NAMES, needs_threads
from komadai.errors import IllegalMoveError, IllegalPositionError, NotationError
from komadai.lab.rl import RESULTS, Encoding, VecEnv
from komadai.spec.logic import is_compound

GAMES = (*NAMES, "annan", "cannon", "dobutsu", "kyoto", "sho", "tori")


def kind_of(game: str) -> Any:
    return "steps" if is_compound(komadai.variant(game)) else "flat"


def everything(step: tuple[Any, ...]) -> bytes:
    """All arrays of a step, as bytes."""
    *arrays, info = step
    arrays += [info[name] for name in sorted(info) if isinstance(info[name], np.ndarray)]
    return b"".join(array.tobytes() for array in arrays)


@pytest.mark.parametrize(
    ("game", "kind"), [*((game, kind_of(game)) for game in GAMES), ("shogi", "steps"), ("ki", "steps")]
)
def test_games_go_as_positions_of_python_do(game: str, kind: Any) -> None:
    """Each game is followed by a Position: observation, mask, side, check and repetition, reward and result agree."""
    env = VecEnv(game, 6, encoding=kind, autoreset="disabled", max_plies=150, seed=3)
    obs, info = env.reset()
    encoding, followed = env.encoding, [komadai.Position(game) for _ in range(6)]
    taken: list[list[int]] = [[] for _ in range(6)]
    over = np.zeros(6, bool)
    for step in range(160):
        for i, position in enumerate(followed):
            if over[i] or (step + i) % 5:
                continue
            np.testing.assert_array_equal(obs[i], encoding.observe(position, taken[i]))
            np.testing.assert_array_equal(info["action_mask"][i], encoding.mask(position, taken[i]))
            assert info["legal_count"][i] == info["action_mask"][i].sum()
            assert info["to_play"][i] == (position.turn == "w")
            assert info["ply"][i] == len(position.move_stack)
        actions = env.random_actions()
        obs, reward, terminated, truncated, info = env.step(actions)
        for i, position in enumerate(followed):
            if over[i]:
                assert terminated[i] | truncated[i]
                assert reward[i] == 0
                continue
            mover = position.turn
            taken[i].append(int(actions[i]))
            move = encoding.move(position, taken[i] if kind == "steps" else taken[i][0])
            if move is None:
                assert (reward[i], info["discount"][i], terminated[i]) == (0, 1, False)
                continue
            taken[i] = []
            position.push(move)
            outcome = position.outcome()
            assert terminated[i] == (outcome is not None)
            assert RESULTS[info["result"][i]] == (outcome.reason if outcome else "cap" if truncated[i] else "")
            winner = outcome.winner if outcome else None
            assert reward[i] == (0 if winner is None else 1 if winner == mover else -1)
            assert info["winner"][i] == (-1 if winner is None else "bw".index(winner))
            assert info["discount"][i] == (0 if outcome else -1)
            assert truncated[i] == (outcome is None and len(position.move_stack) == 150)
            over[i] = terminated[i] | truncated[i]
            assert not terminated[i] or not info["action_mask"][i].any()
    assert [position.sfen() for position in followed] == env.positions()


def test_arrays_larger_than_the_caches_are_written_alike() -> None:
    env = VecEnv("ko", 340, threads=2, encoding="steps", seed=3)
    obs, _info = env.reset()
    assert obs.nbytes > 16 << 20, "the core writes such arrays past the caches"
    for _ in range(3):
        for game in range(0, 340, 37):
            np.testing.assert_array_equal(obs[game], env.encoding.observe(env.position(game), env.taken(game)))
        obs = env.step(env.random_actions())[0]


def test_the_perpetual_checker_loses() -> None:
    env = VecEnv("shogi", 1, autoreset="disabled")
    env.reset(to=["k8/9/9/9/9/9/9/9/1R6K b -"])
    for number, move in enumerate(("8i9i", "9a8a", "9i8i", "8a9a") * 3):
        position = env.position(0)
        _obs, reward, terminated, _truncated, info = env.step([env.encoding.action(position, move)])
        assert terminated[0] == (number == 11)
    assert (RESULTS[info["result"][0]], info["winner"][0], reward[0]) == ("perpetual_check", 1, 1)


@needs_threads
@pytest.mark.parametrize("game", ["shogi", "ki", "ko", "nana"])
@pytest.mark.parametrize("autoreset", ["next_step", "same_step"])
def test_one_thread_and_two_give_the_same_bytes(game: str, autoreset: Any) -> None:
    one, two = (
        VecEnv(game, 7, threads=threads, encoding=kind_of(game), autoreset=autoreset, max_plies=30, seed=11, history=2)
        for threads in (1, 2)
    )
    for first, second in zip(one.reset(), two.reset(), strict=True):
        if not isinstance(first, dict):
            assert first.tobytes() == second.tobytes()
    for _ in range(120):
        actions = one.random_actions()
        assert actions.tobytes() == two.random_actions().tobytes()
        assert everything(one.step(actions)) == everything(two.step(actions))


@pytest.mark.parametrize(("game", "kind"), [("shogi", "flat"), ("shogi", "steps"), ("ki", "flat"), ("ko", "steps")])
def test_a_kept_state_goes_on_byte_for_byte(game: str, kind: Any) -> None:
    env = VecEnv(game, 5, encoding=kind, max_plies=40, seed=2, history=2)
    env.reset()
    for _ in range(75):
        env.step(env.random_actions())
    state = pickle.loads(pickle.dumps(env.state_dict()))
    twin, other = env.clone(), VecEnv(game, 5, encoding=kind, max_plies=40, seed=99, history=2)
    other.load_state_dict(state)
    assert [other.taken(i) for i in range(5)] == [env.taken(i) for i in range(5)]
    for _ in range(90):
        actions = env.random_actions()
        steps = [everything(one.step(one.random_actions())) for one in (env, twin, other)]
        assert steps[0] == steps[1] == steps[2]
        assert actions.shape == (5,)
    np.testing.assert_array_equal(env.state_dict()["state"], other.state_dict()["state"])


def test_spoilt_states_are_refused_and_change_nothing() -> None:
    env = VecEnv("nana", 3)
    env.reset()
    env.step(env.random_actions())
    before, state = env.positions(), env.state_dict()
    for at in (0, 1, 7, len(state["state"]) - 1):
        spoilt = state["state"].copy()
        spoilt[at] ^= np.uint64(1)
        with pytest.raises(NotationError, match="damaged"):
            env.load_state_dict({**state, "state": spoilt})
    for wrong in ({}, {**state, "max_plies": 3}, {**state, "state": "no"}, {**state, "state": [-1]}):
        with pytest.raises(NotationError, match="state"):
            env.load_state_dict(wrong)
    with pytest.raises(NotationError, match="other environments"):
        VecEnv("nana", 4).load_state_dict(state)
    assert env.positions() == before


def test_next_step_begins_a_game_with_the_step_after_its_end() -> None:
    env = VecEnv("nana", 16, autoreset="next_step", max_plies=12, seed=5)
    start, _info = env.reset()
    over, ends = np.zeros(16, bool), 0
    for _ in range(60):
        obs, reward, terminated, truncated, info = env.step(env.random_actions())
        assert (obs[over] == start[0]).all()
        assert not (terminated | truncated)[over].any()
        assert (info["ply"][over] == 0).all()
        assert not reward[over].any()
        over = terminated | truncated
        ends += over.sum()
    assert ends > 16


def test_same_step_shows_the_last_position_beside_the_first_of_the_next_game() -> None:
    same = VecEnv("nana", 16, autoreset="same_step", max_plies=12, seed=5)
    stays = VecEnv("nana", 16, autoreset="disabled", max_plies=12, seed=5)
    start, _info = same.reset()
    stays.reset()
    running = np.ones(16, bool)
    for _ in range(12):
        actions = same.random_actions()
        obs, reward, terminated, truncated, info = same.step(actions)
        last, reward_there, terminated_there, _t, info_there = stays.step(actions)
        over = (terminated | truncated) & running
        np.testing.assert_array_equal(terminated[running], terminated_there[running])
        np.testing.assert_array_equal(reward[running], reward_there[running])
        np.testing.assert_array_equal(info["result"][running], info_there["result"][running])
        if over.any():
            np.testing.assert_array_equal(info["final_obs"][over], last[over])
            for name in ("to_play", "ply", "legal_count", "action_mask"):
                np.testing.assert_array_equal(info["final_info"][name][over], info_there[name][over])
            assert (obs[over] == start[0]).all()
            assert (info["_final_obs"] == (terminated | truncated)).all()
        running &= ~over
    assert not running.any()


def test_without_autoreset_a_game_stays_over_till_it_is_reset() -> None:
    env = VecEnv("nana", 4, autoreset="disabled", max_plies=3)
    start, _info = env.reset()
    for _ in range(3):
        obs, _reward, terminated, truncated, _info = env.step(env.random_actions())
    assert truncated.all()
    again, _reward, terminated, truncated, info = env.step([2000, -5, 0, 1])
    np.testing.assert_array_equal(again, obs)
    assert truncated.all()
    assert not terminated.any()
    obs, info = env.reset(mask=[True, False, False, True])
    assert info["ply"].tolist() == [0, 3, 3, 0]
    np.testing.assert_array_equal(obs[[0, 3]], start[[0, 3]])


def test_a_masked_out_action_is_refused_and_nothing_is_played() -> None:
    env = VecEnv("shogi", 3, seed=1)
    obs, info = env.reset()
    before = everything((obs, info))
    for wrong in (int(np.flatnonzero(info["action_mask"][2] == 0)[7]), -1, 2187, 1 << 40):
        actions = env.random_actions().astype(np.int64)
        actions[2] = wrong
        with pytest.raises(IllegalMoveError, match=r"environment 2: action .* is not legal here; nothing was played"):
            env.step(actions)
    assert everything((obs, info)) == before
    assert env.positions() == [komadai.Position("shogi").sfen()] * 3
    env.step(env.random_actions())


def test_whole_moves_are_listed_and_made() -> None:
    for game, kind in (("shogi", "flat"), ("nana", "steps"), ("ko", "steps")):
        env = VecEnv(game, 4, encoding=kind, max_plies=20, seed=3)  # type: ignore[arg-type]
        env.reset()
        chance = np.random.default_rng(1)
        for _ in range(15):
            offsets, words = env.legal_turns()
            counts = np.diff(offsets)
            positions = [env.position(i) for i in range(4)]
            choices = np.array([chance.integers(max(count, 1)) for count in counts])
            for i, position in enumerate(positions):
                listed = [env.turn(row) for row in words[offsets[i] : offsets[i + 1]]]
                over = position.is_game_over()
                assert sorted(map(str, listed)) == ([] if over else sorted(position.legal_moves().texts()))
                if not over:
                    position.push(listed[choices[i]])
            *_ended, info = env.step_turns(choices)
            for i, position in enumerate(positions):
                if info["ply"][i]:
                    assert env.position(i) == position
        env.reset()
        with pytest.raises(IllegalMoveError, match="there is no legal move 9999"):
            env.step_turns([9999] * 4)


def test_whole_moves_are_not_made_within_a_turn() -> None:
    env = VecEnv("nana", 2, encoding="steps")
    env.reset()
    env.step(env.random_actions())
    with pytest.raises(IllegalMoveError, match="environment 0: a turn is under way"):
        env.legal_turns()
    with pytest.raises(IllegalMoveError, match="environment 0: a turn is under way"):
        env.step_turns([0, 0])


def test_games_begin_at_given_positions_whose_moves_count() -> None:
    env = VecEnv("shogi", 2, autoreset="disabled")
    position = komadai.Position("shogi")
    for _ in range(2):
        for move in ("2h3h", "8b7b", "3h2h", "7b8b"):
            position.push(move)
    env.reset(to=[position, komadai.Position("shogi").sfen()])
    assert env.position(0).move_stack == position.move_stack
    repeated = env.encoding.planes.index("repeated 2")
    assert env.encoding.observe(env.position(0))[repeated].all()
    for move in ("2h3h", "8b7b", "3h2h", "7b8b"):
        action = env.encoding.action(env.position(0), move)
        _obs, _reward, terminated, _truncated, info = env.step([action, action])
    assert terminated.tolist() == [True, False]
    assert RESULTS[info["result"][0]] == "repetition"
    with pytest.raises(NotationError, match="position 1: the game is over there: Draw"):
        env.reset(to=[komadai.Position("shogi"), env.position(0)])
    with pytest.raises(NotationError, match="expected <Variant shogi"):
        env.reset(to=[komadai.Position("nana")] * 2)
    with pytest.raises(NotationError, match="has 1 positions; expected 2"):
        env.reset(to=[position])
    with pytest.raises(IllegalPositionError):
        env.reset(to=["9/9/9/9/9/9/9/9/9 b -"] * 2)


def test_seeds_decide_random_actions() -> None:
    env = VecEnv("shogi", 8, seed=1)
    env.reset()
    first = [env.random_actions().tolist()]
    env.step(first[0])
    first.append(env.random_actions().tolist())
    env.reset()
    assert env.random_actions().tolist() != first[0]  # another episode
    env.reset(seed=1)
    assert env.random_actions().tolist() == first[0]
    assert len(set(first[0])) > 1  # each game has its own numbers
    env.reset(seed=2)
    assert env.random_actions().tolist() != first[0]


def test_returned_arrays_are_never_overwritten() -> None:
    env = VecEnv("nana", 32, seed=4)
    obs, info = env.reset()
    kept: list[tuple[Any, bytes]] = []
    for number in range(40):
        for array in (obs, info["action_mask"]):
            view = array[1:] if number % 2 else memoryview(array)  # a view is a hold, too
            kept.append((view, bytes(memoryview(np.ascontiguousarray(view)))))
        obs, _reward, _terminated, _truncated, info = env.step(env.random_actions())
    assert all(bytes(memoryview(np.ascontiguousarray(view))) == was for view, was in kept)


def test_without_copies_two_sets_of_arrays_take_turns() -> None:
    env = VecEnv("nana", 4, copy=False)
    first, _info = env.reset()
    second = env.step(env.random_actions())[0]
    third = env.step(env.random_actions())[0]
    assert third is first
    assert second is not first
    assert np.from_dlpack(second).shape == second.shape


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"num_envs": 0}, "num_envs: is 0; expected a whole number from 1 to"),
        ({"num_envs": 2.0}, "num_envs"),
        ({"threads": 0}, "threads"),
        ({"threads": 257}, "threads"),
        ({"max_plies": 0}, "max_plies"),
        ({"seed": -1}, "seed"),
        ({"seed": 1 << 64}, "seed"),
        ({"autoreset": "now"}, "autoreset: 'now' is not known; choose from next_step, same_step, disabled"),
        ({"encoding": "free"}, "choose from flat, steps"),
        ({"encoding": Encoding("nana")}, "expected 'shogi'"),
        ({"history": 0}, "history"),
    ],
)
def test_bad_settings_are_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(NotationError, match=words):
        VecEnv(**{"variant": "shogi", "num_envs": 2, **settings})


def test_bad_arrays_are_refused() -> None:
    env = komadai.lab.rl.vec("shogi", 2)
    with pytest.raises(NotationError, match="call reset"):
        env.step([0, 0])
    with pytest.raises(NotationError, match="first reset"):
        env.reset(mask=[True, False])
    env.reset()
    for actions in ([0], [[0, 0]], 0, [0, 0, 0]):
        with pytest.raises(NotationError, match=r"have the shape .*; expected \(2,\)"):
            env.step(actions)
    for values in ([0.5, 1.0], ["a", "b"], [None, None], [True, False]):
        with pytest.raises(NotationError, match="expected whole numbers"):
            env.step(values)
    with pytest.raises(NotationError, match="expected bool"):
        env.reset(mask=[1, 0])
    with pytest.raises(NotationError, match="seed"):
        env.reset(seed=-1)
    with pytest.raises(NotationError, match="env"):
        env.position(2)


# --- The end, as the page has it --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["shogi", "nana", "ko"])
@pytest.mark.parametrize("autoreset", ["next_step", "same_step", "disabled"])
def test_masks_and_discounts_at_the_end(game: str, autoreset: Any) -> None:
    """The discount goes with the position that is observed; nothing is legal once a game is over."""
    env = komadai.lab.rl.VecEnv(
        game, 8, encoding="steps" if game == "ko" else "flat", autoreset=autoreset, max_plies=9, seed=2
    )
    _, info = env.reset()
    assert info["discount"].tolist() == [0] * 8
    cut = np.zeros(8, bool)
    for _ in range(60):
        before = info["to_play"].copy()
        was_over = info["legal_count"] == 0
        _, _, terminated, truncated, info = env.step(env.random_actions())
        over, discount = terminated | truncated, info["discount"]
        cut |= truncated
        assert not (terminated & truncated).any()
        masks, counts = info["action_mask"], info["legal_count"]
        if autoreset == "same_step":
            if over.any():
                last = info["final_info"]
                assert not last["action_mask"].any()
                assert not last["legal_count"].any()
                assert last["discount"][over].tolist() == [-1 if one else 0 for one in truncated[over]]
            assert not discount[over].any()
            assert (counts > 0).all()
        else:
            assert not masks[over].any()
            assert not counts[over].any()
            assert (env.random_actions()[over] == 0).all()
            ended_now = over & ~was_over
            assert (discount[terminated & ended_now] == 0).all()
            assert (discount[truncated & ended_now] == -1).all()
        assert (masks.sum(axis=1) == counts).all()
        going = ~over & ~was_over
        assert (discount[going] == np.where(info["to_play"] == before, 1, -1)[going]).all()
        if autoreset == "disabled" and over.all():
            break
    assert cut.any()


def test_whole_moves_of_a_truncated_game_are_none() -> None:
    env = komadai.lab.rl.VecEnv("shogi", 3, autoreset="disabled", max_plies=2)
    env.reset()
    for _ in range(2):
        env.step(env.random_actions())
    offsets, words = env.legal_turns()
    assert offsets.tolist() == [0, 0, 0, 0]
    assert len(words) == 0
    _, _, _, truncated, info = env.step_turns([0, 0, 0])
    assert truncated.all()
    twin = komadai.lab.rl.VecEnv("shogi", 3, autoreset="disabled", max_plies=2)
    _, kept = twin.load_state_dict(env.state_dict())
    assert not kept["action_mask"].any()
    assert (kept["result"] == info["result"]).all()
