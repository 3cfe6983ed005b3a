"""Every command that reads a file: whatever its name leads to and whatever is in it, a message and an exit status.

The table names each parameter of the command line that names a file to be read; a new one without a row fails.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from helpers.command import komadai_says
from helpers.files_of_commands import odd_names, parameters
from komadai.app.cli.files import Use

PLAYERS = ("match", "random", "--game", "nana", "--games", "2", "--openings", "random:plies=1,count=1")

READS: dict[str, tuple[str, ...]] = {
    "book build records": ("book", "build", "{file}", "-o", "{out}"),
    "book merge sources": ("book", "merge", "{file}", "-o", "{out}"),
    "book check file": ("book", "check", "nana", "--file", "{file}"),
    "book show file": ("book", "show", "{file}"),
    "check file": ("check", "{file}"),
    "export-site core": ("export-site", "-o", "{out}", "--core", "{file}"),
    "export-site pyodide": ("export-site", "-o", "{out}", "--pyodide", "{file}"),
    "learn data": ("learn", "nana", "-o", "{out}", "--positions", "0", "--epochs", "1", "--data", "{file}"),
    "mate sources": ("mate", "shogi", "{file}"),
    "match openings": ("match", "random", "random:name=b", "--games", "2", "--openings", "{file}"),
    "play book": ("play", "--no-browser", "--data", "{out}", "--book", "{file}"),
    "puzzles check file": ("puzzles", "check", "nana", "--file", "{file}"),
    "puzzles list file": ("puzzles", "list", "nana", "--file", "{file}"),
    "record animate source": ("record", "animate", "{file}"),
    "record convert source": ("record", "convert", "{file}"),
    "record show source": ("record", "show", "{file}"),
    "solve check_certificate": ("solve", "nana", "--check-certificate", "{file}"),
}
"""The words of a command that reads the file ``{file}``, by its parameter."""

MORE: dict[str, tuple[str, ...]] = {
    "a game": ("moves", "{file}.toml"),
    "a game of a match": ("match", "random", "random", "--game", "{file}.toml"),
    "a variant file": ("moves", "nana", "--variant-file", "{file}"),
    "a player's book": (*PLAYERS, "komadai:book={file}"),
    "a player's weights": (*PLAYERS, "komadai:weights={file}"),
    "a player's net": (*PLAYERS, "komadai:weights={file}.net"),
    "a match's state": (*PLAYERS, "random:name=b", "--state", "{file}"),
    "a transcript": ("grade", "nana", "--games", "1", "--positions", "1", "--resume", "--transcript", "{file}"),
    "a search for puzzles": ("puzzles", "mine", "nana", "--count", "1", "--games", "1", "--state", "{file}"),
}
"""The same of files that several parameters name, or that are named within another word, or gone on with."""

KEEPS: dict[str, tuple[str, ...]] = {
    "admin backup data": ("admin", "backup", "-o", "{out}", "--data", "{file}"),
    "admin check data": ("admin", "check", "--data", "{file}"),
    "admin delete game data": ("admin", "delete", "game", "x", "--data", "{file}"),
    "admin delete live data": ("admin", "delete", "live", "x", "--data", "{file}"),
    "admin delete person data": ("admin", "delete", "person", "--data", "{file}"),
    "admin delete record data": ("admin", "delete", "record", "x", "--data", "{file}"),
    "admin export data": ("admin", "export", "--data", "{file}"),
    "admin live data": ("admin", "live", "--data", "{file}"),
    "admin profile delete data": ("admin", "profile", "delete", "x", "--data", "{file}"),
    "admin profile export data": ("admin", "profile", "export", "x", "--data", "{file}"),
    "admin prune data": ("admin", "prune", "--unstarted", "1d", "--data", "{file}"),
    "admin stats data": ("admin", "stats", "--data", "{file}"),
    "play data": ("play", "--no-browser", "--data", "{file}"),
    "tui data": ("tui", "--data", "{file}"),
}
"""The same of folders in which the program keeps its own."""

ODD = {
    "nothing": b"",
    "a zero": b"\0",
    "bytes": bytes(range(256)) * 8,
    "no letters": b"\xff\xfe\xfd",
    "brackets": b"[" * 300_000,
    "an object": b"{}\n",
    "a line without an end": b"x" * 100_000,
}
"""What is in no file that a command reads, apart from these."""

SOUND = {"nothing": ("a match's state", "a transcript", "a search for puzzles"), "an object": ("a player's weights",)}

MADE = {"in no folder", "in a home that the shell has not put in", "in a folder of no letters", "a folder", "nothing"}


def test_the_table_knows_every_parameter_that_names_a_file() -> None:
    uses = parameters()
    read = {name for name, use in uses.items() if use is Use.READS}
    assert {name for name in read if not name.endswith(" variant_file")} == set(READS)
    assert {name for name, use in uses.items() if use is Use.KEEPS} == set(KEEPS)


def said(words: tuple[str, ...], file: str, folder: Path) -> None:
    """The command ends with a message and an exit status; what it writes besides is not there."""
    ran = komadai_says(*(word.format(file=file, out=folder / "out") for word in words))
    assert ran.status in (1, 2), ran
    assert ran.err or ran.out, ran
    assert "Traceback" not in ran.err
    assert not (folder / "out").exists()


@pytest.mark.parametrize("case", [*READS, *MORE, *KEEPS])
def test_odd_names_are_said(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    names = odd_names(tmp_path) | {"a folder": str(tmp_path / "folder"), "nothing": ""}
    for name, file in names.items():
        if case in ("play data", "tui data", "a search for puzzles") and (
            name in MADE or name in ("a folder", "nothing")
        ):
            continue
        said((READS | MORE | KEEPS)[case], file, tmp_path)


@pytest.mark.parametrize("case", [*READS, *MORE])
def test_odd_contents_are_said(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = (READS | MORE)[case]
    file = tmp_path / os.fsdecode("odd file é".encode())
    ending = next(word.partition("{file}")[2] for word in words if "{file}" in word)
    for name, content in ODD.items():
        if case in SOUND.get(name, ()):
            continue
        Path(f"{file}{ending}").write_bytes(content)
        said(words, str(file), tmp_path)
