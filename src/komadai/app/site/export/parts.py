"""The parts of a static site that come from elsewhere: Pyodide by npm, the packages of the tab and the core by pip.

What is fetched is kept in the user's cache, under the name of its version.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .... import __version__
from ....errors import SiteError
from ....storage import cache_folder
from .pins import REQUIREMENTS, pins
from .running import FetchError, Say, fetch, megabytes, program

PYODIDE_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
_CORE = re.compile(r"komadai/_core\.[\w.-]+\.so")


def cache() -> Path:
    """The folder of all that is fetched or built for static sites."""
    return cache_folder() / "site"


# --- Pyodide --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pyodide:
    """CPython for browsers.

    Attributes:
        folder: its files.
        version: of Pyodide; ``"unknown"`` without a ``package.json``.
        python: its version of Python, ``"3.14"``.
        tag: the platform of wheels for it, ``"pyemscripten_2026_0_wasm32"``.
    """

    folder: Path
    version: str
    python: str
    tag: str

    @property
    def soabi(self) -> str:
        """The tag in the names of its modules, ``"cpython-314-wasm32-emscripten"``."""
        return f"cpython-{self.python.replace('.', '')}-wasm32-emscripten"


def pyodide(folder: Path | None, say: Say) -> Pyodide:
    """The Pyodide of a folder; without one that of the cache, fetched if need be.

    Raises:
        SiteError: the folder is none of Pyodide, npm is not installed or fails, or it brings another file than pinned.
    """
    found = folder or _fetched(say)
    if missing := [name for name in PYODIDE_FILES if not (found / name).is_file()]:
        raise SiteError(f"{found} is no folder of Pyodide: it lacks {', '.join(missing)}")
    try:
        lock = json.loads((found / "pyodide-lock.json").read_text(encoding="utf-8"))["info"]
        python = ".".join(lock["python"].split(".")[:2])
        tag = f"pyemscripten_{lock['abi_version']}_{lock['arch']}"
    except (ValueError, KeyError, TypeError, AttributeError):
        raise SiteError(
            f"{found / 'pyodide-lock.json'} does not say which Python it is; expected info.python"
        ) from None
    return Pyodide(found, _version(found), python, tag)


def pyodide_files(found: Pyodide) -> dict[str, bytes]:
    """The files of Pyodide for the tab but its library, by name; none of the packages that its lock file offers."""
    files = {name: (found.folder / name).read_bytes() for name in PYODIDE_FILES if name != "python_stdlib.zip"}
    lock = json.loads(files["pyodide-lock.json"])
    files["pyodide-lock.json"] = json.dumps({**lock, "packages": {}}, sort_keys=True).encode()
    return files


def _version(folder: Path) -> str:
    try:
        return str(json.loads((folder / "package.json").read_text(encoding="utf-8"))["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return "unknown"


def _fetched(say: Say) -> Path:
    pin = pins().pyodide
    folder = cache() / f"pyodide-{pin.version}"
    if folder.is_dir():
        return folder
    npm = program("npm", f"install Node.js, or name a folder with the npm package pyodide {pin.version} by --pyodide")
    say(f"taking Pyodide {pin.version} by npm, {megabytes(pin.bytes)}, into {folder}")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as name:
        temporary = Path(name)
        fetch([npm, "pack", f"pyodide@{pin.version}", "--silent"], "fetching Pyodide", temporary)
        (archive,) = temporary.glob("*.tgz")
        digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
        if f"sha512-{digest}" != pin.integrity:
            raise SiteError(
                f"npm brought another file as pyodide {pin.version} than the pinned one; nothing is used of it"
            )
        made = temporary / "package"
        made.mkdir()
        with tarfile.open(archive) as tar:
            for file in (*PYODIDE_FILES, "package.json"):
                member = tar.extractfile(f"package/{file}")
                assert member is not None  # it is a file in the pinned archive
                (made / file).write_bytes(member.read())
        _put(made, folder)
    return folder


def _put(made: Path, place: Path) -> None:
    """Move a folder to its place; one that another process has put there meanwhile is as good."""
    try:
        made.replace(place)
    except OSError:
        if not place.is_dir():
            raise


# --- Packages for the tab -------------------------------------------------------------------------------------------


def wheels(target: Pyodide, say: Say) -> list[Path]:
    """The wheels that the server needs in the tab: those in Pyodide's folder, or of the cache, fetched if need be.

    Raises:
        SiteError: Pyodide's folder has some and not all; or pip is missing or fails, as without a network.
    """
    named = re.findall(r"^([\w.-]+)==", REQUIREMENTS.read_text(encoding="utf-8"), re.MULTILINE)
    if given := sorted(target.folder.glob("*.whl")):
        names = {path.name.partition("-")[0].replace("_", "-").lower() for path in given}
        if missing := [name for name in named if name not in names]:
            raise SiteError(f"{target.folder} has some wheels and lacks those of {', '.join(missing)}")
        return given
    digest = hashlib.sha256(f"{target.python} {target.tag}\n".encode() + REQUIREMENTS.read_bytes()).hexdigest()[:16]
    folder = cache() / f"wheels-{digest}"
    if not folder.is_dir():
        say(f"taking {len(named)} packages of Python by pip, about 1 MB, into {folder}")
        what = ["--require-hashes", "--requirement", str(REQUIREMENTS)]
        _download(what, target, folder, "fetching the packages of the tab")
    return sorted(folder.glob("*.whl"))


def _download(what: Sequence[str], target: Pyodide, folder: Path, doing: str) -> None:
    """Let pip download wheels for Pyodide into a folder, which is there with all of them or not at all."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as name:
        made = Path(name) / "wheels"
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--no-input"]
        platform = ["--platform", target.tag, "--platform", "any", "--implementation", "cp"]
        fetch([*pip, *platform, "--python-version", target.python, "--dest", made, *what], doing)
        _put(made, folder)


# --- The core -------------------------------------------------------------------------------------------------------


def core(file: Path | None, target: Pyodide, say: Say) -> bytes:
    """The core as a module for Pyodide: a given file, otherwise that of this version's wheel for Pyodide.

    Raises:
        SiteError: the file is none, or there is no such wheel; the message says how a core is built.
    """
    if file is not None:
        return _checked(file.read_bytes() if file.is_file() else b"", str(file))
    folder = cache() / f"core-{__version__}-{target.tag}"
    if not folder.is_dir():
        say(f"taking the core of Komadai {__version__} for Pyodide by pip, about 1 MB, into {folder}")
        try:
            _download([f"komadai=={__version__}"], target, folder, "fetching it")
        except FetchError as error:
            raise SiteError(
                f"the core for Pyodide is missing: pip finds no wheel of Komadai {__version__} for {target.tag}. Build "
                "it from the sources, a checkout or the unpacked sdist, with `python tools/pyodide_core.py --output "
                f"core.so`, and name the file by --core ({str(error).splitlines()[-1]})"
            ) from None
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if _CORE.fullmatch(name)]
        return _checked(archive.read(names[0]) if names else b"", wheel.name)


def _checked(data: bytes, source: str) -> bytes:
    if not data.startswith(b"\0asm"):
        raise SiteError(f"{source} is no WebAssembly module; expected the core built for Pyodide")
    return data


def node() -> str | None:
    """The path of Node.js, which runs Pyodide outside a browser; ``None`` if it is not installed."""
    return shutil.which("node")
