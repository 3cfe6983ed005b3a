"""How games stand, for lists of them, without opening them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

from ...spec.board import Side
from ..game.replay import RefusedError, read
from ..game.state import GameState
from ..store import Store

_KEPT = 2000  # games that are not replayed again while nothing happens in them


@dataclass(frozen=True, slots=True)
class Listed:
    """A game in a list.

    Attributes:
        names: of people who have told theirs.
        last: when something last happened in it, in seconds of wall time.
        over: whether there is nothing to go on with: a match, too, has ended or goes on in another game.
    """

    id: str
    variant: str
    seats: Mapping[Side, str]
    names: Mapping[str, str]
    last: float
    turn: Side
    over: bool


class Listing:
    """How the games of a store stand."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: OrderedDict[tuple[str, int, str | None], Listed] = OrderedDict()

    def look(self, game_id: str) -> Listed | None:
        """How a game stands, ``None`` if there is none of that id that can be replayed. Blocks on the disk.

        Raises:
            StoreError: the store fails.
        """
        try:
            stored = read(self._store, game_id)
            if stored is None:
                return None
            key = (game_id, len(stored.events), stored.following)
            if key not in self._known:
                last = stored.events[-1].at if stored.events else stored.row.created
                self._known[key] = _listed(GameState(stored), last)
        except RefusedError:
            return None
        self._known.move_to_end(key)
        if len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return self._known[key]


def _listed(course: GameState, last: float) -> Listed:
    over = course.game.outcome() is not None
    if over and course.match is not None:
        over = course.match.over or course.following is not None
    seating = course.seating
    return Listed(course.row.id, course.row.variant, seating.seats, seating.names, last, course.game.turn, over)
