"""``komadai puzzles``: puzzles made, proved again and listed."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click
from click.exceptions import Exit

from ...errors import NotationError
from ...variants import build
from .. import puzzles
from ..puzzles import Puzzle, files
from .base import Group, Word, duration, number
from .files import File, Use
from .files import check as check_files
from .options import as_json, force, game, output, print_json, rules, say, seed
from .solve import Stages, solve_first
from .spread import spread, spreading

group = Group("puzzles", help="Make, prove and list puzzles.")

theme = click.option(
    "--theme",
    type=Word(puzzles.THEMES),
    metavar="THEME",
    help=f"One of {', '.join(puzzles.THEMES)}; by default all that the game has.",
)
puzzle_file = click.option(
    "--file", type=File(Use.READS), metavar="FILE", help="A file of puzzles; by default that of the package."
)


def _read(game: str, rules: dict[str, str], file: Path | None) -> tuple[Puzzle, ...]:
    variant = build(game, **rules)
    found = puzzles.load(variant) if file is None else files.read(variant, file)
    if not found:
        raise NotationError(f"puzzles of {game}", [f"there are none; make some with: {files.command(variant)}"])
    return found


@group.command()
@game
@rules
@click.option("--count", type=number(1, 100_000), default=300, show_default=True, help="How many puzzles to find.")
@output("The file to write; by default GAME.tsv.", Use.WRITES)
@theme
@seed("The seed of the games.")
@click.option("--games", type=number(1), default=1_000_000, show_default=True, help="The most games to play.")
@click.option("--time", "seconds", type=duration(1), default="2h", show_default=True, help="How long to look at most.")
@spread
@click.option(
    "--state",
    type=File(Use.GOES_ON),
    metavar="FILE",
    help="The state file; an interrupted search resumes from it.",
)
@force
def mine(
    game: str,
    rules: dict[str, str],
    count: int,
    output: Path | None,
    theme: puzzles.Theme | None,
    seed: int,
    games: int,
    seconds: float,
    jobs: int | None,
    cluster: str | None,
    state: Path | None,
    force: bool,
) -> None:
    """Make puzzles from games of the engine with itself; unless the time runs out, a seed makes the same file."""
    variant = build(game, **rules)
    path = output or Path(f"{variant.id}.tsv")
    if output is None:
        check_files([("file", path)], going_on=[] if state is None else [("--state", state)], force=force)
    played, interrupted = 0, False

    def progress(number: int, chosen: int, wanted: int) -> None:
        nonlocal played
        played = number
        stages(f"{number:,} games, {chosen} puzzles", chosen, wanted)

    if theme in (None, "table"):
        solve_first(variant)
    with spreading(jobs, cluster) as pool, (stages := Stages(one=True)).bars:
        try:
            found = puzzles.mine(
                variant,
                count,
                theme=theme,
                seed=seed,
                most_games=games,
                seconds=seconds,
                pool=pool,
                state=state,
                progress=progress,
            )
        except puzzles.InterruptedSearchError as error:
            found, interrupted = error.found, True
    print(f"{len(found)} puzzles from {played:,} games: {_lengths(found)}")
    if found:
        print(", ".join(f"{many} {name}" for name, many in Counter(one.theme for one in found).most_common()))
    if len(found) < count and not interrupted:
        limit = "games" if played >= games else "time"
        say(f"fewer than the {count} wanted: the {limit} allowed ran out; more --{limit} may find more")
    if interrupted:
        stays = path.exists()
        say(f"interrupted; {path} {'stays as it was' if stays else 'holds what was found so far'}")
        if stays:
            raise Exit(130)
    files.write(path, variant, found)
    print(path)
    raise Exit(130 if interrupted else 0 if len(found) == count else 1)


@group.command()
@game
@rules
@puzzle_file
@click.option("--one-in", type=number(1), default=1, show_default=True, help="Prove one puzzle in N.")
@click.option("--times", type=number(1, 1_000), default=1, show_default=True, help="Search N times the usual nodes.")
@as_json
def check(game: str, rules: dict[str, str], file: Path | None, one_in: int, times: int, as_json: bool) -> None:
    """Prove every puzzle again: that its first move wins, in so many plies, and no other first move does."""
    found = _read(game, rules, file)[::one_in]
    if any(one.theme == "table" for one in found):
        solve_first(found[0].variant)
    wrong, started = [], time.perf_counter()
    with (stages := Stages()).bars:
        for number, defect in enumerate(puzzles.check(found, times), 1):
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
    raise Exit(1 if wrong else 0)


@group.command("list")
@game
@rules
@puzzle_file
@theme
@as_json
def show(game: str, rules: dict[str, str], file: Path | None, theme: puzzles.Theme | None, as_json: bool) -> None:
    """List the puzzles of a game, easiest first."""
    found = [one for one in _read(game, rules, file) if theme in (None, one.theme)]
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
    counts = sorted(Counter(one.plies for one in found).items())
    return f"{', '.join(f'{many} of {plies}' for plies, many in counts)} plies" if counts else "none"
