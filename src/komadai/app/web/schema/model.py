"""Variants, positions, moves and games as the server sends them, over HTTP and in the messages of :mod:`.events`.

The server builds these Structs (:mod:`.encode`) and encodes them as JSON. The OpenAPI description, the JSON Schema and
the client's TypeScript types are generated from them. A field that may be absent has :data:`msgspec.UNSET` as its
default. Docstrings become part of the generated files, so they use the names of JSON (``canUndo``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar, cast

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, field

from ....engine import BOTS, STRONGEST
from ....spec.board import Side
from ....spec.movement import Captures, Line
from ....view.tree import StepType

T = TypeVar("T")

Vector = tuple[int, int]
"""A displacement, to the right and ahead, as the piece's owner sees it."""

Board = Mapping[str, str]
"""Side and code of each piece by the name of its square: ``{"7g": "bP"}``."""

ENGINE_NAME = r"[A-Za-z0-9][A-Za-z0-9 .+_-]{0,39}"
"""The name of an engine that the server's owner has added."""

ENGINE_SEAT = "engine:"
"""Before the name of an engine in a seat."""

BOT_SEAT = "bot:"
"""Before the id of a bot in a seat."""

_LEVELS = tuple(f"level{level}" for level in range(1, STRONGEST + 1))
SEATS = ("human", "open", *_LEVELS, *(f"{BOT_SEAT}{bot}" for bot in BOTS))
Seat = Annotated[
    str,
    Meta(
        pattern=rf"\A({'|'.join(SEATS)}|{ENGINE_SEAT}{ENGINE_NAME})\Z",
        description="The occupant of a seat: a person, a person yet to join, the engine at a level or as a bot, or "
        "another engine of the server.",
        extra={"typescript": '"human" | "open" | `level${number}` | `bot:${string}` | `engine:${string}`'},
    ),
]

Mark = Literal["", "!", "?", "!!", "??", "!?", "?!"]
"""The annotation symbol of a move."""

Greeting = Literal[
    "hello",
    "enjoy",
    "thanks",
    "game",
    "well_played",
    "good_move",
    "oops",
    "sorry",
    "moment",
    "back",
    "leaving",
    "again",
]
"""A greeting, which every client says in its own language."""

Agreement = Literal["undo", "draw", "pause", "resume", "rematch"]
"""An action that both players must agree to."""

WinDrawLoss = Literal["win", "draw", "loss"]


class Wire(Struct, forbid_unknown_fields=True, rename="camel"):
    """A JSON object that the server sends."""


def encoded(value: T) -> T:
    """Encode a part of a message in advance, to send it several times or to keep it in little memory.

    The result, a :class:`msgspec.Raw`, only stands in a field for what it encodes, hence its type.
    """
    return cast("T", msgspec.Raw(msgspec.json.encode(value)))


def fields_of(struct: Struct) -> dict[str, Any]:
    """The fields of a Struct, to build one that has them too."""
    return msgspec.structs.asdict(struct)


def extended(kind: type[T], struct: Struct, **more: Any) -> T:
    """A Struct of a type that has all fields of another one, and some more."""
    return kind(**fields_of(struct), **more)


class Message(Wire):
    """A message to several readers, which each page puts into its own language: a template that may use ``{side}``,
    ``{other}`` (its opponent), ``{pieces}`` (a list of kinds) and ``{note}`` (a template with the same arguments)."""

    text: str
    side: Side | UnsetType = UNSET
    pieces: Sequence[str] | UnsetType = UNSET
    note: str | UnsetType = UNSET


class Health(Wire):
    """The server answers and can read its store."""

    ok: bool


class Error(Wire):
    """The reason why a request was refused, in one sentence; ``percent``: of a game that is being solved, so that the
    same request can be answered soon."""

    error: str
    percent: int | UnsetType = UNSET


# --- Variants -------------------------------------------------------------------------------------------------------


class Point(Wire):
    """A square or an intersection: its name, and its place counted from the upper left corner."""

    id: str
    x: int
    y: int


class BoardShape(Wire):
    """A board. ``marks``: line crossings drawn with a dot. The points of an ``unbounded`` board are those of a window
    that moves may shift."""

    width: int
    height: int
    unbounded: bool
    points: Sequence[Point]
    marks: Sequence[tuple[float, float]]
    no_drops: Sequence[str]


class Leg(Wire):
    """Moves along one vector, up to ``reach`` times; ``null``: as far as the board goes.

    ``hops``: over exactly one piece, to any point behind it. ``captures`` as in :class:`komadai.spec.Leg`.
    """

    right: int
    ahead: int
    reach: int | None
    hops: bool = False
    captures: Captures = "may"


class Walks(Wire):
    """A walk: ``least`` to ``most`` legs in one move, each of which lands."""

    vectors: Sequence[Vector]
    least: int
    most: int
    line: Line


class ShotReach(Wire):
    """A shot: at up to ``targets`` pieces in a row, never at the kinds in ``safe``, and at those in ``nearest`` only
    from that distance on. ``over``: pieces in between do not block it; ``standing``: it is made after a move
    (``never``), in place of a move (``only``), or either (``may``)."""

    vectors: Sequence[Vector]
    reach: int
    targets: int
    over: bool
    safe: Sequence[str]
    nearest: Mapping[str, int]
    standing: Literal["never", "only", "may"]


class Kind(Wire):
    """A piece type in one state. ``short``: the one kanji that stands for it; ``full``: those of its whole name, where
    they are more; ``next``: the kind after a quiet move; ``becomes``: the kind it promotes to; ``spares``: kinds that
    it cannot capture; ``words``: its movement and special rules, line by line; ``kana``: in Japanese, its reading."""

    code: str
    name: str
    kanji: str
    kanji_white: str
    short: str
    short_white: str
    romaji: str
    royal: bool
    turned: bool
    next: str | None
    faces: Sequence[str]
    moves: Sequence[Leg]
    walks: Sequence[Walks]
    shot: ShotReach | None
    spares: Sequence[str]
    becomes: str | None
    words: Sequence[str]
    full: str | UnsetType = UNSET
    kana: str | UnsetType = UNSET


class Hands(Wire):
    """The hands of both sides: counts of hand kinds; zero counts are left out."""

    b: Mapping[str, int]
    w: Mapping[str, int]


class Pieces(Wire):
    """All pieces: on the board, by square (``{"7g": "bP"}``: side and code), and in hand."""

    board: Board
    hands: Hands


class ChangedOption(Wire):
    """A rule option whose value is not the default."""

    name: str
    value: str


class Variant(Wire):
    """A game with the rule options in force. ``hands``: the hand kinds by value, highest first; ``remembers``: the
    kinds of which a position says where one has just been captured; ``solved``: the server has a table with the value
    of every move."""

    id: str
    name: str
    summary: str
    look: Literal["squares", "cubes", "stones"]
    numbering: Literal["ply", "pairs"]
    board: BoardShape
    kinds: Sequence[Kind]
    hands: Sequence[str]
    remembers: Sequence[str]
    start: Pieces
    solved: bool
    options: Mapping[str, str]
    changed: Sequence[ChangedOption]


class Setting(Wire):
    """A rule option and its values, the default first. ``sizes``: the least and greatest side of a board; every board
    size ``WxH`` between them is a value too."""

    name: str
    values: Sequence[str]
    help: str
    sizes: tuple[int, int] | None


class Handicap(Wire):
    """A start in which the stronger player gives pieces, as a position string."""

    name: str
    kanji: str
    start: str


class Frame(Wire):
    """A step of a sample game: ``set`` maps each changed square to its piece (``null``: empty)."""

    set: Mapping[str, str | None]
    hands: Hands


class About(Wire):
    """How a game is presented: its place from easy to hard, minutes that one takes, its story, the game of which it is
    a form, and a sample from the start."""

    order: int
    minutes: tuple[int, int]
    story: str
    of: str
    sample: Sequence[Frame]


class OwnPuzzles(Wire):
    """The puzzles of a game: how many there are, and the id of the game in which they are played, itself or that of
    which it is a form."""

    game: str
    count: int


class OfferedVariant(Variant):
    """A game with all its rule options and handicaps. ``puzzles``: those that it has, if any; ``openings``: how many it
    has."""

    settings: Sequence[Setting]
    handicaps: Sequence[Handicap]
    about: About
    puzzles: OwnPuzzles | None
    openings: int


# --- Moves and positions --------------------------------------------------------------------------------------------


class Landing(Wire):
    """A landing of a compound move, and the squares shot at from there."""

    at: str
    shots: Sequence[str]


class PlayedMove(Wire, kw_only=True):
    """A move: move string, the game's notation, Japanese notation, origin (``null`` for a drop) and target.

    Squares have their names from before the move. ``shift``: the displacement of the window of an unbounded board; the
    square at ``(x, y)`` before the move is at ``(x + dx, y + dy)`` after it. ``way``: all landings, unless it is one
    plain landing; ``gone``: squares where pieces vanished, besides the capture on the target.
    """

    usi: str
    text: str
    japanese: str
    from_: str | None = field(name="from")
    to: str
    shift: tuple[int, int] | UnsetType = UNSET
    way: Sequence[Landing] | UnsetType = UNSET
    gone: Sequence[str] | UnsetType = UNSET


class RecordedMove(PlayedMove, kw_only=True):
    """A move of ``side`` with its changes: ``set`` maps each changed square to its piece (``null``: empty), by the
    names after the move; ``hands`` are those after it."""

    side: Side
    set: Mapping[str, str | None]
    hands: Hands


class Step(Wire):
    """A step of the prefix tree of legal moves.

    Inner steps have ``next``, or ``ref`` where several paths lead to the same state: the index of a list in ``shared``
    of the position. The last step of a move has ``usi``, its move string, and ``piece``, the kind on the target
    afterwards (``null``: it left the game). A capture has ``takes`` and ``gains``, the kind that it brings to the hand
    (``null``: it leaves the game).

    Effects of the move, if any: ``loses``, squares of the mover's own pieces that it costs, its target among them if
    that is the piece that moved; ``prey``, squares of captured pieces of the opponent; ``burns``, of those removed
    otherwise; ``turns``, the new kinds of pieces that turn over by themselves; ``notes``, further effects in
    English, and the same as ``messages``.
    """

    t: StepType
    at: str | UnsetType = UNSET
    code: str | UnsetType = UNSET
    takes: str | UnsetType = UNSET
    gains: str | UnsetType | None = UNSET
    next: Sequence[Step] | UnsetType = UNSET
    ref: int | UnsetType = UNSET
    usi: str | UnsetType = UNSET
    piece: str | UnsetType | None = UNSET
    loses: Sequence[str] | UnsetType = UNSET
    prey: Sequence[str] | UnsetType = UNSET
    burns: Sequence[str] | UnsetType = UNSET
    turns: Mapping[str, str] | UnsetType = UNSET
    notes: Sequence[str] | UnsetType = UNSET
    messages: Sequence[Message] | UnsetType = UNSET


class Choices(Wire):
    """The legal moves of a position as a tree of steps.

    ``shared``: lists that steps refer to by index; ``blocked``: squares forbidden by rules about files, by the prefix
    of the move strings concerned (``P*``, ``5g``).
    """

    tree: Sequence[Step]
    shared: Sequence[Sequence[Step]]
    blocked: Mapping[str, Sequence[str]]


class Outcome(Wire):
    """The end of a game; ``winner`` is ``null`` for a draw."""

    winner: Side | None
    reason: str
    text: str
    message: Message


class Support(Wire):
    """Squares where a piece, and a link of the chain of support, is supported."""

    pieces: Sequence[str]
    links: Sequence[str]


class Needed(Wire):
    """Kinds of which a side needs one on the board, those first that it has; ``name``: that of the first; ``has``: it
    has one; ``note``: the effect of having none."""

    codes: Sequence[str]
    name: str
    has: bool
    note: str | UnsetType | None = UNSET
    message: Message | UnsetType = UNSET


class Standing(Wire):
    """Survival of a side: it needs all parts of one of the ``ways`` (indices into ``parts``). ``works``: the pieces
    that other rules depend on."""

    alive: bool
    ways: Sequence[Sequence[int]]
    parts: Sequence[Needed]
    works: Sequence[Needed]


class Standings(Wire):
    """Survival of both sides."""

    b: Standing
    w: Standing


class Scene(Pieces):
    """The visible state of a position.

    ``support``: ``null`` in games without support, and when the game is over; ``stranded``: squares of pieces that the
    side to move loses at the end of its turn unless it supports them again; ``held``: its immobilized pieces;
    ``standing``: ``null`` in games without such conditions.
    """

    sfen: str
    ply: int
    turn: Side
    check: bool
    support: Support | None
    stranded: Sequence[str]
    held: Sequence[str]
    standing: Standings | None


class ShownPosition(Scene):
    """A position with its legal moves, as in :class:`Choices`; none if the game is over."""

    outcome: Outcome | None
    tree: Sequence[Step]
    shared: Sequence[Sequence[Step]]
    blocked: Mapping[str, Sequence[str]]


# --- Games ----------------------------------------------------------------------------------------------------------


class Offer(Wire):
    """An offer of a side; the other accepts it by sending the same command."""

    what: Agreement
    side: Side


class Players(Wire):
    """The names of the players of a match, by the sides they have in one of its games."""

    b: str
    w: str


class Match(Wire):
    """A match as of one of its games: its ``leader``, who won the latest one, ``needs`` that many more wins in a row.
    ``next``: the label of the button to the next game, ``null`` if there is none to open; ``begun``: it exists."""

    number: int
    players: Players
    leader: Side | None
    needs: int
    winner: Side | None
    next: str | None
    begun: bool


class Position(ShownPosition):
    """The current position of a game. ``thinking``: the engine is to move; ``can_declare``: the side to move, a
    person, may declare that its king has entered; ``rematch``: the id of the game that the players have agreed to play
    next."""

    thinking: bool
    last: PlayedMove | None
    match: Match | None
    can_undo: bool
    can_draw: bool
    can_declare: bool
    offers: Sequence[Offer]
    rematch: str | None


class TimeLeft(Wire):
    """The time left to a side, in milliseconds: main time, then byo-yomi periods, of the first of which ``period`` is
    left."""

    main: int
    periods: int
    period: int


class Clocks(Wire):
    """The clocks at the time of the message; that of the side ``running`` keeps running."""

    control: str
    running: Side | None
    paused: bool
    b: TimeLeft
    w: TimeLeft


class Presence(Wire):
    """The number of spectators, and which players are connected."""

    spectators: int
    seats: Mapping[Side, bool]


class Seats(Wire):
    """The occupants of both seats."""

    b: Seat
    w: Seat


class Challenge(Wire):
    """A position that is won in ``distance`` plies, by one of ``winning`` moves."""

    distance: int
    winning: int


class GameState(Wire):
    """The whole state of a game. ``start``: position string, ``null`` for the start of the variant; ``puzzle``: the
    task, if the game starts from one of the hardest wins; ``names``: of players who gave one; ``you``: the sides that
    the client may act for, none for a spectator; ``handicap``: whether the start is one."""

    seq: int
    game: str
    variant: Variant
    start: str | None
    handicap: bool
    puzzle: Challenge | None
    seats: Seats
    names: Mapping[Side, str]
    you: Sequence[Side]
    moves: Sequence[PlayedMove]
    position: Position
    clocks: Clocks | None
    presence: Presence


class ListedGame(Wire):
    """A game in a list. ``last``: the time of its latest event, in seconds; ``over``: the game has ended, and its
    match, if any, has ended or goes on in another game. ``options``, ``start`` (a position string, ``null``: the
    variant's own) and ``time`` make another game like it."""

    id: str
    variant: str
    options: Mapping[str, str]
    start: str | None
    time: str
    seats: Seats
    names: Mapping[Side, str]
    created: float
    last: float
    turn: Side
    outcome: Outcome | None
    over: bool
