"""Positions of Kō Shōgi as the tests of its rules write them."""

from __future__ import annotations

from collections.abc import Iterable

import komadai
from helpers.support import arranged, by_reference, generic, legal, reference_of
from komadai.game.position import Position
from komadai.spec.board import Side, Vector

KO = komadai.variant("ko")


def text(pieces: str, turn: Side = "b") -> str:
    """The position string of the board with these pieces."""
    return arranged(KO, pieces, turn, besides="G 2s, g 18a")


def board(pieces: str, turn: Side = "b", /, **options: str) -> Position:
    return Position(komadai.variant("ko", **options), text(pieces, turn))


def moves_of(position: Position, origin: str) -> set[str]:
    """The legal moves that begin with that text: a start point, and landings if you like."""
    moves = legal(position)
    assert by_reference(position) == moves, position.sfen()
    assert generic(position) == moves, position.sfen()
    return {move for move in moves if move.startswith(origin)}


def to(origin: str, ends: str) -> set[str]:
    """The move strings of that origin."""
    return {origin + end for end in ends.split()}


def played(position: Position, *moves: str) -> Position:
    """The position after the moves, on which the core and the reference agree."""
    position = position.copy()
    for move in moves:
        oracle, setup = reference_of(position.variant), position.setup()
        candidates = {candidate.text: candidate for candidate in oracle.legal_moves(setup)}
        assert move in candidates, f"{position.sfen()} {move}"
        position.push(move)
        assert position.setup() == oracle.play(setup, candidates[move]), f"{setup} {move}"
    return position


def after(position: Position, *moves: str) -> str:
    return played(position, *moves).sfen()


def away(point: str, vector: Vector, times: int = 1) -> str | None:
    """The point so many times that vector from there as Black sees it, if the board has it."""
    file, rank = int(point[:-1]) - vector[0] * times, ord(point[-1]) - vector[1] * times
    return f"{file}{chr(rank)}" if 1 <= file <= 19 and ord("a") <= rank <= ord("s") else None


def shortest(start: str, vectors: Iterable[Vector], least: int, most: int, revisits: bool = True) -> set[str]:
    """The walks of so many legs over the empty board, for each end the shortest and then the first in string order."""
    best: dict[str, tuple[int, str]] = {}
    ways: list[tuple[str, ...]] = [(start,)]
    vectors = list(vectors)
    for count in range(1, most + 1):
        ways = [(*way, end) for way in ways for vector in vectors if (end := away(way[-1], vector))]
        ways = [way for way in ways if revisits or len(set(way)) == len(way)]
        for way in ways if count >= least else []:
            best[way[-1]] = min(best.get(way[-1], (99, "")), (count, "".join(way)))
    return {string for _, string in best.values()}
