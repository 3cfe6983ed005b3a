"""Sizes of paper, in millimetres."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import NotationError
from ...variants import suggest

MARGIN = 10
"""The edge that printers leave white."""
CAPTION = 10
"""The height of the line above a drawing."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A size of paper; ``area`` is the room for a drawing below its caption, across and down."""

    name: str
    title: str
    width: float
    height: float

    @property
    def area(self) -> tuple[float, float]:
        return self.width - 2 * MARGIN, self.height - 2 * MARGIN - CAPTION


PAPERS = {paper.name: paper for paper in (Paper("a4", "A4", 210, 297), Paper("letter", "Letter", 215.9, 279.4))}


def paper_of(name: str) -> Paper:
    """The paper of that name.

    Raises:
        NotationError: there is none.
    """
    if name not in PAPERS:
        raise NotationError(f"paper {name[:40]!r}", [suggest(name[:40], tuple(PAPERS))])
    return PAPERS[name]
