"""Perft counts and move lists of a second, independent implementation of the rules pages (docs/rules/README.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import komadai
from helpers.support import FIXTURES, NAMES, by_reference, generic, legal, reference_of
from helpers.volume import FULL
from komadai.game.position import Position

# Nodes of a 9×9 board, fewer on a larger one: the reference is slow, so it counts only the smaller perfts.
REFERENCE_LIMIT = 30_000
REFERENCE_FAST = 500  # beyond it a count by the reference is slow
GENERIC_LIMIT, GENERIC_FAST = 5_000_000, 300_000
ONE_BY_ONE_FAST = 300_000  # beyond it counting every leaf by itself is slow

WITH_FIXTURES = [name for name in NAMES if (FIXTURES / f"{name}.json").exists()]


@cache
def fixture(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((FIXTURES / f"{name}.json").read_text(encoding="utf-8"))
    return data


def perfts(limit: int | None = None, fast: int | None = None) -> Iterator[Any]:
    """The perft rows of up to ``limit`` nodes; those of more than ``fast`` are marked slow."""
    for name in WITH_FIXTURES:
        points = len(komadai.variant(name).board)
        for number, row in enumerate(fixture(name)["perft"]):
            if limit is None or row["nodes"] * points <= limit * 81:
                slow = fast is not None and row["nodes"] * points > fast * 81
                yield pytest.param(
                    *(name, row["position"], row["depth"], row["nodes"]),
                    id=f"{name}-{number}-{row['nodes']}",
                    marks=[pytest.mark.slow] if slow else [],
                )


@pytest.mark.parametrize("name", WITH_FIXTURES)
def test_start(name: str) -> None:
    assert Position(name).sfen() == fixture(name)["start"]


@pytest.mark.parametrize(("name", "position", "depth", "nodes"), list(perfts()))
def test_perft(name: str, position: str, depth: int, nodes: int) -> None:
    at = Position(name, position)
    assert at.perft(depth) == nodes
    if FULL or nodes <= ONE_BY_ONE_FAST:
        assert at.perft(depth, bulk=False) == nodes


@pytest.mark.parametrize(("name", "position", "depth", "nodes"), list(perfts(GENERIC_LIMIT, GENERIC_FAST)))
def test_perft_by_the_generic_path(name: str, position: str, depth: int, nodes: int) -> None:
    assert Position(name, position)._native.perft(depth, True, True) == nodes


@pytest.mark.parametrize(("name", "position", "depth", "nodes"), list(perfts(REFERENCE_LIMIT, REFERENCE_FAST)))
def test_perft_by_the_reference(name: str, position: str, depth: int, nodes: int) -> None:
    at = Position(name, position)
    assert reference_of(at.variant).perft(at.setup(), depth) == nodes


@pytest.mark.parametrize("name", WITH_FIXTURES)
def test_positions(name: str) -> None:
    for row in fixture(name)["positions"]:
        position = Position(name, row["position"])
        assert position.sfen() == row["position"]
        moves = sorted(str(move) for move in position.legal_moves())
        assert moves == sorted(row["moves"]), row["position"]
        assert generic(position) == legal(position), row["position"]
        assert position.is_check() == row["check"], row["position"]
        if "move" in row:
            position.push(row["move"])
            assert position.sfen() == row["next"], row["position"]


@pytest.mark.parametrize("name", WITH_FIXTURES)
def test_positions_by_the_reference(name: str) -> None:
    rows = fixture(name)["positions"]
    for row in rows[:: 1 if FULL else len(rows) // 8]:
        assert by_reference(Position(name, row["position"])) == set(row["moves"]), row["position"]
