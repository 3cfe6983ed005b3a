"""The lines of KIF before the moves: headers, and where the game begins."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ...errors import NotationError
from ...i18n import _
from ...spec.board import Side
from ...spec.setup import Setup
from ...spec.variant import Variant
from .. import bod
from ..bod import HAND_NAMES, PLAYERS
from ..results import result_in
from ..tree import LONGEST_HEADER, MOST_HEADERS, Result, clean, header_name
from .words import EVEN, HANDICAP, HEADERS, OTHER, READ_STARTS, TURN, is_header_name, named_starts

_HEADER = re.compile(r"([^：:]{1,60})[：:](.*)")
_PLY = re.compile(r"手数[＝=]\s*([0-9]{1,5})\s*(.*?)\s*(?:まで)?")
_HEADING = re.compile(r"手数--+(?:指手-*)?(?:消費時間-*)?\s*(#.*)?(.*)")
FRAME = re.compile(r"\+-+\+|(?:[1-9]\s*){9}|盤面回転")
"""Lines that say nothing of the game."""
_TURNS = PLAYERS | {player[0]: side for player, side in PLAYERS.items()}
_OTHER_GAME = re.compile(r"(?!詰|本).+(?:将棋|しょうぎ)|安南|京都|王手|[五5５]五")
_AMBIGUOUS = "三枚落ち"


@dataclass(slots=True)
class Head:
    """The headers of a game and its start; ``headed`` says that the heading of the moves has been read."""

    headers: dict[str, str] = field(default_factory=dict)
    handicap: str = ""
    rows: list[str] = field(default_factory=list)
    hands: dict[Side, str] = field(default_factory=dict)
    turn: Side | None = None
    ply: int = 1
    result: Result | None = None
    begun: bool = False
    headed: bool = False

    def read(self, line: str, bare: str) -> str | None:
        """Read a line; ``bare`` is the same with digits and brackets of half width, and no blanks around it.

        Returns:
            What is left of it, to be kept as a comment; ``None`` if it is no line of a head.

        Raises:
            NotationError: there are too many of them.
        """
        if bare.startswith("|"):
            self.rows.append(bare)
            if len(self.rows) > 9:
                raise NotationError(_("board"), [_("the board has more than {count} ranks", count=9)])
        elif heading := _HEADING.fullmatch(bare):
            self.begun = self.headed = True
            return heading[2]
        elif bare.endswith("番") and bare[:-1] in _TURNS:
            if self.turn not in (None, _TURNS[bare[:-1]]):
                return bare
            self.turn = _TURNS[bare[:-1]]
        elif ply := _PLY.fullmatch(bare):
            self.ply = int(ply[1]) + 1
            return bare if ply[2] else ""
        elif found := _HEADER.fullmatch(line.strip()):
            return self._header(found[1].strip(), found[2].strip())
        else:
            return None
        self.begun = True
        return ""

    def _header(self, name: str, value: str) -> str | None:
        """Keep a header; return the lines that have no place among them."""
        if not any(char.isalpha() for char in name):
            return None
        self.begun = True
        if name == HANDICAP:
            left, self.handicap = self.handicap, value
            return f"{name}：{left}" if left not in ("", value) else ""
        if name in HAND_NAMES:
            known = self.hands.setdefault(HAND_NAMES[name], value)
            return "" if known == value else f"{name}：{value}"
        if name == TURN and value in _TURNS:
            self.turn = _TURNS[value]
            return ""
        if result := result_in(name, value):
            self.result = result
            return ""
        kept = header_name(HEADERS.get(name, name))
        before = self.headers.get(kept)
        if (
            not kept
            or not is_header_name(kept)
            or (before is not None and before != value)
            or len(value) > LONGEST_HEADER
        ):
            return f"{name}：{value}"
        self.headers[kept] = value
        if len(self.headers) > MOST_HEADERS:
            raise NotationError(_("headers"), [_("there are more than {most}", most=MOST_HEADERS)])
        return ""

    def start(self, variant: Variant) -> str | Setup | None:
        """The start of the game, for a :class:`~..reader.Builder`.

        Raises:
            NotationError: the lines describe none; every defect at once.
        """
        starts = named_starts(variant) | READ_STARTS
        name = "".join(clean(self.handicap).split()) or EVEN
        if _OTHER_GAME.fullmatch(name):
            raise NotationError(f"{HANDICAP} {name[:20]}", [_("is another game than standard shogi")])
        if self.rows:
            if name not in starts and name != OTHER:
                self.headers[HANDICAP] = self.handicap
            return bod.read(variant, self.rows, self.hands, self.turn or "b", self.ply)
        held = [said for said in self.hands.values() if said.strip() not in ("", bod.NOTHING)]
        if held or self.ply > 1:
            raise NotationError("手数＝" if self.ply > 1 else _("hands"), [_("needs a board diagram; there is none")])
        if name not in starts:
            known = "、".join(starts)
            words = _("needs a board diagram; the starts known by name are {names}", names=known)
            raise NotationError(f"{HANDICAP} {name[:20]}", [words])
        start = starts[name]
        turn: Side = "b" if start is None else "w"
        if self.turn not in (None, turn):
            raise NotationError(f"{HANDICAP} {name[:20]}", [_("the other side begins")])
        return start

    def hint(self) -> str:
        """A likely reason why moves are not legal; empty if there is none."""
        if self.handicap.strip() == _AMBIGUOUS and not self.rows:
            return _("三枚落ち is read as rook, bishop and the lance on 1a; for the one on 9a, draw the board")
        return ""
