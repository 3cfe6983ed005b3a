"""Write the stub of the native module, for editors and type checkers: ``make_stub.py MODULE STUB``.

CMakeLists.txt runs this with the interpreter that it builds for; the stub is installed beside the core.
"""

from __future__ import annotations

import re
import sys
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path

from nanobind.stubgen import StubGen

NAME = "komadai._core"
_FIELD = re.compile(r"    @property\n    def (\w+)\(self\) -> (.*): \.\.\.\n")
_KEYWORDS = "    def __init__(self, **kwargs) -> None: ...\n"


def _with_keywords(text: str) -> str:
    """The stub with typed constructors: a class made from keywords takes each of its fields by name."""
    classes = re.split(r"(?m)^(?=class )", text)
    for number, body in enumerate(classes):
        if _KEYWORDS in body:
            fields = "".join(f", {name}: {kind}" for name, kind in _FIELD.findall(body))
            classes[number] = body.replace(_KEYWORDS, f"    def __init__(self, *{fields}) -> None: ...\n")
    return "".join(classes)


def main(module: str, stub: str) -> None:
    """Read a built module, without the package around it, and write its stub."""
    loader = ExtensionFileLoader(NAME, module)
    core = sys.modules[NAME] = module_from_spec(ModuleSpec(NAME, loader, origin=module))
    loader.exec_module(core)
    writer = StubGen(module=core, include_docstrings=False, include_private=False)
    writer.put(core)
    Path(stub).write_text(_with_keywords(writer.get().rstrip("\n") + "\n"), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
