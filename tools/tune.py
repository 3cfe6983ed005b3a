"""Tune the weights of the evaluation from games the engine plays against itself.

Two steps: ``play`` writes games with their search scores and results; ``fit`` finds the weights under which the
static score best foretells both, by logistic regression (Texel's method), and writes them where the engine reads them.

    python tools/tune.py play shogi --games 4000 --out shogi.txt
    python tools/tune.py fit shogi shogi.txt

It needs the extra ``tune`` (NumPy and SciPy); the engine itself needs neither.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from math import prod
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray
from rich.progress import track
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

import komadai
from komadai.engine import Engine
from komadai.engine.chances import RATE
from komadai.engine.evaluation import WEIGHTS, blocks, default_weights, evaluation, tuned_weights
from komadai.spec.board import other
from komadai.spec.variant import Variant

DECIDED = 3000  # a score beyond which a game is taken for won, …
DECIDED_PLIES = 4  # … if it is so for that many plies
BATCH = 32  # games between looks at the clock
STEP = 100.0  # the unit the minimizer works in, for its sake

Numbers = NDArray[Any]

app = typer.Typer(add_completion=False, help=__doc__)


def expectation(score: Any) -> Any:
    """The share of points expected from a score, 0 to 1."""
    return 1 / (1 + np.exp(-score / RATE))


# --- Games ----------------------------------------------------------------------------------------------------------


def one_game(name: str, seed: int, nodes: int, most_random: int, longest: int) -> str:
    """One game after some random plies, as ``position;points of Black;move=score move=score …``.

    The score is the search's, for the side to move, and left out where the position is not at rest: in check, or with a
    capture or change of kind as the best move.
    """
    chance = random.Random(seed)
    variant = komadai.variant(name)
    engine, position = Engine(variant, hash_mb=4, tables=False), komadai.Position(variant)
    for _ in range(chance.randint(2, most_random)):
        if position.outcome() is None:
            position.push(chance.choice(position.legal_moves()))
    start, moves = position.sfen(ply=True), []
    beyond, winner = 0, None
    while (outcome := position.outcome()) is None and position.ply < longest:
        info = engine.search(position, nodes=nodes)
        if info.move is None:
            break
        beyond = beyond + 1 if abs(info.score) > DECIDED else 0
        if beyond >= DECIDED_PLIES:
            winner = position.turn if info.score > 0 else other(position.turn)
            break
        taken = position._native.board()[info.move.target_point]
        rest = not taken and not str(info.move).endswith("+") and abs(info.score) < DECIDED and not position.is_check()
        moves.append(f"{info.move}={info.score}" if rest else f"{info.move}=")
        position.push(info.move)
    if outcome is not None:
        winner = outcome.winner
    return f"{start};{ {None: 0.5, 'b': 1.0, 'w': 0.0}[winner] };{' '.join(moves)}"


@app.command()
def play(
    game: str,
    out: Annotated[Path, typer.Option(help="The file that lines are added to.")],
    games: int = 2000,
    nodes: Annotated[int, typer.Option(help="Positions searched for each move.")] = 1500,
    most_random: Annotated[int, typer.Option(help="Random plies before the game, at most.")] = 12,
    longest: Annotated[int, typer.Option(help="Plies after which a game is a draw.")] = 320,
    jobs: int = os.cpu_count() or 1,
    seed: int = 0,
    minutes: Annotated[float, typer.Option(help="End after so many, however many games were played.")] = 1e9,
) -> None:
    """Play games and write down their positions."""
    ends = time.monotonic() + 60 * minutes
    with ProcessPoolExecutor(jobs) as pool, out.open("a") as file:
        for first in track(range(0, games, BATCH), description=game, transient=True):
            if time.monotonic() > ends:
                break
            batch = range(seed + first, seed + min(first + BATCH, games))
            for line in pool.map(one_game, repeat(game), batch, repeat(nodes), repeat(most_random), repeat(longest)):
                file.write(line + "\n")


# --- Weights --------------------------------------------------------------------------------------------------------


Sample = tuple[Numbers, int, float]
"""The terms of a position, the search's score and the points of the side to move."""


def samples(variant: Variant, line: str) -> Iterator[Sample]:
    """The positions at rest of a game."""
    native = evaluation(variant)
    start, points, moves = line.split(";")
    position = komadai.Position(variant, start)
    for played in moves.split():
        move, _, score = played.rpartition("=")
        if score:
            share = float(points) if position.turn == "b" else 1 - float(points)
            yield np.array(native.terms(position._native), dtype=np.int32), int(score), share
        position.push(move)


def matrix(variant: Variant, paths: list[Path]) -> tuple[csr_matrix, Numbers, Numbers]:
    """The coefficient of each weight in each position, with scores and points."""
    columns, counts, ends, scores, points = [], [], [0], [], []
    for path in paths:
        for line in track(path.read_text().splitlines(), description=path.name, transient=True):
            for terms, score, share in samples(variant, line):
                columns.append(terms[:, 0])
                counts.append(terms[:, 1].astype(np.float32))
                ends.append(ends[-1] + len(terms))
                scores.append(score)
                points.append(share)
    shape = (len(scores), len(default_weights(variant)))
    found = csr_matrix((np.concatenate(counts), np.concatenate(columns), ends), shape=shape)
    found.sum_duplicates()
    return found, np.array(scores, dtype=np.float32), np.array(points, dtype=np.float32)


def write(variant: Variant, weights: Numbers) -> Path:
    """Write the weights as tables by name, leaving out those that are all 0."""
    tables, at = {}, 0
    for entry in blocks(variant):
        name, shape = entry.name, entry.shape
        block = np.rint(weights[at : at + prod(shape)]).astype(int).reshape(shape)
        at += prod(shape)
        if block.any():
            tables[name] = block.tolist()
    path = Path(str(WEIGHTS)) / f"{variant.id}.json"
    rows = ",\n".join(f'"{name}": {json.dumps(table, separators=(",", ":"))}' for name, table in tables.items())
    path.write_text(f"{{\n{rows}\n}}\n")
    return path


@app.command()
def fit(
    game: str,
    data: list[Path],
    trust: Annotated[float, typer.Option(help="How much of the target is the search's score, 0 to 1.")] = 0.6,
    pull: Annotated[float, typer.Option(help="How strongly a weight is drawn to what it was.")] = 2e-9,
    out: Annotated[bool, typer.Option(help="Write the weights down.")] = True,
) -> None:
    """Find the weights that foretell the games best, and write them down."""
    variant = komadai.variant(game)
    counts, scores, points = matrix(variant, data)
    print(f"{len(scores):,} positions, {counts.nnz / len(scores):.0f} terms each")
    start = np.array(tuned_weights(variant) or default_weights(variant), dtype=np.float64)
    scale = np.concatenate([np.full(prod(entry.shape), 1 / entry.parts) for entry in blocks(variant)])
    target = trust * expectation(scores) + (1 - trust) * points
    chosen = np.arange(len(target)) % 1000 < 900  # runs of positions, since those of one game resemble each other
    training, held_back = counts[chosen], counts[~chosen]
    seen = np.asarray(abs(training).sum(axis=0)).ravel() > 0

    def loss(expected: Numbers, wanted: Numbers) -> float:
        expected = np.clip(expected, 1e-6, 1 - 1e-6)
        return float(-np.mean(wanted * np.log(expected) + (1 - wanted) * np.log(1 - expected)))

    def cost(steps: Numbers) -> tuple[float, Numbers]:
        change = steps * STEP
        expected = expectation(training @ ((start + change) * scale))
        slope = (training.T @ (expected - target[chosen])) * scale / (len(expected) * RATE)
        return loss(expected, target[chosen]) + pull * float(change @ change), (slope + 2 * pull * change) * seen * STEP

    def report(label: str, weights: Numbers) -> None:
        expected = expectation(held_back @ (weights * scale))
        print(f"{label}: loss on positions held back {loss(expected, target[~chosen]):.5f}")

    print(f"{len(target):,} positions, {counts.nnz / len(target):.0f} terms each, {int(seen.sum()):,} weights in use")
    report("before", start)
    best = minimize(
        cost,
        np.zeros_like(start),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 300, "maxcor": 20, "ftol": 1e-10, "gtol": 1e-8},
    )
    report(f"after {best.nit} steps", start + best.x * STEP)
    if out:
        print(write(variant, start + best.x * STEP))


if __name__ == "__main__":
    app()
