"""Games replayed from their stored events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

import msgspec

from ....errors import KomadaiError, NotationError
from ....game.game import Game
from ....game.outcome import CALLED_OFF, Outcome
from ....i18n import _
from ....spec.board import Side, other
from ....workshop.identity import identified
from ..schema.model import Agreement, Greeting
from ..store import DamagedError, Event, GameRow, Store


class _Move(TypedDict):
    usi: str


class _Undo(TypedDict):
    pops: Annotated[int, msgspec.Meta(ge=1)]


class _Sided(TypedDict):
    side: Side


class _Join(_Sided):
    name: str
    token: str
    visitor: str | None


class _Asked(TypedDict):
    what: Agreement


class _Offer(_Asked):
    side: Side


class _Greet(_Sided):
    what: Greeting


class _Rematch(TypedDict):
    game: str


class _Outage(TypedDict, total=False):
    counted: Annotated[float, msgspec.Meta(ge=0, le=1e11)]


_PAYLOADS: dict[str, Any] = {
    "move": _Move,
    "undo": _Undo,
    "resign": _Sided,
    "flag": _Sided,
    "join": _Join,
    "offer": _Offer,
    "decline": _Asked,
    "greet": _Greet,
    "rematch": _Rematch,
    "outage": _Outage,
    **dict.fromkeys(("declare", "draw", "call_off", "pause", "resume"), dict),
}
"""The payload that each kind of event has."""
_LONGEST = 300  # characters of a reason
_MISFITS = (KomadaiError, LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError)
"""Raised where something stored is not what it should be."""
BETWEEN_PEOPLE = frozenset({"join", "offer", "decline", "greet", "pause", "resume", "outage", "rematch"})
"""Kinds of events that change nothing on the board."""


class RefusedError(Exception):
    """A request that is impossible now: the message is one sentence for a person, and nothing has changed."""


class UnreadableError(RefusedError):
    """A request about a game that cannot be replayed, because what is stored of it is damaged."""


class DeletedError(RefusedError):
    """A request about a game that has been deleted."""

    def __init__(self) -> None:
        super().__init__(_("This game has been deleted."))


class TooManyGamesError(RefusedError):
    """A game made or joined by whose address has too many already."""


class FullError(RefusedError):
    """A request that would store something new, for which there is no room."""


class UnavailableError(RefusedError):
    """A request that fails because the store fails."""


class InDoubtError(UnavailableError):
    """A request of which it is not known whether it was done, because the store failed in writing it.

    The same request with the same id finds out.
    """


@dataclass(frozen=True, slots=True)
class Stored:
    """A game in the store.

    Attributes:
        earlier: the games before it in its match, to be replayed where the game is.
        following: the id of the game after it in its match, if it exists.
    """

    row: GameRow
    events: Sequence[Event]
    earlier: Sequence[tuple[GameRow, Sequence[Event]]] = ()
    following: str | None = None


def begin(row: GameRow) -> Game:
    """The game at its start.

    Raises:
        RefusedError: it was begun under another version of the rules, or under other rules of which no file was kept.
        UnreadableError: it is damaged.
    """
    try:
        v = identified(row.variant, row.options, row.terms.get("rules"), row.terms.get("file"))
    except _MISFITS as error:
        raise unreadable(error) from error
    if row.version not in v.versions:
        raise RefusedError(
            _(
                "This game was started under version {version} of the rules; this program plays version {ours}.",
                version=row.version,
                ours=v.version,
            )
        )
    with readable():
        return Game(v.under(row.version), row.position)  # what was declared keeps its result


@contextmanager
def readable() -> Iterator[None]:
    """Let nothing be raised but RefusedError.

    Raises:
        UnreadableError: something does not fit.
    """
    try:
        yield
    except _MISFITS as error:
        raise unreadable(error) from error


def require_payload(event: Event) -> None:
    """Check that an event has what its kind has.

    Raises:
        NotationError: it has not, or there is no such kind.
    """
    if event.kind not in _PAYLOADS:
        raise NotationError("event", [f"{event.seq} is of unknown kind {event.kind[:40]!r}"])
    try:
        msgspec.convert(event.payload, _PAYLOADS[event.kind])
    except msgspec.ValidationError as error:
        raise NotationError("event", [f"{event.seq}, {event.kind}, has a wrong payload: {error}"]) from error


def play(game: Game, event: Event) -> None:
    """Apply an event to the game.

    Raises:
        KomadaiError, IndexError: it does not fit.
    """
    payload = event.payload
    if event.kind == "move":
        game.push(payload["usi"])
    elif event.kind == "undo":
        for _undone in range(payload["pops"]):
            game.pop()
    elif event.kind == "resign":
        game.resign(payload["side"])
    elif event.kind == "declare":
        game.declare()
    elif event.kind == "draw":
        game.agree_draw()
    elif event.kind == "flag":
        game.claim(Outcome(other(payload["side"]), "time"))
    elif event.kind == "call_off":
        game.claim(Outcome(None, CALLED_OFF))


def replay(row: GameRow, events: Sequence[Event]) -> Game:
    """Play a stored game again.

    Raises:
        RefusedError: it cannot be replayed.
    """
    game = begin(row)
    with readable():
        for event in events:
            require_payload(event)
            play(game, event)
    return game


def unreadable(error: Exception) -> UnreadableError:
    """The error for a game that is damaged."""
    return UnreadableError(_("The stored game cannot be replayed: {why}", why=str(error)[:_LONGEST]))


def read(store: Store, game_id: str) -> Stored | None:
    """Load a game from the store; ``None`` if there is none with that id. Blocks on the store.

    Raises:
        UnreadableError: it is damaged, or an earlier game of its match is.
    """
    try:
        loaded = store.load(game_id)
        if loaded is None:
            return None
        row, events = loaded
        if row.match is None:
            return Stored(row, events)
        games = store.match(row.match)
        number = row.number or 1
        before = [found for found in map(store.load, games[: number - 1]) if found is not None]
    except DamagedError as error:
        raise unreadable(error) from error
    following = games[number] if number < len(games) else None
    return Stored(row, events, before, following)
