"""Games of random moves to their end: whether the core gets through them, how they end, and how long they take."""

from __future__ import annotations

import random
import time
from collections import Counter
from typing import Annotated

import typer

import komadai

LOOK = 64  # plies between looks at whether the key is that of the position


def play(variant: str, seed: int, cap: int) -> komadai.Position:
    """The position at the end of one game of random moves, or after ``cap`` plies."""
    chance, position = random.Random(seed), komadai.Position(variant)
    while position.ply <= cap and position.outcome() is None:
        position.push(chance.choice(position.legal_moves()))
        if position.ply % LOOK == 0:
            assert position._native.key() == position._native.key_from_scratch(), position.sfen()
    assert komadai.Position(variant, position.sfen()) == position
    return position


def main(
    variant: Annotated[str, typer.Argument(help="The game.")],
    games: Annotated[int, typer.Option(help="How many.", min=1)] = 500,
    cap: Annotated[int, typer.Option(help="Plies after which a game is given up.", min=1)] = 10_000,
    seed: Annotated[int, typer.Option(help="Of the first game; the others follow.")] = 0,
) -> None:
    """Print how many games ended how, their plies, and the seconds they took."""
    ends: Counter[str] = Counter()
    lengths = []
    started = time.perf_counter()
    for number in range(seed, seed + games):
        position = play(variant, number, cap)
        outcome = position.outcome()
        ends[outcome.reason if outcome else "given up"] += 1
        lengths.append(position.ply - 1)
    seconds = time.perf_counter() - started
    print(f"{variant}: {games} games, {sum(lengths)} plies ({min(lengths)} to {max(lengths)} a game), {seconds:.0f} s")
    for end, count in ends.most_common():
        print(f"  {end}: {count}")


if __name__ == "__main__":
    typer.run(main)
