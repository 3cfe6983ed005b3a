"""The report card of a game: fast games of the engine with itself, and what they say of the rules.

The games begin with a few random moves, a small share of the moves of a game, and go on with a fixed number of
positions a move, so that the same rules, seed and number of games give the same card on every machine.
"""

from __future__ import annotations

import math
import random
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...engine import Engine
from ...errors import KomadaiError, SpecError
from ...game.game import Game
from ...game.outcome import Outcome
from ...game.position import Position
from ...game.random_moves import move_that_goes_on
from ...i18n import _, joined, safely
from ...json_text import fits
from ...spec.board import Side
from ...spec.move import Move
from ...spec.names import kind_name
from ...spec.variant import Variant
from ...view.piece_descriptions import rule_words

GAMES = 400
SMALL = 2_000_000
"""Positions up to which a game is solved for its card, which takes seconds."""

NODES = 300
"""Positions that a move is searched with."""

_MOST_RANDOM_PLIES = 4
_SHARE = 8  # of a game's plies, one may be random
_LONGEST = 300  # plies after which a game is drawn
_HASH_MB = 1
_Z95 = 1.959963984540054
_BARS = 20  # of a histogram, at most
CAP = "cap"
_SUMS = {
    **{name: [int] for name in ("wins", "plies", "visits", "choices", "numbers", "idle")},
    **{name: [str] for name in ("present", "active")},
    "ends": {...: int},
}
_WINNERS: tuple[Side | None, ...] = ("b", None, "w")
_MOST, _SUMMED = ("most_choices", "recurrence"), ("mates_seen", "mates_kept")  # of a tally's numbers, how they add up


@dataclass(slots=True)
class _Tally:
    """Sums over the games so far."""

    wins: Counter[Side | None] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    plies: list[int] = field(default_factory=list)
    choices: Counter[int] = field(default_factory=Counter)  # legal moves by ply
    visits: Counter[int] = field(default_factory=Counter)  # games that reached a ply
    most_choices: int = 0
    recurrence: int = 1
    mates_seen: int = 0
    mates_kept: int = 0
    present: set[str] = field(default_factory=set)
    active: set[str] = field(default_factory=set)


class Report:
    """The games of a card, played a few at a time."""

    def __init__(
        self, variant: Variant, *, games: int = GAMES, nodes: int = NODES, seed: int = 1, opening: int | None = None
    ) -> None:
        """Prepare; no game is played yet.

        Args:
            opening: the random plies that games begin with; by default as many as suit the length of a game.

        Raises:
            SpecError: the core cannot play the variant.
        """
        self.variant, self.games, self.nodes, self.seed = variant, games, nodes, seed
        self._tally = _Tally()
        self._opening, self._solution = opening, dict[int, dict[str, Any]]()
        self._without = dict(_without_each_rule(variant))
        self._idle = set(self._without)  # rules that have made no difference yet

    @property
    def opening(self) -> int:
        """The random plies that games begin with: few beside those of a game without any, which is played first."""
        if self._opening is None:
            self._opening = min(_MOST_RANDOM_PLIES, self._plain_length() // _SHARE)
        return self._opening

    def _plain_length(self) -> int:
        """The plies of a game without random moves, as far as they matter."""
        engine, game = Engine(self.variant, hash_mb=_HASH_MB, tables=False, seed=self.seed), Game(self.variant)
        while game.outcome() is None and len(game.moves) < _MOST_RANDOM_PLIES * _SHARE:
            info = engine.search(game.position, nodes=self.nodes)
            assert info.move is not None
            game.push(info.move)
        return len(game.moves)

    @property
    def played(self) -> int:
        """The number of games that are over."""
        return len(self._tally.plies)

    def play(self, most: int = 1) -> None:
        """Play so many more games, up to all."""
        self.play_these(range(self.played, min(self.played + most, self.games)))

    def play_these(self, numbers: Iterable[int]) -> None:
        """Play the games of these numbers, none of which has been played."""
        for number in numbers:
            self._play(number)

    def sums(self) -> dict[str, Any]:
        """All that is known of the games so far, as plain data that JSON can hold."""
        tally = self._tally
        return {
            "wins": [tally.wins[winner] for winner in _WINNERS],
            "ends": dict(sorted(tally.ends.items())),
            "plies": tally.plies,
            "visits": [tally.visits[ply] for ply in range(len(tally.visits))],
            "choices": [tally.choices[ply] for ply in range(len(tally.visits))],
            "numbers": [getattr(tally, name) for name in (*_MOST, *_SUMMED)],
            "present": sorted(tally.present),
            "active": sorted(tally.active),
            "idle": sorted(self._idle),
        }

    def add(self, sums: Mapping[str, Any]) -> None:
        """Count the games of another report of this game, of which none has been played here.

        Raises:
            KeyError, TypeError, ValueError: these are no sums of games.
        """
        if not fits(sums, _SUMS):
            raise TypeError("a sum of games is missing or of a wrong type")
        tally, plies, games = self._tally, sums["plies"], len(sums["plies"])
        ends, numbers = Counter(sums["ends"]), dict(zip((*_MOST, *_SUMMED), sums["numbers"], strict=True))
        found = Counter(dict(zip(_WINNERS, sums["wins"], strict=True)))
        by_ply = list(zip(sums["visits"], sums["choices"], strict=True))
        known = {"", *(kind.code for kind in self.variant.kinds)}
        if (
            not found.total() == ends.total() == games
            or not {*sums["idle"]} <= self._without.keys()
            or not {*sums["present"], *sums["active"]} <= known
            or not all(0 <= one <= _LONGEST for one in plies)
            or min(*sums["wins"], *sums["numbers"], *ends.values(), 0) < 0
            or sums["visits"] != [sum(one > ply for one in plies) for ply in range(max(plies, default=0))]
            or not all(choices >= visits for visits, choices in by_ply)
        ):
            raise ValueError("the sums of games do not agree")
        tally.wins += found
        tally.ends += ends
        tally.plies += plies
        for ply, (visits, choices) in enumerate(by_ply):
            tally.visits[ply] += visits
            tally.choices[ply] += choices
        for name in _MOST:
            setattr(tally, name, max(getattr(tally, name), numbers[name]))
        for name in _SUMMED:
            setattr(tally, name, getattr(tally, name) + numbers[name])
        tally.present |= {*sums["present"]}
        tally.active |= {*sums["active"]}
        self._idle &= {*sums["idle"]}

    # --- One game ---

    def _play(self, number: int) -> None:
        chance = random.Random(f"{self.seed} {number}")
        engine = Engine(self.variant, hash_mb=_HASH_MB, tables=False, seed=chance.getrandbits(32))
        game, tally = Game(self.variant), self._tally
        seen: Counter[str] = Counter()
        announced: Side | None = None
        while (outcome := game.outcome()) is None and len(game.moves) < _LONGEST:
            position, ply = game.position, len(game.moves)
            moves = position.legal_moves()
            tally.choices[ply] += len(moves)
            tally.visits[ply] += 1
            tally.most_choices = max(tally.most_choices, len(moves))
            seen[position.sfen()] += 1
            tally.present.update(piece.code for piece in position.board if piece is not None)
            if ply < self.opening:
                move = position.parse_move(move_that_goes_on(chance, position))
            else:
                info = engine.search(position, nodes=self.nodes)
                assert info.move is not None
                move = info.move
                if announced is None and info.mate is not None and info.mate > 0:
                    announced = position.turn
            if self._idle:
                self._compare(position, move)
            tally.active.add(_mover(position, move))
            game.push(move)
        seen[game.position.sfen()] += 1
        self._end(game, outcome, max(seen.values()), announced)

    def _end(self, game: Game, outcome: Outcome | None, recurrence: int, announced: Side | None) -> None:
        tally = self._tally
        winner = None if outcome is None else outcome.winner
        tally.wins[winner] += 1
        tally.ends[CAP if outcome is None else outcome.reason] += 1
        tally.plies.append(len(game.moves))
        tally.recurrence = max(tally.recurrence, recurrence)
        if announced is not None:
            tally.mates_seen += 1
            tally.mates_kept += winner == announced

    def _compare(self, position: Position, move: Move) -> None:
        """Find the rules without which this position has other moves, or the move another result."""
        text = position.sfen()
        legal = {str(one) for one in position.legal_moves()}
        after: str | None = None
        for number in sorted(self._idle):
            try:
                without = Position(self._without[number], text)
                differs = {str(one) for one in without.legal_moves()} != legal
                if not differs:
                    without.push(str(move))
                    after = after or _after(position, move)
                    differs = after != _described(without)
            except KomadaiError:
                differs = True  # without the rule there would be no such position
            if differs:
                self._idle.discard(number)

    # --- The card ---

    def card(self, *, solve: int = 0) -> dict[str, Any]:
        """The card over the games so far, as plain data that JSON can hold.

        Args:
            solve: the most positions that a game may have to be solved completely.
        """
        tally, v = self._tally, self.variant
        played = self.played
        plies = sorted(tally.plies) or [0]
        return {
            "game": {"id": v.id, "name": v.name, "hash": v.rules_hash},
            "nodes": self.nodes,
            "seed": self.seed,
            "opening": self.opening,
            "games": played,
            "wanted": self.games,
            "first": {
                "wins": tally.wins["b"],
                "draws": tally.wins[None],
                "losses": tally.wins["w"],
                **_share(tally.wins["b"], tally.wins[None], played),
            },
            "length": {
                "mean": round(sum(plies) / len(plies), 1),
                "median": (plies[len(plies) // 2] + plies[(len(plies) - 1) // 2]) / 2,
                "shortest": plies[0],
                "longest": plies[-1],
                "bars": _bars(tally.plies),
            },
            "branching": {
                "mean": round(sum(tally.choices.values()) / max(sum(tally.visits.values()), 1), 1),
                "most": tally.most_choices,
                "bars": _means(tally),
            },
            "ends": dict(sorted(tally.ends.items(), key=lambda end: (-end[1], end[0]))),
            "recurrence": tally.recurrence,
            "mates": {"announced": tally.mates_seen, "won": tally.mates_kept},
            "unseen": [self._kind(kind.code) for kind in v.kinds if played and kind.code not in tally.present],
            "unmoved": [
                self._kind(kind.code)
                for kind in v.kinds
                if played and kind.code in tally.present and kind.code not in tally.active
            ],
            "idle": [
                {
                    "number": number,
                    "words": safely("", rule_words, v, v.rules[number]),
                    "source": v.rules[number].source,
                }
                for number in sorted(self._idle)
                if played
            ],
            "solved": self._solved(solve),
        }

    def _solved(self, most: int) -> dict[str, Any]:
        if most not in self._solution:
            self._solution[most] = _solved(self.variant, most)
        return self._solution[most]

    def _kind(self, code: str) -> dict[str, str]:
        return {"code": code, "name": kind_name(self.variant.kind(code))}


def _without_each_rule(v: Variant) -> Iterator[tuple[int, Variant]]:
    """The variant without each of its rules, where that is a game, too."""
    for number in range(len(v.rules)):
        with suppress(KomadaiError, ValueError):
            rules = (*v.rules[:number], *v.rules[number + 1 :])
            made = replace(v, rules=rules)
            Position(made)
            yield number, made


def _mover(position: Position, move: Move) -> str:
    """The code of the kind that moves or is dropped."""
    piece = None if move.origin_point is None else position.board[move.origin_point]
    return (move.piece or "") if piece is None else piece.code


def _described(position: Position) -> str:
    return f"{position.sfen()} {position.outcome()}"


def _after(position: Position, move: Move) -> str:
    after = Position(position.variant, position.sfen())
    after.push(str(move))
    return _described(after)


def _share(wins: int, draws: int, games: int) -> dict[str, float | None]:
    """The share of points, and the half width of its interval of 95 %."""
    if not games:
        return {"share": None, "error": None}
    mean = (wins + draws / 2) / games
    variance = (wins * (1 - mean) ** 2 + draws * (0.5 - mean) ** 2 + (games - wins - draws) * mean**2) / games
    return {"share": round(mean, 4), "error": round(_Z95 * math.sqrt(variance / games), 4)}


def _bars(values: list[int]) -> list[tuple[int, int]]:
    """A histogram: where each bar begins, and how many values are in it."""
    if not values:
        return []
    width = max(1, -(-(max(values) + 1) // _BARS))
    counted = Counter(value // width for value in values)
    return [(bar * width, counted[bar]) for bar in range(max(counted) + 1)]


def _means(tally: _Tally) -> list[tuple[int, float]]:
    """The mean number of legal moves by ply: where each bar begins, and its mean."""
    if not tally.visits:
        return []
    width = max(1, -(-(max(tally.visits) + 1) // _BARS))
    choices: Counter[int] = Counter()
    visits: Counter[int] = Counter()
    for ply, count in tally.visits.items():
        choices[ply // width] += tally.choices[ply]
        visits[ply // width] += count
    return [(bar * width, round(choices[bar] / visits[bar], 1)) for bar in sorted(visits)]


def _solved(v: Variant, most: int) -> dict[str, Any]:
    """The value of the start, as far as it is known, among how many ``positions``, or ``why`` it is not.

    By a table, or from the start on where few positions follow it.
    """
    from ...solve import build, find, shape_of
    from ...solve.forward import value_of_start

    why: list[str] = []
    positions: int | None = None
    try:
        positions = shape_of(v).size
        with tempfile.TemporaryDirectory() as folder:
            table = find(v)
            if table is None and positions <= most:
                table = build(v, path=Path(folder) / "table", threads=1)
            if table is not None and (value := table.probe(Position(v))) is not None:
                return {"positions": positions, "value": str(value), "why": None}
    except SpecError as error:
        why += error.defects[:1]
    if most:
        try:
            positions, value = value_of_start(v)
            return {"positions": positions, "value": str(value), "why": None}
        except SpecError as error:
            why += error.defects
    words = _("not tried: {reasons}", reasons=joined(why)) if positions is None else None
    return {"positions": positions, "value": None, "why": words}
