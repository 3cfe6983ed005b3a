"""Japanese names of kinds in full, and their readings in kana."""

from __future__ import annotations

import re

from .board import Side
from .kinds import Kind

_FULL = {
    ("玉", "ぎょく"): "玉将",
    ("飛", "ひしゃ"): "飛車",
    ("角", "かくぎょう"): "角行",
    ("金", "きんしょう"): "金将",
    ("銀", "ぎんしょう"): "銀将",
    ("桂", "けいま"): "桂馬",
    ("香", "きょうしゃ"): "香車",
    ("歩", "ふひょう"): "歩兵",
    ("龍", "りゅうおう"): "龍王",
    ("馬", "りゅうま"): "龍馬",
    ("全", "なりぎん"): "成銀",
    ("圭", "なりけい"): "成桂",
    ("杏", "なりきょう"): "成香",
    ("と", "ときん"): "と金",
    ("反", "へんしゃ"): "反車",
    ("羽", "えんう"): "燕羽",
    ("仲", "ちゅうにん"): "仲人",
    ("瓦", "がしょう"): "瓦将",
    ("猫", "みょうじん"): "猫刄",
}
"""Names of which a piece bears one kanji, by that and its reading."""

_VOWELS = "aiueo"
_ROWS = {
    "": "あいうえお",
    "k": "かきくけこ",
    "g": "がぎぐげご",
    "s": "さしすせそ",
    "z": "ざじずぜぞ",
    "t": "たちつてと",
    "d": "だぢづでど",
    "n": "なにぬねの",
    "h": "はひふへほ",
    "b": "ばびぶべぼ",
    "p": "ぱぴぷぺぽ",
    "m": "まみむめも",
    "r": "らりるれろ",
}
_SYLLABLES = {
    **{consonant + vowel: row[at] for consonant, row in _ROWS.items() for at, vowel in enumerate(_VOWELS)},
    **{
        f"{consonant}y{vowel}": row[1] + small
        for consonant, row in _ROWS.items()
        if consonant
        for vowel, small in zip("auo", "ゃゅょ", strict=True)
    },
    **{
        spelt + vowel: kana + small
        for spelt, kana in (("sh", "し"), ("ch", "ち"), ("j", "じ"))
        for vowel, small in zip("auo", "ゃゅょ", strict=True)
    },
    "shi": "し",
    "chi": "ち",
    "ji": "じ",
    "tsu": "つ",
    "fu": "ふ",
    "ya": "や",
    "yu": "ゆ",
    "yo": "よ",
    "wa": "わ",
}
_LONG = str.maketrans({"ā": "aa", "ī": "ii", "ū": "uu", "ē": "ei", "ō": "ou"})
_EXCEPTIONS = {"ぎょく": "ぎょくしょう", "つずみ": "つづみ"}
"""Readings of whole names where their romanization says less."""
_SPELT = re.compile("|".join([*sorted(_SYLLABLES, key=len, reverse=True), "n['’]?", "."]), re.DOTALL)


def full_kanji(kind: Kind, side: Side = "b") -> str:
    """The whole name of a side's piece, of which it may bear only a part: ``金将`` of 金, ``王将`` of White's king."""
    full = _FULL.get((kind.kanji, _read(kind.romaji)), kind.kanji)
    return full.replace(kind.kanji, kind.kanji_white) if side == "w" and kind.kanji_white else full


def kana(kind: Kind) -> str:
    """The reading of a kind's whole name in hiragana; as it is in the spec where that is no Hepburn romanization."""
    read = _read(kind.romaji)
    read = _EXCEPTIONS.get(read, read)
    return kind.romaji if re.search("[^ぁ-ん]", read) else read


def _read(romaji: str) -> str:
    """Hepburn in hiragana; characters that are none stay."""
    spelt = romaji.lower().translate(_LONG)
    spelt = re.sub("m(?=[bmp])", "n", spelt)  # shimpei: しんぺい
    spelt = re.sub(r"([kstpgdbz])(?=\1)|t(?=ch)", "っ", spelt)
    return "".join(_SYLLABLES.get(one, "ん" if one[0] == "n" else one) for one in _SPELT.findall(spelt))
