"""Games replayed from their stored events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import KomadaiError, NotationError
from ...game.game import Game
from ...game.outcome import CALLED_OFF, Outcome
from ...i18n import _
from ...spec.board import other
from ...workshop.identity import identified
from ..store import Event, GameRow, Store

BETWEEN_PEOPLE = frozenset({"join", "offer", "decline", "greet", "pause", "resume", "outage", "rematch"})
"""Kinds of events that change nothing on the board."""


class RefusedError(Exception):
    """A request that is impossible now: the message is one sentence for a person, and nothing has changed."""


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
        earlier: the games before it in its match.
        following: the id of the game after it in its match, if it exists.
    """

    row: GameRow
    events: Sequence[Event]
    earlier: Sequence[Game] = ()
    following: str | None = None


def begin(row: GameRow) -> Game:
    """The game at its start.

    Raises:
        RefusedError: it was begun under another version of the rules, or under other rules of which no file was kept.
    """
    try:
        v = identified(row.variant, row.options, row.terms.get("rules"), row.terms.get("file"))
    except KomadaiError as error:
        raise unreadable(error) from error
    if row.version not in v.versions:
        raise RefusedError(
            _(
                "This game was started under version {version} of the rules; this program plays version {ours}.",
                version=row.version,
                ours=v.version,
            )
        )
    return Game(v.under(row.version), row.position)  # what was declared keeps its result


def play(game: Game, event: Event) -> None:
    """Apply an event to the game.

    Raises:
        KomadaiError, KeyError, IndexError: it does not fit.
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
    elif event.kind not in BETWEEN_PEOPLE:
        raise NotationError("event", [f"{event.seq} is of unknown kind {event.kind!r}"])


def _replay(row: GameRow, events: Sequence[Event]) -> Game:
    game = begin(row)
    try:
        for event in events:
            play(game, event)
    except (KomadaiError, KeyError, IndexError) as error:
        raise unreadable(error) from error
    return game


def unreadable(error: Exception) -> RefusedError:
    """The error for a game whose events do not fit."""
    return RefusedError(_("The stored game cannot be replayed: {why}", why=error))


def read(store: Store, game_id: str) -> Stored | None:
    """Load a game from the store; ``None`` if there is none with that id. Blocks on the store.

    Raises:
        RefusedError: an earlier game of its match cannot be replayed.
    """
    loaded = store.load(game_id)
    if loaded is None:
        return None
    row, events = loaded
    if row.match is None:
        return Stored(row, events)
    games = store.match(row.match)
    number = row.number or 1
    before = [found for found in map(store.load, games[: number - 1]) if found is not None]
    following = games[number] if number < len(games) else None
    return Stored(row, events, [_replay(*found) for found in before], following)
