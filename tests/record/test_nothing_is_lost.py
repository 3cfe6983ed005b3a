"""What stands in a file is in the record, or the file is refused: cases in which something was lost."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from helpers.records import refusal
from komadai import NotationError, Record, record
from komadai.record import Format, Result

_BOARD = "".join(f"|{row}|\n" for row in ["v玉" + " ・" * 8, *[" ・" * 9] * 7, " 玉" + " ・" * 8])
_ENTRY = '{"move": {"to": {"x": 7, "y": 6}, "piece": "FU"}'
_FOUL = '{"move": {"from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 5}}'


@pytest.mark.parametrize(
    ("form", "text", "words"),
    [
        ("json", '{"comment": "a", "comment": "b"}', "field 'comment' occurs twice in an object"),
        ("jkf", '{"header": {}, "header": {}, "moves": []}', "field 'header' occurs twice in an object"),
        ("text", '[Result "1-0"]\n1. P-7f 0-1', "line 2: 0-1 is the result, but the header says 1-0"),
        ("text", '[PlyCount "3"]\n1. P-7f *', "header PlyCount says '3'; there are 1 moves"),
        ("text", "1. P-7f {1.00s} {2.00s} *", "seconds differs from that of the same move"),
        ("text", "1. P-7f {+1.00/1} {+2.00/1} *", "score differs from that of the same move"),
        ("text", "1. P-7f % 1... P-3d\n*", "move '%'"),
        ("kif", "1 ７六歩(77)( 0:05/)\n変化：1手\n1 ７六歩(77)( 0:06/)\n", "line 3: seconds differs"),
        ("kif", _BOARD.replace("玉 ・", "玉 ・ ・", 1), "rank 一 of the board has 10 squares"),
        ("kif", _BOARD.replace("|\n", "|二\n", 1), "behind rank 一 of the board stands '二'"),
        ("kif", "先手の持駒：なし飛\n" + _BOARD, "な cannot be held"),
        ("kif", "先手の持駒：3飛\n" + _BOARD, "3 cannot be held"),
        ("kif", "1 ７六歩(77)\n#KIF\n*a comment on no game\n", "line 3: there is neither a header nor a move in it"),
        ("kif", "1 ７八金(9)    ( 0:00/00:00:00)\n", "line 1: cannot read"),
        ("kif", "▲３九金 △８五桂\n反則負け\nまで2手で先手の反則負け", "line 1, "),
        ("kif", "手合割：香落ち\n1 ５二金(60)\n", "line 2: cannot read '1 ５二金(60)'"),
        ("kif", "1 ７六歩(07)\n", "line 1: cannot read"),
        ("kif", "手合割：裸玉\n1 ５二玉(51)\n2 ５六歩打(57)\n", "line 3: cannot read '2 ５六歩打(57)'"),
        ("csa", "PI\n+\n+7776FU\nT999999999", "is not a time"),
        ("kif", "1 ３九金打\n2 ８五桂(1:1e4)\n3 反則負け\n", "line 2: cannot read '2 ８五桂(1:1e4)'"),
        ("jkf", f'{{"header": {{}}, "moves": [{_ENTRY}, "time": {{"now": {{"s": 1}}, "total": 5}}}}]}}', "is a number"),
        (
            "jkf",
            f'{{"header": {{}}, "moves": [{_ENTRY}, "time": {{"now": {{"m": 1{"0" * 400}}}}}}}]}}',
            "moves[0].time.now: has a part that is no number",
        ),
        (
            "jkf",
            f'{{"header": {{}}, "moves": [{_FOUL[:-1]}, "piece": "{"x" * 500}"}}}}, {{"special": "ILLEGAL_MOVE"}}]}}',
            "moves[0].move",
        ),
    ],
)
def test_what_cannot_be_kept_is_refused(form: Format, text: str, words: str) -> None:
    assert words in refusal(text, form)


@pytest.mark.parametrize(
    ("form", "text", "comments"),
    [
        ("text", '[Reason "why"]\n1. P-7f 1-0', ["Reason: why", ""]),
        ("text", '[Reason "resign"]\n1. P-7f *', ["Reason: resign", ""]),
        ("text", '[Result "won"]\n1. P-7f *', ["Result: won", ""]),
        ("text", '[Result of all "3"]\n[Option "x"]\n1. P-7f *', ["Result of all: 3\nOption: x", ""]),
        ("text", f'[{"a" * 61} "x"]\n1. P-7f *', [f"{'a' * 61}: x", ""]),
        ("text", '[A/B "x"]\n[A.B "y"]\n[A B "z"]\n1. P-7f *', ["A B: z", ""]),
        ("text", "! 1. P-7f *", ["!", ""]),
        ("text", "1. {1.00s} P-7f *", ["1.00s", ""]),
        ("text", "1. P-7f ( 1. P-2f 1-0 ) *", ["", "", "1-0"]),
        ("text", "{only a comment}\r; and another\r*", ["only a comment\n and another"]),
        ("kif", "End：A\n1 ７六歩(77)\n2 切断\n", ["End: A", ""]),
        ("kif", "手数----指手---------消費時間--　later\n1 ７六歩(77)\n", ["later", ""]),
        ("kif", "先手の持駒：飛\n先手の持駒：角\n" + _BOARD, ["先手の持駒：角"]),
        ("kif", "1 ７六歩(77)\n2 中断\nまで1手で不思議により先手の勝ち", None),
        ("ki2", "▲７六歩\n*a\nまで1手で不思議により先手の勝ち", ["", "a\nまで1手で不思議により先手の勝ち"]),
        ("csa", "'CSA encoding=of my own\nPI\n+\n+7776FU\n", ["'CSA encoding=of my own", ""]),
        ("csa", "PI\n+\n'CSA encoding=UTF-8\n+7776FU\n", ["'CSA encoding=UTF-8", ""]),
        ("csa", "$End:A\nPI\n+\n+7776FU\n%MATTA\n", ["End: A", ""]),
        ("csa", "PI\n+\n+7776FU\n'**評価記号=!\n'*a\n%CHUDAN\n'*評価値 35 b", ["", "a\n評価値 35 b"]),
        (
            "csa",
            "PI\n+\n+7776FU\n'*評価値 35 a\n+7675FU\n'**評価値=1\n%ILLEGAL_MOVE",
            ["", "評価値 35 a\n+7675FU\n*評価値=1"],
        ),
        ("csa", "PI\n+\n+7776FU\n'*評価値 35 a\n/\n'**評価記号=!", ["", "評価値 35 a"]),
        ("csa", "'*a\n/\n'*b\n/\nPI\n+\n", ["a\nb"]),
        ("kif", "(まで3手：a\n-同窓会：b\n1 ７六歩(77)\n", ["(まで3手：a\n-同窓会：b", ""]),
        ("text", '[Result "x"]\n[\ufeffVariant "y"]\n1. P-7f *', ["Result: x\n Variant: y", ""]),
        ("jkf", f'{{"header": {{"先手": "A", "下手": "B"}}, "moves": [{_ENTRY}}}]}}', ["下手：B", ""]),
        ("jkf", f'{{"header": {{"手合割": "?"}}, "moves": [{_ENTRY}}}]}}', ["手合割：?", ""]),
    ],
)
def test_what_has_no_place_is_a_comment(form: Format, text: str, comments: list[str] | None) -> None:
    if comments is None:
        with pytest.raises(NotationError, match="does not fit"):
            record.read(text, form=form)
        return
    [made] = record.read(text, form=form)
    assert [node.comment for node in made.nodes] == comments
    [again] = record.read(record.write([made], form), form=form)
    assert (again.nodes, again.headers) == (made.nodes, made.headers)


def test_a_piece_of_jkf_that_is_no_word_is_refused() -> None:
    squares: list[Any] = [[{} for _rank in range(9)] for _file in range(9)]
    squares[0][0] = {"kind": {}, "color": 0}
    data = {"preset": "OTHER", "data": {"color": 0, "board": squares, "hands": [{}, {}]}}
    with pytest.raises(NotationError, match=r"board\[0\]\[0\]: is no piece"):
        record.read(json.dumps({"header": {}, "initial": data, "moves": []}), form="jkf")


def test_the_header_for_the_result_stands_in_for_the_points() -> None:
    for text in ('[Result "1-0"]\n1. P-7f', '[Result "1-0"]\n1. P-7f *', '[Result "*"]\n1. P-7f 1-0'):
        assert record.read(text)[0].result == Result("b", "unknown")


def test_a_winner_may_stand_where_a_move_would() -> None:
    assert record.read("1 ７六歩(77)\n2 後手の勝ち", form="kif")[0].result == Result("w", "adjudication")


def test_a_word_for_the_end_that_the_result_says_is_no_header() -> None:
    text = '{"header": {"End": "MAX_MOVES", "Result": "1/2-1/2 cap"}, "moves": []}'
    for made in (record.read(text, form="jkf")[0], record.read("$End:CHUDAN\nPI\n+\n", form="csa")[0]):
        assert made.headers == ()


def test_a_word_for_a_foul_is_no_header_where_a_variation_goes_on() -> None:
    fork = '"forks": [[{"move": {"from": {"x": 5, "y": 1}, "to": {"x": 5, "y": 2}, "piece": "OU"}}]]'
    foul = f'{_FOUL[:-1]}, "piece": "OU"}}, {fork}}}, {{"special": "-ILLEGAL_ACTION"}}'
    [made] = record.read(f'{{"header": {{}}, "initial": {{"preset": "KY"}}, "moves": [{foul}]}}', form="jkf")
    assert (made.headers, made.result) == ((), Result("b", "illegal"))
    assert record.read(record.write([made], "jkf"), form="jkf") == [made]
    entries = f'{{}}, {{"special": "KACHI", "forks": [[{_ENTRY}}}]]}}'
    [made] = record.read(f'{{"header": {{"End": "TORYO"}}, "moves": [{entries}]}}', form="jkf")
    assert record.read(record.write([made], "jkf"), form="jkf") == [made]


def test_blanks_by_themselves_are_no_statement() -> None:
    assert record.read("PI\n+\n+7776FU\x0b,\x0b\n\x0b", form="csa")[0].nodes[1].move == "7g7f"


@pytest.mark.parametrize("form", ["kif", "ki2", "jkf", "csa"])
def test_scores_and_depths_of_comments_stay_in_them(form: Format) -> None:
    said: Any = {"score": record.Score(30, None, None)}
    for comment in ("*詰み=後手勝ち:0手\n*深さ=1212121212", "*深さ=0", "*評価値=30\n*深さ=3\nx", "* 30\n*評価値=4"):
        made, _number = Record.begin("shogi").add(0, "7g7f", comment=comment, **said)
        assert record.read(record.write([made], form), form=form) == [made]


def test_blanks_before_a_score_or_a_mark_do_not_hide_it() -> None:
    [made] = record.read("▲７六歩\n**評価値=5\n\x08*評価記号=?!\n*x", form="ki2")
    assert made.nodes[1] == record.Node("7g7f", 0, "x", "?!", None, record.Score(5))
    [made] = record.read("PI\n+\n+7776FU\n'**評価記号=!\n'*  *評価値=7\n", form="csa")
    assert made.nodes[1] == record.Node("7g7f", 0, "", "!", None, record.Score(7))


@pytest.mark.parametrize("form", ["jkf", "csa", "kif", "ki2"])
@pytest.mark.parametrize("word", ["no word", "a,b", "'x", "と指す。", "中+", "第２局"])
def test_headers_that_no_end_can_say_are_written_as_headers(form: Format, word: str) -> None:
    made = Record(Record.begin("shogi").variant, headers=(("End", word), ("End seconds", "many")))
    assert sorted(record.read(record.write([made], form), form=form)[0].headers) == sorted(made.headers)


@pytest.mark.parametrize(
    "text",
    [
        *("1. P-\x1b7f", '[Version "1\x1b"] *', "7g7f 3c" + "9" * 30_000),
        *("手合割：平\x1b手x\n1 ７六歩(77)", "1 ７六\t玉(77)", "1 ７六\x1b玉(77)", "sfen " + "x/" * 10_000),
    ],
)
def test_messages_are_short_and_have_no_control_characters(text: str) -> None:
    words = refusal(text)
    assert re.sub("[\n\u3000]", "", words).isprintable()
    assert len(words) < 1_000


def test_a_message_about_many_long_defects_is_not_longer_than_a_page() -> None:
    lines = "sfen 9/9/9/9/9/9/9/9 x y z moves 7g7f\nsfen zz/zz/zz/zz/zz/zz/zz/zz/zz/zz/zz b -\n" * 40
    assert 3_000 < len(refusal(lines, "usi")) < 6_000
