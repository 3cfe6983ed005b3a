"""The course of a game in the model: every event that was committed, and the state after each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from komadai.app.web.store import Event, GameRow

from .clock import CLOSE, CONTROLS, Clock
from .rules import Board, Made, State, Terms, other

LATE = 7.5  # seconds without a heartbeat of any server from which on nobody was there
UNSURE = 1.5  # seconds by which that may be off, by slow stores and what is too short to be told
_ENDING = ("move", "undo", "resign", "draw", "flag")  # events that end all offers
_WINS = {"hand": 2}  # games in a row that win a match, by variant
_CONTROLS = {control.text: control for control in CONTROLS}


def silence(beats: Sequence[float], since: float, late: float) -> float:
    """The seconds from that moment on that lie between two heartbeats farther apart than that."""
    return sum(max(0.0, two - max(one, since)) for one, two in pairwise(beats) if two - one > late)


def terms_of(row: GameRow) -> Terms:
    """The terms in the store."""
    kept = dict(row.terms)
    seats, options = dict(row.seats), dict(row.options)
    keys, names = dict(kept.get("tokens", {})), dict(kept.get("names", {}))
    time = kept.get("time", "none")
    settled = (row.id, row.variant, options, row.position, seats, keys, names)
    return Terms(*settled, kept.get("invite"), time, row.match, row.number, kept.get("lobby", False))


@dataclass
class Course:
    """A game.

    Attributes:
        earlier: the games before it in its match.
        versions: the state at first and after each event, and when the next game of the match had begun.
        events: as clients are to see them, from number 1.
        done: what each person's command ids stand for: the command and the number of its event, by sides and id.
        keys: the sides of all tokens there ever were, by digest.
    """

    terms: Terms
    earlier: list[Course]
    versions: list[State] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    done: dict[tuple[str, str], tuple[Mapping[str, Any], int]] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    invite: str | None = None  # known to whoever made the game

    def __post_init__(self) -> None:
        self._board = Board(self.terms)
        clock = Clock.of(_CONTROLS[self.terms.time])
        keys, terms = dict(self.terms.keys), self.terms
        state = State(0, (), terms.seats, keys, terms.names, clock, **self._board.shown(()))
        self.versions.append(self._judged(state))
        self._learn(keys)

    @property
    def id(self) -> str:
        return self.terms.id

    @property
    def now(self) -> State:
        """The latest state."""
        return self.versions[-1]

    @property
    def latest(self) -> int:
        """The index of the latest version."""
        return len(self.versions) - 1

    def _learn(self, keys: Mapping[str, str]) -> None:
        for key in keys.values():
            self.keys[key] = "".join(side for side in "bw" if keys.get(side) == key)

    # --- The match ---

    def _judged(self, state: State) -> State:
        """With the word on whether the match is over."""
        if self.terms.match is None:
            return state
        over = state.outcome is not None and (self.run(state)[1] >= self.needed or state.outcome[1] == "called_off")
        return replace(state, match_over=over)

    @property
    def needed(self) -> int:
        return _WINS[self.terms.variant]

    def run(self, state: State) -> tuple[str | None, int]:
        """The side, as in this game, that has won the latest games in a row, and how many."""
        games = [*(course.now for course in self.earlier), state]
        winner, length = None, 0
        for number, game in enumerate(games):
            if game.outcome is None:
                continue
            side = game.outcome[0]
            if side is not None and (len(games) - 1 - number) % 2:
                side = other(side)
            winner, length = side, 0 if side is None else length + 1 if side == winner else 1
        return winner, length

    # --- Events ---

    def append(self, kind: str, payload: Mapping[str, Any], now: float) -> None:
        """Take in an event that happened at that moment."""
        before = self.now
        after = replace(before, seq=before.seq + 1, moment=now, **dict(self._changes(kind, payload)))
        moves = len(after.moves)
        running = bool(moves) and not (after.outcome or after.paused) and after.clock.control.text != "none"
        lost = now - before.moment - payload["counted"] if kind == "outage" else 0.0
        after = replace(after, clock=before.clock.after(kind, now, before.turn, moves, running, lost))
        self.versions.append(self._judged(after))
        self.events.append({"seq": after.seq, "kind": kind} | self._published(kind, payload))
        self._learn(after.keys)

    def follow(self, game: str) -> None:
        """The next game of the match has begun."""
        self.versions.append(replace(self.now, following=game))

    def _changes(self, kind: str, payload: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        state = self.now
        if kind in _ENDING:
            yield from (("offers", {}), ("declined", frozenset()), ("greeted", ""))
        else:
            yield "offers", {what: side for what, side in state.offers.items() if what != kind}
        if kind == "move" and payload["usi"] in state.legal:
            yield from self._moved((*state.moves, payload["usi"]))
        elif kind == "move":
            yield from self._claimed(other(state.turn), "illegal")
        elif kind == "undo":
            yield from self._moved(state.moves if state.claimed else state.moves[: len(state.moves) - payload["pops"]])
        elif kind == "resign":
            yield from self._claimed(other(payload["side"]), "resign")
        elif kind == "flag":
            yield from self._claimed(other(payload["side"]), "time")
        elif kind == "draw":
            yield from self._claimed(None, "agreement")
        elif kind == "call_off":
            yield from self._claimed(None, "called_off")
        elif kind in ("pause", "resume"):
            yield "paused", kind == "pause"
        elif kind == "rematch":
            yield "rematch", payload["game"]
        elif kind == "join":
            side = payload["side"]
            yield "seats", {**state.seats, side: "human"}
            yield "keys", {**state.keys, side: payload["token"]}
            yield "names", {**state.names, **({side: payload["name"]} if payload["name"] else {})}
            yield "guest", payload["visitor"]
        elif kind == "greet":
            yield "greeted", state.greeted + payload["side"]
        elif kind == "offer":
            yield "offers", {**state.offers, payload["what"]: payload["side"]}
        elif kind == "decline":
            what = payload["what"]
            yield "offers", {name: side for name, side in state.offers.items() if name != what}
            yield "declined", state.declined | {(what, state.offers[what])}

    def _moved(self, moves: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        yield from (("moves", moves), ("claimed", False))
        yield from self._board.shown(moves).items()

    def _claimed(self, winner: str | None, reason: str) -> Iterator[tuple[str, Any]]:
        yield from (("outcome", (winner, reason)), ("claimed", True))
        yield from (("legal", frozenset()), ("losing", frozenset()), ("drawable", False))

    def _published(self, kind: str, payload: Mapping[str, Any]) -> dict[str, Any]:
        """An event as clients are to see it."""
        if kind == "move":
            lost = self.now.outcome is not None and self.now.outcome[1] == "illegal"
            return {"illegal" if lost else "usi": payload["usi"]}
        if kind == "undo":
            return {"moves": len(self.now.moves)}
        public = {"resign": ("side",), "flag": ("side",), "join": ("side", "name"), "offer": ("side", "what")}
        public |= {"decline": ("what",), "greet": ("side", "what"), "rematch": ("game",)}
        return {name: payload[name] for name in public.get(kind, ())}

    # --- Events that no command causes ---

    def unprompted(self, event: Event, now: float, beats: Sequence[float]) -> str | None:
        """Judge an event without a command, written at that moment, with heartbeats of any server at these: what is
        wrong with it, in words."""
        state, remaining = self.now, self.now.clock.remaining(self.now.turn, now)
        least, most = (silence(beats, state.moment, LATE + off) for off in (UNSURE, -UNSURE))
        if state.clock.control.days:
            least = most = 0.0
        if event.kind == "flag":
            fallen = remaining is not None and remaining < CLOSE and least < 2 * UNSURE
            return None if fallen and event.payload == {"side": state.turn} else "no flag of that side has fallen"
        if event.kind == "outage":
            lost = now - state.moment - event.payload["counted"]
            right = remaining is not None and least - UNSURE < lost < most + UNSURE
            return None if right else f"{lost} s do not count, where nobody was there for {least} to {most} s"
        if event.kind == "move":
            due: Made | None = state.computed() if state.thinking else None
            return None if (event.kind, event.payload) == due else "that is no move of the computer's"
        return "nobody has asked for that"
