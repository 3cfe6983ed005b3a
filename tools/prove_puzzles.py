"""Prove a random sample of the package's puzzles with more nodes than those that made them.

    python tools/prove_puzzles.py [--count 500] [--times 10] [--seed 1]

The puzzles are drawn from all files together. Each wrong one is named; the exit status is 1 if there is any.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter

from komadai.app import puzzles


def main() -> None:
    """Draw, prove and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500, help="how many puzzles (500)")
    parser.add_argument("--times", type=int, default=10, help="the nodes, in those of the usual proof (10)")
    parser.add_argument("--seed", type=int, default=1, help="of the lot (1)")
    asked = parser.parse_args()
    every = [puzzle for game in puzzles.games() for puzzle in puzzles.load(game)]
    drawn = random.Random(asked.seed).sample(every, min(asked.count, len(every)))
    drawn.sort(key=lambda one: (one.variant.id, one.theme))
    began = time.perf_counter()
    wrong = [defect for defect in puzzles.check(drawn, asked.times) if defect is not None]
    for defect in wrong:
        print(f"{defect.puzzle.variant.id} {defect.puzzle.theme} {defect.puzzle.id}: {defect.why}")
    print(", ".join(f"{many} {theme}" for theme, many in Counter(one.theme for one in drawn).most_common()))
    seconds = time.perf_counter() - began
    print(f"{len(wrong)} of {len(drawn)} wrong at {asked.times} times the nodes, of {len(every)}; {seconds:.0f} s")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
