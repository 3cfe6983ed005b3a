"""Move input at the screen of a game: squares, the list, keys and typed text."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widgets import Input, OptionList

from ...errors import IllegalMoveError, KomadaiError
from ...i18n import safely
from ...spec.move import Move
from ...view.tree import Step
from .board import Board
from .composing import is_move_string, read
from .dialogs import Question
from .display import Offer, Shown, T
from .help import Help
from .words import capital


class Choosing(Shown[T]):
    """A game that is shown, and a move that is made in it step by step; what becomes of the move is another matter."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("backspace", "undo_step", "Undo a step", show=False),
        Binding("escape", "cancel", "Cancel", show=False),
        Binding("tab", "target(1)", "Next target", show=False),
        Binding("shift+tab", "target(-1)", "Target before", show=False),
        Binding("d", "hand", "Hand", show=False),
        Binding("m", "moves", "Moves of the piece", show=False),
        *(Binding(str(number), f"number({number})", "Face", show=False) for number in range(1, 10)),
        Binding("slash", "type", "Type a move", show=False),
        Binding("left_square_bracket", "browse(-1)", "Move before", show=False),
        Binding("right_square_bracket", "browse(1)", "Next move", show=False),
        Binding("f", "flip", "Flip", show=False),
        Binding("k", "letters", "Kanji or letters", show=False),
        Binding("question_mark", "help", "Help", show=False),
    ]

    def _make(self, move: Move | str) -> None:
        """Make a move."""
        raise NotImplementedError

    def _others(self) -> list[Offer]:
        """The available actions when no move can be made."""
        raise NotImplementedError

    def action_declare(self) -> None:
        """Declare that the king of the side to move has entered."""
        raise NotImplementedError

    def action_flip(self) -> None:
        """Turn the board round."""
        self.board.flipped = not self.board.flipped
        self._show()

    def action_letters(self) -> None:
        """Show kanji or letters."""
        self.board.letters = not self.board.letters
        self._show()

    def action_help(self) -> None:
        """Show keys, signs, pieces and rules."""
        self.app.push_screen(Help(self.play.game.variant))

    # --- The list of what may come next ---

    def _offered(self) -> list[Offer]:
        steps = [Offer(words, partial(self._take, step), step) for words, step in self.composer.listed()]
        return steps or self._others()

    @on(OptionList.OptionHighlighted, "#next")
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """The cursor of the board goes along with that of the list."""
        step = self._offers[event.option_index].step if event.option_index < len(self._offers) else None
        if step is not None and self.options.has_focus:
            if step.at is not None:
                self.board.put(step.at)
            self.composer.said = ""
            self._draw()
            self._tell()

    @on(OptionList.OptionSelected, "#next")
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_index < len(self._offers):
            self._offers[event.option_index].act()

    # --- Composer a move ---

    @on(Board.Looked)
    def _looked(self, event: Board.Looked) -> None:
        if isinstance(event, Board.Chosen):
            self._choose(event.square)
            return
        self.composer.said = ""
        squares = [offer.step and offer.step.at for offer in self._offers]
        if event.square in squares:
            with self.prevent(OptionList.OptionHighlighted):
                self.options.highlighted = squares.index(event.square)
        self._draw()
        self._tell()

    def _choose(self, square: str) -> None:
        """The action of Enter and of the mouse on a square."""
        meant = self.composer.choose(square)
        self._go_on()
        if meant:
            self.options.focus()
            self.options.highlighted = [offer.step for offer in self._offers].index(meant[0])

    def _take(self, step: Step) -> None:
        self.composer.take(step)
        self._go_on()

    def _go_on(self) -> None:
        """Show what has been chosen; a whole move is made, unless it costs something and the person thinks better."""
        walk = self.composer.walk
        if walk.here:
            self.board.put(walk.here)
        self._show()
        if walk.move is not None:
            self._make_if_worth_it(walk.move)

    def _make_if_worth_it(self, move: Move) -> None:
        if costs := safely("", self.composer.speech.costs, move):
            question = Question(costs, "play it", "think again", grave=False)
            self.app.push_screen(question, partial(self._paid, move))
        else:
            self._make(move)

    def _paid(self, move: Move, yes: bool | None) -> None:
        if yes:
            self._make(move)
        else:
            self.action_undo_step()

    @on(Board.Undone)
    def action_undo_step(self) -> None:
        """Undo one step of the move that has been begun."""
        self.composer.undo()
        self._show()

    def action_cancel(self) -> None:
        """Undo all steps, leave the list and the typed line, come back to the game."""
        self._close_typed()
        if self.viewed is not None:
            self._view(len(self.play.game.moves))
        else:
            self.composer.cancel()
            self._show()

    def action_target(self, by: int) -> None:
        """Go to the next square that can be chosen."""
        if squares := self.composer.targets():
            here = self.board.cursor
            at = (squares.index(here) + by) % len(squares) if here in squares else min(by, 0)
            self.board.focus()
            self.board.look(squares[at])

    def action_hand(self) -> None:
        """Take the next piece from the hand."""
        self.composer.next_drop()
        self._go_on()
        if self.composer.walk.choosing:
            self.options.focus()

    def action_take_from_hand(self, code: str) -> None:
        """Take a piece of that kind from the hand."""
        self.composer.drop(code)
        self._go_on()

    def action_number(self, number: int) -> None:
        """Choose the face or the kind of that number."""
        if self.composer.number(number):
            self.board.focus()
        self._go_on()

    def action_moves(self) -> None:
        """List the moves of the piece under the cursor, or all pieces that can move."""
        if not self.composer.walk.path and (step := self.composer.walk.select(self.board.cursor)) is not None:
            self._take(step)
        self.options.focus()

    # --- Typing ---

    def action_type(self) -> None:
        """Open the line for typed moves."""
        if self.composer.busy:
            self._say(self.composer.busy)
            return
        typed = self.query_one("#typed", Input)
        typed.value = ""
        typed.display = True
        typed.focus()
        self.add_class("typing")
        self._say("Type a move, Enter makes it, Esc closes the line.")

    @on(Input.Submitted, "#typed")
    def _typed(self, event: Input.Submitted) -> None:
        text, position = event.value.strip(), self.play.game.position
        if not text:
            self._close_typed()
            self._say("")
            return
        if text.lower() == "declare":
            self._close_typed()
            self.action_declare()
            return
        try:
            move = read(position, text)
        except IllegalMoveError as error:
            if position.variant.illegal_move_loses and is_move_string(position, text):
                words = f"{capital(str(error))}. By this game's rules an illegal move loses. Play it?"
                self.app.push_screen(Question(words, "play it and lose", "think again"), partial(self._risked, text))
            else:
                self._say(capital(str(error)))
        except KomadaiError as error:
            self._say(capital(str(error)))
        else:
            self._close_typed()
            self._make_if_worth_it(move)

    def _risked(self, text: str, yes: bool | None) -> None:
        if yes:
            self._close_typed()
            self._make(text)

    def _close_typed(self) -> None:
        self.query_one("#typed").display = False
        self.remove_class("typing")
        self.board.focus()

    # --- The record ---

    def action_browse(self, by: int) -> None:
        """Look at the position one move before or after."""
        count = len(self.play.game.moves)
        at = count if self.viewed is None else self.viewed
        self._view(min(max(at + by, 0), count))

    def _view(self, at: int) -> None:
        self.viewed = None if at == len(self.play.game.moves) else at
        self._begin()
        self._show()
