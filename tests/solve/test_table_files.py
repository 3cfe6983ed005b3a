"""Files of solved games: interrupted, damaged, of other rules, and where they are found."""

from __future__ import annotations

import base64
import os
import random
import shlex
import subprocess
import sys
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import komadai
from helpers.command import komadai_says
from helpers.solved import LOPSIDED, MIDDLING, TINY, solved
from helpers.volume import FULL
from komadai import solve
from komadai.engine import Engine
from komadai.errors import TableError
from komadai.game.position import Position
from komadai.solve import Table, files
from komadai.solve.compression import Compression, compress
from komadai.workshop import variant_text

STEPS = 1 if FULL else 16

# --- Files ----------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="whole paths are short there")
@pytest.mark.parametrize("letters", [245, 255])
def test_a_table_with_the_longest_name_has_checkpoints(letters: int, tmp_path: Path) -> None:
    path = tmp_path / ("x" * letters)

    def give_up(*said: object) -> None:
        if said[0] == "values":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve.build(TINY, path=path, threads=1, progress=give_up, checkpoint_seconds=0)
    assert [name[-11:] for name in os.listdir(tmp_path)] == [".unfinished"]
    solve.build(TINY, path=path, threads=1)
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("everything", [True, False])
def test_a_solution_that_was_interrupted_is_taken_up_again(tmp_path: Path, everything: bool) -> None:
    path, unfinished, whole = tmp_path / "table", tmp_path / "table.unfinished", tmp_path / "whole"
    steps: list[tuple[str, int, int]] = []
    # Two threads that follow moves from the start need more or fewer steps, as chance will have it.
    threads = 2 if everything else 1
    solve.build(MIDDLING, path=whole, threads=threads, everything=everything, progress=lambda *said: steps.append(said))
    assert [stage for stage, _, _ in steps].count("values") > 5
    # It gives up at every step in turn, or at each so many, and the next call begins there.
    for first in range(0, len(steps) - STEPS + 1, STEPS):
        seen: list[tuple[str, int, int]] = []

        def give_up(*said: object, seen: list[object] = seen) -> None:  # type: ignore[assignment]
            seen.append(said)
            if len(seen) == STEPS:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            solve.build(MIDDLING, path=path, threads=1, everything=everything, progress=give_up, checkpoint_seconds=0)
        if everything or steps[first][0] == "values":
            assert seen == steps[first : first + STEPS], first
        assert unfinished.exists()
        assert not path.exists()
    table = solve.build(MIDDLING, path=path, threads=2, everything=everything)
    assert not unfinished.exists()
    assert whole.read_bytes() == path.read_bytes()
    assert sum(table.statistics.positions) > 100_000
    assert not table.audit(one_in=20).wrong


@pytest.mark.parametrize("damage", ["other rules", "cut off", "no states"])
def test_states_of_another_solution_are_not_taken_up(tmp_path: Path, damage: str) -> None:
    path, unfinished = tmp_path / "table", tmp_path / "table.unfinished"
    other = replace(TINY, rules=())

    def give_up(stage: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve.build(
            other if damage == "other rules" else TINY, path=path, threads=1, progress=give_up, checkpoint_seconds=0
        )
    if damage == "cut off":
        unfinished.write_bytes(unfinished.read_bytes()[:-1])
    elif damage == "no states":
        unfinished.write_bytes(solve.build(TINY, path=tmp_path / "other").path.read_bytes())
    solved_anew = solve.build(TINY, path=path, threads=1)
    assert not solved_anew.audit().wrong


def _spoilt(file: Path, chance: random.Random) -> None:
    """Change some states, or how far the work has come, and make the checksum right."""
    found = files.read(file)
    blocks, about = [bytearray(zlib.decompress(block)) for block in found.blocks], dict(found.about)
    stage = bytearray(zlib.decompress(base64.b64decode(about["stage"])))
    spoilt = stage if chance.random() < 0.3 else chance.choice(blocks)
    for _ in range(chance.choice([1, 3, 100])):
        spoilt[chance.randrange(len(spoilt))] = chance.choice([0, 1, 2, 7, 127, 128, 254, 255])
    about["stage"] = base64.b64encode(zlib.compress(bytes(stage))).decode()
    file.write_bytes(files.pack(files.Contents(about, tuple(zlib.compress(bytes(block)) for block in blocks))))


@pytest.mark.parametrize("everything", [True, False])
def test_wrong_states_are_never_taken_for_right_ones(tmp_path: Path, everything: bool) -> None:
    """Either the table is right in spite of them, or the file is named, and what to do."""
    right = solve.build(TINY, path=tmp_path / "right", threads=1, everything=everything)
    path, unfinished = tmp_path / "table", tmp_path / "table.unfinished"
    chance, refused = random.Random(54), list[str]()
    for number in range(400 if FULL else 60):
        steps = iter(range(1 + number % 12))

        def give_up(*said: object, steps: Iterator[int] = steps) -> None:
            if next(steps, None) is None:
                raise KeyboardInterrupt

        try:
            solve.build(TINY, path=path, threads=1, everything=everything, progress=give_up, checkpoint_seconds=0)
        except KeyboardInterrupt:
            _spoilt(unfinished, chance)
        try:
            table = solve.build(TINY, path=path, threads=1, everything=everything)
        except TableError as error:
            refused.append(str(error))
            unfinished.unlink()
        else:
            assert table.about == right.about, number
            path.unlink()
    assert len(refused) > 20
    assert all(f"{unfinished} holds wrong states; remove it" in said for said in refused)


def test_ctrl_c_ends_solving(tmp_path: Path) -> None:
    code = f"""
import os, signal, threading
from pathlib import Path
import komadai
signal.signal(signal.SIGINT, signal.default_int_handler)
path = Path({str(tmp_path / "table")!r})
def interrupt(stage, done, total):
    if done >= 1:
        os.kill(os.getpid(), signal.SIGINT)
try:
    komadai.solve.build(komadai.variant("nana"), path=path, everything=False, progress=interrupt)
except KeyboardInterrupt:
    print("interrupted")
"""
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert (made.stdout, made.stderr, made.returncode) == ("interrupted\n", "", 0)


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
    keys = st.sampled_from(["format", "compression", "size", "width", "block", "variant", "version", "rules", "x"])
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
    for by in get_args(Compression):
        about = contents.about | {"compression": by}
        packed = (compress(block, by) for block in (b"", whole[:-1], whole + b"x"))
        for block in (b"", b"no block", *packed):
            bad = files.Contents(about, (block,))
            with pytest.raises(TableError, match="block 0 cannot be read"):
                Table(TINY, files.unpack(files.pack(bad), Path("bad")), Path("bad")).probe(Position(TINY))


def test_large_tables_are_compressed_more(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = solved(folder, LOPSIDED)
    monkeypatch.setattr(sys.modules["komadai.solve.build"], "_MANY", 1)
    large = solve.build(LOPSIDED, path=tmp_path / "large")
    assert (small.about["compression"], large.about["compression"]) == ("zlib", "lzma")
    assert large.path.stat().st_size < small.path.stat().st_size
    assert large.values() == small.values()
    assert large.probe(Position(LOPSIDED)) == small.probe(Position(LOPSIDED))
    monkeypatch.setitem(sys.modules, "lzma", None)
    with pytest.raises(TableError, match="without the module lzma"):
        Table(LOPSIDED, files.read(large.path), large.path).probe(Position(LOPSIDED))


def test_files_of_format_1_are_read(folder: Path) -> None:
    table = solved(folder, TINY)
    former = {key: what for key, what in table.about.items() if key != "compression"} | {"format": 1}
    data = files.pack(files.Contents(former, tuple(table._blocks)))
    assert Table(TINY, files.unpack(data, Path("former")), Path("former")).values() == table.values()


@pytest.mark.parametrize(
    "change",
    [{"width": 3}, {"block": 0}, {"size": -1}, {"block": 1, "width": 2}, {"format": 3}, {"compression": "none"}],
)
def test_descriptions_that_make_no_sense_say_so(folder: Path, change: dict[str, object]) -> None:
    contents = files.read(solved(folder, TINY).path)
    with pytest.raises(TableError, match=r"description|blocks|format 3"):
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
    assert files.command(front) == "komadai solve nana-1998 --rule drop_faces=front"


# --- Two solutions at once --------------------------------------------------------------------------------------------


def test_tables_of_everything_and_of_the_start_are_two_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert files.file_name(TINY, everything=False) == files.file_name(TINY).replace(".table", ".start.table")
    start = solve.build(TINY, everything=False, threads=1)
    assert solve.find(TINY) is not None
    assert solve.find(TINY, everything=True) is None
    whole = solve.build(TINY, threads=1)
    assert start.path != whole.path
    assert solve.find(TINY, everything=True) is not None
    for found in (solve.find(TINY), solve.find(TINY, everything=True)):
        assert found is not None
        assert found.everything
    start.path.with_name(files.file_name(TINY)).unlink()
    kept = solve.find(TINY)
    assert kept is not None
    assert not kept.everything
    # A file of a former version, in which both had one name.
    start.path.rename(files.cache_path(TINY))
    kept = solve.find(TINY)
    assert kept is not None
    assert not kept.everything
    assert solve.find(TINY, everything=True) is None


@pytest.mark.parametrize("everything", [True, False])
def test_a_table_is_made_by_one_process_at_a_time(tmp_path: Path, everything: bool) -> None:
    """Whatever the other asks for: both would write one checkpoint. Another file may be made meanwhile."""
    path, refused = tmp_path / "table", []

    def other_process(*_said: object) -> None:
        if not refused:
            refused.append("")
            with pytest.raises(TableError, match="is being made by another process"):
                solve.build(TINY, path=path, threads=1)
            assert solve.build(TINY, path=tmp_path / "other", threads=1).path.exists()

    solve.build(TINY, path=path, threads=1, everything=everything, progress=other_process)
    assert refused
    assert sorted(one.name for one in tmp_path.iterdir()) == ["other", "table"]  # no lock is left
    solve.build(TINY, path=path, threads=1)


@pytest.mark.parametrize(
    "options", [(), pytest.param(("nana-1998", "--rule", "drop_faces=front"), marks=pytest.mark.slow, id="options")]
)
def test_hints_are_commands_that_work(tmp_path: Path, options: tuple[str, ...]) -> None:
    """Rule options and variant files are named as they were given, and a path with a space is quoted."""
    proof = tmp_path / "a proof"
    game = options or (str(tmp_path / "my own.toml"),)
    if not options:
        Path(game[0]).write_text(variant_text(replace(TINY, id="own")), encoding="utf-8")
    table = () if options else ("-o", str(tmp_path / "own.table"))
    said = komadai_says("solve", *game, *table, "--certificate", str(proof)).out
    hint = next(line for line in said.splitlines() if "or, more quickly, by: komadai " in line)
    words = shlex.split(hint.partition("by: komadai ")[2])
    assert words == ["solve", *game, "--check-certificate", str(proof)]
    assert "entries hold" in komadai_says(*words).out
