"""Arguments of any length: what is wrong with them is said in a few lines."""

from __future__ import annotations

import pytest

from helpers.command import refusal

LONG = "xY1" * 30_000


@pytest.mark.parametrize(
    "words",
    [
        (LONG,),
        ("perft", LONG, "3"),
        ("perft", "nana", LONG),
        ("perft", "nana", "3", LONG),
        ("perft", "nana", "3", "--rule", LONG),
        ("perft", "nana", "3", "--rule", f"drop_faces={LONG}"),
        ("moves", "nana", LONG),
        ("moves", "nana", f"--{LONG}"),
        ("match", LONG, "random"),
        ("match", "random", "random", "--clock", LONG),
        ("match", "random", "random", "--games", LONG),
        ("match", "random", "random", "--games", "9" * 90_000),
        ("match", "random", "random", "--openings", f"random:{LONG}"),
        ("puzzles", LONG),
        ("admin", LONG),
    ],
)
def test_a_long_argument_is_quoted_in_part(words: tuple[str, ...]) -> None:
    said = refusal(*words)
    assert LONG[:201] not in said.replace("\n", "")
    assert len(said) < 2_000
