"""Whole writing: files stay where a disk fails, streams are written into, and paths of one file are known as such."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from komadai import storage
from komadai.storage import Growing, Place, check_folder, is_stream, replacing, write_whole

FULL = OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_disk_that_fails_late_leaves_the_old_file(call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As network disks do, which say only at the end that they are full."""
    path = tmp_path / "file"
    path.write_text("old")

    def fail(*_arguments: object) -> None:
        raise FULL

    monkeypatch.setattr(os if call == "fsync" else Path, call, fail)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, b"new")
    assert (path.read_text(), os.listdir(tmp_path)) == ("old", ["file"])


def test_what_is_written_has_the_permissions_of_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "file"
    before = os.umask(0o027)
    try:
        write_whole(path, b"1")
    finally:
        os.umask(before)
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o600)
    write_whole(path, b"2")
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_bytes() == b"2"


@pytest.mark.skipif(sys.platform != "linux", reason="paths of Linux")
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link", "link to a link"])
@pytest.mark.parametrize("redirected", [">file", "| cat >file", ">>file"])
def test_standard_output_is_written_by_its_names(name: str, redirected: str, tmp_path: Path) -> None:
    """Behind what has been printed, also where it is a file, which stays the same."""
    (tmp_path / "link").symlink_to("/dev/stdout")
    (tmp_path / "link to a link").symlink_to("link")
    (tmp_path / "file").write_text("")
    number = (tmp_path / "file").stat().st_ino
    code = "from pathlib import Path; from komadai.storage import write_whole; import sys; print('one')\n"
    code += "write_whole(Path(sys.argv[1]), b'two\\n'); print('three')"
    subprocess.run(
        ["sh", "-c", f'"$0" -c "$1" "$2" {redirected}', sys.executable, code, name], cwd=tmp_path, check=True
    )
    assert (tmp_path / "file").read_text() == "one\ntwo\nthree\n"
    assert (tmp_path / "file").stat().st_ino == number
    assert (tmp_path / "link").is_symlink()


@pytest.mark.skipif(sys.platform != "linux", reason="paths of Linux")
def test_a_stream_of_another_process_is_not_taken_for_our_own() -> None:
    """Its pipe is written into, and nothing of ours with the same number."""
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdin
        assert other.stdout
        path = Path(f"/proc/{other.pid}/fd/1")
        assert is_stream(path)
        write_whole(path, b"one")
        other.stdin.close()
        assert other.stdout.read() == b"one"
    for name in ("/proc/self/fd/", f"/proc/{os.getpid()}/fd/", f"/proc/self/task/{os.getpid()}/fd/"):
        reads, writes = os.pipe()
        write_whole(Path(f"{name}{writes}"), b"two")
        assert os.read(reads, 100) == b"two"
        os.close(reads)
        os.close(writes)


@pytest.mark.skipif(sys.platform != "linux", reason="paths of Linux")
@pytest.mark.parametrize("number", ["77777", "4294967297", "9" * 25])
@pytest.mark.parametrize("folder", ["/dev/fd", "/proc/self/fd", "/proc/999999999/fd"])
def test_a_stream_that_is_not_open_is_no_place(folder: str, number: str) -> None:
    path = Path(folder) / number
    with pytest.raises(OSError, match=r"Bad file|no folder|no file can be made in the folder"):
        Place.at(path)
    with pytest.raises(OSError, match=r"."):
        write_whole(path, b"")


@pytest.mark.skipif(sys.platform != "linux", reason="paths of Linux")
def test_a_stream_for_reading_is_no_place_to_write() -> None:
    reads, writes = os.pipe()
    try:
        with pytest.raises(OSError, match="is open for reading only"):
            Place.at(Path(f"/dev/fd/{reads}"))
        Place.at(Path(f"/dev/fd/{writes}"))
    finally:
        os.close(reads)
        os.close(writes)


@pytest.mark.skipif(sys.platform == "win32", reason="whole paths are short there")
@pytest.mark.parametrize("name", ["x" * 244, "x" * 255, "x" * 244 + ".unfinished", "\U0001d11e" * 63, "漢" * 85])
def test_a_file_that_grows_may_have_the_longest_name(name: str, tmp_path: Path) -> None:
    growing = Growing(tmp_path / name)
    growing.add(b"one")
    assert name not in os.listdir(tmp_path)
    growing.finish()
    assert os.listdir(tmp_path) == [name]


@pytest.mark.skipif(sys.platform in ("win32", "emscripten"), reason="no such devices")
def test_devices_are_written_into() -> None:
    """A terminal, which nobody can replace by mistake."""
    ours, theirs = os.openpty()
    try:
        path = Path(os.ttyname(theirs))
        assert is_stream(path)
        assert Place.at(path) == Place(None, taken=False)
        write_whole(path, b"one")
        with replacing(path) as part:
            part.write_bytes(b"two")
        growing = Growing(path)
        growing.add(b"three")
        growing.finish()
        found = b""
        while len(found) < len(b"onetwothree"):
            found += os.read(ours, 100)
        assert found == b"onetwothree"
        assert stat.S_ISCHR(path.stat().st_mode)
    finally:
        os.close(ours)
        os.close(theirs)


def test_a_file_that_grows_takes_its_place_when_it_is_finished(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("old")
    path = tmp_path / "file"
    path.symlink_to("target")
    growing = Growing(path)
    growing.add(b"one\n")
    assert (tmp_path / "target.unfinished").read_bytes() == b"one\n"
    assert path.read_text() == "old"
    growing.close()
    assert sorted(os.listdir(tmp_path)) == ["file", "target", "target.unfinished"]
    growing = Growing(path)
    growing.add(b"two\n")
    growing.finish()
    assert (path.is_symlink(), path.read_bytes()) == (True, b"two\n")
    Growing(path).close()
    assert sorted(os.listdir(tmp_path)) == ["file", "target"]


def test_paths_of_one_file_have_one_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "around").symlink_to("in")
    (tmp_path / "ahead").symlink_to("in/new")
    new = Place.at(tmp_path / "in" / "new")
    assert not new.taken
    assert Place.at(tmp_path / "around" / "new") == Place.at(tmp_path / "ahead") == new
    assert Place.at(tmp_path / "in" / "New") != new or storage._try(tmp_path / "x")
    monkeypatch.setattr(storage, "_try", lambda path: True)  # a disk that takes small and capital letters for the same
    assert Place.at(tmp_path / "in" / "É") == Place.at(tmp_path / "in" / "e\u0301")
    (tmp_path / "file").touch()
    os.link(tmp_path / "file", tmp_path / "other")
    assert Place.at(tmp_path / "file") == Place.at(tmp_path / "other") != new
    assert Place.at(tmp_path / "file").taken


def test_folders_that_can_be_made(tmp_path: Path) -> None:
    check_folder(tmp_path / "a" / "b" / "c")
    assert os.listdir(tmp_path) == []
    (tmp_path / "file").touch()
    (tmp_path / "nowhere").symlink_to("not-there")
    for name in ("file", "file/in", "nowhere"):
        with pytest.raises(OSError, match=r"no folder|Not a directory"):
            check_folder(tmp_path / name)
