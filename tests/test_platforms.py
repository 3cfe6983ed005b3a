"""Windows and macOS, made up: folders, locks, sockets, processes, console; and what may be in the package."""

from __future__ import annotations

import ast
import errno
import io
import os
import resource
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from helpers.support import ROOT
from komadai import console, storage
from komadai.app.web import listening
from komadai.app.web.store import StoreError
from komadai.app.web.store.opening import open_store
from komadai.errors import EngineError
from komadai.lab.external_engine import process

SOURCES = ROOT / "src/komadai"
POSIX = {"curses", "fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty", "uvloop"}
FOLDERS = {  # system -> environment, data folder, cache folder
    "linux": ({}, "home/.local/share/komadai", "home/.cache/komadai"),
    "linux, XDG": ({"XDG_DATA_HOME": "data", "XDG_CACHE_HOME": "cache"}, "data/komadai", "cache/komadai"),
    "darwin": ({}, "home/Library/Application Support/komadai", "home/Library/Caches/komadai"),
    "win32": ({"LOCALAPPDATA": "local"}, "local/komadai", "local/komadai/Cache"),
    "win32, bare": ({}, "home/AppData/Local/komadai", "home/AppData/Local/komadai/Cache"),
}


@pytest.mark.parametrize("system", FOLDERS)
def test_the_users_folders(system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    variables, data, cache = FOLDERS[system]
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, folder in {"HOME": "home", **variables}.items():
        monkeypatch.setenv(name, str(tmp_path / folder))
    monkeypatch.setattr(sys, "platform", system.partition(",")[0])
    assert (storage.data_folder(), storage.cache_folder()) == (tmp_path / data, tmp_path / cache)


def at_import(body: list[ast.stmt]) -> Iterator[str]:
    """The modules that the statements import, outside functions."""
    for node in body:
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module).partition(".")[0]
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from at_import([child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)])


def test_no_module_needs_posix_to_be_imported() -> None:
    found = {
        path.relative_to(SOURCES).as_posix(): POSIX & set(at_import(ast.parse(path.read_text("utf-8")).body))
        for path in SOURCES.rglob("*.py")
    }
    assert {path: names for path, names in found.items() if names} == {}


def test_texts_are_read_and_written_in_utf8_wherever_they_are() -> None:
    """On Windows the encoding of files that none is named for lacks kanji."""
    calls = {
        (path.relative_to(SOURCES).as_posix(), call.lineno)
        for path in SOURCES.rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
        if (call.func.attr == "read_text" and not (call.args or call.keywords))
        or (call.func.attr == "write_text" and len(call.args) + len(call.keywords) < 2)
    }
    assert calls == set()


def test_a_file_has_one_owner_on_posix(tmp_path: Path) -> None:
    with (tmp_path / "state").open("a+b") as mine, (tmp_path / "state").open("a+b") as other:
        storage.lock(mine)
        with pytest.raises(BlockingIOError):
            storage.lock(other)


@pytest.mark.parametrize("free", [True, False])
def test_a_file_has_one_owner_on_windows(free: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows lets nobody read what is locked, so the byte is one behind all contents."""
    locked: list[tuple[int, int, int]] = []

    def locking(handle: int, mode: int, size: int) -> None:
        locked.append((os.lseek(handle, 0, os.SEEK_CUR), mode, size))
        if not free:
            raise PermissionError(errno.EACCES, "Permission denied")

    crt = ModuleType("msvcrt")
    crt.locking, crt.LK_NBLCK = locking, 2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "msvcrt", crt)
    monkeypatch.setattr(sys, "platform", "win32")
    with (tmp_path / "state").open("a+b") as file:
        file.write(b"header\n")
        before = file.tell()
        if free:
            storage.lock(file)
        else:
            with pytest.raises(BlockingIOError):
                storage.lock(file)
        assert file.tell() == before
    assert locked == [(1 << 40, 2, 1)]
    assert (tmp_path / "state").read_bytes() == b"header\n"


def test_two_servers_on_windows_do_not_share_a_port(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The system keeps some ports for itself, with EACCES; those are taken, too."""
    kept = (errno.EACCES, errno.EADDRINUSE)
    bound: list[int] = []

    class Bound:
        options: list[int]

        def __init__(self, *family: object) -> None:
            self.options = []

        def setsockopt(self, level: int, option: int, value: int) -> None:
            self.options.append(option)

        def bind(self, address: tuple[str, int]) -> None:
            bound.append(address[1])
            if len(bound) <= len(kept):
                raise OSError(kept[len(bound) - 1], "taken")

        def listen(self, backlog: int) -> None: ...

        def close(self) -> None: ...

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(listening, "_TAKEN", set(kept))
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", -5, raising=False)
    monkeypatch.setattr(socket, "socket", Bound)
    found = listening.bind("127.0.0.1", 8000)
    assert isinstance(found, Bound)
    assert found.options == [-5]
    assert bound == [8000, 8001, 8002]
    assert "using 8002 instead" in capsys.readouterr().err


def test_macos_permits_fewer_files_than_its_limit_says(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[tuple[int, int]] = []

    def setrlimit(which: int, limits: tuple[int, int]) -> None:
        tried.append(limits)
        if limits[0] == resource.RLIM_INFINITY:
            raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr(resource, "getrlimit", lambda which: (256, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", setrlimit)
    listening.raise_file_limit()
    assert tried[-1] == (10_240, resource.RLIM_INFINITY)


def test_other_engines_are_not_started_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_PIPES_CAN_BE_AWAITED", False)
    with pytest.raises(EngineError, match=r"^cannot start 'true': .* on Linux and macOS only; .* Subsystem for Linux$"):
        process.LineProcess(["true"])


def test_no_database_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(StoreError, match="a database needs Linux or macOS"):
        open_store("postgresql://server/games")


@pytest.mark.parametrize(("system", "written"), [("win32", "駒\n".encode()), ("linux", b"\\u99d2\n")])
def test_a_console_without_kanji(system: str, written: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    held = io.BytesIO()
    streams = SimpleNamespace(out=io.TextIOWrapper(held, "cp1252"), err=io.TextIOWrapper(io.BytesIO(), "cp1252"))
    monkeypatch.setattr(sys, "stdout", streams.out)
    monkeypatch.setattr(sys, "stderr", streams.err)
    monkeypatch.setattr(sys, "platform", system)
    console.run(lambda: print("駒"))
    streams.out.flush()
    assert held.getvalue() == written


def test_no_table_of_a_solved_game_is_in_the_package() -> None:
    """They are made when they are first used."""
    assert not list(SOURCES.rglob("*.table"))
