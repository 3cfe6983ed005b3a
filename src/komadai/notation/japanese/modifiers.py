"""The words that tell a piece from others of its name that can go to the same square: ``右``, ``左``, ``直``, ``上`` …

They follow the Japan Shogi Association's page on the notation of moves (https://www.shogi.or.jp/faq/kihuhyouki.html),
directions as the mover sees them:

- first how it goes: ``上`` ahead, ``寄`` sideways, ``引`` back;
- where others go the same way, where it comes from: ``右`` the right, ``左`` the left, ``直`` one step straight ahead;
- where neither is enough, both: ``右上``, ``左引``.

A piece that slides, such as a dragon or a horse, is never called ``直`` but, among others that go the same way, after
the side of them on which it stands; ``中`` is the one in their middle, of which there is none in standard shogi.
"""

from __future__ import annotations

from collections.abc import Collection

from ...spec.board import Rect, Side
from ...spec.geometry import movement_of
from ...spec.kinds import Kind

_AHEAD = {1: "上", 0: "寄", -1: "引"}
_FROM = {1: "左", -1: "右"}
READ_AS = {"行": "上", "入": "上", "下": "引"}
"""Former words for the same."""


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


class Ways:
    """The ways from several points to one, as the side that moves sees them."""

    def __init__(self, board: Rect, side: Side, target: int, kinds: dict[int, Kind]) -> None:
        """``kinds``: the kinds of the pieces that can go there, by their points; a ``target`` that is none of the board
        stands for the start of each."""
        turned = 1 if side == "b" else -1
        starts = {origin: board.xy(origin) for origin in kinds}
        self.kinds, self.starts = kinds, kinds.keys()
        ends = {origin: board.xy(target) if target in board.points else at for origin, at in starts.items()}
        self.steps = {
            origin: (turned * (ends[origin][0] - x), turned * (y - ends[origin][1]))
            for origin, (x, y) in starts.items()
        }

    def goes(self, origin: int) -> str:
        """``上``, ``寄`` or ``引``."""
        return _AHEAD[_sign(self.steps[origin][1])]

    def comes(self, origin: int) -> str:
        """``右``, ``左``, ``直`` or ``中``, among those that go the same way."""
        right, ahead = self.steps[origin]
        if right:
            return _FROM[_sign(right)]
        if ahead == 1 and all(leg.reach == 1 for leg in movement_of(self.kinds[origin]).legs):
            return "直"
        same = [
            self.steps[other][0] for other in self.steps if other != origin and self.goes(other) == self.goes(origin)
        ]
        sides = {_sign(other) for other in same}
        return {frozenset((-1,)): "左", frozenset((1,)): "右"}.get(frozenset(sides), "中")

    def words(self, origin: int) -> str | None:
        """The words for the piece from there, none where it is alone; ``None`` if no words are its own."""
        words = self._words(origin)
        return None if any(self._words(other) == words for other in self.starts if other != origin) else words

    def _words(self, origin: int) -> str:
        others = [other for other in self.starts if other != origin]
        goes, column = self.goes(origin), _sign(self.steps[origin][0])
        if all(self.goes(other) != goes for other in others):
            return goes if others else ""
        comes = self.comes(origin)
        if comes != "直" and any(_sign(self.steps[other][0]) == column for other in others):
            return comes + goes
        return comes

    def hold(self, origin: int, words: Collection[str]) -> bool:
        """True if all the words are true of the piece from there."""
        right, ahead = self.steps[origin]
        straight = {"直"} if (right, ahead) == (0, 1) else {"中"} if not right else set()
        return {*words} <= {self.goes(origin), self.comes(origin), *straight}
