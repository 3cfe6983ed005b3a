"""Every command that writes a file: whole or not at all, never over another unasked, and its place is checked first.

The table names each parameter of the command line that names a file to be written; a new one without a row fails.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from helpers.books import book_of_five
from helpers.command import Ran, komadai_says
from helpers.files_of_commands import full_disk, odd_names, parameters
from helpers.solved import TINY
from helpers.support import needs_threads
from komadai import solve, workshop
from komadai.app.cli.files import Use
from komadai.app.web.store.sqlite import SqliteStore

MATCH = ("match", "random", "random", "--game", "{game}", "--games", "2")
MATCH += ("--openings", "random:plies=2,count=1,nodes=5")
MINE = ("puzzles", "mine", "nana", "--count", "1", "--games", "1")
GRADE = ("grade", "{game}", "--positions", "1", "--games", "1", "--max-plies", "4")

WRITES: dict[str, tuple[str, ...]] = {
    "admin backup output": ("admin", "backup", "-o", "{out}", "--data", "{store}"),
    "book build output": ("book", "build", "{record}", "-o", "{out}"),
    "book merge output": ("book", "merge", "{book}", "-o", "{out}"),
    "book openings output": (
        "book",
        "openings",
        "{game}",
        "--games",
        "2",
        "--plies",
        "2",
        "--lines",
        "1",
        "-o",
        "{out}",
    ),
    "export-variant output": ("export-variant", "{game}", "-o", "{out}"),
    "grade plot": (*GRADE, "--plot", "{out}", "--transcript", "{new}"),
    "match output": (*MATCH, "-o", "{out}"),
    "new-variant output": ("new-variant", "{id}", "-o", "{out}"),
    "picture output": ("picture", "{game}", "-o", "{out}.svg"),
    "print output": ("print", "{game}", "-o", "{out}.html"),
    "puzzles mine output": (*MINE, "-o", "{out}"),
    "record animate output": ("record", "animate", "{record}", "-o", "{out}.svg"),
    "record convert output": ("record", "convert", "{record}", "-o", "{out}", "--to", "json"),
    "report output": ("report", "{game}", "--games", "1", "--nodes", "5", "-o", "{out}"),
    "solve output": ("solve", "{tiny}", "-o", "{out}", "--threads", "1"),
    "solve proof": ("solve", "{tiny}", "--certificate", "{out}"),
}
"""The words of a command that writes the file ``{out}``, by its parameter."""

GOES_ON: dict[str, tuple[str, ...]] = {
    "grade transcript": (*GRADE, "--transcript", "{out}"),
    "match state": (*MATCH, "--state", "{out}"),
    "puzzles mine state": (*MINE, "--state", "{out}", "-o", "{new}"),
}
"""The same where the file keeps how far the command has come."""

FOLDERS: dict[str, tuple[str, ...]] = {
    "export-site output": ("export-site", "-o", "{out}"),
    "learn output": ("learn", "{game}", "-o", "{out}"),
    "record convert folder": ("record", "convert", "{records}", "--to", "json", "-o", "{out}"),
}

Given = dict[str, str]


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Given:
    """What the commands read."""
    folder = tmp_path_factory.mktemp("given")
    tiny = folder / "tiny.toml"
    tiny.write_text(workshop.variant_text(TINY), encoding="utf-8")
    (folder / "records").mkdir()
    (folder / "records" / "one.usi").write_text("startpos moves 7g7f 3c3d\n")
    book_of_five(folder / "five.book")
    closing(SqliteStore(folder / "games.sqlite3")).thing.close()
    return {
        "book": str(folder / "five.book"),
        "game": "nana",
        "id": "my-shogi",
        "record": str(folder / "records" / "one.usi"),
        "records": str(folder / "records"),
        "store": str(folder),
        "table": str(solve.build(TINY, path=folder / "tiny.table").path),
        "tiny": str(tiny),
    }


def words_of(case: str, given: Given, out: Path | str) -> list[str]:
    """The words of a command that writes there."""
    words = (WRITES | GOES_ON | FOLDERS)[case]
    return [word.format(**given, out=out, new=f"{out}.new") for word in words]


def file_of(case: str, out: Path) -> Path:
    """The file that the command writes, whose name may end so that it is understood."""
    (word,) = (word for word in WRITES.get(case, ("{out}",)) if "{out}" in word)
    return Path(word.format(out=out))


def refused(ran: Ran, path: str = "") -> None:
    """The command ended with a line that says why."""
    assert ran.status == 2, ran
    assert ran.out == ""
    assert path in ran.err
    assert "komadai: " in ran.err or "Usage" in ran.err


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_the_table_knows_every_parameter_that_names_a_file() -> None:
    uses = parameters()
    assert [name for name, use in uses.items() if use is None] == [], "give these one of the marks of `Use`"
    by = {use: {name for name, one in uses.items() if one is use} for use in Use}
    assert by[Use.WRITES] | by[Use.PRINTS] | by[Use.RESUMES] | by[Use.OWN] == set(WRITES)
    assert by[Use.GOES_ON] == set(GOES_ON)
    assert by[Use.FOLDER] | {"record convert folder"} == set(FOLDERS)


@pytest.mark.parametrize("case", [*WRITES, *GOES_ON, *FOLDERS])
def test_an_impossible_place_is_known_before_the_work(case: str, tmp_path: Path, given: Given) -> None:
    """For the work would fail: what the command reads is not there."""
    nothing = dict.fromkeys(given, "no-such-thing") | {"records": given["records"]}
    for name, path in odd_names(tmp_path).items():
        if case in FOLDERS and name.startswith(("in no folder", "in a home", "in a folder")):
            continue  # which are made
        before = names(tmp_path)
        refused(komadai_says(*words_of(case, nothing, path)))
        assert names(tmp_path) == before
    assert not Path("~").exists()


@pytest.mark.parametrize("case", WRITES)
def test_a_file_that_is_there_stays_unless_forced(case: str, tmp_path: Path, given: Given) -> None:
    path = file_of(case, tmp_path / "out")
    path.write_text("old")
    nothing = dict.fromkeys(given, "no-such-thing") | {"table": given["table"]}
    if case == "record convert output":  # which looks at what there is when it knows how many games it has read
        nothing = given
    ran = komadai_says(*words_of(case, nothing, tmp_path / "out"))
    refused(ran, str(path))
    assert "is there already; --force overwrites it" in ran.err
    assert (path.read_text(), names(tmp_path)) == ("old", {path.name})


@pytest.mark.parametrize("case", WRITES)
def test_a_link_is_followed(case: str, tmp_path: Path, given: Given) -> None:
    (tmp_path / "there").mkdir()
    target, path = tmp_path / "there" / "target", file_of(case, tmp_path / "out")
    target.write_text("old")
    target.chmod(0o640)
    path.symlink_to(Path("there") / "target")
    ran = komadai_says(*words_of(case, given, tmp_path / "out"), "--force")
    assert ran.status == 0, ran
    assert path.is_symlink()
    assert target.read_bytes() not in (b"", b"old")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert names(target.parent) == {"target"}


_ROOM = 40_000  # less than a store has, and enough for what SQLite keeps beside it


@pytest.mark.parametrize("case", WRITES)
def test_on_a_full_disk_the_old_file_stays(case: str, tmp_path: Path, given: Given) -> None:
    path = file_of(case, tmp_path / "out")
    path.write_text("old")
    room = {"admin backup output": _ROOM, "grade plot": 3000}.get(case, 10)  # for what else they write
    with full_disk(room):
        ran = komadai_says(*words_of(case, given, tmp_path / "out"), "--force")
    assert (ran.status, "File too large" in ran.err or "cannot be written" in ran.err) == (2, True), ran
    assert path.read_text() == "old"
    assert names(tmp_path) - {"out.new"} == {path.name}


@pytest.mark.parametrize("case", GOES_ON)
def test_on_a_full_disk_what_was_kept_stays(case: str, tmp_path: Path, given: Given) -> None:
    out = tmp_path / "out"
    with full_disk(10):
        refused(komadai_says(*words_of(case, given, out)), str(out))
    assert out.read_bytes() == b""
    assert komadai_says(*words_of(case, given, out)).status == 0
    assert out.read_bytes().endswith(b"\n")


@needs_threads
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
@pytest.mark.parametrize("case", WRITES)
def test_a_pipe_is_written_into(case: str, tmp_path: Path, given: Given) -> None:
    path, found = file_of(case, tmp_path / "out"), list[bytes]()
    os.mkfifo(path)
    reader = threading.Thread(target=lambda: found.append(path.read_bytes()))
    reader.start()
    ran = komadai_says(*words_of(case, given, tmp_path / "out"))
    if reader.is_alive() and ran.status:  # it was never opened
        os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
    reader.join()
    assert ran.status == 0, ran
    assert len(found[0]) > 10
    assert stat.S_ISFIFO(path.stat().st_mode)


@pytest.mark.parametrize("case", GOES_ON)
def test_what_must_be_read_again_is_no_pipe(case: str, tmp_path: Path, given: Given) -> None:
    out = tmp_path / "out"
    if hasattr(os, "mkfifo"):
        os.mkfifo(out)
    refused(komadai_says(*words_of(case, given, out)), str(out))


SAME: tuple[tuple[str, Sequence[str]], ...] = (
    ("{book}", ("book", "merge", "{book}", "-o", "{out}")),
    ("{book}", (*MATCH, "komadai:book={book},nodes=5", "-o", "{out}")),
    ("{record}", ("book", "build", "{record}", "-o", "{out}")),
    ("{record}", ("book", "build", "{records}", "-o", "{out}")),
    ("{record}", ("record", "convert", "{record}", "-o", "{out}", "--to", "json")),
    ("{store}/games.sqlite3", ("admin", "backup", "-o", "{out}", "--data", "{store}")),
    ("{tiny}", ("export-variant", "{tiny}", "-o", "{out}")),
    ("{tiny}", ("moves", "{tiny}")),
    ("{tiny}", ("report", "nana", "--variant-file", "{tiny}", "--games", "1", "--nodes", "5", "-o", "{out}")),
)


@pytest.mark.parametrize("link", [os.link, os.symlink])
@pytest.mark.parametrize(("name", "words"), [(name, words) for name, words in SAME if "{out}" in words])
def test_no_file_is_written_that_is_read(
    name: str, words: Sequence[str], link: object, tmp_path: Path, given: Given
) -> None:
    source, out = Path(name.format(**given)), tmp_path / "out"
    assert callable(link)
    link(source, out)
    before = source.stat().st_ino, source.read_bytes()[:20]
    ran = komadai_says(*(word.format(**given, out=out) for word in words), "--force")
    refused(ran, str(out))
    assert "is the file of" in ran.err or "is the store itself" in ran.err
    assert (source.stat().st_ino, source.read_bytes()[:20]) == before


@pytest.mark.parametrize(
    "words",
    [
        (*MATCH, "--state", "{a}", "-o", "{b}"),
        (*GRADE, "--plot", "{a}", "--transcript", "{b}"),
        (*MINE, "-o", "{a}", "--state", "{b}"),
        ("solve", "{tiny}", "-o", "{a}", "--certificate", "{b}"),
    ],
)
def test_no_two_files_are_the_same(words: Sequence[str], tmp_path: Path, given: Given) -> None:
    """By the same path or another, a link that leads nowhere yet, or a second name of one file."""
    (tmp_path / "in").mkdir()
    (tmp_path / "ahead").symlink_to("out")
    (tmp_path / "one").touch()
    os.link(tmp_path / "one", tmp_path / "two")
    before = names(tmp_path)
    for a, b in (("out", "out"), ("out", "in/../out"), ("out", "ahead"), ("one", "two")):
        ran = komadai_says(*(word.format(**given, a=tmp_path / a, b=tmp_path / b) for word in words), "--force")
        refused(ran)
        assert "is the file of --" in ran.err
        assert names(tmp_path) == before


def test_games_of_a_match_that_did_not_end_are_called_unfinished(tmp_path: Path, given: Given) -> None:
    games = tmp_path / "games"
    words = words_of("match output", given, games)
    with full_disk(5000):
        refused(komadai_says(*words, "--games", "20"), str(games))
    assert names(tmp_path) == {"games.unfinished"}
    left = (tmp_path / "games.unfinished").read_text(encoding="utf-8")
    assert left.count("[Event ") == left.count("\n\n[Event ") + 1 > 0
    assert left.endswith("\n")
    assert "is there already; --force overwrites it" in komadai_says(*words).err
    assert komadai_says(*words, "--force").status == 0
    assert names(tmp_path) == {"games"}


def test_a_match_that_goes_on_overwrites_its_own_games_alone(tmp_path: Path, given: Given) -> None:
    path = tmp_path / "games"
    words = [*words_of("match state", given, tmp_path / "state"), "-o", str(path)]
    words[words.index("--games") + 1] = "4"
    assert komadai_says(*words).status == 0
    kept = path.read_bytes()
    assert komadai_says(*words).status == 0
    path.write_text("of someone else")
    ran = komadai_says(*words)
    refused(ran, str(path))
    assert "not from this match" in ran.err
    assert path.read_text() == "of someone else"
    assert komadai_says(*words, "--force").status == 0
    assert path.read_bytes() == kept


def test_a_file_may_have_any_name_that_the_system_takes(tmp_path: Path, given: Given) -> None:
    """Of 255 bytes, or of bytes that are no letters."""
    for name in ("x" * 251 + ".svg", os.fsdecode(b"\xff\xfe.svg")):
        ran = komadai_says("picture", "nana", "-o", str(tmp_path / name))
        if ran.status:  # as on systems whose names are letters
            refused(ran)
        else:
            assert (tmp_path / name).read_bytes().startswith(b"<svg")
    shutil.rmtree(tmp_path)


def test_files_that_name_others_take_any_name(tmp_path: Path, given: Given) -> None:
    lines = tmp_path / os.fsdecode(b"\xff\xfe")
    try:
        lines.write_text("K*1a\n")
    except OSError:
        pytest.skip("names are letters here")
    words = ["match", "random", "random", "--game", "nana", "--games", "2", "--openings", str(lines)]
    kept = ("--state", str(tmp_path / "state"))
    assert komadai_says(*words, *kept).status == 0
    assert komadai_says(*words, *kept).status == 0
    assert json.loads((tmp_path / "state").read_bytes().splitlines()[0])["openings"].startswith(lines.name)
    shutil.rmtree(tmp_path)


@pytest.mark.parametrize("case", ["grade", "match", "admin"])
def test_words_that_are_no_text_are_refused(case: str, tmp_path: Path, given: Given) -> None:
    odd = os.fsdecode(b"\xff\xfe")
    words = {
        "grade": ("grade", "nana", "--learner", f"python:{odd}:f", "--transcript", str(tmp_path / "new")),
        "match": (*words_of("match output", given, tmp_path / "new"), f"random:name={odd}"),
        "admin": ("admin", "delete", "game", odd, "--data", given["store"]),
    }
    ran = komadai_says(*words[case])
    refused(ran)
    assert "is no text in UTF-8" in ran.err
    assert names(tmp_path) == set()


@pytest.mark.parametrize("name", ["{game}.tsv", "my-shogi.toml"])
def test_names_that_commands_choose_are_checked_too(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / name.format(game="nana")
    path.write_text("old")
    words = MINE if path.suffix == ".tsv" else ("new-variant", "my-shogi")
    refused(komadai_says(*words), path.name)
    assert path.read_text() == "old"
    assert komadai_says(*words, "--force").status == 0
    assert path.read_text() != "old"


def test_only_what_can_be_printed_goes_to_standard_output(given: Given) -> None:
    uses = parameters()
    for case in WRITES:
        if uses[case] in (Use.WRITES, Use.RESUMES):
            ran = komadai_says(*words_of(case, given, "-"))
            refused(ran)
            assert "cannot go to standard output" in ran.err


@pytest.mark.parametrize("number", [str(10**13), str(10**30), "nan"])
def test_numbers_that_count_nothing_are_refused(number: str, given: Given, tmp_path: Path) -> None:
    for option in ("--games", "--nodes", "--movetime"):
        ran = komadai_says(*words_of("match output", given, tmp_path / "new"), option, number)
        assert ran.status == 2
        assert "Traceback" not in ran.err
        assert f"{option} '{number}': expected a" in ran.err
        assert names(tmp_path) == set()
