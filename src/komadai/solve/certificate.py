"""Certificates: strategies that prove the value of a solved game's start, found in its table and written to a file.

:mod:`komadai.solve.check` checks them by the rules alone; docs/solved/format.md describes the file.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .. import _core
from ..errors import TableError
from ..game.position import Position
from ..spec.board import SIDES, Side, other
from ..storage import write_whole
from .table import Progress, Table, Value, silent

MAGIC = b"KMDPROOF"
FORMAT = 1
MOST = 1 << 19  # entries of a strategy: beyond that, neither finding nor checking it in Python makes sense
_LINES = 512  # of a block
_NO_LIMIT = 1 << 16
_REPORTED = 1 << 10  # entries between two reports


@dataclass(frozen=True, slots=True)
class Entry:
    """A position with the opponent to move, and an answer to each of his moves.

    Attributes:
        position: the position string.
        plies: the most plies to the end, where the side wins; ``None`` where it holds a draw.
        answers: move strings in the order of the replies' move strings; ``-`` after a reply that ends the game.
    """

    position: str
    plies: int | None
    answers: tuple[str, ...]

    def line(self) -> str:
        """The entry as a line of the file."""
        return f"{self.position}\t{'' if self.plies is None else self.plies}\t{' '.join(self.answers)}"


@dataclass(frozen=True, slots=True)
class Strategy:
    """The answers of a side to every move of the other, by which it gets what the table promises.

    Attributes:
        side: whose answers these are.
        first: its first move, if it begins.
        entries: in the order of their position strings.
    """

    side: Side
    first: str | None
    entries: tuple[Entry, ...]


class _Finder:
    """Finds a small set of positions that is closed under the opponent's moves and the side's answers."""

    def __init__(self, table: Table, side: Side, *, win: bool) -> None:
        self._table, self._side, self._win = table, side, win
        self._index, self._width = table._index, table._width
        self._block = cache(table._decompress)  # all are kept: what is asked for lies all over the table
        self._limits: dict[int, int] = {}  # by key: the number that the table stores

    def _number(self, native: _core.Position) -> int:
        """The number that a table stores for the position, or would store if it is an end of the game."""
        winner = native.winner_on_board()
        if winner >= 0:
            return 2 if winner == native.side_to_move() else 1
        block, at = divmod(self._index.find(native) * self._width, self._table._block)
        number = int.from_bytes(self._block(block)[at : at + self._width], "little")
        return 2 if number == self._table._absent else number

    def _answer(self, native: _core.Position, limit: int) -> tuple[str, int]:
        """The side's move, and the number of the position after it: one of the set, or else the soonest lost."""
        found: list[tuple[int, str, int]] = []
        for move in native.legal_moves().texts():
            native.push(move)
            key = native.key()
            number = self._limits.get(key)
            known = number is not None
            number = self._number(native) if number is None else number
            native.pop()
            if (number % 2 == 1 and number < limit) or (number == 0 and not self._win):
                if known:
                    return move, number
                found.append((number or _NO_LIMIT, move, number))
        if not found:
            raise TableError(f"{self._table.path} is wrong: it promises what no move keeps")
        _, move, number = min(found)
        return move, number

    def find(self, progress: Progress) -> Strategy:
        """The strategy from the start of the game."""
        native = Position(self._table.variant)._native
        first, waiting, entries, known = None, deque[_core.Position](), list[Entry](), self._limits

        def enter(number: int) -> None:
            if native.winner_on_board() < 0 and native.key() not in known:
                known[native.key()] = number
                waiting.append(native.copy())

        if SIDES[native.side_to_move()] == self._side:
            first, number = self._answer(native, _NO_LIMIT)
            native.push(first)
            enter(number)
        else:
            enter(self._number(native))
        while waiting:
            native = waiting.popleft()
            limit = known[native.key()] if self._win else _NO_LIMIT
            answers = []
            for reply in sorted(native.legal_moves().texts()):
                native.push(reply)
                answer = "-"
                if native.winner_on_board() < 0:
                    answer, number = self._answer(native, limit)
                    native.push(answer)
                    enter(number)
                    native.pop()
                native.pop()
                answers.append(answer)
            text = Position._around(self._table._compiled, native).sfen()
            if len(known) > MOST:
                why = f"a certificate of {self._table.variant.id} would take more than {MOST:,} entries"
                raise TableError(f"{why} for one side; no smaller strategy is known")
            entries.append(Entry(text, limit - 1 if self._win else None, tuple(answers)))
            if len(entries) % _REPORTED == 0 or not waiting:
                progress(f"strategy of {self._side}", len(entries), len(entries) + len(waiting))
        return Strategy(self._side, first, tuple(sorted(entries, key=lambda entry: entry.position)))


def strategies(table: Table, progress: Progress = silent) -> tuple[Strategy, ...]:
    """The strategies that prove the value of the start: the winner's, or in a draw those of both sides.

    Raises:
        TableError: the table is damaged or wrong, or has no value for the start, or a strategy is too large.
    """
    start = Position(table.variant)
    value = _value(table)
    winner = start.turn if value.outcome == "win" else other(start.turn)
    sides = SIDES if value.distance is None else (winner,)
    return tuple(_Finder(table, side, win=value.distance is not None).find(progress) for side in sides)


def _value(table: Table) -> Value:
    value = table.probe(Position(table.variant))
    if value is None:
        raise TableError(f"{table.path} has no value for the start of {table.variant.id}")
    return value


def describe(table: Table) -> dict[str, Any]:
    """The part of a certificate's description that does not depend on the strategies."""
    value = _value(table)
    return {
        "format": FORMAT,
        "variant": table.variant.id,
        "version": table.variant.version,
        "options": table.about["options"],
        "rules": table.variant.play_hash,
        "start": table.variant.start,
        "outcome": value.outcome,
        "plies": value.distance,
    }


def packed(about: dict[str, Any], found: Iterable[Strategy]) -> Iterator[bytes]:
    """The bytes of a certificate, in pieces: the head with the hashes, then the blocks."""
    blocks, described = [], []
    for strategy in found:
        some = [
            zlib.compress("\n".join(map(Entry.line, strategy.entries[first : first + _LINES])).encode(), 9)
            for first in range(0, len(strategy.entries), _LINES)
        ]
        blocks += some
        hashes = [(len(block), hashlib.sha256(block).hexdigest()) for block in some]
        described.append(
            {"side": strategy.side, "first": strategy.first, "entries": len(strategy.entries), "blocks": hashes}
        )
    text = json.dumps(about | {"strategies": described}, sort_keys=True).encode()
    head = struct.pack("<I", len(text)) + text
    yield MAGIC + hashlib.sha256(head).digest() + head
    yield from blocks


def write(table: Table, path: Path, progress: Progress = silent) -> tuple[Strategy, ...]:
    """Find the strategies that prove the value of the start, and write them to a file.

    Raises:
        TableError: the table is damaged or wrong, or has no value for the start, or a strategy is too large.
        OSError: the file cannot be written.
    """
    found = strategies(table, progress)
    write_whole(path, *packed(describe(table), found))
    return found
