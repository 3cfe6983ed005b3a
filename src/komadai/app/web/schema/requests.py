"""Bodies of HTTP requests."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from ....game.game import Game
from ....spec.board import Side
from .commands import Id, Secret
from .model import Seats
from .position_ref import MoveText, Options, PositionRef, PositionText, VariantName, parse_typed

MOST_LESSON_MOVES = 400
"""More cannot stand in any stage."""

MOST_EXPORTED = 200
"""As many games as a browser remembers."""

MOST_ADDED = 50
"""Seats added to a profile at once."""

MOST_PUZZLE_MOVES = 100
"""More than any puzzle needs, also by other ways to win."""

MOST_BEST_PLAY = 400
"""Plies of best play in one answer: more than the longest win of any game solved so far."""

Name = Annotated[str, msgspec.Meta(max_length=40)]
Count = Annotated[int, msgspec.Meta(ge=0, le=999)]
MOST_SEALED = 256 * 1024
"""Bytes that a browser keeps under a profile."""
Short = Annotated[str, msgspec.Meta(max_length=64)]
SealedText = Annotated[
    str, msgspec.Meta(min_length=4, max_length=-(-MOST_SEALED // 3) * 4, pattern=r"\A[A-Za-z0-9+/]+={0,2}\Z")
]


class NewGame(msgspec.Struct, forbid_unknown_fields=True):
    """A game to create. ``time``: a time control, such as ``10m+5s``; ``name``: of the person who creates it;
    ``lobby``: its open seat is offered in the lobby, to whoever comes by."""

    variant: VariantName
    seats: Seats
    options: Options = {}
    position: PositionText | None = None
    time: Short = "none"
    name: Name = ""
    lobby: bool = False


class JoinGame(msgspec.Struct, forbid_unknown_fields=True):
    """An invitation accepted."""

    invite: Secret
    name: Name = ""


class OpenNextGame(msgspec.Struct, forbid_unknown_fields=True):
    """The request for the next game of a match, with the token of a seat."""

    token: Secret | None = None


class SeatToken(msgspec.Struct, forbid_unknown_fields=True):
    """A seat in a game: its token, or that of another profile for it."""

    game: Id
    token: Secret


class ProfileKey(msgspec.Struct, forbid_unknown_fields=True):
    """The access key of a profile that is made or deleted."""

    key: Short


class OpenProfile(msgspec.Struct, forbid_unknown_fields=True):
    """The access key of a profile, and seats to be added to it."""

    key: Short
    add: Annotated[list[SeatToken], msgspec.Meta(max_length=MOST_ADDED)] = []


class ReadMemory(msgspec.Struct, forbid_unknown_fields=True):
    """The access key of a profile whose memory is asked for, unless it still has the ``known`` number."""

    key: Short
    known: Annotated[int, msgspec.Meta(ge=0)] = 0


class KeepMemory(msgspec.Struct, forbid_unknown_fields=True):
    """What a browser keeps under a profile, of at most 256 KiB, encrypted and in base64; it follows the one of the
    number ``after``."""

    key: Short
    after: Annotated[int, msgspec.Meta(ge=0)]
    sealed: SealedText


class ExportGames(msgspec.Struct, forbid_unknown_fields=True):
    """The ids of games to be exported."""

    games: Annotated[list[Id], msgspec.Meta(min_length=1, max_length=MOST_EXPORTED)]


class HandCounts(msgspec.Struct, forbid_unknown_fields=True):
    """Counts of hand kinds."""

    b: dict[Short, Count] = {}
    w: dict[Short, Count] = {}


class PlacedPieces(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """Pieces on the board by square (``{"7g": "bP"}``: side and code) and in hand, and the side to move; ``takenOn``:
    in a game that remembers a capture, its square."""

    board: dict[Short, Short]
    hands: HandCounts
    turn: Side
    taken_on: Short | None = None


class CheckPosition(msgspec.Struct, forbid_unknown_fields=True):
    """A position to be checked: a position string, or pieces."""

    variant: VariantName
    position: Annotated[str, msgspec.Meta(max_length=2048)] | PlacedPieces
    options: Options = {}


class FindPosition(PositionRef, kw_only=True, forbid_unknown_fields=True):
    """A request for a position and its moves. ``known``: the number of moves that the answer may leave out; ``text``:
    one more move, as typed by a person."""

    known: Annotated[int, msgspec.Meta(ge=0)] = 0
    text: MoveText | None = None


class FindValues(PositionRef, kw_only=True, forbid_unknown_fields=True):
    """A request for the values of a position of a solved game. ``plies``: as many of best play are wanted at most."""

    plies: Annotated[int, msgspec.Meta(ge=0, le=MOST_BEST_PLAY)] = 0


class JudgeMove(PositionRef, kw_only=True, forbid_unknown_fields=True):
    """A question about a legal ``move`` in a position, as a person may type it."""

    move: MoveText

    def game(self) -> Game:
        """The game after the moves and the one in question; errors are those of :meth:`PositionRef.game`."""
        game = super().game()
        game.push(parse_typed(game.position, self.move))
        return game


class ExplainMove(PositionRef, kw_only=True, forbid_unknown_fields=True):
    """The question why a move is illegal in a position."""

    text: MoveText


class LessonMove(msgspec.Struct, forbid_unknown_fields=True):
    """A move in a stage of a course, or the number of a choice; without one, the question how the stage goes on.
    ``moves``: those that stand; ``tries``: the number of wrong ones."""

    moves: Annotated[list[MoveText], msgspec.Meta(max_length=MOST_LESSON_MOVES)] = []
    move: MoveText | None = None
    tries: Count = 0


class PuzzleMove(msgspec.Struct, forbid_unknown_fields=True):
    """A move in a puzzle; without one, the question how it goes on, or a call for help: a hint (the next move), or the
    solution from the beginning. ``moves``: those that stand."""

    moves: Annotated[list[MoveText], msgspec.Meta(max_length=MOST_PUZZLE_MOVES)] = []
    move: MoveText | None = None
    help: Literal["hint", "solution"] | None = None


class OpeningMove(msgspec.Struct, forbid_unknown_fields=True):
    """A move in the training of an opening; without one, the question how it goes on, or a call for a hint. ``moves``:
    those that stand."""

    moves: Annotated[list[MoveText], msgspec.Meta(max_length=MOST_PUZZLE_MOVES)] = []
    move: MoveText | None = None
    hint: bool = False


class DrawPosition(PositionRef, kw_only=True, forbid_unknown_fields=True):
    """A position to draw. ``flipped``: seen by White; ``letters``: letters on the pieces in place of kanji."""

    flipped: bool = False
    letters: bool = False
