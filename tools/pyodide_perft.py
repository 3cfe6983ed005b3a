"""Compare the core in Pyodide with the shallow rows of the perft tables; run by tools/pyodide_core.py."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from komadai.game.position import Position

MOST = 300_000  # leaves


def main() -> None:
    """Count, and say how many rows were right."""
    began, rows, faults = time.perf_counter(), 0, []
    tables = sorted(Path("/host/perft").glob("*.perft"))
    for path in tables:
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
    if faults or not rows:
        sys.exit("\n".join(faults) or "no perft table was found")
    print(f"perft in Pyodide: {rows} rows of {len(tables)} games are right, {time.perf_counter() - began:.1f} s")


if __name__ == "__main__":
    main()
