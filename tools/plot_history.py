"""Draw ``bench/history.jsonl`` as ``docs/images/history.svg``: the ratios to other programs, commit by commit.

The picture depends on the history alone, and names its digest, by which a test knows whether it is up to date. Needs
matplotlib (the extra ``bench``).
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import ScalarFormatter

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "bench"))

import history  # noqa: E402

PICTURE = ROOT / "docs/images/history.svg"
LOOK = {"svg.hashsalt": "komadai", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9}


def lines() -> dict[str, dict[str, float]]:
    """By figure, its values by commit; of several runs of a commit the last."""
    found: dict[str, dict[str, float]] = {}
    for run in history.runs():
        for name, value in run.figures.items():
            found.setdefault(name, {})[run.commit] = value
    return dict(sorted(found.items()))


def draw(axes: Axes) -> None:
    """Draw a line for each figure over the commits in their order."""
    commits = list(dict.fromkeys(run.commit for run in history.runs()))
    for (name, values), marker in zip(lines().items(), "osD^vPX*", strict=False):
        places = [commits.index(commit) for commit in values]
        axes.plot(places, list(values.values()), marker=marker, linewidth=1, markersize=4, label=name)
    axes.axhline(1, color="0.6", linewidth=0.8, zorder=0)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(ScalarFormatter())
    axes.set_xticks(range(len(commits)), commits, rotation=45, ha="right")
    axes.set_ylabel("times as fast as the other program, in the same run")
    axes.grid(axis="y", linewidth=0.3)
    axes.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))


def main() -> None:
    digest = hashlib.sha256(history.HISTORY.read_bytes()).hexdigest()
    with matplotlib.rc_context(LOOK):
        figure = Figure(figsize=(8, 4), layout="constrained")
        draw(figure.add_subplot())
        figure.savefig(PICTURE, metadata={"Date": None, "Creator": None, "Description": f"history {digest}"})


if __name__ == "__main__":
    main()
