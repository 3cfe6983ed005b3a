"""json-kifu-format as records."""

from __future__ import annotations

from functools import partial
from typing import Any

from ...errors import IllegalMoveError, NotationError
from ...game.position import Position
from ...i18n import _, located
from ...notation.japanese import parse_move
from ...notation.japanese.names import numeral, piece_text
from ...spec.board import SIDES
from ...spec.move import Move
from ...spec.setup import Piece, Setup
from ..csa.words import CODES, FOULS, KINDS, OPEN, WordedGame, meaning
from ..csa.writer import seconds_text
from ..data import fields_of, kind_words, load, no_text, unknown_fields, value_words
from ..kif.words import HANDICAP, HEADERS, OTHER, TAKEN, named_starts
from ..reader import MOST_DEFECTS, Builder, refuse
from ..results import result_in
from ..tree import MOST_HEADERS, Record, clean, header_name, start_of
from .start import ENTRY_FIELDS, FIELDS, MOVE_FIELDS, RELATIVE
from .start import read as read_start

_RANKS = "abcdefghi"
_DIRECTIONS = {letter: word for word, letter in RELATIVE.items()}
_LONGEST_WORD, _LONGEST_FOUL = 40, 400
_MOST_TIME = 10**8
_Fork = tuple[str, object, int]
"""A variation: its place, its entries, and the node behind which it stands."""


def read(text: str) -> list[Record]:
    """The record of a text in json-kifu-format, alone in a list.

    Fields that follow from others may be left out (``color``, ``piece`` of a piece on the board, ``capture``, ``same``,
    ``relative``, ``to`` behind ``same``); where they stand, they must be right. A move without ``from`` is a drop.

    Raises:
        NotationError: it is no such text, or has moves that are not legal; every defect at once, with its place.
    """
    data, defects = load(text), list[str]()
    record = _Reader(data, defects).read() if _formed(data, defects) else None
    if record is None or defects:
        raise NotationError("JKF", defects)
    return [record]


def _formed(data: object, defects: list[str]) -> bool:
    """True if the data are an object with the fields of the format."""
    if not isinstance(data, dict):
        words = _("is {kind}; expected an object with {fields}", kind=kind_words(data), fields=", ".join(FIELDS))
        defects.append(words)
        return False
    defects += unknown_fields(data, FIELDS)
    defects += [_("lacks {name}", name=name) for name in ("header", "moves") if name not in data]
    header, moves = data.get("header", {}), data.get("moves", [])
    if not isinstance(header, dict):
        defects.append(located("header", _("is {kind}; expected an object", kind=kind_words(header))))
    elif len(header) > MOST_HEADERS:
        words = _("has {count} fields; expected {most} at most", count=len(header), most=MOST_HEADERS)
        defects.append(located("header", words))
    else:
        texts = ((name, value) for name, value in header.items() if _text_of(value) is None)
        defects += [located("header", no_text(repr(name[:40]), value)) for name, value in texts]
    if not isinstance(moves, list):
        defects.append(_("moves are {kind}; expected a list", kind=kind_words(moves)))
    return not defects


def _text_of(value: object) -> str | None:
    """A header as text, which some programs write as numbers; ``None`` if it is neither."""
    return value if isinstance(value, str) else str(value) if type(value) in (int, float) else None


class _WrongFieldError(IllegalMoveError):
    """A field does not fit the move: the file is wrong, and nobody has made a foul."""


class _Reader(WordedGame):
    """The record that is being read."""

    place = ""
    builder: Builder

    def __init__(self, data: dict[str, Any], defects: list[str]) -> None:
        super().__init__(defects)
        self.data = data
        self.main = True  # the entry being read is of the main line

    def read(self) -> Record | None:
        """The record; ``None`` if it has defects."""
        start = partial(read_start, initial=self.data.get("initial"))
        self.set_up(start, "initial")
        if self.defects:
            return None
        self._header(start(self.variant))
        end = self._lines()
        if end is None:
            return None
        turn = self.builder.go(end).turn
        return self.ended(self.meant(turn), turn, vague=OPEN)  # a header has what the schema does not know

    def _header(self, start: str | Setup | None) -> None:
        drawn = start_of(self.builder.position) not in named_starts(self.variant).values()
        for name, given in self.data["header"].items():
            value = _text_of(given) or ""
            if name == HANDICAP and named_starts(self.variant).get(value.strip(), "") == start:
                continue  # said by the start, too
            if name == HANDICAP and value.strip() == OTHER and isinstance(start, Setup):
                continue
            kept = header_name(name)
            kept = HEADERS.get(kept, kept)
            if result := result_in(name, value):
                self.header_result = result
            elif (
                kept
                and (kept not in TAKEN or (kept == HANDICAP and drawn))
                and self.headers.setdefault(kept, value) == value
            ):
                continue
            elif value.strip():
                self.builder.say(0, "header", comment=f"{name}：{value}")

    # --- Lines ---

    def _lines(self) -> int | None:
        """Add the moves: the main line, then the variations, those that leave it last first.

        Returns the node at the end of the main line, or ``None`` if that cannot be reached.
        """
        end, waiting = self._line("moves", self.data["moves"], 0)
        while waiting and len(self.defects) <= MOST_DEFECTS:
            _end, forks = self._line(*waiting.pop())
            waiting += forks
        return end

    def _line(self, line: str, entries: object, at: int) -> tuple[int | None, list[_Fork]]:
        """Add a line behind a node; return where it ends, and its variations, the first to be read last."""
        forks = list[_Fork]()
        if not isinstance(entries, list):
            refuse(self.defects, line, _("is {kind}; expected a list", kind=kind_words(entries)))
            return None, forks
        self.main = line == "moves"
        for index, entry in enumerate(entries):
            self.place = f"{line}[{index}]"
            entry = fields_of(entry, ENTRY_FIELDS, self.place, self.defects)
            others = entry.get("forks") or []
            if not isinstance(others, list):
                self._refuse_field("forks", _("is {kind}; expected a list", kind=kind_words(others)))
                others = []
            forks += reversed([(f"{self.place}.forks[{number}]", fork, at) for number, fork in enumerate(others)])
            reached = self._entry(entry, at, _end_behind(entries, index))
            if reached is None:
                return None, forks
            at = reached
        return at, forks

    def _entry(self, entry: dict[str, Any], at: int, end: str | None) -> int | None:
        """Add an entry behind a node; return the node reached. ``end`` is the word behind it (:meth:`punish`)."""
        word = entry.get("special") or ""
        if not isinstance(word, str) or len(word) > _LONGEST_WORD:
            self._refuse_field("special", no_text("special", word))
            word = ""
        word, move = clean(word), entry.get("move")
        if (move is not None or word) and not self._goes_on(at, word):
            return None
        before, seconds = at, self._seconds(entry.get("time"))
        if move is not None:
            node = self._move(move, at, word or end)
            if node is None:
                return None
            at = node
        if move is not None and seconds is not None and seconds < 0:  # as some sites write
            self.builder.say(at, self.place, comment=value_words(entry["time"], _LONGEST_FOUL))
            seconds = None
        self._comment(entry.get("comments"), at)
        if word and self.main:
            self.word = word
        if word and (not self.main or entry.get("forks")):  # a variation's end, or where variations go on behind it
            self.builder.say(at, self.place, comment=f"%{word}")
        if seconds is not None:
            self._time(seconds, at, move is not None and at != before, bool(word and self.main))
        return at

    def _goes_on(self, at: int, word: str) -> bool:
        """True if something may follow. An end that leaves the game open becomes a comment then."""
        if not self.main or not self.word or self.word == word:
            return True
        if meaning(self.word, self.builder.go(at).turn) is not None:
            words = _("stands behind the end of the game, {word}", word=self.word)
            self.refuse(words)
            return False
        self.builder.say(at, self.place, comment=f"%{self.word}")
        self.word = self.seconds = ""
        return True

    def _comment(self, comments: object, at: int) -> None:
        lines = [] if comments is None else comments
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            self._refuse_field("comments", _("is {kind}; expected a list of texts", kind=kind_words(lines)))
        elif any(lines):
            self.remarks = lines
            self.say(at)

    def _time(self, seconds: float, at: int, moved: bool, ended: bool) -> None:
        if moved:
            self.builder.say(at, f"{self.place}.time", seconds=seconds)
        elif ended:
            self.seconds = seconds_text(seconds)
        elif seconds:
            self._refuse_field("time", _("is the time of no move"))

    def _seconds(self, time: object) -> float | None:
        """The time for a move. Totals follow from these, and must only be times."""
        if time is None:
            return None
        fields = fields_of(time, ("now", "total"), f"{self.place}.time", self.defects)
        if fields.get("total") is not None:
            self._seconds_in(fields["total"], "total")
        return self._seconds_in(fields.get("now"), "now")

    def _seconds_in(self, time: object, name: str) -> float | None:
        """Hours, minutes and seconds as seconds."""
        parts = fields_of(time, ("h", "m", "s"), f"{self.place}.time.{name}", self.defects)
        numbers = [parts.get(unit) or 0 for unit in ("h", "m", "s")]
        if all(type(part) in (int, float) and abs(part) <= _MOST_TIME for part in numbers) and min(numbers) < 0:
            return float(numbers[0] * 3600 + numbers[1] * 60 + numbers[2])
        if not all(type(part) in (int, float) and 0 <= part <= _MOST_TIME for part in numbers):
            words = _("has a part that is no number of hours, minutes or seconds")
            self._refuse_field(f"time.{name}", words)
            return None
        hours, minutes, seconds = numbers
        return float(hours * 3600 + minutes * 60 + seconds)

    def _refuse_field(self, field: str, why: str) -> None:
        refuse(self.defects, f"{self.place}.{field}", why)

    # --- Moves ---

    def _move(self, move: object, at: int, end: str | None) -> int | None:
        """Add a move; one that is not legal and ends its line is a comment.

        In a variation, and as the first of all, only if a word behind it calls it a foul.
        """
        place = f"{self.place}.move"
        before = len(self.defects)
        said = fields_of(move, MOVE_FIELDS, place, self.defects)
        if len(self.defects) > before:
            return None
        last = self.builder.nodes[at].move
        node = self.builder.add(at, partial(_find, said, last.target if last else None), place)
        if node is not None or not self.builder.fouled:
            return node
        turn = self.builder.go(at).turn
        color = said.get("color")
        by = SIDES[color] if type(color) is int and color in (0, 1) else turn
        result, stands = self.punish(self.builder, at, by, end)
        words = value_words(said, _LONGEST_FOUL)
        if not (stands and (end in FOULS or (self.main and at)) and words.endswith("}")):  # neither too long nor deep
            return None
        del self.defects[before:]
        self.builder.say(at, place, comment=words)
        if self.main:
            self.punished = (result,)
        return at


def _end_behind(entries: list[object], index: int) -> str | None:
    """The word for the end behind an entry, empty where there is none, ``None`` where a move follows."""
    for entry in entries[index + 1 :]:
        if isinstance(entry, dict) and entry.get("move") is not None:
            return None
        if isinstance(entry, dict) and (word := entry.get("special")):
            return str(word)[:_LONGEST_WORD]
    return ""


def _find(said: dict[str, Any], last: str | None, position: Position) -> Move:
    """The legal move of the fields; ``last`` is the square on which the move before it ended."""
    target = last if said.get("to") is None and said.get("same") is True else _square(said.get("to"), "to")
    if target is None:
        raise NotationError("same", [_("there is no move before it")])
    promotes, relative = said.get("promote"), said.get("relative") or ""
    if said.get("from") is not None:
        origin = _square(said["from"], "from")
        stands = position.piece_at(origin)
        if stands is None or stands.side != position.turn:
            raise IllegalMoveError(_("there is no piece of the side to move on {at}", at=origin))
        move = position.parse_move(f"{origin}{target}{'+' if promotes is True else ''}")
    else:
        kind = _kind(said.get("piece"), "piece")
        if relative in ("", "H") and (position.is_legal(f"{kind}*{target}") or not _on_board(position, kind)):
            move = position.parse_move(f"{kind}*{target}")
        else:
            move = _told_apart(position, kind, target, str(relative), promotes, last)
        stands = None if move.origin is None else position.piece_at(move.origin)
    taken = position.piece_at(target)
    follows = {
        "color": SIDES.index(position.turn),
        "piece": CODES[(move.piece or "") if stands is None else stands.code],
        "same": target == last,
        "capture": None if taken is None else CODES[taken.code],
    }
    for name, found in follows.items():
        given = said.get(name)
        if given is not None and (given != found or isinstance(given, bool) != isinstance(found, bool)):
            shown, right = map(value_words, (given, found))
            words = _("{name} is {given}, but the move makes it {found}", name=name, given=shown, found=right)
            raise _WrongFieldError(words)
    if not isinstance(promotes, bool | None) or (stands is None and promotes):
        shown = value_words(said["promote"])
        words = _("{name} is {given}; expected true, false or null", name="promote", given=shown)
        raise _WrongFieldError(words)
    _check_relative(relative, position, move)
    return move


def _told_apart(position: Position, kind: str, target: str, relative: str, promotes: object, last: str | None) -> Move:
    """The move of a piece on the board without its start, as in Japanese notation: directions tell it from others."""
    words = "".join(_DIRECTIONS.get(letter, "?") for letter in relative)
    words += "成" if promotes is True else "不成" if promotes is False else ""
    return parse_move(position, f"{_japanese(target)}{piece_text(position.variant.kind(kind))}{words}", last)


def _japanese(square: str) -> str:
    """``7g`` as ``7七``."""
    return f"{square[0]}{numeral(_RANKS.index(square[1]) + 1)}"


def _on_board(position: Position, kind: str) -> bool:
    return Piece(position.turn, kind) in position.board


def _check_relative(relative: object, position: Position, move: Move) -> None:
    """Check that the letters are true of the move, as the mover sees it; which are needed does not matter here."""
    if move.origin_point is None:
        holds = "H"
    else:
        (x, y), (u, v) = (position.variant.board.xy(point) for point in (move.origin_point, move.target_point))
        turned = 1 if position.turn == "b" else -1
        right, ahead = turned * (u - x), turned * (y - v)
        holds = ("LCR" if not right else "L" if right > 0 else "R") + ("U" if ahead > 0 else "D" if ahead < 0 else "M")
    if not isinstance(relative, str) or not {*relative} <= {*holds}:
        shown = value_words(relative)
        words = _("{name} is {given}; of this move {letters} are true", name="relative", given=shown, letters=holds)
        raise _WrongFieldError(words)


def _square(place: object, name: str) -> str:
    """``{"x": 7, "y": 7}`` as ``7g``."""
    if isinstance(place, dict) and place.keys() == {"x", "y"}:
        x, y = place["x"], place["y"]
        if all(isinstance(part, int) and not isinstance(part, bool) and 1 <= part <= 9 for part in (x, y)):
            return f"{x}{_RANKS[y - 1]}"
    raise NotationError(name, [_("is no square; expected x and y from 1 to 9")])


def _kind(code: object, name: str) -> str:
    if not isinstance(code, str) or code not in KINDS:
        shown = value_words(code)
        raise NotationError(
            name, [_("{piece} is not a piece; choose from {pieces}", piece=shown, pieces=" ".join(KINDS))]
        )
    return KINDS[code]
