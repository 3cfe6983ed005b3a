"""Making puzzles: games of the engine with itself, what is found in them, and the choice among it.

What a game yields depends on the seed and its number alone. Games are chosen from in the order of their numbers, so
that neither the number of workers nor an interruption changes a file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from math import ceil, inf
from pathlib import Path
from time import monotonic
from typing import Any

from ...errors import PuzzleError
from ...game.position import Position
from ...json_text import fits, parsed
from ...lab.jobs import Job, JobAnswer, Pool, Rates, Runner
from ...spec.variant import Variant
from ...storage import Journal
from .files import line_of, parse_line
from .puzzle import Puzzle, Theme
from .self_play import SelfPlay
from .themes import Prover, provers
from .thinning import checked

Progress = Callable[[int, int, int], object]
"""Called with the games played, the puzzles chosen and the puzzles wanted."""

_WORK = f"{__name__}:work"


class Miner:
    """Finds the puzzles of games by their numbers."""

    def __init__(self, variant: Variant, theme: Theme | None, seed: int) -> None:
        """Raises :class:`PuzzleError` if there is no such theme in the game."""
        self.provers = provers(variant, theme)
        if not self.provers:
            wanted = f"the theme {theme!r}" if theme else "any theme"
            raise PuzzleError(f"{variant.id} has no puzzles of {wanted}: its solver is missing")
        self._play = SelfPlay(variant, seed)

    def mine(self, number: int) -> list[Puzzle]:
        """The puzzles of a game: at most so many of a theme as it takes from one, of different first moves."""
        game = self._play.game(number)
        return [puzzle for prover in self.provers for puzzle in _found(prover, game)]


def _found(prover: Prover, game: Position) -> Iterable[Puzzle]:
    found: dict[str, Puzzle] = {}
    for position in prover.candidates(game):
        legal = checked(position)
        puzzle = None if legal is None else prover.prove(legal)
        if puzzle is not None:
            found.setdefault(puzzle.solution[0], puzzle)
        if len(found) == prover.each_game:
            break
    return found.values()


class Choice:
    """The puzzles chosen for a file, spread over themes and lengths.

    Where there are several themes at most half of the puzzles are of one.
    """

    def __init__(self, provers: Sequence[Prover], wanted: int) -> None:
        self.wanted, self.puzzles = wanted, dict[str, Puzzle]()
        self._provers = {prover.theme: prover for prover in provers}
        self._each = wanted if len(provers) == 1 else ceil(wanted / 2)
        self._themes = Counter[Theme]()
        self._lengths = Counter[tuple[Theme, int]]()

    @property
    def complete(self) -> bool:
        """True if there are as many as wanted."""
        return len(self.puzzles) >= self.wanted

    def take(self, puzzles: Sequence[Puzzle]) -> None:
        """Choose from the puzzles of the next game."""
        for puzzle in puzzles:
            theme, length = puzzle.theme, (puzzle.theme, puzzle.plies)
            most = ceil(self._provers[theme].share(puzzle.plies) * self._each)
            room = not self.complete and self._themes[theme] < self._each and self._lengths[length] < most
            if room and puzzle.id not in self.puzzles:
                self.puzzles[puzzle.id] = puzzle
                self._themes[theme] += 1
                self._lengths[length] += 1


class State:
    """The puzzles found so far: JSON lines, the settings and then the puzzles of each game."""

    def __init__(self, path: Path | None, settings: dict[str, Any], rules: Collection[str]) -> None:
        """Go on with the file, if it exists, or create it; without one nothing is kept.

        ``rules`` are the hashes of the rules under which its puzzles may have been found.

        Raises:
            PuzzleError: it cannot be used, or is of another search.
        """
        self._journal: Journal | None = None
        self.found: dict[int, list[str]] = {}
        if path is None:
            return
        try:
            self._journal = Journal(path)
        except BlockingIOError:
            raise PuzzleError(f"{path} is in use by another search") from None
        except OSError as error:
            raise PuzzleError(f"{path} cannot be used: {error.strerror}") from None
        try:
            self._load(path, self._journal.lines, settings, rules)
        except BaseException:
            self.close()
            raise

    def _load(self, path: Path, lines: Sequence[bytes], settings: dict[str, Any], rules: Collection[str]) -> None:
        if not lines:
            self._write(settings)
        same = {"rules": settings["rules"]}
        for number, line in enumerate(lines, 1):
            try:
                data = parsed(line)
                if number > 1:
                    if not fits(data, {"number": int, "puzzles": [str]}):
                        raise ValueError
                    self.found[data["number"]] = data["puzzles"]
            except (ValueError, KeyError, TypeError):
                raise PuzzleError(f"{path}: line {number} is no part of a search for puzzles") from None
            if number == 1 and not (isinstance(data, dict) and data.get("rules") in rules and data | same == settings):
                raise PuzzleError(f"{path} holds a search with other settings: {line[:200].decode(errors='replace')}")

    def add(self, number: int, puzzles: Sequence[Puzzle]) -> None:
        """Keep what was found in a game."""
        self.found[number] = list(map(line_of, puzzles))
        self._write({"number": number, "puzzles": self.found[number]})

    def _write(self, data: dict[str, Any]) -> None:
        if self._journal is not None:
            self._journal.add(data)

    def close(self) -> None:
        """Close the file; another process may use it."""
        if self._journal is not None:
            self._journal.close()


class InterruptedSearchError(KeyboardInterrupt):
    """The search was interrupted; ``found``: the puzzles until then."""

    def __init__(self, found: list[Puzzle]) -> None:
        super().__init__()
        self.found = found


def mine(
    variant: Variant,
    wanted: int,
    *,
    theme: Theme | None = None,
    seed: int = 1,
    most_games: int = 1_000_000,
    seconds: float = inf,
    pool: Pool | None = None,
    state: Path | None = None,
    progress: Progress = lambda games, chosen, wanted: None,
) -> list[Puzzle]:
    """Find so many puzzles, or as many as there are in so many games, or are found in so many seconds.

    Args:
        variant: the game. ``theme``: by default all that it has. ``seed``: makes the games repeatable.
        pool: workers that do it; ``None``: this process.
        state: a file that keeps what was found, so that an interrupted search goes on.
        progress: called after each game.

    Raises:
        PuzzleError: the game has no such theme, or the state is of another search.
        NotationError: the state cannot be written.
        JobError: workers disagree, or none is left.
        InterruptedSearchError: Ctrl-C; it has what was found until then.
    """
    until = monotonic() + seconds
    miner = Miner(variant, theme, seed)
    choice = Choice(miner.provers, wanted)
    settings = {"game": variant.id, "rules": variant.play_hash, "theme": theme, "seed": seed}
    kept = State(state, settings, variant.play_hashes)
    try:
        rates = Rates(most_games, len(kept.found))
        known = {number: [parse_line(variant, line) for line in lines] for number, lines in kept.found.items()}
        if pool is None:
            games = _here(miner, kept, known, most_games)
        else:
            spread = Spread(variant, theme, miner.provers, seed, kept)
            games = spread.games(pool, known, rates)
        with closing(games):
            for number, puzzles in games:
                choice.take(puzzles)
                progress(number + 1, len(choice.puzzles), wanted)
                rates.total = min(most_games, ceil((number + 1) * wanted / max(len(choice.puzzles), 1)))
                if choice.complete or monotonic() >= until:
                    break
    except KeyboardInterrupt:
        raise InterruptedSearchError(list(choice.puzzles.values())) from None
    finally:
        kept.close()
    return list(choice.puzzles.values())


Games = Generator[tuple[int, list[Puzzle]], None, None]
"""The puzzles of each game, in the order of their numbers."""


def _here(miner: Miner, kept: State, known: Mapping[int, list[Puzzle]], most: int) -> Games:
    for number in range(most):
        if number in known:
            yield number, known[number]
        else:
            found = miner.mine(number)
            kept.add(number, found)
            yield number, found


class Spread:
    """A search by workers."""

    def __init__(
        self, variant: Variant, theme: Theme | None, provers: Sequence[Prover], seed: int, kept: State
    ) -> None:
        self._variant, self._theme, self._each_game = variant, theme, sum(prover.each_game for prover in provers)
        self._seed, self._kept = seed, kept

    def games(self, pool: Pool, known: dict[int, list[Puzzle]], rates: Rates) -> Games:
        """The puzzles of games, as many as ``rates`` has at first."""
        following, most = 0, rates.total
        while following in known and following < most:
            yield following, known[following]
            following += 1
        left = (number for number in range(following, most) if number not in known)
        runner = Runner(pool, rates, self._read)
        jobs = self._jobs(left, most, rates, runner)
        with closing(runner.run(jobs)) as done:
            for job, found in done:
                for number, puzzles in zip(job.content["numbers"], found, strict=True):
                    known[number] = puzzles
                    self._kept.add(number, puzzles)
                while following in known and following < most:
                    yield following, known[following]
                    following += 1

    def _jobs(self, left: Iterator[int], most: int, rates: Rates, runner: Runner[list[list[Puzzle]]]) -> Iterator[Job]:
        while numbers := list(islice(left, rates.units(max(most - rates.done, 1), runner.workers))):
            content = {"theme": self._theme, "seed": self._seed, "numbers": numbers}
            yield Job(_WORK, self._variant, content, len(numbers))

    def _read(self, job: Job, answer: JobAnswer) -> list[list[Puzzle]]:
        """The puzzles of each game of a job.

        Raises:
            TypeError, ValueError: there cannot be these.
        """
        found = [[parse_line(self._variant, line) for line in lines] for lines in answer.result]
        if len(found) != job.size or any(len(puzzles) > self._each_game for puzzles in found):
            raise ValueError("there are more puzzles or games than there can be")
        for puzzle in (puzzle for puzzles in found for puzzle in puzzles):
            position = puzzle.start()
            for move in puzzle.solution:
                position.push(move)
        return found


def work(variant: Variant, content: Mapping[str, Any]) -> tuple[Any, Any]:
    """Find the puzzles of the games of a job, at a worker: their lines, for each game."""
    miner = Miner(variant, content["theme"], content["seed"])
    return [list(map(line_of, miner.mine(number))) for number in content["numbers"]], None
