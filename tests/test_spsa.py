"""Tuning the numbers of the search: how results move them, and the file that keeps the results."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from helpers.support import ROOT
from tools import spsa

HEAD = {"game": "nana", "nodes": 50, "seed": 1, "pairs": 40, "gain": 0.5, "numbers": {"A": [10, 0, 20], "B": [5, 0, 5]}}


def test_numbers_move_towards_the_winners_and_stay_in_range() -> None:
    run = spsa.Run(HEAD)
    for pair in range(40):
        # Whoever has the greater A wins; B counts for nothing.
        first, second = run.changed(pair, 1)["A"], run.changed(pair, -1)["A"]
        run.add(pair, 2 if first > second else -2)
    assert run.now["A"] == 20
    assert 0 <= run.now["B"] <= 5
    assert run.done == 40


def test_both_players_of_a_pair_are_changed_in_opposite_directions() -> None:
    run = spsa.Run(HEAD)
    signs = {run.signs(pair)["A"] for pair in range(20)}
    assert signs == {1, -1}
    assert {run.changed(pair, 1)["A"] + run.changed(pair, -1)["A"] for pair in range(20)} == {20}


def test_a_draw_moves_nothing() -> None:
    run = spsa.Run(HEAD)
    run.add(0, 0)
    assert run.rounded() == run.start


def test_a_file_gives_the_numbers_again_without_a_line_cut_off(tmp_path: Path) -> None:
    file, run = tmp_path / "numbers.jsonl", spsa.Run(HEAD)
    lines = [json.dumps(HEAD)]
    for pair, points in enumerate((2, -1, 0, 1)):
        run.add(pair, points)
        lines.append(json.dumps({"pair": pair, "points": points}))
    file.write_text("\n".join(lines) + '\n{"pair": 4, "po')
    again = spsa.Run.read(file)
    assert again.now == run.now
    assert again.done == 4


def test_another_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "numbers.jsonl"
    file.write_text("{}\n")
    with pytest.raises(SystemExit, match="no file of results"):
        spsa.Run.read(file)


def test_a_core_without_one_of_the_numbers_is_refused() -> None:
    run = spsa.Run(HEAD)
    run.require({"A", "B"})
    with pytest.raises(SystemExit, match="no number B"):
        run.require({"A"})


def test_a_core_with_constants_says_how_to_build_another() -> None:
    with pytest.raises(SystemExit, match="KOMADAI_TUNING=ON"):
        spsa.defaults("shogi")


def test_every_number_of_the_search_lies_in_its_range() -> None:
    text = (ROOT / "native/search_numbers.hpp").read_text(encoding="utf-8")
    numbers = re.findall(r"number\((\w+), (-?\d+), (-?\d+), (-?\d+)\)", text)
    assert len(numbers) >= 30
    for name, value, least, most in numbers:
        assert int(least) <= int(value) <= int(most), name
