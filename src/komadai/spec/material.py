"""Piece counts and piece values."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection
from functools import cache

from .board import SIDES, Rect, Side, Unbounded
from .conditions import Has, Is
from .geometry import lines, movement_of
from .kinds import Kind
from .logic import conjunctions
from .promotion import successors
from .rules import Become, Immobilize
from .setup import Piece, Setup
from .sfen import parse
from .variant import Variant


def royals(variant: Variant) -> frozenset[str]:
    """The codes of the royal kinds."""
    return frozenset(kind.code for kind in variant.kinds if kind.royal)


def only_royal(variant: Variant) -> Kind | None:
    """The royal kind, ``None`` where there are several or none."""
    kinds = [variant.kind(code) for code in royals(variant)]
    return kinds[0] if len(kinds) == 1 else None


def _walked_points(board: Rect, kind: Kind, point: int) -> float:
    """How many points the kind's walks pass from ``point`` on an empty board; each further leg is worth 0.8 times."""
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
    """What the kind's shot is worth from ``point``, counted in points it might move to."""
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


@cache
def _open_board_moves(board: Rect, kind: Kind) -> tuple[float, float]:
    """Mean number of points the kind reaches on an empty board, and what its shots are worth beside.

    Each further point of a slide counts 0.7 times less.
    """
    # Of a large board a sample of the points will do.
    points = [board.middle] if isinstance(board, Unbounded) else board.points[:: len(board) // 100 + 1]
    reached = sum(
        sum(0.7**nearer for line in lines(board, kind, "b", point) for nearer in range(len(line)))
        + _walked_points(board, kind, point)
        for point in points
    )
    return reached / len(points), sum(_aimed_points(board, kind, point) for point in points) / len(points)


def _mobility(variant: Variant, kind: Kind) -> float:
    """What the kind's moves and shots are worth, in points reached.

    Of what it cannot take by landing it makes half the use, of what it cannot shoot none.
    """
    reached, aimed = _open_board_moves(variant.board, kind)
    shot = movement_of(kind).shot
    proof = len(shot.safe) / len(variant.kinds) if shot else 0
    return reached * (1 - len(kind.cannot_capture) / len(variant.kinds) / 2) + aimed * (1 - proof)


MOST_MATERIAL = 15_000  # of all pieces of the start together: scores are kept in 16 bits


def piece_values(variant: Variant) -> dict[str, tuple[int, int]]:
    """Each kind's worth on the board and in hand, from the spec where it says, else from the kind's moves.

    Where armies are large the values are scaled down until an army is worth :data:`MOST_MATERIAL`.

    A kind that changes as it moves is worth the mean of itself and of what it turns into.
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
    setup = parse(variant, variant.start)
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
    """How many pieces of each side and kind there are, on the board and in hand."""
    counted = Counter(piece for piece in setup.board if piece is not None)
    for side, hand in zip(SIDES, setup.hands, strict=True):
        counted.update({Piece(side, code): count for code, count in zip(variant.hand_order, hand, strict=True)})
    return counted


def count_kinds(counted: Counter[Piece], codes: Collection[str], *sides: Side) -> int:
    """How many pieces of these kinds the sides named have, or both, of those that :func:`count_pieces` has counted."""
    return sum(counted[Piece(side, code)] for side in sides or SIDES for code in codes)


Tie = tuple[frozenset[str], frozenset[str], int]
"""Kinds one of which a side needs, kinds that hang on it, and what that is worth for each of them."""


def ties(variant: Variant) -> list[Tie]:
    """What pieces are worth to others of their side, beyond their own moves.

    Three things are read from the rules: whom a side's lack of a kind holds fast, wholly or in part; what it keeps from
    turning over; and which others turn over once a piece does.
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
