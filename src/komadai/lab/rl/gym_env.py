"""A game against an opponent as an environment of Gymnasium. Needs the extra ``gym``.

Importing this module registers every game, ``komadai/GAME-vVERSION``, and those that :func:`komadai.register` brings
later; Gymnasium does it by the name in front:
``gymnasium.make("komadai.lab.rl.gym_env:komadai/nana-v1", level=3)``.
"""

from __future__ import annotations

from operator import index
from typing import Any, Literal, SupportsIndex

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ...errors import NotationError
from ...game.position import Position
from ...spec.board import SIDES, Side
from ...spec.variant import Variant
from ...variants import build, suggest, variant_of, watch
from .measure import Policy, level_policy
from .single import Single, registry_ids
from .spaces import planes_of

Illegal = Literal["lose", "raise"]
_OPTIONS = ("position", "side")  # of a reset


class GymEnv(gymnasium.Env[NDArray[np.uint8], np.int64]):
    """A game in which the agent plays one side, and a level of the engine or any policy the other.

    An observation is the encoding's planes, seen by the agent; an action is the number of one of the encoding's. Which
    are legal is in ``info["action_mask"]`` and :meth:`action_masks`, as sb3-contrib asks for it. The reward is 1 for a
    win and -1 for a loss, at the end. With an encoding in steps the agent acts until its turn is over.

    Attributes:
        encoding: the encoding, whose planes and actions have names.
        position: the position; it must not be changed.
        side: the agent's side in this game.
    """

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str | Variant,
        level: int = 1,
        *,
        opponent: Policy | None = None,
        side: Side | None = None,
        encoding: str | None = None,
        history: int = 1,
        max_plies: int = 512,
        illegal: Illegal = "lose",
        values: bool = False,
        render_mode: str | None = None,
        **options: str,
    ) -> None:
        """Prepare the game; :meth:`reset` begins it.

        Args:
            game: a variant, or its name with rule ``options``.
            level: the engine's level, 1 to 10; ``opponent`` is a policy in its place.
            side: the agent's side; by default it is drawn by lot for each game.
            encoding: ``flat`` or ``steps``; by default ``flat`` where the game has it.
            history: positions in an observation. ``max_plies``: the plies after which a game is truncated.
            illegal: what an action that is not legal does: it ``lose``s the game, or ``raise``s an error. It is never
                played.
            values: also give the exact ``value`` of the position for the agent, and the ``regret`` of its last turn,
                in ``info``; for solved games.

        Raises:
            NotationError: unknown game or option, or an argument out of range. SpecError: the game has no such
                encoding, or no table.
        """
        if side not in (None, *SIDES) or illegal not in ("lose", "raise"):
            raise NotationError("environment", [f"side {side!r} or illegal {illegal!r} is not known"])
        self.variant = variant_of(game, options)
        self._single = Single(self.variant, encoding, history, max_plies, values=values)
        self.encoding = self._single.encoding
        self.render_mode, self.side = render_mode, side or SIDES[0]
        self._fixed, self._illegal, self._level, self._given = side, illegal, level, opponent
        self._opponent = opponent or level_policy(self.variant, level)
        self.observation_space = planes_of(self.encoding)
        self.action_space = spaces.Discrete(self.encoding.num_actions)

    @property
    def position(self) -> Position:
        """The position; it must not be changed."""
        return self._single.position

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin a game; ``options={"position": Position}`` says where, ``{"side": "w"}`` which side the agent has.

        Raises:
            NotationError: another option, no such side, or a position of another game or where the game is over.
        """
        asked = options or {}
        defects = [f"unknown option {name!r}; {suggest(str(name), _OPTIONS)}" for name in asked if name not in _OPTIONS]
        if asked.get("side") not in (None, *SIDES):
            defects.append(f"side {asked['side']!r} is no side; expected b (Black) or w (White)")
        if defects:
            raise NotationError("reset", defects)
        super().reset(seed=seed)
        if seed is not None and self._given is None:
            self._opponent = level_policy(self.variant, self._level, seed=seed)
        self._single.reset(asked.get("position"))
        self.side = asked.get("side") or self._fixed or SIDES[int(self.np_random.integers(2))]
        self._reply()
        return self._single.observation, self._info()

    def step(self, action: SupportsIndex) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Act; if that ends the turn the opponent answers.

        Raises:
            NotationError: the game is over, or ``illegal`` is ``raise`` and the action is not legal.
        """
        number = index(action)
        if self._illegal == "lose" and not self._single.is_legal(number) and not self._single.over:
            self._single.forfeit()
            return self._single.observation, -1.0, True, False, self._info() | {"result": "illegal"}
        before = self._single.value
        reward = self._single.step(number)
        after = self._single.value if self._single.turn != self.side else None
        regret = None if before is None or after is None else before + after
        if self._single.turn != self.side:
            reward -= self._reply()
        if self.render_mode == "human":
            print(self.position)
        return self._single.observation, reward, self._single.terminated, self._single.truncated, self._info(regret)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal."""
        return self._single.mask.astype(bool)

    def render(self) -> str | None:
        """The board as text; ``None`` in the mode ``human``, in which every step prints it."""
        return str(self.position) if self.render_mode == "ansi" else None

    def _reply(self) -> float:
        """Let the opponent move if it is its turn; return its reward."""
        reward = 0.0
        if not self._single.over and self._single.turn != self.side:
            reward = self._single.play(self._opponent(self._single.position))
        return reward

    def _info(self, regret: int | None = None) -> dict[str, Any]:
        return self._single.info(self.side) | ({"regret": regret} if self._single.table else {})


def gym(game: str | Variant, level: int = 1, **settings: Any) -> GymEnv:
    """A :class:`GymEnv`: the game against that level of the engine."""
    return GymEnv(game, level, **settings)


def _register(name: str) -> None:
    """Make a game known to Gymnasium: now all there are, and later those of :func:`komadai.register`."""
    for version in registry_ids(build(name)):
        id = f"komadai/{version}"
        if id not in gymnasium.registry:
            gymnasium.register(id, f"{__name__}:GymEnv", kwargs={"game": name})


watch(_register)
