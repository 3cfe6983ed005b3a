"""Files of records, whatever their format."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, get_args

from ..errors import NotationError
from ..game.game import Game
from ..i18n import _
from ..notation import known
from ..spec.variant import Variant
from ..typed import typed
from ..variants import names, standard, suggest, variant_of
from . import csa, jkf, json, kif, text, usi
from .tree import Record

Format = Literal["json", "jkf", "kif", "ki2", "csa", "usi", "text"]
FORMATS: tuple[Format, ...] = get_args(Format)
"""``json`` holds everything; ``text`` everything, as people write it; ``jkf``, ``kif`` and ``ki2`` standard
shogi; ``csa`` its main line; ``usi`` bare moves."""
Encoding = Literal["utf-8", "shift_jis"]
ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)
"""The encodings in which files can be written; more are read."""
ONE_GAME: tuple[Format, ...] = ("jkf",)
"""The formats that hold one game per file."""
_STANDARD: tuple[Format, ...] = ("jkf", "kif", "ki2", "csa")

MOST_BYTES = 10_000_000

_MARK_OF_ORDER = re.compile(r"^\ufeff", re.MULTILINE)  # at the beginning of each of the files that were joined
_BLANKS = r"[^\S\n]*+"  # of one line, so that no blank is looked at from many lines
_JSON = re.compile(r'\{\s*["}]|\[\s*[{\]]')
_OURS = re.compile(r'"(?:schema|variant)"\s*:')
_JKF = re.compile(r'"(?:header|moves)"\s*:\s*[\[{]')
_TAG = re.compile(r"\[\s*[^\s\"\[\]]")
_SIGN = "[1-9１-９一二三四五六七八九]"  # of a file or a rank
_KIF = re.compile(
    r"^(?:#KIF|手数-|(?:手合割|先手|後手|下手|上手|開始日時|[先後下上]手の持駒)\s*[：:]"
    rf"|変化[：:]|{_BLANKS}[0-9０-９]++(?:[^\S\n]|\.)++[▲△▼▽☗☖]?{_BLANKS}(?:{_SIGN}[一二三四五六七八九]|同|投了|中断)"
    rf"|{_BLANKS}[▲△▼▽☗☖]{_BLANKS}(?:{_SIGN}|同)|まで[0-9０-９]++手)",
    re.MULTILINE,
)
_KIF_MOVE = re.compile(rf"^{_BLANKS}[0-9０-９]++(?:[^\S\n]|\.)++\S|^手数-", re.MULTILINE)
_KI2_MOVE = re.compile(rf"^{_BLANKS}[▲△▼▽☗☖]{_BLANKS}(?:{_SIGN}|同)", re.MULTILINE)
_CSA = re.compile(
    r"^(?:'CSA\b|V[23](?:\.[0-9])?\s*(?:,|$)|P1[-+ ]|P[-+][0-9]{2}[A-Z]{2}|PI(?:[1-9]{2}[A-Z]{2})*\s*(?:,|$)"
    r"|[+-][0-9]{4}[A-Z]{2})",
    re.MULTILINE,
)
_MOVE_STRING = re.compile(r"(?:[1-9][0-9]?[a-z]){2}|\+?[A-Z]+\*[1-9][0-9]?[a-z]")


@typed
def forms_of(variant: Variant) -> list[Format]:
    """The formats that can hold games of the variant."""
    return [form for form in FORMATS if form not in _STANDARD or variant.id == standard()]


@typed
def decoded(data: bytes) -> str:
    """The text of a file: UTF-8, UTF-16, Shift_JIS (as Windows writes it) or EUC-JP.

    Raises:
        NotationError: it is none of these, or too long.
    """
    if len(data) > MOST_BYTES:
        # How many more is not known where the file was read no further (app/cli/record.py).
        raise NotationError(_("record"), [_("has more than {most} bytes", most=f"{MOST_BYTES:,}")])
    texts = []
    for encoding in _encodings(data):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if encoding != "cp932":
            texts.append(text)
            break
        if not any(map(text.count, _NO_CHARACTERS)):
            texts.append(text)
    if not texts:
        raise NotationError(_("record"), [_("is not text in UTF-8, UTF-16, Shift_JIS or EUC-JP")])
    # Text in EUC-JP is nearly always katakana of half width in Shift_JIS, which hardly any text has.
    return min(texts, key=lambda text: sum(map(text.count, _HALF_WIDTH)))


_NO_CHARACTERS = "\x80\uf8f0\uf8f1\uf8f2\uf8f3"  # what Python makes of bytes that Shift_JIS does not have
_HALF_WIDTH = tuple(map(chr, range(0xFF61, 0xFFA0)))


def _encodings(data: bytes) -> Sequence[str]:
    """The encodings that a file may have, the likeliest first."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return ("utf-16",)
    head = data[:2000]
    if b"\0" in head:  # there is a zero in every other byte of its digits, blanks and ends of lines
        return ("utf-16-be" if head[::2].count(0) > head[1::2].count(0) else "utf-16-le",)
    return ("utf-8-sig", "cp932", "euc_jp")


@typed
def encoded(text: str, encoding: Encoding = "utf-8") -> bytes:
    """A text as the contents of a file; the first line of KIF and CSA says which encoding that is.

    Raises:
        NotationError: the encoding does not have one of the characters; all of them, with the first line of each; or
            there is no such encoding.
    """
    if encoding not in ENCODINGS:
        raise NotationError(_("encoding {name}", name=repr(encoding)), [suggest(str(encoding), ENCODINGS)])
    codec = {"shift_jis": "cp932"}.get(encoding, encoding)
    text = text.replace("encoding=UTF-8", f"encoding={encoding.upper()}", 1 if _DECLARED.match(text) else 0)
    text = text.translate(_AS_WINDOWS if codec == "cp932" else {})
    try:
        return text.encode(codec)
    except UnicodeEncodeError:
        lost = dict[str, int]()
        for number, line in enumerate(text.split("\n"), 1):
            for char in line:
                if char not in lost and not char.isascii() and not char.encode(codec, "ignore"):
                    lost[char] = number
    shown = ", ".join(_("{char} (line {number})", char=char, number=number) for char, number in list(lost.items())[:20])
    words = _("has no character {chars}; choose utf-8, or change the text", chars=shown)
    raise NotationError(_("encoding {name}", name=encoding), [words])


_DECLARED = re.compile(r"#KIF [^\n]*encoding=UTF-8|'CSA encoding=UTF-8")
_AS_WINDOWS = str.maketrans("〜−‖—¢£¬", "～－∥―￠￡￢")
"""Characters for which Windows has others in the same places of Shift_JIS."""


@typed
def detect(data: str | bytes) -> Format:
    """Detect the format of a text.

    Example:
        >>> detect("position startpos moves 7g7f"), detect("1. P-7f P-3d *"), detect("手合割：平手")
        ('usi', 'text', 'kif')

    Raises:
        NotationError: it is no text.
    """
    content = (decoded(data) if isinstance(data, bytes) else data).lstrip("\ufeff \t\r\n")
    content = content.replace("\r", "\n")  # some old files end their lines with that alone
    if _JSON.match(content):
        return "jkf" if not _OURS.search(content) and _JKF.search(content) else "json"
    if _TAG.match(content):
        return "text"
    if _KIF.search(content):
        return "ki2" if _KI2_MOVE.search(content) and not _KIF_MOVE.search(content) else "kif"
    if _CSA.search(content):
        return "csa"
    lines = (line.split() for line in content.splitlines())
    words = next((words for words in lines if words and not words[0].startswith("#")), [""])
    known = words[0] in ("position", "startpos", "sfen", "moves", *names(shelf=True))
    drawn = "/" in words[0] and words[1:2] in (["b"], ["w"])
    return "usi" if known or drawn or _MOVE_STRING.match(words[0]) else "text"


@typed
def read(data: str | bytes, variant: str | Variant | None = None, form: Format | None = None) -> list[Record]:
    """Read the records of a file of any format, which :func:`detect` finds unless ``form`` names it.

    ``variant``, or its name, is what games are of in formats that do not say; by default the one that protocols assume.

    Raises:
        NotationError: it is no such file; every defect at once, with its place. Or there is no such format or variant.
    """
    variant = None if variant is None else variant_of(variant, {})
    content = decoded(data) if isinstance(data, bytes) else data
    if len(content) > MOST_BYTES:
        words = _("has {count} characters; expected {most} at most", count=f"{len(content):,}", most=f"{MOST_BYTES:,}")
        raise NotationError(_("record"), [words])
    content = _MARK_OF_ORDER.sub("", content.replace("\r\n", "\n").replace("\r", "\n"))
    form = detect(content) if form is None else form
    if form not in FORMATS:
        raise _unknown(form)
    return _READERS[form](content, variant)


def write(games: Record | Game | Iterable[Record | Game], form: Format, style: str | None = None) -> str:
    """Write a record or a game in a format, or several one after the other.

    ``style``: of moves in ``text``, as in :func:`komadai.notation.notate`; other formats have their own.

    Raises:
        NotationError: the format cannot hold them, or there is none of that name, or no such style.
    """
    if style is not None:
        known(style)
    given = (games,) if isinstance(games, Record | Game) else tuple(games)
    if wrong := [one for one in given if not isinstance(one, Record | Game)]:
        raise NotationError(_("record"), [_("{what} is none; expected a Record or a Game", what=repr(wrong[0])[:80])])
    records = [Record.of(one) if isinstance(one, Game) else one for one in given]
    if form not in FORMATS:
        raise _unknown(form)
    return _WRITERS[form](records, style)


_READERS: dict[Format, Callable[[str, Variant | None], list[Record]]] = {
    "json": lambda content, _variant: json.read(content),
    "jkf": lambda content, _variant: jkf.read(content),
    "kif": lambda content, _variant: kif.read(content),
    "ki2": lambda content, _variant: kif.read(content, "KI2"),
    "csa": lambda content, _variant: csa.read(content),
    "usi": usi.read,
    "text": text.read,
}
_WRITERS: dict[Format, Callable[[list[Record], str | None], str]] = {
    "json": lambda records, _style: json.write(records),
    "jkf": lambda records, _style: jkf.write(records),
    "kif": lambda records, _style: "\n".join(map(kif.write, records)),
    "ki2": lambda records, _style: "\n".join(map(kif.write_ki2, records)),
    "csa": lambda records, _style: csa.write(records),
    "usi": lambda records, _style: "".join(map(usi.write, records)),
    "text": lambda records, style: "".join(text.write(record, style) for record in records),
}


def _unknown(form: object) -> NotationError:
    return NotationError(_("format {form}", form=repr(form)), [suggest(str(form), FORMATS)])
