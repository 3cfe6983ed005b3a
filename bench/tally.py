"""The measurements of a run of ``bench/load.py``: milliseconds, processor time and memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

from serving import percentile

_SHARES = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "worst": 1.0}


@dataclass
class Tally:
    """The measurements of one run or several.

    Attributes:
        acknowledged: milliseconds from sending a move until its page hears that it is stored, by variant.
        delivered: the same until the opponent's page receives it.
        probes: milliseconds until the event loop answers a ping, and until the store finds no game.
        late: milliseconds by which the pages themselves woke up late.
        seconds: the length; ``loop``: the processor time of the servers' event loops; ``rest``: of all else of them.
        memory: MB of the servers before the pages came, and at the end.
    """

    acknowledged: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    delivered: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    probes: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    faults: list[str] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    seconds: float = 0
    loop: float = 0
    rest: float = 0
    memory: tuple[float, float] = (0, 0)

    @property
    def series(self) -> dict[str, list[float]]:
        """The milliseconds by what they measure, all variants together."""
        moves = {name: [*chain(*getattr(self, name).values())] for name in ("acknowledged", "delivered")}
        return moves | {"late": self.late} | self.probes

    def add(self, other: Tally) -> None:
        """Add the measurements of another run."""
        for name in ("acknowledged", "delivered", "probes"):
            for key, values in getattr(other, name).items():
                getattr(self, name)[key] += values
        for name in ("faults", "late", "seconds", "loop", "rest"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.memory = other.memory


def _spread(values: Sequence[float]) -> str:
    return "".join(f"{percentile(values, share):8.1f}" for share in _SHARES.values())


def report(tally: Tally, games: int) -> None:
    """Print the measurements."""
    series, seconds = tally.series, tally.seconds
    names = "".join(f"{name:>8}" for name in _SHARES)
    print(f"{'milliseconds':40}{'acknowledged':>20}{'delivered':>32}\n{'':32}{'moves':>8}{names}{names}")
    rows = [(name, tally.acknowledged[name], tally.delivered[name]) for name in sorted(tally.acknowledged)]
    for name, acknowledged, delivered in (*rows, ("all", series["acknowledged"], series["delivered"])):
        print(f"{name:32}{len(delivered):8}{_spread(acknowledged)}{_spread(delivered)}")
    for words, name in (
        ("the event loop answers a ping", "loop"),
        ("the store answers, through it", "store"),
        ("the pages themselves are late by", "late"),
    ):
        print(f"{words:40}{_spread(series[name])}")
    rate = len(series["delivered"]) / seconds
    print(f"{rate:.0f} moves a second; {len(tally.faults)} failed", *tally.faults[:5], sep="\n  ")
    before, after = tally.memory
    print(
        f"of a core: event loop {tally.loop / seconds:.0%}, other threads {tally.rest / seconds:.0%}; memory without "
        f"pages {before:.0f} MB, with them {after:.0f} MB: {(after - before) * 1024 / games:.0f} kB a game",
        flush=True,
    )
