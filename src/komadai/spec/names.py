"""Names of pieces and sides in the current language, and messages about them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..i18n import LANGUAGES, _, current_language, joined, listed, speaking
from .board import SIDE_NAMES, Side, other
from .japanese import full_kanji
from .kinds import Kind
from .setup import Piece
from .variant import Variant


def kind_name(kind: Kind) -> str:
    """The kind's English name, or its kanji where the language is Japanese, for turned pieces those of the whole name:
    ``銀``, but ``成銀`` for 全."""
    if current_language() != "ja":
        return kind.name
    return full_kanji(kind) if kind.code.startswith("+") else kind.kanji


def kanji_on(kind: Kind, side: Side) -> str:
    """The kanji on a side's piece."""
    return kind.kanji_white or kind.kanji if side == "w" else kind.kanji


def one_kanji(kind: Kind, side: Side) -> str:
    """The one kanji that stands for a side's piece where there is room for no more."""
    return kind.short or kanji_on(kind, side)[0]


def kind_names(variant: Variant, codes: Iterable[str]) -> list[str]:
    """The names of kinds, each once; with the code where another kind of that name is not among them."""
    among = dict.fromkeys(codes)
    namesakes: dict[str, set[str]] = {}
    for kind in variant.kinds:
        namesakes.setdefault(kind_name(kind), set()).add(kind.code)
    names = [(code, kind_name(variant.kind(code))) for code in among]
    return list(dict.fromkeys(name if namesakes[name] <= among.keys() else f"{name} ({code})" for code, name in names))


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


def nearest(word: str, words: Sequence[str], cutoff: float = 0.5) -> str | None:
    """Of the right words that which a wrong one is most like, ``None`` if it is like none of them."""
    import difflib

    return next(iter(difflib.get_close_matches(word, words, n=1, cutoff=cutoff)), None)


def nearest_code(code: str, codes: Sequence[str]) -> str | None:
    """The kind's code that a wrong one may stand for; it may be written as in position strings."""
    return nearest(re.sub(r"[^A-Z+]", "", code.upper()), codes, 0.6)


def no_such_piece(variant: Variant, code: str, codes: Iterable[str]) -> str:
    """The refusal of a piece code that the variant lacks."""
    there = tuple(codes)
    said = _("{game} has no piece {code}; its codes are {codes}", game=variant.id, code=code, codes=" ".join(there))
    meant = nearest_code(code, there)
    return joined([said, _("did you mean {word}?", word=repr(meant))]) if meant else said


@dataclass(frozen=True, slots=True)
class Message:
    """A message to several readers, each of whom may have another language: a template with its arguments.

    Attributes:
        text: the template, to be translated. It may use ``{side}``, ``{other}``, ``{pieces}`` and ``{note}``.
        side: the side it is about; ``{other}`` is its opponent.
        pieces: kinds, listed by name.
        note: another template with the same arguments.
    """

    text: str
    side: Side | None = None
    pieces: tuple[Kind, ...] = ()
    note: str | None = None

    def words(self) -> str:
        """The message in the current language."""
        values: dict[str, object] = {}
        if self.side is not None:
            values |= {"side": side_name(self.side), "other": side_name(other(self.side))}
        if self.pieces:
            values["pieces"] = listed([kind_name(kind) for kind in self.pieces], "nor")
        if self.note is not None:
            values["note"] = _(self.note, **values)
        return _(self.text, **values)

    def __str__(self) -> str:
        with speaking(LANGUAGES[0]):
            return self.words()

    def to_json(self) -> dict[str, Any]:
        """The template and those arguments that there are, as JSON data."""
        data = {"side": self.side, "pieces": [kind.code for kind in self.pieces], "note": self.note}
        return {"text": self.text} | {key: value for key, value in data.items() if value}
