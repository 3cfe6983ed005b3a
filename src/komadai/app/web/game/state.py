"""The state of a stored game: position, people, clocks and offers, all derived from its events.

Pure, no I/O: turns a command into the event that the caller stores.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Any, get_args

from ....errors import IllegalMoveError, KomadaiError, NotationError
from ....game.match import Match
from ....game.outcome import CALLED_OFF
from ....game.time_control import TimeControl
from ....i18n import _, ngettext, safely, sentence
from ....notation import read as read_move
from ....spec.board import Side, other
from ....spec.logic import is_compound
from ....spec.names import side_name
from ..engines.running_games import FREE_PLIES, RunningGames
from ..presenter import encode
from ..schema import events, model
from ..schema.commands import (
    AgreedCommand,
    Command,
    DeclareCommand,
    DeclineCommand,
    GreetCommand,
    MoveCommand,
    PauseCommand,
    ResignCommand,
    UndoCommand,
)
from ..schema.model import Agreement
from ..store import Event, GameRow
from .clocks import GameClocks
from .done_commands import CommandKey, DoneCommands
from .event_log import EventLog
from .offers import Greetings, Offers
from .replay import BETWEEN_PEOPLE, RefusedError, Stored, begin, play, readable, replay, require_payload
from .seats import Seats

NewEvent = tuple[str, dict[str, Any]]
"""Kind and payload of an event to be stored."""


_PUBLISHED: dict[str, type[events.GameEvent]] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(events.GameEvent)
}
"""What clients get of each kind of event."""
MOST_EVENTS = 5000
"""From this many events on, a game takes no takebacks, pauses and greetings; from twice as many on, no more moves."""


class GameState:
    """The state of a game after the known events.

    Attributes:
        row: the game as it was created. ``following``: the id of the next game of its match, if it exists.
        rematch: the id of the game that the players have agreed to play next.
        start: the position at the start. ``log``: the events as clients get them.
        choices: the legal moves of the present position, encoded in advance, once they are known.
    """

    def __init__(self, stored: Stored) -> None:
        """Replay the events.

        Raises:
            RefusedError: they do not fit the rules of this program.
        """
        self.row, self.following = stored.row, stored.following
        self.rematch: str | None = None
        self.log = EventLog()
        self.choices: model.Choices | None = None
        self.game = begin(stored.row)
        self.start = self.game.position.copy()
        self.offers, self.greetings = Offers(), Greetings()
        with readable():
            self.seats = Seats(stored.row)
            self.clocks = GameClocks(TimeControl.stored(stored.row.terms.get("time", "none")), self.game)
        self._done = DoneCommands()
        self.replay(stored.events)
        with readable():
            earlier = [replay(*one) for one in stored.earlier]
            self.match = None if stored.row.match is None else Match.of([*earlier, self.game])

    def replay(self, events: Iterable[Event]) -> None:
        """Apply stored events.

        Raises:
            RefusedError: they do not fit.
        """
        with readable():
            for event in events:
                self.apply(event)

    # --- Queries ---

    @property
    def seq(self) -> int:
        """The number of the last event, 0 if there is none."""
        return len(self.log)

    def done(self, key: CommandKey) -> int | None:
        """The number of the event caused by a command, if it was done.

        Raises:
            RefusedError: another command of that person had its id.
        """
        return self._done.seq(key)

    @property
    def unplayed(self) -> bool:
        """True if whoever takes the open seat has made no move, and still may."""
        before = 0 if self.seats.guest_side == self.start.turn else 1  # moves of the other side
        return len(self.game.moves) <= before and self.game.outcome() is None

    def guarded_by(self, running: RunningGames) -> None:
        """Have the positions of this game kept from advice while two people play it at two screens."""
        usual = self.row.position is None or encode.is_handicap(self.start)
        game = self.game if self.seats.apart and self.game.outcome() is None else None
        running.follow(self.row.id, game, FREE_PLIES if usual else 0)

    @property
    def computer_to_move(self) -> bool:
        """True if the engine is to move."""
        if self.clocks.paused or self.seats.waiting or self.game.turn in self.seats.people:
            return False
        return self.game.outcome() is None

    @property
    def _person(self) -> Side | None:
        """The side of the only person; ``None`` if two people play, or will."""
        people = self.seats.people
        return next(iter(people)) if len(people) == 1 and not self.seats.waiting else None

    def _pops(self, asker: Side | None) -> int:
        """The number of pops of a takeback, 0 if there is nothing to take back: until ``asker`` is to move again, or
        one move for ``None``."""
        claimed = self.game.outcome() is not None and self.game.position.outcome() is None
        count = len(self.log.moves)
        if claimed or asker is None:
            return 1 if claimed or count else 0
        back = 1 if self.game.turn != asker else 2
        return back if back <= count else 0

    def _can_undo(self) -> bool:
        if self.following is not None or self.rematch is not None or self._flagged or self._called_off:
            return False
        if self.seats.apart:
            return self.game.outcome() is None and len(self.log.moves) > 0
        return self._pops(self._person) > 0

    def _can_draw(self) -> bool:
        return len(self.seats.people) == 2 and self.game.can_agree_draw()

    def _can_declare(self) -> bool:
        open_to_people = self.game.turn in self.seats.people and self.game.outcome() is None
        return open_to_people and self.game.position.declaration() is not None

    @property
    def _called_off(self) -> bool:
        outcome = self.game.outcome()
        return outcome is not None and outcome.reason == CALLED_OFF

    @property
    def _flagged(self) -> bool:
        outcome = self.game.outcome()
        return outcome is not None and outcome.reason == "time"

    def position(self) -> model.Position:
        """The present position and its legal moves, for clients."""
        computer = self.computer_to_move
        if self.choices is None and not computer and self.game.outcome() is None:
            self.choices = encode.encoded_choices(self.game.position)
        choices = None if computer else self.choices
        return model.extended(
            model.Position,
            encode.shown(self.game, choices or encode.NO_CHOICES),
            thinking=computer,
            last=self.log.moves[-1] if self.log.moves else None,
            match=None if self.match is None else encode.match(self.match, self.following),
            can_undo=self._can_undo(),
            can_draw=self._can_draw(),
            can_declare=self._can_declare(),
            offers=self.offers.to_model(),
            rematch=self.rematch,
        )

    def earlier(self, moves: int) -> model.Scene:
        """The position after the first ``moves`` moves, for clients.

        Raises:
            RefusedError: the game has fewer moves.
        """
        there = len(self.log.moves)
        if moves > there:
            raise RefusedError(
                _("There is no position after move {moves}: the game has {there} so far.", moves=moves, there=there)
            )
        at = self.game.position.copy()
        for _undone in range(there - moves):
            at.pop()
        return encode.scene(at)

    # --- Commands ---

    def sides(self, token: str | None) -> frozenset[Side]:
        """The sides of the player with this token.

        Raises:
            RefusedError: the token is not of a player.
        """
        sides = self.seats.sides(token)
        if not sides:
            raise RefusedError(_("You are watching this game: only those who play it can do that."))
        return sides

    def check(self, command: Command, sides: frozenset[Side]) -> NewEvent:
        """The event that carries out a command of the player of these sides.

        Raises:
            RefusedError: the command is impossible now; the message says why.
        """
        now = self.game.position.ply
        if isinstance(command, (MoveCommand, UndoCommand, DeclareCommand)) and command.ply != now:
            words = _(
                "The game has continued: this was meant for ply {ply}, but it is at ply {now}.",
                ply=command.ply,
                now=now,
            )
            raise RefusedError(words)
        if self.following is not None:
            raise RefusedError(_("The next game of the match has started, so this one can no longer change."))
        if self.rematch is not None:
            raise RefusedError(_("The rematch has started, so this game can no longer change."))
        self._require_room(command)
        if isinstance(command, DeclineCommand):
            self.offers.require(command.what)
            return "decline", {"what": command.what}
        if isinstance(command, GreetCommand):
            return self._greet(command, sides)
        if isinstance(command, AgreedCommand):
            return self._agree(command, sides)
        self._require_open()
        if isinstance(command, ResignCommand) and self.seats.waiting:
            return "call_off", {}
        if isinstance(command, ResignCommand):
            return "resign", {"side": next(iter(sides)) if len(sides) == 1 else self.game.turn}
        self._require_turn(sides)
        if isinstance(command, DeclareCommand):
            return self._declare()
        return self._move(command)

    def _require_room(self, command: Command) -> None:
        """Check that the game is not too long for a command. Offers of draws and rematches are bounded by the moves."""
        most = MOST_EVENTS if isinstance(command, (UndoCommand, PauseCommand, GreetCommand)) else 2 * MOST_EVENTS
        if self.seq >= most and isinstance(command, (UndoCommand, PauseCommand, GreetCommand, MoveCommand)):
            raise RefusedError(_("This game is too long for that; play it to its end, or resign."))

    def _require_open(self) -> None:
        outcome = self.game.outcome()
        if outcome is not None:
            raise RefusedError(_("The game is over. {outcome}.", outcome=outcome.message.words()))

    def _require_turn(self, sides: frozenset[Side]) -> None:
        if self.seats.waiting:
            raise RefusedError(_("The other player has not come yet."))
        if self.clocks.paused:
            raise RefusedError(_("The game is paused: resume it first."))
        turn = self.game.turn
        if turn not in sides:
            if turn in self.seats.people:
                raise RefusedError(_("It is the other player's turn: {side} is to move.", side=side_name(turn)))
            raise RefusedError(_("It is the computer's turn: {side} is to move.", side=side_name(turn)))

    def _declare(self) -> NewEvent:
        try:
            copy(self.game).declare()
        except IllegalMoveError as error:
            raise RefusedError(sentence(error)) from None
        return "declare", {}

    def _move(self, command: MoveCommand) -> NewEvent:
        usi = self._resolve(command.text)
        if command.ask:
            self._ask(usi)
        return "move", {"usi": usi}

    def _greet(self, command: GreetCommand, sides: frozenset[Side]) -> NewEvent:
        if not self.seats.apart:
            raise RefusedError(_("There is nobody to greet: that is for two people who play each other."))
        own = next(iter(sides))
        self.greetings.require(own)
        return "greet", {"what": command.what, "side": own}

    def _agree(self, command: AgreedCommand, sides: frozenset[Side]) -> NewEvent:
        """The event for a command that both players must agree to: an offer, unless one person acts for both or the
        other side has offered the same."""
        what = command.what
        if not self.seats.apart:
            return what, self._agreed_payload(what, self._person)
        own = next(iter(sides))
        accepts = self.offers.by(what) == other(own)
        payload = self._agreed_payload(what, other(own) if accepts else own)
        if accepts:
            return what, payload
        self.offers.require_new(what, own)
        return "offer", {"what": what, "side": own}

    def _agreed_payload(self, what: Agreement, asker: Side | None) -> dict[str, Any]:
        """The payload of an event that both players agree on, asked for by one side, or by a person who acts for both.

        Raises:
            RefusedError: it is impossible now.
        """
        if what == "undo":
            if self.seats.apart:
                self._require_open()
            if self._flagged:
                raise RefusedError(_("A game that ended on time cannot be taken back."))
            if self._called_off:
                raise RefusedError(_("A game that was called off cannot be taken back: start a new game."))
            pops = self._pops(asker)
            if not pops:
                raise RefusedError(_("There is no move of yours to take back."))
            return {"pops": pops}
        if what == "rematch":
            if self.game.outcome() is None:
                raise RefusedError(_("The game is not over yet."))
            if self._called_off:
                raise RefusedError(_("Nobody joined this game, so there is no rematch: start a new game."))
            if self.match is not None and not self.match.over:
                raise RefusedError(_("The match is not over yet: go on with its next game."))
            return {}
        self._require_open()
        if what == "draw" and not self._can_draw():
            raise RefusedError(_("A draw cannot be agreed now: the rules do not offer it in this position."))
        if what == "pause" and not self.clocks.running:
            raise RefusedError(_("No clock is running, so there is nothing to stop."))
        if what == "resume" and not self.clocks.paused:
            raise RefusedError(_("The game is not paused."))
        return {}

    def _resolve(self, text: str) -> str:
        """The move string of a move typed by a person, as a move string, in the game's notation or in Japanese."""
        position = self.game.position
        try:
            return position.parse_move(text).text
        except IllegalMoveError as error:
            if self.game.variant.illegal_move_loses:
                return text
            raise RefusedError(sentence(error)) from None
        except NotationError:
            try:
                return read_move(position, text).text
            except KomadaiError as error:
                raise RefusedError(sentence(error)) from None

    def _ask(self, usi: str) -> None:
        """Refuse a move that costs own pieces: the person who typed it may not know."""
        position = self.game.position
        move = next((move for move in position.legal_moves() if move.text == usi), None)
        lost = len(position.losses(move)) if move else 0
        if lost:
            if position.variant.hand_order:
                cost = ngettext(
                    "{move} costs you {count} piece, which goes to {side}'s hand.",
                    "{move} costs you {count} pieces, which go to {side}'s hand.",
                    lost,
                    move=usi,
                    side=side_name(other(position.turn)),
                )
            else:
                cost = ngettext(
                    "{move} costs you {count} piece, which leaves the game.",
                    "{move} costs you {count} pieces, which leave the game.",
                    lost,
                    move=usi,
                )
            raise RefusedError(" ".join((cost, _("Enter the move again to play it all the same."))))

    def fallen(self) -> NewEvent | None:
        """The event for a fallen flag, if one has fallen."""
        remaining = self.clocks.remaining()
        return None if remaining is None or remaining > 0 else ("flag", {"side": self.game.turn})

    def join(self, invite: str, name: str, visitor: str | None) -> tuple[str, dict[str, Any]]:
        """A guest's token and the payload of the event ``join``; arguments and errors as in :meth:`Seats.join`."""
        found = self.seats.join(invite, name, visitor)
        if self._called_off:
            raise RefusedError(_("The invitation has been called off."))
        self._require_open()
        return found

    def successor(self, game_id: str, match: str | None, number: int | None, **terms: str) -> GameRow:
        """Another game between the same people on the same terms, with the sides exchanged."""
        seats, kept = self.seats.swapped(self.row.terms)
        return GameRow(
            id=game_id,
            variant=self.row.variant,
            version=self.row.version,
            options=self.row.options,
            seats=seats,
            match=match,
            number=number,
            position=self.row.position,
            terms=kept | terms,
            owner=self.row.owner,
        )

    # --- Changes ---

    def apply(self, event: Event) -> None:
        """Apply an event.

        Raises:
            KomadaiError, KeyError, IndexError: it does not fit.
        """
        require_payload(event)
        move = self._push(event) if event.kind == "move" else None
        if move is not None:
            self.log.add_move(move)
        else:
            play(self.game, event)
            self.log.keep_moves(len(self.game.moves))
            self.log.add(self._published(event))
        if event.kind == "rematch":
            self.rematch = event.payload["game"]
        if event.kind not in BETWEEN_PEOPLE:
            self.choices = None
        self.seats.apply(event)
        self.offers.apply(event)
        self.greetings.apply(event)
        self.clocks.apply(event, self.game)
        if event.command is not None:
            self._done.add(event.command, event.seq)

    def _push(self, event: Event) -> model.PlayedMove | None:
        """Push a legal move; ``None`` if it is illegal, which loses the game."""
        text, side = event.payload["usi"], self.game.turn
        position, v = self.game.position, self.game.variant
        legal = next((move for move in position.legal_moves() if move.text == text), None)
        if legal is None:
            return None
        texts, before = encode.texts(position, legal), position.board
        self.game.push(legal)
        gone = safely((), encode.vanished, legal, before, position.board) if is_compound(v) else ()
        return encode.played_move(v, side, legal, texts, gone)

    def _published(self, event: Event) -> events.GameEvent:
        """An event for clients, other than a legal move: without secrets."""
        kind, payload = _PUBLISHED[event.kind], event.payload
        if kind is events.MoveEvent:
            return events.MoveEvent(seq=event.seq, illegal=payload["usi"])
        if kind is events.UndoEvent:
            return events.UndoEvent(event.seq, len(self.log.moves))
        _seq, *fields = kind.__struct_fields__
        return kind(event.seq, *(payload[field] for field in fields))
