"""The things that make up a set: which pieces have two sides, which are cubes, and how many there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ...spec.board import SIDES, Side
from ...spec.kinds import Kind
from ...spec.sfen import start_of
from ...spec.variant import Variant
from ...view.piece_descriptions import promoted

_SPARE = 4  # spare pieces of a kind
_FACES = 6


@dataclass(frozen=True, slots=True)
class Flat:
    """A piece with a front and perhaps a back. ``side``: whose it is, where that cannot be seen from its direction."""

    front: Kind
    back: Kind | None
    side: Side


@dataclass(frozen=True, slots=True)
class Cube:
    """A cube: its faces in the order in which they come up, or the face that all six sides show."""

    faces: tuple[Kind, ...]
    side: Side


class Inventory:
    """All that the start of a variant needs, both hands included."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        setup = start_of(variant)
        self._started: Counter[tuple[Side, str]] = Counter(
            (piece.side, piece.code) for piece in setup.board if piece is not None
        )
        for side, hand in zip(SIDES, setup.hands, strict=True):
            self._started.update({(side, code): n for code, n in zip(variant.hand_order, hand, strict=True) if n})

    def _each(self) -> Iterator[tuple[Kind, Side]]:
        """The kinds at the start in the variant's order, Black's first."""
        for side in SIDES:
            for kind in self.variant.kinds:
                yield from [(kind, side)] * self._started[side, kind.code]

    @cached_property
    def cubes(self) -> tuple[Cube, ...]:
        """The cubes, in a game that is played with cubes."""
        return tuple(Cube(self._faces(kind), side) for kind, side in self._each() if self._is_cube(kind))

    @cached_property
    def flats(self) -> tuple[Flat, ...]:
        """The pieces that are no cubes."""
        return tuple(Flat(kind, self._back(kind), side) for kind, side in self._each() if not self._is_cube(kind))

    @cached_property
    def spares(self) -> tuple[Flat, ...]:
        """Pieces that others become without turning over: some of each kind."""
        needed = set()
        for kind in self.variant.kinds:
            if self._is_cube(kind):
                continue
            becomes = kind.becomes
            own = self._object(kind)
            into = {*becomes.quiet, *becomes.captures, *becomes.zone, becomes.captured, becomes.captures_promote_to}
            needed |= {code for code in into - {None} if code not in own}
        return tuple(
            Flat(kind, self._back(kind), "b")
            for kind in self.variant.kinds
            if kind.code in needed
            for _ in range(_SPARE)
        )

    def _back(self, kind: Kind) -> Kind | None:
        """The kind on the back of the same piece: the one it turns into, if both leave the board as the same."""
        over = promoted(kind)
        if over is None:
            return None
        back = self.variant.kind(over)
        return back if back.becomes.captured == kind.becomes.captured else None

    def _object(self, kind: Kind) -> set[str]:
        """The codes of the sides of the piece that shows this kind."""
        fronts = [other for other in self.variant.kinds if (back := self._back(other)) is not None and back == kind]
        back = self._back(kind)
        return {kind.code, *([back.code] if back else []), *(other.code for other in fronts)}

    def _is_cube(self, kind: Kind) -> bool:
        return self.variant.look == "cubes" and len(self._faces(kind)) <= _FACES

    def _faces(self, kind: Kind) -> tuple[Kind, ...]:
        """The kinds that a piece may show while it is on the board, those first that follow by quiet moves."""
        codes = [kind.code]
        for code in codes:  # grows while it is read
            becomes = self.variant.kind(code).becomes
            codes += dict.fromkeys(
                into for into in (*becomes.quiet, *becomes.captures, *becomes.dropped) if into not in codes
            )
        return tuple(map(self.variant.kind, codes))
