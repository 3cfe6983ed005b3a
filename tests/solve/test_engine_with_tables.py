"""The engine in a solved game."""

from __future__ import annotations

import random

import pytest

import komadai
from helpers import perfect_play
from helpers.solved import nana
from helpers.support import random_play, strewn_positions
from helpers.volume import FULL, volume
from komadai.engine import Engine
from komadai.engine.levels import ladder
from komadai.game.position import Position
from komadai.solve.table import MoveValue

# --- The engine -----------------------------------------------------------------------------------------------------


def test_the_engine_is_perfect_at_its_best() -> None:
    engine, table = Engine("nana"), nana()
    for position, _ in random_play(komadai.variant("nana"), 9, volume(150)):
        info, value = engine.search(Position("nana", position.sfen())), table.probe(position)
        assert value is not None
        if info.move is None:
            continue
        best = {move.move for move in table.moves(position) if move.best}
        assert info.move in best
        assert info.mate == {"win": value.distance, "loss": -(value.distance or 0), "draw": None}[value.outcome]


def test_the_engine_wins_the_longest_win() -> None:
    engine = Engine("nana")
    position = Position("nana", nana().hardest(1)[0].position)
    for _ in range(181):
        info = engine.search(position)
        assert info.move is not None
        position.push(info.move)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner == "b"


def test_the_engine_keeps_what_the_table_promises() -> None:
    table, engine = nana(), perfect_play.engine_player(komadai.variant("nana"), 1_000, tables=False)
    for opponent in (engine, perfect_play.keeper(table, random.Random(1))):
        results = perfect_play.hold(table, opponent, 3, 10, seed=1)
        assert (results["loss"], sum(results.values())) == (0, 3)
    assert perfect_play.mate(table, 3, 10, seed=1) == {"promised": 3}


def test_a_level_is_a_share_of_moves_that_lose_value() -> None:
    table = nana()
    values = {
        position.sfen(): {move.move: move for move in table.moves(position)}
        for position, _ in random_play(komadai.variant("nana"), 10, 300)
    }
    values = {text: moves for text, moves in values.items() if len({one.value.outcome for one in moves.values()}) > 1}
    lost = []
    for level in range(1, 11, 1 if FULL else 3):
        engine = Engine("nana", level=level, seed=1)
        bad = 0
        for text, moves in values.items():
            info = engine.search(Position("nana", text))
            assert info.move is not None
            chosen: MoveValue = moves[info.move]
            assert chosen.blunder or chosen.best
            bad += chosen.blunder
        errs = ladder(engine.variant).levels[level].errs if level < 10 else 0.0
        assert bad / len(values) == pytest.approx(errs, abs=0.1)
        lost.append(bad)
    assert lost[-1] == 0


def test_the_engine_does_not_repeat_a_won_position_into_a_draw() -> None:
    """A move that would end the game by repetition is worth a draw, whatever the table says of the position."""
    engine, table = Engine("nana"), nana()
    for position, _ in strewn_positions(komadai.variant("nana"), 11, 2_000):
        value = table.probe(position)
        if value is None or value.outcome != "win" or (value.distance or 0) < 5:
            continue
        cycle = _cycle(position)
        if cycle is None:
            continue
        for _ in range(2):
            for move in cycle:
                position.push(move)
        # The position after the cycle's first move has come up twice; once more and it has done so three times.
        position.push(cycle[0])
        for move in cycle[1:]:
            position.push(move)
        info = engine.search(position)
        assert info.move is not None
        twin = position.copy()
        twin.push(info.move)
        ended = twin.outcome()
        assert ended is None or ended.reason != "repetition" or info.score == 0
        return
    pytest.fail("no position with a cycle has been found")


def _cycle(position: Position) -> list[str] | None:
    """Four plies that lead back to the position."""
    key = position.sfen()

    def search(at: Position, left: int) -> list[str] | None:
        if left == 0:
            return [] if at.sfen() == key else None
        for move in at.legal_moves():
            at.push(move)
            rest = search(at, left - 1)
            at.pop()
            if rest is not None:
                return [str(move), *rest]
        return None

    return search(position.copy(), 4)


def test_the_engine_can_do_without_tables() -> None:
    start = Position("nana", nana().hardest(1)[0].position)
    assert Engine("nana", tables=False).search(start, depth=3).mate is None
    assert Engine("nana").search(start, depth=3).mate == 181
