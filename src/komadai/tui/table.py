"""The screen of a game: the board, what may come next, the record, and what is said of it all."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar, NamedTuple

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static

from ..board import SIDE_NAMES, Side
from ..engine import STRONGEST
from ..errors import IllegalMoveError, KomadaiError
from ..move import Move
from ..notation import of as notation_of
from ..position import Position
from ..steps import Step
from .board import ROOMY, TIGHT, Board
from .dialogs import Question
from .help import Help
from .making import Making, is_move_string, read
from .marks import HINT, composing, in_mid_move, standing
from .panels import card, plate, record
from .play import Begun, Play
from .thinking import Thinker
from .words import capital, options_in_force

_PANEL = 21  # the least columns beside the board
_FIELD = 46  # columns that a board and the plates beside it share at least, if there is room
_OTHERS = 4  # lines for plates and what is said
_LOW = 25  # lines of a terminal below which the title makes room
_WRAPS = 30  # lines from which on plates may take several
_DEEP = 34  # lines from which on the card has room for a diagram


class Offer(NamedTuple):
    """A line of the list: what it says, what it does, and the step it stands for."""

    words: str
    act: Callable[[], None]
    step: Step | None = None


class Table(Screen[Begun | None]):
    """A game at the table; its result is another game that shall be begun, if any."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("backspace", "undo_step", "Undo a step", show=False),
        Binding("escape", "cancel", "Cancel", show=False),
        Binding("tab", "target(1)", "Next target", show=False),
        Binding("shift+tab", "target(-1)", "Target before", show=False),
        Binding("d", "hand", "Hand", show=False),
        Binding("m", "moves", "Moves of the piece", show=False),
        *(Binding(str(number), f"number({number})", "Face", show=False) for number in range(1, 10)),
        Binding("slash", "type", "Type a move", show=False),
        Binding("u", "take_back", "Take back", show=False),
        Binding("h", "hint", "Hint", show=False),
        Binding("f", "flip", "Flip", show=False),
        Binding("k", "letters", "Kanji or letters", show=False),
        Binding("left_square_bracket", "browse(-1)", "Move before", show=False),
        Binding("right_square_bracket", "browse(1)", "Next move", show=False),
        Binding("r", "resign", "Resign", show=False),
        Binding("a", "agree", "Agree a draw", show=False),
        Binding("n", "next_game", "Next game", show=False),
        Binding("question_mark", "help", "Help", show=False),
        Binding("q", "leave", "Leave", show=False),
    ]

    class Thought(Message):
        """What the engine has found; ``number`` is the state of the game it was asked in."""

        def __init__(self, number: int, move: Move | None, hint: bool) -> None:
            self.number, self.move, self.hint = number, move, hint
            super().__init__()

    def __init__(self, play: Play, *, letters: bool = False) -> None:
        super().__init__()
        self.play = play
        self._letters = letters
        self._thinker = Thinker(play.game.variant)
        self._number = 0  # of the state of the game, so that what was thought in another is known as such
        self._thinking = False
        self._written = play.game.notation()
        self._viewed: int | None = None  # after how many moves the position shown was, None: the game's own
        self._hint: Move | None = None
        self._offers: list[Offer] = []
        self._begin()

    def _begin(self) -> None:
        """Take up the position that is to be shown now."""
        position, person = self._position_shown(), self.play.person
        last = self.play.game.moves[: self._viewed][-1:]
        self.making = Making(position, position.turn if person is None else person, self._busy())
        self._hint = None
        self._check = position.outcome() is None and position.is_check()
        self._standing = standing(position, last[0] if last else None, check=self._check)

    def _position_shown(self) -> Position:
        game = self.play.game
        if self._viewed is None:
            return game.position
        position = game.start
        for move in game.moves[: self._viewed]:
            position.push(move)
        return position

    def _busy(self) -> str:
        """Why no move can be made now; nothing where one can."""
        if self._viewed is not None:
            return "You are looking at an earlier position; Esc comes back to the game."
        if self.play.game.outcome() is not None:
            return "The game is over."
        return "" if self.play.thinker is None else "It is the computer's turn."

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        with Horizontal(id="middle"):
            with Vertical(id="field"):
                yield Static(id="far", classes="plate")
                yield Board(self.making.position, id="board")
                yield Static(id="near", classes="plate")
            with Vertical(id="side"):
                yield Static(id="record", markup=False)
                yield OptionList(id="next", compact=True, markup=False)
                yield Static(id="card", markup=False)
        yield Static(id="says", markup=False)
        yield Input(id="typed", compact=True, placeholder="a move, as 7g7f or as the record writes it")

    def on_mount(self) -> None:
        self.board.flipped = self.play.person == "w"
        self.board.letters = self._letters
        self.query_one("#typed").display = False
        self.board.focus()
        self._news()

    def on_unmount(self) -> None:
        self._number += 1
        self._thinker.stop()

    @property
    def board(self) -> Board:
        """The board."""
        return self.query_one("#board", Board)

    @property
    def options(self) -> OptionList:
        """The list of what may come next."""
        return self.query_one("#next", OptionList)

    # --- What has happened ---

    def _news(self, said: str = "") -> None:
        """Show what has happened in the game, and let the computer think if it is its turn."""
        self._number += 1
        self._thinker.stop()
        self._viewed = None
        self._thinking = False
        self._begin()
        if (level := self.play.thinker) is not None:
            self._ask_engine(level, hint=False)
        self._say(said)

    def _ask_engine(self, level: int, *, hint: bool) -> None:
        """Let the engine find a move for the position as it is now; the answer is a :class:`Thought`."""
        self._thinking = True
        self._think(self.play.game.position.copy(), self._number, level, hint=hint)

    @work(thread=True, group="engine")
    def _think(self, position: Position, number: int, level: int, *, hint: bool) -> None:
        move = self._thinker.best(position, partial(self._is_now, number), level)
        self.post_message(self.Thought(number, move, hint))

    def _is_now(self, number: int) -> bool:
        return number == self._number

    @on(Thought)
    def _thought(self, event: Thought) -> None:
        if not self._is_now(event.number) or event.move is None:
            return
        self._thinking = False
        if event.hint:
            self._hint = event.move if self._viewed is None else None
            self._say(f"Hint: {self._write(event.move)} ({event.move})")
        else:
            self._make(event.move)

    def _make(self, move: Move | str) -> bool:
        """Make a move; whether it was made."""
        written, side = (self._write(move) if isinstance(move, Move) else move), self.play.game.turn
        try:
            self.play.push(move)
        except KomadaiError as error:
            self.making.cancel()
            self._say(capital(str(error)))
            return False
        if len(self.play.game.moves) > len(self._written):
            self._written.append(written)
            self.board.follow(self.play.game.moves[-1], side)
        self._news()
        return True

    def _write(self, move: Move) -> str:
        """The move as people write it."""
        position = self.play.game.position
        return notation_of(position.variant).write(position, move)

    # --- Showing ---

    def _show(self) -> None:
        """Show everything anew."""
        self._draw()
        self._fit()
        self._list()
        making, game, board = self.making, self.play.game, self.board
        width = board.whole.width * (2 if self.app.size.height >= _WRAPS else 1)
        for id, side in (("#far", self._far), ("#near", self._near)):
            mine = making.position.turn == side and game.outcome() is None
            text = plate(making.speech, side, self.play.name(side), to_move=mine, letters=board.letters, width=width)
            self.query_one(id, Static).update(text)
        moves, rows = self.query_one("#record", Static), self.app.size.height // 5
        at = len(game.moves) if self._viewed is None else self._viewed
        moves.update(record(self._written, at, rows, game.start.turn, game.variant.numbering))
        self._tell()

    def _draw(self) -> None:
        """Show the board, with the price of the step under the cursor."""
        position, walk = self.making.position, self.making.walk
        viewed = next(iter(walk.at(self.board.cursor)), None)
        hinted = () if self._hint is None else (self._hint.origin, self._hint.target)
        hint = {point: HINT for point in hinted if point is not None}
        shown = self._standing | hint | composing(position.variant.board, walk, viewed)
        self.board.show(position, in_mid_move(position, walk), shown)

    @property
    def _far(self) -> Side:
        return "b" if self.board.flipped else "w"

    @property
    def _near(self) -> Side:
        return "w" if self.board.flipped else "b"

    def _fit(self) -> None:
        """Share the screen between the board and what stands beside it."""
        width, height = self.app.size
        board, room = self.board, width - _PANEL
        cell = ROOMY if board.size_with(ROOMY).width <= room else TIGHT
        lines = height - _OTHERS - (height >= _LOW)
        board.space(cell, 2 if board.size_with(cell, 2).height <= lines - 2 else 1)
        board.styles.width = min(board.whole.width, room)
        board.styles.height = min(board.whole.height, lines)
        self.query_one("#field").styles.width = min(max(board.whole.width, _FIELD, width * 2 // 5), room)
        title = self.query_one("#title", Static)
        title.display = height >= _LOW
        variant = self.play.game.variant
        parts = [variant.name, options_in_force(variant), self.play.state(), "? help"]
        title.update(" · ".join(filter(None, parts)))

    def on_resize(self, event: events.Resize) -> None:
        """Fit what is shown to the new size."""
        if self.is_mounted:
            self._show()

    def _tell(self) -> None:
        """Say what to do, and what has been said or stands under the cursor; over the typed line only that."""
        said = self.making.said or self.making.speech.square(self.board.cursor)
        told = said if self.has_class("typing") else f"{self._headline()}\n{said}"
        self.query_one("#says", Static).update(told)
        self._card()

    def _headline(self) -> str:
        game, position = self.play.game, self.making.position
        if self._viewed is not None:
            return f"After {self._viewed} of {len(game.moves)} moves; [ and ] go through the record, Esc comes back."
        if outcome := game.outcome():
            match = self.play.state()
            return f"{outcome}.{f' {match}.' if match else ''}"
        if self._thinking:
            return "The computer is thinking ..." if self.play.thinker else "Looking for a hint ..."
        mover = "You are" if position.turn == self.play.person else f"{SIDE_NAMES[position.turn]} is"
        check = f"{mover} in check. " if self._check else ""
        stranded = len(position.stranded())
        saving = f" Pieces to be saved this turn: {stranded}." if stranded else ""
        return f"{check}{self.making.speech.prompt() or f'{mover} to move.'}{saving}"

    def _card(self) -> None:
        """The kind that is being chosen, the piece that has been taken from the hand, or the one under the cursor."""
        making = self.making
        listed = self._offers[self.options.highlighted or 0].step if self._offers and self.options.has_focus else None
        chosen = [step.code for step in (*making.walk.path, listed) if step is not None and step.code]
        piece = making.position.piece_at(self.board.cursor)
        code = chosen[-1] if chosen else piece and piece.code
        kind = None if code is None else making.position.variant.kind(code)
        self.query_one("#card", Static).update(card(kind, drawn=self.app.size.height >= _DEEP))

    def _say(self, words: str) -> None:
        self.making.said = words
        self._show()

    # --- The list of what may come next ---

    def _list(self) -> None:
        steps = [Offer(words, partial(self._take, step), step) for words, step in self.making.listed()]
        self._offers = steps or self._others()
        options = self.options
        with self.prevent(OptionList.OptionHighlighted):
            options.clear_options()
            options.add_options([offer.words for offer in self._offers])
            options.highlighted = 0 if self._offers else None

    def _others(self) -> list[Offer]:
        """What there is to do when no move can be made here."""
        if self._viewed is not None:
            return [Offer("back to the game", self.action_cancel)]
        if self.play.game.outcome() is None:
            return []
        match = self.play.match
        words = "n  another game, with colours changed" if match is None else "n  next game of the match"
        return [
            *[Offer(words, self.action_next_game)] * (match is None or match.winner is None),
            Offer("u  take back", self.action_take_back),
            Offer("q  leave", self.action_leave),
        ]

    @on(OptionList.OptionHighlighted, "#next")
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """The cursor of the board goes along with that of the list."""
        step = self._offers[event.option_index].step if event.option_index < len(self._offers) else None
        if step is not None and self.options.has_focus:
            if step.at is not None:
                self.board.put(step.at)
            self.making.said = ""
            self._draw()
            self._tell()

    @on(OptionList.OptionSelected, "#next")
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_index < len(self._offers):
            self._offers[event.option_index].act()

    # --- Making a move ---

    @on(Board.Looked)
    def _looked(self, event: Board.Looked) -> None:
        if isinstance(event, Board.Chosen):
            self._choose(event.square)
            return
        self.making.said = ""
        squares = [offer.step and offer.step.at for offer in self._offers]
        if event.square in squares:
            with self.prevent(OptionList.OptionHighlighted):
                self.options.highlighted = squares.index(event.square)
        self._draw()
        self._tell()

    def _choose(self, square: str) -> None:
        """What Enter and the mouse do on a square."""
        meant = self.making.choose(square)
        self._go_on()
        if meant:
            self.options.focus()
            self.options.highlighted = [offer.step for offer in self._offers].index(meant[0])

    def _take(self, step: Step) -> None:
        self.making.take(step)
        self._go_on()

    def _go_on(self) -> None:
        """Show what has been chosen; a whole move is made, unless it costs something and the person thinks better."""
        walk = self.making.walk
        if walk.here:
            self.board.put(walk.here)
        self._show()
        if walk.move is not None:
            self._make_if_worth_it(walk.move)

    def _make_if_worth_it(self, move: Move) -> None:
        if costs := self.making.speech.costs(move):
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
        self.making.undo()
        self._show()

    def action_cancel(self) -> None:
        """Undo all steps, leave the list and the typed line, come back to the game."""
        self._close_typed()
        if self._viewed is not None:
            self._view(len(self.play.game.moves))
        else:
            self.making.cancel()
            self._show()

    def action_target(self, by: int) -> None:
        """Go to the next square that can be chosen."""
        if squares := self.making.targets():
            here = self.board.cursor
            at = (squares.index(here) + by) % len(squares) if here in squares else min(by, 0)
            self.board.focus()
            self.board.look(squares[at])

    def action_hand(self) -> None:
        """Take the next piece from the hand."""
        self.making.next_drop()
        self._go_on()
        if self.making.walk.choosing:
            self.options.focus()

    def action_take_from_hand(self, code: str) -> None:
        """Take a piece of that kind from the hand."""
        self.making.drop(code)
        self._go_on()

    def action_number(self, number: int) -> None:
        """Choose the face or the kind of that number."""
        if self.making.number(number):
            self.board.focus()
        self._go_on()

    def action_moves(self) -> None:
        """List the moves of the piece under the cursor, or all pieces that can move."""
        if not self.making.walk.path and (step := self.making.walk.select(self.board.cursor)) is not None:
            self._take(step)
        self.options.focus()

    # --- Typing ---

    def action_type(self) -> None:
        """Open the line for typed moves."""
        if self.making.busy:
            self._say(self.making.busy)
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
        try:
            move = read(position, text)
        except IllegalMoveError as error:
            if position.variant.option("illegal_move") == "loses" and is_move_string(position, text):
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

    # --- The game ---

    def action_take_back(self) -> None:
        """Take back the last move."""
        try:
            self.play.take_back()
        except KomadaiError as error:
            self._say(f"{capital(str(error))}.")
        else:
            del self._written[len(self.play.game.moves) :]
            self._news("Taken back.")

    def action_hint(self) -> None:
        """Ask the engine for a move."""
        if self.making.busy:
            self._say(self.making.busy)
        elif not self._thinking:
            self._ask_engine(STRONGEST, hint=True)
            self._tell()

    def action_flip(self) -> None:
        """Turn the board round."""
        self.board.flipped = not self.board.flipped
        self._show()

    def action_letters(self) -> None:
        """Show kanji or letters."""
        self.board.letters = not self.board.letters
        self._show()

    def action_browse(self, by: int) -> None:
        """Look at the position one move before or after."""
        count = len(self.play.game.moves)
        at = count if self._viewed is None else self._viewed
        self._view(min(max(at + by, 0), count))

    def _view(self, at: int) -> None:
        self._viewed = None if at == len(self.play.game.moves) else at
        self._begin()
        self._show()

    def action_resign(self) -> None:
        """Resign, after a question."""
        if self.play.game.outcome() is not None:
            self._say("The game is over.")
            return
        side = self.play.person or self.play.game.turn
        words = f"Shall {SIDE_NAMES[side]} resign?"
        self.app.push_screen(Question(words, "resign", "play on"), partial(self._resigned, side))

    def _resigned(self, side: Side, yes: bool | None) -> None:
        if yes:
            self._do(partial(self.play.resign, side))

    def action_agree(self) -> None:
        """Agree a draw, where the rules offer it and two people play."""
        if not self.play.can_agree_draw():
            why = (
                "a draw is agreed by two people, and only where the rules offer it: once both kings are in their zones"
            )
            self._say(f"{capital(why)}.")
            return
        self.app.push_screen(Question("Do both players agree a draw?", "draw", "play on"), self._agreed)

    def _agreed(self, yes: bool | None) -> None:
        if yes:
            self._do(self.play.agree_draw)

    def action_next_game(self) -> None:
        """Begin the next game of the match, or after a single game another with colours changed."""
        if self.play.match is None and self.play.game.outcome() is not None:
            self.dismiss(self.play.another())
        elif self._do(self.play.next_game):
            self._written.clear()
            self.board.flipped = self.play.person == "w"
            self._news()

    def _do(self, act: Callable[[], None]) -> bool:
        """Do something to the game and show it; whether it was done."""
        try:
            act()
        except KomadaiError as error:
            self._say(f"{capital(str(error))}.")
            return False
        self._news()
        return True

    def action_help(self) -> None:
        """Show keys, signs, pieces and rules."""
        self.app.push_screen(Help(self.play.game.variant))

    def action_leave(self) -> None:
        """Leave the game, which is kept."""
        self.dismiss()
