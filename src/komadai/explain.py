"""Why a move is not legal, in words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from .board import SIDE_NAMES
from .derive import faces, royal_name
from .errors import NotationError
from .notation.sfen import Setup, describe
from .reference import Candidate, Reference
from .spec import Variant

if TYPE_CHECKING:
    from .position import Position

_DROP = re.compile(r"(\+?[A-Z]+)\*([0-9]+[a-z])")
_MOVE = re.compile(r"([0-9]+[a-z])([0-9]+[a-z])(\+|=\+?[A-Z]+)?")


@lru_cache(maxsize=8)
def reference_of(variant: Variant) -> Reference:
    """The reference of a variant; the latest are kept, few because a large board takes up to 50 MB."""
    return Reference(variant)


def _point(variant: Variant, text: str, name: str) -> int:
    point = variant.board.find(name)
    if point is None:
        board = variant.board
        first, last = board.name(0), board.name(len(board) - 1)
        raise NotationError(f"move {text!r}", [f"{name} is no square of this board, which goes from {first} to {last}"])
    return point


def _drop_fault(reference: Reference, setup: Setup, code: str, target: int) -> str | Candidate:
    """Why nothing of that code can be dropped there, or the candidate whose rules must be looked at."""
    variant, hand = reference.variant, reference.hand(setup, setup.turn)
    homes = [held for held in variant.hand_order if code in faces(variant, held)]
    mover = SIDE_NAMES[setup.turn]
    if not homes:
        return f"{code} cannot be dropped in {variant.id}"
    held = next((home for home in homes if hand[home]), None)
    if held is None:
        return f"{mover} has no {variant.kind(homes[0]).name} in hand"
    there = setup.board[target]
    if there is not None:
        return f"{variant.board.name(target)} is not empty; {describe(there, variant)} stands there"
    return reference.drop(held, code, target)


def _move_fault(reference: Reference, setup: Setup, origin: int, target: int, suffix: str) -> str | Candidate:
    variant = reference.variant
    start, end = variant.board.name(origin), variant.board.name(target)
    mover, there = setup.board[origin], setup.board[target]
    if mover is None:
        return f"there is no piece on {start}"
    if mover.side != setup.turn:
        return f"{describe(mover, variant)} stands on {start}, but {SIDE_NAMES[setup.turn]} is to move"
    if origin != target and there is not None and there.side == setup.turn:
        return f"{describe(there, variant)}, a piece of your own, stands on {end}"
    name = variant.kind(mover.code).name
    if not reference.reaches(list(setup.board), origin, target):
        empty = [None] * len(setup.board)
        alone = [mover if point == origin else nothing for point, nothing in enumerate(empty)]
        if reference.reaches(alone, origin, target):
            return f"something stands in the way of the {name} from {start} to {end}"
        return f"the {name} does not move from {start} to {end}"
    landings = list(reference.landings(setup, origin, target))
    for candidate in landings:
        if candidate.text.endswith(f"{end}{suffix}"):
            return candidate
    choices = ", ".join(candidate.text for candidate in landings)
    if suffix == "+":
        return f"the {name} cannot promote from {start} to {end}; it can only be written {choices}"
    return f"the {name} must end as one of these: {choices}"


def move_strings(position: Position, origin: int, target: int) -> dict[str, str]:
    """For each kind the piece on ``origin`` may be after going to ``target``, the move string that says so."""
    landings = reference_of(position.variant).landings(position.setup(), origin, target)
    return {candidate.piece: candidate.text for candidate in landings}


def explain(position: Position, text: str) -> str:
    """A sentence that says why the move string is not legal in the position, or that it is.

    Raises:
        NotationError: the text is no move string, or names a piece or square that does not exist.
    """
    variant, setup = position.variant, position.setup()
    reference = reference_of(variant)
    drop, move = _DROP.fullmatch(text), _MOVE.fullmatch(text)
    if drop:
        code, name = drop.groups()
        if all(kind.code != code for kind in variant.kinds):
            codes = " ".join(kind.code for kind in variant.kinds)
            raise NotationError(f"move {text!r}", [f"{variant.id} has no piece {code}; its codes are {codes}"])
        fault = _drop_fault(reference, setup, code, _point(variant, text, name))
    elif move:
        start, end, suffix = move.groups()
        fault = _move_fault(reference, setup, _point(variant, text, start), _point(variant, text, end), suffix or "")
    else:
        shown = text if len(text) <= 40 else text[:37] + "..."
        raise NotationError(f"move {shown!r}", ["is no move string; expected one like 7g7f, 2d2c+, 2d2c=G or P*5e"])
    why = fault if isinstance(fault, str) else _rule_fault(reference, setup, fault)
    return f"{text} is not legal: {why}" if why else f"{text} is legal"


def _rule_fault(reference: Reference, setup: Setup, move: Candidate) -> str | None:
    for rule in reference.broken_rules(setup, move):
        return f"{rule.action.why} [{rule.source}]"
    if away := reference.off_field(setup, move):
        return away
    if not reference.leaves_royal_attacked(setup, move):
        return None
    name = royal_name(reference.variant)
    if reference.in_check(list(setup.board), setup.turn):
        return f"it does not parry the check to your {name}"
    return f"it would leave your {name} attacked"
