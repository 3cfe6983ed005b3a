"""The regret of the engine in a solved game: ``python tools/regret_figures.py measure`` plays and writes the result
file, with its commit and digests of what the figures depend on; ``write`` writes them into the page and marks as stale
what has changed since; ``check`` says whether the page is as ``write`` would have it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from komadai import Engine, Position, __version__, variant
from komadai.errors import NotationError
from komadai.lab import rl
from komadai.lab.rl import Score
from komadai.spec.move import Move

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "bench/results/regret"
PAGE = ROOT / "docs/reference/strength.md"
BEGIN, END = "<!-- written by tools/regret_figures.py -->\n", "<!-- end -->\n"
GAMES = ("nana",)
NODES, SEED, OWN_GAMES, POSITIONS = 1000, 1, 200, 4000
DEPENDS = {
    "search": ("native/*.cpp", "native/*.hpp"),
    "engine": ("src/komadai/engine/**/*",),
    "rules": ("src/komadai/variants/{game}.py",),
}
APART = ("bind", "environment", "encoding", "strategy_check", "perft_main")  # sources that no search reads


def digests(game: str) -> dict[str, str]:
    """The parts that a result depends on, by a short digest of the files of each part."""
    found = {}
    for part, patterns in DEPENDS.items():
        files = {path for pattern in patterns for path in ROOT.glob(pattern.format(game=game)) if path.is_file()}
        kept = sorted(path for path in files if "__pycache__" not in path.parts and not path.name.startswith(APART))
        texts = b"".join(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() for path in kept)
        found[part] = hashlib.sha256(texts).hexdigest()[:16]
    return found


def measure(game: str) -> dict[str, Any]:
    """The regret of the engine without the game's table, in its own games and in positions drawn by chance."""
    made = variant(game)

    def policy() -> rl.Policy:
        engine = Engine(made, tables=False, seed=SEED)

        def choose(position: Position) -> Move:
            move = engine.search(position, nodes=NODES).move
            if move is None:
                raise NotationError("policy", ["there is no legal move to choose"])
            return move

        return choose

    own = rl.regret(policy(), made, games=OWN_GAMES, seed=SEED)
    drawn = rl.regret(policy(), made, positions=POSITIONS, seed=SEED)
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return {
        "format": "komadai-regret/1",
        "game": game,
        "rules": made.play_hash,
        "komadai": __version__,
        "commit": commit.strip(),
        "depends": digests(game),
        "nodes": NODES,
        "seed": SEED,
        "games": OWN_GAMES,
        "positions": POSITIONS,
        "own": _score(own),
        "drawn": _score(drawn),
    }


def _score(score: Score) -> dict[str, Any]:
    names = ("mean", "error", "moves", "blunders")
    return {name: value for name, value in asdict(score).items() if name in names}


def _told(score: Mapping[str, Any]) -> str:
    lost = f"{score['blunders']} of {score['moves']:,}".replace(",", " ")
    return f"{lost}, {score['blunders'] / score['moves']:.1%} | {score['mean']:.4f} ± {score['error']:.4f}"


def table() -> str:
    """The part of the page that the result files make."""
    lines = [
        f"| game | moves that lose value in its own games (`games={OWN_GAMES}`) | regret a move "
        f"| the same in random positions (`positions={POSITIONS}`) | regret a move | measured |",
        "|---|---:|---:|---:|---:|---|",
    ]
    for game in GAMES:
        found = json.loads((RESULTS / f"{game}.json").read_text(encoding="utf-8"))
        now = digests(game)
        changed = [part for part, digest in found["depends"].items() if now.get(part) != digest]
        stale = f"; **stale**: {' and '.join(changed)} changed since" if changed else ""
        lines.append(
            f"| {variant(game).name} | {_told(found['own'])} | {_told(found['drawn'])} "
            f"| version {found['komadai']}, commit {found['commit'][:8]}{stale} |"
        )
    return "\n".join(lines) + "\n"


def written(page: str) -> str:
    """The page with the part that the result files make."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{PAGE} has no part between {BEGIN.strip()} and {END.strip()}")
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("do", choices=("measure", "write", "check"))
    do = parser.parse_args().do
    if do == "measure":
        RESULTS.mkdir(parents=True, exist_ok=True)
        for game in GAMES:
            text = json.dumps(measure(game), indent=1) + "\n"
            (RESULTS / f"{game}.json").write_text(text, encoding="utf-8")
    page = PAGE.read_text(encoding="utf-8")
    if do == "check":
        if written(page) == page:
            return 0
        print("the page is not as `python tools/regret_figures.py write` would have it", file=sys.stderr)
        return 1
    PAGE.write_text(written(page), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
