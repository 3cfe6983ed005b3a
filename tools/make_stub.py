"""Write ``src/komadai/_core.pyi`` from the built native module; with ``--check`` only say whether it is up to date."""

from __future__ import annotations

import sys
from pathlib import Path

import nanobind.stubgen as stubgen

import komadai._core as core

STUB = Path(__file__).parent.parent / "src" / "komadai" / "_core.pyi"


def stub_text() -> str:
    """The stub of the native module, as nanobind writes it."""
    writer = stubgen.StubGen(module=core, include_docstrings=False, include_private=False)
    writer.put(core)
    return writer.get() if writer.get().endswith("\n") else writer.get() + "\n"


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
