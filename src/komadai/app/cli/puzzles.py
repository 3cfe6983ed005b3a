"""``komadai puzzles``: puzzles made, proved again and listed."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ...errors import NotationError
from ...variants import build
from .. import puzzles
from ..puzzles import Puzzle, files
from .files import Force, Use
from .files import check as check_files
from .options import Game, Json, Rules, chosen, err, number, options_of, print_json
from .solve import Stages, solve_first
from .spread import Workers, spreading

app = typer.Typer(help="Make, prove and list puzzles.", no_args_is_help=True)

Theme = Annotated[
    str | None,
    typer.Option(help=f"One of {', '.join(puzzles.THEMES)}; by default what suits the game.", metavar="THEME"),
]
File = Annotated[
    Path | None,
    typer.Option("--file", help="A file of puzzles; by default that of the package.", metavar="FILE"),
    Use.READS,
]


def _theme(name: str | None) -> puzzles.Theme | None:
    return None if name is None else chosen("theme", name, puzzles.THEMES)


def _read(game: str, option: list[str] | None, file: Path | None) -> tuple[Puzzle, ...]:
    variant = build(game, **options_of(option))
    found = puzzles.load(variant) if file is None else files.read(variant, file)
    if not found:
        raise NotationError(f"puzzles of {game}", [f"there are none; make some with: {files.command(variant)}"])
    return found


@app.command()
def mine(
    game: Game,
    option: Rules = None,
    count: Annotated[int, number("How many puzzles to find.", 1, 100_000)] = 300,
    out: Annotated[
        Path | None,
        typer.Option(help="The file to write; by default GAME.tsv.", dir_okay=False, metavar="FILE"),
        Use.WRITES,
    ] = None,
    theme: Theme = None,
    seed: Annotated[int, number("Makes the games repeatable.", 0)] = 1,
    games: Annotated[int, number("The most games to play.", 1)] = 1_000_000,
    workers: Workers = None,
    state: Annotated[
        Path | None,
        typer.Option(
            help="Keeps what was found, so that an interrupted search goes on.", dir_okay=False, metavar="FILE"
        ),
        Use.GOES_ON,
    ] = None,
    force: Force = False,
) -> None:
    """Make puzzles from games of the engine with itself; the same seed makes the same file."""
    variant = build(game, **options_of(option))
    path = out or Path(f"{variant.id}.tsv")
    if out is None:
        check_files([("file", path)], going_on=[] if state is None else [("--state", state)], force=force)
    played, interrupted = 0, False

    def progress(number: int, chosen: int, wanted: int) -> None:
        nonlocal played
        played = number
        stages(f"{number:,} games, {chosen} puzzles", chosen, wanted)

    if theme in (None, "table"):
        solve_first(variant)
    with spreading(workers) as pool, (stages := Stages(one=True)).bars:
        try:
            found = puzzles.mine(
                variant,
                count,
                theme=_theme(theme),
                seed=seed,
                most_games=games,
                pool=pool,
                state=state,
                progress=progress,
            )
        except puzzles.InterruptedSearchError as error:
            found, interrupted = error.found, True
    print(f"{len(found)} puzzles from {played:,} games: {_lengths(found)}")
    if interrupted and path.exists():
        err.print(f"{path} stays as it was", markup=False, highlight=False)
        raise typer.Exit(130)
    files.write(path, variant, found)
    print(path)
    raise typer.Exit(130 if interrupted else 0 if len(found) == count else 1)


@app.command()
def check(
    game: Game,
    option: Rules = None,
    file: File = None,
    one_in: Annotated[int, number("Prove one puzzle in so many.", 1)] = 1,
    as_json: Json = False,
) -> None:
    """Prove every puzzle again: that its first move wins, in so many plies, and no other first move does."""
    found = _read(game, option, file)[::one_in]
    if any(one.theme == "table" for one in found):
        solve_first(found[0].variant)
    wrong, started = [], time.perf_counter()
    with (stages := Stages()).bars:
        for number, defect in enumerate(puzzles.check(found), 1):
            stages("proving", number, len(found))
            if defect is not None:
                wrong.append(defect)
    seconds = time.perf_counter() - started
    if as_json:
        defects = [{"id": defect.puzzle.id, "why": defect.why} for defect in wrong]
        print_json({"game": game, "puzzles": len(found), "seconds": round(seconds, 1), "wrong": defects})
    else:
        for defect in wrong:
            print(f"{defect.puzzle.id}: {defect.why}")
        print(f"{len(found) - len(wrong)} of {len(found)} proved in {seconds:.1f} s: {_lengths(found)}")
    raise typer.Exit(1 if wrong else 0)


@app.command("list")
def show(game: Game, option: Rules = None, file: File = None, theme: Theme = None, as_json: Json = False) -> None:
    """List the puzzles of a game, easiest first."""
    wanted = _theme(theme)
    found = [one for one in _read(game, option, file) if wanted in (None, one.theme)]
    if as_json:
        print_json([_data(one) for one in found])
        return
    for one in found:
        print(f"{one.id}  {one.rating:>4}  {one.task}  {one.position}")
    print(f"{len(found)} puzzles: {_lengths(found)}")


def _data(puzzle: Puzzle) -> dict[str, object]:
    return {name: getattr(puzzle, name) for name in ("id", "rating", "theme", "plies", "position", "solution")}


def _lengths(found: Sequence[Puzzle]) -> str:
    """How many puzzles there are of each length."""
    return (
        ", ".join(f"{many} of {plies}" for plies, many in sorted(Counter(one.plies for one in found).items()))
        + " plies"
    )
