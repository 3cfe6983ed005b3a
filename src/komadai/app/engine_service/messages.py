"""The messages of the service. As JSON, one a line, they cross to other processes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from ...engine import BALANCED, STRONGEST, Info, Tsume
from ...engine.escapes import Chance, Escape
from ...engine.mate import Verdict
from ...game.game import Game
from ...spec.variant import Variant
from ...workshop.identity import embedded

MAX_LINE = 1 << 20
"""Bytes of the longest message."""
MAX_ANSWER = 1 << 18
"""Bytes of the longest answer: what reads it has other things to do."""


def _from_elsewhere(v: Variant) -> tuple[str | None, str | None]:
    """The file and the hash of the rules of a game that is not one of Komadai's own."""
    file = embedded(v)
    return file, None if file is None else v.rules_hash


class Subject(NamedTuple):
    """The subject of searches that one engine can serve.

    Attributes:
        variant: its name in the registry. ``options``: its rule options, sorted.
        level: 1 to 10.
        engine: the name of another engine than ours; empty: ours.
        file: the variant file of a game that is not one of Komadai's own, as it is kept with records.
        rules: the hash of that game's rules, for another game here may have its id.
        style: of our engine, one of :data:`~komadai.engine.STYLES`.
    """

    variant: str
    options: tuple[tuple[str, str], ...]
    level: int
    engine: str = ""
    file: str | None = None
    rules: str | None = None
    style: str = BALANCED

    @classmethod
    def of(cls, game: Game, level: int = STRONGEST, engine: str = "", style: str = BALANCED) -> Subject:
        """The subject of searches in a game."""
        v = game.variant
        return cls(v.id, tuple(sorted(v.options)), level, engine, *_from_elsewhere(v), style)


class SearchRequest(msgspec.Struct, tag_field="t", tag="search", frozen=True):
    """A search of one position.

    Attributes:
        variant: its name. ``options``: its rule options. ``file`` and ``rules``: as of :class:`Subject`.
        start: the position string that the game begins from. ``moves``: the move strings since.
        seconds: for the search, above 0.
        level: of our engine, 1 to 10.
        engine: the name of another engine than ours; empty: ours.
        lines: root moves to work out exactly.
        tsume: judge the position as a mate problem instead.
        escape: look instead whether the side to move escapes within so many turns of the opponent, or with 0 from a
            mate by checks alone (:func:`komadai.engine.escapes.escape`).
        id: of the request; a backend numbers those it sends.
        style: as of :class:`Subject`.
    """

    variant: str
    options: dict[str, str]
    start: str
    moves: Sequence[str]
    seconds: float
    level: int = STRONGEST
    engine: str = ""
    lines: int = 1
    tsume: bool = False
    escape: int | None = None
    id: int = 0
    file: str | None = None
    rules: str | None = None
    style: str = BALANCED

    @classmethod
    def of(
        cls,
        game: Game,
        seconds: float,
        level: int = STRONGEST,
        engine: str = "",
        lines: int = 1,
        tsume: bool = False,
        style: str = BALANCED,
    ) -> SearchRequest:
        """The request for a game's present position."""
        start, moves = game.start.sfen(ply=True), [move.text for move in game.moves]
        v = game.variant
        asked = (v.id, dict(v.options), start, moves, seconds, level, engine, lines, tsume)
        file, rules = _from_elsewhere(v)
        return cls(*asked, file=file, rules=rules, style=style)

    @property
    def subject(self) -> Subject:
        """The subject of the search."""
        options = tuple(sorted(self.options.items()))
        return Subject(self.variant, options, self.level, self.engine, self.file, self.rules, self.style)


class StopRequest(msgspec.Struct, tag_field="t", tag="stop", frozen=True):
    """End the search with that id soon: its result is the best found so far."""

    id: int


class LineReport(msgspec.Struct, frozen=True):
    """A line worked out, as :class:`komadai.engine.Line`; ``pv``: its move strings, the root move first."""

    score: int
    mate: int | None
    pv: Sequence[str]


class Report(msgspec.Struct, tag_field="t", tag="report", frozen=True):
    """A report of a running search, as :class:`komadai.engine.Info`."""

    id: int
    depth: int
    seldepth: int
    nodes: int
    seconds: float
    lines: Sequence[LineReport]

    @property
    def nps(self) -> int:
        """Nodes per second."""
        return round(self.nodes / max(self.seconds, 1e-6))

    @classmethod
    def of(cls, id: int, info: Info) -> Report:
        """The report with the moves as strings."""
        lines = [LineReport(line.score, line.mate, [move.text for move in line.pv]) for line in info.multipv]
        return cls(id, info.depth, info.seldepth, info.nodes, info.seconds, lines)


class TsumeReport(msgspec.Struct, frozen=True):
    """A mate problem judged, as :class:`komadai.engine.Tsume`, with moves as strings.

    Attributes:
        outcome: ``"mate"``, ``"no mate"`` or ``"unknown"``.
        complete: every question is answered.
    """

    outcome: Verdict
    moves: Sequence[str]
    plies: int | None
    plies_every_defence: int | None
    left_in_hand: Sequence[tuple[str, int]]
    unique: bool | None
    other_first_moves: Sequence[str]
    unique_later: bool | None
    other_later_moves: Sequence[tuple[int, str]]
    complete: bool

    @classmethod
    def of(cls, found: Tsume) -> TsumeReport:
        """The report of a problem."""
        return cls(
            found.outcome,
            [move.text for move in found.moves],
            found.plies,
            found.plies_every_defence,
            found.left_in_hand,
            found.unique,
            [move.text for move in found.other_first_moves],
            found.unique_later,
            [(ply, move.text) for ply, move in found.other_later_moves],
            not found.why,
        )


class EscapeReport(msgspec.Struct, frozen=True):
    """An answer of :func:`komadai.engine.escapes.escape`, with moves as strings."""

    chance: Chance
    line: Sequence[str]

    @classmethod
    def of(cls, found: Escape) -> EscapeReport:
        """The report of an answer."""
        return cls(found.chance, [move.text for move in found.line])


class SearchResult(msgspec.Struct, tag_field="t", tag="result", frozen=True):
    """The end of a search: the move string of the move to play, ``None`` if none is legal, and the last report.

    Of a request to judge a problem ``tsume`` is the answer, of one for an escape ``escape``, and the report is empty.
    ``resigns``: the engine gives up and names no move.
    """

    id: int
    move: str | None
    report: Report
    tsume: TsumeReport | None = None
    escape: EscapeReport | None = None
    resigns: bool = False


class Failure(msgspec.Struct, tag_field="t", tag="failure", frozen=True):
    """A request that cannot be answered, with the reason."""

    id: int
    reason: str


Request = SearchRequest | StopRequest
Answer = Report | SearchResult | Failure

_requests: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)
_answers: msgspec.json.Decoder[Answer] = msgspec.json.Decoder(Answer)


def encode(message: Request | Answer) -> bytes:
    """A message as a line."""
    return msgspec.json.encode(message) + b"\n"


def decode_request(line: bytes) -> Request:
    """The request in a line.

    Raises:
        msgspec.MsgspecError: it is none.
    """
    return _requests.decode(line)


def decode_answer(line: bytes) -> Answer:
    """The answer in a line.

    Raises:
        msgspec.MsgspecError: it is none.
    """
    return _answers.decode(line)
