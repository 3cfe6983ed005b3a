"""The engine's own opening book, as every protocol offers it: off until the program switches it on and names a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .. import book
from ..book import Book, BookMove
from ..errors import NotationError
from ..spec.variant import Variant

OWN_BOOK, BOOK_FILE, BEST_MOVE = "own_book", "book_file", "best_book_move"
SWITCHES = (OWN_BOOK, BEST_MOVE)
"""The options that are on or off."""
OPTIONS = (*SWITCHES, BOOK_FILE)
NO_FILE = "<empty>"
"""How the protocols write that no file is named."""

_STATES: Mapping[str, bool] = {"true": True, "false": False, "1": True, "0": False}  # XBoard and its adapters: numbers


def switched(called: str, value: str) -> bool:
    """The state that a value of an option switches to.

    Raises:
        NotationError: it is none.
    """
    state = _STATES.get(value.casefold())
    if state is None:
        raise NotationError(f"option {called}", [f"cannot be {value[:40]!r}; choose from true, false"])
    return state


class OwnBook:
    """The settings of the book.

    Attributes:
        best: whether the move of the greatest weight is played, not one by chance.
        book: the book of the file that was named last, for whatever game.
    """

    def __init__(self) -> None:
        self.best = False
        self.book: Book | None = None
        self._switched_on = False
        self._doubted: Book | None = None  # the one of another game, about which the user knows

    def set(self, option: str, value: str, called: str) -> None:
        """Set one of :data:`OPTIONS`; ``called`` is the protocol's name for it.

        Raises:
            NotationError: the value is neither on nor off.
            BookError: the file is no book; there is none then.
        """
        if option == BOOK_FILE:
            self.book = None
            if value not in ("", NO_FILE):
                self.book = book.open(value)
        elif option == BEST_MOVE:
            self.best = switched(called, value)
        else:
            self._switched_on = switched(called, value)

    def of(self, variant: Variant) -> Book | None:
        """The book, if it is of this game."""
        return self.book if self.book is not None and book.same_game(self.book.variant, variant) else None

    def in_use(self, variant: Variant, remark: Callable[[str], None]) -> Book | None:
        """The book to play this game from, if there is one; says once that there is another."""
        if not self._switched_on:
            return None
        found = self.of(variant)
        if found is None and self.book is not None and self.book is not self._doubted:
            self._doubted = self.book
            remark(f"{self.book.path} is no book of {variant.id} (or of other rules); playing without it")
        return found


def words(move: BookMove) -> str:
    """The figures of a move in a book: ``4 games, 38% of the points, score -0.10``."""
    said = [f"{move.games} game{'s' * (move.games != 1)}"]
    if move.points is not None:
        said.append(f"{100 * move.points:.0f}% of the points")
    if move.score is not None:
        said.append(f"score {move.score / 100:+.2f}")
    return ", ".join(said)
