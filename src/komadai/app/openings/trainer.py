"""Training an opening: the moves of a line are asked for, the trainer plays the others, and wrong ones are punished.

A training is named ``ID.b`` or ``ID.w``, all moves of that side in the line, or ``ID.N``, the move after N plies alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from ...book import Book
from ...book.openings import Loss, Opening
from ...engine import Engine
from ...errors import NotationError
from ...game.position import Position
from ...i18n import _
from ...spec.board import Side
from ...spec.move import Move
from ...spec.numbers import whole_number
from ...spec.variant import CACHED_VARIANTS
from .names import name_of

Verdict = Literal["right", "done", "other", "wrong"]

CLEAR = 200
"""Hundredths of the least piece by which a wrong move is worse, at least."""
_WON = 3_000  # hundredths of the least piece: what gives them away gives the game away
_QUICK, _SHOWN = 5_000, 6  # positions of the search that looks at a move which the book does not know; plies shown


@dataclass(frozen=True, slots=True)
class Judged:
    """The answer to a move in a training.

    Attributes:
        verdict: ``"right"``; ``"done"``: it was the last one, or where one move alone is asked for, any of the book;
            ``"other"``: not wrong, but the line has another; ``"wrong"``.
        words: the verdict in the reader's language.
        line: of a right move itself and the reply, if there is one; of a wrong one itself and its punishment.
    """

    verdict: Verdict
    words: str
    line: tuple[Move, ...]


class Lines:
    """The lines of a book, and what stands beside them."""

    def __init__(self, book: Book) -> None:
        """``book``: one with openings."""
        assert book.openings is not None
        self.book, self.openings = book, book.openings
        self._wrong: dict[str, dict[str, tuple[Loss, tuple[Move, ...]]]] = {}
        self._cards: dict[tuple[str, str], str] = {}
        for opening in self.openings:
            for at, ply in self.walk(opening):
                place = at.sfen()
                self._cards.setdefault((place, opening.moves[ply]), f"{opening.id}.{ply}")
                for wrong in opening.wrong:
                    if wrong.ply == ply:
                        line = _played(at, wrong.moves)
                        self._wrong.setdefault(place, {})[line[0].text] = wrong.loss, line

    def walk(self, opening: Opening) -> Iterator[tuple[Position, int]]:
        """The positions of a line before each of its moves; one position, which goes on."""
        at = Position(self.book.variant)
        for ply, move in enumerate(opening.moves):
            yield at, ply
            at.push(move)

    @property
    def nodes(self) -> int:
        """The positions that the engine looked at for a move of the lines."""
        return int(self.book.file.about["openings"]["nodes"])

    def wrong(self, position: Position) -> list[tuple[Loss, tuple[Move, ...]]]:
        """The wrong moves of a position that are known, each with what it gives away and its punishment."""
        return list(self._wrong.get(position.sfen(), {}).values())

    def wrong_by(self, position: Position, move: Move) -> tuple[Loss, tuple[Move, ...]] | None:
        """The same of one move."""
        return self._wrong.get(position.sfen(), {}).get(move.text)

    def cards(self, opening: Opening, side: Side) -> list[str]:
        """The trainings of single moves of a side in a line, the same for lines that share a position."""
        return [
            self._cards[at.sfen(), opening.moves[ply]]
            for at, ply in self.walk(opening)
            if at.turn == side and len(at.legal_moves()) > 1
        ]

    @cached_property
    def prefixes(self) -> dict[str, int]:
        """By the id of a line, how many of its first moves no other line has, so that they can name it."""
        counts = Counter(one.moves[:length] for one in self.openings for length in range(1, len(one.moves) + 1))
        return {
            one.id: next((n for n in range(2, len(one.moves)) if counts[one.moves[:n]] == 1), len(one.moves))
            for one in self.openings
        }

    def name(self, opening: Opening) -> str:
        """The established name of a line, translated; empty where it has none."""
        return name_of(self._positions(opening))

    def _positions(self, opening: Opening) -> Iterator[Position]:
        at = Position(self.book.variant)
        for move in opening.moves:
            at.push(move)
            yield at


@lru_cache(maxsize=CACHED_VARIANTS)
def lines_of(book: Book) -> Lines:
    """The lines of a book, put in order once."""
    return Lines(book)


def _played(position: Position, moves: Sequence[str]) -> tuple[Move, ...]:
    at = position.copy()
    for move in moves:
        at.push(move)
    return at.move_stack[len(position.move_stack) :]


@dataclass(frozen=True, slots=True)
class Training:
    """What is asked for in a training.

    Attributes:
        lines: those of the book. ``opening``: one of them.
        side: whose moves are asked for.
        begin: the plies of the line before the first move asked for. ``end``: those after the last, with its reply.
    """

    lines: Lines
    opening: Opening
    side: Side
    begin: int
    end: int

    def position(self, plies: int) -> Position:
        """The position after so many plies of the line."""
        at = Position(self.lines.book.variant)
        for move in self.opening.moves[:plies]:
            at.push(move)
        return at

    def stands(self, moves: Sequence[str]) -> int:
        """How many plies these moves are of the line, at least those before the first that is asked for.

        Raises:
            NotationError: they are none of it, or it is not the learner's turn after them.
        """
        plies = max(len(moves), self.begin)
        if tuple(moves) != self.opening.moves[: len(moves)] or (plies - self.begin) % 2 or plies > self.end:
            raise NotationError("moves", [_("expected the first moves of the line, the learner to move after them")])
        return plies

    def after(self, plies: int) -> int:
        """How many plies stand after the right move there, with the reply if there is one."""
        return min(plies + 2, self.end)

    def judge(self, plies: int, move: Move) -> Judged:
        """Judge a legal move in the position after so many plies of the line."""
        at, book = self.position(plies), self.lines.book
        played = {one.move: one.games for one in book.moves(at)}
        games = played.get(move, 0)
        if move.text == self.opening.moves[plies]:
            words = _("Right: in {games} of {all} games of the engine.", games=f"{games:,}", all=f"{book.games:,}")
            after = self.after(plies)
            line = _played(at, self.opening.moves[plies:after])
            return Judged("done" if after >= self.end else "right", words, line)
        if games and self.end == self.begin + 1:
            words = _("Played in {games} of {all} games of the engine.", games=f"{games:,}", all=f"{book.games:,}")
            return Judged("done", words, (move,))
        if games:
            words = _(
                "This was played in {games} of {all} games of the engine, too, but the line goes on otherwise.",
                games=f"{games:,}",
                all=f"{book.games:,}",
            )
            return Judged("other", words, ())
        known = self.lines.wrong_by(at, move) or _looked_at(at, move, self.opening.moves[plies])
        if known is None:
            words = _("A quick look of the engine finds nothing wrong with this, but the line goes on otherwise.")
            return Judged("other", words, ())
        return Judged("wrong", loss_words(known[0]), known[1])


def _looked_at(position: Position, move: Move, right: str) -> tuple[Loss, tuple[Move, ...]] | None:
    """What a move gives away against the right one by a short search, and its punishment; ``None`` if not much."""
    engine = Engine(position.variant, hash_mb=4, tables=False)
    scores, line = list[int](), tuple[Move, ...]()
    for one in (position.parse_move(right), move):
        after = position.copy()
        after.push(one)
        if after.is_game_over():
            return None
        found = engine.search(after, nodes=_QUICK)
        scores.append(-found.score)
        line = (one, *found.pv)
    return (scores[0] - scores[1], line[:_SHOWN]) if scores[0] - scores[1] >= CLEAR else None


def loss_words(loss: Loss) -> str:
    """What a wrong move gives away, in the reader's language."""
    if loss == "draw":
        return _("This gives away the win: with best play it is a draw.")
    if loss == "loss":
        return _("With best play this loses the game.")
    if loss >= _WON:
        return _("By the engine’s search this loses the game.")
    return _("By the engine’s search this gives away {loss} times the least piece.", loss=f"{loss / 100:.1f}")


def training(book: Book, name: str) -> Training | None:
    """The training of that name; ``None`` if the book has no such line, or it no such move."""
    id, _dot, part = name.partition(".")
    lines = lines_of(book)
    opening = next((one for one in lines.openings if one.id == id), None)
    if opening is None:
        return None
    turns = [at.turn for at, _ply in lines.walk(opening)]
    if part in turns:
        begin = turns.index(part)
        return Training(lines, opening, turns[begin], begin, len(turns))
    ply = whole_number(part, 0, len(turns) - 1)
    return None if ply is None else Training(lines, opening, turns[ply], ply, ply + 1)
