"""The games of a match or round robin: which there are, and how they are played side by side."""

from __future__ import annotations

import queue
import random
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from ..spec import Variant
from .openings import Opening
from .players import Player, Spec, start
from .referee import Halted, Played, Terms, play

_POLL = 0.2  # seconds after which the main thread looks up, so that Ctrl-C is heard
_WAIT = 0.05  # seconds between two calls to stop what is still searching


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game to be played: its number, that of its pair, whose two games change colours, its round, and the players."""

    number: int
    pair: int
    round: int
    black: int
    white: int


@dataclass(frozen=True, slots=True)
class Schedule:
    """The games of a round robin of ``players``, with ``games`` (an even number) in each pairing.

    Every round is one pair of games in each pairing, from one opening. The numbers of games do not hang on how many
    there are.
    """

    players: int
    games: int

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """Who meets whom, the first told first."""
        return list(combinations(range(self.players), 2))

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
    """All that a game of the match hangs on, but its number."""

    variant: Variant
    players: tuple[Spec, ...]
    openings: tuple[Opening, ...]
    terms: Terms
    seed: int = 1

    def opening(self, fixture: Fixture) -> Opening:
        """The opening of a game; they are used in turn."""
        return self.openings[fixture.round % len(self.openings)]

    def lots(self, fixture: Fixture, player: int) -> int:
        """The seed of a player in a game."""
        return random.Random(f"{self.seed} {fixture.number} {player}").getrandbits(63)


class Tournament:
    """Plays the games of a schedule that have not been played yet, several at a time.

    All players of the first team are started at once, so that a bad one is found before any game.
    """

    def __init__(self, settings: Settings, schedule: Schedule, *, jobs: int = 1) -> None:
        """Start the players.

        Raises:
            KomadaiError: a player cannot be started, or cannot play the variant.
        """
        self._settings, self._jobs = settings, jobs
        self._schedule = schedule
        self._halt = threading.Event()
        self._lock = threading.Lock()
        self._started: list[Player] = []
        self._first: dict[int, Player] = {}
        try:
            for index in range(len(settings.players)):
                self._first[index] = self._player(index)
        except BaseException:
            self.close()
            raise
        self.names = _distinct([self._first[index].name for index in range(len(settings.players))])

    def _player(self, index: int) -> Player:
        made = start(self._settings.players[index], self._settings.variant)
        with self._lock:
            self._started.append(made)
        return made

    def halt(self) -> None:
        """End the match soon; games that are not over are not counted."""
        self._halt.set()

    def close(self) -> None:
        """Close all players."""
        for player in self._started:
            player.close()

    def run(self, played: Mapping[int, Played], report: Callable[[Fixture, Played], object]) -> None:
        """Play all games but those in ``played``; ``report`` is told of each, in this thread. Returns early after
        :meth:`halt`. However it ends, every player is closed.

        Raises:
            KomadaiError: a player could not be started again.
        """
        left = iter([fixture for fixture in self._schedule if fixture.number not in played])
        done: queue.Queue[tuple[Fixture, Played] | BaseException | None] = queue.Queue()
        teams = [self._first, *({} for _ in range(self._jobs - 1))]
        workers = [
            threading.Thread(target=self._work, args=(left, team, done), name=f"game-{number}", daemon=True)
            for number, team in enumerate(teams, 1)
        ]
        try:
            for worker in workers:
                worker.start()
            working = len(workers)
            while working:
                try:
                    item = done.get(timeout=_POLL)
                except queue.Empty:
                    continue
                if item is None:
                    working -= 1
                elif isinstance(item, BaseException):
                    raise item
                elif not self._halt.is_set():
                    report(*item)
        finally:
            self._halt.set()
            for worker in workers:
                while worker.is_alive():
                    # A thread may not have entered its search yet, so ask until it ends.
                    with self._lock:
                        started = list(self._started)
                    for player in started:
                        player.stop()
                    worker.join(_WAIT)
            self.close()

    def _work(
        self,
        left: Iterator[Fixture],
        team: dict[int, Player],
        done: queue.Queue[tuple[Fixture, Played] | BaseException | None],
    ) -> None:
        """Play games until none is left, with players of this thread's own."""
        try:
            while not self._halt.is_set():
                with self._lock:
                    fixture = next(left, None)
                if fixture is None:
                    break
                done.put((fixture, self._play(fixture, team)))
        except Halted:
            pass
        except BaseException as error:  # told to the main thread, which raises it
            done.put(error)
        finally:
            done.put(None)

    def _play(self, fixture: Fixture, team: dict[int, Player]) -> Played:
        settings = self._settings
        seats = (fixture.black, fixture.white)
        for index in seats:
            if index not in team:
                team[index] = self._player(index)
            team[index].new_game(settings.lots(fixture, index))
        return play(
            (team[seats[0]], team[seats[1]]),
            settings.opening(fixture).game(settings.variant),
            settings.terms,
            own_limits=(settings.players[seats[0]].limits, settings.players[seats[1]].limits),
            halted=self._halt.is_set,
        )


def _distinct(names: list[str]) -> list[str]:
    """The names, with a number behind those that others have, too."""
    return [
        f"{name} ({names[: index + 1].count(name)})" if names.count(name) > 1 else name
        for index, name in enumerate(names)
    ]
