"""Kinds: piece types in one state each, and the kinds they turn into.

Example:
    >>> from komadai.spec import Becomes, Kind
    >>> silver = Kind("S", "silver general", "銀", "ginshō", "FfW", Becomes(zone=("S", "+S"), captured="S"))
    >>> promoted = Kind("+S", "promoted silver", "全", "narigin", "WfF", Becomes(captured="S"))
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .movement import Movement

ZoneBy = Literal["touch", "entry", "capture", "last_rank"]


@dataclass(frozen=True, slots=True)
class Becomes:
    """The kinds that a kind may turn into, by event. One code: forced. Several: the mover chooses. None: unchanged.

    Attributes:
        quiet: after a move that captures nothing.
        captures: after a move that captures.
        zone: after a move that starts or ends in the promotion zone (instead of the two above).
        captures_promote_to: after a move in which it captured one of ``promotes_by_capturing``, by landing or by
            shooting (instead of all the above).
        zone_by: the moves that count for ``zone``, any of: ``touch``: those that start or end in the zone; ``entry``:
            that start outside and end in it; ``capture``: that capture, and start or end in it; ``last_rank``: that
            end on the farthest rank.
        captured: the hand kind that the capturing player receives; ``None`` if the piece leaves the game.
        dropped: the kinds a piece of this hand kind may show when dropped; empty: itself.
    """

    quiet: tuple[str, ...] = ()
    captures: tuple[str, ...] = ()
    zone: tuple[str, ...] = ()
    captured: str | None = None
    dropped: tuple[str, ...] = ()
    captures_promote_to: str | None = None
    promotes_by_capturing: tuple[str, ...] = ()
    zone_by: tuple[ZoneBy, ...] = ("touch",)


@dataclass(frozen=True, slots=True)
class Kind:
    """A piece type in one state: a promoted silver or a cube showing another face is a kind of its own.

    Attributes:
        code: the rules page's code, upper case, ``+`` in front for a turned-over piece.
        name: English name. ``kanji`` and ``romaji`` as on the rules page.
        move: Betza text or a :class:`Movement`.
        royal: whether its owner must not leave it attacked.
        cannot_capture: the kinds it cannot capture by landing; they block its way as its own side's pieces do.
        kanji_white: White's kanji where it differs (the king).
        short: the one kanji that stands for it where there is room for no more; ``None``: the first of ``kanji``.
        value: value on the board in hundredths of the least piece; ``None``: derived from its moves.
        hand_value: value in hand; ``None``: that on the board.
    """

    code: str
    name: str
    kanji: str
    romaji: str
    move: str | Movement
    becomes: Becomes = field(default_factory=Becomes)
    royal: bool = False
    kanji_white: str | None = None
    cannot_capture: tuple[str, ...] = ()
    value: int | None = None
    hand_value: int | None = None
    short: str | None = None
