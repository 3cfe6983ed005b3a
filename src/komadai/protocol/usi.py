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
from .session import Session
from .universal import Go, UniversalDialect


class UsiDialect(UniversalDialect):
    """Answers USI commands."""

    word, new_game, setup = "usi", "usinewgame", "sfen"
    variant_option, ponder_option = "USI_Variant", "USI_Ponder"
    spins: ClassVar = {"USI_Hash": "hash", "Threads": "threads", "MultiPV": "multipv", "Level": "level"}
    clocks = ("b", "w")
    nothing = "resign"

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
        limit = go.numbers.get("mate")  # milliseconds; by default until stopped
        self.session.start_mate(None if limit is None else max(limit / 1000, 0.01), self._checkmate)
        return True

    def _checkmate(self, found: Mate | None) -> None:
        if found is None:
            self.write("checkmate notimplemented")
        elif found.outcome == "mate":
            self.write(f"checkmate {' '.join(map(str, found.pv))}")
        else:
            self.write(f"checkmate {'nomate' if found.outcome == 'no mate' else 'timeout'}")
