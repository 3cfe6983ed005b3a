"""Made-up parts of a static site: a Pyodide without a Python in it, wheels with a line of code, and a core."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

from komadai.app.site.export.pins import REQUIREMENTS

CORE = b"\0asm\1\0\0\0"  # a module with nothing in it

LIBRARY = {
    "encodings/cp037.py": "",
    "json/__init__.py": "",
    "os.py": "sep = '/'\n",
    "pydoc_data/topics.py": "topics = {}\n",
    "textwrap.py": "",
}
"""The standard library: some that a server needs, and some that it does not."""


def pyodide(folder: Path, python: str = "3.14.2") -> Path:
    """Write a folder that looks like one of Pyodide, with the wheels that a tab needs."""
    folder.mkdir(parents=True)
    (folder / "package.json").write_text(json.dumps({"version": "9.9.9"}), encoding="utf-8")
    info = {"abi_version": "2026_0", "arch": "wasm32", "platform": "emscripten_5_0_3", "python": python}
    lock = {"info": info, "packages": {"numpy": {"file_name": "numpy.whl"}}}
    (folder / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    (folder / "pyodide.mjs").write_text("export const version = '9.9.9';\n" * 20, encoding="utf-8")
    (folder / "pyodide.asm.mjs").write_text("export default 1;\n" * 20, encoding="utf-8")
    (folder / "pyodide.asm.wasm").write_bytes(b"\0asm\1\0\0\0" + b"\0" * 5000)
    with zipfile.ZipFile(folder / "python_stdlib.zip", "w") as archive:
        for name, text in LIBRARY.items():
            archive.writestr(name, text)
    for name, version in re.findall(r"^([\w.-]+)==(\S+)", REQUIREMENTS.read_text(encoding="utf-8"), re.MULTILINE):
        wheel(folder, name, version)
    return folder


def wheel(folder: Path, name: str, version: str) -> None:
    """Write a wheel."""
    package = name.replace("-", "_")
    about = f"{package}-{version}.dist-info"
    with zipfile.ZipFile(folder / f"{package}-{version}-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{package}/__init__.py", f"name = {name!r}\n")
        archive.writestr(f"{package}/py.typed", "")
        archive.writestr(f"{about}/METADATA", f"Name: {name}\nVersion: {version}\nLicense-Expression: MIT\n")
        archive.writestr(f"{about}/licenses/LICENSE", f"The licence of {name}.\n")
