"""Betza notation, read into movements and written from them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations

from ..errors import KomadaiError
from ..i18n import _, located, marked
from .board import Vector
from .movement import DIAGONAL, KNIGHT, ORTHOGONAL, Captures, Leg, Movement


def _scaled(vectors: tuple[Vector, ...], by: int) -> tuple[Vector, ...]:
    return tuple((right * by, ahead * by) for right, ahead in vectors)


def _oblique(short: int, long: int) -> tuple[Vector, ...]:
    """The eight vectors of a leap, in the order of the knight's."""
    size = {-2: -long, -1: -short, 1: short, 2: long}
    return tuple((size[right], size[ahead]) for right, ahead in KNIGHT)


_LEAPS: dict[str, tuple[Vector, ...]] = {
    "W": ORTHOGONAL,
    "F": DIAGONAL,
    "D": _scaled(ORTHOGONAL, 2),
    "A": _scaled(DIAGONAL, 2),
    "N": KNIGHT,
    "H": _scaled(ORTHOGONAL, 3),
    "C": _oblique(1, 3),
    "Z": _oblique(2, 3),
    "G": _scaled(DIAGONAL, 3),
}
_MADE_OF = {"K": "WF", "R": "W", "B": "F", "Q": "WF", "L": "C", "J": "Z"}
_SLIDERS = "RBQ"
_OBLIQUE, _DIAGONAL = "NCZ", "FAG"
_ATOMS = "".join(_LEAPS) + "".join(_MADE_OF)
_MOST_DIGITS = 3  # of a range; no board has a line of a thousand points

_TOKEN = re.compile(rf"([mcp]*)([fblrvs]*)([mcp]*)([{_ATOMS}])(\4*)([1-9][0-9]*)?")
_LETTERS = re.compile(r"[mcpfblrvs]*")
_PAIR = "(?:[fb][lrs]|[lr][fbv])"
_PAIRS = re.compile(f"{_PAIR}+")
_PAIRS_OR_DOUBLED = re.compile(rf"(?:{_PAIR}|([fblrvs])\1)+")

# Letters of other programs: what they mean there, and what is expected here.
_ALIEN = {
    "a": (marked("moving again"), marked("a walk, which is a table and no text")),
    "d": (marked("capturing one's own pieces"), marked("moves without it")),
    "e": (marked("capturing en passant"), marked("captures without it")),
    "g": (marked("landing right behind the piece hopped over"), marked("p, which ends anywhere behind it")),
    "h": (marked("half of the moves"), marked("a direction alone, as in fN")),
    "i": (marked("a piece's first move"), marked("a kind of its own that becomes another when it moves")),
    "j": (marked("jumping over the first point"), marked("a leap such as D, or p, which hops over one piece")),
    "n": (marked("a leap that can be blocked"), marked("a leap without it, which goes over anything")),
    "o": (marked("going over the edge of the board"), marked("moves without it")),
    "q": (marked("sliding in a circle"), marked("a walk, which is a table and no text")),
    "t": (marked("one move after another"), marked("a walk, which is a table and no text")),
    "u": (marked("leaving a piece behind"), marked("moves without it")),
    "x": (marked("lending moves to others"), marked("moves without it; the whole game may have borrowing")),
    "y": (marked("sliding on as another piece"), marked("a walk, which is a table and no text")),
    "z": (marked("sliding in a zigzag"), marked("a walk, which is a table and no text")),
}


def _towards(letter: str, vector: Vector) -> bool:
    right, ahead = vector
    return {"f": ahead > 0, "b": ahead < 0, "r": right > 0, "l": right < 0, "v": ahead != 0, "s": right != 0}[letter]


def _longest(letter: str, vector: Vector) -> bool:
    right, ahead = vector
    return abs(ahead) > abs(right) if letter in "fbv" else abs(right) > abs(ahead)


def _both_axes(modifiers: str) -> bool:
    return bool(re.search("[fbv]", modifiers) and re.search("[lrs]", modifiers))


def _select(letter: str, modifiers: str, atom: str = "") -> tuple[Vector, ...]:
    """The vectors of a leap that Betza direction letters leave; ``atom`` is for messages.

    Each letter adds its half, a doubled one only its longest. A pair such as ``rb`` is one direction on the diagonal
    atoms; on the oblique ones it is what goes both ways, the second way farther.

    Raises:
        ValueError: the letters have no meaning on which all agree.
    """
    vectors = _LEAPS[letter]
    if not modifiers:
        return vectors
    words: list[str] = [match[0] for match in re.finditer(r"([fblrvs])\1?", modifiers)]
    in_pairs = _PAIRS if letter in _DIAGONAL else _PAIRS_OR_DOUBLED if letter in _OBLIQUE else None
    if in_pairs is not None and in_pairs.fullmatch(modifiers):
        words = [modifiers[at : at + 2] for at in range(0, len(modifiers), 2)]
    elif in_pairs is not None and _both_axes(modifiers):
        pairs = "frbl" if in_pairs is _PAIRS else _("ff, fs or rf")
        raise ValueError(
            _(
                "{given} has no one meaning; expected single letters of one axis, such as fb or lr,"
                " or pairs, such as {pairs}",
                given=modifiers + atom,
                pairs=pairs,
            )
        )
    chosen: set[Vector] = set()
    for word in words:
        longest = len(word) == 2 and (letter in _OBLIQUE or word[0] == word[1])
        left = {
            vector
            for vector in vectors
            if all(_towards(way, vector) for way in word) and (not longest or _longest(word[1], vector))
        }
        if not left:
            raise ValueError(_("{given} leaves no direction; expected a letter once", given=word + atom))
        chosen |= left
    return tuple(vector for vector in vectors if vector in chosen)


class BetzaError(KomadaiError):
    """Betza notation that is not understood; ``at`` is the place in the text."""

    def __init__(self, text: str, what: str, at: int) -> None:
        super().__init__(located(f"Betza {text!r}", what))
        self.at = at


def betza(text: str) -> Movement:
    """Read Betza notation.

    Atoms are the leaps ``W F D N A H C Z G`` (``L`` is ``C``, and ``J`` is ``Z``), ``K`` (= ``WF``), and the slides
    ``R B Q`` along ``W F K``. A number limits a slide (``R3``) and lets a leap be repeated (``W3`` is ``R3``); a
    doubled leap is repeated without limit (``NN``; ``WW`` is ``R``).

    In front of an atom stand the ways it goes, and before or behind these ``m`` for moves without capture alone,
    ``c`` for captures alone, and ``p`` for a slide that hops over one piece (``fmWfcF`` is a pawn of chess, ``mRcpR``
    a cannon). Of the ways, ``f b l r v s`` add up (``frlW``), and a doubled one keeps the vectors longest that way
    (``ffN``). A pair is one direction on the diagonals ``F A G B`` (``rbB``, ``frblF``); on ``N C Z`` it is what goes
    both ways, the second way farther (``fsN``, ``rfN``).

    Raises:
        BetzaError: at the first character that is not understood, which the message shows.
    """
    movement, at = Movement(), 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise _unread(text, at)
        try:
            movement |= _read(token)
        except ValueError as error:
            raise BetzaError(text, str(error), at) from None
        at = token.end()
    if not movement.legs:
        raise BetzaError(text, _("it is empty; a piece needs at least one atom, for example 'W'"), 0)
    return movement


def _read(token: re.Match[str]) -> Movement:
    """The movement of an atom with what stands around it."""
    before, modifiers, behind, letter, again, limit = token.groups(default="")
    manner = before + behind
    if len(set(manner)) < len(manner) or {"m", "c"} <= set(manner):
        raise ValueError(_("{manner} contradicts or repeats itself; expected m or c, and p", manner=manner))
    slides = letter in _SLIDERS
    if len(again) > 1 or (again and (slides or limit)):
        right = (
            letter + limit
            if limit
            else letter
            if slides
            else _("{one}, or {two} which rides", one=letter, two=letter * 2)
        )
        given = letter + again + limit
        raise ValueError(_("{given} says more than once how far it goes; expected {right}", given=given, right=right))
    if len(limit) > _MOST_DIGITS:
        raise ValueError(_("a range of {count} digits; expected a smaller one, or none for no limit", count=len(limit)))
    rides = slides or again or limit
    reach = (int(limit) if limit else None) if rides else 1
    if "p" in manner and reach == 1:
        expected = {"W": "pR", "F": "pB", "K": "pQ"}.get(letter, f"p{letter}" if slides else f"p{letter}{letter}")
        raise ValueError(
            _("{given} does not slide, so it hops over nothing; expected {right}", given=letter + limit, right=expected)
        )
    atoms = _MADE_OF.get(letter, letter)
    if len(atoms) > 1 and _both_axes(modifiers):
        apart = "".join(f"{modifiers}{atom}" for atom in ("RB" if slides else atoms))
        raise ValueError(
            _("{given} has no one meaning; write its atoms apart, as {apart}", given=modifiers + letter, apart=apart)
        )
    captures: Captures = "never" if "m" in manner else "must" if "c" in manner else "may"
    legs = (Leg(_select(atom, modifiers, letter), reach, "p" in manner, captures) for atom in atoms)
    return Movement(tuple(legs))


def ambiguities(text: str) -> Iterator[tuple[str, str, str]]:
    """The parts of a Betza text that other programs read as fewer moves, with the text that all read alike.

    Yields:
        The part, and how the moves are written that it means here, and those that it means there.
    """
    for token in _TOKEN.finditer(text):
        before, modifiers, behind, letter, again, limit = token.groups(default="")
        atom = _MADE_OF.get(letter, letter)
        if atom in _OBLIQUE and modifiers and not _PAIRS_OR_DOUBLED.fullmatch(modifiers):
            here = _written(atom)[frozenset(_select(atom, modifiers))]
            there = "".join(way * 2 for way in dict.fromkeys(modifiers))
            rest = f"{before}{behind}{letter}{again}{limit}"
            yield token[0], f"{here}{rest}", f"{there}{rest}"


def _unread(text: str, at: int) -> BetzaError:
    """The error where no atom can be read, which says what would be right."""
    found = _LETTERS.match(text, at)
    front = found[0] if found else ""
    where = at + len(front)
    sign = text[where:][:1]
    choice = _("an atom {atoms}", atoms=" ".join(_ATOMS))
    if not sign:
        what, where = _("{front} leads to no atom; expected {choice} behind it", front=repr(front), choice=choice), at
    elif sign in _ALIEN:
        meaning, right = _ALIEN[sign]
        what = _("there is no {sign} ({meaning}); expected {right}", sign=sign, meaning=_(meaning), right=_(right))
    elif sign in _ATOMS:  # so the letters in front of it are mixed
        ways, manner = re.sub("[mcp]", "", front), re.sub("[^mcp]", "", front)
        what, where = (
            _("{given} has its directions apart; expected {right}", given=front + sign, right=ways + manner + sign),
            at,
        )
    elif sign.isdigit():
        what = _(
            "cannot read {text}; expected a range of 1 or more behind an atom, as in R3, or none for no limit",
            text=repr(text[at:]),
        )
    elif sign.isascii() and sign.isalpha():
        what = _(
            "there is no {sign}; expected directions f b l r v s, m, c or p, and {choice}", sign=sign, choice=choice
        )
    else:
        what = _(
            "cannot read {text}; expected directions f b l r v s and {choice}", text=repr(text[at:]), choice=choice
        )
    return BetzaError(text, what, where)


_SINGLE = tuple("fblrvs")
_DOUBLED = tuple(letter * 2 for letter in _SINGLE)
_CORNERS = ("fl", "fr", "bl", "br")
_FARTHEST = (*_DOUBLED, "fs", "bs", "lv", "rv", *_CORNERS, *(pair[::-1] for pair in _CORNERS))
_MOST_WORDS = 4  # that leave any set of vectors which can be left


@cache
def _written(letter: str) -> dict[frozenset[Vector], str]:
    """By the vectors of a leap that they leave, the shortest direction letters.

    On the oblique atoms no letter stands alone: it leaves four vectors here, and two where others read it.
    """
    words = _FARTHEST if letter in _OBLIQUE else _CORNERS if letter in _DIAGONAL else _SINGLE
    choices = ["", *(() if letter in _OBLIQUE else _SINGLE)]
    choices += ["".join(chosen) for count in range(1, _MOST_WORDS + 1) for chosen in combinations(words, count)]
    found: dict[frozenset[Vector], str] = {}
    for chosen in choices:
        found.setdefault(frozenset(_select(letter, chosen)), chosen)
    return found


def _leg_text(leg: Leg) -> str | None:
    manner = {"may": "", "never": "m", "must": "c"}[leg.captures] + "p" * leg.hops
    for letter in _LEAPS:
        if (modifiers := _written(letter).get(frozenset(leg.vectors))) is not None:
            slider = {"W": "R", "F": "B"}.get(letter)
            riding = slider or letter * 2 if leg.reach is None else f"{slider or letter}{leg.reach}"
            return f"{modifiers}{manner}{letter if leg.reach == 1 else riding}"
    return None


def betza_text(movement: Movement) -> str | None:
    """The Betza notation of a movement, which :func:`betza` reads as the same moves; ``None`` where there is none.

    What lands or shoots more than once has none, nor have vectors that belong to no one atom.

    Example:
        >>> from komadai.spec import slide
        >>> betza_text(betza("WfF") | slide((0, 1), reach=3)), betza_text(betza("K").times(1, 2))
        ('WfFfR3', None)
    """
    texts = [_leg_text(leg) for leg in movement.legs]
    if not texts or None in texts or movement.walks or movement.shot:
        return None
    merged: list[str] = []
    for text in dict.fromkeys(filter(None, texts)):
        pair = {"WF": "K", "RB": "Q"}.get("".join([*merged[-1:], text]))
        if merged and merged[-1][-1] == text[0]:  # a letter after itself would mean a rider
            text = ("vvss" if text[0] in _OBLIQUE else "vs" if text[0] in "WDHR" else "fb") + text
        merged[-1 if pair else len(merged) :] = [pair or text]
    return "".join(merged)
