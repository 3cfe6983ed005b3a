"""Standard streams that are closed or full: a message where one can still be read, an exit status, and no traceback."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from helpers.books import book_of_five
from helpers.command import PATIENCE
from helpers.files_of_commands import commands
from helpers.forks import FORKS
from helpers.standard_streams import run_all
from komadai.app.web.store.sqlite import SqliteStore

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full and forks")

MATCH = ("match", "random", "random", "--game", "nana", "--games", "2", "--openings", "random:count=1")

PRINTS: dict[str, str] = {
    "analyse": "analyse nana",
    "completion": "completion bash",
    "doctor": "doctor",
    "rules": "rules nana",
    "admin backup": "admin backup -o {out} --data {store}",
    "admin check": "admin check --data {store}",
    "admin live": "admin live --data {store}",
    "admin prune": "admin prune --unstarted 1d --data {store}",
    "admin stats": "admin stats --data {store}",
    "book build": "book build {record} -o {out}",
    "book merge": "book merge {book} -o {out}",
    "book check": "book check nana",
    "book openings": "book openings nana --games 2 --plies 2 --lines 1 -o {out}",
    "book show": "book show {book}",
    "check": "check --schema",
    "engine": "engine",
    "engine-worker": "engine-worker --port 0",
    "export-variant": "export-variant nana",
    "grade": "grade nana --positions 1 --games 1 --max-plies 4 --transcript {out}",
    "mate": "mate shogi '4k4/9/4P4/9/9/9/9/9/9 b G'",
    "match": " ".join(MATCH),
    "moves": "moves nana",
    "new-variant": "new-variant my-shogi -o -",
    "perft": "perft nana 1",
    "picture": "picture nana",
    "play": "play --no-browser --port 0 --data {out}",
    "print": "print nana",
    "puzzles list": "puzzles list nana",
    "puzzles mine": "puzzles mine nana --count 1 --games 1 -o {out}",
    "record animate": "record animate -",
    "record convert": "record convert -",
    "record show": "record show -",
    "report": "report nana --games 1 --nodes 5",
    "solve": "solve nana",
    "variants": "variants",
}
"""A command that prints something, by its name."""

SILENT = {
    "admin delete game": "only where there is a game",
    "admin delete record": "only where there is a record",
    "admin delete live": "only where there is a live study",
    "admin delete person": "only where there is a person",
    "admin export": "only where there is a game",
    "admin profile delete": "only where there is a profile",
    "admin profile export": "only where there is a profile",
    "export-site": "needs Pyodide",
    "learn": "needs PyTorch",
    "puzzles check": "proves for a minute",
    "tui": "needs a terminal",
}
"""Those that print nothing here, and why."""

READING = {"engine", "record animate", "record convert", "record show"}  # from standard input
GOING_ON = {"engine-worker", "play"}  # until somebody ends them


def ends(how: str, names: Iterable[str], given: dict[str, str], folder: Path) -> dict[str, tuple[object, str, int]]:
    """The status of each command, what it said on standard error, and how much it printed."""
    commands = {
        name: [word.format(**given, out=folder / name.replace(" ", "-")) for word in shlex.split(PRINTS[name])]
        for name in sorted(names)
    }
    process = FORKS.Process(target=run_all, args=(how, commands, str(folder)))
    process.start()
    process.join(PATIENCE)
    return {name: tuple(end) for name, end in json.loads((folder / "found").read_text(encoding="utf-8")).items()}


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("given")
    (folder / "one.usi").write_text("startpos moves 7g7f 3c3d\n")
    book_of_five(folder / "five.book")
    SqliteStore(folder / "games.sqlite3").close()
    return {"book": str(folder / "five.book"), "record": str(folder / "one.usi"), "store": str(folder)}


def test_the_table_knows_every_command() -> None:
    assert {*PRINTS, *SILENT} == set(commands())


@pytest.mark.parametrize(("how", "why"), [("1full", "No space left on device"), ("1closed", "Bad file descriptor")])
def test_what_cannot_be_printed_is_said(how: str, why: str, given: dict[str, str], tmp_path: Path) -> None:
    said = 2, f"komadai: standard output: {why}\n", 0
    assert ends(how, PRINTS, given, tmp_path) == dict.fromkeys(PRINTS, said)


def test_the_status_tells_where_nothing_can_be_said(given: dict[str, str], tmp_path: Path) -> None:
    assert ends("0closed 1closed 2closed", PRINTS, given, tmp_path) == dict.fromkeys(PRINTS, (2, "", 0))


def test_what_cannot_be_read_is_said(given: dict[str, str], tmp_path: Path) -> None:
    for status, said, _ in ends("0closed", READING, given, tmp_path).values():
        assert status == 2
        assert re.fullmatch(r"komadai: '?standard input'?: Bad file descriptor\n", said)


@pytest.mark.parametrize("how", ["2full", "0closed 2closed"])
def test_work_goes_on_where_nothing_can_be_said(how: str, given: dict[str, str], tmp_path: Path) -> None:
    """Nor read, by commands that read nothing."""
    names = PRINTS.keys() - READING - GOING_ON
    found = ends(how, names, given, tmp_path)
    assert {name: (status, size > 0) for name, (status, _, size) in found.items()} == dict.fromkeys(names, (0, True))


def test_an_interpreter_of_its_own_ends_likewise() -> None:
    """It writes what is left in the streams when all is over."""
    for redirected, words in ((">/dev/full", "variants"), (">&-", " ".join(MATCH)), ("<&-", "engine"), ("<&-", "tui")):
        shell = f'"$0" -m komadai {words} {redirected}'
        ran = subprocess.run(["sh", "-c", shell, sys.executable], capture_output=True, check=False)
        assert (ran.returncode, ran.stderr.count(b"\n"), ran.stderr[:9]) == (2, 1, b"komadai: "), ran.stderr


def test_a_reader_may_go(tmp_path: Path) -> None:
    shell = 'set -o pipefail; "$0" -m komadai variants --json | head -1'
    ran = subprocess.run(["bash", "-c", shell, sys.executable], capture_output=True, check=False)
    assert (ran.stdout, ran.stderr) == (b"[\n", b"")
