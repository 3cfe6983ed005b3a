"""Notations: moves and positions as people and programs write them."""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from ..errors import NotationError
from ..i18n import _
from ..typed import typed

if TYPE_CHECKING:
    from ..game.position import Position
    from ..spec.move import Move
    from ..spec.variant import Variant


def __getattr__(name: str) -> object:
    """The modules of this package, loaded on first use: they need the rules, which the names below do not."""
    if name in ("compass", "fen", "hodges", "japanese", "xboard"):
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class Notation(Protocol):
    """A notation, as the modules of this package have it."""

    def write(self, position: Position, move: Move) -> str:
        """The legal move as it is written; ``position`` is the one it is made in."""

    def read(self, position: Position, text: str) -> Move:
        """The one legal move of the position that fits the text."""


STYLES = ("usi", "hodges", "compass", "japanese", "fen")
"""The notations of moves (the move string, the three that people write, and coordinates as in chess)."""


@typed
def of(variant: Variant) -> Notation:
    """The notation in which moves of the variant are written for people."""
    return _written(variant.notation)


def _written(style: str) -> Notation:
    notation: Notation = import_module(f"{__name__}.{style}")
    return notation


_JAPANESE = re.compile("[☗☖▲△▼▽\u3040-\u30ff\u4e00-\u9fff]")


@typed
def read(position: Position, text: str) -> Move:
    """The legal move as people write it: in Japanese if it has a Japanese sign, else in the variant's notation.

    Raises:
        NotationError: the text is no move in that notation.
        IllegalMoveError: the move is not legal; the message says why.
    """
    return _written("japanese" if _JAPANESE.search(text) else position.variant.notation).read(position, text)


@typed
def notate(position: Position, move: Move, style: str | None = None) -> str:
    """The legal move in one of :data:`STYLES`; ``None`` is the notation of the variant.

    Raises:
        NotationError: there is no such style.
    """
    style = known(style or position.variant.notation)
    return move.text if style == "usi" else _written(style).write(position, move)


@typed
def parse(position: Position, text: str, style: str | None = None) -> Move:
    """The legal move that a text names in one of :data:`STYLES`.

    ``None`` tries the move string, the notation of people (:func:`read`), coordinates, and the other notations, in that
    order; the error is then that of the notation of people.

    Raises:
        NotationError: there is no such style, or the text is no move in it.
        IllegalMoveError: the move is not legal; the message says why.
    """
    if style is not None:
        return _parse(position, text, known(style))
    try:
        return position.parse_move(text)
    except NotationError:
        pass
    try:
        return read(position, text)
    except NotationError as error:
        for other in ("fen", "hodges", "compass"):
            try:
                return _parse(position, text, other)
            except NotationError:
                continue
        raise error from None


def _parse(position: Position, text: str, style: str) -> Move:
    return position.parse_move(text) if style == "usi" else _written(style).read(position, text)


def known(style: str) -> str:
    """The style, which must be one of :data:`STYLES`.

    Raises:
        NotationError: it is none; the message names those there are.
    """
    if style in STYLES:
        return style
    choice = _("choose from {choices}", choices=", ".join(STYLES))
    raise NotationError(_("style {name}", name=repr(str(style)[:40])), [choice])
