"""Read mutated files in processes of their own, within limits of memory and time, and count what becomes of them."""

from __future__ import annotations

import multiprocessing
import re
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from random import Random
from typing import Any

import click

from komadai.record import FORMATS, Format

from .judge import judged
from .mutator import mutated
from .seeds import Seed, files

MOST_MEMORY = 200  # MB of a process that reads
MOST_SECONDS = 10.0  # of the processor for a file
_GAMES, _PIECE = 60, 10_000
Counts = Counter[tuple[str, str]]


def case(number: int, seed: int, seeds: Sequence[Seed]) -> tuple[Seed, bytes, Format | None]:
    """The file of a number, and the format as which it is read: mostly its own, else what is detected."""
    chance = Random(f"{seed} {number}")
    given, data = mutated(chance, seeds)
    return given, data, given.form if chance.random() < 0.8 else None


def _read(seed: int, start: int, stop: int, pipe: Connection, reached: Synchronized[int]) -> None:
    """Read the files from one number up to another; tell what is wrong at once, and the counts in the end."""
    resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
    seeds, counts = files(Random(seed), _GAMES), Counts()
    for number in range(start, stop):
        reached.value = number
        given, data, form = case(number, seed, seeds)
        signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)  # its signal ends the process
        verdict = judged(data, form)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        counts[given.form, verdict.outcome] += 1
        if verdict.why:
            pipe.send((number, given.form, verdict.why, data))
        if (memory := most_memory()) > MOST_MEMORY:
            counts[given.form, "wrong"] += 1
            pipe.send((number, given.form, f"takes {memory:.0f} MB", data))
            stop = number + 1
            break
    pipe.send((stop, counts, most_memory()))


def most_memory() -> float:
    """The most that this program has taken, in MB; ``getrusage`` counts the program that has started it, too."""
    found = re.search(r"VmHWM:\s*([0-9]+)", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found[1]) / 1024


class _Worker:
    """A process that reads a piece of the files."""

    def __init__(self, seed: int, start: int, stop: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.stop, self.ended, self.reached = stop, False, context.Value("q", -1)
        self.pipe, child = context.Pipe(duplex=False)
        self.process = context.Process(target=_read, args=(seed, start, stop, child, self.reached), daemon=True)
        self.process.start()
        child.close()


class _Run:
    """All processes, and what they told."""

    def __init__(self, seed: int, out: Path | None) -> None:
        self.seed, self.out = seed, out
        self.counts, self.peak, self.faults = Counts(), 0.0, 0
        self.seeds = files(Random(seed), _GAMES)

    def go(self, first: int, count: int, workers: int) -> None:
        """Read so many files."""
        left = [(start, min(start + _PIECE, first + count)) for start in range(first, first + count, _PIECE)][::-1]
        at_work = list[_Worker]()
        begun = time.monotonic()
        while left or at_work:
            while left and len(at_work) < workers:
                at_work.append(_Worker(self.seed, *left.pop()))
            for pipe in wait([worker.pipe for worker in at_work]):
                worker = next(worker for worker in at_work if worker.pipe is pipe)
                rest = self._told(worker)
                if worker.ended:
                    at_work.remove(worker)
                    left += [(rest, worker.stop)] if rest < worker.stop else []
                    print(f"{time.monotonic() - begun:.0f} s: {sum(self.counts.values())} files", flush=True)

    def _told(self, worker: _Worker) -> int:
        """Hear a worker; return the number with which to go on once it has ended."""
        try:
            told: Any = worker.pipe.recv()
        except EOFError:
            worker.process.join()
            worker.ended, number = True, worker.reached.value
            if worker.process.exitcode == 1:
                raise SystemExit("the fuzzer itself has failed") from None
            given, data, _form = case(number, self.seed, self.seeds)
            code = worker.process.exitcode
            self.counts[given.form, "wrong"] += 1
            self._fault(number, given.form, "hangs" if code == -signal.SIGVTALRM else f"ends the process: {code}", data)
            return number + 1
        if len(told) == 4:
            self._fault(*told)
            return 0
        stop, counts, peak = told
        worker.process.join()
        worker.ended = True
        self.counts += counts
        self.peak = max(self.peak, peak)
        return int(stop)

    def _fault(self, number: int, form: str, why: str, data: bytes) -> None:
        self.faults += 1
        print(f"file {number}, {form}: {why}", flush=True)
        if self.out is not None and self.faults <= 1000:
            self.out.mkdir(parents=True, exist_ok=True)
            (self.out / f"{number}.{form}").write_bytes(data)


@click.command(context_settings={"show_default": True})
@click.option("--files", default=10_000, help="How many.")
@click.option("--first", default=0, help="The number of the first.")
@click.option("--seed", default=1, help="What all chance hangs on.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, metavar="N", help="Processes that read.")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="A folder for the files that are read wrongly.",
)
def main(files: int, first: int, seed: int, jobs: int, output: Path | None) -> None:
    """Read mutated files of records; the exit status is 1 if any was not read or refused as it should be."""
    run = _Run(seed, output)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):  # and say what there is so far
        run.go(first, files, jobs)
    outcomes = ("read", "refused", "wrong")
    print(f"{'':6}{'files':>10}" + "".join(f"{outcome:>10}" for outcome in outcomes))
    for form in (*FORMATS, "all"):
        counts = [
            sum(count for (of, what), count in run.counts.items() if form in (of, "all") and what == outcome)
            for outcome in outcomes
        ]
        print(f"{form:6}{sum(counts):>10}" + "".join(f"{count:>10}" for count in counts))
    print(f"largest memory {run.peak:.0f} MB")
    sys.exit(bool(run.faults))
