"""What the table of a solved game says of a game being played: the value of every move, and what was thrown away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...game.position import Position
from ...i18n import _
from ...notation import of as notation_of
from ...solve import MoveValue, Table, Value
from ...spec.move import Move
from ...spec.sfen import parse
from ...spec.variant import Variant
from ..schema import encode

Judged = dict[str, Any]
"""What is told of a move's value."""

_MOST = 1000  # more puzzles than a table names
_DRAW = Value("draw", None)


@dataclass(frozen=True, slots=True)
class Study:
    """What is told of a game: the value of its position, every legal move, best first, every move that was played."""

    value: dict[str, Any] | None
    moves: list[dict[str, Any]]
    played: list[Judged | None]


def study(
    table: Table, start: Position, moves: Sequence[Move], known: Sequence[Judged | None] = (), over: bool = False
) -> Study:
    """Look a game up in the table.

    Args:
        known: what an earlier study told of the first moves, which are the same.
        over: whether nothing more is to be told of the last position, because it ends the game.

    Raises:
        TableError: the table's file turns out to be damaged.
    """
    position = start.copy()
    played = list(known)
    for number, move in enumerate(moves):
        if number >= len(known):
            worth = values(table, position)
            played.append(next((_judged(one, worth[0]) for one in worth if one.move == move), None))
        position.push(move)
    value = None if over else table.probe(position)
    worth = [] if value is None else values(table, position)
    if worth:
        value = worth[0].value
    told = None if value is None else _value(value)
    return Study(told, [_known(one, worth[0], position) for one in worth], played)


def values(table: Table, position: Position) -> list[MoveValue]:
    """Every legal move with its value, best first.

    The table does not know what was played before; a move that brings an end by that (a repetition) is worth that end.
    """
    found, twin = table.moves(position), position.copy()
    told: list[tuple[Move, Value]] = []
    for known in found:
        twin.push(known.move)
        outcome = twin.outcome() if known.value.distance != 1 else None
        twin.pop()
        if outcome is None:
            told.append((known.move, known.value))
        elif outcome.winner is None:
            told.append((known.move, _DRAW))
        else:
            told.append((known.move, Value("win" if outcome.winner == position.turn else "loss", 1)))
    if [value for _, value in told] == [known.value for known in found]:
        return found
    told.sort(key=lambda one: one[1].rank, reverse=True)
    best = told[0][1]
    return [MoveValue(move, value, value == best, value.rank[0] < best.rank[0]) for move, value in told]


def _value(value: Value) -> dict[str, Any]:
    return {"outcome": value.outcome, "distance": value.distance}


def _judged(one: MoveValue, best: MoveValue) -> Judged:
    """A move's value to the side making it; ``threw`` is the value it threw away, if it is a blunder."""
    threw = _value(best.value) if one.blunder else None
    return _value(one.value) | {"best": one.best, "blunder": one.blunder, "threw": threw}


def _known(one: MoveValue, best: MoveValue, position: Position) -> dict[str, Any]:
    v = position.variant
    entry = encode.move_entry(v, position.turn, one.move, notation_of(v).write(position, one.move))
    return entry | _judged(one, best)


# --- Puzzles --------------------------------------------------------------------------------------------------------


def puzzles(table: Table) -> list[dict[str, Any]]:
    """The hardest wins of a table, with what is needed to draw them."""
    told = []
    for puzzle in table.hardest(_MOST):
        setup = parse(table.variant, puzzle.position)
        told.append(
            {
                "position": puzzle.position,
                "distance": puzzle.distance,
                "winning": puzzle.winning,
                "turn": setup.turn,
                **encode.pieces(table.variant, setup),
            }
        )
    return told


def puzzle(table: Table | None, position: str) -> dict[str, int] | None:
    """What is to be found in the position, if it is one of the hardest wins."""
    found = None if table is None else next((p for p in table.hardest(_MOST) if p.position == position), None)
    return None if found is None else {"distance": found.distance, "winning": found.winning}


def table_words(v: Variant) -> str:
    """Why there is nothing to be told of an unsolved variant."""
    return _("{game} with these rules is not solved here: there is no table of its positions.", game=_(v.name))
