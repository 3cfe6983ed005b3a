"""Match statistics against published numbers, numbers computed by hand, and an independent method."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from komadai.lab.arena.statistics import Sprt, elo, estimate, expected, ratings

COUNTS = st.lists(st.integers(0, 60), min_size=5, max_size=5)


@pytest.mark.parametrize(
    ("elo0", "elo1", "counts", "ratio", "digits"),
    [
        # montytest.muzhen.org, raw statistics of test 69d3c8dc7c5b3724e29d2712: "Logistic (exact)".
        (0, 2.716, (13, 37, 50, 25, 3), -0.53772, 4),
        # Fishtest, as reported in pull requests 3209, 3098, 2971, 3232 and 2951 of official-stockfish/Stockfish.
        (-0.25, 1.25, (253, 4282, 17604, 4431, 286), 2.94, 2),
        (0.25, 1.25, (58, 3302, 33130, 3518, 84), 2.97, 2),
        (-0.25, 1.25, (491, 7345, 29693, 7670, 465), 2.96, 2),
        (-0.5, 1.5, (17, 253, 1042, 337, 39), 2.96, 2),
        (0.25, 1.75, (11, 407, 3238, 513, 11), 2.93, 2),
        (-0.25, 1.25, (85, 1800, 8241, 1930, 100), 2.94, 2),
        (-0.5, 1.5, (59, 754, 2467, 865, 75), 2.95, 2),
    ],
)
def test_ratios_that_others_published(
    elo0: float, elo1: float, counts: tuple[int, ...], ratio: float, digits: int
) -> None:
    assert Sprt(elo0, elo1).ratio(counts) == pytest.approx(ratio, abs=0.51 * 10**-digits)


def test_a_ratio_worked_out_by_hand() -> None:
    """With pairs lost or won whole, the likeliest share of won ones is the mean itself."""
    zero, one = expected(0), expected(100)
    by_hand = 60 * math.log(one / zero) + 40 * math.log((1 - one) / (1 - zero))
    assert Sprt(0, 100).ratio((40, 0, 0, 0, 60)) == pytest.approx(by_hand, rel=2e-3)


def highest(function: Callable[[float], float], low: float, high: float) -> float:
    """The maximum of a function with one peak, by golden section."""
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(200):
        left, right = high - golden * (high - low), low + golden * (high - low)
        if function(left) < function(right):
            low = left
        else:
            high = right
    return function((low + high) / 2)


def test_a_ratio_by_another_method() -> None:
    """Three outcomes: with a given mean one number is free, and the likelihood is maximised over it directly."""
    losses, draws, wins = 21, 60, 34

    def likelihood(strength: float) -> float:
        mean = expected(strength)

        def of(won: float) -> float:
            drawn = 2 * (mean - won)
            lost = 1 - won - drawn
            return losses * math.log(lost) + draws * math.log(drawn) + wins * math.log(won)

        tiny = 1e-12
        return highest(of, max(tiny, 2 * mean - 1 + tiny), mean - tiny)

    direct = likelihood(30) - likelihood(-10)
    assert Sprt(-10, 30).ratio((losses, 0, draws, 0, wins)) == pytest.approx(direct, abs=5e-3)


def test_the_bounds_of_the_test() -> None:
    assert Sprt(0, 5).bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert Sprt(0, 5, alpha=0.1, beta=0.02).bounds == pytest.approx((math.log(0.02 / 0.9), math.log(0.98 / 0.1)))
    assert Sprt(0, 5).verdict((0, 0, 0, 0, 0)) is None
    assert Sprt(0, 50).verdict((0, 0, 10, 40, 20)) == "H1"
    assert Sprt(0, 50).verdict((20, 40, 10, 0, 0)) == "H0"


@given(COUNTS, st.floats(-50, 50), st.floats(1, 50))
def test_seen_from_the_other_side_the_ratio_changes_sign(counts: list[int], middle: float, width: float) -> None:
    there = Sprt(middle - width, middle + width).ratio(counts)
    back = Sprt(-middle - width, -middle + width).ratio(counts[::-1])
    assert there == pytest.approx(-back, rel=1e-6, abs=1e-6)


@given(COUNTS)
def test_estimates(counts: list[int]) -> None:
    known, mirrored = estimate(counts), estimate(counts[::-1])
    if known is None or mirrored is None:
        assert sum(counts) == 0
        return
    assert known.low <= known.elo <= known.high
    assert 0 <= known.superiority <= 1
    assert known.score + mirrored.score == pytest.approx(1)
    assert known.superiority + mirrored.superiority == pytest.approx(1)
    assert expected(known.elo) == pytest.approx(known.score)


def test_an_estimate_worked_out_by_hand() -> None:
    """16 pairs, whose deviations from ½ are 4 × -¼, 6 × 0, 4 × ¼ and 2 × ½."""
    known = estimate((0, 4, 6, 4, 2))
    assert known is not None
    mean = (4 * 0.25 + 6 * 0.5 + 4 * 0.75 + 2) / 16
    error = math.sqrt(((8 * 0.0625 + 2 * 0.25) / 16 - (mean - 0.5) ** 2) / 16)
    assert (known.pairs, known.score, known.error) == pytest.approx((16, mean, error))
    assert known.elo == pytest.approx(400 * math.log10(mean / (1 - mean)))
    assert (expected(known.low), expected(known.high)) == pytest.approx(
        (mean - 1.96 * error, mean + 1.96 * error), abs=1e-4
    )


def test_pairs_that_are_all_alike_prove_little() -> None:
    """Of 10 pairs all are won with a chance of 2.5 % where one is won with that of 0.025 ** 0.1."""
    known = estimate((0, 0, 0, 0, 10))
    assert known is not None
    assert (known.elo, known.high) == (math.inf, math.inf)
    assert expected(known.low) == pytest.approx(0.025**0.1)
    level = estimate((0, 0, 10, 0, 0))
    assert level is not None
    assert (level.elo, level.superiority, level.low) == (0, 0.5, pytest.approx(-level.high))
    assert expected(level.low) == pytest.approx(0.025**0.1 / 2)
    assert estimate((0, 0, 0, 0, 0)) is None


def test_elo_and_scores() -> None:
    assert expected(400) == pytest.approx(10 / 11)
    assert elo(10 / 11) == pytest.approx(400)
    assert (elo(0), elo(1)) == (-math.inf, math.inf)


def test_two_ratings_are_an_estimate() -> None:
    """With half a drawn game added, which keeps a clean sweep finite."""
    first, second = ratings([[0, 75], [25, 0]])
    assert first.elo - second.elo == pytest.approx(elo(75.25 / 100.5), abs=1e-3)
    assert first.elo + second.elo == pytest.approx(0, abs=1e-6)
    # One comparison of n games: the difference has the variance 1 / (n p (1 - p)), and each rating a quarter of it.
    share = 75.25 / 100.5
    width = 1.96 * 400 / math.log(10) / math.sqrt(100.5 * share * (1 - share)) / 2
    assert first.error == pytest.approx(second.error) == pytest.approx(width, rel=1e-3)


def test_ratings_are_found_again() -> None:
    """Scores as the model expects them give back the ratings they came from."""
    true = [300.0, 120.0, 0.0, -70.0, -350.0]
    points = [[0.0 if i == j else 1e6 * expected(a - b) for j, b in enumerate(true)] for i, a in enumerate(true)]
    assert [one.elo for one in ratings(points)] == pytest.approx(true, abs=0.01)


@given(st.lists(st.lists(st.integers(0, 30), min_size=4, max_size=4), min_size=4, max_size=4))
def test_ratings_whatever_the_points(points: list[list[int]]) -> None:
    table = [[0.0 if i == j else float(points[i][j]) for j in range(4)] for i in range(4)]
    found = ratings(table)
    assert sum(one.elo for one in found) == pytest.approx(0, abs=1e-3)
    assert all(math.isfinite(one.elo) and one.error > 0 for one in found)
    turned = ratings([row[::-1] for row in table[::-1]])
    assert [one.elo for one in turned] == pytest.approx([one.elo for one in found[::-1]], abs=1e-2)
