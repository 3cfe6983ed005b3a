"""The games of a report card as jobs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import Any

from ...spec.variant import Variant
from ..jobs import Job, JobAnswer, Pool, Rates, Runner
from .report import Report

_WORK = f"{__name__}:work"


def play_all(report: Report, pool: Pool, progress: Callable[[], object] = lambda: None) -> None:
    """Have all games of a report, none of which has been played, played by workers; ``progress`` is called after each
    job.

    Raises:
        JobError: workers disagree, or none is left.
    """

    def read(job: Job, answer: JobAnswer) -> Mapping[str, Any]:
        trial = Report(report.variant, games=job.size)
        trial.add(answer.result)
        if trial.played != job.size:
            raise ValueError(f"there are {trial.played} games instead of {job.size}")
        return trial.sums()

    def job(numbers: Sequence[int]) -> Job:
        asked = {"nodes": report.nodes, "seed": report.seed, "opening": report.opening}
        return Job(_WORK, report.variant, {**asked, "first": numbers[0], "count": len(numbers)}, len(numbers))

    runner = Runner(pool, Rates(report.games), read)
    with closing(runner.run(runner.split(range(report.games), job))) as done:
        for _, sums in done:
            report.add(sums)
            progress()


def work(variant: Variant, content: Mapping[str, Any]) -> tuple[Any, Any]:
    """Play the games of a job, at a worker: their sums."""
    asked = {name: content[name] for name in ("nodes", "seed", "opening")}
    report = Report(variant, games=content["count"], **asked)
    report.play_these(range(content["first"], content["first"] + content["count"]))
    return report.sums(), None
