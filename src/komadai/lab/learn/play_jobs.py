"""Games of the engine with itself as jobs, and the file that they are kept in.

The file holds the games in the order of their numbers, up to the one with which there are enough positions: the same
bytes however many workers play them, and however often playing is interrupted.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from math import ceil
from typing import Any

from ...engine.evaluation import evaluation_hash
from ...errors import LearnError
from ...i18n import _
from ...spec.variant import Variant
from ..jobs import Job, JobAnswer, Pool, Rates, Runner, UnfitError
from .data import Ledger, Played, packed, unpacked
from .self_play import SelfPlay, Settings, check_played

_WORK = f"{__name__}:work"
_QUIET = 30  # positions of a game, at first guess
_BARREN = 500  # games without a quiet position, after which there will be none


def play_until(
    ledger: Ledger,
    variant: Variant,
    settings: Settings,
    wanted: int,
    *,
    pool: Pool | None = None,
    progress: Callable[[], object] = lambda: None,
) -> None:
    """Play on until the file holds so many quiet positions.

    Args:
        ledger: the file, of this variant and these settings.
        pool: workers that play; ``None``: this process.
        progress: called after each game.

    Raises:
        LearnError: the file cannot be written, or games of this variant have no quiet positions.
        JobError: workers disagree, or none is left.
    """
    if ledger.quiet >= wanted:
        return
    if pool is None:
        player = SelfPlay(variant, settings)
        while ledger.quiet < wanted:
            _keep(ledger, player.game(ledger.games))
            progress()
        return

    def read(job: Job, answer: JobAnswer) -> list[Played]:
        games = [unpacked(b64decode(text, validate=True)) for text in answer.result]
        first = job.content["first"]
        if [game.number for game in games] != list(range(first, first + job.size)):
            raise ValueError("these are other games")
        for game in games:
            check_played(variant, settings, game)
        return games

    rates = Rates(_estimate(ledger, wanted), ledger.games)
    runner = Runner(pool, rates, read)
    waiting: dict[int, Played] = {}
    jobs = _jobs(variant, settings, ledger.games, rates, lambda: runner.workers)
    with closing(runner.run(jobs)) as done:
        for _job, games in done:
            waiting.update((game.number, game) for game in games)
            while ledger.quiet < wanted and ledger.games in waiting:
                _keep(ledger, waiting.pop(ledger.games))
                progress()
            rates.total = max(_estimate(ledger, wanted), rates.done)
            if ledger.quiet >= wanted:
                return


def _keep(ledger: Ledger, game: Played) -> None:
    ledger.add(game)
    if not ledger.quiet and ledger.games >= _BARREN:
        raise LearnError(_("{count} games have no quiet position; there is nothing to learn from", count=ledger.games))


def _estimate(ledger: Ledger, wanted: int) -> int:
    """How many games it will be."""
    each = ledger.quiet / ledger.games if ledger.quiet else _QUIET
    return max(ledger.games + ceil((wanted - ledger.quiet) / each), ledger.games)


def _jobs(variant: Variant, settings: Settings, first: int, rates: Rates, workers: Callable[[], int]) -> Iterator[Job]:
    while True:
        count = rates.units(max(rates.total - first, 1), workers())
        yield Job(_WORK, variant, {**settings.data(), "first": first, "count": count}, count)
        first += count


def work(variant: Variant, content: Mapping[str, Any]) -> tuple[Any, Any]:
    """Play the games of a job, at a worker: each as the file has it, in Base64."""
    settings = Settings.read(content)
    if evaluation_hash(variant) != settings.evaluation:
        raise UnfitError("it has another evaluation of this game")
    player = SelfPlay(variant, settings)
    numbers = range(content["first"], content["first"] + content["count"])
    return [b64encode(packed(player.game(number))).decode() for number in numbers], None
