"""Doubts about a game that can be played: what nothing leads to, or what its author can hardly mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..game.late import above
from ..i18n import _
from ..spec.betza import ambiguities
from ..spec.board import SIDES
from ..spec.conditions import GivesCheck, Mates
from ..spec.geometry import movement_of
from ..spec.logic import atoms, turned_by
from ..spec.material import royals
from ..spec.names import kanji_on
from ..spec.promotion import faces, successors
from ..spec.rules import Become
from ..spec.sfen import parse
from ..spec.variant import Variant
from .places import Path

Doubt = tuple[Path, str, int | None]
"""A place, what is doubtful there, and where in its text."""


def idle(variant: Variant) -> Iterator[Doubt]:
    """Doubts about what nothing leads to; there is none if something does under another value of an option."""
    board, hands = _reached(variant)
    for number, kind in enumerate(variant.kinds):
        if kind.code not in board | hands:
            words = _(
                "nothing leads to {code}: it is not in the start, and no piece becomes it, taken or dropped",
                code=kind.code,
            )
            yield ("kinds", number), words, None
    for code in variant.hand_order:
        if code in board - hands and variant.kind(code).becomes.captured is None:  # one that changes hands may be last
            words = _(
                'nothing brings {code} to a hand; expected becomes.captured = "{code}" of a kind that can be captured,'
                " or {code} in a hand of the start",
                code=code,
            )
            yield ("hand_order",), words, None
    if variant.zone is not None and not any(kind.becomes.zone for kind in variant.kinds):
        yield ("zone",), _("the zone changes nothing; expected becomes.zone of a kind, or no zone"), None


def odd(variant: Variant) -> Iterator[Doubt]:
    """Doubts about what its author can hardly mean."""
    yield from _ends(variant)
    yield from _second_kings(variant)
    for number, kind in enumerate(variant.kinds):
        if isinstance(kind.move, str):
            for part, here, there in ambiguities(kind.move):
                words = _(
                    "{part} is {here} here, where other programs read {there}; expected one of these two",
                    part=part,
                    here=here,
                    there=there,
                )
                yield ("kinds", number, "move"), words, kind.move.index(part)
    yield from _outlines(variant)


def _reached(variant: Variant) -> tuple[set[str], set[str]]:
    """The kinds that can be on the board and those that can be in a hand, from the start and all handicaps on."""
    setups = [parse(variant, text) for text in (variant.start, *(one.start for one in variant.handicaps))]
    board = {piece.code for setup in setups for piece in setup.board if piece is not None}
    hands = {
        code
        for setup in setups
        for hand in setup.hands
        for code, count in zip(variant.hand_order, hand, strict=True)
        if count
    }
    while True:
        before = len(board), len(hands)
        for kind in map(variant.kind, tuple(board)):
            board.update(successors(kind))
            if kind.becomes.captured is not None:
                hands.add(kind.becomes.captured)
        for rule in variant.rules:
            if isinstance(rule.action, Become) and turned_by(rule, board):
                board.add(rule.action.into)
        for code in hands:
            board.update(faces(variant, code))
        if before == (len(board), len(hands)):
            return board, hands


def _ends(variant: Variant) -> Iterator[Doubt]:
    """Games that need a royal piece, or another end."""
    if royals(variant):
        return
    for number, rule in enumerate(variant.rules):
        for atom in atoms(rule.when):
            if isinstance(atom, (Mates, GivesCheck)) and variant.survives_if is None:
                words = _(
                    "{condition} never holds, since no kind is royal; expected royal = true of a kind",
                    condition=type(atom).__name__,
                )
                yield ("rules", number, "when"), words, None
    if variant.survives_if is None and variant.wins_if is None and not _runs_out(variant):
        words = _(
            "no kind is royal, and there is neither wins_if nor survives_if: a side loses only without a legal move;"
            " expected royal = true of a kind, or wins_if or survives_if"
        )
        yield ("kinds",), words, None


def _runs_out(variant: Variant) -> bool:
    """True if every move captures for good or leads forward, so that a side must run out of them."""
    legs = [leg for kind in variant.kinds for leg in movement_of(kind).legs]
    walks = [walk for kind in variant.kinds for walk in movement_of(kind).walks]
    return not variant.hand_order and all(
        captures == "must" or all(ahead > 0 for _right, ahead in vectors)
        for vectors, captures in [*((leg.vectors, leg.captures) for leg in legs), *((w.vectors, "may") for w in walks)]
    )


def _second_kings(variant: Variant) -> Iterator[Doubt]:
    """Kinds that are not royal and become so."""
    royal = royals(variant)
    for number, kind in enumerate(variant.kinds):
        if kind.code in royal:
            continue
        becomes = kind.becomes
        ways: dict[str, Any] = {
            "quiet": becomes.quiet,
            "captures": becomes.captures,
            "zone": becomes.zone,
            "captured": (becomes.captured,),
            "dropped": becomes.dropped,
            "captures_promote_to": (becomes.captures_promote_to,),
        }
        for field, codes in ways.items():
            for code in royal.intersection(codes):
                words = _(
                    "so a side gets another {code}, which is royal, and all its royal pieces must be safe at once;"
                    " expected a kind that is not royal",
                    code=code,
                )
                yield ("kinds", number, "becomes", field), words, None


def _outlines(variant: Variant) -> Iterator[Doubt]:
    """Kanji that pictures cannot draw."""
    has_outlines = above("picture.svg").has_outlines
    lacking = {
        number: dict.fromkeys(sign for side in SIDES for sign in kanji_on(kind, side) if not has_outlines(sign))
        for number, kind in enumerate(variant.kinds)
    }
    signs = "".join(dict.fromkeys(sign for found in lacking.values() for sign in found))
    if signs:
        numbers = [number for number, found in lacking.items() if found]
        codes = " ".join(variant.kinds[number].code for number in numbers)
        words = _(
            "there is no outline of {signs}: in pictures and on paper letters stand on {codes};"
            " the browser shows their kanji",
            signs=signs,
            codes=codes,
        )
        yield ("kinds", numbers[0], "kanji"), words, None
