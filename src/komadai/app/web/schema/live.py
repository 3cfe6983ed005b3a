"""Live studies: what their maker sends over HTTP, and what followers send and are sent over their WebSocket."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from .commands import Id, Number, Ping, Secret, read_message
from .events import ErrorMessage, PongMessage
from .model import Wire
from .studies import StudyData, StudyResult

MOST_CHAPTERS = 64
"""Chapters of a study."""

# --- Of its maker ---------------------------------------------------------------------------------------------------

Record = Annotated[
    dict[str, Any],
    Meta(
        description="A record as JSON, of which docs/record.schema.json is the schema.",
        extra={"typescript": "RecordData"},
    ),
]


class SentChapter(msgspec.Struct, forbid_unknown_fields=True):
    """A chapter with an ``id`` that the maker has chosen; ``record``: as it is now, absent if it is as it was."""

    id: Id
    record: Record | UnsetType = UNSET


class LiveView(msgspec.Struct, forbid_unknown_fields=True):
    """What the maker shows: a chapter, the number of a move in its record (0: the start), and whether the board is
    seen from White's side."""

    chapter: Id
    node: Number
    flipped: bool = False


class NewLive(msgspec.Struct, forbid_unknown_fields=True):
    """A study that goes live, with all its chapters in order."""

    chapters: Annotated[list[SentChapter], Meta(min_length=1, max_length=MOST_CHAPTERS)]
    view: LiveView


class ShowLive(NewLive, forbid_unknown_fields=True, kw_only=True):
    """The same study later; ``key``: of its maker."""

    key: Secret


class EndLive(msgspec.Struct, forbid_unknown_fields=True):
    """The end of a live study; ``key``: of its maker."""

    key: Secret


class LiveMade(Wire):
    """A live study: its ``id``, the ``key`` of its maker, and the time in seconds ``until`` which it lasts."""

    id: str
    key: str
    until: float


class LiveAudience(Wire):
    """The followers that are connected to this server."""

    followers: int


# --- Of followers ---------------------------------------------------------------------------------------------------


class Follow(msgspec.Struct, tag_field="t", tag="follow", forbid_unknown_fields=True):
    """Follow a live study; ``key``: of its maker, who is told how many follow, and is none of them."""

    live: Id
    key: Secret | None = None


class AskChapter(msgspec.Struct, tag_field="t", tag="chapter", forbid_unknown_fields=True):
    """Ask for a chapter that is not shown."""

    id: Id


FollowerCommand = Follow | AskChapter | Ping

_FOLLOWER: msgspec.json.Decoder[FollowerCommand] = msgspec.json.Decoder(FollowerCommand)


def decode_follower(data: str | bytes) -> FollowerCommand:
    """Read one message of a follower; errors are those of :func:`.commands.decode`."""
    return read_message(_FOLLOWER, data)


class LiveChapter(Wire):
    """A chapter; ``version`` changes with it."""

    id: str
    name: str
    version: int


class LiveMessage(Wire, tag_field="t", tag="live"):
    """What the maker shows now. The chapter shown has been sent before it."""

    until: float
    followers: int
    chapters: Sequence[LiveChapter]
    view: LiveView


class ChapterMessage(Wire, tag_field="t", tag="chapter"):
    """A whole chapter."""

    id: str
    version: int
    study: StudyData


class PatchMessage(Wire, tag_field="t", tag="patch"):
    """A chapter that was sent as version ``was``, now of ``version``. ``nodes`` as in :class:`StudyData`; a pair stands
    for a node that is as it was: its number then, and the number of the one it follows now."""

    id: str
    was: int
    version: int
    headers: Mapping[str, str]
    result: StudyResult | None
    nodes: Annotated[
        Sequence[Any],
        Meta(
            extra_json_schema={
                "items": {
                    "anyOf": [
                        {"$ref": "Annotations"},
                        {"$ref": "RecordedNode"},
                        {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
                    ]
                }
            },
            extra={"typescript": "(Annotations | RecordedNode | [number, number])[]"},
        ),
    ]


class FollowersMessage(Wire, tag_field="t", tag="followers"):
    """Somebody has come or left."""

    count: int


class EndedMessage(Wire, tag_field="t", tag="ended"):
    """Nothing more comes: the maker or the time has ended the study, there is none, or as many follow as may."""

    why: Literal["ended", "gone", "full"]


FollowerMessage = (
    LiveMessage | ChapterMessage | PatchMessage | FollowersMessage | EndedMessage | ErrorMessage | PongMessage
)
