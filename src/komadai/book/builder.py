"""Books made from records and from other books."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ..errors import BookError, NotationError
from ..i18n import _
from ..record.tree import Record, Score
from ..spec.board import Side
from ..spec.variant import Variant
from ..typed import typed
from ..variants import own_options, variant_of
from . import files
from .lookup import Book, same_game
from .openings import Opening, packed

PLIES = 40
"""The plies of a game that are taken in where nothing else is said."""
MOST_PLIES = 10_000
_MOST_GAMES = (1 << 32) - 1
_MOST_ROWS = 5_000_000  # moves of positions, some 370 bytes each while they are counted

_GAMES = 0  # of the numbers that are counted, which are those of a Row


class Builder:
    """Counts the moves of games, position by position; the same moves in another order lead to the same position.

    Example:
        >>> import komadai
        >>> builder = komadai.book.Builder("shogi", plies=2)
        >>> from komadai.record import read
        >>> for record in read("startpos moves 7g7f 3c3d 8h2b+\\nstartpos moves 2g2f"):
        ...     builder.add(record)
        >>> builder.games, builder.moves
        (2, 3)
    """

    def __init__(self, variant: str | Variant, *, plies: int = PLIES, **options: str) -> None:
        """Begin an empty book.

        Args:
            variant: a variant or its name, with rule ``options`` if it is a name.
            plies: how many plies of each game count, 1 to 10 000.

        Raises:
            NotationError: unknown variant or option, or plies out of range.
        """
        if not 1 <= plies <= MOST_PLIES:
            words = _("{plies} plies are out of range; expected 1 to {most}", plies=plies, most=MOST_PLIES)
            raise NotationError(_("book"), [words])
        self.variant = variant_of(variant, options)
        self.plies = plies
        self.games = 0
        self._counts: dict[int, dict[str, list[int]]] = {}
        self._moves = 0

    @property
    def moves(self) -> int:
        """How many moves of positions have been counted."""
        return self._moves

    @typed
    def add(self, record: Record) -> None:
        """Count the main line of a record. A move counts once a game, however often the position came back.

        Raises:
            BookError: the record is of another game or other rules, or the book would be too large.
        """
        self._require(record.variant)
        winner = "" if record.result is None else record.result.winner
        seen = set[tuple[int, str]]()
        line = record.main[1 : self.plies + 1]
        position = record.position(0)
        for number in line:
            node = record.nodes[number]
            key = files.key_of(position)
            if (key, node.move) not in seen:
                seen.add((key, node.move))
                self._count(key, node.move, _played(position.turn, winner, node.score))
            position.push(node.move)
        self.games += 1

    @typed
    def merge(self, book: Book) -> None:
        """Count what a book holds; of each game it knows as many plies as it was built with.

        Raises:
            BookError: the book is of another game or other rules, or damaged, or this one would be too large.
        """
        self._require(book.variant)
        names = book.file.names
        for row in book.file:
            self._count(row.key, names[row.name], row[2:])
        self.games += book.games

    def _require(self, variant: Variant) -> None:
        if not same_game(variant, self.variant):
            words = _(
                "games of {found} cannot go into a book of {game} (or of other rules)",
                found=variant.id,
                game=self.variant.id,
            )
            raise BookError(words)

    def _count(self, key: int, move: str, numbers: tuple[int, ...]) -> None:
        counts = self._counts.setdefault(key, {}).get(move)
        if counts is None:
            if self._moves >= _MOST_ROWS:
                most = f"{_MOST_ROWS:,}"
                raise BookError(
                    _("the book would have more than {most} moves; take fewer plies of each game", most=most)
                )
            self._moves += 1
            counts = self._counts[key][move] = [0] * 6
        if counts[_GAMES] + numbers[_GAMES] > _MOST_GAMES:
            raise BookError(_("a move would have more than {most} games", most=f"{_MOST_GAMES:,}"))
        for at, number in enumerate(numbers):
            counts[at] += number

    def write(
        self, path: Path | str, *, least: int = 1, openings: Sequence[Opening] | None = None, nodes: int = 0
    ) -> Book:
        """Write the book, the same bytes for the same games in whatever order, and open it.

        Args:
            path: the file; one that is there is replaced at once, when the new one is complete.
            least: in how many games a move must have been played, 1 or more.
            openings: of a book of games that the engine has played with itself: lines to learn.
            nodes: of the searches of those games.

        Raises:
            BookError: nothing is left to write, or the file cannot be written.
        """
        kept = list(self._kept(least))
        if not kept:
            words = _("no move was played in {least} games or more; there is nothing to write", least=least)
            raise BookError(words)
        names = sorted({move for _key, move, _counts in kept})
        number = {name: at for at, name in enumerate(names)}
        about = {
            "variant": self.variant.id,
            "version": self.variant.version,
            "options": dict(own_options(self.variant)),
            "rules": self.variant.play_hash,
            "games": self.games,
            "plies": self.plies,
            "least": least,
            **({} if openings is None else {"openings": packed(openings, nodes)}),
        }
        rows = (files.Row(key, number[move], *counts) for key, move, counts in kept)
        try:
            files.write(Path(path), about, names, rows)
        except OSError as error:
            raise BookError(_("{path} cannot be written: {why}", path=path, why=error.strerror)) from None
        return Book(Path(path), self.variant)

    def _kept(self, least: int) -> Iterator[tuple[int, str, list[int]]]:
        """The moves that are written, in the order of the file: by key, then the most played first."""
        for key in sorted(self._counts):
            moves = [(move, counts) for move, counts in self._counts[key].items() if counts[_GAMES] >= least]
            moves.sort(key=lambda one: (-one[1][_GAMES], one[0]))
            yield from ((key, move, counts) for move, counts in moves[: files.MOST_MOVES])


def _played(mover: Side, winner: str | None, score: Score | None) -> tuple[int, ...]:
    """The numbers that one game adds to a move; ``winner`` is empty where the result is not known."""
    points = int(winner == mover), int(winner is None), int(winner not in (mover, None, ""))
    if score is None:
        return 1, *points, 0, 0
    value = score.value
    if value is None:
        value = files.MOST_SCORE if (score.mate or 0) > 0 else -files.MOST_SCORE
    return 1, *points, 1, max(-files.MOST_SCORE, min(files.MOST_SCORE, value))
