"""Fast path = generic path = reference, on random play of any length, in slices that a later run goes on from.

    PYTHONPATH=tests python bench/agreement.py shogi ko --positions 1000000
    PYTHONPATH=tests python bench/agreement.py ko --reference --minutes 60

Each position is one of the suite's random play (``tests/helpers/support.py``), slice by slice, each with a seed of its
own. Without ``--reference`` the fast and the generic path are compared: moves, count and key. With it the reference
too, straight from the spec, and what moves lead to. How far a game has come is kept in a file, with a hash of the
sources that are compared: when they have changed, it begins anew. With the reference a million positions of Kō take
five hours of a core, so that file is committed. The first difference ends the run with the position, and exit status 1.
"""

from __future__ import annotations

import gc
import hashlib
import json
import subprocess
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

import komadai
from helpers.support import assert_agreement, assert_paths_agree, random_play
from komadai.storage import write_whole

SLICE = 500  # positions of one seed
RESULTS = 12  # moves of a position of which it is compared what they lead to
ROOT = Path(__file__).resolve().parents[1]
COMPARED = ("native", *(f"src/komadai/{room}" for room in ("compiler", "game", "reference", "spec", "variants")))


@dataclass
class Progress:
    """How far one game has come with the same sources."""

    sources: str
    positions: int = 0
    seconds: float = 0  # of processor time


def git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def sources() -> str:
    """A hash of all that is compared. Raises SystemExit where a file differs from the commit."""
    if changed := git("status", "--porcelain", "--", *COMPARED):
        raise SystemExit(f"the state of a run is that of a commit; commit these files first:\n{changed}")
    return hashlib.sha256(git("rev-parse", *(f"HEAD:{tree}" for tree in COMPARED)).encode()).hexdigest()[:16]


def one_slice(game: str, number: int, reference: bool) -> float:
    """The processor time in seconds for one slice; raises AssertionError at the first difference."""
    started = time.process_time()
    gc.disable()  # the reference makes many small objects and hardly a cycle; the search for them takes a seventh
    for position, chance in random_play(komadai.variant(game), number, SLICE):
        if reference:
            assert_agreement(position, chance, most=RESULTS)
        else:
            assert_paths_agree(position)
    gc.collect()
    return time.process_time() - started


def main(
    games: Annotated[list[str] | None, typer.Argument(help="All of them if none is named.")] = None,
    positions: Annotated[int, typer.Option(help="Of each game.", min=1)] = 1_000_000,
    reference: Annotated[bool, typer.Option("--reference", help="Compare with the reference, too.")] = False,
    minutes: Annotated[float, typer.Option(help="Begin no slice after so many.", min=0)] = 1e6,
    state: Annotated[Path, typer.Option(help="The folder that keeps how far each game has come.")] = ROOT
    / "bench/results/agreement",
) -> None:
    """Print, for each game, the positions compared so far and the processor time."""
    state.mkdir(parents=True, exist_ok=True)
    here, until = sources(), time.monotonic() + minutes * 60
    for game in games or komadai.variants(shelf=False):
        file = state / f"{game}{'-reference' if reference else ''}.json"
        done = Progress(**json.loads(file.read_text(encoding="ascii"))) if file.exists() else Progress(here)
        if done.sources != here:
            done = Progress(here)
        while done.positions < positions and time.monotonic() < until:
            done.seconds += one_slice(game, done.positions // SLICE, reference)
            done.positions += SLICE
            write_whole(file, json.dumps(asdict(done)).encode("ascii") + b"\n")
        print(f"{game:12} {done.positions:9} positions, {done.seconds:8.1f} s, sources {done.sources}", flush=True)


if __name__ == "__main__":
    typer.run(main)
