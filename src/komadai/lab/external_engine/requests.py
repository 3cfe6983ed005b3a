"""Questions to engines: positions, moves and limits as USI and UCI write them."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Literal, get_args

from ...engine.clock import Clock
from ...errors import NotationError
from ...game.game import Game
from ...game.position import Position
from ...spec.board import Side
from ...spec.move import Move
from ...typed import typed

Dialect = Literal["usi", "uci"]
DIALECTS: tuple[Dialect, ...] = get_args(Dialect)


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """The limits of a search: seconds a move, plies, positions, or the clocks of Black and White.

    Several limits hold together; without any the search goes on until it is stopped.

    Raises:
        NotationError: a limit is out of range, or there are both ``clocks`` and ``time``.
    """

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None
    clocks: tuple[Clock, Clock] | None = None

    def __post_init__(self) -> None:
        wrong = []
        if self.time is not None and not 0 <= self.time < inf:
            wrong.append(f"time {self.time} is out of range; expected 0 or more seconds")
        wrong += [
            f"{name} {limit} is out of range; expected 1 or more"
            for name, limit in (("depth", self.depth), ("nodes", self.nodes))
            if limit is not None and limit < 1
        ]
        if self.clocks is not None and self.time is not None:
            wrong.append("there are both time and clocks; expected one of them")
        if wrong:
            raise NotationError("limits", wrong)

    def seconds(self, side: Side) -> float | None:
        """The most seconds that the side may take for its move, ``None`` without limit."""
        if self.clocks is None:
            return self.time
        clock = self.clocks["bw".index(side)]
        return clock.left + clock.byoyomi


class Moves:
    """Positions and moves as the dialect writes them. Moves already written are kept while the game goes on.

    With ``marks_return`` a move by which a promoted piece turns back ends with ``-``, as Fairy-Stockfish writes it.
    """

    def __init__(self, dialect: Dialect, *, marks_return: bool = False) -> None:
        self._usi = dialect == "usi"
        self._marks_return = marks_return
        self._made: list[Move] = []
        self._texts: list[str] = []
        self._start: Position | None = None
        self._here: Position | None = None

    def position(self, game: Game) -> str:
        """The ``position`` command for a game."""
        start, moves = game.start, list(game.moves)
        if self._here is None or self._start != start or self._made != moves[: len(self._made)]:
            self._start, self._here, self._made, self._texts = start, start.copy(), [], []
        for move in moves[len(self._made) :]:
            self._texts.append(self.text(self._here, move))
            self._made.append(move)
            self._here.push(move)
        ordinary = Position(game.variant)
        if start == ordinary and start.ply == ordinary.ply:
            words = "startpos"
        elif self._usi:
            words = f"sfen {start.sfen(ply=True)}"
        else:
            from ...notation.fen import fen

            words = f"fen {fen(start)}"
        return f"position {words}" + (f" moves {' '.join(self._texts)}" if moves else "")

    def text(self, position: Position, move: Move) -> str:
        """A move as the dialect writes it."""
        if self._usi:
            text = str(move)
        else:
            from ...notation.fen import move_text

            text = move_text(position, move)
        return text + "-" if self._marks_return and _turns_back(position, move) else text

    def parse(self, position: Position, word: str) -> Move:
        """The legal move that a word of the dialect names."""
        if self._marks_return:
            word = word.removesuffix("-")
        if self._usi:
            return position.parse_move(word)
        from ...notation.fen import parse_move

        return parse_move(position, word)


def _turns_back(position: Position, move: Move) -> bool:
    """True if a promoted piece turns back by a move of its own."""
    moved = None if move.origin_point is None else position.board[move.origin_point]
    if moved is None or move.piece is None:
        return False
    return moved.code.startswith("+") and not move.piece.startswith("+")


def milliseconds(seconds: float) -> int:
    """Seconds as they are sent to engines."""
    return max(round(seconds * 1000), 0)


@typed
def go_command(limits: SearchLimits, dialect: Dialect) -> str:
    """The ``go`` command. UCI calls the first player white, and knows no byo-yomi: it counts as time left."""
    words = ["go"]
    if limits.clocks is not None:
        black, white = limits.clocks
        if dialect == "usi":
            words += ["btime", f"{milliseconds(black.left)}", "wtime", f"{milliseconds(white.left)}"]
            if black.increment or white.increment:
                words += ["binc", f"{milliseconds(black.increment)}", "winc", f"{milliseconds(white.increment)}"]
            if black.byoyomi or white.byoyomi or not (black.increment or white.increment):
                words += ["byoyomi", f"{milliseconds(max(black.byoyomi, white.byoyomi))}"]
        else:
            for first, clock in (("w", black), ("b", white)):
                words += [f"{first}time", f"{milliseconds(clock.left + clock.byoyomi)}"]
                words += [f"{first}inc", f"{milliseconds(clock.increment + clock.byoyomi)}"]
    if limits.time is not None:
        words += ["movetime", f"{max(milliseconds(limits.time), 1)}"]
    if limits.depth is not None:
        words += ["depth", f"{limits.depth}"]
    if limits.nodes is not None:
        words += ["nodes", f"{limits.nodes}"]
    return " ".join(words) if len(words) > 1 else "go infinite"
