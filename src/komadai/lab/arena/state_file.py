"""The files of a match: JSON lines from which it resumes after an interruption, and its games as text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...errors import KomadaiError, NotationError
from ...json_text import fits, parsed
from ...record.text import write
from ...record.tree import START, Node, Record, Result, Score
from ...storage import Growing, Journal
from .players import hashes
from .referee import Played, Step, check_played
from .tournament import Fixture, Schedule, Settings

SCHEMA = "komadai-arena/1"
_HEADER = {"openings": str, "lines": [str]}
_GAME = {"game": int, "date": str}
_TOLD = ("openings",)  # for people: the lines are what counts


def now() -> str:
    """The present date and time in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def header(settings: Settings, source: str) -> dict[str, Any]:
    """The settings that must agree for a match to resume; ``source`` names the origin of the openings."""
    variant = settings.variant
    return {
        "schema": SCHEMA,
        "variant": variant.id,
        "version": variant.version,
        "rules": variant.rules_hash,
        "options": dict(variant.options),
        "players": [spec.text for spec in settings.players],
        "files": hashes(settings.players) or None,
        "seed": settings.seed,
        **json.loads(json.dumps(asdict(settings.terms))),
        "openings": source,
        "lines": [str(opening) for opening in settings.openings],
    }


class State:
    """The file of a match: one line with its settings, then one for each finished game.

    A line is on the disk before the next game counts.
    """

    def __init__(self, path: Path, settings: Settings, *, force: bool | None = None) -> None:
        """Open the file, or create it.

        Args:
            settings: those of the match, whose openings need not be known yet.
            force: whether a file of anything else is begun anew; ``None`` if the user cannot ask for that.

        Raises:
            NotationError: it cannot be written, is in use, is no state file, or that of another match.
        """
        self._about = f"state {str(path)!r}"
        self._force, self._hint = force, [] if force is None else ["--force begins it anew"]
        try:
            self._journal = Journal(path)
        except BlockingIOError:
            raise NotationError(self._about, ["is in use by another match"]) from None
        except OSError as error:
            raise NotationError(self._about, [str(error.strerror)]) from None
        self.header: dict[str, Any] | None = None
        self.played: dict[int, Played] = {}
        self.dates: dict[int, str] = {}
        try:
            try:
                self._load()
            except NotationError:
                if not force:
                    raise
                self._clear()
            self._check(header(settings, ""), settings, {*_TOLD, "lines"})
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file; another match may use it."""
        self._journal.close()

    def _clear(self) -> None:
        """Begin the file anew; what is in it goes with the next line."""
        self._journal.clear()
        self.header = None
        self.played.clear()
        self.dates.clear()

    def _load(self) -> None:
        for number, line in enumerate(self._journal.lines, 1):
            try:
                data = parsed(line)
                if number == 1:
                    if data["schema"] != SCHEMA:
                        raise ValueError(f"schema {data['schema']!r}; this program writes {SCHEMA}")
                    if not fits(data, _HEADER):
                        raise ValueError("the openings are missing or of a wrong type")
                    self.header = data
                else:
                    game = data["game"]
                    if not fits(data, _GAME) or game < 0 or game in self.played:
                        raise ValueError("the game has no number of its own, or no date")
                    self.played[game] = Played.from_record(data)
                    self.dates[game] = data["date"]
            except (KeyError, TypeError, ValueError) as error:
                said = f"it lacks {error}" if isinstance(error, KeyError) else error
                why = [f"line {number} is no part of a match: {said}", *self._hint]
                raise NotationError(self._about, why) from None

    def begin(self, settings: Settings, source: str) -> None:
        """Write the settings, or check their openings against those in the file.

        Raises:
            NotationError: they differ.
        """
        ours = header(settings, source)
        self._check(ours, settings, {*_TOLD})
        if self.header is None:
            self.header = ours
            self._journal.add(ours)

    def _check(self, ours: dict[str, Any], settings: Settings, passed: set[str]) -> None:
        """Check the settings in the file, except those of some names.

        Raises:
            NotationError: settings differ; each is named.
        """
        if (theirs := self.header) is None:
            return
        accepted = {"version": settings.variant.versions, "rules": settings.variant.rules_hashes}
        differing = [
            f"{name} was {_short(theirs.get(name))}, now {_short(ours.get(name))}"
            for name in {**ours, **theirs}
            if name not in passed and theirs.get(name) not in accepted.get(name, (ours.get(name),))
        ]
        if differing and not self._force:
            raise NotationError(self._about, ["holds a match with other settings", *differing, *self._hint])
        if differing:
            self._clear()

    def known(self, settings: Settings, schedule: Schedule) -> dict[int, Played]:
        """The games of the schedule that are over, each played again by our rules.

        Raises:
            NotationError: games did not go as the file says; each is named, and what to do.
        """
        known, defects = {}, []
        for number, game in self.played.items():
            if number < len(schedule):
                known[number] = game
                try:
                    opening = settings.opening(schedule.fixture(number))
                    check_played(game, opening.game(settings.variant), settings.terms)
                except ValueError as error:
                    defects.append(f"game {number} cannot have been played: {error}")
        if defects:
            raise NotationError(self._about, [*defects, "remove the lines of these games, and they are played again"])
        return known

    def add(self, fixture: Fixture, game: Played, date: str) -> None:
        """Keep a game that is over."""
        self.played[fixture.number], self.dates[fixture.number] = game, date
        self._journal.add({"game": fixture.number, "date": date, **game.record()})


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:77]}..."


def record_of(settings: Settings, fixture: Fixture, game: Played, names: Sequence[str], date: str) -> Record:
    """A game as a record, with what the players saw of their moves; those of the opening have nothing said of them."""
    moves = [Node(move, number) for number, move in enumerate(game.book)]
    moves += [_node(step, number) for number, step in enumerate(game.steps, len(moves))]
    headers = {
        "Event": f"{settings.variant.name} match",
        "Site": "?",
        "Date": date[:10].replace("-", "."),
        "Round": f"{fixture.round + 1}.{fixture.number + 1}",
        "Black": names[fixture.black],
        "White": names[fixture.white],
        "Termination": game.words,
    }
    result = Result(game.winner, "unknown" if game.reason == "dispute" else game.reason)
    return Record(settings.variant, game.start, (START, *moves), tuple(headers.items()), result)


def _node(step: Step, after: int) -> Node:
    mate, value = step.mate, None if step.mate is not None else step.score
    score = None if mate is None and value is None else Score(value, mate, step.depth)
    return Node(step.move, after, seconds=round(step.seconds, 2), score=score)


def as_text(settings: Settings, fixture: Fixture, game: Played, names: Sequence[str], date: str) -> str:
    """A game as text.

    Raises:
        NotationError: its moves are not legal in the variant.
    """
    try:
        return write(record_of(settings, fixture, game, names, date))
    except KomadaiError as error:
        raise NotationError(f"game {fixture.number + 1}", [str(error)]) from None


class Games:
    """A file of games as text, which grows with the match and takes its place when that is over."""

    def __init__(self, path: Path) -> None:
        """Begin the file.

        Raises:
            NotationError: it cannot be written.
        """
        self._about = f"games {str(path)!r}"
        with self._said():
            self._file = Growing(path)

    def add(self, text: str) -> None:
        """Write a game, of :func:`as_text`.

        Raises:
            NotationError: the file cannot be written.
        """
        with self._said():
            self._file.add(text.encode())

    def finish(self) -> None:
        """Put the file into its place: the match is over.

        Raises:
            NotationError: that is not possible.
        """
        with self._said():
            self._file.finish()

    @contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise NotationError(self._about, [str(error.strerror)]) from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()
