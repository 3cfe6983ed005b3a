"""``komadai grade``: a learner's grade in a game played by text."""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from shlex import quote
from typing import Any

import click

from ...lab.rl.exam import POSITIONS
from ...lab.rl.grading import by_levels, by_regret
from ...lab.rl.learners import LearnerError, Program, learner
from ...lab.rl.transcript import TRIES, Transcript
from ...storage import data_folder
from ...variants import build
from .base import Command, Word, duration, number
from .files import File, Use, write
from .options import as_json, game, print_json, rules, seed, warn
from .solve import Stages, solve_first


def _transcript(path: Path | None, game: str, tries: int) -> Transcript:
    """The transcript in that file, or in a new one among the user's data."""
    if path is None:
        begun = datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")
        path = data_folder() / "grades" / f"{game}-{begun}-{os.getpid()}.jsonl"
    return Transcript(path, tries=tries)


@click.command(cls=Command)
@game
@rules
@click.option(
    "--learner",
    "player",
    default="random",
    show_default=True,
    metavar="LEARNER",
    help="random, best, level=N, python:MODULE:FUNCTION, or command:PROGRAM, which answers lines of JSON.",
)
@click.option(
    "--by",
    type=Word(("regret", "levels")),
    default="regret",
    show_default=True,
    metavar="MEASURE",
    help="Exact regret in a solved game, or levels: a ladder of the engine's levels.",
)
@click.option(
    "--positions",
    type=number(1, 10_000),
    default=POSITIONS,
    show_default=True,
    help="Fixed positions, the same for all learners: by regret.",
)
@click.option(
    "--games",
    type=number(1, 100_000),
    default=20,
    show_default=True,
    help="Games with itself, or with each level.",
)
@click.option(
    "--retries",
    type=number(0, 1000),
    default=2,
    show_default=True,
    help="Corrections allowed before a game is lost.",
)
@click.option(
    "--max-plies",
    type=number(1, 100_000),
    default=512,
    show_default=True,
    help="Plies after which a game is stopped.",
)
@click.option("--moves/--no-moves", default=True, show_default=True, help="List the legal moves in the prompts.")
@click.option(
    "--timeout",
    type=duration(0.01, 86_400),
    default=60.0,
    help="The time limit for an answer of a program; 60s by default.",
)
@click.option(
    "--tries",
    type=number(1, 1000),
    default=TRIES,
    show_default=True,
    help="Attempts for each question if no answer comes.",
)
@seed(default=0)
@click.option(
    "--transcript",
    type=File(Use.GOES_ON),
    metavar="FILE",
    help="The state file: every answer. An interrupted run resumes from it. By default it is among the user's data.",
)
@click.option("--plot", type=File(Use.WRITES), metavar="FILE", help="Write a plot (SVG).")
@as_json
def grade(
    game: str,
    rules: dict[str, str],
    player: str,
    by: str,
    positions: int,
    games: int,
    retries: int,
    max_plies: int,
    moves: bool,
    timeout: float,
    tries: int,
    seed: int,
    transcript: Path | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Grade a learner, such as a language model, that plays a game by text; the report is in Markdown."""
    variant = build(game, **rules)
    solve_first(variant)
    asked = learner(player, variant, seed=seed, timeout=timeout)
    with contextlib.ExitStack() as stack:
        if isinstance(asked, Program):
            stack.callback(asked.close)
        kept = stack.enter_context(contextlib.closing(_transcript(transcript, variant.id, tries)))

        def kept_so_far() -> str:
            where = f"--transcript {quote(str(kept.path))}"
            return f"{kept.answers} answers are kept; go on by the same command with: {where}"

        stages, done = Stages(), itertools.count(1)
        stack.enter_context(stages.bars)
        total = positions + games if by == "regret" else 0
        shared: dict[str, Any] = {
            "games": games,
            "name": player,
            "seed": seed,
            "progress": lambda: stages("positions and games", next(done), total),
            "transcript": kept,
            "retries": retries,
            "max_plies": max_plies,
            "moves": moves,
        }
        try:
            if by == "regret":
                made = by_regret(asked, variant, positions=positions, **shared)
            else:
                made = by_levels(asked, variant, **shared)
        except LearnerError as error:
            raise LearnerError(f"{error}; {kept_so_far()}") from None
        except KeyboardInterrupt:
            warn(f"interrupted; {kept_so_far()}")
            raise
    if sys.stderr.isatty():
        warn(f"the answers are kept in {kept.path}")
    if plot is not None:
        write(plot, made.plot())
    if as_json:
        print_json(made.data())
    else:
        print(made.markdown(), end="")
