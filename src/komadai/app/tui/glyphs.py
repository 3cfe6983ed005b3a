"""Codes of pieces, shortened for a terminal cell of three columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

from ...spec.board import Side
from ...spec.kinds import Kind
from ...spec.variant import Variant


def _matched(wanted: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """One sign for each name out of those it may have, no two the same as far as that is possible.

    Every name that can have a sign of its own gets one (augmenting paths); the others keep their first.
    """
    owner: dict[str, str] = {}

    def place(name: str, tried: set[str]) -> bool:
        for sign in wanted[name]:
            if sign not in tried:
                tried.add(sign)
                if sign not in owner or place(owner[sign], tried):
                    owner[sign] = name
                    return True
        return False

    for name in sorted(wanted, key=lambda name: len(wanted[name])):
        place(name, set())
    return {name: signs[0] for name, signs in wanted.items()} | {name: sign for sign, name in owner.items()}


def _short(letters: str) -> tuple[str, ...]:
    """The codes of at most two letters that may stand for one."""
    return (letters,) if len(letters) < 3 else tuple(dict.fromkeys(letters[0] + letter for letter in letters[1:]))


@lru_cache(maxsize=32)
def _letters(variant: Variant) -> Mapping[str, str]:
    plain: Iterable[str] = dict.fromkeys(kind.code.removeprefix("+") for kind in variant.kinds)
    return MappingProxyType(_matched({letters: _short(letters) for letters in plain}))


def letters(variant: Variant, kind: Kind, side: Side) -> str:
    """Three columns: ``+`` or a space, and one or two letters, White's in lower case."""
    short = _letters(variant)[kind.code.removeprefix("+")]
    turned = "+" if kind.code.startswith("+") else " "
    return f"{turned}{short if side == 'b' else short.lower():<2}"
