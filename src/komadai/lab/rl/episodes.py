"""Games that a policy plays with itself, in this process, in others, or on other machines.

The games of a number and a seed are the same wherever they are played, and come in the order of their numbers.

Example:
    >>> from komadai.lab import rl
    >>> first, second = rl.self_play("komadai.lab.rl.episodes:by_chance", "nana", 2, seed=3)
    >>> first.number, second.number, first.start == second.start
    (0, 1, False)
"""

from __future__ import annotations

import random
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import Any

from ...errors import IllegalMoveError, KomadaiError, NotationError
from ...game.position import Position
from ...spec.board import Side
from ...spec.variant import Variant
from ...variants import variant_of
from ..jobs import Job, JobAnswer, LocalPool, Pool, Rates, Runner, UnfitError
from .answers import DECLARE
from .measure import Policy, opening_position, out_of_range, random_policy

PolicyMaker = Callable[[Variant, bytes], Callable[[int], Policy]]
"""Makes from a game and parameters what begins a game: a callable that takes a seed and returns the policy for both
sides of one game. All chance in it must come from that seed."""

_WORK = f"{__name__}:work"


@dataclass(frozen=True, slots=True)
class Episode:
    """A game of a policy with itself.

    Attributes:
        number: its number, from 0. ``start``: the position string after the opening.
        moves: the move strings from there.
        winner: ``"b"``, ``"w"``, or ``None`` for a draw or a game that was broken off.
        reason: what ended it, as ``Position.outcome()`` names it, or ``declaration``; empty if it was broken off.
    """

    number: int
    start: str
    moves: tuple[str, ...]
    winner: Side | None
    reason: str


@dataclass(frozen=True, slots=True)
class _Plan:
    """All that games depend on besides the rules; ``parameters`` in Base64."""

    policy: str
    parameters: str
    seed: int
    opening: int
    max_plies: int


def by_chance(variant: Variant, parameters: bytes) -> Callable[[int], Policy]:
    """A :data:`PolicyMaker` for random play, which needs no parameters."""
    return random_policy


def self_play(
    policy: str,
    game: str | Variant,
    games: int,
    *,
    parameters: bytes = b"",
    seed: int = 0,
    opening: int = 4,
    max_plies: int = 512,
    workers: int = 0,
    cluster: str = "",
    log: Callable[[str], object] = lambda line: None,
    **options: str,
) -> Iterator[Episode]:
    """Have a policy play with itself.

    Args:
        policy: the :data:`PolicyMaker` as ``module:function``, which every worker must be able to import.
        game: a variant, or its name with rule ``options``.
        games: the number of games, 1 or more.
        parameters: given to the maker, for example the weights of a network as bytes. They travel with every job.
        seed: makes the games repeatable.
        opening: plies by chance at the beginning of a game.
        max_plies: the plies after which a game is broken off, those of the opening apart.
        workers: play by so many processes of this machine; 0: in this one.
        cluster: play by the cluster of Dask with that scheduler, as ``tcp://host:8786`` (extra ``cluster``).
        log: is given a line on workers that are refused or lost.

    Raises:
        NotationError: unknown game, option or policy, a number out of range, or both workers and a cluster; every
            defect at once.
        IllegalMoveError: the policy made an illegal move, in this process; the message says where and why.
        JobError: it did so at a worker, workers disagree, or none is left.
    """
    numbers = ("games", games, 1), ("opening", opening, 0), ("max_plies", max_plies, 1), ("workers", workers, 0)
    defects = out_of_range(*numbers)
    if workers and cluster:
        defects.append("workers are processes of this machine; leave them out with a cluster")
    try:
        _maker(policy)
    except UnfitError as error:
        defects.append(str(error))
    if defects:
        raise NotationError("self_play", defects)
    variant = variant_of(game, options)
    plan = _Plan(policy, b64encode(parameters).decode(), seed, opening, max_plies)
    return _episodes(variant, plan, games, workers, cluster, log)


def _episodes(
    variant: Variant, plan: _Plan, games: int, workers: int, cluster: str, log: Callable[[str], object]
) -> Iterator[Episode]:
    if not workers and not cluster:
        begin = _begin(variant, plan)
        for number in range(games):
            yield _played(variant, plan, begin, number)
        return
    pool: Pool
    if cluster:
        from ..jobs.cluster import ClusterPool

        pool = ClusterPool(cluster)
    else:
        pool = LocalPool(workers)
    pool.log = log
    waiting: dict[int, Episode] = {}
    shown = 0
    runner = Runner(pool, Rates(games), lambda job, answer: _read(variant, plan, job, answer))

    def job(numbers: Sequence[int]) -> Job:
        return Job(_WORK, variant, {**asdict(plan), "first": numbers[0], "count": len(numbers)}, len(numbers))

    try:
        with closing(runner.run(runner.split(range(games), job))) as done:
            for _job, episodes in done:
                waiting.update((episode.number, episode) for episode in episodes)
                while shown in waiting:
                    yield waiting.pop(shown)
                    shown += 1
    finally:
        pool.close()


def work(variant: Variant, content: Mapping[str, Any]) -> tuple[Any, Any]:
    """Play the games of a job, at a worker."""
    plan = _Plan(*(content[name] for name in _Plan.__slots__))
    begin = _begin(variant, plan)
    numbers = range(content["first"], content["first"] + content["count"])
    return [asdict(_played(variant, plan, begin, number)) for number in numbers], None


def _maker(name: str) -> PolicyMaker:
    """The maker of that name.

    Raises:
        UnfitError: it cannot be imported here.
    """
    module, _colon, function = name.partition(":")
    if not module or not function:
        raise UnfitError(f"policy {name!r} names no function; expected module:function")
    try:
        found: PolicyMaker = getattr(import_module(module), function)
    except (ImportError, AttributeError) as error:
        raise UnfitError(f"policy {name!r} cannot be imported: {error}") from None
    return found


def _begin(variant: Variant, plan: _Plan) -> Callable[[int], Policy]:
    return _maker(plan.policy)(variant, b64decode(plan.parameters))


def _played(variant: Variant, plan: _Plan, begin: Callable[[int], Policy], number: int) -> Episode:
    """Play a game.

    Raises:
        IllegalMoveError: the policy made an illegal move.
    """
    chance = random.Random(f"{plan.seed} {number}")
    position = Position(variant, opening_position(variant, plan.opening, chance).sfen(ply=True))
    policy, start, moves = begin(chance.getrandbits(63)), position.sfen(ply=True), list[str]()
    while len(moves) < plan.max_plies and not position.is_game_over():
        chosen = policy(position)
        if chosen == DECLARE and position.declaration() is not None:
            return _ended(position, number, start, tuple(moves), declared=True)
        try:
            position.push(chosen)
        except (IllegalMoveError, NotationError) as error:
            raise IllegalMoveError(f"the policy chose {str(chosen)!r} in {position.sfen()!r}: {error}") from None
        moves.append(str(position.move_stack[-1]))
    return _ended(position, number, start, tuple(moves))


def _ended(position: Position, number: int, start: str, moves: tuple[str, ...], *, declared: bool = False) -> Episode:
    outcome = position.declaration() if declared else position.outcome()
    winner, reason = (None, "") if outcome is None else (outcome.winner, outcome.reason)
    return Episode(number, start, moves, winner, reason)


def _read(variant: Variant, plan: _Plan, job: Job, answer: JobAnswer) -> list[Episode]:
    """The games that a worker says it has played.

    Raises:
        ValueError: they cannot have been.
    """
    found = []
    for number, data in enumerate(answer.result, job.content["first"]):
        try:
            position = Position(variant, data["start"])
            for move in data["moves"]:
                position.push(str(move))
        except KomadaiError as error:
            raise ValueError(str(error)) from None
        moves = tuple(map(str, data["moves"]))
        episode = _ended(position, number, data["start"], moves, declared=data.get("reason") == "declaration")
        if asdict(episode) != {**data, "moves": episode.moves} or not (
            episode.reason or len(episode.moves) == plan.max_plies
        ):
            raise ValueError(f"game {number} did not end so")
        found.append(episode)
    if len(found) != job.size:
        raise ValueError(f"{len(found)} games; expected {job.size}")
    return found
