"""Made-up games of compound moves: walks, shots, and promotion by what is captured."""

from __future__ import annotations

from dataclasses import replace

from helpers.madeup.kit import kind, variant
from komadai.spec.betza import betza
from komadai.spec.board import FarRanks, Rect
from komadai.spec.conditions import Condition, Has
from komadai.spec.kinds import Kind
from komadai.spec.movement import DIAGONAL, ORTHOGONAL, Movement, Shot, step
from komadai.spec.rules import Event as Event
from komadai.spec.rules import Rule
from komadai.spec.variant import Variant

ALL = ORTHOGONAL + DIAGONAL
SEVEN = Rect(7, 7)


def stone(code: str, move: str | Movement, cannot_capture: tuple[str, ...] = (), **becomes: object) -> Kind:
    """A kind that leaves the game when it is captured."""
    return replace(kind(code, move, captured=None, **becomes), cannot_capture=cannot_capture)


def stones(id: str, kinds: tuple[Kind, ...], start: str, *rules: Rule, survives_if: Condition | None = None) -> Variant:
    """A 7×7 game without kings and hands, each rank of ``start`` in order; White has Black's ranks turned round."""
    ranks = start.split("/")
    rows = [row.swapcase()[::-1] for row in ranks[::-1]] + ["7"] * (7 - 2 * len(ranks)) + ranks
    return variant(
        id, SEVEN, "/".join(rows) + " b -", kinds, (), zone=FarRanks(2), rules=rules, survives_if=survives_if
    )


# Walks of every line, with and without a least length, that come back or not, and beside slides and other walks.
WALKS = stones(
    "walks",
    (
        stone("A", betza("W").times(1, 3), zone=("A", "B")),
        stone("B", betza("W").times(2, 4, line="straight"), quiet=("B", "A")),
        stone("C", betza("N").times(1, 2, line="onward"), zone=("E",), captures=("C", "E")),
        stone("D", betza("F").times(3, revisits=False)),
        stone("E", betza("R") | betza("F").times(1, 2), captures=("C",)),
        stone("F", betza("K").times(2, 3, line="onward")),
        stone("G", betza("fWbF").times(1, 2) | betza("D").times(2, revisits=False) | betza("sR2"), zone=("F",)),
        stone("H", betza("W").times(4, 5, revisits=False), cannot_capture=("A", "D")),
    ),
    "ABC1EHG/D1FGF1D",
)
# Which of two of a kind's ways a turn went does not matter: the same point by a slide, a leap and a walk is one turn.
WAYS = stones(
    "ways-that-meet",
    (
        stone("A", betza("RBD") | betza("K").times(1, 2) | betza("W").times(1, 4, line="straight"), zone=("A", "B")),
        stone("B", betza("W").times(1, 5), zone=("A",)),
        stone("C", betza("K").times(3) | step((1, 2), (2, 1))),
    ),
    "A1B1C1A",
)
# Shots in a row, over others, from a distance on, after each landing, standing or not, and what they may never hit.
SHOTS = stones(
    "shots",
    (
        stone("A", betza("W").shooting(Shot(ALL, 3, targets=2)), zone=("A", "B")),
        stone(
            "B",
            betza("R2").shooting(
                Shot(ORTHOGONAL, 4, over=True, after_capture=True, safe=("H",), nearest=(("A", 3), ("F", 2)))
            ),
        ),
        stone("C", betza("F").times(1, 2).shooting(Shot(ALL, 1, each_landing=True, after_capture=True))),
        stone("D", betza("W").shooting(Shot(ALL, 3, targets=2, over=True, standing="only")), zone=("D", "E")),
        stone("E", betza("N").shooting(Shot(DIAGONAL, 2, standing="may")), captures=("D",)),
        stone("F", betza("W").times(1, 2).shooting(Shot(ALL, 2, targets=2, after_capture=True)), captures=("F", "G")),
        stone("G", betza("F").times(2).shooting(Shot(ORTHOGONAL, 2, each_landing=True, standing="may")), quiet=("F",)),
        stone(
            "H",
            betza("K").shooting(Shot(((1, 2), (-1, 2), (0, -1)), 2, targets=3)),
            captures_promote_to="G",
            promotes_by_capturing=("A", "B"),
        ),
        stone(
            "I",
            betza("Q").shooting(Shot(ALL, 1, targets=2, each_landing=True)),
            cannot_capture=("A", "C"),
            zone=("I", "E"),
        ),
    ),
    "ABCHIFG/D1E1A1D",
)
# What is captured by landing or shot turns the mover, whatever else might; being dead ends the game.
PREY = stones(
    "prey",
    (
        stone(
            "A",
            betza("K").times(1, 2),
            captures_promote_to="+A",
            promotes_by_capturing=("B", "+B"),
            zone=("+A", "A"),
            captures=("A", "+A"),
        ),
        stone(
            "+A",
            betza("R").shooting(Shot(ALL, 2, after_capture=True)),
            captures_promote_to="C",
            promotes_by_capturing=("D",),
        ),
        stone(
            "B",
            betza("FfW").shooting(Shot(ALL, 4, targets=2)),
            captures_promote_to="+B",
            promotes_by_capturing=("A", "B"),
            quiet=("B", "C"),
        ),
        stone("+B", betza("B").shooting(Shot(ORTHOGONAL, 3, over=True, standing="may")), captures=("B",)),
        stone("C", "K", captures_promote_to="C", promotes_by_capturing=("C",), zone=("D",)),
        stone("D", betza("W").times(1, 3), zone=("D", "C", "+B")),
    ),
    "ABCDCBA/1D1B1D1",
    survives_if=(Has(("C",)) & ~Has(("+B",))) | Has(("D", "+A")),
)
