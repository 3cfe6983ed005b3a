"""The Python of the tab: Komadai as far as its server needs it, the core, its packages, and the standard library."""

from __future__ import annotations

import io
import os
import re
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from fnmatch import translate
from functools import cache
from pathlib import Path, PurePosixPath

from ....locale.compile import compile_catalogue
from .parts import Pyodide, node
from .running import Say, run

PACKAGE = Path(__file__).parents[3]
PLACE = "/site"
"""The folder in the tab into which the archive is unpacked."""

Tree = dict[str, bytes]
"""Files by path, with ``/``."""

_STARTED = ("komadai.app.site.tab", "komadai.app.site.lent", "komadai.app.engine_service.worker")
"""The modules that the server in a tab begins with."""
RUN = Path(__file__).parent / "pyodide.mjs"
"""Runs a script in Pyodide under Node.js."""
_COMPILE = Path(__file__).parent / "compile_start.py"


def tree(core: bytes, wheels: Sequence[Path], target: Pyodide) -> Tree:
    """The files of the tab's ``site-packages``."""
    files = dict(package())
    files[f"komadai/_core.{target.soabi}.so"] = core
    for wheel in wheels:
        files.update(_wheel(wheel))
    return dict(sorted(files.items()))


@cache
def left_out(part: str) -> re.Pattern[str]:
    """Matches the paths of a part that the tab does without (``left_out.toml``)."""
    patterns = tomllib.loads((Path(__file__).parent / "left_out.toml").read_text(encoding="utf-8"))[part]
    return re.compile("|".join(map(translate, patterns)))


def package() -> Iterator[tuple[str, bytes]]:
    """The files of this package: its code, its data and the pages; the catalogues compiled."""
    for path in sorted(Path(folder, name) for folder, _, names in os.walk(PACKAGE) for name in names):
        name = path.relative_to(PACKAGE).as_posix()
        if path.suffix == ".po" and not path.with_suffix(".mo").exists():
            compiled = compile_catalogue(path.read_text(encoding="utf-8"))
            yield f"komadai/{PurePosixPath(name).with_suffix('.mo')}", compiled
        elif name.startswith("app/web/static/") and path.suffix != ".html":
            continue  # answers.py has them
        elif not left_out("komadai").match(name):
            yield f"komadai/{name}", path.read_bytes()


def _wheel(path: Path) -> Iterator[tuple[str, bytes]]:
    """The code of a wheel."""
    return ((name, data) for name, data in unzipped(path.read_bytes()).items() if not left_out("packages").match(name))


def library(target: Pyodide) -> Tree:
    """The standard library, as far as a server needs it."""
    files = unzipped((target.folder / "python_stdlib.zip").read_bytes())
    return {name: data for name, data in files.items() if not left_out("library").match(name)}


def compiled(site: Tree, library: Tree, target: Pyodide, say: Say) -> tuple[Tree, Tree]:
    """Packages and library where bytecode has taken the place of what is imported at the start.

    Pyodide writes it under Node.js; without that the files stay as they are.
    """
    program = node()
    if program is None:
        say("Node.js is not installed: the tab has to compile its Python at every start, which takes seconds more")
        return site, library
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(site, folder / "site")
        write(library, folder / "lib")
        (folder / "python_stdlib.zip").write_bytes(stored(library))
        run([program, RUN, target.folder, folder, _COMPILE, *_STARTED], "compiling the Python of the tab")
        return read(folder / "site"), read(folder / "lib")


def write(files: Tree, folder: Path) -> None:
    """Write files into a folder."""
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def read(folder: Path) -> Tree:
    """The files of a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def stored(files: Tree) -> bytes:
    """A zip archive of files, not compressed, always the same for the same files: it is compressed as a whole."""
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return memory.getvalue()


def unzipped(data: bytes) -> Tree:
    """The files of a zip archive, in its order."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
