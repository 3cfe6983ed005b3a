"""Commands about variant files, and commands that take such a file in place of a game's name."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.command import komadai_says, parsed, refusal
from komadai import variants


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = str(tmp_path / "my-shogi.toml")
    ran = komadai_says("new-variant", "my-shogi", "-o", path)
    assert (ran.status, ran.err) == (0, "")
    return path


def test_a_new_file_checks(file: str) -> None:
    ran = komadai_says("check", file)
    assert ran.status == 0
    assert "My Shogi, 5×5, 14 legal moves at the start" in ran.out


def test_all_defects_are_printed_and_the_status_says_so(file: str) -> None:
    text = Path(file).read_text(encoding="utf-8")
    wrong = text.replace('move = "FfW"', 'move = "FfX"').replace('event = "drops"', 'event = "dropz"')
    Path(file).write_text(wrong, encoding="utf-8")
    ran = komadai_says("check", file)
    lines = ran.out.splitlines()
    assert (ran.status, ran.err, len(lines)) == (1, "", 3)
    number = wrong.split("\n").index('move = "FfX"') + 1
    assert lines[0].startswith(f"{file}:{number}:11: kinds[2].move: Betza 'FfX': there is no X; expected")
    as_json = komadai_says("check", file, "--json")
    data = json.loads(as_json.out)
    assert as_json.status == 1
    assert [defect["line"] for defect in data["defects"]][:1] == [number]
    assert data["game"] is None


def test_json_of_a_sound_file_has_the_hash(file: str) -> None:
    data = parsed("check", file, "--json")
    assert data["defects"] == []
    assert len(data["game"]["rules"]) == 64


def test_the_schema_is_printed() -> None:
    assert parsed("check", "--schema")["title"] == "Komadai variant file"


def test_a_file_that_is_there_is_not_written_over(file: str) -> None:
    assert "is there already" in refusal("new-variant", "my-shogi", "-o", file)
    assert komadai_says("new-variant", "My Shogi").status == 2


def test_games_are_exported_and_read(tmp_path: Path) -> None:
    path = tmp_path / "nana.toml"
    path.write_text(komadai_says("export-variant", "nana", "--rule", "drop_faces=front").out, encoding="utf-8")
    assert komadai_says("check", str(path)).status == 0


@pytest.mark.parametrize("how", ["name", "file"])
def test_commands_take_the_game_of_a_file(file: str, how: str) -> None:
    game = ["my-shogi", "--variant-file", file] if how == "name" else [file]
    assert len(parsed("moves", *game, "--json")["moves"]) == 14
    name, *rest = game
    assert parsed("perft", name, "3", *rest, "--json")["nodes"] == 2512
    for command in ("picture", "print"):
        ran = komadai_says(command, *game)
        assert (ran.status, ran.err) == (0, "")
        assert "<svg" in ran.out


def test_variants_lists_the_game_of_a_file(file: str) -> None:
    assert parsed("variants", "--json", "--variant-file", file)[-1]["name"] == "my-shogi"


def test_engines_play_a_match_of_it_and_the_games_are_read_elsewhere(file: str, tmp_path: Path) -> None:
    games = tmp_path / "games.txt"
    players = ("komadai:level=1", "random")
    ran = komadai_says("match", *players, "--game", file, "--games", "2", "--nodes", "50", "-o", str(games))
    assert ran.status == 0, ran.err
    variants._registered.clear()
    shown = komadai_says("record", "show", str(games))
    assert (shown.status, shown.err) == (0, "")
    assert shown.out.startswith("My Shogi\n")
    first = shown.out.partition("\n\n")[2]  # behind the headers come the moves, and no part of the game's file
    assert first.startswith("1. ")
    assert "id = " not in shown.out


def test_a_wrong_file_is_refused_in_one_line(file: str) -> None:
    Path(file).write_text("id = 3\n", encoding="utf-8")
    assert refusal("moves", file).startswith("komadai: my-shogi.toml: line 1, column 1: ")


def test_the_engine_takes_a_file_for_its_protocols(file: str) -> None:
    said = (
        f"usi\nsetoption name VariantPath value {file}\nsetoption name USI_Variant value my-shogi\ngo nodes 50\nquit\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", "from komadai.__main__ import main; main()", "engine"],
        input=said, capture_output=True, text=True, encoding="utf-8", timeout=600, check=True,
    )  # fmt: skip
    assert "option name VariantPath type filename default <empty>" in ran.stdout
    assert "bestmove" in ran.stdout
