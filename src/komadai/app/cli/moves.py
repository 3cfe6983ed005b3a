"""``komadai moves``: the legal moves of a position."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size

from .options import Game, Json, Rules, Style, Words, out, position_of, print_json, written


def moves(
    game: Game, position: Words = None, option: Rules = None, notation: Style = None, as_json: Json = False
) -> None:
    """List the legal moves of a position, by default as move strings."""
    at = position_of(game, position, option)
    legal = sorted(at.legal_moves(), key=str)
    texts = [written(at, move, notation if as_json else notation or "usi") for move in legal]
    outcome = at.outcome()
    if as_json:
        print_json(
            {
                "variant": at.variant.id,
                "position": at.sfen(),
                "check": at.is_check(),
                "outcome": outcome and {"winner": outcome.winner, "reason": outcome.reason},
                "moves": [str(move) for move in legal],
                "written": texts,
            }
        )
        return
    print(at)
    print(f"{len(legal)} legal moves{', in check' if at.is_check() else ''}")
    if outcome:
        print(outcome)
    if legal:
        width = max(map(cell_len, texts)) + 2
        columns = max(1, min(out.width, 100) // width)
        for start in range(0, len(legal), columns):
            print("".join(set_cell_size(text, width) for text in texts[start : start + columns]).rstrip())
