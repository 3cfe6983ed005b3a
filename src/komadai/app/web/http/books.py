"""The opening books of a server and of the package: what studies show of them."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from ....book import Book
from ....book import BookMove as FoundMove
from ....errors import BookError, NotationError
from ....game.game import Game
from ....game.position import Position
from ....i18n import _
from ....spec.board import Side
from ....spec.move import Move
from ....spec.variant import Variant
from ...openings import lines_of, loss_words, name_of, packaged
from ..presenter import encode
from ..schema.answers import BookLeft, BookMove, BookMoves, WrongMove
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
        return variant.play_hash in self._books or packaged(variant) is not None

    def _of(self, variant: Variant) -> Book | None:
        """The book of a game, if there is one: that of the server, or of the package.

        Raises:
            BookError: it cannot be opened.
        """
        book = self._books.get(variant.play_hash) or packaged(variant)
        return _opened(book, variant) if isinstance(book, Path) else book

    def moves(self, game: Game) -> BookMoves:
        """What the book has of the position of a game, and of the way there.

        Raises:
            ProblemError: there is no book of the game, or it cannot be read.
        """
        try:
            book = self._of(game.variant)
            found = None if book is None else _moves(book, game)
        except BookError as error:
            log.error("%s", error)  # which names the file, and is no business of the client's
            raise ProblemError(503, _("The opening book cannot be read.")) from None
        if found is None:
            raise ProblemError(404, _("There is no opening book of this game here."))
        return found


def _moves(book: Book, game: Game) -> BookMoves:
    """What a book has of the position of a game, and of the way there."""
    position, moves = game.position, book.moves(game.position)
    line = [*_positions(game, book.plies)]
    left = next((ply for ply, (at, move) in enumerate(line) if move not in _played(book, at)), None)
    there = [] if left is None else book.moves(line[left][0])
    lines = None if book.openings is None else lines_of(book)
    return BookMoves(
        moves=[_move(position, one) for one in moves[:_MOST_SHOWN]],
        others=max(len(moves) - _MOST_SHOWN, 0),
        all=book.games,
        engine=lines is not None,
        opening=name_of([*(at for at, _move in line), position]),
        left=None if left is None else BookLeft(left, _move(line[left][0], there[0]) if there else None),
        wrong=[
            WrongMove(loss_words(loss), encode.played_moves(position.copy(), punished))
            for loss, punished in (() if lines is None else lines.wrong(position))
        ],
    )


def _positions(game: Game, plies: int) -> Iterator[tuple[Position, Move]]:
    """The positions of a game and the moves made there, from its start, one ply more than a book has."""
    at = game.start.copy()
    for move in game.moves[: plies + 1]:
        yield at.copy(), move
        at.push(move)


def _played(book: Book, at: Position) -> set[Move]:
    return {one.move for one in book.moves(at)}


def _move(at: Position, found: FoundMove) -> BookMove:
    side = at.turn
    return BookMove(
        encode.played_move(at.variant, side, found.move, encode.texts(at, found.move)),
        found.games,
        _won("b", side, found.wins, found.losses),
        _won("w", side, found.wins, found.losses),
        found.draws,
        found.score,
    )


def _won(side: Side, mover: Side, wins: int, losses: int) -> int:
    return wins if side == mover else losses
