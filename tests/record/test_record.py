"""Records: trees of moves, JSON of our own, games as text, USI, and what files are."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import komadai
from helpers.records import HEADERS, RESULTS, STEPS, WORDS, grown
from helpers.support import NAMES, ROOT
from komadai import Game, NotationError, Position, Record, record
from komadai.record import MARKS, Node, Result, Score, data
from komadai.spec.board import other

SCHEMA: dict[str, Any] = json.loads((ROOT / "docs/record.schema.json").read_text(encoding="utf-8"))

# --- Trees, by chance ---


@st.composite
def records(draw: st.DrawFn, name: str) -> Record:
    made = grown(name, draw(st.lists(STEPS, max_size=14))).annotate(0, comment=draw(WORDS))
    return replace(made, headers=tuple(draw(HEADERS).items()), result=made.result or draw(RESULTS))


@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_reads_the_same(name: str) -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)

    @settings(max_examples=5)
    @given(records(name))
    def check(made: Record) -> None:
        for form in ("json", "text"):
            text = record.write([made], form)
            assert record.detect(text) == form
            assert record.read(text.encode()) == [made]
            assert record.read(record.write([made, made], form)) == [made, made]
        validator.validate(record.to_data(made))
        game = made.game()
        assert [made.nodes[number].move for number in made.main[1:]] == [str(move) for move in game.moves]
        line = replace(Record.of(game, made.headers), result=made.result)
        assert record.read(record.write([line], "usi"), made.variant)[0].nodes == line.nodes

    check()


def test_the_schema_says_what_the_code_says() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    node, result = SCHEMA["$defs"]["node"]["properties"], SCHEMA["properties"]["result"]["anyOf"][1]["properties"]
    assert SCHEMA["title"] == SCHEMA["properties"]["schema"]["const"] == record.SCHEMA
    assert tuple(result["reason"]["enum"]) == record.ENDS
    assert tuple(node["mark"]["enum"]) == MARKS
    assert SCHEMA["properties"]["moves"]["maxItems"] == record.MOST_NODES


# --- Working on a tree ---


def tree() -> Record:
    """``7g7f`` (then ``3c3d 2g2f``, or ``8c8d``) and ``2g2f``."""
    text = '[Black "A"]\n\n1. P-7f! {quiet} P-3d ( 1... P-8d {0.50s} ) 2. P-2f ( 1. P-2f ) *'
    [made] = record.read(text.replace(" ( 1. P-2f )", "").replace("{quiet}", "{quiet} ( 1. P-2f )"))
    return made


def moves(made: Record) -> list[tuple[str, int]]:
    return [(node.move, node.after) for node in made.nodes[1:]]


def test_a_tree_is_walked_and_changed() -> None:
    made = tree()
    assert moves(made) == [("7g7f", 0), ("3c3d", 1), ("2g2f", 2), ("8c8d", 1), ("2g2f", 0)]
    assert (made.main, made.line(4), made.children(0)) == ((0, 1, 2, 3), (0, 1, 4), (1, 5))
    assert made.find(["7g7f", "8c8d"]) == 4
    assert made.find(["8c8d"]) is None
    assert made.nodes[1] == Node("7g7f", 0, "quiet", "!")
    assert made.nodes[4].seconds == 0.5
    assert made.header("Black") == "A"
    assert made.position(4).turn == "b"
    promoted = made.promote(4)
    assert moves(promoted) == [("7g7f", 0), ("8c8d", 1), ("3c3d", 1), ("2g2f", 3), ("2g2f", 0)]
    assert promoted.promote(2) == promoted
    assert moves(made.promote(5)) == [("2g2f", 0), ("7g7f", 0), ("3c3d", 2), ("2g2f", 3), ("8c8d", 2)]
    assert moves(made.delete(2)) == [("7g7f", 0), ("8c8d", 1), ("2g2f", 0)]
    assert moves(made.delete(1)) == [("2g2f", 0)]
    longer, number = made.add(4, "2g2f", mark="?")
    assert (number, longer.nodes[number].mark, moves(longer)[4:]) == (5, "?", [("2g2f", 4), ("2g2f", 0)])
    again, same = longer.add(4, "2g2f", comment="twice")
    assert (same, len(again.nodes), again.nodes[5].mark) == (5, len(longer.nodes), "?")
    assert record.read(record.write([again], "text")) == [again]


def test_results_follow_the_main_line() -> None:
    made, mate = Record.begin("shogi", "7nk/9/7GP/9/9/9/9/9/4K4 b -").add(0, "1c1b")
    assert made.result == Result("b", "checkmate")
    with pytest.raises(komadai.IllegalMoveError, match="over"):
        made.add(mate, "1a1b")
    assert made.delete(mate).result is None
    other, number = made.add(0, "5i5h")
    assert other.result == made.result
    assert other.promote(number).result is None
    game = komadai.Game("nana")
    game.resign("b")
    assert Record.of(game).game().outcome() == game.outcome()
    assert replace(Record.of(game), result=Result("w", "crash")).game().outcome() is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda made: made.add(9, "7g7f"), "node 9: there is none"),
        (lambda made: made.add(0, "7g7e"), "7g7e is not legal"),
        (lambda made: made.annotate(1, mark="!!!"), "'!!!' is not a mark"),
        (lambda made: made.annotate(1, move="2g2f"), "a node's move stays"),
        (lambda made: made.annotate(0, mark="!"), "the start has nothing but a comment"),
        (lambda made: made.annotate(1, seconds=-1, comment="x" * 20_001), "20001 characters.*-1 is not a time"),
        (lambda made: made.annotate(1, score=Score(1, 1)), "either value or mate"),
        (lambda made: made.delete(0), "the start cannot"),
        (
            lambda made: replace(made, headers=(("Result", "1-0"), ("a\tb", ""))),
            "'Result' is reserved.*not a valid name",
        ),
        (lambda made: replace(made, result=Result("b", "boredom")), "'boredom' is unknown"),
    ],
)
def test_what_cannot_be_changed(change: Any, words: str) -> None:
    with pytest.raises(komadai.KomadaiError, match=words):
        change(tree())


# --- JSON ---


def test_every_defect_of_a_record_is_reported_with_its_place() -> None:
    data = record.to_data(tree()) | {"result": {"winner": "b", "reason": "checkmate"}, "start": None}
    data["moves"] = [
        "7g7f",
        {"move": "3c3e"},
        "2g2f",
        {"move": "8c8d", "after": 1, "mark": "huh", "seconds": "long", "xyz": 1},
        {"move": "3c3d", "after": 9},
        7,
        {"move": "8c8d", "after": 2},
        {"move": "1c1d", "after": 1, "score": {"value": 1.5}},
    ]
    with pytest.raises(NotationError) as caught:
        record.from_data(data)
    said = "\n".join(caught.value.defects)
    for words in (
        "move 2: 3c3e is not legal",
        "move 4: there is no field 'xyz'; choose from move, after",
        "move 4: seconds is text; expected a number",
        "move 5: after is 9; expected the number of a move before it",
        "move 6: is a number; expected a move string or an object",
        "move 7: follows 2, which is not on the line to the move before it",
        "move 8: score: value is not a whole number",
    ):
        assert words in said, said


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"schema": "komadai-record/3"}, "komadai-record/3, which is newer than this program"),
        ({"schema": "other"}, "'other'; expected 'komadai-record/2'"),
        ({"moves": ["7g7f", {"move": "7g7f", "after": 0}]}, "move 2: 7g7f occurs twice after move 0"),
        ({"headers": {"Black": 7}}, "'Black' is a number; expected text"),
        ({"headers": {"SFEN": "x"}}, "'SFEN' is reserved"),
        ({"title": "x"}, "there is no field 'title'"),
        ({"result": {"reason": "resign"}}, "result: lacks winner"),
        ({"comment": None}, "comment is null"),
        ({"moves": ["7g7f"] * 20_001}, "has 20001 moves; expected 20000 at most"),
        ({"start": "7nk/9/7GP/9/9/9/9/9/4K4 b -", "moves": ["1c1b"], "result": {"winner": "w", "reason": "time"}},
         "a win for White, but the moves end like this: Black wins"),
    ],
)  # fmt: skip
def test_records_that_are_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(NotationError) as caught:
        record.from_data(record.to_data(Record.begin("shogi")) | change)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_match_is_read_as_its_games() -> None:
    match = komadai.Match("hand")
    match.game.resign("w")
    match.next_game()
    assert [made.game().record() for made in record.read(json.dumps(match.record()))] == match.record()["games"]


# --- Text and USI ---


def test_text_is_read_kindly() -> None:
    text = """; as some other program writes it
[Event "Any"]
[ECO "A00"]
1.P-7f{one}{two}$1 p-34 (1...P-8d $14 {b}) 2.Bx2b+ ?! ; to the end
1-0

[Event "Next"]

1. P-2f *"""
    first, second = record.read(text)
    assert [node.comment for node in first.nodes] == [
        "as some other program writes it",
        "one\ntwo",
        "",
        "to the end",
        "$14\nb",
    ]
    assert [node.mark for node in first.nodes] == ["", "!", "", "?!", ""]
    assert (first.result, second.result, second.header("Event")) == (Result("b", "unknown"), None, "Next")


@pytest.mark.parametrize("style", ["usi", "japanese", "fen"])
@pytest.mark.parametrize("name", NAMES)
def test_text_in_any_notation(name: str, style: str) -> None:
    chance = random.Random(f"{name} {style}")
    steps = [(chance.choice([0, 9, 9, 9, 9]), chance.randrange(10**6), {"mark": "?!"}) for _ in range(40)]
    made = grown(name, steps)
    assert record.read(record.write([made], "text", style)) == [made]


def test_text_in_japanese() -> None:
    text = "1. P-7f P-3d 2. Bx2b+ Sx2b ( 2... R-4b ) *"
    written = record.write(record.read(text), "text", "japanese")
    assert written.endswith("\n1. ☗７六歩 ☖３四歩 2. ☗２二角成 ☖同_銀 ( 2... ☖４二飛 ) *\n\n")
    with pytest.raises(NotationError, match="style 'klingon': choose from"):
        record.write(record.read(text), "text", "klingon")


def test_text_that_is_refused() -> None:
    bad = """[Variant "nana"]

1. K*1a {x} R*9z (2. a
[Event "2"]
[Version "0"]

1. P-7f
[A "b"]

1. P-7f P-7f ) *"""
    with pytest.raises(NotationError) as caught:
        record.read(bad)
    said = "\n".join(caught.value.defects)
    assert "game 1, line 3, R*9z: move 'R*9z': 9z is not a square" in said
    assert "game 1, line 3: there is a ( without its )" in said
    assert "game 2, line 4: version: follows version 0 of the rules of shogi" in said
    assert "game 3, line 10, P-7f: P-7f is not legal" in said
    assert "game 3, line 10: there is a ) without its (" in said
    for text in ("", "{never ended", "(" * 5000, "[" * 5000, "{" * 5000, '{"a":' + "[" * 90_000, "\\" * 5000):
        with pytest.raises(NotationError):
            record.read(text)


def test_levels_are_counted_where_python_does_not_see_the_end_of_the_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "_DEEPEST", 3)
    assert data.load(r'{"a": [[1], [2]], "b": "[[[\"[[["}') == {"a": [[1], [2]], "b": '[[["[[['}
    for text in ("[[[[]]]]", '{"a": [{"b": [1]}]}', "[" * 5000):
        with pytest.raises(NotationError, match="is nested too deeply"):
            data.load(text)


@pytest.mark.parametrize(
    ("end", "result"),
    [
        ("resign", Result("w", "resign")),
        ("timeout", Result("w", "time")),
        ("win", Result("b", "declaration")),
        ("draw", Result(None, "agreement")),
        ("rep_draw", Result(None, "adjudication")),  # of another rule, since no position has come four times
        ("break", None),
    ],
)
def test_the_end_of_a_line_of_usi(end: str, result: Result | None) -> None:
    for moves in ("7g7f 3c3d", "7g7f 3c3d 2g2f 8c8d"):
        [made] = record.read(f"position startpos moves {moves} {end}")
        assert ([node.move for node in made.nodes[1:]], made.result) == (moves.split(), result)
    [after_black] = record.read(f"startpos moves 7g7f {end}")
    mirrored = result and Result(None if result.winner is None else other(result.winner), result.reason)
    assert after_black.result == mirrored
    assert record.read(f"startpos {end}")[0].nodes == Record.begin("shogi").nodes
    with pytest.raises(NotationError, match=f"move 2: move '{end}': is not a move string"):
        record.read(f"position startpos moves 7g7f {end} 3c3d")


@pytest.mark.parametrize("name", ["pgn", "KIF", "", 5])
def test_what_is_no_format_and_no_encoding_is_refused(name: Any) -> None:
    with pytest.raises(NotationError, match=f"format {name!r}: (did you mean 'kif'. )?choose from json"):
        record.read("7g7f", form=name)
    with pytest.raises(NotationError, match=f"format {name!r}: "):
        record.write(Record.begin("shogi"), name)
    with pytest.raises(NotationError, match=f"encoding {name!r}: choose from utf-8, shift_jis"):
        record.encoded("x", name)


def test_an_end_by_rule_stands_above_the_word_behind_it() -> None:
    mated = "sfen 7nk/9/7GP/9/9/9/9/9/4K4 b - moves 1c1b"
    assert record.read(f"{mated} resign")[0].result == record.read(mated)[0].result == Result("b", "checkmate")


def test_lines_of_usi_and_bare_positions() -> None:
    text = (
        "# two\nposition startpos moves 7g7f 3c3d\n\n4k4/9/9/9/9/9/9/9/4K4 w 2P2p 7\nnana 2K/3/k2 b RBrb moves R*1b\n"
    )
    assert record.detect(text) == "usi"
    one, two, three = record.read(text)
    assert [node.move for node in one.nodes] == ["", "7g7f", "3c3d"]
    assert two.start == "4k4/9/9/9/9/9/9/9/4K4 w 2P2p 7"
    assert (three.variant.id, three.nodes[1].move) == ("nana", "R*1b")
    ki = komadai.variant("ki")
    assert record.read("moves K*5e", ki)[0].variant is ki
    with pytest.raises(NotationError, match=r"line 1: move 2: .*; line 2: "):
        record.read("7g7f 7g7f\nsfen 9/9 b -")


def test_files_that_are_none() -> None:
    with pytest.raises(NotationError, match="not text in UTF-8, UTF-16, Shift_JIS or EUC-JP"):
        record.read(b"\x81\x00\xff")
    with pytest.raises(NotationError, match="has more than 10,000,000 bytes"):
        record.read(b"x" * 10_000_001)
    for none in ("1. P-7f *", [3], [None], komadai.Position("micro")):
        with pytest.raises(NotationError, match="is none; expected a Record or a Game"):
            record.write(none, "text")  # type: ignore[arg-type]
    with pytest.raises(NotationError, match="unknown variant 'nanna'"):
        record.read("1. K*1a *", variant="nanna")
    assert record.read("1. K*1a *", variant="nana") == record.read("1. K*1a *", variant=komadai.variant("nana"))
    assert record.read("1. P-7f *".encode("utf-16"))[0].nodes[1].move == "7g7f"


def test_a_game_tells_its_record() -> None:
    game = Game("ki", "9/9/9/9/4K4/9/4k4/9/9 b [HI][hi]")
    game.push(str(min(game.position.legal_moves(), key=str)))
    made = Record.of(game, [("Black", "A")])
    assert record.to_data(made) == game.record() | {"headers": {"Black": "A"}}
    assert made.position(0) == Position("ki", "9/9/9/9/4K4/9/4k4/9/9 b [HI][hi]")


def test_examples_of_the_page() -> None:
    page = (ROOT / "docs/reference/records.md").read_text(encoding="utf-8")
    blocks = page.split("```")[1::2]
    examples = [block.partition("\n")[2] for block in blocks if block.split("\n")[0] in record.FORMATS]
    assert sorted(record.detect(example) for example in examples) == sorted(record.FORMATS)
    assert len({record.read(example)[0].nodes[1].move for example in examples}) == 1
