"""``komadai perft``: legal move sequences counted."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from ...engine import MAX_DEPTH
from .options import Game, Json, Rules, Words, position_of, print_json, shown


def perft(
    game: Game,
    depth: Annotated[int, typer.Argument(help=f"Plies, 0 to {MAX_DEPTH}.", min=0, max=MAX_DEPTH, metavar="N")],
    position: Words = None,
    option: Rules = None,
    divide: Annotated[bool, typer.Option("--divide", help="Count below each root move too.")] = False,
    as_json: Json = False,
) -> None:
    """Count the legal move sequences of N plies."""
    at = position_of(game, position, option)
    legal = sorted(at.legal_moves(), key=str)
    counts: dict[str, int] = {}
    started = time.perf_counter()
    with shown(legal if depth else [], "perft") as moves:
        for move in moves:
            at.push(move)
            counts[str(move)] = at.perft(depth - 1)
            at.pop()
    nodes = sum(counts.values()) if depth else 1
    seconds = time.perf_counter() - started
    if as_json:
        data = {"variant": at.variant.id, "position": at.sfen(), "depth": depth, "nodes": nodes}
        print_json(data | {"seconds": round(seconds, 6)} | ({"divide": counts} if divide else {}))
        return
    if divide:
        for text, count in counts.items():
            print(f"{text}: {count}")
    print(f"{nodes} nodes, {seconds:.3f} s, {nodes / max(seconds, 1e-9) / 1e6:.1f} million a second")
