"""A report card as a page by itself: HTML with plots in SVG, which needs nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from ..picture.bars import bars

_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
figure { margin: 1rem 0; display: inline-block; max-width: 100% }
svg { max-width: 100%; height: auto }
dt { font-weight: 600 } dd { margin: 0 0 .5rem }
"""


def page(card: Mapping[str, Any]) -> str:
    """The page of a card."""
    game, first, length, branching = (card[name] for name in ("game", "first", "length", "branching"))
    rows = [
        ("Games", f"{card['games']}, {card['nodes']} positions a move, seed {card['seed']}"),
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
    title = escape(f"{game['name']}: report card")
    listed = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in rows)
    results = [("won", first["wins"]), ("drawn", first["draws"]), ("lost", first["losses"])]
    plots = [
        _plot("Results of the first player", results),
        _plot("Ends", [(reason.replace("_", " "), count) for reason, count in card["ends"].items()]),
        _plot("Games by their length in plies", length["bars"]),
        _plot("Legal moves by ply", branching["bars"]),
    ]
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
        f"<h1>{title}</h1><dl>{listed}</dl>{''.join(plots)}</html>\n"
    )


def _plot(title: str, heights: Sequence[tuple[object, float]]) -> str:
    """A plot of bars with its title."""
    return f"<figure><figcaption>{escape(title)}</figcaption>{bars(title, heights)}</figure>"


def _names(kinds: Sequence[Mapping[str, str]]) -> str:
    return ", ".join(kind["name"] for kind in kinds) or "none"


def _solution(solved: Mapping[str, Any]) -> str:
    if solved["value"] is not None:
        return f"{solved['value']} for the first player"
    return f"no: {solved['why']}" if solved["why"] else f"not yet, of {solved['positions']:,} positions"
