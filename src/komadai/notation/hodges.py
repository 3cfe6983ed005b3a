"""Moves as players write them: ``P-7f``, ``Bx2b+``, ``G6i-5h``, ``CS1b-2a=D``, ``P*5e``, ``SWx!8h``, ``LB-8k*8h``.

This is the notation of the sections "Notation" of docs/rules, on the squares and codes of docs/rules/README.md::

    PIECE [START] (- | x | *) SQUARE [+ | = | =CODE]

The piece is named as it stands before the move, a dropped one by the face it shows. The start square is there only if
another piece of the same kind could legally do the same: go to that square and be the same kind there. At the end
stands what the move makes of the piece: ``+`` if it turns over, ``=`` if it could and does not, ``=CODE`` if it becomes
another kind, by choice or by force; nothing if it leaves the game where it lands. What it chose stands there instead
where rules make the same of it whatever it chooses.

A turn of several landings or with shots says more between the piece and its end::

    PIECE [START] (- SQUARE | x SQUARE | -- | * SQUARE)... [+ | = | =CODE]

- ``-`` and ``x`` lead to each landing in order, ``*`` is a shot from the landing before it: ``+Bx8hx8g-8f``,
  ``FC-8k*8h*9k``, ``+TP-8e*8d-10e*11f``.
- Left out are landings on the way that neither capture nor shoot, so a turn that does neither is its end alone,
  ``SW-8g``. Only where one piece can come to the same in two ways with different outcome are they all written:
  ``+SM-8e-10g``, when ``+SM-10g`` goes straight there or is none.
- ``--`` is the start itself, come back to or never left: ``SW--`` changes nothing, ``+TP--*9f`` shoots once it is back,
  ``LB--*8h`` shoots where it stands.
- ``!`` before the last victim's square is ``--`` behind it, for captures without moving: ``SWx!8h``, ``+TP-8e*!8d``.

Which squares are captured on, shot at and ended on, and what stands in the end, is always said. The start and the
landings left out are those that add nothing to it: a text is one move, for each legal move of a position another.
All of it follows from the legal moves of the position; no game is known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from ..errors import NotationError
from ..game.position import Position
from ..i18n import _
from ..reference import occupied
from ..reference.compound import CompoundMoves, State
from ..reference.explain import bad_move, fault, illegal, move_strings, no_such_square, reference_of, several
from ..spec.board import Rect
from ..spec.logic import is_compound
from ..spec.move import Landing, Move
from ..spec.names import kind_name, no_such_piece, owned_name, side_name
from ..typed import typed
from .landings import START, Board, Way, best, chosen, declining, goes, shots_of, telling, victims_of, way_from, way_of

_LONGEST = 60
_DIGITS_ONLY = 9  # the most files and ranks for which two digits name a square
_SHOWN = 4
_CHOICES = 12
_SQUARE = "[0-9]{1,2}[a-z]|[0-9]{2}"
_STEP = rf"--|[-x*']!?(?:{_SQUARE})|!(?:{_SQUARE})"
# A name is the letters up to a square or a sign, so a longer code always goes before a shorter one. An x right before
# a square is the sign of capture, unless that square is a start and the sign follows it; see _parts for what is left.
_CODE = r"\+?[A-Z]+"
_FORM = rf"({_CODE})({_SQUARE})?((?:{_STEP})+)(\+|=(?:{_CODE})?)?(?:\s*[!?]{{1,2}})?"
_STRICT = re.compile(_FORM, re.ASCII)
"""The form of texts as they are written, where the small x is no letter of a code."""
_TEXT = re.compile(_FORM, re.ASCII | re.IGNORECASE)
_PLAIN = re.compile(rf"[-x*'](?:{_SQUARE})", re.ASCII | re.IGNORECASE)
_STEPS = re.compile(_STEP, re.ASCII | re.IGNORECASE)


def _before(board: Board, move: Move) -> str | None:
    """The kind the move is named after: what stood on its start, or what is dropped."""
    piece = None if move.origin_point is None else board[move.origin_point]
    return piece.code if piece else move.piece


class _Clues(NamedTuple):
    """The parts of a text that names a move.

    Attributes:
        text: the text itself, for messages.
        kind: the piece it names.
        origin: where it starts; ``None`` if the text does not say.
        drops: whether it comes from the hand.
        way: the landings it names, the last of them the end; ``START`` is the start.
        result: what it is afterwards; ``None`` if the text does not say.
    """

    text: str
    kind: str | None
    origin: int | None
    drops: bool
    way: Way
    result: str | None

    @property
    def said(self) -> str | None:
        """The end of a move string for what was chosen by the text; ``None`` if it does not say."""
        if self.result is None:
            return None
        return _end(self.kind, self.result) if self.result != self.kind else ""

    def fit(self, board: Board, move: Move) -> bool:
        """True if the move fits the text. ``-`` and ``x`` follow from the board and are not compared.

        Landings may be left out unless they capture; a shot may be named after another landing.
        """
        return self.goes(board, move) and self.result in (None, move.piece)

    def goes(self, board: Board, move: Move) -> bool:
        """The same, whatever becomes of the piece."""
        return (
            (move.is_drop, _before(board, move)) == (self.drops, self.kind)
            and self.origin in (None, move.origin_point)
            and goes(board, move, self.way)
        )


def _fitting(board: Board, clues: _Clues, legal: Iterable[Move]) -> list[Move]:
    """The moves that fit best; what the text says of the piece's end is what it chose, or what it then is."""
    able = [move for move in legal if clues.goes(board, move)]
    if clues.said is None:
        return best(board, able, clues.way, None)
    choosing = [move for move in able if chosen(move) == clues.said] if clues.said else declining(able)
    fitting = [move for move in able if clues.result == move.piece or move in choosing]
    return best(board, fitting, clues.way, (clues.said,))


def _end(before: str | None, after: str) -> str:
    """The end of a text for a piece that becomes another kind."""
    return "+" if after == f"+{before}" else f"={after}"


# --- Writing --------------------------------------------------------------------------------------------------------


def _result(board: Board, move: Move, legal: Iterable[Move]) -> str:
    """The end of the text, after the squares."""
    before = _before(board, move)
    if move.piece is None:
        return ""
    if move.piece != before:
        return _end(before, move.piece)
    turned = (move.origin_point, move.target_point, f"+{before}")
    rivals = (other for other in legal if (other.origin_point, other.target_point, other.piece) == turned)
    done = victims_of(board, move), shots_of(way_of(move))
    return "=" if any((victims_of(board, other), shots_of(way_of(other))) == done for other in rivals) else ""


def _steps(board: Rect, move: Move, way: Way, victims: frozenset[int]) -> str:
    """The landings and shots of a way, as they are written."""
    steps, met = list[tuple[str, str]](), set[int]()
    for number, (point, shots) in enumerate(way, 1):
        if number == len(way) and point == move.origin_point:
            steps.append(("--", ""))
        else:
            steps.append(("x" if point in victims - met else "-", board.name(point)))
        met.add(point)
        steps += [("*", board.name(shot)) for shot in shots]
    if len(steps) > 1 and steps[-1][0] == "--" and steps[-2][0] != "-":
        sign, victim = steps[-2]
        steps[-2:] = [(f"{sign}!", victim)]
    return "".join(f"{sign}{square}" for sign, square in steps)


def _written(position: Position, board: Board, move: Move, legal: Iterable[Move]) -> str:
    points, before = position.variant.board, _before(board, move)
    if move.origin_point is None:
        return f"{before}*{move.target}"
    alike = [other for other in legal if _before(board, other) == before]
    start, way, end = "", way_of(move), ""
    ends = dict.fromkeys((_result(board, move, alike), chosen(move) or "="))
    # The last forms have everything that the move string has, and fit no other move.
    for end, way, origin in product(
        ends, dict.fromkeys((telling(board, move), way_of(move))), (None, move.origin_point)
    ):
        start = "" if origin is None else points.name(origin)
        last = Landing(START, way[-1].shots) if move.target_point == move.origin_point else way[-1]
        clues = _Clues("", before, origin, False, (*way[:-1], last), _result_said(before, end))
        if _fitting(board, clues, alike) == [move]:
            break
    return f"{before}{start}{_steps(points, move, way, victims_of(board, move))}{end}"


def _result_said(kind: str | None, end: str) -> str | None:
    """The kind that the end of a text names; ``None`` if it names none."""
    return None if not end else f"+{kind}" if end == "+" else end[1:].upper() or kind


@typed
def write(position: Position, move: Move) -> str:
    """The move in its strict and shortest form; ``position`` is the one it is made in.

    Example:
        >>> from komadai import Position
        >>> position = Position("shogi")
        >>> write(position, position.parse_move("6i5h"))
        'G6i-5h'

    Raises:
        IllegalMoveError: the move is not legal there.
        NotationError: it is a move of another game.
    """
    return _written(position, position.board, position.parse_move(move.text), position.legal_moves())


# --- Reading --------------------------------------------------------------------------------------------------------


def _point(board: Rect, name: str, defects: list[str]) -> int:
    """The point of a square as written, where the board is small enough also with two digits (``76`` for ``7f``).

    A name that is none adds a defect, and the point returned means nothing.
    """
    small = max(board.width, board.height) <= _DIGITS_ONLY
    square = f"{name[0]}{chr(ord('a') + int(name[1]) - 1)}" if small and name.isdigit() else name.lower()
    point = board.find(square)
    if point is None:
        defects.append(no_such_square(board, name))
    return point or 0


def _parts(text: str, known: Sequence[str]) -> tuple[str, str | None, list[str], str | None] | None:
    """The piece, the start, the steps and the end of a text; ``None`` if it is no notation."""
    match = _STRICT.fullmatch(text) or _TEXT.fullmatch(text)
    if match is None:
        return None
    name, start, steps, said = match.groups()
    kind = name.upper()
    if kind not in known and kind[:-1] in known and kind[-1] == "X" and (start or steps[0] == "!"):
        # The x of a capture that more follows, as in SWx8h-8g and SWx!8h.
        kind, start, steps = kind[:-1], None, f"x{start or ''}{steps}"
    return kind, start, _STEPS.findall(steps), said


def _way_told(board: Rect, steps: Iterable[str], defects: list[str]) -> Way:
    """The landings and shots that the steps tell."""
    way, comes_back = list[Landing](), False
    for step in steps:
        comes_back |= "!" in step
        if step == "--":
            way.append(Landing(START))
            continue
        point = _point(board, step.lstrip("-xX*'!"), defects)
        if step[0] in "*'":
            point_before, shots = way.pop() if way else Landing(START)
            way.append(Landing(point_before, (*shots, point)))
        else:
            way.append(Landing(point))
    if comes_back and way[-1].point != START:
        way.append(Landing(START))
    return tuple(way)


def _nonsense(position: Position, text: str) -> NotationError:
    legal = position.legal_moves()
    model = _written(position, position.board, min(legal, key=str), legal) if legal else "P-7f"
    return bad_move(
        text, _("is not a move; expected a piece, then -, x or *, and a square, as in {model}", model=model)
    )


def _clues(position: Position, text: str) -> _Clues:
    """Take the text apart.

    Raises:
        NotationError: it is no notation, or names a piece or square that does not exist; every defect at once.
    """
    variant, text = position.variant, text.strip()
    if len(text) > _LONGEST:
        raise bad_move(f"{text[: _LONGEST - 3]}...", _("is longer than {count} characters", count=_LONGEST))
    known = [kind.code for kind in variant.kinds]
    parts, walks = _parts(text, known), is_compound(variant)
    if parts is None or (not walks and (len(parts[2]) > 1 or not _PLAIN.fullmatch(parts[2][0]))):
        raise _nonsense(position, text)
    kind, start, steps, said = parts
    drops, defects = steps[0][0] in "*'", list[str]()
    if walks and drops:
        drops = _drops(position, steps) and not (start or said)
    result = _result_said(kind, said or "")
    for code in (kind, *([result] if result and said != "+" and result != kind else [])):
        if code not in known:
            defects.append(no_such_piece(variant, code, known))
    if drops and (start or said):
        defects.append(_("a drop has no start square and nothing after its square"))
    origin = _point(variant.board, start, defects) if start else None
    way = _way_told(variant.board, [f"-{steps[0][1:]}"] if drops else steps, defects)
    if defects:
        raise bad_move(text, *defects)
    return _Clues(text, kind, origin, drops, way, result)


def _drops(position: Position, steps: Sequence[str]) -> bool:
    """True if such a step in a game of compound moves is a drop: pieces are dropped where nothing stands, and shoot
    where something does."""
    if len(steps) > 1 or not position.variant.hand_order or "!" in steps[0]:
        return False
    return position.board[_point(position.variant.board, steps[0][1:], [])] is None


def _string(board: Rect, clues: _Clues, origin: int) -> str:
    """The move string of the compound move in the text, for the piece that starts there."""
    name, stands = board.name, clues.way[0].point == START and clues.way[0].shots
    steps = [
        ("" if stands and not number else name(point)) + "".join(f"*{name(shot)}" for shot in shots)
        for number, (point, shots) in enumerate(way_from(origin, clues.way))
    ]
    turned = clues.result not in (None, clues.kind)
    suffix = "" if not turned else "+" if clues.result == f"+{clues.kind}" else f"={clues.result}"
    return f"{name(origin)}{''.join(steps)}{suffix}"


def _turn_fault(position: Position, board: Board, clues: _Clues, legal: Iterable[Move], origin: int) -> str:
    """The reason why no compound move of the piece that starts there fits."""
    variant = position.variant
    name, end = kind_name(variant.kind(clues.kind or "")), way_from(origin, clues.way)[-1].point
    shots, named = shots_of(clues.way), {landing.point for landing in way_from(origin, clues.way)}
    there = [move for move in legal if (move.origin_point, move.target_point) == (origin, end)]
    able = [move for move in there if clues._replace(result=None).fit(board, move)]
    if able:
        if clues.result and any(move.piece is None for move in able):
            return _("the {piece} leaves the game there and cannot end as {code}", piece=name, code=clues.result)
        return _("the {piece} cannot end as {code} there", piece=name, code=clues.result)
    ways = [telling(board, move) for move in there if shots_of(way_of(move)) == shots]
    unsaid = [[point for point, _shot in way if board[point] and point not in {*named, origin}] for way in ways]
    if unsaid and all(unsaid):
        fewest = ", ".join(map(variant.board.name, min((len(points), points) for points in unsaid)[1]))
        return _("on its way it captures on {squares}, which must be written", squares=fewest)
    never = shots.difference(*(shots_of(way_of(move)) for move in there))
    if never and there and all(len(way_of(move)) > len(clues.way) for move in there):
        square = variant.board.name(min(never))
        return _("no turn of the {piece} that ends there shoots at {at}", piece=name, at=square)
    if clues.way == (Landing(START),):
        return _("the {piece} cannot come back to its start in this turn", piece=name)
    return _reason(position, _string(variant.board, clues, origin))


def _reason(position: Position, string: str) -> str:
    """The reason why a move string is not legal."""
    return fault(position.variant, position.setup(), string) or _("{move} is legal", move=string)


def _fault(position: Position, board: Board, clues: _Clues, legal: Iterable[Move]) -> str:
    """The reason why no legal move fits."""
    variant, mover, target = position.variant, side_name(position.turn), clues.way[-1].point
    name, square = kind_name(variant.kind(clues.kind or "")), variant.board.name
    all_starts = [point for point, piece in enumerate(board) if piece == (position.turn, clues.kind)]
    starts = [point for point in all_starts if clues.origin in (None, point)]
    able = {move.origin_point for move in legal if clues._replace(result=None).fit(board, move)}
    starts = [point for point in starts if point in able] or starts
    if clues.drops:
        string = f"{clues.kind}*{square(target)}"
    elif clues.origin is not None and not starts:
        there, at = board[clues.origin], square(clues.origin)
        if there is None:
            return _("{at} is empty", at=at)
        return _("{at} holds {piece}", at=at, piece=owned_name(there.side, variant.kind(there.code)))
    elif not starts:
        return _("{side} has no {piece} on the board", side=mover, piece=name)
    elif len(starts) > 1:
        named = {"side": mover, "count": len(all_starts), "code": clues.kind}
        if target == START:
            return _("none of {side}'s {count} pieces {code} can come back to its start like that", **named)
        return _("none of {side}'s {count} pieces {code} can go to {at} like that", at=square(target), **named)
    elif is_compound(variant):
        return _turn_fault(position, board, clues, legal, starts[0])
    else:
        strings = move_strings(position.variant, position.setup(), starts[0], target)
        if clues.result not in (None, *strings) and able:
            return _("the {piece} cannot end as {code} there", piece=name, code=clues.result)
        string = strings.get(clues.result or clues.kind or "") or next(iter(strings.values()))
    return _reason(position, string)


def _nearest(position: Position, board: Board, clues: _Clues, legal: Iterable[Move]) -> str:
    """The piece's legal moves that come nearest to the text, for the end of a message."""
    xy = position.variant.board.xy

    def distance(move: Move) -> tuple[bool, int, int, int, str]:
        way = way_from(move.origin_point, clues.way)
        (x, y), (u, v) = xy(move.target_point), xy(way[-1].point)
        away = sorted((abs(x - u), abs(y - v)))
        taken = {point for point, _ in way[:-1] if board[point] and point != move.origin_point}
        amiss = len(taken ^ (victims_of(board, move) - {move.target_point})) + len(
            shots_of(way) ^ shots_of(way_of(move))
        )
        return clues.origin not in (None, move.origin_point), away[1], away[0], amiss, move.text

    near = sorted((move for move in legal if _before(board, move) == clues.kind), key=distance)[:_SHOWN]
    shown = ", ".join(_written(position, board, move, legal) for move in near)
    return _("; nearest legal: {moves}", moves=shown) if near else ""


def _followed(turns: CompoundMoves, board: Board, clues: _Clues, origin: int) -> list[State]:
    """The compound moves of the piece that starts there that follow the text step by step."""
    states = [turns.begin(occupied(board), origin)]
    for number, (point, shots) in enumerate(way_from(origin, clues.way)):
        if number or point != origin or not shots:
            states = [after for state in states for after in turns.legs(state) if after.at == point]
        for shot in shots:
            states = [after for state in states for after in turns.shots(state) if after.way[-1].shots[-1] == shot]
    return states


def _by_other_ways(position: Position, board: Board, clues: _Clues, legal: Iterable[Move]) -> list[Move]:
    """The moves with the same result as the one in the text, which takes another path than their move strings."""
    turns, found = reference_of(position.variant).turns, list[Move]()
    for origin, piece in enumerate(board):
        if turns is None or piece != (position.turn, clues.kind) or clues.origin not in (None, origin):
            continue
        states = _followed(turns, board, clues, origin)
        ends = [(state.at, end) for state in states if turns.may_end(state) for end in turns.ends(state)]
        for move in legal:
            alike = [
                end for at, end in ends if (origin, at, end.kind) == (move.origin_point, move.target_point, move.piece)
            ]
            if alike and clues.result in (None, move.piece):
                after = position.copy()
                after.push(move)
                found += [move] * any(occupied(after.board) == dict(end.pieces) for end in alike)
    if clues.result is None:
        found = [move for move in found if move.piece == clues.kind] or found
    return found


@typed
def read(position: Position, text: str) -> Move:
    """The one legal move of the position that fits the text.

    Read leniently: any case, ``'`` for ``*``, ``-`` and ``x`` for each other, squares in two digits on boards of up to
    9×9, a start square or ``=`` that need not be there, ``!`` and ``?`` behind. What is not said is free, except that
    a piece of whose change nothing is said stays what it is if any that fits can. Of turns of several landings: the
    start's own square for ``--``, ``SW!8h`` for ``SWx!8h``, ``LB*8h`` for ``LB--*8h``, landings that need not be there,
    shots in any order, and a path written in full that has the same result as that of the move.

    Example:
        >>> from komadai import Position
        >>> str(read(Position("shogi"), "p-76"))
        '7g7f'

    Raises:
        NotationError: the text is no notation, names what does not exist, or fits several moves.
        IllegalMoveError: no legal move fits; the message says why, and what would be legal.
    """
    clues = _clues(position, text)
    board, legal = position.board, position.legal_moves()
    fitting = _fitting(board, clues, legal)
    if not fitting and is_compound(position.variant):
        fitting = _by_other_ways(position, board, clues, legal)
    if not fitting:
        why, nearest = _fault(position, board, clues, legal), _nearest(position, board, clues, legal)
        raise illegal(clues.text, f"{why}{nearest}")
    if len(fitting) > 1:
        choices = ", ".join(sorted(_written(position, board, move, legal) for move in fitting[:_CHOICES]))
        more = len(fitting) - _CHOICES
        choices += _(" and {count} more", count=more) if more > 0 else ""
        raise several(clues.text, choices)
    return fitting[0]
