"""One game stepped by itself, for the adapters of other frameworks."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from ... import solve
from ...errors import NotationError
from ...game.position import Position
from ...solve import Table
from ...spec.board import SIDES, Side
from ...spec.logic import is_compound
from ...spec.move import Move
from ...spec.variant import Variant
from .encoding import Actions, Encoding
from .measure import value
from .vec_env import RESULTS, VecEnv


def encoding_of(variant: Variant, actions: str | None, history: int) -> Encoding:
    """The encoding with these actions; ``None``: flat ones where the game has them.

    Raises:
        NotationError: unknown actions, or flat ones in a game of compound moves.
    """
    known = next((known for known in get_args(Actions) if known == actions), None)
    if actions is not None and known is None:
        raise NotationError("actions", [f"{actions!r} is not known; expected {' or '.join(get_args(Actions))}"])
    return Encoding(variant, known or ("steps" if is_compound(variant) else "flat"), history)


def registry_ids(variant: Variant) -> list[str]:
    """The names of a game in registries, the present one first: one for each version with the same legal moves."""
    return [f"{variant.id}-v{version.partition('.')[0]}" for version in variant.versions]


class Single:
    """A game, its observation and its legal actions.

    Attributes:
        observation, mask: what the side to act sees, and which of its actions are legal. ``terminated``, ``truncated``:
            whether the game has ended, or reached its cap. ``turn``: the side to act.
        table: that of the solved game, with ``values``; else ``None``.
        value: the exact value of the position for the side to act; ``None`` without a table.
    """

    def __init__(
        self, variant: Variant, actions: str | None, history: int, max_plies: int, *, values: bool = False
    ) -> None:
        self.encoding = encoding_of(variant, actions, history)
        self.table: Table | None = solve.open(variant) if values else None
        self._env = VecEnv(variant, 1, encoding=self.encoding, autoreset="disabled", max_plies=max_plies)
        self.observation: NDArray[np.uint8] = np.zeros(self.encoding.shape, np.uint8)
        self.mask: NDArray[np.int8] = np.zeros(self.encoding.num_actions, np.int8)
        self.terminated, self.truncated = True, False  # none has begun
        self.turn: Side = SIDES[0]
        self._result = ""
        self.value: int | None = None

    @property
    def over(self) -> bool:
        """True once nothing more can be played."""
        return self.terminated or self.truncated

    @property
    def position(self) -> Position:
        """The position at the beginning of the turn: a copy."""
        return self._env.position(0)

    def reset(self, position: Position | None) -> None:
        """Begin a game. Errors are those of :meth:`VecEnv.reset`."""
        obs, info = self._env.reset(to=None if position is None else [position])
        self.terminated = self.truncated = False
        self._take(obs, info)

    def is_legal(self, action: int) -> bool:
        """True if the action is legal now."""
        return 0 <= action < len(self.mask) and bool(self.mask[action])

    def step(self, action: int) -> float:
        """Act; return the reward of the side that did.

        Raises:
            NotationError: the game is over. IllegalMoveError: the action is not legal; nothing has changed.
        """
        if self.over:
            raise NotationError("step", ["the game is over, or none has begun; call reset()"])
        obs, reward, terminated, truncated, info = self._env.step(np.array([action], np.int32))
        self.terminated, self.truncated = bool(terminated[0]), bool(truncated[0])
        self._take(obs, info)
        return float(reward[0])

    def play(self, move: Move | str) -> float:
        """Make a whole move, or ``declare``; return the reward of the side that did. Errors as for :meth:`step`."""
        made = self.encoding.action(self.position, move)
        reward = 0.0
        for action in [made] if isinstance(made, int) else made:
            reward = self.step(action)
        return reward

    def forfeit(self) -> None:
        """End the game with the side to act as the loser, by an illegal action, which is not played."""
        self.terminated, self._result = True, "illegal"
        self.observation, self.mask = self.observation.copy(), np.zeros_like(self.mask)

    def info(self, side: Side) -> dict[str, Any]:
        """The mask, the words for the result, ``""`` while the game goes on, and with a table the value for a side."""
        info: dict[str, Any] = {"action_mask": self.mask, "result": self._result}
        if self.table is not None:
            info["value"] = self.value if self.value is None or side == self.turn else -self.value
        return info

    def _take(self, obs: NDArray[np.uint8], info: dict[str, Any]) -> None:
        self.observation = obs[0]
        self.mask = info["action_mask"][0].view(np.int8)  # the type that Gymnasium's spaces sample by
        self.turn = SIDES[int(info["to_play"][0])]
        self._result = RESULTS[int(info["result"][0])]
        if self.table is not None and not self._env.taken(0):
            self.value = value(self.table, self.position)
