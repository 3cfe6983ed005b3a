"""Messages of clients over the WebSockets, for games and for analysis: JSON objects, of which ``t`` names the type.

A client of a game begins with ``hello`` and the last event number it knows. Each command has an id that the client
chooses: a command repeated with the same id (after a lost connection) is acknowledged again, but done only once.
"""

from __future__ import annotations

import re
from typing import Annotated, TypeVar, cast

import msgspec

from ....i18n import _, located, sentence
from ....spec.board import Side
from .model import ENGINE_NAME, Agreement, Greeting
from .position_ref import MoveText, PositionRef

T = TypeVar("T")

MAX_BYTES = 4096
"""A longer message from a client of a game is refused."""

MAX_QUESTION_BYTES = 60_000
"""A longer message from a client of the analysis is refused."""

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=r"\A[!-~]+\Z")]
Secret = Annotated[str, msgspec.Meta(min_length=1, max_length=128, pattern=r"\A[!-~]+\Z")]
Number = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]

# --- For games ------------------------------------------------------------------------------------------------------


class _Said(msgspec.Struct, tag_field="t", forbid_unknown_fields=True):
    """A message of a client."""


class _Command(_Said):
    """A message that is to change a game, with an ``id`` that the client has chosen."""

    id: Id


class Hello(_Said, tag="hello"):
    """Connect to ``game``. ``seq``: the last event seen, 0 for none, ``null`` to get the whole state; ``token``: of a
    seat or an invitation; without one the client is a spectator."""

    game: Id
    seq: Number | None = None
    token: Secret | None = None


class MoveCommand(_Command, tag="move"):
    """Make a move: ``text`` is a move string, the game's notation or Japanese, ``ply`` the ply it is meant for. With
    ``ask``, a move that costs own pieces is refused with an explanation."""

    ply: Number
    text: MoveText
    ask: bool = False


class AgreedCommand(msgspec.Struct):
    """A command that both players must agree to: done at once where one person acts for both, otherwise an offer until
    the other sends the same command."""

    id: Id

    @property
    def what(self) -> Agreement:
        """The kind of the event that it causes."""
        return cast("Agreement", type(self).__struct_config__.tag)


class _AgreedCommand(AgreedCommand, tag_field="t", forbid_unknown_fields=True):
    """The same as a message."""


class UndoCommand(_AgreedCommand, tag="undo"):
    """Take back the player's own last move against the engine, one ply where two people share a screen, otherwise the
    last move of the player who asks first."""

    ply: Number


class ResignCommand(_Command, tag="resign"):
    """Resign; a person who acts for both sides resigns for the side to move."""


class DeclareCommand(_Command, tag="declare"):
    """Declare, instead of a move, that the player's king has entered, where the rules know that; ``ply`` as of a
    move."""

    ply: Number


class DrawCommand(_AgreedCommand, tag="draw"):
    """Agree on a draw, where the rules allow it."""


class PauseCommand(_AgreedCommand, tag="pause"):
    """Stop the clocks."""


class ResumeCommand(_AgreedCommand, tag="resume"):
    """Resume a paused game."""


class RematchCommand(_AgreedCommand, tag="rematch"):
    """Play another game with the sides exchanged; the resulting event names it."""


class DeclineCommand(_Command, tag="decline"):
    """Decline an offer, or take back one's own; ``what`` is the ``t`` of the command offered."""

    what: Agreement


class GreetCommand(_Command, tag="greet"):
    """Say a greeting to the other player, where two people play; three times at most until the game goes on."""

    what: Greeting


class Explain(_Said, tag="explain"):
    """Ask why a move is illegal."""

    text: MoveText


class Study(_Said, tag="study"):
    """Ask for the values of the moves of a solved game."""


class Look(_Said, tag="look"):
    """Ask for the position after the first ``moves`` moves of the game."""

    moves: Number


class Ping(_Said, tag="ping"):
    """Test the connection."""


Command = (
    MoveCommand
    | UndoCommand
    | ResignCommand
    | DeclareCommand
    | DrawCommand
    | PauseCommand
    | ResumeCommand
    | RematchCommand
    | DeclineCommand
    | GreetCommand
)
Message = Hello | Command | Explain | Study | Look | Ping

# --- For analysis ---------------------------------------------------------------------------------------------------


EngineName = Annotated[
    str, msgspec.Meta(pattern=rf"\A({ENGINE_NAME})?\Z", description="One of GET /api/engines; empty: Komadai's own.")
]


class _Question(PositionRef, kw_only=True, tag_field="t", forbid_unknown_fields=True):
    """A question about a position, with an ``id`` that the client has chosen."""

    id: Id


class Analyse(_Question, kw_only=True, tag="analyse"):
    """Search the position after the moves for ``seconds``, and report the best ``lines``."""

    lines: Annotated[int, msgspec.Meta(ge=1, le=5)] = 1
    seconds: Annotated[float, msgspec.Meta(ge=0.05, le=600)] = 10.0
    engine: EngineName = ""


class Review(_Question, kw_only=True, tag="review"):
    """Evaluate each position from the one after ``begin`` moves on, for ``seconds`` each."""

    begin: Annotated[int, msgspec.Meta(ge=0)] = 0
    seconds: Annotated[float, msgspec.Meta(ge=0.05, le=10)] = 0.5
    engine: EngineName = ""


class Recall(_Question, kw_only=True, tag="moments"):
    """Find the moves of a game that mattered, and each side's accuracy. ``side``: its moves come first (``null``: both
    count alike); ``winner``: of the game, however it ended."""

    side: Side | None = None
    winner: Side | None = None


class Prove(_Question, kw_only=True, tag="prove"):
    """Judge the position after the moves as a mate problem, for ``seconds`` at most."""

    seconds: Annotated[float, msgspec.Meta(ge=0.05, le=600)] = 10.0


class Stop(_Said, tag="stop"):
    """Stop the search."""


Question = Analyse | Review | Recall | Prove
AnalysisCommand = Question | Stop

# --- Reading --------------------------------------------------------------------------------------------------------

_GAME: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)
_ANALYSIS: msgspec.json.Decoder[AnalysisCommand] = msgspec.json.Decoder(AnalysisCommand)


class MessageError(ValueError):
    """A message that cannot be read; the text is one sentence for a person."""


def decode(data: str | bytes) -> Message:
    """Read one message of a client of a game.

    Raises:
        MessageError: it is too long, no JSON, no object, of an unknown type, or a field is missing, wrong or unknown.
    """
    return _decode(_GAME, data, MAX_BYTES)


def read_message(decoder: msgspec.json.Decoder[T], data: str | bytes) -> T:
    """Read one message of a client of something else than a game; errors are those of :func:`decode`."""
    return _decode(decoder, data, MAX_BYTES)


def decode_analysis(data: str | bytes) -> AnalysisCommand:
    """Read one message of a client of the analysis; errors are those of :func:`decode`."""
    return _decode(_ANALYSIS, data, MAX_QUESTION_BYTES)


def _decode(decoder: msgspec.json.Decoder[T], data: str | bytes, most: int) -> T:
    size = len(data.encode()) if isinstance(data, str) else len(data)
    if size > most:
        words = _("The message is too long: {size} bytes, where at most {most} are read.", size=size, most=most)
        raise MessageError(words)
    try:
        return decoder.decode(data)
    except msgspec.ValidationError as error:
        raise MessageError(sentence(located(_("The message was not understood"), plain(error)))) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise MessageError(_("The message is not JSON.")) from None


def plain(error: msgspec.ValidationError) -> str:
    """The message of a validation error on one short line, with the path `$.x` as a field name."""
    fault = "".join(char if char.isprintable() else "?" for char in str(error)[:200])
    fault = re.sub("`str` matching regex '.*'", "ASCII without spaces", fault)
    fault, at, path = fault.partition(" - at `$.")
    return f"{fault[0].lower()}{fault[1:]}" + (f" in field `{path}" if at else "")


def internal_error() -> str:
    """The message to clients for a defect of the server."""
    return _("Something went wrong on the server; its log has the details.")
