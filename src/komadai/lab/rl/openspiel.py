"""Games for OpenSpiel. Needs the extra ``openspiel``.

Importing this module registers every game, and those that :func:`komadai.register` brings later:
``pyspiel.load_game("komadai_nana")``, with the parameters ``actions`` (``flat`` or ``steps``; empty: flat ones where
the game has them), ``history`` and ``max_plies``, and the game's rule options: ``komadai_nana(drop_faces=front)``.
OpenSpiel takes ``27`` and ``True`` for no text: in such a string they stand in quotes, ``entering_king='27'``.

OpenSpiel's algorithms in Python take these games; its bots in C++, as ``pyspiel.MCTSBot``, take no game that is written
in Python, and crash.
"""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from ...errors import IllegalMoveError
from ...game.outcome import Outcome
from ...game.position import Position
from ...spec.board import SIDES
from ...spec.variant import Variant
from ...variants import build, entry, watch
from .encoding import Encoding, _whole
from .single import encoding_of

_MAX_PLIES = 512
_MOST_STEPS = 64  # of a turn, for the greatest length of a game alone
_MOST_PLIES = ((1 << 31) - 1) // _MOST_STEPS  # OpenSpiel counts by numbers of 32 bits


def name_of(variant: Variant) -> str:
    """The name of a variant in OpenSpiel."""
    return f"komadai_{variant.id.replace('-', '_')}"


def _type(variant: Variant) -> Any:
    options = {option.name: _quoted(option.default) for option in entry(variant.id).options}
    return pyspiel.GameType(
        short_name=name_of(variant),
        long_name=variant.name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"actions": "", "history": 1, "max_plies": _MAX_PLIES} | options,
    )


def _quoted(value: str) -> str:
    """An option's value so that OpenSpiel reads its own description of a game again."""
    return f"'{value}'" if value.isdecimal() or value in ("True", "False") else value


class SpielGame(pyspiel.Game):
    """A game; draws and games that reach ``max_plies`` count 0. Every variant has a class of its own.

    Attributes:
        name, type: the variant's name, and what OpenSpiel knows of it.
        encoding: the encoding, whose planes and actions have names. ``max_plies``: the turns of a game at most.
    """

    name: str
    type: Any

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        self.max_plies = _whole("max_plies", given.get("max_plies", _MAX_PLIES), 1, _MOST_PLIES)
        names = [option.name for option in entry(self.name).options if option.name in given]
        options = {name: given[name].strip("'") for name in names}
        given |= {name: _quoted(value) for name, value in options.items()}
        variant = build(self.name, **options)
        self.encoding = encoding_of(variant, given.get("actions") or None, int(given.get("history", 1)))
        steps = _MOST_STEPS if self.encoding.kind == "steps" else 1
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoding.num_actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.max_plies * steps,
        )
        super().__init__(self.type, info, given)

    def new_initial_state(self, state: str | None = None) -> SpielState:
        """The start, or the position of a string."""
        return SpielState(self, state)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """An observer of whole positions."""
        return SpielObserver(self.encoding)


class SpielState(pyspiel.State):
    """A position with its history, and the actions of the turn under way.

    Attributes:
        position: the position at the beginning of the turn; it must not be changed.
    """

    def __init__(self, game: SpielGame, start: str | None = None) -> None:
        super().__init__(game)
        self._encoding, self._max_plies = game.encoding, game.max_plies
        self.position = Position(game.encoding.variant, start)
        self.taken: list[int] = []
        self._look()

    def _look(self) -> None:
        self._end(self.position.outcome())

    def _end(self, outcome: Outcome | None) -> None:
        self._outcome = outcome
        self._over = outcome is not None or len(self.position.move_stack) >= self._max_plies

    def current_player(self) -> int:
        """0 for Black, 1 for White, or the terminal player."""
        return int(pyspiel.PlayerId.TERMINAL) if self._over else SIDES.index(self.position.turn)

    def _legal_actions(self, _player: int) -> list[int]:
        mask = self._encoding.mask(self.position, self.taken)
        return [] if self._over else [int(action) for action in np.flatnonzero(mask)]

    def _apply_action(self, action: int) -> None:
        taken = [*self.taken, action]
        if action == self._encoding.declare:
            outcome = self.position.declaration()
            if outcome is None or self.taken:
                raise IllegalMoveError("a declaration is not legal here")
            self._end(outcome)
            return
        move = self._encoding.move(self.position, taken if self._encoding.kind == "steps" else action)
        if move is None:
            self.taken = taken
            return
        self.position.push(move)
        self.taken = []
        self._look()

    def _action_to_string(self, _player: int, action: int) -> str:
        if self._encoding.kind == "flat" and action != self._encoding.declare:
            with contextlib.suppress(ValueError):  # of a player who is not to move
                return str(self._encoding.move(self.position, action))
        return self._encoding.actions[action]

    def is_terminal(self) -> bool:
        """True once the game is over."""
        return self._over

    def returns(self) -> list[float]:
        """1 for the winner and -1 for the loser, else 0."""
        winner = self._outcome.winner if self._outcome else None
        return [0.0, 0.0] if winner is None else [1.0 if side == winner else -1.0 for side in SIDES]

    def observe(self) -> NDArray[np.uint8]:
        """The planes, seen by the side to move."""
        return self._encoding.observe(self.position, self.taken)

    def __str__(self) -> str:
        text = self.position.sfen(ply=True)
        return " ".join([text, *(self._encoding.actions[action] for action in self.taken)])


class SpielObserver:
    """Writes observations; both players see all, with the side to move at the bottom."""

    def __init__(self, encoding: Encoding) -> None:
        self.tensor = np.zeros(int(np.prod(encoding.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(encoding.shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what is seen in a state."""
        self.dict["observation"][:] = state.observe()

    def string_from(self, state: SpielState, player: int) -> str:
        """The position as text."""
        return str(state)


def _register(name: str) -> None:
    """Make a game known to OpenSpiel: now all there are, and later those of :func:`komadai.register`."""
    variant = build(name)
    if name_of(variant) not in pyspiel.registered_names():
        # A class, since OpenSpiel frees what it was given after the end of Python, which no class notices.
        known_type = _type(variant)
        pyspiel.register_game(known_type, type(f"SpielGame_{name}", (SpielGame,), {"name": name, "type": known_type}))


watch(_register)
