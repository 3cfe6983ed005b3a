"""Exact values and regrets of many games as they are stepped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...solve import Table

Look = Callable[[int], _core.Position]
"""Gives the position of a game by its number."""


class Judge:
    """The values of games by the table; each position is looked up once."""

    def __init__(self, table: Table, games: int, autoreset: str, cap: int) -> None:
        """``cap``: the code of ``info["result"]`` for games that the cap on their plies has ended."""
        self._table, self._autoreset, self._cap = table, autoreset, cap
        table.keep_all()
        self._values = np.full(games, np.nan, np.float32)  # for the side to move
        self._over = np.zeros(games, bool)

    @property
    def state(self) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """All that it knows of the games, which another of them may be given."""
        return self._values.copy(), self._over.copy()

    @state.setter
    def state(self, known: tuple[NDArray[np.float32], NDArray[np.bool_]]) -> None:
        self._values, self._over = known

    def clone(self) -> Judge:
        """An independent one."""
        twin = Judge(self._table, len(self._values), self._autoreset, self._cap)
        twin.state = self.state
        return twin

    def look(self, position: Look, info: dict[str, Any]) -> None:
        """Add the values of the positions to ``info``; no move has been made."""
        self._over = info["result"] > 0
        self._values = self._probed(position, np.ones_like(self._over), info)
        info["value"], info["regret"] = self._values.copy(), np.full(len(self._over), np.nan, np.float32)

    def step(
        self,
        position: Look,
        reward: NDArray[np.float32],
        terminated: NDArray[np.bool_],
        truncated: NDArray[np.bool_],
        info: dict[str, Any],
    ) -> None:
        """Add values and regrets to ``info`` after a step of all games."""
        before, begun = self._values, self._over & (self._autoreset == "next_step")
        turn_over = (info["discount"] <= 0) & ~self._over
        self._values = np.where(self._over & ~begun, before, self._probed(position, turn_over | begun, info))
        kept = ~turn_over & ~begun
        self._values[kept] = before[kept]
        # Games that have begun anew in this step show no last position: its value is the result, or unknown at the cap.
        after = -self._values
        after[terminated] = reward[terminated]
        if self._autoreset == "same_step":
            after[truncated] = np.nan
        info["value"], info["regret"] = self._values.copy(), np.where(turn_over, before - after, np.nan)
        self._over = (terminated | truncated) & (self._autoreset != "same_step")

    def _probed(self, position: Look, which: NDArray[np.bool_], info: dict[str, Any]) -> NDArray[np.float32]:
        """The values of these games' positions for the side to move: by the result where the rules have ended one."""
        values = np.full(len(self._over), np.nan, np.float32)
        ended = np.zeros_like(which)
        if self._autoreset != "same_step":
            ended = which & (info["result"] > 0) & (info["result"] != self._cap)
            winners = info["winner"][ended]
            values[ended] = np.where(winners < 0, 0, np.where(winners == info["to_play"][ended], 1, -1))
        worth = self._table.worth
        for game in np.flatnonzero(which & ~ended).tolist():
            found = worth(position(game))
            if found is not None:
                values[game] = found
        return values
