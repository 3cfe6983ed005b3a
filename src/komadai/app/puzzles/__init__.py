"""Puzzles: positions in which one move wins, made by the engine and proved by its solvers.

``komadai puzzles mine GAME`` makes a file of them; files for the games come with the package.
``docs/reference/puzzles.md`` says what a puzzle is, how it is proved, and how the files are written.
"""

from __future__ import annotations

from ...spec.variant import Variant
from ...variants import variant_of
from . import files
from .answers import SolverAnswer, judge, onward, refute
from .files import games
from .mine import InterruptedSearchError, mine
from .proofs import Defect, check
from .puzzle import THEMES, Puzzle, Theme

__all__ = [
    "THEMES",
    "Defect",
    "InterruptedSearchError",
    "Puzzle",
    "SolverAnswer",
    "Theme",
    "check",
    "games",
    "judge",
    "load",
    "mine",
    "onward",
    "refute",
]


def load(game: str | Variant, **options: str) -> tuple[Puzzle, ...]:
    """The puzzles of a game, easiest first; none where the package has no file for it.

    A form of another game that has no file of its own shares the other's puzzles: their ``variant`` is the other game.

    Args:
        game: a variant, or its name with rule ``options``.

    Raises:
        NotationError: unknown variant or option.
        PuzzleError: the file is damaged, or was made for other rules.

    Example:
        >>> import komadai
        >>> puzzle = komadai.app.puzzles.load("nana")[0]
        >>> puzzle.task
        'Win in 1 ply'
        >>> komadai.app.puzzles.judge(puzzle, puzzle.solution).verdict
        'solved'
    """
    return files.load(variant_of(game, options))
