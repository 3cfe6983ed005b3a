"""Messages of the server over its WebSockets; ``t`` names the message, ``kind`` an event of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType, field

from ....spec.board import Side
from ....view.guide import Topic, Way
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


class _Event(Wire, tag_field="kind"):
    """An event with its number."""

    seq: int


class _SidedEvent(_Event):
    """An event of one side."""

    side: Side


class MoveEvent(_Event, tag="move", kw_only=True):
    """A move with the fields of :class:`PlayedMove`, or the move string of an ``illegal`` one, which loses the game."""

    usi: str | UnsetType = UNSET
    text: str | UnsetType = UNSET
    japanese: str | UnsetType = UNSET
    from_: str | UnsetType | None = field(name="from", default=UNSET)
    to: str | UnsetType = UNSET
    shift: tuple[int, int] | UnsetType = UNSET
    way: Sequence[Landing] | UnsetType = UNSET
    gone: Sequence[str] | UnsetType = UNSET
    illegal: str | UnsetType = UNSET


class UndoEvent(_Event, tag="undo"):
    """A takeback; so many ``moves`` are left."""

    moves: int


class ResignEvent(_SidedEvent, tag="resign"):
    """The side has resigned."""


class DeclareEvent(_Event, tag="declare"):
    """The side to move has declared that its king has entered."""


class FlagEvent(_SidedEvent, tag="flag"):
    """The side has lost on time."""


class JoinEvent(_SidedEvent, tag="join"):
    """A person has taken the open seat; the name may be empty."""

    name: str


class OfferEvent(_SidedEvent, tag="offer"):
    """The side has made an offer."""

    what: Agreement


class DeclineEvent(_Event, tag="decline"):
    """The offer has been declined or taken back."""

    what: Agreement


class GreetEvent(_SidedEvent, tag="greet"):
    """The side has greeted."""

    what: Greeting


class RematchEvent(_Event, tag="rematch"):
    """The players have agreed on another game."""

    game: str


class DrawEvent(_Event, tag="draw"):
    """The players have agreed on a draw."""


class CallOffEvent(_Event, tag="call_off"):
    """The game was called off before anybody joined."""


class PauseEvent(_Event, tag="pause"):
    """The clocks have been stopped."""


class ResumeEvent(_Event, tag="resume"):
    """The clocks run again."""


class OutageEvent(_Event, tag="outage"):
    """The server was down; that time is not counted."""


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


class _Message(Wire, tag_field="t"):
    """A message."""


class _Answer(_Message):
    """The answer to the command with that ``id``, and its reason."""

    id: str
    reason: str


class StateMessage(GameState, tag_field="t", tag="state"):
    """The whole state of the game."""


class EventsMessage(_Message, tag="events"):
    """The latest events, up to number ``seq``, and the position after them."""

    seq: int
    events: Sequence[GameEvent]
    position: Position
    clocks: Clocks | None


class PresenceMessage(Presence, tag_field="t", tag="presence"):
    """The people connected have changed."""


class AckMessage(_Message, tag="ack"):
    """The command with that ``id`` was done by event ``seq``, which is stored durably."""

    id: str
    seq: int


class RefusedMessage(_Answer, tag="refused"):
    """The command with that ``id`` was refused: the reason in one sentence."""


class DoubtMessage(_Answer, tag="doubt"):
    """It is not known whether the command with that ``id`` was done, for the reason in one sentence: send the same
    command with the same ``id`` again to find out."""


class ErrorMessage(_Message, tag="error"):
    """A message cannot be read or answered, or the engine failed: the reason in one sentence."""

    reason: str


class ExplanationMessage(_Message, tag="explanation"):
    """The reason why the move ``about`` is illegal."""

    about: str
    text: str


class StudyMessage(_Message, tag="study"):
    """The table's values after event ``seq``: of the position, of every legal move, best first, and of every move
    played."""

    seq: int
    ply: int
    value: Worth | None
    moves: Sequence[KnownMove]
    played: Sequence[Judged | None]


class SolvingMessage(_Message, tag="solving"):
    """The game is being solved, so that a ``study`` can be answered soon: that in one sentence, and the share of the
    work that is done."""

    reason: str
    percent: int


class SeenMessage(_Message, tag="seen"):
    """The position after the first ``moves`` moves."""

    moves: int
    position: Scene


class PongMessage(_Message, tag="pong"):
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


class InfoMessage(_Message, tag="info"):
    """The state of a search."""

    id: str
    depth: int
    seldepth: int
    nodes: int
    nps: int
    seconds: float
    lines: Sequence[EngineLine]


class JudgedMessage(_Message, tag="judged"):
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


class Moment(Wire):
    """A move of ``side`` that mattered, the one after ``ply`` moves: it lost a share ``loss`` of the points in the
    position ``sfen``, whose ``chance``, ``score`` and ``mate`` are as of ``judged``; ``best`` is the line that was
    better. ``topic``: what was missed, in the guide's word; ``way``: how a capture takes."""

    ply: int
    side: Side
    move: PlayedMove
    loss: float
    mark: Mark
    sfen: str
    chance: float
    score: int | None
    mate: int | None
    best: Sequence[PlayedMove]
    topic: Topic
    way: Way | None


class MomentsMessage(_Message, tag="moments"):
    """The moves of a game that mattered, in their order. ``accuracy``: the share of expected points that a side's moves
    kept on average (``null``: it made none); ``turning``: the move after which the loser was never level again;
    ``left_out``: so many moves at the beginning were not looked at."""

    id: str
    accuracy: Mapping[Side, float | None]
    moments: Sequence[Moment]
    turning: Moment | None
    left_out: int


class OtherMove(Wire):
    """A move that mates too, at that ply of a solution, 1 being the first."""

    ply: int
    move: PlayedMove


class ProvedMessage(_Message, tag="proved"):
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


class DoneMessage(_Message, tag="done"):
    """The question with that ``id`` is answered; ``spent``: there was no time left for it, in words."""

    id: str
    spent: str | None


class FaultMessage(_Message, tag="error"):
    """The question with that ``id``, or a message that cannot be read, is not answered: the reason in one sentence."""

    id: str | None
    reason: str


AnalysisMessage = InfoMessage | JudgedMessage | MomentsMessage | ProvedMessage | DoneMessage | FaultMessage


def to_text(message: ServerMessage | AnalysisMessage) -> str:
    """Encode a message for a WebSocket."""
    return msgspec.json.encode(message).decode()
