"""Long work releases the GIL: other Python threads go on meanwhile. Counted in steps, not in seconds."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from helpers.solved import MIDDLING, TINY
from helpers.support import DEFAULTS, needs_threads, random_play
from helpers.volume import FULL, volume
from komadai import solve
from komadai.engine import Engine
from komadai.game.position import Position
from komadai.spec.variant import Variant

pytestmark = needs_threads
STEPS = 1_000  # what another thread must get done while the work lasts


def steps_during(work: Callable[[], object]) -> int:
    """The number of steps this thread takes while another does the work."""
    entered, done = threading.Event(), threading.Event()

    def run() -> None:
        entered.set()
        try:
            work()
        finally:
            done.set()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    entered.wait()
    steps = 0
    while not done.is_set():
        steps += 1
    thread.join()
    return steps


@pytest.mark.parametrize(
    "work",
    [
        lambda folder: Position("shogi").perft(5),
        lambda folder: Engine("shogi").search(Position("shogi"), nodes=300_000),
        lambda folder: solve.build(MIDDLING if FULL else TINY, path=folder / "table"),
    ],
    ids=["perft", "search", "solve"],
)
def test_other_threads_run_during_long_work(work: Callable[[Path], object], tmp_path: Path) -> None:
    assert steps_during(lambda: work(tmp_path)) > STEPS


@pytest.mark.parametrize("variant", DEFAULTS)
def test_two_positions_in_two_threads(variant: Variant) -> None:
    def wander(seed: int) -> list[tuple[str, int]]:
        return [(position.sfen(), position.perft(2)) for position, _ in random_play(variant, seed, volume(60))]

    alone = [wander(seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(wander, range(4))) == alone


def test_one_position_may_be_counted_and_searched_at_once() -> None:
    position = Position("shogi")
    with ThreadPoolExecutor(2) as pool:
        counting = pool.submit(position.perft, 5)
        searching = pool.submit(Engine("shogi").search, position, depth=4)
        for _ in range(200):
            assert len(position.legal_moves()) == 30
            assert position.perft(2) == 900
        assert counting.result() == 19_861_490
        assert searching.result().move in Position("shogi").legal_moves()


def test_two_engines_at_once() -> None:
    def search(_number: int) -> tuple[object, int, int]:
        info = Engine("shogi").search(Position("shogi"), depth=5)
        return info.move, info.score, info.nodes

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(search, range(3))) == [search(0)] * 3


@pytest.mark.parametrize("work", ["position.perft(12)", "komadai.Engine('shogi').search(position)"])
def test_ctrl_c_ends_long_work(work: str) -> None:
    code = f"""
import os, signal, sys, threading
import komadai
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs start with the signal ignored
position = komadai.Position("shogi")
try:
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    {work}
except KeyboardInterrupt:
    print("interrupted")
"""
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert (made.stdout, made.stderr, made.returncode) == ("interrupted\n", "", 0)
