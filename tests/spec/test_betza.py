"""Betza notation is read as the rules pages use it."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from helpers.support import DEFAULTS, ROOT
from komadai.i18n import speaking
from komadai.spec import Leg, Variant, betza, slide, step
from komadai.spec.betza import ambiguities, betza_text
from komadai.spec.geometry import movement_of

Vectors = set[tuple[int, int]]
AHEAD, BACK, RIGHT, LEFT = (0, 1), (0, -1), (1, 0), (-1, 0)
DIAGONALS = {(1, 1), (1, -1), (-1, -1), (-1, 1)}
W = {AHEAD, BACK, RIGHT, LEFT}


def betza_of_page(page: str) -> list[str]:
    """Every text in the Betza column (``move`` on the page of Ki Shogi) of the page's piece tables."""
    found, column = [], None
    for line in (ROOT / "docs" / "rules" / f"{page}.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) < 3:
            column = None
        elif column is None:
            column = next((number for number, cell in enumerate(cells) if cell in ("Betza", "move")), None)
        elif cells[column].strip("-"):
            found.append(cells[column])
    return found


@pytest.mark.parametrize(("page", "count"), [("nana", 9), ("mortal", 10), ("hand", 11), ("ki", 19)])
def test_every_movement_of_the_rules_pages_parses(page: str, count: int) -> None:
    texts = betza_of_page(page)
    assert len(texts) == count
    for text in texts:
        assert betza(text).legs, text


@pytest.mark.parametrize(
    ("text", "leaps", "slides"),
    [
        ("W", W, {}),
        ("K", W | DIAGONALS, {}),
        ("WfF", W | {(1, 1), (-1, 1)}, {}),
        ("FfW", DIAGONALS | {AHEAD}, {}),
        ("FfrlW", DIAGONALS | {AHEAD, RIGHT, LEFT}, {}),
        ("frlW", {AHEAD, RIGHT, LEFT}, {}),
        ("sW", {RIGHT, LEFT}, {}),
        ("vW", {AHEAD, BACK}, {}),
        ("fF", {(1, 1), (-1, 1)}, {}),
        ("rF", {(1, 1), (1, -1)}, {}),
        ("ffN", {(1, 2), (-1, 2)}, {}),
        ("fN", {(1, 2), (-1, 2), (2, 1), (-2, 1)}, {}),
        ("ffNbbN", {(1, 2), (-1, 2), (1, -2), (-1, -2)}, {}),
        ("rrN", {(2, 1), (2, -1)}, {}),
        ("rlWfDbA", {RIGHT, LEFT, (0, 2), (2, -2), (-2, -2)}, {}),
        ("rlWfbD", {RIGHT, LEFT, (0, 2), (0, -2)}, {}),
        ("DA", {(0, 2), (0, -2), (2, 0), (-2, 0), (2, 2), (2, -2), (-2, 2), (-2, -2)}, {}),
        ("fFbW", {(1, 1), (-1, 1), BACK}, {}),
        ("fbWrlR", {AHEAD, BACK}, {RIGHT: None, LEFT: None}),
        ("rlWfbR", {RIGHT, LEFT}, {AHEAD: None, BACK: None}),
        ("fR", set(), {AHEAD: None}),
        ("fbR", set(), {AHEAD: None, BACK: None}),
        ("bRfB", set(), {BACK: None, (1, 1): None, (-1, 1): None}),
        ("B3", set(), dict.fromkeys(DIAGONALS, 3)),
        ("R12", set(), dict.fromkeys(W, 12)),
        ("fR3B", set(), {AHEAD: 3} | dict.fromkeys(DIAGONALS)),
        ("Q", set(), dict.fromkeys(W | DIAGONALS)),
        ("RF", DIAGONALS, dict.fromkeys(W)),
        ("rbB", set(), {(1, -1): None}),
        ("frF", {(1, 1)}, {}),
        ("flbrF", {(-1, 1), (1, -1)}, {}),
        ("lfA", {(-2, 2)}, {}),
        ("fRrbBlbF", {(-1, -1)}, {AHEAD: None, (1, -1): None}),
        ("fbF", DIAGONALS, {}),
        ("flR", set(), {AHEAD: None, LEFT: None}),
        ("W3", set(), dict.fromkeys(W, 3)),
        ("fF2", set(), {(1, 1): 2, (-1, 1): 2}),
        ("K2", set(), dict.fromkeys(W | DIAGONALS, 2)),
        ("W1", W, {}),
        ("ffN2", set(), {(1, 2): 2, (-1, 2): 2}),
        ("WW", set(), dict.fromkeys(W)),
        ("fFF", set(), {(1, 1): None, (-1, 1): None}),
        ("KK", set(), dict.fromkeys(W | DIAGONALS)),
        ("ffNN", set(), {(1, 2): None, (-1, 2): None}),
        ("frAA", set(), {(2, 2): None}),
        ("vDD", set(), {(0, 2): None, (0, -2): None}),
        ("ffCC", set(), {(1, 3): None, (-1, 3): None}),
        ("H", {(0, 3), (3, 0), (0, -3), (-3, 0)}, {}),
        ("G", {(3, 3), (3, -3), (-3, 3), (-3, -3)}, {}),
        ("flG", {(-3, 3)}, {}),
        ("ffC", {(1, 3), (-1, 3)}, {}),
        ("ssL", {(3, 1), (3, -1), (-3, 1), (-3, -1)}, {}),
        ("bbZ", {(2, -3), (-2, -3)}, {}),
        ("rrJ", {(3, 2), (3, -2)}, {}),
        ("fsN", {(2, 1), (-2, 1)}, {}),
        ("bsN", {(2, -1), (-2, -1)}, {}),
        ("rvN", {(1, 2), (1, -2)}, {}),
        ("frN", {(2, 1)}, {}),
        ("rfN", {(1, 2)}, {}),
        ("lbblN", {(-1, -2), (-2, -1)}, {}),
        ("fffsN", {(1, 2), (-1, 2), (2, 1), (-2, 1)}, {}),
        ("fsF", {(1, 1), (-1, 1)}, {}),
        ("lvB", set(), {(-1, 1): None, (-1, -1): None}),
    ],
)
def test_vectors(text: str, leaps: Vectors, slides: dict[tuple[int, int], int | None]) -> None:
    legs = betza(text).legs
    assert {vector for leg in legs if leg.reach == 1 for vector in leg.vectors} == leaps
    assert {vector: leg.reach for leg in legs if leg.reach != 1 for vector in leg.vectors} == slides


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("", "empty"),
        ("X", "there is no X; expected directions f b l r v s, m, c or p, and an atom W F D A"),
        ("WxF", "there is no x (lending moves to others); expected moves without it"),
        ("WkF", "there is no k; expected"),
        ("RbQq", "there is no q (sliding in a circle); expected a walk"),
        ("fceF", "there is no e (capturing en passant); expected captures without it"),
        ("mfFcfeWimfnA", "there is no e (capturing en passant)"),
        ("ifmnD", "there is no i (a piece's first move); expected a kind of its own"),
        ("nN", "there is no n (a leap that can be blocked)"),
        ("gQ", "there is no g (landing right behind the piece hopped over); expected p"),
        ("jB", "there is no j (jumping over the first point)"),
        ("oR", "there is no o (going over the edge of the board)"),
        ("t[FR]", "there is no t (one move after another)"),
        ("fhN", "there is no h (half of the moves); expected a direction alone, as in fN"),
        ("WÜ", "cannot read 'Ü'; expected directions"),
        ("fmrF", "fmrF has its directions apart; expected frmF"),
        ("W F", "cannot read ' F'"),
        ("fb", "'fb' leads to no atom; expected an atom"),
        ("Wfm", "'fm' leads to no atom; expected an atom"),
        ("3R", "cannot read '3R'"),
        ("R0", "cannot read '0'"),
        ("R1234", "a range of 4 digits"),
        ("ffF", "ffF leaves no direction"),
        ("rrlA", "rrA leaves no direction"),
        ("frlF", "frlF has no one meaning"),
        ("vrB", "vrB has no one meaning"),
        ("frlN", "frlN has no one meaning"),
        ("sfN", "sfN has no one meaning"),
        ("frlK", "frlK has no one meaning"),
        ("frK", "frK has no one meaning"),
        ("fsQ", "fsQ has no one meaning; write its atoms apart, as fsRfsB"),
        ("RR", "RR says more than once how far it goes; expected R"),
        ("BB3", "BB3 says more than once how far it goes; expected B3"),
        ("NN2", "NN2 says more than once how far it goes; expected N2"),
        ("WWW", "WWW says more than once how far it goes; expected W, or WW which rides"),
        ("mcR", "mc contradicts or repeats itself"),
        ("ppR", "pp contradicts or repeats itself"),
        ("mfcR", "mc contradicts or repeats itself"),
        ("pfpR", "pp contradicts or repeats itself"),
        ("pW", "W does not slide, so it hops over nothing; expected pR"),
        ("pN", "N does not slide, so it hops over nothing; expected pNN"),
        ("pR1", "R1 does not slide, so it hops over nothing; expected pR"),
    ],
)
def test_errors_say_where(text: str, fragment: str) -> None:
    with pytest.raises(ValueError, match="Betza") as caught:
        betza(text)
    assert fragment in str(caught.value)
    assert "\n" not in str(caught.value)
    with speaking("ja"), pytest.raises(ValueError, match="Betza") as there:
        betza(text)
    assert not re.search("[a-z]{2,} [a-z]{2,}", str(there.value).replace("fb lr", "")), there.value


@pytest.mark.parametrize("variant", DEFAULTS)
def test_what_is_written_reads_as_the_same_moves(variant: Variant) -> None:
    for kind in variant.kinds:
        movement = movement_of(kind)
        text = betza_text(movement)
        assert (text is None) == bool(movement.walks or movement.shot), kind.code
        assert text is None or betza(text) == movement, kind.code


def test_moves_for_captures_or_quiet_moves_alone_and_hops() -> None:
    cannon = betza("mRcpR")
    assert [(leg.reach, leg.hops, leg.captures) for leg in cannon.legs] == [
        (None, False, "never"),
        (None, True, "must"),
    ]
    assert betza("fmWfcF").legs == (Leg(((0, 1),), captures="never"), Leg(((1, 1), (-1, 1)), captures="must"))
    assert betza("pNN").legs == (Leg(betza("N").legs[0].vectors, None, hops=True),)


@pytest.mark.parametrize(
    ("usual", "others"),
    [
        ("fmWfcF", ["mfWcfF"]),
        ("fmRfcpR", ["mfRcpfR", "mfRcfpR", "mfRpcfR"]),
        ("fpR", ["pfR"]),
        ("ffmN", ["mffN"]),
        ("frblmpB2", ["mpfrblB2", "mfrblpB2", "pmfrblB2"]),
        ("cpR", ["pcR"]),
    ],
)
def test_m_c_and_p_stand_before_or_behind_the_directions_and_are_written_behind(usual: str, others: list[str]) -> None:
    assert betza_text(betza(usual)) == usual
    for other in others:
        assert betza(other) == betza(usual)
        assert betza_text(betza(other)) == usual


def test_single_diagonals_are_written_as_pairs() -> None:
    assert betza_text(step((1, 1))) == "frF"
    assert betza_text(slide((1, 1), (-1, -1))) == "frblB"


LEAPS = ("W", "F", "D", "A", "N", "H", "C", "Z", "G")


@pytest.mark.parametrize("atom", LEAPS)
def test_every_set_of_vectors_of_an_atom_is_written(atom: str) -> None:
    """With each reach, alone and behind the atom itself, which a letter after itself would turn into a rider."""
    vectors = betza(atom).legs[0].vectors
    for count in range(1, len(vectors) + 1):
        for chosen in combinations(vectors, count):
            for reach in (1, 2, None):
                movement = slide(*chosen, reach=reach)
                text = betza_text(movement)
                assert text is not None
                assert betza(text) == movement, text
                for other in (step(*vectors), slide(*vectors), slide(*vectors, reach=2)):
                    both = betza_text(other | movement)
                    assert both is not None
                    assert betza(both).legs in {(other | movement).legs, movement.legs}, both


def test_what_betza_cannot_say_is_not_written() -> None:
    assert betza_text(step((1, 4))) is None
    assert betza_text(step((4, 0))) is None
    assert betza_text(step((0, 1), (1, 1))) is None
    assert betza_text(betza("W").times(2)) is None


def test_one_letter_for_four_of_eight_vectors_is_ambiguous_and_not_written() -> None:
    assert list(ambiguities("fNRsmC3")) == [("fN", "fffsN", "ffN"), ("smC3", "mC3", "ssmC3")]
    assert not list(ambiguities("fFfWffNfsNrfNNfbRlrBsD"))
    assert betza_text(betza("fNrC")) == "fffsNrrrvC"
