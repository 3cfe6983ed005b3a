"""The special rules and the ends of a game, from its spec, in sentences of the current language."""

from __future__ import annotations

from dataclasses import dataclass

from ..game.outcome import Reason
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


def wins(v: Variant) -> dict[Reason, str]:
    """How a game is won, from its spec, by the reason of the end; a side with no legal move loses in all."""
    king = next((kind for kind in v.kinds if kind.royal), None)
    found: dict[Reason, str] = {}
    if king:
        found["checkmate"] = _(
            "Checkmate wins: attack the {piece} so that no move saves it. A player with no legal move also loses.",
            piece=kind_name(king),
        )
    else:
        lost: Reason = "checkmate" if v.extinction.guarded else "extinction"
        found[lost if v.survives_if is not None else "stalemate"] = _(
            "A side that no longer has the pieces it needs to stay in the game loses, "
            "and so does a side with no legal move."
        )
    if v.wins_if is not None:
        found["goal"] = _("A side also wins in another way: {goal}.", goal=_(v.goal))
    return found


def other_ends(v: Variant) -> list[str]:
    """How else a game ends, from its spec."""
    repetition = v.repetition
    said = [
        ngettext(
            "The game is drawn when a position has occurred {count} time.",
            "The game is drawn when a position has occurred {count} times.",
            repetition.count,
        )
        if repetition.loser is None
        else _(
            "{side} loses when a position has occurred {count} times.",
            side=side_name(repetition.loser),
            count=repetition.count,
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


def ends(v: Variant) -> list[str]:
    """The ends of a game, from its spec."""
    return [*wins(v).values(), *other_ends(v)]
