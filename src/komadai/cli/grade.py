"""``komadai grade``: a learner's grade in a game played by text."""

from __future__ import annotations

import contextlib
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from ..errors import NotationError
from ..rl.grading import by_levels, by_regret
from ..rl.learners import Program, learner
from ..storage import write_whole
from ..variants import build
from .options import Game, Json, Rules, err, options_of, print_json


class By(StrEnum):
    """The measure of a grade."""

    REGRET = "regret"
    LEVELS = "levels"


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
    games: Annotated[int, typer.Option(help="Games, of each level.", min=1, max=100_000, metavar="N")] = 20,
    option: Rules = None,
    retries: Annotated[
        int, typer.Option(help="Answers that may be mended before a game is lost.", min=0, max=1000, metavar="N")
    ] = 2,
    max_plies: Annotated[
        int, typer.Option(help="Plies after which a game is broken off.", min=1, max=100_000, metavar="N")
    ] = 512,
    moves: Annotated[bool, typer.Option(help="List the legal moves in the prompts.")] = True,
    timeout: Annotated[
        float, typer.Option(help="Seconds that a program has for an answer.", min=0.01, max=86_400, metavar="S")
    ] = 60.0,
    seed: Annotated[int, typer.Option(help="Makes chance repeatable.", min=0, metavar="N")] = 0,
    plot: Annotated[Path | None, typer.Option(help="Write a plot (SVG).", dir_okay=False)] = None,
    as_json: Json = False,
) -> None:
    """Grade a learner, such as a language model, that plays a game by text; the report is in Markdown."""
    variant = build(game, **options_of(option))
    asked = learner(player, variant, seed=seed, timeout=timeout)
    columns = (SpinnerColumn(), TextColumn("games"), MofNCompleteColumn(), TimeElapsedColumn())
    with contextlib.ExitStack() as stack:
        if isinstance(asked, Program):
            stack.callback(asked.close)
        bar = stack.enter_context(Progress(*columns, console=err, transient=True, disable=not err.is_terminal))
        task = bar.add_task("", total=games if by is By.REGRET else None)
        made = (by_regret if by is By.REGRET else by_levels)(
            asked,
            variant,
            games=games,
            name=player,
            seed=seed,
            progress=lambda: bar.advance(task),
            retries=retries,
            max_plies=max_plies,
            moves=moves,
        )
    if plot is not None:
        try:
            write_whole(plot, made.plot().encode())
        except OSError as error:
            raise NotationError(f"plot {str(plot)!r}", [str(error.strerror)]) from None
    if as_json:
        print_json(made.data())
    else:
        print(made.markdown(), end="")
