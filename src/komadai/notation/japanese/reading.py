"""Moves in Japanese notation, read."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple
from unicodedata import normalize

from ...i18n import _
from ...reference.explain import bad_move, fault, illegal, in_hand, move_strings
from ...spec.board import Side
from ...spec.move import Landing, Move
from ...spec.names import side_name
from ...spec.variant import CACHED_VARIANTS, Variant
from ..landings import START, Way
from .modifiers import READ_AS
from .names import DIGITS, SQUARE, piece_names
from .writing import BETWEEN, SAME, SHOOTS, STAYS, Scene, best

_MARKS: dict[Side, str] = {"b": "☗▲▼⛊", "w": "☖△▽⛉"}
_SIDES = {mark: side for side, marks in _MARKS.items() for mark in marks}
_LONGEST = 80
_SHOWN = 40
_CHOICES = 12
_PLACES = f"0-9{DIGITS}十北東南西"
_WAY = f"(?:[{_PLACES}{SAME}{STAYS}喰食い{SHOOTS}{BETWEEN}]|じっと)*"
_STAYS = re.compile(f"{STAYS}[喰食]い?|{STAYS}|じっと")
_SQUARE = re.compile(SQUARE)


class _Clues(NamedTuple):
    """The parts of a text that names a move.

    Attributes:
        text: the text itself, for messages.
        way: the landings it names, the last of them the end.
        name: the piece it names, as it is written.
        drops: whether it says that the piece comes from the hand.
        words: the words that tell which piece moves.
        origin: where it starts; ``None`` if the text does not say.
        end: ``成``, ``不成``, ``＝`` and a piece as it is written, or nothing.
    """

    text: str
    way: Way
    name: str
    drops: bool
    words: str
    origin: int | None
    end: str


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

    def clues(self) -> _Clues:
        """The parts of the text.

        Raises:
            NotationError: it is no notation, or names what does not exist; every defect at once.
        """
        scene, text = self.scene, self.text.strip()
        if len(text) > _LONGEST:
            words = _("is longer than {count} characters", count=_LONGEST)
            raise bad_move(f"{text[: _SHOWN - 3]}...", words)
        found = _form(scene.variant).fullmatch("".join(normalize("NFKC", text).split()))
        if found is None or not (found[2] or scene.places.find("") is not None):
            raise bad_move(text, _nonsense(scene))
        mark, said, name, words, start, end, shots = found.groups()
        if mark and _SIDES[mark] != scene.side:
            sides = {"other": side_name(_SIDES[mark]), "side": side_name(scene.side)}
            self.defects.append(_("{mark} marks a move of {other}, but {side} is to move", mark=mark, **sides))
        way = self.way(said, shots or "") if scene.is_compound else (Landing(self.target(said)),)
        origin = self.place(start) if start else None
        if self.defects:
            raise bad_move(text, *self.defects)
        if not way or (shots and not scene.is_compound):
            raise bad_move(text, _nonsense(scene))
        named = piece_names(scene.variant)
        if end and end[0] == "=":
            end = f"＝{scene.names[min(named[end[1:]])]}"
        elif end:
            end = "成" if end in ("成", "成る", "成り") else "不成"
        drops = words == "打"
        words = "" if drops else "".join(READ_AS.get(word, word) for word in words)
        return _Clues(text, way, scene.names[min(named[name])], drops, words, origin, end or "")


def _nonsense(scene: Scene) -> str:
    model = scene.text(min(scene.legal, key=str)) if scene.legal else "７六歩"
    pieces = " ".join(dict.fromkeys(scene.names.values()))
    return _(
        "is not a move; expected a square or 同, then a piece ({pieces}), as in {model}", pieces=pieces, model=model
    )


def _chosen(clues: _Clues, scene: Scene, fitting: list[Move]) -> list[Move]:
    """The moves there whose piece is the one in the text."""
    ways = scene.ways(clues.way, clues.name, fitting)
    moved = [move for move in fitting if not move.is_drop and clues.origin in (None, move.origin_point)]
    if clues.words:
        exact = [move for move in moved if ways.words(move.origin_point or 0) == clues.words]
        moved = exact or [move for move in moved if ways.hold(move.origin_point or 0, clues.words)]
    if moved or clues.words or clues.origin is not None:
        return best(scene, moved, clues.way, clues.end)
    return fitting


def _fault(scene: Scene, clues: _Clues) -> str:
    """The reason why no legal move of a piece of that name goes there."""
    position, variant, target = scene.position, scene.variant, clues.way[-1].point
    codes = sorted(code for code, name in scene.names.items() if name == clues.name)
    mine = [point for point, piece in enumerate(scene.board) if piece and piece.side == scene.side]
    starts = [point for point in mine if (piece := scene.board[point]) and piece.code in codes]
    starts = [point for point in starts if clues.origin in (None, point)]
    if clues.drops or not starts:
        if not clues.drops and not any(in_hand(variant, position.setup(), code) for code in codes):
            return _("{side} has no {piece} on the board", side=side_name(scene.side), piece=clues.name)
        strings = [f"{codes[0]}*{variant.board.name(target)}"]
    else:
        reached = [point for point in starts if point in scene.ways(clues.way, clues.name, ()).starts] or starts
        if len(reached) > 1 or target == START:
            named = {"side": side_name(scene.side), "count": len(starts), "code": clues.name}
            if target == START:
                return _("none of {side}'s {count} pieces {code} can come back to its start like that", **named)
            at = variant.board.name(target)
            return _("none of {side}'s {count} pieces {code} can go to {at} like that", at=at, **named)
        if scene.is_compound:
            strings = [variant.board.name(reached[0]) + variant.board.name(target)]
        else:
            strings = list(move_strings(variant, position.setup(), reached[0], target).values())
    return fault(variant, position.setup(), strings[0]) or _("{move} is legal", move=strings[0])


def _listed(scene: Scene, moves: list[Move]) -> str:
    """The first dozen of the moves as they are written."""
    more = len(moves) - _CHOICES
    listed = "、".join(sorted(map(scene.text, moves[:_CHOICES])))
    return listed + (_(" and {count} more", count=more) if more > 0 else "")


def find(scene: Scene, text: str) -> Move:
    """The one legal move that fits a text.

    Raises:
        NotationError: the text is no notation, names what does not exist, or fits several moves, which are listed.
        IllegalMoveError: no legal move fits; the message says why, or lists those that come nearest.
    """
    clues = _Parser(scene, text).clues()
    fitting = scene.named(clues.way, clues.name, clues.end)
    if clues.drops:
        fitting = [move for move in fitting if move.is_drop]
    chosen = _chosen(clues, scene, fitting)
    if len(chosen) == 1:
        return chosen[0]
    if chosen:
        raise bad_move(clues.text, _("fits several moves; choose from {moves}", moves=_listed(scene, chosen)))
    able = scene.ending(clues.name, clues.way[-1].point)
    near = [move for move in able if move.is_drop or not clues.drops]
    if not near:
        raise illegal(clues.text, _fault(scene, clues))
    raise illegal(clues.text, _("it can only be written {choices}", choices=_listed(scene, near)))
