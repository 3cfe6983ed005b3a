"""Explain in words why a move is not legal."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from ..errors import AmbiguousMoveError, IllegalMoveError, NotationError
from ..i18n import _, sentence
from ..spec.board import Rect, other
from ..spec.geometry import movement_of
from ..spec.names import kind_name, no_such_piece, owned_name, royal_name, side_name
from ..spec.promotion import faces
from ..spec.setup import Piece, Setup
from ..spec.variant import Variant
from . import Candidate, Reference, occupied
from .compound import CompoundMoves, State
from .standing import holds_in_place
from .support import Pieces

_DROP = re.compile(r"(\+?[A-Z]+)\*([0-9]+[a-z])")
_MOVE = re.compile(r"([0-9]+[a-z])([0-9]+[a-z])(\+|=\+?[A-Z]+)?")
_TURN = re.compile(r"([0-9]+[a-z])((?:\*?[0-9]+[a-z])+)(\+|=\+?[A-Z]+)?")
_TURN_ITEM = re.compile(r"(\*?)([0-9]+[a-z])")
_AT_MOST = 3  # reasons given at once why a piece has nowhere to go


@lru_cache(maxsize=8)
def reference_of(variant: Variant) -> Reference:
    """The reference of a variant; the latest are kept, few because a large board takes up to 50 MB."""
    return Reference(variant)


def _shown(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."


def _point(variant: Variant, text: str, name: str) -> int:
    point = variant.board.find(name)
    if point is None:
        raise bad_move(text, no_such_square(variant.board, name))
    return point


def _homes(variant: Variant, code: str) -> list[str]:
    """The hand kinds under which a kind may be held."""
    return [home for home in variant.hand_order if code in faces(variant, home)]


def _held(reference: Reference, setup: Setup, code: str) -> str | None:
    """The hand kind under which the side to move holds that kind, if it does."""
    hand = reference.hand(setup, setup.turn)
    return next((home for home in _homes(reference.variant, code) if hand[home]), None)


def in_hand(variant: Variant, setup: Setup, code: str) -> bool:
    """True if the side to move holds that kind in hand."""
    return _held(reference_of(variant), setup, code) is not None


_AROUND = [(right, ahead) for right in (-1, 0, 1) for ahead in (-1, 0, 1) if right or ahead]


def no_such_square(board: Rect, name: str) -> str:
    """The message for a square that the board lacks."""
    named = {"name": name[:20], "first": board.name(0), "last": board.name(len(board) - 1)}
    return _("{name} is not a square of this board, which goes from {first} to {last}", **named)


def bad_move(text: str, *defects: str) -> NotationError:
    """The error for a text that is no move."""
    return NotationError(_("move {text}", text=repr(text)), defects)


def several(text: str, moves: str) -> AmbiguousMoveError:
    """The error for a text that fits several moves."""
    return AmbiguousMoveError(
        _("move {text}", text=repr(text)), [_("fits several moves; choose from {moves}", moves=moves)]
    )


def illegal(text: str, why: str) -> IllegalMoveError:
    """The error for a move that is not legal."""
    return IllegalMoveError(_("{move} is not legal: {why}", move=text, why=why))


def _drop_fault(reference: Reference, setup: Setup, code: str, target: int) -> str | Candidate:
    """The reason why nothing of that code can be dropped there, or the candidate whose rules must be looked at."""
    variant = reference.variant
    homes = _homes(variant, code)
    if not homes:
        return _("{code} cannot be dropped in {game}", code=code, game=variant.id)
    held = _held(reference, setup, code)
    if held is None:
        piece = kind_name(variant.kind(homes[0]))
        return _("{side} has no {piece} in hand", side=side_name(setup.turn), piece=piece)
    there = setup.board[target]
    if there is not None:
        at, piece = variant.board.name(target), owned_name(there.side, variant.kind(there.code))
        return _("{at} is not empty; {piece} stands there", at=at, piece=piece)
    return reference.drop(setup, held, code, target)


def _blocked(setup: Setup, board: Rect, origin: int, target: int) -> bool:
    """False if a straight line leads there on which nothing stands."""
    for vector in _AROUND:
        line = board.line(origin, vector, "b")
        if target in line:
            return any(setup.board[point] is not None for point in line[: line.index(target)])
    return True


def _move_fault(reference: Reference, setup: Setup, origin: int, target: int, suffix: str) -> str | Candidate:
    variant = reference.variant
    start, end = variant.board.name(origin), variant.board.name(target)
    mover, there = setup.board[origin], setup.board[target]
    if mover is None:
        return _("there is no piece on {at}", at=start)
    if mover.side != setup.turn:
        return _not_theirs(variant, mover, start, setup)
    if origin != target and there is not None and there.side == setup.turn:
        return _own(variant, there, end)
    name = kind_name(variant.kind(mover.code))
    if target not in reference.targets(list(setup.board), origin):
        empty = [None] * len(setup.board)
        alone = [mover if point == origin else nothing for point, nothing in enumerate(empty)]
        if target in reference.targets(alone, origin):
            if _blocked(setup, variant.board, origin, target):
                return _(
                    "something stands in the way of the {piece} from {start} to {end}", piece=name, start=start, end=end
                )
            return _(
                "as the pieces stand the {piece} does not move from {start} to {end}", piece=name, start=start, end=end
            )
        return _("the {piece} does not move from {start} to {end}", piece=name, start=start, end=end)
    landings = list(reference.landings(setup, origin, target))
    for candidate in landings:
        if candidate.text.endswith(f"{end}{suffix}"):
            return candidate
    choices = ", ".join(candidate.text for candidate in landings)
    if suffix == "+":
        return _(
            "the {piece} cannot promote from {start} to {end}; it can only be written {choices}",
            piece=name,
            start=start,
            end=end,
            choices=choices,
        )
    return _("the {piece} must end as one of these: {choices}", piece=name, choices=choices)


def _not_theirs(variant: Variant, mover: Piece, at: str, setup: Setup) -> str:
    piece = owned_name(mover.side, variant.kind(mover.code))
    return _("{piece} stands on {at}, but {side} is to move", piece=piece, at=at, side=side_name(setup.turn))


def _own(variant: Variant, there: Piece, at: str) -> str:
    return _(
        "{piece}, a piece of your own, stands on {at}", piece=owned_name(there.side, variant.kind(there.code)), at=at
    )


def move_strings(variant: Variant, setup: Setup, origin: int, target: int) -> dict[str, str]:
    """For each kind the piece on ``origin`` may be after going to ``target``, the move string that says so."""
    landings = reference_of(variant).landings(setup, origin, target)
    return {candidate.piece: candidate.text for candidate in landings if candidate.piece is not None}


def explain(variant: Variant, setup: Setup, text: str) -> str:
    """A sentence that says why the move string is not legal in the position, or that it is.

    Raises:
        NotationError: the text is no move string, or names a piece or square that does not exist.
    """
    why = fault(variant, setup, text)
    return _("{move} is not legal: {why}", move=text, why=why) if why else _("{move} is legal", move=text)


def fault(variant: Variant, setup: Setup, text: str) -> str | None:
    """The reason why the move string is not legal in the position, ``None`` if it is; errors as for :func:`explain`."""
    reference = reference_of(variant)
    drop, move = _DROP.fullmatch(text), _MOVE.fullmatch(text)
    if reference.turns and not (drop and variant.hand_order):
        return _turn_fault(reference, reference.turns, setup, text)
    if drop:
        code, name = drop.groups()
        if all(kind.code != code for kind in variant.kinds):
            raise bad_move(text, no_such_piece(variant, code, (kind.code for kind in variant.kinds)))
        found = _drop_fault(reference, setup, code, _point(variant, text, name))
    elif move:
        start, end, suffix = move.groups()
        found = _move_fault(reference, setup, _point(variant, text, start), _point(variant, text, end), suffix or "")
    else:
        raise _no_move_string(text, "7g7f, 2d2c+, 2d2c=G, P*5e")
    if over := _over(reference, setup):
        return over
    return found if isinstance(found, str) else _rule_fault(reference, setup, found)


def _over(reference: Reference, setup: Setup) -> str | None:
    """The end of the game by what stands on the board, if it has ended so."""
    decided = reference.decided(setup.board, setup.turn)
    if decided is None:
        return None
    winner, reason = decided
    words = reference.variant.extinction.sentence if reason == "extinction" else reference.variant.goal
    return _("the game is over: {outcome}", outcome=_(words, other=side_name(other(winner))))


def _no_move_string(text: str, models: str) -> NotationError:
    return bad_move(_shown(text), _("is not a move string; expected one like {models}", models=models))


def why_nowhere(variant: Variant, setup: Setup, code: str) -> str:
    """The reason why nothing of that code can be dropped anywhere, as a sentence; the commonest reasons come first.

    Raises:
        NotationError: there is no such kind.
    """
    name = variant.board.name
    empty = [name(point) for point, piece in enumerate(setup.board) if piece is None]
    said = [fault(variant, setup, f"{code}*{square}") for square in empty]
    if not said:
        raise NotationError("move", [_("there is no empty square to drop on")])
    reasons = Counter(reason for reason in said if reason)
    if free := len(said) - sum(reasons.values()):
        return sentence(_("{code} can be dropped on {count} squares", code=code, count=free))
    kind = next((kind for kind in variant.kinds if kind.code == code), None)
    reasons_given = _("; or ").join(reason for reason, _count in reasons.most_common(_AT_MOST))
    words = _(
        "the {piece} cannot be dropped anywhere now: {why}", piece=kind_name(kind) if kind else code, why=reasons_given
    )
    return sentence(words)


def _rule_fault(reference: Reference, setup: Setup, move: Candidate) -> str | None:
    for rule in reference.broken_rules(setup, move):
        return f"{_(rule.action.why)} [{rule.source}]"
    if away := reference.off_field(setup, move):
        return away
    return _royal_fault(reference, setup, move)


def _royal_fault(reference: Reference, setup: Setup, move: Candidate) -> str | None:
    if reference.loses_royal(setup, move):
        return _("it would lose your {piece}", piece=royal_name(reference.variant))
    if not reference.leaves_royal_attacked(setup, move):
        return None
    name = royal_name(reference.variant)
    if reference.royal_attacked(list(setup.board), setup.turn):
        return _("it does not parry the check to your {piece}", piece=name)
    return _("it would leave your {piece} attacked", piece=name)


# --- Turns of several landings and shots ---


def _turn_fault(reference: Reference, turns: CompoundMoves, setup: Setup, text: str) -> str | None:
    """The reason why a compound move is not legal, ``None`` if it is."""
    variant, match = turns.variant, _TURN.fullmatch(text)
    if match is None or len(text) > 80:
        models = "7g7f, 2d2c+, 7s7r7s, 5k6j*6g"
        raise _no_move_string(text, f"{models}, P*5e" if variant.hand_order else models)
    origin = _point(variant, text, match[1])
    items = [(star == "*", _point(variant, text, name)) for star, name in _TURN_ITEM.findall(match[2])]
    pieces = occupied(setup.board)
    mover = pieces.get(origin)
    if mover is None:
        return _("there is no piece on {at}", at=match[1])
    if mover.side != setup.turn:
        return _not_theirs(variant, mover, match[1], setup)
    if over := _over(reference, setup):
        return over
    for hold in turns.immobilizing(pieces, origin):
        if not hold.vectors:
            return _(hold.why)
    written = _written(turns, turns.begin(pieces, origin), items, match[3] or "", setup.taken_on)
    if isinstance(written, _Fault):
        return written.why
    if reference.royals:
        move = next(move for move in reference.candidates(setup) if move.text == written)
        if why := _royal_fault(reference, setup, move):
            return why
    return None if written == text else _("it has the same effect as {move}; write that instead", move=written)


class _Fault(NamedTuple):
    """A reason why a compound move is not legal."""

    why: str


def _written(
    turns: CompoundMoves, start: State, items: list[tuple[bool, int]], suffix: str, taken_on: int | None
) -> str | _Fault:
    """The string of the move that has the effect of these landings and shots, found by going every path that fits
    them; or where none goes on, or how it cannot end."""
    name = kind_name(turns.variant.kind(start.mover.code))
    states = [start]
    for shoots, point in items:
        following = [
            found
            for state in states
            for found in (turns.shots(state) if shoots else turns.legs(state))
            if (found.way[-1].shots[-1] if shoots else found.at) == point
        ]
        if not following:
            return _Fault(_step_fault(turns, states[0], shoots, point))
        states = following
    ending = [(state, end) for state in states if turns.may_end(state) for end in turns.ends(state)]
    if not ending:
        for rule in turns.landing_rules(states[0], states[0].mover.code):
            return _Fault(f"{_(rule.action.why)} [{rule.source}]")
        return _Fault(_("the {piece} may not end its turn there; it must go on", piece=name))
    fitting = [(state, end) for state, end in ending if end.suffix == suffix]
    if not fitting:
        choices = _(" or ").join(sorted({turns.text(state, end) for state, end in ending}))
        return _Fault(
            _("the {piece} cannot end like that; the move can only be written {choices}", piece=name, choices=choices)
        )
    state, end = fitting[0]
    for rule in turns.forbidding(start.pieces, state, taken_on):
        return _Fault(f"{_(rule.action.why)} [{rule.source}]")
    result = dict(end.pieces), turns.gained(state), end.lost
    found = turns.distinct(start.pieces, start.origin, taken_on)
    return next(text for text, state, end in found if (dict(end.pieces), turns.gained(state), end.lost) == result)


def _step_fault(turns: CompoundMoves, state: State, shoots: bool, point: int) -> str:
    """The reason why a compound move cannot continue with that landing or shot."""
    variant, board, pieces = turns.variant, turns.board, state.pieces
    kind, there = variant.kind(state.mover.code), pieces.get(point)
    at, to, name = board.name(state.at), board.name(point), kind_name(kind)
    if state.kind is None:
        return _("the {piece} is removed when it reaches {at}", piece=name, at=at)
    if shoots:
        return _shot_fault(turns, state, point)
    if there is not None and there.side == state.mover.side and point != state.at:
        return _own(variant, there, to)
    if there is not None and there.code in kind.cannot_capture:
        return _("the {piece} cannot take a {other}", piece=name, other=kind_name(variant.kind(there.code)))
    if state.way:
        for rule in turns.landing_rules(state, state.mover.code):
            return f"{_(rule.action.why)} [{rule.source}]"
        return _("the {piece} does not go on from {start} to {end}", piece=name, start=at, end=to)
    alone: Pieces = {state.origin: state.mover}
    for hold in turns.immobilizing(pieces, state.origin):
        if any(board.step(state.origin, vector, state.mover.side) == point for vector in hold.vectors):
            return _(hold.why)
    if any(found.at == point for found in turns.legs(turns.begin(alone, state.origin))):
        return _("something stands in the way of the {piece} from {start} to {end}", piece=name, start=at, end=to)
    return _("the {piece} does not move from {start} to {end}", piece=name, start=at, end=to)


def _shot_fault(turns: CompoundMoves, state: State, point: int) -> str:
    variant, board, mover = turns.variant, turns.board, state.mover
    kind, shot, there = variant.kind(mover.code), movement_of(variant.kind(mover.code)).shot, state.pieces.get(point)
    at, to, name = board.name(state.at), board.name(point), kind_name(kind)
    if shot is None:
        return _("the {piece} does not shoot", piece=name)
    if there is None:
        return _("there is nothing to shoot on {at}", at=to)
    if there.side == mover.side:
        return _own(variant, there, to)
    if not state.way and shot.standing == "never":
        return _("the {piece} must move before it shoots", piece=name)
    if state.way and not state.stood and shot.standing == "only":
        return _("the {piece} shoots only where it stood", piece=name)
    if state.took and not shot.after_capture:
        return _("the {piece} has captured by landing, so it does not shoot in this turn", piece=name)
    for rule in variant.rules:
        if rule.event == "shoots" and holds_in_place(
            turns.variant, rule.when, state.pieces, state.at, state.pieces[state.at]
        ):
            return _(rule.action.why)
    if there.code in shot.safe:
        return _("the {piece} cannot shoot a {other}", piece=name, other=kind_name(variant.kind(there.code)))
    if point in turns.targets(shot, state.pieces, state.at, mover.side):
        return _("the {piece} has no more shots from {at}", piece=name, at=at)
    if point in turns.targets(shot, {state.at: mover, point: there}, state.at, mover.side):
        return _("something stands between {start} and {end}", start=at, end=to)
    return _("the {piece} does not shoot from {start} to {end}", piece=name, start=at, end=to)
