"""What clients are told, as types: the description of the interface is made of them, and tests hold every answer to it.

The server makes its answers as plain data (:mod:`.describe` and others), so nothing is of these types before it is read
by a client. What may be missing has :data:`UNSET` as its default.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field

from ...record import Format
from ...spec.board import Side
from ...spec.movement import Line
from ...view.tree import StepType
from ..http.listing import Listed

Pieces = dict[str, str]
"""What stands where: names of squares, and side and code (``{"7g": "bP"}``)."""
Vector = tuple[int, int]
"""To the right and ahead, as the piece's owner sees it."""


class Told(Struct, forbid_unknown_fields=True, rename="camel"):
    """Anything that clients are told."""


class Message(Told):
    """A message to several readers, which each page puts into its own language: a template that may use ``{side}``,
    ``{other}`` (its opponent), ``{pieces}`` (a list of kinds) and ``{note}`` (a template with the same arguments)."""

    text: str
    side: Side | UnsetType = UNSET
    pieces: list[str] | UnsetType = UNSET
    note: str | UnsetType = UNSET


class Error(Told):
    """Why a request was refused: one sentence for a person."""

    error: str


# --- Variants -------------------------------------------------------------------------------------------------------


class Point(Told):
    """A square, or an intersection: its name, and where it is, from the upper left corner."""

    id: str
    x: int
    y: int


class Board(Told):
    """``marks``: line crossings to be marked. An ``unbounded`` board is seen through a window."""

    width: int
    height: int
    unbounded: bool
    points: list[Point]
    marks: list[tuple[float, float]]
    no_drops: list[str]


class Leg(Told):
    """A way by one vector, up to ``reach`` times, ``null``: as far as the board goes."""

    right: int
    ahead: int
    reach: int | None


class Walk(Told):
    """``least`` to ``most`` leaps in one turn."""

    vectors: list[Vector]
    least: int
    most: int
    line: Line


class Shot(Told):
    """Taking enemy pieces at a distance; ``nearest``: kinds that are hit only from some distance on."""

    vectors: list[Vector]
    reach: int
    targets: int
    over: bool
    safe: list[str]
    nearest: dict[str, int]
    standing: Literal["never", "only", "may"]


class Kind(Told):
    """A piece type in one state. ``next``: what a quiet move makes of it; ``becomes``: what it turns over into."""

    code: str
    name: str
    kanji: str
    kanji_white: str
    romaji: str
    royal: bool
    turned: bool
    next: str | None
    faces: list[str]
    moves: list[Leg]
    walks: list[Walk]
    shot: Shot | None
    spares: list[str]
    becomes: str | None
    words: list[str]


class Held(Told):
    """How many of which hand kinds each side holds; only counts above 0."""

    b: dict[str, int]
    w: dict[str, int]


class Start(Told):
    """What stands where at the start."""

    board: Pieces
    hands: Held


class Changed(Told):
    """A rule option in force that is not its default."""

    name: str
    value: str


class Variant(Told):
    """A game with its rule options. ``hands``: the hand kinds by worth, high to low."""

    id: str
    name: str
    summary: str
    look: Literal["squares", "cubes", "stones"]
    numbering: Literal["ply", "pairs"]
    board: Board
    kinds: list[Kind]
    hands: list[str]
    start: Start
    solved: bool
    options: dict[str, str]
    changed: list[Changed]


class Setting(Told):
    """A rule option: its values, the default first. ``sizes``: the least and the greatest side of a board size ``WxH``
    that it takes too."""

    name: str
    values: list[str]
    help: str
    sizes: tuple[int, int] | None


class Handicap(Told):
    """A start in which the stronger player gives pieces."""

    name: str
    kanji: str
    start: str


class Offered(Variant):
    """A game as it is offered."""

    settings: list[Setting]
    handicaps: list[Handicap]


# --- Moves and positions --------------------------------------------------------------------------------------------


class Landing(Told):
    """A landing in a turn, and what was shot from there."""

    at: str
    shots: list[str]


class Entry(Told, kw_only=True):
    """A move: its move string, how people write it, where it began and ended. Squares are named as before the move;
    ``shift``: by how much it moves the window of an unbounded board."""

    usi: str
    text: str
    from_: str | None = field(name="from")
    to: str
    shift: tuple[int, int] | UnsetType = UNSET
    way: list[Landing] | UnsetType = UNSET
    gone: list[str] | UnsetType = UNSET


class MaybeMove(Told, kw_only=True):
    """What an :class:`Entry` tells, where it may be that no move was made."""

    usi: str | UnsetType = UNSET
    text: str | UnsetType = UNSET
    from_: str | UnsetType | None = field(name="from", default=UNSET)
    to: str | UnsetType = UNSET
    shift: tuple[int, int] | UnsetType = UNSET
    way: list[Landing] | UnsetType = UNSET
    gone: list[str] | UnsetType = UNSET


class Move(Entry, kw_only=True):
    """A move, and what it changes: what stands where it stood otherwise (``null``: nothing), and the hands after it."""

    side: Side
    set: dict[str, str | None]
    hands: Held


class Step(Told, kw_only=True):
    """A step on the way to a move. It goes on with the steps of ``next``, or with those of number ``ref`` in
    ``shared``; or it is the last, and the move is ``usi``."""

    t: StepType
    at: str | UnsetType = UNSET
    code: str | UnsetType = UNSET
    takes: str | UnsetType = UNSET
    gains: str | UnsetType | None = UNSET
    next: list[Step] | UnsetType = UNSET
    ref: int | UnsetType = UNSET
    usi: str | UnsetType = UNSET
    piece: str | UnsetType | None = UNSET
    loses: list[str] | UnsetType = UNSET
    prey: list[str] | UnsetType = UNSET
    burns: list[str] | UnsetType = UNSET
    turns: dict[str, str] | UnsetType = UNSET
    notes: list[str] | UnsetType = UNSET
    messages: list[Message] | UnsetType = UNSET


class Outcome(Told):
    """How a game has ended; ``winner`` is ``null`` for a draw."""

    winner: Side | None
    reason: str
    text: str
    message: Message


class Ending(Told):
    """The result of a record, ``text`` in the reader's language; ``winner`` is ``null`` for a draw."""

    winner: Side | None
    reason: str
    text: str


class Support(Told):
    """Where pieces, and links, have support."""

    pieces: list[str]
    links: list[str]


class Part(Told):
    """What a side should have; ``note``: what happens while it has not."""

    codes: list[str]
    name: str
    has: bool
    note: str | UnsetType | None = UNSET
    message: Message | UnsetType = UNSET


class Standing(Told):
    """What keeps a side in the game: each of ``ways`` is a set of ``parts``, by their indices, that is enough."""

    alive: bool
    ways: list[list[int]]
    parts: list[Part]
    works: list[Part]


class Scene(Told):
    """What there is to be seen in a position."""

    sfen: str
    ply: int
    turn: Side
    board: Pieces
    hands: Held
    check: bool
    support: Support | None
    stranded: list[str]
    held: list[str]
    standing: dict[str, Standing] | None


class Position(Scene):
    """A position as it is shown now, and what may be done in it. ``blocked``: squares that rules about files forbid, by
    the beginning of move strings."""

    outcome: Outcome | None
    tree: list[Step]
    shared: list[list[Step]]
    blocked: dict[str, list[str]]


# --- Answers of HTTP ------------------------------------------------------------------------------------------------


class RuleWords(Told):
    """A special rule: when it is asked, in words, where that is written, and the kinds it concerns."""

    event: str
    words: str
    source: str
    codes: list[str]


class Changes(Told):
    """What a kind turns into, event by event."""

    quiet: list[str]
    captures: list[str]
    zone: list[str]
    triumph: list[str]
    prey: list[str]
    dropped: list[str]
    captured: str | None


class Ends(Told):
    """How a game ends."""

    repetition: int
    perpetual_loses: bool
    royal: bool
    match_wins: int | None
    agreement: bool


class Rulebook(Told):
    """Every rule of a game; ``words`` and ``changes`` by the kinds' codes; ``page`` is HTML."""

    variant: Offered
    rules: list[RuleWords]
    words: dict[str, list[str]]
    changes: dict[str, Changes]
    ends: Ends
    sources: list[str]
    page: str


class Puzzle(Told):
    """A position won in ``distance`` plies, by one of ``winning`` moves."""

    position: str
    distance: int
    winning: int
    turn: Side
    board: Pieces
    hands: Held


class Puzzles(Told):
    """The hardest wins of a solved game."""

    variant: Variant
    puzzles: list[Puzzle]


class Checked(Told):
    """A position as it is written, and every defect; ``null`` where it cannot be read at all."""

    position: str | None
    pieces: Start | None
    turn: Side
    defects: list[str]


class Standings(Told):
    """How games stand."""

    games: list[Listed]


class Made(Told):
    """A game that was made: the secrets of its seats, and that of the invitation."""

    game: str
    tokens: dict[str, str]
    invite: str | UnsetType = UNSET


class Joined(Told):
    """The game, and the secret of the guest's seat."""

    game: str
    token: str


class Next(Told):
    """The id of the next game."""

    game: str


class After(Told):
    """The moves that were asked for, and the position after them."""

    moves: list[Move]
    position: Position


class Words(Told):
    """An answer in words."""

    text: str


class Kept(Told):
    """The id of a record that is kept."""

    id: str


class Score(Told):
    """What an engine says of a move, seen from its side; ``chance`` is Black's share of the points."""

    value: int | None
    mate: int | None
    depth: int | None
    chance: float


class Node(MaybeMove, kw_only=True):
    """What is said of a move of a study, with the move (:class:`Move`), which follows the node numbered ``after``.

    The first node is the start and has no move.
    """

    comment: str
    mark: str
    seconds: float | None
    score: Score | None
    after: int | UnsetType = UNSET
    side: Side | UnsetType = UNSET
    set: dict[str, str | None] | UnsetType = UNSET
    hands: Held | UnsetType = UNSET


class Beginning(Told):
    """Where a study begins."""

    turn: Side
    ply: int
    sfen: str
    board: Pieces
    hands: Held


class Studied(Told):
    """A record with what is needed to show it; ``forms``: the formats it can be written in."""

    variant: Variant
    version: str
    forms: list[Format]
    position: str | None
    headers: dict[str, str]
    result: Ending | None
    start: Beginning
    nodes: list[Node]


class Read(Told):
    """The records of a file as data (docs/records.md) and, of a single one, the study of it."""

    records: list[dict[str, Any]]
    study: Studied | None
