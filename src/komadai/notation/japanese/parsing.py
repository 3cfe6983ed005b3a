"""Texts in Japanese notation, taken apart, and the moves that fit them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ...i18n import _
from ...reference.explain import bad_move
from ...spec.board import Side
from ...spec.move import Landing, Move
from ...spec.names import side_name
from ...spec.variant import CACHED_VARIANTS, Variant
from ..landings import START, Way, best
from .modifiers import READ_AS
from .names import DIGITS, SQUARE, piece_names, plain
from .scene import BECOMES, BETWEEN, DECLINES, DROPPED, PROMOTES, SAME, SHOOTS, STAYS, Ending, Scene

_MARKS: dict[Side, str] = {"b": "☗▲▼⛊", "w": "☖△▽⛉"}
_SIDES = {mark: side for side, marks in _MARKS.items() for mark in marks}
_LONGEST = 80
_SHOWN = 40
_PLACES = f"0-9{DIGITS}十北東南西"
_WAY = f"(?:[{_PLACES}{SAME}{STAYS}喰食い{SHOOTS}{BETWEEN}]|じっと)*"
_STAYS = re.compile(f"{STAYS}[喰食]い?|{STAYS}|じっと")
_SQUARE = re.compile(SQUARE)


class Clues(NamedTuple):
    """The parts of a text that names a move.

    Attributes:
        text: the text itself, for messages.
        way: the landings it names, the last of them the end.
        kinds: the kinds of the piece it names, which namesakes share.
        drops: whether it says that the piece comes from the hand.
        words: the words that tell which piece moves.
        origin: where it starts; ``None`` if the text does not say.
        end: what becomes of the piece.
    """

    text: str
    way: Way
    kinds: frozenset[str]
    drops: bool
    words: str
    origin: int | None
    end: Ending


@lru_cache(maxsize=CACHED_VARIANTS)
def _form(variant: Variant) -> re.Pattern[str]:
    """The form of a text without spaces, in normal form (NFKC)."""
    name = "|".join(sorted(map(re.escape, piece_names(variant)), key=len, reverse=True))
    words, ends = "[右左直中上寄引行入下]{0,2}", rf"不成|成らず|ならず|生|成る|成り|成|=(?:{name})"
    return re.compile(
        rf"([{''.join(_SIDES)}]?)({_WAY})({name})(打|{words})"
        rf"(?:\(([{_PLACES}]+)\))?({ends})?(?:{SHOOTS}([{_PLACES}]+))?(?:[!?]{{1,2}})?"
    )


class _Parser:
    """A text being taken apart; ``defects`` collects what does not exist."""

    def __init__(self, scene: Scene, text: str) -> None:
        self.scene, self.text, self.defects = scene, text, list[str]()

    def place(self, said: str) -> int:
        """The point of a place; one that does not exist adds a defect, and the point returned means nothing."""
        point = self.scene.places.find(said)
        if point is None:
            self.defects.append(self.scene.places.unknown(said))
        return point or 0

    def squares(self, said: str) -> list[int]:
        """The points of squares written one after the other."""
        points, at = list[int](), 0
        while at < len(said):
            found = _SQUARE.match(said, at)
            points.append(self.place(found[0] if found else said[at:]))
            at = found.end() if found else len(said)
        return points

    def same(self) -> int:
        """The point of ``同``."""
        if self.scene.last is None:
            self.defects.append(_("there is no move before it"))
        return self.scene.last or 0

    def target(self, said: str) -> int:
        """The point of a single landing: a place, ``同``, or both."""
        if SAME not in said:
            return self.place(said)
        same = self.same()
        if (bare := said.replace(SAME, "")) and self.place(bare) != same and not self.defects:
            name = self.scene.variant.board.name
            at = {"last": name(same), "square": name(self.place(bare))}
            self.defects.append(_("the move before it ended on {last}, not on {square}", **at))
        return same

    def way(self, said: str, shots: str) -> Way:
        """The landings of a compound move, each with its shots."""
        way = list[Landing]()
        for part in said.split(BETWEEN):
            squares, _sign, shot = part.partition(SHOOTS)
            bare = _STAYS.sub("", squares)
            points = self.squares(bare.replace(SAME, "")) + ([self.same()] if SAME in bare else [])
            points += [START] * (bare != squares)
            if points:
                way += map(Landing, points)
                way[-1] = Landing(points[-1], tuple(self.squares(shot)))
            elif part:
                self.defects.append(self.scene.places.unknown(part))
        if way and shots:
            way[-1] = Landing(way[-1].point, (*way[-1].shots, *self.squares(shots)))
        return tuple(way)

    def clues(self) -> Clues | None:
        """The parts of the text; ``None`` if it has not the form of a move.

        Raises:
            NotationError: it is too long, or names what does not exist; every defect at once.
        """
        scene, text = self.scene, self.text
        if len(text) > _LONGEST:
            words = _("is longer than {count} characters", count=_LONGEST)
            raise bad_move(f"{text[: _SHOWN - 3]}...", words)
        found = _form(scene.variant).fullmatch(plain(text))
        if found is None or not (found[2] or scene.places.find("") is not None):
            return None
        mark, said, name, words, start, end, shots = found.groups()
        if mark and _SIDES[mark] != scene.side:
            sides = {"other": side_name(_SIDES[mark]), "side": side_name(scene.side)}
            self.defects.append(_("{mark} marks a move of {other}, but {side} is to move", mark=mark, **sides))
        way = self.way(said, shots or "") if scene.is_compound else (Landing(self.target(said)),)
        origin = self.place(start) if start else None
        if self.defects:
            raise bad_move(text, *self.defects)
        if not way or (shots and not scene.is_compound):
            return None
        drops = words == DROPPED
        words = "" if drops else "".join(READ_AS.get(word, word) for word in words)
        return Clues(text, way, scene.codes[name], drops, words, origin, self._end(end or ""))

    def _end(self, said: str) -> Ending:
        if said.startswith("="):
            return self.scene.ending_of(BECOMES + said[1:])
        return said and (PROMOTES if said in ("成", "成る", "成り") else DECLINES)


def parsed(scene: Scene, text: str) -> Clues | None:
    """The parts of a text; ``None`` if it has not the form of a move.

    Raises:
        NotationError: it is too long, or names what does not exist; every defect at once.
    """
    return _Parser(scene, text.strip()).clues()


def fitting(scene: Scene, clues: Clues) -> list[Move]:
    """The legal moves that fit a text best."""
    able = [move for move in scene.named(clues.way, clues.kinds, clues.end) if move.is_drop or not clues.drops]
    ways = scene.ways(clues.way, clues.kinds, able)
    moved = [move for move in able if not move.is_drop and clues.origin in (None, move.origin_point)]
    if clues.words:
        exact = [move for move in moved if ways.words(move.origin_point or 0) == clues.words]
        moved = exact or [move for move in moved if ways.hold(move.origin_point or 0, clues.words)]
    if not moved and not clues.words and clues.origin is None:
        return able
    kinds = {scene.before(move) for move in moved}
    said = None if clues.end == "" else {word for kind in kinds for word in scene.said(kind, clues.end)}
    return best(scene.board, moved, clues.way, said)
