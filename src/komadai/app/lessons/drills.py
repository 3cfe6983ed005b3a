"""Drills made from the spec: a board with one piece and points to reach, or pieces to shoot.

Nothing here knows a game: what a piece needs beside it is read from the spec too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache, partial
from itertools import combinations
from math import gcd

from ...errors import CourseError, IllegalPositionError
from ...game.position import Position
from ...i18n import _, ngettext, safely, sentence
from ...reference.explain import reference_of
from ...spec.board import SIDES, Side, Unbounded, Vector, other
from ...spec.geometry import movement_of, window_shift
from ...spec.kinds import Kind
from ...spec.material import piece_values, royals
from ...spec.move import Move
from ...spec.names import kind_name
from ...spec.setup import Piece, Setup
from ...spec.sfen import print_setup, start_of
from ...spec.variant import CACHED_VARIANTS, Variant
from ...view.piece_descriptions import words
from ...view.survival import needs_of
from .model import Reach, Stage, Take, drill_heading, id_about
from .walk import begin

_SIDE: Side = "b"
_LONGEST = 3  # moves of a drill; of a piece that is another after each move, one less
_WIDEST = 8  # moves tried at each step
_TRIED = 40  # places tried for the piece
_KEPT = 64 * CACHED_VARIANTS  # drills


@lru_cache(maxsize=_KEPT)
def drill(variant: Variant, code: str) -> Stage:
    """The drill of a kind.

    Raises:
        CourseError: the kind never moves, so that it has no drill.
    """
    kind = variant.kind(code)
    if (found := _shooting(variant, kind) or _walking(variant, kind)) is None:
        raise CourseError(_("course {game}", game=variant.id), [f"drills: {code!r} never moves; leave it out"])
    setup, goal, path = found
    stage = Stage(
        variant,
        id_about("drill", code),
        "",
        "",
        goal,
        len(path),
        print_setup(variant, setup),
        made=partial(_words, code),
    )
    made: list[str] = []
    walk = begin(stage)
    for move in path:
        if walk.left:  # a walk may pass a point that was meant to be the last
            walk = walk.after(walk.position.parse_move(str(move)))
            made.append(str(move))
    return replace(stage, moves=len(made), solution=tuple(made))


def _words(code: str, stage: Stage) -> tuple[str, str]:
    """The heading and the task of a drill."""
    variant = stage.variant
    piece = kind_name(variant.kind(code))
    if isinstance(stage.goal, Take):
        asked = ngettext(
            "Take the marked pieces with the {piece}, in {count} move.",
            "Take the marked pieces with the {piece}, in {count} moves.",
            stage.moves,
            piece=piece,
        )
    else:
        asked = ngettext(
            "Bring the {piece} to every marked point, in {count} move.",
            "Bring the {piece} to every marked point, in {count} moves.",
            stage.moves,
            piece=piece,
        )
    lines = " ".join(map(sentence, safely([], words, variant, variant.kind(code))))
    return drill_heading(variant, code), f"{asked}\n\n{lines}"


def _walking(variant: Variant, kind: Kind) -> tuple[Setup, Reach, list[Move]] | None:
    """Points to reach by the longest walk found; ``None`` for a piece that never moves."""
    longest = _LONGEST - bool(kind.becomes.quiet)
    best: tuple[Setup, Reach, list[Move]] | None = None
    for setup, point in _places(variant, kind):
        path = _path(Position.problem(variant, setup), point, kind, longest)
        if best is None or len(path) > len(best[2]):
            best = setup, Reach(_seen_at_first(variant, kind, path), variant.board.name(point)), path
        if len(path) == longest:
            break
    return best if best is not None and best[2] else None


def _path(
    position: Position,
    point: int,
    kind: Kind,
    longest: int,
    been: frozenset[int] = frozenset(),
    used: frozenset[Vector] = frozenset(),
) -> list[Move]:
    """Moves of the piece to points all different, in directions as different as can be."""
    board = position.variant.board
    been |= {point}
    best: list[Move] = []

    def rank(move: Move) -> tuple[bool, bool, int, str]:
        (x, y), (to_x, to_y) = board.xy(point), board.xy(move.target_point)
        far = max(abs(to_x - x), abs(to_y - y))
        return move.piece != kind.code, bool(move.shots), abs(far - 2), str(move)

    ways: dict[Vector, Move] = {}
    for move in sorted((move for move in position.legal_moves() if move.origin_point == point), key=rank):
        (x, y), (to_x, to_y) = board.xy(point), board.xy(move.target_point)
        across, down = to_x - x, to_y - y
        if move.target_point not in been and not position.is_capture(move):
            length = gcd(across, down) or 1
            ways.setdefault((across // length, down // length), move)
    for way in sorted(ways, key=used.__contains__)[:_WIDEST]:
        move = ways[way]
        after = position.copy()
        piece = Piece(_SIDE, move.piece or "")
        after.push(move)
        right, down = window_shift(board, piece, move.target_point)
        now = {_moved(past, right, down, board.width) for past in been}
        target = _moved(move.target_point, right, down, board.width)
        if after.board[target] != piece:
            continue
        try:
            passed = after.passed()
        except IllegalPositionError:
            continue
        rest = _path(passed, target, kind, longest - 1, frozenset(now), used | {way}) if longest > 1 else []
        if len(rest) + 1 > len(best):
            best = [move, *rest]
        if len(best) == longest:
            break
    return best


def _moved(point: int, right: int, down: int, width: int) -> int:
    return point + right + down * width


def _seen_at_first(variant: Variant, kind: Kind, path: list[Move]) -> tuple[str, ...]:
    """The targets of the moves, named as at the beginning: a window that follows the piece renames them."""
    board, right, down, names = variant.board, 0, 0, []
    for move in path:
        names.append(board.name(_moved(move.target_point, -right, -down, board.width)))
        x, y = window_shift(board, Piece(_SIDE, kind.code), move.target_point)
        right, down = right + x, down + y
    return tuple(names)


def _shooting(variant: Variant, kind: Kind) -> tuple[Setup, Take, list[Move]] | None:
    """Pieces to shoot in one turn, as many as can be; ``None`` for a piece that does not shoot."""
    shot = movement_of(kind).shot
    if shot is None:
        return None
    board, avoided = variant.board, {*shot.safe, *(code for code, _ in shot.nearest), kind.code}
    prey = [code for code in cheapest_first(variant) if code not in avoided]
    for setup, point in _places(variant, kind):
        position = Position.problem(variant, setup)
        moves = [move for move in position.legal_moves() if move.origin_point == point]
        for move in moves:
            for vectors in combinations(shot.vectors, shot.targets):
                far = [_along(variant, move.target_point, vector, min(shot.reach, 3)) for vector in vectors]
                targets = [at for at in far if at is not None and setup.board[at] is None]
                for code in prey[:3] if len(targets) == shot.targets else ():
                    tried = _with(setup, {at: Piece(other(_SIDE), code) for at in targets})
                    squares = tuple(map(board.name, targets))
                    if (found := _shot(variant, tried, point, squares)) is not None:
                        return tried, Take(squares, board.name(point)), [found]
    return None


@lru_cache(maxsize=CACHED_VARIANTS)
def cheapest_first(variant: Variant) -> tuple[str, ...]:
    """The codes of all kinds, by their values."""
    values = piece_values(variant)
    return tuple(sorted((kind.code for kind in variant.kinds), key=values.__getitem__))


def _shot(variant: Variant, setup: Setup, point: int, squares: tuple[str, ...]) -> Move | None:
    """A turn of the piece that shoots all those squares and takes nothing else."""
    try:
        moves = Position.problem(variant, setup).legal_moves()
    except IllegalPositionError:
        return None
    fitting = (move for move in moves if move.origin_point == point and set(move.shots) == set(squares))
    return next(iter(sorted(fitting, key=lambda move: (len(str(move)), str(move)))), None)


def _along(variant: Variant, point: int, vector: Vector, steps: int) -> int | None:
    at: int | None = point
    for _step in range(steps):
        at = None if at is None else variant.board.step(at, vector, _SIDE)
    return at


def _with(setup: Setup, pieces: dict[int, Piece]) -> Setup:
    return replace(setup, board=tuple(pieces.get(point, piece) for point, piece in enumerate(setup.board)))


# --- The board ------------------------------------------------------------------------------------------------------


def _places(variant: Variant, kind: Kind) -> Iterator[tuple[Setup, int]]:
    """Boards with the piece and what it needs, and the point where it stands; from the middle outwards."""
    board, empty = variant.board, _alone(variant, kind)
    middle = board.height // 2 * board.width + board.width // 2
    if board.height >= 9 and not isinstance(board, Unbounded):
        middle += board.width
    points = sorted(board.points, key=lambda point: (board.distance(point, middle), -point))
    if isinstance(board, Unbounded) and kind.code == board.anchor:
        points = [board.middle]
    for point in points[:_TRIED]:
        if empty.board[point] is None:
            placed = {point: Piece(_SIDE, kind.code), **_screens(variant, kind, empty, point)}
            setup = _undecided(variant, _with(empty, placed))
            try:
                Position.problem(variant, setup)
            except IllegalPositionError:
                continue
            yield setup, point


def _screens(variant: Variant, kind: Kind, around: Setup, point: int) -> dict[int, Piece]:
    """Pieces of its own beside it, over which the kind hops, if it does."""
    vectors = {
        vector for leg in movement_of(kind).legs if leg.hops and leg.captures != "must" for vector in leg.vectors
    }
    beside = {at for vector in vectors if (at := variant.board.step(point, vector, _SIDE)) is not None}
    screen = next(code for code in cheapest_first(variant) if code not in royals(variant))
    return {at: Piece(_SIDE, screen) for at in sorted(beside) if around.board[at] is None}


def _alone(variant: Variant, kind: Kind) -> Setup:
    """A board with nothing but the other pieces without which the kind could not move, or the game would be over."""
    start, royal, needs = start_of(variant), royals(variant), needs_of(variant)
    wanted = [Piece(_SIDE, code) for code in royal if kind.code not in royal]
    for side in SIDES:
        parts = [needs.parts[part] for part in needs.ways[0]] if needs.ways else []
        parts += needs.works if side == _SIDE else []
        wanted += [Piece(side, part.codes[0]) for part in parts if side != _SIDE or kind.code not in part.codes]
    board: list[Piece | None] = [None] * len(variant.board)
    for piece in wanted:
        home = start.board.index(piece) if piece in start.board else None
        if home is None:
            home = variant.board.middle if isinstance(variant.board, Unbounded) else len(variant.board) - 1
        board[home] = piece
    white = tuple(count if code in royal else 0 for code, count in zip(variant.hand_order, start.hands[1], strict=True))
    return Setup(tuple(board), ((0,) * len(white), white), _SIDE)


def _undecided(variant: Variant, setup: Setup) -> Setup:
    """The setup, where a side that has lost by what stands there has its cheapest pieces of the start, too."""
    start = start_of(variant).board
    for code in cheapest_first(variant):
        decided = reference_of(variant).decided(setup.board, _SIDE)
        if decided is None:
            break
        lacking = Piece(other(decided[0]), code)
        if lacking in start and setup.board[home := start.index(lacking)] is None:
            setup = _with(setup, {home: lacking})
    return setup
