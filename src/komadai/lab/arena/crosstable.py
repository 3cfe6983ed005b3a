"""The score of a match: points, pairs, ratings, and the players' effort."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...spec.board import SIDES
from .referee import Played, Step
from .statistics import SCORES, Estimate, Rating, Sprt, estimate, ratings
from .tournament import Fixture, Schedule

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(slots=True)
class Effort:
    """A player's totals over all its moves: count, seconds, and the positions and depth it reported; and
    ``timed``, the seconds for which it reported a speed, with the positions it claims for them."""

    moves: int = 0
    seconds: float = 0.0
    nodes: int = 0
    depth: int = 0
    timed: float = 0.0
    claimed: float = 0.0

    def add(self, step: Step) -> None:
        """Count a move."""
        self.moves += 1
        self.seconds += step.seconds
        self.nodes += step.nodes
        self.depth += step.depth
        if step.nps:
            self.timed += step.seconds
            self.claimed += step.nps * step.seconds

    def record(self) -> dict[str, float]:
        """Means a move, and positions a second."""
        moves = self.moves or 1
        return {
            "moves": self.moves,
            "ms": round(self.seconds / moves * 1000, 1),
            "nodes": round(self.nodes / moves),
            "depth": round(self.depth / moves, 1),
            "nps": round(self.claimed / self.timed) if self.timed else 0,
        }


@dataclass(slots=True)
class Pairing:
    """The games of two players, seen by the first: wins, draws and losses, and how many pairs brought each score."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: list[int] = field(default_factory=lambda: [0] * len(SCORES))

    @property
    def games(self) -> int:
        """The number of finished games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The points of the first player."""
        return self.wins + self.draws / 2


class Standings:
    """The results so far. Games are counted in the order of their numbers, so that a sequential test ends with the same
    game whoever plays them.

    Attributes:
        finished: how many games are over, whether counted or not.
    """

    def __init__(self, schedule: Schedule, names: Sequence[str], sprt: Sprt | None = None) -> None:
        self.schedule, self.names, self.sprt = schedule, list(names), sprt
        self.pairings = {pairing: Pairing() for pairing in schedule.pairings}
        self.efforts = [Effort() for _ in names]
        self.ends: Counter[str] = Counter()
        self.plies = 0
        self.disputes: list[str] = []
        self.black = 0.0
        self.finished = 0
        self._half: dict[int, float] = {}
        self._next = 0
        self._waiting: dict[int, tuple[Fixture, Played]] = {}

    @property
    def games(self) -> int:
        """The number of games that have been counted."""
        return sum(pairing.games for pairing in self.pairings.values())

    def add(self, fixture: Fixture, game: Played) -> None:
        """Take a game that is over, and count those whose turn has come; none after a test is decided."""
        self.finished += 1
        self._waiting[fixture.number] = fixture, game
        while not self.decided and (following := self._waiting.pop(self._next, None)) is not None:
            self._next += 1
            self._count(*following)

    def count_all(self) -> None:
        """Count the games behind a gap, too: the match was interrupted."""
        for _, following in sorted(self._waiting.items()):
            if not self.decided:
                self._count(*following)
        self._waiting.clear()

    def _count(self, fixture: Fixture, game: Played) -> None:
        """Count a game; one in dispute apart from the others."""
        if game.reason == "dispute":
            self.disputes.append(game.words)
            return
        seats = (fixture.black, fixture.white)
        first, second = min(seats), max(seats)
        pairing = self.pairings[first, second]
        victor = None if game.winner is None else seats[SIDES.index(game.winner)]
        if victor is None:
            pairing.draws += 1
        elif victor == first:
            pairing.wins += 1
        else:
            pairing.losses += 1
        points = 0.5 if victor is None else float(victor == first)
        if fixture.pair in self._half:
            pairing.pairs[round(2 * (self._half.pop(fixture.pair) + points))] += 1
        else:
            self._half[fixture.pair] = points
        self.black += 0.5 if game.winner is None else float(game.winner == "b")
        self.ends[game.reason] += 1
        self.plies += game.plies
        mover = SIDES.index("w" if game.start.split()[1] == "w" else "b") + len(game.book)
        for index, step in enumerate(game.steps, mover):
            self.efforts[seats[index % 2]].add(step)

    @property
    def decided(self) -> bool:
        """True once the sequential test is decided."""
        return self.sprt is not None and self.sprt.verdict(self.pairings[0, 1].pairs) is not None

    def line(self) -> str:
        """The score of the match, in a few words."""
        if len(self.names) > 2:
            return f"{self.games} games"
        pairing = self.pairings[0, 1]
        said = f"{pairing.points:g}-{pairing.games - pairing.points:g}"
        if (known := estimate(pairing.pairs)) is not None:
            said += f"  Elo {_elo(known)}"
        if self.sprt is not None:
            said += f"  LLR {self.sprt.ratio(pairing.pairs):.2f}"
        return said

    def record(self, seconds: float) -> dict[str, Any]:
        """All of it as plain data that JSON can hold; infinite numbers become ``None``."""
        data: dict[str, Any] = {
            "games": self.games,
            "players": [
                {"name": name, **effort.record()} for name, effort in zip(self.names, self.efforts, strict=True)
            ],
            "pairings": [],
            "black_score": round(self.black / self.games, 4) if self.games else None,
            "ends": dict(self.ends.most_common()),
            "disputes": self.disputes,
            "mean_plies": round(self.plies / self.games, 1) if self.games else None,
            "seconds": round(seconds, 1),
        }
        for (first, second), pairing in self.pairings.items():
            known = estimate(pairing.pairs)
            data["pairings"].append(
                {
                    "players": [self.names[first], self.names[second]],
                    "wins": pairing.wins,
                    "draws": pairing.draws,
                    "losses": pairing.losses,
                    "score": round(pairing.points / pairing.games, 4) if pairing.games else None,
                    "pairs": pairing.pairs,
                    "elo": known and _finite(known.elo),
                    "elo_low": known and _finite(known.low),
                    "elo_high": known and _finite(known.high),
                    "los": known and round(known.superiority, 4),
                }
            )
        if self.sprt is not None:
            counts = self.pairings[0, 1].pairs
            data["sprt"] = {
                "elo0": self.sprt.elo0,
                "elo1": self.sprt.elo1,
                "llr": round(self.sprt.ratio(counts), 3),
                "bounds": [round(bound, 3) for bound in self.sprt.bounds],
                "accepted": self.sprt.verdict(counts),
            }
        if len(self.names) > 2:
            for player, rating in zip(data["players"], self._ratings(), strict=True):
                player["elo"], player["error"] = round(rating.elo, 1), round(rating.error, 1)
        return data

    def show(self, console: Console, seconds: float) -> None:
        """Print where the match stands."""
        if len(self.names) > 2:
            self._show_cross_table(console)
        else:
            self._show_pairing(console)
        self._show_efforts(console)
        if self.disputes:
            console.print(
                f"{len(self.disputes)} games not counted, for the players' rules differ, the first of them so: "
                f"{self.disputes[0]}",
                highlight=False,
                markup=False,
            )
        if self.games:
            ends = ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in self.ends.most_common())
            console.print(f"ends: {ends}", highlight=False)
            console.print(
                f"{self.games} games, {self.plies / self.games:.0f} plies a game, Black scored "
                f"{self.black / self.games:.1%}, {seconds:.0f} s",
                highlight=False,
            )

    def _show_pairing(self, console: Console) -> None:
        pairing = self.pairings[0, 1]
        if not pairing.games:
            console.print("no game is over yet")
            return
        console.print(
            f"{self.names[0]} against {self.names[1]}: {pairing.points:g} of {pairing.games} "
            f"({pairing.points / pairing.games:.1%}), +{pairing.wins} ={pairing.draws} -{pairing.losses}",
            highlight=False,
            markup=False,
        )
        known = estimate(pairing.pairs)
        if known is not None:
            counts = ", ".join(
                f"{count}×{label}" for count, label in zip(pairing.pairs, ("0", "½", "1", "1½", "2"), strict=True)
            )
            console.print(f"pairs: {counts}", highlight=False)
            console.print(f"Elo {_elo(known)} (95 %), LOS {known.superiority:.1%}", highlight=False)
        if self.sprt is not None:
            low, high = self.sprt.bounds
            verdict = {"H0": f"Elo {self.sprt.elo0:g} accepted", "H1": f"Elo {self.sprt.elo1:g} accepted"}
            console.print(
                f"SPRT [{self.sprt.elo0:g}, {self.sprt.elo1:g}]: LLR {self.sprt.ratio(pairing.pairs):.2f} "
                f"({low:.2f}, {high:.2f}), {verdict.get(self.sprt.verdict(pairing.pairs) or '', 'undecided')}",
                highlight=False,
                markup=False,
            )

    def points(self) -> list[list[float]]:
        """The points of each player against each other player."""
        size = len(self.names)
        table = [[0.0] * size for _ in range(size)]
        for (first, second), pairing in self.pairings.items():
            table[first][second] = pairing.points
            table[second][first] = pairing.games - pairing.points
        return table

    def _ratings(self) -> list[Rating]:
        return ratings(self.points())

    def _show_cross_table(self, console: Console) -> None:
        from rich.markup import escape  # which every start of the command line would pay for
        from rich.table import Table

        points, rated = self.points(), self._ratings()
        order = sorted(range(len(self.names)), key=lambda index: -rated[index].elo)
        table = Table("", "player", "Elo", "±", "next", "score", *(str(place + 1) for place in range(len(order))))
        for place, index in enumerate(order):
            rating = rated[index]
            below = rated[order[place + 1]].elo if place + 1 < len(order) else None
            games = sum(points[index]) + sum(row[index] for row in points)
            table.add_row(
                str(place + 1),
                escape(self.names[index]),
                f"{rating.elo:+.0f}",
                f"{rating.error:.0f}",
                "" if below is None else f"{rating.elo - below:.0f}",
                _ratio(sum(points[index]), games - sum(points[index])),
                *(_ratio(points[index][other], points[other][index]) for other in order),
            )
        console.print(table)

    def _show_efforts(self, console: Console) -> None:
        from rich.markup import escape
        from rich.table import Table

        table = Table("player", "moves", "ms a move", "depth", "nodes a move", "nodes a second")
        for name, effort in zip(self.names, self.efforts, strict=True):
            said = effort.record()
            table.add_row(
                escape(name),
                f"{said['moves']:,}",
                f"{said['ms']:g}",
                f"{said['depth']:g}",
                f"{said['nodes']:,}",
                f"{said['nps']:,}",
            )
        console.print(table)


def _ratio(won: float, lost: float) -> str:
    """``2.5/4``: points of games; nothing where there are none."""
    return f"{won:g}/{won + lost:g}" if won + lost else ""


def _elo(known: Estimate) -> str:
    """``+35 ± 20``; where the interval is not finite, its ends."""
    if math.isfinite(known.low) and math.isfinite(known.high):
        return f"{known.elo:+.1f} ± {(known.high - known.low) / 2:.1f}"
    return f"{_signed(known.elo)} ({_signed(known.low)} to {_signed(known.high)})"


def _signed(value: float) -> str:
    return f"{value:+.1f}" if math.isfinite(value) else "+∞" if value > 0 else "-∞"


def _finite(value: float) -> float | None:
    return round(value, 1) if math.isfinite(value) else None
