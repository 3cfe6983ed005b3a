"""Compile the core for Pyodide, check it, and print the path of the module.

    python tools/pyodide_core.py [--output core.so] [--pyodide DIR]

zig's clang compiles it (native/pyodide.cmake) with headers from Debian's packages, which are unpacked, not installed.
What is missing is taken by pip, npm and apt-get into the user's cache, at the versions in
src/komadai/app/site/export/pins.toml. Where Debian no longer has those, the present ones are taken. Two checks decide
in any case: all imports of the core are found in Pyodide, and it counts and searches under Node.js.
The core is kept in the cache, by the contents of all that it is made of. What is wrong is said in one line, with exit
status 1.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import runpy
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from komadai.app.site.export import parts, tree
from komadai.app.site.export.pins import pins
from komadai.app.site.export.running import FetchError, fetch, program, run
from komadai.errors import SiteError
from komadai.storage import write_whole

ROOT = Path(__file__).resolve().parents[1]
SOURCES = (*sorted((ROOT / "native").glob("*.[ch]pp")), ROOT / "native/pyodide.cmake", ROOT / "CMakeLists.txt")
CHECK = Path(__file__).parent / "pyodide_check.py"
SUITE = "sid"  # of Debian: the one that follows Emscripten
LOADED = {"memory", "__memory_base", "__table_base", "__stack_pointer", "__indirect_function_table"}
"""Imports of every side module, which the code that loads it gives."""
LINK = """
const { readFileSync } = require("node:fs");
const [core, main] = process.argv.slice(1).map((path) => new WebAssembly.Module(readFileSync(path)));
const known = new Set([core, main].flatMap(WebAssembly.Module.exports).map(({ name }) => name));
for (const { module, name } of WebAssembly.Module.imports(core)) if (!known.has(name)) console.log(module, name);
"""
"""A program of Node.js: the imports of a WebAssembly module that neither a main module nor itself offers."""

say = partial(print, file=sys.stderr, flush=True)


def digest(*texts: bytes) -> str:
    """A short digest of texts."""
    total = sha256()
    for text in texts:
        total.update(sha256(text).digest())
    return total.hexdigest()[:16]


def kept(folder: Path, make: Callable[[Path], None]) -> Path:
    """A folder of the cache, which is made as a whole or not at all."""
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as name:
            made = Path(name) / "made"
            made.mkdir()
            make(made)
            made.replace(folder)
    return folder


# --- The compiler and the headers -----------------------------------------------------------------------------------


def package(name: str) -> Path:
    """The folder of a Python package of the compiler: installed in the pinned version, or in the cache."""
    wanted = pins().compiler[name]
    try:
        if version(name) == wanted and (spec := importlib.util.find_spec(name)) and spec.origin:
            return Path(spec.origin).parent
    except PackageNotFoundError:
        pass

    def make(folder: Path) -> None:
        say(f"taking {name} {wanted} by pip into {place}")
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary=:all:"]
        fetch([*pip, "--target", folder, f"{name}=={wanted}"], f"fetching {name}")

    place = parts.cache() / f"{name}-{wanted}"
    return kept(place, make) / name


def debian_headers() -> Path:
    """A folder with the files of Debian's packages, and their versions in ``VERSIONS``."""
    wanted = "".join(f"{name}={pin.version} {pin.sha256}\n" for name, pin in pins().debian.items())

    def make(folder: Path) -> None:
        apt = program("apt-get", "the headers for the core come from Debian's packages: build it on a Debian system")
        say(f"taking {' and '.join(pins().debian)} by apt-get, 12 MB and 11 MB of lists, into {place}")
        with tempfile.TemporaryDirectory() as name:
            files = download(apt, Path(name))
            for archive in files:
                run(["dpkg-deb", "--extract", archive, folder], "unpacking the headers")
            (folder / "VERSIONS").write_text("".join(f"{archive.name}\n" for archive in files), encoding="utf-8")

    place = parts.cache() / f"headers-{digest(wanted.encode())}"
    return kept(place, make)


def pinned(debian: Path) -> bool:
    """Whether the headers are those of the pinned packages."""
    found = (debian / "VERSIONS").read_text(encoding="utf-8")
    return all(f"{name}_{pin.version}_" in found for name, pin in pins().debian.items())


def download(apt: str, folder: Path) -> list[Path]:
    """Download the packages from the mirror of this system, beside its own lists."""
    (folder / "lists/partial").mkdir(parents=True)
    (folder / "cache/archives/partial").mkdir(parents=True)
    origin = "$(ORIGIN) $(REPO_URI)"
    listed = run([apt, "indextargets", "--format", origin, "Created-By: Packages"], "reading the system's sources")
    mirrors = [line.partition(" ")[2] for line in listed.splitlines() if line.startswith("Debian ")]
    if not mirrors:
        raise FetchError("this system has no source of Debian's packages, from which the headers for the core come")
    keys = "/usr/share/keyrings/debian-archive-keyring.gpg"
    (folder / "sources.list").write_text(f"deb [signed-by={keys}] {mirrors[0]} {SUITE} main\n", encoding="utf-8")
    settings = {
        "Dir::Etc::sourcelist": folder / "sources.list",
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": folder / "lists",
        "Dir::Cache": folder / "cache",
        "APT::Sandbox::User": "root",
    }
    (folder / "apt.conf").write_text(
        "".join(f'{key} "{value}";\n' for key, value in settings.items()), encoding="utf-8"
    )
    own = [apt, "--quiet=2", "--config-file", folder / "apt.conf"]
    fetch([*own, "update"], "reading Debian's lists")
    files = []
    for name, pin in pins().debian.items():
        (folder / name).mkdir()
        try:
            fetch([*own, "download", f"{name}={pin.version}"], f"fetching {name}", folder / name)
        except FetchError:
            fetch([*own, "download", f"{name}/{SUITE}"], f"fetching {name}", folder / name)
        (archive,) = (folder / name).glob("*.deb")
        if sha256(archive.read_bytes()).hexdigest() != pin.sha256:
            say(f"{archive.name} is not the pinned {name} {pin.version}: the checks decide whether it fits")
        files.append(archive)
    return files


def python_headers(debian: Path, target: parts.Pyodide) -> Path:
    """The headers of Python: Debian's, with a ``pyconfig.h`` of the values with which Pyodide was built."""

    def make(folder: Path) -> None:
        shutil.copytree(general, folder, dirs_exist_ok=True)
        with zipfile.ZipFile(target.folder / "python_stdlib.zip") as library:
            (name,) = (name for name in library.namelist() if name.startswith("_sysconfigdata"))
            source = folder / "sysconfigdata.py"
            source.write_bytes(library.read(name))
        values = runpy.run_path(str(source))["build_time_vars"]

        def line(found: re.Match[str]) -> str:
            value = values.get(name := found[1] or found[2], 0)
            return f"/* #undef {name} */" if value in (0, "") else f"#define {name} {value}"

        text = specific.read_text(encoding="utf-8")
        text = re.sub(r"^#\s*define (\w+)\b.*$|^/\* #undef (\w+) \*/$", line, text, flags=re.MULTILINE)
        (folder / "pyconfig.h").write_text(text, encoding="utf-8")

    include = debian / "usr/include"
    general = include / f"python{target.python}"
    found = sorted(include.glob(f"*/python{target.python}/pyconfig.h"))
    if not found or not general.is_dir():
        raise SiteError(
            f"Pyodide {target.version} has Python {target.python}, of which Debian's package has no headers"
        )
    specific = found[0]
    about = f"{target.folder}{(target.folder / 'pyodide-lock.json').stat().st_size}"
    return kept(parts.cache() / f"python-{digest(str(debian).encode(), about.encode())}", make)


# --- Build and checks -----------------------------------------------------------------------------------------------


def build(target: parts.Pyodide, zig: Path, nanobind: Path, debian: Path) -> bytes:
    """Compile the core with CMake."""
    say("compiling the core for Pyodide, which takes a minute")
    environment = {
        "KOMADAI_ZIG": str(zig / "zig"),
        "KOMADAI_EMSCRIPTEN": str(debian / "usr/share/emscripten/system"),
        "KOMADAI_PYTHON_HEADERS": str(python_headers(debian, target)),
        "KOMADAI_SOABI": target.soabi,
        "PYTHONPATH": str(nanobind.parent),  # for tools/notices.py, which the build runs
    }
    with tempfile.TemporaryDirectory() as folder:
        options = {
            "CMAKE_BUILD_TYPE": "Release",
            "CMAKE_TOOLCHAIN_FILE": ROOT / "native/pyodide.cmake",
            "Python_EXECUTABLE": sys.executable,
            "nanobind_DIR": nanobind / "cmake",
        }
        given = [f"-D{name}={value}" for name, value in options.items()]
        cmake = shutil.which("cmake") or package("cmake") / "data/bin/cmake"
        run([cmake, "-S", ROOT, "-B", folder, *given], "configuring the core", environment=environment)
        jobs = str(os.cpu_count() or 1)  # without a number make compiles all files at once
        command = [cmake, "--build", folder, "--target", "_core", "--parallel", jobs]
        run(command, "compiling the core", environment=environment)
        return (Path(folder) / f"_core.{target.soabi}.so").read_bytes()


def lacking(core: Path, main: Path) -> list[str]:
    """The imports of a core that neither the main module nor itself offers, as ``module.name``.

    Raises:
        SiteError: a file is no module, or there is no Node.js.
    """
    node = program("node", "it runs the check of the core")
    found = run([node, "-e", LINK, core, main], "reading the imports of the core").splitlines()
    return sorted({line.replace(" ", ".") for line in found if line.partition(" ")[2] not in LOADED})


def check(core: bytes, target: parts.Pyodide) -> None:
    """Check the imports of a core, its perft and its searches.

    Raises:
        SiteError: it lacks something, or does not do what it should.
    """
    node = program("node", "it runs the check of the core")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "core.so").write_bytes(core)
        if missing := lacking(folder / "core.so", target.folder / "pyodide.asm.wasm"):
            raise SiteError(f"the core imports what Pyodide {target.version} lacks: {', '.join(missing)}")
        tree.write(tree.tree(core, [], target), folder / "site")
        shutil.copytree(ROOT / "tests/perft", folder / "perft")
        say(run([node, tree.RUN, target.folder, folder, CHECK], "the check of the core").strip())


def core(target: parts.Pyodide) -> Path:
    """The path of the core in the cache, built and checked if it is not there."""
    zig, nanobind, debian = package("ziglang"), package("nanobind"), debian_headers()
    about = f"{target.version} {pins().compiler} {(debian / 'VERSIONS').read_text(encoding='utf-8')}"
    place = parts.cache() / f"core-{digest(about.encode(), *(path.read_bytes() for path in SOURCES))}.so"
    if not place.is_file():
        try:
            made = build(target, zig, nanobind, debian)
            check(made, target)
        except SiteError as error:
            if pinned(debian):
                raise
            raise FetchError(f"Debian has other headers than the pinned ones, which do not fit: {error}") from None
        write_whole(place, made)
    return place


def main() -> None:
    """Build or find the core as the command line says."""
    parser = argparse.ArgumentParser(description="Compile the core for Pyodide, check it, and print its path.")
    parser.add_argument("--output", type=Path, metavar="FILE", help="copy it there, too")
    parser.add_argument("--pyodide", type=Path, metavar="DIR", help="a folder with the npm package pyodide")
    parser.add_argument("--check", action="store_true", help="check it again, also one that is in the cache")
    given = parser.parse_args()
    try:
        target = parts.pyodide(given.pyodide, say)
        place = core(target)
        if given.check:
            check(place.read_bytes(), target)
        if given.output:
            write_whole(given.output, place.read_bytes())
        print(given.output or place)
    except SiteError as error:
        sys.exit(f"pyodide_core: {error}")


if __name__ == "__main__":
    main()
