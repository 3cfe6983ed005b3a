"""``komadai perft``: legal move sequences counted."""

from __future__ import annotations

import time

import click

from ...engine import MAX_DEPTH
from .base import Command, number
from .options import as_json, game, position, position_of, print_json, rules, shown


@click.command(cls=Command)
@game
@click.argument("depth", type=number(0, MAX_DEPTH), metavar="N", help=f"Plies, 0 to {MAX_DEPTH}.")
@position
@rules
@click.option("--divide", is_flag=True, help="Count below each root move too.")
@as_json
def perft(game: str, depth: int, position: str | None, rules: dict[str, str], divide: bool, as_json: bool) -> None:
    """Count the legal move sequences of N plies."""
    at = position_of(game, position, rules)
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
