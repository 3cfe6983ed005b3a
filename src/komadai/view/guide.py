"""A guide for people who have just learnt a game: what matters in a position, to the side to move.

Everything is read from the legal moves: those of the side to move, and those that the opponent would have if the side
to move passed. No piece and no rule is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from typing import Literal, NamedTuple

from ..errors import IllegalPositionError
from ..game.position import Position
from ..i18n import _, gettext, marked
from ..spec.board import SIDES, Side, Unbounded, other
from ..spec.move import Move
from ..spec.names import kind_name
from ..spec.promotion import faces
from ..spec.rules import Remove, Take
from ..spec.setup import Piece
from ..spec.variant import CACHED_VARIANTS, Variant
from .steps import ladder
from .survival import concerned

Topic = Literal["win", "check", "stranded", "only", "threat", "hangs", "chance", "ties", "plan", "calm"]
Sense = Literal["win", "check", "only", "takes", "threat", "stops", "saves", "aims", "nears"]
Way = Literal["lands", "shoots", "burns"]

MOST_REMARKS = 12
MOST_CAPTURES = 40
"""Captures of one side that are looked at, those that take the most first."""
MOST_APPROACHES = 40
"""Quiet moves that are looked at for a way to come near."""
MOST_PRESSED = 6
"""Enemy pieces of which the guide asks whether one more attacker would win them, the most valuable first."""

_HANGS: dict[tuple[Way, bool], str] = {
    ("lands", True): marked("Your {at} hangs: it can be taken by {by}."),
    ("lands", False): marked("Your {at} is attacked by {by}, which gains even if you take back."),
    ("shoots", True): marked("Your {at} can be shot by {by}."),
    ("shoots", False): marked("Your {at} can be shot by {by}, which gains even if you take back."),
    ("burns", True): marked("Your {at} can be burnt by {by}."),
    ("burns", False): marked("Your {at} can be burnt by {by}, which gains even if you take back."),
}
_CHANCES: dict[tuple[Way, bool], str] = {
    ("lands", True): marked("You can take {at} with your {by}."),
    ("lands", False): marked("You can take {at} with your {by}, and gain even if it is taken back."),
    ("shoots", True): marked("You can shoot {at} with your {by}."),
    ("shoots", False): marked("You can shoot {at} with your {by}, and gain even if it is taken back."),
    ("burns", True): marked("You can burn {at} with your {by}."),
    ("burns", False): marked("You can burn {at} with your {by}, and gain even if it is taken back."),
}


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing that matters to the side to move.

    Attributes:
        topic: ``win``: it can win at once; ``check``: its royal piece is attacked; ``stranded``: pieces that this turn
            loses unless it saves them; ``only``: a single piece can move or be dropped; ``threat``: the opponent can
            win with the next move; ``hangs``: the opponent can take a piece and gain by it; ``chance``: so can the
            side to move; ``ties``: pieces are lost if another one moves; ``plan``: none of these, but there is
            something to work for; ``calm``: nor that. Of what a move does (:mod:`.coach`): ``takes`` a piece,
            ``stops`` a win, ``saves`` a piece, ``aims`` at one, or ``nears`` a royal piece.
        text: a sentence to be translated, which may use ``{at}`` and ``{by}`` (pieces), ``{there}`` (a place),
            ``{piece}`` (a kind) and ``{move}``.
        at: the squares of the pieces it is about. ``by``: those of the pieces that act on them. ``there``: the square
            to go for.
        code: the hand kind that must be dropped.
        move: the opponent's winning move, legal once the side to move has passed.
    """

    topic: Topic | Sense
    text: str
    at: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    there: str | None = None
    code: str | None = None
    move: Move | None = None


class Gain(NamedTuple):
    """A capture by which the mover gains material, even if the piece that makes it is taken back at once.

    Attributes:
        square: that of a piece it takes. ``way``: how.
        by: the origin of the piece that makes it.
        safe: it cannot be taken back with gain.
        worth: the value of the piece on the square. ``net``: what the mover gains, the recapture included; above 0.
        move: the capture.
    """

    square: str
    way: Way
    by: str
    safe: bool
    worth: int
    net: int
    move: Move


def remarks(position: Position) -> list[Remark]:
    """All that matters, the most important first; nothing if the game is over."""
    if position.is_game_over():
        return []
    theirs = passed(position)
    threats = [] if theirs is None else [*threat(theirs)]
    lost = {square for threat in threats for square in threat.at}
    hanging = [] if theirs is None else [gain for gain in gains(theirs) if gain.square not in lost]
    captures = [(gain, _remark("hangs", _HANGS, gain)) for gain in hanging]
    captures += [(gain, _remark("chance", _CHANCES, gain)) for gain in gains(position)]
    captures.sort(key=lambda capture: -capture[0].worth)
    found = [*_urgent(position), *threats, *(remark for _gain, remark in captures), *_ties(position)]
    return found[:MOST_REMARKS] or [*islice(_plans(position), 1)] or [_calm(position)]


def _remark(topic: Topic, texts: Mapping[tuple[Way, bool], str], gain: Gain) -> Remark:
    return Remark(topic, texts[gain.way, gain.safe], (gain.square,), (gain.by,))


def reach(position: Position) -> dict[str, list[str]]:
    """The squares that each piece of the opponent could go to, capture on or shoot at if the side to move passed.

    While the side to move is in check, those that it attacks (:meth:`Position.attacks`), except on its own pieces.
    Nothing if the game is over.
    """
    if position.is_game_over():
        return {}
    in_order, name = position.variant.board.in_order, position.variant.board.name
    theirs = passed(position)
    if theirs is None:
        side = other(position.turn)
        own = {name(point) for point, piece in enumerate(position.board) if piece and piece.side == side}
        return {square: in_order(position.attacks(square) - own) for square in in_order(own)}
    found: dict[str, set[str]] = {}
    for move in theirs.legal_moves():
        if move.origin is not None:
            found.setdefault(move.origin, set()).update(map(name, _touched(move)))
    return {square: in_order(squares - {square}) for square, squares in found.items()}


def words(
    remark: Remark,
    position: Position,
    place: Callable[[str], str],
    *,
    to: Side | None = None,
    before: Position | None = None,
) -> str:
    """A remark in the current language.

    Args:
        place: names squares as in a sentence.
        to: the side that is told, if it is not the one to move.
        before: the position in which the remark's move is legal, if it is not the one after a pass.
    """
    own = to or position.turn
    on = _("{piece} at {place}") if isinstance(position.variant.board, Unbounded) else _("{piece} on {place}")

    def pieces(squares: Iterable[str]) -> str:
        said = []
        for square in squares:
            piece = position.piece_at(square)
            assert piece is not None
            kind = position.variant.kind(piece.code)
            if kind.royal and piece.side == own:
                said.append(kind_name(kind))
                continue
            name = kind_name(kind) if piece.side == own else _("the {piece}", piece=kind_name(kind))
            said.append(on.format(piece=name, place=place(square)))
        return _(", ").join(said)

    drop = "" if remark.code is None else kind_name(position.variant.kind(remark.code))
    move = "" if remark.move is None else (before or position.passed()).notate(remark.move)
    there = "" if remark.there is None else place(remark.there)
    return gettext(remark.text, at=pieces(remark.at), by=pieces(remark.by), there=there, piece=drop, move=move)


def passed(position: Position) -> Position | None:
    """The position with the opponent to move; ``None`` in check."""
    try:
        return position.passed()
    except IllegalPositionError:
        return None


def _touched(move: Move) -> set[int]:
    """The points that a move lands on or shoots at."""
    return {point for landing in move.way for point in (landing.point, *landing.shots)}


# --- What is urgent -------------------------------------------------------------------------------------------------


def _urgent(position: Position) -> Iterator[Remark]:
    """The chance to win, dangers of this very turn, and the only piece that can act."""
    in_order = position.variant.board.in_order
    if position._native.winning_move() is not None:
        yield Remark("win", marked("You can win with your next move."))
    for royal in in_order(position.royals(position.turn)):
        if by := in_order(position.attackers(royal, other(position.turn))):
            yield Remark("check", marked("Your {at} is attacked by {by}."), (royal,), tuple(by))
    if stranded := in_order(position.stranded()):
        text = marked("You lose your {at} at the end of this turn, unless your move prevents it.")
        yield Remark("stranded", text, tuple(stranded))
    moves = position.legal_moves()
    origins, pieces = {move.origin for move in moves}, {move.piece for move in moves}
    if origins == {None}:
        held = [code for code in position.hand(position.turn) if pieces <= {*faces(position.variant, code)}]
        if held:
            yield Remark("only", marked("Drop your {piece}: nothing else is possible now."), code=held[0])
    elif len(origins) == 1:
        yield Remark("only", marked("Only your {at} can move."), tuple(filter(None, origins)))


def threat(theirs: Position) -> Iterator[Remark]:
    """The opponent's win with the next move; ``theirs``: the position in which it is to move."""
    move = theirs._native.winning_move()
    if move is None:
        return
    board, name = theirs.board, theirs.variant.board.name
    lost = sorted(point for point in _touched(move) if (piece := board[point]) and piece.side != theirs.turn)
    text = marked("Your opponent threatens to win: {move} takes your {at}.")
    if not lost:
        text = marked("Your opponent threatens to win with {move}.")
    by = () if move.origin is None else (move.origin,)
    yield Remark("threat", text, tuple(map(name, lost)), by, move=move)


def _ties(position: Position) -> Iterator[Remark]:
    """The pieces that are lost whatever move another one makes."""
    if not any(isinstance(rule.action, Take) for rule in position.variant.rules):
        return
    lost: dict[str, set[str]] = {}
    for move in position.legal_moves():
        if move.origin is not None:
            losses = set(position.losses(move)) - {move.target}
            lost[move.origin] = lost.get(move.origin, losses) & losses
    stranded = position.stranded()
    for origin, squares in lost.items():
        if squares := squares - stranded:
            in_order = tuple(position.variant.board.in_order(squares))
            yield Remark("ties", marked("If your {by} moves, you lose your {at}."), in_order, (origin,))


# --- What to work for -----------------------------------------------------------------------------------------------


def _plans(position: Position) -> Iterator[Remark]:
    """What the side to move can work for, the most important first."""
    in_order, side, enemy = position.variant.board.in_order, position.turn, other(position.turn)
    attackers: Callable[[str, Side], frozenset[str]] = cache(position.attackers)
    own = position.royals(side)
    for royal in in_order(own):
        around = position.attacks(royal)
        by = frozenset[str]().union(*(attackers(square, enemy) for square in around))
        if by and not any(move.origin == royal for move in position.legal_moves()):
            text = marked("Your {at} has no place to go to: give it room.")
            yield Remark("plan", text, (royal,), tuple(in_order(by)))
    royals = in_order(position.royals(enemy))
    beside = {royal: in_order(position.attacks(royal)) for royal in royals}
    for royal, squares in beside.items():
        for there in squares:
            if len(by := attackers(there, side) - own) == 1 and attackers(there, enemy) == {royal}:
                text = marked("Bring a second attacker to {there}: {at} alone guards it.")
                yield Remark("plan", text, (royal,), tuple(by), there)
    for square in _pressed(position):
        if len(by := attackers(square, side)) == len(attackers(square, enemy)):
            text = marked("One more attacker would win {at}: it is guarded as often as you attack it.")
            yield Remark("plan", text, (square,), tuple(in_order(by)))
    for royal, squares in beside.items():
        if not any(attackers(there, side) - own for there in squares):
            yield from _approaches(position, royal, frozenset(squares), own)
            text = marked("None of your pieces attacks a place beside {at} yet: bring one nearer.")
            if position.hand(side):
                text = marked("None of your pieces attacks a place beside {at} yet: bring one nearer, or drop one.")
            yield Remark("plan", text, (royal,))


def _approaches(position: Position, royal: str, beside: frozenset[str], own: frozenset[str]) -> Iterator[Remark]:
    """Safe moves of other than own royals to attack places beside a royal; those that attack most come first."""
    theirs = passed(position)
    taken = set[int]() if theirs is None else {at for move in theirs.legal_moves() for at in _touched(move)}
    twin = position.copy()
    quiet = [
        move
        for move in position.legal_moves()
        if move.origin not in own and move.target_point not in taken and not position.is_capture(move)
    ]
    found: list[tuple[int, Move]] = []
    for move in quiet[:MOST_APPROACHES]:
        twin.push(move)
        moved = royal not in twin.royals(twin.turn)  # an unbounded board names places by its pieces
        near = 0 if moved else len(beside & twin.attacks(move.target))
        twin.pop()
        found += [(near, move)] * bool(near)
    for _near, move in sorted(found, key=lambda one: -one[0]):
        if move.origin is None:
            text = marked("From {there} a dropped {piece} would attack a place beside {at}.")
            yield Remark("plan", text, (royal,), (), move.target, move.piece)
        else:
            text = marked("From {there} your {by} would attack a place beside {at}.")
            yield Remark("plan", text, (royal,), (move.origin,), move.target)


def _pressed(position: Position) -> list[str]:
    """The enemy pieces that the side to move can capture, the most valuable first."""
    board, name, worth = position.board, position.variant.board.name, ladder(position.variant)
    values = {
        point: worth[piece.code][0]
        for move in position.legal_moves()
        for point in _touched(move)
        if (piece := board[point]) and piece.side != position.turn
    }
    return [name(point) for point in sorted(values, key=lambda point: (-values[point], point))[:MOST_PRESSED]]


def _calm(position: Position) -> Remark:
    if position.hand(position.turn):
        return Remark("calm", marked("None of your pieces is in danger now, and you have pieces in hand."))
    return Remark("calm", marked("None of your pieces is in danger now."))


# --- What can be taken ----------------------------------------------------------------------------------------------


def gains(position: Position) -> list[Gain]:
    """A capture with gain of each of the opponent's pieces of which there is one, the most valuable piece first.

    The gain is counted in material, with all that the move and the recapture take, lose and promote.
    """
    board, twin, name = position.board, position.copy(), position.variant.board.name
    worth = ladder(position.variant)
    found: dict[int, Gain] = {}
    for capture in islice(_captures(position), MOST_CAPTURES):
        open_ = [point for point in capture.taken if point not in found]
        if not open_ or capture.swing <= 0:
            continue
        back = _recapture(twin, capture.move)
        if capture.swing <= back:
            continue
        landings = {landing.point for landing in capture.move.way}
        for point in open_:
            way: Way = "lands" if point in landings else "shoots" if point in _touched(capture.move) else "burns"
            piece = board[point]
            value = 0 if piece is None else worth[piece.code][0]
            net = capture.swing - back
            found[point] = Gain(name(point), way, capture.move.origin or "", back <= 0, value, net, capture.move)
    return [found[point] for point in sorted(found, key=lambda point: (-found[point].worth, point))]


class _Capture(NamedTuple):
    """A capture, with the points of the enemy pieces it takes and the mover's gain in material."""

    move: Move
    taken: tuple[int, ...]
    swing: int


def _captures(position: Position) -> list[_Capture]:
    """The captures of the side to move, those that bring the most first."""
    board, side, twin = position.board, position.turn, position.copy()
    enemy = frozenset(point for point, piece in enumerate(board) if piece and piece.side != side)
    burns_others, before = burning(position.variant), balance(position, side)
    found = []
    for move in position.legal_moves():
        taken = enemy & _touched(move)
        mover = None if move.origin_point is None else board[move.origin_point]
        burns = mover is not None and bool(burns_others & {mover.code, move.piece})
        if not taken and not burns:
            continue
        twin.push(move)
        if burns:
            after = twin.board
            taken = taken | {point for point in enemy if (piece := after[point]) is None or piece.side == side}
        if taken:
            found.append(_Capture(move, tuple(sorted(taken)), balance(twin, side) - before))
        twin.pop()
    return sorted(found, key=lambda capture: (-capture.swing, capture.move.text))


def _recapture(twin: Position, move: Move) -> int:
    """The opponent's best gain by taking the piece that has made a move where it stands then; 0 if it cannot gain."""
    twin.push(move)
    side, before, best = twin.turn, 0, 0
    there = twin.piece_at(twin.variant.board.name(move.target_point))
    replies = [] if there is None else [reply for reply in twin.legal_moves() if move.target_point in _touched(reply)]
    if replies:
        before = balance(twin, side)
    for reply in replies:
        twin.push(reply)
        best = max(best, balance(twin, side) - before)
        twin.pop()
    twin.pop()
    return best


@lru_cache(maxsize=CACHED_VARIANTS)
def burning(variant: Variant) -> frozenset[str]:
    """The kinds that remove others where they arrive."""
    rules = (rule for rule in variant.rules if isinstance(rule.action, Remove) and rule.action.others)
    return frozenset(code for rule in rules for code in concerned(variant, rule))


def balance(position: Position, side: Side) -> int:
    """The material of a side less that of its opponent."""
    total = sum(map(_signed(position.variant).__getitem__, position.board))
    worth = ladder(position.variant)
    for owner, sign in zip(SIDES, (1, -1), strict=True):
        total += sign * sum(worth[code][1] * count for code, count in position.hand(owner).items())
    return total if side == SIDES[0] else -total


@lru_cache(maxsize=CACHED_VARIANTS)
def _signed(variant: Variant) -> dict[Piece | None, int]:
    """The value of each piece on the board, below 0 for White's."""
    worth = ladder(variant)
    values: dict[Piece | None, int] = {Piece("b", kind.code): worth[kind.code][0] for kind in variant.kinds}
    values |= {Piece("w", kind.code): -worth[kind.code][0] for kind in variant.kinds}
    return values | {None: 0}
