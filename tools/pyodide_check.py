"""Check the core in Pyodide; run by tools/pyodide_core.py.

The shallow rows of the perft tables are counted, and each game is searched until its nodes are used up, which a search
leaves by a C++ exception. Errors of the core have to arrive as Python's.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import komadai
from komadai.compiler import compile_variant
from komadai.game.position import Position

MOST = 300_000  # leaves
NODES = 3_000  # of a search


def counted() -> tuple[int, list[str]]:
    """The number of rows, and those that are wrong."""
    rows, faults = 0, []
    for path in sorted(Path("/host/perft").glob("*.perft")):
        position = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            word, _, rest = line.partition(" ")
            if word == "epd":
                position = rest
            elif word == "perft":
                depth, nodes = map(int, rest.split())
                if nodes > MOST:
                    continue
                rows += 1
                found = Position(path.stem, position).perft(depth)
                if found != nodes:
                    faults.append(f"{path.stem}, {position}: perft {depth} is {found}, not {nodes}")
    return rows, faults


def searched(name: str) -> list[str]:
    """The faults of a search of a game."""
    found = komadai.Engine(name).search(Position(name), nodes=NODES)
    return [] if found.move is not None and 0 < found.nodes <= 2 * NODES else [f"{name}: the search finds {found}"]


def main() -> None:
    """Check, and say what was right."""
    began, games = time.perf_counter(), komadai.variants(shelf=False)
    rows, faults = counted()
    for name in games:
        faults += searched(name)
    try:
        compile_variant(komadai.variant(games[0])).start.copy().pop()
        faults.append("the core takes back a move where there is none")
    except IndexError:
        pass
    if faults or not rows:
        sys.exit("\n".join(faults) or "no perft table was found")
    print(f"the core in Pyodide: {rows} rows of perft and {len(games)} searches, {time.perf_counter() - began:.1f} s")
