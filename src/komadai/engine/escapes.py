"""Search for the defences of the side to move, within a limited number of nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..game.position import Position
from ..spec.move import Move
from . import Engine
from .forced_win import defend

NODES = 200_000
"""Node limit of one call of :func:`escape`."""

Chance = Literal["lost", "no check", "escapes", "unknown"]

_QUICK = 2_000  # nodes of the first search of each reply
_REPLY_NODES = 5_000  # nodes of the search for a reply where there is no check


@dataclass(frozen=True, slots=True)
class Escape:
    """The result of :func:`escape`.

    Attributes:
        chance: ``"lost"``: every move loses; ``"no check"``: the side to move is not in check, so that no mate by
            checks alone is under way; ``"escapes"``: ``line[0]`` is a defence; ``"unknown"``: there were too few
            nodes.
        line: the defence, or the longest one where all lose, followed by the opponent's win if it is known.
    """

    chance: Chance
    line: tuple[Move, ...] = ()


def escape(engine: Engine, position: Position, turns: int, nodes: int = NODES) -> Escape:
    """Search for a defence for the side to move.

    Args:
        engine: an engine of the position's game.
        position: a position that is not over; it is not changed.
        turns: the number of turns within which the opponent has to win, 1 to 20; 0: mate by checks alone, in any
            number.
        nodes: approximate limit of the positions visited.

    Raises:
        NotationError: ``turns`` is out of range.
    """
    return _from_loss(position, turns, nodes) if turns else _from_mate(engine, position.copy(), nodes)


def _from_loss(position: Position, turns: int, nodes: int) -> Escape:
    found = defend(position, turns, nodes)
    if not found.known:
        return Escape("unknown")
    return Escape("lost", found.pv) if found.turns else Escape("escapes", found.pv[:1])


def _from_mate(engine: Engine, position: Position, nodes: int) -> Escape:
    if not position.is_check():
        found = engine.search(position, nodes=min(nodes, _REPLY_NODES)).move
        return Escape("no check", (found,) if found else ())
    replies, longest = sorted(position.legal_moves(), key=lambda reply: (reply.is_drop, reply.text)), tuple[Move, ...]()
    for each in min(_QUICK, nodes // len(replies)), nodes // len(replies):
        waiting = []
        for reply in replies:
            position.push(reply)
            mate = engine.mate(position, nodes=max(each, 1))
            position.pop()
            if mate.outcome == "no mate":
                return Escape("escapes", (reply,))
            if mate.outcome == "unknown":
                waiting.append(reply)
            elif len(mate.pv) >= len(longest):
                longest = (reply, *mate.pv)
        if not waiting:
            return Escape("lost", longest)
    return Escape("unknown", tuple(waiting[:1]))
