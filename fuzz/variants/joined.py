"""Variants by chance that join turns of several landings and shots with hands, royal pieces and support."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from komadai import spec

from .wider import OWNERS, Wider


class Joined(Wider):
    """Makes one variant."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.turns, self.regular = True, True
        self.bare = self.likely(0.25)
        self.crowned = self.likely(0.65)
        self.supported = self.likely(0.3)
        self.whole_turns = self.likely(0.25)

    def _rule(self, codes: Sequence[str], held: Sequence[str], board: spec.Rect) -> spec.Rule:
        if self.likely(0.35):
            return super()._rule(codes, held, board)
        if self.supported and self.likely(0.3):
            return spec.Rule("turn_end", spec.Not(spec.Supported()), spec.Take("chance takes it"), "chance 1")
        if self.likely(0.5) and not self.bare:
            return spec.Rule("drops", self._of_drop(codes, held, board), spec.Forbid("chance forbids it"), "chance 1")
        event: spec.Event = "lands" if self.likely(0.5) else "always"
        return spec.Rule(event, self._of_landing(codes, board), spec.Forbid("chance forbids it"), "chance 1")

    def _of_drop(self, codes: Sequence[str], held: Sequence[str], board: spec.Rect) -> spec.Condition:
        self.turns = False
        try:
            return self._condition(codes, held, board)
        finally:
            self.turns = True

    def _of_landing(self, codes: Sequence[str], board: spec.Rect, depth: int = 0) -> spec.Condition:
        chance = self.chance
        if depth < 2 and self.likely(0.3):
            first, second = (self._of_landing(codes, board, depth + 1) for _ in range(2))
            return chance.choice((first & second, first | second, ~first))
        near = spec.Near(self._some(codes), chance.choice(OWNERS), chance.randint(1, 2))
        found = [
            spec.Is(self._some(codes)),
            spec.At(spec.FarRanks(chance.randint(1, board.height - 1))),
            spec.Stuck(),
            near,
        ]
        if self.supported:
            found += [spec.Supported(), replace(near, supported=True)]
        return chance.choice(found)


def perishable(seed: int) -> spec.Variant:
    """The variant of a seed: royal pieces, others without which a side loses, and every third time several landings."""
    maker = (Wider, Wider, Joined)[seed % 3](seed)
    maker.crowned = True
    variant = maker.variant()
    guarded = not maker.turns and maker.likely(0.3)
    codes = {kind.code for kind in variant.kinds if not kind.royal}
    needed = maker._some(sorted(code for code in codes if code.isalpha()))  # which stand on the board at the start
    survivors = sorted(codes & {*needed, *(f"+{code}" for code in needed)})
    return replace(variant, survives_if=spec.Has(tuple(survivors)), extinction=spec.Extinction(guarded=guarded))
