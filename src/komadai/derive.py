"""What follows from a spec: the readings of it that the compiler, the reference and the notations share."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import product

from .board import SIDES, FarRanks, Rect, Side, Squares, Unbounded, Vector
from .move import CHOOSES, PROMOTES
from .movement import Movement, betza
from .notation.sfen import Piece, Setup, parse
from .spec import (
    AllOf,
    AnyOf,
    At,
    Condition,
    Forbid,
    Has,
    Hold,
    Is,
    Kind,
    Mates,
    Near,
    Not,
    Rule,
    Supported,
    Turn,
    Variant,
)
from .speech import _, called

Literal = tuple[Condition, bool]
"""An atomic condition, and whether it must hold."""


@cache
def movement_of(kind: Kind) -> Movement:
    """The kind's movement, reading Betza text where the spec gives text."""
    return betza(kind.move) if isinstance(kind.move, str) else kind.move


def vectors_of(kind: Kind) -> tuple[Vector, ...]:
    """Every vector by which the kind moves or shoots."""
    movement = movement_of(kind)
    ways = (*movement.legs, *movement.walks, *((movement.shot,) if movement.shot else ()))
    return tuple(dict.fromkeys(vector for way in ways for vector in way.vectors))


def conjunctions(condition: Condition) -> list[tuple[Literal, ...]]:
    """The condition in disjunctive normal form: a list of conjunctions of literals.

    A conjunction says nothing twice, and one that contradicts itself is left out.
    """

    def walk(node: Condition, holds: bool) -> list[tuple[Literal, ...]]:
        if isinstance(node, Not):
            return walk(node.part, not holds)
        if isinstance(node, (AllOf, AnyOf)):
            branches = [walk(part, holds) for part in node.parts]
            if isinstance(node, AllOf) == holds:
                return [sum(choice, ()) for choice in product(*branches)]
            return [conjunction for branch in branches for conjunction in branch]
        return [((node, holds),)]

    unique = [tuple(dict.fromkeys(conjunction)) for conjunction in walk(condition, True)]
    return [found for found in unique if not any((atom, not holds) in found for atom, holds in found)]


def atoms(condition: Condition) -> Iterator[Condition]:
    """Every atomic condition inside ``condition``."""
    if isinstance(condition, Not):
        yield from atoms(condition.part)
    elif isinstance(condition, (AllOf, AnyOf)):
        for part in condition.parts:
            yield from atoms(part)
    else:
        yield condition


@cache
def has_turns(variant: Variant) -> bool:
    """Whether turns may have several landings, shots, or effects while they are under way."""
    events = ("turn_start", "arrives", "shoots", "turns", "at_all_times")
    movements = [movement_of(kind) for kind in variant.kinds]
    return (
        variant.alive is not None
        or any(movement.walks or movement.shot for movement in movements)
        or any(kind.spares or kind.becomes.prey for kind in variant.kinds)
        or any(rule.event in events for rule in variant.rules)
    )


def asks_mate(rule: Rule) -> bool:
    """Whether the rule asks for mate anywhere, so that it is not applied to the replies a mate leaves."""
    return any(isinstance(atom, Mates) for atom in atoms(rule.when))


def lines(board: Rect, kind: Kind, side: Side, point: int) -> Iterator[tuple[int, ...]]:
    """Each way the kind can travel from ``point``, as the points it passes on an empty board."""
    for leg in movement_of(kind).legs:
        for vector in leg.vectors:
            line: list[int] = []
            at = board.step(point, vector, side)
            while at is not None and (leg.reach is None or len(line) < leg.reach):
                line.append(at)
                at = board.step(at, vector, side)
            if line:
                yield tuple(line)


def window_shift(board: Rect, piece: Piece, target: int) -> tuple[int, int]:
    """How a square's ``xy`` changes because ``piece`` comes to stand on ``target``.

    ``(0, 0)`` unless the board is :class:`Unbounded` and the piece is its anchor: then the window follows, so what
    stood at ``(x, y)`` is named after ``(x + dx, y + dy)`` from then on.
    """
    if not isinstance(board, Unbounded) or piece != Piece("b", board.anchor):
        return 0, 0
    (x, y), (middle_x, middle_y) = board.xy(target), board.xy(board.middle)
    return middle_x - x, middle_y - y


def recentred(board: Rect, pieces: Sequence[Piece | None]) -> tuple[Piece | None, ...] | None:
    """The pieces with the window of an unbounded field moved to where it belongs; ``None`` if one falls outside.

    On a board with edges, and while the anchor is not there, the pieces stay as they are.
    """
    if not isinstance(board, Unbounded) or (anchor := Piece("b", board.anchor)) not in pieces:
        return tuple(pieces)
    right, down = window_shift(board, anchor, pieces.index(anchor))
    shifted: list[Piece | None] = [None] * len(board)
    for point, piece in enumerate(pieces):
        if piece is not None:
            to = board.step(point, (right, -down), "b")
            if to is None:
                return None
            shifted[to] = piece
    return tuple(shifted)


def stands_near(board: Rect, others: Mapping[int, Piece], near: Near, side: Side, point: int) -> bool:
    """Whether one of the other pieces is what ``near`` asks for, seen from a piece of ``side`` on ``point``.

    What stands on ``point`` itself is never near.
    """
    codes = near.codes
    return any(
        (near.of == "either" or (piece.side == side) == (near.of == "own"))
        and near.least <= board.distance(point, at) <= (near.most or len(board))
        for at, piece in others.items()
        if piece.code in codes
    )


def royals(variant: Variant) -> frozenset[str]:
    """The codes of the royal kinds."""
    return frozenset(kind.code for kind in variant.kinds if kind.royal)


def only_royal(variant: Variant) -> Kind | None:
    """The royal kind, ``None`` where there are several or none."""
    kinds = [variant.kind(code) for code in royals(variant)]
    return kinds[0] if len(kinds) == 1 else None


def royal_name(variant: Variant) -> str:
    """What messages call a royal piece: by the one kind's name, or so where there are several kinds or none."""
    kind = only_royal(variant)
    return called(kind) if kind else _("royal piece")


def spares(variant: Variant, literals: Collection[Literal], code: str) -> bool:
    """Whether the condition never holds of a piece of that kind: it names others, or asks what roots never lack."""
    named = any(isinstance(atom, Is) and (code in atom.codes) != holds for atom, holds in literals)
    rooted = variant.support is not None and code in variant.support.roots and (Supported(), False) in literals
    return named or rooted


def successors(kind: Kind) -> tuple[str, ...]:
    """Every kind this one may become by moving."""
    becomes = kind.becomes
    triumph = () if becomes.triumph is None else (becomes.triumph,)
    return tuple(dict.fromkeys(becomes.quiet + becomes.captures + becomes.zone + triumph))


def faces(variant: Variant, hand_code: str) -> tuple[str, ...]:
    """The kinds a piece of that hand kind may show when dropped."""
    return variant.kind(hand_code).becomes.dropped or (hand_code,)


def results(kind: Kind, *, touches_zone: bool, captures: bool) -> tuple[str, ...]:
    """What ``kind`` may be after a move, before rules about the point it lands on."""
    becomes = kind.becomes
    return (touches_zone and becomes.zone) or (becomes.captures if captures else becomes.quiet) or (kind.code,)


def suffix_flags(variant: Variant, before: str, after: str, alternatives: int) -> int:
    """How a move string tells the change: ``+``, ``=CODE`` where there was a choice, or nothing (Move string).

    Turning over by force is written with ``+`` too, but not in games whose turns know more than one landing (ko.md 6a).
    """
    if after == f"+{before}":
        return 0 if alternatives == 1 and has_turns(variant) else PROMOTES
    return CHOOSES if after != before and alternatives > 1 else 0


def is_stuck(variant: Variant, kind: Kind, side: Side, point: int) -> bool:
    """Whether the kind could never move again from ``point``, even on an empty board."""
    return next(lines(variant.board, kind, side, point), None) is None


def families(variant: Variant) -> tuple[frozenset[str], ...]:
    """Kinds that can turn into each other by moving, capture and drop: their number never grows."""
    groups: list[set[str]] = []
    for kind in variant.kinds:
        linked = {kind.code, *successors(kind), *kind.becomes.dropped} | {kind.becomes.captured or kind.code}
        touching = [group for group in groups if group & linked]
        groups = [group for group in groups if not group & linked] + [linked.union(*touching)]
    return tuple(frozenset(group) for group in groups)


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
    return reached * (1 - len(kind.spares) / len(variant.kinds) / 2) + aimed * (1 - proof)


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
                if isinstance(rule.action, Hold):
                    share = 0.25 if rule.action.vectors else 0.75
                    found += [(frozenset(codes), frozenset({code}), round(values[code] * share)) for code in named]
                elif isinstance(rule.action, Turn):
                    back = rule.action.into
                    gain = sum(values[code] - values[back] for code in named) // max(len(named), 1)
                    found.append((frozenset(codes), frozenset({back}), max(gain, 0) // 4))
            if rule.event == "turns" and isinstance(rule.action, Turn) and rule.action.those:
                turning = frozenset(kind.code for kind in variant.kinds if named & set(successors(kind)))
                for code in rule.action.those.codes:
                    gain = values[rule.action.into] - values[code]
                    found.append((turning, frozenset({code}), max(gain, 0) // 4))
    return [tie for tie in found if tie[2] > 0]


def zone_marks(variant: Variant) -> list[tuple[float, int]]:
    """Where the corners of the promotion zones are marked: line crossings, a third of the width from each edge."""
    if not isinstance(variant.zone, FarRanks):
        return []
    third = variant.board.width // 3
    rows = {variant.zone.count, variant.board.height - variant.zone.count}
    return [(x, y) for y in sorted(rows) for x in (third, variant.board.width - third)]


def no_drops(variant: Variant) -> list[str]:
    """Squares on which nothing may ever be dropped."""
    return [
        name
        for rule in variant.rules
        if rule.event == "drops" and isinstance(rule.action, Forbid)
        if isinstance(rule.when, At) and isinstance(rule.when.region, Squares)
        for name in rule.when.region.names
    ]
