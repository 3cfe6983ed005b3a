"""Position strings (docs/rules/README.md, "Position string"): read into a :class:`Setup` and printed from one.

A :class:`Setup` may be any arrangement; ``Position`` validates it. Hands are printed with each kind once, in hand
order; they are read in any order, and the counts of a kind that occurs more than once are added up, as other programs
do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from unicodedata import normalize
from urllib.parse import unquote

from ..errors import NotationError
from ..i18n import _, located, ngettext
from .board import SIDES, Side
from .logic import memory
from .names import no_such_piece
from .numbers import whole_number
from .setup import Piece, Setup
from .variant import CACHED_VARIANTS, Variant

_BOARD_TOKEN = re.compile(r"(\+?)(?:\[([A-Za-z]+)\]|([A-Za-z]))|([0-9]+)")


_HAND_TOKEN = re.compile(r"([0-9]*)(?:\[([A-Za-z]+)\]|([A-Za-z]))")


_MOST = 999  # of one kind in one hand


_LAST_PLY = 999_999


_LONGEST = 20_000  # characters of a string that may be written as in a link


_JOINED = re.compile(r"(?:sfen\+)?(\S+)\+([bw])\+(-|[0-9A-Za-z\[\]]+)(?:\+([0-9]+))?")


def code_text(code: str, side: Side = "b") -> str:
    """A kind's code as position strings print it: in brackets when long, lower case for White."""
    plus, letters = ("+", code[1:]) if code.startswith("+") else ("", code)
    bracketed = f"[{letters}]" if len(letters) > 1 else letters
    return plus + (bracketed if side == "b" else bracketed.lower())


def _case(letters: str) -> Side | None:
    return "b" if letters.isupper() else "w" if letters.islower() else None


def _parse_row(
    variant: Variant, row: str, begins: int, rank: str, known: frozenset[str], defects: list[tuple[int, str]]
) -> list[Piece | None]:
    points: list[Piece | None] = []
    at = 0

    def refuse(why: str, where: int) -> None:
        defects.append((begins + where, located(_("rank {rank}", rank=rank), why)))

    while at < len(row):
        token = _BOARD_TOKEN.match(row, at)
        if token is None:
            found = repr(row[at : at + 12])
            refuse(_("cannot read {text}; expected a piece code or a count of empty squares", text=found), at)
            return points
        at = token.end()
        plus, long, single, run = token.groups()
        if run:
            empty = whole_number(run, 1, variant.board.width)
            if empty is None:
                most = variant.board.width
                why = _("{text} is not a count of empty squares; expected 1 to {most}", text=_shown(run), most=most)
                refuse(why, token.start())
            points.extend([None] * (empty or 1))
            continue
        letters: str = long or single
        side = _case(letters)
        code = plus + letters.upper()
        if side is None:
            refuse(_mixed(token[0]), token.start())
        elif code not in known:
            refuse(no_such_piece(variant, repr(token[0]), (kind.code for kind in variant.kinds)), token.start())
        points.append(Piece(side or "b", code))
    if len(points) != variant.board.width:
        words = ngettext(
            "has {count} square; expected {wanted}",
            "has {count} squares; expected {wanted}",
            len(points),
            wanted=variant.board.width,
        )
        refuse(words, 0)
    return points


def _mixed(piece: str) -> str:
    return _("piece {piece} mixes upper and lower case; Black is upper, White lower", piece=repr(piece))


def _parse_hands(
    variant: Variant, text: str, begins: int, defects: list[tuple[int, str]]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    counts: dict[Side, dict[str, int]] = {"b": {}, "w": {}}
    at = before = 0

    def refuse(why: str) -> None:
        defects.append((begins + before, located(_("hands"), why)))

    while text != "-" and at < len(text):
        before = at
        token = _HAND_TOKEN.match(text, at)
        if token is None:
            found = repr(text[at : at + 12])
            refuse(_("cannot read {text}; expected a count and a piece code, or - for none", text=found))
            break
        at = token.end()
        number, long, single = token.groups()
        letters: str = long or single
        side, code = _case(letters), letters.upper()
        if side is None:
            refuse(_mixed(token[0]))
        elif code not in variant.hand_order:
            what = {
                "piece": repr(token[0]),
                "game": variant.id,
                "pieces": " ".join(variant.hand_order) or _("no pieces"),
            }
            refuse(_("{piece} cannot be held in {game}; in hand are {pieces}", **what))
        elif (count := whole_number(number or "1", 1, _MOST)) is None:
            refuse(_("{text} has an impossible count; expected 1 to {most}", text=_shown(token[0]), most=_MOST))
        else:
            counts[side][code] = counts[side].get(code, 0) + count
    black, white = (tuple(counts[side].get(code, 0) for code in variant.hand_order) for side in SIDES)
    return black, white


def _parse_memory(variant: Variant, text: str, begins: int, defects: list[tuple[int, str]]) -> int | None:
    """The point in the hands field of a game that remembers a capture and has no hands."""
    if text == "-":
        return None
    point = variant.board.find(text)
    if point is None:
        words = _("{text} is not a square of the board; expected the last capture, or - for none", text=_shown(text))
        defects.append((begins, located(_("hands"), words)))
    return point


def fields_of(text: str) -> list[str]:
    """The fields of a position string, also as other programs write it.

    Links have ``_``, ``%20`` or ``+`` for the blanks and ``%2F`` between the ranks; USI has words before it.

    Example:
        >>> fields_of("4k4%2F9_b_2P_1"), fields_of("4k4/+P8+b+-+1"), fields_of("position sfen 4k4/9 b - 1")
        (['4k4/9', 'b', '2P', '1'], ['4k4/+P8', 'b', '-', '1'], ['4k4/9', 'b', '-', '1'])
    """
    plain = unquote(normalize("NFKC", text)) if len(text) <= _LONGEST else text
    words = plain.replace("_", " ").split()
    if len(words) == 1 and (joined := _JOINED.fullmatch(words[0])):
        words = [part for part in joined.groups() if part]
    while words and words[0] in ("position", "sfen"):
        words = words[1:]
    return words


def parse(variant: Variant, text: str) -> Setup:
    """Read a position string of this variant, as :func:`fields_of` takes it apart.

    Raises:
        NotationError: with every defect of the string at once.
    """
    setup, defects = read(variant, " ".join(fields_of(text)))
    if setup is None:
        raise NotationError(position_words(_shown(text)), [what for _at, what in defects])
    return setup


@lru_cache(maxsize=CACHED_VARIANTS)
def start_of(variant: Variant) -> Setup:
    """The setup at the start of a game.

    Raises:
        NotationError: with every defect of the variant's string.
    """
    return parse(variant, variant.start)


def read(variant: Variant, text: str) -> tuple[Setup | None, list[tuple[int, str]]]:
    """A position string's setup, if it has no defects, and these, each with its place in the text."""
    fields = text.split()
    begins = [field.start() for field in re.finditer(r"\S+", text)]
    if not 3 <= len(fields) <= 4:
        fit = len(variant.start.split()) in (3, 4)  # not so where it is the start that is read
        words = ngettext(
            "has {count} field; expected BOARD SIDE HANDS and, if you like, a move number, as in {model}",
            "has {count} fields; expected BOARD SIDE HANDS and, if you like, a move number, as in {model}",
            len(fields),
            model=repr(variant.start if fit else " ".join((*fields[:1], "b -"))),
        )
        return None, [(begins[4] if len(fields) > 4 else 0, words)]
    defects: list[tuple[int, str]] = []
    known = frozenset(kind.code for kind in variant.kinds)
    rows = fields[0].split("/")
    if len(rows) != variant.board.height:
        words = ngettext(
            "has {count} rank; expected {wanted}, separated by /",
            "has {count} ranks; expected {wanted}, separated by /",
            len(rows),
            wanted=variant.board.height,
        )
        defects.append((begins[0], located(_("board"), words)))
    board: list[Piece | None] = []
    at = begins[0]
    for index, row in enumerate(rows[: variant.board.height]):
        board += _parse_row(variant, row, at, chr(ord("a") + index), known, defects)
        at += len(row) + 1
    if fields[1] not in SIDES:
        words = _("{text} is not a side; expected b (Black) or w (White)", text=repr(fields[1][:12]))
        defects.append((begins[1], located(_("side to move"), words)))
    taken_on = None
    if memory(variant) is None:
        hands = _parse_hands(variant, fields[2], begins[2], defects)
    else:
        hands, taken_on = ((), ()), _parse_memory(variant, fields[2], begins[2], defects)
    ply = 1
    if len(fields) == 4:
        number = whole_number(fields[3], 1, _LAST_PLY)
        if number is None:
            words = _("{text} is not a whole number of 1 or more", text=_shown(fields[3]))
            defects.append((begins[3], located(_("move number"), words)))
        ply = number or 1
    if defects:
        return None, defects
    return Setup(tuple(board), hands, "b" if fields[1] == "b" else "w", ply, taken_on), []


def position_words(shown: str) -> str:
    """A position as error messages name it."""
    return _("position {text}", text=shown)


def _shown(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")


def row_text(row: Sequence[Piece | None], written: Callable[[Piece], str] | None = None) -> str:
    """One rank of a board field; ``written`` writes a piece, by default as position strings do."""
    parts: list[str] = []
    empty = 0
    for piece in row:
        if piece is None:
            empty += 1
            continue
        parts.append(f"{empty or ''}{written(piece) if written else code_text(piece.code, piece.side)}")
        empty = 0
    return "".join(parts) + (str(empty) if empty else "")


def hands_text(variant: Variant, hands: Mapping[Side, tuple[int, ...]]) -> str:
    """The hands field: Black's pieces and then White's, in hand order; ``-`` where both are empty."""
    return (
        "".join(
            (str(count) if count > 1 else "") + code_text(code, side)
            for side in SIDES
            for code, count in zip(variant.hand_order, hands[side], strict=True)
            if count
        )
        or "-"
    )


def print_setup(variant: Variant, setup: Setup, *, ply: bool = False) -> str:
    """The position string; with ``ply`` the move number follows."""
    width = variant.board.width
    rows = (setup.board[start : start + width] for start in range(0, len(setup.board), width))
    text = "/".join(row_text(row) for row in rows)
    held = hands_text(variant, dict(zip(SIDES, setup.hands, strict=True)))
    if setup.taken_on is not None:
        held = variant.board.name(setup.taken_on)
    text = f"{text} {setup.turn} {held}"
    return f"{text} {setup.ply}" if ply else text
