"""``komadai moves``: the legal moves of a position."""

from __future__ import annotations

from ..notation import of as notation_of
from .options import Game, Json, Rules, Words, out, position_of, print_json


def moves(game: Game, position: Words = None, option: Rules = None, as_json: Json = False) -> None:
    """List the legal moves of a position."""
    at = position_of(game, position, option)
    legal = sorted(at.legal_moves(), key=str)
    outcome = at.outcome()
    if as_json:
        print_json(
            {
                "variant": at.variant.id,
                "position": at.sfen(),
                "check": at.is_check(),
                "outcome": outcome and {"winner": outcome.winner, "reason": outcome.reason},
                "moves": [str(move) for move in legal],
                "written": [notation_of(at.variant).write(at, move) for move in legal],
            }
        )
        return
    print(at)
    print(f"{len(legal)} legal moves{', in check' if at.is_check() else ''}")
    if outcome:
        print(outcome)
    if legal:
        width = max(len(str(move)) for move in legal) + 2
        columns = max(1, min(out.width, 100) // width)
        for start in range(0, len(legal), columns):
            print("".join(str(move).ljust(width) for move in legal[start : start + columns]).rstrip())
