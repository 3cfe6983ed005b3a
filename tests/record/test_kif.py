"""KIF: written and read again, read by another program's parser, and files as real programs write them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import cshogi
import pytest
from cshogi import KIF
from hypothesis import given, settings
from hypothesis import strategies as st

import komadai
from helpers.records import ended, moves, refusal
from komadai import NotationError, Position, Record, record
from komadai.record import Node, Result

SHOGI = komadai.variant("shogi")
DRAWN = "3+R4l/1k4+B2/9/p1p6/4+s4/2P+n2+l+p1/9/1G7/4K4 w RB3G2S2N2L11P3p 40"
ENDS = [(True, "resign"), (True, "time"), (True, "forfeit"), (False, "illegal"), (False, "declaration"), (None, "cap")]


def kept(node: Node) -> Node:
    """The fields of a node that KIF keeps."""
    return replace(node, score=None, seconds=None if node.seconds is None else round(node.seconds))


@st.composite
def records(draw: st.DrawFn) -> Record:
    made = draw(ended(ENDS))
    headers = (("Black", "先"), ("White", "B"), ("Event", "竜王戦"), ("備考", "a：b"))
    nodes = tuple(map(kept, made.nodes))
    return replace(made, nodes=nodes, headers=headers)


@settings(max_examples=25)
@given(records())
def test_what_is_written_reads_the_same_and_cshogi_reads_it_too(made: Record) -> None:
    text = record.write([made], "kif")
    assert record.detect(text) == "kif"
    assert record.read(text) == [made]
    theirs = KIF.Parser.parse_str(text)
    assert [cshogi.move_to_usi(move) for move in theirs.moves] == moves(made)
    assert theirs.names == ["先", "B"]
    if made.result is not None and made.result.reason in ("resign", "time"):
        assert theirs.win == {"b": cshogi.BLACK_WIN, "w": cshogi.WHITE_WIN}[str(made.result.winner)]


def test_handicaps_and_drawn_boards() -> None:
    cshogi_lacks = ("左七枚落ち", "右七枚落ち")
    for name in ("平手", *(one.kanji for one in SHOGI.handicaps if one.kanji not in cshogi_lacks)):
        text = f"手合割：{name}\n上手：A\n下手：B\n"
        [made] = record.read(text)
        assert f"手合割：{name}\n" in record.write([made], "kif")
        assert KIF.Parser.parse_str(text).sfen.split()[:3] == made.position(0).sfen().split()
        assert dict(made.headers) == {"White": "A", "Black": "B"}
    start = Position("shogi", DRAWN)
    made = Record.begin("shogi", DRAWN)
    text = record.write([made], "kif")
    assert KIF.board_to_bod(cshogi.Board(sfen=start.sfen(ply=True))).splitlines()[2:12] == text.splitlines()[3:13]
    assert record.read(text) == [made]
    first = str(min(start.legal_moves(), key=str))
    assert "手番" not in record.write([made.add(0, first)[0]], "kif").partition("手数-")[2]


def test_what_cshogi_writes_is_read(tmp_path: Path) -> None:
    path, board = tmp_path / "x.kif", cshogi.Board()
    exporter = KIF.Exporter(str(path))
    exporter.header(["先手", "後手"])
    played = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e", "2b3c", "5e3c+", "2a3c"]
    for second, text in enumerate(played):
        exporter.move(board.push_usi(text), second, second)
    exporter.end("resign")
    exporter.close()
    [made] = record.read(path.read_bytes())
    assert [(node.move, node.seconds) for node in made.nodes[1:]] == [(text, n) for n, text in enumerate(played)]
    assert made.result == Result("w", "resign")


QUIRKS = """# ---- some program ----
開始日時：2020/01/02 10:00
先手:半角
後手：　B
持ち時間：各10分
備考 (x)：y
手合割：平手
*before the first
手数----指手---------消費時間--
 1 7六歩(77) (00:01 / 00:00:01)
   2   ３四歩(33)   ( 1:02.5/00:01:02)+
&しおり
   3 ２二角成(88)   (1:00:00/01:00:01)
*one

   4 同　銀
   5 55角
   6 ３三銀(22)
   7 同角成(55)
   8 同　桂(21)
   9 １六歩
  10 反則勝ち
まで9手で後手の反則勝ち

変化：2手
   2 ８四歩(83)
   3 ９六歩(97)
変化：3手
   3 １六歩(17)
変化：1手
   1 ２六歩(27)
   2 投了
"""


@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp932", "utf-16"])
def test_quirks_of_real_programs_are_read(encoding: str) -> None:
    [made] = record.read(QUIRKS.replace("平手\n", "平手　　\n").replace("\n", "\r\n").encode(encoding))
    assert dict(made.headers) == {
        "Date": "2020/01/02 10:00", "Black": "半角", "White": "B", "持ち時間": "各10分", "備考 x": "y"
    }  # fmt: skip
    assert [(node.move, node.after) for node in made.nodes[1:]] == [
        ("7g7f", 0), ("3c3d", 1), ("8h2b+", 2), ("3a2b", 3), ("B*5e", 4), ("2b3c", 5), ("5e3c+", 6), ("2a3c", 7),
        ("1g1f", 8), ("8c8d", 1), ("9g9f", 10), ("1g1f", 10), ("2g2f", 0),
    ]  # fmt: skip
    assert [node.seconds for node in made.nodes[1:4]] == [1, 62.5, 3600]
    assert (made.nodes[0].comment, made.nodes[3].comment) == ("before the first", "one")
    assert made.result == Result("w", "illegal")


@pytest.mark.parametrize(
    ("moves", "result", "comment"),
    [
        ("   1 投了", Result("w", "resign"), ""),
        ("   1 中断\n   2 投了", None, "投了"),
        ("   1 詰み", Result("w", "adjudication"), ""),
        ("   1 千日手", Result(None, "adjudication"), ""),
        ("   1 ５五歩(57)\n*why\n   2 反則負け", Result("w", "illegal"), "1 ５五歩(57)\nwhy"),
        ("まで0手で後手の勝ち", Result("w", "resign"), ""),
        ("まで0手で先手の勝ち", Result("b", "adjudication"), ""),
        ("まで0手で下手の反則負け", Result("w", "illegal"), ""),
        ("まで、0手で時間切れにより後手の勝ち", Result("w", "time"), ""),
        ("まで0手で中断", None, ""),
    ],
)
def test_ends(moves: str, result: Result | None, comment: str) -> None:
    [made] = record.read(f"先手：A\n{moves}\n")
    assert made.result == result
    assert made.nodes[0].comment == comment


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("手合割：七枚落ち", "手合割 七枚落ち: needs a board diagram; the starts known by name are 平手、香落ち"),
        ("#KIF\n", "there is neither a header nor a move in it"),
        ("先手：A\n|v香v桂|一\n", "the board has 1 rank; expected 9; rank 一 of the board has 2 squares; expected 9"),
        ("先手の持駒：飛三十　X\n" + "| ・ ・ ・ ・ 玉 ・ ・ ・ ・|\n" * 9, "飛三十 cannot be held; 先手の持駒: X"),
        (
            "   1 ７六歩(77)\n   2 ３四歩(34)\n   3 ２六歩(27)\n変化：9手\n   9 ３四歩(33)\n変化：1手\n"
            "   1 同　歩(77)\n変化：1手\n   1 ７六金\n変化：1手\n   1 ７七角成(88)\n変化：1手\n   1 27\n",
            "line 2, 2 ３四歩(34): 歩 does not stand on 3d, which is empty; line 4: the line before it has no move 9; "
            "line 7, 1 同　歩(77): 同: there is no move before it; "
            "line 9, 1 ７六金: 7六金 is not legal: none of Black's 2 pieces 金 can go to 7f like that; "
            "line 11, 1 ７七角成(88): 8h7g+ is not legal: ",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_reported_with_its_line(text: str, words: str) -> None:
    assert words in refusal(text, "kif")


def test_other_games_have_no_kif() -> None:
    made: list[Any] = [Record.begin("nana")]
    with pytest.raises(NotationError, match="write nana as text or json"):
        record.write(made, "kif")
