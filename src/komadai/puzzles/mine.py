"""Making puzzles: games of the engine with itself, what is found in them, and the choice among it.

What a game yields depends on the seed and its number alone. Games are chosen from in the order of their numbers, so
that neither the number of workers nor an interruption changes a file.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from itertools import count as numbers
from math import ceil
from pathlib import Path
from typing import Any

from ..errors import PuzzleError
from ..spec.variant import Variant
from .files import line_of, parse_line
from .puzzle import Puzzle, Theme
from .self_play import SelfPlay
from .themes import Prover, prover
from .thinning import checked

Progress = Callable[[int, int, int], object]
"""Called with the games played, the puzzles chosen and the puzzles wanted."""


class Miner:
    """Finds the puzzles of games by their numbers."""

    def __init__(self, variant: Variant, theme: Theme | None, seed: int) -> None:
        """Raises :class:`PuzzleError` if there is no such theme in the game."""
        self.prover = needed_prover(variant, theme)
        self._play = SelfPlay(variant, seed)

    def mine(self, number: int) -> list[Puzzle]:
        """The puzzles of a game: at most so many as the theme takes from one, of different first moves."""
        found: dict[str, Puzzle] = {}
        for position in self.prover.candidates(self._play.game(number)):
            legal = checked(position)
            puzzle = None if legal is None else self.prover.prove(legal)
            if puzzle is not None:
                found.setdefault(puzzle.solution[0], puzzle)
            if len(found) == self.prover.each_game:
                break
        return list(found.values())


def needed_prover(variant: Variant, theme: Theme | None) -> Prover:
    """The prover of a theme.

    Raises:
        PuzzleError: there is no such theme in the game.
    """
    found = prover(variant, theme)
    if found is None:
        wanted = f"the theme {theme!r}" if theme else "any theme"
        raise PuzzleError(f"{variant.id} has no puzzles of {wanted}: its solver is missing")
    return found


class Choice:
    """The puzzles chosen for a file, spread over lengths."""

    def __init__(self, prover: Prover, wanted: int) -> None:
        self.wanted, self.puzzles = wanted, dict[str, Puzzle]()
        self._prover = prover
        self._lengths = Counter[int]()

    @property
    def complete(self) -> bool:
        """True if there are as many as wanted."""
        return len(self.puzzles) >= self.wanted

    def take(self, puzzles: Sequence[Puzzle]) -> None:
        """Choose from the puzzles of the next game."""
        for puzzle in puzzles:
            most = ceil(self._prover.share(puzzle.plies) * self.wanted)
            if not self.complete and self._lengths[puzzle.plies] < most and puzzle.id not in self.puzzles:
                self.puzzles[puzzle.id] = puzzle
                self._lengths[puzzle.plies] += 1


class State:
    """The puzzles found so far: JSON lines, the settings and then the puzzles of each game."""

    def __init__(self, path: Path | None, settings: dict[str, Any]) -> None:
        """Go on with the file, if it exists, or create it; without one nothing is kept.

        Raises:
            PuzzleError: it cannot be used, or is of another search.
        """
        self._path = path
        self.found: dict[int, list[str]] = {}
        if path is None:
            return
        try:
            lines = path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else []
        except (OSError, UnicodeDecodeError) as error:
            raise PuzzleError(f"{path} cannot be read: {error}") from None
        if not lines:
            self._write(settings)
        for number, line in enumerate(lines, 1):
            try:
                data = json.loads(line)
                if number > 1:
                    self.found[int(data["number"])] = list(data["puzzles"])
            except (ValueError, KeyError, TypeError):
                raise PuzzleError(f"{path}: line {number} is no part of a search for puzzles") from None
            if number == 1 and data != settings:
                raise PuzzleError(f"{path} holds a search with other settings: {line[:200]}")

    def add(self, number: int, puzzles: Sequence[Puzzle]) -> None:
        """Keep what was found in a game."""
        self.found[number] = list(map(line_of, puzzles))
        self._write({"number": number, "puzzles": self.found[number]})

    def _write(self, data: dict[str, Any]) -> None:
        if self._path is None:
            return
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(data, ensure_ascii=False) + "\n")
        except OSError as error:
            raise PuzzleError(f"{self._path} cannot be written: {error.strerror}") from None


def mine(
    variant: Variant,
    wanted: int,
    *,
    theme: Theme | None = None,
    seed: int = 1,
    most_games: int = 1_000_000,
    workers: int = 1,
    state: Path | None = None,
    progress: Progress = lambda games, chosen, wanted: None,
) -> list[Puzzle]:
    """Find so many puzzles, or as many as there are in so many games.

    Args:
        variant: the game. ``theme``: by default the one that suits it best. ``seed``: makes the games repeatable.
        workers: how many processes to use.
        state: a file that keeps what was found, so that an interrupted search goes on.
        progress: called after each game.

    Raises:
        PuzzleError: the game has no such theme, or the state is of another search.
    """
    miner = Miner(variant, theme, seed)
    choice = Choice(miner.prover, wanted)
    settings = {"game": variant.id, "rules": variant.play_hash, "theme": miner.prover.theme, "seed": seed}
    kept = State(state, settings)
    with suppress(KeyboardInterrupt):
        for number, puzzles in _all(miner, kept, workers, (variant, theme, seed), most_games):
            choice.take(puzzles)
            progress(number + 1, len(choice.puzzles), wanted)
            if choice.complete:
                break
    return list(choice.puzzles.values())


_worker: Miner  # of a child process


def _begin(variant: Variant, theme: Theme | None, seed: int) -> None:
    global _worker
    _worker = Miner(variant, theme, seed)


def _work(number: int) -> list[Puzzle]:
    return _worker.mine(number)


def _all(
    miner: Miner, kept: State, workers: int, how: tuple[Variant, Theme | None, int], most: int
) -> Iterator[tuple[int, list[Puzzle]]]:
    """The puzzles of each game, in the order of their numbers."""
    known = {number: [parse_line(how[0], line) for line in lines] for number, lines in kept.found.items()}
    if workers == 1:
        for number in range(most):
            if number not in known:
                known[number] = miner.mine(number)
                kept.add(number, known[number])
            yield number, known[number]
        return
    from concurrent.futures import ProcessPoolExecutor  # late: not every system has processes
    from multiprocessing import get_context

    waiting: dict[int, Future[list[Puzzle]]] = {}
    with ProcessPoolExecutor(workers, get_context("spawn"), _begin, how) as pool:
        ahead = (number for number in numbers() if number not in known)
        try:
            for number in range(most):
                while len(waiting) < 2 * workers:
                    coming = next(ahead)
                    waiting[coming] = pool.submit(_work, coming)
                if number not in known:
                    known[number] = waiting.pop(number).result()
                    kept.add(number, known[number])
                yield number, known[number]
        finally:
            pool.shutdown(cancel_futures=True)
