"""A position as Japanese notation sees it: which moves a text fits, and how the parts of a text are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...game.position import Position
from ...i18n import _
from ...reference.explain import reference_of
from ...spec.board import Unbounded
from ...spec.logic import is_compound
from ...spec.move import Landing, Move
from ...spec.variant import Variant
from ..compass import Places
from ..landings import START, Way, chosen, declining, goes, shots_of, telling, victims_of, way_of
from .modifiers import Ways
from .names import DIGITS, find_square, full_width, piece_names, piece_texts, plain, square_text

SAME = "同"
STAYS = "居"
STAYS_AND_TAKES = "居喰"
SHOOTS = "射"
BETWEEN = "・"
DROPPED = "打"
PROMOTES = "成"
DECLINES = "不成"
BECOMES = "＝"


Ending = str | frozenset[str]
"""The end of a text: ``成``, ``不成`` or nothing, or the kinds that ``＝`` and a name may mean."""

_WINDS, _COMPASS = str.maketrans("NESW", "北東南西"), str.maketrans("北東南西", "NESW")


class Squares:
    """The squares of a board by file and rank: ``７六``."""

    def __init__(self, position: Position) -> None:
        self.board = position.variant.board

    def text(self, point: int) -> str:
        """A point as it is written."""
        return square_text(self.board, point)

    def find(self, text: str) -> int | None:
        """The point of a text in normal form, ``None`` if there is none."""
        return find_square(self.board, text)

    def unknown(self, text: str) -> str:
        """The refusal of a text that names no place."""
        first, last = self.text(0), self.text(len(self.board) - 1)
        named = {"name": text, "first": first, "last": last}
        return _("{name} is not a square of this board, which goes from {first} to {last}", **named)


class Winds(Squares):
    """Places by compass as in :mod:`komadai.notation.compass`: ``北東``, ``南南西２``, ``北３東１``.

    The king's own is its square. While there is no king they are squares, and on a field without edges, where there is
    no choice, nothing.
    """

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self.places = Places(position)
        self.only = self.board.middle if self.places.base is None and isinstance(self.board, Unbounded) else None

    def text(self, point: int) -> str:
        if self.only is not None:
            return ""
        if self.places.base in (None, point):
            return super().text(point)
        return full_width(self.places.place(point).translate(_WINDS))

    def find(self, text: str) -> int | None:
        if not text or text[0] in "123456789" or text[0] in DIGITS:
            return super().find(text) if text else self.only
        return self.places.find(text.translate(_COMPASS))

    def unknown(self, text: str) -> str:
        return _("there is no place {place}", place=text or "?")


def places_of(position: Position) -> Squares:
    """The places in which moves of the position are written."""
    return Winds(position) if position.variant.notation == "compass" else Squares(position)


class Scene:
    """A position looked at once: its board, its legal moves, and the point on which the move before ended."""

    def __init__(self, position: Position, last: str | None) -> None:
        self.position, self.variant, self.side = position, position.variant, position.turn
        self.board, self.legal = position.board, position.legal_moves()
        self.names, self.codes = piece_texts(self.variant), piece_names(self.variant)
        self.places, self.is_compound = places_of(position), is_compound(self.variant)
        self.last = None if last is None else self.variant.board.find(last)

    def before(self, move: Move) -> str:
        """The kind the move is named after: what stood on its start, or what is dropped."""
        piece = None if move.origin_point is None else self.board[move.origin_point]
        return piece.code if piece else move.piece or ""

    # --- Which moves a text fits ---

    def named(self, way: Way, kinds: frozenset[str], end: Ending) -> list[Move]:
        """The legal moves of pieces of these kinds that go that way and become that."""
        able = [move for move in self.ending(kinds, way[-1].point) if goes(self.board, move, way)]
        declined = declining(able) if end == DECLINES else []
        return [move for move in able if self.ends(move, end) or move in declined]

    def ending(self, kinds: frozenset[str], point: int) -> list[Move]:
        """The legal moves of pieces of these kinds that end there; ``START`` is where each began."""
        return [
            move
            for move in self.legal
            if move.target_point == (move.origin_point if point == START else point)
            if self.before(move) in kinds
        ]

    def ends(self, move: Move, end: Ending) -> bool:
        """True if the piece becomes what the end of a text says; an end without a word says nothing."""
        before = self.before(move)
        if end == "":
            return True
        if end == DECLINES:
            return move.piece == before
        return move.piece in self._becomes(before, end) or chosen(move) in self.said(before, end)

    def said(self, before: str, end: Ending) -> set[str]:
        """The values of :func:`chosen` that the end of a text may mean, for a piece of that kind."""
        if end == DECLINES:
            return {""}
        return {"+" if code == f"+{before}" else f"={code}" for code in self._becomes(before, end)}

    def _becomes(self, before: str, end: Ending) -> frozenset[str]:
        """The kinds that the end of a text may mean, for a piece of that kind."""
        return frozenset(filter(None, (_promotion(self.variant, before),))) if isinstance(end, str) else end

    def ending_of(self, said: str) -> Ending:
        """The end of a text as it is written."""
        return self.codes[plain(said[1:])] if said.startswith(BECOMES) else said

    def ways(self, way: Way, kinds: frozenset[str], fitting: Iterable[Move]) -> Ways:
        """The ways of all pieces of these kinds that could go there, whether that is legal or not.

        Of compound moves, which depend on much more than movement, only the legal ones count.
        """
        target = way[-1].point
        if self.is_compound:
            origins = {move.origin_point for move in fitting if move.origin_point is not None}
        else:
            arrives = reference_of(self.variant).arrives
            mine = [
                point
                for point, piece in enumerate(self.board)
                if piece and piece.side == self.side and piece.code in kinds and point != target
            ]
            origins = {point for point in mine if arrives(self.board, point, target)}
        found = {point: self.variant.kind(piece.code) for point in origins if (piece := self.board[point])}
        return Ways(self.variant.board, self.side, target, found)

    # --- The parts of a text ---

    def end(self, move: Move) -> str:
        """The kind that the piece becomes, in words."""
        before, after = self.before(move), move.piece
        if move.origin_point is None or after is None:
            return ""
        if after != before:
            return PROMOTES if _promotion(self.variant, before) == after else f"{BECOMES}{self.names[after]}"
        rivals = (
            other
            for other in self.legal
            if other.origin_point == move.origin_point and other.target_point == move.target_point
            if other.piece not in (before, None)
        )
        return DECLINES if any(self._done(other) == self._done(move) for other in rivals) else ""

    def _done(self, move: Move) -> tuple[frozenset[int], frozenset[int]]:
        return victims_of(self.board, move), shots_of(way_of(move))

    def ends_of(self, move: Move) -> Iterator[str]:
        """The ends that a text of the move may have, from the usual one to the clearest."""
        yield self.end(move)
        if move.origin_point is None:
            return
        said = chosen(move)
        if not said:
            yield DECLINES
        elif (code := f"+{self.before(move)}" if said == "+" else said[1:]) in self.names:
            yield BECOMES + code

    def ways_of(self, move: Move) -> Iterator[Way]:
        """The ways that a text of the move may name, likewise."""
        for way in dict.fromkeys((telling(self.board, move), way_of(move))):
            stays = way[-1].point == move.origin_point
            yield (*way[:-1], Landing(START, way[-1].shots)) if stays else way

    def starts_of(self, move: Move, ways: Ways) -> Iterator[str]:
        """The words that a text of the move may have for the piece that moves, likewise."""
        if move.origin_point is None:
            yield DROPPED if ways.starts else ""
            yield DROPPED
            return
        # A word for its end that is not true leaves the piece without ways.
        words = ways.words(move.origin_point) if move.origin_point in ways.starts else None
        if words is not None:
            yield words
        yield f"（{self.places.text(move.origin_point)}）"

    def way_text(self, move: Move, named: Way) -> tuple[str, str]:
        """The landings, each with its shots but the last, and the shots from there."""
        words, shots, before, victims = list[str](), "", START, victims_of(self.board, move)
        for landing in named:
            if landing.point != START:
                alone = len(named) == 1 and landing.point == self.last
                words.append(f"{SAME}　" if alone else self.places.text(landing.point))
            elif words and not shots and before in victims:
                words[-1] += STAYS_AND_TAKES
            else:
                words.append(STAYS)
            before, shots = landing.point, "".join(self.places.text(point) for point in landing.shots)
            shots = f"{SHOOTS}{shots}" if shots else ""
            words[-1] += shots
        return BETWEEN.join(words).removesuffix(shots), shots


def _promotion(variant: Variant, code: str) -> str | None:
    """The one kind that a kind can promote to; ``None`` if there is none, or a choice."""
    becomes = variant.kind(code).becomes
    kinds = {*becomes.zone, becomes.captures_promote_to} - {code, None}
    return kinds.pop() if len(kinds) == 1 else None
