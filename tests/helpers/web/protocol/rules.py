"""The rules of the protocol as the documentation has them: what a game is after each event, and what a command does.

Plain data, and :class:`komadai.Game` for the rules of the board. Written without the server's code.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from komadai.game.game import Game

from .clock import Clock

Made = tuple[str, dict[str, Any]]
"""Kind and contents of an event."""

AGREED = ("undo", "draw", "pause", "resume", "rematch")
WATCHING = "You are watching this game"
OVERTAKEN = "The game has continued in another window"
REUSED = "Another command had the id"
GREETINGS = (
    "hello",
    "enjoy",
    "thanks",
    "game",
    "well_played",
    "good_move",
    "oops",
    "sorry",
    "moment",
    "back",
    "leaving",
    "again",
)
UNCHANGED = "Nothing was changed: "
UNKNOWN = "It is not known whether this was done: "


def other(side: str) -> str:
    return "w" if side == "b" else "b"


def digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


@dataclass(frozen=True)
class Terms:
    """The settings of a game when it is made: seats are ``human``, ``open`` or ``level1``; ``keys`` are digests of
    tokens; ``invite`` is that of an invitation."""

    id: str
    variant: str
    options: Mapping[str, str]
    position: str | None
    seats: Mapping[str, str]
    keys: Mapping[str, str]
    names: Mapping[str, str]
    invite: str | None
    time: str
    match: str | None
    number: int | None
    lobby: bool = False

    def following(self, state: State, id: str, match: str | None, number: int | None) -> Terms:
        """The terms of the game after this one, with the sides exchanged."""
        exchanged = (
            {other(side): found for side, found in had.items()} for had in (state.seats, state.keys, state.names)
        )
        seats, keys, names = exchanged
        changed = replace(self, id=id, seats=seats, keys=keys, names=names, invite=None, lobby=False)
        return replace(changed, match=match, number=number)


@dataclass(frozen=True)
class State:
    """A game after an event.

    Attributes:
        outcome: winner and reason, once it is over; ``claimed``: by a person or a clock, not on the board.
        legal: the legal moves, none where the game is over. ``drawable``: the rules let the players agree on a draw.
        losing: move strings that are illegal and lose the game, by an option of the rules.
        greeted: the sides of the greetings since the game last went on.
        offers: sides by what they have offered. ``declined``: what cannot be offered again yet, with the side.
        following: the next game of the match. ``rematch``: the game that the players have agreed to play.
        guest: the browser that joined last.
        moment: true time of the event.
    """

    seq: int
    moves: tuple[str, ...]
    seats: Mapping[str, str]
    keys: Mapping[str, str]
    names: Mapping[str, str]
    clock: Clock
    sfen: str
    ply: int
    turn: str
    legal: frozenset[str]
    outcome: tuple[str | None, str] | None
    claimed: bool = False
    drawable: bool = False
    losing: frozenset[str] = frozenset()
    offers: Mapping[str, str] = field(default_factory=dict)
    declined: frozenset[tuple[str, str]] = frozenset()
    greeted: str = ""
    paused: bool = False
    rematch: str | None = None
    following: str | None = None
    guest: str | None = None
    match_over: bool | None = None
    moment: float = 0.0

    # --- Who may do what ---

    @property
    def people(self) -> list[str]:
        return [side for side in "bw" if self.seats[side] == "human"]

    @property
    def waiting(self) -> bool:
        return "open" in self.seats.values()

    @property
    def apart(self) -> bool:
        """Two people play each other."""
        return len(self.people) == 2 and len(set(self.keys.values())) == 2

    @property
    def thinking(self) -> bool:
        """The computer is to move."""
        return not (self.outcome or self.paused or self.waiting) and self.seats[self.turn] != "human"

    def sides(self, token: str | None) -> str:
        """The sides of whoever shows this token."""
        return "".join(side for side in self.people if token is not None and self.keys[side] == digest(token))

    def back(self, asker: str | None) -> int:
        """How many moves a takeback takes: until the asker is to move again; a claim first of all."""
        if self.claimed:
            return 1
        count = 1 if asker is None or self.turn != asker else 2
        return count if count <= len(self.moves) else 0

    @property
    def can_undo(self) -> bool:
        if self.following or self.rematch or (self.outcome and self.outcome[1] in ("time", "called_off")):
            return False
        if self.apart:
            return self.outcome is None and bool(self.moves)
        return self.back(self._alone) > 0

    @property
    def _alone(self) -> str | None:
        """The side of the only person, who plays the computer."""
        return self.people[0] if len(self.people) == 1 and not self.waiting else None

    # --- What a command does ---

    def refusals(self, sides: str, command: Mapping[str, Any]) -> list[str]:
        """Why a command is refused: the beginnings of all sentences that are true. None: it is done."""
        what, why = command["t"], []
        if not sides:
            return [WATCHING]

        def unless(holds: object, sentence: str) -> None:
            if not holds:
                why.append(sentence)

        if "ply" in command:
            unless(
                command["ply"] == self.ply, f"The game has continued: this was meant for ply {command['ply']}, but it"
            )
        unless(not self.following, "The next game of the match has started")
        unless(not self.rematch, "The rematch has started")
        reason = self.outcome and self.outcome[1]
        if what == "decline":
            unless(command["what"] in self.offers, "There is no such offer any more.")
        elif what in ("move", "resign", "draw", "pause", "resume") or (what == "undo" and self.apart):
            unless(not self.outcome, "The game is over.")
        if what == "greet":
            unless(self.apart, "There is nobody to greet")
            unless(not self.apart or self.greeted.count(sides) < 3, "That is enough for now")
        if what == "move":
            unless(not self.waiting, "The other player has not come yet.")
            unless(not self.paused, "The game is paused")
            computer = self.seats[self.turn] != "human"
            unless(self.turn in sides, f"It is the {'computer' if computer else 'other player'}'s turn")
            unless(command["text"] in self.legal | self.losing, "")
        asker = self._asker(sides, what)
        if what == "undo":
            unless(reason != "time", "A game that ended on time cannot be taken back.")
            unless(reason != "called_off", "A game that was called off cannot be taken back")
            unless(self.back(asker), "There is no move of yours to take back.")
        if what == "rematch":
            unless(self.outcome, "The game is not over yet.")
            unless(reason != "called_off", "Nobody joined this game")
            unless(self.match_over is not False, "The match is not over yet")
        if what == "draw":
            unless(len(self.people) == 2 and self.drawable, "A draw cannot be agreed now")
        if what == "pause":
            unless(self.clock.since is not None, "No clock is running")
        if what == "resume":
            unless(self.paused, "The game is not paused.")
        if what in AGREED and self.apart and self.offers.get(what) != other(sides):
            unless(self.offers.get(what) != sides, "You have already offered that")
            unless((what, sides) not in self.declined, "Your offer was declined")
        return why

    def _asker(self, sides: str, what: str) -> str | None:
        """The side that asks for what both must agree to: the one that asked first."""
        if not self.apart:
            return self._alone
        return other(sides) if self.offers.get(what) == other(sides) else sides

    def done(self, sides: str, command: Mapping[str, Any]) -> Made:
        """The event of a command that is not refused. The id of the game of a rematch is not known in advance."""
        what = command["t"]
        if what == "move":
            return "move", {"usi": command["text"]}
        if what == "resign":
            return ("call_off", {}) if self.waiting else ("resign", {"side": sides if len(sides) == 1 else self.turn})
        if what == "decline":
            return "decline", {"what": command["what"]}
        if what == "greet":
            return "greet", {"what": command["what"], "side": sides}
        if self.apart and self.offers.get(what) != other(sides):
            return "offer", {"what": what, "side": sides}
        return what, {"pops": self.back(self._asker(sides, what))} if what == "undo" else {}

    def computed(self) -> Made:
        """The computer's move."""
        return "move", {"usi": min(self.legal)}


ILLEGAL = {"nana": ("1a2b", "K*2b", "3c3a"), "hand": ("5d5a", "5a9i", "G*5e")}
"""Well-formed move strings that are mostly illegal, by variant."""


class Board:
    """The board of a game, move by move."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._game = self._fresh()

    def _fresh(self) -> Game:
        return Game(self._terms.variant, self._terms.position, **self._terms.options)

    def shown(self, moves: tuple[str, ...]) -> dict[str, Any]:
        """The part of a state that follows from the board."""
        game = self._game
        if tuple(map(str, game)) != moves[: len(game)]:
            self._game = game = self._fresh()
        for move in moves[len(game) :]:
            game.push(move)
        outcome, position = game.outcome(), game.position
        loses = outcome is None and self._terms.options.get("illegal_move") == "loses"
        legal = frozenset(map(str, position.legal_moves())) if outcome is None else frozenset()
        return {
            "sfen": position.sfen(),
            "ply": position.ply,
            "turn": position.turn,
            "legal": legal,
            "losing": frozenset(ILLEGAL.get(self._terms.variant, ())) - legal if loses else frozenset(),
            "outcome": outcome and (outcome.winner, outcome.reason),
            "drawable": game.can_agree_draw(),
        }
