"""Time management: the share of the clock that one move may use."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import NotationError

_OVERHEAD = 0.03  # seconds reserved for the delay between engine and clock
_LEAST = 0.005  # seconds a search has in any case
_MOVES_AHEAD = 32  # moves the time left should last for, where nobody says


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of the side to move, in seconds.

    Attributes:
        left: main time left. ``increment`` is added to it after every move (Fischer).
        byoyomi: what there is for every move once the main time is over; it is not kept.
        moves_to_go: moves until main time is added anew; ``None``: it is all there will be.

    Raises:
        NotationError: a time below 0, or ``moves_to_go`` below 1.
    """

    left: float
    increment: float = 0.0
    byoyomi: float = 0.0
    moves_to_go: int | None = None

    def __post_init__(self) -> None:
        times = {"left": self.left, "increment": self.increment, "byoyomi": self.byoyomi}
        defects = [
            f"{name} {value!r} is no number of seconds, 0 or more" for name, value in times.items() if not value >= 0
        ]
        if self.moves_to_go is not None and self.moves_to_go < 1:
            defects.append(f"moves_to_go {self.moves_to_go!r} is out of range; expected 1 or more")
        if defects:
            raise NotationError("clock", defects)

    def budget(self) -> tuple[float, float]:
        """Seconds after which no new depth should be begun, and after which the search must end."""
        most = self.left + self.byoyomi - _OVERHEAD
        ahead = min(self.moves_to_go or _MOVES_AHEAD, _MOVES_AHEAD)
        share = self.left / ahead + 0.8 * self.increment
        # Byo-yomi that is not used is lost: all of it is spent, but for the risk of a depth that ends too late.
        soft = 0.7 * share + 0.75 * self.byoyomi
        hard = min(4 * share, 0.7 * self.left if ahead > 1 else self.left) + self.byoyomi
        hard = max(min(hard, most), _LEAST)
        return min(soft, hard), hard
