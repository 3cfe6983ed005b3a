"""Run pytest in Pyodide; by tools/pyodide_suite.py."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from typing import Any

FOLDERS = (
    *("app/lessons", "app/printing", "app/puzzles", "book", "compiler", "engine", "game", "native", "notation"),
    *("picture", "record", "reference", "rulebook", "rules", "spec", "view"),
)
"""Folders of tests of what a tab has, and no more."""
NEEDS = ("helpers.command", "fuzz.records")
"""Modules of tests that need what a tab does not have: the command line, and processes."""


class Chosen:
    """A plugin that leaves out what cannot run, and counts it."""

    def __init__(self) -> None:
        self.left_out: list[str] = []

    def pytest_ignore_collect(self, collection_path: Any) -> bool | None:
        if collection_path.suffix != ".py" or not collection_path.name.startswith("test_"):
            return None
        text = collection_path.read_text(encoding="utf-8")
        words = {line.split()[1].rstrip(",") for line in text.splitlines() if line.startswith(("import ", "from "))}
        missing = sorted(word for word in words if word.startswith(NEEDS) or not _there(word))
        if missing:
            self.left_out.append(f"{collection_path.name} ({', '.join(missing)})")
            return True
        return None


def _there(name: str) -> bool:
    try:
        return find_spec(name.partition(".")[0]) is not None
    except (ImportError, ValueError):
        return False


def main() -> int:
    """Run the tests, and print what was left out."""
    import pytest

    os.chdir("/host")
    os.environ.setdefault("KOMADAI_SEEDS", "1")
    os.environ.setdefault("KOMADAI_EXAMPLES", "8")
    sys.path[:0] = ["/host/tests", "/host"]
    chosen = Chosen()
    given = sys.argv[1:] or [f"tests/{name}" for name in FOLDERS]
    # Python does not notice the end of JavaScript's stack; there are no books in a tab.
    given += [
        "--deselect",
        "tests/book/test_book_files.py::test_a_hostile_file_is_refused_in_one_line[a description nested too deeply]",
    ]
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:faulthandler", "-W", "ignore", "--tb=short"]
    status = pytest.main([*options, *given], plugins=[chosen])
    print("left out:", ", ".join(sorted(chosen.left_out)) or "nothing")
    return int(status)
