"""The clocks of a game as the documentation describes them, as plain data; time is true time in seconds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

CLOSE = 1e-4  # seconds: nothing is decided about what happens so close to the fall of a flag
SHOWN = 0.003  # seconds by which a shown clock may be off

Time = tuple[float, int, float]
"""Main time, byo-yomi periods, and what is left of the present one."""


@dataclass(frozen=True)
class Control:
    """A time control."""

    text: str
    main: float = 0.0
    increment: float = 0.0
    periods: int = 0
    period: float = 0.0

    @property
    def days(self) -> bool:
        return self.period >= 86400


CONTROLS = (
    Control("none"),
    Control("6s", 6),
    Control("4s+3s", 4, 3),
    Control("2s 2x3s", 2, 0, 2, 3),
    Control("3x2s", 0, 0, 3, 2),
    Control("1m", 60),
    Control("1d", 0, 0, 1, 86400),
)


@dataclass(frozen=True)
class Clock:
    """The clocks of both sides after an event.

    Attributes:
        turns: what Black and White had when each turn began, the present one last.
        used: seconds of the present turn before the clock was last started. ``since``: when that was, ``None`` while
            it stands still.
    """

    control: Control
    turns: tuple[Mapping[str, Time], ...]
    used: float = 0.0
    since: float | None = None

    @classmethod
    def of(cls, control: Control) -> Clock:
        time = (float(control.main), control.periods, float(control.period))
        return cls(control, ({"b": time, "w": time},))

    def left(self, side: str, turn: str, now: float) -> Time:
        """The time of a side, if ``turn`` is to move."""
        main, periods, period = self.turns[-1][side]
        spent = self._spent(now) if side == turn else 0.0
        if spent < main:
            return main - spent, periods, period
        spent -= main
        while periods and spent >= period:
            spent, periods, period = spent - period, periods - 1, self.control.period
        return (0.0, periods, period - spent) if periods else (0.0, 0, 0.0)

    def remaining(self, turn: str, now: float) -> float | None:
        """Seconds until the flag of the side to move falls; ``None`` while its clock stands still."""
        if self.since is None:
            return None
        main, periods, period = self.turns[-1][turn]
        return main + periods * period - self._spent(now)

    def _spent(self, now: float) -> float:
        return self.used + (0.0 if self.since is None else max(now - self.since, 0.0))

    def after(self, kind: str, now: float, mover: str, moves: int, running: bool, lost: float) -> Clock:
        """The clocks after an event, after which there are so many moves, and the clock is running or not.

        ``lost``: the seconds of a turn that an outage says do not count.
        The first move is free. A takeback gives both what they had when that turn began.
        """
        if self.control.text == "none":
            return self
        since = now if running else None
        if moves == len(self.turns):
            main, periods, period = self.left(mover, mover, now)
            if moves > 1:
                main, period = main + self.control.increment, float(self.control.period)
            return Clock(self.control, (*self.turns, {**self.turns[-1], mover: (main, periods, period)}), 0.0, since)
        if moves < len(self.turns) - 1:
            return Clock(self.control, self.turns[: moves + 1], 0.0, since)
        if kind == "outage" and self.since is not None:
            return replace(self, since=self.since + lost)
        if running and self.since is None:
            return replace(self, since=since)
        if not running and self.since is not None:
            return replace(self, used=self._spent(now), since=None)
        return self

    def wrong(self, shown: Mapping[str, Any] | None, turn: str, paused: bool, now: float) -> str | None:
        """Compare what a client is shown; the difference in words."""
        if self.control.text == "none":
            return None if shown is None else "a game without clocks shows some"
        if shown is None:
            return "the clocks are missing"
        expected = (self.control.text, None if self.since is None else turn, paused)
        found = (shown["control"], shown["running"], shown["paused"])
        if found != expected:
            return f"the clocks are {found}, not {expected}"
        for side in "bw":
            had = tuple(shown[side][name] / scale for name, scale in (("main", 1e3), ("periods", 1), ("period", 1e3)))
            near = [self.left(side, turn, now + shift) for shift in (0.0, -SHOWN, SHOWN)]
            if not any(all(abs(a - b) < SHOWN for a, b in zip(had, time, strict=True)) for time in near):
                return f"{side} has {had}, not {near[0]}"
        return None
