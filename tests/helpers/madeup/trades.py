"""Made-up games with rules about whole turns, a remembered capture, and zones that some moves do not count for."""

from __future__ import annotations

from dataclasses import replace

from helpers.madeup.kit import forbid
from helpers.madeup.stones import stone, stones
from komadai.spec import At, Beside, Count, FarRanks, Has, Is, JustTaken, Takes, betza

_PRIZE, _OTHERS = ("A", "E"), ("B", "C", "D", "F")
_KINDS = (
    stone("A", betza("KNAD") | betza("K").times(1, 2)),
    stone("B", betza("W").times(1, 3, line="axial"), zone=("B", "E"), zone_by=("entry",)),
    stone("C", "B", zone=("F", "C"), zone_by=("capture", "last_rank")),
    stone("D", "R3", ("F",), zone=("E",), zone_by=("entry", "touch")),
    stone("E", betza("F").times(2, revisits=False) | betza("fWbD")),
    stone("F", betza("N") | betza("fF").times(1, 2, line="axial"), captures=("C", "F")),
)
# What may be taken, by whom and after what: each of the questions alone and with others, and no capture at all.
TRADES = replace(
    stones(
        "trades",
        _KINDS,
        "DABFCBA/1C1E1D1",
        forbid("whole_turn", Is(("A",)) & Takes(_PRIZE, least=2, protected=True) & ~Takes(("C", "D"), most=1)),
        forbid("whole_turn", ~Is(("A",)) & JustTaken(_PRIZE, _OTHERS) & Takes(_PRIZE, elsewhere=True)),
        forbid("whole_turn", Is(("C",)) & At(FarRanks(1)) & ~Takes((*_PRIZE, *_OTHERS))),
        forbid("whole_turn", Is(("F",)) & JustTaken(_PRIZE, _OTHERS) & ~Takes(_PRIZE, protected=True)),
        survives_if=Has(_PRIZE),
    ),
    wins_if=Count(_PRIZE, "enemy", most=1)
    & (Count(_OTHERS, least=3, beyond=FarRanks(1)) | Beside(_PRIZE, _PRIZE) | ~Beside(("B",), _OTHERS, "own")),
)
