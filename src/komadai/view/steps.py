"""Legal moves as paths of steps, so that clients let people compose moves without knowing any rule.

Every legal move is a path such as *select 8h · capture 2b · promote +B*. The paths of a position form a prefix tree;
a client shows the children of the current node, each tap goes down one, and a leaf is a move. No path is a prefix of
another, so a leaf is never ambiguous.

A compound move may have several paths, and paths that reach the same state share a node: the tree is then an acyclic
graph, and several leaves may be the same move.

The core makes the tree (:meth:`komadai.Position.steps`); here its numbers get their names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from struct import iter_unpack
from typing import Any, NamedTuple, get_args

from ..game.position import Position
from ..i18n import safely
from ..spec.board import SIDES
from ..spec.material import piece_values
from ..spec.names import Message
from ..spec.setup import Piece
from ..spec.variant import CACHED_VARIANTS, Variant
from .survival import needs_of
from .tree import Effects, Node, Step, StepType

STEP_TYPES: tuple[StepType, ...] = get_args(StepType)
"""The types of steps, in the order of the core's numbers."""
_DROP, _TURNS = STEP_TYPES.index("drop"), 3


@lru_cache(maxsize=CACHED_VARIANTS)
def ladder(variant: Variant) -> dict[str, tuple[int, int]]:
    """Each kind's worth on the board and in hand; kinds are shown in this order, high to low."""
    return piece_values(variant)


class Names(NamedTuple):
    """The names for the numbers of the core; the last of each, for number -1, is ``None``."""

    squares: Sequence[str | None]
    kinds: Sequence[str | None]
    hands: Sequence[str | None]


@lru_cache(maxsize=CACHED_VARIANTS)
def names_of(variant: Variant) -> Names:
    """The names of points, kinds and hand kinds."""
    return Names(
        (*map(variant.board.name, variant.board.points), None),
        (*(kind.code for kind in variant.kinds), None),
        (*variant.hand_order, None),
    )


Row = tuple[StepType, str | None, str | None, str | None, str | None, int]
"""A step in names, by the fields of :class:`~komadai.view.tree.Step`, and the number of the node that follows it, or
the complement of the number of a leaf."""


class StepTable:
    """The tree of all legal moves of a position, as rows.

    Promotions are sorted by worth, high to low, and not promoting comes last; drops follow the moves on the board, by
    worth, high to low.

    Attributes:
        nodes: the steps of each node; the root is the first.
        moves: the move of each leaf. ``kinds``: what stands on its target then; ``None`` if the piece left the game.
        effects: the effects of those leaves that have any.
    """

    __slots__ = ("effects", "kinds", "moves", "nodes")

    def __init__(self, position: Position) -> None:
        tree = position.steps()
        squares, kinds, hands = names_of(position.variant)
        rows: list[Row] = [
            (STEP_TYPES[t], squares[at], (hands if t == _DROP else kinds)[kind], kinds[takes], hands[gains], to)
            for t, at, kind, takes, gains, to in iter_unpack("6i", tree.steps)
        ]
        first = [number for (number,) in iter_unpack("i", tree.first)]
        leaves = list(iter_unpack("2i", tree.leaves))
        self.nodes = [rows[begin:end] for begin, end in pairwise(first)]
        self.moves = tree.moves
        self.kinds = [kinds[kind] for kind, _ in leaves]
        self.effects = _effects(
            position, iter_unpack("4i", tree.effects), [presence for _, presence in leaves], tree.presences
        )


def _effects(
    position: Position, rows: Iterable[tuple[int, ...]], leaves: Sequence[int], presences: Sequence[Sequence[int]]
) -> dict[int, Effects]:
    """The effects of the moves of those leaves that have any.

    Args:
        rows: those of :attr:`Steps.effects`. ``leaves``: by leaf, which of the ``presences`` follows it.
        presences: the pieces on the board now, and after some move, as the core numbers them.
    """
    squares, kinds, _ = names_of(position.variant)
    now, *after = (
        frozenset(Piece(SIDES[(number & 3) - 1], kinds[number >> 2] or "") for number in numbers)
        for numbers in presences
    )
    notes = safely([()] * len(presences), _notes, position, now, after)
    found: dict[int, tuple[list[Any], ...]] = {leaf: _no_effects() for leaf, then in enumerate(leaves) if notes[then]}
    for leaf, effect, point, kind in rows:
        square = squares[point]
        found.setdefault(leaf, _no_effects())[effect].append((square, kinds[kind]) if effect == _TURNS else square)
    return {
        leaf: Effects(tuple(loses), tuple(captures), tuple(burns), tuple(turns), notes[leaves[leaf]])
        for leaf, (loses, captures, burns, turns) in found.items()
    }


def _notes(position: Position, now: frozenset[Piece], after: Iterable[frozenset[Piece]]) -> list[tuple[Message, ...]]:
    """The losses of either side: none now, and those by the moves after which such pieces are there."""
    needs = needs_of(position.variant)
    return [(), *(tuple(needs.lost(position.turn, now, then)) for then in after)]


def _no_effects() -> tuple[list[Any], ...]:
    """A list for each effect, in the order of the core's numbers, which is that of the fields of :class:`Effects`."""
    return [], [], [], []


def step_tree(position: Position) -> Node:
    """The tree of all legal moves of the position, as nodes; :class:`StepTable` has its order."""
    table = StepTable(position)
    nodes = [Node() for _ in table.nodes]
    leaves = [Node(move=move, effects=table.effects.get(leaf, Effects())) for leaf, move in enumerate(table.moves)]
    for node, rows in zip(nodes, table.nodes, strict=True):
        node.children = {
            Step(t, at, code, takes, gains): nodes[to] if to >= 0 else leaves[~to]
            for t, at, code, takes, gains, to in rows
        }
    return nodes[0]
