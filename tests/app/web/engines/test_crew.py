"""Questions in processes: they begin when there is much to do, and answer as threads do."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from multiprocessing import util
from multiprocessing.synchronize import SemLock
from pathlib import Path

import pytest

from helpers import chores
from komadai import variants
from komadai.app.web.engines import crew as crews
from komadai.app.web.engines.crew import WorkLostError
from komadai.app.web.engines.rate_limits import RateLimits
from komadai.app.web.engines.turns import NOBODY
from komadai.app.web.engines.work_queue import WorkQueue
from komadai.app.web.http.responses import ProblemError
from komadai.errors import NotationError
from komadai.i18n import speaking
from komadai.variants import Entry
from komadai.workshop import load, register
from komadai.workshop.starting import start_text

WIDE = RateLimits(work=(100, 1000))


@contextmanager
def questions() -> Iterator[WorkQueue]:
    queue = WorkQueue(WIDE)
    try:
        yield queue
    finally:
        queue.close()


async def apart(queue: WorkQueue) -> int:
    """The id of a process that answers, once one does."""
    for _attempt in range(6000):
        if (there := await queue.run(NOBODY, chores.where)) != os.getpid():
            return there
        await asyncio.sleep(0.01)
    pytest.fail("no process answers")


@asynccontextmanager
async def processes(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WorkQueue]:
    """A queue whose processes begin at once, and have begun."""
    monkeypatch.setattr(crews, "_BURST", 1e-9)
    monkeypatch.setattr(crews, "_RATE", 0.0)
    with questions() as queue:
        await apart(queue)
        yield queue


async def test_few_questions_start_no_process() -> None:
    with questions() as queue:
        for _number in range(20):
            assert await queue.run(NOBODY, chores.where) == os.getpid()
        assert queue._crew is not None
        assert queue._crew._pool is None


async def test_threads_that_have_computed_much_are_relieved(monkeypatch: pytest.MonkeyPatch) -> None:
    spent = iter([crews._BURST / 2, crews._BURST / 2, crews._BURST / 2])
    monkeypatch.setattr(crews, "_RATE", 0.0)

    crew = crews.Crew(1)
    try:
        started = [(crew.count(next(spent)), crew._pool is not None)[1] for _number in range(3)]
    finally:
        crew.close()
    assert started == [False, False, True]


def test_a_tab_of_a_browser_has_only_threads() -> None:
    assert WorkQueue(WIDE, alone=True)._crew is None


async def test_a_process_answers_in_the_language_of_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    async with processes(monkeypatch) as queue:
        for language in ("en", "ja"):
            with speaking(language):
                assert await queue.run(NOBODY, chores.language) == language


async def test_errors_of_a_process_are_those_of_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    async with processes(monkeypatch) as queue:
        with pytest.raises(NotationError) as listed:
            await queue.run(NOBODY, chores.refuse, "notation")
        assert listed.value.defects == ("one", "two")
        with pytest.raises(ProblemError) as problem:
            await queue.run(NOBODY, chores.refuse, "problem")
        assert (problem.value.status, str(problem.value), problem.value.links) == (418, "a teapot", {"/tea": "Tea"})
        with pytest.raises(RuntimeError, match="1 and 2"):
            await queue.run(NOBODY, chores.refuse, "odd")
        assert await queue.run(NOBODY, chores.where) != os.getpid(), "the process is still there"


@pytest.mark.parametrize("source", ["file", "variant"])
async def test_a_process_knows_the_variants_of_its_server(
    source: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(variants, "_registered", {})
    path = tmp_path / "lantern.toml"
    path.write_text(start_text("lantern"), encoding="utf-8")
    made = register(path if source == "file" else load(path))

    async with processes(monkeypatch) as queue:
        assert await queue.run(NOBODY, chores.where) != os.getpid()
        assert await queue.run(NOBODY, chores.knows, "lantern") == made.name


async def test_variants_that_cannot_be_pickled_keep_questions_in_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variants, "_registered", {"lantern": Entry(lambda: load("nowhere"))})

    crew = crews.Crew(1)
    for _attempt in range(2):
        crew.count(1e9)
        assert crew._pool is None


async def test_a_process_does_not_begin_the_main_script(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("raise SystemExit('begun again')")
    monkeypatch.setattr(sys.modules["__main__"], "__file__", str(script), raising=False)
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", None, raising=False)

    async with processes(monkeypatch) as queue:
        assert await queue.run(NOBODY, chores.where) != os.getpid()


async def test_a_lost_process_is_said_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    async with processes(monkeypatch) as queue:
        before = await queue.run(NOBODY, chores.where)
        with pytest.raises(WorkLostError):
            await queue.run(NOBODY, chores.die)
        assert await apart(queue) != before


async def test_nothing_of_the_processes_is_left_in_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crews, "_BURST", 1e-9)
    kept: list[int] = []

    def semaphores() -> None:
        kept.append(sum(one._callback is SemLock._cleanup for one in list(util._finalizer_registry.values())))  # type: ignore[attr-defined]

    semaphores()
    with questions() as queue:
        await apart(queue)
        semaphores()
    semaphores()
    before, meanwhile, after = kept
    assert before == after < meanwhile


async def test_a_closed_queue_starts_no_process() -> None:
    crew = crews.Crew(1)
    crew.close()
    crew.count(1e9)
    assert crew._pool is None


async def test_processes_end_with_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    pids: list[int] = []

    async with processes(monkeypatch) as queue:
        pids.append(await queue.run(NOBODY, chores.where))
    for _attempt in range(3000):
        if not os.path.exists(f"/proc/{pids[0]}/stat"):
            break
        with open(f"/proc/{pids[0]}/stat") as file:
            if file.read().rpartition(")")[2].split()[0] == "Z":
                break
        time.sleep(0.01)
    else:
        pytest.fail("the process still runs")
