"""The Japanese names of kinds in full, and their readings in kana."""

from __future__ import annotations

import re

import pytest

import komadai
from komadai.i18n import speaking
from komadai.spec.board import SIDES
from komadai.spec.japanese import full_kanji, kana
from komadai.spec.kinds import Kind
from komadai.spec.names import kanji_on, kind_name

SHOGI = komadai.variant("shogi")


def test_shogi_is_played_with_two_kanji_on_every_piece() -> None:
    names = [
        "玉将",
        "飛車",
        "角行",
        "金将",
        "銀将",
        "桂馬",
        "香車",
        "歩兵",
        "龍王",
        "龍馬",
        "成銀",
        "成桂",
        "成香",
        "と金",
    ]
    assert [full_kanji(kind) for kind in SHOGI.kinds] == names
    assert full_kanji(SHOGI.kind("K"), "w") == "王将"
    assert full_kanji(SHOGI.kind("G"), "w") == "金将"


@pytest.mark.parametrize("name", komadai.variants(shelf=True))
def test_a_whole_name_holds_what_is_on_the_piece_or_stands_for_a_turned_one(name: str) -> None:
    for kind in komadai.variant(name).kinds:
        for side in SIDES:
            assert kanji_on(kind, side) in full_kanji(kind, side) or full_kanji(kind, side)[0] == "成", kind


@pytest.mark.parametrize("name", komadai.variants(shelf=True))
def test_every_reading_is_written_in_kana(name: str) -> None:
    assert all(re.fullmatch("[ぁ-ん]+", kana(kind)) for kind in komadai.variant(name).kinds)


@pytest.mark.parametrize(
    ("romaji", "read"),
    [
        ("kyōsha", "きょうしゃ"),
        ("sambō", "さんぼう"),
        ("hakku", "はっく"),
        ("en’yō", "えんよう"),
        ("en'u", "えんう"),
        ("chuu", "ちゅう"),
        ("tsuzumi", "つづみ"),
        ("teppō", "てっぽう"),
        ("matcha", "まっちゃ"),
        ("x-ray", "x-ray"),
        ("", ""),
    ],
)
def test_hepburn_is_read_as_kana(romaji: str, read: str) -> None:
    assert kana(Kind("X", "x", "某", romaji, "W")) == read


def test_in_sentences_names_are_short_but_for_turned_pieces() -> None:
    with speaking("ja"):
        assert [kind_name(SHOGI.kind(code)) for code in ("S", "+S", "+P")] == ["銀", "成銀", "と金"]
