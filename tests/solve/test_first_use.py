"""Games that are quick to solve are solved when their table is first needed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import komadai
from helpers.command import komadai_says
from helpers.solved import MIDDLING, SMALL, TINY
from helpers.support import needs_processes
from komadai import solve, workshop
from komadai.engine import Engine
from komadai.errors import SpecError, TableError
from komadai.game.position import Position
from komadai.solve import background
from komadai.spec.variant import Variant

WAIT = 120.0  # seconds


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache; nothing is solved in the background afterwards."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    yield tmp_path / "komadai"
    background.end()
    wait(lambda: background._thread is None)


def wait(done: Callable[[], object]) -> None:
    end = time.monotonic() + WAIT
    while not done():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.01)


def no_cache(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let the cache be where nothing can be written."""
    (folder / "file").write_bytes(b"")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "file"))


@pytest.mark.parametrize("name", komadai.variants())
def test_what_takes_long_is_not_solved_unasked(name: str) -> None:
    assert solve.is_quick(komadai.variant(name)) == name.startswith("nana")


@pytest.mark.parametrize("small", SMALL)
def test_a_small_game_is_quick_whatever_its_rules(small: Variant) -> None:
    assert solve.is_quick(small)


def test_a_table_is_made_once_with_progress() -> None:
    stages: list[str] = []
    assert solve.find(TINY) is None
    made = solve.obtain(TINY, progress=lambda stage, _done, _total: stages.append(stage))
    assert made is not None
    assert set(stages) == {"moves", "values"}
    stages.clear()
    assert solve.open(TINY, progress=lambda stage, _done, _total: stages.append(stage)).path == made.path
    assert not stages


def test_a_large_game_is_left_to_the_command() -> None:
    assert solve.obtain("ki") is None
    with pytest.raises(SpecError, match="there is no table of it here; build it with: komadai solve ki"):
        solve.open("ki")
    with pytest.raises(SpecError, match="cannot be solved completely"):
        solve.open("shogi")


def test_those_who_need_a_table_at_once_make_one() -> None:
    working: list[int] = []

    def obtain(number: int) -> Path | None:
        made = solve.obtain(MIDDLING, progress=lambda *_done: working.append(number))
        return made and made.path

    with ThreadPoolExecutor(4) as threads:
        assert len(set(threads.map(obtain, range(4)))) == 1
    assert len(set(working)) == 1, "one made it, the others waited"


def test_a_cache_that_cannot_be_written_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_cache(monkeypatch, tmp_path)
    with pytest.raises(TableError, match="cannot be written: Not a directory"):
        solve.obtain(TINY)


@needs_processes
@pytest.mark.parametrize(
    "words",
    [
        "grade {tiny} --learner random --positions 1 --games 1",
        "match komadai:level=1 random --game {tiny} --games 2 --nodes 100 --openings {folder}/openings",
        "puzzles mine {tiny} --count 1 --games 1 -o {folder}/tiny.tsv",
    ],
    ids=lambda words: words.split()[0],
)
def test_a_command_solves_first_and_goes_on(words: str, cache: Path, tmp_path: Path) -> None:
    file = tmp_path / "tiny.toml"
    file.write_text(workshop.variant_text(TINY), encoding="utf-8")
    (tmp_path / "openings").write_text(f"{TINY.start}\n", encoding="utf-8")
    ran = komadai_says(*words.format(tiny=file, folder=tmp_path).split())
    assert ran.status in (0, 1), ran.err  # 1: no puzzle was found
    assert ran.out
    assert (cache / "tiny-1.table").exists()


# --- In the background ------------------------------------------------------------------------------------------------


@needs_processes
def test_a_game_is_solved_in_the_background(cache: Path) -> None:
    state = background.begin(TINY)
    assert state is not None
    assert background.begin(TINY) in (state, None), "it is not begun again"
    wait(lambda: solve.find(TINY))
    assert background.begin(TINY) is None
    assert not state.fault
    wait(lambda: background._thread is None)
    assert os.listdir(cache) == ["tiny-1.table"]


@needs_processes
def test_games_are_solved_one_after_the_other() -> None:
    games = (MIDDLING, TINY, *(one.values[0] for one in SMALL))
    for game in games:
        assert background.begin(game) is not None
    wait(lambda: all(map(solve.find, games)))


@pytest.mark.parametrize("name", ["ki", "shogi"])
def test_no_other_game_is_begun(name: str) -> None:
    assert background.begin(komadai.variant(name)) is None
    assert background._thread is None


@needs_processes
def test_a_failure_is_told_and_not_repeated_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    no_cache(monkeypatch, tmp_path)
    state = background.begin(TINY)
    assert state is not None
    wait(lambda: state.fault)
    assert "tiny-1.table cannot be written: Not a directory" in state.fault
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert background.begin(TINY) is state
    state.until = 0.0
    assert background.begin(TINY) is not state
    wait(lambda: solve.find(TINY))


@needs_processes
def test_a_process_that_is_lost_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    state = background.begin(TINY)
    assert state is not None
    wait(lambda: state.fault)
    assert state.fault == "the process ended with status 1"
    state.until = 0.0
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    state = background.begin(TINY)
    assert state is not None
    wait(lambda: state.fault)
    assert state.fault == "No such file or directory"


@needs_processes
def test_what_is_solved_in_the_background_ends_with_its_program() -> None:
    state = background.begin(komadai.variant("nana"))
    assert state is not None
    wait(lambda: background._process is not None)
    background.end()
    wait(lambda: background._thread is None)
    assert solve.find("nana") is None


def test_an_engine_plays_before_there_is_a_table_and_by_it_afterwards() -> None:
    engine, position = Engine(TINY), Position(TINY)
    assert engine.search(position, depth=2).nodes > 1
    solve.obtain(TINY)
    assert engine.search(position, depth=2).nodes == 1
