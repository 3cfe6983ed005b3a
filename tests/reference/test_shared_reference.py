"""The server replays games in several threads, which share the reference of a variant."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

import komadai
from helpers.volume import volume
from komadai.reference import Reference

THREADS, ROUNDS, SETUPS = 4, volume(6, 2), 3


@pytest.fixture(autouse=True)
def hurried() -> Iterator[None]:
    """Let threads take turns a thousand times as often as usual."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(usual / 1000)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.parametrize("name", ["ki", "mortal", "nana", "shogi"])  # in the others a list takes longer
def test_threads_that_share_a_reference_find_the_same_moves(name: str) -> None:
    position = komadai.Position(name)
    setups = []
    for _ in range(SETUPS):
        setups.append(position.setup())
        position.push(position.legal_moves()[-1])
    alone = Reference(position.variant)
    expected = [[move.text for move in alone.legal_moves(setup)] for setup in setups]
    with ThreadPoolExecutor(THREADS) as pool:
        for _ in range(ROUNDS):
            shared, together = Reference(position.variant), Barrier(THREADS)

            def ask(first: int, shared: Reference = shared, together: Barrier = together) -> list[list[str]]:
                together.wait()
                order = [(first + at) % SETUPS for at in range(SETUPS)]
                found = {at: [move.text for move in shared.legal_moves(setups[at])] for at in order}
                return [found[at] for at in range(SETUPS)]

            assert list(pool.map(ask, range(THREADS))) == [expected] * THREADS
