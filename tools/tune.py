"""Tune the weights of the evaluation from games the engine plays against itself.

Two steps: ``play`` writes games with their search scores and results, in the file that ``komadai learn`` also makes
(docs/reference/learning-data.md); ``fit`` finds the weights under which the static score best foretells how they go
on, by logistic regression (Texel's method), and writes them where the engine reads them.

    \b
    python tools/tune.py play shogi --positions 400000 --jobs 2 -o shogi.games
    python tools/tune.py fit shogi shogi.games

It needs NumPy and SciPy (``make install EXTRAS=tune``); the engine itself needs neither.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext
from math import prod
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import Progress, track
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

import komadai
from komadai.engine.evaluation import WEIGHTS, blocks, default_weights, evaluation, tuned_weights
from komadai.lab.jobs import LocalPool, Pool
from komadai.lab.learn.data import Ledger, Played, total
from komadai.lab.learn.manifest import TRACE
from komadai.lab.learn.play_jobs import play_until
from komadai.lab.learn.self_play import NODES, Settings
from komadai.lab.learn.targets import HELD_OUT, measured_odds, quiet, targets
from komadai.spec.variant import Variant

STEP = 100.0  # the unit the minimizer works in, for its sake

Numbers = NDArray[Any]

err = Console(stderr=True, soft_wrap=True)


@click.group(help=__doc__, context_settings={"show_default": True})
def main() -> None:
    pass


def expectation(score: Any, odds: float) -> Any:
    """The share of points expected from a score, 0 to 1; ``odds``: the score at which the odds to win are e to 1."""
    return 1 / (1 + np.exp(-score / odds))


def pool_of(jobs: int | None, cluster: str | None) -> Pool | None:
    """Who plays: processes of this machine, a cluster, or ``None``, this process alone."""
    pool: Pool
    if jobs and cluster:
        raise click.UsageError("--jobs and --cluster exclude each other")
    if cluster:
        from komadai.lab.jobs.cluster import ClusterPool

        pool = ClusterPool(cluster)
    elif jobs:
        pool = LocalPool(jobs)
    else:
        return None
    pool.log = log
    if not err.is_terminal:
        pool.show = log
    return pool


def log(line: str) -> None:
    """Say a line on standard error."""
    err.print(line, markup=False, highlight=False)


@main.command()
@click.argument("game")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The file of games; one that is there is gone on with.",
)
@click.option("--positions", default=200_000, help="End with so many quiet positions.")
@click.option("--nodes", default=NODES, help="Positions searched for each move.")
@click.option("--seed", default=1, help="Makes the games repeatable.")
@click.option("--noise", type=click.FloatRange(0, 1), default=0.0, help="Share of moves made by chance.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Have so many processes play.")
@click.option("--cluster", metavar="ADDRESS", help="Have the Dask cluster of this scheduler play: tcp://host:8786.")
def play(
    game: str,
    output: Path,
    positions: int,
    nodes: int,
    seed: int,
    noise: float,
    jobs: int | None,
    cluster: str | None,
) -> None:
    """Play games and write down their positions."""
    variant = komadai.variant(game)
    settings = Settings.of(variant, nodes=nodes, seed=seed, noise=noise)
    pool = pool_of(jobs, cluster)
    with (
        closing(pool) if pool else nullcontext(),
        closing(Ledger(output, variant, settings.data())) as ledger,
        Progress(console=err, transient=True, disable=not err.is_terminal) as bar,
    ):
        task = bar.add_task(game, total=positions)
        play_until(
            ledger,
            variant,
            settings,
            positions,
            pool=pool,
            progress=lambda: bar.update(task, completed=ledger.quiet),
        )


def terms_of(variant: Variant, game: Played, kept: Numbers) -> Iterator[Numbers]:
    """The terms of some positions of a game."""
    native = evaluation(variant)
    position = komadai.Position(variant, game.start)
    for move, keep in zip(game.moves, kept, strict=True):
        if keep:
            yield np.array(native.terms(position._native), dtype=np.int32)
        position.push(move)


def matrix(
    variant: Variant, paths: Sequence[Path], odds: float, trace: float, every: int
) -> tuple[csr_matrix, Numbers, Numbers]:
    """The coefficient of each weight in each quiet position, with targets and numbers of games.

    Args:
        every: takes one quiet position in so many of each game.
    """
    columns, counts, ends, wanted, games = [], [], [0], [], []
    for _path, game in track(total(paths, variant), description="positions", console=err, transient=True):
        kept = quiet(game)
        kept[kept] = np.arange(kept.sum()) % every == game.number % every
        wanted.append(targets(variant, game, odds, trace)[kept])
        for terms in terms_of(variant, game, kept):
            columns.append(terms[:, 0])
            counts.append(terms[:, 1].astype(np.float32))
            ends.append(ends[-1] + len(terms))
            games.append(game.number)
    shape = (len(games), len(default_weights(variant)))
    found = csr_matrix((np.concatenate(counts), np.concatenate(columns), ends), shape=shape)
    found.sum_duplicates()
    return found, np.concatenate(wanted), np.array(games)


def write(variant: Variant, weights: Numbers) -> Path:
    """Write the weights as tables by name, leaving out those that are all 0."""
    tables, at = {}, 0
    for entry in blocks(variant):
        name, shape = entry.name, entry.shape
        block = np.rint(weights[at : at + prod(shape)]).astype(int).reshape(shape)
        at += prod(shape)
        if block.any():
            tables[name] = block.tolist()
    path = WEIGHTS / f"{variant.id}.json"
    rows = ",\n".join(f'"{name}": {json.dumps(table, separators=(",", ":"))}' for name, table in tables.items())
    path.write_text(f"{{\n{rows}\n}}\n")
    return path


@main.command()
@click.argument("game")
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE..."
)
@click.option(
    "--trace", type=click.FloatRange(0, 1), default=TRACE, help="How much of a target is what follows (TD(λ))."
)
@click.option("--pull", default=2e-9, help="How strongly a weight is drawn to what it was.")
@click.option("--only", multiple=True, metavar="TABLE", help="Fit the weights of this table alone; repeatable.")
@click.option(
    "--every",
    type=click.IntRange(min=1),
    default=1,
    help="Take one quiet position in so many, where all would not fit into memory.",
)
@click.option("--dry-run", is_flag=True, help="Write nothing.")
def fit(
    game: str, paths: tuple[Path, ...], trace: float, pull: float, only: tuple[str, ...], every: int, dry_run: bool
) -> None:
    """Find the weights that foretell the games of all FILEs best, and write them down."""
    variant = komadai.variant(game)
    tables = [entry.name for entry in blocks(variant)]
    if unknown := set(only) - set(tables):
        wrong, right = ", ".join(sorted(unknown)), ", ".join(tables)
        raise click.UsageError(f"{game} has no table {wrong}; expected one of {right}")
    odds = measured_odds(variant, paths)
    counts, target, games = matrix(variant, paths, odds, trace, every)
    start = np.array(tuned_weights(variant) or default_weights(variant), dtype=np.float64)
    scale = np.concatenate([np.full(prod(entry.shape), 1 / entry.parts) for entry in blocks(variant)])
    chosen = games % HELD_OUT != 0  # whole games are held back, since positions of one game resemble each other
    training, held_back = counts[chosen], counts[~chosen]
    seen = np.asarray(abs(training).sum(axis=0)).ravel() > 0
    seen &= np.concatenate([np.full(prod(entry.shape), entry.name in (only or tables)) for entry in blocks(variant)])

    def loss(expected: Numbers, wanted: Numbers) -> float:
        expected = np.clip(expected, 1e-6, 1 - 1e-6)
        return float(-np.mean(wanted * np.log(expected) + (1 - wanted) * np.log(1 - expected)))

    def cost(steps: Numbers) -> tuple[float, Numbers]:
        change = steps * STEP
        expected = expectation(training @ ((start + change) * scale), odds)
        slope = (training.T @ (expected - target[chosen])) * scale / (len(expected) * odds)
        return loss(expected, target[chosen]) + pull * float(change @ change), (slope + 2 * pull * change) * seen * STEP

    def report(label: str, weights: Numbers) -> None:
        expected = expectation(held_back @ (weights * scale), odds)
        print(f"{label}: loss on positions held back {loss(expected, target[~chosen]):.5f}")

    print(f"{len(target):,} positions, {counts.nnz / len(target):.0f} terms each, {int(seen.sum()):,} weights in use")
    print(f"the odds to win are e to 1 at a score of {odds:.0f}")
    report("before", start)
    best = minimize(
        cost,
        np.zeros_like(start),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 300, "maxcor": 20, "ftol": 1e-10, "gtol": 1e-8},
    )
    report(f"after {best.nit} steps", start + best.x * STEP)
    if not dry_run:
        print(write(variant, start + best.x * STEP))


if __name__ == "__main__":
    main()
