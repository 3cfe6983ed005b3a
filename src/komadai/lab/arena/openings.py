"""Openings that games begin from: files of them, and balanced ones made by random play.

A file holds one opening a line: moves from the start (``7g7f 3c3d``), or a position string, which ``moves …`` may
follow; ``startpos`` is the start. ``#`` begins a comment.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ...engine import Engine
from ...errors import KomadaiError, NotationError
from ...game.game import Game
from ...game.position import Position
from ...game.random_moves import any_move
from ...record.usi import STARTPOS, split
from ...spec.numbers import whole_number
from ...spec.variant import Variant
from ...variants import suggest

RANDOM = "random"
_TRIES = 60  # for each opening wanted


@dataclass(frozen=True, slots=True)
class Opening:
    """An opening: a position string (``None`` for the variant's start) and the moves made from there."""

    start: str | None
    moves: tuple[str, ...]

    def __str__(self) -> str:
        if self.start is None:
            return " ".join(self.moves) or STARTPOS
        return " ".join((self.start, *(("moves", *self.moves) if self.moves else ())))

    def game(self, variant: Variant) -> Game:
        """A game with the opening's moves made.

        Raises:
            KomadaiError: no such position, or a move that is not legal.
        """
        game = Game(variant, self.start)
        for number, move in enumerate(self.moves, 1):
            try:
                game.push(move)
            except KomadaiError as error:
                raise NotationError(f"move {number}", [str(error)]) from None
        return game


def parse_opening(variant: Variant, text: str) -> Opening:
    """The opening on a line of text.

    Raises:
        KomadaiError: the line is no opening, or the game is over in it; the message says why.
    """
    start, moves = split(text.split())
    opening = Opening(start, tuple(moves))
    if outcome := opening.game(variant).outcome():
        raise NotationError("opening", [f"the game is over there: {outcome}"])
    return opening


def read_openings(variant: Variant, path: Path) -> list[Opening]:
    """The openings of a file.

    Raises:
        NotationError: the file cannot be read, is empty, or has lines that are no opening; every such line is named.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "is no text in UTF-8"
        raise NotationError(f"openings {str(path)!r}", [str(reason)]) from None
    found, defects = [], []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].strip()
        if words:
            try:
                found.append(parse_opening(variant, words))
            except KomadaiError as error:
                defects.append(f"line {number}: {error}")
    if defects or not found:
        raise NotationError(f"openings {str(path)!r}", defects or ["there are none; expected one a line"])
    return found


@dataclass(frozen=True, slots=True)
class Balanced:
    """The parameters of random openings.

    Attributes:
        plies: random moves from the start. ``count``: openings wanted. ``seed``: makes them repeatable.
        limit: the score, in hundredths of the least piece, beyond which a search calls an opening unbalanced.
        nodes: positions that this search visits.
    """

    plies: int = 6
    count: int = 50
    seed: int = 1
    limit: int = 100
    nodes: int = 2000

    def __str__(self) -> str:
        return f"{RANDOM}:" + ",".join(f"{name}={getattr(self, name)}" for name in _BOUNDS)


_BOUNDS = {
    "plies": (0, 100),
    "count": (1, 100_000),
    "seed": (0, 2**63 - 1),
    "limit": (1, 10_000),
    "nodes": (1, 10_000_000),
}


def parse_balanced(text: str) -> Balanced | None:
    """The parameters of random openings from ``random:plies=6,count=50,seed=1``; ``None`` for other texts.

    Raises:
        NotationError: unknown setting or value; every defect at once.
    """
    name, colon, rest = text.partition(":")
    if name != RANDOM:
        return None
    numbers: dict[str, int] = {}
    defects = []
    for pair in rest.split(",") if colon else []:
        key, _, value = (part.strip() for part in pair.partition("="))
        if key not in _BOUNDS:
            defects.append(f"unknown setting {key!r}; {suggest(key, tuple(_BOUNDS))}")
        elif (number := whole_number(value, *_BOUNDS[key])) is None:
            defects.append(f"{key} cannot be {value!r}; expected {_BOUNDS[key][0]} to {_BOUNDS[key][1]}")
        else:
            numbers[key] = number
    if defects:
        raise NotationError(f"openings {text!r}", defects)
    return Balanced(**numbers)


def balanced_openings(variant: Variant, how: Balanced) -> Iterator[Opening]:
    """Different openings by random play that a shallow search of our engine calls balanced; no two lead to the same
    position. The first of them do not depend on how many are wanted.

    Raises:
        NotationError: too few openings were found.
    """
    lots = random.Random(how.seed)
    engine = Engine(variant, tables=False)
    seen: set[str] = set()
    found = 0
    for _ in range(how.count * _TRIES):
        position, moves = _played(variant, how.plies, lots)
        if position.outcome() is not None or (key := position.sfen()) in seen:
            continue
        seen.add(key)
        engine.clear()  # so that no opening depends on those searched before
        info = engine.search(position, nodes=how.nodes)
        if info.mate is None and abs(info.score) <= how.limit:
            yield Opening(None, moves)
            found += 1
            if found == how.count:
                return
    raise NotationError(
        f"openings '{how}'",
        [f"only {found} of them are balanced and different in {how.count * _TRIES} tries; allow more plies or limit"],
    )


def _played(variant: Variant, plies: int, lots: random.Random) -> tuple[Position, tuple[str, ...]]:
    """A position some random moves from the start, and the moves; fewer where the game ends before."""
    position = Position(variant)
    moves: list[str] = []
    while len(moves) < plies and position.outcome() is None:
        moves.append(any_move(lots, position))
        position.push(moves[-1])
    return position, tuple(moves)
