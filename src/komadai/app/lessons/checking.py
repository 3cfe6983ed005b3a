"""Checks a stage by playing it: it can be done in the moves it promises, and each of its answers can come up."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from ...i18n import _, current_language
from .judge import Feedback, judge, next_move
from .model import Avoid, Find, Play, Question, Reach, Stage, Take

_KEPT = 256  # stages, of which a change in one leaves the others as they are


def faults(stage: Stage) -> tuple[tuple[str, str], ...]:
    """The faults of a stage that only playing shows: pairs of a key of its table and what would be right.

    Raises:
        KomadaiError: a move of the stage cannot be judged.
    """
    return _known(stage, current_language())


@lru_cache(maxsize=_KEPT)
def _known(stage: Stage, _language: str) -> tuple[tuple[str, str], ...]:
    return tuple(_faults(stage))


def _faults(stage: Stage) -> Iterator[tuple[str, str]]:
    if isinstance(stage.goal, Play):
        if not stage.begin().legal_moves():
            yield "position", _("no move is legal there")
        return
    unreached = _unreached(stage)
    if unreached is not None:
        yield unreached
    elif stage.moves == 1 and not isinstance(stage.goal, Question):
        for number, wrong in enumerate(stage.wrong):
            for move in wrong.moves:
                if judge(stage, [move]).state == "done":
                    yield f"wrong[{number}].moves", _("{move} is a right move; expected wrong ones", move=move)


def _unreached(stage: Stage) -> tuple[str, str] | None:
    """Why the goal is not reached in the moves promised; ``None`` if it is."""
    feedback = judge(stage)
    for made in range(stage.moves):
        if feedback.state == "done":
            return "moves", _("fewer are enough: expected {count}", count=made)
        if (move := next_move(stage, feedback.moves)) is None:
            return _goal_key(stage), _("no right move is known after {count} moves", count=len(feedback.moves))
        feedback = judge(stage, (*feedback.moves, move))
    return None if feedback.state == "done" else ("moves", _unfinished(feedback))


def _unfinished(feedback: Feedback) -> str:
    left = [mark.at for mark in feedback.marks if mark.t in ("target", "take")]
    if left:
        return _("are too few: {squares} are left", squares=", ".join(left))
    return _("are too few: the goal is not reached")


def _goal_key(stage: Stage) -> str:
    match stage.goal:
        case Reach():
            return "reach"
        case Take():
            return "take"
        case Find(lines=lines):
            return "lines" if lines else "find"
        case Avoid():
            return "avoid"
    return ""
