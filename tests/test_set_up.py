"""The set-up of `make play` and `make test`: what it says, and that it does nothing twice."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn
from zipfile import ZipFile

import pytest

from helpers.support import ROOT, needs_processes
from tools import set_up

SCRIPT = ROOT / "tools/set_up.py"
PROJECT = """
[build-system]
requires = ["builder>=1"]
[project]
dependencies = ["server>=2"]
[project.optional-dependencies]
draw = ["painter"]
[dependency-groups]
dev = ["komadai[draw]", "checker"]
"""

pytestmark = [needs_processes, pytest.mark.skipif(sys.platform == "win32", reason="make is for other systems")]


# --- The compiler ---------------------------------------------------------------------------------------------------


def said_without_compiler(folder: Path, *programs: str, **environment: str) -> str:
    """What is said on a machine that has these programs alone, and does nothing."""
    for name in programs:
        (folder / name).write_text("#!/bin/sh\nexit 1\n")
        (folder / name).chmod(0o755)
    ran = subprocess.run(
        [sys.executable, SCRIPT, folder / "environment"],
        env={"PATH": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (1, "")
    assert not (folder / "environment").exists(), "nothing was begun"
    return ran.stderr


@pytest.mark.skipif(sys.platform == "darwin", reason="which has a way of its own")
@pytest.mark.parametrize(
    ("installer", "words"),
    [
        ("apt-get", "apt-get install g++"),
        ("dnf", "dnf install gcc-c++"),
        ("pacman", "pacman -S gcc"),
        ("none", "the packages of your system"),
    ],
)
def test_without_a_compiler_one_line_says_what_installs_it(tmp_path: Path, installer: str, words: str) -> None:
    said = said_without_compiler(tmp_path, installer)
    assert said.startswith("set-up: a compiler of C++20 is needed (g++ 12, clang 16 or newer). Install one with: ")
    assert said.endswith(f"{words}\n")
    assert said.count("\n") == 1


def test_a_compiler_that_is_too_old_is_named(tmp_path: Path) -> None:
    assert said_without_compiler(tmp_path, "g++").startswith("set-up: g++ compiles no C++20 (")
    named = said_without_compiler(tmp_path, "old", CXX=f"{tmp_path}/old -O2")
    assert named.startswith(f"set-up: {tmp_path}/old -O2 compiles no C++20 (")


# --- What is done ---------------------------------------------------------------------------------------------------


class Machine:
    """A small project and what is run for it."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder, self.ran = folder, list[str]()
        tools = ("tools/make_stub.py", "tools/notices.py")
        empty = ("CMakeLists.txt", "README.md", "LICENSE", "native/core.cpp", "src/two.py", *tools)
        for name, text in {"pyproject.toml": PROJECT, "src/one.py": "1", **dict.fromkeys(empty, "")}.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)
        patch.setattr(set_up, "ROOT", folder)
        patch.setattr(set_up, "run", self._run)
        patch.setattr(set_up, "running", self._running)
        patch.setattr(set_up, "check_compiler", lambda: self.ran.append("compiler"))
        patch.setattr(set_up.venv, "create", self._create)
        patch.setattr(set_up.subprocess, "run", self._more)

    def _create(self, place: Path, **_more: Any) -> None:
        (place / "bin").mkdir(parents=True)
        (place / "bin/python").touch()
        self.ran.append("environment")

    def _run(self, command: Sequence[str | Path], *_more: Any) -> None:
        words = list(map(str, command))
        self.ran.append(" ".join(words[words.index("--progress-bar=off") + 1 :]))

    @contextmanager
    def _running(self, command: Sequence[str | Path], *_more: Any) -> Iterator[None]:
        """Building, which goes on beside the rest, and makes a wheel."""
        *words, wheels, _source = map(str, command)
        self.ran.append(" ".join(words[words.index("--progress-bar=off") + 1 :]))
        yield
        with ZipFile(Path(wheels) / "made.whl", "w") as wheel:
            wheel.writestr("komadai/_core.pyi", "")

    def _more(self, *_command: Any, **_more: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess([], 0, "ninja>=1.5\n")

    def set_up(self, *extras: str) -> list[str]:
        """Set up; what was run, and the name alone of the wheel that was installed."""
        self.ran.clear()
        set_up.Environment(self.folder / ".venv").bring(extras)
        return [re.sub(r"/\S+/", "", words) for words in self.ran]


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


BUILD = "--verbose --no-deps --no-build-isolation --config-settings=build-dir=build/{wheel_tag}-kept --wheel-dir"
INSTALL = "--no-deps --force-reinstall made.whl"


def test_what_is_there_is_not_installed_again(made: Machine) -> None:
    assert made.set_up() == ["compiler", "environment", "builder>=1", "ninja>=1.5", BUILD, "server>=2", INSTALL]
    assert made.set_up() == []
    assert made.set_up("dev") == ["painter checker"], "the package is the same for players and developers"
    assert made.set_up("dev") == made.set_up() == made.set_up("draw") == []


@pytest.mark.parametrize("change", ["edited", "added", "deleted"])
def test_a_change_in_python_builds_in_the_kept_folder(made: Machine, change: str) -> None:
    made.set_up()
    if change == "deleted":
        (made.folder / "src/one.py").unlink()
    else:
        (made.folder / "src" / ("one.py" if change == "edited" else "three.py")).write_text("3")
    assert made.set_up() == ["compiler", BUILD, INSTALL]
    assert made.set_up() == []


def test_what_is_no_source_changes_nothing(made: Machine) -> None:
    made.set_up()
    (made.folder / "src/__pycache__").mkdir()
    for name in ("src/__pycache__/one.pyc", "src/_core.so", "other.py"):
        (made.folder / name).write_text("")
    os.utime(made.folder / "src/one.py")  # as a change of branches and back does
    assert made.set_up() == []


def test_a_new_requirement_alone_is_installed(made: Machine) -> None:
    made.set_up("dev")
    (made.folder / "pyproject.toml").write_text(PROJECT.replace("server>=2", "server>=3"))
    assert made.set_up("dev") == ["compiler", BUILD, "server>=3", INSTALL]


def interrupted(*_command: Any) -> NoReturn:
    raise KeyboardInterrupt


def test_what_failed_is_done_again(made: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(set_up, "running", interrupted)
        with pytest.raises(KeyboardInterrupt):
            made.set_up()
    assert made.set_up() == ["compiler", BUILD, "server>=2", INSTALL], "the helpers are there"


# --- Progress -------------------------------------------------------------------------------------------------------


def test_progress_is_a_few_lines_where_there_is_no_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    progress = set_up.Progress()
    for done in range(1, 101):
        progress.show("compiling the core:", done, 100)
    progress.show("installing Komadai")
    progress.end()
    lines = capfd.readouterr().err.splitlines()
    assert lines[0] == "compiling the core: 1 of 100"
    assert lines[-2:] == ["compiling the core: 100 of 100", "installing Komadai"]
    assert len(lines) == 12


def test_two_that_speak_in_turn_say_each_thing_once(capfd: pytest.CaptureFixture[str]) -> None:
    progress = set_up.Progress()
    for done in range(1, 101):
        progress.show("fetching the packages:", done)
        progress.show("compiling the core:", done, 100)
    assert len(capfd.readouterr().err.splitlines()) == 12


def test_a_program_that_fails_shows_its_last_words() -> None:
    heard: list[str] = []
    program = "print(*range(100), sep='\\n'); raise SystemExit(3)"
    with pytest.raises(set_up.SetUpError, match=r"\n99\ntrying failed; above are the last words of ") as caught:
        set_up.run([sys.executable, "-c", program], "trying", heard.append)
    assert len(heard) == 100
    assert not str(caught.value).startswith("0\n")


def test_what_fails_beside_a_program_ends_it_and_what_it_has_started(tmp_path: Path) -> None:
    held = tmp_path / "held"
    os.mkfifo(held)
    program = f"import subprocess; subprocess.run(['sleep', '600'], stdout=open({str(held)!r}, 'w'))"
    with (  # noqa: PT012
        pytest.raises(set_up.SetUpError, match="no network"),
        set_up.running([sys.executable, "-c", program], "building", lambda _line: None),
    ):
        reader = held.open()  # waits until the program has opened it
        raise set_up.SetUpError("no network")
    with reader:
        assert reader.read() == "", "the end comes when all that could write have ended"


def test_what_is_built_meanwhile_fails_in_its_own_words() -> None:
    done: list[bool] = []
    with (
        pytest.raises(set_up.SetUpError, match="building failed; above are the last words of "),
        set_up.running([sys.executable, "-c", "raise SystemExit(3)"], "building", lambda _line: None),
    ):
        done.append(True)
    assert done
