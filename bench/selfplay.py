"""Games of the engine against itself: how they end, and how long they take."""

from __future__ import annotations

import random
from collections import Counter
from typing import Annotated

import typer

import komadai


def play(variant: str, seconds: float, opening: int, cap: int, seed: int) -> komadai.Game:
    """One game after ``opening`` random plies, given up after ``cap`` plies."""
    chance = random.Random(seed)
    game = komadai.Game(variant)
    engines = [komadai.Engine(variant), komadai.Engine(variant)]
    while game.outcome() is None and len(game.moves) < cap:
        if len(game.moves) < opening:
            game.push(chance.choice(game.position.legal_moves()))
            continue
        move = engines[len(game.moves) % 2].search(game.position, time=seconds).move
        assert move is not None
        game.push(move)
    return game


def main(
    variant: Annotated[str, typer.Argument(help="The game.")],
    games: Annotated[int, typer.Option(help="How many.", min=1)] = 10,
    milliseconds: Annotated[int, typer.Option("--ms", help="For each move.", min=1)] = 100,
    opening: Annotated[int, typer.Option(help="Random plies at the start, so that games differ.", min=0)] = 2,
    cap: Annotated[int, typer.Option(help="Plies after which a game is given up.", min=1)] = 1000,
) -> None:
    """Print each game's end and length, and how many ended by the rules."""
    ends: Counter[str] = Counter()
    for seed in range(games):
        game = play(variant, milliseconds / 1000, opening, cap, seed)
        outcome = game.outcome()
        ends[outcome.reason if outcome else "cap"] += 1
        print(f"{seed}: {len(game.moves)} plies, {outcome or 'given up'}", flush=True)
    print(f"{variant}: {games - ends['cap']} of {games} ended by the rules: {dict(ends)}")


if __name__ == "__main__":
    typer.run(main)
