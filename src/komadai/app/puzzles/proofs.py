"""Puzzles proved again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...errors import KomadaiError
from ...typed import typed
from .puzzle import WINS, Puzzle
from .themes import Prover, provers


@dataclass(frozen=True, slots=True)
class Defect:
    """A puzzle that is wrong, and why."""

    puzzle: Puzzle
    why: str


@typed
def check(puzzles: Iterable[Puzzle], times: int = 1) -> Iterator[Defect | None]:
    """Prove each puzzle as when it was made, with so many ``times`` the nodes: ``None`` for one that is right."""
    found: dict[object, Prover | None] = {}
    for puzzle in puzzles:
        key = (puzzle.variant, puzzle.theme)
        if key not in found:
            found[key] = next(iter(provers(*key, times)), None)
        why = _defect(puzzle, found[key])
        yield Defect(puzzle, why) if why else None


def _defect(puzzle: Puzzle, solver: Prover | None) -> str:
    """Why the puzzle is wrong; empty if it is right."""
    if solver is None:
        return f"there is nothing to prove the theme {puzzle.theme!r} with"
    try:
        end = puzzle.start()
        for move in puzzle.solution:
            end.push(move)
    except KomadaiError as error:
        return f"it cannot be played: {error}"
    outcome = end.outcome()
    if puzzle.theme in WINS and (outcome is None or outcome.winner != puzzle.turn):
        return "its solution does not end with the win"
    proved = solver.prove(puzzle.start())
    if proved is None:
        return f"that {puzzle.solution[0]} alone is right is not proved"
    # How long a search's line is to the gain depends on how deep it looks.
    proved_plies = proved.plies if puzzle.theme in WINS else puzzle.plies
    if (proved.solution[0], proved_plies) != (puzzle.solution[0], puzzle.plies):
        return f"{proved.solution[0]} is right, in {proved.plies} plies, not {puzzle.solution[0]} in {puzzle.plies}"
    return ""
