"""The display of a game: board, next steps, record and messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static

from ...game.game import Game
from ...game.position import Position
from ...i18n import safely
from ...spec.board import SIDE_NAMES, Side
from ...spec.move import Move
from ...view.tree import Step
from .board import ROOMY, TIGHT, Board
from .composing import Composer
from .marks import HINT, composing, in_mid_move, standing
from .panels import card, plate, record
from .play import Opponent
from .words import options_in_force

_PANEL = 21  # the least columns beside the board
_FIELD = 46  # columns that a board and the plates beside it share at least, if there is room
_OTHERS = 4  # lines for plates and what is said
_LOW = 25  # lines of a terminal below which the title makes room
_WRAPS = 30  # lines from which on plates may take several
_DEEP = 34  # lines from which on the card has room for a diagram


T = TypeVar("T")
"""The result of a screen."""


class Playing(Protocol):
    """A game as a screen shows it, and its players."""

    @property
    def game(self) -> Game: ...
    @property
    def person(self) -> Side | None:
        """The only person's side, ``None`` where two people play."""

    @property
    def thinker(self) -> Opponent | None:
        """The computer if it is its turn."""

    def name(self, side: Side) -> str:
        """The player of that side, for its plate."""

    def state(self) -> str | None:
        """The score of the match, in words."""


class Offer(NamedTuple):
    """A line of the list: what it says, what it does, and the step it stands for."""

    words: str
    act: Callable[[], None]
    step: Step | None = None


def write(position: Position, move: Move, style: str | None) -> str:
    """The move as people write it, or its move string where the notation fails."""
    return safely(move.text, position.notate, move, style)


def written(game: Game, style: str | None) -> list[str]:
    """All moves of a game, likewise."""
    position, made = game.start, []
    for move in game.moves:
        made.append(write(position, move, style))
        position.push(move)
    return made


class Shown(Screen[T]):
    """A game as it is shown. What becomes of keys, choices and moves is said by the classes made of it.

    Attributes:
        play: the game that is shown.
        composer: the move being composed in the position that is shown.
        viewed: after how many moves that position was; ``None`` where it is the game's own.
    """

    def __init__(self, play: Playing, *, letters: bool = False, style: str | None = None) -> None:
        super().__init__()
        self.play = play
        self.viewed: int | None = None
        self._letters, self._style = letters, style
        self._thinking = False
        self._written = written(play.game, self._style)
        self._hint: Move | None = None
        self._offers: list[Offer] = []
        self._begin()

    def _offered(self) -> list[Offer]:
        """The entries of the list."""
        raise NotImplementedError

    def _news(self, said: str = "") -> None:
        """Show what has happened in the game, and let it go on."""
        raise NotImplementedError

    def _begin(self) -> None:
        """Take up the position that is to be shown now."""
        position, person = self._position_shown(), self.play.person
        last = self.play.game.moves[: self.viewed][-1:]
        self.composer = Composer(position, position.turn if person is None else person, self._busy())
        self._hint = None
        self._check = position.outcome() is None and position.is_check()
        self._declares = position.outcome() is None and position.declaration() is not None
        self._standing = safely({}, standing, position, last[0] if last else None, check=self._check)

    def _position_shown(self) -> Position:
        game = self.play.game
        if self.viewed is None:
            return game.position
        position = game.start
        for move in game.moves[: self.viewed]:
            position.push(move)
        return position

    def _busy(self) -> str:
        """Why no move can be made now; nothing where one can."""
        if self.viewed is not None:
            return "You are looking at an earlier position; Esc comes back to the game."
        if self.play.game.outcome() is not None:
            return "The game is over."
        return "" if self.play.thinker is None else "It is the computer's turn."

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        with Horizontal(id="middle"):
            with Vertical(id="field"):
                yield Static(id="far", classes="plate")
                yield Board(self.composer.position, id="board")
                yield Static(id="near", classes="plate")
            with Vertical(id="side"):
                yield Static(id="record", markup=False)
                yield OptionList(id="next", compact=True, markup=False)
                yield Static(id="card", markup=False)
        yield Static(id="says", markup=False)
        yield Input(id="typed", compact=True, placeholder="a move, as 7g7f or as the record writes it")

    def on_mount(self) -> None:
        """Show the board from the person's side, and let the game go on."""
        self.board.flipped = self.play.person == "w"
        self.board.letters = self._letters
        self.query_one("#typed").display = False
        self.board.focus()
        self._news()

    @property
    def board(self) -> Board:
        """The board."""
        return self.query_one("#board", Board)

    @property
    def options(self) -> OptionList:
        """The list of what may come next."""
        return self.query_one("#next", OptionList)

    # --- Showing ---

    def _show(self) -> None:
        """Show everything anew."""
        self._draw()
        self._fit()
        self._list()
        composer, game, board = self.composer, self.play.game, self.board
        width = board.whole.width * (2 if self.app.size.height >= _WRAPS else 1)
        for id, side in (("#far", self._far), ("#near", self._near)):
            mine = composer.position.turn == side and game.outcome() is None
            name = self.play.name(side)
            text = safely("", plate, composer.speech, side, name, to_move=mine, letters=board.letters, width=width)
            self.query_one(id, Static).update(text)
        self.query_one("#record", Static).update(safely("", self._beside))
        self._tell()

    def _beside(self) -> str:
        """The text beside the board: the moves around the position that is shown."""
        game = self.play.game
        at = len(game.moves) if self.viewed is None else self.viewed
        return record(self._written, at, self.app.size.height // 5, game.start.turn, game.variant.numbering)

    def _draw(self) -> None:
        """Show the board, with the price of the step under the cursor."""
        position, walk = self.composer.position, self.composer.walk
        viewed = next(iter(walk.at(self.board.cursor)), None)
        hinted = () if self._hint is None else (self._hint.origin_point, self._hint.target_point)
        hint = {point: HINT for point in hinted if point is not None}
        shown = self._standing | hint | safely({}, composing, position.variant.board, walk, viewed)
        self.board.show(position, safely([*position.board], in_mid_move, position, walk), shown)

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
        parts = [variant.name, safely("", options_in_force, variant), safely("", self.play.state), "? help"]
        title.update(" · ".join(filter(None, parts)))

    def on_resize(self, event: events.Resize) -> None:
        """Fit what is shown to the new size."""
        if self.is_mounted:
            self._show()

    def _tell(self) -> None:
        """Say what to do, and what has been said or stands under the cursor; over the typed line only that."""
        said = self.composer.said or safely("", self.composer.speech.square, self.board.cursor)
        text = said if self.has_class("typing") else f"{safely('', self._headline)}\n{said}"
        self.query_one("#says", Static).update(text)
        self._card()

    def _headline(self) -> str:
        game, position = self.play.game, self.composer.position
        if self.viewed is not None:
            return f"After {self.viewed} of {len(game.moves)} moves; [ and ] go through the record, Esc comes back."
        if outcome := game.outcome():
            match = self.play.state()
            return f"{outcome}.{f' {match}.' if match else ''}"
        if self._thinking:
            return "The computer is thinking ..." if self.play.thinker else "Looking for a hint ..."
        mover = "You are" if position.turn == self.play.person else f"{SIDE_NAMES[position.turn]} is"
        check = f"{mover} in check. " if self._check else ""
        stranded = len(position.stranded())
        saving = f" Pieces to be saved this turn: {stranded}." if stranded else ""
        declares = " e declares that the king has entered." if self._declares else ""
        return f"{check}{self.composer.speech.prompt() or f'{mover} to move.'}{saving}{declares}"

    def _card(self) -> None:
        """The kind that is being chosen, the piece that has been taken from the hand, or the one under the cursor."""
        composer = self.composer
        listed = self._offers[self.options.highlighted or 0].step if self._offers and self.options.has_focus else None
        chosen = [step.code for step in (*composer.walk.path, listed) if step is not None and step.code]
        piece = composer.position.piece_at(self.board.cursor)
        code = chosen[-1] if chosen else piece and piece.code
        kind = None if code is None else composer.position.variant.kind(code)
        self.query_one("#card", Static).update(safely("", card, kind, drawn=self.app.size.height >= _DEEP))

    def _say(self, words: str) -> None:
        self.composer.said = words
        self._show()

    def _list(self) -> None:
        self._offers = self._offered()
        options = self.options
        with self.prevent(OptionList.OptionHighlighted):
            options.clear_options()
            options.add_options([offer.words for offer in self._offers])
            options.highlighted = 0 if self._offers else None
