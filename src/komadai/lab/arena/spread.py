"""A match whose games are played by workers, on this machine or others."""

from __future__ import annotations

import threading
from collections.abc import Callable, Container, Sequence
from contextlib import closing

from ...spec.variant import Variant
from ..jobs import Pool, Rates, Runner
from .pair_jobs import PairJobs
from .players import Spec, start
from .referee import Played
from .tournament import Fixture, Settings, distinct


class SpreadTournament:
    """Has the games that have not been played yet played by the workers of a pool, pair by pair.

    As :class:`.tournament.Tournament`; the players are started here once, so that a bad one is found at once.
    """

    def __init__(
        self,
        variant: Variant,
        players: Sequence[Spec],
        pool: Pool,
    ) -> None:
        """Prepare.

        Raises:
            KomadaiError: a player cannot be started, or cannot play the variant.
        """
        self._pool = pool
        self._halt = threading.Event()
        names = []
        for spec in players:
            with closing(start(spec, variant)) as player:
                names.append(player.name)
        self.names = distinct(names)

    def halt(self) -> None:
        """End the match soon; games that are not over are not counted."""
        self._halt.set()

    def close(self) -> None:
        """Abandon the workers."""
        self._pool.close()

    def run(
        self,
        settings: Settings,
        games: int,
        report: Callable[[Fixture, Played], object],
        *,
        played: Container[int] = (),
    ) -> None:
        """Have all games of the schedule played except the numbers in ``played``.

        Args:
            report: called with each finished game. It may call :meth:`halt`.

        Raises:
            JobError: a player could not be started, workers disagree, or none is left.
            NotationError: the match depends on time.
        """
        pairs = len(settings.schedule(games)) // 2
        left = [pair for pair in range(pairs) if 2 * pair not in played or 2 * pair + 1 not in played]
        work, rates = PairJobs(settings), Rates(pairs, pairs - len(left))
        runner = Runner(self._pool, rates, work.games, units="pairs", halted=self._halt.is_set)
        with closing(runner.run(runner.split(left, work.job))) as found:
            for _, ended in found:
                for fixture, game in ended:
                    if fixture.number not in played and not self._halt.is_set():
                        report(fixture, game)
