"""The rules of a game in words, with examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from .model import OfferedVariant, Pieces, PlayedMove, Wire


class RuleWords(Wire):
    """A special rule in words: its event, its place in the rules, and the kinds that it concerns (none: all)."""

    event: str
    words: str
    source: str
    codes: Sequence[str]


class Changes(Wire):
    """The kinds that a kind becomes, by event. ``triumph``: by capturing one of ``prey``; ``captured``: ``null`` if it
    leaves the game."""

    quiet: Sequence[str]
    captures: Sequence[str]
    zone: Sequence[str]
    triumph: Sequence[str]
    prey: Sequence[str]
    dropped: Sequence[str]
    captured: str | None


class RuleExample(Wire):
    """A position with moves that the rules allow and moves that they refuse."""

    text: str
    position: Pieces
    moves: Sequence[PlayedMove]
    refused: Sequence[PlayedMove]


class RuleSection(Wire):
    """A section of the rules for players. ``shows``: the start or all pieces, besides its text, in which lines are
    paragraphs and those that begin with a hyphen items of a list."""

    id: str
    title: str
    text: str
    shows: Literal["", "start", "pieces"]
    examples: Sequence[RuleExample]


class Rulebook(Wire):
    """The rules of a variant. ``sections``: for players, none if nobody has written them; ``words`` and ``changes`` by
    code of the kind; ``ends``: in sentences; ``page``: with all rulings, as HTML."""

    variant: OfferedVariant
    sections: Sequence[RuleSection]
    rules: Sequence[RuleWords]
    words: Mapping[str, Sequence[str]]
    changes: Mapping[str, Changes]
    ends: Sequence[str]
    sources: Sequence[str]
    page: str
