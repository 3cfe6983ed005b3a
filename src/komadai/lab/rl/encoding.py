"""Positions as planes of bytes and moves as numbers of actions, both made from the spec and its tables alone.

``docs/explanation/decisions`` says why they are as they are, ``docs/reference/environments.md`` lists them.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import product
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...compiler import compile_variant
from ...compiler.symmetries import symmetries
from ...errors import IllegalMoveError, NotationError
from ...game.position import Position
from ...spec.board import Unbounded, Vector
from ...spec.geometry import movement_of
from ...spec.logic import is_compound, memory
from ...spec.material import royals
from ...spec.move import CHOOSES, PROMOTES, Move
from ...spec.promotion import faces
from ...spec.rules import Become
from ...spec.symmetry import Symmetry
from ...spec.variant import Variant
from ...typed import typed
from ...variants import variant_of
from .answers import DECLARE

Actions = Literal["flat", "steps"]
_COMPASS: dict[Vector, str] = {
    (0, 1): "N",
    (1, 1): "NE",
    (1, 0): "E",
    (1, -1): "SE",
    (0, -1): "S",
    (-1, -1): "SW",
    (-1, 0): "W",
    (-1, 1): "NW",
}
_MOST_REPEATED = 3
_LONGEST = 255  # steps of a slide: as far as the board goes
_LEFT_RIGHT = (-1, 0, 0, 1)


class Way(NamedTuple):
    """A direction or leap, as the mover sees it; ``hops``: over exactly one piece."""

    right: int
    ahead: int
    hops: bool

    @property
    def name(self) -> str:
        vector = self.right, self.ahead
        return ("hop " if self.hops else "") + _COMPASS.get(vector, f"({self.right},{self.ahead})")


class Plane(NamedTuple):
    """A plane of flat actions: a way and the choice that the move makes, or the kind that is dropped."""

    way: Way | None
    choice: str
    """The end of the move string: nothing, ``+``, or ``=`` and a kind; of a drop the kind and a star."""

    @property
    def name(self) -> str:
        return self.choice if self.way is None else self.way.name + self.choice


class Encoding:
    """How agents see a game: the planes of a position and the numbers of its actions.

    Everything is seen by the side to move, with its own side at the bottom: for White board and squares are turned
    around and the colours swapped. On a board without edges the middle cell is that of the mover's royal piece.

    Attributes:
        variant: the game. ``kind``: ``flat`` or ``steps``. ``history``: how many positions an observation shows.
        planes: the name of each plane. ``shape``: of an observation, ``(planes, height, width)``.
        declare: the action that declares that the king has entered, the last one; ``None`` where no rule knows that.
        id: names variant, actions, history and rules; two encodings with one id are the same.

    Example:
        >>> import komadai.lab.rl
        >>> encoding = komadai.lab.rl.Encoding("shogi")
        >>> encoding.shape, encoding.num_actions
        ((47, 9, 9), 2187)
        >>> position = komadai.Position("shogi")
        >>> action = encoding.action(position, "7g7f")
        >>> encoding.actions[action], encoding.move(position, action)
        ('N 7f', Move('7g7f'))
    """

    def __init__(self, variant: str | Variant, actions: Actions = "flat", history: int = 1, **options: str) -> None:
        """Make the encoding of a game.

        Args:
            variant: a variant, or its name with rule ``options``.
            actions: ``flat``: one action for each move, for games whose moves have one landing; ``steps``: several
                actions in a turn, for all games.
            history: how many positions an observation shows, the present one among them; 1 to 16.

        Raises:
            NotationError: unknown variant, option or actions, flat actions for a game of compound moves, or a history
                that is out of range.
        """
        if "_native" in vars(self):
            raise TypeError("an Encoding never changes; make another one")
        self.variant = variant_of(variant, options)
        self.kind: Actions = _one_of("actions", actions, get_args(Actions))
        self.history = _whole("history", history, 1, 16)
        if self.kind == "flat" and is_compound(self.variant):
            raise NotationError(
                "actions", [f"{self.variant.id} has moves of several steps, which are no flat actions; choose 'steps'"]
            )
        self._compiled = compile_variant(self.variant)
        self._codes = [kind.code for kind in self.variant.kinds]
        self._hands = self.variant.hand_order
        self._faces = [
            code for hand in self._hands if len(faces(self.variant, hand)) > 1 for code in faces(self.variant, hand)
        ]
        self._repeated = min(_MOST_REPEATED, max(self.variant.repetition.count - 1, 1))
        self.planes: tuple[str, ...] = tuple(self._plane_names())
        self.shape: tuple[int, int, int] = (len(self.planes), self.variant.board.height, self.variant.board.width)
        self._native = _core.Encoding(self._compiled.rules, self._tables())
        assert self._native.planes == len(self.planes)

    # --- Names ---

    @property
    def id(self) -> str:
        """``VARIANT/ACTIONS/HISTORY@RULES`` with the first 16 digits of the rules hash; with a declaration
        ``ACTIONS+declare``."""
        actions = self.kind if self.declare is None else f"{self.kind}+{DECLARE}"
        return f"{self.variant.id}/{actions}/{self.history}@{self.variant.play_hash[:16]}"

    @property
    def _moving(self) -> int:
        """The number of actions that move."""
        cells = len(self.variant.board)
        return len(self._flat) * cells if self.kind == "flat" else self._first["stop"] + self._may_stop

    @property
    def num_actions(self) -> int:
        """The number of actions."""
        return self._moving + (self.declare is not None)

    @property
    def declare(self) -> int | None:
        """The action of a declaration."""
        return None if self.variant.declaration is None else self._moving

    @cached_property
    def own_royals(self) -> list[int]:
        """The planes of the mover's royal pieces."""
        codes = royals(self.variant)
        return [number for number, code in enumerate(self._codes) if code in codes]

    @cached_property
    def high(self) -> NDArray[np.uint8]:
        """By plane the greatest value there may be, ``(planes, 1, 1)``: 1, but in hands as many as a byte holds."""
        return np.array([255 if " hand " in name else 1 for name in self.planes], np.uint8).reshape(-1, 1, 1)

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The name of each action.

        Flat: direction or leap, choice, and target, such as ``N+ 7c`` or ``P* 5e``. Steps: ``select 7g``, ``go 7f``,
        ``shoot 7f``, ``drop P``, ``become +P``, ``stop``. Squares are named as if the mover were Black. Where a
        declaration is known, ``declare`` is the last.
        """
        declares = () if self.declare is None else (DECLARE,)
        board = self.variant.board
        squares = [board.name(point) for point in board.points]
        if self.kind == "flat":
            return (*(f"{plane.name} {square}" for plane, square in product(self._flat, squares)), *declares)
        words = ["select", "go", *(["shoot"] if self._shoots else [])]
        names = [f"{word} {square}" for word, square in product(words, squares)]
        names += [f"drop {code}" for code in self._hands] + [f"become {code}" for code in self._choices]
        return (*names, *(["stop"] if self._may_stop else []), *declares)

    def describe(self) -> dict[str, Any]:
        """The whole encoding as plain data that JSON can hold: ``python -m komadai.lab.rl GAME`` prints it."""
        return {
            "format": "komadai-encoding/1",
            "id": self.id,
            "variant": self.variant.id,
            "version": self.variant.version,
            "options": dict(self.variant.options),
            "rules_hash": self.variant.play_hash,
            "view": "torus about the mover's royal piece" if self._unbounded else "board as the mover sees it",
            "kind": self.kind,
            "history": self.history,
            "shape": list(self.shape),
            "dtype": "uint8",
            "planes": list(self.planes),
            "actions": list(self.actions),
        }

    def __copy__(self) -> Encoding:
        """The encoding itself, which never changes."""
        return self

    def __deepcopy__(self, memo: object) -> Encoding:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return Encoding, (self.variant, self.kind, self.history)

    def __repr__(self) -> str:
        return f"<Encoding {self.id}, {self.shape}, {self.num_actions} actions>"

    # --- Positions and moves ---

    def observe(self, position: Position, taken: Sequence[int] = ()) -> NDArray[np.uint8]:
        """The planes of a position; with ``steps`` after the actions taken in this turn.

        Raises:
            NotationError: the position is one of another game.
            IllegalMoveError: an action of the turn cannot be taken, or makes the move.
        """
        planes = np.empty(self.shape, np.uint8)
        self._require(position)
        try:
            self._native.observe(position._native, self._numbers(taken), planes)
        except ValueError as error:
            raise IllegalMoveError(str(error)) from None
        return planes

    def mask(self, position: Position, taken: Sequence[int] = ()) -> NDArray[np.uint8]:
        """1 for each action that is legal now, 0 for the others; all 0 where the game is over by the rules.

        Raises:
            as :meth:`observe`.
        """
        mask = np.zeros(self.num_actions, np.uint8)
        self._require(position)
        if not position.is_game_over():
            try:
                mask[self._native.legal(position._native, self._numbers(taken))] = 1
            except ValueError as error:
                raise IllegalMoveError(str(error)) from None
            if self.declare is not None and not taken:
                mask[self.declare] = position.declaration() is not None
        return mask

    def action(self, position: Position, move: Move | str) -> int | list[int]:
        """The action of a legal move; with ``steps`` the actions of the turn, the fewest if there are several ways.

        The word ``declare`` stands for a declaration, where one holds.

        Raises:
            NotationError: the position is one of another game, or the text is no move string.
            IllegalMoveError: the move is not legal here.
        """
        self._require(position)
        if move == DECLARE:
            if self.declare is None or position.declaration() is None:
                raise IllegalMoveError(f"{DECLARE} is not legal here")
            return self.declare if self.kind == "flat" else [self.declare]
        made = position._legal(move)
        path = self._native.path(position._native, made.code, made.trail)
        return path[0] if self.kind == "flat" else path

    def move(self, position: Position, action: int | Sequence[int]) -> Move | None:
        """The move of an action; with ``steps`` that of the actions of a turn, ``None`` as long as it is not whole.

        A declaration is no move (:meth:`komadai.Position.declaration` says what it does).

        Raises:
            NotationError: the position is one of another game, or there is no such action.
            IllegalMoveError: an action cannot be taken; the message names the last one.
        """
        self._require(position)
        taken = self._numbers([action] if isinstance(action, (int, np.integer)) else action)
        if self.declare in taken:
            raise IllegalMoveError(f"action {self.declare} ({DECLARE}) is no move")
        try:
            return self._native.move(position._native, taken)
        except ValueError:
            raise IllegalMoveError(f"action {taken[-1]} ({self.actions[taken[-1]]}) cannot be taken here") from None

    @typed
    def _require(self, position: Position) -> None:
        if position._compiled.rules is not self._compiled.rules:
            raise NotationError("position", [f"is one of {position.variant!r}; expected {self.variant!r}"])

    def _numbers(self, actions: Iterable[int]) -> list[int]:
        found = [operator.index(action) for action in actions]
        for action in found:
            if not 0 <= action < self.num_actions:
                raise NotationError(f"action {action}", [f"expected 0 to {self.num_actions - 1}"])
        return found

    # --- The mirror ---

    @cached_property
    def _mirror(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The planes and the actions in the mirror, by their numbers.

        Raises:
            NotationError: the rules have no such symmetry.
        """
        found = next((s for s in symmetries(self.variant) if s.map == _LEFT_RIGHT and not s.exchanges), None)
        if found is None:
            raise NotationError("mirror", [f"{self.variant.id} is not the same from left to right"])
        return np.array(self._mirrored_planes(found), np.intp), np.array(self._mirrored_actions(found), np.intp)

    @typed
    def mirror(
        self, obs: NDArray[np.uint8], actions: NDArray[Any] | None = None
    ) -> tuple[NDArray[np.uint8], NDArray[Any] | None]:
        """Observations and actions of the positions that the left-right mirror makes: the game is the same there.

        Args:
            obs: observations, ``(…, planes, height, width)``.
            actions: numbers of actions, of integers; or values by action, ``(…, num_actions)`` of bytes or floats, such
                as masks and policies.

        Raises:
            NotationError: the rules have no such symmetry, or the shape of an array is another.
        """
        planes, into = self._mirror
        if obs.shape[-3:] != self.shape:
            raise NotationError("mirror", [f"observations have the shape {obs.shape}; expected (…, {self.shape})"])
        mirrored = np.ascontiguousarray(np.take(obs, planes, -3)[..., ::-1])
        if actions is None:
            return mirrored, None
        if actions.dtype != np.uint8 and np.issubdtype(actions.dtype, np.integer):
            return mirrored, into[actions].astype(actions.dtype)
        if actions.shape[-1] != self.num_actions:
            raise NotationError("mirror", [f"values have the shape {actions.shape}; expected (…, {self.num_actions})"])
        return mirrored, np.take(actions, into, -1)

    def _mirrored_planes(self, symmetry: Symmetry) -> list[int]:
        """By plane, the plane of which it is the mirror image."""
        kinds = dict(zip(self._codes, (self._codes[to] for to in symmetry.kinds), strict=True))
        at = {name: number for number, name in enumerate(self.planes)}
        found = [0] * len(self.planes)
        for name, number in at.items():
            head, comma, tail = name.partition(",")
            words = head.split(" ")
            if words[0] in ("own", "enemy", "dropping", "as"):
                words[-1] = kinds[words[-1]]
            found[at[" ".join(words) + comma + tail]] = number
        return found

    def _mirrored_actions(self, symmetry: Symmetry) -> list[int]:
        """By action, what it becomes: an involution as far as the kinds are one."""
        board = self.variant.board
        kinds = dict(zip(self._codes, (self._codes[to] for to in symmetry.kinds), strict=True))
        square = [board.width - 1 - point % board.width + point // board.width * board.width for point in board.points]
        cells = len(board)
        if self.kind == "flat":
            at = {plane: number for number, plane in enumerate(self._flat)}
            planes = [at[_mirrored(plane, kinds)] for plane in self._flat]
            found = [plane * cells + to for plane, to in product(planes, square)]
            return found if self.declare is None else [*found, self.declare]
        found = [word * cells + to for word, to in product(range(3 if self._shoots else 2), square)]
        found += [self._first["drop"] + self._hands.index(kinds[code]) for code in self._hands]
        found += [self._first["become"] + self._choices.index(kinds[code]) for code in self._choices]
        found += [self._first["stop"]] if self._may_stop else []
        return found if self.declare is None else [*found, self.declare]

    # --- Tables for the core ---

    def _plane_names(self) -> Iterable[str]:
        for ago in range(self.history):
            when = f", {ago} ago" if ago else ""
            yield from (f"{owner} {code}{when}" for owner, code in product(("own", "enemy"), self._codes))
            yield from (f"{owner} hand {code}{when}" for owner, code in product(("own", "enemy"), self._hands))
            yield from (f"repeated {times}{when}" for times in range(1, self._repeated + 1))
        yield from ("black", "check")
        yield from ("just taken",) if memory(self.variant) else ()
        if self.kind == "steps":
            yield from ("selected", "at")
            yield from ("passed", "shot") if is_compound(self.variant) else ()
            yield from (f"dropping {code}" for code in self._hands)
            yield from (f"as {code}" for code in self._faces)

    @property
    def _unbounded(self) -> bool:
        return isinstance(self.variant.board, Unbounded)

    @cached_property
    def _changes(self) -> list[list[_core.Change]]:
        """By kind, everything that a move may make of it, as the core has it."""
        tables = self._compiled.tables
        classes = range(4) if any(tables.zone) else range(2)
        changes = tables.changes
        return [
            [change for of in classes for change in changes[self._compiled.piece(code, "b")][of]]
            for code in self._codes
        ]

    @cached_property
    def _legs(self) -> list[list[tuple[Way, int]]]:
        """By kind, the ways of its moves and how many steps of each it may take; of all kinds where moves are lent."""
        found = []
        for kind in self.variant.kinds:
            reach: dict[Way, int] = {}
            for leg in movement_of(kind).legs:
                for right, ahead in leg.vectors:
                    way = Way(right, ahead, leg.hops)
                    reach[way] = max(reach.get(way, 0), leg.reach or _LONGEST)
            found.append(reach)
        if self.variant.borrowing is not None:
            every: dict[Way, int] = {}
            for reach in found:
                for way, steps in reach.items():
                    every[way] = max(every.get(way, 0), steps)
            found = [every] * len(found)
        return [sorted(reach.items(), key=lambda one: self._order(one[0])) for reach in found]

    @staticmethod
    def _order(way: Way) -> tuple[Any, ...]:
        """Ways in order: those of one step clockwise from the north, then leaps, then hops."""
        vectors = list(_COMPASS)
        vector = way[:2]
        return way.hops, vector not in _COMPASS, vectors.index(vector) if vector in _COMPASS else vector

    @cached_property
    def _ways(self) -> list[Way]:
        return sorted({way for legs in self._legs for way, _reach in legs}, key=self._order)

    def _choice(self, change: _core.Change) -> str:
        """The end of the move string of a move that makes this change."""
        code = self._codes[change.piece >> 2]
        return "+" if change.flags & PROMOTES else f"={code}" if change.flags & CHOOSES else ""

    @cached_property
    def _flat(self) -> list[Plane]:
        """The planes of flat actions: ways by choice, and drops."""
        made = {
            (way, self._choice(change))
            for changes, legs in zip(self._changes, self._legs, strict=True)
            for change in changes
            for way, _reach in legs
        }
        choices = ["", "+", *(f"={code}" for code in self._codes)]
        planes = [Plane(way, choice) for choice in choices for way in self._ways if (way, choice) in made]
        dropped = dict.fromkeys(code for hand in self._hands for code in faces(self.variant, hand))
        return planes + [Plane(None, f"{code}*") for code in dropped]

    @cached_property
    def _choices(self) -> list[str]:
        """With steps: the kinds that a player may choose, as the face of a dropped piece or the result of a move."""
        chosen = set(self._faces)
        for code in self._codes:
            for results in self._compiled.tables.changes[self._compiled.piece(code, "b")]:
                if len(results) > 1:
                    chosen |= {self._codes[change.piece >> 2] for change in results}
        if is_compound(self.variant):
            chosen |= {rule.action.into for rule in self.variant.rules if isinstance(rule.action, Become)}
        return [code for code in self._codes if code in chosen]

    @property
    def _may_stop(self) -> bool:
        return is_compound(self.variant) or len(self._choices) > len(set(self._faces)) or self._may_stay

    @cached_property
    def _may_stay(self) -> bool:
        return any(
            len(results) > 1
            for code in self._codes
            for results in self._compiled.tables.changes[self._compiled.piece(code, "b")]
        )

    @property
    def _shoots(self) -> bool:
        return any(movement_of(kind).shot for kind in self.variant.kinds)

    @cached_property
    def _first(self) -> dict[str, int]:
        """With steps: the first action of each sort."""
        cells = len(self.variant.board)
        drop = cells * (3 if self._shoots else 2)
        become = drop + len(self._hands)
        return {"go": cells, "shoot": 2 * cells, "drop": drop, "become": become, "stop": become + len(self._choices)}

    def _tables(self) -> _core.EncodingTables:
        steps = self.kind == "steps"
        words = ["", "+", *(f"={code}" for code in self._codes)]
        planes = {} if steps else {plane: number for number, plane in enumerate(self._flat)}
        ways = [] if steps else self._ways
        return _core.EncodingTables(
            steps=steps,
            history=self.history,
            repetitions=self._repeated,
            remembers=memory(self.variant) is not None,
            ways=[[way.right, way.ahead, int(way.hops)] for way in ways],
            legs=[] if steps else [[[ways.index(way), reach] for way, reach in legs] for legs in self._legs],
            promotes=1,
            choices=[
                (self._first["become"] + self._choices.index(code) if code in self._choices else -1)
                if steps
                else words.index(f"={code}")
                for code in self._codes
            ],
            plane_of=[[planes.get(Plane(way, word), -1) for word in words] for way in ways],
            drop_planes=[planes.get(Plane(None, f"{code}*"), -1) for code in self._codes],
            action_planes=len(planes),
            go=self._first["go"],
            shoot=self._first["shoot"],
            drop=self._first["drop"],
            stop=self._first["stop"],
            declare=-1 if self.declare is None else self.declare,
            shown=[self._faces.index(code) if code in self._faces else -1 for code in self._codes],
            actions=self.num_actions,
        )


def _mirrored(plane: Plane, kinds: dict[str, str]) -> Plane:
    if plane.way is None:
        return Plane(None, f"{kinds[plane.choice[:-1]]}*")
    choice = f"={kinds[plane.choice[1:]]}" if plane.choice.startswith("=") else plane.choice
    return Plane(plane.way._replace(right=-plane.way.right), choice)


def _one_of(what: str, value: Any, words: Sequence[str]) -> Any:
    """The value, which must be one of some words."""
    if value not in words:
        raise NotationError(what, [f"{value!r} is not known; choose from {', '.join(words)}"])
    return value


def _whole(what: str, value: Any, least: int, most: int) -> int:
    """A whole number in a range."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not least <= value <= most:
        raise NotationError(what, [f"is {value!r}; expected a whole number from {least} to {most}"])
    return int(value)
