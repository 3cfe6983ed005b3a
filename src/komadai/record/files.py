"""Files of records, whatever their format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, get_args

from ..errors import NotationError
from ..i18n import _
from ..spec.variant import Variant
from ..variants import names, standard, suggest
from . import csa, json, kif, text, usi
from .tree import Record

Format = Literal["json", "kif", "csa", "usi", "text"]
FORMATS: tuple[Format, ...] = get_args(Format)
"""``json`` holds everything; ``text`` everything, as people write it; ``kif`` standard shogi; ``csa`` its main line;
``usi`` bare moves."""
_STANDARD: tuple[Format, ...] = ("kif", "csa")

MOST_BYTES = 10_000_000

_JSON = re.compile(r'\{\s*["}]|\[\s*[{\]]')
_TAG = re.compile(r"\[\s*[^\s\"\[\]]")
_KIF = re.compile(
    r"^(?:#KIF|手数-|(?:手合割|先手|後手|下手|上手|開始日時|[先後下上]手の持駒)\s*[：:]"
    r"|\s*[0-9０-９]+\s+(?:[１-９1-9][一二三四五六七八九]|同|投了|中断))",
    re.MULTILINE,
)
_CSA = re.compile(
    r"^(?:'CSA\b|V[23](?:\.[0-9])?\s*$|P1[-+ ]|PI(?:[1-9]{2}[A-Z]{2})*\s*$|[+-][0-9]{4}[A-Z]{2})", re.MULTILINE
)
_MOVE_STRING = re.compile(r"(?:[1-9][0-9]?[a-z]){2}|\+?[A-Z]+\*[1-9][0-9]?[a-z]")


def forms_of(variant: Variant) -> list[Format]:
    """The formats that can hold games of the variant."""
    return [form for form in FORMATS if form not in _STANDARD or variant.id == standard()]


def decoded(data: bytes) -> str:
    """The text of a file: UTF-8, UTF-16 with its mark, or else Shift-JIS.

    Raises:
        NotationError: it is none of these, or too long.
    """
    if len(data) > MOST_BYTES:
        words = _("has {count} bytes; expected {most} at most", count=f"{len(data):,}", most=f"{MOST_BYTES:,}")
        raise NotationError(_("record"), [words])
    encodings = ("utf-16",) if data.startswith((b"\xff\xfe", b"\xfe\xff")) else ("utf-8-sig", "cp932")
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise NotationError(_("record"), [_("is not text in UTF-8 or Shift-JIS")])


def detect(data: str | bytes) -> Format:
    """Detect the format of a text.

    Example:
        >>> detect("position startpos moves 7g7f"), detect("1. P-7f P-3d *"), detect("手合割：平手")
        ('usi', 'text', 'kif')

    Raises:
        NotationError: it is no text.
    """
    content = (decoded(data) if isinstance(data, bytes) else data).lstrip("\ufeff \t\r\n")
    if _JSON.match(content):
        return "json"
    if _TAG.match(content):
        return "text"
    if _KIF.search(content):
        return "kif"
    if _CSA.search(content):
        return "csa"
    lines = (line.split() for line in content.splitlines())
    words = next((words for words in lines if words and not words[0].startswith("#")), [""])
    known = words[0] in ("position", "startpos", "sfen", "moves", *names())
    drawn = "/" in words[0] and words[1:2] in (["b"], ["w"])
    return "usi" if known or drawn or _MOVE_STRING.match(words[0]) else "text"


def read(data: str | bytes, variant: Variant | None = None, form: Format | None = None) -> list[Record]:
    """Read the records of a file of any format, which :func:`detect` finds unless ``form`` names it.

    ``variant`` is what games are of in formats that do not say; by default the one that protocols assume.

    Raises:
        NotationError: it is no such file; every defect at once, with its place.
    """
    content = decoded(data) if isinstance(data, bytes) else data
    if len(content) > MOST_BYTES:
        words = _("has {count} characters; expected {most} at most", count=f"{len(content):,}", most=f"{MOST_BYTES:,}")
        raise NotationError(_("record"), [words])
    content = content.removeprefix("\ufeff")
    match form or detect(content):
        case "json":
            return json.read(content)
        case "kif":
            return kif.read(content)
        case "csa":
            return csa.read(content)
        case "usi":
            return usi.read(content, variant)
        case "text":
            return text.read(content, variant)


def write(records: Sequence[Record], form: Format) -> str:
    """Write records in a format, several one after the other.

    Raises:
        NotationError: the format cannot hold them, or there is none of that name.
    """
    match form:
        case "json":
            return json.write(records)
        case "kif" if len(records) > 1:
            raise NotationError("KIF", [_("can hold one game per file only; there are {count}", count=len(records))])
        case "kif":
            return "".join(map(kif.write, records))
        case "csa":
            return csa.write(records)
        case "usi":
            return "".join(map(usi.write, records))
        case "text":
            return "".join(map(text.write, records))
    raise NotationError(_("format {form}", form=repr(form)), [suggest(str(form), FORMATS)])
