"""Files of games that the engine played against itself: their format. docs/reference/learning-data.md describes it.

They need neither NumPy nor anything else that is not in the standard library, so that every worker can make them.
"""

from __future__ import annotations

import json
import os
import struct
import sys
import zlib
from array import array
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal, get_args

from ...errors import KomadaiError, LearnError
from ...game.position import Position
from ...i18n import _
from ...json_text import fits, parsed
from ...spec.board import Side
from ...spec.variant import Variant
from ...storage import lock
from ...variants import own_options

MAGIC = b"KMDAGAME"
FORMAT = 1
MOST_PLIES = 0xFFFF
MOST_SCORE = 0x7FFF

End = Literal["rules", "score", "length"]
"""How a game ended: by the rules, by scores that were beyond doubt, or after as many plies as were allowed."""

_ENDS: tuple[End, ...] = get_args(End)
_WINNERS: tuple[Side | None, ...] = ("w", None, "b")  # by Black's half points
_HEAD = struct.Struct("<8sII")  # magic, length and CRC-32 of the description
_FRAME = struct.Struct("<II")  # length and CRC-32 of a game
_GAME = struct.Struct("<IBBHHI")  # number, half points, end, plies, bytes of the start, bytes of the moves
_MOST_DESCRIPTION = 1 << 16
_MOST_GAME = 1 << 24


@dataclass(frozen=True, slots=True)
class Played:
    """A game of the engine with itself.

    Attributes:
        number: of the game, on which its opening depends. ``start``: the position string that it began from.
        moves: the move strings.
        scores: for each move the score of the search before it, for the side to move, in hundredths of the least
            piece; from -32767 to 32767.
        quiet: for each move 1 if the position before it is quiet, else 0.
        winner: ``None`` after a draw. ``end``: how it ended.
    """

    number: int
    start: str
    moves: tuple[str, ...]
    scores: array[int]
    quiet: bytes
    winner: Side | None
    end: End

    def position(self, variant: Variant) -> Position:
        """The position after all moves.

        Raises:
            KomadaiError: the start is no position of the variant, or a move is not legal.
        """
        position = Position(variant, self.start)
        for move in self.moves:
            position.push(move)
        return position


@contextmanager
def read(path: Path) -> Iterator[None]:
    """Say in words why a file cannot be read, or used.

    Raises:
        LearnError: an operation of the system fails.
    """
    try:
        yield
    except BlockingIOError:
        raise LearnError(_("{path} is in use by another process", path=path)) from None
    except OSError as error:
        raise LearnError(_("{path} cannot be read: {why}", path=path, why=error.strerror)) from None


@contextmanager
def written(path: Path) -> Iterator[None]:
    """Say in words why a file cannot be written.

    Raises:
        LearnError: an operation of the system fails.
    """
    try:
        yield
    except OSError as error:
        raise LearnError(_("{path} cannot be written: {why}", path=path, why=error.strerror)) from None


def packed(game: Played) -> bytes:
    """A game as the file has it."""
    start, moves = game.start.encode(), " ".join(game.moves).encode()
    head = (game.number, _WINNERS.index(game.winner), _ENDS.index(game.end), len(game.moves), len(start), len(moves))
    bits = sum(1 << at for at, quiet in enumerate(game.quiet) if quiet)
    return b"".join(
        (_GAME.pack(*head), start, moves, _little(game.scores), bits.to_bytes((len(game.quiet) + 7) // 8, "little"))
    )


def unpacked(data: bytes) -> Played:
    """The game of :func:`packed`.

    Raises:
        ValueError: it is none.
    """
    if len(data) < _GAME.size:
        raise ValueError("a game is cut off")
    number, half_points, end, plies, start, moves = _GAME.unpack_from(data)
    at = [_GAME.size]
    for length in (start, moves, 2 * plies, (plies + 7) // 8):
        at.append(at[-1] + length)
    if at[-1] != len(data):
        raise ValueError("the lengths in a game do not agree")
    if half_points >= len(_WINNERS) or end >= len(_ENDS):
        raise ValueError("a game has no such result")
    texts = tuple(data[at[1] : at[2]].decode().split(" ")) if moves else ()
    bits = int.from_bytes(data[at[3] : at[4]], "little")
    if len(texts) != plies or bits >> plies:
        raise ValueError("the moves of a game do not agree with its plies")
    quiet = bytes(bits >> ply & 1 for ply in range(plies))
    scores = _little_array(data[at[2] : at[3]])
    return Played(number, data[at[0] : at[1]].decode(), texts, scores, quiet, _WINNERS[half_points], _ENDS[end])


def _little(numbers: array[int]) -> bytes:
    if sys.byteorder == "big":
        numbers = array("h", numbers)
        numbers.byteswap()
    return numbers.tobytes()


def _little_array(data: bytes) -> array[int]:
    numbers = array("h", data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def description(variant: Variant, settings: dict[str, Any]) -> dict[str, Any]:
    """The description of a file: its game, and the settings of those who played."""
    return {
        "format": FORMAT,
        "variant": variant.id,
        "version": variant.version,
        "options": dict(own_options(variant)),
        "rules": variant.play_hash,
        **settings,
    }


class Reader:
    """A file of games, which are read one by one.

    Attributes:
        path: where it is. ``about``: its description.
    """

    def __init__(self, path: Path, variant: Variant) -> None:
        """Read the description.

        Raises:
            LearnError: the file cannot be read, holds no games, is damaged, or is of other rules or another format.
        """
        self.path = path
        with read(path), path.open("rb") as file:
            self.about, self.size = _read_description(file, path)
        _check(self.about, path, variant)

    def __iter__(self) -> Iterator[Played]:
        """The games in their order.

        Raises:
            LearnError: the file is cut off or damaged.
        """
        with read(self.path), self.path.open("rb") as file:
            file.seek(self.size)
            yield from (game for game, _ in _games(file, self.path))


class Ledger:
    """A file that games are added to, in the order of their numbers, from 0 without a gap.

    It is all that there is to know of how far playing has come. An incomplete last game, left by an interruption, is
    dropped, and comes again.

    Attributes:
        path: where it is. ``games``: how many there are. ``quiet``: the quiet positions in them. ``plies``: all.
    """

    def __init__(self, path: Path, variant: Variant, settings: dict[str, Any]) -> None:
        """Go on with the file, if it exists, or create it.

        Raises:
            LearnError: it cannot be used, is damaged, or holds games of other settings; each is named.
        """
        self.path = path
        self.games = self.quiet = self.plies = 0
        with read(path), ExitStack() as opened:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: BinaryIO = opened.enter_context(path.open("a+b"))
            lock(self._file)
            self._load(description(variant, settings), variant)
            opened.pop_all()

    def _load(self, about: dict[str, Any], variant: Variant) -> None:
        text = json.dumps(about, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
        head = _HEAD.pack(MAGIC, len(text), zlib.crc32(text)) + text
        self._file.seek(0)
        if head.startswith(self._file.read(len(head))):  # it is new, or was cut off within these bytes
            self._file.seek(0)
            if self._file.read(len(head)) != head:
                self._file.truncate(0)
                self._file.write(head)
                self._file.flush()
            whole = len(head)
        else:
            self._file.seek(0)
            theirs, whole = _read_description(self._file, self.path)
            _check(theirs, self.path, variant)
            accepted = {"version": variant.versions, "rules": variant.play_hashes}
            differing = [
                _("{name} was {theirs}, now {ours}", name=name, theirs=_short(theirs.get(name)), ours=_short(value))
                for name, value in about.items()
                if theirs.get(name) not in accepted.get(name, (value,))
            ]
            if differing:
                words = _("{path} holds games of other settings", path=self.path)
                raise LearnError(f"{words}: {'; '.join(differing)}")
        try:
            for game, end in _games(self._file, self.path):
                self._count(game)
                whole = end
        except _CutOffError:
            pass
        self._file.truncate(whole)

    def _count(self, game: Played) -> None:
        if game.number != self.games:
            raise LearnError(_("{path} is damaged; make it again", path=self.path))
        self.games += 1
        self.quiet += sum(game.quiet)
        self.plies += len(game.moves)

    def add(self, game: Played) -> None:
        """Keep the next game.

        Raises:
            LearnError: the file cannot be written.
        """
        body = packed(game)
        with read(self.path):
            self._file.write(_FRAME.pack(len(body), zlib.crc32(body)) + body)
            self._file.flush()
        self._count(game)

    def close(self) -> None:
        """Close the file; what it holds is on the disk then."""
        os.fsync(self._file.fileno())
        self._file.close()


class _CutOffError(LearnError):
    """A file that ends within a game."""


def _read_description(file: BinaryIO, path: Path) -> tuple[dict[str, Any], int]:
    head = file.read(_HEAD.size)
    if len(head) < _HEAD.size or not head.startswith(MAGIC):
        raise LearnError(_("{path} holds no games of `komadai learn`", path=path))
    _magic, length, checksum = _HEAD.unpack(head)
    text = file.read(min(length, _MOST_DESCRIPTION))
    if len(text) != length or zlib.crc32(text) != checksum:
        raise LearnError(_("{path} is damaged; make it again", path=path))
    try:
        about = parsed(text)
        form = about["format"]
        if not fits(about, {"rules": str}):
            raise ValueError
    except (ValueError, KeyError, TypeError):
        raise LearnError(_("{path} is damaged; make it again", path=path)) from None
    if form != FORMAT:
        words = _("{path} has format {found}; this version of Komadai reads format {known}", **_forms(path, form))
        raise LearnError(words)
    return about, _HEAD.size + length


def _forms(path: Path, form: object) -> dict[str, object]:
    return {"path": path, "found": repr(form)[:20], "known": FORMAT}


def _check(about: dict[str, Any], path: Path, variant: Variant) -> None:
    if about["rules"] not in variant.play_hashes:
        words = _(
            "{path} holds games of {found} under the rules {theirs}; those of {game} are {ours}",
            path=path,
            found=_short(about.get("variant")),
            theirs=str(about["rules"])[:12],
            game=variant.id,
            ours=variant.play_hash[:12],
        )
        raise LearnError(words)


def _games(file: BinaryIO, path: Path) -> Iterator[tuple[Played, int]]:
    """The games from where the file stands, each with the place behind it.

    Raises:
        LearnError: the file is cut off or damaged.
    """
    number = 0
    while frame := file.read(_FRAME.size):
        length, checksum = _FRAME.unpack(frame) if len(frame) == _FRAME.size else (0, 0)
        if length > _MOST_GAME:
            raise LearnError(_("{path} is damaged in game {number}; make it again", path=path, number=number))
        body = file.read(length)
        if len(frame) < _FRAME.size or len(body) < length:
            raise _CutOffError(_("{path} is cut off in game {number}; go on with it first", path=path, number=number))
        try:
            if zlib.crc32(body) != checksum:
                raise ValueError
            game = unpacked(body)
        except ValueError:
            raise LearnError(_("{path} is damaged in game {number}; make it again", path=path, number=number)) from None
        yield game, file.tell()
        number += 1


def replayed(game: Played, variant: Variant, path: Path) -> Position:
    """The position after all moves of a game from a file.

    Raises:
        LearnError: they are no legal moves.
    """
    try:
        return game.position(variant)
    except KomadaiError as error:
        words = _("{path} is damaged in game {number}: {why}", path=path, number=game.number, why=str(error)[:200])
        raise LearnError(words) from None


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."


def total(paths: Sequence[Path], variant: Variant) -> Iterator[tuple[Path, Played]]:
    """The games of several files, in their order, each with its file.

    Raises:
        LearnError: as :class:`Reader`.
    """
    for reader in [Reader(path, variant) for path in paths]:
        for game in reader:
            yield reader.path, game
