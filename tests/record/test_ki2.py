"""KI2: moves as in books, written and read again; what npm's tsshogi writes; the forms of the format's own page."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from helpers.records import ended, moves
from komadai import NotationError, Record, record
from komadai.record import Result

LOST, WON = ("resign", "time", "forfeit", "illegal"), ("illegal", "declaration")


@settings(max_examples=15, deadline=None)
@given(ended([*((True, reason) for reason in LOST), *((False, reason) for reason in WON)]))
def test_what_is_written_reads_the_same(made: Record) -> None:
    kept = tuple(replace(node, seconds=None) for node in made.nodes)
    made = replace(made, nodes=kept, headers=(("Black", "先"), ("備考", "a：b")))
    text = record.write([made], "ki2")
    assert record.read(text, form="ki2") == [made]
    assert len(made.nodes) == 1 or record.detect(text) == "ki2"


# Written by tsshogi 1.11 (exportKI2).
THEIRS = """手合割：平手
先手：A
*start
▲７六歩     △３四歩     ▲２二角成    △同　銀
*one
▲５五角     △３三角
▲同　角成    △同　銀
まで8手で時間切れにより後手の勝ち

変化：3手
▲６六歩     △８四歩

変化：2手
△８四歩
"""


def test_what_tsshogi_writes_is_read() -> None:
    [made] = record.read(THEIRS)
    assert moves(made) == [
        "7g7f", "3c3d", "8h2b+", "3a2b", "B*5e", "B*3c", "5e3c+", "2b3c"
    ]  # fmt: skip
    assert [(node.move, node.after) for node in made.nodes[9:]] == [("6g6f", 2), ("8c8d", 9), ("8c8d", 1)]
    assert (made.nodes[0].comment, made.nodes[4].comment) == ("start", "one")
    assert made.result == Result("w", "time")


@pytest.mark.parametrize(
    ("move", "string"),
    [
        ("▲５八金右", "4i5h"), ("☗58金左", "6i5h"), ("▲５８金（４９）", "4i5h"), ("▲７六歩不成", "7g7f"),
        ("▲５八金", None), ("▲５八金直", None), ("▲同　金", None),
    ],
)  # fmt: skip
def test_the_words_that_tell_pieces_apart(move: str, string: str | None) -> None:
    if string is None:
        with pytest.raises(NotationError, match="line 2"):
            record.read(f"先手：A\n{move}", form="ki2")
    else:
        assert record.read(f"先手：A\n{move}")[0].nodes[1].move == string


@pytest.mark.parametrize(
    ("said", "result"),
    [
        ("先手の勝ち", Result("b", "resign")),
        ("後手の反則勝ち", Result("w", "illegal")),
        ("後手の反則負け", Result("b", "illegal")),
        ("後手の入玉勝ち", Result("w", "declaration")),
        ("時間切れにより先手の勝ち", Result("b", "time")),
        ("持将棋", Result(None, "agreement")),
        ("中断", None),
        ("接続切れ", None),
    ],
)
def test_the_last_line(said: str, result: Result | None) -> None:
    [made] = record.read(f"▲７六歩\nまで1手で{said}\n")
    assert made.result == result
    assert f"まで1手で{said}" in record.write([made], "ki2")
    assert dict(made.headers) == ({"End": said} if said == "接続切れ" else {})


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("▲７六歩 △３四歩 ▲６六歩 △投了\nまで3手で先手の勝ち", Result("b", "resign")),
        ("▲７六歩 △３四歩 △投了\nまで2手で後手の勝ち", Result("w", "resign")),
        ("▲７六歩\n△持将棋\nまで1手で持将棋", Result(None, "agreement")),
        ("▲７六歩\n△中断", None),
    ],
)
def test_an_end_among_the_moves(text: str, result: Result | None) -> None:
    [made] = record.read(text)
    assert ([node.comment for node in made.nodes], made.result) == ([""] * len(made.nodes), result)


def test_a_page_of_kif_and_one_of_ki2_are_told_apart() -> None:
    game = Record.begin("shogi").add(0, "7g7f")[0]
    assert [record.detect(record.write([game], form)) for form in ("kif", "ki2")] == ["kif", "ki2"]
    assert record.detect("手合割：平手\n") == "kif"
    with pytest.raises(NotationError, match="KI2: can hold shogi only"):
        record.write([Record.begin("nana")], "ki2")
