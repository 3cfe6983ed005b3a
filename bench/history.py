"""The history of the benchmarks: one line a run in ``history.jsonl``, with the day, the commit and the ratios to peers.

Ratios to other programs in the same run mean the same on every machine, as far as machines are alike; rates do not.
``perft.py`` and ``python_api.py`` add a line where they are asked to (``--record``); ``tools/plot_history.py`` draws
them for the documentation.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

HISTORY = Path(__file__).parent / "history.jsonl"


@dataclass(frozen=True)
class Run:
    """A run of a benchmark.

    Attributes:
        day: as in ``2026-11-24``. ``commit``: the first digits of the commit that was measured.
        bench: the name of the script. ``figures``: what was measured, by name, in the unit of the name.
    """

    day: str
    commit: str
    bench: str
    figures: Mapping[str, float]


def runs(path: Path = HISTORY) -> Iterator[Run]:
    """All runs, in the order in which they were added."""
    for line in path.read_text(encoding="utf-8").splitlines():
        yield Run(**json.loads(line))


def record(bench: str, figures: Mapping[str, float], path: Path = HISTORY) -> None:
    """Add a run of the commit that is checked out, with three significant digits."""
    commit = _commit(Path(__file__).parent)
    rounded = {name: float(f"{figure:.3g}") for name, figure in figures.items()}
    line = {"day": datetime.now(UTC).date().isoformat(), "commit": commit, "bench": bench, "figures": rounded}
    with path.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(line) + "\n")


def _commit(folder: Path) -> str:
    """The first digits of the commit that is checked out in a folder."""
    asked = ("git", "-C", str(folder), "rev-parse", "--short=7", "HEAD")
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
