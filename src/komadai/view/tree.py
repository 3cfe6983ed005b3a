"""The tree of steps: its nodes and its JSON form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from ..spec.move import Move
from ..spec.names import Message

StepType = Literal["select", "drop", "face", "go", "capture", "shoot", "promote", "stop"]


@dataclass(frozen=True, slots=True)
class Step:
    """One decision on the way to a move.

    Attributes:
        t: ``select`` a piece on the board, ``drop`` one from the hand, choose the ``face`` it shows, ``go`` to an empty
            point, ``capture`` on a point, ``shoot`` at one, ``promote`` into another kind, or ``stop``: end the turn
            here, as it is.
        at: the square's name, for ``select``, ``go``, ``capture`` and ``shoot``.
        code: a kind's code: the hand kind (``drop``), or what the piece is then (``face``, ``promote``, ``stop``;
            none if it has left the game).
        takes: the kind that a ``capture`` or ``shoot`` takes.
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


@dataclass(frozen=True, slots=True)
class Effects:
    """What a move does besides taking the piece where it goes; squares are named as before the move.

    Attributes:
        loses: the squares of the mover's own pieces that leave the game or go to the opponent, that of the piece that
            moved among them if it is gone: the square where it came.
        prey: the squares of the enemy pieces captured, by landing or by shot. ``burns``: of those removed otherwise.
        turns: squares and what the pieces there are afterwards, of those that turn over or back by themselves.
        notes: what it costs either side besides.
    """

    loses: tuple[str, ...] = ()
    captures: tuple[str, ...] = ()
    burns: tuple[str, ...] = ()
    turns: tuple[tuple[str, str], ...] = ()
    notes: tuple[Message, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The effects as JSON data, without those that there are none of."""
        squares = {"loses": self.loses, "prey": self.captures, "burns": self.burns}
        data: dict[str, Any] = {key: list(value) for key, value in squares.items() if value}
        if self.turns:
            data["turns"] = dict(self.turns)
        if self.notes:
            data["notes"] = [str(note) for note in self.notes]
            data["messages"] = [note.to_json() for note in self.notes]
        return data


@dataclass(slots=True)
class Node:
    """A node of the step tree: ``move`` and its ``effects`` at a leaf, ``children`` in the order they are shown in
    elsewhere. A node may be the child of several."""

    children: dict[Step, Node] = field(default_factory=dict)
    move: Move | None = None
    effects: Effects = Effects()

    def nodes(self) -> Iterator[Node]:
        """This node and all below it, each once."""
        seen, open_ = {id(self)}, [self]
        while open_:
            node = open_.pop()
            yield node
            for child in node.children.values():
                if id(child) not in seen:
                    seen.add(id(child))
                    open_.append(child)

    def leaves(self) -> Iterator[Move]:
        """The moves at the leaves below this node; one that may be made in several ways comes more than once."""
        return (node.move for node in self.nodes() if node.move is not None)


Entries = list[dict[str, Any]]


def to_json(root: Node) -> dict[str, Any]:
    """A tree as JSON data: ``tree``, the children of the root, and ``shared``, lists of children of several nodes.

    A step has ``next``, its children, or ``ref``, the number of a list in ``shared``, or is a leaf: there ``usi`` is
    the move string and ``piece`` the code of what stands on the target afterwards, ``None`` if the piece is gone, with
    what else it does (:class:`Effects`).
    """
    parents = Counter(id(child) for node in root.nodes() for child in node.children.values())
    shared: list[Entries] = []
    numbers: dict[int, int] = {}

    def entries(node: Node) -> Entries:
        return [step.to_json() | continuation(child) for step, child in node.children.items()]

    def continuation(node: Node) -> dict[str, Any]:
        if node.move is not None:
            return {"usi": node.move.text, "piece": node.move.piece} | node.effects.to_json()
        if parents[id(node)] == 1:
            return {"next": entries(node)}
        if id(node) not in numbers:
            made = entries(node)  # first, because what is below is numbered before
            numbers[id(node)] = len(shared)
            shared.append(made)
        return {"ref": numbers[id(node)]}

    return {"tree": entries(root), "shared": shared}
