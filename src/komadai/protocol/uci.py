"""The Universal Chess Interface: positions and moves are those of :mod:`komadai.notation.fen`.

``UCI_Variant`` chooses the game, and every rule option of every variant is an option of its own name. The first player,
our Black, is UCI's white; a mate is counted in moves.
"""

from __future__ import annotations

from typing import ClassVar

from ..game.position import Position
from ..notation.fen import move_text, parse_fen, parse_move
from ..spec.move import Move
from ..spec.setup import Setup
from .own_book import BEST_MOVE, BOOK_FILE, OWN_BOOK
from .universal import Go, UniversalDialect


class UciDialect(UniversalDialect):
    """Answers UCI commands."""

    word, new_game, setup = "uci", "ucinewgame", "fen"
    variant_option, ponder_option = "UCI_Variant", "Ponder"
    spins: ClassVar = {"Hash": "hash", "Threads": "threads", "MultiPV": "multipv", "Level": "level"}
    own_book: ClassVar = {"OwnBook": OWN_BOOK, "BookFile": BOOK_FILE, "BestBookMove": BEST_MOVE}
    file_type = "string"
    clocks = ("w", "b")
    nothing = "(none)"

    def read_setup(self, text: str) -> Setup:
        return parse_fen(self.session.position.variant, text)

    def read_move(self, position: Position, text: str) -> Move:
        return parse_move(position, text)

    def write_move(self, position: Position, move: Move) -> str:
        return move_text(position, move)

    def write_mate(self, plies: int) -> int:
        return (abs(plies) + 1) // 2 * (1 if plies > 0 else -1)

    def go_mate(self, go: Go) -> bool:
        return False
