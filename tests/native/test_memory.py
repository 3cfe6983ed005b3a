"""Where memory does not suffice the core says so in words, and goes on."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from komadai import _core
from komadai.engine.evaluation import evaluation
from komadai.variants import build

WORDS = "there is not enough memory for that"

pytestmark = pytest.mark.skipif(
    "libasan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer ends the program where memory runs out"
)


@pytest.mark.parametrize("megabytes", [2**40, 2**44, 2**63])
def test_a_table_larger_than_any_memory_is_refused_in_words(megabytes: int) -> None:
    """2**44 used to be counted for ever, because as bytes it did not fit a word; 2**63 made the smallest table."""
    weights = evaluation(build("nana"))
    for make in (lambda: _core.Searcher(weights, megabytes), lambda: _core.MateSolver(megabytes)):
        with pytest.raises(ValueError, match=f"megabytes is {megabytes}; expected 1 to {_core.MAX_MEGABYTES}"):
            make()


SCARCE = """
import resource
from komadai import Engine, Position
Position("shogi").perft(2)
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
try:
    Engine("shogi", hash_mb=4096)
except MemoryError as error:
    print(error)
print(Engine("shogi").search(Position("shogi"), depth=3).depth)
"""


def test_a_hash_table_that_the_machine_has_no_room_for_is_refused_in_words() -> None:
    made = subprocess.run([sys.executable, "-c", SCARCE], capture_output=True, text=True, timeout=120, check=False)
    assert (made.stdout, made.stderr, made.returncode) == (f"{WORDS}\n3\n", "", 0)


def test_a_search_goes_on_with_fewer_threads_where_no_more_can_be_started() -> None:
    """Each thread wants 8 MB of addresses for its stack, and with so little left few can be started."""
    scarce = """
import resource
from komadai import Engine, Position
engine, position = Engine("nana", threads=64, tables=False), Position("nana")
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20), used + (64 << 20)))
print(engine.search(position, depth=4).depth)
"""
    made = subprocess.run([sys.executable, "-c", scarce], capture_output=True, text=True, timeout=120, check=False)
    assert (made.stdout, made.stderr, made.returncode) == ("4\n", "", 0)
