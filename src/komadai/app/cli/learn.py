"""``komadai learn``: a net for a game, from games to the match that decides over it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import click
from click.exceptions import Exit

from ...engine.evaluation import default_net
from ...errors import LearnError, NotationError
from ...lab.jobs import Pool
from ...lab.learn.cycle import Cycle, generations, needed
from ...lab.learn.cycle import adopt as adopt_net
from ...lab.learn.data import Reader
from ...lab.learn.manifest import TRACE, Manifest, digest
from ...lab.learn.measuring import choose
from ...lab.learn.report_page import elo_words, page
from ...lab.learn.self_play import NODES, Settings
from ...spec.variant import Variant
from ...storage import write_whole
from ...variants import build
from .base import Command, duration, number
from .files import File, Use, check_in
from .learn_match import decide, match_nodes
from .options import game, output, rules, say
from .solve import Stages
from .spread import spread, spreading

_EVERY = 15.0  # seconds between two lines of a log
_DEFAULTS: dict[str, Any] = {
    "seed": 1,
    "nodes": NODES,
    "noise": 0.0,  # share of random moves in the games
    "threads": os.cpu_count() or 1,  # that train, on which the weights depend
    "batch": 8192,
    "rate": 0.002,
    "trace": TRACE,
    "match_games": 2000,
    "elo0": 0.0,
    "elo1": 20.0,
}
"""The numbers of a manifest that are not measured, unless said otherwise; a manifest that is there may have others."""


@click.command(cls=Command)
@game
@rules
@click.option(
    "--time",
    type=duration(180, 10_000 * 3600),
    help="About how long to take, by default 8h: a minute of measuring chooses positions and epochs.",
)
@click.option("--positions", type=number(), help="Quiet positions to collect; 0: learn from --data alone.")
@click.option("--epochs", type=number(1, 10_000), help="Passes of the training over the positions.")
@click.option(
    "--data",
    type=File(Use.READS),
    multiple=True,
    metavar="FILE",
    help="A file of earlier games to learn from, too; repeatable.",
)
@click.option("--seed", type=number(0, 2**64), help="The seed of all random choices; 1 by default.")
@click.option("--nodes", type=number(1), help=f"Positions a move in the games; {NODES:,} by default.")
@click.option(
    "--hidden",
    type=number(1),
    help="Hidden units of the net: 32, 64, 128 or 256; by default as many as the engine's net has, or 32.",
)
@output("The folder of the run, learn-GAME by default; an existing run is resumed.", Use.FOLDER, metavar="FOLDER")
@spread
@click.option("--adopt", is_flag=True, help="Let the engine play with the net from now on, if the match accepts it.")
def learn(
    game: str,
    rules: dict[str, str],
    time: float | None,
    positions: int | None,
    epochs: int | None,
    data: tuple[Path, ...],
    seed: int | None,
    nodes: int | None,
    hidden: int | None,
    output: Path | None,
    jobs: int | None,
    cluster: str | None,
    adopt: bool,
) -> None:
    """Learn an evaluation: games of the engine with itself, a net trained on them, and a match against what it has."""
    variant = build(game, **rules)
    needed()
    path = output or Path(f"learn-{variant.id}")
    check_in("--output", path)
    for file in data:
        Reader(file, variant)  # which refuses what is no file of games, before the folder of the run is made
    numbers = {
        "hours": None if time is None else time / 3600,
        "positions": positions,
        "epochs": epochs,
        "seed": seed,
        "nodes": nodes,
        "hidden": hidden,
        "data": {str(file): digest(file) for file in data} if data else None,
    }
    with spreading(jobs, cluster) as pool:
        asked = {name: value for name, value in numbers.items() if value is not None}
        cycle = Cycle(path, variant, _manifest(path / "manifest.json", variant, asked, pool))
        done = _steps(variant, cycle, pool)
    if adopt and done and cycle.verdict()["accepted"]:
        adopt_net(variant, cycle)
        say(f"the engine plays {variant.id} with this net from now on")
    _write_page(variant, cycle)
    if not done:
        say(f"interrupted; go on with -o {path}")
        raise Exit(130)
    _print_result(cycle)


def _manifest(path: Path, variant: Variant, asked: dict[str, Any], pool: Pool | None) -> Manifest:
    """The numbers of the run: those in its folder, or new ones."""
    if path.exists():
        found = Manifest.read(path, variant)
        found.require(path, asked)
        return found
    net = default_net(variant)
    numbers = {**_DEFAULTS, "hours": None, "hidden": net.hidden if net else 32, **asked}
    if (hidden := numbers["hidden"]) not in (32, 64, 128, 256):
        raise NotationError(f"--hidden {hidden}", ["expected 32, 64, 128 or 256"])
    if ("positions" in asked) != ("epochs" in asked):
        raise NotationError("--positions", ["goes with --epochs, and --epochs with it"])
    if asked.get("positions") == 0 and "data" not in asked:
        raise NotationError("--positions 0", ["leaves nothing to learn from; name files of games by --data"])
    how = {name: numbers.pop(name) for name in ("seed", "nodes", "noise")}
    settings = Settings.of(variant, **how)
    if "positions" not in asked:
        numbers["hours"] = hours = asked.get("hours", 8.0)
        workers = 1 if pool is None else max(pool.size(), 1)
        sizes = {name: numbers[name] for name in ("hidden", "batch", "threads")}
        numbers["positions"], numbers["epochs"] = choose(variant, settings, hours, workers, **sizes, log=say)
    elif "hours" in asked:
        raise NotationError("--time", ["chooses positions and epochs; leave it out, or them"])
    numbers["match_nodes"] = match_nodes(variant)
    made = Manifest.of(variant, settings, numbers.pop("data", {}), **numbers)
    made.write(path)
    return made


def _steps(variant: Variant, cycle: Cycle, pool: Pool | None) -> bool:
    """Do all that is not done yet; false if the match was interrupted."""
    if cycle.verdict():
        return True
    m = cycle.manifest
    with _shown("games", m.positions) as shown:
        cycle.play(pool, shown)
    _write_page(variant, cycle)
    with _shown("training", m.epochs) as trained:
        cycle.train(trained)
    _write_page(variant, cycle)
    return decide(variant, cycle, pool)


@contextmanager
def _shown(step: str, total: int) -> Iterator[Callable[[float], object]]:
    """Show how far a step has come: a bar on a terminal, elsewhere a line now and then."""
    said = monotonic()
    with (stages := Stages()).bars:

        def show(done: float) -> None:
            nonlocal said
            stages(step, done, total)
            if not sys.stderr.isatty() and monotonic() > said + _EVERY:
                said = monotonic()
                say(f"{step}: {done:,.6g} of {total:,}")

        yield show


def _write_page(variant: Variant, cycle: Cycle) -> None:
    try:
        write_whole(cycle.page, page(variant, cycle, generations(variant)).encode())
    except OSError as error:
        raise LearnError(f"{cycle.page} cannot be written: {error.strerror}") from None


def _print_result(cycle: Cycle) -> None:
    """Print losses, result of the match, and where net and report are."""
    losses, verdict = cycle.losses(), cycle.verdict()
    said = [
        ("loss", f"{losses['before']:.5f} by hand, {losses['rounded']:.5f} with the net"),
        ("match", f"+{verdict['wins']} ={verdict['draws']} -{verdict['losses']}, {elo_words(verdict)}"),
        ("verdict", "accepted" if verdict["accepted"] else "not accepted; the engine keeps what it has"),
        ("net", str(cycle.net)),
        ("report", str(cycle.page)),
    ]
    for name, value in said:
        print(f"{name + ':':<9}{value}")
