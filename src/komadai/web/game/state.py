"""The course of a stored game: its position, its people and what stands between them, all made from its events.

Nothing here waits, writes or thinks; what an asked-for command would bring is an event for others to write.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from ...errors import IllegalMoveError, KomadaiError, NotationError
from ...game.match import Match
from ...game.outcome import CALLED_OFF
from ...game.position import Position
from ...game.time_control import TimeControl
from ...i18n import _, ngettext, sentence
from ...notation import of as notation_of
from ...spec.board import Side, other
from ...spec.names import side_name
from ...view.compound_steps import compound_moves_of
from ..schema import encode
from ..schema.commands import AgreedCommand, Command, DeclineCommand, MoveCommand, ResignCommand, UndoCommand
from ..store import Event, GameRow
from .clocks import Timing
from .event_log import EventLog
from .offers import Offers
from .replay import BETWEEN_PEOPLE, RefusedError, Stored, begin, play, unreadable
from .seats import Seats

Asked = tuple[str, dict[str, Any]]
"""Kind and payload of an event that is to be written."""


def choices(at: Position) -> dict[str, Any]:
    """What may be done in the position, as JSON: smaller than the data, and told more than once."""
    return {name: msgspec.Raw(msgspec.json.encode(told)) for name, told in encode.choices(at).items()}


class GameState:
    """A game as it stands after the events that are known.

    Attributes:
        row: how it was settled. ``following``: the id of the next game of its match, if that has begun.
        rematch: the id of the game that the players have agreed to play after it.
        start: the position it began from. ``told``: what clients are told of its events.
        choices: what may be done in the present position, as JSON (:func:`encode.choices`), once it is known.
    """

    def __init__(self, stored: Stored) -> None:
        """Replay the events.

        Raises:
            RefusedError: they do not fit the rules this program plays.
        """
        self.row, self.following = stored.row, stored.following
        self.rematch: str | None = None
        self.told = EventLog()
        self.choices: dict[str, Any] | None = None
        self.game = begin(stored.row)
        self.start = self.game.position.copy()
        self.seating, self.offers = Seats(stored.row), Offers()
        self.timing = Timing(TimeControl.parse(stored.row.terms.get("time", "none")), self.game)
        self._done: dict[str, int] = {}
        self.replay(stored.events)
        self.match = None if stored.row.match is None else Match.of([*stored.earlier, self.game])

    def replay(self, events: Iterable[Event]) -> None:
        """Let stored events happen.

        Raises:
            RefusedError: they do not fit.
        """
        try:
            for event in events:
                self.apply(event)
        except (KomadaiError, KeyError, IndexError) as error:
            raise unreadable(error) from error

    # --- Looking ---

    @property
    def seq(self) -> int:
        """The number of the last event, 0 if there is none."""
        return len(self.told)

    def done(self, command: str) -> int | None:
        """The number of the event that the command of that id brought about, if it did."""
        return self._done.get(command)

    @property
    def computer_to_move(self) -> bool:
        """Whether it is a computer's turn."""
        if self.timing.paused or self.seating.waiting or self.game.turn in self.seating.people:
            return False
        return self.game.outcome() is None

    @property
    def _person(self) -> Side | None:
        """The side of the only person, ``None`` where two people play or will."""
        people = self.seating.people
        return next(iter(people)) if len(people) == 1 and not self.seating.waiting else None

    def _pops(self, asker: Side | None) -> int:
        """How many times a take-back pops the game, 0 if there is nothing to take back: to the turn before which
        ``asker`` moved, or by one move for ``None``."""
        claimed = self.game.outcome() is not None and self.game.position.outcome() is None
        count = len(self.told.moves)
        if claimed or asker is None:
            return 1 if claimed or count else 0
        back = 1 if self.game.turn != asker else 2
        return back if back <= count else 0

    def _can_undo(self) -> bool:
        if self.following is not None or self.rematch is not None or self._flagged or self._called_off:
            return False
        if self.seating.apart:
            return self.game.outcome() is None and len(self.told.moves) > 0
        return self._pops(self._person) > 0

    def _can_draw(self) -> bool:
        return len(self.seating.people) == 2 and self.game.can_agree_draw()

    @property
    def _called_off(self) -> bool:
        outcome = self.game.outcome()
        return outcome is not None and outcome.reason == CALLED_OFF

    @property
    def _flagged(self) -> bool:
        outcome = self.game.outcome()
        return outcome is not None and outcome.reason == "time"

    @property
    def undecided(self) -> Position | None:
        """The position, if clients are to be told what may be done in it and that is not known yet."""
        known = self.choices is not None or self.computer_to_move or self.game.outcome() is not None
        return None if known else self.game.position

    def position(self) -> dict[str, Any]:
        """What clients are told of the present position and of what may be done in it."""
        undecided = self.undecided
        if undecided is not None:
            self.choices = choices(undecided)
        computer = self.computer_to_move
        told = None if computer else self.choices
        return encode.shown(self.game) | (told or encode.NO_CHOICES) | {
            "thinking": computer,
            "last": self.told.moves[-1] if self.told.moves else None,
            "match": None if self.match is None else encode.match(self.match, self.following),
            "canUndo": self._can_undo(),
            "canDraw": self._can_draw(),
            "offers": self.offers.told(),
            "rematch": self.rematch,
        }  # fmt: skip

    def earlier(self, moves: int) -> dict[str, Any]:
        """What clients are told of the position after the first ``moves`` moves.

        Raises:
            RefusedError: there are not so many.
        """
        there = len(self.told.moves)
        if moves > there:
            raise RefusedError(
                _("There is no position after move {moves}: the game has {there} so far.", moves=moves, there=there)
            )
        at = self.game.position.copy()
        while there > moves:
            at.pop()
            there -= 1
        return encode.scene(at)

    # --- Asking ---

    def check(self, command: Command, token: str | None) -> Asked:
        """The event a command asks for, of the person who shows this token.

        Raises:
            RefusedError: it cannot be done now; the text says why.
        """
        sides = self.seating.sides(token)
        if not sides:
            raise RefusedError(_("You are watching this game: only those who play it can do that."))
        now = self.game.position.ply
        if isinstance(command, (MoveCommand, UndoCommand)) and command.ply != now:
            words = _(
                "The game has continued: this was meant for ply {ply}, but it is at ply {now}.", ply=command.ply, now=now
            )
            raise RefusedError(words)
        if self.following is not None:
            raise RefusedError(_("The next game of the match has started, so this one can no longer change."))
        if self.rematch is not None:
            raise RefusedError(_("The rematch has started, so this game can no longer change."))
        if isinstance(command, DeclineCommand):
            self.offers.require(command.what)
            return "decline", {"what": command.what}
        if isinstance(command, AgreedCommand):
            return self._agree(command, sides)
        self._require_open()
        if isinstance(command, ResignCommand) and self.seating.waiting:
            return "call_off", {}
        if isinstance(command, ResignCommand):
            return "resign", {"side": next(iter(sides)) if len(sides) == 1 else self.game.turn}
        return self._move(command, sides)

    def _require_open(self) -> None:
        outcome = self.game.outcome()
        if outcome is not None:
            raise RefusedError(_("The game is over. {outcome}.", outcome=outcome.message.words()))

    def _move(self, command: MoveCommand, sides: frozenset[Side]) -> Asked:
        if self.seating.waiting:
            raise RefusedError(_("The other player has not come yet."))
        if self.timing.paused:
            raise RefusedError(_("The game is paused: resume it first."))
        turn = self.game.turn
        if turn not in sides:
            if turn in self.seating.people:
                raise RefusedError(_("It is the other player's turn: {side} is to move.", side=side_name(turn)))
            raise RefusedError(_("It is the computer's turn: {side} is to move.", side=side_name(turn)))
        usi = self._resolve(command.text)
        if command.ask:
            self._ask(usi)
        return "move", {"usi": usi}

    def _agree(self, command: AgreedCommand, sides: frozenset[Side]) -> Asked:
        """What concerns both people: done at once for who acts for all, and else once both want it."""
        what = command.what
        if not self.seating.apart:
            return what, self._possible(what, self._person)
        own = next(iter(sides))
        accepts = self.offers.by(what) == other(own)
        payload = self._possible(what, other(own) if accepts else own)
        if accepts:
            return what, payload
        self.offers.require_new(what, own)
        return "offer", {"what": what, "side": own}

    def _possible(self, what: str, asker: Side | None) -> dict[str, Any]:
        """The payload of an event for which all agree that is asked for by one side, or by who acts for both.

        Raises:
            RefusedError: it cannot happen now.
        """
        if what == "undo":
            if self.seating.apart:
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
        if what == "pause" and not self.timing.running:
            raise RefusedError(_("No clock is running, so there is nothing to stop."))
        if what == "resume" and not self.timing.paused:
            raise RefusedError(_("The game is not paused."))
        return {}

    def _resolve(self, text: str) -> str:
        """The move string of what a person entered: a move string itself, or the game's notation."""
        position = self.game.position
        try:
            return position.parse_move(text).text
        except IllegalMoveError as error:
            if self.game.variant.option("illegal_move") == "loses":
                return text
            raise RefusedError(sentence(error)) from None
        except NotationError:
            try:
                return notation_of(self.game.variant).read(position, text).text
            except KomadaiError as error:
                raise RefusedError(sentence(error)) from None

    def _ask(self, usi: str) -> None:
        """Refuse a move that costs pieces of the mover's own: who typed it may not know."""
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

    def fallen(self) -> Asked | None:
        """The event that is due because a flag has fallen, if one has."""
        remaining = self.timing.remaining()
        return None if remaining is None or remaining > 0 else ("flag", {"side": self.game.turn})

    def join(self, invite: str, name: str, visitor: str | None) -> tuple[str, dict[str, Any]]:
        """A guest's token and the payload of the event ``join``; arguments and errors are those of
        :meth:`Seating.join`."""
        found = self.seating.join(invite, name, visitor)
        if self._called_off:
            raise RefusedError(_("The invitation has been called off."))
        self._require_open()
        return found

    def successor(self, game_id: str, match: str | None, number: int | None, **terms: str) -> GameRow:
        """Another game between the same people under the same terms, with the sides changed."""
        seats, kept = self.seating.swapped(self.row.terms)
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

    # --- Going on ---

    def apply(self, event: Event) -> None:
        """Let an event happen.

        Raises:
            KomadaiError, KeyError, IndexError: it does not fit.
        """
        told: dict[str, Any] = {}
        if event.kind == "move":
            told = self._push(event)
        else:
            play(self.game, event)
            del self.told.moves[len(self.game.moves) :]
            told = {name: event.payload[name] for name in ("side", "what", "name", "game") if name in event.payload}
        if event.kind == "undo":
            told["moves"] = len(self.told.moves)
        elif event.kind == "rematch":
            self.rematch = event.payload["game"]
        if event.kind not in BETWEEN_PEOPLE:
            self.choices = None
        self.seating.apply(event)
        self.offers.apply(event)
        self.timing.apply(event, self.game)
        self.told.add(event.kind, told, move="usi" in told)
        if event.command is not None:
            self._done[event.command] = event.seq

    def _push(self, event: Event) -> dict[str, Any]:
        """Push a move; where an illegal one loses the game, it is told but stands in no move list."""
        text, side = event.payload["usi"], self.game.turn
        position, v = self.game.position, self.game.variant
        legal = next((move for move in position.legal_moves() if move.text == text), None)
        if legal is None:
            play(self.game, event)
            return {"illegal": text}
        written, stood = notation_of(v).write(position, legal), position.board
        self.game.push(legal)
        gone = () if compound_moves_of(v) is None else encode.vanished(legal, stood, position.board)
        return encode.move_entry(v, side, legal, written, gone)
