"""Install Komadai and what it needs into a virtual environment, as far as something has changed, and say how far it is.

    python tools/set_up.py FOLDER [EXTRA ...]

The core is compiled in a folder that is kept, with the compiler's helpers installed in the same environment, so that a
change in Python alone compiles nothing. Whether anything has changed is read from the contents of the sources. Needs
nothing but Python, since it is the first thing that runs (Makefile).
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parents[1]
_LEAST = "g++ 12, clang 16 or newer"
_PROGRAM = "#include <bit>\n#include <concepts>\n#include <span>\nint main() { return std::span<int>().size(); }\n"
_PACKAGES = {
    "apt-get": ("apt-get install", "g++", "python3-dev", "python3-venv"),
    "dnf": ("dnf install", "gcc-c++", "python3-devel", "python3"),
    "zypper": ("zypper install", "gcc-c++", "python3-devel", "python3"),
    "pacman": ("pacman -S", "gcc", "python", "python"),
    "apk": ("apk add", "g++", "python3-dev", "python3"),
}
"""Of each program that installs packages: its words, and the packages of the compiler, of Python's headers, and of its
virtual environments."""
_COMPILER, _HEADERS, _VENV = 1, 2, 3
_BUILT = "build/{wheel_tag}-kept"  # not that of other builds, whose helpers are elsewhere
_STEP = re.compile(r"\[(\d+)/(\d+)\] (?:Building|Linking) ")  # of ninja
_SHOWN = 40  # most lines of a failed program's output


class SetUpError(Exception):
    """It cannot go on; the message says what would help."""


# --- What there must be ---------------------------------------------------------------------------------------------


def how_to_install(what: int) -> str:
    """The command that installs the compiler, Python's headers or its virtual environments on this system."""
    if sys.platform == "darwin":
        return "xcode-select --install"
    rights = "" if os.geteuid() == 0 else "sudo "
    for program, words in _PACKAGES.items():
        if shutil.which(program):
            return f"{rights}{words[0]} {words[what]}"
    return "the packages of your system"


def check_compiler() -> None:
    """Compile a small program.

    Raises:
        SetUpError: there is no compiler of C++20, or Python has no headers.
    """
    named = os.environ.get("CXX", "").split()
    found = named or next(([name] for name in ("c++", "g++", "clang++") if shutil.which(name)), None)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "try.cpp"
        source.write_text(_PROGRAM, encoding="utf-8")
        command = [*(found or ["c++"]), "-std=c++20", "-c", str(source), "-o", str(source.with_suffix(".o"))]
        try:
            works = subprocess.run(command, capture_output=True, check=False).returncode == 0
        except OSError:
            works = False
    if not works:
        lacking = f"{' '.join(found)} compiles no C++20" if found else "a compiler of C++20 is needed"
        raise SetUpError(f"{lacking} ({_LEAST}). Install one with: {how_to_install(_COMPILER)}")
    if not (Path(sysconfig.get_path("include")) / "Python.h").is_file():
        raise SetUpError(f"the headers of this Python are needed. Install them with: {how_to_install(_HEADERS)}")


# --- What is asked for ----------------------------------------------------------------------------------------------


def project() -> dict[str, Any]:
    """The contents of ``pyproject.toml``."""
    import tomllib  # an older Python lacks it, and is to be told so

    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def requirements(extras: Sequence[str]) -> list[str]:
    """The packages that Komadai needs with these extras, or groups of developers."""
    declared = project()
    groups = declared["project"]["optional-dependencies"] | declared.get("dependency-groups", {})
    found = list(declared["project"]["dependencies"])
    for extra in extras:
        for line in groups[extra]:
            own = re.match(r"komadai\[([\w,-]+)\]", line)
            found += requirements(own[1].split(",")) if own else [line]
    return list(dict.fromkeys(found))


def digest(paths: Sequence[Path]) -> str:
    """A digest of files, by their names and contents."""
    total = sha256()
    for path in sorted(paths):
        total.update(sha256(f"{path}\0".encode() + path.read_bytes()).digest())
    return total.hexdigest()


def sources() -> list[Path]:
    """All of which the package is made."""
    found = [ROOT / name for name in ("pyproject.toml", "CMakeLists.txt", "README.md", "LICENSE")]
    found += [ROOT / "tools" / name for name in ("make_stub.py", "notices.py")]
    for folder in ("native", "src", "docs/rules"):
        found += (path for path in (ROOT / folder).rglob("*") if path.is_file())
    return [
        path for path in found if "__pycache__" not in path.parts and path.suffix not in (".so", ".pyc", ".pyi", ".mo")
    ]


# --- Programs that take long ----------------------------------------------------------------------------------------


class Progress:
    """One line of a terminal that is written anew; elsewhere a line now and then."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._said, self._wide = set[tuple[str, int]](), 0

    def show(self, doing: str, done: int = 0, of: int = 0) -> None:
        """Say what is done at present, and how much of it, if that is known."""
        share = f" {done} of {of}" if of else f" {done}" if done else ""
        if self._terminal:
            text = f"{doing}{share}"[: max(20, shutil.get_terminal_size().columns - 1)]
            print(f"\r{text.ljust(self._wide)}", end="", file=sys.stderr, flush=True)
            self._wide = len(text)
        elif (part := (doing, 10 * done // of if of else 0)) not in self._said:
            print(f"{doing}{share}", file=sys.stderr, flush=True)
            self._said.add(part)

    def end(self) -> None:
        """Leave the line of the terminal."""
        if self._terminal and self._wide:
            print(file=sys.stderr)
            self._wide = 0


@contextmanager
def running(command: Sequence[str | Path], what: str, heard: Callable[[str], None]) -> Iterator[None]:
    """Run a program during a block, and hear its lines; an exception in the block ends it and all that it has started.

    Raises:
        SetUpError: the program fails; the last lines of its output are the message.
    """
    lines: list[str] = []

    def listen() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            heard(line)

    with subprocess.Popen(
        list(map(str, command)),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,  # so that what it has started ends with it
    ) as process:
        listener = Thread(target=listen)
        listener.start()
        try:
            yield
            listener.join()
        except BaseException:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            raise
    if process.returncode:
        raise SetUpError(f"{''.join(lines[-_SHOWN:])}{what} failed; above are the last words of {command[0]}")


def run(command: Sequence[str | Path], what: str, heard: Callable[[str], None]) -> None:
    """Run a program whose lines are heard.

    Raises:
        SetUpError: it fails; the last lines of its output are the message.
    """
    with running(command, what, heard):
        pass


# --- The environment ------------------------------------------------------------------------------------------------


class Environment:
    """A virtual environment, and what has been installed there."""

    def __init__(self, folder: Path) -> None:
        self.python = folder.absolute() / "bin/python"
        self._folder, self._notes, self._progress = folder, folder / ".installed.json", Progress()
        self._has: dict[str, list[str] | str] = {}
        if self._notes.is_file() and self.python.exists():
            self._has = json.loads(self._notes.read_text(encoding="utf-8"))

    def bring(self, extras: Sequence[str]) -> None:
        """Bring it up to date."""
        there = list(self._has.get("requirements", []))
        lacking = [line for line in requirements(extras) if line not in there]
        now = digest(sources())
        changed = now != self._has.get("sources")
        if not lacking and not changed:
            return
        if changed:
            check_compiler()
        if not self.python.exists():
            if find_spec("ensurepip") is None:
                raise SetUpError(
                    f"this Python makes no virtual environments. Install that with: {how_to_install(_VENV)}"
                )
            self._progress.show(f"making {self._folder}")
            venv.create(self._folder, with_pip=True)
        try:
            with tempfile.TemporaryDirectory() as wheel:
                with self._building(wheel) if changed else nullcontext():
                    if lacking:
                        self._install(lacking, "the packages")
                        self._note(requirements=there + lacking)
                if changed:
                    built = list(Path(wheel).iterdir())
                    self._install(["--no-deps", "--force-reinstall", *built], "Komadai")
                    for one in built:  # type checkers and editors read the sources
                        ZipFile(one).extract("komadai/_core.pyi", ROOT / "src")
                    self._note(sources=now)
        finally:
            self._progress.end()

    def _note(self, **more: list[str] | str) -> None:
        self._has |= more
        self._notes.write_text(json.dumps(self._has), encoding="utf-8")

    def _install(self, packages: Sequence[str | Path], what: str) -> None:
        count = 0

        def heard(line: str) -> None:
            nonlocal count
            if line.startswith("Collecting "):
                count += 1
                self._progress.show(f"fetching {what}:", count)
            elif line.startswith("Installing "):
                self._progress.show(f"installing {what}")

        run([*self._pip("install"), *packages], f"installing {what}", heard)

    def _building(self, folder: str) -> AbstractContextManager[None]:
        """Build Komadai's wheel in a folder during a block."""
        helpers = project()["build-system"]["requires"]
        if self._has.get("helpers") != helpers:
            self._install(helpers, "what compiles the core")
            more = subprocess.run([self.python, "-c", _MORE], cwd=ROOT, capture_output=True, text=True, check=True)
            if names := more.stdout.split():
                self._install(names, "what compiles the core")
            self._note(helpers=helpers)

        def heard(line: str) -> None:
            if step := _STEP.search(line):
                done, of = map(int, step.groups())
                self._progress.show("compiling the core:" if done < of - 1 else "linking the core:", done, of)

        self._progress.show("building Komadai")
        options = ["--verbose", "--no-deps", "--no-build-isolation", f"--config-settings=build-dir={_BUILT}"]
        return running([*self._pip("wheel"), *options, "--wheel-dir", folder, "."], "building Komadai", heard)

    def _pip(self, command: str) -> Iterator[str | Path]:
        yield from (self.python, "-m", "pip", "--disable-pip-version-check", command, "--progress-bar=off")


_MORE = "from scikit_build_core.build import get_requires_for_build_wheel as more; print(*more())"
"""The build tools that its system lacks, as CMake and Ninja."""


def main() -> None:
    """Set up the environment of the command line."""
    if sys.version_info < (3, 11):  # noqa: UP036 older ones read this, too
        sys.exit("set-up: Python 3.11 or newer is needed. Name one, as in: make play PYTHON=python3.12")
    folder, *extras = sys.argv[1:]
    try:
        with Path(__file__).open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # make runs several at a time
            Environment(Path(folder)).bring(extras)
    except SetUpError as error:
        sys.exit(f"set-up: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
