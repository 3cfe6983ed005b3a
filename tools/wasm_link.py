"""Compare the imports of a WebAssembly module with the exports of another: the check of a core before it is loaded.

    python tools/wasm_link.py CORE.so PYODIDE.wasm

lists the imports of the core that Pyodide lacks, and has status 1 if there are any. The format of the binary is that of
the WebAssembly specification, section 5.5.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_MAGIC = b"\0asm\1\0\0\0"
_IMPORTS, _EXPORTS = 2, 7
_OF_THE_LOADER = {"__memory_base", "__table_base", "__stack_pointer", "__indirect_function_table", "memory"}
"""Imports of every side module, which the code that loads it gives."""


class _Reader:
    """Reads the binary format from a place on."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self._data, self.at = data, at

    def byte(self) -> int:
        self.at += 1
        return self._data[self.at - 1]

    def number(self) -> int:
        """An unsigned number in LEB128."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def name(self) -> str:
        length = self.number()
        self.at += length
        return self._data[self.at - length : self.at].decode()

    def skip_type(self, kind: int) -> None:
        """Pass over the type of an import: of a function, table, memory, global variable or tag."""
        if kind in (1, 2):
            if kind == 1:
                self.byte()
            flags = self.byte()
            self.number()
            if flags & 1:
                self.number()
        elif kind in (3, 4):
            self.byte()
            self.number()
        else:
            self.number()


@dataclass(frozen=True, slots=True)
class Module:
    """The names that a module imports, each with the module it names, and those that it exports."""

    imports: tuple[tuple[str, str], ...]
    exports: frozenset[str]


def module(data: bytes) -> Module:
    """Read a module.

    Raises:
        ValueError: it is none.
    """
    if not data.startswith(_MAGIC):
        raise ValueError("no WebAssembly module")
    imports: list[tuple[str, str]] = []
    exports: set[str] = set()
    for number, reader in _sections(data):
        if number == _IMPORTS:
            for _ in range(reader.number()):
                imports.append((reader.name(), reader.name()))
                reader.skip_type(reader.byte())
        elif number == _EXPORTS:
            for _ in range(reader.number()):
                exports.add(reader.name())
                reader.byte()
                reader.number()
    return Module(tuple(imports), frozenset(exports))


def _sections(data: bytes) -> Iterator[tuple[int, _Reader]]:
    at = len(_MAGIC)
    while at < len(data):
        reader = _Reader(data, at)
        number, length = reader.byte(), reader.number()
        yield number, _Reader(data, reader.at)
        at = reader.at + length


def lacking(core: bytes, main: bytes) -> list[str]:
    """The imports of a core that neither the main module nor itself offers, as ``module.name``."""
    found = module(core)
    known = module(main).exports | found.exports | _OF_THE_LOADER
    return sorted({f"{place}.{name}" for place, name in found.imports if name not in known})


if __name__ == "__main__":
    missing = lacking(*(Path(name).read_bytes() for name in sys.argv[1:3]))
    print("\n".join(missing) or "nothing is missing")
    sys.exit(bool(missing))
