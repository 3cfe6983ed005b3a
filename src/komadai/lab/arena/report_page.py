"""A report card as a page by itself: HTML with plots in SVG, which needs nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...picture.page import page as page_of


def page(card: Mapping[str, Any]) -> str:
    """The page of a card."""
    game, first, length, branching = (card[name] for name in ("game", "first", "length", "branching"))
    rows = [
        (
            "Games",
            f"{card['games']}, {card['nodes']} positions a move, {card['opening']} random moves, seed {card['seed']}",
        ),
        ("Rules", game["hash"]),
        ("First player", f"{first['share']:.1%} ± {first['error']:.1%} of the points"),
        ("Plies", f"{length['mean']:g} in the mean, {length['shortest']} to {length['longest']}"),
        ("Legal moves", f"{branching['mean']:g} in the mean, {branching['most']} at most"),
        ("Repetition", f"a position occurred {card['recurrence']} times in one game at most"),
        ("Forced wins", f"seen in {card['mates']['announced']} games, won in {card['mates']['won']}"),
        ("Kinds never on the board", _names(card["unseen"])),
        ("Kinds that never moved", _names(card["unmoved"])),
        ("Rules that made no difference", "; ".join(rule["words"] for rule in card["idle"]) or "none"),
        ("Solved", _solution(card["solved"])),
    ]
    results = [("won", first["wins"]), ("drawn", first["draws"]), ("lost", first["losses"])]
    plots = [
        ("Results of the first player", results),
        ("Ends", [(reason.replace("_", " "), count) for reason, count in card["ends"].items()]),
        ("Games by their length in plies", length["bars"]),
        ("Legal moves by ply", branching["bars"]),
    ]
    return page_of(f"{game['name']}: report card", rows, plots)


def _names(kinds: Sequence[Mapping[str, str]]) -> str:
    return ", ".join(kind["name"] for kind in kinds) or "none"


def _solution(solved: Mapping[str, Any]) -> str:
    if solved["value"] is not None:
        return f"{solved['value']} for the first player"
    return str(solved["why"]) if solved["why"] else f"not yet, of {solved['positions']:,} positions"
