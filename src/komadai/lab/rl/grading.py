"""Grades of learners that play by text: by exact regret in a solved game, or by a ladder of the engine's levels."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from ... import __version__, solve
from ...engine import STRONGEST
from ...errors import NotationError
from ...game.position import Position
from ...picture.page import bars
from ...spec.board import SIDES, Side
from ...spec.variant import Variant
from .exam import POSITIONS, digest, questions
from .learners import Learner, Request
from .measure import Score, level_policy, opening_position, out_of_range, random_policy, regret, score_of
from .text import DEFAULTS, TextEnv
from .transcript import Transcript

Progress = Callable[[], object]
"""Called after each position and game."""

OPENING = 2  # plies by chance at the beginning of a game
_PASSED = 0.5  # share of points that a rung of the ladder asks for
_PHASES = 12  # bars of the plot of regret, at most


def _silent() -> None:
    """The :data:`Progress` that reports nothing."""


@dataclass(slots=True)
class Tally:
    """The answers of a learner, and what its moves lost.

    Attributes:
        answers: its answers. ``illegal``: those refused because their move is not legal. ``unparsable``: those refused
            because they name no move, or several. ``forfeited``: how often it resigned, or named no legal move in time.
        reasons: how often answers were refused for each reason.
        regrets: by game, or position, the ply and the regret of each of its moves in a solved game.
    """

    answers: int = 0
    illegal: int = 0
    unparsable: int = 0
    forfeited: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    regrets: list[list[tuple[int, int]]] = field(default_factory=list)

    def regret(self) -> Score | None:
        """The regret of the learner's moves; ``None`` if that of none is known."""
        by_game = [[lost for _, lost in game] for game in self.regrets]
        return score_of(by_game) if any(by_game) else None

    def answered(self) -> dict[str, Any]:
        """The tally as plain data for JSON."""
        numbers = {name: getattr(self, name) for name in ("answers", "illegal", "unparsable", "forfeited")}
        return {**numbers, "reasons": dict(self.reasons.most_common()), "regret": _score(self.regret())}


@dataclass(slots=True)
class Exam(Tally):
    """A learner's moves in the positions that all learners of a game are asked for (:mod:`komadai.lab.rl.exam`).

    Attributes:
        positions: their number. ``digest``: names the set.
        chance: the mean regret of a move by chance there.
        tiers: the tier of each position, in the order of ``regrets``.
    """

    positions: int = 0
    digest: str = ""
    chance: float = 0.0
    tiers: list[str] = field(default_factory=list)

    def by_tier(self) -> dict[str, Score]:
        """The regret by tier."""
        found: dict[str, list[list[int]]] = {}
        for tier, judged in zip(self.tiers, self.regrets, strict=True):
            found.setdefault(tier, []).append([lost for _, lost in judged])
        return {tier: score_of(by_position) for tier, by_position in found.items()}

    def data(self) -> dict[str, Any]:
        """The exam as plain data for JSON."""
        return {
            "positions": self.positions,
            "set": self.digest,
            "chance": self.chance,
            **self.answered(),
            "tiers": {tier: _score(score) for tier, score in self.by_tier().items()},
        }


@dataclass(slots=True)
class Rung(Tally):
    """Games of a learner against one opponent.

    Attributes:
        opponent: ``itself``, ``random`` or ``level N``. ``games``: those played.
        won, drawn, lost: their results for the learner. With itself: for Black.
        broken_off: those that reached the cap on their plies. With itself they are drawn; against a level they are no
            draw, and bring no points: else who keeps a game going for long enough would hold its own.
    """

    opponent: str = ""
    games: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    broken_off: int = 0

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

    def data(self) -> dict[str, Any]:
        """The games as plain data for JSON."""
        names = ("opponent", "games", "won", "drawn", "lost", "broken_off", "score")
        played = {name: getattr(self, name) for name in names}
        return {**played, "error": _finite(self.error), **self.answered()}


@dataclass(slots=True)
class Grade:
    """The grade of a learner.

    Attributes:
        variant: the game. ``learner``: its description. ``by``: ``regret`` or ``levels``. ``settings``: those of the
            run, by name.
        rungs: the games, opponent by opponent.
        exam: its moves in the fixed positions, whose regret is the grade; ``None`` for a ladder.
        random: the regret of random play in games, from the same openings; ``None`` for a ladder.
        failed: how often an answer failed or was late, and was asked for again.
    """

    variant: Variant
    learner: str
    by: str
    settings: dict[str, Any]
    rungs: list[Rung]
    exam: Exam | None = None
    random: Score | None = None
    failed: int = 0

    @property
    def level(self) -> int:
        """The number of levels in a row, from the first, of which it scored half the points or more."""
        return sum(1 for rung in self.rungs if rung.score >= _PASSED) if self.by == "levels" else 0

    def data(self) -> dict[str, Any]:
        """The grade as plain data for JSON."""
        score = None if self.exam is None else self.exam.regret()
        return {
            "format": "komadai-grade/2",
            "komadai": __version__,
            "game": self.variant.id,
            "options": dict(self.variant.options),
            "rules": self.variant.play_hash,
            "learner": self.learner,
            "by": self.by,
            **self.settings,
            "failed": self.failed,
            "level": self.level if self.by == "levels" else None,
            "regret": _score(score),
            "exam": self.exam and self.exam.data(),
            "random": _score(self.random),
            "rungs": [rung.data() for rung in self.rungs],
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
        if (exam := self.exam) is not None:
            lines += [
                f"Regret {_figure(exam.regret())} a move in {exam.positions} fixed positions; "
                f"by chance there {exam.chance:.3f}.",
                "",
                "| fixed positions | number | regret a move |",
                "|---|--:|--:|",
                *(f"| {tier} | {score.games} | {_figure(score)} |" for tier, score in exam.by_tier().items()),
                "",
                f"Of {exam.answers} answers {exam.illegal} were illegal, {exam.unparsable} unparsable; "
                f"{exam.forfeited} positions were forfeited.",
                "",
            ]
        lines += [
            "| games against | games | won | drawn | lost | broken off | forfeited | score | answers | illegal "
            "| unparsable | regret a move |",
            "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
        ]
        lines += [
            f"| {rung.opponent} | {rung.games} | {rung.won} | {rung.drawn} | {rung.lost} | {rung.broken_off} "
            f"| {rung.forfeited} | {rung.score:.1%} ± {rung.error:.1%} | {rung.answers} | {rung.illegal} "
            f"| {rung.unparsable} | {_figure(rung.regret())} |"
            for rung in self.rungs
        ]
        if self.random is not None:
            lines += ["", f"Random play in such games: regret {_figure(self.random)} a move."]
        tallies: list[Tally] = [*([exam] if exam else []), *self.rungs]
        reasons = sum((tally.reasons for tally in tallies), Counter[str]())
        if reasons:
            lines += ["", "Answers refused, by reason:", ""]
            lines += [f"- {count} × {reason}" for reason, count in reasons.most_common(10)]
        told = dict(self.variant.options) | self.settings | ({"set": exam.digest} if exam else {})
        settings = ", ".join(f"{name} {value}" for name, value in told.items())
        lines += ["", f"Komadai {__version__}, rules {self.variant.play_hash[:12]}, {settings}."]
        return "\n".join(lines) + "\n"

    def plot(self) -> str:
        """A plot as SVG: the score against each level, or the regret of moves by their place in its own games."""
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
    positions: int = POSITIONS,
    name: str = "learner",
    seed: int = 0,
    progress: Progress = _silent,
    transcript: Transcript | None = None,
    **settings: Any,
) -> Grade:
    """Grade a learner by the regret of its moves: in fixed positions, which is its grade, and in games with itself.

    A position or game that it gives up, or in which it names no legal move, counts the regret of losing at once.

    Args:
        games: the number of games, 1 or more. ``seed``: makes their openings repeatable.
        positions: the number of fixed positions, 1 or more; the same for all learners and seeds.
        name: the learner's, for the report.
        progress: called after each position and game.
        transcript: what asks the learner, and keeps its answers.
        settings: those of :class:`~komadai.lab.rl.text.TextEnv`.

    Raises:
        SpecError: the game has no table. NotationError: a setting is out of range, or the transcript is of other ones.
        LearnerError: the learner gives no answer, after all tries.
    """
    _check(games, positions)
    chosen = questions(solve.open(variant), positions)
    examined = Exam(positions=len(chosen), digest=digest(chosen), chance=fmean(one.chance for one in chosen))
    run = _Run(learner, TextEnv(variant, **settings), transcript or Transcript())
    told = {"seed": seed, "games": games, "positions": positions} | _told(settings)
    run.transcript.begin(_header(variant, name, "regret", told | {"set": examined.digest}, run.env))
    for question in chosen:
        run.move(examined, question.position)
        examined.tiers.append(question.tier)
        progress()
    rung = Rung(opponent="itself")
    for number in range(games):
        run.play(rung, opening_position(variant, OPENING, random.Random(f"{seed} {number}")), None)
        progress()
    chance = regret(random_policy(seed), variant, games=games, opening=OPENING, seed=seed)
    return Grade(variant, name, "regret", told, [rung], examined, chance.random, run.transcript.failed)


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
    transcript: Transcript | None = None,
    **settings: Any,
) -> Grade:
    """Grade a learner by games against the engine's levels, from ``first`` until it scores less than half the points.

    Two games each begin alike, with the sides changed. Other arguments and errors are those of :func:`by_regret`.
    """
    _check(games)
    if not 1 <= first <= last <= STRONGEST:
        raise NotationError("levels", [f"{first} to {last} are none; expected 1 to {STRONGEST}"])
    asks = transcript or Transcript()
    told = {"seed": seed, "games": games} | _told(settings)
    grade = Grade(variant, name, "levels", told, [])
    for level in range(first, last + 1):
        rung = Rung(opponent=f"level {level}")
        run = _Run(learner, TextEnv(variant, opponent=level_policy(variant, level, seed=seed), **settings), asks)
        if level == first:
            asks.begin(_header(variant, name, "levels", told | {"first": first, "last": last}, run.env))
        for number in range(games):
            start = opening_position(variant, OPENING, random.Random(f"{seed} {level} {number // 2}"))
            run.play(rung, start, SIDES[number % 2])
            progress()
        grade.rungs.append(rung)
        if rung.score < _PASSED:
            break
    grade.failed = asks.failed
    return grade


def _check(games: int, positions: int = 1) -> None:
    if defects := out_of_range(("games", games, 1), ("positions", positions, 1)):
        raise NotationError("grade", defects)


def _told(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings of games by text that a result depends on, with their defaults."""
    told = {name: settings.get(name, default) for name, default in DEFAULTS.items()}
    return told | {"rules_page": told.pop("rules")}  # "rules" is their hash


def _header(variant: Variant, name: str, by: str, settings: dict[str, Any], env: TextEnv) -> dict[str, Any]:
    """The settings that must agree for a run to go on."""
    return {
        "game": variant.id,
        "options": dict(variant.options),
        "rules": variant.play_hash,
        "learner": name,
        "by": by,
        **settings,
        "system": env.system,
    }


@dataclass(slots=True)
class _Run:
    """Asks a learner for moves, and judges them."""

    learner: Learner
    env: TextEnv
    transcript: Transcript

    def move(self, tally: Tally, at: Position) -> None:
        """Ask for one move in a position."""
        prompt, info = self.env.reset(position=at, side=None)
        judged: list[tuple[int, int]] = []
        attempt, over = 1, False
        while info["played"] is None and not over:
            prompt, _, over, _, info = self._ask(tally, prompt, info, attempt, judged)
            attempt += 1
        tally.regrets.append(judged)

    def play(self, rung: Rung, start: Position, side: Side | None) -> None:
        """Play a game and add it to the rung."""
        env = self.env
        prompt, info = env.reset(position=start, side=side)
        reward, over, broken, attempt = 0.0, info["result"] is not None, False, 1
        judged: list[tuple[int, int]] = []
        mover = env.position.turn
        while not over:
            mover = env.position.turn
            prompt, reward, ended, broken, info = self._ask(rung, prompt, info, attempt, judged)
            attempt = attempt + 1 if info["error"] else 1
            over = ended or broken
        if side is None and mover != SIDES[0]:
            reward = -reward
        rung.games += 1
        rung.won += reward > 0
        rung.lost += reward < 0
        rung.broken_off += broken
        rung.drawn += reward == 0 and (side is None or not broken)
        rung.regrets.append(judged)

    def _ask(
        self, tally: Tally, prompt: str, info: dict[str, Any], attempt: int, judged: list[tuple[int, int]]
    ) -> tuple[str, float, bool, bool, dict[str, Any]]:
        env, ply = self.env, self.env.position.ply
        asked = Request(
            env.system, prompt, env.variant.id, info["position"], tuple(info["legal"]), attempt, env.position.copy()
        )
        wrong = info["illegal"], info["unparsable"]
        result = env.step(self.transcript.ask(self.learner, asked))
        now = result[-1]
        tally.answers += 1
        tally.illegal += now["illegal"] - wrong[0]
        tally.unparsable += now["unparsable"] - wrong[1]
        tally.forfeited += now["forfeited"]
        if now["reason"]:
            tally.reasons[now["reason"]] += 1
        if now["regret"] is not None:
            judged.append((ply, now["regret"]))
        return result


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _score(score: Score | None) -> dict[str, Any] | None:
    if score is None:
        return None
    return {"mean": score.mean, "error": _finite(score.error), "moves": score.moves, "blunders": score.blunders}


def _figure(score: Score | None) -> str:
    return "unknown" if score is None else f"{score.mean:.3f} ± {score.error:.3f}"
