"""The static evaluation: a sum of terms, the same for the search and the tuner, and the same for both sides."""

from __future__ import annotations

import json
from itertools import accumulate
from math import prod

import pytest

import komadai
from helpers.support import DEFAULTS, random_play
from helpers.volume import volume
from komadai import _core
from komadai.engine.evaluation import WEIGHTS, blocks, default_weights, evaluation, tuned_weights
from komadai.game.position import Position
from komadai.spec import Unbounded, Variant

ROUNDED = 4  # how far rounding may take a score: ties and command of either side


def parts(variant: Variant) -> list[int]:
    """Of each weight, how many parts of a term make one."""
    return [entry.parts for entry in blocks(variant) for _ in range(prod(entry.shape))]


@pytest.mark.parametrize("variant", DEFAULTS)
def test_the_score_is_the_sum_of_its_terms(variant: Variant) -> None:
    weights = tuned_weights(variant) or default_weights(variant)
    native, divided = evaluation(variant), parts(variant)
    for position, _ in random_play(variant, 3, volume(60)):
        terms = native.terms(position._native)
        said = sum(weights[at] * times / divided[at] for at, times in terms)
        assert abs(native.static(position._native) - said) <= ROUNDED, position.sfen()


@pytest.mark.parametrize("variant", DEFAULTS)
def test_both_sides_are_judged_alike(variant: Variant) -> None:
    """The start is worth being to move, and nothing else: whoever is to move has the same as the opponent would."""
    if isinstance(variant.board, Unbounded):
        pytest.skip("the window stands around Black's piece, and the sides do not mirror each other")
    weights, divided = tuned_weights(variant) or default_weights(variant), parts(variant)
    ends = list(accumulate(prod(entry.shape) for entry in blocks(variant)))
    tempo = {end - 1 for end, entry in zip(ends, blocks(variant), strict=True) if entry.name.endswith("tempo")}
    board, _, hands = variant.start.split()[:3]
    for turn in "bw":
        native, position = evaluation(variant), Position(variant, f"{board} {turn} {hands}")._native
        said = {at: times for at, times in native.terms(position) if at in tempo}
        assert native.static(position) == int(sum(weights[at] * times / divided[at] for at, times in said.items()))


def test_a_list_of_weights_of_the_wrong_length_is_refused() -> None:
    rules = Position("nana")._compiled.rules
    with pytest.raises(ValueError, match="number of weights"):
        _core.Evaluation(rules, [1, 2, 3])


def test_a_position_of_another_game_is_refused() -> None:
    with pytest.raises(ValueError, match="other rules"):
        evaluation(komadai.variant("nana")).score(Position("shogi")._native)


@pytest.mark.parametrize(
    "name", [one.name.removesuffix(".json") for one in WEIGHTS.iterdir() if one.name.endswith(".json")]
)
def test_tuned_weights_fit_their_variant(name: str) -> None:
    """Weights are read only where their shapes are the game's; a change of either shows here."""
    variant = komadai.variant(name)
    assert tuned_weights(variant) is not None
    said = json.loads((WEIGHTS / f"{name}.json").read_text())
    assert set(said) <= {entry.name for entry in blocks(variant)}
