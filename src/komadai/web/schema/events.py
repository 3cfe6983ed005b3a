"""What the server says over its WebSockets, as types, like :mod:`.shapes`; ``t`` tells which message it is."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from ...spec.board import Side
from .model import Entry, MaybeMove, Position, Scene, Told, Variant


class Said(Told, tag_field="t", kw_only=True):
    """A message of the server."""


# --- Of a game ------------------------------------------------------------------------------------------------------


class Offer(Told):
    """What a side has offered."""

    what: str
    side: Side


class Match(Told):
    """Where a match stands: ``leader`` won the latest game, and still needs so many in a row. ``next``: what the button
    to the next game says; ``begun``: whether that game is there."""

    number: int
    players: dict[str, str]
    leader: Side | None
    needs: int
    winner: Side | None
    next: str | None
    begun: bool


class Table(Position):
    """The position of a game, and what may be done in it. ``rematch``: the id of the game agreed on."""

    thinking: bool
    last: Entry | None
    match: Match | None
    can_undo: bool
    can_draw: bool
    offers: list[Offer]
    rematch: str | None


class Clock(Told):
    """What a side has left, in milliseconds: of the main time, and of the ``period`` with how many there are."""

    main: int
    periods: int
    period: int


class Clocks(Told):
    """Both clocks; ``running``: whose is."""

    control: str
    running: Side | None
    paused: bool
    b: Clock
    w: Clock


class Present(Told):
    """How many watch, and which people are connected."""

    spectators: int
    seats: dict[Side, bool]


class Event(MaybeMove, kw_only=True):
    """What has happened: a move as in the move list or an ``illegal`` one, and whose or what it was otherwise. After a
    takeback there are so many ``moves``."""

    seq: int
    kind: str
    illegal: str | UnsetType = UNSET
    side: Side | UnsetType = UNSET
    what: str | UnsetType = UNSET
    name: str | UnsetType = UNSET
    game: str | UnsetType = UNSET
    moves: int | UnsetType = UNSET


class Challenge(Told):
    """A win to be found: in how many plies, and how many moves there are to it."""

    distance: int
    winning: int


class StateMessage(Said, tag="state", kw_only=True):
    """Everything about the game. ``you``: the sides of whoever is told."""

    seq: int
    game: str
    variant: Variant
    start: str | None
    puzzle: Challenge | None
    seats: dict[Side, str]
    names: dict[Side, str]
    you: list[Side]
    moves: list[Entry]
    position: Table
    clocks: Clocks | None
    presence: Present


class EventsMessage(Said, tag="events", kw_only=True):
    """What has happened, up to event ``seq``, and how things stand now."""

    seq: int
    events: list[Event]
    position: Table
    clocks: Clocks | None


class PresenceMessage(Said, tag="presence", kw_only=True):
    """Who is there."""

    spectators: int
    seats: dict[Side, bool]


class AckMessage(Said, tag="ack", kw_only=True):
    """The command of that id is done, by event ``seq``, and will not be undone by a crash."""

    id: str
    seq: int


class RefusedMessage(Said, tag="refused", kw_only=True):
    """The command of that id is not done: one sentence for a person."""

    id: str
    reason: str


class ErrorMessage(Said, tag="error", kw_only=True):
    """A message was not understood or cannot be answered, or the computer failed."""

    reason: str


class ExplanationMessage(Said, tag="explanation", kw_only=True):
    """Why the move ``about`` is not legal."""

    about: str
    text: str


class Worth(Told):
    """The value of a position."""

    outcome: str
    distance: int | None


class Judged(Worth):
    """The value of a move that was made, to the side making it; ``threw``: what a blunder threw away."""

    best: bool
    blunder: bool
    threw: Worth | None


class Known(Entry, kw_only=True):
    """A legal move and its value."""

    outcome: str
    distance: int | None
    best: bool
    blunder: bool
    threw: Worth | None


class StudyMessage(Said, tag="study", kw_only=True):
    """What a solved game's table says of the position after event ``seq``, its moves, and those that were made."""

    seq: int
    ply: int
    value: Worth | None
    moves: list[Known]
    played: list[Judged | None]


class SeenMessage(Said, tag="seen", kw_only=True):
    """The position after the first ``moves`` moves."""

    moves: int
    position: Scene


class PongMessage(Said, tag="pong", kw_only=True):
    """The line is up."""


Message = (
    StateMessage
    | EventsMessage
    | PresenceMessage
    | AckMessage
    | RefusedMessage
    | ErrorMessage
    | ExplanationMessage
    | StudyMessage
    | SeenMessage
    | PongMessage
)

# --- Of an analysis -------------------------------------------------------------------------------------------------


class Line(Told):
    """What follows a move. ``score`` and ``mate`` are the mover's, ``chance`` is Black's share of the points."""

    score: int
    mate: int | None
    chance: float
    moves: list[Entry]


class InfoMessage(Said, tag="info", kw_only=True):
    """What a search has found so far."""

    id: str
    depth: int
    seldepth: int
    nodes: int
    nps: int
    seconds: float
    lines: list[Line]


class JudgedMessage(Said, tag="judged", kw_only=True):
    """What a position of a review is worth, and what was lost by the move that led to it."""

    id: str
    ply: int
    score: int | None
    mate: int | None
    chance: float
    moves: list[Entry]
    depth: int | UnsetType = UNSET
    outcome: str | UnsetType = UNSET
    loss: float | UnsetType = UNSET
    mark: str | UnsetType = UNSET


class DoneMessage(Said, tag="done", kw_only=True):
    """The question of that id is answered; ``spent``: that there was no more time for it."""

    id: str
    spent: str | None


class FaultMessage(Said, tag="error", kw_only=True):
    """The question of that id, or a message that was not understood, cannot be answered."""

    id: str | None
    reason: str


Analysis = InfoMessage | JudgedMessage | DoneMessage | FaultMessage
