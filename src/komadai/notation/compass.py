"""Moves as players of a game without squares write them: ``*Cho E``, ``Hi(Cho) N2``, ``Hi(Chuu) x Kaku``, ``Gyoku N+``.

This is the notation of docs/rules/ki.md, section "Notation"; places are given by compass from the mover's own king::

    *FACE [PLACE] [+]
    FACE [[PLACE]] [(NEW FACE)] (DIRECTION | x FACE [DIRECTION]) [+]
    FACE [PLACE] [(NEW FACE)] -STEP... [=END] [+]

A face is the kind's romaji, capitalised; its code in a variant whose kinds share a romaji, or have one that is no name.
N is Black's forward for both players. A place or direction is said in one way only. Let it lie ``x`` points east and
``y`` points north, and ``d`` be their greatest common divisor:

- one of the 16 winds where ``(x / d, y / d)`` is one, ``N = (0, 1)``, ``NE = (1, 1)``, ``NNE = (1, 2)``,
  ``ENE = (2, 1)`` and so on round, then ``d`` if it is above one: ``N``, ``NE2``, ``NNE``, ``WSW2 = (-4, -2)``;
- else its ranks and then its files, both with their number: ``N3E1 = (1, 3)``, ``S2W3``.

Leaps are written like slides, by where they end. Places are counted from the mover's own king, or from the other one
while that is not on the board. While neither is, a place is a square's name where there is a choice (a table with
edges), and nothing where there is none (the first drop on a field without edges: ``*Gyoku``). The king itself stands on
its square.

The start place ``[PLACE]`` is there only if another piece of the same kind could legally do what the rest says, and the
direction of a capture only if the piece could capture another of the same kind to the same effect. ``+`` is check.
The last form is that of turns: several landings, shots, a return to the start, or a piece that leaves the game by its
own move. The start always stands there, and each step has its direction from the point before, ``-`` before a landing
and ``*`` before a shot: ``Shishi[NE2] -SW -NE``, ``Yumi[S3] -NW *N2``. ``=`` and the end of the move string follow only
where two turns differ in it alone.

All of it follows from the legal moves of the position; no game is known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from math import gcd
from typing import NamedTuple
from unicodedata import normalize

from ..game.position import Position
from ..i18n import _
from ..reference.explain import bad_move, fault, illegal, in_hand, move_strings, several
from ..spec.board import other
from ..spec.logic import is_compound
from ..spec.material import royals
from ..spec.move import Move
from ..spec.names import owned_name, side_name
from ..spec.variant import CACHED_VARIANTS, Variant
from ..typed import typed

Offset = tuple[int, int]
"""Steps east and steps north."""

_LONGEST = 120
_SHOWN = 4
_WINDS: dict[str, Offset] = {
    "N": (0, 1), "NNE": (1, 2), "NE": (1, 1), "ENE": (2, 1),
    "E": (1, 0), "ESE": (2, -1), "SE": (1, -1), "SSE": (1, -2),
    "S": (0, -1), "SSW": (-1, -2), "SW": (-1, -1), "WSW": (-2, -1),
    "W": (-1, 0), "WNW": (-2, 1), "NW": (-1, 1), "NNW": (-1, 2),
}  # fmt: skip
_NAMES = {vector: name for name, vector in _WINDS.items()}
_WIND = re.compile(r"([NSEW]{1,3})([1-9][0-9]?)?")
_RANKS_AND_FILES = re.compile(r"([NS])([1-9][0-9]?)([EW])([1-9][0-9]?)")


def compass(east: int, north: int) -> str:
    """The one name of an offset, which must not be ``(0, 0)``.

    Example:
        >>> compass(0, 1), compass(2, 2), compass(-1, 2), compass(4, -2), compass(1, 3)
        ('N', 'NE2', 'NNW', 'ESE2', 'N3E1')
    """
    times = gcd(east, north)
    wind = _NAMES.get((east // times, north // times))
    if wind is not None:
        return wind + (str(times) if times > 1 else "")
    return f"{'N' if north > 0 else 'S'}{abs(north)}{'E' if east > 0 else 'W'}{abs(east)}"


def offset(text: str) -> Offset | None:
    """The offset that a name says, in any case and also in ranks and files where there is a wind; ``None`` if none.

    Example:
        >>> offset("nnw2"), offset("N1E2"), offset("NEN")
        ((-2, 4), (2, 1), None)
    """
    if found := _WIND.fullmatch(text.upper()):
        wind, times = _WINDS.get(found[1]), int(found[2] or 1)
        return wind and (wind[0] * times, wind[1] * times)
    if found := _RANKS_AND_FILES.fullmatch(text.upper()):
        north, east = int(found[2]), int(found[4])
        return (east if found[3] == "E" else -east, north if found[1] == "N" else -north)
    return None


_NAME = re.compile(r"[a-z\u00df-\u024f]+(?:[-'’][a-z\u00df-\u024f]+)*", re.IGNORECASE)
"""Romaji of Latin letters, which no text takes for anything else."""
_LONGEST_NAME = 16


@lru_cache(maxsize=CACHED_VARIANTS)
def _names(variant: Variant) -> dict[str, str]:
    """The name of each kind in this notation, by code: its romaji where all are names and differ, or the code."""
    names = {kind.code: kind.romaji.capitalize() for kind in variant.kinds}
    differ = len({name.lower() for name in names.values()}) == len(names)
    short = all(_NAME.fullmatch(name) and len(name) <= _LONGEST_NAME for name in names.values())
    return names if differ and short else {code: code for code in names}


class Places:
    """Places counted by compass from the mover's own king, or from the other one while that is not on the board.

    Attributes:
        base: the point they are counted from, ``None`` while neither king is on the board.
        base_side: whose king stands there.
    """

    def __init__(self, position: Position) -> None:
        self.variant, self.side, self.board = position.variant, position.turn, position.board
        kings = royals(self.variant)
        found = {piece.side: point for point, piece in enumerate(self.board) if piece and piece.code in kings}
        self.base_side = self.side if self.side in found else other(self.side)
        self.base = found.get(self.base_side)

    def between(self, start: int, end: int) -> Offset:
        """The steps from one point to another."""
        (x, y), (u, v) = self.variant.board.xy(start), self.variant.board.xy(end)
        return u - x, y - v

    def place(self, point: int) -> str:
        """The place of a point; its square if it is the base, or while there is none."""
        if self.base in (None, point):
            return self.variant.board.name(point)
        return compass(*self.between(self.base or 0, point))

    def find(self, place: str) -> int | None:
        """The point of a place as written, ``None`` if there is none there."""
        steps = offset(place)
        if steps is None:
            return self.variant.board.find(place.lower())
        return None if self.base is None else self.variant.board.step(self.base, steps, "b")


class _Scene(Places):
    """A position looked at once: its board, its legal moves, and where places are counted from."""

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self.position, self.names = position.copy(), _names(position.variant)

    @cached_property
    def legal(self) -> Sequence[Move]:
        return self.position.legal_moves()

    @cached_property
    def turns(self) -> Mapping[str, Sequence[Move]]:
        """The legal turns by their texts."""
        found: dict[str, list[Move]] = {}
        for move in filter(_is_turn, self.legal):
            found.setdefault(_turn(self, move), []).append(move)
        return found

    def before(self, move: Move) -> str:
        """The kind the move is named after: what stood on its start, or what is dropped."""
        piece = None if move.origin_point is None else self.board[move.origin_point]
        return piece.code if piece else move.piece or ""

    def victim(self, move: Move) -> str | None:
        """The kind it captures."""
        there = self.board[move.target_point]
        return there and there.code

    def checks(self, move: Move) -> bool:
        self.position.push(move)
        check = self.position.is_check()
        self.position.pop()
        return check


# --- Writing --------------------------------------------------------------------------------------------------------


def _is_turn(move: Move) -> bool:
    """True if the move does more than go from a start to a target, or come from the hand."""
    if move.origin_point is None:
        return False
    return len(move.way) > 1 or bool(move.shots) or move.origin_point == move.target_point or move.piece is None


def _turn(scene: _Scene, move: Move) -> str:
    """A turn of several landings or with shots, without the sign of check, and without its end."""
    assert move.origin_point is not None
    before, at, steps = scene.before(move), move.origin_point, []
    for point, shots in move.way:
        if point != at or not shots:
            steps.append(f"-{compass(*scene.between(at, point))}" if point != at else "-")
        steps += [f"*{compass(*scene.between(point, shot))}" for shot in shots]
        at = point
    turned = f"({scene.names[move.piece]})" if move.piece not in (before, None) else ""
    return " ".join([f"{scene.names[before]}[{scene.place(move.origin_point)}]{turned}", *steps])


def _form(scene: _Scene, move: Move) -> str:
    """The move without the sign of check."""
    if _is_turn(move):
        text = _turn(scene, move)
        return text if len(scene.turns[text]) == 1 else f"{text} ={_END_OF_STRING.sub('', move.text)}"
    if move.origin_point is None:
        alike = sum(rival.is_drop and rival.piece == move.piece for rival in scene.legal)
        alone = scene.base is None and alike == 1
        return f"*{scene.names[scene.before(move)]}" + ("" if alone else f" {scene.place(move.target_point)}")
    before, victim, after = scene.before(move), scene.victim(move), move.piece or ""
    way = scene.between(move.origin_point, move.target_point)
    rivals = [
        rival
        for rival in scene.legal
        if rival.origin_point is not None and rival.text != move.text and not _is_turn(rival)
        if (scene.before(rival), rival.piece, scene.victim(rival)) == (before, move.piece, victim)
        if victim is not None or scene.between(rival.origin_point, rival.target_point) == way
    ]
    start = (
        f"[{scene.place(move.origin_point)}]"
        if any(rival.origin_point != move.origin_point for rival in rivals)
        else ""
    )
    turned = f"({scene.names[after]})" if after != before else ""
    captures = [f"x {scene.names[victim]}"] if victim is not None else []
    which = any(rival.origin_point == move.origin_point for rival in rivals) or not captures
    return " ".join([f"{scene.names[before]}{start}{turned}", *captures, *([compass(*way)] if which else [])])


def _written(scene: _Scene, move: Move) -> str:
    return _form(scene, move) + ("+" if scene.checks(move) else "")


@typed
def write(position: Position, move: Move) -> str:
    """The move in its strict and shortest form; ``position`` is the one it is made in.

    Example:
        >>> from komadai import Position
        >>> position = Position("ki")
        >>> position.push("K*5e")
        >>> write(position, position.parse_move("K*4c"))
        '*Gyoku NNE'

    Raises:
        IllegalMoveError: the move is not legal there.
        NotationError: it is a move of another game.
    """
    return _written(_Scene(position), position.parse_move(move.text))


# --- Reading --------------------------------------------------------------------------------------------------------


class _Clues(NamedTuple):
    """The parts of a text that names a move; ``None`` is a part left out.

    Attributes:
        text: the text itself, for messages.
        kind: the piece it names.
        drops: whether it comes from the hand.
        start: where it starts.
        result: the kind it becomes.
        captures: whether it captures.
        victim: what it captures.
        way: in which direction it goes, and how far.
        target: where a drop ends.
        check: whether it gives check.
    """

    text: str
    kind: str
    drops: bool
    start: int | None = None
    result: str | None = None
    captures: bool = False
    victim: str | None = None
    way: Offset | None = None
    target: int | None = None
    check: bool = False

    def fit(self, scene: _Scene, move: Move) -> bool:
        """True if the move fits the text, check apart. A capture need not be marked as one."""
        if _is_turn(move) or (move.is_drop, scene.before(move)) != (self.drops, self.kind):
            return False
        if move.origin_point is None:
            return self.target in (None, move.target_point)
        victim = scene.victim(move)
        return (
            self.start in (None, move.origin_point)
            and self.result in (None, move.piece)
            and (victim is not None or not self.captures)
            and self.victim in (None, victim)
            and self.way in (None, scene.between(move.origin_point, move.target_point))
        )


_PLACE = r"[NSEW]{1,3}[0-9]{0,2}|[NS][0-9]{1,2}[EW][0-9]{1,2}"
_SQUARE = r"[0-9]{1,2}[a-z]"
_END_OF_STRING = re.compile(r".*[0-9][a-z](?=[^0-9]*$)")
_END = r"(\+)?[!?]{0,2}"


@lru_cache(maxsize=CACHED_VARIANTS)
def _texts(variant: Variant) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The forms of drops and moves, spaces or none. They list the kinds, whose names run into directions."""
    name = "|".join(sorted(map(re.escape, _names(variant).values()), key=len, reverse=True))
    drop = rf"[*'] ?({name}) ?({_PLACE}|{_SQUARE})? ?{_END}"
    move = rf"({name}) ?(?:\[({_PLACE}|{_SQUARE})\])? ?(?:\(({name})\))? ?(?:(x) ?({name})?)? ?({_PLACE})? ?{_END}"
    return re.compile(drop, re.IGNORECASE), re.compile(move, re.IGNORECASE)


def _first(pattern: re.Pattern[str], forms: Iterable[str]) -> re.Match[str] | None:
    """The match with the first of these forms of a text that has one."""
    return next(filter(None, map(pattern.fullmatch, forms)), None)


def _read_turn(scene: _Scene, text: str) -> Move | None:
    """The legal turn of that text, in any case and with spaces or none; its ``+`` must be true."""
    if not is_compound(scene.variant):
        return None
    said = _plain(text).rstrip("!?")
    for move in filter(_is_turn, scene.legal):
        form = _plain(_form(scene, move))
        if said == form or (said == f"{form}+" and scene.checks(move)):
            return move
    return None


def _plain(text: str) -> str:
    return normalize("NFC", "".join(text.split()).casefold())


def _clues(scene: _Scene, text: str) -> _Clues:
    """Take the text apart.

    Raises:
        NotationError: it is no notation, or names what does not exist; every defect at once.
    """
    variant, text = scene.variant, normalize("NFC", text.strip())
    if len(text) > _LONGEST:
        raise bad_move(f"{text[: _LONGEST - 3]}...", _("is longer than {count} characters", count=_LONGEST))
    drops, moves = _texts(variant)
    words = text.replace("×", "x").split()
    # Written names end at a space; without spaces the longest name counts.
    forms = (" ".join(words), "".join(words))
    codes = {name.lower(): code for code, name in scene.names.items()}
    defects: list[str] = []

    def steps(said: str) -> Offset | None:
        found = offset(said)
        if found is None:
            defects.append(_("{said} is not a compass direction; expected one like N, NE2, NNE or N3E1", said=said))
        return found

    def point(said: str) -> int | None:
        if _WIND.match(said.upper()) and steps(said) is None:
            return None
        found = scene.find(said)
        if found is None:
            defects.append(_("there is no place {place}", place=_of_base(scene, said)))
        return found

    if found := _first(drops, forms):
        name, place, check = found.groups()
        target = point(place) if place else None
        clues = _Clues(text, codes[name.lower()], True, target=target, check=bool(check))
    elif (found := _first(moves, forms)) and (found[5] or found[6]):
        name, start, turned, sign, victim, way, check = found.groups()
        clues = _Clues(
            text,
            codes[name.lower()],
            False,
            start=point(start) if start else None,
            result=codes[turned.lower()] if turned else None,
            captures=sign is not None,
            victim=codes[victim.lower()] if victim else None,
            way=steps(way) if way else None,
            check=bool(check),
        )
    else:
        raise bad_move(text, *_nonsense(scene, text))
    if defects:
        raise bad_move(text, *defects)
    return clues


def _of_base(scene: _Scene, place: str) -> str:
    """A place, and from where it is counted."""
    if scene.base is None:
        return _("{place} on this board", place=place)
    king = scene.board[scene.base]
    assert king is not None
    side = side_name(scene.base_side)
    return _("{place} from {side}'s {piece}", place=place, side=side, piece=scene.names[king.code])


def _nonsense(scene: _Scene, text: str) -> Iterator[str]:
    """The reasons why a text is no notation."""
    known = {name.lower() for name in scene.names.values()}
    words = [word for word in re.findall(r"[^\W\d_]+", text) if word.lower() not in (*known, "x")]
    strangers = [word for word in words if word.upper() not in _WINDS]
    if strangers and len(strangers) < 3:
        for word in strangers:
            pieces = " ".join(scene.names.values())
            yield _(
                "{game} has no piece {word}; its pieces are {pieces}", game=scene.variant.id, word=word, pieces=pieces
            )
    else:
        model = _written(scene, min(scene.legal, key=str)) if scene.legal else "Cho(Hi) S"
        yield _(
            "is not a move; expected a piece and a direction, or x and a piece, or * before a drop, as in {model}",
            model=model,
        )


def _or(words: Iterable[str]) -> str:
    *most, last = words
    return _(" or ").join((", ".join(most), last)) if most else last


def _reason(scene: _Scene, string: str) -> str:
    """The reason why a move string is not legal."""
    return fault(scene.position.variant, scene.position.setup(), string) or _("{move} is legal", move=string)


def _fault(scene: _Scene, clues: _Clues) -> str:
    """The reason why no legal move fits."""
    variant, board, names = scene.variant, scene.variant.board, scene.names
    mover, enemy, name = side_name(scene.side), side_name(other(scene.side)), names[clues.kind]
    if clues.drops and clues.target is None and in_hand(scene.position.variant, scene.position.setup(), clues.kind):
        return _("a {piece} cannot be dropped anywhere now", piece=name)
    if clues.drops:
        empty = (point for point, piece in enumerate(scene.board) if piece is None)
        return _reason(scene, f"{clues.kind}*{board.name(next(empty) if clues.target is None else clues.target)}")
    all_starts = [point for point, piece in enumerate(scene.board) if piece == (scene.side, clues.kind)]
    starts = [point for point in all_starts if clues.start in (None, point)]
    if not all_starts:
        return _("{side} has no {piece} on the board", side=mover, piece=name)
    if not starts and clues.start is not None:
        there = scene.board[clues.start]
        at = _("the place {place}", place=_of_base(scene, scene.place(clues.start)))
        if there is None:
            return _("{at} is empty", at=at)
        return _("{at} holds {piece}", at=at, piece=owned_name(there.side, variant.kind(there.code)))
    able = [move for move in scene.legal if clues._replace(result=None).fit(scene, move)]
    if able and clues.result is not None:
        captures = any(scene.victim(move) for move in able)
        ends = _or(sorted({names[move.piece] for move in able if move.piece is not None}))
        named = {"piece": name, "kinds": ends, "other": names[clues.result]}
        if captures:
            return _("a {piece} that captures there becomes {kinds}, not {other}", **named)
        return _("a {piece} that moves there becomes {kinds}, not {other}", **named)
    theirs = {
        point: piece.code for point, piece in enumerate(scene.board) if piece is not None and piece.side != scene.side
    }
    if clues.victim is not None and clues.victim not in theirs.values():
        return _("{side} has no {piece} on the board", side=enemy, piece=names[clues.victim])
    if clues.way is None:
        ways = [(start, end) for start in starts for end, code in theirs.items() if code == clues.victim]
    else:
        steps = [(start, board.step(start, clues.way, "b")) for start in starts]
        ways = [(start, end) for start, end in steps if end is not None]
        if not ways:
            return _("the board ends before {way} of the {piece}", way=compass(*clues.way), piece=name)
        if clues.captures:
            ways = [way for way in ways if theirs.get(way[1]) == (clues.victim or theirs.get(way[1], ""))]
            if not ways:
                named = {"side": enemy, "way": compass(*clues.way), "piece": name}
                if clues.victim is None:
                    return _("no piece of {side} stands {way} of the {piece}", **named)
                return _("no {other} of {side} stands {way} of the {piece}", other=names[clues.victim], **named)
    reasons = {}
    for start, end in ways:
        strings = move_strings(scene.position.variant, scene.position.setup(), start, end)
        reasons[start, end] = _reason(scene, strings.get(clues.result or "") or next(iter(strings.values())))
    if len(set(reasons.values())) == 1:
        return next(iter(reasons.values()))
    if clues.victim:
        return _("no {piece} of {side} can capture a {other} now", piece=name, side=mover, other=names[clues.victim])
    return _("no {piece} of {side} can go {way} now", piece=name, side=mover, way=compass(*clues.way or (0, 1)))


def _nearest(scene: _Scene, clues: _Clues) -> str:
    """The piece's legal moves that come nearest to the text, for the end of a message."""

    def distance(move: Move) -> tuple[bool, bool, int, str]:
        if move.origin_point is None:
            wrong = 0 if clues.target is None else scene.variant.board.distance(clues.target, move.target_point)
            return False, False, wrong, move.text
        right, ahead = scene.between(move.origin_point, move.target_point)
        way = clues.way or (right, ahead)
        wrong = max(abs(right - way[0]), abs(ahead - way[1]))
        other_victim = clues.victim not in (None, scene.victim(move))
        return clues.start not in (None, move.origin_point), other_victim, wrong, move.text

    near = [move for move in scene.legal if (move.is_drop, scene.before(move)) == (clues.drops, clues.kind)]
    near = sorted(near, key=distance)[:_SHOWN]
    shown = ", ".join(_written(scene, move) for move in near)
    return _("; nearest legal: {moves}", moves=shown) if near else ""


@typed
def read(position: Position, text: str) -> Move:
    """The one legal move of the position that fits the text.

    Read leniently: any case, spaces or none, ``×`` for ``x``, ``'`` for ``*``, a start place, direction or distance of
    one that need not be there, ``+`` or not, ``!`` and ``?`` behind. What is not said is free, except that a move not
    called a capture is none if any that fits is none, and a piece turns over only if said or if it must. A ``+`` must
    be true.

    Example:
        >>> from komadai import Position
        >>> position = Position("ki")
        >>> position.push("K*5e")
        >>> str(read(position, "*gyoku nne"))
        'K*4c'

    Raises:
        NotationError: the text is no notation, names what does not exist, or fits several moves.
        IllegalMoveError: no legal move fits; the message says why, and what would be legal.
    """
    scene = _Scene(position)
    if (turn := _read_turn(scene, text)) is not None:
        return turn
    clues = _clues(scene, text)
    fitting = [move for move in scene.legal if clues.fit(scene, move)]
    if not clues.captures:
        fitting = [move for move in fitting if scene.victim(move) is None] or fitting
    if clues.result is None:
        fitting = [move for move in fitting if move.piece == clues.kind] or fitting
    if not fitting:
        raise illegal(clues.text, f"{_fault(scene, clues)}{_nearest(scene, clues)}")
    if clues.check:
        checking = [move for move in fitting if scene.checks(move)]
        if not checking:
            forms = _or(_form(scene, move) for move in fitting[:_SHOWN])
            raise illegal(clues.text, _("it gives no check; without the + it is written {moves}", moves=forms))
        fitting = checking
    if len(fitting) > 1:
        choices = sorted(_written(scene, move) for move in fitting)
        shown = ", ".join(choices[: 2 * _SHOWN]) + (", …" if len(choices) > 2 * _SHOWN else "")
        raise several(clues.text, shown)
    return fitting[0]
