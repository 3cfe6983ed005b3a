"""Goals in the search: it agrees with trying every move, in every game that is won by a goal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

import pytest

import komadai
from helpers.brute_force import can_win, must_lose
from helpers.madeup.goals import CONTESTS, POST, WALK
from helpers.support import random_play
from helpers.volume import FULL, volume
from komadai.engine import Engine
from komadai.engine.forced_win import attack, defend
from komadai.errors import IllegalPositionError
from komadai.game.position import Position
from komadai.spec.move import Move
from komadai.spec.variant import Variant

GAMES = [
    *(pytest.param(variant, id=variant.id) for variant in CONTESTS),
    *(
        pytest.param(komadai.variant(name), id=name)
        for name in komadai.variants(shelf=True)
        if komadai.variant(name).wins_if is not None
    ),
]
DEEPEST = 4 if FULL else 3  # plies
ENOUGH = 30_000  # positions, of trying every move


def positions(variant: Variant, seed: int, number: int) -> Iterator[Position]:
    """Positions of random games that are not over."""
    for position, _ in random_play(variant, seed, number):
        if position.outcome() is not None:
            continue
        with suppress(IllegalPositionError):  # beside a king, what else a side needs may be attacked in play alone
            yield Position(variant, position.sfen())


def end_of(position: Position) -> int | None:
    """Plies to a win (above 0) or a loss (below 0) that is forced within :data:`DEEPEST`, by trying every move; 0 where
    that takes too long."""
    for plies in range(1, DEEPEST + 1):
        wins = plies % 2 == 1
        found = (attack if wins else defend)(position, (plies + 1) // 2, ENOUGH)
        if not found.known:
            return 0
        if found.turns:
            return plies if wins else -plies
    return None


@pytest.mark.parametrize("variant", GAMES)
def test_the_search_claims_what_trying_every_move_finds(variant: Variant) -> None:
    engine, seen = Engine(variant, tables=False), Counter[int | None]()
    for position in positions(variant, 7, volume(250, part=25)):
        end = end_of(position)
        seen[end] += 1
        if end == 0:
            continue
        for depth in range(2, DEEPEST + 1):
            claim = engine.search(position, depth=depth).mate
            if end is not None and abs(end) <= depth:
                assert claim == end, (position.sfen(), depth)
            elif end is None:
                assert claim is None or abs(claim) > DEEPEST, (position.sfen(), depth)
            else:  # beyond the depth a claim may be longer than need be, and is as true
                assert claim is None or (claim * end > 0 and abs(claim) >= abs(end)), (position.sfen(), depth)
    assert seen[None] + seen[1] + seen[-2] > 0


def ends_by_goal(position: Position, move: Move) -> bool:
    """Whether a move reaches a goal. A search of depth 1 must foresee a goal, but not a checkmate, in the reply."""
    after = position.copy()
    after.push(move)
    return after.outcome() in (komadai.Outcome("b", "goal"), komadai.Outcome("w", "goal"))


@pytest.mark.parametrize("variant", GAMES)
def test_no_move_lets_the_opponent_reach_a_goal_if_another_holds(variant: Variant) -> None:
    engine = Engine(variant, tables=False)
    for position in positions(variant, 8, volume(100, part=50)):
        if attack(position, 1, ENOUGH).turns or defend(position, 1, ENOUGH).turns:
            continue
        for limit in ({"depth": 1}, {"depth": 5}, {"nodes": 2_000}):
            move = engine.search(position, **limit).move  # type: ignore[arg-type]
            assert move is not None
            position.push(move)
            wins = attack(position, 1, ENOUGH, every=True).firsts if position.outcome() is None else ()
            lost = any(limit != {"depth": 1} or ends_by_goal(position, win) for win in wins)
            position.pop()
            assert not lost, (position.sfen(), limit, str(move))


def test_a_check_that_lets_the_opponent_reach_a_goal_is_no_mate() -> None:
    # The rook leaves the file on which it attacked the silver, which is safe from then on: White has won.
    position = Position(POST, "4k/5/2R2/5/K1s2 b -")
    assert Engine(POST).mate(position).outcome == "no mate"
    assert Engine(POST).search(position, depth=4).mate is None
    after = position.copy()
    after.push("3c1c")
    assert after.outcome() == komadai.Outcome("w", "goal")


def test_a_forced_win_may_be_a_goal() -> None:
    wins = 0
    for position in positions(WALK, 5, 60):
        if sum(1 for _ in position.legal_moves()) > 25:
            continue
        wins += can_win(position, 3)
        assert bool(attack(position, 2, 10**6).turns) == can_win(position, 3), position.sfen()
        assert bool(defend(position, 1, 10**6).turns) == must_lose(position, 2), position.sfen()
    assert wins
