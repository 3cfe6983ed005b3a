"""Read KIF and KI2."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from ...errors import KomadaiError, NotationError
from ...i18n import _
from ...spec.board import Side, other
from ...spec.names import side_name
from ...variants import build, standard
from ..reader import MOST_DEFECTS, Builder, gathered, line_words, lines_of, near, no_move, refuse, with_end
from ..results import settled
from ..scores import said_in
from ..tree import LONGEST_COMMENT, MOST_HEADERS, Record, Result
from .head import FRAME, Head
from .moves import MOVE, SPENT, find_move, seconds_of
from .words import ENDS, FOULS, HANDICAP, INTERRUPTED, is_open_end, result_of

_ASCII = str.maketrans("０１２３４５６７８９（）：　", "0123456789(): ")
_NUMBER = re.compile(r"([0-9]{1,5})[\s.]+(?=\S)")
_LIKE_A_MOVE = re.compile(r"[▲△▼▽☗☖]?\s*(?:同|[1-9][1-9一二三四五六七八九])")
_MARK = re.compile(r"[▲△▼▽☗☖]")
_MARKED_END = re.compile(rf"(.*?)\s*[▲△▼▽☗☖]({'|'.join(ENDS)})")  # in KI2 of Shogi DB2, always with White's mark
_SIDES: dict[str, Side] = {"▲": "b", "☗": "b", "△": "w", "☖": "w", "▽": "w"}  # ▼ is Black or White
_END = re.compile(rf"(\S+?)\s*(?:{SPENT})?\s*\+?")
_BRANCH = re.compile(r"変化:\s*([0-9]{1,5})手?\s*(.*)")
_SUM = re.compile(r"まで(?:[、,]?\s*([0-9]{1,5})手)?[、,]?で?\s*(.*)")
_WINNER = re.compile(r"(?:(.*?)により)?([先後下上])手の?(入玉|入玉宣言|反則|時間切れ|切れ|不戦|)(勝|負)[ちけ]?")
_BEGINS = re.compile(r"\||\+--|手数--|#KIF|(?:手合割|先手|後手|下手|上手|開始日時|棋戦|[先後下上]手の持ち?駒)\s*:")
_SCORED = re.compile(r"#(?:評価値|詰み|深さ|読み筋)=|#(?:形勢|指し手|推奨手)\[")
_REASONS = {
    "入玉": "declaration",
    "入玉宣言": "declaration",
    "反則": "illegal",
    "時間切れ": "time",
    "切れ": "time",
    "不戦": "forfeit",
}
_CAUSES = (None, "反則", "反則負け", "時間切れ", "切れ負け", "不戦敗", "入玉宣言", "投了")
_LONGEST_LINE = 100_000
_SHOWN = 40  # characters of a line that a message shows
_MODEL = "７六歩(77)"


def read(text: str, form: str = "KIF") -> list[Record]:
    """The records of a text in KIF or KI2, one after the other; ``form`` is its name in messages.

    Read leniently: half or full width, old and new names of pieces, moves with numbers or without, numbers or none
    behind ``変化``, ends that only the last line describes, a foul that ended the game and is itself no legal move.
    Lines that are neither move nor header nor end are comments. A game begins where headers, a board or the heading of
    the moves follow moves.

    Raises:
        NotationError: it is neither, or has moves that are not legal; every defect at once, with its line.
    """
    defects = list[str]()
    records = gathered(_games(text, defects))
    if defects:
        raise NotationError(form, defects)
    if not records:
        raise NotationError(form, [_("there is neither a header nor a move in it")])
    return records


def _games(text: str, defects: list[str]) -> Iterator[Record]:
    game, pending = _Game(defects), list[tuple[int, str, str]]()  # headers behind moves: of this game or the next?
    for number, line in lines_of(text):
        if not line:
            continue
        if len(defects) > MOST_DEFECTS:
            return
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


class _Game:
    """A game that is being read, line by line."""

    def __init__(self, defects: list[str]) -> None:
        self.defects = defects
        self.head = Head()
        self.builder: Builder | None = None
        self.played = False  # the lines behind the head have begun
        self.number, self.line = 0, ""  # where the reader is
        self.path: list[int | None] = [0]  # the nodes of the line being read; None from an unreadable move on
        self.first = 1  # the number of the first move
        self.branched = False
        self.gap: tuple[int, str] | None = None  # a variation that begins behind the end of the line before it
        self.foul: tuple[int, str, int] | None = None  # the node before a move that may be one, it, the defects before
        self.ended: str | None = None  # the line for the end of the game, once it has been read
        self.ended_at: int | None = None  # the node before it
        self.result: Result | None = None
        self.word = self.seconds = ""  # of the end
        self.remarks: list[str] = []
        self.length = 0

    @property
    def place(self) -> str:
        return line_words(self.number)

    def read(self, number: int, line: str, bare: str) -> None:
        """Read a line; ``bare`` is the same in half width, without blanks around it."""
        self.number, self.line = number, line.strip()
        if line[0] in "*&" or _SCORED.match(line):
            self._remark(line.removeprefix("*"))
        elif line[0] == "#" or FRAME.fullmatch(bare):
            pass
        elif numbered := _NUMBER.match(bare):
            self._numbered(int(numbered[1]), bare[numbered.end() :])
        elif (ended := _MARKED_END.fullmatch(bare)) and (not ended[1] or _moves_in(ended[1])):
            if ended[1]:
                self._moves(None, _moves_in(ended[1]))
            self._end(ended[2], "", ended[2])
        elif _LIKE_A_MOVE.match(bare) and ((moves := _moves_in(bare)) or _MARK.match(bare)):
            self._moves(None, moves)
        elif branch := _BRANCH.fullmatch(bare):
            self._branch(int(branch[1]), branch[2])
        elif bare.startswith("まで"):
            self._sum(bare)
        elif self.played and not is_header(bare):
            self._remark(self.line)
        else:
            left = None if _LIKE_A_MOVE.match(bare) else self.head.read(line, bare)
            if left is None:
                left = self.line
            if left:
                self._remark(left)

    # --- Comments ---

    def _remark(self, line: str) -> None:
        self.remarks.append(line)
        self.length += len(line) + 1
        if self.length > LONGEST_COMMENT + 1:
            words = _("its comment has more than {most} characters", most=LONGEST_COMMENT)
            raise NotationError(self.place, [words])

    def _say(self) -> None:
        """Put the comment on its node."""
        at = self.path[-1]
        if not self.remarks or at is None or self.builder is None:
            return
        said: dict[str, object] = {"comment": "\n".join(self.remarks)}
        self.remarks, self.length = [], 0
        if at:
            said = said_in(str(said["comment"]), other(self.builder.go(at).turn), self.builder.nodes[at].said)
        self.builder.say(at, self.place, **said)

    # --- Moves ---

    def _begin(self) -> Builder | None:
        """The record to which the lines behind the head belong; ``None`` if the head describes no start."""
        if not self.played:
            self.played = True
            try:
                variant = build(standard())
                self.builder = Builder(variant, self.head.start(variant), self.defects)
            except KomadaiError as error:
                refuse(self.defects, self.place, str(error))
                self.path = [None]
        self._say()
        return self.builder

    def _numbered(self, number: int, rest: str) -> None:
        """Read a line that begins with a number: moves, or an end."""
        if _LIKE_A_MOVE.match(rest):
            self._moves(number, _moves_in(rest))
        elif _WINNER.fullmatch(rest):
            self._sum(f"まで{rest}")
        elif (end := _END.fullmatch(rest)) and (end[1] in ENDS or is_open_end(end[1])):
            self._end(end[1], end["time"] or "", rest)
        elif self.played:
            self.foul = None
            refuse(self.defects, self.place, no_move(self.line[:_SHOWN], _MODEL))
            self.path.append(None)
        else:
            self._remark(self.line)

    def _moves(self, number: int | None, moves: list[re.Match[str]]) -> None:
        builder = self._begin()
        if builder is None:
            return
        self.foul = None
        if not moves:
            refuse(self.defects, self.place, no_move(self.line[:_SHOWN], _MODEL))
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
        ply = number - self.first + 1
        if 1 <= ply < len(self.path):
            self.branched, self.gap = True, None
            del self.path[ply:]
        elif ply != len(self.path) and self.path[-1] is not None and self.gap is None:
            expected = len(self.path) + self.first - 1
            words = _("move {number} cannot follow here; expected move {expected}", number=number, expected=expected)
            refuse(self.defects, self.place, words)
            self.path.append(None)

    def _go_on(self, builder: Builder) -> None:
        """Go on behind the line for an end, if it leaves the game open: then it was but a remark."""
        if self.result is not None:
            refuse(self.defects, self.place, _("there are moves behind the end of the game"))
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
        if side is not None and side != builder.go(at).turn:
            words = _("it is {side} that is to move", side=side_name(builder.go(at).turn))
            refuse(self.defects, place, words)
            node = None
        else:
            node = builder.add(at, partial(find_move, found, builder.nodes[at].move), place)
        if node is None and not self.branched:
            self.foul = (at, text, before)
        elif node is not None and found["time"]:
            self._time(builder, node, found["time"])
        self.path.append(node)

    def _time(self, builder: Builder, node: int, text: str) -> None:
        try:
            builder.say(node, self.place, seconds=seconds_of(text))
        except NotationError as error:
            refuse(self.defects, self.place, str(error))

    def _branch(self, ply: int, rest: str) -> None:
        builder = self._begin()
        if builder is None:
            return
        self.foul, self.gap = None, None
        at = ply - self.first + 1
        if 1 <= at <= len(self.path):
            self.branched = True
            del self.path[at:]
        else:
            self.gap = (ply, self.place)
        if rest:
            self._remark(rest)

    # --- Ends ---

    def _fouled(self, builder: Builder) -> bool:
        """Take the illegal move right before this line for the foul that ended the game, if there is one."""
        if self.foul is None:
            return False
        at, move, before = self.foul
        del self.defects[before:]
        self.path[-1] = at
        self.remarks.insert(0, move)
        self._say()
        self.result, self.foul = Result(other(builder.go(at).turn), "illegal"), None
        return True

    def _end(self, word: str, seconds: str, text: str) -> None:
        builder = self._begin()
        if builder is None or (word in FOULS and self._fouled(builder) and self._over(text, "", seconds)):
            return
        self.foul = None
        if (at := self.path[-1]) is None:
            return
        if self.branched or self.ended is not None:
            self._remark(text)
        else:
            self.result = result_of(word, builder.go(at).turn)
            self._over(text, word, seconds)

    def _over(self, text: str, word: str, seconds: str) -> bool:
        self.ended, self.ended_at = text, self.path[-1]
        self.word = word if is_open_end(word) else ""
        if seconds:
            try:
                self.seconds = f"{seconds_of(seconds):.3f}".rstrip("0").rstrip(".").removeprefix("0")
            except NotationError as error:
                refuse(self.defects, self.place, str(error))
        return True

    def _sum(self, text: str) -> None:
        """Read the line that describes in words how the game ended, and after how many moves."""
        found = _SUM.fullmatch(text)
        assert found is not None
        count, said = found[1], found[2].rstrip("。 ")
        winner = _WINNER.fullmatch(said)
        if winner is None and said not in ENDS and not (count and (not said or is_open_end(said))):
            self._remark(text)
            return
        builder = self._begin()
        if builder is None:
            return
        fouled = "反則" in said and self._fouled(builder)
        if winner is not None and winner[1] not in _CAUSES:
            self._remark(text)
        if self.branched or (at := self.path[-1]) is None:
            self._remark(text)
            return
        self._count(count, fouled or self.ended is not None)
        turn = builder.go(at).turn
        result = result_of(said, turn) if winner is None else _won(winner, turn)
        if fouled or self.ended is not None:
            differs = result is not None and (self.result is None or self.result.winner != result.winner)
            if differs:
                refuse(self.defects, self.place, _("{text} does not fit the line before it", text=repr(text[:_SHOWN])))
            elif result is None and said not in ("", self.word, INTERRUPTED):
                self._remark(text)
            return
        self.result = result
        self._over(text, said if winner is None else "", "")

    def _count(self, count: str | None, ended: bool) -> None:
        """Check how many moves the game is said to have; some programs count the line for its end."""
        read = len(self.path) - 1
        if count is not None and int(count) not in (read, read + self.first - 1, read + ended):
            words = _("says {count} moves; there are {read} before it", count=count, read=read)
            refuse(self.defects, self.place, words)

    def finish(self) -> Iterator[Record]:
        """The record, if there is one without defects."""
        if not (self.played or self.head.begun):
            if self.remarks:
                refuse(self.defects, self.place, _("there is neither a header nor a move in it"))
            return
        builder = self._begin()
        if builder is None:
            return
        if self.gap is not None:
            refuse(self.defects, self.gap[1], _("the line before it has no move {number}", number=self.gap[0]))
        if self.ended and self.ended_at is not None and builder.nodes[self.ended_at].children:
            # A variation that begins beside the end goes on with the main line, where the game ended is a comment.
            builder.say(self.ended_at, self.place, comment=self.ended)
        result = settled(builder, self.result, self.head.result)
        record = builder.finish(self.head.headers.items(), result, place=None)
        if record is not None:
            yield with_end(record, self.word, self.seconds)
        elif hint := self.head.hint():
            refuse(self.defects, HANDICAP, hint)


def is_header(bare: str) -> bool:
    """True for a line such as ``棋戦:A``."""
    name, colon, _rest = bare.partition(":")
    return bool(colon) and name[:1].isalpha() and not bare.startswith("変化") and not _LIKE_A_MOVE.match(bare)


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


def _won(found: re.Match[str], turn: Side) -> Result:
    """The result that a line in words describes."""
    cause, side, how, does = found.groups()
    named: Side = "b" if side in "先下" else "w"
    winner = named if does == "勝" else other(named)
    reasons = (reason for word, reason in _REASONS.items() if word in (cause or "") or word == how)
    return Result(winner, next(reasons, "resign" if winner != turn else "adjudication"))
