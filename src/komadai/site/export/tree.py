"""The Python of the tab: Komadai as far as its server needs it, the core, and the packages from which it is made."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from ...locale.compile import compile_catalogue
from .parts import Pyodide, node
from .running import Say, run

PACKAGE = Path(__file__).parents[2]
PLACE = "/site"
"""The folder in the tab into which the archive is unpacked."""

Tree = dict[str, bytes]
"""Files by path, with ``/``."""

_LEFT_OUT = ("cli", "licenses", "protocol", "site/export", "site/static", "solve/tables", "tui")
"""Folders of the package that the server in a tab does not need."""

_NO_CODE = {".pyc", ".pyi", ".so", ".pyd", ".po", ".typed"}
_RUN = Path(__file__).parent / "pyodide.mjs"
_COMPILE = Path(__file__).parent / "compile_all.py"


def tree(core: bytes, wheels: Sequence[Path], target: Pyodide) -> Tree:
    """The files of the tab's ``site-packages``."""
    files = dict(_package())
    files[f"komadai/_core.{target.soabi}.so"] = core
    for wheel in wheels:
        files.update(_wheel(wheel))
    return dict(sorted(files.items()))


def _package() -> Iterator[tuple[str, bytes]]:
    """The files of this package: its code, its data and the pages; the catalogues compiled."""
    for path in sorted(PACKAGE.rglob("*")):
        name = path.relative_to(PACKAGE).as_posix()
        if not path.is_file() or name.startswith(tuple(f"{folder}/" for folder in _LEFT_OUT)):
            continue
        if path.suffix == ".po" and not path.with_suffix(".mo").exists():
            compiled = compile_catalogue(path.read_text(encoding="utf-8"))
            yield f"komadai/{PurePosixPath(name).with_suffix('.mo')}", compiled
        elif path.suffix not in _NO_CODE and (not name.startswith("web/static/") or path.suffix == ".html"):
            yield f"komadai/{name}", path.read_bytes()


def _wheel(path: Path) -> Iterator[tuple[str, bytes]]:
    """The code of a wheel."""
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            code = not name.endswith((".pyi", ".typed", "/")) and ".dist-info/" not in name
            if code:
                yield name, archive.read(name)


def compiled(files: Tree, target: Pyodide, say: Say) -> Tree:
    """The files with their bytecode, which Pyodide writes under Node.js; without that, the files as they are.

    The sources are not looked at again when the bytecode is loaded.
    """
    program = node()
    if program is None:
        say("Node.js is not installed: the tab has to compile its Python at every start, which takes a second more")
        return files
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(files, folder)
        run([program, _RUN, target.folder, folder, _COMPILE], "compiling the Python of the tab")
        bytecode = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.pyc")}
    return dict(sorted({**files, **bytecode}.items()))


def write(files: Tree, folder: Path) -> None:
    """Write files into a folder."""
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


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
