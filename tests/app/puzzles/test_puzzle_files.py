"""Files of puzzles, and those of the package."""

from __future__ import annotations

from pathlib import Path

import pytest

import komadai
from helpers.volume import FULL
from komadai.app.puzzles import THEMES, Puzzle, files
from komadai.app.puzzles.puzzle import from_black, rating_of
from komadai.engine.mate import can_mate
from komadai.errors import KomadaiError, PuzzleError

SHIPPED = sorted(path.stem for path in files.path_of(komadai.variant("nana")).parent.glob("*.tsv"))
NANA = komadai.variant("nana")
SOUND = Puzzle(NANA, "1K1/1D[GB]/1k1 b br", "table", ("2b1b",), 150)


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def written(path: Path, *changed: str) -> Path:
    """A file with a sound puzzle, and then these lines."""
    files.write(path, NANA, [SOUND])
    path.write_text("".join(f"{line}\n" for line in [*lines_of(path), *changed]), encoding="utf-8")
    return path


@pytest.mark.parametrize("game", SHIPPED)
def test_the_puzzles_of_the_package_are_sound_data(game: str) -> None:
    puzzles = komadai.app.puzzles.load(game)
    assert len({one.id for one in puzzles}) == len(puzzles)
    assert len({one.plies for one in puzzles}) >= 2
    assert [one.rating for one in puzzles] == sorted(one.rating for one in puzzles)
    for number, one in enumerate(puzzles):
        assert one.turn == "b"
        assert one.theme in THEMES
        assert one.plies == 2 * one.turns - 1
        if FULL or number % 8 == 0:
            assert one.start().is_legal(one.solution[0])


@pytest.mark.parametrize("game", komadai.variants())
def test_every_game_has_puzzles(game: str) -> None:
    """Where each move takes long to try there are fewer."""
    variant = komadai.variant(game)
    least = 300 if game in komadai.variants(shelf=False) else 100 if can_mate(variant) or variant.survives_if else 1
    assert len(komadai.app.puzzles.load(game)) >= least


@pytest.mark.parametrize("game", SHIPPED)
def test_no_capture_alone_is_a_task_and_none_is_there_twice(game: str) -> None:
    puzzles = komadai.app.puzzles.load(game)
    assert all(one.plies >= 3 for one in puzzles if one.theme == "material")
    ends = [(one.start().key(), one.solution) for one in puzzles]
    assert len(set(ends)) == len(ends)


def test_a_game_without_a_file_has_no_puzzles() -> None:
    assert komadai.app.puzzles.load("nana", drop_faces="front") == ()


def test_a_form_of_a_game_without_a_file_shares_the_puzzles_of_that_game() -> None:
    assert komadai.app.puzzles.load("nana-1998") == komadai.app.puzzles.load("nana")
    assert komadai.app.puzzles.load("nana-1998", drop_faces="front") == ()


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = written(tmp_path / "one.tsv")
    assert files.read(NANA, path) == (SOUND,)
    assert lines_of(path)[1:3] == ["# game: nana", f"# rules: {NANA.play_hash}"]


def test_the_name_of_a_puzzle_comes_from_its_position() -> None:
    same = Puzzle(NANA, SOUND.position, "mate", (), 0)
    assert same.id == SOUND.id
    assert Puzzle(komadai.variant("nana", drop_faces="front"), SOUND.position, "mate", (), 0).id != SOUND.id


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("a\tb", "line 6: there are 2 columns; expected 6"),
        (files.line_of(SOUND), "line 6: puzzle .* is there already"),
        (files.line_of(SOUND).replace("table", "trap"), "line 6: theme 'trap' is unknown; expected mate, win"),
        (files.line_of(SOUND).replace("\t150", "\tx"), "line 6: rating 'x' is none; expected 0 to"),
        (files.line_of(SOUND).replace("\t1\t", "\t3\t"), "line 6: '3' plies, and a solution of 1; expected"),
        (files.line_of(SOUND).replace("1k1", "k2"), "line 6: puzzle '.*' should be .*, by its position"),
    ],
)
def test_bad_lines_are_refused_with_their_number(tmp_path: Path, line: str, why: str) -> None:
    with pytest.raises(PuzzleError, match=why):
        files.read(NANA, written(tmp_path / "bad.tsv", line))


def test_all_bad_lines_are_named_at_once(tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match=r"line 6: .*; line 7: .*; and 5 more"):
        files.read(NANA, written(tmp_path / "bad.tsv", *["x"] * 25))


def test_files_of_other_rules_games_and_kinds_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "one.tsv")
    with pytest.raises(PuzzleError, match="holds puzzles of nana, not of ki"):
        files.read(komadai.variant("ki"), path)
    with pytest.raises(
        PuzzleError, match="other rules; make it again with: komadai puzzles mine nana --rule drop_faces"
    ):
        files.read(komadai.variant("nana", drop_faces="front"), path)
    path.write_text("7g7f\n", encoding="utf-8")
    with pytest.raises(PuzzleError, match="line 1 is '7g7f'; expected '# Komadai puzzles, format 1'"):
        files.read(NANA, path)
    with pytest.raises(PuzzleError, match="cannot be read: No such file"):
        files.read(NANA, tmp_path / "none.tsv")


def test_a_setup_turned_round_is_turned_back() -> None:
    for game in ("shogi", "ko"):
        position = komadai.Position(game)
        position.push(position.legal_moves()[0])
        setup = from_black(position.setup())
        assert setup.turn == "b"
        once = komadai.Position(game, setup)
        assert sorted(map(len, map(str, once.legal_moves()))) == sorted(map(len, map(str, position.legal_moves())))


def test_ratings_grow_with_the_work() -> None:
    assert [rating_of(nodes) for nodes in (0, 1, 2, 1024)] == [0, 0, 100, 1000]


def test_puzzle_errors_are_errors_of_bad_input() -> None:
    assert issubclass(komadai.PuzzleError, KomadaiError)
