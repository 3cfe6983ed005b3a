"""Write ``src/komadai/_core.pyi`` from the built native module; with ``--check`` only say whether it is up to date."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import nanobind.stubgen as stubgen

import komadai._core as core

STUB = Path(__file__).parent.parent / "src" / "komadai" / "_core.pyi"

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


def stub_text() -> str:
    """The stub of the native module, as nanobind writes it, with typed constructors."""
    writer = stubgen.StubGen(module=core, include_docstrings=False, include_private=False)
    writer.put(core)
    return _with_keywords(writer.get().rstrip("\n") + "\n")


def main() -> int:
    text = stub_text()
    if "--check" in sys.argv[1:]:
        if STUB.read_text(encoding="utf-8") == text:
            return 0
        print(f"{STUB} does not match the native module; run `make stub`", file=sys.stderr)
        return 1
    STUB.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
