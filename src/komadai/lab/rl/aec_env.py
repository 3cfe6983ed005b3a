"""A game for two agents as an environment of PettingZoo (AEC). Needs the extra ``pettingzoo``.

Importing this module registers every game, ``komadai/GAME-vVERSION``, with PettingZoo, as far as that has a registry,
and those that :func:`komadai.register` brings later.
"""

from __future__ import annotations

from operator import index
from typing import Any, SupportsIndex

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from ...game.position import Position
from ...spec.board import SIDES
from ...spec.variant import Variant
from ...variants import build, variant_of, watch
from .single import Single, registry_ids
from .spaces import planes_of

Observation = dict[str, NDArray[Any]]


class AecEnv(AECEnv[str, Observation, int]):
    """A game between ``player_0`` (Black) and ``player_1`` (White).

    An observation is ``{"observation": planes, "action_mask": mask}``, seen by the agent. The agent that is not to act
    has a mask of zeros, and sees the position as it was when it last acted. With an encoding in steps an agent acts
    until its turn is over. ``info`` has ``result``, and with ``values`` the exact ``value`` of the position for the
    agent and the ``regret`` of its last move.

    An illegal action raises an error and changes nothing; :func:`aec` makes it lose.

    Attributes:
        encoding: the encoding, whose planes and actions have names.
        position: the position at the beginning of the turn.
    """

    def __init__(
        self,
        game: str | Variant,
        *,
        encoding: str | None = None,
        history: int = 1,
        max_plies: int = 512,
        values: bool = False,
        render_mode: str | None = None,
        **options: str,
    ) -> None:
        """Prepare the game; :meth:`reset` begins it.

        Args:
            game: a variant, or its name with rule ``options``.
            encoding: ``flat`` or ``steps``; by default ``flat`` where the game has it.
            history: positions in an observation. ``max_plies``: the plies after which a game is truncated.
            values: whether ``info`` has value and regret; for solved games.
            render_mode: ``ansi``: :meth:`render` returns the board as text; ``human``: it prints it.

        Raises:
            NotationError: unknown game, option or encoding, or a number out of range. SpecError: there is no table.
        """
        super().__init__()
        self.variant = variant_of(game, options)
        self._single = Single(self.variant, encoding, history, max_plies, values=values)
        self.encoding, self.render_mode = self._single.encoding, render_mode
        self.metadata = {
            "render_modes": ["ansi", "human"],
            "name": registry_ids(self.variant)[0],
            "rules": self.variant.play_hash,
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = ["player_0", "player_1"]
        seen = {
            "observation": planes_of(self.encoding),
            "action_mask": spaces.Box(0, 1, (self.encoding.num_actions,), np.int8),
        }
        self.observation_spaces = {agent: spaces.Dict(dict(seen)) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.encoding.num_actions) for agent in self.possible_agents}
        self._idle = np.zeros(self.encoding.num_actions, np.int8)
        self._seen = dict.fromkeys(self.possible_agents, self._single.observation)

    @property
    def position(self) -> Position:
        """The position at the beginning of the turn: a copy."""
        return self._single.position

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """The observation of an agent."""
        acts = agent == self._acting and not self._single.over
        return {"observation": self._seen[agent], "action_mask": self._single.mask if acts else self._idle.copy()}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; ``options={"position": Position}`` says where. Nothing is drawn by lot.

        Raises:
            NotationError: a position of another game or where the game is over.
        """
        self._single.reset((options or {}).get("position"))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations, self.truncations = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        for agent in self.agents:
            self._seen[agent] = self._single.observation
        self._look()

    def step(self, action: SupportsIndex | None) -> None:
        """Act for the agent whose turn it is.

        Raises:
            IllegalMoveError: the action is not legal; nothing has changed.
        """
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        agent, before = self.agent_selection, self._single.value
        reward = self._single.step(-1 if action is None else index(action))
        self._cumulative_rewards[agent] = 0
        for one in self.agents:
            self.rewards[one] = reward if one == agent else -reward
            self.terminations[one], self.truncations[one] = self._single.terminated, self._single.truncated
        self._look()
        after = self._single.value
        if self._single.table is not None and agent != self._acting:
            self.infos[agent]["regret"] = None if before is None or after is None else before + after
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def is_legal(self, action: SupportsIndex) -> bool:
        """True if the agent to act may take this action now."""
        return self._single.is_legal(index(action))

    def forfeit(self) -> None:
        """End the game with the agent to act as the loser, by an illegal action, which is not played."""
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0
        self.terminations, self.truncations = dict.fromkeys(self.agents, True), dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[agent] = -1.0
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> str | None:
        """The board: returned in the mode ``ansi``, printed in the mode ``human``."""
        text = str(self.position)
        if self.render_mode == "human":
            print(text)
        return text if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""

    def _look(self) -> None:
        self._acting = self.agent_selection = self.possible_agents[SIDES.index(self._single.turn)]
        self._seen[self._acting] = self._single.observation
        for agent in self.agents:
            info = self.infos[agent] = self._single.info(SIDES[self.possible_agents.index(agent)])
            del info["action_mask"]


class _Refereed(OrderEnforcingWrapper[str, Observation, int]):
    """PettingZoo's usual wrappers in one: calls come in order, and an illegal action loses.

    It asks the game itself: an attribute that is looked up through a wrapper costs as much as a good part of a ply.
    """

    env: AecEnv

    def last(self, observe: bool = True) -> Any:
        return self.env.last(observe) if self._has_reset else super().last(observe)

    def step(self, action: int) -> None:
        game = self.env
        if not self._has_reset or not game.agents:
            super().step(action)
            return
        self._has_updated = True
        over = game.terminations[game.agent_selection] or game.truncations[game.agent_selection]
        if over or action is None or game.is_legal(action):
            game.step(action)
        else:
            EnvLogger.warn_on_illegal_move()
            game.forfeit()

    def __str__(self) -> str:
        return str(self.env)


def aec(game: str | Variant, **settings: Any) -> AECEnv[str, Observation, int]:
    """The game as PettingZoo's usual wrappers make it: illegal actions lose, and calls come in order.

    Arguments and errors are those of :class:`AecEnv`.
    """
    return _Refereed(AecEnv(game, **settings))


def _register(name: str) -> None:
    """Make a game known to PettingZoo: now all there are, and later those of :func:`komadai.register`."""
    try:
        from pettingzoo.env_registry import registration
    except ImportError:  # a version without a registry
        return
    for version in registry_ids(build(name)):
        id = f"komadai/{version}"
        if id not in registration.aec_registry:
            registration.register("aec", id, entry_point=f"{__name__}:aec", kwargs={"game": name})


watch(_register)
