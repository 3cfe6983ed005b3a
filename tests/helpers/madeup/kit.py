"""Pieces, rules and variants of made-up games in few words."""

from __future__ import annotations

from komadai.spec import Becomes, Condition, Forbid, Kind, Movement, Rect, Rule, Take, Variant
from komadai.spec.rules import Event as Event

KING = Kind("K", "king", "玉", "gyoku", "K", royal=True)


def kind(code: str, move: str | Movement, **becomes: object) -> Kind:
    """A kind that captors receive as itself unless ``becomes`` says otherwise."""
    said = {"captured": code.removeprefix("+"), **becomes}
    return Kind(code, f"piece {code}", "駒", "koma", move, Becomes(**said))  # type: ignore[arg-type]


def forbid(event: Event, when: Condition) -> Rule:
    return Rule(event, when, Forbid("made-up rule"), "madeup.py")


def take(when: Condition) -> Rule:
    return Rule("turn_end", when, Take("made-up rule"), "madeup.py")


def variant(
    id: str, board: Rect, start: str, kinds: tuple[Kind, ...], hand: tuple[str, ...], **more: object
) -> Variant:
    return Variant(id, id, "1", board, start, kinds, hand, "made up", ("madeup.py",), **more)  # type: ignore[arg-type]
