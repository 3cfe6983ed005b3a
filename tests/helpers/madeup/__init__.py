"""Games nobody plays: each leans on a corner of the vocabulary that a future game may lean on."""

# ruff: noqa: F401

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
