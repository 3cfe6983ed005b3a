"""Certificates: strategies that prove the value of a solved game's start, found in its table and written to a file.

:mod:`komadai.solve.check` checks them by the rules alone; docs/solved/format.md describes the file.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from .. import _core
from ..errors import TableError
from ..game.position import Position
from ..storage import write_whole
from .shape import images, shape_of
from .table import Progress, Table, Value, silent

MAGIC = b"KMDPROOF"
FORMAT = 2
MOST = 1 << 22  # entries: beyond that, neither finding nor checking them in Python makes sense
_LINES = 4096  # of a block
_REPORTED = 1 << 10  # entries between two reports
# The costs of an answer beside the positions it adds: a strategy that wins where it can, and keeps its own pieces in
# hand, is small.
_DRAWN, _PIECE = 256, 64


@dataclass(frozen=True, slots=True)
class Entry:
    """A position and the move that its side to move answers it with.

    Attributes:
        position: the position string.
        plies: the most plies to the end, where the side wins; ``None`` where it holds a draw.
        move: the move string.
    """

    position: str
    plies: int | None
    move: str

    def line(self) -> str:
        """The entry as a line of the file."""
        return f"{self.position}\t{'' if self.plies is None else self.plies}\t{self.move}"


class _Finder:
    """Finds a small set of positions that is closed under a move of the side to move and every reply."""

    def __init__(self, table: Table) -> None:
        self._table, self._index, self._width = table, table._index, table._width
        self._block = cache(table._decompress)  # all are kept: what is asked for lies all over the table
        self._known: set[int] = set()
        self._waiting: deque[int] = deque()

    def _number(self, native: _core.Position) -> int:
        """The number that a table stores for the position, or would store if it is an end of the game."""
        winner = native.winner_on_board()
        if winner >= 0:
            return 2 if winner == native.side_to_move() else 1
        block, at = divmod(self._index.find(native) * self._width, self._table._block)
        number = int.from_bytes(self._block(block)[at : at + self._width], "little")
        return 2 if number == self._table._absent else number

    def _fresh(self, native: _core.Position, most: int) -> list[int]:
        """The positions after the replies that are not in the set, up to ``most`` of them."""
        found: list[int] = []
        for reply in native.legal_moves().texts():
            native.push(reply)
            if native.winner_on_board() < 0:
                slot = self._index.find(native)
                if slot not in self._known and slot not in found:
                    found.append(slot)
            native.pop()
            if len(found) >= most:
                break
        return found

    def _answer(self, native: _core.Position, promised: int) -> tuple[str, list[int]]:
        """The move that keeps what is promised and costs least, and the positions that it adds."""
        best, answer, added, own = 1 << 30, "", list[int](), 1 << native.side_to_move()
        for move in native.legal_moves().texts():
            native.push(move)
            number = self._number(native)
            if number == promised - 1 if promised else number % 2 or not number:
                price = _PIECE * sum(piece & 3 == own for piece in native.board()) + (0 if number else _DRAWN)
                fresh = self._fresh(native, max(1, best - price))
                cost = price + len(fresh) if fresh else 0
                if cost < best:
                    best, answer, added = cost, move, fresh
            native.pop()
            if not best:
                break
        if not answer:
            raise TableError(f"{self._table.path} is wrong: it promises what no move keeps")
        return answer, added

    def _enter(self, slots: list[int]) -> None:
        self._known.update(slots)
        self._waiting += slots

    def find(self, progress: Progress) -> Iterator[Entry]:
        """The entries, from the start of the game on."""
        start = Position(self._table.variant)._native
        number = self._number(start)
        if not number % 2:  # the side to move wins, or holds a draw
            self._enter([self._index.find(start)])
        if number % 2 or not number:
            self._enter(self._fresh(start, MOST))
        done = 0
        while self._waiting:
            slot = self._waiting.popleft()
            native = self._index.position(slot)
            promised = self._number(native) if number else 0
            move, added = self._answer(native, promised)
            text = Position._around(self._table._compiled, native).sfen()
            self._enter(added)
            if len(self._known) > MOST:
                why = f"a certificate of {self._table.variant.id} would take more than {MOST:,} entries"
                raise TableError(f"{why}; no smaller strategy is known")
            yield Entry(text, promised - 1 if number else None, move)
            done += 1
            if done % _REPORTED == 0 or not self._waiting:
                progress("strategy", done, len(self._known))


def strategy(table: Table, progress: Progress = silent) -> tuple[Entry, ...]:
    """A strategy that proves the value of the start, in the order of its position strings.

    Raises:
        TableError: the table is damaged or wrong, or has no value for the start, or the strategy is too large.
    """
    _value(table)
    return tuple(sorted(_Finder(table).find(progress), key=lambda entry: entry.position))


def _value(table: Table) -> Value:
    value = table.probe(Position(table.variant))
    if value is None:
        raise TableError(f"{table.path} has no value for the start of {table.variant.id}")
    return value


def describe(table: Table) -> dict[str, Any]:
    """The part of a certificate's description that does not depend on the entries."""
    value = _value(table)
    variant = table.variant
    return {
        "format": FORMAT,
        "variant": variant.id,
        "version": variant.version,
        "options": table.about["options"],
        "rules": variant.play_hash,
        "start": variant.start,
        "outcome": value.outcome,
        "plies": value.distance,
        "images": [asdict(one) for one in images(variant, shape_of(variant))],
    }


def packed(about: dict[str, Any], found: Sequence[Entry]) -> Iterator[bytes]:
    """The bytes of a certificate, in pieces: the head with the hashes, then the blocks."""
    blocks = [
        zlib.compress("\n".join(map(Entry.line, found[first : first + _LINES])).encode(), 9)
        for first in range(0, len(found), _LINES)
    ]
    hashes = [(len(block), hashlib.sha256(block).hexdigest()) for block in blocks]
    text = json.dumps(about | {"entries": len(found), "blocks": hashes}, sort_keys=True).encode()
    head = struct.pack("<I", len(text)) + text
    yield MAGIC + hashlib.sha256(head).digest() + head
    yield from blocks


def write(table: Table, path: Path, progress: Progress = silent) -> tuple[Entry, ...]:
    """Find a strategy that proves the value of the start, and write it to a file.

    Raises:
        TableError: the table is damaged or wrong, or has no value for the start, or the strategy is too large.
        OSError: the file cannot be written.
    """
    found = strategy(table, progress)
    write_whole(path, *packed(describe(table), found))
    return found
