"""Training targets are the returns of TD(λ), and the odds of scores are those of the results."""

from __future__ import annotations

from array import array
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="pip install 'komadai[learn]'")

import numpy as np

import komadai
from komadai.lab.learn.data import Ledger, Played
from komadai.lab.learn.targets import fitted_rate, measured_odds, targets
from komadai.spec.board import Side

NANA = komadai.variant("nana")
MOVES = ("K*1a", "K*3c", "T*1b")


def game(winner: Side | None, scores: tuple[int, ...] = (100, 200, -300), number: int = 1) -> Played:
    return Played(
        number,
        komadai.Position(NANA).sfen(),
        MOVES[: len(scores)],
        array("h", scores),
        bytes([1] * len(scores)),
        winner,
        "length",
    )


def share(score: int) -> float:
    return float(1 / (1 + np.exp(-score / 500)))


def test_without_what_follows_the_score_alone_counts() -> None:
    assert targets(NANA, game("b"), 500, 0) == pytest.approx([share(100), share(200), share(-300)])


@pytest.mark.parametrize(("winner", "shares"), [("b", [1, 0, 1]), ("w", [0, 1, 0]), (None, [0.5, 0.5, 0.5])])
def test_with_nothing_else_the_result_alone_counts(winner: Side | None, shares: list[float]) -> None:
    assert targets(NANA, game(winner), 500, 1) == pytest.approx(shares)


def test_a_target_is_the_score_mixed_with_the_next_target() -> None:
    last = 0.2 * share(-300) + 0.8 * 1
    middle = 0.2 * share(200) + 0.8 * (1 - last)
    first = 0.2 * share(100) + 0.8 * (1 - middle)
    assert targets(NANA, game("b"), 500, 0.8) == pytest.approx([first, middle, last])


def test_white_may_begin() -> None:
    white = komadai.Position(NANA)
    white.push(MOVES[0])
    late = Played(1, white.sfen(), MOVES[1:], array("h", [200, -300]), bytes([1, 1]), "b", "length")
    assert targets(NANA, late, 500, 0.8) == pytest.approx(targets(NANA, game("b"), 500, 0.8)[1:])


def test_the_largest_scores_are_shares_too() -> None:
    found = targets(NANA, game("b", (32767, -32767)), 6, 0)
    assert found == pytest.approx([1, 0])


def test_odds_are_those_of_quiet_positions_that_are_not_held_out(tmp_path: Path) -> None:
    lots = np.random.default_rng(3)
    with closing(Ledger(tmp_path / "games", NANA, {})) as ledger:
        for number in range(3000):
            score = int(lots.normal(0, 100))
            won = lots.random() < 1 / (1 + np.exp(-score / 80))
            held_out = number % 20 == 0  # these say the opposite
            ledger.add(game("b" if won != held_out else "w", (score,), number))
    assert measured_odds(NANA, [tmp_path / "games"]) == pytest.approx(80, rel=0.15)


@pytest.mark.parametrize("rate", [40, 600, 5000])
def test_the_rate_of_scores_is_that_of_the_results(rate: int) -> None:
    lots = np.random.default_rng(7)
    scores = lots.normal(0, 500, 100_000).astype(np.int16)
    won = lots.random(len(scores)) < 1 / (1 + np.exp(-scores / rate))
    assert abs(fitted_rate(scores, won.astype(float)) / rate - 1) < 0.1


@pytest.mark.parametrize(
    ("scores", "shares", "rate"),
    [
        ([0, 0, 0], [0.0, 0.5, 1.0], 600.0),  # no score says anything
        ([200, -300, 100], [0.0, 1.0, 0.0], 600.0),  # the opposite of what happened
        ([200, -300, 100], [1.0, 0.0, 1.0], 6.0),  # nothing but the truth
        ([3000, -30000], [0.5, 0.5], 600.0),
    ],
)
def test_the_rate_has_bounds(scores: list[int], shares: list[float], rate: float) -> None:
    assert fitted_rate(np.array(scores), np.array(shares)) == pytest.approx(rate)
