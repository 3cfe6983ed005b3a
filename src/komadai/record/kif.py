"""KIF, the format in which Japanese programs keep games of standard shogi.

Main line, variations (``変化：12手``), comments, players, times in whole seconds, handicaps by name and other positions
as drawn boards, and how the game ended. Marks and what engines said have no place in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from typing import Literal

from ..errors import IllegalMoveError, KomadaiError, NotationError
from ..game.position import Position
from ..i18n import _
from ..spec.board import Side, other
from ..spec.move import Move
from ..spec.setup import Piece, Setup
from ..spec.sfen import parse, print_setup
from ..spec.variant import Variant
from ..variants import build, standard
from . import bod
from .bod import DIGITS, HAND_NAMES
from .reader import Builder, line_words, near, no_move
from .tree import Record, Result, header_name, require_standard

_EVEN = "平手"
_OTHER = "その他"
_HEADERS = {
    "先手": "Black",
    "下手": "Black",
    "後手": "White",
    "上手": "White",
    "棋戦": "Event",
    "場所": "Site",
    "開始日時": "Date",
}
_HANDICAP = "手合割"

# How a game ends, from the side that would move next: it loses, it wins, nobody does, or the game is left open.
_ENDS: dict[str, tuple[Literal["loses", "wins", "draw", "open"], str]] = {
    "投了": ("loses", "resign"),
    "詰み": ("loses", "checkmate"),
    "切れ負け": ("loses", "time"),
    "反則負け": ("loses", "illegal"),
    "不戦敗": ("loses", "forfeit"),
    "反則勝ち": ("wins", "illegal"),
    "入玉勝ち": ("wins", "declaration"),
    "千日手": ("draw", "repetition"),
    "持将棋": ("draw", "agreement"),
    "中断": ("open", ""),
    # Read, but not written:
    "詰": ("loses", "checkmate"),
    "時間切れ": ("loses", "time"),
    "反則": ("loses", "illegal"),
    "不戦勝": ("wins", "forfeit"),
    "勝ち宣言": ("wins", "declaration"),
    "入玉宣言": ("wins", "declaration"),
    "引き分け": ("draw", "agreement"),
    "封じ手": ("open", ""),
    "不詰": ("open", ""),
}
_FOUL = ("反則負け", "反則勝ち", "反則")
_LOSES = {"stalemate": "詰み", "perpetual_check": "反則負け"} | {
    reason: word for word, (how, reason) in reversed(_ENDS.items()) if how == "loses"
}
_WINS = {"perpetual_check": "反則勝ち", "illegal": "反則勝ち", "declaration": "入玉勝ち"}

# --- Writing --------------------------------------------------------------------------------------------------------

_SQUARES = "１２３４５６７８９"
_LONG_NAMES = {"+S": "成銀", "+N": "成桂", "+L": "成香"}
_COLUMNS = 14


def write(record: Record) -> str:
    """The record as KIF.

    Raises:
        NotationError: it is of another game than standard shogi.
        KomadaiError: a move is not legal; only of records put together by hand.
    """
    require_standard(record, "KIF")
    handicap = _handicap(record)
    players = ("下手", "上手") if handicap not in (_EVEN, None) else ("先手", "後手")
    names = {"Black": players[0], "White": players[1]} | {
        ours: theirs for theirs, ours in _HEADERS.items() if ours not in ("Black", "White")
    }
    taken = {*_HEADERS, *HAND_NAMES, _HANDICAP}
    lines = ["#KIF version=2.0 encoding=UTF-8"]
    lines += [f"{names.get(name, name)}：{value}" for name, value in record.headers if name not in taken]
    lines += bod.write(record.position(0)) if handicap is None else [f"{_HANDICAP}：{handicap}"]
    lines += ["手数----指手---------消費時間--", *_remarks(record, 0), *_moves(record, players)]
    return "\n".join([*lines, ""])


def _named_starts(variant: Variant) -> dict[str, str | None]:
    """Starts by the names of KIF: ``None`` for the variant's own, else a position string."""
    return {_EVEN: None} | {
        one.kanji: print_setup(variant, parse(variant, one.start), ply=True) for one in variant.handicaps
    }


def _handicap(record: Record) -> str | None:
    """The name of the start, ``None`` if it has none."""
    return next((name for name, start in _named_starts(record.variant).items() if start == record.start), None)


def _remarks(record: Record, number: int) -> Iterator[str]:
    if comment := record.nodes[number].comment:
        yield from (f"*{line}" for line in comment.split("\n"))


def _moves(record: Record, players: tuple[str, str]) -> Iterator[str]:
    """The lines of the moves: the main line, how it ended, then the variations, those that begin last first."""
    plies, words, totals, targets = [0], [""], [0.0], [-1]
    for number, position, move in record.walk():
        node = record.nodes[number]
        plies.append(plies[node.after] + 1)
        words.append(_word(position, move, targets[node.after]))
        targets.append(move.target_point)
        before = record.nodes[node.after].after
        totals.append((node.seconds or 0.0) + (totals[before] if before >= 0 else 0.0))
    waiting = [0]
    while waiting:
        first = waiting.pop()
        if first:
            yield ""
            yield f"変化：{plies[first]}手"
        at = first
        while True:
            if at:
                siblings = record.children(record.nodes[at].after)
                yield _line(plies[at], words[at], record.nodes[at].seconds, totals[at], at != siblings[-1])
                yield from _remarks(record, at)
            if not (children := record.children(at)):
                break
            waiting += reversed(children[1:])
            at = children[0]
        if not first:
            yield from _end(record, plies[at], players)


def _line(ply: int, word: str, seconds: float | None, total: float, branches: bool) -> str:
    width = sum(1 if char.isascii() else 2 for char in word)
    line = f"{ply:>4} {word}{' ' * max(_COLUMNS - width, 1)}"
    if seconds is not None:
        spent, whole = round(seconds), round(total)
        line += f"({spent // 60:>2}:{spent % 60:02}/{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02})"
    return (line + ("+" if branches else "")).rstrip()


def _word(position: Position, move: Move, last: int) -> str:
    """A move as KIF writes it; ``last`` is the point where the one before it ended."""
    variant, target = position.variant, move.target_point
    file, rank = variant.board.file(target), target // variant.board.width
    square = "同　" if target == last else f"{_SQUARES[file - 1]}{DIGITS[rank]}"
    if move.origin_point is None:
        return f"{square}{variant.kind(move.piece or '').kanji}打"
    piece = position.board[move.origin_point]
    assert piece is not None
    kind, start = variant.kind(piece.code), variant.board.name(move.origin_point)
    name = _LONG_NAMES.get(kind.code, kind.kanji)
    promotes = "成" if move.piece != kind.code else ""
    return f"{square}{name}{promotes}({start[0]}{ord(start[1]) - ord('a') + 1})"


def _end(record: Record, plies: int, players: tuple[str, str]) -> Iterator[str]:
    """The line for the end of the game, and the one that describes it in words."""
    black, white = players
    turn = record.position(record.main[-1]).turn
    result = record.result
    if result is None:
        word, said = "中断", "中断"
    elif result.winner is None:
        word = said = "千日手" if result.reason == "repetition" else "持将棋"
    else:
        won = result.winner == turn
        word = (_WINS if won else _LOSES).get(result.reason, "" if won else "投了")
        side, loser = (black, white) if result.winner == "b" else (white, black)
        said = f"{loser}の{word}" if word == "反則負け" else f"{side}の{word if word in _WINS.values() else '勝ち'}"
    if word:
        yield f"{plies + 1:>4} {word}"
    yield f"まで{plies}手で{said}"


# --- Reading --------------------------------------------------------------------------------------------------------

_ASCII = str.maketrans("０１２３４５６７８９（）　", "0123456789() ")
_PIECE = "成?[王玉飛龍竜角馬金銀全桂圭香杏歩と]"
_TIME = r"(?:\(\s*([0-9:.]+)\s*(?:/[0-9:.\s]*)?\))?"
_MOVE = re.compile(
    rf"\s*[0-9]+\s+(?:([1-9])([1-9{DIGITS}])|同)\s*({_PIECE})(打|不?成|生)?"
    rf"\s*(?:\(([0-9])([0-9])\))?\s*{_TIME}\s*[+*]?\s*"
)
_WORD = re.compile(r"\s*[0-9]+\s+(\S+?)\s*(?:\(.*)?")
_BRANCH = re.compile(r"変化[：:]\s*([0-9]{1,5})手?.*")
_SUM = re.compile(r"\s*まで.*?(?:([先下後上])手の(?:入玉|反則)?(勝|負).*)?")
_PLY = re.compile(r".*手数[＝=]\s*([0-9]{1,5}).*")


@dataclass(slots=True)
class _Head:
    """The lines before the moves: headers and the start position."""

    headers: dict[str, str] = field(default_factory=dict)
    handicap: str | None = None
    rows: list[str] = field(default_factory=list)
    hands: dict[Side, str] = field(default_factory=dict)
    turn: Side = "b"
    ply: int = 1
    comment: list[str] = field(default_factory=list)


def read(text: str) -> list[Record]:
    """The record of a KIF text, alone in a list.

    Read leniently: half or full width, old and new names of pieces, numbers or none behind ``変化``, ends that only the
    last line describes, a foul that ended the game and is itself no legal move.

    Raises:
        NotationError: it is no KIF, or has moves that are not legal; every defect at once, with its line.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    variant, defects = build(standard()), list[str]()
    head, first = _read_head(lines)
    if first == len(lines) and not (head.headers or head.handicap or head.rows):
        raise NotationError("KIF", [_("there is neither a header nor a move in it")])
    try:
        builder = Builder(variant, _start(variant, head), defects)
    except KomadaiError as error:
        raise NotationError("KIF", [str(error)]) from None
    builder.say(0, line_words(1), comment="\n".join(head.comment))
    result = _Body(builder, lines, first).read()
    record = builder.finish(head.headers.items(), result, place=None)
    if record is None:
        raise NotationError("KIF", defects)
    return [record]


def _read_head(lines: list[str]) -> tuple[_Head, int]:
    """Read the lines before the moves; also return the index of the first line of moves."""
    head = _Head()
    for index, line in enumerate(lines):
        bare = line.translate(_ASCII).strip()
        if line.startswith("*"):
            head.comment.append(line[1:])
        elif line.startswith(("#", "&")) or not bare or bare.startswith("手数--"):
            continue
        elif bare.startswith("|"):
            head.rows.append(bare)
        elif _BRANCH.fullmatch(bare) or _WORD.fullmatch(bare) or (bare.startswith("まで") and "手で" in bare):
            return head, index
        elif found := re.match(r"([^：:]*)[：:](.*)", line):
            _read_header(head, found[1].strip(), found[2].strip())
        elif bare in ("後手番", "上手番"):
            head.turn = "w"
        elif ply := _PLY.fullmatch(bare):
            head.ply = max(int(ply[1]) + 1, 1)
    return head, len(lines)


def _read_header(head: _Head, name: str, value: str) -> None:
    if name == _HANDICAP:
        head.handicap = value
    elif name in HAND_NAMES:
        head.hands[HAND_NAMES[name]] = value
    elif kept := header_name(_HEADERS.get(name, name)):
        head.headers[kept] = value


def _start(variant: Variant, head: _Head) -> str | Setup | None:
    if head.rows:
        return bod.read(variant, head.rows, head.hands, head.turn, head.ply)
    name = head.handicap or _EVEN
    starts = _named_starts(variant)
    if name not in starts:
        known = "、".join(starts)
        words = _("needs a board diagram; the starts known by name are {names}", names=known)
        raise NotationError(f"{_HANDICAP} {name[:20]}", [words])
    return starts[name]


class _Body:
    """The lines from the first move on."""

    def __init__(self, builder: Builder, lines: list[str], first: int) -> None:
        self.builder, self.lines, self.first = builder, lines, first
        self.path: list[int | None] = [0]  # the nodes of the line being read; None from an unreadable move on
        self.result: Result | None = None
        self.ended = False  # the line for the end of the game has been read
        self.branched = False

    def read(self) -> Result | None:
        """Add the moves to the record; return the result."""
        for index in range(self.first, len(self.lines)):
            line, place = self.lines[index], line_words(index + 1)
            if line.startswith("*"):
                if (at := self.path[-1]) is not None and not self.lines[index - 1].startswith("*"):
                    remarks = takewhile(lambda line: line.startswith("*"), self.lines[index:])
                    self.builder.say(at, place, comment="\n".join(remark[1:] for remark in remarks))
                continue
            if line.startswith(("#", "&")):
                continue
            bare = line.translate(_ASCII)
            if branch := _BRANCH.fullmatch(bare.strip()):
                self._branch(int(branch[1]), place)
            elif move := _MOVE.fullmatch(bare):
                self._move(move, line.strip(), place, index)
            elif (word := _WORD.fullmatch(bare)) and word[1] in _ENDS:
                self._end(word[1])
            elif (summed := _SUM.fullmatch(bare)) and summed[1]:
                self._summed("b" if (summed[1] in "先下") == (summed[2] == "勝") else "w")
            elif word:
                self.builder.refuse(place, no_move(line.strip()[:40], "７六歩(77)"))
                self.path.append(None)
        return self.result

    def _branch(self, ply: int, place: str) -> None:
        self.branched = True
        if not 1 <= ply <= len(self.path):
            self.builder.refuse(place, _("the line before it has no move {number}", number=ply))
            self.path.append(None)
        else:
            del self.path[ply:]

    def _move(self, found: re.Match[str], line: str, place: str, index: int) -> None:
        at = self.path[-1]
        if at is None:
            self.path.append(None)
            return
        before = len(self.builder.defects)
        node = self.builder.add(at, partial(_find, found, self.builder.nodes[at].move), near(place, line[:40]))
        if node is None and not self.branched and self._foul_follows(index):
            del self.builder.defects[before:]
            self.builder.say(at, place, comment=line)
            self.result, self.ended = Result(other(self.builder.go(at).turn), "illegal"), True
        elif node is not None and found[7]:
            self.builder.say(node, place, seconds=_seconds(found[7]))
        self.path.append(node)

    def _foul_follows(self, index: int) -> bool:
        """True if a foul right after a line ends the game."""
        for line in self.lines[index + 1 :]:
            if not line.startswith(("*", "#", "&")) and line.strip():
                word = _WORD.fullmatch(line.translate(_ASCII))
                return word is not None and word[1] in _FOUL
        return False

    def _end(self, word: str) -> None:
        at = self.path[-1]
        if self.branched or self.ended or at is None:
            return
        how, reason = _ENDS[word]
        turn = self.builder.go(at).turn
        winners: dict[str, Side | None] = {"loses": other(turn), "wins": turn, "draw": None}
        self.result = None if how == "open" else Result(winners[how], reason)
        self.ended = True

    def _summed(self, winner: Side) -> None:
        """Read the last line, which names the winner; the reason stands there in words only."""
        if not (self.branched or self.ended):
            self.result, self.ended = Result(winner, "adjudication"), True


def _seconds(text: str) -> float:
    """``0:16``, ``1:02:03`` or ``12.5`` as seconds."""
    seconds = 0.0
    for part in text.split(":"):
        try:
            seconds = seconds * 60 + float(part[:9] or 0)
        except ValueError:
            return 0.0
    return min(seconds, 10.0**8)


def _find(found: re.Match[str], last: Move | None, position: Position) -> Move:
    """The legal move of a line; ``last`` is the one before it, whose target ``同`` refers to."""
    file, rank, name, does, from_file, from_rank, _time = found.groups()
    if file is None and last is None:
        raise NotationError("同", [_("there is no move before it")])
    target = last.target if file is None and last else f"{file}{_letter(rank)}"
    code = bod.kanji(position.variant).get(name)
    if code is None:
        raise NotationError(name, [_("is not a piece of this game")])
    promotes = "+" if does == "成" else ""
    if does == "打" or from_file == "0":
        return position.parse_move(f"{code}*{target}")
    if from_file is not None:
        start = f"{from_file}{_letter(from_rank)}"
        stands = position.piece_at(start)
        if stands != Piece(position.turn, code):
            if stands is None:
                raise IllegalMoveError(_("{piece} does not stand on {at}, which is empty", piece=name, at=start))
            other = position.variant.kind(stands.code).kanji
            words = _("{piece} does not stand on {at}, which holds {other}", piece=name, at=start, other=other)
            raise IllegalMoveError(words)
        return position.parse_move(f"{start}{target}{promotes}")
    fitting = [move for move in position.legal_moves() if _fits(position, move, code, target, promotes)]
    fitting = [move for move in fitting if not move.is_drop] or fitting
    if len(fitting) != 1:
        raise IllegalMoveError(
            _(
                "{count} pieces {piece} can go to {at}; expected a start square, as in (77)",
                count=len(fitting),
                piece=name,
                at=target,
            )
        )
    return fitting[0]


def _fits(position: Position, move: Move, code: str, target: str, promotes: str) -> bool:
    piece = None if move.origin_point is None else position.board[move.origin_point]
    return (
        (move.piece if piece is None else piece.code) == code
        and move.target == target
        and (move.piece != code) == bool(promotes)
    )


def _letter(rank: str) -> str:
    """The letter of a rank, from a digit or a kanji."""
    number = int(rank) if rank.isdigit() and rank.isascii() else DIGITS.index(rank) + 1
    return chr(ord("a") + max(number, 1) - 1)
