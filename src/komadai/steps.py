"""Legal moves as paths of steps: what a client needs to let people compose a move without knowing any rule.

Every legal move is a path such as *select 8h · capture 2b · promote +B*. The paths of a position form a prefix tree;
a client shows the children of the current node, each tap goes down one, and a leaf is a move. No path is the
beginning of another, so a leaf is never ambiguous.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from .derive import faces, piece_values
from .move import Move
from .position import Position
from .spec import Take, Variant

StepType = Literal["select", "drop", "face", "go", "capture", "promote", "stop"]


@dataclass(frozen=True, slots=True)
class Step:
    """One decision on the way to a move.

    Attributes:
        t: ``select`` a piece on the board, ``drop`` one from the hand, choose the ``face`` it shows, ``go`` to an empty
            point, ``capture`` on a point, ``promote`` into another kind, or ``stop``: stay what it is.
        at: the square's name, for ``select``, ``go`` and ``capture``.
        code: a kind's code: the hand kind (``drop``), or what the piece becomes (``face``, ``promote``, ``stop``).
        takes: the kind that a ``capture`` takes.
        gains: the hand kind that a ``capture`` brings, ``None`` if what is taken leaves the game.
    """

    t: StepType
    at: str | None = None
    code: str | None = None
    takes: str | None = None
    gains: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The step as JSON data, without the fields that do not apply."""
        data = {key: value for key in ("t", "at", "code", "takes") if (value := getattr(self, key)) is not None}
        return data | {"gains": self.gains} if self.t == "capture" else data


@dataclass(slots=True)
class Node:
    """A node of the step tree: ``move`` at a leaf, ``children`` in the order they are shown in elsewhere.

    ``loses``, at a leaf, names the squares of the mover's own pieces that the end of the turn takes.
    """

    children: dict[Step, Node] = field(default_factory=dict)
    move: Move | None = None
    loses: tuple[str, ...] = ()

    def leaves(self) -> Iterator[Move]:
        """All moves below this node."""
        if self.move is not None:
            yield self.move
        for child in self.children.values():
            yield from child.leaves()


def paths(position: Position) -> list[tuple[tuple[Step, ...], Move]]:
    """The path of every legal move, in the order of their move strings."""
    moves = sorted(position.legal_moves(), key=str)
    results = Counter((move.origin, move.target) for move in moves if move.origin is not None)
    board = position.board
    held = position.hand(position.turn)
    home = {face: code for code in held for face in faces(position.variant, code)}
    name = position.variant.board.name

    def path(move: Move) -> tuple[Step, ...]:
        if move.origin is None:
            hand_kind = home[move.piece]
            face = (Step("face", code=move.piece),) if len(faces(position.variant, hand_kind)) > 1 else ()
            return (Step("drop", code=hand_kind), *face, Step("go", name(move.target)))
        there = board[move.target]
        if there is None:
            arrive = Step("go", name(move.target))
        else:
            gains = position.variant.kind(there.code).becomes.captured
            arrive = Step("capture", name(move.target), takes=there.code, gains=gains)
        if results[move.origin, move.target] == 1:
            return (Step("select", name(move.origin)), arrive)
        mover = board[move.origin]
        stays = mover is not None and mover.code == move.piece
        return (Step("select", name(move.origin)), arrive, Step("stop" if stays else "promote", code=move.piece))

    return [(path(move), move) for move in moves]


@lru_cache(maxsize=32)
def ladder(variant: Variant) -> dict[str, tuple[int, int]]:
    """Each kind's worth on the board and in hand: the order in which people are shown kinds, high to low."""
    return piece_values(variant)


def step_tree(position: Position) -> Node:
    """The prefix tree of all legal moves of the position.

    Of what a piece may become the highest comes first and staying what it is last; drops come by worth, high to low,
    after the moves on the board.
    """
    worth = ladder(position.variant)

    def rank(step: Step) -> tuple[int, int]:
        if step.t == "drop":
            return 1, -worth[step.code or ""][1]
        if step.t == "promote":
            return 1, -worth[step.code or ""][0]
        return (2 if step.t == "stop" else 0), 0

    def arrange(node: Node) -> None:
        node.children = dict(sorted(node.children.items(), key=lambda child: rank(child[0])))
        for child in node.children.values():
            arrange(child)

    name = position.variant.board.name
    takes = any(isinstance(rule.action, Take) for rule in position.variant.rules)
    root = Node()
    for path, move in paths(position):
        node = root
        for step in path:
            node = node.children.setdefault(step, Node())
        node.move = move
        if takes:
            node.loses = tuple(name(point) for point in sorted(position.losses(move)))
    arrange(root)
    return root


def to_json(node: Node) -> list[dict[str, Any]]:
    """The children of a node as JSON data: steps with ``next`` (their children) or, at a leaf, ``usi`` and ``piece``.

    ``usi`` is the move string, ``piece`` the code of what stands on the target afterwards; ``loses``, only where there
    are any, the squares of the mover's own pieces that the end of the turn takes, named as before the move.
    """
    data = []
    for step, child in node.children.items():
        entry = step.to_json()
        if child.move is None:
            entry["next"] = to_json(child)
        else:
            entry |= {"usi": child.move.text, "piece": child.move.piece}
            if child.loses:
                entry["loses"] = list(child.loses)
        data.append(entry)
    return data
