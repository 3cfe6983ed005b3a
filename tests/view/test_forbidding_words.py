"""What the card of a piece says about rules that forbid."""

from __future__ import annotations

import komadai
from komadai.spec.rules import Forbid
from komadai.view.piece_descriptions import rule_words, words


def test_the_pawn_is_told_where_it_may_not_be_dropped() -> None:
    shogi = komadai.variant("shogi")
    pawn = next(kind for kind in shogi.kinds if kind.code == "P")
    said = words(shogi, pawn)
    assert "May not be dropped where there is already an unpromoted pawn of yours on that file (nifu)" in said


def test_no_rule_reads_as_if_it_were_broken_now() -> None:
    for name in komadai.variants(shelf=False):
        variant = komadai.variant(name)
        said = [rule_words(variant, rule) for rule in variant.rules if isinstance(rule.action, Forbid)]
        assert [words for words in said if words.startswith("Not allowed:")] == []
