"""Exact regret: it adds up to the results of games, and judges policies as the table does."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import komadai
from helpers.solved import ENDING, solved
from komadai import solve
from komadai.errors import IllegalMoveError, NotationError, SpecError
from komadai.lab import rl
from komadai.lab.rl.measure import value
from komadai.spec.variant import Variant

NANA = komadai.variant("nana")
TABLE = solve.open(NANA)


def first(position: komadai.Position) -> str:
    return min(position.legal_moves().texts())


def test_best_play_has_no_regret_and_random_play_has_much() -> None:
    best = rl.regret(rl.best_policy("nana"), "nana", games=6)
    assert (best.mean, best.error, best.blunders) == (0, 0, 0)
    assert best.moves > 100
    assert best.games == 6
    random = rl.regret(rl.random_policy(3), "nana", games=60)
    assert random.mean > 0.4
    assert abs(random.mean - random.random.mean) < 4 * math.hypot(random.error, random.random.error)
    assert abs(random.mean - random.chance) < 4 * random.error
    assert random.blunders <= random.moves


@pytest.mark.parametrize("seed", range(4))
def test_the_regrets_of_a_game_add_up_to_its_result(seed: int) -> None:
    """With v the value for the first player, each move of the first player lowers v by its regret, others raise it."""
    lots, position = rl.random_policy(seed), komadai.Position("nana")
    at = value(TABLE, position)
    assert at == 1
    while not position.is_game_over():
        mover, before = position.turn, value(TABLE, position)
        position.push(lots(position))
        after = value(TABLE, position)
        assert before is not None
        assert after is not None
        regret = before + after
        assert 0 <= regret <= 2
        at += -regret if mover == "b" else regret
    outcome = position.outcome()
    assert outcome is not None
    assert at == {"b": 1, "w": -1, None: 0}[outcome.winner]


def test_the_figures_are_those_of_moves_judged_one_by_one() -> None:
    positions = list(TABLE.sample(80, 5))
    found = rl.regret(first, NANA, positions=positions)
    losses, chances = [], []
    for position in positions:
        if position.is_game_over():
            continue
        moves = TABLE.moves(position)
        worth = {"win": 1, "draw": 0, "loss": -1}
        best = worth[moves[0].value.outcome]
        losses.append(best - next(worth[one.value.outcome] for one in moves if one.move.text == first(position)))
        chances.append(best - sum(worth[one.value.outcome] for one in moves) / len(moves))
    assert found.moves == found.games == len(losses) > 50
    assert found.mean == pytest.approx(sum(losses) / len(losses))
    assert found.blunders == sum(loss > 0 for loss in losses)
    assert found.chance == pytest.approx(sum(chances) / len(chances))
    spread = sum((loss - found.mean) ** 2 for loss in losses)
    assert found.error == pytest.approx(math.sqrt(spread / (len(losses) - 1) / len(losses)))


def test_a_repetition_that_throws_a_win_away_is_regretted() -> None:
    """A move into the fourth occurrence of a position ends the game, whatever the table says of that position."""
    position = komadai.Position("nana", "1c[cs]/K2/1Ck b b")
    *moves, last = ["3b3a", "1c1b", "3a3b", "1b1c"] * 3
    for move in moves:
        position.push(move)
    assert value(TABLE, position) == 1
    judged = rl.regret(lambda _: last, NANA, positions=[position])
    assert (judged.moves, judged.mean) == (1, 1)
    assert rl.regret(rl.best_policy("nana"), NANA, positions=[position]).mean == 0
    position.push(last)
    assert komadai.Outcome(None, "repetition") == position.outcome()
    assert value(TABLE, position) == 0


def test_policies_on_batches_are_asked_for_all_running_games_at_once() -> None:
    sizes = []

    def chosen(positions: tuple[komadai.Position, ...]) -> list[str]:
        sizes.append(len(positions))
        return list(map(first, positions))

    batched = rl.regret(chosen, "nana", games=70, max_plies=9, batched=True)
    assert batched == rl.regret(first, "nana", games=70, max_plies=9)
    assert sizes[0] == 64
    assert max(sizes) == 64


def test_the_same_seed_gives_the_same_figures_and_another_one_others() -> None:
    one, two, three = (rl.regret(first, "nana", positions=200, seed=seed) for seed in (1, 1, 2))
    assert one == two
    assert one != three


def test_a_single_game_has_no_error_that_could_be_known() -> None:
    assert rl.regret(first, "nana", games=1).error == math.inf


def test_bad_input_is_said_at_once() -> None:
    with pytest.raises(NotationError) as caught:
        rl.regret(first, "nana", games=0, opening=-1, max_plies=0)
    assert [defect.split()[0] for defect in caught.value.defects] == ["games", "opening", "max_plies"]
    with pytest.raises(NotationError, match="positions 0 is out of range"):
        rl.regret(first, "nana", positions=0)
    with pytest.raises(NotationError, match="no position is left"):
        rl.regret(first, "nana", positions=[])
    with pytest.raises(SpecError, match="perpetual check"):
        rl.regret(first, "shogi")
    with pytest.raises(IllegalMoveError, match="the policy chose 'K\\*9z' in '3/3/3 b"):
        rl.regret(lambda _: "K*9z", "nana", opening=0)
    with pytest.raises(NotationError, match="gave 1 moves for 2 positions"):
        rl.regret(lambda _: ["K*2b"], "nana", games=2, opening=0, batched=True)


def test_levels_are_policies() -> None:
    weak, strong = (rl.regret(rl.level_policy("nana", level), "nana", games=8, max_plies=40) for level in (2, 10))
    assert strong.mean == 0
    assert weak.mean > 0.05


@pytest.mark.parametrize("which", ENDING)
def test_a_table_of_what_the_start_leads_to_judges_moves_that_pass_over_a_win(
    which: Variant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = solved(tmp_path, which)
    table = solve.build(which, path=tmp_path / "from-start", threads=1, everything=False)
    monkeypatch.setattr(solve, "open", lambda _variant: table)
    best, lots = rl.best_policy(which), rl.random_policy(1)
    beyond = settled = 0
    for _game in range(60):
        position = komadai.Position(which)
        while not position.is_game_over() and position.ply < 40:
            found = value(table, position)
            assert found in (None, value(whole, position))
            beyond += table.probe(position) is None
            settled += table.probe(position) is None and found is not None
            assert position.is_legal(best(position))
            position.push(lots(position))
    assert beyond > 20
    assert settled > beyond / 2
