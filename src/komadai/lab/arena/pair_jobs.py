"""A match whose games are played by workers, on this machine or others, pair by pair.

What a worker sends back is played again by our rules, so that no illegal move and no invented end is counted.
"""

from __future__ import annotations

from collections.abc import Container, Generator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict
from typing import Any

from ... import solve
from ...engine.evaluation import evaluation_hash
from ...errors import NotationError
from ...spec.variant import Variant
from ..jobs import Job, JobAnswer, Pool, Rates, Runner, UnfitError
from .openings import parse_opening
from .players import Spec, hashes, parse_player, start
from .referee import Played, Step, check_played, terms_of
from .tournament import Fixture, Settings, contest, distinct

_WORK = f"{__name__}:work"
_STEP = 5  # of a step's values, those that depend on the position alone


def require_repeatable(settings: Settings) -> None:
    """Check that every machine plays the match alike.

    Raises:
        NotationError: it does not; every reason is named.
    """
    defects = []
    limits = [spec.limits or settings.terms.limits for spec in settings.players if spec.kind != "random"]
    if any(one.time is not None or one.clocks is not None for one in limits):
        defects.append("moves are limited by time, which makes machines differ; expected --nodes N")
    defects += [
        f"{spec.text!r} searches with several threads, which makes games differ; expected threads=1"
        for spec in settings.players
        if int(dict(spec.settings).get("threads", 1)) > 1
    ]
    if defects:
        raise NotationError("a match by workers", defects)


def _evaluation(variant: Variant, specs: Sequence[Spec]) -> str:
    """The hash of the evaluation that players of this program have unless they name another; empty if none does."""
    ours = any(spec.kind == "komadai" and "weights" not in dict(spec.settings) for spec in specs)
    return evaluation_hash(variant) if ours else ""


def _has_table(variant: Variant, specs: Sequence[Spec]) -> bool:
    """True if a player looks into a table of the solved game that is on this machine."""
    looks = any(spec.kind == "komadai" and dict(spec.settings).get("tables") != "off" for spec in specs)
    return looks and solve.obtain(variant) is not None


class PairJobs:
    """The jobs of a match."""

    def __init__(self, settings: Settings) -> None:
        """Raises :class:`NotationError` if the match cannot be repeated."""
        require_repeatable(settings)
        self._settings = settings
        self._content = {
            "players": [spec.text for spec in settings.players],
            "terms": asdict(settings.terms),
            "seed": settings.seed,
            "files": hashes(settings.players),
            "evaluation": _evaluation(settings.variant, settings.players),
            "table": _has_table(settings.variant, settings.players),
        }

    def job(self, pairs: Sequence[int]) -> Job:
        """The job of playing pairs of games."""
        schedule = self._settings.schedule(2)
        openings = [str(self._settings.opening(schedule.fixture(2 * pair))) for pair in pairs]
        content = self._content | {"pairs": list(pairs), "openings": openings}
        return Job(_WORK, self._settings.variant, content, len(pairs))

    def games(self, job: Job, answer: JobAnswer) -> list[tuple[Fixture, Played]]:
        """The games that a worker has played.

        Raises:
            KeyError, TypeError, ValueError: it cannot have played them.
        """
        schedule, found = self._settings.schedule(2), []
        numbers = [2 * pair + second for pair in job.content["pairs"] for second in (0, 1)]
        for number, record, measured in zip(numbers, answer.result, answer.measured, strict=True):
            steps = [[*step, *own] for step, own in zip(record["steps"], measured, strict=True)]
            played = Played.from_record(record | {"steps": steps})
            fixture = schedule.fixture(number)
            check_played(played, self._settings.opening(fixture).game(self._settings.variant), self._settings.terms)
            found.append((fixture, played))
        return found


def _fit(variant: Variant, specs: Sequence[Spec], content: Mapping[str, Any]) -> None:
    """Check that this machine has the files that the players look into.

    Raises:
        UnfitError: it lacks one, or has one that the machine of the match lacks, or plays with another net.
    """
    for path, digest in hashes(specs).items():
        if digest != content["files"][path]:
            raise UnfitError(f"it has no file {path!r}, or another one")
    if _evaluation(variant, specs) != content["evaluation"]:
        raise UnfitError("it has another evaluation of this game")
    if _has_table(variant, specs) != content["table"]:
        has, lacks = ("it has", "the match lacks") if not content["table"] else ("the match has", "it lacks")
        raise UnfitError(f"{has} a table of the solved game, which {lacks}; tables=off plays without")


def work(variant: Variant, content: Mapping[str, Any]) -> tuple[Any, Any]:
    """Play the pairs of a job, at a worker: the games' records, and the speed and the seconds of their moves."""
    specs = tuple(map(parse_player, content["players"]))
    _fit(variant, specs, content)
    openings = [parse_opening(variant, text) for text in content["openings"]]
    settings = Settings(variant, specs, (), terms_of(content["terms"]), content["seed"])
    schedule = settings.schedule(2)
    fixtures = [schedule.fixture(2 * pair + second) for pair in content["pairs"] for second in (0, 1)]
    results, measured = [], []
    with ExitStack() as stack:
        players = {
            index: stack.enter_context(closing(start(specs[index], variant)))
            for index in sorted({fixture.black for fixture in fixtures})
        }
        for number, fixture in enumerate(fixtures):
            played = contest(settings, fixture, openings[number // 2], players)
            results.append(played.record() | {"steps": [list(step[:_STEP]) for step in played.steps]})
            measured.append([list(step[_STEP:]) for step in played.steps])
    return results, measured


assert Step._fields[_STEP:] == ("nps", "seconds")


class SpreadTournament:
    """Has the games that have not been played yet played by the workers of a pool, pair by pair.

    As :class:`.tournament.Tournament`; the players are started here once, so that a bad one is found at once.
    """

    def __init__(self, variant: Variant, players: Sequence[Spec], pool: Pool) -> None:
        """Prepare.

        Raises:
            KomadaiError: a player cannot be started, or cannot play the variant.
        """
        self._pool, self._halted = pool, False
        names = []
        for spec in players:
            with closing(start(spec, variant)) as player:
                names.append(player.name)
        self.names = distinct(names)

    def halt(self) -> None:
        """End the match soon; games that are not over are not counted."""
        self._halted = True

    def close(self) -> None:
        """Abandon the workers."""
        self._pool.close()

    def run(
        self, settings: Settings, games: int, played: Container[int] = ()
    ) -> Generator[tuple[Fixture, Played], None, None]:
        """Have all games of the schedule played except the numbers in ``played``; :meth:`halt` ends that.

        Raises:
            JobError: a player could not be started, workers disagree, or none is left.
            NotationError: the match depends on time.
        """
        pairs = len(settings.schedule(games)) // 2
        left = [pair for pair in range(pairs) if 2 * pair not in played or 2 * pair + 1 not in played]
        work, rates = PairJobs(settings), Rates(pairs, pairs - len(left))
        runner = Runner(self._pool, rates, work.games, units="pairs", halted=lambda: self._halted)
        with closing(runner.run(runner.split(left, work.job))) as found:
            for _, ended in found:
                for fixture, game in ended:
                    if fixture.number not in played and not self._halted:
                        yield fixture, game
