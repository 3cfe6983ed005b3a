"""Players: our engine in this process, random moves, or any USI, UCI or XBoard engine.

A player is described by one line of text: ``komadai:level=5,nodes=2000``, ``random``, or
``usi:COMMAND ARGUMENTS option.NAME=VALUE nodes=2000`` (settings are the last words).
"""

from __future__ import annotations

import contextlib
import hashlib
import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Literal, get_args

from ... import book, solve
from ...engine import BALANCED, BOTS, MAX_HASH_MB, MAX_THREADS, STRONGEST, STYLES, Engine, Info
from ...errors import EngineError, NotationError
from ...game.game import Game
from ...game.position import Position
from ...game.random_moves import any_move
from ...spec.move import Move
from ...spec.numbers import seconds, whole_number
from ...spec.variant import Variant
from ...variants import suggest
from ..external_engine.client import EngineClient
from ..external_engine.replies import EngineAnswer, Thought
from ..external_engine.requests import DIALECTS, Dialect, SearchLimits
from ..external_engine.running import GameResult, split_command
from ..external_engine.xboard import XboardClient

Kind = Literal["komadai", "random", "usi", "uci", "xboard"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_NUMBERS = {"level": (1, STRONGEST), "hash": (1, MAX_HASH_MB), "threads": (1, MAX_THREADS), "seed": (0, 2**63 - 1)}
_DEFAULTS = {"level": STRONGEST, "hash": 16, "threads": 1}
_LIMITS = {"depth": 1000, "nodes": 10**12}
_LONGEST = 10.0**6  # seconds a move
_WORDS = {
    "bot": tuple(BOTS),
    "style": tuple(STYLES),
    "tables": ("on", "off"),
    "best_book_move": ("on", "off"),
}
FILES = ("book", "weights")
"""The settings that name files."""
_TEXTS = (*FILES, "name")
_SETTINGS: dict[Kind, tuple[str, ...]] = {
    "komadai": (*_NUMBERS, *_WORDS, "movetime", *_LIMITS, *_TEXTS),
    "random": ("seed", "name"),
    "usi": ("movetime", *_LIMITS, "name"),
    "uci": ("movetime", *_LIMITS, "name"),
    "xboard": ("movetime", "depth", "name"),
}
_OPTION = "option."

LineProtocol = Dialect | Literal["xboard"]
PROTOCOLS: tuple[LineProtocol, ...] = (*DIALECTS, "xboard")
"""The kinds of players that are programs."""

Program = EngineClient | XboardClient
"""A program, running."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A player's description.

    Attributes:
        text: the line as given. ``command``: the words of an engine's command line.
        settings: ours, by name. ``options``: those of an engine.
    """

    text: str
    kind: Kind
    command: tuple[str, ...]
    settings: tuple[tuple[str, str], ...]
    options: tuple[tuple[str, str], ...]

    @property
    def limits(self) -> SearchLimits | None:
        """The limits of its own that stand in place of the match's."""
        own = {name: int(value) for name, value in self.settings if name in _LIMITS}
        time = next((seconds(value) for name, value in self.settings if name == "movetime"), None)
        return None if time is None and not own else SearchLimits(time, own.get("depth"), own.get("nodes"))


def files_of(specs: Iterable[Spec]) -> list[str]:
    """The paths of the files that players look into, each once."""
    return sorted({value for spec in specs for name, value in spec.settings if name in FILES})


def hashes(specs: Iterable[Spec]) -> dict[str, str]:
    """The hashes of the files that players look into, by their paths; empty for one that cannot be read."""
    found = {}
    for path in files_of(specs):
        try:
            with Path(path).open("rb") as file:
                found[path] = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError:
            found[path] = ""
    return found


def parse_player(text: str) -> Spec:
    """The player that a line of text describes.

    Raises:
        NotationError: unknown kind, setting or value, or an engine without a command; every defect at once.
    """
    about = f"player {text!r}"
    name, colon, rest = text.partition(":")
    kind = next((kind for kind in KINDS if kind == name.strip()), None)
    if kind is None:
        raise NotationError(about, [f"{suggest(name, KINDS)}, for example komadai:level=5 or usi:COMMAND"])
    command: list[str] = []
    if kind in PROTOCOLS:
        words = split_command(rest)
        end = len(words)
        while end and _is_setting(kind, words[end - 1]):
            end -= 1
        command, pairs = words[:end], words[end:]
        if not command:
            raise NotationError(about, [f"names no program; expected {kind}:COMMAND"])
    else:
        pairs = rest.split(",") if colon else []
    settings: dict[str, str] = {}
    options: list[tuple[str, str]] = []
    defects = []
    for pair in pairs:
        key, equals, value = (part.strip() for part in pair.partition("="))
        if not equals or not value:
            defects.append(f"{pair!r} is no setting; expected NAME=VALUE, with NAME one of {_known(kind)}")
        elif key.startswith(_OPTION) and kind in PROTOCOLS:
            options.append((key.removeprefix(_OPTION), value))
        elif key not in _SETTINGS[kind]:
            defects.append(f"unknown setting {key!r}; {suggest(key, _SETTINGS[kind])}")
        elif refusal := _refusal(key, value):
            defects.append(f"{key} cannot be {value!r}; expected {refusal}")
        else:
            settings[key] = value
    if "bot" in settings and not settings.keys().isdisjoint(("level", "style")):
        defects.append("a bot has a level and a style; leave out bot, or both of these")
    if defects:
        raise NotationError(about, defects)
    return Spec(text, kind, tuple(command), tuple(settings.items()), tuple(options))


def _known(kind: Kind) -> str:
    return ", ".join((*_SETTINGS[kind], *([f"{_OPTION}…"] if kind in PROTOCOLS else [])))


def _is_setting(kind: Kind, word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and (name in _SETTINGS[kind] or name.startswith(_OPTION))


def _refusal(key: str, value: str) -> str | None:
    """The correction for a bad value; ``None`` if the value is good."""
    if key in _WORDS:
        *others, last = _WORDS[key]
        return None if value in _WORDS[key] else f"{', '.join(others)} or {last}"
    if key in _TEXTS:
        return None
    if key == "movetime":
        time = seconds(value)
        return None if time is not None and 0.001 <= time <= _LONGEST else "a time such as 0.5, 500ms or 2m"
    least, most = _NUMBERS.get(key) or (1, _LIMITS[key])
    return None if whole_number(value, least, most) is not None else f"{least} to {most}"


class Player:
    """A source of moves. Failures of an external program are raised as EngineError."""

    name: str

    def new_game(self, seed: int) -> None:
        """A game begins; players that draw lots take them from ``seed``."""

    def go(self, game: Game, limits: SearchLimits, timeout: float) -> EngineAnswer:
        """The player's answer in a running game; it is stopped after ``timeout`` seconds."""
        raise NotImplementedError

    def parse(self, position: Position, word: str) -> Move:
        """The move that an answer names; NotationError or IllegalMoveError if it names none."""
        return position.parse_move(word)

    def game_over(self, result: GameResult) -> None:
        """The game has ended like that for this player."""

    def stop(self) -> None:
        """End a :meth:`go` that is running soon; called from another thread or a signal's handler."""

    def close(self) -> None:
        """Give back what the player holds."""


def start(spec: Spec, variant: Variant) -> Player:
    """The player, ready to play the variant.

    Raises:
        EngineError: the engine does not start, or cannot play the variant.
        BookError: the file of its opening book is none, or of another game.
        WeightsError: likewise of its evaluation.
        NotationError: the engine has no such option, or not with that value.
    """
    if spec.kind == "komadai":
        return _Ours(spec, variant)
    if spec.kind == "random":
        return _Random(spec)
    return _Program(spec, variant, spec.kind)


def connect(spec: Spec, protocol: LineProtocol) -> Program:
    """The program of a player, running, its options set.

    Raises:
        EngineError: it does not start.
        NotationError: it has no such option, or not with that value.
    """
    client = XboardClient(spec.command) if protocol == "xboard" else EngineClient(spec.command, dialect=protocol)
    try:
        for name, value in spec.options:
            client.set_option(name, value)
    except BaseException:
        client.close()
        raise
    return client


class _Random(Player):
    """Plays any legal move, each as likely as the others."""

    def __init__(self, spec: Spec) -> None:
        self._settings = dict(spec.settings)
        self.name = self._settings.get("name", "random")
        self._lots = random.Random()

    def new_game(self, seed: int) -> None:
        self._lots = random.Random(f"{self._settings.get('seed', '')} {seed}")

    def go(self, game: Game, limits: SearchLimits, timeout: float) -> EngineAnswer:
        return EngineAnswer(any_move(self._lots, game.position))


class _Ours(Player):
    """Our engine, in this process; other threads run while it searches."""

    def __init__(self, spec: Spec, variant: Variant) -> None:
        settings = dict(spec.settings)
        self.name = settings.get("name") or spec.text.replace(":", " ").replace(",", " ")
        self._seed = settings.get("seed", "")
        if (bot := BOTS.get(settings.get("bot", ""))) is not None:
            settings |= {"level": str(bot.level), "style": bot.style}
        level, hash_mb, threads = (int(settings.get(name, default)) for name, default in _DEFAULTS.items())
        if tables := settings.get("tables", "on") == "on":
            solve.obtain(variant)
        self._made = partial(
            Engine,
            variant,
            level=level,
            style=settings.get("style", BALANCED),
            hash_mb=hash_mb,
            threads=threads,
            tables=tables,
            book=book.open(settings["book"], variant) if "book" in settings else None,
            best_book_move=settings.get("best_book_move") == "on",
            weights=settings.get("weights"),
        )
        self._engine = self._made(seed=0)

    def new_game(self, seed: int) -> None:
        self._engine = self._made(seed=random.Random(f"{self._seed} {seed}").getrandbits(63))

    def go(self, game: Game, limits: SearchLimits, timeout: float) -> EngineAnswer:
        if game.position.can_declare():
            return EngineAnswer("win")
        started = perf_counter()
        clock = None if limits.clocks is None else limits.clocks["bw".index(game.turn)]
        info = self._engine.search(game.position, time=limits.time, clock=clock, depth=limits.depth, nodes=limits.nodes)
        return EngineAnswer(str(info.move), thought=_thought(info), seconds=perf_counter() - started)

    def stop(self) -> None:
        self._engine.stop()


def _thought(info: Info) -> Thought:
    mate, figures = info.mate, info.book
    # A book without scores has no opinion, and games are adjudicated on opinions.
    known = mate is None and (figures is None or figures.score is not None)
    pv = tuple(map(str, info.pv))
    return Thought(info.depth, info.seldepth, info.score if known else None, mate, info.nodes, info.nps, pv)


class _Program(Player):
    """A program. It is started anew for the game after one in which it came to an end."""

    def __init__(self, spec: Spec, variant: Variant, protocol: LineProtocol) -> None:
        self._spec, self._variant, self._protocol = spec, variant, protocol
        self._client = self._started()
        self._fresh = True  # a new game was just announced
        self.name = dict(spec.settings).get("name") or self._client.name or spec.command[0]

    def _started(self) -> Program:
        client = connect(self._spec, self._protocol)
        try:
            client.play(self._variant)
        except BaseException:
            client.close()
            raise
        return client

    def new_game(self, seed: int) -> None:
        if not self._fresh:
            try:
                self._client.new_game()
            except EngineError:
                self._client.close()
                self._client = self._started()
        self._fresh = False

    def go(self, game: Game, limits: SearchLimits, timeout: float) -> EngineAnswer:
        return self._client.go(game, limits, timeout=timeout)

    def parse(self, position: Position, word: str) -> Move:
        return self._client.parse(position, word)

    def game_over(self, result: GameResult) -> None:
        with contextlib.suppress(EngineError):  # which the next game finds out
            self._client.game_over(result)

    def stop(self) -> None:
        self._client.stop()

    def close(self) -> None:
        self._client.close()
