"""``komadai mate``: one problem, files and folders of them, what cannot be read, and the exit status."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.command import komadai_says, parsed, refusal

ONE = "7nk/9/8P/9/9/9/9/9/9 b G"
THREE = "6k2/3RG4/9/9/9/9/9/9/9 b Gr2b2g4s4n4l18p"
USELESS = "9/6P2/6Snk/6R2/9/9/9/9/9 b Sr2b4g2s3n4l17p"
COOKED = "9/9/7Bk/9/8B/9/9/9/9 b GS2r3g3s4n4l18p"
NONE = "4k4/9/9/9/9/9/9/9/9 b P2r2b4g4s4n4l17p"


def test_one_problem() -> None:
    ran = komadai_says("mate", "shogi", THREE)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == "mate in 3: G-4a K-2a G*1b\nno other first move mates\n"


def test_both_lengths_are_told_where_they_differ() -> None:
    ran = komadai_says("mate", "shogi", USELESS, "--notation", "usi")
    assert ran.out.splitlines()[0] == "mate in 3 (5 against every defence): S*2b 1c1b 3d1d"


def test_other_first_moves_are_told() -> None:
    ran = komadai_says("mate", "shogi", COOKED, "--notation", "usi")
    assert ran.status == 0
    assert ran.out.splitlines()[1:] == ["other first moves: G*2d S*2d", "other moves at ply 3: G*3c"]


def test_the_shortest_mate_alone() -> None:
    ran = komadai_says("mate", "shogi", USELESS, "--no-tsume", "--notation", "usi")
    assert ran.status == 0
    assert ran.out.startswith("mate in 5: S*2b ")


def test_no_mate_and_no_answer() -> None:
    assert komadai_says("mate", "shogi", NONE).out == "no mate by checks alone\n"
    ran = komadai_says("mate", "shogi", THREE, "--nodes", "1")
    assert (ran.status, ran.out) == (1, "not known: no answer was found in time\n")


def test_of_another_game() -> None:
    ran = komadai_says("mate", "mortal", "9/5Sk2/8G/9/9/9/9/9/9 b G", "--notation", "usi")
    assert ran.out.splitlines()[0] == "mate in 3: G*3c 3b2a 1c2b"


def test_as_json() -> None:
    found = parsed("mate", "shogi", THREE, "--json")
    assert (found["plies"], found["unique"], found["moves"]) == (3, True, ["5b4a", "3a2a", "G*1b"])


def test_a_folder_of_problems(tmp_path: Path) -> None:
    """Lists and records together; the lengths they say are compared with those found."""
    (tmp_path / "list.sfen").write_text(f"# two problems\n{THREE} # 3\nsfen {USELESS} 1 # mate in 5\n", "utf-8")
    (tmp_path / "mate-1-ply.txt").write_text(f"{ONE}\n", "utf-8")
    (tmp_path / "1te").mkdir()
    (tmp_path / "1te" / "one.csa").write_text("V2.2\nP-11OU21KE\nP+13FU00KI\n+\n", "utf-8")
    ran = komadai_says("mate", "shogi", str(tmp_path))
    rows = [line.split() for line in ran.out.splitlines()]
    assert (ran.status, ran.err) == (0, "")
    assert [(Path(row[0]).name, row[1:5], row[-1]) for row in rows[1:-1]] == [
        ("one.csa", ["1", "1", "1", "yes"], "ok"),
        ("list.sfen:2", ["3", "3", "3", "yes"], "ok"),
        ("list.sfen:3", ["5", "3", "5", "yes"], "ok"),
        ("mate-1-ply.txt:1", ["1", "1", "1", "yes"], "ok"),
    ]
    assert ran.out.splitlines()[-1].startswith("4 of 4 solved, 4 with one first move alone, ")


def test_a_problem_of_another_length_is_not_solved(tmp_path: Path) -> None:
    (tmp_path / "list.sfen").write_text(f"{THREE} # 7手詰\n{NONE}\n", "utf-8")
    ran = komadai_says("mate", "shogi", str(tmp_path / "list.sfen"))
    assert ran.status == 1
    assert [line.split("  ")[-1].strip() for line in ran.out.splitlines()[1:-1]] == ["other length", "no mate"]


def test_what_cannot_be_read_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "list.sfen"
    path.write_text(f"{ONE}\n9/9 b -\n", "utf-8")
    ran = komadai_says("mate", "shogi", str(path))
    assert ran.status == 2
    assert f"{path}:2: position '9/9 b -'" in ran.err
    assert ran.out.splitlines()[-1].startswith("1 of 1 solved")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing.kif"], "No such file"),
        ([ONE, "--notation", "klingon"], "klingon"),
        ([ONE, "--time", "0"], "time 0.0 is no number of seconds above 0"),
        (["7nk/9 b G"], "7nk/9 b G"),
    ],
)
def test_bad_input_is_said(arguments: list[str], words: str) -> None:
    ran = komadai_says("mate", "shogi", *arguments)
    assert ran.status == 2
    assert words in ran.err
    assert "Traceback" not in ran.err


def test_what_is_neither_a_file_nor_a_position_is_refused() -> None:
    said = refusal("mate", "shogi", "nonsense")
    assert "POSITION|FILES 'nonsense': is neither a file nor a position string" in said
