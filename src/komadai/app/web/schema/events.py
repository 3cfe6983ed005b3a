"""Messages of the server over its WebSockets; ``t`` names the message, ``kind`` an event of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType, field

from ....spec.board import Side
from .model import (
    Agreement,
    Clocks,
    GameState,
    Greeting,
    Landing,
    Mark,
    PlayedMove,
    Position,
    Presence,
    Scene,
    Wire,
)
from .solved import Judged, KnownMove, Worth

# --- Events of a game -----------------------------------------------------------------------------------------------


class MoveEvent(Wire, tag_field="kind", tag="move", kw_only=True):
    """A move with the fields of :class:`PlayedMove`, or the move string of an ``illegal`` one, which loses the game."""

    seq: int
    usi: str | UnsetType = UNSET
    text: str | UnsetType = UNSET
    japanese: str | UnsetType = UNSET
    from_: str | UnsetType | None = field(name="from", default=UNSET)
    to: str | UnsetType = UNSET
    shift: tuple[int, int] | UnsetType = UNSET
    way: Sequence[Landing] | UnsetType = UNSET
    gone: Sequence[str] | UnsetType = UNSET
    illegal: str | UnsetType = UNSET


class UndoEvent(Wire, tag_field="kind", tag="undo"):
    """A takeback; so many ``moves`` are left."""

    seq: int
    moves: int


class ResignEvent(Wire, tag_field="kind", tag="resign"):
    """The side has resigned."""

    seq: int
    side: Side


class DeclareEvent(Wire, tag_field="kind", tag="declare"):
    """The side to move has declared that its king has entered."""

    seq: int


class FlagEvent(Wire, tag_field="kind", tag="flag"):
    """The side has lost on time."""

    seq: int
    side: Side


class JoinEvent(Wire, tag_field="kind", tag="join"):
    """A person has taken the open seat; the name may be empty."""

    seq: int
    side: Side
    name: str


class OfferEvent(Wire, tag_field="kind", tag="offer"):
    """The side has made an offer."""

    seq: int
    side: Side
    what: Agreement


class DeclineEvent(Wire, tag_field="kind", tag="decline"):
    """The offer has been declined or taken back."""

    seq: int
    what: Agreement


class GreetEvent(Wire, tag_field="kind", tag="greet"):
    """The side has greeted."""

    seq: int
    side: Side
    what: Greeting


class RematchEvent(Wire, tag_field="kind", tag="rematch"):
    """The players have agreed on another game."""

    seq: int
    game: str


class DrawEvent(Wire, tag_field="kind", tag="draw"):
    """The players have agreed on a draw."""

    seq: int


class CallOffEvent(Wire, tag_field="kind", tag="call_off"):
    """The game was called off before anybody joined."""

    seq: int


class PauseEvent(Wire, tag_field="kind", tag="pause"):
    """The clocks have been stopped."""

    seq: int


class ResumeEvent(Wire, tag_field="kind", tag="resume"):
    """The clocks run again."""

    seq: int


class OutageEvent(Wire, tag_field="kind", tag="outage"):
    """The server was down; that time is not counted."""

    seq: int


GameEvent = (
    MoveEvent
    | UndoEvent
    | ResignEvent
    | DeclareEvent
    | FlagEvent
    | JoinEvent
    | OfferEvent
    | DeclineEvent
    | GreetEvent
    | RematchEvent
    | DrawEvent
    | CallOffEvent
    | PauseEvent
    | ResumeEvent
    | OutageEvent
)


# --- Messages of a game ---------------------------------------------------------------------------------------------


class StateMessage(GameState, tag_field="t", tag="state"):
    """The whole state of the game."""


class EventsMessage(Wire, tag_field="t", tag="events"):
    """The latest events, up to number ``seq``, and the position after them."""

    seq: int
    events: Sequence[GameEvent]
    position: Position
    clocks: Clocks | None


class PresenceMessage(Presence, tag_field="t", tag="presence"):
    """The people connected have changed."""


class AckMessage(Wire, tag_field="t", tag="ack"):
    """The command with that ``id`` was done by event ``seq``, which is stored durably."""

    id: str
    seq: int


class RefusedMessage(Wire, tag_field="t", tag="refused"):
    """The command with that ``id`` was refused: the reason in one sentence."""

    id: str
    reason: str


class DoubtMessage(Wire, tag_field="t", tag="doubt"):
    """It is not known whether the command with that ``id`` was done, for the reason in one sentence: send the same
    command with the same ``id`` again to find out."""

    id: str
    reason: str


class ErrorMessage(Wire, tag_field="t", tag="error"):
    """A message cannot be read or answered, or the engine failed: the reason in one sentence."""

    reason: str


class ExplanationMessage(Wire, tag_field="t", tag="explanation"):
    """The reason why the move ``about`` is illegal."""

    about: str
    text: str


class StudyMessage(Wire, tag_field="t", tag="study"):
    """The table's values after event ``seq``: of the position, of every legal move, best first, and of every move
    played."""

    seq: int
    ply: int
    value: Worth | None
    moves: Sequence[KnownMove]
    played: Sequence[Judged | None]


class SolvingMessage(Wire, tag_field="t", tag="solving"):
    """The game is being solved, so that a ``study`` can be answered soon: that in one sentence, and the share of the
    work that is done."""

    reason: str
    percent: int


class SeenMessage(Wire, tag_field="t", tag="seen"):
    """The position after the first ``moves`` moves."""

    moves: int
    position: Scene


class PongMessage(Wire, tag_field="t", tag="pong"):
    """The connection is up."""


ServerMessage = (
    StateMessage
    | EventsMessage
    | PresenceMessage
    | AckMessage
    | RefusedMessage
    | DoubtMessage
    | ErrorMessage
    | ExplanationMessage
    | StudyMessage
    | SolvingMessage
    | SeenMessage
    | PongMessage
)

# --- Messages of an analysis ----------------------------------------------------------------------------------------


class EngineLine(Wire):
    """A principal variation. ``score`` and ``mate`` (in plies) are those of the side to move, ``chance`` is Black's
    expected score."""

    score: int
    mate: int | None
    chance: float
    moves: Sequence[PlayedMove]


class InfoMessage(Wire, tag_field="t", tag="info"):
    """The state of a search."""

    id: str
    depth: int
    seldepth: int
    nodes: int
    nps: int
    seconds: float
    lines: Sequence[EngineLine]


class JudgedMessage(Wire, tag_field="t", tag="judged"):
    """The evaluation of the position after ``ply`` moves of a review; from the second on with the ``loss`` of the move
    before it, in expected score. ``outcome``: the game is over."""

    id: str
    ply: int
    score: int | None
    mate: int | None
    chance: float
    moves: Sequence[PlayedMove]
    depth: int | UnsetType = UNSET
    outcome: str | UnsetType = UNSET
    loss: float | UnsetType = UNSET
    mark: Mark | UnsetType = UNSET


class OtherMove(Wire):
    """A move that mates too, at that ply of a solution, 1 being the first."""

    ply: int
    move: PlayedMove


class ProvedMessage(Wire, tag_field="t", tag="proved"):
    """A position judged as a mate problem: whether there is a mate by checks, the solution, its length in ``plies`` by
    the conventions of problems and against ``every`` defence (``null``: not proved), the pieces ``left`` in the
    attacker's hand by kind, and ``others``, moves that mate too. ``unique``: there are none in place of the first move;
    ``unique_later``: of the later ones (``null``: not proved)."""

    id: str
    outcome: Literal["mate", "no mate", "unknown"]
    moves: Sequence[PlayedMove]
    plies: int | None
    every: int | None
    left: dict[str, int]
    unique: bool | None
    unique_later: bool | None
    others: Sequence[OtherMove]


class DoneMessage(Wire, tag_field="t", tag="done"):
    """The question with that ``id`` is answered; ``spent``: there was no time left for it, in words."""

    id: str
    spent: str | None


class FaultMessage(Wire, tag_field="t", tag="error"):
    """The question with that ``id``, or a message that cannot be read, is not answered: the reason in one sentence."""

    id: str | None
    reason: str


AnalysisMessage = InfoMessage | JudgedMessage | ProvedMessage | DoneMessage | FaultMessage


def to_text(message: ServerMessage | AnalysisMessage) -> str:
    """Encode a message for a WebSocket."""
    return msgspec.json.encode(message).decode()
