"""The check of moves and un-moves that a table by relative places is solved with."""

from __future__ import annotations

from dataclasses import dataclass

from .. import _core
from ..compiler import compile_variant
from ..errors import SpecError
from ..game.position import Position
from ..spec.variant import Variant
from .shape import index_of, shape_of
from .table import Progress, silent


@dataclass(frozen=True, slots=True)
class MovesCheck:
    """The result of :func:`check_moves`.

    Attributes:
        positions: those looked at. ``stranded``: those of them with cubes that a move has left without support.
        moves: legal moves of all of them. ``unmoves``: positions before one of them.
        wrong: position strings of those where moves and un-moves do not fit together.
    """

    positions: int
    stranded: int
    moves: int
    unmoves: int
    wrong: tuple[str, ...]


def check_moves(
    variant: Variant, count: int, *, seed: int = 0, threads: int = 2, progress: Progress = silent
) -> MovesCheck:
    """Hold the solver's moves and un-moves against the generic path of the move generator, on random positions.

    The solver's moves must lead to the same positions as the generic ones; each position after a move must have the
    one before it among its un-moves, as often as moves lead there; and each un-move must have such moves.

    Raises:
        SpecError: the variant's positions are not numbered by relative places, or cannot be solved.
    """
    compiled = compile_variant(variant)
    index = index_of(compiled, shape_of(variant))
    if not isinstance(index, _core.RelativeIndex):
        raise SpecError(variant.id, ["its positions are not numbered by the relative place of the royal pieces"])
    parts, done = -(-count // 1000), 0

    def tick(_part: int) -> None:
        nonlocal done
        done += 1
        progress("moves", done, parts)

    found = _core.check_moves(index, count, seed, threads, tick)
    wrong = tuple(Position._around(compiled, index.position(slot)).sfen() for slot in found.wrong)
    return MovesCheck(found.positions, found.stranded, found.moves, found.unmoves, wrong)
