"""Transcripts of whole sessions, byte for byte: ``golden/*.txt``, where ``> `` is said to the engine and ``< `` by it.

What differs from run to run is masked (``talking.masked``). After each line the answer is waited for, but not after
``>> ``, where a search goes on until a later line ends it. With ``KOMADAI_GOLDEN=write`` in the environment the answers
are written anew, to be read before they are kept.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from helpers.talking import Client, masked

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"))


def played(lines: list[str]) -> list[str]:
    """The transcript that comes of saying the same again; remarks (``#``) and empty lines are kept."""
    client, made = Client(), []
    for line in lines:
        if line.startswith("< "):
            continue
        made.append(line)
        if line.startswith(">> "):
            client.send(line.removeprefix(">> "))
        elif line.startswith("> "):
            made += [f"< {masked(answer)}".rstrip() for answer in client.settled(line.removeprefix("> "))]
    client.send("quit")
    return made


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_transcript(path: Path) -> None:
    expected = path.read_text(encoding="utf-8").splitlines()
    made = played(expected)
    if os.environ.get("KOMADAI_GOLDEN") == "write":
        path.write_text("\n".join(made) + "\n", encoding="utf-8")
        return
    assert made == expected
