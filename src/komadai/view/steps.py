"""Legal moves as paths of steps, so that clients let people compose moves without knowing any rule.

Every legal move is a path such as *select 8h · capture 2b · promote +B*. The paths of a position form a prefix tree;
a client shows the children of the current node, each tap goes down one, and a leaf is a move. No path is a prefix of
another, so a leaf is never ambiguous.

A compound move may have several paths, and paths that reach the same state share a node: the tree is then an acyclic
graph, and several leaves may be the same move.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from ..game.position import Position
from ..spec.material import piece_values
from ..spec.move import Move
from ..spec.promotion import faces
from ..spec.rules import Take
from ..spec.variant import CACHED_VARIANTS, Variant
from .tree import Effects, Node, Step


def paths(position: Position) -> list[tuple[tuple[Step, ...], Move]]:
    """The path of every legal move, in the order of their move strings."""
    moves = sorted(position.legal_moves(), key=str)
    results = Counter((move.origin_point, move.target_point) for move in moves if move.origin_point is not None)
    board = position.board
    held = position.hand(position.turn)
    home = {face: code for code in held for face in faces(position.variant, code)}

    def path(move: Move) -> tuple[Step, ...]:
        if move.origin_point is None:
            hand_kind = home[move.piece or ""]
            face = (Step("face", code=move.piece),) if len(faces(position.variant, hand_kind)) > 1 else ()
            return (Step("drop", code=hand_kind), *face, Step("go", move.target))
        there = board[move.target_point]
        if there is None:
            arrive = Step("go", move.target)
        else:
            gains = position.variant.kind(there.code).becomes.captured
            arrive = Step("capture", move.target, takes=there.code, gains=gains)
        if results[move.origin_point, move.target_point] == 1:
            return (Step("select", move.origin), arrive)
        mover = board[move.origin_point]
        stays = mover is not None and mover.code == move.piece
        return (Step("select", move.origin), arrive, Step("stop" if stays else "promote", code=move.piece))

    return [(path(move), move) for move in moves]


@lru_cache(maxsize=CACHED_VARIANTS)
def ladder(variant: Variant) -> dict[str, tuple[int, int]]:
    """Each kind's worth on the board and in hand; kinds are shown in this order, high to low."""
    return piece_values(variant)


def step_tree(position: Position) -> Node:
    """The tree of all legal moves of the position.

    Promotions are sorted by worth, high to low, and not promoting comes last; drops follow the moves on the board, by
    worth, high to low.
    """
    from .compound_steps import compound_moves_of, compound_steps

    turns = compound_moves_of(position.variant)
    root = _plain_tree(position) if turns is None else Node(compound_steps(turns, position))
    worth = ladder(position.variant)
    places = {position.variant.board.name(point): point for point in position.variant.board.points}

    def rank(step: Step) -> tuple[int, int]:
        if step.t == "drop":
            return 2, -worth[step.code or ""][1]
        if step.t == "promote":
            return 2, -worth[step.code or ""][0]
        if turns is None:
            return (3 if step.t == "stop" else 0), 0
        return {"shoot": 1, "stop": 3}.get(step.t, 0), places.get(step.at or "", 0)

    for node in root.nodes():
        node.children = dict(sorted(node.children.items(), key=lambda child: rank(child[0])))
    return root


def _plain_tree(position: Position) -> Node:
    """The tree of a game in which each move is one landing or drop."""
    in_order = position.variant.board.in_order
    takes = any(isinstance(rule.action, Take) for rule in position.variant.rules)
    root = Node()
    for path, move in paths(position):
        node = root
        for step in path:
            node = node.children.setdefault(step, Node())
        node.move = move
        if takes:
            node.effects = Effects(loses=tuple(in_order(position.losses(move))))
    return root
