"""What can be pickled, copied and deep-copied goes on as what it was made of; the rest says what to pickle instead."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import komadai
from helpers.books import book_of_five
from helpers.odd_calls import FRESH
from komadai import Engine, Game, Match, Outcome, Position, solve
from komadai.app import lessons, puzzles
from komadai.book import Builder
from komadai.lab.external_engine.client import EngineClient
from komadai.lab.rl import Encoding, TextEnv, VecEnv, best_policy, level_policy, random_policy
from komadai.record import read
from komadai.reference import Reference

NANA = komadai.variant("nana")


def _pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


HOW: dict[str, Callable[[Any], Any]] = {"pickle": _pickled, "copy": copy.copy, "deepcopy": copy.deepcopy}
how = pytest.mark.parametrize("how", HOW.values(), ids=HOW)


def _nana() -> Position:
    position = Position("nana")
    for _ply in range(5):
        position.push(position.legal_moves()[0])
    return position


def _vec_env(**more: Any) -> VecEnv:
    env = VecEnv("nana", 3, max_plies=6, seed=5, **more)
    env.reset()
    for _step in range(4):
        env.step(env.random_actions())
    return env


def _steps_of(env: VecEnv) -> list[Any]:
    """What some steps show, and the positions after them."""
    found: list[Any] = []
    for _step in range(8):
        obs, reward, terminated, truncated, info = env.step(env.random_actions())
        found += [obs, reward, terminated, truncated, *(info[name] for name in sorted(info)), env.positions()]
    return found


def _text_env() -> TextEnv:
    env = TextEnv("nana", opponent=random_policy(3))
    env.reset(seed=4)
    env.step(str(env.position.legal_moves()[0]))
    return env


def _lines_of(env: TextEnv) -> list[Any]:
    return [env.step(str(env.position.legal_moves()[0])), env.step("no move"), env.reset()]


def _judged(engine: Engine) -> list[Any]:
    return [
        [str(engine.search(_nana(), nodes=50).move) for _search in range(6)],
        engine.level,
        engine.style,
        repr(engine),
    ]


SAME: dict[str, tuple[Callable[[Path], Any], Callable[[Any], Any]]] = {
    "Position": (lambda folder: _nana(), lambda one: (one, one.move_stack, one.legal_moves())),
    "Moves": (lambda folder: _nana().legal_moves(), list),
    "Move": (lambda folder: _nana().legal_moves()[0], str),
    "Variant": (lambda folder: NANA, lambda one: one),
    "Variant under an option": (lambda folder: komadai.variant("ki", field="9x9"), lambda one: one),
    "Variant of one's own": (lambda folder: replace(NANA, id="mine", options=()), lambda one: one),
    "Outcome": (lambda folder: Outcome("b", "checkmate"), lambda one: one),
    "Setup": (lambda folder: _nana().setup(), lambda one: one),
    "Game": (lambda folder: Game("nana"), lambda one: (one.push("K*1a"), one.moves)),
    "Match": (lambda folder: Match("hand"), lambda one: one.game.moves),
    "Record": (lambda folder: read("startpos moves 7g7f", "shogi")[0], lambda one: one),
    "Reference": (lambda folder: Reference(NANA), lambda one: one.legal_moves(_nana().setup())),
    "Builder": (lambda folder: Builder("nana"), lambda one: (one.variant, one.plies)),
    "Book": (
        lambda folder: book_of_five(folder / "five.book"),
        lambda one: (one.path, one.variant, one.moves(Position("shogi"))),
    ),
    "Table": (lambda folder: solve.open("nana"), lambda one: (one.path, one.probe(_nana()), one.moves(_nana()))),
    "Engine": (lambda folder: Engine("nana", level=2, seed=9, tables=False), _judged),
    "Engine of a style": (lambda folder: Engine("shogi", style="attacker", hash_mb=1, threads=2), repr),
    "Engine with a book": (
        lambda folder: Engine("shogi", book=book_of_five(folder / "five.book"), best_book_move=True),
        lambda one: (one.search(Position("shogi"), nodes=10).move, one.book.path, one.best_book_move),
    ),
    "Info": (lambda folder: Engine("nana").search(_nana(), depth=1), lambda one: one),
    "Course": (lambda folder: lessons.course("nana"), lambda one: one),
    "Puzzle": (lambda folder: puzzles.load(NANA)[0], lambda one: one),
    "Encoding": (lambda folder: Encoding("nana"), lambda one: one.describe()),
    "VecEnv": (lambda folder: _vec_env(), _steps_of),
    "VecEnv with values": (lambda folder: _vec_env(values=True, autoreset="same_step"), _steps_of),
    "VecEnv that has not begun": (lambda folder: VecEnv("nana", 2, seed=3), lambda one: (one.reset(), _steps_of(one))),
    "TextEnv": (lambda folder: _text_env(), _lines_of),
    "random_policy": (lambda folder: random_policy(7), lambda one: [one(_nana()) for _move in range(5)]),
    "level_policy": (
        lambda folder: level_policy("nana", 2, seed=7),
        lambda one: [str(one(_nana())) for _move in range(3)],
    ),
    "best_policy": (lambda folder: best_policy("nana"), lambda one: str(one(_nana()))),
}
"""How each is made, and what it then says or does."""


def _equal(one: Any, two: Any) -> None:
    np.testing.assert_equal(one, two)


@how
@pytest.mark.parametrize("name", SAME)
def test_a_copy_goes_on_as_the_original(name: str, how: Callable[[Any], Any], tmp_path: Path) -> None:
    make, ask = SAME[name]
    if how is copy.copy and name in ("random_policy", "level_policy", "TextEnv"):
        pytest.skip("a shallow copy shares its parts with the original, as Python's do")
    thing = make(tmp_path)
    twin = how(thing)
    said = ask(thing)
    _equal(ask(twin), said)


@how
def test_environments_of_other_frameworks(how: Callable[[Any], Any]) -> None:
    pytest.importorskip("gymnasium")
    from komadai.lab.rl import gym

    env = gym("nana", level=2, side="b")
    env.reset(seed=1)
    env.step(int(env.action_masks().argmax()))
    if how is copy.copy:
        return
    twin = how(env)
    for _step in range(4):
        action = int(env.action_masks().argmax())
        _equal(twin.step(action), env.step(action))
    _equal(twin.reset(), env.reset())


@how
def test_environments_of_pettingzoo(how: Callable[[Any], Any]) -> None:
    pytest.importorskip("pettingzoo")
    from komadai.lab.rl import aec

    env = aec("nana")
    env.reset()
    if how is copy.copy:
        return
    twin = how(env)
    for _step in range(4):
        _equal(twin.last(), env.last())
        action = int(env.last()[0]["action_mask"].argmax())
        env.step(action)
        twin.step(action)


@how
def test_steps_say_what_to_pickle_instead(how: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match=r"pickle the position instead, whose steps\(\) makes them anew"):
        how(_nana().steps())


@how
@pytest.mark.parametrize("kind", FRESH)
def test_all_public_objects_are_copied_or_say_what_to_pickle_instead(kind: str, how: Callable[[Any], Any]) -> None:
    if kind == "Notation":
        return  # a module
    said = "instead"
    try:
        how(FRESH[kind]())
    except TypeError as error:
        said = str(error)
    assert "instead" in said


def test_a_running_engine_says_what_to_pickle_instead() -> None:
    with pytest.raises(TypeError, match="EngineClient runs a program and is not pickled; pickle the program's command"):
        pickle.dumps(object.__new__(EngineClient))


def test_copies_are_independent() -> None:
    env = _vec_env()
    twin = _pickled(env)
    before = twin.positions()
    env.step(env.random_actions())
    assert twin.positions() == before != env.positions()
    engine = Engine("nana", level=2, seed=1, tables=False)
    assert copy.copy(engine)._searcher is not engine._searcher
