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
from helpers.madeup.legs import ENDS, LEGS, THERE_AND_BACK, named_badly
from helpers.madeup.stones import PREY, SHOTS, WALKS, WAYS
from helpers.madeup.trades import TRADES
from helpers.madeup.turncoats import TURNS, on, some_rules

__all__ = [
    "ADRIFT",
    "COMBINATORS",
    "CONDITIONS",
    "ENDS",
    "KING",
    "LEGS",
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
    "THERE_AND_BACK",
    "TRADES",
    "TURNS",
    "TWO_ROYALS",
    "WALKS",
    "WAYS",
    "forbid",
    "kind",
    "named_badly",
    "on",
    "small",
    "some_rules",
    "take",
    "variant",
    "with_condition",
]
