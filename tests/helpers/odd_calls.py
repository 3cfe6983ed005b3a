"""The public interface called with odd values: what there is to call, and what is given to it."""

from __future__ import annotations

import importlib
import inspect
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import komadai
from helpers.books import book_of_five
from komadai import Engine, Position, solve
from komadai.app import lessons, puzzles
from komadai.book import Builder
from komadai.book import open as open_book
from komadai.engine.clock import Clock
from komadai.game.game import Game
from komadai.game.match import Match
from komadai.game.outcome import Outcome
from komadai.game.time_control import TimeControl
from komadai.lab.external_engine.replies import EngineOption, Thought
from komadai.lab.external_engine.requests import SearchLimits
from komadai.lab.rl import Encoding, TextEnv, VecEnv
from komadai.record import read, to_data
from komadai.reference import Reference
from komadai.spec.move import Move
from komadai.spec.setup import Setup

MOST_LETTERS = 3_000
"""No message is longer than several remarks may be together, with what stands around them."""
LONG = "Xx1+" * 25_000
"""Of it no message quotes more than 200 letters."""


class Strange:
    """An object of no use, whose every question is answered by an error."""

    def __repr__(self) -> str:
        return "<strange>"


ODD: tuple[Any, ...] = (
    *(None, True, 0, 1, -1, 10**30, -(2**63), 10**400, 0.5, float("nan"), float("inf"), 1j),
    *("", "x", "b", "7g7f", "nana", "a\x00b\n\ud800", LONG, "9" * 5_000, b"x", bytearray(b"7g7f")),
    *((), [], [None], ["7g7f", 3], {}, {"a": 1}, {1}, range(3)),
    *(Ellipsis, int, len, Path("no/such/file"), Strange()),
    Setup((), ((), ()), "b", 1),
    Setup((None,) * 25, ((0,) * 5, (-1, 2**40, 0, 0, 0)), "b", -5),
    Setup((1, "x", None) * 9, (3, None), "b", 0),  # type: ignore[arg-type]
    replace(komadai.variant("minishogi"), kinds=5, board="x"),  # type: ignore[arg-type]
    replace(komadai.variant("minishogi"), id=3, start=[]),  # type: ignore[arg-type]
    Move("7g7f", "7g", "7f", "P", 2**63, 3, -1, 10**6),
    Outcome("b", "checkmate", words=3),  # type: ignore[arg-type]
    SearchLimits(nodes=2**70),
    Clock(float("inf"), 1.5),
    TimeControl(),
)

MODULES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("", "book", "engine", "errors", "picture", "record", "solve"), ()),
    **dict.fromkeys(("app.lessons", "app.puzzles", "lab.rl"), ()),
    "spec": (),
    "engine.bots": ("Bot", "known_style"),
    "lab.external_engine.replies": ("EngineOption", "Thought", "EngineAnswer"),
    "lab.external_engine.requests": ("SearchLimits",),
    "game.time_control": (),
    "i18n": ("current_language", "language_for", "set_language", "speaking"),
    "notation": ("known", "notate", "of", "parse", "read"),
    "notation.fen": (),
    "notation.japanese": ("last_square", "move_text", "parse_move", "read", "write"),
    "reference": ("Reference",),
    "rulebook": ("load", "sections"),
    "variants": ("Entry", "build", "names", "owner", "standard"),
    "workshop": (),
}
"""The modules of docs/reference/python, and their names that are for all, if not every one."""
OF_ALL: Mapping[str, tuple[str, ...]] = {
    "Notation": ("read", "write"),
    "Reference": ("legal_moves", "is_legal", "play", "candidates", "perft", "in_check", "broken_rules"),
    "Table": ("probe", "moves", "line", "hardest", "position", "sample"),
}
"""The methods of classes that have others for ourselves."""
LONG_WORK = {"build", "mine", "self_play", "regret", "audit", "check_by_reference", "keep_all", "watch", "register"}
"""Names of what works long whatever it is given, or changes this process."""


def _public(module: Any) -> list[str]:
    named = getattr(module, "__all__", None)
    if named is not None:
        return list(named)
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__
    ]


class Target(NamedTuple):
    """Something to be called: its name, how it is had, and its parameters, those that must be given first."""

    name: str
    get: Callable[[], Callable[..., Any]]
    parameters: tuple[str, ...]
    required: int
    named: bool = True


def _target(name: str, get: Callable[[], Callable[..., Any]]) -> Target:
    try:
        asked = inspect.signature(get()).parameters.values()
    except (TypeError, ValueError):  # of native code: it has no signature
        return Target(name, get, ("a", "b"), 1, named=False)
    plain = [one for one in asked if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    return Target(name, get, tuple(one.name for one in plain), sum(one.default is one.empty for one in plain))


@cache
def _book() -> Path:
    return book_of_five(Path(tempfile.mkdtemp()) / "book").path


@cache
def _record() -> Any:
    return read("startpos moves 7g7f 3c3d", "shogi")[0]


def _position() -> Position:
    position = Position("minishogi")
    position.push(position.legal_moves()[0])
    return position


FRESH: Mapping[str, Callable[[], Any]] = {
    "Position": _position,
    "Game": lambda: Game("minishogi"),
    "Match": lambda: Match("hand"),
    "Engine": lambda: Engine("minishogi", hash_mb=1),
    "Moves": lambda: _position().legal_moves(),
    "Move": lambda: _position().legal_moves()[0],
    "Steps": lambda: _position().steps(),
    "Record": _record,
    "Variant": lambda: komadai.variant("minishogi"),
    "Setup": lambda: _position().setup(),
    "Reference": lambda: Reference(komadai.variant("minishogi")),
    "Table": lambda: solve.open("nana"),
    "TimeControl": lambda: TimeControl.parse("10m+5s"),
    "Clock": lambda: Clock(1.0),
    "Notation": lambda: komadai.notation.of(komadai.variant("minishogi")),
    "Course": lambda: lessons.course("shogi"),
    "Puzzle": lambda: puzzles.load(komadai.variant("nana"))[0],
    "SearchLimits": lambda: SearchLimits(nodes=10),
    "EngineOption": lambda: EngineOption("x", "spin"),
    "Thought": Thought,
    "Book": lambda: open_book(_book()),
    "Builder": lambda: Builder("minishogi"),
    "VecEnv": lambda: VecEnv("minishogi", 2),
    "Encoding": lambda: Encoding("minishogi"),
    "TextEnv": lambda: TextEnv("minishogi"),
}
"""Objects whose methods are called, made anew for each call, as a call may change them."""

GOOD: Mapping[str, Callable[[], Any]] = {
    "position": _position,
    "game": lambda: Game("minishogi"),
    "variant": lambda: komadai.variant("minishogi"),
    "move": lambda: _position().legal_moves()[0],
    "record": _record,
    "data": lambda: to_data(_record()),
    "side": lambda: "b",
    "square": lambda: "1a",
    "depth": lambda: 1,
    "nodes": lambda: 10,
    "text": lambda: "7g7f",
    "setup": lambda: _position().setup(),
    "puzzle": FRESH["Puzzle"],
    "course": FRESH["Course"],
}
"""What is right for parameters of these names."""


@cache
def targets() -> tuple[Target, ...]:
    """Everything public that can be called, in the order of its names."""
    found: dict[str, Target] = {}
    for short, names in MODULES.items():
        module = importlib.import_module(f"komadai.{short}".rstrip("."))
        for name in names or _public(module):
            try:
                value = getattr(module, name)
            except ModuleNotFoundError:  # an extra that is not installed
                continue
            if callable(value) and name not in LONG_WORK:
                where = f"{module.__name__}.{name}"
                found[where] = _target(where, lambda value=value: value)  # type: ignore[misc]
    for kind, make in FRESH.items():
        one = make()
        for name in OF_ALL.get(kind, tuple(dir(one))):
            special = name in ("__getitem__", "__contains__", "__eq__", "__lt__", "__add__", "__iter__", "__len__")
            if (special or not name.startswith("_")) and name not in LONG_WORK and callable(getattr(one, name, None)):
                found[f"{kind}.{name}"] = _target(f"{kind}.{name}", lambda m=make, n=name: getattr(m(), n))  # type: ignore[misc]
    return tuple(found[name] for name in sorted(found))


def calls(target: Target, lots: random.Random, count: int) -> Iterator[dict[str, Any]]:
    """Arguments for so many calls, of which one or more are odd."""
    for _ in range(count):
        given = {name for name in target.parameters[target.required :] if lots.random() < 0.3}
        values = {
            name: GOOD[name]() if name in GOOD and lots.random() < 0.6 else lots.choice(ODD)
            for number, name in enumerate(target.parameters)
            if number < target.required or name in given
        }
        if target.name == "Engine.search":
            values |= {"nodes": 10} if lots.random() < 0.9 else {"depth": 1}
        yield values
