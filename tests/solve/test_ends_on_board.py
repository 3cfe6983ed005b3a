"""Games that end by what stands on the board, solved whole, and as far as the start leads."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.solved import ENDING, graph_of, solved
from helpers.volume import volume
from komadai import solve
from komadai.game.position import Position
from komadai.spec.variant import Variant


@pytest.mark.parametrize("which", ENDING)
def test_a_table_of_what_the_start_leads_to_has_just_that(which: Variant, folder: Path) -> None:
    whole = solved(folder, which)
    table = solve.build(which, path=folder / f"{which.id}-from-start", threads=2, everything=False)
    graph = graph_of(which, [Position(which).setup()], passing_over=False)
    numbers = {whole._index.find(Position(which, setup)._native) for setup in graph} - {-1}
    assert sum(table.statistics.positions) == len(numbers)
    assert whole.statistics.shares(whole.statistics.reachable) == table.statistics.shares(table.statistics.positions)
    for slot in range(whole._index.size):
        if slot in numbers:
            assert table.number(slot) == whole.number(slot)
        elif whole._index.counts(slot) and not whole._index.is_image(slot):
            assert table.probe(whole.position(slot)) is None
    for one in (whole, table):
        assert not one.audit().wrong
        assert not one.check_by_reference(volume(200, 60), seed=3).wrong
    for position in table.sample(50, seed=4):
        moves = table.moves(position)
        assert moves or position.is_game_over()
        if moves:
            assert moves[0].value == table.probe(position)
