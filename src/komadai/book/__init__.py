"""Opening books: the moves played in positions, with their results, from records of games (docs/reference/books.md).

Example:
    >>> import komadai, tempfile
    >>> builder = komadai.book.Builder("nana")
    >>> builder.add(komadai.Record.begin("nana").add(0, "K*1a")[0])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     book = builder.write(f"{folder}/nana.book")
    ...     [found] = book.moves(komadai.Position("nana"))
    >>> found.move, found.games
    (Move('K*1a'), 1)
"""

from __future__ import annotations

from pathlib import Path

from ..spec.variant import Variant
from ..variants import build
from .builder import MOST_PLIES, PLIES, Builder
from .lookup import Book, BookMove, same_game

__all__ = ["MOST_PLIES", "PLIES", "Book", "BookMove", "Builder", "open", "same_game"]


def open(path: Path | str, variant: str | Variant | None = None, **options: str) -> Book:
    """Open a book file. Only its description is read; positions are read as they are looked up.

    Args:
        path: the file.
        variant: the game it must be of, or its name with rule ``options``; by default what the file says.

    Raises:
        NotationError: unknown variant or option.
        BookError: it cannot be read, is no book, is damaged, or is of another game or other rules.
    """
    made = build(variant, **options) if isinstance(variant, str) else variant
    return Book(Path(path), made)
