"""How the styles of the engine differ: what each does in games against the balanced one at a fixed number of nodes."""

from __future__ import annotations

import random
from collections import Counter
from typing import Annotated

import typer

import komadai
from komadai.engine import BALANCED, STYLES, Engine
from komadai.spec.material import royals

OPENING = 6  # plies by chance, the same for both games of a pair
LONGEST = 400  # plies of a game


def play(game: str, style: str, number: int, nodes: int, done: dict[str, Counter[str]]) -> float:
    """Play a game, count what each style does in it, and return the points of the style."""
    chance, side = random.Random(number // 2), "bw"[number % 2]
    names = {one: style if one == side else BALANCED for one in "bw"}
    engines = {one: Engine(game, style=name, seed=1, tables=False, hash_mb=4) for one, name in names.items()}
    position = komadai.Position(game)
    kings = royals(position.variant)
    for _ply in range(OPENING):
        position.push(chance.choice(sorted(position.legal_moves(), key=str)))
    while position.outcome() is None and len(position.move_stack) < LONGEST:
        move = engines[position.turn].search(position, nodes=nodes).move
        assert move is not None
        count = done[names[position.turn]]
        count["moves"] += 1
        count["in hand"] += sum(position.hand(position.turn).values())
        count["captures"] += position.is_capture(move)
        count["of the king"] += not move.is_drop and move.piece in kings
        position.push(move)
        count["checks"] += position.is_check()
    outcome = position.outcome()
    return 0.5 if outcome is None or outcome.winner is None else float(outcome.winner == side)


def main(
    games: Annotated[list[str], typer.Argument(help="The games.")],
    rounds: Annotated[int, typer.Option(help="Games of each style.", min=2)] = 20,
    nodes: Annotated[int, typer.Option(help="Positions searched for a move.", min=1)] = 2000,
) -> None:
    """Print, for each style, its score, and for both sides what they do in 100 moves and have in hand."""
    whats = ("checks", "captures", "of the king")
    print(f"{'game':12} {'style':10} {'score':>7}  " + "  ".join(f"{what:>16}" for what in (*whats, "in hand")))
    for game in games:
        for style in (one for one in STYLES if one != BALANCED):
            done: dict[str, Counter[str]] = {style: Counter(), BALANCED: Counter()}
            points = sum(play(game, style, number, nodes, done) for number in range(rounds))

            def shown(what: str, scale: int, done: dict[str, Counter[str]] = done) -> str:
                own, other = (scale * count[what] / count["moves"] for count in done.values())
                return f"{own:6.1f} ({other:5.1f})"

            row = [*(shown(what, 100) for what in whats), shown("in hand", 1)]
            print(f"{game:12} {style:10} {points / rounds:7.1%}  " + "  ".join(f"{one:>16}" for one in row), flush=True)


if __name__ == "__main__":
    typer.run(main)
