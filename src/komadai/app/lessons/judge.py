"""The judge of lessons: stateless, so that terminal, browser and server share it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, Literal

from ...engine import Engine
from ...errors import CourseError, IllegalMoveError, KomadaiError
from ...game.position import Position
from ...i18n import _, ngettext, safely, sentence
from ...reference.explain import fault
from ...spec.move import Move
from ...spec.variant import Variant
from ...typed import typed
from . import walk as walks
from .aims import holds_all
from .model import Avoid, Find, Play, Question, Reach, Stage, Take, Wrong

SHOWN_AFTER = 3  # wrong tries, after which a move is shown
_BRIEF = 300  # moves looked at for a way on
_SOURCE = re.compile(r" \[([^\[\]]+)\]$")
"""The page and the numbers of the rules at the end of an explanation; for readers of the exact rules, not learners."""

State = Literal["going", "right", "wrong", "done"]

Answer = Callable[[Position, int], Move]
"""The opponent's move in a guided game: in that position, at that level."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark on the board: ``target`` a point to reach, ``take`` a piece to take, ``piece`` the one that moves,
    ``show`` a move that is shown, ``reply`` an answer of the opponent; the last two are arrows unless they drop."""

    t: Literal["target", "take", "piece", "show", "reply"]
    at: str
    to: str | None = None


@dataclass(frozen=True, slots=True)
class Feedback:
    """The judge's answer.

    Attributes:
        state: ``going`` on, ``right`` so far, ``wrong``, or the stage is ``done``.
        text: what to say, in the current language.
        moves: the moves that stand, the opponent's among them; to be sent again with the next one. After a wrong one
            they are those before it, or none where one must begin again.
        position: the position after them, as a position string.
        reply: the opponent's move, the last of ``moves``, if it has just been made.
        marks: what to show on the board.
        hint: what may help, after a wrong try.
        show: the move (or number of a choice) to make, after too many wrong tries.
    """

    state: State
    text: str
    moves: tuple[str, ...]
    position: str
    reply: str | None = None
    marks: tuple[Mark, ...] = ()
    hint: str = ""
    show: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        data = asdict(self) | {"moves": list(self.moves)}
        return data | {"marks": [{key: value for key, value in asdict(mark).items() if value} for mark in self.marks]}


@typed
def judge(stage: Stage, moves: Sequence[str] = (), tries: int = 0, answer: Answer | None = None) -> Feedback:
    """Judge the last of the moves, those before it having been judged; without any, say how the stage begins.

    Args:
        stage: the stage.
        moves: :attr:`Feedback.moves` of the last answer and the new move, in any notation; for a question the numbers
            of choices, from 0.
        tries: the number of wrong answers so far.
        answer: the opponent in guided games; ``None``: the engine at once.

    Raises:
        CourseError: the moves before the last cannot be those of this stage.
    """
    return _judge(stage, tuple(moves[:-1]), moves[-1] if moves else None, tries, answer)


@typed
def resume(stage: Stage, stand: Sequence[str] = (), tries: int = 0) -> Feedback:
    """How a stage goes on after moves that stand, with the help that is due after so many wrong tries.

    Raises:
        CourseError: the moves cannot be those of this stage.
    """
    return _judge(stage, tuple(stand), None, tries, None)


def _judge(stage: Stage, stand: tuple[str, ...], new: str | None, tries: int, answer: Answer | None) -> Feedback:
    if isinstance(stage.goal, Question):
        return _question(stage, stage.goal, stand, new, tries)
    try:
        if isinstance(stage.goal, Reach | Take):
            return _quiet(stage, stand, new, tries)
        at = stage.begin()
        for text in stand:
            at.push(text)
    except KomadaiError as error:
        raise CourseError(_("stage {id}", id=stage.id), [str(error)]) from None
    if new is None:
        return _going(stage, at, stand, tries)
    move = _read(stage, at, stand, new, tries)
    if isinstance(move, Feedback):
        return move
    match stage.goal:
        case Find():
            return _found(stage, stage.goal, at, stand, move, tries)
        case Avoid(listed, aims):
            if move.text in listed or holds_all(aims, at, move):
                return _wrong(stage, at, stand, move, tries)
            at.push(move)
            return _done(stage, at, (*stand, str(move)))
        case Play():
            return _played(stage, stage.goal, at, stand, move, answer or _engine)
    raise TypeError(stage.goal)


@typed
def next_move(stage: Stage, stand: Sequence[str] = ()) -> str | None:
    """A right move (or number of a choice) after those that stand; ``None`` if none is known."""
    if isinstance(stage.goal, Question):
        return next((str(n) for n, one in enumerate(stage.goal.choices) if one.right and str(n) not in stand), None)
    if isinstance(stage.goal, Reach | Take):
        if stage.solution[: len(stand)] == tuple(stand) and len(stand) < len(stage.solution):
            return stage.solution[len(stand)]
        at = walks.begin(stage)
        for text in stand:
            at = at.after(at.position.parse_move(text))
        # Who has left a way that is known can begin again; it is not worth a long search.
        way = walks.way_on(at, 2 * stage.moves, *([_BRIEF] if stage.solution else []))
        return next(iter(way or ()), None)
    position = stage.begin()
    for text in stand:
        position.push(text)
    match stage.goal:
        case Find(listed, aims, lines):
            for line in lines:
                if line[: len(stand)] == tuple(stand) and len(line) > len(stand):
                    return line[len(stand)]
            legal = sorted(position.legal_moves(), key=str)
            right = (move for move in legal if move.text in listed or holds_all(aims, position, move))
            return next(map(str, right), None)
        case Avoid(listed, aims):
            legal = sorted(position.legal_moves(), key=str)
            right = (move for move in legal if move.text not in listed and not holds_all(aims, position, move))
            return next(map(str, right), None)
    return None


# --- Each goal --------------------------------------------------------------------------------------------------------


def _quiet(stage: Stage, stand: tuple[str, ...], new: str | None, tries: int) -> Feedback:
    """Judge a stage in which the opponent does not move."""
    at = walks.begin(stage)
    for text in stand:
        at = at.after(at.position.parse_move(text))
    if new is None:
        return _going(stage, at.position, stand, tries, at)
    move = _read(stage, at.position, stand, new, tries, at)
    if isinstance(move, Feedback):
        return move
    try:
        after = at.after(move)
    except IllegalMoveError as error:
        return _wrong(stage, at.position, stand, move, tries, at, str(error))
    played = (*stand, str(move))
    if not after.left:
        return _done(stage, after.position, played)
    late = len(played) > 2 * stage.moves or not after.moves()
    if late or (tries >= SHOWN_AFTER and next_move(stage, played) is None):
        own = next((wrong.says for wrong in stage.wrong if wrong.mistake == ("late",)), None)
        words = _(own) if own else _("It does not get there any more. Begin again.")
        return _going(stage, stage.begin(), (), tries + 1, walks.begin(stage), "wrong", words)
    state: State = "right" if len(after.left) < len(at.left) else "going"
    return _going(stage, after.position, played, tries, after, state)


def _found(stage: Stage, goal: Find, at: Position, stand: tuple[str, ...], move: Move, tries: int) -> Feedback:
    played = (*stand, str(move))
    last = len(stand) // 2 + 1 >= stage.moves
    lines = [line for line in goal.lines if line[: len(played)] == played]
    complete = any(len(line) == len(played) for line in lines)
    if complete or (last and (move.text in goal.moves or holds_all(goal.aims, at, move))):
        at.push(move)
        return _done(stage, at, played)
    if not lines:
        return _wrong(stage, at, stand, move, tries)
    at.push(move)
    reply = lines[0][len(played)]
    answered = at.parse_move(reply)
    at.push(answered)
    marks = (_arrow("reply", answered),)
    return _going(stage, at, (*played, reply), tries, state="right", reply=reply, marks=marks)


def _played(stage: Stage, goal: Play, at: Position, stand: tuple[str, ...], move: Move, answer: Answer) -> Feedback:
    learner = at.turn
    at.push(move)
    played, reply = (*stand, str(move)), None
    if at.outcome() is None and len(played) < goal.plies:
        answered = answer(at, goal.level)
        at.push(answered)
        reply = str(answered)
        played = (*played, reply)
    marks = (_arrow("reply", at.move_stack[-1]),) if reply else ()
    if (outcome := at.outcome()) is not None:
        words = outcome.message.words()
        text = sentence(words) if outcome.winner != learner else f"{sentence(words)} {_praise(stage)}"
        return Feedback("done", text, played, at.sfen(), reply, marks)
    if len(played) >= goal.plies:
        return Feedback("done", _praise(stage), played, at.sfen(), reply, marks)
    return Feedback("going", "", played, at.sfen(), reply, marks)


def _question(stage: Stage, goal: Question, stand: tuple[str, ...], new: str | None, tries: int) -> Feedback:
    position = stage.begin()
    numbers = [str(number) for number in range(len(goal.choices))]
    if not {*stand} <= {*numbers}:
        raise CourseError(_("stage {id}", id=stage.id), [_("a choice is a number from 0 to {last}", last=numbers[-1])])
    if new is None:
        return _going(stage, position, stand, tries)
    if new not in numbers:
        words = _("a choice is a number from 0 to {last}", last=numbers[-1])
        return _going(stage, position, stand, tries + 1, state="wrong", text=sentence(words))
    choice, chosen = goal.choices[int(new)], tuple(dict.fromkeys((*stand, new)))
    if not choice.right:
        return _going(stage, position, stand, tries + 1, state="wrong", text=_(choice.says))
    if all(str(number) in chosen for number, one in enumerate(goal.choices) if one.right):
        text = " ".join(filter(None, (_(choice.says), stage.right and _(stage.right))))
        return Feedback("done", text, chosen, position.sfen())
    return _going(stage, position, chosen, tries, state="right", text=_(choice.says))


# --- Answers ----------------------------------------------------------------------------------------------------------


def _read(
    stage: Stage, at: Position, stand: tuple[str, ...], text: str, tries: int, walk: walks.Walk | None = None
) -> Move | Feedback:
    """The legal move of a text, or the answer to one that is not legal."""
    try:
        return at.parse(text)
    except KomadaiError as error:
        words = sentence(error)
    why = safely("", _fault, at, text)
    numbers: list[str] = []
    if (source := _SOURCE.search(why)) is not None:
        numbers = source[1].replace(",", " ").split()[1:]
        words = words.replace(source[0], "")
    for wrong in stage.wrong:
        if wrong.rule in numbers:
            words = _(wrong.says)  # the rule once more, for learners
            break
        if text in wrong.moves or wrong.mistake == ("illegal",):
            words = f"{words} {_(wrong.says)}"
            break
    return _going(stage, at, stand, tries + 1, walk, "wrong", words)


def _fault(at: Position, text: str) -> str:
    """Why a move string is not legal, with the rule's source; nothing if it is, or if the text is none."""
    try:
        return fault(at.variant, at.setup(), text) or ""
    except KomadaiError:
        return ""


def _wrong(
    stage: Stage,
    at: Position,
    stand: tuple[str, ...],
    move: Move,
    tries: int,
    walk: walks.Walk | None = None,
    why: str | None = None,
) -> Feedback:
    """The answer to a legal move that is wrong."""

    def fits(wrong: Wrong) -> bool:
        if wrong.mistake in (("illegal",), ("late",)):
            return False
        if wrong.mistake == ("other piece",):
            return walk is not None and move.origin != walk.piece
        if wrong.mistake == ("any",):
            return True
        return move.text in wrong.moves or move.target in wrong.squares or holds_all(wrong.mistake, at, move)

    found = next((wrong for wrong in stage.wrong if fits(wrong)), None)
    words = _(found.says) if found else sentence(why) if why else _("Not this one. Try again.")
    marks: tuple[Mark, ...] = ()
    if found is not None and found.reply is not None:
        after = at.copy()
        after.push(move)
        with suppress(KomadaiError):  # it answers another of the moves that the words fit
            marks = (_arrow("reply", after.parse_move(found.reply)),)
    return _going(stage, at, stand, tries + 1, walk, "wrong", words, marks=marks)


def _going(
    stage: Stage,
    at: Position,
    stand: tuple[str, ...],
    tries: int,
    walk: walks.Walk | None = None,
    state: State = "going",
    text: str | None = None,
    reply: str | None = None,
    marks: tuple[Mark, ...] = (),
) -> Feedback:
    """The answer while the stage goes on, with the move shown after too many wrong tries."""
    if walk is not None:
        marks += tuple(Mark("take" if walk.takes else "target", square) for square in walk.left)
        marks += (Mark("piece", walk.piece),) if walk.piece else ()
    shown = next_move(stage, stand) if tries >= SHOWN_AFTER else None
    if shown is not None and not isinstance(stage.goal, Question):
        marks += (_arrow("show", at.parse_move(shown)),)
    if text is None:
        left = len(walk.left) if walk else 0
        text = ngettext("One to go.", "{count} to go.", left) if state == "right" and left else ""
        text = text or (_("Good. Go on.") if state == "right" else "")
    return Feedback(state, text, stand, at.sfen(), reply, marks, _(stage.hint) if tries and stage.hint else "", shown)


def _done(stage: Stage, at: Position, played: tuple[str, ...]) -> Feedback:
    return Feedback("done", _praise(stage), played, at.sfen())


def _praise(stage: Stage) -> str:
    """The words shown when a stage is done."""
    return _(stage.right) if stage.right else _("Well done.")


def _arrow(kind: Literal["show", "reply"], move: Move) -> Mark:
    return Mark(kind, move.target) if move.origin is None else Mark(kind, move.origin, move.target)


@lru_cache(maxsize=4)
def _computer(variant: Variant, level: int) -> Engine:
    return Engine(variant, level=level)


def _engine(position: Position, level: int) -> Move:
    """The engine's move at that level, which limits itself; level by level one engine is kept."""
    found = _computer(position.variant, level).search(position, nodes=100_000).move
    assert found is not None
    return found
