"""Declarations of entered kings. Results by cshogi (27 points) and tsshogi (24 points), other programs."""

from __future__ import annotations

import pytest

import komadai
from helpers.shogi_sets import with_the_rest
from komadai import Game, IllegalMoveError, Outcome, Position, Record, record
from komadai.record import Format

# Ten pieces beside the king, of which two big ones make eight more, and the hand: 18 points and what is in hand.
CAMP = "+P+P+P+PK+P+P+P+P/+R+B7/9/9/9/9/9/9/4k4"
# White's.
THEIRS = "4K4/9/9/9/9/9/9/7+b+r/+p+p+p+pk+p+p+p+p"

WIN, LOSS, DRAW = Outcome("b", "declaration"), Outcome("w", "declaration"), Outcome(None, "declaration")


@pytest.mark.parametrize(
    ("start", "by_27", "by_24"),
    [
        (f"{CAMP} b 2G2S6P", WIN, DRAW),  # 28
        (f"{CAMP} b 2G2S5P", None, DRAW),  # 27: Black needs one more than White
        (with_the_rest(f"{THEIRS} w 2g2s5p"), LOSS, DRAW),  # 27
        (with_the_rest(f"{THEIRS} w 2g2s4p"), None, DRAW),  # 26
        (f"{CAMP} b RB3P", WIN, WIN),  # 31
        (f"{CAMP} b RB2P", WIN, DRAW),  # 30
        (f"{CAMP} b 2G2S2P", None, DRAW),  # 24
        (f"{CAMP} b 2G2SP", None, None),  # 23
        (f"{CAMP} w RB3P", None, None),  # White is to move
        (f"{CAMP.replace('+PK+P', '+P1+P').replace('/9/9/9/9', '/9/4K4/9/9', 1)} b RB3P", None, None),
        (f"{CAMP.replace('+P+P+P+PK', '1+P+P+PK')} b RB4P", None, None),  # nine pieces
        (f"{CAMP.replace('+R+B7', '+R+B2g4')} b RB3P", None, None),  # in check
    ],
)
def test_what_a_declaration_is_worth(start: str, by_27: Outcome | None, by_24: Outcome | None) -> None:
    for points, outcome in (("27", by_27), ("24", by_24)):
        position = Position("shogi", start, entering_king=points)
        assert position.declaration() == outcome
        assert position.can_declare() is (outcome is not None and outcome.winner is not None)
    assert Position("shogi", start).declaration() is None


def test_everything_that_is_missing_is_said() -> None:
    game = Game("shogi", "4r4/9/9/4K4/9/9/9/9/4k4 b P", entering_king="24")
    with pytest.raises(IllegalMoveError) as refused:
        game.declare()
    for lack in (
        "the king does not stand in the 3 farthest ranks",
        "the king is in check",
        "0 other pieces stand there; 10 are needed",
        "they and the hand count 1 points; 24 are needed",
    ):
        assert lack in str(refused.value)
    assert game.outcome() is None
    with pytest.raises(IllegalMoveError, match="the rules in force know no declaration"):
        Game("mortal").declare()


def test_a_false_declaration_loses_where_illegal_moves_do() -> None:
    game = Game("shogi", entering_king="27", illegal_move="loses")
    game.declare()
    assert game.outcome() == Outcome("w", "illegal")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        game.declare()


def test_a_declaration_ends_the_game_until_it_is_taken_back() -> None:
    game = Game("shogi", f"{CAMP} b RB3P", entering_king="27")
    game.declare()
    assert str(game.outcome()) == "Black wins: declared with an entered king"
    with pytest.raises(IllegalMoveError, match="the game is over"):
        game.push("R*1h")
    assert game.pop() is None
    assert game.outcome() is None
    game.push("R*1h")
    assert game.position.declaration() is None


def test_who_has_no_king_declares_nothing() -> None:
    camp = CAMP.replace("K", "1")
    assert Position.problem("shogi", f"{camp} b RB3P", entering_king="27").declaration() is None


@pytest.mark.parametrize(
    ("form", "word"), [("kif", "入玉勝ち"), ("csa", "%KACHI"), ("text", "declaration"), ("json", "")]
)
def test_records_keep_it(form: Format, word: str) -> None:
    game = Game("shogi", f"{CAMP} b RB3P", entering_king="27")
    game.declare()
    written = record.write([Record.of(game)], form)
    assert word in written
    [again] = record.read(written)
    assert again.result == (("b", "declaration"))
    assert again.game().outcome() == WIN
    if form in ("text", "json"):
        assert again.variant == game.variant


def test_a_drawn_one_too() -> None:
    game = Game("shogi", f"{CAMP} b 2G2S2P", entering_king="24")
    game.declare()
    assert game.outcome() == DRAW
    assert record.read(record.write([Record.of(game)], "json"))[0].game().outcome() == DRAW
    assert "持将棋" in record.write([Record.of(game)], "kif")


def test_moves_do_not_depend_on_the_option() -> None:
    start = f"{CAMP} b RB3P"
    counts = {points: Position("shogi", start, entering_king=points).perft(2) for points in ("none", "27", "24")}
    assert len(set(counts.values())) == 1
    hashes = {komadai.variant("shogi", entering_king=points).rules_hash for points in ("none", "27", "24")}
    assert len(hashes) == 3
