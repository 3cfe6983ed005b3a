"""The screen of a game: its players, its moves, and what people agree on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.message import Message

from ...engine import STRONGEST
from ...errors import KomadaiError
from ...game.position import Position
from ...i18n import safely
from ...spec.board import SIDE_NAMES, Side
from ...spec.move import Move
from ...view import guide
from .choosing import Choosing
from .dialogs import Question
from .display import Offer, write, written
from .play import Begun, Opponent, Play
from .thinking import Thinker
from .words import capital


class GameScreen(Choosing[Begun | None]):
    """A game at the table; its result is another game that shall be begun, if any."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "take_back", "Take back", show=False),
        Binding("h", "hint", "Hint", show=False),
        Binding("g", "guide", "Guide", show=False),
        Binding("j", "japanese", "Moves in Japanese", show=False),
        Binding("r", "resign", "Resign", show=False),
        Binding("a", "agree", "Agree a draw", show=False),
        Binding("e", "declare", "Declare", show=False),
        Binding("n", "next_game", "Next game", show=False),
        Binding("q", "leave", "Leave", show=False),
    ]

    play: Play

    class Thought(Message):
        """The engine's result; ``number`` is the state of the game it was asked in."""

        def __init__(self, number: int, move: Move | None, hint: bool) -> None:
            self.number, self.move, self.hint = number, move, hint
            super().__init__()

    def __init__(self, play: Play, *, letters: bool = False, style: str | None = None) -> None:
        super().__init__(play, letters=letters, style=style)
        self._thinker = Thinker(play.game.variant)
        self._number = 0  # of the state of the game, so that what was thought in another is known as such

    def on_unmount(self) -> None:
        """Let the engine stop."""
        self._number += 1
        self._thinker.stop()

    # --- What has happened ---

    def _news(self, said: str = "") -> None:
        """Show what has happened in the game, and let the computer think if it is its turn."""
        self._number += 1
        self._thinker.stop()
        self.viewed = None
        self._thinking = False
        self._begin()
        player = self.play.thinker
        if player is not None and self.play.game.position.can_declare():
            self._do(self.play.declare)
            return
        if player is not None:
            self._ask_engine(player, hint=False)
        self._say(said)

    def _ask_engine(self, player: Opponent, *, hint: bool) -> None:
        """Let the engine find a move for the position as it is now; the answer is a :class:`Thought`."""
        self._thinking = True
        self._think(self.play.game.position.copy(), self._number, player, hint=hint)

    @work(thread=True, group="engine")
    def _think(self, position: Position, number: int, player: Opponent, *, hint: bool) -> None:
        move = self._thinker.best(position, partial(self._is_now, number), player)
        self.post_message(self.Thought(number, move, hint))

    def _is_now(self, number: int) -> bool:
        return number == self._number

    @on(Thought)
    def _thought(self, event: Thought) -> None:
        if not self._is_now(event.number) or event.move is None:
            return
        self._thinking = False
        if event.hint:
            self._hint = event.move if self.viewed is None else None
            self._say(f"Hint: {self._write(event.move)} ({event.move})")
        else:
            self._make(event.move)

    def _make(self, move: Move | str) -> None:
        written, side = (self._write(move) if isinstance(move, Move) else move), self.play.game.turn
        try:
            self.play.push(move)
        except KomadaiError as error:
            self.composer.cancel()
            self._say(capital(str(error)))
            return
        if len(self.play.game.moves) > len(self._written):
            self._written.append(written)
            self.board.follow(self.play.game.moves[-1], side)
        self._news()

    def _write(self, move: Move) -> str:
        """The move as people write it."""
        return write(self.play.game.position, move, self._style)

    def _others(self) -> list[Offer]:
        """The available actions when no move can be made."""
        if self.viewed is not None:
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
        if self.composer.busy:
            self._say(self.composer.busy)
        elif self.play.game.position.can_declare():
            self._say("Hint: declare that your king has entered (e).")
        elif not self._thinking:
            self._ask_engine(STRONGEST, hint=True)
            self._tell()

    def action_guide(self) -> None:
        """Say what matters most now."""
        if self.composer.busy:
            self._say(self.composer.busy)
            return
        position, places = self.composer.position, self.composer.places
        plain = "What matters here could not be put into words."
        self._say(safely(plain, lambda: guide.words(guide.remarks(position)[0], position, places.long)))

    def action_japanese(self) -> None:
        """Write moves in Japanese, or in the notation of the game."""
        self._style = None if self._style == "japanese" else "japanese"
        self._written = written(self.play.game, self._style)
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

    def action_declare(self) -> None:
        """Declare that the king has entered, after a question where that does not win; what it lacks is said."""
        if self.composer.busy:
            self._say(self.composer.busy)
            return
        variant, found = self.play.game.variant, self.play.game.position.declaration()
        loses = found is None and variant.declaration is not None and variant.illegal_move_loses
        if loses or (found is not None and found.winner is None):
            words = "The declaration does not hold, which loses" if loses else "The declaration draws the game"
            question = Question(f"{words}. Declare all the same?", "declare", "play on", grave=loses)
            self.app.push_screen(question, self._declared)
        else:
            self._do(self.play.declare)

    def _declared(self, yes: bool | None) -> None:
        if yes:
            self._do(self.play.declare)

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

    def action_leave(self) -> None:
        """Leave the game, which is kept."""
        self.dismiss()
