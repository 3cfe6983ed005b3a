"""A move, as content: what goes from where to where and what it is then."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Move:
    """One turn of one side. ``str(move)`` is the move string of docs/rules/README.md.

    Attributes:
        text: the move string; two moves of one position never share it.
        origin: the point it starts from, ``None`` for a drop.
        target: the point it ends on.
        piece: the kind that stands on ``target`` afterwards (for a drop: the face shown).
        code: the native core's form of the same facts.
    """

    text: str
    origin: int | None
    target: int
    piece: str
    code: int = field(repr=False)

    @property
    def is_drop(self) -> bool:
        """Whether the piece comes from the hand."""
        return self.origin is None

    def __str__(self) -> str:
        return self.text

    def __hash__(self) -> int:
        return hash(self.code)


# Flags of Move.code, as in native/types.hpp: origin | target << 16 | piece << 32 | flags << 48.
DROP = 1
PROMOTES = 2
CHOOSES = 4


def suffix(flags: int, piece: str) -> str:
    """What a move string says of the change to ``piece``: ``+``, ``=CODE`` or nothing."""
    return "+" if flags & PROMOTES else f"={piece}" if flags & CHOOSES else ""
