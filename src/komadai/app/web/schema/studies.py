"""Records as the page of studies shows and edits them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType

from ....record import Format
from ....spec.board import Side
from .model import Mark, Pieces, RecordedMove, Variant, Wire


class NodeScore(Wire):
    """The score of a move from an engine, from the mover's point of view, in hundredths of the least piece or plies to
    mate; ``chance`` is Black's expected score."""

    value: int | None
    mate: int | None
    depth: int | None
    chance: float


class Annotations(Wire):
    """The annotations of a move, or of the start."""

    comment: str
    mark: Mark
    seconds: float | None
    score: NodeScore | None


class RecordedNode(RecordedMove, kw_only=True):
    """A move of a record, with its :class:`Annotations`. It follows the node with the number ``after``."""

    comment: str
    mark: Mark
    seconds: float | None
    score: NodeScore | None
    after: int


class StudyStart(Pieces):
    """The position that a study starts from."""

    turn: Side
    ply: int
    sfen: str


class StudyData(Wire):
    """A record prepared for display.

    ``rules``: the hash of its rules; ``forms``: the formats that it can be written in; ``book``: whether the server has
    an opening book of the game; ``position``: position string of the start, ``null`` for the start of the variant;
    ``handicap``: whether the start is one; ``nodes``: in depth-first order, the first is the start and has annotations
    only; ``chapters``: all chapters of the study, of which this is the first; empty if it has none.
    """

    variant: Variant
    version: str
    rules: str
    forms: Sequence[Format]
    book: bool
    position: str | None
    handicap: bool
    headers: Mapping[str, str]
    result: StudyResult | None
    start: StudyStart
    nodes: Annotated[
        Sequence[Any],  # msgspec knows no lists whose first item differs
        Meta(
            extra_json_schema={"prefixItems": [{"$ref": "Annotations"}], "items": {"$ref": "RecordedNode"}},
            extra={"typescript": "[Annotations, ...RecordedNode[]]"},
        ),
    ]
    chapters: Sequence[RecordData]


class RecordScore(Wire):
    """The score of a move in a record, in hundredths of the least piece or plies to mate."""

    value: int | UnsetType = UNSET
    mate: int | UnsetType = UNSET
    depth: int | UnsetType = UNSET


class RecordNode(Wire):
    """A move of a record with annotations. ``after``: the number of the entry it follows, if that is not the one
    before."""

    move: str
    after: int | UnsetType = UNSET
    comment: str | UnsetType = UNSET
    mark: Mark | UnsetType = UNSET
    seconds: float | UnsetType = UNSET
    score: RecordScore | UnsetType = UNSET


class StudyResult(Wire):
    """The result of a record, with a ``text`` in the reader's language; ``winner`` is ``null`` for a draw."""

    winner: Side | None
    reason: str
    text: str


class RecordResult(Wire):
    """The result of a record; ``winner`` is ``null`` for a draw."""

    winner: Side | None
    reason: str


class RecordData(Wire):
    """A record as JSON; docs/record.schema.json describes it in full."""

    schema: str
    variant: str
    version: str
    options: Mapping[str, str]
    start: str | None
    moves: Sequence[str | RecordNode]
    result: RecordResult | None
    rules: str | UnsetType = UNSET
    file: str | UnsetType = UNSET
    headers: Mapping[str, str] | UnsetType = UNSET
    comment: str | UnsetType = UNSET


class ReadRecords(Wire):
    """The records of a file and, if it is one record or the chapters of one study, that study."""

    records: Sequence[RecordData]
    study: StudyData | None
