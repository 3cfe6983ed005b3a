"""The clocks of a stored game, computed from the time stamps of its events."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Protocol

from ...engine import Clock
from ...game.game import Game
from ...game.time_control import Clocks, TimeControl
from ...spec.board import SIDES
from ..schema import model
from ..store import Event, boot


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


def between(earlier: Stamped, later: Stamped) -> float:
    """The seconds from one time stamp to another, at least 0: by the monotonic clock if both are from the same boot of
    a machine, otherwise by wall-clock time."""
    if earlier.mono is not None and later.mono is not None and earlier.boot == later.boot:
        return max(later.mono - earlier.mono, 0.0)
    return max(later.at - earlier.at, 0.0)


class GameClocks:
    """The clocks of one game, derived from its events. The first move starts them, and the end of the game stops them.

    Attributes:
        paused: the players have agreed to pause.
    """

    def __init__(self, control: TimeControl, game: Game) -> None:
        self.paused = False
        self._clocks = Clocks.of(control, game.turn)
        self._ply, self._over = game.position.ply, False
        self._last: Stamped | None = None
        self._moment = 0.0  # time of the last event, in seconds since the first

    def apply(self, event: Event, game: Game) -> None:
        """Update the clocks after an event that has been played in the game."""
        if self._last is not None:
            self._moment += between(self._last, event)
        self._last = event
        if not self._clocks.control:
            return
        at, clocks, made = self._moment, self._clocks, game.position.ply - self._ply
        self._ply, was_over, self._over = game.position.ply, self._over, game.outcome() is not None
        if event.kind == "pause":
            clocks, self.paused = clocks.stop(at), True
        elif event.kind == "resume":
            clocks, self.paused = clocks if clocks.before is None else clocks.start(at), False
        elif event.kind == "outage":
            clocks = clocks.excuse(at)
        elif was_over and not self._over and not self.paused and clocks.before is not None:
            clocks = clocks.start(at)
        if made > 0:
            clocks = clocks.move(at)
        for _ in range(-made):
            clocks = clocks.take_back(at)
        self._clocks = clocks.stop(at) if self._over else clocks

    @property
    def running(self) -> bool:
        """True while a clock runs."""
        return self._clocks.running

    def now(self) -> float:
        """The present time, in seconds since the first event."""
        return self._moment if self._last is None else self._moment + between(self._last, Stamp())

    def remaining(self) -> float | None:
        """Seconds until the flag of the side to move falls, negative if it has; ``None`` while no clock runs."""
        falls = self._clocks.falls()
        return None if falls is None else falls - self.now()

    def missed(self, up: Stamped) -> bool:
        """True if a clock was running when the server started at ``up``, so that nobody could move in the meantime.
        Games with days per move ignore outages."""
        if self._last is None or self._clocks.control.days or not self.running:
            return False
        return between(self._last, up) > 0

    def for_search(self) -> Clock | None:
        """The clock of the side to move, for the engine; ``None`` while no clock runs."""
        if not self.running:
            return None
        left = self._clocks.left(self._clocks.turn, self.now())
        return Clock(left.main, self._clocks.control.increment, left.period)

    def to_model(self) -> model.Clocks | None:
        """The clocks at this moment, for clients; ``None`` for a game without time control."""
        clocks, now = self._clocks, self.now()
        if not clocks.control:
            return None
        left = (clocks.left(side, now) for side in SIDES)
        return model.Clocks(
            str(clocks.control),
            clocks.turn if clocks.running else None,
            self.paused,
            *(model.TimeLeft(_ms(had.main), had.periods, _ms(had.period)) for had in left),
        )


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
