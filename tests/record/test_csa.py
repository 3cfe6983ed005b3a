"""CSA: written and read again, read by another program's parser, and files as real programs write them."""

from __future__ import annotations

from dataclasses import replace

import cshogi
import pytest
from cshogi import CSA
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.records import ended
from komadai import NotationError, Record, record
from komadai.record import Result, Score

ENDS = [(True, "resign"), (True, "time"), (True, "illegal"), (False, "illegal"), (False, "declaration"), (None, "draw")]
HEADERS = (("Black", "先,A"), ("White", "B"), ("Event", "竜王戦"), ("Date", "2026/11/21"))
LINE = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -"


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Records of which CSA loses nothing: lines without variations."""
    made = draw(ended(ENDS))
    line = [made.nodes[number] for number in made.main]
    kept = [
        replace(node, after=number - 1, score=None if node.score is None else Score(node.score.value or 30_000))
        for number, node in enumerate(line)
    ]
    return replace(made, nodes=tuple(kept), headers=HEADERS)


@settings(max_examples=25)
@given(st.lists(records(), min_size=1, max_size=2))
def test_what_is_written_reads_the_same_and_cshogi_reads_it_too(made: list[Record]) -> None:
    text = record.write(made, "csa")
    assert record.detect(text) == "csa"
    assert record.read(text) == made
    theirs = CSA.Parser.parse_str(record.write(made[:1], "csa"))[0]
    assert [cshogi.move_to_usi(move) for move in theirs.moves] == [node.move for node in made[0].nodes[1:]]
    assert theirs.names == ["先,A", "B"]


@pytest.mark.parametrize(
    "start",
    [
        "3+R4l/1k4+B2/9/p1p6/4+s4/2P+n2+l+p1/9/1G7/4K4 w RB3G2S2N2L11P3p 1",
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    ],
)
def test_any_start_is_drawn(start: str) -> None:
    text = record.write([Record.begin("shogi", start)], "csa")
    assert record.read(text)[0].start == start
    assert str(cshogi.Board(CSA.Parser.parse_str(text)[0].sfen)) == str(cshogi.Board(start))


@pytest.mark.parametrize(
    ("start", "sfen"),
    [
        ("PI\n+", LINE),
        ("-", LINE.replace(" b ", " w ")),
        ("PI82HI22KA\n-", "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w -"),
        ("P1 * * * *-OU * * * *\nP+59OU\nP+00KI\nP-00AL\n+", "4k4/9/9/9/9/9/9/9/4K4 b G2r2b3g4s4n4l18p"),
        ("P-51OU\nP+59OU53KI00HI00HI\n+", "4k4/9/4G4/9/9/9/9/9/4K4 b 2R"),
    ],
)
def test_starts_as_programs_write_them(start: str, sfen: str) -> None:
    [made] = record.read(f"V2.2\n{start}\n%CHUDAN\n")
    assert made.position(0).sfen() == sfen


def test_a_file_as_a_server_writes_it() -> None:
    text = (
        "V2\r\nN+one\r\nN-two\r\n'Max_Moves:256\r\n$EVENT:floodgate\r\nPI\r\n+\r\n'rating:one:two\r\n"
        "+7776FU,T12\r\n'** 30 -3334FU #1234\r\n-3334FU\r\nT0.5\r\n'** -45\r\n+8822KA\r\n%TORYO\r\nT7\r\n"
        "'summary:toryo:one win:two lose\r\n$END_TIME:2026/11/21 20:00:00\r\n"
    )
    [made] = record.read(text)
    assert [node.move for node in made.nodes[1:]] == ["7g7f", "3c3d", "8h2b"]
    assert [node.seconds for node in made.nodes[1:]] == [12.0, 0.5, None]
    assert [node.score for node in made.nodes[1:]] == [Score(30), Score(45), None]
    assert [node.comment for node in made.nodes] == [
        "'Max_Moves:256\n'rating:one:two",
        "* 30 -3334FU #1234",
        "",
        "'summary:toryo:one win:two lose",
    ]
    assert made.result == Result("b", "resign")
    assert dict(made.headers) == {
        "Black": "one",
        "White": "two",
        "Event": "floodgate",
        "End time": "2026/11/21 20:00:00",
        "End seconds": "7",
    }
    again = record.write([made], "csa")
    assert record.read(again) == [made]
    kept = set(text.replace("+7776FU,T12", "+7776FU\r\nT12").split("\r\n")) - {"V2"}
    assert kept <= {*again.split("\n")}


@pytest.mark.parametrize(("end", "winner"), [("%-ILLEGAL_ACTION", "b"), ("%ILLEGAL_MOVE", "b")])
def test_a_foul_that_is_written_as_a_move_becomes_a_comment(end: str, winner: str) -> None:
    [made] = record.read(f"PI\n+\n+7776FU\nT9\n-3344FU\nT3\n'two pawns\n{end}\n")
    assert (len(made.nodes), made.result) == (2, Result("b", "illegal"))
    assert (made.nodes[1].comment, made.nodes[1].seconds) == ("-3344FU,T3\n'two pawns", 9.0)


# The words of version 2.2 and 3.0, in a position in which White is to move.
WORD_MEANINGS = {
    "TORYO": Result("b", "resign"),
    "CHUDAN": None,
    "SENNICHITE": Result(None, "adjudication"),  # by another count than that of the rules
    "TIME_UP": Result("b", "time"),
    "ILLEGAL_MOVE": Result("b", "illegal"),
    "+ILLEGAL_ACTION": Result("w", "illegal"),
    "-ILLEGAL_ACTION": Result("b", "illegal"),
    "JISHOGI": Result(None, "agreement"),
    "KACHI": Result("w", "declaration"),
    "HIKIWAKE": Result(None, "agreement"),
    "MAX_MOVES": None,
    "MATTA": None,
    "TSUMI": Result("b", "adjudication"),  # there is no mate
    "FUZUMI": None,
    "ERROR": None,
    "WHATEVER": None,
}


@pytest.mark.parametrize("word", WORD_MEANINGS)
def test_every_end_is_read_with_its_own_time_and_written_back(word: str) -> None:
    [made] = record.read(f"PI\n+\n+7776FU\nT5\n%{word}\nT30\n")
    assert (made.result, made.nodes[1].seconds) == (WORD_MEANINGS[word], 5.0)
    assert made.header("End seconds") == "30"
    text = record.write([made], "csa")
    assert text.endswith(f"+7776FU\nT5\n%{word}\nT30\n")
    assert record.read(text) == [made]
    assert record.read(f"PI,+,+7776FU,T5,%{word},T30") == [made]


def test_a_kept_word_gives_way_to_another_result() -> None:
    [made] = record.read("PI\n+\n+7776FU\n%MAX_MOVES\n")
    assert made.header("End") == "MAX_MOVES"
    drawn = replace(made, result=Result(None, "repetition"))
    assert record.write([drawn], "csa").endswith("%SENNICHITE\n")
    assert record.write([replace(drawn, headers=(), result=Result(None, "cap"))], "csa").endswith("%MAX_MOVES\n")


def test_the_words_of_kif_are_those_of_csa() -> None:
    [made] = record.read("手合割：平手\n   1 ７六歩(77)\n   2 最大手数\n")
    assert made.header("End") == "最大手数"
    assert record.write([made], "csa").endswith("+7776FU\n%MAX_MOVES\n")


def test_a_game_goes_on_behind_an_interruption_but_not_behind_its_end() -> None:
    [made] = record.read("PI\n+\n+7776FU\n%CHUDAN\nT3\n'*next day\n-3334FU\n%MATTA\n+2726FU\n%TORYO\n'*gg\n")
    assert [node.comment for node in made.nodes] == ["", "next day\n%CHUDAN,T3", "%MATTA", "gg"]
    assert made.result == Result("b", "resign")
    [twice] = record.read("PI\n+\n+7776FU\n%KACHI\nT3\n%KACHI\n'*gg\n")
    assert (twice.result, twice.header("End seconds")) == (Result("w", "declaration"), "3")
    for behind in ("-3334FU", "%CHUDAN"):
        with pytest.raises(NotationError, match=f"line 5: '{behind}' stands behind the end of the game, %TORYO"):
            record.read(f"PI\n+\n+7776FU\n%TORYO\n{behind}\n")


def test_headers_of_version_3() -> None:
    text = (
        "'CSA encoding=UTF-8\nV3.0\nN+A\nN-B\n$EVENT:36th\n$TIMET+:450+0+5\n$TIME-:900+0+5\n$MAX_MOVES:320\n"
        "$JISHOGI:27\n$NOTE:C:\\\\games\n$Round:3\n$EVENT:final\n$Result:1-0\nPI\n+\n+7776FU\nT6.123\n%CHUDAN\n"
    )
    [made] = record.read(text)
    assert dict(made.headers) == {
        "Black": "A",
        "White": "B",
        "Event": "36th; final",
        "Black time": "450+0+5",
        "White time": "900+0+5",
        "Max moves": "320",
        "Jishogi": "27",
        "Note": "C:\\games",
        "Round": "3",
    }
    assert (made.nodes[0].comment, made.nodes[1].seconds) == ("$Result:1-0", 6.123)
    again = record.write([made], "csa")
    assert {"V3.0", "$TIME+:450+0+5", "$NOTE:C:\\\\games", "$Round:3", "T6.123"} <= {*again.split("\n")}
    assert record.read(again) == [made]
    [noted] = record.read("V3.0\n$NOTE:one\\ntwo\\\\n\nPI\n+\n'*three\n")
    assert noted.nodes[0].comment == "one\ntwo\\n\nthree"


def test_comments_that_look_like_scores_stay_comments() -> None:
    made = Record.begin("shogi").annotate(0, comment="* 1").add(0, "7g7f", score=Score(None, 3), comment="a\n* 30")[0]
    made = made.add(1, "3c3d", score=Score(20), comment="* -20 +2726FU\n* 7\n'* 8")[0]
    text = record.write([made], "csa")
    assert text.partition("PI\n")[2].splitlines() == [
        "+",
        "'* * 1",
        "+7776FU",
        "'** 30000",
        "'**詰み=先手勝ち:3手",
        "'*a",
        "'* * 30",
        "-3334FU",
        "'** -20 +2726FU",
        "'* * 7",
        "'*'* 8",
        "%CHUDAN",
    ]
    assert record.read(text)[0].nodes[1:] == made.nodes[1:]


def test_scores_as_other_programs_write_them() -> None:
    text = "PI\n+\n+7776FU\n'**評価値=82\n'**深さ=8\n'*good\n-3334FU\n'**詰み=先手勝ち:5手\n%TORYO\n'**評価値=9\n"
    [made] = record.read(text)
    assert [node.score for node in made.nodes[1:]] == [Score(82, None, 8), Score(None, -5)]
    assert [node.comment for node in made.nodes[1:]] == ["good", "*評価値=9"]


def test_comments_behind_the_last_game_are_its_own() -> None:
    made = record.read("'one\nPI\n+\n/\n'*two\nPI\n+\n+2726FU\n%TORYO\n/\n'bye\n")
    assert [[node.comment for node in one.nodes] for one in made] == [["'one"], ["two", "'bye"]]


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("PI,+\nT3", "line 2: 'T3' is the time of no move"),
        ("PI,+\n+7776FU,T3\nT4", "line 3: 'T4' is a second time for one move"),
        ("PI,+\n+7776FU\nT6e2", "line 3: cannot read 'T6e2'; expected for example T12"),
        ("PI,+\n+7776FU\n+", "line 3: '\\+' stands behind the start position"),
        ("PI,+\n+7776FU\nP-00AL", "line 3: 'P-00AL' stands behind the start position"),
        ("PI\nP+55FU\nP-55FU\n+", "line 3: 55FU is put where FU stands already"),
        ("P1 *  *  *  * -OU *  *  *  *\nP1 *  *  *  * -OU *  *  *  *\n+", "line 2: rank 1 is drawn twice"),
        ("PI,+\n/\nN+A", "line 3: there is neither a position nor a move"),
        ("PI,+\n%", "line 2: cannot read '%'"),
        ("PI,+\n'" + "x" * 20_010, "line 2: has 20,011 characters"),
        ("PI,+\n" + "'*12345678\n" * 2_500, "line 2224: its comment has more than 20,000 characters"),
        ("$A:1\n$A:2\n" * 1_500 + "PI,+", "line 668: has 2,002 characters"),
        ("".join(f"$A{number}:1\n" for number in range(300)) + "PI,+", "line 199: there are more than 198 headers"),
        ("PI,+\n" + "/\nPI,+\n" * 5, "has more than 5 games"),
    ],
)
def test_nothing_is_passed_over(lines: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("komadai.record.reader.MOST_RECORDS", 5)
    with pytest.raises(NotationError, match=why):
        record.read(lines, form="csa")


def test_what_is_wrong_is_reported_with_its_place_and_all_at_once() -> None:
    with pytest.raises(NotationError) as caught:
        record.read("V2.2\nP1-KY\nPX\n+\n/\nPI\nnonsense\n+\n+7776KI\n/\nPI\n+\n-3334FU\n/\nPI\n+2726FU\n%\n")
    assert [defect.split(";")[0] for defect in caught.value.defects] == [
        "line 3: cannot read 'PX'",
        "line 2: start: line 2: cannot read the rank 'P1-KY'",
        "line 7: cannot read 'nonsense'",
        "line 9, +7776KI: FU stands on 77 and cannot become KI",
        "line 13, -3334FU: it is + that is to move",
        "line 17: cannot read '%'",
    ]
    for said, why in (
        ("V2.2", "neither a position"),
        ("PI\n+\n+0055XX", "XX: is not a piece"),
        ("PI11HI", "no HI on 11"),
    ):
        with pytest.raises(NotationError, match=why):
            record.read(said, form="csa")
    with pytest.raises(NotationError, match="can hold shogi only"):
        record.write([Record.begin("nana")], "csa")
