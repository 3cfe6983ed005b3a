"""Exact regret: how much of the value of solved positions a policy gives away with its moves.

The value of a position for a player is 1 if it is won with best play by both sides, 0 if drawn, -1 if lost. The regret
of a move is the value before it less the value after it, both for the side that makes it: 0 for a move that keeps the
value, 1 or 2 for one that does not.

Example:
    >>> from komadai.lab import rl
    >>> careful = rl.regret(rl.best_policy("nana"), "nana", games=3)
    >>> careful.mean, careful.blunders
    (0.0, 0)
    >>> careful.random.mean > 0.1
    True
"""

from __future__ import annotations

import math
import operator
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial

from ... import solve
from ...engine import Engine
from ...engine.levels import ladder
from ...errors import IllegalMoveError, NotationError
from ...game.position import Position
from ...game.random_moves import any_move, move_that_goes_on
from ...solve import Table
from ...solve.table import WORTH
from ...spec.move import Move
from ...spec.variant import Variant
from ...variants import variant_of
from .answers import DECLARE

Policy = Callable[[Position], Move | str]
"""Chooses a legal move in a position, which it leaves as it is; or the word ``declare``, where a declaration holds."""

BatchPolicy = Callable[[Sequence[Position]], Sequence[Move | str]]
"""Chooses a legal move in each of several positions at once."""

_SIDE_BY_SIDE = 64  # games played at a time
_HASH_MB = 1  # of a level, which forgets between moves


@dataclass(frozen=True, slots=True)
class Score:
    """The regret of a policy.

    Attributes:
        mean: the regret of a move in the mean, 0 to 2.
        error: its standard error; the moves of one game count as one observation, since they depend on each other.
            Infinite where there is but one game or position.
        moves: the moves that were judged. ``games``: the games, or positions, that they come from.
        blunders: the moves with a regret above 0.
        unknown: moves left out because the table has no value after them: they pass over a win at hand.
    """

    mean: float
    error: float
    moves: int
    games: int
    blunders: int
    unknown: int


@dataclass(frozen=True, slots=True)
class Regret(Score):
    """The regret of a policy, with that of moves by chance beside it.

    Attributes:
        chance: the mean regret of a move by chance in the very positions that the policy met, each legal move as
            likely as the others; computed, not drawn.
        random: the regret of random play in games of its own that begin like those of the policy.
    """

    chance: float
    random: Score

    def __str__(self) -> str:
        return (
            f"regret {self.mean:.4f} ± {self.error:.4f} a move ({self.moves} moves of {self.games}, "
            f"{self.blunders} blunders); by chance there {self.chance:.4f}; random play {self.random.mean:.4f}"
        )


def out_of_range(*numbers: tuple[str, object, int]) -> list[str]:
    """The defects of numbers, each with its name and the least that it may be."""
    return [
        f"{name} {number!r} is out of range; expected a whole number, {least} or more"
        for name, number, least in numbers
        if not isinstance(number, int) or number < least
    ]


def value(table: Table, position: Position) -> int | None:
    """The value of a position for the side to move: 1, 0 or -1.

    That of the end of the game where it has ended, by repetition too. Where a table of what the start leads to lacks
    the position, because a move passed over a win at hand, the values after each move decide, if the table has them;
    otherwise ``None``.
    """
    found = _stored(table, position)
    if found is not None or table.everything:
        return found
    after = each_after(position, lambda twin: _stored(table, twin))
    known = [one for one in after if one is not None]
    if -1 in known:
        return 1
    return -min(known) if len(known) == len(after) else None


def _stored(table: Table, position: Position) -> int | None:
    """The value of a position by the table or the end of the game."""
    if (outcome := position.outcome()) is not None:
        return 0 if outcome.winner is None else 1 if outcome.winner == position.turn else -1
    found = table.probe(position)
    return None if found is None else WORTH[found.outcome]


def each_after(position: Position, of: Callable[[Position], int | None]) -> list[int | None]:
    """The answers of a question for the position after each legal move."""
    twin, found = position.copy(), []
    for move in position.legal_moves():
        twin.push(move)
        found.append(of(twin))
        twin.pop()
    return found


def random_policy(seed: int = 0) -> Policy:
    """The policy that makes any legal move, each as likely as the others; ``seed`` makes it repeatable."""
    return partial(any_move, random.Random(operator.index(seed)))


class LevelPolicy:
    """The policy of the engine at a level: what it does follows from the position and its chance alone.

    It declares where that wins. Copies are independent, and go on with the same chance.
    """

    def __init__(self, variant: Variant, level: int, seed: int, *, tables: bool = True) -> None:
        self._settings = variant, level, seed, tables
        if tables:
            solve.obtain(variant)
        self._engine = Engine(variant, level=level, seed=seed, tables=tables, hash_mb=_HASH_MB)

    def __call__(self, position: Position) -> Move | str:
        if position.can_declare():
            return DECLARE
        self._engine.clear()
        # The strongest level has no limit of its own.
        move = self._engine.search(position, nodes=ladder(position.variant).nodes).move
        if move is None:
            raise NotationError("policy", ["there is no legal move to choose"])
        return move

    def __deepcopy__(self, memo: object) -> LevelPolicy:
        variant, level, seed, tables = self._settings
        twin = LevelPolicy(variant, level, seed, tables=tables)
        twin._engine.chance = self._engine.chance
        return twin


def level_policy(game: str | Variant, level: int, *, seed: int = 0, tables: bool = True, **options: str) -> Policy:
    """The policy of the engine at a level, 1 to 10; it declares where that wins.

    Args:
        game: a variant, or its name with rule ``options``.
        level: 10, which has no limit of its own, looks at as many positions as where the levels are measured.
        seed: makes its chance repeatable. ``tables``: false: it searches although the game is solved.

    Raises:
        NotationError: unknown game, option or level.
    """
    return LevelPolicy(variant_of(game, options), level, seed, tables=tables)


def best_policy(game: str | Variant, **options: str) -> Policy:
    """The policy that plays by the table of a solved game: wins soonest, holds a draw, loses latest.

    Where a table of what the start leads to lacks the position, it makes a move to the best value that the table has.

    Raises:
        NotationError: unknown game or option.
        SpecError: there is no table of it.
    """
    return partial(_best_move, solve.open(variant_of(game, options)))


def _best_move(table: Table, position: Position) -> Move:
    twin, ranked = position.copy(), []
    moves = [(known.move, known.value.rank) for known in table.moves(position)]
    for move, rank in moves or [(move, (0, 0)) for move in position.legal_moves()]:
        twin.push(move)
        after = value(table, twin)  # a repetition may have ended the game
        twin.pop()
        ranked.append((-1 if after is None else -after, rank, move))
    return max(ranked, key=lambda one: one[:2])[2]


def regret(
    policy: Policy | BatchPolicy,
    game: str | Variant,
    *,
    games: int = 100,
    opening: int = 4,
    positions: int | Iterable[Position] | None = None,
    max_plies: int = 512,
    seed: int = 0,
    batched: bool = False,
    table: Table | None = None,
    **options: str,
) -> Regret:
    """The exact regret of a policy in a solved game, over games with itself or over positions.

    Args:
        policy: a callable on a :class:`~komadai.Position`; with ``batched`` one on a sequence of them. It must not
            change them.
        game: a variant, or its name with rule ``options``.
        games: the number of games that it plays, both sides of each, 1 or more.
        opening: plies by chance at the beginning of a game, which are not judged, so that the games differ.
        positions: judge a single move in each of these positions instead; a number takes so many of the legal positions
            of the table at random, each as likely as the others, whether they can be reached or not.
        max_plies: the plies after which a game is broken off.
        seed: makes openings, positions and random play repeatable.
        table: the game's table; by default that of :func:`komadai.solve.open`.

    Raises:
        NotationError: unknown game or option, or a number out of range; every defect at once.
        SpecError: the game has no table.
        IllegalMoveError: the policy made an illegal move; the message says where and why.
    """
    defects = out_of_range(("games", games, 1), ("opening", opening, 0), ("max_plies", max_plies, 1))
    if isinstance(positions, int) and positions < 1:
        defects.append(f"positions {positions!r} is out of range; expected 1 or more, or positions")
    if defects:
        raise NotationError("regret", defects)
    variant = variant_of(game, options)
    known = table or solve.open(variant)
    starts: list[Position]
    if positions is None:
        starts, plies = (
            [opening_position(variant, opening, random.Random(f"{seed} {number}")) for number in range(games)],
            max_plies,
        )
    else:
        given = known.sample(positions, seed) if isinstance(positions, int) else positions
        starts, plies = [position.copy() for position in given if not position.is_game_over()], 1
    if not starts:
        raise NotationError("regret", ["no position is left to judge a move in"])
    lots = random_policy(seed)
    ours = _judged(_batch(policy, batched), known, starts, plies)
    theirs = _judged(_batch(lots, False), known, starts, plies)
    score, other = score_of(ours.by_game, ours.unknown), score_of(theirs.by_game, theirs.unknown)
    return Regret(**asdict(score), chance=ours.chance / max(score.moves, 1), random=other)


def _batch(policy: Policy | BatchPolicy, batched: bool) -> BatchPolicy:
    if batched:
        return policy  # type: ignore[return-value]
    return lambda positions: [policy(position) for position in positions]  # type: ignore[arg-type, misc]


def opening_position(variant: Variant, plies: int, chance: random.Random) -> Position:
    """The start of the variant after so many moves by chance, fewer where every move would end the game."""
    position = Position(variant)
    for _ in range(plies):
        position.push(move_that_goes_on(chance, position))
        if position.is_game_over():
            position.pop()
            break
    return position


@dataclass(slots=True)
class _Sums:
    """Sums over the judged moves; the regrets by game."""

    by_game: list[list[int]]
    chance: float = 0.0
    unknown: int = 0


def score_of(by_game: Sequence[Sequence[int]], unknown: int = 0) -> Score:
    """The score from the regrets of all moves, game by game."""
    judged = [regrets for regrets in by_game if regrets]
    games, moves = len(judged), sum(map(len, judged))
    mean, error = sum(map(sum, judged)) / max(moves, 1), math.inf
    if games > 1:
        # The error of a ratio of sums over games, which are independent.
        spread = sum((sum(regrets) - mean * len(regrets)) ** 2 for regrets in judged)
        error = math.sqrt(spread * games / (games - 1)) / moves
    blunders = sum(regret > 0 for regrets in judged for regret in regrets)
    return Score(mean, error, moves, games, blunders, unknown)


def _judged(policy: BatchPolicy, table: Table, starts: Sequence[Position], plies: int) -> _Sums:
    """Play on from the starts, so many plies at most, and judge every move."""
    sums = _Sums([[] for _ in starts])
    for first in range(0, len(starts), _SIDE_BY_SIDE):
        running = {number: starts[number].copy() for number in range(first, min(first + _SIDE_BY_SIDE, len(starts)))}
        for _ in range(plies):
            running = {number: position for number, position in running.items() if not position.is_game_over()}
            if not running:
                break
            moves = policy(tuple(running.values()))
            if len(moves) != len(running):
                raise NotationError("policy", [f"gave {len(moves)} moves for {len(running)} positions"])
            for (number, position), move in zip(running.items(), moves, strict=True):
                _judge(sums, table, number, position, move)
    return sums


def _judge(sums: _Sums, table: Table, number: int, position: Position, move: Move | str) -> None:
    """Make a move in a game and add its regret."""
    before = value(table, position)
    options = [-after for after in each_after(position, lambda twin: value(table, twin)) if after is not None]
    try:
        position.push(move)
    except (IllegalMoveError, NotationError) as error:
        raise IllegalMoveError(f"the policy chose {str(move)!r} in {position.sfen()!r}: {error}") from None
    after = value(table, position)
    if before is None or after is None:
        sums.unknown += 1
        return
    sums.by_game[number].append(before + after)
    sums.chance += before - sum(options) / len(options)
