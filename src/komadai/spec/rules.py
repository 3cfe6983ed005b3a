"""Rules: on an event, if a condition holds, an action follows.

Example:
    >>> from komadai.spec import Forbid, Is, OnFile, Rule
    >>> two_pawns = Rule(
    ...     "drops", Is(("P",)) & OnFile(("P",)), Forbid("there is a pawn of yours on that file"), "my-game.md 3"
    ... )
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .board import Vector
from .conditions import Condition, Owner

Event = Literal[
    "drops", "lands", "always", "turn_end", "turn_start", "arrives", "shoots", "became", "at_all_times", "whole_turn"
]
"""When a rule is applied.

``drops``: a piece is dropped; ``lands``: a piece on the board moves; ``always``: either. These rules forbid moves. In
games of turns with several landings they are asked about each: where the turn ends, of the kind that the piece is then,
and where it goes on, of the kind that it was when the turn began; the other pieces as they stand then.

``turn_start``: before the move, for every piece of the mover; the rule may :class:`Immobilize` it.

``arrives``: a piece has landed, at each leg of a walk, and has captured what was there, or has been dropped.
``shoots``: a piece is about to shoot; the rule may :class:`Forbid` it.
``became``: a piece has just become another kind.
``at_all_times``: for every piece after every change of the board, until no such rule applies any more; a position to
which one applies is not a legal position.
``whole_turn``: a turn of landings has been gone, from its first to its last; the rule may :class:`Forbid` it. It is
asked of the piece as it began the turn, on the point where it ends.

``turn_end``: after the move, for every piece of the mover on the board. The condition is tested for all of them before
the action is applied to any. Check is judged afterwards.
"""


@dataclass(frozen=True, slots=True)
class Forbid:
    """The move is not legal. ``why`` completes the sentence "… is not legal: <why>"."""

    why: str


@dataclass(frozen=True, slots=True)
class Take:
    """The piece goes to the opponent's hand, as if captured. ``why`` completes "… is taken: <why>"."""

    why: str


@dataclass(frozen=True, slots=True)
class Immobilize:
    """The piece may neither move nor shoot in this turn; with ``vectors`` it may not move along those.

    ``why`` completes "… is not legal: <why>"; ``note`` describes the effect in a few words, for rules that concern
    every piece of a kind.
    """

    why: str
    vectors: tuple[Vector, ...] = ()
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Others:
    """The pieces an action applies to instead of the piece tested.

    Attributes:
        codes: their kinds; empty: any.
        of: their owner, relative to that of the piece tested.
        most: the greatest distance in king's steps; ``None``: any.
    """

    codes: tuple[str, ...] = ()
    of: Owner = "either"
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Become:
    """The piece, or each of ``others``, becomes the kind ``into``. ``why`` completes "… turns over: <why>"."""

    into: str
    why: str
    others: Others | None = None


@dataclass(frozen=True, slots=True)
class Remove:
    """The piece, or each of ``others``, leaves the game. ``why`` completes "… is removed: <why>"."""

    why: str
    others: Others | None = None


Action = Forbid | Take | Immobilize | Become | Remove


@dataclass(frozen=True, slots=True)
class Rule:
    """On ``event``, if ``when`` holds, apply ``action``. ``source`` is the rules page and the number of the rule."""

    event: Event
    when: Condition
    action: Action
    source: str
