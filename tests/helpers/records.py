"""Records made by chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import strategies as st

from komadai import NotationError, Record, record
from komadai.record import MARKS, Format, Result, Score
from komadai.spec.board import other

WORDS = st.text(max_size=12) | st.sampled_from(["0.12s", "+0.35/8", "-M3", "}", "\\}", "a\n\n*b", '[A "b"]\n\n1. P-7f'])
NUMBERS = st.integers(-(10**9), 10**9)
DEPTHS = st.none() | st.integers(0, 10**9)
SCORES = st.builds(Score, NUMBERS, st.none(), DEPTHS) | st.builds(Score, st.none(), NUMBERS, DEPTHS)
SAID = st.fixed_dictionaries(
    {},
    optional={
        "comment": WORDS,
        "mark": st.sampled_from(MARKS),
        "seconds": st.floats(0, 10**8) | st.integers(0, 600),
        "score": SCORES,
    },
)
STEPS = st.tuples(st.integers(0, 9), st.integers(0, 10**6), SAID)
HEADERS = st.dictionaries(st.sampled_from(["Black", "White", "Event", "開始 日時", "a.b_c-1"]), st.text(max_size=20))
RESULTS = st.none() | st.builds(
    Result, st.sampled_from(["b", "w", None]), st.sampled_from(["resign", "time", "cap", "unknown", "adjudication"])
)


def grown(name: str, steps: list[tuple[int, int, dict[str, Any]]]) -> Record:
    """The record that steps lead to: mostly a line, with a branch now and then."""
    made = Record.begin(name)
    at = 0
    for branch, choice, said in steps:
        if branch < 3:
            at = choice % len(made.nodes)
        position = made.position(at)
        if position.outcome() is None:
            moves = sorted(map(str, position.legal_moves()))
            made, at = made.add(at, moves[choice % len(moves)], **said)
    return made


@st.composite
def ended(draw: st.DrawFn, ends: Sequence[tuple[bool | None, str]]) -> Record:
    """A game of standard shogi, open or with one of the ends: who loses, the side to move or not or nobody, and how."""
    made = grown("shogi", draw(st.lists(STEPS, max_size=25))).annotate(0, comment=draw(WORDS))
    turn, (loses, reason) = made.position(made.main[-1]).turn, draw(st.sampled_from(ends))
    said = Result(None, "agreement") if loses is None else Result(other(turn) if loses else turn, reason)
    return replace(made, result=made.result or draw(st.none() | st.just(said)))


def refusal(text: str, form: Format | None = None) -> str:
    """The words with which a text is refused."""
    with pytest.raises(NotationError) as caught:
        record.read(text, form=form)
    return str(caught.value)


def moves(made: Record) -> list[str]:
    """The move strings of the main line."""
    return [made.nodes[number].move for number in made.main[1:]]
