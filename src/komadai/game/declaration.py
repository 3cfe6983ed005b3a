"""Declarations of entered kings: whether one holds, and what it lacks."""

from __future__ import annotations

from ..i18n import _, ngettext
from ..spec.board import SIDES
from ..spec.material import royals
from ..spec.names import royal_name
from ..spec.setup import Setup
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
    counted = sum(points.get(code, 1) for code in others)
    counted += sum(
        points.get(code, 1) * count for code, count in zip(variant.hand_order, setup.hands[number], strict=True)
    )
    wins = rule.wins[number]
    least = wins if rule.draws is None else rule.draws
    if counted < least:
        lacks.append(_("they and the hand count {points} points; {least} are needed", points=counted, least=least))
    return lacks or Outcome(side if counted >= wins else None, "declaration")
