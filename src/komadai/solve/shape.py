"""The shape of a variant's table, and the reasons why a variant cannot be solved completely."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from math import comb, log10
from typing import cast

from .. import _core
from ..compiler import Compiled, compile_variant
from ..compiler.symmetries import keeps_rules, symmetries
from ..errors import SpecError
from ..spec.board import SIDES, Rect, Unbounded
from ..spec.conditions import Has
from ..spec.logic import conjunctions, is_compound, is_regular
from ..spec.material import count_kinds, count_pieces, royals
from ..spec.promotion import families, successors
from ..spec.rules import Take
from ..spec.sfen import start_of
from ..spec.symmetry import IDENTITY, MIRROR, TURN, Map, Symmetry
from ..spec.variant import CACHED_VARIANTS, Variant
from ..typed import typed

MAX_SIZE = 3_000_000_000
"""The most positions that can be solved; the solver needs 2 bytes of memory for each."""

_MAX_POINTS = 64  # of the board, in native/index.hpp
_MAX_FAMILIES = 8


@dataclass(frozen=True, slots=True)
class Shape:
    """The numbering of a variant's positions.

    Attributes:
        single: the number of the kind of which each side has one piece, whose loss ends the game.
        families: kinds that turn into each other: the number of pieces, their kinds, and their hand slots.
        mirror: whether mirror images are equivalent and share a number.
        size: the count of numbers, without positions that have a single piece in hand.
        symmetries: of a game whose positions are numbered by the relative place of the royal pieces
            (native/relative.hpp), those of its rules, the identity first; none where the squares are numbered.
    """

    single: int
    families: tuple[_core.Family, ...]
    mirror: bool
    size: int
    symmetries: tuple[_core.Symmetry, ...] = ()


def _single(variant: Variant) -> str | None:
    """The code of the kind of which each side has one piece, royal or vital to it; ``None`` where there is no such."""
    codes = royals(variant)
    if not codes:
        ways = [] if variant.survives_if is None else conjunctions(variant.survives_if)
        has = [atom.codes for way in ways for atom, holds in way if isinstance(atom, Has) and holds]
        if len(ways) != 1 or [len(way) for way in ways] != [1] or len(has) != 1:
            return None
        codes = frozenset(has[0])
        if any(kind.becomes.captured is not None or successors(kind) for kind in variant.kinds if kind.code in codes):
            return None
    elif variant.survives_if is not None:
        return None
    counted = count_pieces(variant, start_of(variant))
    one_each = len(codes) == 1 and all(count_kinds(counted, codes, side) == 1 for side in SIDES)
    return next(iter(codes)) if one_each else None


def _families(variant: Variant, single: str | None) -> tuple[_core.Family, ...]:
    counted = count_pieces(variant, start_of(variant))
    return tuple(
        _core.Family(
            count=count_kinds(counted, family),
            kinds=[number for number, kind in enumerate(variant.kinds) if kind.code in family],
            hand_slots=[slot for slot, code in enumerate(variant.hand_order) if code in family],
        )
        for family in families(variant)
        if single not in family
    )


def _size(board: Rect, found: Iterable[_core.Family], mirror: bool) -> int:
    """The number of positions with both single pieces on the board; see native/index.hpp."""
    ways = {len(board) - 2: 1}  # by the number of points left free
    for family in found:
        places = 2 * len(family.hand_slots)
        after: dict[int, int] = {}
        for (free, before), on in product(ways.items(), range(family.count + 1)):
            held = comb(family.count - on + places - 1, places - 1) if places else int(family.count == on)
            placed = before * comb(free, on) * (2 * len(family.kinds)) ** on * held
            if placed:
                after[free - on] = after.get(free - on, 0) + placed
        ways = after
    pairs = len(board) * (len(board) - 1)
    if mirror:
        middle = board.height if board.width % 2 else 0
        pairs = (pairs + middle * (middle - 1)) // 2
    return sum(ways.values()) * pairs


def _reasons(variant: Variant) -> list[str]:
    """The reasons in the spec alone why a variant cannot be solved completely."""
    single, reasons = _single(variant), []
    if is_compound(variant):
        reasons.append("its turns may be more than one landing")
    if variant.repetition.perpetual_check_loses:
        reasons.append("perpetual check loses, so that the value of a position depends on how it came about")
    if variant.repetition.loser is not None:
        reasons.append("a repetition is lost by one side, so that a position's value depends on who moved first")
    if not is_regular(variant):
        reasons.append("pieces hop, borrow moves or capture otherwise than they move, so that no move is taken back")
    if variant.declaration is not None:
        reasons.append("a declaration may end it, which its table would not know")
    if variant.extinction.guarded:
        reasons.append("what a side needs to survive is guarded like a royal piece")
    lost = [kind.code for kind in variant.kinds if kind.code != single and kind.becomes.captured is None]
    if lost:
        reasons.append(f"pieces leave the game when they are captured ({' '.join(lost)}), so their number is not fixed")
    if single is None:
        reasons.append("each side must have one royal piece, or one whose loss ends the game, and both the same")
    return reasons


@lru_cache(maxsize=CACHED_VARIANTS)
def is_small(variant: Variant, most: int) -> bool:
    """True if the variant can be solved completely and has at most so many positions."""
    try:
        return not _reasons(variant) and shape_of(variant).size <= most  # most games need not be compiled for that
    except SpecError:
        return False


@typed
def shape_of(variant: Variant) -> Shape:
    """The shape of the variant's table.

    Raises:
        SpecError: the variant cannot be solved in this way; every reason at once.
    """
    board = variant.board
    single, reasons = _single(variant), _reasons(variant)
    found = _families(variant, single)
    if len(found) > _MAX_FAMILIES:
        reasons.append(f"it has {len(found)} families of pieces; at most {_MAX_FAMILIES} will do")
    relative = isinstance(board, Unbounded) or any(isinstance(rule.action, Take) for rule in variant.rules)
    if relative:
        return _relative_shape(variant, single, found, reasons)
    if not keeps_rules(variant, TURN, exchanges=True):
        reasons.append("its rules are not the same for both sides")
    if len(board) > _MAX_POINTS:
        reasons.append(f"its board has {len(board)} squares; at most {_MAX_POINTS} will do")
    mirror = keeps_rules(variant, MIRROR)
    size = _size(board, found, mirror)
    if size > MAX_SIZE:
        reasons.append(f"it has about 10^{log10(size):.0f} positions; at most {MAX_SIZE:,} can be worked out")
    if reasons:
        raise SpecError(f"{variant.id} cannot be solved completely", reasons)
    assert single is not None
    return Shape([kind.code for kind in variant.kinds].index(single), found, mirror, size)


def _relative_shape(variant: Variant, single: str | None, found: tuple[_core.Family, ...], reasons: list[str]) -> Shape:
    """The shape of a game whose board has no edges, or whose turns end by taking what has no support.

    Raises:
        SpecError: as :func:`shape_of`.
    """
    if not reasons:
        same = symmetries(variant)
        identity = tuple(range(len(variant.kinds)))
        if any(one.map == TURN and one.exchanges and one.kinds == identity for one in same):
            assert single is not None
            kept = [one for one in same if not one.exchanges and _keeps(one.kinds, found)]
            shape = Shape(
                [kind.code for kind in variant.kinds].index(single),
                found,
                any(one.map != IDENTITY for one in kept),
                0,
                tuple(_core.Symmetry(map=list(one.map), kinds=list(one.kinds)) for one in kept),
            )
            return replace(shape, size=index_of(compile_variant(variant), shape).main)
        reasons.append("its rules are not the same for both sides")
    raise SpecError(f"{variant.id} cannot be solved completely", reasons)


def _keeps(kinds: tuple[int, ...], found: Iterable[_core.Family]) -> bool:
    """True if a permutation of the kinds keeps every family."""
    return all({kinds[kind] for kind in family.kinds} == set(family.kinds) for family in found)


def images(variant: Variant, shape: Shape) -> tuple[Symmetry, ...]:
    """The symmetries under which positions share a number: those of the shape, also with the sides exchanged."""
    kinds = tuple(range(len(variant.kinds)))
    if shape.symmetries:
        same = [(cast(Map, tuple(one.map)), tuple(one.kinds)) for one in shape.symmetries]
    else:
        same = [(by, kinds) for by in (IDENTITY, MIRROR)[: 1 + shape.mirror]]
    turned = [(cast(Map, tuple(-one for one in by)), kinds) for by, kinds in same]
    return tuple(Symmetry(by, bool(n), kinds) for n, ones in enumerate((same, turned)) for by, kinds in ones)


Index = _core.TableIndex | _core.RelativeIndex


def index_of(compiled: Compiled, shape: Shape) -> Index:
    """The native numbering of the variant's positions.

    Raises:
        SpecError: the core cannot number them, with the reason.
    """
    start, single, families = compiled.start, shape.single, list(shape.families)
    try:
        if shape.symmetries:
            return _core.RelativeIndex(compiled.rules, start, single, families, list(shape.symmetries))
        return _core.TableIndex(compiled.rules, start, single, families, shape.mirror)
    except ValueError as error:
        raise SpecError(f"{compiled.variant.id} cannot be solved completely", [str(error)]) from None
