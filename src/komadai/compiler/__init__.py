"""From a :class:`Variant` to the plain tables the native core runs on, and the core's rules made of them."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from threading import RLock
from weakref import WeakValueDictionary

from .. import _core
from ..errors import IllegalPositionError, SpecError
from ..i18n import _
from ..spec.board import SIDES, Side, other
from ..spec.geometry import recentred
from ..spec.logic import is_compound
from ..spec.move import Move
from ..spec.names import royal_name, side_name
from ..spec.setup import Piece, Setup
from ..spec.sfen import position_words, print_setup, start_of
from ..spec.validate import check_spec
from ..spec.variant import CACHED_VARIANTS, Variant
from .compound_tables import compound_tables
from .moves import MoveMaker
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
        self.squares = tuple(map(variant.board.name, variant.board.points))
        self.point_named = {name: point for point, name in enumerate(self.squares)}
        self.pieces: list[Piece | None] = [None] * (len(variant.kinds) + 1 << 2)
        for kind in variant.kinds:
            for side in SIDES:
                self.pieces[self.piece(kind.code, side)] = Piece(side, kind.code)
        self._moves = MoveMaker(variant, self.tables.cell_of)
        self.rules = _core.Rules(self.tables, self.squares, list(self._index), self._moves.make)
        try:
            self.start = self.load(start_of(variant))
        except IllegalPositionError as error:
            raise SpecError(f"variant {variant.id!r}", [f"start: {defect}" for defect in error.defects]) from None

    def piece(self, code: str, side: Side) -> int:
        """The native number of a piece."""
        return self._index[code] << 2 | 1 << SIDES.index(side)

    @cached_property
    def _index(self) -> Mapping[str, int]:
        return {kind.code: number for number, kind in enumerate(self.variant.kinds)}

    def move(self, code: int, trail: int = 0) -> Move:
        """The :class:`Move` of a native move's two words (``native/types.hpp``)."""
        return self.rules.move(code, trail)

    def load(self, setup: Setup, *, problem: bool = False) -> _core.Position:
        """The native position of a setup; in a ``problem`` one side may be without royal pieces.

        Raises:
            IllegalPositionError: it cannot be played; every reason at once.
        """
        defects = setup_defects(self.variant, self.rules, self.piece, setup, problem=problem)
        if not defects:
            # A royal piece must not be taken; any other piece may be, even if that ends the game.
            passed = replace(setup, turn=other(setup.turn), taken_on=None)
            if not self.native(passed).royal_in_check():
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
        hands = [list(hand) for hand in setup.hands]
        return _core.Position(self.rules, board, hands, SIDES.index(setup.turn), setup.taken_on)


_in_use: WeakValueDictionary[Variant, Compiled] = WeakValueDictionary()
_compiling = RLock()  # so that two threads do not make two of one variant, whose positions would not mix


def _forked() -> None:
    """In the child of a fork, make the locks anew: a thread that held one is not there."""
    global _compiling
    _compiling = RLock()
    if sys.version_info < (3, 12):  # since when cached properties have none
        for one in gc.get_objects():
            if isinstance(one, cached_property) and one.func.__module__.partition(".")[0] == "komadai":
                vars(one)["lock"] = RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


@lru_cache(maxsize=CACHED_VARIANTS)
def compile_variant(variant: Variant) -> Compiled:
    """Check a spec and compile it. The latest results are kept, and those in use are shared.

    Raises:
        SpecError: with every defect of the spec, each with the path of its field.
    """
    with _compiling:
        compiled = _in_use.get(variant)
        if compiled is None:
            compiled = _in_use[variant] = Compiled(variant)
        return compiled
