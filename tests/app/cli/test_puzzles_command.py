"""``komadai puzzles``."""

from __future__ import annotations

from pathlib import Path

import komadai
from helpers.command import komadai_says, parsed, refusal
from komadai.app.puzzles import files


def test_puzzles_are_mined_checked_and_listed(tmp_path: Path) -> None:
    path = str(tmp_path / "some.tsv")
    ran = komadai_says("puzzles", "mine", "nana", "--count", "6", "-o", path, "--state", str(tmp_path / "state"))
    assert ran.status == 0
    assert ran.out.startswith("6 puzzles from ")
    ran = komadai_says("puzzles", "check", "nana", "--file", path, "--one-in", "3")
    assert ran.status == 0
    assert ran.out.startswith("2 of 2 proved in ")
    assert komadai_says("puzzles", "check", "nana", "--file", path, "--one-in", "6", "--times", "10").status == 0
    found = parsed("puzzles", "list", "nana", "--file", path, "--json")
    assert len(found) == 6
    assert {"id", "rating", "theme", "plies", "position", "solution"} == set(found[0])
    lines = Path(path).read_text(encoding="utf-8")
    Path(path).write_text(lines.replace(f"\t{found[0]['solution'][0]}", "\t9z9z"), encoding="utf-8")
    ran = komadai_says("puzzles", "check", "nana", "--file", path)
    assert ran.status == 1
    assert f"{found[0]['id']}: it cannot be played" in ran.out


def test_fewer_puzzles_than_wanted_are_kept_and_said_to_be_few(tmp_path: Path) -> None:
    ran = komadai_says("puzzles", "mine", "micro", "--count", "500", "--games", "3", "-o", tmp_path / "few.tsv")
    assert ran.status == 1
    found = files.read(komadai.variant("micro"), tmp_path / "few.tsv")
    assert 0 < len(found) < 500
    assert f"{len(found)} puzzles from 3 games" in ran.out
    assert "fewer than the 500 wanted: the games allowed ran out" in ran.err


def test_the_puzzles_of_a_game_are_listed() -> None:
    ran = komadai_says("puzzles", "list", "nana", "--theme", "table")
    assert ran.status == 0
    assert f"\n{len(komadai.app.puzzles.load('nana'))} puzzles: " in ran.out


def test_what_there_is_not_is_said(tmp_path: Path) -> None:
    said = refusal("puzzles", "list", "nana", "--rule", "drop_faces=front")
    assert "there are none; make some with: komadai puzzles mine nana --rule drop_faces=front" in said
    assert "did you mean 'table'" in refusal("puzzles", "mine", "nana", "--theme", "tabel")
