"""Openings checked: whether their moves are good, and the wrong moves beside them wrong, by searches or the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...book import Book
from ...book.openings import Opening, Wrong
from ...game.position import Position
from ...solve import Table, obtain
from ...spec.move import Move
from .making import LONGER, Maker
from .trainer import CLEAR, Lines


@dataclass(frozen=True, slots=True)
class Checked:
    """A move of an opening, or a wrong one beside it.

    Attributes:
        opening: the line.
        ply: how many moves of the line come before it.
        wrong: the wrong move; ``None`` for the one of the line.
        why: the defect; empty if there is none.
    """

    opening: Opening
    ply: int
    wrong: Wrong | None
    why: str


def check(book: Book, times: int = 1, one_in: int = 1) -> Iterator[Checked]:
    """Check one in so many of the moves and wrong moves, each once, with so many ``times`` the nodes."""
    lines, judge = Lines(book), _Judge(book, times)
    seen, number = set[tuple[str, str]](), 0
    for opening in lines.openings:
        for at, ply in lines.walk(opening):
            beside = [wrong for wrong in opening.wrong if wrong.ply == ply]
            for wrong, move in ((None, opening.moves[ply]), *((one, one.moves[0]) for one in beside)):
                if (at.sfen(), move) in seen:
                    continue
                seen.add((at.sfen(), move))
                number += 1
                if not number % one_in:
                    why = judge.move(at, move) if wrong is None else judge.wrong(at, wrong)
                    yield Checked(opening, ply, wrong, why)


class _Judge:
    """Says of moves what they give away."""

    def __init__(self, book: Book, times: int) -> None:
        self._table: Table | None = obtain(book.variant)
        self._maker, self._nodes = Maker(book.variant), times * LONGER

    def move(self, at: Position, text: str) -> str:
        """Why a move of a line is not good; empty if it is."""
        move = at.parse_move(text)
        if self._known(at):
            return f"{text} gives away what the table knows better" if self._value(at, move)[1] else ""
        lost = self._maker.given_away(at, [text], self._nodes)
        return f"{text} gives away {_pieces(lost)}" if lost >= CLEAR else ""

    def wrong(self, at: Position, wrong: Wrong) -> str:
        """Why a wrong move is not as wrong as the book says, or its punishment is none; empty if all is so."""
        text, reply = wrong.moves[:2]
        if self._known(at):
            value, blunder = self._value(at, at.parse_move(text))
            return "" if blunder and value == wrong.loss else f"{text} is a {value} by the table"
        for moves in ([text], [text, reply]):
            if (lost := self._maker.given_away(at, moves, self._nodes)) < CLEAR:
                return f"{' '.join(moves)} gives away no more than {_pieces(lost)}"
        return ""

    def _known(self, at: Position) -> bool:
        return self._table is not None and self._table.probe(at) is not None

    def _value(self, at: Position, move: Move) -> tuple[str, bool]:
        """What a move is by the table, and whether another is better."""
        assert self._table is not None
        found = next(one for one in self._table.moves(at) if one.move == move)
        return found.value.outcome, bool(found.blunder)


def _pieces(score: int) -> str:
    """A score in least pieces."""
    return f"{score / 100:.1f}"
