"""The report of a run as a page by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...picture.page import Plot
from ...picture.page import page as page_of
from ...spec.variant import Variant
from ..jobs.rates import duration
from .cycle import Cycle
from .manifest import Manifest

_MOST_BARS = 20
_PLAYED, _LOOKED, _PAIRS = "games", "training", "match"  # steps, as the cycle times them
_RATES = {_PLAYED: "Quiet positions played", _LOOKED: "Positions trained on", _PAIRS: "Games of the match"}


def page(variant: Variant, cycle: Cycle, generations: Sequence[Mapping[str, Any]]) -> str:
    """The page, as far as the run has come.

    Args:
        generations: the results of the nets of the game adopted so far, the first one first.
    """
    m, times, losses, verdict = cycle.manifest, cycle.times(), cycle.losses(), cycle.verdict()
    facts = [*_facts(variant, m), *_training(losses), ("Match", _match(verdict))]
    facts += [
        (_RATES[step], f"{units:,} in {duration(seconds)}, {units / max(seconds, 1e-3):,.3g} a second")
        for step, (units, seconds) in times.items()
    ]
    before = losses.get("before", 0.0)
    gains = [
        (number, round((before - one["held_out"]) * 1000, 2)) for number, one in enumerate(losses.get("epochs", []), 1)
    ]
    elos = [(number, round(max(one["elo"] or 0.0, 0.0))) for number, one in enumerate(generations, 1)]
    plots: list[Plot] = [
        (
            "Loss on positions held out, in thousandths below that of the hand-made evaluation, by epoch",
            _thinned(gains),
        ),
        ("Elo over the generation before", elos),
        ("Seconds by step", [(step, round(seconds)) for step, (_, seconds) in times.items()]),
    ]
    return page_of(f"{variant.name}: learning", facts, [(title, bars) for title, bars in plots if bars])


def _facts(variant: Variant, m: Manifest) -> list[tuple[str, str]]:
    files = f", and {len(m.data)} files of games" if m.data else ""
    return [
        ("Rules", f"{variant.id}, {m.rules}"),
        ("Games", f"{m.positions:,} quiet positions, {m.nodes:,} positions a move, seed {m.seed}{files}"),
        ("Net", f"{m.hidden} hidden units, {m.epochs} epochs, {m.batch:,} positions a step, {m.threads} threads"),
    ]


def _training(losses: Mapping[str, Any]) -> list[tuple[str, str]]:
    if not losses.get("epochs"):
        return []
    last = losses["epochs"][-1]["held_out"]
    facts = [("Loss on positions held out", f"{losses['before']:.5f} by hand, {last:.5f} with the net")]
    if "odds" in losses:
        facts.append(("Score at which the odds to win are e to 1", f"{losses['odds']:,.0f}"))
    if "rounded" in losses:
        facts.append(("The same in whole numbers", f"{losses['rounded']:.5f}"))
    return facts


def _match(verdict: Mapping[str, Any]) -> str:
    if not verdict:
        return "not over"
    said = "accepted" if verdict["accepted"] else "not accepted"
    return (
        f"{said}: {elo_words(verdict)}, +{verdict['wins']} ={verdict['draws']} -{verdict['losses']}, with "
        f"{verdict['nodes']:,} positions a move against {verdict['nodes_before']:,}"
    )


def elo_words(verdict: Mapping[str, Any]) -> str:
    """The strength that the match showed, with its interval."""
    elo, low, high = (verdict[name] for name in ("elo", "low", "high"))
    if None in (elo, low, high):  # all was won, or all was lost
        return "Elo beyond measure"
    return f"Elo {elo:+.0f} (95 %: {low:+.0f} to {high:+.0f})"


def _thinned(bars: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """At most so many bars, the last among them, and none that is negative."""
    step = -(-len(bars) // _MOST_BARS) or 1
    return [(number, max(height, 0.0)) for number, height in bars[::-1][::step][::-1]]
