"""Compile a message catalogue: from the text of a ``.po`` file to the bytes of a ``.mo`` file, by the standard library.

The build runs it as a script, ``python compile.py catalogue.po catalogue.mo``; a source tree without compiled
catalogues uses it in memory (:mod:`komadai.i18n`).
"""

from __future__ import annotations

import ast
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

_MAGIC = 0x950412DE
_HEADER = "<7I"
_PAIR = "<2I"  # length and offset of a string


def compile_catalogue(text: str) -> bytes:
    """The compiled form of a catalogue without contexts. What is untranslated, fuzzy, or lacks a plural is left out."""
    pairs = sorted((key.encode(), value.encode()) for key, value in messages(text) if all(value.split("\0")))
    keys_at = struct.calcsize(_HEADER)
    values_at = keys_at + len(pairs) * struct.calcsize(_PAIR)
    strings_at = values_at + len(pairs) * struct.calcsize(_PAIR)
    tables, strings = b"", b""
    for column in (0, 1):
        for pair in pairs:
            tables += struct.pack(_PAIR, len(pair[column]), strings_at + len(strings))
            strings += pair[column] + b"\0"
    return struct.pack(_HEADER, _MAGIC, 0, len(pairs), keys_at, values_at, 0, 0) + tables + strings


def messages(text: str) -> Iterator[tuple[str, str]]:
    """Message ids with their translations; plural forms are separated by NUL, as in the compiled file."""
    for entry in text.split("\n\n"):
        fields: dict[str, str] = {}
        name, fuzzy = "", False
        for line in entry.splitlines():
            if not line or line.startswith("#"):
                fuzzy = fuzzy or (line.startswith("#,") and "fuzzy" in line)
                continue
            if not line.startswith('"'):
                name, _, line = line.partition(" ")
            fields[name] = fields.get(name, "") + ast.literal_eval(line)
        if "msgid" in fields and not fuzzy:
            plural = [fields["msgid_plural"]] if "msgid_plural" in fields else []
            forms = [value for name, value in fields.items() if name.startswith("msgstr")]
            yield "\0".join([fields["msgid"], *plural]), "\0".join(forms)


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(compile_catalogue(source.read_text(encoding="utf-8")))
