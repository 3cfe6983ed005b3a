"""Panels beside the board, as text: a side's plate, the record, and the card of a piece."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from rich.markup import escape

from ...spec.board import SIDE_NAMES, SIDES, Side
from ...spec.kinds import Kind
from .diagram import diagram
from .words import Speech, kind_title


def plate(speech: Speech, side: Side, name: str, *, to_move: bool, letters: bool, width: int) -> str:
    """A side's plate as markup: turn marker, player, and its hand or its means of survival.

    Args:
        name: the player.
        letters: whether pieces are called by letters.
        width: columns there are before the line breaks.

    A piece of the hand that can be dropped is a link to the screen's ``take_from_hand``.
    """
    variant = speech.variant
    title = f"{'>' if to_move else ' '} {SIDE_NAMES[side]}{f' ({name})' if name else ''}  "
    if speech.bare:
        named = title + speech.standing(side, lambda kind: kind.name)
        return escape(named if len(named) <= width else title + speech.standing(side, lambda kind: kind.code))
    offered = {step.code for step in speech.walk.drops()} if side == speech.position.turn else set()
    held = []
    for code, count in speech.position.hand(side).items():
        text = escape(f"{code if letters else variant.kind(code).kanji}{'' if count == 1 else count}")
        held.append(f"[@click=screen.take_from_hand('{code}')]{text}[/]" if code in offered else text)
    return f"{title}hand: {'  '.join(held) or '-'}"


def record(written: Sequence[str], at: int, rows: int, first: Side, numbering: Literal["ply", "pairs"]) -> str:
    """The moves around the position that is looked at, one a line.

    Args:
        written: all moves as people write them.
        at: after how many of them the position is.
        rows: how many lines there are.
        first: the side that began.
        numbering: as in :class:`~komadai.spec.variant.Variant`.
    """
    count, start = len(written), SIDES.index(first)
    top = max(0, min(at - rows // 2 - 1, count - rows))
    lines = []
    for ply in range(top, min(count, top + rows)):
        number = (ply + start) // 2 + 1 if numbering == "pairs" else ply + 1
        side = SIDE_NAMES[SIDES[(ply + start) % 2]]
        lines.append(f"{'>' if ply + 1 == at else ' '}{number:>3} {side[0]} {written[ply]}")
    return "\n".join(lines) or "  no move yet"


def card(kind: Kind | None, *, drawn: bool) -> str:
    """A kind's names and, if there is room for it to be ``drawn``, how it moves."""
    if kind is None:
        return ""
    return "\n".join([kind_title(kind), *(["", *diagram(kind)] if drawn else [])])
