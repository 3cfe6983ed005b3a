"""The rules of a game as players read them: one data file a game (docs/how-to/write-rules.md).

A game without a file has no sections; its rules are then what its spec says (:mod:`komadai.view`).

Example:
    >>> from komadai import rulebook
    >>> rulebook.sections("nana")[0].heading
    'The goal'
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from ..errors import KomadaiError, RulebookError
from ..game.position import Position
from ..i18n import _
from ..toml_table import Defect, TomlTable, parsed
from ..typed import typed
from ..variants import build, names

_FOLDER = Path(__file__).parent
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

Shows = Literal["", "start", "pieces"]
"""A picture below the text of a section: none, the start of the game, or all its pieces."""


@dataclass(frozen=True, slots=True)
class Example:
    """A position with moves that the rules allow and moves that they refuse, and a text about them."""

    source: str
    position: str
    moves: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text in the current language."""
        return _(self.source)

    def begin(self, game: str) -> Position:
        """The position, in that game under its default options."""
        return Position.problem(game, self.position)


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the rules. Lines of its text are paragraphs, those that begin with a hyphen items of a list."""

    id: str
    title: str
    source: str
    shows: Shows = ""
    examples: tuple[Example, ...] = ()

    @property
    def heading(self) -> str:
        """The title in the current language."""
        return _(self.title)

    @property
    def text(self) -> str:
        """The text in the current language."""
        return _(self.source)

    def sources(self) -> Iterator[str]:
        """Its texts as they stand in the file, for the catalogues of translations."""
        yield from (self.title, self.source, *(example.source for example in self.examples))


@cache
def written() -> tuple[str, ...]:
    """The games whose rules are written for players, in alphabetical order."""
    return tuple(name for name in names(shelf=True) if (_FOLDER / f"{name}.toml").is_file())


@cache
def sections(game: str) -> tuple[Section, ...]:
    """The sections of a game's rules, in order; none if nobody has written them.

    Raises:
        RulebookError: its file has defects; all of them.
    """
    return load(game, (_FOLDER / f"{game}.toml").read_text(encoding="utf-8")) if game in written() else ()


@typed
def load(game: str, text: str) -> tuple[Section, ...]:
    """The sections from the text of a game's file.

    Raises:
        RulebookError: with every defect and its place.
    """
    defects: list[Defect] = []
    try:
        data = parsed(text)
    except ValueError as error:
        raise RulebookError(_("rules of {game}", game=game), [str(error)]) from None
    reader = TomlTable(data, "", defects)
    base = reader.take("base", str, "")
    own = [_section(game, table) for table in reader.tables("sections", least=1)]
    reader.close()
    if base and base not in written():
        reader.defect("base", f"{base!r} has no rules written for players")
    inherited = sections(base) if base in written() else ()
    instead = {section.id: section for section in own}
    known = {section.id for section in inherited}
    found = (
        *(instead.get(section.id, section) for section in inherited),
        *(section for section in own if section.id not in known),
    )
    defects += [
        Defect(f"sections[{id}]", f"the id stands {count} times")
        for id, count in Counter(section.id for section in own).items()
        if count > 1
    ]
    for shown in get_args(Shows)[1:]:
        if (count := sum(section.shows == shown for section in found)) != 1:
            reader.defect("sections", f"{count} show {shown!r}; expected one")
    if defects:
        raise RulebookError(_("rules of {game}", game=game), [*map(str, defects)])
    return found


def _section(game: str, table: TomlTable) -> Section:
    id = table.text("id")
    if not _ID.fullmatch(id):
        table.defect("id", f"{id!r} is no id; expected small letters, digits and single hyphens")
    shows = next((shown for shown in get_args(Shows) if shown == table.data.get("show", "")), None)
    if shows is None:
        table.defect("show", f"{table.data['show']!r} cannot be shown; expected start or pieces")
    table.data.pop("show", None)
    made = Section(
        id,
        table.text("title"),
        table.text("text"),
        shows or "",
        tuple(_example(game, one) for one in table.tables("examples")),
    )
    table.close()
    return made


def _example(game: str, table: TomlTable) -> Example:
    made = Example(table.text("text"), table.text("position"), table.texts("moves"), table.texts("refused"))
    table.close()
    if not (made.moves or made.refused):
        table.defect("", "shows no move; expected moves or refused")
    try:
        position = made.begin(game)
    except KomadaiError as error:
        table.defect("position", str(error))
        return made
    legal = position.legal_moves()
    for move in made.moves:
        if move not in legal:
            table.defect("moves", position.explain(move))
    for move in made.refused:
        if move in legal:
            table.defect("refused", f"{move} is legal")
        elif build(game).board.find(_target(move)) is None:
            table.defect("refused", f"{move!r} is no move")
    return made


_SQUARE = re.compile(r"(\*?)([0-9]+[a-z])")


def _target(move: str) -> str:
    return path(move)[-1][0] if _SQUARE.search(move) else ""


def path(move: str) -> list[tuple[str, tuple[str, ...]]]:
    """The points of a move string in order, each with those shot at from there; of a drop the target alone."""
    stops: list[tuple[str, tuple[str, ...]]] = []
    for star, square in _SQUARE.findall(move):
        if star and stops:
            at, shots = stops.pop()
            stops.append((at, (*shots, square)))
        else:
            stops.append((square, ()))
    return stops
