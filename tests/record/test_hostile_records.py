"""Files made to exhaust a reader: one word of millions of characters, millions of words, of lines, of marks, of games.

Time is bounded because reading stops: these tests hold where it does. Memory is measured.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from fuzz.records.processes import MOST_MEMORY, most_memory
from helpers.records import refusal
from helpers.volume import FULL
from komadai import NotationError, record

MANY = 300_000
CASES: dict[str, tuple[record.Format, str, str]] = {
    "a word": ("text", "a" * MANY, "is longer than 60 characters"),
    "words": ("text", "a " * MANY, "has more than 200000 words before it"),
    "marks": ("text", "1. P-7f " + "$2 $1 " * MANY, "its comment has 20003 characters"),
    "unknown marks": ("text", "1. P-7f " + "$9 " * MANY, "its comment has 20003 characters"),
    "empty comments": ("text", "{} " * MANY, "has more than 200000 words"),
    "a comment": ("text", "{" + "a" * MANY, "line 1: cannot read '{aaa"),
    "variations": ("text", "1. P-7f " + "( " * MANY, "has more than 20000 variations in each other"),
    "empty comments on lines": ("text", "{}\n" * MANY, "line 200001: has more than 200000 words"),
    "ends of variations": ("text", ")" * MANY, "there is a ) without its ("),
    "a header": ("text", '[A "' + "\\\\" * MANY, "line 1: cannot read '[A"),
    "headers": (
        "text",
        "".join(f'[A{number} "b"]\n' for number in range(MANY // 10)),
        "there are more than 200 headers",
    ),
    "games of text": ("text", "* " * MANY, "has more than 10000 games"),
    "bad games": ("text", "x * " * MANY, "game 21, line 1"),
    "lines": ("kif", "手合割：平手\n" + "a\n" * MANY, "line 10002: its comment has more than 20000 characters"),
    "a line": ("kif", "1 " * MANY, "line 1: has 600,000 characters"),
    "headers of KIF": ("kif", "".join(f"h{number}：b\n" for number in range(MANY // 10)), "there are more than 200"),
    "branches": ("kif", "1 ７六歩(77)\n" + "変化：9手\n1 hm\n" * MANY, "and more"),
    "rows": ("kif", "|v香\n" * MANY, "the board has more than 9 ranks"),
    "ends": ("kif", "1 ７六歩(77)\n" + "2 投了\n" * MANY, "its comment has 20003 characters"),
    "bad moves": ("ki2", "▲７六歩！\n" * MANY, "and more"),
    "lines of USI": ("usi", "x\n" * MANY, "and more"),
    "a move again": ("kif", "1 ７六歩(77)\n" + "変化：1手\n1 ７六歩(77)\n" * MANY, "has more than 20000 moves"),
    "a move again in KI2": ("ki2", "▲７六歩\n" + "変化：1手\n▲７六歩\n" * MANY, "has more than 20000 moves"),
    "a move again in text": ("text", "1. P-7f " + "( 1. P-7f )" * (MANY // 10), "has more than 20000 moves"),
    "squares of a rank": (
        "kif",
        "手合割：平手\n|" + "飛" * 99_000 + "|一\n1 ７六歩(77)\n",
        "has 99000 squares; expected 9",
    ),
    "a line of USI": ("usi", "7g7f " * MANY, "line 1: has 1,500,000 characters"),
}


SLOW = (
    "words", "marks", "unknown marks", "empty comments", "empty comments on lines", "games of text", "branches",
    "ends", "a move again", "a move again in KI2", "a move again in text",
)  # fmt: skip


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in CASES])
def test_reading_stops(name: str) -> None:
    form, text, words = CASES[name]
    assert words in refusal(text, form)


def test_reading_takes_little_memory() -> None:
    """In a process of its own, since Python does not give back what it has taken."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    result = subprocess.run([sys.executable, __file__], capture_output=True, text=True, env=environment)
    assert result.returncode == 0, result.stdout + result.stderr


if __name__ == "__main__":
    for case, (form, text, _words) in CASES.items():
        if FULL or case not in SLOW:
            try:
                record.read(text, form=form)
            except NotationError:
                memory = most_memory()
                assert memory < MOST_MEMORY, f"{case}: {memory:.0f} MB"
                print(f"{case}: {memory:.0f} MB")
