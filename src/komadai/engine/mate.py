"""Forced mates: what df-pn over checks has found (native/mate.hpp)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .. import _core
from ..compiler import compile_variant
from ..game.position import Position
from ..spec.move import Move
from ..spec.variant import Variant

Verdict = Literal["unknown", "mate", "no mate"]
_VERDICTS: dict[_core.Verdict, Verdict] = {
    _core.Verdict.UNKNOWN: "unknown",
    _core.Verdict.MATE: "mate",
    _core.Verdict.NO_MATE: "no mate",
}


@dataclass(frozen=True, slots=True)
class Mate:
    """The result of a mate search.

    Attributes:
        outcome: ``"mate"``: every defence loses; ``"no mate"``: not by checks alone; ``"unknown"``: see ``why``.
        pv: of a mate, a line to its end. No defence holds out longer against the mate found.
        nodes: positions visited. ``seconds``: wall time.
        why: what kept the search from an answer; empty if there is one.
        shortest: no mate by checks alone takes fewer plies than ``pv`` against every defence. Otherwise the length of
            ``pv`` is an upper bound.
    """

    outcome: Verdict
    pv: tuple[Move, ...]
    nodes: int
    seconds: float
    why: str = ""
    shortest: bool = False


def can_mate(variant: Variant) -> bool:
    """True if the game has mate search: one royal piece a side, and no compound moves."""
    tables = compile_variant(variant).tables
    return tables.single_royal and tables.compound is None


def find_mate(solver: _core.MateSolver, position: Position, nodes: int, seconds: float, shortest: bool) -> Mate:
    """Look for a mate within these limits, and for the ``shortest`` if asked to; 0 seconds are no limit."""
    if not can_mate(position.variant):
        why = f"mates are looked for in games of one king a side and one landing a turn; {position.variant.id} is none"
        return Mate("unknown", (), 0, 0.0, why)
    report = solver.solve(position._native, nodes, seconds, shortest)
    outcome = _VERDICTS[report.verdict]
    why = "" if report.line or outcome == "no mate" else "no answer was found in time"
    return Mate(outcome, tuple(report.line), report.nodes, report.seconds, why, report.shortest)
