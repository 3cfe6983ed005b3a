"""The clocks of a stored game, computed from the time stamps of its events."""

from __future__ import annotations

from collections.abc import Sequence

from ....engine import Clock
from ....game.game import Game
from ....game.time_control import Clocks, TimeControl
from ....spec.board import SIDES
from ..schema import model
from ..store import Event
from ..store.watch import JUMP, Stamp, Stamped, Watch, between, counted


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
            self._moment += event.payload["counted"] if _counts(event) else between(self._last, event)
        self._last = event
        if not self._clocks.control:
            return
        at, clocks, made = self._moment, self._clocks, game.position.ply - self._ply
        self._ply, was_over, self._over = game.position.ply, self._over, game.outcome() is not None
        if event.kind == "pause":
            clocks, self.paused = clocks.stop(at), True
        elif event.kind == "resume":
            clocks, self.paused = clocks if clocks.before is None else clocks.start(at), False
        elif event.kind == "outage" and not _counts(event):
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

    def counted(self, watches: Sequence[Watch]) -> float | None:
        """The seconds since the last event that count for the clock that runs, if not all do: only those in which some
        server was there. A game of days counts the others too; but nobody loses by a clock on a wall that was set."""
        if self._last is None or not self.running:
            return None
        now = Stamp()
        seconds = counted(watches, self._last, now, outages=not self._clocks.control.days)
        return seconds if abs(seconds - between(self._last, now)) > JUMP else None

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


def _counts(event: Event) -> bool:
    """True for an outage that says how many seconds since the last event count. Those of former versions excused all
    since the clock was last started."""
    return event.kind == "outage" and "counted" in event.payload


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
