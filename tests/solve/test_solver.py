"""Solved games: the index, and the solver against brute force."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import komadai
from helpers.solved import (
    ENDING,
    HELD,
    HUNT,
    LOPSIDED,
    MIDDLING,
    ONE,
    RACE,
    SMALL,
    TINY,
    graph_of,
    mirrored,
    solved,
    turned,
    values_of,
    winner,
)
from helpers.volume import FULL, volume
from komadai import _core, solve
from komadai.compiler import compile_variant
from komadai.errors import KomadaiError, SpecError
from komadai.game.position import Position
from komadai.solve import Value
from komadai.solve.shape import index_of, shape_of
from komadai.spec import Condition, Count, Squares, Stands
from komadai.spec.setup import Setup
from komadai.spec.variant import Variant

# --- The index ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("which", SMALL)
def test_every_number_is_one_position(which: Variant) -> None:
    shape, compiled = shape_of(which), compile_variant(which)
    index = index_of(compiled, shape)
    seen: dict[Setup, int] = {}
    images = 0
    for slot in range(index.size):
        position = index.position(slot)
        setup = _setup(compiled, position)
        assert setup not in seen, "two numbers for one position"
        seen[setup] = slot
        found = index.find(position)
        if index.is_image(slot):
            images += 1
            assert found < slot
            assert _setup(compiled, index.position(found)) == mirrored(which, setup)
        else:
            assert found == slot
        assert not (index.is_image(slot) and index.counts(slot))
    # Every arrangement there is has been met: its image, its mirror image or both.
    assert index.main == shape.size
    assert (images > 0) is (shape.mirror and which.board.width % 2 == 1), "a middle file for both kings"
    for setup in seen:
        if shape.mirror:
            image = mirrored(which, setup)
            assert image in seen or _index_of_setup(compiled, index, image) == seen[setup]


def _setup(compiled: object, native: _core.Position) -> Setup:
    return Position._around(compiled, native).setup()  # type: ignore[arg-type]


def _index_of_setup(compiled: object, index: _core.TableIndex, setup: Setup) -> int:
    try:
        return index.find(Position(compiled.variant, setup)._native)  # type: ignore[attr-defined]
    except KomadaiError:
        # A king stands attacked: no Position, but still a number.
        sides = {"b": 0, "w": 1}
        board = [compiled.piece(p.code, p.side) if p else 0 for p in setup.board]  # type: ignore[attr-defined]
        native = _core.Position(compiled.rules, board, [list(hand) for hand in setup.hands], sides[setup.turn])  # type: ignore[attr-defined]
        return index.find(native)


def test_numbers_of_nana_are_as_counted_elsewhere() -> None:
    """39 413 295 positions with both kings on the board up to symmetry, by Burnside's lemma (one half of 78 818 184 and
    of the 8 406 that are their own mirror image), and the opening: empty, and one king on five squares."""
    shape = shape_of(komadai.variant("nana"))
    assert shape.size == 39 * 1_094_697  # pairs of kings up to mirroring, times the ways to place the cubes
    index = index_of(compile_variant(komadai.variant("nana")), shape)
    assert (index.main, index.size) == (shape.size, shape.size + 6)


def test_numbers_of_nana_at_random() -> None:
    compiled = compile_variant(komadai.variant("nana"))
    index = index_of(compiled, shape_of(compiled.variant))
    chance = random.Random(1)
    for _ in range(3_000 if FULL else 500):
        slot = chance.randrange(index.size)
        position = index.position(slot)
        assert (index.find(position) == slot) is not index.is_image(slot)
        setup = _setup(compiled, position)
        for same in (turned(setup), mirrored(compiled.variant, setup), turned(mirrored(compiled.variant, setup))):
            assert _index_of_setup(compiled, index, same) == index.find(position)


# --- The solver against brute force ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("which", "samples", "least"),
    [
        *((one, 400 if FULL else 60, 500) for one in (TINY, HELD, LOPSIDED)),
        (ONE, volume(20, 6), 1_000),
        (HUNT, volume(20, 6), 100),
        pytest.param(RACE, volume(20, 6), 100, marks=pytest.mark.slow),
    ],
    ids=lambda value: getattr(value, "id", ""),
)
def test_values_are_those_of_brute_force(which: Variant, samples: int, least: int, folder: Path) -> None:
    table = solved(folder, which)
    starts = [Position(which).setup(), *(position.setup() for position in table.sample(samples, seed=2))]
    known = values_of(which, graph_of(which, starts))
    assert len(known) > least
    # Else nothing would see a game thrown away.
    assert which is not HUNT or any(winner(which, setup) == setup.turn for setup in known)
    going_on = {setup: value for setup, value in known.items() if winner(which, setup) is None}
    for setup, value in going_on.items():
        assert table.probe(Position(which, setup)) == value, setup
    assert {value.outcome for value in going_on.values()} >= {"win", "loss"}


def test_a_start_with_a_piece_that_no_move_puts_there(folder: Path, tmp_path: Path) -> None:
    """White's L on 2a could never move again: no value in the table of all positions, the right one in that of play."""
    kinds = tuple(replace(one, move="frFrW") if one.code == "L" else one for one in LOPSIDED.kinds)
    which = replace(LOPSIDED, id="stuck", kinds=kinds)
    start, table = Position(which), solved(folder, which)
    assert (table.probe(start), table.moves(start), table.line(start)) == (None, [], [])
    assert all(table.probe(Position(which, one.position)) for one in table.hardest())
    known = values_of(which, graph_of(which, [start.setup()]))
    played = solve.build(which, path=tmp_path / "played.table", threads=1, everything=False)
    assert played.probe(start) == known[start.setup()] == Value("win", 1)


@pytest.mark.parametrize("which", SMALL)
def test_statistics_count_every_position_once(which: Variant, folder: Path) -> None:
    table = solved(folder, which)
    compiled = compile_variant(which)
    index = index_of(compiled, shape_of(which))
    counts = [0] * len(table.statistics.positions)
    for slot in range(index.size):
        if index.counts(slot):
            counts[table.number(slot)] += 1
    assert tuple(counts) == table.statistics.positions
    reached = graph_of(which, [Position(which).setup()])
    numbers = {index.find(Position(which, setup)._native) for setup in reached}
    assert sum(table.statistics.reachable) == len(numbers)
    assert table.statistics.shares(tuple(counts))["loss"] == sum(counts[1::2])


@pytest.mark.parametrize("which", SMALL)
def test_an_audit_finds_what_is_wrong(which: Variant, folder: Path) -> None:
    table = solved(folder, which)
    audit = table.audit()
    assert (audit.positions, audit.moves) == (sum(table.statistics.positions), table.statistics.moves)
    assert not audit.wrong
    assert not table.check_by_reference(200, seed=3).wrong
    index = index_of(compile_variant(which), shape_of(which))
    values, chance = bytearray(table.values()), random.Random(4)
    for _ in range(20):
        slot = chance.choice([slot for slot in range(index.size) if index.counts(slot)][:500])
        wrong = values.copy()
        wrong[slot] = (wrong[slot] + chance.randrange(1, 250)) % 256
        found = _core.audit(index, bytes(wrong), 1, True, 1, 0, 2, lambda part: None).wrong
        assert slot in found
    with pytest.raises(ValueError, match="as many values"):
        _core.audit(index, bytes(values[:-1]), 1, True, 1, 0, 2, lambda part: None)


@pytest.mark.parametrize(
    ("name", "reaches"),
    [
        ("stands", lambda squares: Stands(("K",), squares)),
        ("count", lambda squares: Count(("K",), most=0, beyond=squares)),
    ],
)
def test_squares_of_a_goal_break_the_mirror(name: str, reaches: Callable[[Squares], Condition], folder: Path) -> None:
    which = replace(TINY, id=f"goal-{name}", wins_if=reaches(Squares(("1a", "2c"))))
    assert not shape_of(which).mirror
    assert not solved(folder, which).audit().wrong
    with pytest.raises(SpecError, match="not the same for both sides"):
        shape_of(replace(which, wins_if=reaches(Squares(("1a",)))))


# --- Tables of what the start leads to -------------------------------------------------------------------------------


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


# --- Un-moves: the moves turned round --------------------------------------------------------------------------------


GAMES = [
    *SMALL,
    *ENDING,
    *(pytest.param(one, id=one.id) for one in (MIDDLING, komadai.variant("nana"), komadai.variant("dobutsu"))),
]


def after(index: _core.TableIndex, position: _core.Position) -> set[int]:
    """The numbers of the positions that the moves lead to; a position that ends the game may have none."""
    found = set()
    for move in position.legal_moves():
        position.push(move)
        found.add(index.find(position))
        position.pop()
    return found - {-1}


@pytest.mark.parametrize("which", GAMES)
def test_a_position_is_before_another_just_if_a_move_leads_there(which: Variant) -> None:
    index = index_of(compile_variant(which), shape_of(which))
    chance = random.Random(1)
    left, met = volume(400), 0
    while left:
        slot = chance.randrange(index.size)
        if not index.counts(slot):
            continue
        left -= 1
        children = after(index, index.position(slot))
        for child in children:
            assert slot in index.before(index.position(child)), f"{slot} leads to {child}"
        for parent in index.before(index.position(slot)):
            if index.counts(parent) and index.position(parent).winner_on_board() < 0:
                met += 1
                assert slot in after(index, index.position(parent)), f"{slot} seems to come from {parent}"
    assert met > volume(400)
