"""The opening books of a server: what studies show of them."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from ....book import Book
from ....errors import BookError, NotationError
from ....game.position import Position
from ....i18n import _
from ....spec.board import Side
from ....spec.variant import Variant
from ..presenter import encode
from ..schema.answers import BookMove, BookMoves
from .responses import ProblemError

log = logging.getLogger(__name__)

_MOST_SHOWN = 40
"""Moves of a position that are sent; the others are counted."""


@lru_cache(maxsize=32)
def _opened(path: Path, variant: Variant) -> Book:
    return Book(path, variant)


class Bookshelf:
    """The books of a server, at most one a game. Of one that was pickled, each is opened when it is asked."""

    def __init__(self, books: Iterable[Book] = ()) -> None:
        """Sort books by their game.

        Raises:
            NotationError: two are of the same game.
        """
        self._books: dict[str, Book | Path] = {}
        for book in books:
            for rules in book.variant.play_hashes:
                other = self._books.setdefault(rules, book)
            if isinstance(other, Book) and other is not book:
                words = f"is of {book.variant.id}, as is {other.path}; merge them with: komadai book merge"
                raise NotationError(str(book.path), [words])

    def __getstate__(self) -> dict[str, object]:
        paths = {rules: book.path if isinstance(book, Book) else book for rules, book in self._books.items()}
        return {"_books": paths}

    def has(self, variant: Variant) -> bool:
        """True if there is a book of the game."""
        return bool(self._books) and variant.play_hash in self._books

    def _of(self, variant: Variant) -> Book | None:
        """The book of a game, if there is one.

        Raises:
            BookError: it cannot be opened.
        """
        book = self._books.get(variant.play_hash) if self._books else None
        return _opened(book, variant) if isinstance(book, Path) else book

    def moves(self, position: Position) -> BookMoves:
        """The moves of a position.

        Raises:
            ProblemError: there is no book of the game, or it cannot be read.
        """
        try:
            book = self._of(position.variant)
            moves = None if book is None else book.moves(position)
        except BookError as error:
            log.error("%s", error)  # which names the file, and is no business of the client's
            raise ProblemError(503, _("The opening book cannot be read.")) from None
        if moves is None:
            raise ProblemError(404, _("There is no opening book of this game here."))
        side = position.turn
        shown = [
            BookMove(
                encode.played_move(position.variant, side, move.move, encode.texts(position, move.move)),
                move.games,
                _won("b", side, move.wins, move.losses),
                _won("w", side, move.wins, move.losses),
                move.draws,
                move.score,
            )
            for move in moves[:_MOST_SHOWN]
        ]
        return BookMoves(shown, len(moves) - len(shown))


def _won(side: Side, mover: Side, wins: int, losses: int) -> int:
    return wins if side == mover else losses
