"""Which stages of the courses have been done, in a file of the user's."""

from __future__ import annotations

import json
from pathlib import Path

from ...json_text import parsed
from ...storage import write_whole

SCHEMA = "komadai-lessons/1"


class Progress:
    """The stages done, by course. A file that cannot be read counts as empty, and is replaced by the next stage."""

    def __init__(self, folder: Path) -> None:
        """``folder``: where games are kept."""
        self._file = folder / "lessons" / "progress.json"

    def done(self, game: str) -> frozenset[str]:
        """The ids of the stages done in the course of a game."""
        return frozenset(self._read().get(game, ()))

    def add(self, game: str, stage: str) -> None:
        """Note that a stage is done.

        Raises:
            OSError: the file cannot be written.
        """
        done = self._read()
        done[game] = sorted({*done.get(game, ()), stage})
        write_whole(self._file, json.dumps({"schema": SCHEMA, "done": done}, indent=1).encode())

    def _read(self) -> dict[str, list[str]]:
        try:
            data = parsed(self._file.read_bytes())
            done = data["done"] if data["schema"] == SCHEMA else {}
            return {str(game): [str(stage) for stage in stages] for game, stages in done.items()}
        except (OSError, ValueError, LookupError, TypeError, AttributeError):
            return {}
