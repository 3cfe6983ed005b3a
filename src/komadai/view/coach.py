"""A coach for people who have just learnt a game: what a move makes worse for its side, and what it does.

Both are told by what the guide sees before the move and after it, so no piece and no rule is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from ..game.position import Position
from ..i18n import marked
from ..spec.board import other
from ..spec.geometry import window_shift
from ..spec.move import Move
from ..spec.setup import Piece
from .guide import Gain, Remark, Way, balance, burning, gains, passed, threat
from .steps import ladder

MOST_ESCAPES = 16
"""Other moves out of check that are looked at, to see whether one of them loses less."""
MOST_SAID = 4
"""Remarks on what a move does."""

_WOULD_HANG: dict[tuple[Way, bool], str] = {
    ("lands", True): marked("Your {at} would hang: it could be taken by {by}."),
    ("lands", False): marked("Your {at} could be taken by {by}, which would gain even if you took back."),
    ("shoots", True): marked("Your {at} could be shot by {by}."),
    ("shoots", False): marked("Your {at} could be shot by {by}, which would gain even if you took back."),
    ("burns", True): marked("Your {at} could be burnt by {by}."),
    ("burns", False): marked("Your {at} could be burnt by {by}, which would gain even if you took back."),
}


def warning(position: Position, move: Move) -> Remark | None:
    """The gravest thing that a legal move makes worse for its side: the game lost, or material; ``None``: nothing.

    What is lost already, whatever the guide has said of it, does not count, nor does a loss that the move itself makes
    good, or after which its side wins at once. Squares are those of the position after the move, in which the remark's
    own move is legal.
    """
    others = [one for one in islice(position.legal_moves(), MOST_ESCAPES + 1) if one != move]
    if not others:
        return None
    after = _after(position, move)
    ended = after.outcome()
    if ended is not None:
        return Remark("threat", marked("This move loses the game at once.")) if ended.winner == after.turn else None
    before = passed(position)
    danger = next(threat(after), None)
    if danger is not None and _is_new(before, [_after(position, one) for one in others]):
        text = marked("Your opponent could win: {move} takes your {at}.")
        if not danger.at:
            text = marked("Your opponent could win with {move}.")
        return Remark("threat", text, danger.at, danger.by, move=danger.move)
    won = _swing(position, after)
    lost = [gain for gain in gains(after) if gain.net > won and not _punished(after, gain)]
    if lost and before is not None:
        now = _renaming(position, move)
        known = {now(gain.square) for gain in gains(before)}
        lost = [gain for gain in lost if gain.square not in known]
    if not lost:
        return None
    worst = max(lost, key=lambda gain: gain.net)
    if before is None and all(_loss(position, one) >= worst.net - won for one in others):
        return None
    return Remark("hangs", _WOULD_HANG[worst.way, worst.safe], (worst.square,), (worst.by,))


def _after(position: Position, move: Move) -> Position:
    made = position.copy()
    made.push(move)
    return made


def _is_new(before: Position | None, others: Iterable[Position]) -> bool:
    """True if the opponent could not win at once ``before`` a move; in check, if it could not after another one."""
    return any(one._native.winning_move() is None for one in (others if before is None else (before,)))


def _renaming(position: Position, move: Move) -> Callable[[str], str]:
    """What the place of a piece is called after a move, which may be the move of that piece."""
    board = position.variant.board
    right, down = (0, 0)
    if move.piece is not None:
        right, down = window_shift(board, Piece(position.turn, move.piece), move.target_point)
    places = {board.xy(point): board.name(point) for point in board.points} if right or down else {}
    spots = {name: spot for spot, name in places.items()}

    def now(square: str) -> str:
        square = move.target if square == move.origin else square
        x, y = spots.get(square, (0, 0))
        return places.get((x + right, y + down), square) if square in spots else square

    return now


def _swing(position: Position, after: Position) -> int:
    """What a move has gained for its side in material."""
    return balance(after, position.turn) - balance(position, position.turn)


def _punished(after: Position, gain: Gain) -> bool:
    """True if the opponent's capture lets the other side win at once."""
    return _after(after, gain.move)._native.winning_move() is not None


def _loss(position: Position, move: Move) -> int:
    """What the opponent's best capture after a move costs, less what the move gains."""
    after = _after(position, move)
    return max((gain.net for gain in gains(after)), default=0) - _swing(position, after)


# --- What a move does -----------------------------------------------------------------------------------------------

_TAKES: dict[Way, str] = {
    "lands": marked("It takes your {piece}."),
    "shoots": marked("It shoots your {piece}."),
    "burns": marked("It burns your {piece}."),
}
_AIMS: dict[Way, str] = {
    "lands": marked("It threatens to take your {at} with {by}."),
    "shoots": marked("It threatens to shoot your {at} with {by}."),
    "burns": marked("It threatens to burn your {at} with {by}."),
}


def reasons(position: Position, move: Move) -> list[Remark]:
    """What a legal move does, for the opponent to read, the most important first; empty if nothing can be told.

    Squares are those of the position after the move. A remark's own move is legal once the opponent has passed there;
    in ``stops``, if the mover had passed instead of moving.
    """
    after = _after(position, move)
    ended = after.outcome()
    if ended is not None:
        return [] if ended.winner != position.turn else [Remark("win", marked("It wins the game."))]
    taken = _taken(position, move, after)
    if len(position.legal_moves()) == 1:
        return [Remark("only", marked("It was the only move.")), *taken][:MOST_SAID]
    now = _renaming(position, move)
    found = [*taken, *_checks(after), *_defends(position, move, after, now), *_aims(position, after, now)]
    return found[:MOST_SAID] or [*_nears(position, move, after, now)]


def _taken(position: Position, move: Move, after: Position) -> list[Remark]:
    """The kinds of the pieces that a move takes, the most valuable first."""
    board, left, side = position.board, after.board, position.turn
    landings = {landing.point for landing in move.way}
    shot = {point for landing in move.way for point in landing.shots}
    mover = None if move.origin_point is None else board[move.origin_point]
    burns = mover is not None and bool(burning(position.variant) & {mover.code, move.piece})
    ways: dict[str, Way] = {}
    for point, piece in enumerate(board):
        if piece is None or piece.side == side:
            continue
        if point in landings or point in shot:
            ways.setdefault(piece.code, "lands" if point in landings else "shoots")
        elif burns and ((then := left[point]) is None or then.side == side):
            ways.setdefault(piece.code, "burns")
    worth = ladder(position.variant)
    dear = sorted(ways, key=lambda code: -worth[code][0])
    return [Remark("takes", _TAKES[ways[code]], code=code) for code in dear]


def _checks(after: Position) -> Iterator[Remark]:
    """The royal pieces that it attacks."""
    in_order = after.variant.board.in_order
    for royal in in_order(after.royals(after.turn)) if after.is_check() else ():
        if by := in_order(after.attackers(royal, other(after.turn))):
            yield Remark("check", marked("It attacks your {at} with {by}."), (royal,), tuple(by))


def _defends(position: Position, move: Move, after: Position, now: Callable[[str], str]) -> Iterator[Remark]:
    """What the opponent could have done before it, and cannot any more."""
    before = passed(position)
    if before is None:
        attacked = [square for square in position.royals(position.turn) if position.attackers(square, after.turn)]
        codes = [piece.code for square in attacked if (piece := position.piece_at(square))]
        yield from (Remark("saves", marked("Its {piece} was attacked."), code=code) for code in codes)
        return
    win = before._native.winning_move()
    if win is not None and after._native.winning_move() is None:
        yield Remark("stops", marked("It prevents {move}, which would have won for you."), move=win)
    still = {gain.square for gain in gains(after)}
    for gain in gains(before):
        square = now(gain.square)
        piece = after.piece_at(square)
        if square in still or piece is None or piece.side == after.turn:
            continue
        text = marked("It protects {at}, which you could have taken.")
        if gain.square == move.origin:
            text = marked("It brings {at} out of danger.")
        yield Remark("saves", text, (square,))


def _aims(position: Position, after: Position, now: Callable[[str], str]) -> Iterator[Remark]:
    """What the mover could do next if the opponent passed, and could not do before."""
    again = passed(after)
    if again is None:
        return
    if (win := next(threat(again), None)) is not None:
        yield Remark("threat", marked("It threatens to win with {move}."), by=win.by, move=win.move)
    already = {now(gain.square) for gain in gains(position)}
    for gain in gains(again):
        if gain.square not in already:
            yield Remark("aims", _AIMS[gain.way], (gain.square,), (gain.by,))


def _nears(position: Position, move: Move, after: Position, now: Callable[[str], str]) -> Iterator[Remark]:
    """The royal pieces of the opponent beside which its piece has come to attack a place."""
    royals = after.variant.board.in_order(after.royals(after.turn))
    if not royals:
        return
    reached = after.attacks(move.target)
    had = set[str]() if move.origin is None else {*map(now, position.attacks(move.origin))}
    for royal in royals:
        beside = after.attacks(royal)
        if beside & reached and not beside & had:
            yield Remark("nears", marked("It attacks a place beside your {at} with {by}."), (royal,), (move.target,))
