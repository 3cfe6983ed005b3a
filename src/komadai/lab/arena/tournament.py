"""The games of a match or round robin: which there are, and how they are played side by side."""

from __future__ import annotations

import queue
import random
import threading
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from ...spec.variant import Variant
from .openings import Opening
from .players import Player, Spec, start
from .referee import Halted, Played, Terms, play

_POLL = 0.2  # seconds between two checks of the main thread for Ctrl-C
_WAIT = 0.05  # seconds between two calls to stop what is still searching


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game to be played: its number, that of its pair, whose two games change colours, its round, and the players."""

    number: int
    pair: int
    round: int
    black: int
    white: int


@dataclass(frozen=True)
class Schedule:
    """The games of a round robin of ``players``, with ``games`` (an even number) in each pairing.

    With ``reach`` only players listed at most that many places apart meet. Every round is one pair of
    games in each pairing, from one opening. A game's number does not depend on how many there are.
    """

    players: int
    games: int
    reach: int | None = None

    @cached_property
    def pairings(self) -> list[tuple[int, int]]:
        """The pairings, in the order of the players given."""
        return [(i, j) for i, j in combinations(range(self.players), 2) if self.reach is None or j - i <= self.reach]

    def __len__(self) -> int:
        return self.games * len(self.pairings)

    def __iter__(self) -> Iterator[Fixture]:
        return map(self.fixture, range(len(self)))

    def fixture(self, number: int) -> Fixture:
        """The game of that number, from 0."""
        pair, second = divmod(number, 2)
        turn, which = divmod(pair, len(self.pairings))
        one, two = self.pairings[which]
        return Fixture(number, pair, turn, *((two, one) if second else (one, two)))


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that determines a game of the match, except its number."""

    variant: Variant
    players: tuple[Spec, ...]
    openings: tuple[Opening, ...]
    terms: Terms
    seed: int = 1
    reach: int | None = None

    def schedule(self, games: int) -> Schedule:
        """The games, so many in each pairing."""
        return Schedule(len(self.players), games, self.reach)

    def opening(self, fixture: Fixture) -> Opening:
        """The opening of a game; they are used in turn."""
        return self.openings[fixture.round % len(self.openings)]

    def lots(self, fixture: Fixture, player: int) -> int:
        """The seed of a player in a game."""
        return random.Random(f"{self.seed} {fixture.number} {player}").getrandbits(63)


class Team:
    """Players, each started when it is needed for the first time."""

    def __init__(self, variant: Variant, specs: Sequence[Spec], keep: Callable[[Player], object]) -> None:
        """``keep`` is given each player that is started, to close it."""
        self._variant, self._specs, self._keep = variant, specs, keep
        self._players: dict[int, Player] = {}

    def __getitem__(self, index: int) -> Player:
        """The player of that number.

        Raises:
            KomadaiError: it cannot be started, or cannot play the variant.
        """
        if index not in self._players:
            self._players[index] = start(self._specs[index], self._variant)
            self._keep(self._players[index])
        return self._players[index]


def contest(
    settings: Settings, fixture: Fixture, opening: Opening, team: Team, halted: Callable[[], bool] = lambda: False
) -> Played:
    """Play a game of the match, with players who know nothing of the games before it.

    Raises:
        Halted: ``halted`` said so.
        KomadaiError: a player could not be started.
    """
    seats = (fixture.black, fixture.white)
    for index in seats:
        team[index].new_game(settings.lots(fixture, index))
    return play(
        (team[seats[0]], team[seats[1]]),
        opening.game(settings.variant),
        settings.terms,
        own_limits=(settings.players[seats[0]].limits, settings.players[seats[1]].limits),
        halted=halted,
    )


class Tournament:
    """Plays games that have not been played yet, several at a time.

    The first team is started at once, so that a bad player is found before anything else is done.
    """

    def __init__(self, variant: Variant, players: Sequence[Spec], jobs: int = 1) -> None:
        """Start the players; ``jobs`` games will be played at a time.

        Raises:
            KomadaiError: a player cannot be started, or cannot play the variant.
        """
        self._jobs = jobs
        self._halt = threading.Event()
        self._lock = threading.Lock()
        self._started: list[Player] = []
        self._first = Team(variant, players, self._keep)
        try:
            self.names = distinct([self._first[index].name for index in range(len(players))])
        except BaseException:
            self.close()
            raise

    def _keep(self, player: Player) -> None:
        with self._lock:
            self._started.append(player)

    def halt(self) -> None:
        """End the match soon; games that are not over are not counted."""
        self._halt.set()

    def close(self) -> None:
        """Close all players."""
        for player in self._started:
            player.close()

    def run(
        self,
        settings: Settings,
        games: int,
        report: Callable[[Fixture, Played], object],
        *,
        played: Container[int] = (),
    ) -> None:
        """Play all games of the schedule except the numbers in ``played``. Every player is closed at the end, whatever
        happens.

        Args:
            settings: of the same variant and players.
            games: the number in each pairing.
            report: called with each finished game, in this thread. It may call :meth:`halt`.

        Raises:
            KomadaiError: a player could not be started again.
        """
        left = iter([fixture for fixture in settings.schedule(games) if fixture.number not in played])
        done: queue.Queue[tuple[Fixture, Played] | BaseException | None] = queue.Queue()
        others = (Team(settings.variant, settings.players, self._keep) for _ in range(self._jobs - 1))
        workers = [
            threading.Thread(target=self._work, args=(settings, left, team, done), name=f"game-{number}", daemon=True)
            for number, team in enumerate([self._first, *others], 1)
        ]
        try:
            for worker in workers:
                worker.start()
            working = len(workers)
            while working and not self._halt.is_set():
                try:
                    item = done.get(timeout=_POLL)
                except queue.Empty:
                    continue
                if item is None:
                    working -= 1
                elif isinstance(item, BaseException):
                    raise item
                else:
                    report(*item)
        finally:
            self._halt.set()
            for worker in workers:
                while worker.is_alive():
                    # A thread may not have entered its search yet, so repeat the request until it ends.
                    with self._lock:
                        started = list(self._started)
                    for player in started:
                        player.stop()
                    worker.join(_WAIT)
            self.close()

    def _work(
        self,
        settings: Settings,
        left: Iterator[Fixture],
        team: Team,
        done: queue.Queue[tuple[Fixture, Played] | BaseException | None],
    ) -> None:
        """Play games until none is left, with players of this thread's own."""
        try:
            while not self._halt.is_set():
                with self._lock:
                    fixture = next(left, None)
                if fixture is None:
                    break
                played = contest(settings, fixture, settings.opening(fixture), team, self._halt.is_set)
                done.put((fixture, played))
        except Halted:
            pass
        except BaseException as error:  # handed to the main thread, which raises it
            done.put(error)
        finally:
            done.put(None)


def distinct(names: list[str]) -> list[str]:
    """The names, with a number behind those that others have, too."""
    return [
        f"{name} ({names[: index + 1].count(name)})" if names.count(name) > 1 else name
        for index, name in enumerate(names)
    ]
