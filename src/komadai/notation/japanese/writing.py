"""Moves in Japanese notation, written."""

from __future__ import annotations

from collections.abc import Iterable

from ...game.position import Position
from ...reference.explain import reference_of
from ...spec.logic import is_compound
from ...spec.move import Landing, Move
from ...spec.variant import Variant
from ..landings import START, Way, goes, is_whole, shots_of, telling, victims_of, way_of
from .modifiers import Ways
from .names import piece_texts
from .places import places_of

SAME = "同"
STAYS = "居"
STAYS_AND_TAKES = "居喰"
SHOOTS = "射"
BETWEEN = "・"


class Scene:
    """A position looked at once: its board, its legal moves, and the point on which the move before ended."""

    def __init__(self, position: Position, last: str | None) -> None:
        self.position, self.variant, self.side = position, position.variant, position.turn
        self.board, self.legal = position.board, position.legal_moves()
        self.names = piece_texts(self.variant)
        self.places, self.is_compound = places_of(position), is_compound(self.variant)
        self.last = None if last is None else self.variant.board.find(last)

    def before(self, move: Move) -> str:
        """The kind the move is named after: what stood on its start, or what is dropped."""
        piece = None if move.origin_point is None else self.board[move.origin_point]
        return piece.code if piece else move.piece or ""

    # --- Which moves a text fits ---

    def named(self, way: Way, name: str, end: str) -> list[Move]:
        """The legal moves of pieces of that name that go that way and become that."""
        able = self.ending(name, way[-1].point)
        return [move for move in able if goes(self.board, move, way) and self.ends(move, end)]

    def ending(self, name: str, point: int) -> list[Move]:
        """The legal moves of pieces of that name that end there; ``START`` is where each began."""
        return [
            move
            for move in self.legal
            if move.target_point == (move.origin_point if point == START else point)
            if self.names[self.before(move)] == name
        ]

    def ends(self, move: Move, end: str) -> bool:
        """True if the piece becomes what the end of a text says; an end without a word says nothing."""
        if end == "不成":
            return move.piece == self.before(move)
        return end in ("", self.end(move), f"＝{self.names.get(move.piece or '')}")

    def ways(self, way: Way, name: str, fitting: Iterable[Move]) -> Ways:
        """The ways of all pieces of that name that could go there, whether that is legal or not.

        Of compound moves, which depend on much more than movement, only the legal ones count.
        """
        target = way[-1].point
        if self.is_compound:
            origins = {move.origin_point for move in fitting if move.origin_point is not None}
        else:
            reaches = reference_of(self.variant).reaches
            starts = [
                point
                for point, piece in enumerate(self.board)
                if piece and piece.side == self.side and self.names[piece.code] == name and point != target
            ]
            origins = {point for point in starts if reaches(self.board, point, target)}
        kinds = {point: self.variant.kind(piece.code) for point in origins if (piece := self.board[point])}
        return Ways(self.variant.board, self.side, target, kinds)

    # --- The parts of a text ---

    def start(self, move: Move, ways: Ways) -> str:
        """The words for the piece that moves."""
        if move.origin_point is None:
            return "打" if ways.starts else ""
        words = ways.words(move.origin_point)
        if words is None:
            return f"（{self.places.text(move.origin_point)}）"
        return words

    def end(self, move: Move) -> str:
        """The kind that the piece becomes, in words."""
        before, after = self.before(move), move.piece
        if move.origin_point is None or after is None:
            return ""
        if after != before:
            return "成" if _promotion(self.variant, before) == after else f"＝{self.names[after]}"
        rivals = (
            other
            for other in self.legal
            if other.origin_point == move.origin_point and other.target_point == move.target_point
            if other.piece not in (before, None)
        )
        return "不成" if any(self._done(other) == self._done(move) for other in rivals) else ""

    def _done(self, move: Move) -> tuple[frozenset[int], frozenset[int]]:
        return victims_of(self.board, move), shots_of(way_of(move))

    def _named_way(self, move: Move, name: str, end: str) -> Way:
        """The landings that are written: the fewest that leave no doubt about the move of that piece."""
        way = way_of(move)
        for named in (telling(self.board, move), way):
            if named[-1].point == move.origin_point:
                named = (*named[:-1], Landing(START, named[-1].shots))
            own = [other for other in self.named(named, name, end) if other.origin_point == move.origin_point]
            if best(self, own, named, end) == [move]:
                return named
        return named

    def _way(self, named: Way, victims: frozenset[int]) -> tuple[str, str]:
        """The landings, each with its shots but the last, and the shots from there."""
        words, shots, before = list[str](), "", START
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

    def text(self, move: Move) -> str:
        """The move without the mark of its side."""
        name, end = self.names[self.before(move)], self.end(move)
        named = self._named_way(move, name, end) if self.is_compound else way_of(move)
        start = self.start(move, self.ways(named, name, self.named(named, name, end) if self.is_compound else ()))
        way, shots = self._way(named, victims_of(self.board, move))
        return f"{way}{name}{start}{end}{shots}"


def best(scene: Scene, fitting: list[Move], named: Way, end: str) -> list[Move]:
    """The moves that fit best: a piece of whose change nothing is said stays what it is if any that fits can, and of
    several ways of one piece the one written in full goes before those with landings left out."""
    if not end:
        fitting = [move for move in fitting if move.piece == scene.before(move)] or fitting
    if len(fitting) > 1 and len({move.origin_point for move in fitting}) == 1:
        return [move for move in fitting if is_whole(move, named)] or fitting
    return fitting


def _promotion(variant: Variant, code: str) -> str | None:
    """The one kind that a kind can promote to; ``None`` if there is none, or a choice."""
    becomes = variant.kind(code).becomes
    kinds = {*becomes.zone, becomes.captures_promote_to} - {code, None}
    return kinds.pop() if len(kinds) == 1 else None
