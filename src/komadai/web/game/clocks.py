"""The clocks of a stored game: its events, stamped by the machines that wrote them, on one scale of seconds."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Protocol

from ...engine import Clock
from ...game.game import Game
from ...game.time_control import Clocks, TimeControl
from ...spec.board import SIDES
from ..store import Event, boot


class Stamped(Protocol):
    """A moment as :class:`Event` notes it: on the wall, and on the monotonic clock of a machine."""

    @property
    def at(self) -> float: ...
    @property
    def mono(self) -> float | None: ...
    @property
    def boot(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Stamp:
    """This moment."""

    at: float = field(default_factory=time.time)
    mono: float | None = field(default_factory=time.monotonic)
    boot: str | None = field(default_factory=boot)


def between(earlier: Stamped, later: Stamped) -> float:
    """The seconds from one moment to another, 0 if the order is wrong: by the machine's monotonic clock where both were
    noted in one boot of it, else by the time on the wall."""
    if earlier.mono is not None and later.mono is not None and earlier.boot == later.boot:
        return max(later.mono - earlier.mono, 0.0)
    return max(later.at - earlier.at, 0.0)


class Timing:
    """The clocks of one game, made from its events. The first move sets them going, and the end of the game stops them.

    Attributes:
        paused: whether the players have agreed to pause.
    """

    def __init__(self, control: TimeControl, game: Game) -> None:
        self.paused = False
        self._clocks = Clocks.of(control, game.turn)
        self._ply, self._over = game.position.ply, False
        self._last: Stamped | None = None
        self._moment = 0.0  # of the last event, on the scale of the clocks

    def apply(self, event: Event, game: Game) -> None:
        """Let an event happen that has just been played in the game."""
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
            clocks, self.paused = clocks.start(at), False
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
        """Whether a clock runs."""
        return self._clocks.running

    def now(self) -> float:
        """This moment, on the scale of the clocks."""
        return self._moment if self._last is None else self._moment + between(self._last, Stamp())

    def remaining(self) -> float | None:
        """Seconds until the flag of the side to move falls, below 0 if it has; ``None`` while no clock runs."""
        falls = self._clocks.falls()
        return None if falls is None else falls - self.now()

    def missed(self, up: Stamped) -> bool:
        """Whether a clock was left running before the server came up at that moment: nobody could be expected to move
        meanwhile. In games of days that is no matter."""
        if self._last is None or self._clocks.control.days or not self.running:
            return False
        return between(self._last, up) > 0

    def for_search(self) -> Clock | None:
        """The clock of the side to move, for the engine; ``None`` while the clocks stand still."""
        if not self.running:
            return None
        left = self._clocks.left(self._clocks.turn, self.now())
        return Clock(left.main, self._clocks.control.increment, left.period)

    def told(self) -> dict[str, Any] | None:
        """How the clocks stand at this moment, for clients, in milliseconds; ``None`` for a game without any."""
        clocks, now = self._clocks, self.now()
        if not clocks.control:
            return None
        left = {side: clocks.left(side, now) for side in SIDES}
        return {
            "control": str(clocks.control),
            "running": clocks.turn if clocks.running else None,
            "paused": self.paused,
            **{
                side: {"main": _ms(had.main), "periods": had.periods, "period": _ms(had.period)}
                for side, had in left.items()
            },
        }


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
