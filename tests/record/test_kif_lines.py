"""Every line of a KIF file is read, kept or refused: moves in all their forms, ends, totals, comments, many games.

The forms are those of the format's own page (http://kakinoki.o.oo7.jp/kif_format.html) and of
files that programs write.
"""

from __future__ import annotations

from typing import Any

import pytest

from helpers import records
from helpers.records import moves, refusal
from komadai import Record, record
from komadai.record import Result

HEADING = "手数----指手---------消費時間--\n"


def read(text: str) -> Record:
    [made] = record.read(text, form="kif")
    return made


@pytest.mark.parametrize(
    "text",
    [
        "先手：a\n▲７六歩　△３四歩　▲２二角成　△同　銀\nまで4手で後手の勝ち",
        "７六歩\n３四歩\n２二角成\n同　銀\n",
        "▲７六歩(77)△３四歩(33)▲２二角成(88)△同　銀(31)",
        "1 ▲７六歩(77)\n2 △３四歩(33)\n3 ☗２二角成(88)\n4 ☖同銀(31)\n",
        "1 ▼７六歩(77)\n2 ▽３四歩(33)\n3 22角成(88)\n4. 22銀(31)\n",
        "　　1 ７六歩(77)   ( 0:7/)\n   2 ３四歩(33)   ( 0:1/)\n 3 ２二角成(88)+\n 4 同　銀(31)   ( 0:1/) ( 0:1/)\n",
    ],
)
def test_moves_in_all_their_forms(text: str) -> None:
    assert moves(read(text)) == ["7g7f", "3c3d", "8h2b+", "3a2b"]
    assert record.detect(text) in ("kif", "ki2") or text.startswith("７六歩")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 ７六歩(77)\n2 ３四歩(33", "line 2: cannot read '2 ３四歩(33'; expected a move such as ７六歩(77)"),
        ("▲７六歩 ３四歩！", "line 1: cannot read '▲７六歩 ３四歩！'"),
        ("1 △７六歩(77)", "line 1, 1 △７六歩(77): it is Black that is to move"),
        ("1 ７六歩(77)\n3 ２六歩(27)", "line 2: move 3 cannot follow here; expected move 2"),
        ("1 ７六歩(77) (1:2:3:4)", "line 1: '1:2:3:4': is not a time; expected minutes and seconds, as in (0:16)"),
        ("1 ７六歩(77)\n2 投了\n3 ２六歩(27)", "line 3: there are moves behind the end of the game"),
        ("1 ７六歩(77)\n変化：9手\n", "line 2: the line before it has no move 9"),
        ("1 ７六歩(77)\nまで4手で先手の勝ち", "line 2: says 4 moves; there are 1 before it"),
        ("1 ７六歩(77)\n2 投了\nまで1手で後手の勝ち", "line 3: 'まで1手で後手の勝ち' does not fit the line before it"),
        ("先手の持駒：飛\n1 ７六歩(77)", "hands: needs a board diagram; there is none"),
        ("手合割：平手\n後手番\n", "手合割 平手: the other side begins"),
        (
            "手合割：三枚落ち\n1 ９三香(91)\n2 １八香(19)\n3 １三香(11)",
            "手合割: 三枚落ち is read as rook, bishop and the lance on",
        ),
        ("手合割：安南将棋\n", "手合割 安南将棋: is another game than standard shogi"),
        ("手合割：安南\n", "手合割 安南: is another game than standard shogi"),
        ("手合割：どうぶつしょうぎ\n", "手合割 どうぶつしょうぎ: is another game than standard shogi"),
        ("１" * 100_001, "line 1: has 100,001 characters; expected 100000 at most"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(text: str, words: str) -> None:
    assert words in refusal(text, "kif")


def test_lines_that_mean_nothing_are_kept_as_comments() -> None:
    made = read(
        "手合割：平手\nあいさつ\nResult：x\n棋戦：A\n棋戦：B\n&start\n" + HEADING + "1 ７六歩(77)\n７六歩と突く。\n"
        "&here\n備考：later\n2 ３四歩(33)\nまで読んだ\n3 投了 ( 0:05/00:00:05)\n終わり\n4 中断\n"
    )
    assert moves(made) == ["7g7f", "3c3d"]
    assert made.nodes[0].comment == "あいさつ\nResult：x\n棋戦：B\n&start"
    assert made.nodes[1].comment == "７六歩と突く。\n&here"
    assert made.nodes[2].comment == "まで読んだ\n終わり\n中断"
    assert dict(made.headers) == {"Event": "A", "備考": "later", "End seconds": "5"}
    assert made.result == Result("b", "resign") or made.result == Result("w", "resign")
    assert read(record.write([made], "kif")) == made


def test_bookmarks_rulers_and_headings_are_no_comments() -> None:
    made = read("#KIF\n# x\n盤面回転\n" + HEADING + "*a\n1 ７六歩(77)\n# y\n*b\n\n*c\n")
    assert (made.nodes[0].comment, made.nodes[1].comment) == ("a", "b\nc")


@pytest.mark.parametrize("word", ["接続切れ", "最大手数", "Time-up", "封じ手", "不詰"])
def test_words_that_leave_the_game_open_are_kept(word: str) -> None:
    made = read(f"1 ７六歩(77)\n   2 {word}  ( 0:12/00:00:12)\nまで1手で{word}\n")
    assert (moves(made), made.result, made.nodes[1].comment) == (["7g7f"], None, "")
    assert dict(made.headers) == {"End": word, "End seconds": "12"}
    text = record.write([made], "kif")
    assert f"   2 {word}" in text
    assert "( 0:12/00:00:12)" in text
    assert f"まで1手で{word}" in text
    assert read(text) == made


def test_an_end_of_a_variation_is_a_comment() -> None:
    made = read("1 ７六歩(77)\n2 投了\n変化：1手\n1 ２六歩(27)\n2 詰み\nまで1手で詰み\n")
    assert (made.nodes[2].comment, made.result) == ("詰み\nまで1手で詰み", Result("b", "resign"))


def test_the_end_of_the_game_is_a_comment_where_a_variation_begins_beside_it() -> None:
    text = "1 ７六歩(77)\n2 投了\nまで1手で先手の勝ち\n変化：2手\n2 ３四歩(33)\n3 ２六歩(27)\n"
    made = read(text)
    assert [node.move for node in made.nodes[1:]] == ["7g7f", "3c3d", "2g2f"]
    assert (made.nodes[1].comment, made.nodes[3].comment) == ("投了", "")
    assert made.result == Result("b", "resign")
    assert (
        read(text.replace("変化：2手\n2 ３四歩(33)\n3 ２六歩(27)\n", "変化：1手\n1 ２六歩(27)\n")).nodes[1].comment
        == ""
    )


def test_an_open_end_before_a_move_was_but_a_remark() -> None:
    made = read("1 ７六歩(77)\n2 封じ手\n2 ３四歩(33)\n3 投了\n")
    assert (moves(made), made.nodes[1].comment, made.result) == (["7g7f", "3c3d"], "封じ手", Result("w", "resign"))


def test_a_number_that_goes_back_begins_a_variation() -> None:
    made = read("1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n2 ８四歩(83)\n3 ２六歩(27)\n")
    assert [(node.move, node.after) for node in made.nodes[1:]] == [
        ("7g7f", 0), ("3c3d", 1), ("2g2f", 2), ("8c8d", 1), ("2g2f", 4)
    ]  # fmt: skip


def test_numbers_may_begin_anywhere_and_so_do_totals() -> None:
    for total in (2, 32):
        assert moves(read(f"31 ７六歩(77)\n32 ３四歩(33)\n33 中断\nまで{total}手で中断\n")) == ["7g7f", "3c3d"]
    # A program of a newspaper counts the line for the resignation.
    assert read("1 ７六歩(77)\n2 投了\n3 中断\nまで2手で中断\n").result == Result("b", "resign")


def test_several_games_in_a_file() -> None:
    first = "手合割：平手\n先手：A\n1 ７六歩(77)\n2 投了\n\n"
    text = first + "表題：two\n先手：B\n手合割：香落ち\n1 ３四歩(33)\n変化：1手\n1 ８四歩(83)\n"
    games = record.read(text)
    assert [made.header("Black") for made in games] == ["A", "B"]
    assert [len(made.nodes) for made in games] == [2, 3]
    assert games[1].header("表題") == "two"
    again = record.write(games, "kif")
    assert record.read(again) == games
    assert len(record.read(HEADING + "1 ７六歩(77)\n" + HEADING + "1 ２六歩(27)\n")) == 2


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("左七枚落ち", "2sgkg3"),
        ("右七枚落ち", "3gkgs2"),
        ("三枚落ち", "lnsgkgsn1"),
        ("平手　　", "lnsgkgsnl"),
        ("トンボ", "4k4"),
    ],
)
def test_handicaps(name: str, first: str) -> None:
    # As the preset positions of Kifu-for-JS have them.
    assert read(f"手合割：{name}\n").position(0).sfen().startswith(first + "/")


def test_starts_that_lishogi_names_are_read_and_drawn() -> None:
    for name, rest in (("歩三兵", "w 3p"), ("裸玉", "w -")):
        made = read(f"手合割：{name}\n上手：A\n1 ４二玉(51)\n")
        assert made.position(0).sfen() == f"4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL {rest}"
        text = record.write([made], "kif")
        assert "手合割" not in text
        assert read(text) == made


def test_indented_lines_and_joined_files() -> None:
    made = read("  手合割：平手\n  # passed over\n  *a\n    1 ７六歩(77)\n\t*b\n　&c\n")
    assert [node.comment for node in made.nodes] == ["a", "b\n&c"]
    one = "\ufeff#KIF version=2.0\n手合割：平手\n1 ７六歩(77)\n"
    assert [len(made.nodes) for made in record.read((one + one).encode())] == [2, 2]


def test_headers_that_would_be_read_as_something_else_are_comments() -> None:
    headers: Any = (("Black", "A"), ("変化", "1手"), ("手番", "後手"), ("End", "no end"))
    made = Record(Record.begin("shogi").variant, headers=headers)
    again = read(record.write([made], "kif"))
    assert dict(again.headers) == {"Black": "A", "End": "no end"}
    assert again.nodes[0].comment == "変化：1手\n手番：後手"


# --- Lines as newspapers and other programs write them ---------------------------------------------------------------


_HEAD = "先手：甲\n後手：乙\n手数----指手---------消費時間--\n"


def moves_of(text: str) -> list[str]:
    return records.moves(record.read(text)[0])


_FORMS = [
    "七六歩(77)",
    "７六歩(77)",
    "76歩",
    "７６歩（７７）",
    "七六歩",
    "７六歩（七七）",
    "▲七六歩",
    "▲　７六　歩(77)",
]


@pytest.mark.parametrize("move", [*_FORMS, "7g7f", "P-7f", "P7g-7f"])
def test_a_move_in_any_digits_or_notation(move: str) -> None:
    for head in (_HEAD, "先手：甲\n"):
        assert moves_of(f"{head}   1 {move}\n   2 三四歩(33)\n   3 投了\n") == ["7g7f", "3c3d"]


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
    assert moves_of(_HEAD + "".join(f"{number} {line}\n" for number, line in enumerate(lines, 1))) == played
    marks = "".join("▲△"[number % 2] + line.partition("(")[0] + " " for number, line in enumerate(lines))
    assert moves_of(marks) == played
    assert record.detect(marks) == "ki2"
    assert moves_of("▲七六歩 △三四歩 ▲二二角不成 △二二同銀\n") == ["7g7f", "3c3d", "8h2b", "3a2b"]


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
