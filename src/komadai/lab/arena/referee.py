"""One game between two players, by our own rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from time import perf_counter
from typing import Any, Literal, NamedTuple, get_args

from ...engine.clock import Clock
from ...errors import DisputeError, EngineError, IllegalMoveError, NotationError
from ...game.game import Game
from ...game.outcome import BY_RULE
from ...json_text import fits
from ...spec.board import SIDE_NAMES, SIDES, Side, other
from ..external_engine.replies import EngineAnswer, Thought
from ..external_engine.requests import SearchLimits
from .players import Player

End = Literal["illegal", "declaration", "time", "crash", "resign", "adjudication", "cap", "dispute"]
ENDS: tuple[str, ...] = (*BY_RULE, *get_args(End))
"""Ends of games in a match: by rule, or as in :data:`End`; a player whose program fails loses by ``crash``.
A game that a program judges otherwise than we do is broken off by ``dispute``, and has no result."""

_UNPROVEN: tuple[End, ...] = ("illegal", "time", "crash", "resign", "dispute")  # of which a record holds no proof
_LATE = 2.0  # seconds beyond the margin after which a player is stopped
_NO_LIMIT = 600.0  # seconds for a move where no limit of time holds


@dataclass(frozen=True, slots=True)
class Resignation:
    """Resignation: a player whose own score is ``score`` or worse in ``moves`` successive moves has lost; with
    ``both`` the opponent's score must agree."""

    score: int
    moves: int
    both: bool = False


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of adjudication.

    Attributes:
        limits: for each move; with clocks, what the players begin with.
        margin: seconds that a move may take beyond its time before the player loses by it.
        plies: moves after which a game is drawn, the opening's included.
    """

    limits: SearchLimits
    margin: float = 0.5
    plies: int = 500
    resignation: Resignation | None = None


def terms_of(data: Mapping[str, Any]) -> Terms:
    """The terms of the plain data that ``asdict`` made of terms without clocks.

    Raises:
        KeyError, TypeError, ValueError: it is no such data.
    """
    limits, resignation = SearchLimits(**data["limits"]), data["resignation"]
    return Terms(limits, data["margin"], data["plies"], None if resignation is None else Resignation(**resignation))


class Step(NamedTuple):
    """A move as played, in our move string, and what the player said of it; ``seconds`` are the referee's."""

    move: str
    score: int | None
    mate: int | None
    depth: int
    nodes: int
    nps: int
    seconds: float


_STEP = str, (int, None), (int, None), int, int, int, float  # the types of its values
_RECORD = {"start": str, "book": [str], "steps": [list], "winner": (str, None), "reason": str, "words": str}


@dataclass(frozen=True, slots=True)
class Played:
    """A game that is over.

    Attributes:
        start: its position string, with the move number. ``book``: the moves of the opening. ``steps``: those after.
        reason: one of :data:`ENDS`; ``words`` describe it for people.
    """

    start: str
    book: tuple[str, ...]
    steps: tuple[Step, ...]
    winner: Side | None
    reason: str
    words: str

    @property
    def plies(self) -> int:
        """The number of moves made, the opening's included."""
        return len(self.book) + len(self.steps)

    def record(self) -> dict[str, Any]:
        """The game as plain data that JSON can hold."""
        return asdict(self) | {"book": list(self.book), "steps": [list(step) for step in self.steps]}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Played:
        """The game of a record.

        Raises:
            KeyError, TypeError, ValueError: it is no record of a game.
        """
        if not fits(record, _RECORD):
            raise ValueError("a field is missing or of a wrong type")
        reason = record["reason"]
        if record["winner"] not in (*SIDES, None) or reason not in ENDS:
            raise ValueError("winner or reason")
        steps = tuple(Step(*step) for step in record["steps"])
        if not all(all(map(fits, step, _STEP)) for step in steps):
            raise ValueError("a step has a value of a wrong type")
        return cls(record["start"], tuple(record["book"]), steps, record["winner"], reason, record["words"])


class Halted(Exception):  # noqa: N818  (no error: the user has ended the match)
    """The match was ended in the middle of a game."""


def play(
    players: tuple[Player, Player],
    game: Game,
    terms: Terms,
    *,
    own_limits: tuple[SearchLimits | None, SearchLimits | None] = (None, None),
    halted: Callable[[], bool] = lambda: False,
) -> Played:
    """Play a game to its end.

    Args:
        players: Black and White, to whom the new game has been announced.
        game: where it begins; it is played on in place.
        own_limits: limits of Black and White instead of the terms'.
        halted: asked before every move and after it.

    Raises:
        Halted: ``halted`` said so.
    """
    book, steps = tuple(map(str, game.moves)), list[Step]()
    limits, clocks = [own or terms.limits for own in own_limits], list(terms.limits.clocks or ())
    while (end := _end(game, steps, terms)) is None:
        if halted():
            raise Halted
        index = SIDES.index(game.turn)
        end = _turn(players[index], game, steps, terms, limits[index], clocks)
        if halted():
            raise Halted
        if end is not None:
            break
    winner, reason, words = end
    for player, side in zip(players, SIDES, strict=True):
        player.game_over("draw" if winner is None else "win" if winner == side else "lose")
    return Played(game.start.sfen(ply=True), book, tuple(steps), winner, reason, words)


def check_played(played: Played, game: Game, terms: Terms) -> None:
    """Play a game again by its record.

    Args:
        game: where it must have begun; it is played on in place. ``terms``: those it was played on.

    Raises:
        ValueError: it began elsewhere, a move is not legal, it went on after its end, or ended otherwise.
    """
    book = tuple(map(str, game.moves))
    if (played.start, played.book) != (game.start.sfen(ply=True), book):
        raise ValueError("the game begins from another opening")
    for number, step in enumerate(played.steps):
        if _end(game, played.steps[:number], terms) is not None:
            raise ValueError(f"the game goes on after its end, by {step.move}")
        game.push(step.move)
    stated = (played.winner, played.reason, played.words)
    if played.reason == "declaration":
        game.declare()
    end = _end(game, played.steps, terms)
    if end is None and played.reason in _UNPROVEN:
        end = (None if played.reason == "dispute" else other(game.turn), *stated[1:])
    if end != stated:
        raise ValueError(f"the game ends as {end}, not as {stated}")


Verdict = tuple[Side | None, str, str]


def _lost(side: Side, reason: End, words: str) -> Verdict:
    return other(side), reason, f"{SIDE_NAMES[other(side)]} wins: {SIDE_NAMES[side]} {words}"


def _end(game: Game, steps: Sequence[Step], terms: Terms) -> Verdict | None:
    """The end of the game after the moves played, or ``None``."""
    outcome = game.outcome()
    if outcome is not None:
        return outcome.winner, outcome.reason, str(outcome)
    if (verdict := _adjudicated(game.turn, steps, terms.resignation)) is not None:
        return verdict
    if len(game.moves) >= terms.plies:
        return None, "cap", f"Draw: {terms.plies} moves have been made"
    return None


def _turn(
    player: Player, game: Game, steps: list[Step], terms: Terms, limits: SearchLimits, clocks: list[Clock]
) -> Verdict | None:
    """Ask the player whose turn it is, and make its move; how the game ends if there is none.

    Args:
        steps: the new one joins them. ``limits``: the player's. ``clocks``: of both, if the match has any.
    """
    side = game.turn
    if limits.clocks is not None:
        limits = replace(limits, clocks=(clocks[0], clocks[1]))
    allowed = limits.seconds(side)
    timeout = _NO_LIMIT if allowed is None else allowed + terms.margin + _LATE
    started = perf_counter()
    try:
        answer = player.go(game, limits, timeout)
    except DisputeError as error:
        return None, "dispute", f"Not counted: the rules are in dispute: {error}"
    except EngineError as error:
        return _lost(side, "crash", f"failed: {error}")
    seconds = perf_counter() - started
    if allowed is not None and seconds > allowed + terms.margin:
        return _lost(side, "time", f"took {seconds:.2f} s for a move; {allowed:.2f} s were left")
    if limits.clocks is not None:
        index = SIDES.index(side)
        clock = clocks[index]
        left = clock.left - max(seconds - clock.byoyomi, 0)
        clocks[index] = replace(clock, left=max(left, 0) + clock.increment)
    if answer.word == "resign":
        return _lost(side, "resign", "resigned")
    if answer.word == "win":
        try:
            game.declare()
        except IllegalMoveError as error:
            return _lost(side, "illegal", f"claimed a win: {error}")
        return _end(game, steps, terms)
    try:
        move = player.parse(game.position, answer.word)
    except (IllegalMoveError, NotationError) as error:
        return _lost(side, "illegal", f"made an illegal move: {error}")
    game.push(move)
    steps.append(_step(str(move), answer, seconds))
    return None


def _step(move: str, answer: EngineAnswer, seconds: float) -> Step:
    thought: Thought = answer.thought
    score, mate = (None, None) if thought.bound else (thought.score, thought.mate)  # a bound decides nothing
    return Step(move, score, mate, thought.depth, thought.nodes, thought.nps, round(seconds, 3))


def _worth(step: Step) -> float | None:
    """The player's own score of the position, a forced end beyond every score."""
    if step.mate is not None:
        return float("inf") if step.mate > 0 else float("-inf")
    return step.score


def _seen(steps: Sequence[Step], moves: int) -> list[float] | None:
    """The latest scores of the player of the last of the steps; ``None`` if one is missing."""
    seen = [worth for step in steps[::-2][:moves] if (worth := _worth(step)) is not None]
    return seen if len(seen) == moves else None


def _adjudicated(turn: Side, steps: Sequence[Step], rule: Resignation | None) -> Verdict | None:
    """The end by resignation on the players' own scores, if the terms provide for it."""
    if rule is None:
        return None
    seen = {other(turn): _seen(steps, rule.moves), turn: _seen(steps[:-1], rule.moves)}
    for side, own in seen.items():
        theirs = seen[other(side)]
        hopeless = own is not None and all(worth <= -rule.score for worth in own)
        if hopeless and (not rule.both or (theirs is not None and all(worth >= rule.score for worth in theirs))):
            return _lost(side, "adjudication", f"was at {-rule.score} or worse in {rule.moves} moves")
    return None
