"""The messages of the WebSocket, typed. JSON objects; ``t`` tells which message it is.

A client begins with ``hello`` and the last event number it knows. Commands carry an id made by the client: a command
sent again (after a lost connection) is acknowledged again and done once.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, TypeVar

import msgspec

T = TypeVar("T")

MAX_BYTES = 4096
"""A longer message from a client is refused."""

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=r"\A[!-~]+\Z")]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Number = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class Hello(msgspec.Struct, tag_field="t", tag="hello", forbid_unknown_fields=True):
    """Join ``game``; ``seq`` is the last event the client has seen, 0 for none, ``None`` to be sent everything."""

    game: Id
    seq: Number | None = None


class MoveCommand(msgspec.Struct, tag_field="t", tag="move", forbid_unknown_fields=True):
    """Make a move: ``text`` is a move string or the game's notation, ``ply`` the number of the move to come.

    With ``ask`` a move that costs pieces of the mover's own is refused with words that say so.
    """

    id: Id
    ply: Number
    text: Text
    ask: bool = False


class UndoCommand(msgspec.Struct, tag_field="t", tag="undo", forbid_unknown_fields=True):
    """Take back: the player's own last move against the computer, one ply where two people play."""

    id: Id
    ply: Number


class ResignCommand(msgspec.Struct, tag_field="t", tag="resign", forbid_unknown_fields=True):
    """The person whose turn it is gives up (against the computer: the person)."""

    id: Id


class DrawCommand(msgspec.Struct, tag_field="t", tag="draw", forbid_unknown_fields=True):
    """Both people agree a draw, where the rules offer one."""

    id: Id


class Explain(msgspec.Struct, tag_field="t", tag="explain", forbid_unknown_fields=True):
    """Ask why a move is not legal; changes nothing."""

    text: Text


class Study(msgspec.Struct, tag_field="t", tag="study", forbid_unknown_fields=True):
    """Ask what the moves of a solved game are worth; changes nothing."""


class Ping(msgspec.Struct, tag_field="t", tag="ping", forbid_unknown_fields=True):
    """Ask whether the line is up."""


Command = MoveCommand | UndoCommand | ResignCommand | DrawCommand
Message = Hello | Command | Explain | Study | Ping

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
        raise MessageError(f"The message is too long: {size} bytes, where at most {most} are read.")
    try:
        return decoder.decode(data)
    except msgspec.ValidationError as error:
        raise MessageError(f"The message was not understood: {_plain(str(error))}.") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise MessageError("The message is not JSON.") from None


def _plain(fault: str) -> str:
    """msgspec's own words on one short line, with `$.x` said as a field."""
    fault = "".join(char if char.isprintable() else "?" for char in fault[:200])
    fault = re.sub("`str` matching regex '.*'", "ASCII without spaces", fault)
    fault, at, path = fault.partition(" - at `$.")
    return f"{fault[0].lower()}{fault[1:]}" + (f" in field `{path}" if at else "")


def encode(t: str, **fields: Any) -> str:
    """One message to a client."""
    return msgspec.json.encode({"t": t, **fields}).decode()
