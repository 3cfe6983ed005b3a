"""CSA as records, read statement by statement."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from ...errors import IllegalMoveError, NotationError
from ...game.position import Position
from ...i18n import _, located
from ...spec.board import Side, other
from ...spec.move import Move
from ..reader import Builder, games_of, line_words, lines_of, near, no_move, refuse
from ..results import result_in
from ..scores import OWN, said_in
from ..tree import LONGEST_COMMENT, LONGEST_HEADER, MOST_HEADERS, Record, Result, Score, clean, header_name
from . import start, words
from .words import CODES, KINDS, PLAYERS, SIDES, SIGNS, WordedGame
from .writer import seconds_text

_MOVE = re.compile(r"([+-])([0-9]{2})([1-9]{2})([A-Z]{2})")
_TIME = re.compile(r"T([-+]?)([0-9]{1,9}(?:\.[0-9]{0,9})?)")
_END = re.compile(rf"%({words.END_FORM.pattern})")
_START = re.compile(r"P[1-9I+-].*")
_SERVER = re.compile(r"#([A-Z][A-Z_]{0,39})")
_NAMED = re.compile(r"(I[+-])(.*)|([A-Za-z][A-Za-z_]*[+-]?):(.*)")
_FRAME = re.compile(r"(?:BEGIN|END) [A-Za-z_]+")
_WHOLE = re.compile(rf"['N$#]|{_NAMED.pattern}")
_VERSION = re.compile(r"V[0-9]{1,2}(?:\.[0-9]{1,2})?")
_ENCODING = re.compile(r"'\s*(?:CSA\s+)?encoding=(?:utf-?8|s(?:hift_?)?jis|(?:cp|ms)932|euc-?jp)\s*", re.IGNORECASE)
_ESCAPED = re.compile(r"\\([\\n])")
_SHOWN = 40  # characters of a line that a message shows
_MODEL = "+7776FU"
_LONGEST_START, _MOST_STARTS = 400, 40  # characters, statements


def read(text: str) -> list[Record]:
    """The records of a CSA text, separated by lines ``/``.

    Read leniently: several statements in a line, decimals of seconds, moves without the line for the side that begins,
    a foul that ended the game and is itself no legal move, an interruption after which the game goes on, lines of a
    server about the players and how the game ended.

    Raises:
        NotationError: it is no CSA, or has moves that are not legal; every defect at once, with its line.
    """
    return games_of("CSA", partial(_games, text), _("there is neither a position nor a move in it"))


def _games(text: str, defects: list[str]) -> Iterator[Record]:
    game, before = _Game(defects), list[_Game]()
    for number, line in lines_of(text, "CSA", defects):
        if line.strip() == "/":
            if game.empty:  # comments before a game
                continue
            game.close()
            yield from _finished(before)
            game, before = _Game(defects), [game]
        elif len(line) > LONGEST_COMMENT + 2:
            refuse(defects, line_words(number), _too_long(line, LONGEST_COMMENT))
        else:
            for said in _statements(line):
                game.take(said, number)
    if game.empty and before:  # comments behind the last game
        before[0].remarks += game.remarks
    game.close()
    yield from _finished([*before, game])


def _too_long(text: str, most: int) -> str:
    return _("has {count} characters; expected {most} at most", count=f"{len(text):,}", most=most)


def _finished(games: list[_Game]) -> Iterator[Record]:
    return (record for game in games if (record := game.finish()) is not None)


def _statements(line: str) -> Iterator[str]:
    """The statements of a line, separated by commas; names, headers and comments, which may have some, end with it."""
    while line := line.lstrip(" \t,"):
        said, _comma, line = (line, "", "") if _WHOLE.match(line) else line.partition(",")
        if said := said if said.startswith("'") else said.strip():
            yield said


@dataclass(slots=True)
class _Foul:
    """A move that is not legal and may be a foul: ``defects`` if it is none, ``by`` is who made it.

    ``behind`` is the number of lines of the comment before it.
    """

    said: str
    defects: list[str]
    by: Side
    behind: int


class _Game(WordedGame):
    """The game being read."""

    def __init__(self, defects: list[str]) -> None:
        super().__init__(defects)
        self.start: list[tuple[str, str]] = []
        self.turn: Side | None = None
        self.begun = False  # the start has been read
        self.at: int | None = None  # the node reached; None behind an unreadable move
        self.foul: _Foul | None = None  # the last move
        self.winner: tuple[Side | None] | None = None  # as a server says it

    def take(self, said: str, number: int) -> None:
        """Read a statement of that line."""
        self.number = number
        if said.startswith("'"):
            self._comment(said)
        elif said[:2] in PLAYERS:
            self._header(PLAYERS[said[:2]], said[2:])
        elif said.startswith("$") and ":" in said:
            self._keyword(said)
        elif _START.fullmatch(said) or said in SIDES:
            self._take_start(said)
        elif found := _MOVE.fullmatch(said):
            self._move(said, found)
        elif found := _TIME.fullmatch(said):
            self._time(said, found[2], below_zero=found[1] == "-" and float(found[2]) > 0)
        elif found := _SERVER.fullmatch(said):
            self._server(said, found[1])
        elif found := _NAMED.fullmatch(said):
            self._named(found[1] or found[3], (found[2] or found[4] or "").strip())
        elif found := _END.fullmatch(said):
            self._end(found[1])
        elif not (_VERSION.fullmatch(said) or _FRAME.fullmatch(said)):
            text, model = said[:_SHOWN], {"T": "T12", "%": "%TORYO"}.get(said[0])
            if model:
                self.refuse(_("cannot read {text}; expected for example {model}", text=repr(text), model=model))
            else:
                self.refuse(no_move(text, _MODEL))

    @property
    def empty(self) -> bool:
        """True if nothing but comments has been read."""
        return not (self.start or self.turn or self.begun or self.headers or self.header_result)

    def close(self) -> None:
        """Read no further statements; comments may still be added to the last move."""
        if self.start or self.turn or self.begun:
            self._begin()
            self._settle("")
        elif not self.empty:
            self.refuse(_("there is neither a position nor a move in it"))

    def finish(self) -> Record | None:
        """The record of a closed game; ``None`` if there is none, or it has defects."""
        self.say(self.at)
        if self.builder is None or self.at is None:
            return None
        turn = self.builder.go(self.at).turn
        return self.ended(self._told(self.meant(turn)), turn)

    def _told(self, said: Result | None) -> Result | None:
        """The result with the winner that a server has told; ``said`` is what the end says."""
        if self.winner is None or (said is not None and said.winner == self.winner[0]):
            return said
        if said is None or self.word in words.WON_OR_DRAWN:
            return Result(self.winner[0], words.WON_OR_DRAWN.get(self.word, "unknown"))
        self.refuse(_("the winner does not fit the end of the game, {word}", word=self.word))
        return said

    # --- Before the moves ---

    def _header(self, name: str, value: str) -> None:
        value = value.strip()
        if (before := self.headers.get(name)) and before != value:
            value = f"{before}; {value}"
        if len(value) > LONGEST_HEADER:
            self.refuse(_too_long(value, LONGEST_HEADER))
        elif len(self.headers) >= MOST_HEADERS - 2:
            self.refuse(_("there are more than {most} headers", most=MOST_HEADERS - 2))
        else:
            self.headers[name] = value

    def _keyword(self, said: str) -> None:
        """Keep a header; one whose name no record can have becomes a line of the comment."""
        keyword, _colon, value = said[1:].partition(":")
        keyword = keyword.replace("TIMET", "TIME")  # so misspelt in the text of version 3
        if keyword == "NOTE":
            value = _ESCAPED.sub(lambda found: "\n" if found[1] == "n" else found[1], value)
        name = words.HEADERS.get(keyword) or header_name(keyword)
        name = words.HEADERS.get(name, name)
        if (result := result_in(keyword, value)) and self.header_result in (None, result):
            self.header_result = result
        elif "\n" in value:
            self.remark(*value.split("\n"))
        elif name:
            self._header(name, value)
        else:
            self.remark(said)

    def _named(self, name: str, value: str) -> None:
        """Keep a line of a server about the game or its players."""
        ours = words.SERVER_HEADERS.get(name) or header_name(name)
        if ours and value:
            self._header(ours, value)
        elif value:
            self.remark(f"{name}:{value}")

    def _take_start(self, said: str) -> None:
        if self.begun or (said in SIDES and self.turn is not None):
            self.refuse(_("{text} stands behind the start position", text=repr(said[:_SHOWN])))
        elif said in SIDES:
            self.turn = SIDES[said]
        elif len(said) > _LONGEST_START or len(self.start) >= _MOST_STARTS:
            self.refuse(no_move(said[:_SHOWN], _MODEL))
        else:
            self.start.append((said, self.place))

    def _begin(self) -> None:
        """Set up the start position."""
        if not self.begun:
            self.begun = True
            place = self.start[0][1] if self.start else self.place
            self.set_up(lambda variant: start.read(variant, self.start, self.turn), place)
            self.at = None if self.builder is None else 0

    # --- Comments ---

    def _comment(self, said: str) -> None:
        if not (self.begun or self.turn or self.start or self.remarks) and _ENCODING.fullmatch(said):
            return
        line = said[2:] if said.startswith("'*") else said
        looks = words.score_in(line.lstrip(" "), "b") is not None
        if looks and line.startswith(" "):
            self.remark(line[1:])
        elif not (looks and self._score(line)):
            self.remark(line)

    def _score(self, line: str) -> bool:
        """Keep a score; false where there is no place for it, or the line says more and is itself to be kept."""
        if not self.at or self.builder is None or self.foul:
            return False
        side = other(self.builder.go(self.at).turn)
        found = words.score_in(line, side)
        if found is None or "score" in self.builder.nodes[self.at].said:
            return False
        self.builder.say(self.at, self.place, score=found[0])
        return not found[1]

    def too_long(self) -> NotationError:
        why = _("its comment has more than {most} characters", most=f"{LONGEST_COMMENT:,}")
        return NotationError("CSA", [*self.defects, located(self.place, why)])

    def annotations(self, builder: Builder, at: int, comment: str) -> dict[str, object]:
        """The annotations in a comment in the words of KIF, which may say more than a score of version 3."""
        side, known, comment = other(builder.go(at).turn), builder.nodes[at].said, clean(comment)
        others = set() if OWN.search(comment) else {"score"}  # scores in other words are left to KIF
        said = said_in(comment, side, known.keys() & {"mark"} | others)
        score, before = said.get("score"), known.get("score")
        if isinstance(score, Score) and before is not None:
            if words.score_line(before, side) != words.score_line(score, side):
                return said_in(comment, side, known.keys())
            del known["score"]
        return said

    # --- Moves ---

    def _move(self, said: str, found: re.Match[str]) -> None:
        if self.turn is None:
            self.turn = SIDES[said[0]]
        self._begin()
        self._settle()
        if self._over(said) or self.builder is None or self.at is None:
            return
        before = len(self.defects)
        node = self.builder.add(self.at, partial(_find, found), near(self.place, said))
        if node is None:
            if self.builder.fouled:
                self.foul = _Foul(said, self.defects[before:], SIDES[said[0]], len(self.remarks))
                del self.defects[before:]
            else:
                self.at = None
        else:
            self.say(self.at)
            self.at = node

    def _settle(self, end: str | None = None) -> None:
        """Decide about a move that is not legal: it is a comment if a foul ends the game, else a defect.

        ``end`` is the word behind it, empty at the end of the game, ``None`` where a move follows. It is no foul but
        wrong if the end lets it win, or if it is the first of all and nothing calls it one.
        """
        foul, self.foul = self.foul, None
        if foul is None or self.builder is None or self.at is None:
            return
        result, stands = self.punish(self.builder, self.at, foul.by, end)
        if end == "" and not self.at:  # likelier the start of another game
            stands = any("ILLEGAL" in line for line in self.remarks)
        if end == "" and self.winner is not None and self.winner[0] == foul.by:
            stands = False
        if stands:
            self.remarks.insert(foul.behind, foul.said)
            self.punished = (result,)
        else:
            self.defects += foul.defects
            self.at = None

    def _time(self, said: str, seconds: str, *, below_zero: bool) -> None:
        text = seconds_text(float(seconds))
        if self.foul is not None:
            self.foul.said += f",{said}"
        elif below_zero:
            self.remark(said)  # no move takes less than nothing, but some sites write that
        elif self.word and not self.seconds:
            self.seconds = text
        elif self.word or not self.begun or self.at == 0:
            self.refuse(_("{text} is the time of no move", text=repr(said)))
        elif self.at is not None and self.builder is not None:
            if "seconds" in self.builder.nodes[self.at].said:
                self.refuse(_("{text} is a second time for one move", text=repr(said)))
            else:
                self.builder.say(self.at, self.place, seconds=float(text))

    def _end(self, word: str) -> None:
        self._begin()
        self._settle(word)
        if not self._over(f"%{word}"):
            self.word = word

    def _server(self, said: str, word: str) -> None:
        """Read what a server says of the end; what it says to one of the players is a comment."""
        word = words.SERVER_WORDS.get(word, word)
        if word in words.SERVER_WINNERS and self.winner in (None, (words.SERVER_WINNERS[word],)):
            self.winner = (words.SERVER_WINNERS[word],)
        elif self.word in ("", word) and word not in (*words.SERVER_WINNERS, *words.TO_PLAYERS):
            self._end(word)
        else:
            self.remark(said)

    def _over(self, said: str) -> bool:
        """True if the game has ended. An end that leaves it open, behind which it goes on, becomes a comment."""
        if self.word and self.builder is not None and self.at is not None:
            if said == f"%{self.word}":  # as servers write it again when the game is over
                return True
            if words.meaning(self.word, self.builder.go(self.at).turn) is not None:
                self.refuse(_("{text} stands behind the end of the game, %{word}", text=repr(said), word=self.word))
                return True
            self.remark(f"%{self.word}" + (f",T{self.seconds}" if self.seconds else ""))
            self.word = self.seconds = ""
        return False


def _find(found: re.Match[str], position: Position) -> Move:
    """The legal move of a statement."""
    sign, origin, end, code = found.groups()
    board, kind = position.variant.board, _kind(code)
    if SIDES[sign] != position.turn:
        raise IllegalMoveError(_("it is {sign} that is to move", sign=SIGNS[position.turn]))
    target = start.square_name(end)
    if origin == "00":
        return position.parse_move(f"{kind}*{target}")
    name = start.square_name(origin) if "0" not in origin else ""
    stands = position.piece_at(name) if board.find(name) is not None else None
    if stands is None or stands.side != position.turn:
        raise IllegalMoveError(_("there is no piece of the side to move on {at}", at=origin))
    if kind not in (stands.code, f"+{stands.code}"):
        there = CODES[stands.code]
        raise IllegalMoveError(
            _("{piece} stands on {at} and cannot become {other}", piece=there, at=origin, other=code)
        )
    return position.parse_move(f"{name}{target}{'' if kind == stands.code else '+'}")


def _kind(code: str) -> str:
    if code not in KINDS:
        raise NotationError(code, [_("is not a piece; choose from {pieces}", pieces=" ".join(KINDS))])
    return KINDS[code]
