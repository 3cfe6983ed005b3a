"""The screen of a game: the board, what may come next, the record, and what is said of it all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import zip_longest
from typing import ClassVar, NamedTuple

from rich.markup import escape
from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static

from ..board import SIDE_NAMES, SIDES, Side
from ..derive import faces
from ..errors import IllegalMoveError, KomadaiError, NotationError
from ..explain import why_nowhere
from ..move import Move
from ..notation import of as notation_of
from ..position import Position
from ..steps import Node, Step, step_tree
from .board import ROOMY, TIGHT, Board
from .diagram import diagram
from .dialogs import Question
from .help import Help
from .marks import HINT, composing, in_mid_move, standing
from .places import Places
from .play import Play
from .thinking import Thinker
from .walk import Walk
from .words import Speech, capital, kind_title, options_in_force

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


class Table(Screen[None]):
    """A game at the table."""

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
        self._stuck: str | None = None  # the beginning of the move strings of a piece that cannot move
        self._hint: Move | None = None
        self._said = ""
        self._offers: list[Offer] = []
        self._begin()

    def _begin(self) -> None:
        """Take up the position that is to be shown now."""
        self.position = self._position_shown()
        live = self._viewed is None and self.play.game.outcome() is None and self.play.thinker is None
        self.walk = Walk(step_tree(self.position) if live else Node())
        person = self.play.person
        self.places = Places(self.position, self.position.turn if person is None else person)
        self.speech = Speech(self.position, self.walk, self.places)
        self._stuck = self._hint = None
        last = self.play.game.moves[: self._viewed][-1:]
        self._check = self.position.outcome() is None and self.position.is_check()
        self._standing = standing(self.position, last[0] if last else None, check=self._check)

    def _position_shown(self) -> Position:
        game = self.play.game
        if self._viewed is None:
            return game.position
        position = game.start
        for move in game.moves[: self._viewed]:
            position.push(move)
        return position

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        with Horizontal(id="middle"):
            with Vertical(id="field"):
                yield Static(id="far", classes="plate")
                yield Board(self.position, id="board")
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
        self._said = said
        self._begin()
        self._show()
        level = self.play.thinker
        self._thinking = level is not None
        if level is not None:
            self._think(self.play.game.position.copy(), self._number, level)

    @work(thread=True, group="engine")
    def _think(self, position: Position, number: int, level: int | None) -> None:
        wanted = partial(self._is_now, number)
        move = self._thinker.best(position, wanted) if level is None else self._thinker.best(position, wanted, level)
        self.post_message(self.Thought(number, move, hint=level is None))

    def _is_now(self, number: int) -> bool:
        return number == self._number

    @on(Thought)
    def _thought(self, event: Thought) -> None:
        if not self._is_now(event.number) or event.move is None:
            return
        self._thinking = False
        if event.hint:
            self._hint = event.move
            self._say(f"Hint: {notation_of(self.position.variant).write(self.position, event.move)} ({event.move})")
        else:
            self._make(event.move)

    def _make(self, move: Move | str) -> bool:
        """Make a move; whether it was made."""
        written = str(move)
        if isinstance(move, Move):
            written = notation_of(self.position.variant).write(self.play.game.position, move)
        try:
            self.play.push(move)
        except KomadaiError as error:
            self.walk.reset()
            self._say(capital(str(error)))
            return False
        if len(self.play.game.moves) > len(self._written):
            self._written.append(written)
        self._news()
        return True

    # --- Showing ---

    def _show(self) -> None:
        """Show everything anew."""
        self._draw()
        self._fit()
        self._list()
        for id, side in (("#far", self._far), ("#near", self._near)):
            self.query_one(id, Static).update(self._plate(side))
        self._record()
        self._tell()

    def _draw(self) -> None:
        """Show the board, with the price of the step under the cursor."""
        viewed = next(iter(self.walk.at(self.board.cursor)), None)
        hinted = () if self._hint is None else (self._hint.origin, self._hint.target)
        hint = {point: HINT for point in hinted if point is not None}
        shown = self._standing | hint | composing(self.position.variant.board, self.walk, viewed)
        self.board.show(self.position, in_mid_move(self.position, self.walk), shown)

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
        self.query_one("#field").styles.width = min(max(board.whole.width, _FIELD), room)
        title = self.query_one("#title", Static)
        title.display = height >= _LOW
        variant = self.play.game.variant
        parts = [variant.name, options_in_force(variant), self.play.state(), "? help"]
        title.update(" · ".join(filter(None, parts)))

    def on_resize(self, event: events.Resize) -> None:
        """Fit what is shown to the new size."""
        if self.is_mounted:
            self._show()
            self.board.put(self.board.cursor)

    def _plate(self, side: Side) -> str:
        """A line for a side: whose turn it is, who plays, and the hand or what else the side goes by."""
        mine = self.position.turn == side and self.play.game.outcome() is None
        name = self.play.name(side)
        title = f"{'>' if mine else ' '} {SIDE_NAMES[side]}{f' ({name})' if name else ''}"
        if self.speech.bare:
            named = f"{title}  {self.speech.standing(side, lambda kind: kind.name)}"
            short = f"{title}  {self.speech.standing(side, lambda kind: kind.code)}"
            fits = len(named) <= self.board.whole.width or self.app.size.height >= _WRAPS
            return escape(named if fits else short)
        hand, offered = self.position.hand(side), {step.code for step in self.walk.drops()}
        held = []
        for code, count in hand.items():
            kind = self.position.variant.kind(code)
            text = escape(f"{code if self.board.letters else kind.kanji}{'' if count == 1 else count}")
            live = mine and code in offered
            held.append(f"[@click=screen.take_from_hand('{code}')]{text}[/]" if live else text)
        return f"{title}  hand: {'  '.join(held) or '-'}"

    def _record(self) -> None:
        """The latest moves, or those around the position that is looked at."""
        panel = self.query_one("#record", Static)
        count, rows = len(self._written), max(panel.size.height, 3)
        at = count if self._viewed is None else self._viewed
        first = max(0, min(at - rows // 2 - 1, count - rows))
        pairs = self.position.variant.numbering == "pairs"
        start = 0 if self.play.game.start.turn == "b" else 1
        lines = []
        for ply in range(first, min(count, first + rows)):
            number = (ply + start) // 2 + 1 if pairs else ply + 1
            here = ">" if ply + 1 == at else " "
            lines.append(f"{here}{number:>3} {SIDE_NAMES[SIDES[(ply + start) % 2]][0]} {self._written[ply]}")
        panel.update("\n".join(lines) or "  no move yet")

    def _tell(self) -> None:
        """Say what to do, and what has been said or stands under the cursor; over the typed line only that."""
        said = self._said or self.speech.square(self.board.cursor)
        told = said if self.has_class("typing") else f"{self._headline()}\n{said}"
        self.query_one("#says", Static).update(told)
        self._card()

    def _headline(self) -> str:
        game, position = self.play.game, self.position
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
        return f"{check}{self.speech.prompt() or f'{mover} to move.'}{saving}"

    def _card(self) -> None:
        """The kind that is being chosen, the piece that has been taken from the hand, or the one under the cursor."""
        listed = self._offers[self.options.highlighted or 0].step if self._offers and self.options.has_focus else None
        chosen = [step.code for step in (*self.walk.path, listed) if step is not None and step.code]
        code = chosen[-1] if chosen else None
        if code is None:
            piece = self.position.piece_at(self.board.cursor)
            code = piece and piece.code
        text = ""
        if code is not None:
            kind = self.position.variant.kind(code)
            text = kind_title(kind)
            if self.app.size.height >= _DEEP:
                text += "\n\n" + "\n".join(diagram(kind))
        self.query_one("#card", Static).update(text)

    def _say(self, words: str) -> None:
        self._said = words
        self._show()

    # --- The list of what may come next ---

    def _list(self) -> None:
        self._offers = self._continuations() if self.walk.root.children else self._others()
        options = self.options
        with self.prevent(OptionList.OptionHighlighted):
            options.clear_options()
            options.add_options([offer.words for offer in self._offers])
            options.highlighted = 0 if self._offers else None

    def _continuations(self) -> list[Offer]:
        numbers = self._numbers()
        offers = [
            Offer(f"{f'{number} ' if number else ''}{self.speech.step(step)}", partial(self._take, step), step)
            for number, step in zip_longest(numbers, self.walk.children)
        ]
        return sorted(offers, key=lambda offer: offer.words) if numbers else offers

    def _others(self) -> list[Offer]:
        """What there is to do when no move can be made here."""
        if self._viewed is not None:
            return [Offer("back to the game", self.action_cancel)]
        if self.play.game.outcome() is None:
            return []
        goes_on = self.play.match is not None and self.play.match.winner is None
        return [
            *[Offer("n  next game of the match", self.action_next_game)] * goes_on,
            Offer("u  take back", self.action_take_back),
            Offer("q  leave", self.action_leave),
        ]

    def _numbers(self) -> list[int]:
        """The digits of the choices between kinds: of faces always the same, whichever may be shown now."""
        if not self.walk.choosing:
            return []
        last, offered = self.walk.last, list(self.walk.children)
        if last is not None and last.t == "drop":
            shown = faces(self.position.variant, last.code or "")
            return [shown.index(step.code or "") + 1 for step in offered]
        return list(range(1, len(offered) + 1))

    @on(OptionList.OptionHighlighted, "#next")
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """The cursor of the board goes along with that of the list."""
        step = self._offers[event.option_index].step if event.option_index < len(self._offers) else None
        if step is not None and self.options.has_focus:
            if step.at is not None:
                self.board.put(step.at)
            self._said = ""
            self._draw()
            self._tell()

    @on(OptionList.OptionSelected, "#next")
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_index < len(self._offers):
            self._offers[event.option_index].act()

    # --- Composing a move ---

    @on(Board.Looked)
    def _looked(self, event: Board.Looked) -> None:
        if isinstance(event, Board.Chosen):
            self._choose(event.square)
            return
        self._said = ""
        squares = [offer.step and offer.step.at for offer in self._offers]
        if event.square in squares:
            with self.prevent(OptionList.OptionHighlighted):
                self.options.highlighted = squares.index(event.square)
        self._draw()
        self._tell()

    def _choose(self, square: str) -> None:
        """What Enter and the mouse do on a square."""
        walk = self.walk
        steps = walk.at(square) if walk.path else []
        if not walk.root.children:
            self._say(self._busy())
        elif len(steps) == 1:
            self._take(steps[0])
        elif steps or (len(walk.ends) > 1 and square == walk.here):
            self._ask_list(steps or walk.ends)
        elif walk.ends and square == walk.here:
            self._take(walk.ends[0])
        elif far := walk.far().get(square):
            self._take(*far)
        elif walk.origin == square or self._stuck == square:
            self.action_cancel()
        elif (step := walk.select(square)) is not None:
            walk.reset()
            self._take(step)
        else:
            self._illegal(square)

    def _busy(self) -> str:
        if self._viewed is not None:
            return "You are looking at an earlier position; Esc comes back to the game."
        return "The game is over." if self.play.game.outcome() else "It is the computer's turn."

    def _ask_list(self, steps: Sequence[Step]) -> None:
        """Several things may be meant: let the list decide."""
        self.options.focus()
        self.options.highlighted = [offer.step for offer in self._offers].index(steps[0])
        self._said = "Which is meant? Choose in the list."
        self._tell()

    def _take(self, *steps: Step) -> None:
        """Take steps; after the last the move is made, unless it costs something and the person thinks better."""
        self._stuck, self._said = None, ""
        for step in steps:
            self.walk.down(step)
        self.walk.advance()
        if self.walk.move is None:
            if self.walk.here:
                self.board.put(self.walk.here)
            self._show()
        elif costs := self.speech.costs():
            self._show()
            self.app.push_screen(Question(costs, "play it", "think again", grave=False), self._paid)
        else:
            self._finish()

    def _paid(self, yes: bool | None) -> None:
        if yes:
            self._finish()
        else:
            self.action_undo_step()

    def _finish(self) -> None:
        if self.walk.move is not None:
            self._make(self.walk.move)

    def _illegal(self, square: str) -> None:
        """Say why nothing can be done on a square."""
        position, place = self.position, self.places.long(square)
        piece = position.piece_at(square)
        begun = self.walk.text or self._stuck
        if begun:
            shoots = piece is not None and any(step.t == "shoot" for step in self.walk.children)
            try:
                self._say(capital(position.explain(f"{begun}{'*' * shoots}{square}")))
            except KomadaiError as error:
                self._say(capital(str(error)))
        elif piece is None:
            hand = ", or take one from the hand (d)" if self.walk.drops() else ""
            self._say(f"Nothing stands on {place}: choose one of your pieces{hand}.")
        elif piece.side != position.turn:
            self._say(f"{self.speech.square(square)}. {SIDE_NAMES[position.turn]} is to move.")
        else:
            self._stuck = square
            name = f"The {self.speech.name(piece.code)} on {place}"
            held = position.variant.board.find(square) in position.held()
            why = "is held fast this turn" if held else "has no legal move now; choose a square to learn why"
            self._say(f"{name} {why}.")

    @on(Board.Undone)
    def action_undo_step(self) -> None:
        """Undo one step of the move that has been begun."""
        self.walk.up()
        self._stuck = None
        self._say("")

    def action_cancel(self) -> None:
        """Undo all steps, leave the list and the typed line, come back to the game."""
        self._close_typed()
        if self._viewed is not None:
            self._view(len(self.play.game.moves))
            return
        self.walk.reset()
        self._stuck = None
        self._say("")

    def action_target(self, by: int) -> None:
        """Go to the next square that can be chosen."""
        squares = list(dict.fromkeys(step.at for step in self.walk.children if step.at))
        if self.walk.ends and self.walk.here:
            squares.append(self.walk.here)
        if squares:
            here = self.board.cursor
            at = (squares.index(here) + by) % len(squares) if here in squares else min(by, 0)
            self.board.focus()
            self.board.look(squares[at])

    def action_hand(self) -> None:
        """Take the next piece from the hand."""
        drops = self.walk.drops()
        if not drops:
            self._say(self._no_drops())
            return
        taken = self.walk.path[0] if self.walk.path else None
        at = (drops.index(taken) + 1) % len(drops) if taken in drops else 0
        self.walk.reset()
        self._take(drops[at])
        if self.walk.choosing:
            self.options.focus()

    def _no_drops(self) -> str:
        """Why nothing can be taken from the hand."""
        if not self.walk.root.children:
            return self._busy()
        hand = self.position.hand(self.position.turn)
        return f"{capital(why_nowhere(self.position, next(iter(hand))))}." if hand else "Your hand is empty."

    def action_take_from_hand(self, code: str) -> None:
        """Take a piece of that kind from the hand."""
        step = next((step for step in self.walk.drops() if step.code == code), None)
        if step is not None:
            self.walk.reset()
            self._take(step)

    def action_number(self, number: int) -> None:
        """Choose the face or the kind of that number."""
        numbers = self._numbers()
        if number in numbers:
            self._take(list(self.walk.children)[numbers.index(number)])
            self.board.focus()
        elif numbers:
            self._say(f"There is no choice {number} now.")

    def action_moves(self) -> None:
        """List the moves of the piece under the cursor, or all pieces that can move."""
        if not self.walk.path and (step := self.walk.select(self.board.cursor)) is not None:
            self._take(step)
        self.options.focus()

    # --- Typing ---

    def action_type(self) -> None:
        """Open the line for typed moves."""
        if not self.walk.root.children:
            self._say(self._busy())
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
            move = self._read(position, text)
        except IllegalMoveError as error:
            if position.variant.option("illegal_move") == "loses" and self._is_string(position, text):
                words = f"{capital(str(error))}. By this game's rules an illegal move loses. Play it?"
                self.app.push_screen(Question(words, "play it and lose", "think again"), partial(self._risked, text))
            else:
                self._say(capital(str(error)))
        except KomadaiError as error:
            self._say(capital(str(error)))
        else:
            self._close_typed()
            self._make(move)

    def _read(self, position: Position, text: str) -> Move:
        """The move that was typed, as a move string or as people write it."""
        try:
            return position.parse_move(text)
        except NotationError:
            return notation_of(position.variant).read(position, text)

    def _is_string(self, position: Position, text: str) -> bool:
        """Whether it is a move string, legal or not."""
        try:
            position.explain(text)
        except NotationError:
            return False
        return True

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
        if not self.walk.root.children:
            self._say(self._busy())
        elif not self._thinking:
            self._thinking = True
            self._tell()
            self._think(self.play.game.position.copy(), self._number, None)

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
        self._said = ""
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
        """Begin the next game of the match."""
        if self._do(self.play.next_game):
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
