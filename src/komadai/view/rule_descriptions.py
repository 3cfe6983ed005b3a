"""The special rules and the ends of a game, from its spec, in sentences of the current language."""

from __future__ import annotations

from dataclasses import dataclass

from ..i18n import _, ngettext
from ..spec.names import kind_name, side_name
from ..spec.rules import Event
from ..spec.variant import Variant
from . import piece_descriptions
from .survival import concerned


@dataclass(frozen=True, slots=True)
class SpecialRule:
    """A rule in words: its event, its place on the rules page, and the kinds that it concerns (none: all)."""

    event: Event
    words: str
    source: str
    codes: tuple[str, ...]


def special_rules(v: Variant) -> list[SpecialRule]:
    """The special rules, each once."""
    order = [kind.code for kind in v.kinds]
    found: dict[tuple[Event, str, str], set[str]] = {}
    for rule in v.rules:
        codes = found.setdefault((rule.event, piece_descriptions.rule_words(v, rule), rule.source), set())
        codes |= concerned(v, rule)
    return [
        SpecialRule(event, words, source, tuple(sorted(codes, key=order.index)))
        for (event, words, source), codes in found.items()
    ]


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
        )
        if repetition.loser is None
        else _(
            "{side} loses when a position occurs for the {count}th time.",
            side=side_name(repetition.loser),
            count=repetition.count,
        ),
    ]
    if v.wins_if is not None:
        said.insert(1, _("A side also wins in another way: {goal}.", goal=_(v.goal)))
    if repetition.perpetual_check_loses:
        said.append(
            _("But if one side alone has given check with every move since the first occurrence, that side loses.")
        )
    if v.agreement is not None:
        said.append(_("Once both royal pieces have entered the other’s camp, the players may agree a draw."))
    if v.match_wins:
        said.append(ngettext("{count} win takes the match.", "{count} wins in a row take the match.", v.match_wins))
    return said
