"""Piece counts and piece values."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection
from functools import lru_cache

from .board import SIDES, Rect, Side, Unbounded
from .conditions import Has, Is
from .geometry import movement_of
from .kinds import Kind
from .logic import conjunctions
from .promotion import successors
from .rules import Become, Immobilize
from .setup import Piece, Setup
from .sfen import start_of
from .variant import CACHED_VARIANTS, Variant


@lru_cache(maxsize=CACHED_VARIANTS)
def royals(variant: Variant) -> frozenset[str]:
    """The codes of the royal kinds."""
    return frozenset(kind.code for kind in variant.kinds if kind.royal)


def _walked_points(board: Rect, kind: Kind, point: int) -> float:
    """The points its walks reach from ``point`` on an empty board; each further leg counts 0.8 times."""
    total = 0.0
    for walk in movement_of(kind).walks:
        met, ahead = {point}, {(point, vector) for vector in walk.vectors}
        for leg in range(walk.most):
            come = {(to, by) for at, by in ahead if (to := board.step(at, by, "b")) is not None}
            total += 0.8**leg * len({to for to, _ in come} - met)
            met |= {to for to, _ in come}
            ahead = {(to, vector) for to, by in come for vector in walk.after(by)}
    return total


def _aimed_points(board: Rect, kind: Kind, point: int) -> float:
    """The value of the kind's shot from ``point``, in points it could move to."""
    shot = movement_of(kind).shot
    if shot is None:
        return 0.0
    total = 0.0
    for vector in shot.vectors:
        at = board.step(point, vector, "b")
        for nearer in range(shot.reach):
            if at is None:
                break
            total += 1.0 if shot.over else 0.85**nearer
            at = board.step(at, vector, "b")
    return 0.4 * total * (1 + shot.targets) / 2


@lru_cache(maxsize=1024)
def _open_board_moves(board: Rect, kind: Kind) -> tuple[float, float]:
    """The mean number of points the kind reaches on an empty board, and the mean value of its shots.

    Each further point of a slide counts 0.7 times the one before.
    """
    # A sample of the points is enough for a large board.
    points = [board.middle] if isinstance(board, Unbounded) else board.points[:: len(board) // 100 + 1]
    slid = [sum(0.7**nearer for nearer in range(length)) for length in range(max(board.width, board.height))]
    legs = [(vector, leg.reach) for leg in movement_of(kind).legs for vector in leg.vectors]
    reached = sum(
        sum(slid[len(board.line(point, vector, "b", reach))] for vector, reach in legs)
        + _walked_points(board, kind, point)
        for point in points
    )
    return reached / len(points), sum(_aimed_points(board, kind, point) for point in points) / len(points)


def _mobility(variant: Variant, kind: Kind) -> float:
    """The value of the kind's moves and shots, in points reached.

    Kinds it cannot capture by landing count half, kinds it cannot shoot not at all.
    """
    reached, aimed = _open_board_moves(variant.board, kind)
    shot = movement_of(kind).shot
    proof = len(shot.safe) / len(variant.kinds) if shot else 0
    return reached * (1 - len(kind.cannot_capture) / len(variant.kinds) / 2) + aimed * (1 - proof)


MOST_MATERIAL = 15_000  # of all pieces of the start together: scores are kept in 16 bits


def piece_values(variant: Variant) -> dict[str, tuple[int, int]]:
    """The value of each kind on the board and in hand, from the spec or else from its moves.

    Values are scaled down where the pieces of one side would be worth more than :data:`MOST_MATERIAL`. A kind that
    changes as it moves has the mean of its own value and those of the kinds it turns into.
    """
    reach = {kind.code: _mobility(variant, kind) for kind in variant.kinds}

    def cycle(kind: Kind) -> set[str]:
        seen: set[str] = set()
        queue = deque([kind.code])
        while queue:
            code = queue.popleft()
            if code not in seen:
                seen.add(code)
                queue.extend(variant.kind(code).becomes.quiet)
        return seen

    def on_board(kind: Kind) -> int:
        if kind.royal:
            return 0
        if kind.value is not None:
            return kind.value
        turning = cycle(kind)
        return round(100 * (reach[kind.code] + sum(reach[code] for code in turning) / len(turning)) / 2)

    board = {kind.code: on_board(kind) for kind in variant.kinds}
    setup = start_of(variant)
    total = sum(board[piece.code] for piece in setup.board if piece and piece.side == "b")
    if total > MOST_MATERIAL:
        board = {code: value * MOST_MATERIAL // total for code, value in board.items()}

    def in_hand(kind: Kind) -> int:
        if kind.hand_value is not None:
            return kind.hand_value
        shown = kind.becomes.dropped or (kind.code,)
        return sum(board[code] for code in shown) // len(shown)

    return {kind.code: (board[kind.code], in_hand(kind)) for kind in variant.kinds}


def count_pieces(variant: Variant, setup: Setup) -> Counter[Piece]:
    """Count the pieces of each side and kind, on the board and in hand."""
    counted = Counter(piece for piece in setup.board if piece is not None)
    for side, hand in zip(SIDES, setup.hands, strict=True):
        counted.update({Piece(side, code): count for code, count in zip(variant.hand_order, hand, strict=True)})
    return counted


def count_kinds(counted: Counter[Piece], codes: Collection[str], *sides: Side) -> int:
    """The number of pieces of these kinds of the given sides, or of both, in a count of :func:`count_pieces`."""
    return sum(counted[Piece(side, code)] for side in sides or SIDES for code in codes)


Tie = tuple[frozenset[str], frozenset[str], int]
"""Kinds of which a side needs one, the kinds that depend on it, and the value of that for each of these."""


def ties(variant: Variant) -> list[Tie]:
    """The value of pieces to others of their side, beyond their own moves.

    Three things are derived from the rules: the pieces that the lack of a kind immobilizes, wholly or in part; those
    that it turns back; and those that turn over as soon as another piece does.
    """
    values = {code: board for code, (board, _) in piece_values(variant).items()}
    found: list[Tie] = []
    for rule in variant.rules:
        for literals in conjunctions(rule.when):
            named = frozenset(code for atom, holds in literals if isinstance(atom, Is) and holds for code in atom.codes)
            needed = [
                atom.codes for atom, holds in literals if isinstance(atom, Has) and atom.of == "own" and not holds
            ]
            for codes in needed:
                if isinstance(rule.action, Immobilize):
                    share = 0.25 if rule.action.vectors else 0.75
                    found += [(frozenset(codes), frozenset({code}), round(values[code] * share)) for code in named]
                elif isinstance(rule.action, Become):
                    back = rule.action.into
                    gain = sum(values[code] - values[back] for code in named) // max(len(named), 1)
                    found.append((frozenset(codes), frozenset({back}), max(gain, 0) // 4))
            if rule.event == "became" and isinstance(rule.action, Become) and rule.action.others:
                turning = frozenset(kind.code for kind in variant.kinds if named & set(successors(kind)))
                for code in rule.action.others.codes:
                    gain = values[rule.action.into] - values[code]
                    found.append((turning, frozenset({code}), max(gain, 0) // 4))
    return [tie for tie in found if tie[2] > 0]
