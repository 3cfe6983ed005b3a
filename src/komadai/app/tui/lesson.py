"""The screen of a stage of a course: its task beside the board, and what the judge says to each move."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widgets import Input

from ...errors import KomadaiError
from ...game.game import Game
from ...i18n import _
from ...spec.board import Side
from ...spec.move import Move
from .. import lessons
from ..lessons.judge import SHOWN_AFTER
from ..lessons.model import Question, Stage
from .choosing import Choosing
from .display import Offer
from .marks import HINT
from .place_names import PlaceNames
from .words import capital


class Sheet:
    """The game of a stage as the board shows it: the position that stands, and nobody else at the table."""

    def __init__(self, stage: Stage) -> None:
        self.variant = stage.begin().variant
        self.person: Side = stage.begin().turn
        self.thinker = None
        self.game = Game.problem(self.variant, stage.begin().sfen())

    def stand(self, position: str) -> None:
        """Show another position."""
        self.game = Game.problem(self.variant, position)

    def name(self, side: Side) -> str:
        """The player of that side, for its plate."""
        return "you" if side == self.person else ""

    def state(self) -> str | None:
        """There is no match."""
        return None


class Lesson(Choosing[bool]):
    """A stage; its result is whether to go on to the next."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "hint", "Hint", show=False),
        Binding("r", "again", "Again", show=False),
        Binding("n", "onward", "Next stage", show=False),
        Binding("q", "leave", "Leave", show=False),
    ]

    play: Sheet

    def __init__(
        self,
        stage: Stage,
        done: Callable[[Stage], str],
        *,
        last: bool = False,
        letters: bool = False,
        style: str | None = None,
    ) -> None:
        """``done`` is called when the stage is done; it answers with what is to be said besides. ``last``: after it
        comes a game."""
        self._stage, self._done = stage, done
        self._next = "a game at level 1" if last else "next stage"
        self._start = PlaceNames(stage.begin(), stage.begin().turn)
        self._feedback, self._tries = lessons.judge(stage), 0
        super().__init__(Sheet(stage), letters=letters, style=style)
        self.add_class("lesson")

    # --- What is shown ---

    def _news(self, said: str = "") -> None:
        self._begin()
        board = self.composer.position.variant.board
        marked = (board.find(at) for mark in self._feedback.marks for at in (mark.at, mark.to) if at)
        self._standing = self._standing | {point: HINT for point in marked if point is not None}
        self._say(self.composer.places.within(said))

    def _busy(self) -> str:
        if self._feedback.state == "done":
            return "This stage is done: n goes on, r begins it again."
        return "Choose one of the answers in the list." if isinstance(self._stage.goal, Question) else ""

    def _beside(self) -> str:
        return f"{self._stage.heading}\n\n{self._start.within(self._stage.task)}"

    def _headline(self) -> str:
        begun = self.composer.speech.prompt() if self.composer.walk.path else ""
        return (
            begun
            or self.composer.places.within(self._feedback.text)
            or "Your move. h helps, r begins again, / types a move, q leaves."
        )

    def _others(self) -> list[Offer]:
        if self._feedback.state == "done":
            return [
                Offer(f"n  {self._next}", self.action_onward),
                Offer("r  again", self.action_again),
                Offer("q  all stages", self.action_leave),
            ]
        if isinstance(self._stage.goal, Question):
            choices = enumerate(self._stage.goal.choices)
            return [
                Offer(self._start.within(_(choice.text)), partial(self._ask, str(number))) for number, choice in choices
            ]
        return []

    # --- Moves ---

    def _make(self, move: Move | str) -> None:
        self._ask(str(move))

    def _choose(self, square: str) -> None:
        """The judge hears of moves that are not legal, too."""
        walk = self.composer.walk
        begun = walk.text if walk.path and not self.composer.busy else ""
        offered = walk.at(square) or walk.far().get(square) or walk.select(square)
        if begun and not offered and square not in (walk.here, walk.origin):
            self._ask(begun + square)
        else:
            super()._choose(square)

    @on(Input.Submitted, "#typed")
    def _typed(self, event: Input.Submitted) -> None:
        event.prevent_default()  # the handler of games
        self._close_typed()
        if text := event.value.strip():
            self._ask(text)
        else:
            self._say("")

    def _ask(self, move: str) -> None:
        """Let the judge answer a move, or the number of a choice."""
        try:
            answer = lessons.judge(self._stage, [*self._feedback.moves, move], self._tries)
        except KomadaiError as error:
            self._news(capital(str(error)))
            return
        self._tries += answer.state == "wrong"
        self._feedback = answer
        self.play.stand(answer.position)
        said = self._done(self._stage) if answer.state == "done" else ""
        self._news(said or (f"Hint: {answer.hint}" if answer.hint else ""))
        if answer.state == "done" or isinstance(self._stage.goal, Question):
            self.options.focus()

    def action_hint(self) -> None:
        """Help: first in words, then the move."""
        self._tries = SHOWN_AFTER if self._feedback.hint or self._tries else 1
        answer = self._feedback = lessons.resume(self._stage, self._feedback.moves, self._tries)
        words = [f"Hint: {answer.hint}" if answer.hint else "", f"The move is {answer.show}." if answer.show else ""]
        self._news(" ".join(filter(None, words)) or "There is no hint here.")

    def action_again(self) -> None:
        """Begin the stage again."""
        self._feedback = lessons.judge(self._stage)
        self.play.stand(self._feedback.position)
        self._news()
        self.board.focus()

    def action_onward(self) -> None:
        """Go on to the next stage, or to a game."""
        self.dismiss(True)

    def action_leave(self) -> None:
        """Back to the stages."""
        self.dismiss(False)

    def action_declare(self) -> None:
        """Lessons know no declaration."""
