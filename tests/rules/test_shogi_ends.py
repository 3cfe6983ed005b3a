"""Standard shogi, docs/rules/shogi.md 14 to 18: declarations, claims, handicaps and problems."""

from __future__ import annotations

import re

import pytest

import komadai
from helpers.shogi_sets import with_the_rest
from helpers.support import ROOT, legal
from komadai.engine import Engine
from komadai.errors import IllegalMoveError, IllegalPositionError
from komadai.game.game import Game
from komadai.game.outcome import Outcome
from komadai.game.position import Position

# Ten pieces in the zone count 18 points; the hand makes the difference.
ENTERED = "+P+P+P+PK+P+P+P+P/+R+B7/9/9/9/9/9/9/4k4"
FOR_WHITE = "4K4/9/9/9/9/9/9/7+b+r/+p+p+p+pk+p+p+p+p"


def declared(position: str, points: str) -> Outcome | None:
    """The outcome once the side to move has declared; ``None`` if it may not."""
    game = Game("shogi", position, entering_king=points)
    try:
        game.declare()
    except IllegalMoveError:
        assert game.outcome() is None
    return game.outcome()


@pytest.mark.parametrize(
    ("position", "winner"),
    [
        (f"{ENTERED} b 2G2S6P", "b"),  # 28
        (f"{ENTERED} b 2G2S5P", None),  # 27
        (with_the_rest(f"{FOR_WHITE} w 2g2s5p"), "w"),  # 27
        (with_the_rest(f"{FOR_WHITE} w 2g2s4p"), None),  # 26
        (f"{FOR_WHITE} w R2G3S4N4L9P2gs", "w"),  # 27 with the bishop and the pawn that White has given
        (f"{FOR_WHITE} w R2G3S4N4L10P2gs", None),  # 26 with the bishop
        (f"{FOR_WHITE} w RB2G2S4N3L6P2g2s4p", "w"),  # 27 with a lance
        (f"{ENTERED} b 2G2S5Prb2g2s4n3l5p", None),  # 27: for Black it does not count
        (f"{ENTERED} b RB", "b"),  # 28: big pieces in hand count 5 too
        ("+P+P+P+PK+P+P+P+P/+R8/9/+B8/9/9/9/9/4k4 b R2G2S5P", None),  # nine other pieces in the zone, 28 points
        ("+P+P+P+PK+P+P+P+P/+R+P7/9/+B8/9/9/9/9/4k4 b R2G2S3P", None),  # 26 but for the horse outside
        ("+P+P+P+P1+P+P+P+P/+R+B7/9/4K4/9/9/9/9/4k4 b 2G2S6P", None),  # the king is outside
        ("+P+P+P+PK+P+P+P+P/+R+B2g4/9/9/9/9/9/9/4k4 b 2GS7P", None),  # in check
        ("9/9/+R+B+P+PK+P+P+P+P/+P+P7/9/9/9/9/4k4 b RB8P", None),  # eight
        ("9/+P+P7/+R+B+P+PK+P+P+P+P/9/9/9/9/9/4k4 b RB", "b"),
    ],
)
def test_rule_14_declaration_by_27_points(position: str, winner: str | None) -> None:
    found = declared(position, "27")
    assert found == (None if winner is None else Outcome(winner, "declaration"))  # type: ignore[arg-type]


def test_rules_14_and_15_what_a_handicap_left_out_counts_for_white() -> None:
    for points in ("27", "24"):
        for handicap, given in zip(komadai.variant("shogi").handicaps, (1, 1, 5, 5, 6, 10, 11, 12, 13), strict=False):
            game = Game("shogi", handicap.start, entering_king=points)
            with pytest.raises(IllegalMoveError, match=rf"and the pieces given away count {given} points"):
                game.declare()
            game.push(game.position.legal_moves()[0])
            with pytest.raises(IllegalMoveError, match=r"they and the hand count 0 points"):
                game.declare()


@pytest.mark.parametrize(
    ("hand", "outcome"),
    [
        ("RB3P", Outcome("b", "declaration")),  # 31
        ("RB2P", Outcome(None, "declaration")),  # 30
        ("2G2S2P", Outcome(None, "declaration")),  # 24
        ("2G2SP", None),  # 23
    ],
)
def test_rule_15_declaration_by_24_points(hand: str, outcome: Outcome | None) -> None:
    assert declared(f"{ENTERED} b {hand}", "24") == outcome
    theirs = None if outcome is None else Outcome(outcome.winner and "w", "declaration")
    assert declared(with_the_rest(f"{FOR_WHITE} w {hand.lower()}"), "24") == theirs


def test_rule_15_nobody_declares_by_default() -> None:
    assert komadai.variant("shogi").option("entering_king") == "none"
    with pytest.raises(IllegalMoveError, match="the rules in force know no declaration"):
        Game("shogi", f"{ENTERED} b RB3P").declare()


def test_rule_16_resignation_and_time() -> None:
    game = Game("shogi")
    game.resign("b")
    assert game.outcome() == Outcome("w", "resign")
    late = Game("shogi")
    late.claim(Outcome("b", "time"))
    assert late.outcome() == Outcome("b", "time")


def test_rule_16_an_illegal_move_is_refused_or_loses() -> None:
    game = Game("shogi")
    with pytest.raises(IllegalMoveError):
        game.push("7g7e")
    assert game.outcome() is None
    for act in (lambda one: one.push("7g7e"), lambda one: one.declare()):
        strict = Game("shogi", illegal_move="loses", entering_king="24")
        act(strict)
        assert strict.outcome() == Outcome("w", "illegal")


# As tsshogi has them, those of three, five and seven pieces apart, which it lacks.
STARTS = {
    "香落ち": "lnsgkgsn1/1r5b1",
    "右香落ち": "1nsgkgsnl/1r5b1",
    "角落ち": "lnsgkgsnl/1r7",
    "飛車落ち": "lnsgkgsnl/7b1",
    "飛香落ち": "lnsgkgsn1/7b1",
    "二枚落ち": "lnsgkgsnl/9",
    "三枚落ち": "lnsgkgsn1/9",
    "四枚落ち": "1nsgkgsn1/9",
    "五枚落ち": "2sgkgsn1/9",
    "左五枚落ち": "1nsgkgs2/9",
    "六枚落ち": "2sgkgs2/9",
    "左七枚落ち": "2sgkg3/9",
    "右七枚落ち": "3gkgs2/9",
    "八枚落ち": "3gkg3/9",
    "十枚落ち": "4k4/9",
}


def test_rule_17_handicaps() -> None:
    handicaps = komadai.variant("shogi").handicaps
    rest = "ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w -"
    assert {one.kanji: one.start for one in handicaps} == {name: f"{two}/{rest}" for name, two in STARTS.items()}
    page = (ROOT / "docs" / "rules" / "shogi.md").read_text(encoding="utf-8")
    table = page.partition("## Handicaps")[2].partition("\n## ")[0]
    assert re.findall(r"^\| ([a-z, ]+) \| (\S+落ち) \|", table, re.MULTILINE) == [
        (one.name, one.kanji) for one in handicaps
    ]
    assert all(Position("shogi", one.start).turn == "w" for one in handicaps)


def test_rule_18_problems_have_one_king_at_least() -> None:
    bare = "4k4/9/4P4/9/9/9/9/9/9 b G"
    assert [str(move) for move in Engine("shogi").mate(Position.problem("shogi", bare)).pv] == ["G*5b"]
    with pytest.raises(IllegalPositionError):
        Game("shogi", bare)
    with pytest.raises(IllegalPositionError, match="neither side has a king"):
        Position.problem("shogi", "9/9/4P4/9/9/9/9/9/9 b G")


@pytest.mark.parametrize(
    ("position", "move", "why"),
    [
        ("4k4/9/4P4/9/9/9/9/9/9 b P", "P*5e", "nifu"),
        ("7nk/9/7G1/9/9/9/9/9/9 b P", "P*1b", "uchifuzume"),
        ("4k4/9/9/9/9/9/9/9/9 b N", "N*5b", "never move again"),
    ],
)
def test_rule_18_all_other_rules_hold(position: str, move: str, why: str) -> None:
    problem = Position.problem("shogi", position)
    assert move not in legal(problem)
    assert why in problem.explain(move)


def test_rule_18_nothing_attacks_who_has_no_king() -> None:
    assert legal(Position.problem("shogi", "4k4/4r4/9/9/4P4/9/9/9/9 b -")) == {"5e5d"}
    problem = Position.problem("shogi", "7k1/9/9/9/8R/9/9/9/9 b -")
    for move in ("1e2e", "2a1a", "2e1e", "1a2a") * 3:
        problem.push(move)
    assert problem.outcome() == Outcome("w", "perpetual_check"), "rule 12 binds it"
