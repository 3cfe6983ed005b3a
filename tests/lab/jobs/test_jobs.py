"""Jobs: their ids, and a runner whose workers are lost, of another version, or lie."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Future
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import komadai
from komadai.errors import EngineError
from komadai.lab.jobs import Job, JobAnswer, JobError, Pool, Rates, Runner, UnfitError, perform
from komadai.lab.jobs.job import canonical
from komadai.lab.jobs.rates import LENGTH, duration

NANA = komadai.variant("nana")
WORK = "komadai.lab.jobs.trial:work"  # as if it were a module of the package: see the fixture


def doubled(variant: komadai.Variant, content: Mapping[str, Any]) -> tuple[Any, Any]:
    """The work of these tests."""
    if content.get("unfit"):
        raise UnfitError("it has no book")
    if content.get("broken"):
        raise EngineError("cannot start 'x'")
    return 2 * content["number"], None


@pytest.fixture(autouse=True)
def _trial(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("komadai.lab.jobs.trial")
    module.work = doubled  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "komadai.lab.jobs.trial", module)


def job(number: int, **more: object) -> Job:
    return Job(WORK, NANA, {"number": number, **more})


Worker = Callable[[Mapping[str, Any]], Any]


class Scripted(Pool):
    """Workers as the test has them; each job goes to the next of them that is not refused."""

    def __init__(self, *workers: Worker) -> None:
        self.workers = {f"w{index}": worker for index, worker in enumerate(workers)}
        self.refused: dict[str, str] = {}
        self.renewed = self.submitted = 0

    def submit(self, data: Mapping[str, Any]) -> Future[Any]:
        fit = [name for name in self.workers if name not in self.refused]
        if not fit:
            raise JobError("all workers are refused")
        name = fit[self.submitted % len(fit)]
        self.submitted += 1
        answer = self.workers[name](data)
        future: Future[Any] = Future()
        if isinstance(answer, BaseException):
            future.set_exception(answer)
        else:
            future.set_result(answer | {"worker": name} if isinstance(answer, dict) else answer)
        return future

    def size(self) -> int:
        return len(self.workers) - len(self.refused)

    def refuse(self, worker: str, why: str) -> None:
        self.refused[worker] = why

    def renew(self) -> None:
        self.renewed += 1

    def close(self) -> None:
        """Nothing is open."""


def honest(data: Mapping[str, Any]) -> dict[str, Any]:
    return perform(data, "")


def read(_: Job, answer: JobAnswer) -> int:
    if answer.result % 2:
        raise ValueError("it is odd")
    return int(answer.result)


class Run:
    """The outcome of a run of twenty jobs."""

    def __init__(self, pool: Scripted, count: int = 20, **more: Any) -> None:
        self.log: list[str] = []
        pool.log = self.log.append
        self.rates = Rates(count, clock=lambda: 0.0)
        self.runner = Runner(pool, self.rates, read, clock=lambda: 0.0, **more)
        self.found = {one.content["number"]: value for one, value in self.runner.run(map(job, range(count)))}


ALL = {number: 2 * number for number in range(20)}


# --- Jobs ---


@given(st.dictionaries(st.text(), st.recursive(st.none() | st.integers() | st.text(), st.lists), max_size=4))
def test_an_id_is_the_hash_of_the_content(content: dict[str, Any]) -> None:
    backwards = dict(reversed(content.items()))
    one, two = Job(WORK, NANA, content), Job(WORK, NANA, backwards, size=7)
    assert one.id == two.id
    assert canonical(content) == canonical(backwards)
    assert one.id != Job(WORK, NANA, content | {"other": 1}).id
    assert one.id != Job(WORK, komadai.variant("mortal"), content).id


def test_a_job_of_a_variant_file_takes_the_file_along() -> None:
    edited = replace(NANA, id="nana-two", rules=NANA.rules[:-1])
    assert perform(Job(WORK, edited, {"number": 4}).data, "w")["result"] == 8


# --- Workers that are lost ---


def test_honest_workers_do_every_job_once() -> None:
    pool = Scripted(honest, honest)
    run = Run(pool)
    assert (run.found, run.log, pool.submitted) == (ALL, [], 20)


def test_a_broken_executor_is_renewed_and_nothing_is_lost() -> None:
    times = iter(range(100))
    pool = Scripted(lambda data: BrokenExecutor() if next(times) % 5 == 2 else honest(data))
    run = Run(pool)
    assert run.found == ALL
    assert pool.renewed >= 4


def test_a_job_that_fails_ends_the_run() -> None:
    with pytest.raises(JobError, match="a job has failed: MemoryError: too much"):
        Run(Scripted(lambda data: MemoryError("too much")))


def test_a_run_ends_when_it_is_halted() -> None:
    assert Run(Scripted(honest), halted=lambda: True).found == {}


# --- Workers that do not fit ---


LIES: list[tuple[Worker, str]] = [
    (lambda data: [1], "its answer is not of the schema komadai-job/1"),
    (lambda data: honest(data) | {"schema": "komadai-job/0"}, "its answer is not of the schema"),
    (lambda data: honest(data) | {"id": "0" * 64}, "its answer is to the job 000000000000, not to"),
    (lambda data: honest(data) | {"version": "0.1.0"}, "its answer is of the version 0.1.0, not"),
    (lambda data: honest(data) | {"rules": "f" * 64}, "its answer is of the rules ffffffffffff, not"),
    (lambda data: honest(data) | {"seconds": "long"}, "its answer lacks the result or the seconds"),
    (lambda data: honest(data) | {"seconds": float("nan")}, "its answer lacks the result or the seconds"),
    (lambda data: honest(data) | {"result": 1}, "its answer cannot be right: it is odd"),
    (lambda data: honest(data) | {"result": None}, "its answer cannot be right: unsupported operand"),
    (lambda data: honest({**data, "version": "0.0.1"}), "and the job is of 0.0.1"),
    (
        lambda data: honest({**data, "variant": {**data["variant"], "rules": "e" * 64}}),
        "follows other rules than nana has here: eeeeeeeeeeee",
    ),
]


@pytest.mark.parametrize(("lie", "words"), LIES)
def test_a_worker_that_does_not_fit_is_refused_and_its_jobs_are_done_by_others(lie: Worker, words: str) -> None:
    pool = Scripted(honest, lie, honest)
    run = Run(pool)
    assert run.found == ALL
    assert [line for line in run.log if words in line and " is refused: " in line], run.log
    assert len(run.log) == len(pool.refused) == 1


def test_a_run_without_a_worker_that_fits_ends() -> None:
    with pytest.raises(JobError, match="all workers are refused"):
        Run(Scripted(LIES[3][0]))


def test_what_a_worker_lacks_and_what_all_lack() -> None:
    runner = Runner(Scripted(honest), Rates(1), read)
    with pytest.raises(JobError, match="all workers are refused"):
        list(runner.run(iter([job(1, unfit=True)])))
    with pytest.raises(JobError, match="w0: cannot start 'x'"):
        list(Runner(Scripted(honest), Rates(1), read).run(iter([job(1, broken=True)])))


# --- Rates ---


def test_jobs_are_as_long_as_suits_and_short_at_the_end() -> None:
    rates = Rates(1000)
    assert rates.units(1000, 4) == 1, "nothing is known yet"
    rates.add(4, 8.0)
    assert rates.units(996, 4) == LENGTH / 2
    assert rates.units(40, 4) == 5
    assert rates.units(3, 4) == 1
    rates.add(1, 0.0)
    assert 1 <= rates.units(10_000, 4) <= 1250
    fast = Rates(10)
    fast.add(1, 0.0)
    assert fast.units(9, 1) == 5


def test_what_is_left_in_words() -> None:
    now: Iterator[float] = iter([0.0, 60.0, 60.0, 60.0])
    rates = Rates(110, known=10, clock=lambda: next(now))
    rates.done = 10
    assert rates.left is None
    rates.add(50, 100.0)
    assert rates.line("pairs") == "60 of 110 pairs, 50 a minute, 1 min 00 s left"
    assert [duration(seconds) for seconds in (5, 125, 7500)] == ["5 s", "2 min 05 s", "2 h 05 min"]
