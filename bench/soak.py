"""A server under people for hours: does its memory stay what it was?

The server runs as users start it, with its usual limits. At it are 2,000 pages of people at 64 addresses: they play
each other and the computer, leave, come back, look on, analyse, study, import, and open pages, all of it ten times as
often as people do. Each minute is a line of figures. The verdict at the end is about memory: after the first ten
minutes the least-squares line through it may rise or fall by 10 %, and the largest value be 10 % above the smallest.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import resource
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import click
from people import Crowd, Seen
from serving import MEGABYTE, Serving, percentile, server

FLAT = 0.1  # share by which memory may differ
LEAST = 5  # samples for a verdict
_WIDTH = 10  # of a column


@dataclass(frozen=True)
class Plan:
    """How many people come, and for how long; the numbers are those of ``main``."""

    minutes: float
    sockets: int
    games: int
    computer: int
    times: float
    every: float
    analysts: int = 4
    students: int = 10
    visitors: int = 10


@dataclass(frozen=True)
class Sample:
    """A line of figures.

    Attributes:
        minutes: since the start. ``memory``: MB of the server; ``children``: of the processes that it has started.
        loop: share of a core that the event loop takes; ``rest``: what all else of the server takes.
        games: being played. ``acts``: done since the sample before; ``p50`` and ``p99``: milliseconds of its moves.
        store: MB on the disk. ``log``: bytes of the server's log.
    """

    minutes: float
    memory: float
    children: float
    processes: int
    files: int
    sockets: int
    games: int
    acts: int
    moves: int
    p50: float
    p99: float
    refused: int
    faults: int
    loop: float
    rest: float
    store: float
    log: int


@dataclass(frozen=True)
class Flatness:
    """How far some values are from being the same.

    Attributes:
        rise: of the least-squares line from the first to the last, as a share of the mean.
        width: of the largest over the smallest, as a share.
    """

    rise: float
    width: float

    @classmethod
    def of(cls, times: Sequence[float], values: Sequence[float]) -> Flatness:
        """The flatness of values at these times."""
        slope = statistics.linear_regression(times, values).slope
        return cls(slope * (times[-1] - times[0]) / statistics.fmean(values), max(values) / min(values) - 1)

    @property
    def flat(self) -> bool:
        return abs(self.rise) <= FLAT and self.width <= FLAT


def verdict(samples: Sequence[Sample], warm: float) -> tuple[bool, str]:
    """True if memory was flat after ``warm`` minutes, and the reason in words."""
    later = [sample for sample in samples if sample.minutes >= warm]
    if len(later) < LEAST:
        return False, f"no verdict: {len(later)} samples after the first {warm:g} minutes, where {LEAST} are needed"
    times, flat, words = [sample.minutes for sample in later], True, []
    for name, values in (
        ("the server's memory", [sample.memory for sample in later]),
        ("with its children's", [sample.memory + sample.children for sample in later]),
    ):
        found = Flatness.of(times, values)
        flat = flat and found.flat
        words.append(
            f"{name} was {min(values):.0f} to {max(values):.0f} MB ({found.width:+.1%}), its line {found.rise:+.1%}"
        )
    return flat, f"{'flat' if flat else 'NOT FLAT'} after {warm:g} minutes: " + "; ".join(words)


class Watcher:
    """Looks at a server and its people every now and then."""

    def __init__(self, serving: Serving, crowd: Crowd, folder: Path, log: Path) -> None:
        self._process, self._crowd, self._folder, self._log = serving.process, crowd, folder, log
        self._began = self._last = time.monotonic()
        self._used = self._process.seconds, self._process.loop_seconds
        self.done, self.refused, self.faults = Counter[str](), Counter[str](), list[str]()

    def look(self) -> Sample:
        """Take a sample of what has happened since the last."""
        process, seen, self._crowd.seen = self._process, self._crowd.seen, Seen()
        now, used = time.monotonic(), (process.seconds, process.loop_seconds)
        spent, loop = (new - old for new, old in zip(used, self._used, strict=True))
        seconds, self._last, self._used = now - self._last, now, used
        children = []
        for child in process.descendants:
            with contextlib.suppress(OSError):  # ended in the meantime
                children.append(child.memory)
        self.done += seen.done
        self.refused += seen.refused
        self.faults += seen.faults
        return Sample(
            minutes=round((now - self._began) / 60, 2),
            memory=round(process.memory, 1),
            children=round(sum(children), 1),
            processes=len(children),
            files=process.files,
            sockets=process.sockets,
            games=len(self._crowd.games),
            acts=seen.done.total(),
            moves=len(seen.took),
            p50=round(percentile(seen.took, 0.5), 1),
            p99=round(percentile(seen.took, 0.99), 1),
            refused=seen.refused.total(),
            faults=len(seen.faults),
            loop=round(loop / seconds, 3),
            rest=round((spent - loop) / seconds, 3),
            store=round(sum(path.stat().st_size for path in self._folder.glob("games.sqlite3*")) / MEGABYTE, 1),
            log=self._log.stat().st_size,
        )


def titles() -> str:
    """The line above the samples."""
    return "".join(f"{each.name:>{_WIDTH}}" for each in fields(Sample))


def line(sample: Sample) -> str:
    """A sample as a line of a table."""
    return "".join(f"{value:>{_WIDTH}}" for value in asdict(sample).values())


async def soak(serving: Serving, folder: Path, log: Path, plan: Plan, lines: Path | None) -> list[Sample]:
    """Let people come, and look at them and the server until the time is over."""
    crowd = Crowd(serving.port, plan.times)
    watchers = plan.sockets - 2 * plan.games - plan.computer - plan.analysts
    habits = [crowd.play] * plan.games + [crowd.challenge] * plan.computer + [crowd.watch] * max(0, watchers)
    habits += [crowd.analyse] * plan.analysts + [crowd.study] * plan.students + [crowd.visit] * plan.visitors
    watcher, samples = Watcher(serving, crowd, folder, log), list[Sample]()
    until = time.monotonic() + plan.minutes * 60
    print(titles(), flush=True)
    people = [asyncio.create_task(crowd.habit(once)) for once in habits]
    try:
        while time.monotonic() < until:
            await asyncio.sleep(min(plan.every, max(0.1, until - time.monotonic())))
            samples.append(watcher.look())
            print(line(samples[-1]), flush=True)
            if lines is not None:
                with lines.open("a") as file:
                    file.write(json.dumps(asdict(samples[-1])) + "\n")
    finally:
        for one in people:
            one.cancel()
        ended = await asyncio.gather(*people, return_exceptions=True)
    defects = [repr(error) for error in ended if not isinstance(error, asyncio.CancelledError)]
    print("done:", ", ".join(f"{count} {name}" for name, count in watcher.done.most_common()))
    for name, found in (("refused", watcher.refused), ("failed", Counter(watcher.faults + defects))):
        print(f"{name}: {found.total()}", *(f"{count} × {what}" for what, count in found.most_common(8)), sep="\n  ")
    return samples


@click.command(context_settings={"show_default": True})
@click.option("--minutes", default=100.0, help="How long.")
@click.option("--sockets", default=2000, help="WebSockets open at a time; who neither plays nor analyses looks on.")
@click.option("--games", default=100, help="Games between two people at a time.")
@click.option("--computer", default=2, help="Games against the computer at a time.")
@click.option("--times", default=10.0, help="How much more often people act than they usually do.")
@click.option("--warm", default=10.0, help="Minutes at the beginning that the verdict leaves out.")
@click.option("--every", default=60.0, help="Seconds from sample to sample.")
@click.option("--data", metavar="URL", help="A PostgreSQL database, in place of a file.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A file to which each sample adds a line.",
)
@click.option(
    "--log", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Where the server's log is kept."
)
@click.option(
    "--read",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Only judge the samples of such a file.",
)
def main(
    minutes: float,
    sockets: int,
    games: int,
    computer: int,
    times: float,
    warm: float,
    every: float,
    data: str | None,
    output: Path | None,
    log: Path | None,
    read: Path | None,
) -> None:
    """Print a line of figures each minute and, at the end, whether memory was flat; if not, the exit status is 1."""
    if read is not None:
        samples = [Sample(**json.loads(text)) for text in read.read_text().splitlines()]
    else:
        plan = Plan(minutes, sockets, games, computer, times, every)
        _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        with tempfile.TemporaryDirectory() as place:
            folder, log = Path(place), log or Path(place) / "log"
            with server(folder, data, log=log) as serving:
                samples = asyncio.run(soak(serving, folder, log, plan, output))
            written = log.read_text(errors="replace")
            print(f"the server's log has {len(written.splitlines())} lines", written[:2000], sep="\n")
    flat, words = verdict(samples, warm)
    worst = max(samples, key=lambda sample: sample.p99)
    p50, p99 = (statistics.median(getattr(sample, name) for sample in samples) for name in ("p50", "p99"))
    print(f"moves: p50 {p50} ms, p99 {p99} ms in the median minute and {worst.p99} ms in the worst")
    print(words)
    sys.exit(not flat)


if __name__ == "__main__":
    main()
