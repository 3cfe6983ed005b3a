"""The games of a match or round robin: which there are, and how they are played side by side."""

from __future__ import annotations

import random
from collections.abc import Callable, Container, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from ...spec.variant import Variant
from .openings import Opening
from .players import Player, Spec, start
from .referee import Halted, Played, Terms, play


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

    Every round is one pair of games in each pairing, from one opening. A game's number does not depend on how many
    there are.
    """

    players: int
    games: int

    @cached_property
    def pairings(self) -> list[tuple[int, int]]:
        """The pairings, in the order of the players given."""
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
    """Everything that determines a game of the match, except its number."""

    variant: Variant
    players: tuple[Spec, ...]
    openings: tuple[Opening, ...]
    terms: Terms
    seed: int = 1

    def schedule(self, games: int) -> Schedule:
        """The games, so many in each pairing."""
        return Schedule(len(self.players), games)

    def opening(self, fixture: Fixture) -> Opening:
        """The opening of a game; they are used in turn."""
        return self.openings[fixture.round % len(self.openings)]

    def lots(self, fixture: Fixture, player: int) -> int:
        """The seed of a player in a game."""
        return random.Random(f"{self.seed} {fixture.number} {player}").getrandbits(63)


def contest(
    settings: Settings,
    fixture: Fixture,
    opening: Opening,
    players: Mapping[int, Player],
    halted: Callable[[], bool] = lambda: False,
) -> Played:
    """Play a game of the match, with players, by their numbers, who know nothing of the games before it.

    Raises:
        Halted: ``halted`` said so.
        KomadaiError: a player could not be started again.
    """
    black, white = fixture.black, fixture.white
    for index in (black, white):
        players[index].new_game(settings.lots(fixture, index))
    return play(
        (players[black], players[white]),
        opening.game(settings.variant),
        settings.terms,
        own_limits=(settings.players[black].limits, settings.players[white].limits),
        halted=halted,
    )


class Tournament:
    """Plays games that have not been played yet, one after the other."""

    def __init__(self, variant: Variant, players: Sequence[Spec]) -> None:
        """Start the players, so that a bad one is found before anything else is done.

        Raises:
            KomadaiError: a player cannot be started, or cannot play the variant.
        """
        self._halted = False
        with ExitStack() as stack:
            self._players = {
                index: stack.enter_context(closing(start(spec, variant))) for index, spec in enumerate(players)
            }
            self._started = stack.pop_all()
        self.names = distinct([player.name for player in self._players.values()])

    def halt(self) -> None:
        """End the match soon; a game that is not over is not counted. A signal's handler may call it."""
        self._halted = True
        for player in self._players.values():
            player.stop()

    def close(self) -> None:
        """Close all players."""
        self._started.close()

    def run(
        self, settings: Settings, games: int, played: Container[int] = ()
    ) -> Generator[tuple[Fixture, Played], None, None]:
        """Play all games of the schedule except the numbers in ``played``; :meth:`halt` ends that.

        Args:
            settings: of the same variant and players.
            games: the number in each pairing.

        Raises:
            KomadaiError: a player could not be started again.
        """
        with suppress(Halted):
            for fixture in settings.schedule(games):
                if self._halted:
                    return
                if fixture.number not in played:
                    opening = settings.opening(fixture)
                    yield fixture, contest(settings, fixture, opening, self._players, lambda: self._halted)


def distinct(names: list[str]) -> list[str]:
    """The names, with a number behind those that others have, too."""
    return [
        f"{name} ({names[: index + 1].count(name)})" if names.count(name) > 1 else name
        for index, name in enumerate(names)
    ]
