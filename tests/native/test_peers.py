"""Games of the shelf beside Fairy-Stockfish, by its Python binding: as many legal moves along random games."""

from __future__ import annotations

import pytest

from helpers.games import random_positions
from helpers.volume import FULL, volume
from komadai.game.position import Position
from komadai.spec.logic import asks_mate

pyffish = pytest.importorskip("pyffish")

NAMES = {
    "check": "checkshogi",
    "sho": "shoshogi",
    "tori": "torishogi",
    "gorogoro": "gorogoro",
    "judkins": "judkins",
    "kyoto": "kyotoshogi",
    "minishogi": "minishogi",
    "yari": "yarishogi",
}
GAMES, PLIES = volume(3), 40 if FULL else 20


def theirs(position: Position) -> str:
    """The position as Fairy-Stockfish writes it."""
    board, turn, *_ = position.sfen().split()
    held = "".join(
        (code if side == "b" else code.lower()) * count
        for side in ("b", "w")
        for code, count in position.hand(side).items()  # type: ignore[arg-type]
    )
    return f"{board}[{held}] {'w' if turn == 'b' else 'b'} - - 0 1"


def drops_a_mating_pawn(game: str, fen: str, move: str) -> bool:
    """True for a move that Fairy-Stockfish allows and by which it then judges the game lost."""
    return move.startswith("P@") and not pyffish.legal_moves(game, fen, [move])


@pytest.mark.parametrize("name", NAMES)
def test_fairy_stockfish_sees_as_many_moves(name: str) -> None:
    if NAMES[name] not in pyffish.variants():
        pytest.skip(f"this build of Fairy-Stockfish has no {NAMES[name]}")
    for position in random_positions(name, {}, GAMES, PLIES):
        if position.outcome():
            continue  # it does not see from a position alone that a check has ended the game
        fen = theirs(position)
        found = pyffish.legal_moves(NAMES[name], fen, [])
        if any(asks_mate(rule) for rule in position.variant.rules):
            found = [move for move in found if not drops_a_mating_pawn(NAMES[name], fen, move)]
        assert len(found) == len(position.legal_moves()), fen
