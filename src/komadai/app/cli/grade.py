"""``komadai grade``: a learner's grade in a game played by text."""

from __future__ import annotations

import contextlib
import itertools
import os
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from shlex import quote
from typing import Annotated, Any

import typer

from ...errors import NotationError
from ...lab.rl.exam import POSITIONS
from ...lab.rl.grading import by_levels, by_regret
from ...lab.rl.learners import LearnerError, Program, learner
from ...lab.rl.transcript import TRIES, Transcript
from ...storage import data_folder
from ...variants import build
from .files import Use, write
from .options import Game, Json, Rules, err, number, options_of, print_json, warn
from .solve import Stages, solve_first


class By(StrEnum):
    """The measure of a grade."""

    REGRET = "regret"
    LEVELS = "levels"


def _transcript(path: Path | None, game: str, tries: int, *, resume: bool) -> Transcript:
    """The transcript in that file, or in a new one among the user's data."""
    if path is None:
        begun = datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")
        path = data_folder() / "grades" / f"{game}-{begun}-{os.getpid()}.jsonl"
    return Transcript(path, resume=resume, tries=tries)


def grade(
    game: Game,
    player: Annotated[
        str,
        typer.Option(
            "--learner",
            help="random, best, level=N, python:MODULE:FUNCTION, or command:PROGRAM, which answers lines of JSON.",
            metavar="LEARNER",
        ),
    ] = "random",
    by: Annotated[
        By, typer.Option(help="Exact regret in a solved game, or a ladder of the engine's levels.")
    ] = By.REGRET,
    positions: Annotated[int, number("Fixed positions, the same for all learners: by regret.", 1, 10_000)] = POSITIONS,
    games: Annotated[int, number("Games with itself, or with each level.", 1, 100_000)] = 20,
    option: Rules = None,
    retries: Annotated[int, number("Answers that may be mended before a game is lost.", 0, 1000)] = 2,
    max_plies: Annotated[int, number("Plies after which a game is broken off.", 1, 100_000)] = 512,
    moves: Annotated[bool, typer.Option(help="List the legal moves in the prompts.")] = True,
    timeout: Annotated[
        float, typer.Option(help="Seconds that a program has for an answer.", min=0.01, max=86_400, metavar="S")
    ] = 60.0,
    tries: Annotated[int, number("How often a question is asked if no answer comes.", 1, 1000)] = TRIES,
    seed: Annotated[int, number("Makes chance repeatable.", 0)] = 0,
    transcript: Annotated[
        Path | None,
        typer.Option(help="Where every answer is kept; by default a file among the user's data.", dir_okay=False),
        Use.GOES_ON,
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the transcript.")] = False,
    plot: Annotated[Path | None, typer.Option(help="Write a plot (SVG).", dir_okay=False), Use.WRITES] = None,
    as_json: Json = False,
) -> None:
    """Grade a learner, such as a language model, that plays a game by text; the report is in Markdown."""
    variant = build(game, **options_of(option))
    if resume and transcript is None:
        raise NotationError("--resume", ["needs --transcript FILE, the run to go on with"])
    solve_first(variant)
    asked = learner(player, variant, seed=seed, timeout=timeout)
    with contextlib.ExitStack() as stack:
        if isinstance(asked, Program):
            stack.callback(asked.close)
        kept = stack.enter_context(contextlib.closing(_transcript(transcript, variant.id, tries, resume=resume)))

        def kept_so_far() -> str:
            where = f"--transcript {quote(str(kept.path))} --resume"
            return f"{kept.answers} answers are kept; go on by the same command with: {where}"

        stages, done = Stages(), itertools.count(1)
        stack.enter_context(stages.bars)
        total = positions + games if by is By.REGRET else 0
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
            if by is By.REGRET:
                made = by_regret(asked, variant, positions=positions, **shared)
            else:
                made = by_levels(asked, variant, **shared)
        except LearnerError as error:
            raise LearnerError(f"{error}; {kept_so_far()}") from None
        except KeyboardInterrupt:
            warn(f"interrupted; {kept_so_far()}")
            raise
    if err.is_terminal:
        warn(f"the answers are kept in {kept.path}")
    if plot is not None:
        write(plot, made.plot())
    if as_json:
        print_json(made.data())
    else:
        print(made.markdown(), end="")
