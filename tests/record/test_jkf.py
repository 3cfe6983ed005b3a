"""JKF: written with all that the format's page asks for, read with and without it, and refused where it is wrong.

What is written here was valid by the format's JSON Schema, and equal to what the normalizer of its own package makes of
the same moves without the fields that follow from others.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.records import STEPS, grown
from komadai import NotationError, Record, record
from komadai.record import Result, Score, jkf

GAME = [("7g7f", 3), ("3c3d", None), ("8h2b+", 4000), ("3a2b", 5), ("B*4e", None)]


def moves_of(made: Record) -> list[dict[str, Any]]:
    """The entries of the main line that are written for a record."""
    entries: list[dict[str, Any]] = jkf.to_data(made)["moves"]
    return entries


def text_of(*moves: dict[str, Any], **fields: Any) -> str:
    """A text in the format, with an entry for each move."""
    return json.dumps({"header": {}, "moves": [{}, *({"move": move} for move in moves)]} | fields)


def move(text: str, **fields: Any) -> dict[str, Any]:
    """``7776FU`` as the least that the format needs, and other fields."""
    x, y, u, v, *piece = text
    origin = {} if x == "0" else {"from": {"x": int(x), "y": int(y)}}
    return origin | {"to": {"x": int(u), "y": int(v)}, "piece": "".join(piece)} | fields


def time(now: int, total: int) -> dict[str, dict[str, int]]:
    """The time for a move, and in all, in seconds."""
    whole = {"h": total // 3600, "m": total // 60 % 60, "s": total % 60}
    return {"now": {"m": now // 60, "s": now % 60}, "total": whole}


@settings(max_examples=25)
@given(st.lists(STEPS, max_size=25))
def test_what_is_written_reads_the_same(steps: list[tuple[int, int, dict[str, Any]]]) -> None:
    made = grown("shogi", steps)
    kept = [replace(node, score=None, seconds=node.seconds and round(node.seconds)) for node in made.nodes]
    headers = (("Black", "A"), ("White", "B"), ("Event", "竜王戦"), ("Date", "2026/11/23"), ("Round", "3"))
    made = replace(made, nodes=tuple(kept), headers=headers)
    text = record.write([made], "jkf")
    assert record.detect(text) == "jkf"
    assert record.read(text) == [made]


def test_a_game_has_every_field_that_follows_from_its_moves() -> None:
    made = Record.begin("shogi").annotate(0, comment="before\n\nthe first")
    for number, (text, seconds) in enumerate(GAME):
        made = made.add(number, text, seconds=seconds)[0]
    made = replace(made.annotate(5, comment="a\nb"), result=Result("b", "resign"), headers=(("End seconds", "61"),))
    assert moves_of(made) == [
        {"comments": ["before", "", "the first"]},
        {"move": move("7776FU", color=0), "time": time(3, 3)},
        {"move": move("3334FU", color=1)},
        {"move": move("8822KA", color=0, promote=True, capture="KA"), "time": time(4000, 4003)},
        {"move": move("3122GI", color=1, same=True, capture="UM"), "time": time(5, 5)},
        {"move": move("0045KA", color=0), "comments": ["a", "b"]},
        {"special": "TORYO", "time": time(61, 66)},
    ]
    assert record.read(record.write([made], "jkf")) == [made]


@pytest.mark.parametrize(
    ("text", "relative", "promote"),
    [
        ("6i5h", "L", None),
        ("4i5h", "R", None),
        ("G*5h", "H", None),
        ("4i4h", None, None),
        ("2c3d", "D", False),
        ("2c3d+", "D", True),
        ("3e3d", "C", None),
        ("4e3d", "L", None),
        ("2e3d", "RU", None),
    ],
)
def test_directions_and_promotion(text: str, relative: str | None, promote: bool | None) -> None:
    start = "k8/9/7S1/9/5SSS1/9/9/9/3G1G2K b Gr2brg4n4l18p 1"
    entry = moves_of(Record.begin("shogi", start).add(0, text)[0])[1]
    assert (entry["move"].get("relative"), entry["move"].get("promote")) == (relative, promote)


def test_variations_are_forks_of_the_move_that_they_replace() -> None:
    made = Record.begin("shogi").add(0, "7g7f")[0].add(1, "3c3d")[0].add(1, "8c8d")[0].add(3, "2g2f")[0]
    made = made.add(3, "6g6f")[0].add(0, "2g2f", comment="or")[0]
    [_start, first, second, _end] = moves_of(made)
    assert [line[0]["move"]["to"] for line in first["forks"]] == [{"x": 2, "y": 6}]
    [fork] = second["forks"]
    assert [entry["move"]["to"] for entry in fork] == [{"x": 8, "y": 4}, {"x": 2, "y": 6}]
    assert fork[1]["forks"][0][0]["move"]["to"] == {"x": 6, "y": 6}
    assert record.read(record.write([made], "jkf")) == [made]


@pytest.mark.parametrize(
    ("preset", "start"),
    [
        ("HIRATE", None),
        ("KY", "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("5_L", "1nsgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("10", "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("OTHER", "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"),
        ("OTHER", "3k5/9/3+R5/9/9/9/9/9/8K w R2b4g4s4n4l2P16p 1"),
    ],
)
def test_starts_by_name_and_drawn(preset: str, start: str | None) -> None:
    made = replace(Record.begin("shogi", start), headers=(("Black", "A"),))
    data = jkf.to_data(made)
    assert data["initial"]["preset"] == preset
    assert [*data["header"]] == ["先手" if preset in ("HIRATE", "OTHER") else "下手"]
    assert record.read(record.write([made], "jkf")) == [made]


def test_a_drawn_start_is_a_list_of_files() -> None:
    data = jkf.to_data(Record.begin("shogi", "8k/9/9/9/9/9/9/9/7K+r b B2Prb4g4s4n4l14p 1"))
    drawn = data["initial"]["data"]
    assert (drawn["color"], drawn["board"][0][0], drawn["board"][0][8], drawn["board"][1][8]) == (
        0,
        {"color": 1, "kind": "OU"},
        {"color": 1, "kind": "RY"},
        {"color": 0, "kind": "OU"},
    )
    assert drawn["hands"][0] == {"FU": 2, "KY": 0, "KE": 0, "GI": 0, "KI": 0, "KA": 1, "HI": 0}


def test_the_least_and_what_programs_leave_out() -> None:
    moves = [
        move("7776FU"),
        move("3334FU", color=1, same=None, capture=None, relative=None, promote=None),
        {"from": {"x": 8, "y": 8}, "to": {"x": 2, "y": 2}, "promote": True},
        {"from": {"x": 3, "y": 1}, "same": True, "piece": "GI"},
        move("0045KA", relative=""),
        move("0058KI", relative="L"),
    ]
    [made] = record.read(text_of(*moves[:4], move("4958KI"), move("2233GI"), moves[4]))
    assert [node.move for node in made.nodes[1:]] == ["7g7f", "3c3d", "8h2b+", "3a2b", "4i5h", "2b3c", "B*4e"]
    [made] = record.read(text_of(*moves[:4], moves[5], initial=None))
    assert made.nodes[5].move == "6i5h"  # told from the other gold by its direction, as in Japanese notation
    [made] = record.read('{"header": {"最大手数": 256, "手合割": "平手　　", "先手": ""}, "moves": []}')
    assert made.headers == (("最大手数", "256"),)


def test_scores_are_lines_of_comments() -> None:
    made = Record.begin("shogi").add(0, "7g7f", score=Score(30, None, 8))[0].add(1, "3c3d", score=Score(None, 5))[0]
    comments = [entry.get("comments") for entry in moves_of(made)[1:3]]
    assert comments == [["*評価値=30", "*深さ=8"], ["*詰み=後手勝ち:5手"]]
    assert record.read(record.write([made], "jkf")) == [made]


def special(word: str, **fields: Any) -> str:
    """A text whose game ends by that word behind a move."""
    entry = {"special": word, "time": {"now": {"m": 0, "s": 9}, "total": {"m": 0, "s": 9}}} | fields
    return json.dumps({"header": {}, "moves": [{}, {"move": move("7776FU")}, entry]})


@pytest.mark.parametrize(
    ("word", "result", "written"),
    [
        ("TORYO", Result("b", "resign"), "TORYO"),
        ("HIKIWAKE", Result(None, "agreement"), "HIKIWAKE"),
        ("+ILLEGAL_ACTION", Result("w", "illegal"), "+ILLEGAL_ACTION"),
        ("ILLEGAL_ACTION", Result("w", "illegal"), "+ILLEGAL_ACTION"),
        ("FUZUMI", None, "FUZUMI"),
        ("MAX_MOVES", None, "CHUDAN"),  # the schema has no other; the header End keeps it
    ],
)
def test_ends(word: str, result: Result | None, written: str) -> None:
    [made] = record.read(special(word))
    assert (made.result, made.header("End seconds")) == (result, "9")
    assert moves_of(made)[-1]["special"] == written
    assert record.read(record.write([made], "jkf")) == [made]


def test_a_foul_and_moves_behind_the_end() -> None:
    [made] = record.read(text_of(move("7776FU"), move("3344FU")).replace("]}", ', {"special": "ILLEGAL_MOVE"}]}'))
    assert (made.result, len(made.nodes)) == (Result("b", "illegal"), 2)
    assert json.loads(made.nodes[1].comment)["to"] == {"x": 4, "y": 4}
    [made] = record.read(special("TORYO", forks=[[{"move": move("3334FU")}, {"special": "CHUDAN"}]]))
    assert [node.comment for node in made.nodes] == ["", "%TORYO", "%CHUDAN"]
    assert made.result == Result("b", "resign")


E001 = {"x": 7, "y": 0}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[]", "is a list; expected an object with header, initial, moves"),
        ('{"header": {}}', "lacks moves"),
        ('{"header": 1, "moves": 2, "more": 3}', r"no field 'more'.*header: is a number.*moves are a number"),
        ('{"header": {"a": null}, "moves": []}', "header: 'a' is null; expected text"),
        ('{"header": {}, "moves": [1]}', r"moves\[0\]: is a number; expected an object"),
        ('{"header": {}, "moves": [{"comments": "a"}]}', r"moves\[0\].comments: is text; expected a list of texts"),
        ('{"header": {}, "moves": [{"time": {"now": {"m": 1, "s": 0}}}]}', r"moves\[0\].time: is the time of no move"),
        ('{"header": {}, "moves": [{"time": {"now": {"m": -1}}}]}', r"moves\[0\].time: is the time of no move"),
        ('{"header": {}, "moves": [{"forks": 1}]}', r"moves\[0\].forks: is a number; expected a list"),
        ('{"header": {}, "moves": [{"special": 1}]}', r"moves\[0\].special: special is a number"),
        (text_of(move("7776FU", color=1)), r"moves\[1\].move: color is 1, but the move makes it 0"),
        (text_of(move("7776KI")), 'piece is "KI", but the move makes it "FU"'),
        (text_of(move("7776FU", capture="FU")), 'capture is "FU", but the move makes it null'),
        (text_of(move("7776FU", same=True)), "same is true, but the move makes it false"),
        (text_of(move("7776FU", relative="D")), 'relative is "D"; of this move LCRU are true'),
        (text_of(move("7776FU", promote=1)), "promote is 1; expected true, false or null"),
        (text_of(move("7775FU")), "is not legal"),
        (text_of(move("7776FU") | {"to": E001}), "to: is no square; expected x and y from 1 to 9"),
        (
            text_of(move("7776FU"), move("7776FU"), move("3334FU")),
            r"moves\[2\].move: there is no piece of the side to move on 7g",
        ),
        (text_of({"same": True, "from": {"x": 7, "y": 7}}), "same: there is no move before it"),
        (text_of(move("0058KI")), "fits several moves; choose from ５八金右、５八金左"),
        (text_of(initial={"preset": "11"}), 'there is no preset "11"'),
        (text_of(initial={"preset": "KY", "data": {}}), "data belong to the preset OTHER"),
        (text_of(initial={"preset": "OTHER"}), "data belong to the preset OTHER"),
        (text_of(initial={"preset": "OTHER", "data": {"color": 2, "board": [], "hands": 3}}), "color.*board.*hands"),
        (special("TORYO", move=move("3334FU", color=0)), "color is 0"),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(text: str, why: str) -> None:
    with pytest.raises(NotationError, match=why):
        record.read(text, form="jkf")


def test_limits() -> None:
    with pytest.raises(NotationError, match="one game per file only; there are 2"):
        record.write([Record.begin("shogi")] * 2, "jkf")
    with pytest.raises(NotationError, match="can hold shogi only"):
        record.write([Record.begin("nana")], "jkf")
    with pytest.raises(NotationError, match="has too many parts: 500,001 times"):
        record.read("[" + "[]," * 500_000, form="jkf")
