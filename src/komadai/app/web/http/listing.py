"""Lists of games, without opening the games."""

from __future__ import annotations

from collections import OrderedDict

from ..engines.turns import Payer
from ..engines.work_queue import WorkQueue
from ..game.replay import RefusedError, Stored, UnavailableError, read
from ..game.state import GameState
from ..game.store_calls import ask_store
from ..presenter import encode
from ..schema.model import ListedGame, Seats
from ..store import Store

_KEPT = 2000  # games in the cache


class Listing:
    """The state of the games of a store, cached until their next event."""

    def __init__(self, store: Store, queue: WorkQueue) -> None:
        self._store, self._queue = store, queue
        self._known: OrderedDict[tuple[str, int, str | None], ListedGame] = OrderedDict()

    async def look(self, game_id: str, payer: Payer) -> ListedGame | None:
        """The state of a game, ``None`` if no game with that id can be replayed.

        Raises:
            UnavailableError: the store fails.
            OverusedError: the payer has used up its share of the work.
        """
        try:
            stored = await ask_store(read, self._store, game_id)
            if stored is None:
                return None
            key = (game_id, len(stored.events), stored.following)
            if key not in self._known:
                last = stored.events[-1].at if stored.events else stored.row.created
                self._known[key] = await self._queue.run(payer, _listed, stored, last)
        except UnavailableError:
            raise
        except RefusedError:
            return None
        found = self._known[key]
        self._known.move_to_end(key)
        if len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return found


def _listed(stored: Stored, last: float) -> ListedGame:
    state = GameState(stored)
    outcome = state.game.outcome()
    over = outcome is not None
    if over and state.match is not None:
        over = state.match.over or state.following is not None
    row, seats = state.row, Seats(state.seats.occupants["b"], state.seats.occupants["w"])
    return ListedGame(
        id=row.id,
        variant=row.variant,
        options=row.options,
        start=row.position,
        time=row.terms.get("time", "none"),
        seats=seats,
        names=state.seats.names,
        created=row.created,
        last=last,
        turn=state.game.turn,
        outcome=None if outcome is None else encode.outcome(outcome),
        over=over,
    )
