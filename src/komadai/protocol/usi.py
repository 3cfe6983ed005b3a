"""The Universal Shogi Interface: positions and moves are those of docs/rules/README.md.

``USI_Variant`` chooses the game, and every rule option of every variant is an option of its own name. A mate is counted
in plies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from ..engine.mate import Mate
from ..game.position import Position
from ..spec.move import Move
from .own_book import BEST_MOVE, BOOK_FILE, OWN_BOOK
from .session import Session
from .universal import Go, UniversalDialect

_MATE_LIMITS = {"mate", "infinite", "movetime", "nodes"}  # words of a ``go mate`` that it obeys


class UsiDialect(UniversalDialect):
    """Answers USI commands."""

    word, new_game, setup = "usi", "usinewgame", "sfen"
    variant_option, ponder_option = "USI_Variant", "USI_Ponder"
    spins: ClassVar = {"USI_Hash": "hash", "Threads": "threads", "MultiPV": "multipv", "Level": "level"}
    own_book: ClassVar = {"USI_OwnBook": OWN_BOOK, "BookFile": BOOK_FILE, "BestBookMove": BEST_MOVE}
    file_type = "filename"
    clocks = ("b", "w")
    nothing, win = "resign", "win"

    def __init__(self, session: Session, write: Callable[[str], None]) -> None:
        super().__init__(session, write)
        self._commands["gameover"] = lambda words: self.session.stop()

    def read_setup(self, text: str) -> str:
        return text

    def read_move(self, position: Position, text: str) -> Move:
        return position.parse_move(text)

    def write_move(self, position: Position, move: Move) -> str:
        return str(move)

    def write_line(self, position: Position, moves: Sequence[Move]) -> list[str]:
        return [str(move) for move in moves]

    def write_mate(self, plies: int) -> int:
        return plies

    def go_mate(self, go: Go) -> bool:
        if "mate" not in go.flags and "mate" not in go.numbers:
            return False
        numbers = go.numbers
        if over := sorted({*numbers, *go.flags, *["searchmoves"] * bool(go.searchmoves)} - _MATE_LIMITS):
            self.remark(f"go mate: {', '.join(over)} passed over; expected milliseconds, or infinite, and nodes")
        times = [numbers[word] for word in ("mate", "movetime") if word in numbers]  # by default until stopped
        time = max(min(times) / 1000, 0.01) if times else None
        self.session.start_mate(time, max(numbers["nodes"], 1) if "nodes" in numbers else None, self._checkmate)
        return True

    def _checkmate(self, found: Mate | None) -> None:
        if found is None:
            self.write("checkmate notimplemented")
            return
        if found.nodes:
            score = f"score mate {len(found.pv)} " if found.pv else ""
            line = f" pv {' '.join(map(str, found.pv))}" if found.pv else ""
            nps = round(found.nodes / max(found.seconds, 1e-6))
            self.write(f"info {score}nodes {found.nodes} nps {nps} time {round(found.seconds * 1000)}{line}")
        if found.outcome == "mate":
            self.write(f"checkmate {' '.join(map(str, found.pv))}")
        else:
            self.write(f"checkmate {'nomate' if found.outcome == 'no mate' else 'timeout'}")
