"""Japanese names of kinds in full, and their readings in kana."""

from __future__ import annotations

import re

from .board import Side
from .kinds import Kind

_FULL = {
    ("玉", "gyoku"): "玉将",
    ("飛", "hisha"): "飛車",
    ("角", "kakugyō"): "角行",
    ("金", "kinshō"): "金将",
    ("銀", "ginshō"): "銀将",
    ("桂", "keima"): "桂馬",
    ("香", "kyōsha"): "香車",
    ("歩", "fuhyō"): "歩兵",
    ("龍", "ryūō"): "龍王",
    ("馬", "ryūma"): "龍馬",
    ("全", "narigin"): "成銀",
    ("圭", "narikei"): "成桂",
    ("杏", "narikyō"): "成香",
    ("と", "tokin"): "と金",
    ("反", "hensha"): "反車",
    ("羽", "en'u"): "燕羽",
    ("仲", "chūnin"): "仲人",
    ("瓦", "gashō"): "瓦将",
    ("猫", "myōjin"): "猫刄",
}
"""Names of which a piece bears one kanji, by that and the romanized reading."""

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
_EXCEPTIONS = {"gyoku": "ぎょくしょう", "tsuzumi": "つづみ"}
_SPELT = re.compile("|".join([*sorted(_SYLLABLES, key=len, reverse=True), "n['’]?", "."]), re.DOTALL)


def full_kanji(kind: Kind, side: Side = "b") -> str:
    """The whole name of a side's piece, of which it may bear only a part: ``金将`` of 金, ``王将`` of White's king."""
    full = _FULL.get((kind.kanji, kind.romaji), kind.kanji)
    return full.replace(kind.kanji, kind.kanji_white) if side == "w" and kind.kanji_white else full


def kana(kind: Kind) -> str:
    """The reading of a kind's whole name in hiragana; as it is in the spec where that is no Hepburn romanization."""
    spelt = kind.romaji.lower().translate(_LONG)
    if spelt in _EXCEPTIONS:
        return _EXCEPTIONS[spelt]
    spelt = re.sub("m(?=[bmp])", "n", spelt)  # shimpei: しんぺい
    spelt = re.sub(r"([kstpgdbz])(?=\1)|t(?=ch)", "っ", spelt)
    read = "".join(_SYLLABLES.get(one, "ん" if one[0] == "n" else one) for one in _SPELT.findall(spelt))
    return kind.romaji if re.search("[^ぁ-ん]", read) else read
