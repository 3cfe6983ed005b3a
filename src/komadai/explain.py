"""Why a move is not legal, in words."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from .board import SIDE_NAMES, SIDES
from .derive import faces, movement_of, royal_name
from .errors import NotationError
from .notation.sfen import Setup, describe
from .reference import Candidate, Reference, occupied
from .spec import Variant
from .turns import Pieces, State, Turns

if TYPE_CHECKING:
    from .position import Position

_DROP = re.compile(r"(\+?[A-Z]+)\*([0-9]+[a-z])")
_MOVE = re.compile(r"([0-9]+[a-z])([0-9]+[a-z])(\+|=\+?[A-Z]+)?")
_TURN = re.compile(r"([0-9]+[a-z])((?:\*?[0-9]+[a-z])+)(\+|=\+?[A-Z]+)?")
_TURN_ITEM = re.compile(r"(\*?)([0-9]+[a-z])")
_AT_MOST = 3  # reasons told at once why a piece has nowhere to go


@lru_cache(maxsize=8)
def reference_of(variant: Variant) -> Reference:
    """The reference of a variant; the latest are kept, few because a large board takes up to 50 MB."""
    return Reference(variant)


def _shown(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


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
    return {candidate.piece: candidate.text for candidate in landings if candidate.piece is not None}


def explain(position: Position, text: str) -> str:
    """A sentence that says why the move string is not legal in the position, or that it is.

    Raises:
        NotationError: the text is no move string, or names a piece or square that does not exist.
    """
    variant, setup = position.variant, position.setup()
    reference = reference_of(variant)
    if reference.turns:
        why = _turn_fault(reference.turns, setup, text)
        return f"{text} is not legal: {why}" if why else f"{text} is legal"
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
        raise NotationError(
            f"move {_shown(text)!r}", ["is no move string; expected one like 7g7f, 2d2c+, 2d2c=G or P*5e"]
        )
    why = fault if isinstance(fault, str) else _rule_fault(reference, setup, fault)
    return f"{text} is not legal: {why}" if why else f"{text} is legal"


def why_nowhere(position: Position, code: str) -> str:
    """Why nothing of that code can be dropped anywhere, in words; the reasons that hold on most squares come first.

    Raises:
        NotationError: there is no such kind.
    """
    variant, name = position.variant, position.variant.board.name
    empty = [name(point) for point, piece in enumerate(position.board) if piece is None]
    said = [position.explain(f"{code}*{square}") for square in empty]
    if not said:
        raise NotationError("move", ["there is no empty square to drop on"])
    reasons = Counter(reason for words in said if (reason := words.partition(" is not legal: ")[2]))
    if sum(reasons.values()) < len(said):
        return f"{code} can be dropped on {len(said) - sum(reasons.values())} squares"
    told = [reason for reason, _ in reasons.most_common(_AT_MOST)]
    kind = next((kind for kind in variant.kinds if kind.code == code), None)
    return f"the {kind.name if kind else code} cannot be dropped anywhere now: {'; or '.join(told)}"


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


# --- Turns of several landings and shots ---


def _turn_fault(turns: Turns, setup: Setup, text: str) -> str | None:
    """Why a turn is not legal, ``None`` if it is."""
    variant, match = turns.variant, _TURN.fullmatch(text)
    if match is None or len(text) > 80:
        raise NotationError(
            f"move {_shown(text)!r}", ["is no move string; expected one like 7g7f, 2d2c+, 7s7r7s or 5k6j*6g"]
        )
    origin = _point(variant, text, match[1])
    items = [(star == "*", _point(variant, text, name)) for star, name in _TURN_ITEM.findall(match[2])]
    pieces = occupied(setup.board)
    mover = pieces.get(origin)
    if mover is None:
        return f"there is no piece on {match[1]}"
    if mover.side != setup.turn:
        return f"{describe(mover, variant)} stands on {match[1]}, but {SIDE_NAMES[setup.turn]} is to move"
    for side in SIDES:
        if not turns.alive(pieces, side):
            return f"the game is over: {SIDE_NAMES[side]} has no commander left"
    for hold in turns.holds_on(pieces, origin):
        if not hold.vectors:
            return hold.why
    return _walk_fault(turns, turns.begin(pieces, origin), items, match[3] or "", text)


def _walk_fault(turns: Turns, start: State, items: list[tuple[bool, int]], suffix: str, text: str) -> str | None:
    """Goes the way the text tells, on every path that fits it, and says where none goes on or how it cannot end."""
    name = turns.variant.kind(start.mover.code).name
    states = [start]
    for shoots, point in items:
        following = [
            found
            for state in states
            for found in (turns.shots(state) if shoots else turns.legs(state))
            if (found.way[-1].shots[-1] if shoots else found.at) == point
        ]
        if not following:
            return _step_fault(turns, states[0], shoots, point)
        states = following
    ending = [(state, end) for state in states if turns.may_end(state) for end in turns.ends(state)]
    if not ending:
        return f"the {name} may not end its turn there; it must go on"
    fitting = [(state, end) for state, end in ending if end.suffix == suffix]
    if not fitting:
        choices = " or ".join(sorted({turns.text(state, end) for state, end in ending}))
        return f"the {name} cannot end so; the turn can only be written {choices}"
    result = dict(fitting[0][1].pieces)
    written = next(text for text, _, end in turns.distinct(start.pieces, start.origin) if dict(end.pieces) == result)
    return None if written == text else f"it comes to the same as {written}; write it so"


def _step_fault(turns: Turns, state: State, shoots: bool, point: int) -> str:
    """Why a turn does not go on by that landing or shot."""
    variant, board, pieces = turns.variant, turns.board, state.pieces
    kind, there = variant.kind(state.mover.code), pieces.get(point)
    at, to = board.name(state.at), board.name(point)
    if state.kind is None:
        return f"the {kind.name} is gone once it has come to {at}"
    if shoots:
        return _shot_fault(turns, state, point)
    if there is not None and there.side == state.mover.side and point != state.at:
        return f"{describe(there, variant)}, a piece of your own, stands on {to}"
    if there is not None and there.code in kind.spares:
        return f"the {kind.name} cannot take a {variant.kind(there.code).name}"
    if state.way:
        return f"the {kind.name} does not go on from {at} to {to}"
    alone: Pieces = {state.origin: state.mover}
    for hold in turns.holds_on(pieces, state.origin):
        if any(board.step(state.origin, vector, state.mover.side) == point for vector in hold.vectors):
            return hold.why
    if any(found.at == point for found in turns.legs(turns.begin(alone, state.origin))):
        return f"something stands in the way of the {kind.name} from {at} to {to}"
    return f"the {kind.name} does not move from {at} to {to}"


def _shot_fault(turns: Turns, state: State, point: int) -> str:
    variant, board, mover = turns.variant, turns.board, state.mover
    kind, shot, there = variant.kind(mover.code), movement_of(variant.kind(mover.code)).shot, state.pieces.get(point)
    at, to = board.name(state.at), board.name(point)
    if shot is None:
        return f"the {kind.name} does not shoot"
    if there is None:
        return f"there is nothing to shoot on {to}"
    if there.side == mover.side:
        return f"{describe(there, variant)}, a piece of your own, stands on {to}"
    if not state.way and shot.standing == "never":
        return f"the {kind.name} must move before it shoots"
    if state.way and not state.stood and shot.standing == "only":
        return f"the {kind.name} shoots only where it stood"
    if state.took and not shot.after_capture:
        return f"the {kind.name} has captured by landing, so it does not shoot in this turn"
    for rule in variant.rules:
        if rule.event == "shoots" and turns.holds(rule.when, state.pieces, state.at, state.pieces[state.at]):
            return rule.action.why
    if there.code in shot.safe:
        return f"the {kind.name} cannot shoot a {variant.kind(there.code).name}"
    if point in turns.targets(shot, state.pieces, state.at, mover.side):
        return f"the {kind.name} has no more shots from {at}"
    if point in turns.targets(shot, {state.at: mover, point: there}, state.at, mover.side):
        return f"something stands between {at} and {to}"
    return f"the {kind.name} does not shoot from {at} to {to}"
