"""Statistics of match results: Elo, likelihood of superiority, and the sequential test, from pairs of games.

The two games of a pair share an opening with colours swapped, so their results are correlated; the pair's sum (0, ½, 1,
1½ or 2 points) is the unit of all statistics here (the *pentanomial* model). The test is the generalised sequential
probability ratio test with the exact constrained maximum likelihood, as described by M. Van den Bergh,
"A Practical Introduction to the GSPRT", and used by Fishtest and fastchess.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The share of its points that a pair can bring, in the order of all counts."""

_Z95 = 1.959963984540054
_TRACE = 1e-3  # replaces a count of 0 in the test, so that every result stays possible


def expected(elo: float) -> float:
    """The share of points that a player ``elo`` stronger scores."""
    return 1 / (1 + math.pow(10, -elo / 400))


def elo(score: float) -> float:
    """The Elo difference of a player who scores this share of points; infinite at 0 and 1."""
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else 400 * math.log10(score / (1 - score))


@dataclass(frozen=True, slots=True)
class Estimate:
    """The results of pairs of games, for the first player.

    Attributes:
        pairs: their number. ``score``: the share of points. ``error``: its standard error.
        elo: the strength, and the ends of its interval of 95 %, ``low`` and ``high``.
        superiority: the likelihood that the first player is stronger, 0 to 1 (LOS).
    """

    pairs: int
    score: float
    error: float
    elo: float
    low: float
    high: float
    superiority: float


def estimate(counts: Sequence[int]) -> Estimate | None:
    """The estimate from the counts of :data:`SCORES`; ``None`` without pairs."""
    pairs = sum(counts)
    if not pairs:
        return None
    mean = sum(count * score for count, score in zip(counts, SCORES, strict=True)) / pairs
    variance = sum(count * (score - mean) ** 2 for count, score in zip(counts, SCORES, strict=True)) / pairs
    error = math.sqrt(variance / pairs)
    if error:
        low, high = mean - _Z95 * error, mean + _Z95 * error
        superiority = 0.5 * (1 + math.erf((mean - 0.5) / error / math.sqrt(2)))
    else:
        # Even if all pairs are alike, others are possible: as many as would be absent with a probability of 2.5 %.
        room = 1 - math.pow(0.025, 1 / pairs)
        low, high = mean * (1 - room), mean * (1 - room) + room
        superiority = 0.5 if mean == 0.5 else float(mean > 0.5)
    return Estimate(pairs, mean, error, elo(mean), elo(low), elo(high), superiority)


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of the hypothesis that the first player is ``elo1`` stronger against ``elo0``.

    ``alpha`` is the chance of accepting ``elo1`` although ``elo0`` holds, ``beta`` the other way round.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """The ratios (logarithms) at which ``elo0`` and ``elo1`` are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Sequence[int]) -> float:
        """The logarithm of the likelihood ratio of ``elo1`` to ``elo0``, from the counts of :data:`SCORES`."""
        if not any(counts):
            return 0.0
        weights = [count or _TRACE for count in counts]
        total = sum(weights)
        shares = [weight / total for weight in weights]
        zeros, ones = (_tilted(shares, expected(strength)) for strength in (self.elo0, self.elo1))
        return total * sum(share * math.log(one / zero) for share, zero, one in zip(shares, zeros, ones, strict=True))

    def verdict(self, counts: Sequence[int]) -> Literal["H0", "H1"] | None:
        """Which hypothesis is accepted (H1 is ``elo1``), or ``None`` while the test goes on."""
        low, high = self.bounds
        ratio = self.ratio(counts)
        return "H0" if ratio <= low else "H1" if ratio >= high else None


def _tilted(shares: Sequence[float], mean: float) -> list[float]:
    """The likeliest distribution with that mean, as a factor on each share.

    It is ``1 / (1 + t * (score - mean))``, with the ``t`` that makes the mean right: the root of a falling function
    between two poles.
    """
    low, high = -1 / (SCORES[-1] - mean), -1 / (SCORES[0] - mean)
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        value = sum(
            share * (score - mean) / (1 + middle * (score - mean)) for share, score in zip(shares, SCORES, strict=True)
        )
        low, high = (middle, high) if value > 0 else (low, middle)
    return [1 / (1 + (low + high) / 2 * (score - mean)) for score in SCORES]


# --- Ratings of many ---

# Virtual draws with every opponent met, so that a player who won every game has a rating too, and fewer with every
# other player, so that all are comparable.
_PRIOR, _UNMET = 0.5, 0.001
_STEP = 200.0  # Elo that one step of the iteration changes at most


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating, in Elo around the mean of all, and the half width of its interval of 95 %."""

    elo: float
    error: float


def ratings(points: Sequence[Sequence[float]]) -> list[Rating]:
    """Ratings of maximum likelihood (Bradley and Terry; a draw is half a win).

    Args:
        points: ``points[i][j]`` is what player ``i`` scored against ``j``.

    The errors take games as independent of each other and draws as chance, so they err on the wide side.
    """
    size = len(points)
    scored = [[float(one) for one in row] for row in points]
    for i in range(size):
        for j in range(size):
            if i != j:
                scored[i][j] += (_PRIOR if points[i][j] + points[j][i] else _UNMET) / 2
    unit = math.log(10) / 400
    found = [0.0] * size
    inverse: list[list[float]] = []
    for _ in range(100):
        slope = [0.0] * size
        # The constant fixes the mean, which the games leave open.
        matrix = [[1.0 / size] * size for _ in range(size)]
        for i in range(size):
            for j in range(size):
                games = scored[i][j] + scored[j][i]
                if i != j and games:
                    chance = expected(found[i] - found[j])
                    slope[i] += scored[i][j] - games * chance
                    weight = games * chance * (1 - chance)
                    matrix[i][i] += weight
                    matrix[i][j] -= weight
        inverse = _inverse(matrix)
        steps = [sum(a * b for a, b in zip(row, slope, strict=True)) / unit for row in inverse]
        found = [old + max(-_STEP, min(_STEP, step)) for old, step in zip(found, steps, strict=True)]
        if max(map(abs, steps)) < 1e-6:
            break
    mean = sum(found) / size
    constant = 1 / size  # what the fixed mean adds to every entry of the inverse
    return [
        Rating(value - mean, _Z95 * math.sqrt(max(inverse[i][i] - constant, 0.0)) / unit)
        for i, value in enumerate(found)
    ]


def _inverse(matrix: list[list[float]]) -> list[list[float]]:
    """The inverse of a matrix that has one, by elimination."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda row: abs(rows[row][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for j in range(size):
            if j != i and (factor := rows[j][i]):
                rows[j] = [value - factor * own for value, own in zip(rows[j], rows[i], strict=True)]
    return [row[size:] for row in rows]
