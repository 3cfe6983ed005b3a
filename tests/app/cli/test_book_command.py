"""``komadai book``."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.books import COUNTS, GAMES, book_of_five, written
from helpers.command import komadai_says, parsed, refusal


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "games" / "more").mkdir(parents=True)
    written(tmp_path / "games")
    (tmp_path / "games" / "other.csa").rename(tmp_path / "games" / "more" / "other.csa")
    (tmp_path / "games" / "notes.md").write_text("no record")
    return tmp_path


def test_a_book_is_built_from_files_and_folders(folder: Path) -> None:
    out = str(folder / "all.book")
    one = str(folder / "games" / "win.pgn")
    said = parsed("book", "build", str(folder / "games"), one, "-o", out, "--json")
    assert (said["variant"], said["games"], said["positions"], said["plies"], said["least"]) == ("shogi", 5, 6, 40, 1)
    assert said["bytes"] == Path(out).stat().st_size
    assert Path(out).read_bytes() == book_of_five(folder / "five.book").path.read_bytes()


def test_the_moves_of_a_position_are_shown(folder: Path) -> None:
    path = str(book_of_five(folder / "five.book").path)
    ran = komadai_says("book", "show", path)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "Standard shogi 2: 5 games, 40 plies of each",
        "6 positions, 8 moves",
        f"{path}, {Path(path).stat().st_size} bytes",
        "",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -",
        "move        games  wins  draws  losses  points  score",
        "7g7f  P-7f      4     1      1       2     38%  -0.10",
        "2g2f  P-2f      1     0      0       0",
    ]
    place = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"
    found = parsed("book", "show", path, place, "--json")["found"]
    assert [(move["move"], *list(move.values())[2:]) for move in found] == COUNTS["7g7f"]
    empty = komadai_says("book", "show", path, "4k4/9/9/9/9/9/9/9/4K4 b -")
    assert empty.out.endswith("no move of this position is in the book\n")


def test_plies_and_the_least_number_of_games(folder: Path) -> None:
    files = [str(path) for path in written(folder)]
    said = parsed("book", "build", *files, "-o", str(folder / "b"), "--plies", "1", "--least", "2", "--json")
    assert (said["positions"], said["moves"], said["plies"], said["least"]) == (1, 1, 1, 2)
    said = refusal("book", "build", *files, "-o", str(folder / "c"), "--least", "9")
    assert "no move was played in 9 games or more" in said


def test_books_are_merged(folder: Path) -> None:
    path = str(book_of_five(folder / "five.book").path)
    said = parsed("book", "merge", path, path, "-o", str(folder / "two.book"), "--json")
    assert (said["games"], said["positions"], said["plies"]) == (10, 6, 40)
    nana = folder / "nana.usi"
    nana.write_text("nana startpos moves K*1a\n")
    assert komadai_says("book", "build", str(nana), "-o", str(folder / "nana.book"), "--game", "nana").status == 0
    said = refusal("book", "merge", path, str(folder / "nana.book"), "-o", str(folder / "b"))
    assert "nana.book: games of nana cannot go into a book of shogi" in said


def test_what_cannot_be_read_is_named_and_the_rest_taken(folder: Path) -> None:
    (folder / "games" / "bad.kif").write_text("hm")
    ran = komadai_says("book", "build", str(folder / "games"), "-o", str(folder / "b"))
    assert ran.status == 0
    assert "bad.kif" in ran.err
    assert "move 'hm'" in ran.err
    assert "passed over" in ran.err
    assert "5 games" in ran.out


def test_many_files_that_cannot_be_read_are_counted(folder: Path) -> None:
    for number in range(12):
        (folder / "games" / f"bad{number}.kif").write_text("hm")
    ran = komadai_says("book", "build", str(folder / "games"), "-o", str(folder / "b"))
    assert len(ran.err.splitlines()) == 11
    assert "12 files passed over in all" in ran.err


def test_games_of_several_variants_need_a_choice(folder: Path) -> None:
    (folder / "games" / "z.json").write_text(GAMES["draw.json"].replace("shogi", "mortal"))
    said = refusal("book", "build", str(folder / "games"), "-o", str(folder / "b"))
    assert "holds a game of mortal" in said
    assert "--game" in said
    ran = komadai_says("book", "build", str(folder / "games"), "-o", str(folder / "b"), "--game", "shogi")
    assert ran.status == 0
    assert "1 game of mortal (or of other rules) passed over" in ran.err
    assert "5 games" in ran.out


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        (["build", "nowhere.kif", "-o", "b"], "none of the files can be read"),
        (["build", "empty", "-o", "b"], "has no file that ends in .csa"),
        (["build", "empty", "-o", "b", "--rule", "x=y"], "needs --game"),
        (["build", "empty", "-o", "b", "--game", "nowhere"], "unknown variant 'nowhere'"),
        (["show", "nowhere.book"], "nowhere.book cannot be read: there is no such file"),
        (["merge", "nowhere.book", "-o", "b"], "nowhere.book cannot be read: there is no such file"),
    ],
)
def test_bad_input_is_said(arguments: list[str], wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    assert wrong in refusal("book", *arguments).replace("\n", " ")
    assert not (tmp_path / "b").exists()
