"""Questions and answers of the workshop, about a variant file of a stranger that every request brings along."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec

from ....engine.levels import STRONGEST
from .model import ShownPosition, Wire
from .position_ref import MOST_MOVES, MoveText, Options
from .rulebook import Rulebook


class FileDefect(Wire):
    """A defect of a variant file: its line and column, from 1, the path of the field, and what would be right."""

    line: int
    column: int
    place: str
    what: str


class CheckedFile(Wire):
    """The defects of a variant file. Of one without any, its rules, the hash that names them, and the start.

    ``warnings`` are of what can be played and is hardly meant.
    """

    defects: Sequence[FileDefect]
    warnings: Sequence[FileDefect]
    hash: str | None
    rulebook: Rulebook | None
    position: ShownPosition | None


class VariantFile(msgspec.Struct, forbid_unknown_fields=True):
    """A variant file."""

    file: str


class FilePosition(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A position of the game in a variant file, with these options, after these moves, as
    :class:`.requests.FindPosition`."""

    file: str
    options: Options = {}
    moves: Annotated[list[MoveText], msgspec.Meta(max_length=MOST_MOVES)] = []
    known: Annotated[int, msgspec.Meta(ge=0)] = 0
    text: MoveText | None = None


class FileReply(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A request for the engine's move in a position of the game in a variant file."""

    file: str
    options: Options = {}
    moves: Annotated[list[MoveText], msgspec.Meta(max_length=MOST_MOVES)] = []
    level: Annotated[int, msgspec.Meta(ge=1, le=STRONGEST)] = STRONGEST
