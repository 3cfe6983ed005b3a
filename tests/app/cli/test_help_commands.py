"""``komadai analyse``, ``rules``, ``doctor`` and ``completion``; what the help loads."""

from __future__ import annotations

import io
import os
import re
import socket
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

import komadai
from helpers.command import komadai_says, parsed, refusal, run_alone, said_of
from komadai.app.cli import COMMANDS, GROUPS
from komadai.errors import TableError
from komadai.rulebook import sections

MATE = "7k1/9/6G1P/9/9/9/9/9/9 b G"


def test_analyse_finds_a_mate() -> None:
    said = parsed("analyse", "shogi", MATE, "--depth", "3", "--lines", "2", "--json")
    assert (said["variant"], said["position"], said["outcome"]) == ("shogi", f"{MATE}", None)
    first, second = said["lines"]
    assert first["mate"] == 1
    assert len(first["moves"]) == len(first["written"]) == 1
    assert first["moves"] != second["moves"]
    shown = said_of("analyse", "shogi", MATE, "--depth", "3", "--notation", "japanese")
    assert "win in 1" in shown
    assert "☗" in shown


def test_analyse_reads_a_position_from_standard_input() -> None:
    ran = run_alone("analyse", "shogi", "-", "--nodes", "2000", "--json", given=f"sfen {MATE}\n")
    assert (ran.status, ran.err) == (0, "")
    assert f'"{MATE}"' in ran.out


def test_analyse_says_that_a_game_is_over() -> None:
    over = "8k/8G/8G/9/9/9/9/9/4K4 w -"
    said = parsed("analyse", "shogi", over, "--json", "--depth", "1")
    assert (said["outcome"]["winner"], said["lines"]) == ("b", [])
    assert "Black wins" in said_of("analyse", "shogi", over)


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("game", komadai.variants())
def test_the_rules_of_every_game_are_printed(game: str, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    said = said_of("rules", game, "--lang", lang)
    variant = komadai.variant(game)
    assert all(f"({kind.code})" in said for kind in variant.kinds)
    assert lang != "en" or all(f"\n{section.heading}\n" in said for section in sections(game))
    assert lang != "ja" or not any(line.startswith(("。", "、", "」")) for line in said.splitlines())


def test_rule_options_are_told_with_the_rules() -> None:
    assert "drop_faces=front: " in said_of("rules", "nana", "--rule", "drop_faces=front")
    assert "drop_faces" not in said_of("rules", "nana")


def test_doctor_tells_nothing_of_its_user(monkeypatch: pytest.MonkeyPatch) -> None:
    doctor = import_module("komadai.app.cli.doctor")
    monkeypatch.setattr(socket, "gethostname", lambda: "alices-laptop")
    monkeypatch.setenv("KOMADAI_ENGINE_TOKEN", "sesame")
    monkeypatch.setenv("KOMADAI_DATA", "/srv/of/alice")

    def fails() -> None:
        raise PermissionError(13, "Permission denied", "/home/alice")

    def is_damaged() -> None:
        raise TableError("'/home/alice/x.table': is damaged")

    monkeypatch.setitem(doctor._CHECKS, "core", fails)
    monkeypatch.setitem(doctor._CHECKS, "games", is_damaged)
    ran = komadai_says("doctor")
    assert ran.status == 1
    said = ran.out
    assert komadai.__version__ in said
    assert "KOMADAI_DATA (set), KOMADAI_ENGINE_TOKEN (set)" in said
    assert "core:      PermissionError: Permission denied" in said
    assert "games:     TableError: '…': is damaged" in said
    for private in (str(Path.home()), str(Path.cwd()), "alice", "sesame"):
        assert private not in said, private
    full = komadai_says("doctor", "--full").out
    assert "/srv/of/alice" in full
    assert "alices-laptop" in full
    assert "sesame" not in full


def test_doctor_as_json_is_well() -> None:
    said = parsed("doctor", "--json")
    assert set(said["checks"].values()) == {"well"}
    assert "click" in said["packages"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_commands_games_and_options(shell: str) -> None:
    assert "_KOMADAI_COMPLETE" in said_of("completion", shell)
    cases = {"komadai mo": "moves", "komadai moves na": "nana", "komadai moves nana --no": "--notation"}
    for words, expected in cases.items():
        typed = words.split(" ")
        asked = {"_KOMADAI_COMPLETE": f"{shell}_complete", "COMP_WORDS": words, "COMP_CWORD": str(len(typed) - 1)}
        code = "from komadai.__main__ import main; main()"
        environment = os.environ | asked | {"COMP_CWORD": typed[-1]} if shell == "fish" else os.environ | asked
        ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        assert expected in re.split(r"[,\s]", ran.stdout), ran.stdout


def test_every_command_is_in_one_group_of_the_help() -> None:
    said = said_of()
    assert said == said_of("-h")
    for title, commands in GROUPS.items():
        assert f"\n{title}:\n" in said
        for name, about in commands.items():
            assert said.count(f"  {name} ") >= 1
            assert about in said
    assert len(set(COMMANDS)) == len(COMMANDS)


def test_the_help_of_a_command_loads_nothing_heavy() -> None:
    """Every command starts within a quarter of a second; these packages take the most of one."""
    heavy = ("rich.console", "numpy", "distributed", "torch", "starlette", "textual", "urllib.request", "sqlite3")
    code = "import sys, click\nfrom komadai.app.cli import COMMANDS, root\n"
    code += "for name in COMMANDS:\n    root.get_command(click.Context(root), name)\nprint(*sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not set(shown) & set(heavy)


@pytest.mark.parametrize("text", ["{}", "position sfen {}\n", "\ufeff{}\r\n", "\n  sfen {}  \n\n"])
def test_a_position_is_read_from_standard_input(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for command in ("moves", "analyse", "mate"):
        monkeypatch.setattr(sys, "stdin", io.StringIO(text.format(MATE)))
        assert parsed(command, "shogi", "-", "--json")["position"] == MATE


def test_standard_input_holds_one_position(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "problems.sfen").write_text(MATE, encoding="utf-8")  # which an empty name does not mean
    neither = "is neither a file nor a position string"
    for command, empty in (("moves", "has 0 fields"), ("analyse", "has 0 fields"), ("mate", neither)):
        monkeypatch.setattr(sys, "stdin", io.StringIO(""))
        assert empty in refusal(command, "shogi", "-")
        monkeypatch.setattr(sys, "stdin", io.StringIO(f"{MATE}\nmore\n"))
        assert "standard input: has 2 lines; expected one position" in refusal(command, "shogi", "-")
    assert "is no name of a file" in refusal("mate", "shogi", "")


def test_a_position_may_have_moves_behind_it() -> None:
    after = parsed("moves", "shogi", "startpos moves 7g7f 3c3d", "--json")["position"]
    assert after.startswith("lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/")
    assert parsed("moves", "shogi", f"sfen {MATE} moves G*2b", "--json")["outcome"]["winner"] == "b"
    assert "is not legal" in refusal("moves", "shogi", "startpos moves 7g7e")


def test_a_reader_that_goes_is_told_apart_from_what_is_found_wrong() -> None:
    for words in ("variants", "rules chu", "moves shogi", "picture shogi"):
        shell = f'"$0" -m komadai {words} | true; echo ${{PIPESTATUS[0]}}'
        ran = subprocess.run(["bash", "-c", shell, sys.executable], capture_output=True, text=True, check=True)
        assert (ran.stdout.strip() in ("0", "141"), ran.stderr) == (True, "")


def test_doctor_finds_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    doctor = import_module("komadai.app.cli.doctor")
    monkeypatch.setattr(doctor, "find_spec", lambda name: None if name == "textual" else name)
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda folder: SimpleNamespace(free=12))
    ran = komadai_says("doctor")
    assert ran.status == 1
    assert "app:       ValueError: textual missing; install again with: pip install 'komadai[app]'" in ran.out
    assert "data:      ValueError: the disk has 12 bytes left" in ran.out
