"""Tables by the relative place of the royal pieces: Ki Shogi, with fewer cubes than it has."""

from __future__ import annotations

import random
from math import comb
from pathlib import Path

import pytest

import komadai
from helpers.solved import MIXED, ONE, fewer, solved
from helpers.volume import FULL, volume
from komadai import _core, solve
from komadai.compiler import compile_variant
from komadai.errors import SpecError, TableError
from komadai.solve import Table, files
from komadai.solve.moves import check_moves
from komadai.solve.shape import index_of, shape_of
from komadai.spec.variant import Variant

PAIR = fewer("ki-pair", ("HI",), "[HI]", "[hi]")
TABLE = fewer("ki-table", ("KAKU",), "[KAKU]", "[kaku]", "4x3")
GAMES = [pytest.param(one, id=one.id) for one in (ONE, PAIR, MIXED, TABLE)]
KI = komadai.variant("ki")


def relative_index(which: Variant) -> _core.RelativeIndex:
    index = index_of(compile_variant(which), shape_of(which))
    assert isinstance(index, _core.RelativeIndex)
    return index


# --- Numbers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("which", GAMES)
def test_positions_with_a_number_are_found_under_it(which: Variant) -> None:
    index, met = relative_index(which), 0
    chance = random.Random(1)
    for _ in range(volume(20_000)):
        slot = chance.randrange(index.size)
        if index.counts(slot):
            met += 1
            assert index.find(index.position(slot)) == slot
            assert not index.is_image(slot)
    assert met > volume(2_000)


def test_the_numbers_of_ki_are_as_counted_elsewhere() -> None:
    """Five classes of royal pieces up to symmetry, with 13, 14 or 15 cells and 6, 7 or 4 more for stranded cubes."""
    index = relative_index(KI)
    pairs = [comb(2 + 12 * cells + 6 * more + 1, 2) for cells, more in ((13, 6), (13, 6), (14, 7), (14, 7), (15, 4))]
    assert index.main == sum(pair**2 for pair in pairs)
    assert index.size == index.main + 2, "the empty plane, and one Gyoku"


def arrangements(cells: int, faces: int, pieces: int) -> int:
    """Ways to put so many alike cubes of either side on different cells or into the hands."""
    return sum(comb(cells, on) * (2 * faces) ** on * (pieces - on + 1) for on in range(pieces + 1))


def test_classes_have_as_many_positions_as_combinatorics_says() -> None:
    """Of two alike cubes: all on cells; or, by inclusion and exclusion over the steps that strand them, some not."""
    for mine, theirs, everything, supported in relative_index(PAIR).class_counts():
        x, y = theirs % 7 - mine % 7, theirs // 7 - mine // 7
        cells = _cells(x, y)
        assert supported == arrangements(len(cells), 6, 2)
        one = arrangements(len(cells), 6, 1)
        lost = [_cells(*step) - cells - {(x, y)} for step in _steps(x, y)]
        some = set().union(*lost)
        together = {frozenset((a, b)) for group in lost for a in group for b in group if a != b}
        assert everything == supported + 6 * len(some) * one + 36 * len(together)


def _cells(x: int, y: int) -> set[tuple[int, int]]:
    """The cells next to a Gyoku, one of which stands in the middle and one there."""
    near = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
    return {*near, *((x + a, y + b) for a, b in near)} - {(0, 0), (x, y)}


def _steps(x: int, y: int) -> list[tuple[int, int]]:
    """Where the other Gyoku may have come from."""
    around = [(x + a, y + b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]
    return [(a, b) for a, b in around if max(abs(a), abs(b)) == 2]


# --- Moves and un-moves ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("which", [*GAMES, pytest.param(KI, id="ki")])
def test_a_position_is_before_another_just_if_a_move_leads_there(which: Variant) -> None:
    number = 16_000 if FULL else 1_000
    found = check_moves(which, number, seed=3)
    assert found.wrong == ()
    assert found.positions == number
    assert min(found.stranded, found.moves, found.unmoves) > number // 16


# --- Values ---------------------------------------------------------------------------------------------------------


def test_a_win_that_is_too_long_for_a_state_is_refused() -> None:
    """A state is a value, or 255 less the moves left: with that many moves in a position, no value may be so large."""
    index = relative_index(ONE)
    solver = _core.RelativeSolver(index)
    solver.expand(1, lambda *_: None)
    stage, parts = solver.save_stage(), [solver.save(part) for part in range(solver.parts)]
    solver.propagate(1, lambda *_: None)
    expected = solver.values(1, 0, index.size)
    longest = max(expected)

    def values_if(most_moves: int) -> bytes:
        again = _core.RelativeSolver(index)
        again.load_stage(stage[:8] + most_moves.to_bytes(8, "little") + stage[16:])
        for number, part in enumerate(parts):
            again.load(number, part)
        again.propagate(1, lambda *_: None)
        return again.values(1, 0, index.size)

    assert values_if(252 - longest) == expected
    with pytest.raises(ValueError, match="longest win"):
        values_if(255 - longest)


def test_a_stage_without_a_wave_is_refused() -> None:
    solver = _core.RelativeSolver(relative_index(ONE))
    stage = solver.save_stage()
    with pytest.raises(ValueError, match="does not fit"):
        solver.load_stage(stage[:16] + bytes(8) + stage[24:])


@pytest.mark.parametrize("which", GAMES)
def test_every_value_follows_from_those_after_the_moves(which: Variant, folder: Path) -> None:
    table = solved(folder, which)
    found = table.audit()
    assert (found.wrong, found.positions) == ((), sum(table.statistics.positions))
    assert found.moves >= table.statistics.moves
    assert table.check_by_reference(volume(160), seed=1).wrong == ()


def test_parts_of_an_audit_make_up_all_positions(folder: Path) -> None:
    table = solved(folder, PAIR)
    parts = [table.audit(one_in=3, seed=part) for part in range(3)]
    assert sum(part.positions for part in parts) == sum(table.statistics.positions)
    assert min(part.positions for part in parts) > 0
    assert not any(part.wrong for part in parts)


def test_a_wrong_value_is_found(folder: Path) -> None:
    index = relative_index(PAIR)
    values = bytearray(solved(folder, PAIR).values())
    slot = next(slot for slot in range(index.main) if index.counts(slot) and values[slot] == 3)
    values[slot] = 5
    report = _core.audit(index, bytes(values), 1, True, 1, 0, 1, lambda part: None)
    assert slot in report.wrong


@pytest.mark.parametrize("large", [1, 1 << 40])
def test_an_interrupted_solution_is_taken_up_again(
    large: int, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_LARGE", large)

    class InterruptionError(Exception):
        pass

    ticks = 0

    def stop(stage: str, _done: int, _total: int) -> None:
        nonlocal ticks
        ticks += stage == "values"
        if ticks == 5:
            raise InterruptionError

    path = tmp_path / "pair.table"
    with pytest.raises(InterruptionError):
        solve.build(PAIR, path=path, threads=1, progress=stop, checkpoint_seconds=0)
    assert [one.name for one in tmp_path.iterdir()] == ["pair.table.unfinished"]
    stages = []
    table = solve.build(PAIR, path=path, threads=1, progress=lambda stage, _done, _total: stages.append(stage))
    assert set(stages) == {"values"}, "moves are not counted again"
    assert table.about["values"] == solved(folder, PAIR).about["values"]


# --- Large files ----------------------------------------------------------------------------------------------------


def test_parts_of_a_large_file_are_checked_when_they_are_read(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = solved(folder, PAIR)
    monkeypatch.setattr(files, "_LARGE", 1)
    data = bytearray(files.pack(files.Contents(small.about, tuple(small._blocks))))
    path = tmp_path / "large.table"
    path.write_bytes(data)
    large = solve.open(PAIR, path=path)
    assert large.values() == small.values()
    data[-1] ^= 1
    path.write_bytes(data)
    damaged = Table(PAIR, files.read(path), path)
    with pytest.raises(TableError, match="the checksum of part 0 is wrong"):
        damaged.values()
    data[60] ^= 1
    path.write_bytes(data)
    with pytest.raises(TableError, match="damaged"):
        files.read(path)


# --- What cannot be solved so ---------------------------------------------------------------------------------------


def test_games_of_other_support_say_why_they_cannot_be_solved() -> None:
    with pytest.raises(SpecError, match="the board is too large"):
        shape_of(komadai.variant("ki-unicorn"))
    with pytest.raises(SpecError, match="too many squares"):
        shape_of(komadai.variant("ki", field="9x9"))
    with pytest.raises(SpecError, match="numbered by the relative place"):
        check_moves(komadai.variant("nana"), 1)
