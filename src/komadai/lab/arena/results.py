"""The results of a match in the order of its games, whatever the order in which they end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ...errors import NotationError
from ...storage import ESCAPED, write_whole
from .crosstable import Standings
from .pair_jobs import lasting
from .referee import Played
from .tournament import Fixture

SCHEMA = "komadai-match-result/1"


class Results:
    """Counts games in the order of their numbers, so that a sequential test ends with the same game everywhere."""

    def __init__(self, standings: Standings) -> None:
        self.standings = standings
        self.finished = 0
        self._counted: list[Played] = []
        self._waiting: dict[int, tuple[Fixture, Played]] = {}

    @property
    def decided(self) -> bool:
        """True once a sequential test is decided; games after it are not counted."""
        return self.standings.decided

    def add(self, fixture: Fixture, game: Played) -> None:
        """Take a game that is over, and count those whose turn has come."""
        self.finished += 1
        self._waiting[fixture.number] = fixture, game
        while not self.decided and (following := self._waiting.pop(len(self._counted), None)) is not None:
            self._counted.append(following[1])
            self.standings.add(*following)

    def count_all(self) -> None:
        """Count the games behind a gap, too: the match was interrupted."""
        for _, (fixture, game) in sorted(self._waiting.items()):
            if not self.decided:
                self.standings.add(fixture, game)
        self._waiting.clear()

    def write(self, path: Path, header: dict[str, Any]) -> None:
        """Write what the match has come to, without dates and seconds: a line with its settings, and one a game.

        Raises:
            NotationError: the file cannot be written.
        """
        lines = [{**header, "games": len(self._counted)}]
        lines += [{"game": number, **lasting(game)} for number, game in enumerate(self._counted)]
        text = "".join(f"{json.dumps(line, ensure_ascii=False, separators=(',', ':'))}\n" for line in lines)
        try:
            write_whole(path, text.encode(errors=ESCAPED))
        except OSError as error:
            raise NotationError(f"--result {str(path)!r}", [str(error.strerror)]) from None
