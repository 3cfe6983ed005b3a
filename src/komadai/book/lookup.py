"""Looking up positions in a book, and choosing a move."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import BookError, NotationError
from ..game.position import Position
from ..i18n import _
from ..spec.move import Move
from ..spec.variant import Variant
from ..typed import typed
from ..variants import build
from . import files
from .openings import Opening


@dataclass(frozen=True, slots=True)
class BookMove:
    """A move of a book.

    Attributes:
        move: the move, legal in the position that was looked up.
        games: in how many games it was played there.
        wins: how many of them the mover has won. ``draws``, ``losses``: likewise; other games have no known result.
        score: the mean of engines' scores, for the mover, in hundredths of the least piece; ``None`` if there are none.
        scored: in how many games there is one.
    """

    move: Move
    games: int
    wins: int
    draws: int
    losses: int
    score: int | None
    scored: int

    @property
    def points(self) -> float | None:
        """The mover's share of the points in games with a known result, 0 to 1; ``None`` if there is no such game."""
        known = self.wins + self.draws + self.losses
        return (self.wins + self.draws / 2) / known if known else None

    @property
    def weight(self) -> int:
        """The weight in a choice by chance: 2 a win and 1 a game without winner, or of which the result is not known.

        It is 0 for a move that has only lost.
        """
        return self.games + self.wins - self.losses


class Book:
    """An opening book: for positions, the moves that were played, with their results.

    Books are made by :class:`Builder` and the command ``komadai book``, and opened by :func:`komadai.book.open`.

    Attributes:
        variant: the game. ``path``: the file.
    """

    @typed
    def __init__(self, path: Path, variant: Variant | None = None) -> None:
        """Use :func:`komadai.book.open`."""
        self.path = path
        self.file = files.BookFile(path)
        self.variant = self._made_for() if variant is None else variant
        if self.file.about["rules"] not in self.variant.play_hashes:
            raise BookError(
                _(
                    "{path} is a book of {found} {version}, not of {game} {now} with these rules; build it again",
                    path=path,
                    found=_short(self.file.about["variant"]),
                    version=_short(self.file.about["version"]),
                    game=self.variant.id,
                    now=self.variant.version,
                )
            )

    def _made_for(self) -> Variant:
        """The variant that the description names."""
        try:
            return build(self.file.about["variant"], **self.file.about["options"])
        except (NotationError, TypeError):
            found = _short(self.file.about["variant"])
            raise BookError(
                _("{path} is a book of {game}, which this program does not know", path=self.path, game=found)
            ) from None

    def __reduce__(self) -> tuple[object, ...]:
        """The book of the same file."""
        return Book, (self.path, self.variant)

    def __repr__(self) -> str:
        return f"<Book of {self.variant.id}, {self.positions} positions from {self.games} games>"

    @property
    def about(self) -> dict[str, Any]:
        """The description: variant, version, options, rules hash, and numbers of games, plies, positions and moves."""
        return {name: value for name, value in self.file.about.items() if name != "openings"}

    @property
    def games(self) -> int:
        """The number of games it was made from."""
        return int(self.file.about["games"])

    @property
    def plies(self) -> int:
        """How many plies of each game were taken in."""
        return int(self.file.about["plies"])

    @property
    def openings(self) -> tuple[Opening, ...] | None:
        """Lines to learn, in a book of games that the engine has played with itself; ``None`` in any other."""
        return self.file.openings

    @property
    def positions(self) -> int:
        """The number of positions it holds."""
        return int(self.file.about["positions"])

    @typed
    def moves(self, position: Position) -> list[BookMove]:
        """The moves played in a position, the most played first; an empty list if the book has none.

        Two positions could share their number in the book. Where a move that is not legal shows that, there are none.

        Raises:
            NotationError: the position is of another game or other rules.
            BookError: the file is damaged, or another stands in its place.
        """
        if not same_game(position.variant, self.variant):
            words = _(
                "the position is of {found}, the book of {game} (or other options)",
                found=position.variant.id,
                game=self.variant.id,
            )
            raise NotationError(_("book"), [words])
        rows = self.file.find(files.key_of(position))
        if not rows:
            return []
        legal = {move.text: move for move in position.legal_moves()}
        names = [self.file.names[row.name] for row in rows]
        if len(set(names)) < len(names) or not legal.keys() >= set(names):
            return []
        scores = [round(row.total / row.scored) if row.scored else None for row in rows]
        return [
            BookMove(legal[name], row.games, row.wins, row.draws, row.losses, score, row.scored)
            for name, row, score in zip(names, rows, scores, strict=True)
        ]

    def choose(self, position: Position, *, best: bool = False, chance: random.Random | None = None) -> BookMove | None:
        """Choose a move, or ``None`` if the book has none that is worth playing; a move that has only lost is not.

        Args:
            position: where.
            best: take the move of the greatest weight, not one by chance and weight.
            chance: where chance comes from; one with a seed makes the choice repeatable.

        Raises:
            As :meth:`moves`.
        """
        moves = [move for move in self.moves(position) if move.weight > 0]
        if not moves:
            return None
        if best:
            return max(moves, key=lambda move: (move.weight, move.score or 0))
        return (chance or random.Random()).choices(moves, [move.weight for move in moves])[0]


@typed
def same_game(one: Variant, two: Variant) -> bool:
    """True if positions and moves of one are those of the other."""
    return one is two or one.play_hash in two.play_hashes


def _short(text: str) -> str:
    """Foreign text in a message."""
    return repr(text[:40])
