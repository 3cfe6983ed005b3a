"""CSA, the format in which programs for standard shogi keep and exchange games
(http://www2.computer-shogi.org/protocol/record_v22.html, and record_v3.html for what came later).

The main line, comments, players, times in whole seconds, any start, and how the game ended. Variations, marks, what
engines said and the number of the first move have no place in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from ..errors import IllegalMoveError, KomadaiError, NotationError
from ..game.position import Position
from ..i18n import _, located
from ..spec.board import SIDES, Side, other
from ..spec.move import Move
from ..spec.setup import Piece, Setup
from ..spec.sfen import parse
from ..spec.variant import Variant
from ..variants import build, standard
from .reader import Builder, line_words, near, no_move
from .tree import Record, Result, header_name, require_standard

_CODES = {
    "P": "FU",
    "L": "KY",
    "N": "KE",
    "S": "GI",
    "G": "KI",
    "B": "KA",
    "R": "HI",
    "K": "OU",
    "+P": "TO",
    "+L": "NY",
    "+N": "NK",
    "+S": "NG",
    "+B": "UM",
    "+R": "RY",
}
_KINDS = {theirs: ours for ours, theirs in _CODES.items()}
_SIGNS: dict[Side, str] = {"b": "+", "w": "-"}
_SIDES: dict[str, Side] = {sign: side for side, sign in _SIGNS.items()}
_HEADERS = {
    "EVENT": "Event",
    "SITE": "Site",
    "START_TIME": "Date",
    "END_TIME": "End time",
    "TIME_LIMIT": "Time limit",
    "OPENING": "Opening",
}
_KEYWORDS = {ours: theirs for theirs, ours in _HEADERS.items()}
_PLAYERS = {"N+": "Black", "N-": "White"}

# How a game ends, from the side that would move next, as in KIF.
_ENDS: dict[str, tuple[Literal["loses", "wins", "draw", "open"], str]] = {
    "TORYO": ("loses", "resign"),
    "TSUMI": ("loses", "checkmate"),
    "TIME_UP": ("loses", "time"),
    "ILLEGAL_MOVE": ("loses", "illegal"),
    "KACHI": ("wins", "declaration"),
    "SENNICHITE": ("draw", "repetition"),
    "JISHOGI": ("draw", "agreement"),
    "CHUDAN": ("open", ""),
    # Read, but not written:
    "HIKIWAKE": ("draw", "agreement"),
    "MATTA": ("open", ""),
    "FUZUMI": ("open", ""),
    "ERROR": ("open", ""),
}
_FOULS = {
    "+ILLEGAL_ACTION": "b",
    "-ILLEGAL_ACTION": "w",
}  # by side: it has committed the foul, whichever side is to move
_LOSES = {"stalemate": "TSUMI", "perpetual_check": "ILLEGAL_MOVE"} | {
    reason: word for word, (how, reason) in _ENDS.items() if how == "loses"
}


# --- Writing --------------------------------------------------------------------------------------------------------


def write(records: Sequence[Record]) -> str:
    """The main lines of records as CSA.

    Raises:
        NotationError: one is of another game than standard shogi.
        KomadaiError: a move is not legal; only of records put together by hand.
    """
    for record in records:
        require_standard(record, "CSA")
    return "'CSA encoding=UTF-8\nV2.2\n" + "/\n".join(map(_written, records))


def _written(record: Record) -> str:
    names = [f"{sign}{value}" for sign, ours in _PLAYERS.items() if (value := record.header(ours))]
    names += [f"${_KEYWORDS[name]}:{value}" for name, value in record.headers if name in _KEYWORDS]
    return "\n".join([*names, *_board(record), *_moves(record), ""])


def _board(record: Record) -> Iterator[str]:
    """The lines of the start."""
    position = record.position(0)
    if record.start is None:
        yield "PI"
    else:
        board, width = position.board, position.variant.board.width
        for rank, start in enumerate(range(0, len(board), width), 1):
            yield f"P{rank}" + "".join(
                " * " if piece is None else _SIGNS[piece.side] + _CODES[piece.code]
                for piece in board[start : start + width]
            )
        for side in SIDES:
            held = [f"00{_CODES[code]}" * count for code, count in position.hand(side).items()]
            if held:
                yield f"P{_SIGNS[side]}{''.join(held)}"
    yield _SIGNS[position.turn]


def _remarks(comment: str) -> Iterator[str]:
    if comment:
        yield from (f"'*{line}" for line in comment.split("\n"))


def _moves(record: Record) -> Iterator[str]:
    """The lines of the moves, and how it ended."""
    yield from _remarks(record.nodes[0].comment)
    position = record.position(0)
    for number in record.main[1:]:
        node = record.nodes[number]
        move = position.parse_move(node.move)
        start = "00" if move.origin_point is None else _square(position.variant, move.origin_point)
        yield f"{_SIGNS[position.turn]}{start}{_square(position.variant, move.target_point)}{_CODES[move.piece or '']}"
        if node.seconds is not None:
            yield f"T{round(node.seconds)}"
        yield from _remarks(node.comment)
        position.push(move)
    if word := _word(record.result, position.turn):
        yield f"%{word}"


def _square(variant: Variant, point: int) -> str:
    """A square as file and rank."""
    return f"{variant.board.file(point)}{point // variant.board.width + 1}"


def _word(result: Result | None, turn: Side) -> str:
    """The word for the end of a game in which that side is to move; empty where CSA has none."""
    if result is None:
        return "CHUDAN"
    if result.winner is None:
        return "SENNICHITE" if result.reason == "repetition" else "JISHOGI"
    if result.winner != turn:
        return _LOSES.get(result.reason, "TORYO")
    if result.reason in ("illegal", "perpetual_check"):
        return f"{_SIGNS[other(turn)]}ILLEGAL_ACTION"
    return "KACHI" if result.reason == "declaration" else ""


# --- Reading --------------------------------------------------------------------------------------------------------

_MOVE = re.compile(r"([+-])([0-9]{2})([1-9]{2})([A-Z]{2})")
_TIME = re.compile(r"T([0-9]{1,9}(?:\.[0-9]{1,9})?)")
_CELL = re.compile(r"\s*(?:([+-])([A-Z]{2})|\*)")
_PLACED = re.compile(r"([0-9]{2})([A-Z]{2})")
_REST = "AL"
_LONGEST = 40  # characters of a line that a message shows
_MODEL = "+7776FU"


@dataclass(slots=True)
class _Game:
    """The statements of one game, each with its place."""

    headers: dict[str, str] = field(default_factory=dict)
    start: list[tuple[str, str]] = field(default_factory=list)
    turn: Side | None = None
    moves: list[tuple[str, str]] = field(default_factory=list)


def read(text: str) -> list[Record]:
    """The records of a CSA text, separated by lines ``/``.

    Read leniently: several statements in a line, decimals of seconds, moves without the line for the side that begins,
    a foul that ended the game and is itself no legal move.

    Raises:
        NotationError: it is no CSA, or has moves that are not legal; every defect at once, with its line.
    """
    defects: list[str] = []
    games = _games(text, defects)
    if not games and not defects:
        raise NotationError("CSA", [_("there is neither a position nor a move in it")])
    records = [_record(game, defects) for game in games]
    if defects:
        raise NotationError("CSA", defects)
    return [record for record in records if record is not None]


def _statements(text: str) -> Iterator[tuple[str, str]]:
    """The statements and remarks of a text, each with its place."""
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        whole = line.startswith(("'", "N", "$", "P", "V"))  # a comma may stand in them
        for said in [line] if whole else map(str.strip, line.split(",")):
            if said.strip():
                yield said, line_words(number)


def _games(text: str, defects: list[str]) -> list[_Game]:
    """The statements, game by game."""
    games, game = list[_Game](), _Game()
    for said, place in _statements(text):
        if said == "/":
            games.append(game)
            game = _Game()
        elif said[:2] in _PLAYERS:
            game.headers[_PLAYERS[said[:2]]] = said[2:]
        elif said.startswith("$") and ":" in said:
            name, _colon, value = said[1:].partition(":")
            if kept := header_name(_HEADERS.get(name, name.capitalize().replace("_", " "))):
                game.headers[kept] = value
        elif re.match(r"P[1-9I+-]", said):
            game.start.append((said, place))
        elif said in _SIDES:
            game.turn = _SIDES[said]
        elif said.startswith("'*") and game.moves and game.moves[-1][0].startswith("'*"):
            game.moves[-1] = (f"{game.moves[-1][0]}\n{said[2:]}", game.moves[-1][1])
        elif said.startswith(("+", "-", "%", "T", "'*")):
            if said[0] in _SIDES and game.turn is None:
                game.turn = _SIDES[said[0]]
            game.moves.append((said, place))
        elif not said.startswith(("'", "V")):
            defects.append(located(place, no_move(said[:_LONGEST], _MODEL)))
    games.append(game)
    return [game for game in games if game.start or game.moves]


def _record(game: _Game, defects: list[str]) -> Record | None:
    variant = build(standard())
    place = game.start[0][1] if game.start else _("start")
    try:
        builder = Builder(variant, _setup(variant, game), defects)
    except KomadaiError as error:
        defects.append(located(place, error))
        return None
    body = _Body(builder, game.moves)
    result = body.read()
    return builder.finish(game.headers.items(), result, place=None)


class _Body:
    """The statements from the first move on."""

    def __init__(self, builder: Builder, moves: list[tuple[str, str]]) -> None:
        self.builder, self.moves = builder, moves
        self.at: int | None = 0  # the node reached; None from an unreadable move on
        self.result: Result | None = None

    def read(self) -> Result | None:
        """Add the moves to the record; return the result."""
        for index, (said, place) in enumerate(self.moves):
            if self.at is None:
                break
            if found := _MOVE.fullmatch(said):
                self._move(self.at, found, index)
            elif said.startswith("'*"):
                self.builder.say(self.at, place, comment=said[2:])
            elif found := _TIME.fullmatch(said):
                self.builder.say(self.at, place, seconds=min(float(found[1]), 10.0**8))
            elif said.startswith("%") and (said[1:] in _ENDS or said[1:] in _FOULS):
                self._end(self.at, said[1:])
            else:
                self.builder.refuse(place, no_move(said[:_LONGEST], _MODEL))
        return self.result

    def _move(self, at: int, found: re.Match[str], index: int) -> None:
        said, place = self.moves[index]
        before = len(self.builder.defects)
        node = self.builder.add(at, partial(_find, found), near(place, said))
        if node is None and self._foul_follows(index):
            del self.builder.defects[before:]
            self.builder.say(at, place, comment=said)
        else:
            self.at = node

    def _foul_follows(self, index: int) -> bool:
        """True if a foul right after a move ends the game."""
        following = (said for said, _ in self.moves[index + 1 :] if not said.startswith(("T", "'")))
        return next(following, "")[1:] in ("ILLEGAL_MOVE", *_FOULS)

    def _end(self, at: int, word: str) -> None:
        turn = self.builder.go(at).turn
        if word in _FOULS:
            self.result = Result(other(_SIDES[word[0]]), "illegal")
            return
        how, reason = _ENDS[word]
        winners: dict[str, Side | None] = {"loses": other(turn), "wins": turn, "draw": None}
        self.result = None if how == "open" else Result(winners[how], reason)


def _find(found: re.Match[str], position: Position) -> Move:
    """The legal move of a statement."""
    sign, start, end, code = found.groups()
    board, kind = position.variant.board, _kind(code)
    if _SIDES[sign] != position.turn:
        raise IllegalMoveError(_("it is {sign} that is to move", sign=_SIGNS[position.turn]))
    target = _name(end)
    if start == "00":
        return position.parse_move(f"{kind}*{target}")
    origin = _name(start) if "0" not in start else ""
    stands = position.piece_at(origin) if board.find(origin) is not None else None
    if stands is None or stands.side != position.turn:
        raise IllegalMoveError(_("there is no piece of the side to move on {at}", at=start))
    if kind not in (stands.code, f"+{stands.code}"):
        there = _CODES[stands.code]
        raise IllegalMoveError(_("{piece} stands on {at} and cannot become {other}", piece=there, at=start, other=code))
    return position.parse_move(f"{origin}{target}{'' if kind == stands.code else '+'}")


def _kind(code: str) -> str:
    if code not in _KINDS:
        raise NotationError(code, [_("is not a piece; choose from {pieces}", pieces=" ".join(_KINDS))])
    return _KINDS[code]


def _name(square: str) -> str:
    """``77`` as ``7g``."""
    return f"{square[0]}{chr(ord('a') + int(square[1]) - 1)}"


def _setup(variant: Variant, game: _Game) -> Setup | None:
    """The position that the statements of the start describe; ``None`` for the variant's own.

    Raises:
        NotationError: they describe none; every defect at once.
    """
    own = parse(variant, variant.start)
    turn, statements = game.turn or own.turn, [said.strip() for said, _ in game.start]
    if statements in ([], ["PI"]) and turn == own.turn:
        return None
    drawn = statements and not any(said.startswith("PI") for said in statements)
    board = [None if drawn else piece for piece in own.board]
    defects: list[str] = []
    hands: dict[Side, dict[str, int]] = {side: dict.fromkeys(variant.hand_order, 0) for side in SIDES}
    for said, place in game.start:
        own_defects = list(_placed(variant, said, board, hands))
        defects += [located(place, defect) for defect in own_defects]
    if defects:
        raise NotationError(_("start"), defects)
    black, white = (tuple(hands[side].values()) for side in SIDES)
    return Setup(tuple(board), (black, white), turn)


def _placed(variant: Variant, said: str, board: list[Piece | None], hands: dict[Side, dict[str, int]]) -> Iterator[str]:
    """Place the pieces of one statement of the start; yield its defects."""
    width, what, rest = variant.board.width, said[1], said[2:]
    if what.isdigit():
        cells = _cells(rest)
        if cells is None or len(cells) != width:
            yield _(
                "cannot read the rank {text}; expected {wanted} squares, as in P2 * -HI * and so on",
                text=repr(said[:_LONGEST]),
                wanted=width,
            )
            return
        for column, (sign, code) in enumerate(cells):
            if code and code not in _KINDS:
                yield _("{piece} is not a piece; choose from {pieces}", piece=code, pieces=" ".join(_KINDS))
            else:
                start = (int(what) - 1) * width
                board[start + column] = Piece(_SIDES[sign], _KINDS[code]) if code else None
        return
    if _PLACED.sub("", rest.strip()):
        shown = repr(said[:_LONGEST])
        yield _("cannot read {text}; expected squares and pieces, as in P-00FU or PI82HI", text=shown)
        return
    for square, code in _PLACED.findall(rest):
        at = None if "0" in square else variant.board.find(_name(square))
        if what == "I":
            stands = None if at is None else board[at]
            if at is None or stands is None or _CODES[stands.code] != code:
                yield _("there is no {piece} on {at} to be taken away", piece=code, at=square)
            else:
                board[at] = None
        elif square == "00" and code == _REST:
            _hold_the_rest(variant, board, hands, _SIDES[what])
        elif square == "00" and _KINDS.get(code) in variant.hand_order:
            hands[_SIDES[what]][_KINDS[code]] += 1
        elif at is None or code not in _KINDS:
            yield _("{text} is not a piece on a square or in hand", text=square + code)
        else:
            board[at] = Piece(_SIDES[what], _KINDS[code])


def _cells(text: str) -> list[tuple[str, str]] | None:
    """Sign and piece of the squares of a rank, empty for none; ``None`` if it cannot be read."""
    cells, at = list[tuple[str, str]](), 0
    text = text.rstrip()
    while at < len(text):
        found = _CELL.match(text, at)
        if found is None:
            return None
        cells.append((found[1] or "", found[2] or ""))
        at = found.end()
    return cells


def _hold_the_rest(variant: Variant, board: list[Piece | None], hands: dict[Side, dict[str, int]], side: Side) -> None:
    """Put the pieces of the game that are neither on the board nor in a hand into a side's hand."""
    start = parse(variant, variant.start)
    for code in variant.hand_order:
        family = (code, f"+{code}")
        there, stands = (sum(piece is not None and piece.code in family for piece in at) for at in (start.board, board))
        hands[side][code] += max(there - stands - sum(held[code] for held in hands.values()), 0)
