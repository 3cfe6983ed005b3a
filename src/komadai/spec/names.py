"""Names of pieces and sides in the current language."""

from __future__ import annotations

from collections.abc import Iterable

from ..i18n import _, current_language
from .board import SIDE_NAMES, Side
from .kinds import Kind
from .setup import Piece
from .variant import Variant


def kind_name(kind: Kind) -> str:
    """The kind's English name, or its kanji where the language is Japanese."""
    return kind.kanji if current_language() == "ja" else kind.name


def side_name(side: Side) -> str:
    """Black or White."""
    return _(SIDE_NAMES[side])


def owned_name(side: Side, kind: Kind) -> str:
    """A piece with its owner: ``Black's gold general``."""
    return _("{side}'s {piece}", side=side_name(side), piece=kind_name(kind))


def describe(piece: Piece, variant: Variant) -> str:
    """A piece of a position with its owner: ``Black's gold general``."""
    return owned_name(piece.side, variant.kind(piece.code))


def royal_name(variant: Variant) -> str:
    """The royal kind's name, or ``royal piece`` where there are several kinds or none."""
    kinds = [kind for kind in variant.kinds if kind.royal]
    return kind_name(kinds[0]) if len(kinds) == 1 else _("royal piece")


def no_such_piece(variant: Variant, code: str, codes: Iterable[str]) -> str:
    """The refusal of a piece code that the variant lacks."""
    return _("{game} has no piece {code}; its codes are {codes}", game=variant.id, code=code, codes=" ".join(codes))
