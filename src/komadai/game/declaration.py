"""Declarations of entered kings: whether one holds, and what it lacks."""

from __future__ import annotations

from collections import Counter

from ..i18n import _, ngettext
from ..spec.board import SIDES
from ..spec.material import royals
from ..spec.names import royal_name
from ..spec.setup import Setup
from ..spec.sfen import start_of
from ..spec.variant import Variant
from .outcome import Outcome


def declared(variant: Variant, setup: Setup, *, in_check: bool) -> Outcome | list[str]:
    """The end of the game if the side to move declares now, or everything that this lacks."""
    rule, side, royal = variant.declaration, setup.turn, royals(variant)
    if rule is None:
        return [_("the rules in force know no declaration")]
    own = [(point, piece.code) for point, piece in enumerate(setup.board) if piece and piece.side == side]
    kings = [point for point, code in own if code in royal]
    entered = [(point, code) for point, code in own if rule.region.contains(variant.board, point, side)]
    others = [code for _point, code in entered if code not in royal]
    lacks = []
    if not kings or len(entered) - len(others) < len(kings):
        region = rule.region.describe()
        lacks.append(_("the {piece} does not stand in {region}", piece=royal_name(variant), region=region))
    if in_check:
        lacks.append(_("the {piece} is in check", piece=royal_name(variant)))
    if len(others) < rule.least:
        lacks.append(
            ngettext(
                "{count} other piece stands there; {least} are needed",
                "{count} other pieces stand there; {least} are needed",
                len(others),
                least=rule.least,
            )
        )
    number, points = SIDES.index(side), dict(rule.points)
    counted = Counter(others) + _held(variant, setup, number)
    given = _missing(variant, setup) if rule.missing_for == side else Counter[str]()
    worth = sum(points.get(code, 1) * count for code, count in (counted + given).items())
    wins = rule.wins[number]
    least = wins if rule.draws is None else rule.draws
    if worth < least:
        words = _("they and the hand count {points} points; {least} are needed", points=worth, least=least)
        if given:
            words = _(
                "they, the hand and the pieces given away count {points} points; {least} are needed",
                points=worth,
                least=least,
            )
        lacks.append(words)
    return lacks or Outcome(side if worth >= wins else None, "declaration")


def _held(variant: Variant, setup: Setup, number: int) -> Counter[str]:
    return Counter(dict(zip(variant.hand_order, setup.hands[number], strict=True)))


def _missing(variant: Variant, setup: Setup) -> Counter[str]:
    """The pieces that the game's own start has and this position has not, as they are held.

    No piece leaves a game in which one declares, so they are those that its start lacked.
    """
    return _material(variant, start_of(variant)) - _material(variant, setup)


def _material(variant: Variant, setup: Setup) -> Counter[str]:
    """The pieces of a position on the board and in the hands, as they are held; no royal ones."""
    held = (variant.kind(piece.code).becomes.captured for piece in setup.board if piece is not None)
    return Counter(code for code in held if code) + _held(variant, setup, 0) + _held(variant, setup, 1)
