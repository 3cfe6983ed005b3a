"""The openings of the package, of games that have some."""

from __future__ import annotations

import komadai
from komadai.app import openings
from komadai.book import Book
from komadai.book.openings import Opening


def book_of(game: str) -> Book:
    book = openings.packaged(komadai.variant(game))
    assert book is not None, f"{game} has no openings"
    return book


def lines_of(game: str) -> tuple[Opening, ...]:
    return openings.lines_of(book_of(game)).openings
