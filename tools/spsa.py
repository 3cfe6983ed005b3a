"""Tune the numbers of the search from games the engine plays against itself.

Simultaneous perturbation (SPSA, chessprogramming.org): both players of a pair of games have every number changed by a
step, in opposite directions that are drawn by chance, and the numbers then move a little towards the winner's.

    \b
    pip install . --config-settings=cmake.define.KOMADAI_TUNING=ON
    python tools/spsa.py play shogi numbers.jsonl --pairs 4000 --nodes 10000
    python tools/spsa.py show numbers.jsonl
    python tools/spsa.py check numbers.jsonl --pairs 500

It needs a core in which the numbers can be set (native/search_numbers.hpp), as the first command makes it; the numbers
that were found are then written there.
"""

from __future__ import annotations

import json
import random
from collections import deque
from collections.abc import Callable, Container, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

import komadai
from komadai import _core
from komadai.compiler import compile_variant
from komadai.engine import Engine
from komadai.engine.levels import ladder
from komadai.errors import KomadaiError
from komadai.lab.arena.statistics import SCORES, estimate
from komadai.lab.learn.openings import opening

PARTS = 20  # of its range that a number's step is
GAIN = 0.01  # of a step, moved for each point by which a pair is won, at the end of the run
STABLE = 0.1  # of the run, for which the first pairs hardly move more than those that follow
HASH_MB = 16
AHEAD = 3  # pairs asked for ahead, for each worker
DECIDED, DECIDED_PLIES = 1500, 4  # the score at which both players agree for so long that the game is decided

core: Any = _core  # the names of a core for tuning are not in its stub


class Run:
    """The numbers as far as a file of results moves them.

    Attributes:
        game, nodes, seed, pairs, gain: as ``play`` was given them. ``done``: pairs that have been played.
        start, now: the numbers at first and at present; ``range``: the least and greatest of each.
    """

    def __init__(self, head: Mapping[str, Any]) -> None:
        self.game: str = head["game"]
        self.nodes: int = head["nodes"]
        self.seed: int = head["seed"]
        self.pairs: int = head["pairs"]
        self.gain: float = head["gain"]
        self.start: dict[str, int] = {name: value for name, (value, _least, _greatest) in head["numbers"].items()}
        self.range: dict[str, tuple[int, int]] = {
            name: (least, most) for name, (_, least, most) in head["numbers"].items()
        }
        self.now: dict[str, float] = {name: float(value) for name, value in self.start.items()}
        self.done = 0

    @classmethod
    def read(cls, path: Path) -> Run:
        """The run of a file. A last line that was cut off does not count."""
        with path.open() as file:
            lines = [line for line in file if line.endswith("\n")]
        try:
            run = cls(json.loads(lines[0]))
            for line in lines[1:]:
                result = json.loads(line)
                run.add(result["pair"], result["points"])
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise SystemExit(f"{path}: no file of results that `play` has written ({error!r})") from None
        return run

    def require(self, known: Container[str]) -> None:
        """Refuse a core that lacks one of the numbers.

        Raises:
            SystemExit: with a sentence for the user.
        """
        if missing := [name for name in self.start if name not in known]:
            raise SystemExit(f"this core has no number {missing[0]}, which the file tunes; expected a core that has it")

    def step(self, name: str) -> float:
        """The step by which a number is changed in the games."""
        least, most = self.range[name]
        return (most - least) / PARTS

    def signs(self, pair: int) -> dict[str, int]:
        """The direction in which each number is changed in a pair of games, for the first player."""
        lots = random.Random(f"{self.seed} {pair}")
        return {name: lots.choice((1, -1)) for name in self.start}

    def changed(self, pair: int, side: int) -> dict[str, int]:
        """The numbers of the first (1) or second (-1) player of a pair."""
        signs = self.signs(pair)
        return {name: self._within(name, self.now[name] + side * signs[name] * self.step(name)) for name in self.start}

    def rounded(self) -> dict[str, int]:
        """The numbers at present, as the search can have them."""
        return {name: self._within(name, value) for name, value in self.now.items()}

    def add(self, pair: int, points: int) -> None:
        """Move the numbers by a result: the points by which the first player has won the pair, from -2 to 2."""
        early = STABLE * self.pairs
        gain = self.gain * ((self.pairs + early) / (min(self.done, self.pairs) + early)) ** 0.4
        for name, sign in self.signs(pair).items():
            least, most = self.range[name]
            self.now[name] = min(max(self.now[name] + gain * points * sign * self.step(name), least), most)
        self.done += 1

    def _within(self, name: str, value: float) -> int:
        least, most = self.range[name]
        return min(max(round(value), least), most)


def defaults(game: str) -> dict[str, tuple[int, int, int]]:
    """Name, value, least and greatest of each number that the core has for a game."""
    if not hasattr(core, "search_numbers"):
        raise SystemExit(
            "this core has its numbers as constants; install one for tuning into an environment of its own:\n"
            "  pip install . --config-settings=cmake.define.KOMADAI_TUNING=ON"
        )
    try:
        rules = compile_variant(komadai.variant(game)).rules
    except KomadaiError as error:
        raise SystemExit(str(error)) from None
    return {name: (value, least, most) for name, value, least, most in core.search_numbers(rules)}


def play_pair(game: str, seed: int, number: int, nodes: int, players: tuple[dict[str, int], ...]) -> int:
    """The points by which the first player's numbers win two games from one opening, from -2 to 2."""
    return play_game(game, seed, number, nodes, players) - play_game(game, seed, number, nodes, players[::-1])


def play_game(game: str, seed: int, number: int, nodes: int, players: tuple[dict[str, int], ...]) -> int:
    """1 if the player who moves first wins, -1 if the other, 0 for a draw."""
    variant = komadai.variant(game)
    position = opening(variant, seed, number)
    first, rules, engines = position.turn, compile_variant(variant).rules, []
    for numbers in players:
        core.set_search_numbers(rules, numbers)
        engines.append(Engine(variant, hash_mb=HASH_MB, tables=False))
    agreed = 0  # plies for which the scores have named the same winner, above zero the first player
    for ply in range(ladder(variant).plies):
        if (outcome := position.outcome()) is not None:
            return 0 if outcome.winner is None else 1 if outcome.winner == first else -1
        core.set_search_numbers(rules, players[ply % 2])
        info = engines[ply % 2].search(position, nodes=nodes)
        assert info.move is not None, "the game goes on"
        score = info.score if ply % 2 == 0 else -info.score
        leading = (score >= DECIDED) - (score <= -DECIDED)
        agreed = agreed + leading if leading * agreed > 0 else leading
        if abs(agreed) >= DECIDED_PLIES:
            return 1 if agreed > 0 else -1
        position.push(info.move)
    return 0


@click.group(help=__doc__, context_settings={"show_default": True})
def main() -> None:
    pass


jobs_option = click.option("--jobs", type=click.IntRange(min=1), default=2, metavar="N", help="Processes that play.")


@main.command()
@click.argument("game")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--pairs", type=click.IntRange(min=1), default=4000, help="Pairs of games.")
@click.option("--nodes", type=click.IntRange(min=1), default=10_000, help="Positions searched for each move.")
@click.option("--seed", default=1, help="Of openings and of directions.")
@click.option("--gain", default=GAIN, help="Of a step, moved for each point won, at the end.")
@jobs_option
def play(game: str, file: Path, pairs: int, nodes: int, seed: int, gain: float, jobs: int) -> None:
    """Play pairs of games, and write what each has shown.

    FILE is the file of results; one that is there is gone on with.
    """
    numbers = defaults(game)
    if not file.exists():
        head = {"game": game, "nodes": nodes, "seed": seed, "pairs": pairs, "gain": gain, "numbers": numbers}
        file.write_text(json.dumps(head) + "\n")
    run = Run.read(file)
    run.require(numbers)
    kept = file.read_text()
    file.write_text(kept[: kept.rfind("\n") + 1])  # without a line that was cut off
    with file.open("a") as lines, ProcessPoolExecutor(jobs) as pool:

        def result(pair: int) -> Future[int]:
            players = run.changed(pair, 1), run.changed(pair, -1)
            return pool.submit(play_pair, run.game, run.seed, pair, run.nodes, players)

        todo = range(run.done, run.pairs)
        for pair, points in zip(todo, track(ahead(result, todo, jobs), "pairs", total=len(todo)), strict=True):
            lines.write(json.dumps({"pair": pair, "points": points}) + "\n")
            lines.flush()
            run.add(pair, points)
    print_numbers(run)


@main.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def show(file: Path) -> None:
    """Print the numbers of FILE: what they were, what they are, and how many steps lie between."""
    print_numbers(Run.read(file))


def print_numbers(run: Run) -> None:
    """Print the numbers as a table."""
    table = Table("number", "was", "is", "steps", title=f"{run.game}: {run.done} of {run.pairs} pairs")
    for name, value in run.rounded().items():
        steps = (run.now[name] - run.start[name]) / run.step(name)
        table.add_row(name, str(run.start[name]), str(value), f"{steps:+.1f}")
    Console().print(table)


@main.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--game", metavar="GAME", help="The game to play; else the file's.")
@click.option("--pairs", type=click.IntRange(min=1), default=500, help="Pairs of games.")
@click.option("--nodes", type=click.IntRange(min=1), help="Positions searched for each move; else as in the file.")
@click.option("--seed", default=1001, help="Of openings.")
@jobs_option
def check(file: Path, game: str | None, pairs: int, nodes: int | None, seed: int, jobs: int) -> None:
    """Play the numbers at present of FILE against those of the core."""
    run = Run.read(file)
    game = game or run.game
    numbers = defaults(game)
    run.require(numbers)
    players = run.rounded(), {name: value for name, (value, _least, _most) in numbers.items()}
    counts = [0] * len(SCORES)
    with ProcessPoolExecutor(jobs) as pool:

        def result(pair: int) -> Future[int]:
            return pool.submit(play_pair, game, seed, pair, nodes or run.nodes, players)

        for points in track(ahead(result, range(pairs), jobs), "pairs", total=pairs):
            counts[points + 2] += 1
    known = estimate(counts)
    assert known is not None, "there are pairs"
    print(f"{counts} {known.score:.1%} Elo {known.elo:+.0f} ({known.low:+.0f} to {known.high:+.0f})")


def ahead(result: Callable[[int], Future[int]], numbers: range, workers: int) -> Iterator[int]:
    """The results in the order of their numbers, with enough asked for ahead that no worker waits."""
    asked: deque[Future[int]] = deque()
    for number in numbers:
        asked.append(result(number))
        if len(asked) > AHEAD * workers:
            yield asked.popleft().result()
    while asked:
        yield asked.popleft().result()


if __name__ == "__main__":
    main()
