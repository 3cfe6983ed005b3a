"""Lines of KIF and KI2 as newspapers and other programs write them; what cannot be read is never passed over."""

from __future__ import annotations

import pytest

from helpers import records
from helpers.records import refusal
from komadai import record
from komadai.record import Result

_HEAD = "先手：甲\n後手：乙\n手数----指手---------消費時間--\n"


def moves(text: str) -> list[str]:
    return records.moves(record.read(text)[0])


_KIF = ["七六歩(77)", "７六歩(77)", "76歩", "７６歩（７７）", "七六歩", "７六歩（七七）", "▲七六歩", "▲　７六　歩(77)"]


@pytest.mark.parametrize("move", [*_KIF, "7g7f", "P-7f", "P7g-7f"])
def test_a_move_in_any_digits_or_notation(move: str) -> None:
    for head in (_HEAD, "先手：甲\n"):
        assert moves(f"{head}   1 {move}\n   2 三四歩(33)\n   3 投了\n") == ["7g7f", "3c3d"]


def test_kanji_in_every_place_of_a_move() -> None:
    lines = [
        "七六歩(77)",
        "三四歩(33)",
        "二二角成り(88)",
        "同　銀(31)",
        "五五角打ち",
        "１二角打",
        "二二角成(五五)",
        "同飛",
    ]
    played = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e", "B*1b", "5e2b+", "8b2b"]
    assert moves(_HEAD + "".join(f"{number} {line}\n" for number, line in enumerate(lines, 1))) == played
    marks = "".join("▲△"[number % 2] + line.partition("(")[0] + " " for number, line in enumerate(lines))
    assert moves(marks) == played
    assert record.detect(marks) == "ki2"
    assert moves("▲七六歩 △三四歩 ▲二二角不成 △二二同銀\n") == ["7g7f", "3c3d", "8h2b", "3a2b"]


def test_ends_of_lines_and_encodings() -> None:
    text = f"{_HEAD}   1 七六歩(77)\n   2 三四歩(33)\n   3 投了\n"
    for ending in ("\n", "\r\n", "\r"):
        for encoding in ("utf-8", "utf-8-sig", "cp932", "euc_jp", "utf-16"):
            data = text.replace("\n", ending).encode(encoding)
            assert record.detect(data) == "kif"
            [made] = record.read(data)
            assert (len(made.nodes), made.result) == (3, Result("w", "resign"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{_HEAD}   1 xx\n   2 yy\n", "line 4: cannot read '1 xx'"),
        (f"{_HEAD}   1 +7776FU\n", "line 4, 1 +7776FU: "),
        (f"{_HEAD}   1 7g7e\n", "line 4, 1 7g7e: 7g7e is not legal"),
        (f"{_HEAD}   1 ７六歩(77)\n   2 P-9f\n", "line 5, 2 P-9f: "),
        (f"{_HEAD}   1 歩七六\n", "line 4: cannot read '1 歩七六'"),
        (f"{_HEAD}   1 あああ\n   2 いいい\n", "line 4: cannot read '1 あああ'"),
        (f"{_HEAD}一 七六歩(77)\n二 三四歩(33)\n", "line 4: cannot read '一 七六歩(77)'"),
        ("先手：甲\n10 xx\n11 yy\n", "line 2: cannot read '10 xx'"),
        ("先手：甲\n 1 あああ\n 2 ３四歩(33)\n", "line 2: cannot read '1 あああ'"),
        ("先手：甲\n▲P-7f △P-3d\n", "line 2: cannot read '▲P-7f △P-3d'"),
        ("先手：甲\n▲七六歩 △三四歩 ▲８八同角\n", "同: the move before it did not end on 8h"),
    ],
)
def test_a_line_meant_as_a_move_is_never_passed_over(text: str, words: str) -> None:
    assert words in refusal(text, "kif")


def test_prose_before_the_moves_is_a_comment() -> None:
    [made] = record.read("先手：甲\n▲甲 対 △乙\n2020 年の対局\n   1 七六歩(77)\n")
    assert (made.nodes[0].comment, len(made.nodes)) == ("▲甲 対 △乙\n2020 年の対局", 2)
