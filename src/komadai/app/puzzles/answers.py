"""Answers to a solver's moves: whether they still win, what the opponent replies, and why a wrong one fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from ...engine import Engine
from ...engine.escapes import Escape, escape
from ...errors import NotationError, PuzzleError
from ...game.position import Position
from ...i18n import _
from ...solve import Table, obtain
from ...spec.move import Move
from ...spec.variant import Variant
from ...typed import typed
from .puzzle import WINS, Puzzle, key_after, reordered
from .searched import GAIN, MARGIN, Material, won

Verdict = Literal[
    "solved", "right", "no check", "escapes", "draws", "loses", "too slow", "unknown", "mated", "wins less", "fails"
]

TableOf = Callable[[Variant], Table | None]
"""Gives the table of a solved game, if there is one: :func:`komadai.solve.obtain` waits for a new one."""

Escapes = Callable[[Position, int], Escape]
"""Answers whether the side to move escapes: :func:`komadai.engine.escapes.escape` with some engine."""

_SHOWN = 6  # plies of best play after a move that lets a win slip
_REFUTING = 5_000  # nodes of the search for the line that shows it, where it is no proof


@dataclass(frozen=True, slots=True)
class SolverAnswer:
    """The answer to a solver's moves.

    Attributes:
        verdict: ``"solved"``; ``"right"``: the game is still won in the sense of the theme; all others say why not.
        reply: of right moves the opponent's, one move or none; of wrong ones the line that shows why, perhaps empty.
        onward: of right moves the solver's next one, if it is known.
    """

    verdict: Verdict
    reply: tuple[Move, ...] = ()
    onward: Move | None = None

    @property
    def right(self) -> bool:
        """True unless the last move was wrong."""
        return self.verdict in ("solved", "right")

    @property
    def words(self) -> str:
        """The verdict in the reader's language."""
        texts = {
            "solved": _("Solved."),
            "right": _("Right, and on."),
            "no check": _("This gives no check, and every move of the mate does."),
            "escapes": _("The opponent escapes."),
            "draws": _("This is only a draw."),
            "loses": _("This loses."),
            "too slow": _("This does not win in time."),
            "unknown": _("No win is known after this."),
            "mated": _("The opponent mates after this."),
            "wins less": _("Another move wins more."),
            "fails": _("After this the opponent is clearly better."),
        }
        return texts[self.verdict]


def _here(position: Position, turns: int) -> Escape:
    return escape(Engine(position.variant, hash_mb=4, tables=False), position, turns)


@typed
def judge(
    puzzle: Puzzle, moves: Sequence[Move | str], escapes: Escapes = _here, table_of: TableOf = obtain
) -> SolverAnswer:
    """Judge the last of the moves made since the puzzle's position, which is the solver's.

    The opponent's moves among them should be the replies that earlier answers gave; others are taken as they are.

    Args:
        escapes: asked where the answer needs a search. ``table_of``: asked where it needs the table of a solved game.

    Raises:
        NotationError: there is no move, or the last is the opponent's.
        IllegalMoveError: a move is not legal.
        PuzzleError: the puzzle's table is not at hand.
    """
    if not len(moves) % 2:
        raise NotationError("moves", [f"there are {len(moves)}; expected an odd number, the last by the solver"])
    position = puzzle.start()
    for move in moves:
        position.push(move)
    if (outcome := position.outcome()) is not None:
        return SolverAnswer("solved" if outcome.winner == puzzle.turn else "loses" if outcome.winner else "draws")
    left, solution = puzzle.plies - len(moves), puzzle.moves()
    if key_after(puzzle.start(), solution[: len(moves)]) == position.key():  # the solution, in whatever order
        return SolverAnswer("right", solution[-left:][:1], solution[1 - left]) if left else SolverAnswer("solved")
    if puzzle.theme not in WINS:
        return _otherwise(puzzle, position)
    if puzzle.theme == "table":
        return _table(position, table_of(position.variant), left)
    if left < 1 and puzzle.theme != "mate":
        return SolverAnswer("too slow")
    found = escapes(position, 0 if puzzle.theme == "mate" else left // 2)
    if found.chance == "lost" and len(found.line) > left:
        return SolverAnswer("too slow", found.line)
    if found.chance == "lost":
        return SolverAnswer("right", found.line[:1], found.line[1] if len(found.line) > 1 else None)
    return SolverAnswer(found.chance, found.line)


@typed
def onward(
    puzzle: Puzzle, moves: Sequence[Move | str], escapes: Escapes = _here, table_of: TableOf = obtain
) -> Move | None:
    """The solver's next move, if one that wins is known; arguments and errors are those of :func:`judge`.

    ``moves``: those made, the last of them the opponent's.
    """
    if tuple(map(str, moves)) == puzzle.solution[: len(moves)]:
        return puzzle.moves()[len(moves)] if len(moves) < puzzle.plies else None
    position = puzzle.start()
    for move in moves:
        position.push(move)
    found = judge(puzzle, moves[:-1], escapes, table_of).onward
    return found if found in position.legal_moves() else None


def refute(puzzle: Puzzle, *moves: Move | str) -> tuple[Move, ...]:
    """The line that shows why the last of the moves fails; empty if it is right, or fails by itself.

    Arguments and errors are those of :func:`judge`.

    Example:
        >>> import komadai
        >>> puzzle = komadai.app.puzzles.load("nana")[0]
        >>> komadai.app.puzzles.refute(puzzle, puzzle.solution[0])
        ()
    """
    answer = judge(puzzle, moves)
    return () if answer.right else answer.reply


def _refuted(puzzle: Puzzle, position: Position) -> SolverAnswer:
    """The answer to a move that is not the one move of a theme without an end."""
    engine = Engine(position.variant, hash_mb=4, tables=False)
    if puzzle.theme == "defence":
        return SolverAnswer("mated", engine.mate(position, nodes=_REFUTING).pv)
    line = engine.search(position, nodes=_REFUTING).pv[:_SHOWN]
    return SolverAnswer("wins less" if puzzle.theme == "material" else "fails", line)


def _otherwise(puzzle: Puzzle, position: Position) -> SolverAnswer:
    """The answer to a move of a theme without an end that is not the solution's.

    A later one, or the first of another order, is right if the search finds that it wins as much within as many plies.
    """
    start, played, solution = puzzle.start(), position.move_stack, puzzle.moves()
    if played[0] == solution[0] or reordered(start, solution, played[0]):
        line = Engine(puzzle.variant, hash_mb=4, tables=False).search(position, nodes=Material.nodes).pv
        gains, wanted = won(start, (*played, *line)), max(GAIN, won(start, solution)[-1] - MARGIN)
        if any(min(gains[ply - 1 :], default=-1) >= wanted for ply in range(len(played), puzzle.plies + 1, 2)):
            if len(played) == puzzle.plies:
                return SolverAnswer("solved")
            return SolverAnswer("right", line[:1], line[1] if len(line) > 1 else None)
    return _refuted(puzzle, position)


def _table(position: Position, table: Table | None, left: int) -> SolverAnswer:
    value = None if table is None else table.probe(position)
    if table is None or value is None:
        raise PuzzleError(f"the table of {position.variant.id} is not at hand; make it with: komadai solve")
    if value.outcome == "loss" and (value.distance or 0) > left:
        return SolverAnswer("too slow", tuple(table.line(position, _SHOWN)))
    if value.outcome == "loss":
        reply, *rest = table.line(position, 2)
        return SolverAnswer("right", (reply,), rest[0] if rest else None)
    return SolverAnswer("draws" if value.outcome == "draw" else "loses", tuple(table.line(position, _SHOWN)))
