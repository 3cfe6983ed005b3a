"""Book files: bytes that are no book, are damaged, or were made to do harm."""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from helpers.books import book_of_five
from komadai import BookError, Position, book
from komadai.book import Builder, files
from komadai.book.openings import Opening, Wrong, packed, unpacked
from komadai.record import read

KEY = files.key_of(Position("shogi"))
ROW = (KEY, 0, 3, 1, 1, 1, 2, -40)


def read_all(path: Path) -> None:
    """Whatever a reader does with a book."""
    opened = book.open(path)
    for _row in opened.file:
        pass
    opened.moves(Position("shogi"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return book_of_five(tmp_path / "five.book").path


def test_every_cut_is_noticed(path: Path) -> None:
    whole = path.read_bytes()
    for length in range(0, len(whole), 2):
        path.write_bytes(whole[:length])
        with pytest.raises(BookError):
            read_all(path)
    path.write_bytes(whole + b"\0")
    with pytest.raises(BookError, match="is damaged or cut off; build it again"):
        read_all(path)


def test_every_flipped_bit_is_noticed_or_harmless(path: Path) -> None:
    """A bit between the end of the compressed data and the end of its byte says nothing."""
    whole, rows, harmless = path.read_bytes(), list(book.open(path).file), 0
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
        try:
            assert list(book.open(path).file) == rows
            harmless += 1
        except BookError:
            pass
    assert harmless <= 1


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(BookError, match="there is no such file"):
        book.open(tmp_path / "none.book")
    with pytest.raises(BookError, match="there is no such file"):
        book.open(tmp_path)
    with pytest.raises(BookError, match="there is no such file"):
        book.open("nul\0.book")
    (tmp_path / "some.book").write_bytes(b"KMDTABLE" + bytes(100))
    with pytest.raises(BookError, match="is no opening book of Komadai"):
        book.open(tmp_path / "some.book")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_nobody_has_to_write_into_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.book")
    with pytest.raises(BookError, match="there is no such file"):
        book.open(tmp_path / "pipe.book")


def test_a_file_put_in_its_place_is_noticed(path: Path) -> None:
    opened = book.open(path)
    book_of_five(path, least=2)
    with pytest.raises(BookError, match="was changed while it was in use; open it again"):
        opened.moves(Position("shogi"))


def test_a_book_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BookError, match="cannot be written"):
        book_of_five(tmp_path / "file" / "five.book")


# --- Files made by hand, with right checksums -----------------------------------------------------------------------


def made(
    path: Path,
    *blocks: bytes,
    firsts: tuple[Any, ...] = (f"{KEY:016x}",),
    lengths: tuple[Any, ...] | None = None,
    **changes: Any,
) -> Path:
    packed = [zlib.compress(block) for block in blocks]
    lengths = tuple(map(len, packed)) if lengths is None else lengths
    about = {
        "format": 1,
        "variant": "shogi",
        "version": "1",
        "options": {},
        "rules": Position("shogi").variant.play_hash,
        "games": 3,
        "plies": 40,
        "least": 1,
        "positions": 1,
        "moves": 1,
        "names": ["7g7f"],
        "blocks": list(zip(firsts, lengths, strict=False)),
    }
    text = zlib.compress(
        json.dumps({name: value for name, value in (about | changes).items() if value != "-"}).encode()
    )
    head = struct.pack("<8sII", b"KMDABOOK", len(text), zlib.crc32(text))
    path.write_bytes(b"".join([head, text, *packed]))
    return path


def row(*numbers: int) -> bytes:
    return struct.pack("<Q6Iq", *numbers)


def test_a_file_made_by_hand_is_read(tmp_path: Path) -> None:
    [move] = book.open(made(tmp_path / "hand.book", row(*ROW))).moves(Position("shogi"))
    assert (str(move.move), move.games, move.wins, move.draws, move.losses) == ("7g7f", 3, 1, 1, 1)
    assert (move.score, move.scored) == (-20, 2)


BAD: dict[str, Callable[[Path], Path]] = {
    "a description that is a list": lambda path: _described(path, b"[]"),
    "a description that is no JSON": lambda path: _described(path, b"\xff{"),
    "a description nested too deeply": lambda path: _described(path, b"[" * 100_000),
    "a description of 17 MiB": lambda path: _described(path, b" " * (17 << 20)),
    "a move string that is a number": lambda path: made(path, row(*ROW), names=[7]),
    "move strings that are no list": lambda path: made(path, row(*ROW), names=7),
    "options that are a list": lambda path: made(path, row(*ROW), options=["a"]),
    "games that are a text": lambda path: made(path, row(*ROW), games="3"),
    "games beyond all bounds": lambda path: made(path, row(*ROW), games=1 << 70),
    "games below zero": lambda path: made(path, row(*ROW), games=-1),
    "no plies": lambda path: made(path, row(*ROW), plies="-"),
    "no rules": lambda path: made(path, row(*ROW), rules="-"),
    "blocks that are a number": lambda path: made(path, row(*ROW), blocks=3),
    "a block without length": lambda path: made(path, row(*ROW), lengths=(0,)),
    "a block of true bytes": lambda path: made(path, row(*ROW), lengths=(True,)),
    "a block beyond the end": lambda path: made(path, row(*ROW), lengths=(1000,)),
    "a block larger than any": lambda path: made(path, row(*ROW), lengths=(1 << 40,)),
    "a block under another key": lambda path: made(path, row(*ROW), firsts=("0000000000000001",)),
    "a key that is no number": lambda path: made(path, row(*ROW), firsts=("x",)),
    "keys that do not rise": lambda path: made(path, row(*ROW), row(*ROW), firsts=(f"{KEY:x}", f"{KEY:x}")),
    "rows that do not rise": lambda path: made(path, row(*ROW) + row(KEY - 1, *ROW[1:])),
    "half a row": lambda path: made(path, row(*ROW)[:-4]),
    "an empty block": lambda path: made(path, b""),
    "a block that unfolds to 4 MiB": lambda path: made(path, bytes(4 << 20)),
    "a move string that there is none of": lambda path: made(path, row(KEY, 1, *ROW[2:])),
    "more results than games": lambda path: made(path, row(KEY, 0, 2, 1, 1, 1, 2, -40)),
    "more scores than games": lambda path: made(path, row(KEY, 0, 1, 0, 0, 0, 2, 0)),
    "a score beyond the greatest": lambda path: made(path, row(KEY, 0, 1, 0, 0, 0, 1, 10_001)),
    "no games": lambda path: made(path, row(KEY, 0, 0, 0, 0, 0, 0, 0)),
    "rules that are not its game's": lambda path: made(path, row(*ROW), rules="0" * 64),
    "a game that nobody knows": lambda path: made(path, row(*ROW), variant="go\ud800\n" * 40),
    "an option that nobody knows": lambda path: made(path, row(*ROW), options={"komi": "7"}),
    "a later format": lambda path: made(path, row(*ROW), format=2),
    "a format that is no number": lambda path: made(path, row(*ROW), format="x" * 1000),
}


def _described(path: Path, text: bytes) -> Path:
    packed = zlib.compress(text)
    path.write_bytes(struct.pack("<8sII", b"KMDABOOK", len(packed), zlib.crc32(packed)) + packed)
    return path


@pytest.mark.parametrize("name", BAD)
def test_a_hostile_file_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    with pytest.raises(BookError) as caught:
        read_all(BAD[name](tmp_path / "hostile.book"))
    said = str(caught.value)
    assert str(tmp_path) in said
    said.encode()
    assert len(said.replace(str(tmp_path), "").splitlines()) == 1
    assert len(said.replace(str(tmp_path), "")) < 300


def test_a_later_format_is_named(tmp_path: Path) -> None:
    with pytest.raises(BookError, match="has format 2; this version of Komadai reads format 1"):
        read_all(made(tmp_path / "later.book", row(*ROW), format=2))


def test_counts_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    opened = book.open(made(tmp_path / "full.book", row(KEY, 0, (1 << 32) - 1, 0, 0, 0, 0, 0)))
    builder = Builder("shogi")
    builder.merge(opened)
    with pytest.raises(BookError, match="a move would have more than 4,294,967,295 games"):
        builder.merge(opened)


# --- Several blocks -------------------------------------------------------------------------------------------------


def test_positions_are_found_in_many_blocks(tmp_path: Path) -> None:
    """3000 positions of two moves, the last of them of 900."""
    keys = [number * 6_148_914_691_236_517 + 3 for number in range(3000)]
    rows = [files.Row(key, name, 9 - name, 0, 0, 0, 0, 0) for key in keys for name in (0, 1)]
    rows += [files.Row(keys[-1] + 1, name, 1, 0, 0, 0, 0, 0) for name in range(900)]
    files.write(
        tmp_path / "many.book",
        {**book_of_five(tmp_path / "five.book").about, "positions": 0},
        [f"move {number}" for number in range(900)],
        rows,
    )
    file = files.BookFile(tmp_path / "many.book")
    assert len(file._firsts) > 4
    assert (file.about["positions"], file.about["moves"]) == (3001, 6900)
    assert list(file) == rows
    assert all([row.name for row in file.find(key)] == [0, 1] for key in keys)
    assert len(file.find(keys[-1] + 1)) == 900
    assert all(file.find(key) == [] for key in (0, 2, keys[7] + 1, keys[-1] + 2, (1 << 64) - 1))


def test_openings_of_a_book_are_kept_and_unsound_ones_refused(tmp_path: Path) -> None:
    line = Opening(("7g7f", "3c3d"), (Wrong(1, 250, ("9c9d", "8h2b+")), Wrong(1, "loss", ("1c1d", "8h2b+"))))
    builder = Builder("shogi", plies=2)
    builder.add(read("startpos moves 7g7f 3c3d")[0])
    made = builder.write(tmp_path / "lines.book", openings=[line], nodes=7)
    assert made.openings == (line,)
    assert book.open(made.path).openings == (line,)
    assert "openings" not in made.about
    assert builder.write(tmp_path / "plain.book").openings is None
    sound = packed([line], 7)
    assert unpacked(sound) == (line,)
    for wrong in (
        [2, 250, "9c9d 8h2b+"],
        [1, 0, "9c9d"],
        [1, "win", "9c9d"],
        [1, 250, ""],
        [1, 250],
        ["1", 250, "9c9d"],
    ):
        with pytest.raises(ValueError, match=r"no openings|no wrong move"):
            unpacked({"nodes": 7, "lines": [{"moves": "7g7f 3c3d", "wrong": [wrong]}]})
    for lines in ([{"moves": "", "wrong": []}], [*sound["lines"], *sound["lines"]], [{"moves": "7g7f"}]):
        with pytest.raises(ValueError, match=r"no openings|no wrong move"):
            unpacked({"nodes": 7, "lines": lines})
