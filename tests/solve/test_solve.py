"""Solved games: the index, the solver against brute force, the shipped table, files, and the command."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
import zlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import komadai
from helpers.command import komadai_says, parsed
from helpers.madeup import KING, forbid, kind, variant
from helpers.support import DEFAULTS, ROOT, by_reference, play, random_play, reference_of, strewn_positions
from helpers.volume import FULL, volume
from komadai import _core, solve
from komadai.compiler import compile_variant
from komadai.engine import Engine
from komadai.errors import KomadaiError, NotationError, SpecError, TableError
from komadai.game.position import Position
from komadai.solve import Table, Value, files
from komadai.solve.shape import index_of, shape_of
from komadai.solve.table import MoveValue
from komadai.spec.board import FarRanks, Rect, Squares
from komadai.spec.conditions import At, GivesCheck, InHand, Is, Mates, Stuck
from komadai.spec.kinds import Becomes
from komadai.spec.setup import Setup
from komadai.spec.variant import Repetition, Variant

NANA_START = "win in 125 plies"

DIE = (kind("D", "F", quiet=("E",), captures=("E",)), kind("E", "W", quiet=("D",), captures=("D",), captured="D"))
LEANING = (kind("L", "frFrW"),)  # goes right only

# Two dice and kings on their squares: draws, mates and stalemates.
TINY = variant("tiny", Rect(2, 3), "dk/2/KD b -", (KING, *DIE), ("D",), rules=(forbid("drops", GivesCheck()),))
# Everything in hand, kings too; and Nana's rules about the hand.
HELD = variant(
    "held",
    Rect(3, 2),
    "3/3 b KDkd",
    (KING, replace(DIE[0], becomes=replace(DIE[0].becomes, dropped=("D", "E"))), DIE[1]),
    ("K", "D"),
    rules=(
        forbid("drops", InHand(("K",)) & ~Is(("K",))),
        forbid("drops", At(Squares(("2a", "2b")))),
        forbid("drops", GivesCheck()),
        forbid("lands", InHand() & Mates()),
    ),
)
# Left and right differ; two families, and pieces that turn over in a zone.
LOPSIDED = variant(
    "lopsided",
    Rect(2, 3),
    "lk/2/KP b -",
    (KING, *LEANING, kind("P", "fW", zone=("+P",)), kind("+P", "WF")),
    ("L", "P"),
    zone=FarRanks(1),
    rules=(forbid("always", Stuck()),),
)
SMALL = [pytest.param(one, id=one.id) for one in (TINY, HELD, LOPSIDED)]
# Large enough for several parts of the solver.
MIDDLING = variant(
    "middling",
    Rect(3, 3),
    "ddk/3/K1D b -",
    (
        KING,
        kind("D", "F", quiet=("E",), captures=("E",)),
        kind("E", "W", quiet=("F",), captures=("F",), captured="D"),
        kind("F", "fW", quiet=("G",), captures=("G",), captured="D"),
        kind("G", "FfW", quiet=("D",), captures=("D",), captured="D"),
    ),
    ("D",),
)


@cache
def nana() -> Table:
    return solve.open("nana")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


def solved(folder: Path, which: Variant) -> Table:
    path = folder / files.file_name(which)
    return solve.open(which, path=path) if path.exists() else solve.build(which, path=path, threads=2)


# --- The index ------------------------------------------------------------------------------------------------------


def mirrored(variant: Variant, setup: Setup) -> Setup:
    width = variant.board.width
    rows = [setup.board[start : start + width][::-1] for start in range(0, len(setup.board), width)]
    return replace(setup, board=tuple(piece for row in rows for piece in row))


def turned(setup: Setup) -> Setup:
    """The same position with the board turned and the colours swapped."""
    other = {"b": "w", "w": "b"}
    board = tuple(piece and piece._replace(side=other[piece.side]) for piece in reversed(setup.board))
    return replace(setup, board=board, hands=(setup.hands[1], setup.hands[0]), turn=other[setup.turn])


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
    from komadai.solve.table import _wrap

    return _wrap(compiled, native).setup()  # type: ignore[arg-type]


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


def closure(which: Variant, starts: list[Setup]) -> dict[Setup, list[Setup]]:
    """Every position that play leads to, with those after each move, by the reference generator."""
    oracle, graph, waiting = reference_of(which), {}, [replace(setup, ply=1) for setup in starts]
    while waiting:
        setup = waiting.pop()
        if setup not in graph:
            graph[setup] = [replace(oracle.play(setup, move), ply=1) for move in oracle.legal_moves(setup)]
            waiting += graph[setup]
    return graph


def values_by_sweeps(graph: dict[Setup, list[Setup]]) -> dict[Setup, int | None]:
    """Plies to the end, even for a loss and odd for a win, ``None`` for a draw: the definition, ply by ply."""
    known: dict[Setup, int | None] = dict.fromkeys(graph)
    for ply in range(len(graph)):
        found = []
        for setup, after in graph.items():
            if known[setup] is not None:
                continue
            replies = [known[one] for one in after]
            decided = ply - 1 in replies if ply % 2 else all(reply is not None and reply % 2 for reply in replies)
            if decided:
                found.append(setup)
        known.update(dict.fromkeys(found, ply))
        if not found and ply > 1 and ply % 2:
            break
    return known


@pytest.mark.parametrize("which", SMALL)
def test_values_are_those_of_brute_force(which: Variant, folder: Path) -> None:
    table = solved(folder, which)
    starts = [Position(which).setup()]
    starts += [position.setup() for position in table.sample(400 if FULL else 60, seed=2)]
    known = values_by_sweeps(closure(which, starts))
    assert len(known) > 500
    outcomes = set()
    for setup, plies in known.items():
        value = table.probe(Position(which, setup))
        expected = Value("draw", None) if plies is None else Value("win" if plies % 2 else "loss", plies)
        assert value == expected, setup
        outcomes.add(expected.outcome)
    assert outcomes >= {"win", "loss"}


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
    reached = closure(which, [Position(which).setup()])
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
        found = _core.audit(index, bytes(wrong), 1, 1, 0, 2, lambda part: None)[2]
        assert slot in found
    with pytest.raises(ValueError, match="as many values"):
        _core.audit(index, bytes(values[:-1]), 1, 1, 0, 2, lambda part: None)


# --- Nana -----------------------------------------------------------------------------------------------------------


def test_the_value_of_nana() -> None:
    table = nana()
    start = Position("nana")
    assert str(table.probe(start)) == NANA_START
    moves = table.moves(start)
    assert {str(move.move) for move in moves if move.best} == {"K*1b", "K*3b"}
    assert moves[0].best
    assert moves[0].value.distance == 125
    assert {move.move.text for move in moves if move.blunder} == {
        m.move.text for m in moves if m.value.outcome != "win"
    }
    line = table.line(start)
    assert len(line) == 125
    end = play("nana", *map(str, line)).outcome()
    assert end is not None
    assert end.winner == "b"


def test_one_in_a_hundred_values_of_nana_follow_from_the_moves() -> None:
    audit = nana().audit(one_in=100 if FULL else 1_000, seed=5)
    assert audit.positions > (100_000 if FULL else 10_000)
    assert not audit.wrong


def test_the_reference_confirms_random_values_of_nana() -> None:
    audit = nana().check_by_reference(10_000 if FULL else 300, seed=6)
    assert audit.moves > audit.positions
    assert not audit.wrong


def test_the_statistics_of_nana_add_up() -> None:
    statistics = nana().statistics
    assert all(most >= some for most, some in zip(statistics.positions, statistics.reachable, strict=True))
    shares = statistics.shares(statistics.positions)
    assert sum(shares.values()) == sum(statistics.positions)
    assert len(statistics.positions) == 183, "181 plies, and draws"


def test_the_page_tells_what_the_table_says() -> None:
    page = (ROOT / "docs" / "solved" / "nana.md").read_text(encoding="utf-8")
    statistics = nana().statistics
    told = [nana().about["values"], "Black wins in 125 plies", *(p.position for p in nana().hardest(5))]
    for counts in (statistics.positions, statistics.reachable):
        told += [f"{count:,}".replace(",", " ") for count in (sum(counts), *statistics.shares(counts).values())]
    assert not [one for one in told if one not in page], "run: python tools/solved_page.py nana nana-1998"
    numbers = (ROOT / "docs" / "solved" / "nana-distance.csv").read_text(encoding="utf-8").splitlines()
    assert f'"nana",181,{statistics.positions[182]},{statistics.reachable[182]}' in numbers


def test_values_do_not_depend_on_how_the_board_lies() -> None:
    table = nana()
    for position, _ in random_play(komadai.variant("nana"), 7, volume(300)):
        setup, value = position.setup(), table.probe(position)
        assert value is not None
        for same in (turned(setup), mirrored(position.variant, setup)):
            assert table.probe(Position("nana", same)) == value


def test_moves_are_all_legal_moves_with_their_values() -> None:
    table = nana()
    for position, _ in random_play(komadai.variant("nana"), 8, volume(200)):
        moves, value = table.moves(position), table.probe(position)
        assert {str(move.move) for move in moves} == by_reference(position)
        assert value is not None
        if not moves:
            assert value == Value("loss", 0)
            continue
        assert value == moves[0].value
        assert [move.value.rank for move in moves] == sorted((move.value.rank for move in moves), reverse=True)
        assert all(move.best == (move.value == value) for move in moves)
        assert all(move.blunder == (move.value.outcome != value.outcome) for move in moves)


def test_hardest_wins() -> None:
    table = nana()
    puzzles = table.hardest()
    assert len(puzzles) == 50
    assert puzzles[0].distance == 181
    distances = [puzzle.distance for puzzle in table.hardest(1_000)]
    assert distances == sorted(distances, reverse=True)
    assert set(distances) == set(range(1, 182, 2)), "something of every length"
    for puzzle in puzzles[:10]:
        moves = table.moves(Position("nana", puzzle.position))
        assert moves[0].value == Value("win", puzzle.distance)
        assert sum(move.value.outcome == "win" for move in moves) == puzzle.winning
    assert all(puzzle.winning == 1 for puzzle in table.hardest(5, only_move=True))


@pytest.mark.parametrize("position", ["K2/3/3 w RBkrb", "3/3/2k b KRBrb"])
def test_the_opening_is_known(position: str) -> None:
    assert nana().probe(Position("nana", position)) is not None


@pytest.mark.parametrize("position", ["K2/3/R2 w Bkrb", "K2/3/2k b RBr", "K1R/3/2k b -"])
def test_what_play_cannot_lead_to_is_unknown(position: str) -> None:
    at = Position("nana", position)
    assert nana().probe(at) is None
    assert nana().moves(at) == []
    assert Engine("nana").search(at, depth=2).move in at.legal_moves()


def test_positions_of_other_games_are_refused() -> None:
    for other in (Position("nana", drop_faces="front"), Position("nana-1998"), Position("shogi")):
        with pytest.raises(NotationError, match="the table of nana"):
            nana().probe(other)
    assert nana().probe(Position("nana", illegal_move="loses")) is not None, "the option changes no value"


def test_values_in_words() -> None:
    assert str(Value("win", 1)) == "win in 1 ply"
    assert str(Value("loss", 4)) == "loss in 4 plies"
    assert str(Value("draw", None)) == "draw"


# --- What can be solved ---------------------------------------------------------------------------------------------

REFUSED = {
    "shogi": ("perpetual check", "81 squares", r"10\^71 positions"),
    "ki": ("no edges", "takes pieces"),
    "mortal": ("leave the game when they are captured",),
    "hand": ("perpetual check",),
}


@pytest.mark.parametrize("name", REFUSED)
def test_games_that_cannot_be_solved_say_why(name: str) -> None:
    for reason in REFUSED[name]:
        with pytest.raises(SpecError, match=reason):
            solve.open(name)
    ran = komadai_says("solve", name)
    assert ran.status == 2
    assert "cannot be solved completely" in ran.err.replace("\n", " ")


@pytest.mark.parametrize(
    ("defective", "reason"),
    [
        (replace(TINY, repetition=Repetition(perpetual_check_loses=True)), "perpetual check"),
        (replace(TINY, rules=(forbid("drops", At(Squares(("1a",)))),)), "not the same for both sides"),
        (replace(TINY, kinds=(KING, replace(DIE[0], becomes=Becomes(quiet=("E",))), *DIE[1:])), "leave the game"),
        (replace(TINY, board=Rect(8, 9), start="/".join(["dk6", *["8"] * 7, "KD6"]) + " b -"), "72 squares"),
        (replace(TINY, board=Rect(8, 8), start="/".join(["dddk4", *["8"] * 6, "KDD5"]) + " b -"), "positions; at most"),
    ],
)
def test_specs_that_cannot_be_solved_say_why(defective: Variant, reason: str) -> None:
    with pytest.raises(SpecError, match=reason):
        shape_of(defective)


@pytest.mark.parametrize("which", DEFAULTS)
def test_every_game_is_solved_or_says_why_not(which: Variant) -> None:
    try:
        size = shape_of(which).size
    except SpecError as error:
        size = len(error.defects)
    assert size > 0


# --- Files ----------------------------------------------------------------------------------------------------------


def test_a_solution_that_was_interrupted_is_taken_up_again(tmp_path: Path) -> None:
    path, whole = tmp_path / "table", tmp_path / "whole"
    seen: list[tuple[str, int, int]] = []

    def give_up(stage: str, done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve.build(MIDDLING, path=path, threads=1, progress=give_up)
    assert not path.exists()
    parts = sorted((tmp_path / "table.parts").iterdir())
    assert len(parts) >= 2
    parts[0].write_bytes(parts[0].read_bytes()[:-1])  # this one is worked out again
    table = solve.build(MIDDLING, path=path, threads=2, progress=lambda *said: seen.append(said))
    assert seen[0][:2] == ("moves", len(parts) - 1)
    assert seen[0][2] > 2
    assert not (tmp_path / "table.parts").exists()
    solve.build(MIDDLING, path=whole, threads=2)
    assert whole.read_bytes() == path.read_bytes()
    assert sum(table.statistics.positions) > 100_000
    assert not table.audit(one_in=20).wrong


def test_parts_of_other_rules_are_not_taken_up(tmp_path: Path) -> None:
    path = tmp_path / "table"
    other = replace(MIDDLING, rules=(forbid("drops", GivesCheck()),))

    def give_up(stage: str, done: int, total: int) -> None:
        if done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve.build(other, path=path, threads=1, progress=give_up)
    first: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        solve.build(MIDDLING, path=path, threads=1, progress=lambda *said: (first.append(said[1]), give_up(*said)))
    assert first[0] == 0


def test_ctrl_c_ends_solving(tmp_path: Path) -> None:
    code = f"""
import os, signal, threading
from pathlib import Path
import komadai
signal.signal(signal.SIGINT, signal.default_int_handler)
path = Path({str(tmp_path / "table")!r})
def interrupt(stage, done, total):
    if done == 1:
        os.kill(os.getpid(), signal.SIGINT)
try:
    komadai.solve.build(komadai.variant("nana"), path=path, progress=interrupt)
except KeyboardInterrupt:
    print("interrupted")
"""
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert (made.stdout, made.stderr, made.returncode) == ("interrupted\n", "", 0)


def test_other_threads_go_on_while_solving(tmp_path: Path) -> None:
    done, steps = threading.Event(), 0

    def work() -> None:
        try:
            solve.build(MIDDLING if FULL else TINY, path=tmp_path / "table")
        finally:
            done.set()

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    while not done.is_set():
        steps += 1
    thread.join()
    assert steps > 1_000


def damaged(data: bytes) -> Iterator[tuple[str, bytes]]:
    yield "empty", b""
    yield "no-table", b"hello, world" * 20
    yield "cut-off", data[: len(data) // 2]
    yield "cut-off-head", data[:20]
    yield "too-long", data + b"x"
    for at in (9, 45, 60, len(data) // 2, len(data) - 1):
        yield f"byte-{at}", data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def test_damaged_files_say_so(folder: Path, tmp_path: Path) -> None:
    data = solved(folder, TINY).path.read_bytes()
    for name, bad in damaged(data):
        path = tmp_path / name
        path.write_bytes(bad)
        with pytest.raises(TableError, match=r"no table of Komadai|damaged or cut off"):
            solve.open(TINY, path=path)
    with pytest.raises(TableError, match="cannot be read"):
        solve.open(TINY, path=tmp_path / "missing")


@given(st.data())
def test_any_description_is_read_or_refused(data: st.DataObject) -> None:
    keys = st.sampled_from(["format", "size", "width", "block", "variant", "version", "rules", "x"])
    numbers = (
        st.integers(-5, 10**12) | st.none() | st.text(max_size=3) | st.floats() | st.lists(st.integers(), max_size=2)
    )
    about = data.draw(st.dictionaries(keys, st.sampled_from([1, 2]) | numbers))
    blocks = data.draw(st.lists(st.binary(max_size=9), max_size=3))
    packed = files.pack(files.Contents(about, tuple(blocks)))
    try:
        contents = files.unpack(packed, Path("made-up"))
        Table(TINY, contents, Path("made-up"))
    except TableError:
        return
    raise AssertionError("a made-up description has been accepted")


def test_a_block_that_does_not_hold_its_values_says_so(folder: Path) -> None:
    contents = files.read(solved(folder, TINY).path)
    whole = zlib.decompress(contents.blocks[0])
    for block in (b"", b"no zlib", zlib.compress(b""), zlib.compress(whole[:-1]), zlib.compress(whole + b"x")):
        bad = Table(TINY, files.unpack(files.pack(replace(contents, blocks=(block,))), Path("bad")), Path("bad"))
        with pytest.raises(TableError, match="block 0 cannot be read"):
            bad.probe(Position(TINY))


@pytest.mark.parametrize("change", [{"width": 3}, {"block": 0}, {"size": -1}, {"block": 1, "width": 2}, {"format": 2}])
def test_descriptions_that_make_no_sense_say_so(folder: Path, change: dict[str, int]) -> None:
    contents = files.read(solved(folder, TINY).path)
    with pytest.raises(TableError, match=r"description|blocks|format 2"):
        files.unpack(files.pack(replace(contents, about=contents.about | change)), Path("bad"))


def test_tables_of_other_games_and_rules_say_so(folder: Path) -> None:
    path = solved(folder, TINY).path
    with pytest.raises(
        TableError, match=r"the table of tiny 1, not of nana 1; build it again with: komadai solve nana"
    ):
        solve.open("nana", path=path)
    with pytest.raises(TableError, match="tiny 1, not of tiny 2"):
        solve.open(replace(TINY, version="2"), path=path)
    with pytest.raises(TableError, match="other rules or options"):
        solve.open(replace(TINY, rules=()), path=path)


def test_tables_are_found_in_the_cache_and_damaged_ones_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert solve.find(TINY) is None
    table = solve.open(TINY)
    assert table.path == tmp_path / "komadai" / "tiny-1.table"
    found = solve.find(TINY)
    assert found is not None
    assert found.path == table.path
    table.path.write_bytes(b"damaged")
    assert solve.find(TINY) is None
    assert Engine(TINY).search(Position(TINY), depth=2).move is not None
    assert sum(solve.open(TINY).statistics.positions), "built again"


def test_a_table_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(TableError, match="cannot be written"):
        solve.build(TINY, path=tmp_path / "file" / "table")


def test_names_of_files_tell_variant_version_and_options() -> None:
    assert files.file_name(komadai.variant("nana")) == "nana-1.table"
    assert files.file_name(komadai.variant("nana", illegal_move="loses")) == "nana-1.table"
    front = komadai.variant("nana-1998", drop_faces="front")
    assert files.file_name(front) == "nana-1998-1-drop_faces=front.table"
    assert files.command(front) == "komadai solve nana-1998 -o drop_faces=front"


# --- The command ----------------------------------------------------------------------------------------------------


def test_the_command_tells_what_is_known() -> None:
    told = parsed("solve", "nana", "--json")
    assert told["start"] == NANA_START
    assert told["built_in_seconds"] is None
    assert sum(told["positions"].values()) == sum(nana().statistics.positions)
    assert "win in 125 plies for Black at the start" in komadai_says("solve", "nana").out


def test_the_command_builds_and_audits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("komadai.cli.solve.build", lambda name, **options: TINY)
    path = tmp_path / "tiny.table"
    ran = komadai_says("solve", "nana", "--output", str(path), "--threads", "1", "--audit")
    assert (ran.status, ran.err) == (0, "")
    assert "none wrong" in ran.out
    assert path.is_file()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert json.loads(komadai_says("solve", "nana", "--again", "--json").out)["built_in_seconds"] is not None


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


def test_weaker_levels_play_worse_but_take_a_win_at_once() -> None:
    table = nana()
    positions = [position.copy() for position, _ in random_play(komadai.variant("nana"), 10, 300)]
    positions = [position for position in positions if len(table.moves(position)) > 2]
    kept = []
    for level in (1, 5, 9, 10):
        engine = Engine("nana", level=level, seed=1)
        good = 0
        for position in positions:
            moves = {move.move: move for move in table.moves(position)}
            info = engine.search(Position("nana", position.sfen()))
            assert info.move is not None
            chosen: MoveValue = moves[info.move]
            good += not chosen.blunder
            if table.probe(position) == Value("win", 1):
                assert chosen.value.distance == 1
        kept.append(good)
    assert kept == sorted(kept)
    assert kept[0] < kept[1]
    assert kept[-1] == len(positions)


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
