"""Variants by chance that know both meanings of check: royal pieces, and other pieces without which a side loses."""

from __future__ import annotations

from dataclasses import replace

from komadai.spec import Extinction, Has, Variant

from .joined import Joined
from .wider import Wider


def perishable(seed: int) -> Variant:
    """The variant of a seed; every third has turns of several landings."""
    maker = (Wider, Wider, Joined)[seed % 3](seed)
    maker.crowned = True
    variant = maker.variant()
    guarded = not maker.turns and maker.likely(0.3)
    codes = {kind.code for kind in variant.kinds if not kind.royal}
    needed = maker._some(sorted(code for code in codes if code.isalpha()))  # which stand on the board at the start
    survivors = sorted(codes & {*needed, *(f"+{code}" for code in needed)})
    return replace(variant, survives_if=Has(tuple(survivors)), extinction=Extinction(guarded=guarded))
