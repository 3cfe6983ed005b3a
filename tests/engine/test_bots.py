"""Bots: opponents with a name, each at a level and in a style that tilts the evaluation."""

from __future__ import annotations

from math import prod

import pytest

import komadai
from helpers.support import DEFAULTS, random_play
from komadai.engine import BALANCED, BOTS, STRONGEST, STYLES, Engine
from komadai.engine.bots import tilted
from komadai.engine.evaluation import HANDMADE, blocks, evaluation, handmade
from komadai.errors import NotationError
from komadai.game.position import Position
from komadai.spec.variant import Variant

SHOGI = komadai.variant("shogi")


def static(style: str, position: Position) -> int:
    """The score of a position by the hand-made weights in a style."""
    return evaluation(position.variant, HANDMADE, style).static(position._native)


def test_there_is_a_bot_at_each_level_and_three_styles() -> None:
    assert [bot.level for bot in BOTS.values()] == list(range(1, STRONGEST + 1))
    assert {bot.style for bot in BOTS.values()} == {"attacker", "hoarder", "cautious"} == STYLES.keys() - {BALANCED}
    assert all(name == bot.id == bot.id.lower() for name, bot in BOTS.items())


def test_styles_tilt_blocks_that_there_are() -> None:
    known = {block.name for block in blocks(SHOGI)}
    assert {name for style in STYLES.values() for name in style} <= known


@pytest.mark.parametrize("variant", DEFAULTS)
@pytest.mark.parametrize("style", STYLES)
def test_a_style_is_an_evaluation_of_its_own_in_every_game(variant: Variant, style: str) -> None:
    scores = [static(style, position) for position, _ in random_play(variant, 5, 30)]
    usual = [static(BALANCED, position) for position, _ in random_play(variant, 5, 30)]
    assert (scores == usual) == (style == BALANCED)


def test_what_a_style_leaves_out_is_as_usual_and_places_keep_their_mean() -> None:
    its, weights, tilts = blocks(SHOGI), handmade(SHOGI), STYLES["cautious"]
    changed, at = tilted(its, weights, "cautious"), 0
    for block in its:
        size, name = prod(block.shape), block.name.removeprefix("late_")
        before, after = weights[at : at + size], changed[at : at + size]
        if name not in tilts:
            assert after == before, block.name
        elif name == "foe_king":
            row = size // block.shape[0]
            for start in range(0, size, row):
                assert abs(sum(after[start : start + row]) - sum(before[start : start + row])) <= row / 2 + 1
        else:
            assert after == [round(weight * tilts[name] / 100) for weight in before]
        at += size
    assert at == len(changed)


def test_a_hoarder_likes_what_it_holds_in_hand() -> None:
    more, fewer = (Position("shogi", f"4k4/9/9/9/9/9/9/9/4K4 b {hand}") for hand in ("2G2S2N", "GSN"))
    gain = {style: static(style, more) - static(style, fewer) for style in STYLES}
    assert gain["hoarder"] > gain[BALANCED] * 1.2


def test_attacks_beside_a_king_count_for_more_with_attackers_and_for_the_most_with_cautious_ones() -> None:
    near = Position("shogi", "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPr1PPP/1B5R1/LNSGKGSNL b 2p")
    far = Position("shogi", "lnsgkgsnl/+r6b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -")
    loss = {style: static(style, far) - static(style, near) for style in STYLES}
    assert loss["cautious"] > loss["attacker"] > loss[BALANCED] > 0


def test_a_cautious_one_likes_a_castle() -> None:
    castle = Position("shogi", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B1R1GSK1/LNS2G1NL b -")
    gain = {style: static(style, castle) - static(style, Position("shogi")) for style in STYLES}
    assert gain["cautious"] > gain[BALANCED] > 0


@pytest.mark.parametrize(("style", "looked_for"), [("attacker", []), (BALANCED, ["nana"])])
def test_a_style_searches_where_a_table_would_play(
    style: str, looked_for: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("komadai.solve.find", lambda variant: asked.append(variant.id))
    position = Position("nana", "2K/3/k2 w 2R2B")
    assert Engine("nana", style=style).search(position, nodes=500).move in position.legal_moves()
    assert asked == looked_for


def test_an_unknown_style_is_refused_with_the_nearest() -> None:
    with pytest.raises(NotationError, match="'atacker' is no style; did you mean 'attacker'"):
        Engine("nana", style="atacker")
    assert repr(Engine("nana", style="hoarder", level=8)) == "<Engine nana, level 8, hoarder>"
