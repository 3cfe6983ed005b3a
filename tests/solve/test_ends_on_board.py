"""Games that end by what stands on the board: solved whole, or as far as the start leads, against brute force."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from helpers.solved import ENDING, HUNT, RACE, solved
from helpers.support import reference_of
from helpers.volume import volume
from komadai import solve
from komadai.game.position import Position
from komadai.solve import Value
from komadai.spec.setup import Setup
from komadai.spec.variant import Variant

Graph = dict[Setup, list[Setup]]


def winner(which: Variant, setup: Setup) -> str | None:
    decided = reference_of(which).decided(setup.board, setup.turn)
    return decided and decided[0]


def graph_of(which: Variant, starts: list[Setup], *, passing_over: bool) -> Graph:
    """Every position that play leads to, with those after each move, by the reference generator.

    Without ``passing_over`` play ends where a capture could end the game.
    """
    oracle, graph, waiting = reference_of(which), Graph(), [replace(setup, ply=1) for setup in starts]
    while waiting:
        setup = waiting.pop()
        if setup in graph:
            continue
        graph[setup] = [replace(oracle.play(setup, move), ply=1) for move in oracle.legal_moves(setup)]
        ends = [oracle.decided(after.board, after.turn) for after in graph[setup]]
        if not passing_over and (setup.turn, "extinction") in ends:
            graph[setup] = []
        waiting += graph[setup]
    return graph


def values_of(which: Variant, graph: Graph) -> dict[Setup, int | None]:
    """Plies to the end of each position, even for a loss and odd for a win, ``None`` for a draw, ply by ply."""
    known: dict[Setup, int | None] = dict.fromkeys(graph)
    for setup in graph:
        if won := winner(which, setup):  # a game that was thrown away is won with the next move
            known[setup] = 1 if won == setup.turn else 0
    for ply in range(len(graph)):
        found = []
        for setup, after in graph.items():
            if known[setup] is None:
                replies = [known[one] for one in after]
                if ply - 1 in replies if ply % 2 else all(reply is not None and reply % 2 for reply in replies):
                    found.append(setup)
        known.update(dict.fromkeys(found, ply))
        if not found and ply > 2 and ply % 2:
            break
    return known


def value(plies: int | None) -> Value:
    return Value("draw", None) if plies is None else Value("win" if plies % 2 else "loss", plies)


@pytest.mark.parametrize(
    "which", [pytest.param(HUNT, id=HUNT.id), pytest.param(RACE, id=RACE.id, marks=pytest.mark.slow)]
)
def test_values_are_those_of_brute_force_where_the_board_ends_games(which: Variant, folder: Path) -> None:
    table = solved(folder, which)
    starts = [Position(which).setup(), *(position.setup() for position in table.sample(volume(20, 6), seed=2))]
    known = values_of(which, graph_of(which, starts, passing_over=True))
    assert len(known) > 100
    if which is HUNT:  # else nothing would see a game thrown away
        assert any(winner(which, setup) == setup.turn for setup in known)
    outcomes = set()
    for setup, plies in known.items():
        if winner(which, setup) is None:
            assert table.probe(Position(which, setup)) == value(plies), setup
            outcomes.add(value(plies).outcome)
    assert outcomes >= {"win", "loss"}
    assert not table.audit().wrong
    assert not table.check_by_reference(volume(200, 60), seed=3).wrong


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
    assert not table.audit().wrong
    assert not table.check_by_reference(100, seed=3).wrong
    for position in table.sample(50, seed=4):
        moves = table.moves(position)
        assert moves or position.is_game_over()
        if moves:
            assert moves[0].value == table.probe(position)
