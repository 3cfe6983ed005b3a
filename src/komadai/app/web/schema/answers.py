"""Answers of HTTP about games, seats and positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from ....engine import BOTS, STRONGEST, STYLES
from ....spec.board import Side
from ....view.guide import Sense, Topic
from .model import ListedGame, Pieces, PlayedMove, RecordedMove, ShownPosition, Wire


class ListedChallenge(Wire):
    """A game in the lobby. ``invite``: the invitation to its open seat; ``side``: of that; ``start``: a position
    string, ``null``: the variant's own; ``age``: seconds since it was made; ``name``: of its maker, if given."""

    game: str
    invite: str
    variant: str
    options: Mapping[str, str]
    start: str | None
    time: str
    side: Side
    age: float
    name: str | UnsetType = UNSET


class ChallengeList(Wire):
    """The games in the lobby, the latest first."""

    challenges: Sequence[ListedChallenge]


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


class FoundPosition(Wire):
    """A position, and the moves requested with it."""

    moves: Sequence[RecordedMove]
    position: ShownPosition


class Explanation(Wire):
    """The reason why a move is illegal."""

    text: str


class Remark(Wire):
    """A thing that matters to the side to move: a sentence in English, to be translated, with ``{at}`` and ``{by}``
    (the pieces on those squares), ``{there}`` (a square), ``{piece}`` (the kind ``code``) and ``{move}``."""

    topic: Topic | Sense
    text: str
    at: Sequence[str]
    by: Sequence[str]
    there: str | None
    code: str | None
    move: PlayedMove | None


class Guide(Wire):
    """Remarks on a position, the most important first, and the squares that each piece of the opponent could go to,
    capture on or shoot at if the side to move passed."""

    remarks: Sequence[Remark]
    reach: Mapping[str, Sequence[str]]


class MoveWarning(Wire):
    """The gravest thing that a move makes worse for its side, ``null``: nothing; a remark to that side on the position
    after the move, whose pieces are in ``board``."""

    remark: Remark | None
    board: Mapping[str, str]


class Reasons(Wire):
    """What a move does: remarks to its opponent on the position after it, the most important first."""

    remarks: Sequence[Remark]


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


class BookLeft(Wire):
    """Where a game left the book: after so many of its moves. ``instead``: what the book has there, the most played
    move; ``null``: nothing."""

    plies: int
    instead: BookMove | None


class WrongMove(Wire):
    """A wrong move that looks right: what is said of it, and itself with the line that punishes it."""

    text: str
    moves: Sequence[PlayedMove]


class BookMoves(Wire):
    """The moves of a position in an opening book, the most played first; ``others``: the number of further ones.

    ``all``: the games of the book; ``engine``: whether the engine played them with itself. ``opening``: the established
    name of the opening of the moves before, or ''; ``left``: where these left the book, ``null``: they did not.
    ``wrong``: plausible wrong moves of the position.
    """

    moves: Sequence[BookMove]
    others: int
    all: int
    engine: bool
    opening: str
    left: BookLeft | None
    wrong: Sequence[WrongMove]


class SharedRecord(Wire):
    """The id of a shared record."""

    id: str
