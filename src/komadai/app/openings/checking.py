"""Checks a book's openings by searches or the table: their moves are good, the wrong moves beside them wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...book import Book
from ...book.openings import Opening, Wrong
from ...game.position import Position
from ...solve import MoveValue
from .making import LONGER, Maker
from .trainer import CLEAR, Lines


@dataclass(frozen=True, slots=True)
class Checked:
    """A move of an opening, or a wrong one beside it.

    Attributes:
        opening: the line.
        ply: how many moves of the line come before it.
        wrong: the wrong move; ``None`` for the one of the line.
        why: what is wrong with it, in words; empty if it is as the book says.
    """

    opening: Opening
    ply: int
    wrong: Wrong | None
    why: str


def check(book: Book, times: int = 1, one_in: int = 1) -> Iterator[Checked]:
    """Check the moves of a book's openings and the wrong moves beside them, each once.

    Args:
        book: a book with openings.
        times: how many times the usual 100,000 positions a search looks at.
        one_in: check every so many-th move alone.
    """
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
    """Says why a move is not what the book says."""

    def __init__(self, book: Book, times: int) -> None:
        self._maker, self._nodes = Maker(book.variant), times * LONGER

    def move(self, at: Position, text: str) -> str:
        """Why a move of a line is not good; empty if it is."""
        if self._maker.solved(at):
            return f"{text} gives away what the table knows better" if self._value(at, text).blunder else ""
        lost = self._maker.given_away(at, [text], self._nodes)
        return f"{text} gives away {_pieces(lost)}" if lost >= CLEAR else ""

    def wrong(self, at: Position, wrong: Wrong) -> str:
        """Why a move is not wrong, or the book's reply does not punish it; empty if the book is right."""
        text, reply = wrong.moves[:2]
        if self._maker.solved(at):
            known = self._value(at, text)
            right = known.blunder and known.value.outcome == wrong.loss
            return "" if right else f"{text} is a {known.value.outcome} by the table"
        for moves in ([text], [text, reply]):
            if (lost := self._maker.given_away(at, moves, self._nodes)) < CLEAR:
                return f"{' '.join(moves)} gives away no more than {_pieces(lost)}"
        return ""

    def _value(self, at: Position, text: str) -> MoveValue:
        known = self._maker.value(at, at.parse_move(text))
        assert known is not None, "the table has every legal move of a position that it knows"
        return known


def _pieces(score: int) -> str:
    """A score as a number of the game's least pieces."""
    return f"{score / 100:.1f}"
