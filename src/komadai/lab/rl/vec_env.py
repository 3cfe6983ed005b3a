"""Many games of one variant, stepped together by the native core."""

from __future__ import annotations

import operator
import sys
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ... import _core, solve
from ...compiler import compile_variant
from ...errors import IllegalMoveError, NotationError, require_threads
from ...game.outcome import BY_RULE
from ...game.position import Position
from ...spec.board import SIDES
from ...spec.variant import Variant
from ...typed import typed
from ...variants import variant_of
from .encoding import Actions, Encoding, _one_of, _whole
from .judge import Judge

Autoreset = Literal["next_step", "same_step", "disabled"]
Observations = NDArray[np.uint8]
Info = dict[str, Any]

CAP = "cap"
RESULTS: tuple[str, ...] = ("", *BY_RULE, CAP, "declaration")
"""The words for the codes in ``info["result"]``: nothing while a game goes on, the reasons of the rules, the cap on the
number of plies, and a declaration that the king has entered."""

Step = tuple[Observations, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Info]
"""Observations, rewards, ``terminated``, ``truncated`` and ``info``."""

_STATE = "komadai-vecenv/1"
_NO_DECLARATION = -2  # as in native/environment.hpp; else the winner, -1 for a draw
# Of the arrays by game after observations and masks, as StepArrays of native/environment.hpp has them.
_BY_GAME = [np.dtype(name) for name in ("f4", "?", "?", "i1", "i1", "i1", "u1", "i4", "i4")]


class VecEnv:
    """Many games of one variant at once, for agents that play both sides.

    A step takes one action in every game, in one native call without the GIL, split among threads. The games are the
    same for any number of threads. :meth:`reset` and :meth:`step` return arrays by game:

    * observations, ``(N, planes, height, width)`` of bytes: :class:`Encoding` names the planes;
    * rewards, floats, for the side that has just acted: 1 if it has won, -1 if it has lost, else 0;
    * ``terminated``: the game has ended by its rules; ``truncated``: by ``max_plies``;
    * ``info``: ``action_mask`` ``(N, actions)``, 1 for what is legal, all 0 where the game is over; ``to_play``, 0
      Black, 1 White; ``ply``, the turns made since the reset; ``legal_count``, the number of legal actions; ``result``,
      a code whose word is in :data:`RESULTS`; ``winner``, 0, 1 or -1; ``discount``, the sign with which the value
      of the position that the observation shows counts for the side that has acted: 1 if it acts again (within a turn),
      -1 if the other side does, also where the game has been truncated, 0 if the game has ended or the position is of
      a game that begins anew.

    Attributes:
        encoding: what planes and actions mean. ``num_envs``, ``threads``, ``max_plies``, ``autoreset``: as given.

    Example:
        >>> import komadai.lab.rl
        >>> env = komadai.lab.rl.VecEnv("nana", 4, seed=7)
        >>> obs, info = env.reset()
        >>> obs.shape, info["legal_count"]
        ((4, 29, 3, 3), array([8, 8, 8, 8], dtype=int32))
        >>> obs, reward, terminated, truncated, info = env.step(env.random_actions())
    """

    def __init__(
        self,
        variant: str | Variant,
        num_envs: int,
        threads: int = 1,
        encoding: Actions | Encoding = "flat",
        autoreset: Autoreset = "next_step",
        max_plies: int = 512,
        seed: int = 0,
        history: int = 1,
        copy: bool = True,
        values: bool = False,
        **options: str,
    ) -> None:
        """Set the games up; :meth:`reset` begins them.

        Args:
            variant: a variant, or its name with rule ``options``.
            num_envs: the number of games, 1 to 1,048,576.
            threads: the number of threads that share the work, 1 to 256.
            encoding: ``flat`` or ``steps`` actions, or an :class:`Encoding` of the same variant.
            autoreset: when a game that is over begins anew. ``next_step``: with the next step, which ignores its
                action, and whose reward is 0. ``same_step``: at once; the last observation is in ``info["final_obs"]``.
                ``disabled``: when :meth:`reset` is asked to; till then it stays as it is and its actions are ignored.
            max_plies: after so many turns a game is truncated.
            seed: of :meth:`random_actions`, 0 to 2**64 - 1.
            history: how many positions an observation shows (:class:`Encoding`).
            copy: whether every step returns arrays of its own. Without, two sets of arrays take turns, so that
                a step overwrites the observations and masks of the step before the last.
            values: whether ``info`` has ``value``, the exact value of each position for the side to act (1 won, 0
                drawn, -1 lost with best play), and ``regret``, the value that the move just made gave away, 0 to 2;
                NaN where it is not known, and within a turn. For solved games; a probe of the table a game and step.

        Raises:
            NotationError: an argument is out of range, or of no use for this game.
            SpecError: ``values`` are asked for, and the game has no table.
        """
        game = variant_of(variant, options)
        made = encoding if isinstance(encoding, Encoding) else Encoding(game, encoding, history)
        self.encoding = made
        if made.variant != game:
            raise NotationError("encoding", [f"is one of {made.variant!r}; expected {variant!r}"])
        self.num_envs = _whole("num_envs", num_envs, 1, _core.MAX_GAMES)
        self.threads = _whole("threads", threads, 1, _core.MAX_THREADS)
        if self.threads > 1:
            require_threads("threads")
        self.max_plies = _whole("max_plies", max_plies, 1, (1 << 31) - 1)
        self.autoreset: Autoreset = _one_of("autoreset", autoreset, get_args(Autoreset))
        self._seed = _whole("seed", seed, 0, (1 << 64) - 1)
        self._copy = bool(copy)
        self._compiled = compile_variant(made.variant)
        self._native = _core.Batch(
            made._native,
            self._compiled.start,
            self.num_envs,
            self.threads,
            self.max_plies,
            get_args(Autoreset).index(self.autoreset),
            self._seed,
        )
        self._begun = False
        self._judge = (
            Judge(solve.open(made.variant), self.num_envs, self.autoreset, RESULTS.index(CAP)) if values else None
        )
        self._make_room()

    def _make_room(self) -> None:
        self._observations = _Room((self.num_envs, *self.encoding.shape), self._copy)
        self._masks = _Room((self.num_envs, self.encoding.num_actions), self._copy)
        self._final: list[NDArray[Any]] | None = None

    @property
    def variant(self) -> Variant:
        """The game."""
        return self.encoding.variant

    # --- Playing ---

    def reset(
        self,
        seed: int | None = None,
        to: Sequence[Position | str] | None = None,
        mask: ArrayLike | None = None,
    ) -> tuple[Observations, Info]:
        """Begin games anew.

        Args:
            seed: of :meth:`random_actions` from now on; the games count as the first. ``None``: they go on with the
                next numbers of the seed.
            to: a position for each game, or its string; its moves count for repetition. ``None``: the variant's start.
                A game that begins anew by itself later begins at the start.
            mask: whether each game begins anew; ``None``: all do.

        Raises:
            NotationError: a seed out of range, a position of another game or where the game is over, or an array of
                another shape.
            IllegalPositionError: a position that cannot be played.
        """
        which = np.ones(self.num_envs, np.uint8) if mask is None else self._array("mask", mask, np.bool_)
        if not self._begun and mask is not None and not np.all(which):
            raise NotationError("reset", ["the first reset begins all games; give no mask"])
        starts: list[Position] = []
        if to is not None:
            if len(to) != self.num_envs:
                raise NotationError("to", [f"has {len(to)} positions; expected {self.num_envs}"])
            starts = [one if isinstance(one, Position) else Position(self.variant, one) for one in to]
            for start in starts:
                self.encoding._require(start)
        number = None if seed is None else _whole("seed", seed, 0, (1 << 64) - 1)
        over = self._native.reset(which, [start._native for start in starts], number)
        if over >= 0:
            raise NotationError("to", [f"position {over}: the game is over there: {starts[over].outcome()}"])
        self._begun = True
        return self._look()

    def step(self, actions: ArrayLike) -> Step:
        """Take an action in every game.

        Args:
            actions: whole numbers, ``(N,)``; ignored where the game is over.

        Raises:
            NotationError: an array of another shape or type, or no reset yet.
            IllegalMoveError: an action is not legal; the message names the first such game. Nothing has changed.
        """
        return self._step(self._array("actions", actions, np.int32), turns=False)

    def step_turns(self, choices: ArrayLike) -> Step:
        """Make a whole move in every game: of those that :meth:`legal_turns` lists for it, the one of that number.

        Where the action :attr:`Encoding.declare` is legal, -1 declares.

        Arguments, results and errors are those of :meth:`step`; with ``steps`` no turn may be under way.
        """
        return self._step(self._array("choices", choices, np.int32), turns=True)

    def random_actions(self) -> NDArray[np.int32]:
        """A legal action for each game, each as likely as any other; 0 where the game is over.

        It follows from seed, game, episode, ply and step alone: the same whatever else was asked, on every machine.
        """
        actions = np.empty(self.num_envs, np.int32)
        self._native.random_actions(actions)
        return actions

    def legal_turns(self) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        """The legal moves of all games, one after the other, for agents that score each of them.

        Returns:
            ``offsets`` ``(N + 1,)``: the moves of game i are those from ``offsets[i]`` to before ``offsets[i + 1]``;
            and the two words of each move, ``(M, 2)``: :meth:`turn` makes a move of them.

        Raises:
            IllegalMoveError: with ``steps``, a turn is under way.
        """
        counts = np.empty(self.num_envs, np.int64)
        self._native.count_turns(counts)
        if counts.min() < 0:
            game = int(counts.argmin())
            raise IllegalMoveError(f"environment {game}: a turn is under way; moves are listed at its start")
        offsets = np.zeros(self.num_envs + 1, np.int64)
        np.cumsum(counts, out=offsets[1:])
        words = np.empty((int(offsets[-1]), 2), np.uint64)
        self._native.list_turns(words)
        return offsets, words

    def turn(self, words: Sequence[int] | NDArray[np.uint64]) -> Any:
        """The :class:`~komadai.Move` of the two words of a move in :meth:`legal_turns`."""
        both = [operator.index(word) for word in words]
        if len(both) != 2:
            raise NotationError("turn", [f"has {len(both)} words; expected 2"])
        return self._compiled.move(*both)

    # --- Looking ---

    def position(self, env: int) -> Position:
        """The position of one game, at the start of its turn, with its moves: a copy.

        Raises:
            NotationError: there is no such game.
        """
        return Position._around(self._compiled, self._native.position(_whole("env", env, 0, self.num_envs - 1)))

    def positions(self) -> list[str]:
        """The position strings of all games, at the start of their turns."""
        return [self.position(env).sfen() for env in range(self.num_envs)]

    def taken(self, env: int) -> list[int]:
        """With ``steps``: the actions of the turn under way in one game.

        Raises:
            NotationError: there is no such game.
        """
        return self._native.taken(_whole("env", env, 0, self.num_envs - 1))

    def mirror(self, obs: Observations, actions: NDArray[Any] | None = None) -> Any:
        """As :meth:`Encoding.mirror`."""
        return self.encoding.mirror(obs, actions)

    # --- Keeping ---

    def state_dict(self) -> dict[str, Any]:
        """The whole state, to be kept: :meth:`load_state_dict` goes on from there, byte for byte the same."""
        words = np.array(self._native.save(), np.uint64)
        return {"format": _STATE, "encoding": self.encoding.id, "max_plies": self.max_plies, "state": words}

    @typed
    def load_state_dict(self, state: dict[str, Any]) -> tuple[Observations, Info]:
        """Go on from a state, of environments with the same encoding and number of games; return what is seen there.

        Raises:
            NotationError: it is damaged, or the state of other environments; nothing has changed.
        """
        kept = [state.get(name) for name in ("format", "encoding", "max_plies")]
        if kept != [_STATE, self.encoding.id, self.max_plies]:
            raise NotationError("state", [f"is of {kept}; expected {[_STATE, self.encoding.id, self.max_plies]}"])
        try:
            self._native.load(np.asarray(state.get("state"), np.uint64).ravel().tolist())
        except (TypeError, ValueError, OverflowError) as error:
            raise NotationError("state", [f"cannot be loaded: {error}"]) from None
        self._begun = True
        return self._look()

    def clone(self) -> VecEnv:
        """Independent environments in the same state."""
        twin = object.__new__(VecEnv)
        twin.__dict__.update(self.__dict__)
        twin._native = self._native.copy()
        twin._judge = self._judge and self._judge.clone()
        twin._make_room()
        return twin

    __copy__ = clone

    def __deepcopy__(self, memo: object) -> VecEnv:
        return self.clone()

    def __reduce__(self) -> tuple[object, ...]:
        """Environments of the same arguments in the same state."""
        names = ("num_envs", "threads", "encoding", "autoreset", "max_plies")
        given = {name: getattr(self, name) for name in names}
        given |= {"seed": self._seed, "copy": self._copy, "values": self._judge is not None}
        judged = None if self._judge is None else self._judge.state
        return _again, (type(self), self.variant, given, self.state_dict() if self._begun else None, judged)

    def __repr__(self) -> str:
        return f"<VecEnv {self.encoding.id}, {self.num_envs} games, {self.threads} threads, autoreset {self.autoreset}>"

    # --- Arrays ---

    def _look(self) -> tuple[Observations, Info]:
        arrays = self._arrays()
        self._native.look(arrays)
        self._allow(arrays)
        obs, _reward, _terminated, _truncated, info = self._named(arrays)
        if self._judge is not None:
            self._judge.look(self._native.position, info)
        return obs, info

    def _step(self, actions: NDArray[Any], *, turns: bool) -> Step:
        if not self._begun:
            raise NotationError("step", ["the games have not begun; call reset() first"])
        arrays = self._arrays()
        last = self._last() if self.autoreset == "same_step" else []
        refused = self._native.step(actions, turns, [*arrays, *last])
        if refused is not None:
            raise IllegalMoveError(self._refusal(*refused, turns=turns))
        self._allow(arrays)
        result = self._named(arrays)
        if self._judge is not None:
            self._judge.step(self._native.position, *result[1:])
        if last and (ended := result[2] | result[3]).any():
            self._final = None
            info = result[4]
            info["final_obs"] = last[0]
            info["final_info"] = dict(zip(("action_mask", "to_play", "ply", "legal_count"), last[1:], strict=True))
            info["final_info"]["discount"] = np.where(result[3], -1, 0).astype(np.int8)
            info["_final_obs"] = info["_final_info"] = ended
        return result

    def _allow(self, arrays: list[NDArray[Any]]) -> None:
        """Tell the core which declarations hold, and mark them; the rules of declarations are those of positions."""
        declare, rule = self.encoding.declare, self.variant.declaration
        if declare is None or rule is None:
            return
        obs, mask, legal_count = arrays[0], arrays[1], arrays[-1]
        declarations = np.full(self.num_envs, _NO_DECLARATION, np.int8)
        # None holds without a royal piece in the region.
        own = self.encoding.own_royals
        entered = (obs[:, own] & self._region).any(axis=(1, 2, 3)) & (legal_count > 0)
        for game in np.flatnonzero(entered).tolist():
            if not self._native.taken(game) and (outcome := self.position(game).declaration()) is not None:
                declarations[game] = -1 if outcome.winner is None else SIDES.index(outcome.winner)
        self._native.allow(declarations)
        may = declarations != _NO_DECLARATION
        mask[may, declare] = 1
        legal_count[may] += 1

    @cached_property
    def _region(self) -> NDArray[np.uint8]:
        """1 where a royal piece must stand to declare, as the mover sees it."""
        board, rule = self.variant.board, self.variant.declaration
        assert rule is not None
        inside = [rule.region.contains(board, point, SIDES[0]) for point in board.points]
        return np.array(inside, np.uint8).reshape(self.encoding.shape[1:])

    def _refusal(self, env: int, code: int, action: int, *, turns: bool) -> str:
        if code == 1:
            return f"environment {env}: a turn is under way; whole moves are made at its start"
        if turns:
            return f"environment {env}: there is no legal move {action}; nothing was played"
        known = 0 <= action < self.encoding.num_actions
        name = f" ({self.encoding.actions[action]})" if known else ""
        return f"environment {env}: action {action}{name} is not legal here; nothing was played"

    def _arrays(self) -> list[NDArray[Any]]:
        n = self.num_envs
        return [self._observations.take(), self._masks.take(), *[np.empty(n, dtype) for dtype in _BY_GAME]]

    def _last(self) -> list[NDArray[Any]]:
        """Arrays for the games that end in this step; kept till one does."""
        if self._final is None:
            n = self.num_envs
            shown = np.zeros((n, *self.encoding.shape), np.uint8), np.zeros((n, self.encoding.num_actions), np.uint8)
            self._final = [*shown, np.zeros(n, np.int8), np.zeros(n, np.int32), np.zeros(n, np.int32)]
        return self._final

    def _named(self, arrays: list[NDArray[Any]]) -> Step:
        obs, mask, reward, terminated, truncated, *rest = arrays
        names = ("to_play", "winner", "discount", "result", "ply", "legal_count")
        return obs, reward, terminated, truncated, {"action_mask": mask} | dict(zip(names, rest, strict=True))

    def _array(self, what: str, values: ArrayLike, dtype: type[np.generic]) -> NDArray[Any]:
        """An array by game, of whole numbers or truth values."""
        array = np.asarray(values)
        if array.shape != (self.num_envs,):
            raise NotationError(what, [f"have the shape {array.shape}; expected ({self.num_envs},)"])
        if dtype is np.bool_:
            if array.dtype != np.bool_:
                raise NotationError(what, [f"has the type {array.dtype}; expected bool"])
            return array.astype(np.uint8)
        if array.dtype != np.int32:
            if not np.issubdtype(array.dtype, np.integer):
                raise NotationError(what, [f"have the type {array.dtype}; expected whole numbers, as int32"])
            limits = np.iinfo(np.int32)
            array = np.clip(array, limits.min, limits.max)  # what lies beyond is no action either
        return np.ascontiguousarray(array, np.int32)


class _Room:
    """Arrays of one shape for what the steps return. One is used again once nobody else has it."""

    _MOST = 8

    def __init__(self, shape: tuple[int, ...], copy: bool) -> None:
        self._shape, self._copy = shape, copy
        self._arrays: list[NDArray[np.uint8]] = []

    def take(self) -> NDArray[np.uint8]:
        arrays = self._arrays
        if not self._copy:
            if len(arrays) < 2:
                arrays.append(np.empty(self._shape, np.uint8))
            else:
                arrays.reverse()
            return arrays[-1]
        for number in range(len(arrays)):
            if sys.getrefcount(arrays[number]) <= 2:  # the list's and that of the call
                return arrays[number]
        made = np.empty(self._shape, np.uint8)
        if len(arrays) < self._MOST:
            arrays.append(made)
        return made


def vec(variant: str | Variant, num_envs: int, **settings: Any) -> VecEnv:
    """Make a :class:`VecEnv`; arguments and errors are its own."""
    return VecEnv(variant, num_envs, **settings)


def _again(
    kind: type[VecEnv], variant: Variant, given: dict[str, Any], state: dict[str, Any] | None, judged: Any
) -> VecEnv:
    """Pickled environments."""
    env = kind(variant, **given)
    if state is not None:
        env.load_state_dict(state)
    if env._judge is not None:
        env._judge.state = judged
    return env
