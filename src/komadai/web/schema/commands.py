"""The messages of the WebSocket, typed. JSON objects; ``t`` tells which message it is.

A client begins with ``hello`` and the last event number it knows. Commands carry an id made by the client: a command
sent again (after a lost connection) is acknowledged again and done once.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from ...i18n import _, located, sentence

T = TypeVar("T")

MAX_BYTES = 4096
"""A longer message from a client is refused."""

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=r"\A[!-~]+\Z")]
Secret = Annotated[str, msgspec.Meta(min_length=1, max_length=128, pattern=r"\A[!-~]+\Z")]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Number = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class Hello(msgspec.Struct, tag_field="t", tag="hello", forbid_unknown_fields=True):
    """Join ``game``; ``seq`` is the last event the client has seen, 0 for none, ``None`` to be sent everything.

    ``token`` shows that the client may act for a side, or that it has been invited; who has none watches.
    """

    game: Id
    seq: Number | None = None
    token: Secret | None = None


class MoveCommand(msgspec.Struct, tag_field="t", tag="move", forbid_unknown_fields=True):
    """Make a move: ``text`` is a move string or the game's notation, ``ply`` the number of the move to come.

    With ``ask`` a move that costs pieces of the mover's own is refused with words that say so.
    """

    id: Id
    ply: Number
    text: Text
    ask: bool = False


class AgreedCommand(msgspec.Struct):
    """What concerns both people: done at once where one acts for all, else offered, and done once both have asked."""

    id: Id

    @property
    def what(self) -> str:
        """The kind of the event."""
        return str(type(self).__struct_config__.tag)


class UndoCommand(AgreedCommand, tag_field="t", tag="undo", forbid_unknown_fields=True):
    """Take back: the player's own last move against the computer, one ply where two people play at
    one screen; where they do not, the last move of whoever asks first."""

    ply: Number


class ResignCommand(msgspec.Struct, tag_field="t", tag="resign", forbid_unknown_fields=True):
    """The person gives up; where one acts for both sides, for that whose turn it is."""

    id: Id


class DrawCommand(AgreedCommand, tag_field="t", tag="draw", forbid_unknown_fields=True):
    """Both people agree a draw, where the rules offer one."""


class PauseCommand(AgreedCommand, tag_field="t", tag="pause", forbid_unknown_fields=True):
    """Stop the clocks."""


class ResumeCommand(AgreedCommand, tag_field="t", tag="resume", forbid_unknown_fields=True):
    """Go on with a paused game."""


class RematchCommand(AgreedCommand, tag_field="t", tag="rematch", forbid_unknown_fields=True):
    """Play another game, with the sides changed; the event that follows names it."""


class DeclineCommand(msgspec.Struct, tag_field="t", tag="decline", forbid_unknown_fields=True):
    """Decline what the other player has offered, or take one's own offer back; ``what`` is the offer's ``t``."""

    id: Id
    what: Literal["undo", "draw", "pause", "resume", "rematch"]


class Explain(msgspec.Struct, tag_field="t", tag="explain", forbid_unknown_fields=True):
    """Ask why a move is not legal; changes nothing."""

    text: Text


class Study(msgspec.Struct, tag_field="t", tag="study", forbid_unknown_fields=True):
    """Ask what the moves of a solved game are worth; changes nothing."""


class Look(msgspec.Struct, tag_field="t", tag="look", forbid_unknown_fields=True):
    """Ask for the position after the first ``moves`` moves of the game; changes nothing."""

    moves: Number


class Ping(msgspec.Struct, tag_field="t", tag="ping", forbid_unknown_fields=True):
    """Ask whether the line is up."""


Command = (
    MoveCommand
    | UndoCommand
    | ResignCommand
    | DrawCommand
    | PauseCommand
    | ResumeCommand
    | RematchCommand
    | DeclineCommand
)
Message = Hello | Command | Explain | Study | Look | Ping

_DECODER: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)


class MessageError(ValueError):
    """A message that cannot be read; the text is one sentence for a person."""


def decode(data: str | bytes) -> Message:
    """Read one message.

    Raises:
        MessageError: it is too long, no JSON, no object, of an unknown type, or a field is missing, wrong or unknown.
    """
    return decode_as(_DECODER, data, MAX_BYTES)


def decode_as(decoder: msgspec.json.Decoder[T], data: str | bytes, most: int) -> T:
    """Read one message of at most ``most`` bytes with a decoder; errors are those of :func:`decode`."""
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
    """msgspec's own words on one short line, with `$.x` said as a field."""
    fault = "".join(char if char.isprintable() else "?" for char in str(error)[:200])
    fault = re.sub("`str` matching regex '.*'", "ASCII without spaces", fault)
    fault, at, path = fault.partition(" - at `$.")
    return f"{fault[0].lower()}{fault[1:]}" + (f" in field `{path}" if at else "")


def failed() -> str:
    """What is said where the server is at fault."""
    return _("Something went wrong on the server; its log has the details.")


def encode_message(t: str, **fields: Any) -> str:
    """One message to a client."""
    return msgspec.json.encode({"t": t, **fields}).decode()
