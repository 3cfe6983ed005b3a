"""From a :class:`Variant` to the plain tables the native core runs on, and the core's rules made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property, lru_cache

from .. import _core
from ..errors import IllegalPositionError, SpecError
from ..i18n import _
from ..spec.board import SIDES, Side, other
from ..spec.geometry import recentred
from ..spec.logic import is_compound
from ..spec.move import DROP, TRAIL_LANDING, TRAIL_SHOT, Landing, Move, suffix
from ..spec.names import royal_name, side_name
from ..spec.setup import Piece, Setup
from ..spec.sfen import parse, position_words, print_setup
from ..spec.validate import check_spec
from ..spec.variant import Variant
from .compound_tables import compound_tables
from .rule_tables import Builder
from .validity import setup_defects


class Compiled:
    """A variant ready to play: the spec, its tables, and the native rules built from them.

    Attributes:
        variant: the spec. ``tables``: the plain arrays. ``rules``: the native form, shared by all positions.
        start: the native start position, to be copied.
        squares: the name of each point. ``point_named``: the point of each name.
        pieces: the piece of each native number; ``None`` for 0, the empty square.
    """

    def __init__(self, variant: Variant) -> None:
        check_spec(variant)
        self.variant = variant
        builder = Builder(variant)
        self.tables = builder.build(compound_tables(builder) if is_compound(variant) else None)
        self.point_of = {cell: point for point, cell in enumerate(self.tables.cell_of)}
        self.squares = tuple(map(variant.board.name, variant.board.points))
        self.point_named = {name: point for point, name in enumerate(self.squares)}
        self.pieces: list[Piece | None] = [None] * (len(variant.kinds) + 1 << 2)
        for kind in variant.kinds:
            for side in SIDES:
                self.pieces[self.piece(kind.code, side)] = Piece(side, kind.code)
        self.rules = _core.Rules(self.tables, self.move)
        try:
            self.start = self.load(parse(variant, variant.start))
        except IllegalPositionError as error:
            raise SpecError(f"variant {variant.id!r}", [f"start: {defect}" for defect in error.defects]) from None

    def piece(self, code: str, side: Side) -> int:
        """The native number of a piece."""
        return self._index[code] << 2 | 1 << SIDES.index(side)

    def code(self, piece: int) -> str:
        """The kind's code of a native piece number."""
        return self.variant.kinds[piece >> 2].code

    @cached_property
    def _index(self) -> Mapping[str, int]:
        return {kind.code: number for number, kind in enumerate(self.variant.kinds)}

    def move(self, code: int, trail: int = 0) -> Move:
        """The :class:`Move` of a native move's two words (``native/types.hpp``)."""
        name = self.squares
        origin, target = code & 0xFFFF, self.point_of[code >> 16 & 0xFFFF]
        number, flags = code >> 32 & 0xFFFF, code >> 48
        piece = self.code(number) if number else None
        if flags & DROP:
            return Move(f"{piece}*{name[target]}", None, name[target], piece, code, trail, None, target)
        start = self.point_of[origin]
        way = self._way(start, target, trail)
        stands = target == start and len(way) == 1
        text = name[start]
        for landing in way:
            text += "" if stands else name[landing.point]
            for point in landing.shots:
                text += f"*{name[point]}"
        text += suffix(flags, piece or "")
        return Move(text, name[start], name[target], piece, code, trail, start, target, way)

    def _way(self, start: int, target: int, trail: int) -> tuple[Landing, ...]:
        """The landings that a native move's second word tells of; its items are as in ``native/types.hpp``."""
        way: list[Landing] = []
        last = Landing(target)
        while trail:
            tag, point = trail >> 14 & 3, self.point_of[trail & 0x3FFF]
            if tag == TRAIL_LANDING:
                way.append(Landing(point))
            elif tag == TRAIL_SHOT:
                way[-1] = way[-1]._replace(shots=(*way[-1].shots, point))
            else:
                last = last._replace(shots=(*last.shots, point))
            trail >>= 16
        return (*way, last)

    def load(self, setup: Setup) -> _core.Position:
        """The native position of a setup.

        Raises:
            IllegalPositionError: it cannot be played; every reason at once.
        """
        defects = setup_defects(self.variant, self.rules, self.piece, setup)
        if not defects:
            if is_compound(self.variant) or not self.native(replace(setup, turn=other(setup.turn))).in_check():
                return self.native(setup)
            defects.append(
                _(
                    "{other}'s {piece} is attacked although {side} is to move",
                    other=side_name(other(setup.turn)),
                    piece=royal_name(self.variant),
                    side=side_name(setup.turn),
                )
            )
        raise IllegalPositionError(position_words(repr(print_setup(self.variant, setup))), defects)

    def native(self, setup: Setup) -> _core.Position:
        """The native position of a setup that is known to be sound."""
        pieces = recentred(self.variant.board, setup.board) or ()
        board = [self.piece(piece.code, piece.side) if piece else 0 for piece in pieces]
        return _core.Position(self.rules, board, [list(hand) for hand in setup.hands], SIDES.index(setup.turn))


@lru_cache(maxsize=32)
def compile_variant(variant: Variant) -> Compiled:
    """Check a spec and compile it; the latest results are cached.

    Raises:
        SpecError: with every defect of the spec, each with the path of its field.
    """
    return Compiled(variant)
