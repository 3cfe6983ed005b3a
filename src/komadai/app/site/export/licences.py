"""The licences of all that a static site contains, in one text."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Sequence
from email import message_from_bytes
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

from .... import __version__
from .parts import Pyodide
from .tree import PACKAGE

_RULE = "-" * 80
_NOTICES = Path(__file__).parent / "pyodide_notices.txt"
_LICENCE = re.compile(r"[^/]+\.dist-info/(?:licenses/)?(?:LICEN[CS]E|NOTICE|COPYING)[^/]*$", re.IGNORECASE)


def text(wheels: Sequence[Path], target: Pyodide) -> str:
    """The text: the licences of Komadai and of what its core and pages contain, of Pyodide, and of the packages."""
    parts = [*_own(), (f"Pyodide {target.version}", _NOTICES.read_text(encoding="utf-8")), *map(_of_wheel, wheels)]
    return "\n\n".join(f"{_RULE}\n{heading}\n{_RULE}\n\n{words.strip()}" for heading, words in parts) + "\n"


def _own() -> Iterator[tuple[str, str]]:
    """Komadai's licence and the notices beside its code, from its installation or its sources."""
    for path in _installed() or _of_sources():
        heading = f"Komadai {__version__}" if path.stem == "LICENSE" else f"{path.stem}, in the core of Komadai"
        yield heading, path.read_text(encoding="utf-8")
    for path in sorted(PACKAGE.rglob("OFL.txt")):
        yield f"The letters in komadai/{path.parent.relative_to(PACKAGE).as_posix()}", path.read_text(encoding="utf-8")


def _installed() -> list[Path]:
    try:
        found = [Path(str(path.locate())) for path in files("komadai") or ()]
    except PackageNotFoundError:
        return []
    own = [
        path for path in found if path.name == "LICENSE" or (path.parent.name == "licenses" and path.suffix == ".txt")
    ]
    return sorted(path for path in own if path.is_file())


def _of_sources() -> list[Path]:
    return [path for path in (PACKAGE.parents[1] / "LICENSE",) if path.is_file()]


def _of_wheel(path: Path) -> tuple[str, str]:
    """The licence of a package, with its name and version as the heading."""
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        about = next(name for name in names if name.endswith(".dist-info/METADATA"))
        meta = message_from_bytes(archive.read(about))
        texts = [archive.read(name).decode("utf-8", "replace") for name in names if _LICENCE.match(name)]
    said = meta["License-Expression"] or meta["License"] or ""
    heading = f"{meta['Name']} {meta['Version']}" + (f": {said}" if said and "\n" not in said else "")
    return heading, "\n\n".join(text.strip() for text in texts)
