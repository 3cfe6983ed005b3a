"""Conditions read as logic."""

from __future__ import annotations

import pytest

from komadai.spec.conditions import AllOf, AnyOf, Captures, Condition, GivesCheck, Is, Not
from komadai.spec.logic import ALWAYS, NEVER, for_kind, possible

PAWN, TAKES, CHECKS = Is(("P",)), Captures(), GivesCheck()


@pytest.mark.parametrize(
    ("condition", "pawn", "rook"),
    [
        (PAWN, ALWAYS, NEVER),
        (~PAWN, NEVER, ALWAYS),
        (TAKES, TAKES, TAKES),
        (PAWN & TAKES, TAKES, NEVER),
        (PAWN | TAKES, ALWAYS, TAKES),
        (~(PAWN & TAKES), Not(TAKES), ALWAYS),
        (~PAWN & TAKES & ~CHECKS, NEVER, AllOf((TAKES, Not(CHECKS)))),
        (PAWN & (TAKES | CHECKS), AnyOf((TAKES, CHECKS)), NEVER),
        (AllOf(()), ALWAYS, ALWAYS),
        (AnyOf(()), NEVER, NEVER),
    ],
)
def test_a_condition_is_decided_for_a_kind_as_far_as_that_goes(
    condition: Condition, pawn: Condition, rook: Condition
) -> None:
    assert (for_kind(condition, "P"), for_kind(condition, "R")) == (pawn, rook)
    assert (possible(condition, "P"), possible(condition, "R")) == (pawn != NEVER, rook != NEVER)
