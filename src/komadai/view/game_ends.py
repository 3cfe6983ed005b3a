"""The ways in which a game ends, in sentences of the current language."""

from __future__ import annotations

from ..i18n import _, ngettext
from ..spec.names import kind_name
from ..spec.variant import Variant


def ends(v: Variant) -> list[str]:
    """The ends of a game, from its spec."""
    king = next((kind for kind in v.kinds if kind.royal), None)
    repetition = v.repetition
    said = [
        _(
            "Checkmate wins: attack the {piece} so that no move saves it. A player with no legal move also loses.",
            piece=kind_name(king),
        )
        if king
        else _(
            "A side that no longer has the pieces it needs to stay in the game loses, "
            "and so does a side with no legal move."
        ),
        ngettext(
            "The game is drawn when a position occurs for the {count}th time.",
            "The game is drawn when a position occurs for the {count}th time.",
            repetition.count,
        ),
    ]
    if repetition.perpetual_check_loses:
        said.append(
            _("But if one side alone has given check with every move since the first occurrence, that side loses.")
        )
    if v.agreement is not None:
        said.append(_("Once both royal pieces have entered the other’s camp, the players may agree a draw."))
    if v.match_wins:
        said.append(ngettext("{count} win takes the match.", "{count} wins in a row take the match.", v.match_wins))
    return said
