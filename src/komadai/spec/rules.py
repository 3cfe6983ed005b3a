"""Rules: when a condition is asked, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .board import Vector
from .conditions import Condition, Owner

Event = Literal["drops", "lands", "always", "turn_end", "turn_start", "arrives", "shoots", "became", "at_all_times"]
"""When a rule is asked.

``drops``: a piece comes from the hand; ``lands``: a piece on the board moves; ``always``: either. These forbid moves.

``turn_start``: the turn begins; asked of every piece of the mover, which it may :class:`Hold`.

``arrives``: a piece has just come to a point by its own move, at each leg of a walk, and has captured what was there.
``shoots``: a piece is about to shoot; the rule may :class:`Forbid` it.
``became``: a piece has just become another kind.
``at_all_times``: asked of every piece after every change of the board, until no rule finds anything to do; a position
in which one would is none.

``turn_end``: the move has been made. Then the condition is asked of every piece of the mover on the board, all of them
on the same board, and only then the action strikes those for which it holds. Check is judged afterwards.
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
    """In this turn the piece may neither move nor shoot; with ``vectors`` it only may not move along those.

    ``why`` completes "… is not legal: <why>"; ``note`` says in a few words what has happened once a side comes under
    it, for rules that concern a side's whole army.
    """

    why: str
    vectors: tuple[Vector, ...] = ()
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Others:
    """Pieces other than the one a rule is asked of: of these kinds (none named: any), whose, and how near at most."""

    codes: tuple[str, ...] = ()
    of: Owner = "either"
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Become:
    """The piece, or all of ``others``, become the kind ``into``. ``why`` completes "… turns over: <why>"."""

    into: str
    why: str
    others: Others | None = None


@dataclass(frozen=True, slots=True)
class Remove:
    """The piece, or all of ``others``, leave the game. ``why`` completes "… is removed: <why>"."""

    why: str
    others: Others | None = None


Action = Forbid | Take | Immobilize | Become | Remove


@dataclass(frozen=True, slots=True)
class Rule:
    """On ``event``, when ``when`` holds, do ``action``. ``source`` names the rules page and the rule's number."""

    event: Event
    when: Condition
    action: Action
    source: str
