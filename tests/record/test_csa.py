"""CSA: written and read again, read by another program's parser, and files as real programs write them."""

from __future__ import annotations

from dataclasses import replace

import cshogi
import pytest
from cshogi import CSA
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.records import STEPS, WORDS, grown
from komadai import NotationError, Record, record
from komadai.record import Result
from komadai.spec.board import other

ENDS = [(True, "resign"), (True, "time"), (True, "illegal"), (False, "illegal"), (False, "declaration"), (None, "draw")]
HEADERS = (("Black", "先,A"), ("White", "B"), ("Event", "竜王戦"), ("Date", "2026/11/21"))
LINE = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -"


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Records of which CSA loses nothing: lines without variations."""
    made = grown("shogi", draw(st.lists(STEPS, max_size=25))).annotate(0, comment=draw(WORDS))
    line = [made.nodes[number] for number in made.main]
    kept = [
        replace(node, after=number - 1, mark="", score=None, seconds=node.seconds and round(node.seconds))
        for number, node in enumerate(line)
    ]
    turn, (loses, reason) = made.position(made.main[-1]).turn, draw(st.sampled_from(ENDS))
    said = Result(None, "agreement") if loses is None else Result(other(turn) if loses else turn, reason)
    result = made.result or draw(st.none() | st.just(said))
    return replace(made, nodes=tuple(kept), headers=HEADERS, result=result)


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
        "V2\r\nN+one\r\nN-two\r\n'Max_Moves:256\r\n$EVENT:floodgate\r\n$END_TIME:2026/11/21 20:00:00\r\n"
        "PI\r\n+\r\n'rating:one:two\r\n+7776FU,T12\r\n'** 30 -3334FU\r\n-3334FU\r\nT0.5\r\n+8822KA\r\n%TORYO\r\n"
    )
    [made] = record.read(text)
    assert [node.move for node in made.nodes[1:]] == ["7g7f", "3c3d", "8h2b"]
    assert [node.seconds for node in made.nodes[1:]] == [12.0, 0.5, None]
    assert made.nodes[1].comment == "* 30 -3334FU"
    assert made.result == Result("b", "resign")
    assert dict(made.headers) == {
        "Black": "one",
        "White": "two",
        "Event": "floodgate",
        "End time": "2026/11/21 20:00:00",
    }


@pytest.mark.parametrize(("end", "winner"), [("%-ILLEGAL_ACTION", "b"), ("%ILLEGAL_MOVE", "b")])
def test_a_foul_that_is_written_as_a_move_becomes_a_comment(end: str, winner: str) -> None:
    [made] = record.read(f"PI\n+\n+7776FU\n-3344FU\nT3\n{end}\n")
    assert (len(made.nodes), made.result) == (2, Result("b", "illegal"))
    assert made.nodes[1].comment == "-3344FU"


def test_what_is_wrong_is_reported_with_its_place_and_all_at_once() -> None:
    with pytest.raises(NotationError) as caught:
        record.read("V2.2\nP1-KY\nPX\n+\n/\nPI\nnonsense\n+\n+7776KI\n/\nPI\n+\n-3334FU\n/\nPI\n+2726FU\n%WHAT\n")
    assert [defect.split(";")[0] for defect in caught.value.defects] == [
        "line 3: cannot read 'PX'",
        "line 7: cannot read 'nonsense'",
        "line 2: start: line 2: cannot read the rank 'P1-KY'",
        "line 9, +7776KI: FU stands on 77 and cannot become KI",
        "line 13, -3334FU: it is + that is to move",
        "line 17: cannot read '%WHAT'",
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
