"""Conditions: predicates about a move or a piece, from which rules are built.

A condition is tested for one piece: the piece that moves or is dropped, or each piece of the mover in turn, as the
rule's event says (:data:`~komadai.spec.rules.Event`). Conditions combine with ``&``, ``|`` and ``~``. Each stands in a
file of its own, with all that the program knows about it.

Example:
    >>> from komadai.spec import At, FarRanks, Forbid, Is, Rule
    >>> nowhere_to_go = Is(("N",)) & At(FarRanks(2))
    >>> rule = Rule("drops", nowhere_to_go, Forbid("a knight could never move again from there"), "my-game.md 4")
"""

from __future__ import annotations

from .at import At
from .base import AllOf, AnyOf, Asked, Condition, Not, Owner
from .base import combined as combined
from .base import concerns as concerns
from .beside import Beside
from .beyond_support import BeyondSupport
from .captures import Captures
from .count import Count
from .gives_check import GivesCheck
from .has import Has
from .in_hand import InHand
from .in_sight import InSight
from .is_ import Is
from .just_taken import JustTaken
from .mates import Mates
from .near import Near
from .on_file import OnFile
from .stands import Stands
from .stuck import Stuck
from .supported import Supported
from .takes import Takes

CONDITIONS: tuple[type[Condition], ...] = (
    Is,
    At,
    Stuck,
    OnFile,
    InHand,
    Captures,
    Has,
    Near,
    InSight,
    Supported,
    BeyondSupport,
    Takes,
    JustTaken,
    Stands,
    GivesCheck,
    Mates,
    Count,
    Beside,
)
"""All atomic conditions, in the order in which messages name them."""

__all__ = [
    "AllOf",
    "AnyOf",
    "At",
    "Beside",
    "BeyondSupport",
    "Captures",
    "Condition",
    "Count",
    "GivesCheck",
    "Has",
    "InHand",
    "InSight",
    "Is",
    "JustTaken",
    "Mates",
    "Near",
    "Not",
    "OnFile",
    "Owner",
    "Stands",
    "Stuck",
    "Supported",
    "Takes",
]


def askable(where: Asked) -> tuple[type[Condition], ...]:
    """The conditions that may be asked there."""
    return tuple(one for one in CONDITIONS if where in one.asked)
