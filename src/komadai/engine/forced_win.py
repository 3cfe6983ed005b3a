"""Wins forced within a few turns, not by checks alone (native/forced_win.hpp)."""

from __future__ import annotations

from dataclasses import dataclass

from .. import _core
from ..errors import NotationError
from ..game.position import Position
from ..spec.move import Move

MOST_TURNS = 20


@dataclass(frozen=True, slots=True)
class ForcedWin:
    """The result of a search for a forced win.

    Attributes:
        known: false: the nodes ran out before there was an answer.
        turns: of the attacker, the last included, that win whatever the defender plays; 0: not within those asked for.
        firsts: the attacker's first turns that win so soon: one, unless all were asked for.
        pv: a line to the end in which the defender holds out longest; of a defender that escapes, the turn by which.
        nodes: positions visited.
    """

    known: bool
    turns: int
    firsts: tuple[Move, ...]
    pv: tuple[Move, ...]
    nodes: int


def attack(position: Position, turns: int, nodes: int, *, every: bool = False) -> ForcedWin:
    """Look for a win of the side to move within so many of its turns, against every defence.

    In games of compound moves a win is the extinction of the opponent or a goal, in others any end of the game.

    Args:
        position: not over; it is not changed.
        turns: 1 to 20. ``nodes``: positions to look at.
        every: whether to look for every first turn that wins as soon as the first one found.

    Raises:
        NotationError: ``turns`` is out of range.
    """
    _check(turns)
    return _found(_core.attack(position._native, turns, nodes, every))


def defend(position: Position, turns: int, nodes: int) -> ForcedWin:
    """Look for an escape of the side to move from a loss within so many turns of its opponent; as :func:`attack`."""
    _check(turns)
    return _found(_core.defend(position._native, turns, nodes))


def _check(turns: int) -> None:
    if not 1 <= turns <= MOST_TURNS:
        raise NotationError("forced win", [f"{turns} turns are out of range; expected 1 to {MOST_TURNS}"])


def _found(report: _core.ForcedWinReport) -> ForcedWin:
    return ForcedWin(report.known, report.turns, tuple(report.firsts), tuple(report.line), report.nodes)
