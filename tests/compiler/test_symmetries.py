"""The symmetries of the rules, which are found and not declared."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product

import pytest

import komadai
from helpers import madeup
from helpers.madeup import forbid
from helpers.solved import TINY
from helpers.support import SHELF, random_play, strewn_positions
from helpers.volume import FULL, one_in
from komadai.compiler.symmetries import keeps_rules, symmetries
from komadai.game.position import Position
from komadai.spec.board import Rect, Squares, Unbounded
from komadai.spec.conditions import At, Has, Is
from komadai.spec.material import royals
from komadai.spec.rules import Rule
from komadai.spec.setup import Setup
from komadai.spec.symmetry import IDENTITY, MAPS, TURN, Symmetry
from komadai.spec.variant import Variant

LEFT_RIGHT, AHEAD_BACK = (-1, 0, 0, 1), (1, 0, 0, -1)
USUAL = {(IDENTITY, False), (LEFT_RIGHT, False), (AHEAD_BACK, True), (TURN, True)}
OPPOSED = {"HON": "ZOU", "ZOU": "HON", "GA": "KEN", "KEN": "GA"}

GAMES = [
    *(pytest.param(komadai.variant(name), id=name) for name in komadai.variants(shelf=False) if name != "ko"),
    pytest.param(komadai.variant("ko"), id="ko", marks=pytest.mark.slow),
    pytest.param(komadai.variant("ki", field="5x5"), id="ki-5x5"),
    pytest.param(komadai.variant("ki", field="9x5"), id="ki-9x5"),
    *one_in(3, SHELF),
]
# Each condition is in one of them. Where the anchor slides, pieces leave the window, which has another middle for the
# other side.
MADE_UP = [
    *(spec for spec in (*madeup.PLAYABLE, *madeup.TURNS) if spec.id != "fast-anchor"),
    *(madeup.with_condition(*asked, event) for asked in madeup.CONDITIONS for event in ("drops", "lands", "always")),
]
EVEN_MOVES = {
    "R": "W", "L": "W", "S": "F", "P": "F", "D": "WA", "E": "D", "+R": "WF", "+S": "A", "+L": "WD", "+P": "FA"
}  # fmt: skip


def evenly(name: str, *rules: Rule, **more: object) -> Variant:
    """A game whose board and pieces have every symmetry, and some kinds a twin: what breaks one is a rule alone."""
    return madeup.small(
        f"{name}-evenly",
        *rules,
        start="2rk2/1s2l1/p4d/D4P/1L2S1/2KR2 b -",
        kinds=(
            madeup.KING,
            *(madeup.kind(code, move, captured=code if code in "RLSPD" else None) for code, move in EVEN_MOVES.items()),
        ),
        board=Rect(6, 6),
        zone=None,
        **more,
    )


EVEN = [
    *(evenly(name, forbid("lands", condition)) for name, condition in madeup.CONDITIONS),
    evenly("survives", survives_if=Has(("K",)) & Has(("R",))),
    evenly("wins", wins_if=~Has(("S",))),
]


@cache
def found(which: Variant) -> tuple[Symmetry, ...]:
    return symmetries(which)


def renamed(which: Variant, symmetry: Symmetry) -> dict[str, str]:
    codes = [kind.code for kind in which.kinds]
    return {old: codes[new] for old, new in zip(codes, symmetry.kinds, strict=True) if codes[new] != old}


@pytest.mark.parametrize("which", GAMES)
def test_every_game_has_the_usual_ones(which: Variant) -> None:
    """Left and right, and the sides exchanged with the board turned, or with the ranks in the opposite order."""
    quails = {"L": "R", "R": "L"} if which.id == "tori" else {}
    plain = {(one.map, one.exchanges) for one in found(which) if renamed(which, one) in ({}, quails)}
    # Where one side loses by repetition the sides differ.
    usual = USUAL if which.repetition.loser is None else {one for one in USUAL if not one[1]}
    assert plain == usual
    same = tuple(range(len(which.kinds)))
    assert found(which)[0] == Symmetry(IDENTITY, False, same)
    for by, exchanges in product(MAPS, (False, True)):
        assert keeps_rules(which, by, exchanges=exchanges) == (Symmetry(by, exchanges, same) in found(which))
    assert len(found(which)) == len(usual) * (2 if which.id == "ki" else 1)


@pytest.mark.parametrize("field", ["unbounded", "5x5", "9x5"])
def test_ki_is_the_same_back_to_front_with_four_faces_exchanged(field: str) -> None:
    ki = komadai.variant("ki", field=field)
    opposed = {(one.map, one.exchanges) for one in found(ki) if renamed(ki, one) == OPPOSED}
    assert opposed == {(by, not exchanges) for by, exchanges in USUAL}


def test_a_rule_about_a_square_breaks_them() -> None:
    assert len(symmetries(TINY)) > 1
    corner = replace(TINY, rules=(*TINY.rules, forbid("drops", At(Squares(("1a",))))))
    assert {one.map for one in symmetries(corner)} == {IDENTITY}


def test_a_rule_about_one_of_two_kinds_breaks_what_exchanges_them() -> None:
    ki = komadai.variant("ki", field="5x5")
    only = replace(ki, rules=(*ki.rules, forbid("lands", Is(("HON",)) & At(Squares(("3c",))))))
    assert {(one.map, one.exchanges) for one in symmetries(only)} == USUAL


def after(position: Position) -> set[Setup]:
    found = set()
    for move in position.legal_moves():
        twin = position.copy()
        twin.push(move)
        found.add(replace(twin.setup(), ply=1))
    return found


def images(which: Variant, position: Position) -> list[tuple[Symmetry, Position]]:
    """The images of a position that can be written down."""
    royal = sum(piece is not None and piece.code in royals(which) for piece in position.board)
    if isinstance(which.board, Unbounded) and royal < 2:
        return []  # which side has the middle of the window is no symmetry
    made = [(one, one.image(which, position.setup())) for one in found(which)]
    return [(one, Position(which, image)) for one, image in made if image]


@pytest.mark.parametrize("which", [*GAMES, *(pytest.param(spec, id=spec.id) for spec in (*MADE_UP, *EVEN))])
def test_moves_and_ends_are_kept(which: Variant) -> None:
    met = 0
    # Without edges pieces as far away as they can be strewn would leave the window, which play never does.
    some = random_play if isinstance(which.board, Unbounded) else strewn_positions
    for position, _ in some(which, seed=1, positions=80 if FULL else 3):
        for symmetry, image in images(which, position):
            met += 1
            then = [symmetry.image(which, one) for one in after(position)]
            assert {replace(one, ply=1) for one in then if one} == after(image)
            ends = [getattr(one.outcome(), "reason", None) for one in (position, image)]
            assert ends[0] == ends[1]
            again = [two for _, two in images(which, image) if two.key() == position.key()]
            assert {replace(one.setup(), ply=1) for one in again} == {replace(position.setup(), ply=1)}
    assert met >= (40 if FULL else 1)
