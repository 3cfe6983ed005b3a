"""Time stamps, and the watches: the stretches of time in which some server of a store was there.

Each server writes a heartbeat every few seconds, which prolongs the newest watch. Where all have been silent, another
begins; what lies between two watches is a gap, in which nobody could play.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise, takewhile
from pathlib import Path
from typing import NamedTuple, Protocol

EVERY = 5.0
"""Seconds from one heartbeat of a server to the next."""
LATE = 1.5 * EVERY
"""Seconds of silence from which on no server was there."""
JUMP = 1.0
"""Seconds by which the clock on the wall may leave the monotonic one before somebody has set it."""


@cache
def boot() -> str:
    """The id of the machine's boot. Times of the monotonic clock are comparable within one boot.

    If the system has no such id, it is random and belongs to this process.
    """
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return str(uuid.uuid4())


class Stamped(Protocol):
    """A time stamp as in :class:`Event`: wall-clock time, and time of a machine's monotonic clock."""

    @property
    def at(self) -> float: ...
    @property
    def mono(self) -> float | None: ...
    @property
    def boot(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Stamp:
    """A time stamp, by default of the present moment."""

    at: float = field(default_factory=time.time)
    mono: float | None = field(default_factory=time.monotonic)
    boot: str | None = field(default_factory=boot)


def _monotonic(earlier: Stamped, later: Stamped) -> float | None:
    """The seconds between two time stamps by the monotonic clock; ``None`` if they do not share one."""
    if earlier.mono is None or later.mono is None or earlier.boot != later.boot:
        return None
    return later.mono - earlier.mono


def between(earlier: Stamped, later: Stamped) -> float:
    """The seconds from one time stamp to another, at least 0: by the monotonic clock if both are from the same boot of
    a machine, otherwise by wall-clock time."""
    by_one_clock = _monotonic(earlier, later)
    return max(later.at - earlier.at if by_one_clock is None else by_one_clock, 0.0)


class Watch(NamedTuple):
    """A stretch of time in which some server was there.

    Attributes:
        number: from 1, in order. ``began``: its first heartbeat. ``last``: the newest.
        seen: when that was written, by the clock of the store.
    """

    number: int
    began: Stamp
    last: Stamp
    seen: float


def jumped(before: Stamp, now: Stamp) -> bool:
    """True if the clock on the wall was set between two moments of one machine."""
    return abs(now.at - before.at - between(before, now)) > JUMP


def late(before: Stamp | None, now: Stamp) -> bool:
    """True if a server whose last heartbeat was then must write another before it judges a clock."""
    return before is None or between(before, now) > LATE or jumped(before, now)


def continued(newest: Watch | None, now: Stamp, own: Stamp | None, clock: float) -> list[Watch]:
    """The watches that a heartbeat changes, or begins.

    Args:
        newest: of the store. ``own``: the last heartbeat of this server.
        clock: the time by the clock of the store, which servers on several machines share.
    """
    if newest is None:
        return [Watch(1, now, now, clock)]
    following = Watch(newest.number + 1, now, now, clock)
    mine = [one for one in (own, newest.last) if one is not None and one.boot == now.boot and between(one, now) <= LATE]
    if mine and jumped(mine[0], now):
        unset = replace(now, at=mine[0].at + between(mine[0], now))
        return [newest._replace(last=unset), following]
    if mine or (newest.last.boot != now.boot and abs(clock - newest.seen) <= LATE):
        return [newest._replace(last=now, seen=clock)]
    return [following]


class _Gap(NamedTuple):
    """The time between two watches, and that before the first one, of which nothing is known.

    Attributes:
        seen: when it began, by the clock of the store.
    """

    begin: Stamp | None
    end: Stamp
    seen: float = 0.0

    @property
    def is_jump(self) -> bool:
        """True if somebody was there all the time, but the clock on the wall was set."""
        return self.begin is not None and self.begin.boot == self.end.boot and between(self.begin, self.end) <= LATE

    def shares(self, moment: Stamped) -> bool:
        """True if its order with the moment is that of one monotonic clock."""
        return moment.boot == self.end.boot or (self.begin is not None and moment.boot == self.begin.boot)

    def follows(self, moment: Stamped) -> bool:
        """True if the moment was before the gap, or in it, for a server learns only after a while that it is late."""
        to_end, walls = _monotonic(moment, self.end), self.end.at > moment.at
        if self.begin is None:
            return walls if to_end is None else to_end > 0
        to_begin = _monotonic(moment, self.begin)
        if to_begin is not None and to_begin >= 0:
            return True
        if to_end is not None:
            return to_end > 0 and (to_begin is None or to_begin >= -LATE)
        if to_begin is not None:
            return walls and to_begin >= -LATE
        return (walls or self.is_jump) and self.seen - moment.at >= -LATE


def counted(watches: Sequence[Watch], since: Stamped, now: Stamp, *, outages: bool = True) -> float:
    """The seconds between two moments in which some server was there; without ``outages`` all but jumps of the clock.

    Gaps are in order, so that all after one that follows a moment follow it, too. Where only clocks on walls tell, the
    latest gaps alone are believed: a clock may have run ahead once.
    """
    gaps = [_Gap(None, watches[0].began)] if watches else []
    gaps += [_Gap(one.last, two.began, one.seen) for one, two in pairwise(watches)]
    # The jump of another machine's clock is none of ours.
    gaps = [gap for gap in gaps if (gap.end.boot == now.boot if gap.is_jump else outages)]
    certain = next((at for at, gap in enumerate(gaps) if gap.shares(since) and gap.follows(since)), len(gaps))
    likely = len(gaps) - len(list(takewhile(lambda gap: gap.follows(since), reversed(gaps))))
    seconds, moment = 0.0, since
    for gap in gaps[min(certain, likely) :]:
        seconds += 0.0 if gap.begin is None else between(moment, gap.begin)
        moment = gap.end
    return seconds + between(moment, now)
