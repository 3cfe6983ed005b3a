"""Puzzles proved and made."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import komadai
from helpers.puzzles import EXTINCTION
from helpers.support import needs_processes
from helpers.workers import Here
from komadai.app.puzzles import Puzzle, Theme, check, files, mine
from komadai.app.puzzles.mine import Choice
from komadai.app.puzzles.self_play import SelfPlay
from komadai.app.puzzles.themes import provers
from komadai.engine import Engine
from komadai.engine.forced_win import attack, defend
from komadai.errors import NotationError, PuzzleError
from komadai.game.position import Position
from komadai.lab.jobs import LocalPool, rates
from komadai.variants import build

SHIPPED = sorted(path.stem for path in files.path_of(komadai.variant("nana")).parent.glob("*.tsv"))
WANTED = 6


@pytest.mark.parametrize("game", SHIPPED)
def test_a_sample_of_the_package_is_proved_again(game: str) -> None:
    puzzles = komadai.app.puzzles.load(game)
    sample = puzzles[:: len(puzzles) // 5]
    assert [defect for defect in check(sample) if defect is not None] == []


def wrong(puzzle: Puzzle) -> str:
    defect = next(check([puzzle]))
    return "" if defect is None else defect.why


def test_wrong_puzzles_are_found() -> None:
    mate = Puzzle(build("shogi"), "7nk/9/5G2P/9/9/9/9/9/4K4 b G", "mate", ("G*1b",), 0)
    assert wrong(mate) == ""
    assert wrong(replace(mate, solution=("G*2b",))) == "its solution does not end with the win"
    assert wrong(replace(mate, solution=("G*1a",))).startswith("it cannot be played: ")
    two = replace(mate, position="8k/9/7GP/9/9/9/9/9/4K4 b G", solution=("G*2b",))
    assert wrong(two) == "that G*2b alone is right is not proved"
    assert wrong(replace(mate, theme="table")) == "there is nothing to prove the theme 'table' with"


def legal(position: Position) -> list[Position]:
    after = []
    for move in position.legal_moves():
        after.append(position.copy())
        after[-1].push(move)
    return after


def wins(position: Position, turns: int) -> bool:
    """Whether the side to move wins within so many turns, by trying everything."""
    side = position.turn
    for after in legal(position):
        outcome = after.outcome()
        if outcome is not None and outcome.winner == side:
            return True
        if outcome is None and turns > 1:
            replies = legal(after)
            if all(
                wins(reply, turns - 1) if (end := reply.outcome()) is None else end.winner == side for reply in replies
            ):
                return True
    return False


def test_forced_wins_are_those_that_trying_everything_finds() -> None:
    found = set()
    for game, seed in (("nana", 1), ("ki", 2), ("ki-unicorn", 3)):
        position = Position(game)
        for ply in range(60):
            if position.is_game_over():
                break
            moves = sorted(map(str, position.legal_moves()))
            if len(moves) < 25:
                bare = Position(game, position.setup())
                answer = attack(bare, 2, 10**6)
                assert answer.known
                assert [attack(bare, turns, 10**6).turns > 0 for turns in (1, 2)] == [wins(bare, 1), wins(bare, 2)]
                found.add(answer.turns)
            position.push(moves[(seed * 7919 + ply * 104729) % len(moves)])
    assert {0, 1} <= found


def test_extinction_within_two_turns() -> None:
    puzzle = EXTINCTION
    assert wrong(puzzle) == ""
    position = puzzle.start()
    found = attack(position, 2, 10**7, every=True)
    assert (found.known, found.turns, list(map(str, found.firsts))) == (True, 2, [puzzle.solution[0]])
    assert not attack(position, 1, 10**7).turns
    position.push(puzzle.solution[0])
    assert defend(position, 1, 10**7).turns == 1
    for reply in position.legal_moves():
        after = position.copy()
        after.push(reply)
        win = after._native.winning_move()
        assert win is not None
    other = puzzle.start()
    other.push(next(move for move in other.legal_moves() if move != puzzle.solution[0]))
    escape = defend(other, 1, 10**7)
    assert escape.turns == 0
    other.push(escape.pv[0])
    assert not attack(other, 1, 10**7).turns


def test_searches_for_forced_wins_end_with_their_nodes() -> None:
    assert not attack(Position("ko"), 3, 1_000).known
    with pytest.raises(NotationError, match="0 turns are out of range; expected 1 to 20"):
        attack(Position("ko"), 0, 1)


@pytest.mark.parametrize(
    ("game", "theme", "workers"), [("nana", None, 1), pytest.param("micro", "mate", 2, marks=needs_processes)]
)
def test_the_same_seed_finds_the_same_puzzles_whatever_the_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, theme: Theme | None, workers: int
) -> None:
    monkeypatch.setattr(rates, "LENGTH", 1)  # workers look at few games that are not needed
    variant = build(game)
    once = mine(variant, WANTED, theme=theme, seed=3)
    assert len(once) == WANTED
    assert [defect for defect in check(once[:2]) if defect] == []
    state = tmp_path / "state"
    assert mine(variant, 3, theme=theme, seed=3, state=state) == once[:3]
    known = state.read_text(encoding="utf-8")
    state.write_text(known + '{"number": 3', encoding="utf-8")  # an interruption
    pool = LocalPool(workers) if workers > 1 else None
    assert mine(variant, WANTED, theme=theme, seed=3, state=state, pool=pool) == once
    if pool is not None:
        pool.close()
    assert state.read_text(encoding="utf-8").startswith(known)
    assert mine(variant, WANTED, theme=theme, seed=3, state=state) == once, "what an interruption left is gone"
    with pytest.raises(PuzzleError, match="holds a search with other settings"):
        mine(variant, 1, theme=theme, seed=4, state=state)
    for line in ("what", "[" * 5_000 + "]" * 5_000):
        state.write_text(f"{known}{line}\n", encoding="utf-8")
        with pytest.raises(PuzzleError, match=r"line \d+ is no part of a search for puzzles"):
            mine(variant, 1, theme=theme, seed=3, state=state)
    with pytest.raises(PuzzleError, match=r"line \d+ is no part of a search for puzzles"):
        mine(variant, 1, theme=theme, seed=3, state=state)


@pytest.mark.parametrize("game", ["shogi", pytest.param("mortal", marks=pytest.mark.slow)])
def test_mates_are_mined_from_games(game: str) -> None:
    found = mine(build(game), 2, theme="mate", most_games=60)
    assert len(found) == 2
    assert any(puzzle.plies > 1 for puzzle in found)
    assert [defect for defect in check(found) if defect] == []


def test_forced_wins_are_looked_for_where_the_winner_was_to_move() -> None:
    variant = build("ki")
    (solver,) = provers(variant, "win")
    game = SelfPlay(variant, 7).game(0)
    assert game.outcome() is not None
    found = list(solver.candidates(game))
    assert {attack(position, 4, 10**5).turns for position in found} >= {2, 3}


def test_a_mate_that_leaves_useless_drops_is_no_puzzle() -> None:
    """Against every defence it takes five plies, and so does a line whose end can still be put off by drops."""
    (solver,) = provers(build("shogi"), "mate")
    text = "lnk6/2s1+R4/ppp4p1/4p1p2/2Pp5/1P1R2PP1/P2PP1G1+p/1SGK2S2/LN3G1NL b GLPbs2p"
    assert solver.prove(Position("shogi", text)) is None


def test_a_theme_that_a_game_lacks_is_refused() -> None:
    with pytest.raises(PuzzleError, match="shogi has no puzzles of the theme 'table': its solver is missing"):
        mine(build("shogi"), 1, theme="table")


def test_the_puzzles_of_a_file_are_of_many_lengths() -> None:
    variant = build("shogi")
    (solver,) = provers(variant, "mate")
    choice = Choice([solver], 10)
    choice.take([Puzzle(variant, str(number), "mate", ("x",), 0) for number in range(10)])
    assert len(choice.puzzles) == 2
    choice.take([Puzzle(variant, str(number), "mate", ("x",) * 3, 0) for number in range(10)])
    assert len(choice.puzzles) == 6


def test_at_most_half_of_the_puzzles_of_a_file_are_of_one_theme() -> None:
    variant = build("shogi")
    choice = Choice(provers(variant), 10)
    choice.take([Puzzle(variant, str(number), "defence", ("x",), 0) for number in range(10)])
    assert len(choice.puzzles) == 5
    choice.take([Puzzle(variant, f"{number} ", "only", ("x",), 0) for number in range(10)])
    assert choice.complete


def test_a_defence_is_the_only_move_that_is_not_mated() -> None:
    (puzzle, *_others) = mine(build("shogi"), 1, theme="defence")
    engine, position = Engine(puzzle.variant, tables=False), puzzle.start()
    outcomes = {}
    for move in position.legal_moves():
        position.push(move)
        outcomes[str(move)] = engine.mate(position, nodes=10**6).outcome
        position.pop()
    assert outcomes.pop(puzzle.solution[0]) == "no mate"
    assert set(outcomes.values()) == {"mate"}


@pytest.mark.parametrize("theme", ["material", "only"])
def test_what_a_search_judges_holds_with_ten_times_its_nodes(theme: Theme) -> None:
    (puzzle, *_others) = mine(build("mortal"), 1, theme=theme)
    found = Engine(puzzle.variant, tables=False).search(puzzle.start(), nodes=10**6, multipv=2)
    assert str(found.move) == puzzle.solution[0]
    assert found.score - found.multipv[1].score >= 200
    assert [defect for defect in check([puzzle]) if defect] == []


def test_a_worker_that_lies_about_puzzles_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "LENGTH", 0.1)  # threads end when their job does, however long that is
    variant = build("micro")

    def lie(answer: dict[str, Any]) -> dict[str, Any]:
        answer["result"][0] = ["what"]
        return answer

    log: list[str] = []
    with closing(Here(lie)) as pool:
        pool.log = log.append
        assert mine(variant, 2, seed=3, pool=pool) == mine(variant, 2, seed=3)
    assert len(log) == 1
    assert log[0].startswith("bent is refused: its answer cannot be right: ")


def test_a_capture_that_pays_at_once_is_no_task() -> None:
    variant = build("shogi")
    (solver,) = provers(variant, "material")
    assert solver.prove(Position(variant, "2g1k1g2/9/9/9/4r4/9/4P4/4R4/3K5 b -")) is None
    found = mine(variant, 2, theme="material", most_games=60)
    assert found
    assert all(puzzle.plies >= 3 for puzzle in found)


def test_wins_of_a_game_whose_moves_take_long_to_try_are_mined() -> None:
    found = mine(build("annan"), 1, theme="win", most_games=12)
    assert [defect for defect in check(found) if defect] == []
    assert [puzzle.theme for puzzle in found] == ["win"]


def test_a_proof_may_take_more_nodes() -> None:
    nodes = [[one.nodes for one in provers(build("shogi"), times=times)] for times in (1, 10)]  # type: ignore[attr-defined]
    assert nodes[1] == [10 * few for few in nodes[0]]
