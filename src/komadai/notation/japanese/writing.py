"""Moves in Japanese notation, written."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ...errors import NotationError
from ...spec.move import Move
from .parsing import fitting, parsed
from .scene import Scene


def text_of(scene: Scene, move: Move) -> str:
    """The shortest text that reads back as the move, without the mark of its side."""
    text = ""
    for text in _texts(scene, move):
        if _reads_as(scene, text, move):
            break
    return text


def _reads_as(scene: Scene, text: str, move: Move) -> bool:
    """True if the text is that of the move alone. Names of pieces may look like other words, or like places."""
    try:
        clues = parsed(scene, text)
    except NotationError:
        return False
    return clues is not None and fitting(scene, clues) == [move]


def _texts(scene: Scene, move: Move) -> Iterator[str]:
    """Texts of the move, from the usual one to the clearest, which says by codes and squares what names leave open."""
    before = scene.before(move)
    for name, end in product((scene.names[before], before), scene.ends_of(move)):
        kinds, becomes = scene.codes[name], scene.ending_of(end)
        for named in scene.ways_of(move):
            able = scene.named(named, kinds, becomes) if scene.is_compound else ()
            way, shots = scene.way_text(move, named)
            for start in scene.starts_of(move, scene.ways(named, kinds, able)):
                yield f"{way}{name}{start}{end}{shots}"
