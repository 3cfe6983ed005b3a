"""Grades of learners that play by text: by exact regret in a solved game, or by a ladder of the engine's levels."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..engine import STRONGEST
from ..errors import NotationError
from ..game.position import Position
from ..picture.bars import bars
from ..spec.board import SIDES, Side
from ..spec.variant import Variant
from .learners import Learner, Request
from .measure import Score, level_policy, opening_position, random_policy, regret, score_of, table_of
from .text import TextEnv

Progress = Callable[[], object]
"""Called after each game."""

OPENING = 2  # plies by chance at the beginning of a game
_PASSED = 0.5  # share of points that a rung of the ladder asks for
_PHASES = 12  # bars of the plot of regret, at most


def _silent() -> None:
    """The :data:`Progress` that reports nothing."""


@dataclass(slots=True)
class Rung:
    """Games of a learner against one opponent.

    Attributes:
        opponent: ``itself``, ``random`` or ``level N``. ``games``: those played.
        won, drawn, lost: their results for the learner; those broken off count as drawn. With itself: for
            Black. ``forfeited``: those in which it named no legal move, or resigned.
        answers: its answers. ``illegal``: those refused. ``reasons``: how often each reason was given.
        regrets: by game, the ply and the regret of each of its moves in a solved game.
    """

    opponent: str
    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    forfeited: int = 0
    answers: int = 0
    illegal: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    regrets: list[list[tuple[int, int]]] = field(default_factory=list)

    @property
    def score(self) -> float:
        """The share of points, 0 to 1."""
        return (self.won + self.drawn / 2) / max(self.games, 1)

    @property
    def error(self) -> float:
        """The standard error of :attr:`score`; infinite after fewer than two games."""
        if self.games < 2:
            return math.inf
        squares = self.won + self.drawn / 4 - self.games * self.score**2
        return math.sqrt(max(squares, 0) / (self.games - 1) / self.games)

    def regret(self) -> Score | None:
        """The regret of the learner's moves; ``None`` if that of none is known."""
        by_game = [[lost for _, lost in game] for game in self.regrets]
        return score_of(by_game) if any(by_game) else None


@dataclass(slots=True)
class Grade:
    """The grade of a learner.

    Attributes:
        variant: the game. ``learner``: its description. ``by``: ``regret`` or ``levels``. ``seed``: of openings and
            sides.
        rungs: the games, opponent by opponent.
        random: the regret of random play, from the same openings; ``None`` for a ladder.
    """

    variant: Variant
    learner: str
    by: str
    seed: int
    rungs: list[Rung]
    random: Score | None = None

    @property
    def level(self) -> int:
        """The number of levels in a row, from the first, of which it scored half the points or more."""
        return sum(1 for rung in self.rungs if rung.score >= _PASSED) if self.by == "levels" else 0

    def data(self) -> dict[str, Any]:
        """The grade as plain data for JSON."""
        return {
            "game": self.variant.id,
            "rules": self.variant.play_hash,
            "learner": self.learner,
            "by": self.by,
            "seed": self.seed,
            "level": self.level if self.by == "levels" else None,
            "random": _score(self.random),
            "rungs": [
                {
                    "opponent": rung.opponent,
                    "games": rung.games,
                    "won": rung.won,
                    "drawn": rung.drawn,
                    "lost": rung.lost,
                    "forfeited": rung.forfeited,
                    "score": rung.score,
                    "error": _finite(rung.error),
                    "answers": rung.answers,
                    "illegal": rung.illegal,
                    "reasons": dict(rung.reasons.most_common()),
                    "regret": _score(rung.regret()),
                }
                for rung in self.rungs
            ],
        }

    def markdown(self) -> str:
        """The grade as a report in Markdown."""
        lines = [f"# {self.learner} in {self.variant.name}", ""]
        if self.by == "levels":
            lines += [
                f"Level {self.level}: it holds its own against levels 1 to {self.level}."
                if self.level
                else "Below level 1.",
                "",
            ]
        elif (own := self.rungs[0].regret()) is not None:
            lines += [f"Regret {_figure(own)} a move; random play {_figure(self.random)}.", ""]
        lines += ["| opponent | games | won | drawn | lost | forfeited | score | illegal answers | regret a move |"]
        lines += ["|---|--:|--:|--:|--:|--:|--:|--:|--:|"]
        lines += [
            f"| {rung.opponent} | {rung.games} | {rung.won} | {rung.drawn} | {rung.lost} | {rung.forfeited} "
            f"| {rung.score:.1%} ± {rung.error:.1%} | {rung.illegal} of {rung.answers} | {_figure(rung.regret())} |"
            for rung in self.rungs
        ]
        reasons = sum((rung.reasons for rung in self.rungs), Counter[str]())
        if reasons:
            lines += ["", "Answers refused, by reason:", ""]
            lines += [f"- {count} × {reason}" for reason, count in reasons.most_common(10)]
        lines += ["", f"Rules {self.variant.play_hash[:12]}, seed {self.seed}."]
        return "\n".join(lines) + "\n"

    def plot(self) -> str:
        """A plot as SVG: the score against each level, or the regret of moves by their place in the game."""
        if self.by == "levels":
            return bars("Score by level", [(rung.opponent, round(rung.score, 3)) for rung in self.rungs])
        moves = [move for rung in self.rungs for game in rung.regrets for move in game]
        width = max(-(-max((ply for ply, _ in moves), default=1) // _PHASES), 1)
        found: dict[int, list[int]] = {}
        for ply, lost in moves:
            found.setdefault((ply - 1) // width, []).append(lost)
        heights = [(phase * width + 1, round(sum(found[phase]) / len(found[phase]), 3)) for phase in sorted(found)]
        return bars("Regret of a move by ply", heights)


def by_regret(
    learner: Learner,
    variant: Variant,
    *,
    games: int = 20,
    name: str = "learner",
    seed: int = 0,
    progress: Progress = _silent,
    **settings: Any,
) -> Grade:
    """Grade a learner by the regret of its moves in games with itself.

    Args:
        games: their number, 1 or more. ``seed``: makes the openings repeatable.
        name: the learner's, for the report.
        settings: those of :class:`~komadai.rl.text.TextEnv`.

    Raises:
        SpecError: the game has no table. NotationError: a setting is out of range. LearnerError: a program fails.
    """
    _check(games)
    table_of(variant)
    rung = Rung("itself")
    for number in range(games):
        start = opening_position(variant, OPENING, random.Random(f"{seed} {number}"))
        _play(learner, TextEnv(variant, **settings), rung, start, None)
        progress()
    chance = regret(random_policy(seed), variant, games=games, opening=OPENING, seed=seed)
    return Grade(variant, name, "regret", seed, [rung], chance.random)


def by_levels(
    learner: Learner,
    variant: Variant,
    *,
    games: int = 20,
    name: str = "learner",
    first: int = 1,
    last: int = STRONGEST,
    seed: int = 0,
    progress: Progress = _silent,
    **settings: Any,
) -> Grade:
    """Grade a learner by games against the engine's levels, from ``first`` until it scores less than half the points.

    Two games each begin alike, with the sides changed. Other arguments and errors are those of :func:`by_regret`.
    """
    _check(games)
    if not 1 <= first <= last <= STRONGEST:
        raise NotationError("levels", [f"{first} to {last} are none; expected 1 to {STRONGEST}"])
    grade = Grade(variant, name, "levels", seed, [])
    for level in range(first, last + 1):
        rung = Rung(f"level {level}")
        env = TextEnv(variant, opponent=level_policy(variant, level, seed=seed), **settings)
        for number in range(games):
            start = opening_position(variant, OPENING, random.Random(f"{seed} {level} {number // 2}"))
            _play(learner, env, rung, start, SIDES[number % 2])
            progress()
        grade.rungs.append(rung)
        if rung.score < _PASSED:
            break
    return grade


def _check(games: int) -> None:
    if not isinstance(games, int) or games < 1:
        raise NotationError("grade", [f"games {games!r} is out of range; expected a whole number, 1 or more"])


def _play(learner: Learner, env: TextEnv, rung: Rung, start: Position, side: Side | None) -> None:
    """Play a game and add it to the rung."""
    prompt, info = env.reset(position=start, side=side)
    reward, over, attempt = 0.0, info["result"] is not None, 1
    judged: list[tuple[int, int]] = []
    mover = env.position.turn
    while not over:
        ply, mover = env.position.ply, env.position.turn
        asked = Request(
            env.system, prompt, env.variant.id, info["position"], tuple(info["legal"]), attempt, env.position.copy()
        )
        prompt, reward, ended, broken, info = env.step(learner(asked))
        rung.answers += 1
        attempt = attempt + 1 if info["error"] else 1
        if info["error"]:
            rung.illegal += 1
            rung.reasons[info["error"]] += 1
        if info["regret"] is not None:
            judged.append((ply, info["regret"]))
        rung.forfeited += ended and info["played"] is None
        over = ended or broken
    if side is None and mover != SIDES[0]:
        reward = -reward
    rung.games += 1
    rung.won += reward > 0
    rung.lost += reward < 0
    rung.drawn += reward == 0
    rung.regrets.append(judged)


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _score(score: Score | None) -> dict[str, Any] | None:
    if score is None:
        return None
    return {"mean": score.mean, "error": _finite(score.error), "moves": score.moves, "blunders": score.blunders}


def _figure(score: Score | None) -> str:
    return "unknown" if score is None else f"{score.mean:.3f} ± {score.error:.3f}"
