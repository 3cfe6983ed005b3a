"""Games nobody plays: each leans on a corner of the vocabulary that a future game may lean on."""

from __future__ import annotations

from helpers.madeup.boards import (
    ADRIFT,
    COMBINATORS,
    CONDITIONS,
    NO_ROYAL,
    PLAYABLE,
    SLIDING_ROYAL,
    TAKING,
    TAKING_HELD,
    TAKING_HERE,
    TAKING_THERE,
    TAKINGS,
    TWO_ROYALS,
    small,
    with_condition,
)
from helpers.madeup.kit import KING, forbid, kind, take, variant
from helpers.madeup.stones import PREY, SHOTS, WALKS, WAYS
from helpers.madeup.trades import TRADES
from helpers.madeup.turncoats import TURNS, on, some_rules

__all__ = [
    "ADRIFT",
    "COMBINATORS",
    "CONDITIONS",
    "KING",
    "NO_ROYAL",
    "PLAYABLE",
    "PREY",
    "SHOTS",
    "SLIDING_ROYAL",
    "TAKING",
    "TAKINGS",
    "TAKING_HELD",
    "TAKING_HERE",
    "TAKING_THERE",
    "TRADES",
    "TURNS",
    "TWO_ROYALS",
    "WALKS",
    "WAYS",
    "forbid",
    "kind",
    "on",
    "small",
    "some_rules",
    "take",
    "variant",
    "with_condition",
]
