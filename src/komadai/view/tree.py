"""The tree of steps: its nodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

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
        gains: the hand kind gained by a ``capture``; ``None`` if the captured piece leaves the game.
    """

    t: StepType
    at: str | None = None
    code: str | None = None
    takes: str | None = None
    gains: str | None = None


@dataclass(frozen=True, slots=True)
class Effects:
    """The effects of a move besides capturing where it goes; squares are named as before the move.

    Attributes:
        loses: the squares of the mover's own pieces that leave the game or go to the opponent, that of the piece that
            moved among them if it is gone: the square where it came.
        captures: the squares of the enemy pieces captured or shot. ``burns``: of those removed otherwise.
        turns: squares and what the pieces there are afterwards, of those that turn over or back by themselves.
        notes: further losses of either side.
    """

    loses: tuple[str, ...] = ()
    captures: tuple[str, ...] = ()
    burns: tuple[str, ...] = ()
    turns: tuple[tuple[str, str], ...] = ()
    notes: tuple[Message, ...] = ()


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
