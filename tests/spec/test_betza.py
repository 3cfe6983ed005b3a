"""Betza notation is read as the rules pages use it."""

from __future__ import annotations

import pytest

from helpers.support import DEFAULTS, ROOT
from komadai.spec.betza import betza, betza_text
from komadai.spec.geometry import movement_of
from komadai.spec.movement import Leg, slide, step
from komadai.spec.variant import Variant

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
        ("X", "cannot read 'X'"),
        ("WxF", "cannot read 'xF'"),
        ("RbQq", "cannot read 'q'"),
        ("W F", "cannot read ' F'"),
        ("fb", "cannot read 'fb'"),
        ("3R", "cannot read '3R'"),
        ("R0", "cannot read '0'"),
        ("W3", "W does not slide"),
        ("N2", "N does not slide"),
        ("ffF", "ffF leaves no direction"),
        ("frlF", "frlF has no one meaning"),
        ("fsB", "fsB has no one meaning"),
        ("frN", "frN has no one meaning"),
        ("frlK", "frlK has no one meaning"),
        ("frK", "frK has no one meaning"),
        ("NN", "NN is a rider"),
        ("mcR", "mc contradicts or repeats itself"),
        ("ppR", "pp contradicts or repeats itself"),
        ("pW", "W does not slide, so it hops over nothing"),
        ("WW", "WW is a rider"),
    ],
)
def test_errors_say_where(text: str, fragment: str) -> None:
    with pytest.raises(ValueError, match="Betza") as caught:
        betza(text)
    assert fragment in str(caught.value)
    assert "\n" not in str(caught.value)


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
    assert betza("mfWcfF").legs == (Leg(((0, 1),), captures="never"), Leg(((1, 1), (-1, 1)), captures="must"))
    for text in ("mRcpR", "pB2", "mfWcfF", "cpfR"):
        assert betza_text(betza(text)) == text


def test_single_diagonals_are_written_as_pairs() -> None:
    assert betza_text(step((1, 1))) == "frF"
    assert betza_text(slide((1, 1), (-1, -1))) == "frblB"


def test_what_betza_cannot_say_is_not_written() -> None:
    assert betza_text(step((1, 2))) is None
    assert betza_text(step((3, 0))) is None
    assert betza_text(slide((2, 0), reach=2)) is None
    assert betza_text(betza("W").times(2)) is None
