"""Files of games to learn from: what is written is read again, and what is unsound is refused in a sentence."""

from __future__ import annotations

import contextlib
import json
import struct
import zlib
from array import array
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import komadai
from komadai.errors import LearnError
from komadai.lab.learn.data import MAGIC, Ledger, Played, Reader, packed, replayed, unpacked
from komadai.spec.variant import Variant

NANA = komadai.variant("nana")
SETTINGS = {"seed": 1, "nodes": 20}


def made(number: int, plies: int = 3) -> Played:
    position = komadai.Position(NANA)
    moves = []
    for _ in range(plies):
        moves.append(min(map(str, position.legal_moves())))
        position.push(moves[-1])
    scores = array("h", [17 * (number - ply) for ply in range(plies)])
    quiet = bytes((number + ply) % 2 for ply in range(plies))
    return Played(number, komadai.Position(NANA).sfen(ply=True), tuple(moves), scores, quiet, "b", "score")


def write(path: Path, games: int = 3, variant: Variant = NANA, **settings: Any) -> bytes:
    with closing(Ledger(path, variant, {**SETTINGS, **settings})) as ledger:
        for number in range(ledger.games, games):
            ledger.add(made(number))
    return path.read_bytes()


def read(path: Path) -> list[Played]:
    return list(Reader(path, NANA))


@given(
    st.integers(0, 2**32 - 1),
    st.lists(st.tuples(st.text("abz9*+=", min_size=1), st.integers(-32767, 32767), st.booleans()), max_size=40),
    st.sampled_from(["b", "w", None]),
    st.sampled_from(["rules", "score", "length"]),
)
def test_a_game_comes_back_as_it_was(number: int, plies: list[tuple[str, int, bool]], winner: Any, end: Any) -> None:
    texts, scores, quiet = zip(*plies, strict=True) if plies else ((), (), ())
    game = Played(number, "歩 b -", tuple(texts), array("h", scores), bytes(quiet), winner, end)
    assert unpacked(packed(game)) == game


@given(st.binary(max_size=60))
def test_bytes_that_are_no_game_are_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"game|codec"):
        unpacked(data)


def test_what_is_written_is_read_and_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "games"
    write(path, 2)
    whole = write(path, 5)
    assert whole == write(tmp_path / "at once", 5)
    assert read(path) == [made(number) for number in range(5)]
    with closing(Ledger(path, NANA, SETTINGS)) as ledger:
        assert (ledger.games, ledger.plies, ledger.quiet) == (5, 15, 7)
    assert Reader(path, NANA).about | {"rules": "", "version": ""} == {
        "format": 1,
        "variant": "nana",
        "version": "",
        "options": {},
        "rules": "",
        **SETTINGS,
    }


def test_a_file_cut_off_anywhere_is_refused_and_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "games"
    whole = write(path, 2)
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with closing(Ledger(path, NANA, SETTINGS)) as ledger:
            known = ledger.games
        path.write_bytes(whole[:size])
        games = list[Played]()
        with contextlib.suppress(LearnError):  # unless it ends between two games
            games = read(path)
        assert len(games) in (0, known)
        assert write(path, 2) == whole
    path.write_bytes(whole[:-1])
    with pytest.raises(LearnError, match=r"games is cut off in game 1; go on with it first"):
        read(path)


def test_a_file_damaged_anywhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games"
    whole = write(path)
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x40]) + whole[at + 1 :])
        with pytest.raises(LearnError, match=r"is cut off in game|is damaged|holds no games|has format"):
            read(path)


def test_foreign_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "games"
    with pytest.raises(LearnError, match=r"games cannot be read: No such file"):
        read(path)
    path.write_text("shogi;0.5;7g7f=12", encoding="utf-8")
    for use in (read, write):
        with pytest.raises(LearnError, match=r"holds no games of `komadai learn`"):
            use(path)
    path.unlink()
    write(path, 0, komadai.variant("nana", drop_faces="front"))
    with pytest.raises(LearnError, match=r"games holds games of \"nana\" under the rules [0-9a-f]{12}; those of nana"):
        read(path)
    text = json.dumps({"format": 2, "rules": ""}).encode()
    path.write_bytes(struct.pack("<8sII", MAGIC, len(text), zlib.crc32(text)) + text)
    with pytest.raises(LearnError, match=r"has format 2; this version of Komadai reads format 1"):
        read(path)


def test_other_settings_are_named(tmp_path: Path) -> None:
    path = tmp_path / "games"
    write(path)
    with pytest.raises(LearnError, match=r"holds games of other settings: seed was 1, now 2; nodes was 20, now 30"):
        write(path, seed=2, nodes=30)


def test_a_file_is_written_by_one_process(tmp_path: Path) -> None:
    path = tmp_path / "games"
    with closing(Ledger(path, NANA, SETTINGS)), pytest.raises(LearnError, match="in use by another process"):
        Ledger(path, NANA, SETTINGS)


def test_moves_that_are_not_legal_are_named() -> None:
    game = Played(4, komadai.Position(NANA).sfen(), ("K*1a", "K*1a"), array("h", [0, 0]), bytes(2), None, "length")
    with pytest.raises(LearnError, match=r"some.games is damaged in game 4: .*1a"):
        replayed(game, NANA, Path("some.games"))
