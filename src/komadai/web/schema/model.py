"""Data that the server sends, over HTTP and inside the messages of :mod:`.events`.

The server builds these Structs (:mod:`.encode`) and encodes them as JSON. The OpenAPI description, the JSON Schema and
the client's TypeScript types are generated from them. A field that may be absent has :data:`msgspec.UNSET` as its
default. Docstrings become part of the generated files, so they use the names of JSON (``canUndo``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar, cast

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, field

from ...engine import BOTS, STRONGEST, STYLES
from ...puzzles import Theme
from ...record import Format
from ...spec.board import Side
from ...spec.movement import Captures, Line
from ...view.guide import Topic
from ...view.tree import StepType

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
SEATS = ("human", "open", *_LEVELS, *(f"{BOT_SEAT}{bot}" for bot in BOTS), "easy", "medium", "strong")
Seat = Annotated[
    str,
    Meta(
        pattern=rf"\A({'|'.join(SEATS)}|{ENGINE_SEAT}{ENGINE_NAME})\Z",
        description="The occupant of a seat: a person, a person yet to join, the engine at a level or as a bot, or "
        "another engine of the server; easy, medium and strong are levels in stored games of older versions.",
        extra={
            "typescript": '"human" | "open" | `level${number}` | `bot:${string}` | `engine:${string}`'
            ' | "easy" | "medium" | "strong"'
        },
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
    """The reason why a request was refused, in one sentence."""

    error: str


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
    """A piece type in one state. ``short``: the one kanji that stands for it; ``next``: the kind after a quiet move;
    ``becomes``: the kind it promotes to; ``spares``: kinds that it cannot capture; ``words``: its movement and special
    rules, line by line."""

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
    """A game with all its rule options and handicaps. ``course``: the id of the game whose lessons teach it, if there
    are any; ``puzzles``: those that it has, if any."""

    settings: Sequence[Setting]
    handicaps: Sequence[Handicap]
    about: About
    course: str | None
    puzzles: OwnPuzzles | None


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
    """Kinds of which a side needs one on the board; ``has``: it has one; ``note``: the effect of having none."""

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
    the client may act for, none for a spectator."""

    seq: int
    game: str
    variant: Variant
    start: str | None
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


# --- The lobby ------------------------------------------------------------------------------------------------------


class ListedChallenge(Wire):
    """A game in the lobby. ``invite``: the invitation to its open seat; ``side``: of that; ``start``: a position
    string, ``null``: the variant's own; ``age``: seconds since it was made."""

    game: str
    invite: str
    variant: str
    options: Mapping[str, str]
    start: str | None
    time: str
    side: Side
    age: float


class ChallengeList(Wire):
    """The games in the lobby, the latest first."""

    challenges: Sequence[ListedChallenge]


# --- Profiles ---------------------------------------------------------------------------------------------------------


class NewProfile(Wire):
    """A profile just made: its ``key``, which is shown this once."""

    key: str


class ProfileGame(Wire):
    """A game of a profile: the sides that its bearer plays, and the ``token`` for them."""

    game: str
    variant: str
    you: Sequence[Side]
    token: str


class ProfileGames(Wire):
    """The games of a profile, the oldest first."""

    games: Sequence[ProfileGame]


# --- Solved games ---------------------------------------------------------------------------------------------------


class Worth(Wire):
    """The value of a position to the side to move, and the number of plies to the end."""

    outcome: WinDrawLoss
    distance: int | None


class Judged(Worth):
    """The value of a move to the side that makes it; ``threw``: the value lost by a blunder."""

    best: bool
    blunder: bool
    threw: Worth | None


class KnownMove(PlayedMove, kw_only=True):
    """A legal move and its value, as in :class:`Judged`."""

    outcome: WinDrawLoss
    distance: int | None
    best: bool
    blunder: bool
    threw: Worth | None


# --- Answers of HTTP ------------------------------------------------------------------------------------------------


class RuleWords(Wire):
    """A special rule in words: its event, its place in the rules, and the kinds that it concerns (none: all)."""

    event: str
    words: str
    source: str
    codes: Sequence[str]


class Changes(Wire):
    """The kinds that a kind becomes, by event. ``triumph``: by capturing one of ``prey``; ``captured``: ``null`` if it
    leaves the game."""

    quiet: Sequence[str]
    captures: Sequence[str]
    zone: Sequence[str]
    triumph: Sequence[str]
    prey: Sequence[str]
    dropped: Sequence[str]
    captured: str | None


class RuleExample(Wire):
    """A position with moves that the rules allow and moves that they refuse."""

    text: str
    position: Pieces
    moves: Sequence[PlayedMove]
    refused: Sequence[PlayedMove]


class RuleSection(Wire):
    """A section of the rules for players. ``shows``: the start or all pieces, besides its text, in which lines are
    paragraphs and those that begin with a hyphen items of a list."""

    id: str
    title: str
    text: str
    shows: Literal["", "start", "pieces"]
    examples: Sequence[RuleExample]


class Rulebook(Wire):
    """The rules of a variant. ``sections``: for players, none if nobody has written them; ``words`` and ``changes`` by
    code of the kind; ``ends``: in sentences; ``page``: with all rulings, as HTML."""

    variant: OfferedVariant
    sections: Sequence[RuleSection]
    rules: Sequence[RuleWords]
    words: Mapping[str, Sequence[str]]
    changes: Mapping[str, Changes]
    ends: Sequence[str]
    sources: Sequence[str]
    page: str


class HardestWin(Pieces):
    """A position that is won in ``distance`` plies, by one of ``winning`` moves."""

    position: str
    distance: int
    winning: int
    turn: Side


class HardestWins(Wire):
    """The hardest wins of a solved game."""

    variant: Variant
    wins: Sequence[HardestWin]


class TableMove(Wire):
    """A move, and the value of the position after it to the side that is then to move, as in :class:`TableAnswer`."""

    move: str
    category: WinDrawLoss
    dtm: int | None


class TableAnswer(Wire):
    """The answer of a solved game's table to a position: its value to the side to move, the plies to the end with
    best play, below 0 for a loss and ``null`` for a draw, and every move, best first. A position that the table does
    not contain is ``unknown``."""

    category: Literal["win", "draw", "loss", "unknown"]
    dtm: int | None
    moves: Sequence[TableMove]


class CheckedPosition(Wire):
    """The result of checking a position: its position string and pieces, ``null`` if it cannot be parsed, and all that
    keeps a game from starting there; ``takenOn``: the square of the capture that it remembers; ``problem``: it can be
    studied nevertheless, one side having no king."""

    position: str | None
    pieces: Pieces | None
    turn: Side
    taken_on: str | None
    defects: Sequence[str]
    problem: bool


class CheckedTime(Wire):
    """The result of checking a time control: how the server writes it, ``null`` if it is none, and what is wrong."""

    time: str | None
    fault: str


class Bot(Wire):
    """An opponent with a name, its level and its style."""

    id: Annotated[str, Meta(pattern=rf"\A({'|'.join(BOTS)})\Z")]
    level: Annotated[int, Meta(ge=1, le=STRONGEST)]
    style: Annotated[str, Meta(pattern=rf"\A({'|'.join(STYLES)})\Z")]


class OtherEngine(Wire):
    """An engine that the server's owner has added, and the ids of the games it plays."""

    name: str
    games: Sequence[str]


class GameList(Wire):
    """The games asked for that exist."""

    games: Sequence[ListedGame]


class CreatedGame(Wire):
    """A new game: its id, the secret tokens of the seats taken, and the secret of the invitation to the open one."""

    game: str
    tokens: Mapping[Side, str]
    invite: str | UnsetType = UNSET


class JoinedGame(Wire):
    """The game joined, and the secret token of the seat taken."""

    game: str
    token: str


class NextGame(Wire):
    """The id of the next game."""

    game: str


class KnownPosition(Wire):
    """The value of a position of a solved game to the side to move, that of every move, best first, and best play from
    there, as far as it was asked for. ``null`` and nothing where the game is over, or the table lacks the position."""

    value: Worth | None
    moves: Sequence[KnownMove]
    line: Sequence[RecordedMove]


class FoundPosition(Wire):
    """A position, and the moves requested with it."""

    moves: Sequence[RecordedMove]
    position: ShownPosition


class Explanation(Wire):
    """The reason why a move is illegal."""

    text: str


class Remark(Wire):
    """A thing that matters to the side to move: a sentence in English, to be translated, with ``{at}`` and ``{by}``
    (the pieces on those squares), ``{piece}`` (the kind ``code``) and ``{move}``, the opponent's."""

    topic: Topic
    text: str
    at: Sequence[str]
    by: Sequence[str]
    code: str | None
    move: PlayedMove | None


class Guide(Wire):
    """Remarks on a position, the most important first, and the squares that each piece of the opponent could go to,
    capture on or shoot at if the side to move passed."""

    remarks: Sequence[Remark]
    reach: Mapping[str, Sequence[str]]


class BookMove(Wire):
    """A move of an opening book: in how many games it was played, and how many of them Black (``b``) and White (``w``)
    have won and nobody (``draws``); the others have no known result. ``score``: the mean of engines' scores for the
    side to move, in hundredths of the least piece."""

    move: PlayedMove
    games: int
    b: int
    w: int
    draws: int
    score: int | None


class BookMoves(Wire):
    """The moves of a position in the server's opening book, the most played first; ``others``: the number of further
    ones."""

    moves: Sequence[BookMove]
    others: int


class SharedRecord(Wire):
    """The id of a shared record."""

    id: str


# --- Lessons --------------------------------------------------------------------------------------------------------


class CourseEntry(Wire):
    """A course: the id and the name of its game, what it leads to, and the ids of its stages."""

    game: str
    name: str
    about: str
    stages: Sequence[str]


class CourseList(Wire):
    """All courses, the easiest first."""

    courses: Sequence[CourseEntry]


class StageTitle(Wire):
    """A stage in a table of contents."""

    id: str
    title: str


class LessonChapter(Wire):
    """A chapter of a course."""

    title: str
    stages: Sequence[StageTitle]


class Course(Wire):
    """The course of a game: what it leads to, and its chapters."""

    variant: Variant
    about: str
    chapters: Sequence[LessonChapter]


class LessonMark(Wire):
    """A mark of a stage on the board: ``target`` a point to reach, ``take`` a piece to take, ``piece`` the one that
    moves, ``show`` a move that is shown, ``reply`` an answer of the opponent; the last two lead ``to`` a point, unless
    they drop a piece."""

    t: Literal["target", "take", "piece", "show", "reply"]
    at: str
    to: str | UnsetType = UNSET


class LessonStage(StageTitle):
    """A stage. ``goal``: its sort; ``moves``: in how many it can be done, 0 where that is open; ``side``: of the
    learner; ``choices``: the answers to a question; ``rules``: the numbers of the rules it teaches."""

    text: str
    goal: Literal["reach", "take", "find", "avoid", "question", "play"]
    moves: int
    side: Side
    choices: Sequence[str]
    rules: Sequence[str]


class LessonAnswer(Wire):
    """The judge's answer to a move in a stage, or to the question how it goes on.

    ``moves``: those that stand, to be sent with the next one: after a wrong one those before it, or none where one must
    begin again; ``made``: those of them that are new, the opponent's reply included. ``position``: after them.
    ``tried``: the move, if it is legal but wrong. ``hint``: helps, and ``show``: the move (or the number of a choice)
    to make, both after wrong tries.
    """

    stage: LessonStage
    state: Literal["going", "right", "wrong", "done"]
    text: str
    moves: Sequence[str]
    made: Sequence[RecordedMove]
    position: ShownPosition
    marks: Sequence[LessonMark]
    hint: str
    show: str | None
    tried: RecordedMove | None


# --- Puzzles --------------------------------------------------------------------------------------------------------


class PuzzleGame(Wire):
    """A game with puzzles: how many there are, and the id of that of today (UTC)."""

    game: str
    name: str
    count: int
    daily: str


class PuzzleGames(Wire):
    """All games with puzzles, the easiest first."""

    games: Sequence[PuzzleGame]


class PuzzleEntry(Wire):
    """A puzzle in a list: its id and its rating."""

    id: str
    rating: int


class PuzzleSet(Wire):
    """The puzzles of one theme and length, the easiest first; ``task``: what they ask for."""

    theme: Theme
    plies: int
    task: str
    puzzles: Sequence[PuzzleEntry]


class PuzzleList(Wire):
    """The puzzles of a game; ``daily``: the id of that of today (UTC)."""

    variant: Variant
    daily: str
    sets: Sequence[PuzzleSet]


class Puzzle(PuzzleEntry):
    """A puzzle: what it asks for, and of which ``side``."""

    theme: Theme
    plies: int
    task: str
    side: Side


class PuzzleAnswer(Wire):
    """The answer to a move in a puzzle, to the question how it goes on, or to a call for help.

    ``moves``: those that stand, to be sent with the next one; ``made``: those of them that are new, the opponent's
    reply included; ``position``: after them. ``refutation``: of a wrong move, that move and the line that shows why;
    ``show``: the move asked for as a hint, if one that wins is known.
    """

    puzzle: Puzzle
    state: Literal["going", "right", "wrong", "done"]
    text: str
    moves: Sequence[str]
    made: Sequence[RecordedMove]
    position: ShownPosition
    refutation: Sequence[RecordedMove]
    show: PlayedMove | None


# --- Records --------------------------------------------------------------------------------------------------------


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
    ``nodes``: in depth-first order, the first is the start and has annotations only.
    """

    variant: Variant
    version: str
    rules: str
    forms: Sequence[Format]
    book: bool
    position: str | None
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
    """The records of a file and, if there is only one, its study."""

    records: Sequence[RecordData]
    study: StudyData | None
