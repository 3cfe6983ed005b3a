"""``komadai record convert`` of whole folders: what is written, left alone, not read, and never overwritten."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from helpers.command import komadai_says, refusal
from komadai import record

CSA = "PI\n+\n+7776FU\n%TORYO\n"
USI = "startpos moves 7g7f 3c3d\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Records in two folders, one that is none, and one that is broken."""
    made = tmp_path / "records"
    (made / "2026" / "11").mkdir(parents=True)
    (made / "a.csa").write_text(CSA)
    (made / "2026" / "b.CSA").write_text(f"{CSA}/\n{CSA}")
    (made / "2026" / "11" / "c.sfen").write_text(USI * 2)
    (made / "2026" / "wrong.csa").write_text(CSA.replace("7776", "7775"))
    (made / "notes.md").write_text("# notes")
    return made


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_folder_is_converted_with_those_inside_it(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "json"
    before = files(folder)
    ran = komadai_says("record", "convert", str(folder), "--to", "json", "-o", str(out))
    assert ran.status == 1
    assert ran.out == "3 files with 5 games converted, 3 files written\n1 other file left alone (.md)\n"
    assert ran.err.splitlines()[0] == "1 file not converted:"
    assert f"  {folder / '2026' / 'wrong.csa'}: CSA: line 3, +7775FU: 7g7e is not legal" in ran.err
    assert files(out) == ["2026/11/c.json", "2026/b.json", "a.json"]
    assert files(folder) == before
    assert len(record.read((out / "2026" / "b.json").read_bytes())) == 2
    (folder / "2026" / "wrong.csa").unlink()
    ran = komadai_says(
        "record", "convert", str(folder), "-o", str(tmp_path / "kif"), "--to", "kif", "--encoding", "shift_jis"
    )
    assert (ran.status, ran.err, files(tmp_path / "kif")) == (0, "", ["2026/11/c.kif", "2026/b.kif", "a.kif"])
    assert "手合割".encode("cp932") in (tmp_path / "kif" / "a.kif").read_bytes()


def test_several_games_become_several_files_where_a_file_holds_one(folder: Path) -> None:
    assert komadai_says("record", "convert", str(folder), "--to", "jkf").status == 1
    made = ["2026/11/c-1.jkf", "2026/11/c-2.jkf", "2026/b-1.jkf", "2026/b-2.jkf", "a.jkf"]
    assert [name for name in files(folder) if name.endswith(".jkf")] == made
    single = folder / "one.jkf"
    assert komadai_says("record", "convert", str(folder / "2026" / "b.CSA"), "-o", str(single)).status == 0
    assert [name for name in files(folder) if name.startswith("one")] == ["one-1.jkf", "one-2.jkf"]


def test_nothing_is_overwritten_without_force(folder: Path) -> None:
    (folder / "2026" / "wrong.csa").unlink()
    (folder / "a.txt").write_text("mine")
    ran = komadai_says("record", "convert", str(folder), "--to", "text")
    assert ran.status == 1
    assert f"  {folder / 'a.csa'}: file '{folder / 'a.txt'}': is there already; --force overwrites it" in ran.err
    assert (folder / "a.txt").read_text() == "mine"
    assert "is there already" in refusal("record", "convert", str(folder / "a.csa"), "-o", str(folder / "a.txt"))
    assert komadai_says("record", "convert", str(folder / "a.csa"), "-o", str(folder / "a.txt"), "--force").status == 0
    assert "P-7f" in (folder / "a.txt").read_text()
    assert komadai_says("record", "convert", str(folder), "--to", "text", "--force").status == 0


def test_two_files_of_one_name_do_not_become_one(folder: Path, tmp_path: Path) -> None:
    (folder / "a.usi").write_text(USI)
    ran = komadai_says("record", "convert", str(folder), "--to", "json", "-o", str(tmp_path / "out"), "--force")
    assert f"  {folder / 'a.usi'}: file '{tmp_path / 'out' / 'a.json'}': has just been made from" in ran.err
    assert json.loads((tmp_path / "out" / "a.json").read_text())["moves"] == ["7g7f"]


def test_files_in_the_format_already_and_an_output_folder_inside(folder: Path) -> None:
    (folder / "2026" / "wrong.csa").unlink()
    inside = folder / "out"
    for _time in range(2):
        ran = komadai_says("record", "convert", str(folder), "--to", "csa", "-o", str(inside), "--force")
        assert (ran.status, files(inside)) == (0, ["2026/11/c.csa", "2026/b.csa", "a.csa"])
    ran = komadai_says("record", "convert", str(inside), "--to", "csa")
    assert (ran.status, ran.out) == (
        0,
        "0 files with 0 games converted, 0 files written\n3 other files left alone (.csa)\n",
    )


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((".",), "needs --to FORMAT"),
        ((".", "-o", "-", "--to", "json"), "becomes files, and no standard output; name a folder"),
        (("a.csa", "-o", "b"), "file 'b': name a format with --to; no suffix tells of none"),
    ],
)
def test_what_cannot_be_asked_for(arguments: tuple[str, ...], why: str) -> None:
    assert why in refusal("record", "convert", *arguments)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_cannot_be_read_is_said(folder: Path) -> None:
    (folder / "2026").chmod(0)
    try:
        ran = komadai_says("record", "convert", str(folder), "--to", "json")
    finally:
        (folder / "2026").chmod(0o755)
    assert (ran.status, "Permission denied" in ran.err) == (1, True)


def test_moves_are_written_in_the_notation_that_is_chosen(folder: Path) -> None:
    source, other = str(folder / "2026" / "11" / "c.sfen"), str(folder / "c.txt")
    ran = komadai_says("record", "convert", source, "-o", other, "--notation", "japanese")
    assert (ran.status, ran.err) == (0, "")
    assert "1. ☗７六歩 ☖３四歩 *" in Path(other).read_text(encoding="utf-8")
    assert komadai_says("record", "convert", other, "--to", "usi").out == f"position {USI}" * 2
    assert "1. 7g7f 3c3d *" in komadai_says("record", "show", other, "--notation", "usi").out
    ran = komadai_says("record", "convert", source, "--to", "kif", "--notation", "japanese")
    assert "--notation: goes with text; kif has a notation of its own" in ran.err
