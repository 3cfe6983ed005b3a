"""``komadai moves``: the legal moves of a position."""

from __future__ import annotations

import shutil

import click
from rich.cells import cell_len, set_cell_size

from .base import Command
from .options import as_json, game, notation, position, position_of, print_json, rules, written


@click.command(cls=Command)
@game
@position
@rules
@notation
@as_json
def moves(game: str, position: str | None, rules: dict[str, str], notation: str | None, as_json: bool) -> None:
    """List the legal moves of a position, by default as move strings."""
    at = position_of(game, position, rules)
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
        columns = max(1, min(shutil.get_terminal_size().columns, 100) // width)
        for start in range(0, len(legal), columns):
            print("".join(set_cell_size(text, width) for text in texts[start : start + columns]).rstrip())
