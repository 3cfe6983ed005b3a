"""Read KIF and KI2."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from ...errors import NotationError
from ...i18n import _, located, ngettext
from ...spec.board import Side, other
from ...spec.names import side_name
from ..csa.writer import seconds_text
from ..reader import Builder, games_of, line_words, lines_of, near, no_move, refuse, with_end
from ..shogi import GameReader
from ..tree import MOST_HEADERS, Record, Result
from .head import FRAME, Head
from .moves import FOREIGN, LIKE_A_MOVE, MOVE, SPENT, find_move, seconds_of
from .words import ENDS, HANDICAP, INTERRUPTED, REASONS, is_open_end, names_a_foul, result_of

_ASCII = str.maketrans("０１２３４５６７８９（）：　", "0123456789(): ")
_NUMBER = re.compile(r"([0-9]{1,5})[\s.]+(?=\S)")
_MARK = re.compile(r"[▲△▼▽☗☖]")
_MARKED_END = re.compile(rf"(.*?)\s*[▲△▼▽☗☖]({'|'.join(ENDS)})")  # in KI2 of Shogi DB2, always with White's mark
_SIDES: dict[str, Side] = {"▲": "b", "☗": "b", "△": "w", "☖": "w", "▽": "w"}  # ▼ is Black or White
_END = re.compile(rf"(\S+?)\s*(?:{SPENT})?\s*\+?")
_BRANCH = re.compile(r"変化:\s*([0-9]{1,5})手?\s*(.*)")
_SUM = re.compile(r"まで(?:[、,]?\s*([0-9]{1,5})手)?[、,]?(?:にて|で)?\s*(.*)")
_LOST = [word for word, reason in REASONS.items() if reason != "declaration"]  # as in 後手の投了
_WINNER = re.compile(
    rf"(?:(?P<cause>.*?)(?:により|で|[、,]))?\s*(?P<side>[先後下上])手番?の?"
    rf"(?:(?P<how>(?:{'|'.join(REASONS)})*)の?(?P<does>勝利?|[負敗])[ちけ]?|(?P<loses>{'|'.join(_LOST)}))"
    r"\s*(?:\((?P<why>.*)\))?"
)
_DRAWN = re.compile(r"(.+?)(?:により|で)引き?分け?")
_CLOSED = re.compile(r"(\S+?)に(?:て|より)(?:終局|終了)")  # as 81Dojo writes it in a comment
_BEGINS = re.compile(r"\||\+--|手数--|#KIF|(?:手合割|先手|後手|下手|上手|開始日時|棋戦|[先後下上]手の持ち?駒)\s*:")
_SCORED = re.compile(r"#(?:評価値|詰み|深さ|読み筋)=|#(?:形勢|指し手|推奨手)\[")
_CAUSES = (None, "", *ENDS, *REASONS)
_LONGEST_LINE = 100_000
_SHOWN = 40  # characters of a line that a message shows
_MODEL = "７六歩(77)"


def read(text: str, form: str = "KIF") -> list[Record]:
    """The records of a text in KIF or KI2, one after the other; ``form`` is its name in messages.

    Read leniently: half or full width, digits or kanji, old and new names of pieces, moves with numbers or without,
    numbers or none behind ``変化``, ends that only the last line describes, a foul that ended the game and is itself no
    legal move. Lines that are neither move nor header nor end are comments, unless they are meant as moves. A game
    begins where headers, a board or the heading of the moves follow moves.

    Raises:
        NotationError: it is neither, or has moves that are not legal; every defect at once, with its line.
    """
    return games_of(form, partial(_games, text, form), _("there is neither a header nor a move in it"))


def _games(text: str, form: str, defects: list[str]) -> Iterator[Record]:
    game, pending = _Game(defects), list[tuple[int, str, str]]()  # headers behind moves: of this game or the next?
    for number, line in lines_of(text, form, defects):
        if len(line) > _LONGEST_LINE:
            words = _("has {count} characters; expected {most} at most", count=f"{len(line):,}", most=_LONGEST_LINE)
            raise NotationError(line_words(number), [words])
        line = line.lstrip()
        bare = line.translate(_ASCII).strip()
        if not bare:
            continue
        if game.played and _BEGINS.match(bare):
            yield from game.finish()
            game = _Game(defects)
        elif game.played and len(pending) < MOST_HEADERS and (is_header(bare) or (pending and line[0] in "*#&")):
            pending.append((number, line, bare))
            continue
        for earlier in pending:
            game.read(*earlier)
        pending = []
        game.read(number, line, bare)
    for earlier in pending:
        game.read(*earlier)
    yield from game.finish()


@dataclass(frozen=True, slots=True)
class _Foul:
    """A move that is not legal and may be a foul: ``before`` are the defects before it, ``by`` is who made it."""

    at: int
    text: str
    before: int
    by: Side


class _Game(GameReader):
    """A game that is being read, line by line."""

    def __init__(self, defects: list[str]) -> None:
        super().__init__(defects)
        self.head = Head()
        self.played = False  # the lines behind the head have begun
        self.line = ""
        self.path: list[int | None] = [0]  # the nodes of the line being read; None from an unreadable move on
        self.first = 1  # the number of the first move
        self.branched = False
        self.gap: tuple[int, str] | None = None  # a variation that begins behind the end of the line before it
        self.foul: _Foul | None = None  # the last move of the line
        self.after_foul = False  # the game ended by one
        self.unread: tuple[int | None, str] | None = None  # a line before the moves that may be one: number, defect
        self.ended: str | None = None  # the line for the end of the game, once it has been read
        self.ended_at: int | None = None  # the node before it
        self.result: Result | None = None

    def read(self, number: int, line: str, bare: str) -> None:
        """Read a line; ``bare`` is the same in half width, without blanks around it."""
        self.number, self.line = number, line.strip()
        if line[0] in "*&" or _SCORED.match(line):
            self.remark(line.removeprefix("*"))
        elif line[0] == "#" or FRAME.fullmatch(bare):
            pass
        elif numbered := _NUMBER.match(bare):
            self._numbered(int(numbered[1]), bare[numbered.end() :])
        elif (ended := _MARKED_END.fullmatch(bare)) and (not ended[1] or _moves_in(ended[1])):
            if ended[1]:
                self._moves(None, _moves_in(ended[1]))
            self._end(ended[2], "", ended[2])
        elif LIKE_A_MOVE.match(bare) and ((moves := _moves_in(bare)) or _MARK.match(bare)):
            self._moves(None, moves)
        elif branch := _BRANCH.fullmatch(bare):
            self._branch(int(branch[1]), branch[2])
        elif bare.startswith("まで"):
            self._sum(bare)
        elif self.played and not is_header(bare):
            self.remark(self.line)
        else:
            left = None if LIKE_A_MOVE.match(bare) else self.head.read(line, bare)
            if left is None:
                left = self.line
                if _MARK.match(bare) or MOVE.search(bare):
                    self._unread(None)
            if left:
                self.remark(left)

    # --- Moves ---

    def _begin(self) -> Builder | None:
        """The record to which the lines behind the head belong; ``None`` if the head describes no start."""
        if not self.played:
            self.played = True
            self.set_up(self.head.start, self.place)
            if self.builder is None:
                self.path = [None]
        self.say(self.path[-1])
        return self.builder

    def _numbered(self, number: int, rest: str) -> None:
        """Read a line that begins with a number: moves, or an end."""
        awaited = self.played or self.head.headed or number == self.head.ply
        if LIKE_A_MOVE.match(rest):
            self._moves(number, _moves_in(rest))
        elif foreign := FOREIGN.fullmatch(rest):
            self._moves(number, [foreign])
        elif _WINNER.fullmatch(rest):
            self._sum(f"まで{rest}")
        elif (end := _END.fullmatch(rest)) and (end[1] in ENDS or (awaited and is_open_end(end[1]))):
            if end[1] not in ENDS:
                self._unread(number)
            self._end(end[1], end["time"] or "", rest)
        elif awaited:
            self._moves(number, [])
        else:
            self._unread(number)
            self.remark(self.line)

    def _unread(self, number: int | None) -> None:
        """Remember a line before the moves that may be meant as one: without any, the game cannot be read."""
        if self.unread is None and len(self.path) == 1:
            self.unread = number, located(self.place, no_move(self.line[:_SHOWN], _MODEL))

    def _moves(self, number: int | None, moves: list[re.Match[str]]) -> None:
        builder = self._begin()
        if builder is None:
            return
        if number is not None and number - self.first + 1 < len(self.path):
            self._settle(builder)  # a variation begins
        self.foul = None
        if not moves:
            self.refuse(no_move(self.line[:_SHOWN], _MODEL))
            self.path.append(None)
            return
        if number is not None:
            self._go_to(number)
        if self.gap is not None:
            ply, place = self.gap
            refuse(self.defects, place, _("the line before it has no move {number}", number=ply))
            self.path.append(None)
            self.gap = None
        if self.ended is not None and not self.branched:
            self._go_on(builder)
        for found in moves:
            self._move(builder, found, self.line if len(moves) == 1 else found[0].strip())

    def _go_to(self, number: int) -> None:
        """Go to where the move of a number belongs."""
        if len(self.path) == 1 and not self.branched:
            self.first = number
            if self.unread is not None and self.unread[0] == number - 1:
                self.defects.append(self.unread[1])
                self.path, self.unread = [None], None
        ply = number - self.first + 1
        if 1 <= ply < len(self.path):
            self.branched, self.gap = True, None
            del self.path[ply:]
        elif ply != len(self.path) and self.path[-1] is not None and self.gap is None:
            expected = len(self.path) + self.first - 1
            words = _("move {number} cannot follow here; expected move {expected}", number=number, expected=expected)
            self.refuse(words)
            self.path.append(None)

    def _go_on(self, builder: Builder) -> None:
        """Go on behind the line for an end, if it leaves the game open: then it was but a remark."""
        if self.result is not None:
            self.refuse(_("there are moves behind the end of the game"))
            self.path.append(None)
        elif (at := self.path[-1]) is not None:
            builder.say(at, self.place, comment=self.ended)
        self.ended, self.result, self.word, self.seconds = None, None, "", ""

    def _move(self, builder: Builder, found: re.Match[str], text: str) -> None:
        at = self.path[-1]
        if at is None:
            self.path.append(None)
            self.foul = None  # only a last move is one
            return
        before = len(self.defects)
        place = near(self.place, text[:_SHOWN])
        side = _SIDES.get(found["mark"] or "")
        wrong_side = side is not None and side != builder.go(at).turn
        if wrong_side:
            words = _("it is {side} that is to move", side=side_name(builder.go(at).turn))
            refuse(self.defects, place, words)
            node = None
        else:
            node = builder.add(at, partial(find_move, found, builder.nodes[at].move), place)
        if node is None and (builder.fouled or wrong_side) and found.re is not FOREIGN:
            self.foul = _Foul(at, text, before, side or builder.go(at).turn)
        self.path.append(node)
        if node is not None and found["time"]:
            self._time(builder, node, found["time"])

    def _time(self, builder: Builder, node: int, text: str) -> None:
        if "-" in text:
            self.remark(text)  # no move takes less than nothing, but some sites write that
            return
        try:
            builder.say(node, self.place, seconds=seconds_of(text))
        except NotationError as error:
            self.refuse(str(error))

    def _branch(self, ply: int, rest: str) -> None:
        builder = self._begin()
        if builder is None:
            return
        self._settle(builder)
        self.gap = None
        at = ply - self.first + 1
        if 1 <= at <= len(self.path):
            self.branched = True
            del self.path[at:]
        else:
            self.gap = (ply, self.place)
        if rest:
            self.remark(rest)

    # --- Ends ---

    def _closed(self, builder: Builder) -> Result | None:
        """The result that only a comment on the last move of a game names."""
        at = self.path[-1]
        if at is None or self.branched or self.ended is not None:
            return None
        found = _CLOSED.fullmatch(str(builder.nodes[at].said.get("comment", "")).rpartition("\n")[2].strip("* 。"))
        return result_of(found[1], builder.go(at).turn) if found else None

    def _settle(self, builder: Builder) -> None:
        """Decide about a move that is not legal where its line ends without a word for it.

        In a variation, and as the first move of all, it is a foul only if a comment on it says so.
        """
        foul, self.foul = self.foul, None
        if foul is not None and ((foul.at and not self.branched) or any(map(names_a_foul, self.remarks))):
            self._fouled(builder, foul)

    def _fouled(self, builder: Builder, foul: _Foul) -> None:
        """Take a move that is not legal for the foul that ended its line: it becomes a comment."""
        del self.defects[foul.before :]
        self.path.pop()
        self.after_foul = not self.branched
        self.remarks.insert(0, foul.text)
        self.say(self.path[-1])
        if not self.branched:
            self.result = self.foul_result(builder, foul.at, foul.by)
            self._over("", "", "")

    def _punished(self, builder: Builder, word: str, said: Result | None) -> bool:
        """True if the word for an end, and the result that it means, go with a foul before it, which is taken for one.

        They do not go with one that they let win: then the move is no foul but wrong.
        """
        foul, self.foul = self.foul, None
        named = not word or names_a_foul(word)
        if foul is None or not (named or (not self.branched and (said is None or said.winner != foul.by))):
            return False
        self._fouled(builder, foul)
        if not named:
            self.result = said
        return True

    def _end(self, word: str, seconds: str, text: str) -> None:
        builder = self._begin()
        if builder is None:
            return
        if self.foul is not None:
            said = result_of(word, other(self.foul.by))
            if self._punished(builder, word, said) and not self.branched:
                self._over("" if names_a_foul(word) else text, word, seconds)
                return
        if (at := self.path[-1]) is None:
            return
        if self.branched or self.ended is not None:
            self.remark(text)
        else:
            self.result = result_of(word, builder.go(at).turn)
            self._over(text, word, seconds)

    def _over(self, text: str, word: str, seconds: str) -> None:
        self.ended, self.ended_at = text, self.path[-1]
        self.word = word if is_open_end(word) and not names_a_foul(word) else ""
        if seconds:
            try:
                self.seconds = seconds_text(seconds_of(seconds)).removeprefix("0")
            except NotationError as error:
                self.refuse(str(error))

    def _sum(self, text: str) -> None:
        """Read the line that describes in words how the game ended, and after how many moves."""
        found = _SUM.fullmatch(text)
        assert found is not None
        count, said = found[1], found[2].rstrip("。 ")
        if (drawn := _DRAWN.fullmatch(said)) and drawn[1] in ENDS:
            said = drawn[1]
        winner = _WINNER.fullmatch(said)
        if winner is None and said not in ENDS and not (count and (not said or is_open_end(said))):
            self.remark(text)
            return
        builder = self._begin()
        if builder is None:
            return
        foul, fouled = self.foul, False
        if foul is not None:
            result = result_of(said, other(foul.by)) if winner is None else _won(winner, "illegal")
            fouled = self._punished(builder, said, result)
            if fouled and winner is None and names_a_foul(said):
                result = self.result
        if winner is not None and winner["cause"] not in _CAUSES:
            self.remark(text)
        if self.branched or (at := self.path[-1]) is None:
            self.remark(text)
            return
        self._count(count, (self.ended is not None) + self.after_foul)
        if foul is None:
            turn = builder.go(at).turn
            result = result_of(said, turn) if winner is None else _won(winner, turn=turn)
        if self.ended is None:
            self.result = result
            self._over(text, said if winner is None else "", "")
        elif result is not None and (self.result is None or self.result.winner != result.winner):
            self.refuse(_("{text} does not fit the line before it", text=repr(text[:_SHOWN])))
        elif result is None and said not in ("", self.word, INTERRUPTED) and not (fouled and names_a_foul(said)):
            self.remark(text)

    def _count(self, count: str | None, ends: int) -> None:
        """Check how many moves the game is said to have; some programs count a foul and the line for the end."""
        read = len(self.path) - 1
        if count is not None:
            self.unread = None
        if count is not None and int(count) not in (read + self.first - 1, *range(read, read + ends + 1)):
            words = ngettext(
                "says {count} move; there are {read} before it",
                "says {count} moves; there are {read} before it",
                int(count),
                read=read,
            )
            self.refuse(words)

    def finish(self) -> Iterator[Record]:
        """The record, if there is one without defects."""
        if not (self.played or self.head.begun):
            if self.remarks:
                self.refuse(_("there is neither a header nor a move in it"))
            return
        builder = self._begin()
        if builder is None:
            return
        self._settle(builder)
        self.say(self.path[-1])
        if self.gap is not None:
            refuse(self.defects, self.gap[1], _("the line before it has no move {number}", number=self.gap[0]))
        if self.ended and self.ended_at is not None and builder.nodes[self.ended_at].children:
            # A variation that begins beside the end goes on with the main line, where the game ended is a comment.
            builder.say(self.ended_at, self.place, comment=self.ended)
        if self.unread is not None and len(builder.nodes) == 1:
            self.defects.append(self.unread[1])
        self.headers, self.header_result = self.head.headers, self.head.result
        record = self.record(self.result or self._closed(builder))
        if record is not None:
            yield with_end(record, self.word, self.seconds)
        elif hint := self.head.hint():
            refuse(self.defects, HANDICAP, hint)


def is_header(bare: str) -> bool:
    """True for a line such as ``棋戦:A``."""
    name, colon, _rest = bare.partition(":")
    return bool(colon) and name[:1].isalpha() and not bare.startswith("変化") and not LIKE_A_MOVE.match(bare)


def _moves_in(text: str) -> list[re.Match[str]]:
    """The moves that a text consists of; none if anything else stands in it."""
    moves, at = list[re.Match[str]](), 0
    while at < len(text):
        found = MOVE.match(text, at)
        if found is None:
            return []
        moves.append(found)
        at = found.end()
    return moves


def _won(found: re.Match[str], unsaid: str = "", turn: Side | None = None) -> Result:
    """The result that a line in words describes; the reason, where it names none, is ``unsaid``, or follows from
    which side is to move."""
    named: Side = "b" if found["side"] in "先下" else "w"
    winner = named if (found["does"] or "").startswith("勝") else other(named)
    words = (found["how"] or found["loses"] or "", found["cause"] or "", found["why"] or "")
    reasons = (reason for said in words for word, reason in REASONS.items() if word in said)
    return Result(winner, next(reasons, unsaid or ("resign" if winner != turn else "adjudication")))
