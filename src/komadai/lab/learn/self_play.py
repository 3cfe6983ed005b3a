"""Games of the engine with itself from which a net is to learn, at a fixed number of positions a move.

A game depends on the rules, the evaluation, the settings and its number alone.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from ...engine import Engine
from ...engine.evaluation import evaluation_hash
from ...engine.levels import ladder
from ...game.position import Position
from ...game.random_moves import any_move
from ...spec.board import Side, other
from ...spec.move import PROMOTES, Move
from ...spec.variant import Variant
from .data import MOST_PLIES, MOST_SCORE, Played
from .openings import opening

NODES = 1000
"""Positions that a move is searched with, unless said otherwise."""

DECIDED = 3000
"""A score beyond which a position is not quiet; if it is so for some plies, the game is decided."""

_DECIDED_PLIES = 4
_HASH_MB = 1


@dataclass(frozen=True, slots=True)
class Settings:
    """All that games depend on besides the rules.

    Attributes:
        seed: of the openings and of random moves. ``nodes``: the positions searched for a move.
        plies: after which a game is drawn.
        evaluation: its hash (:func:`~komadai.engine.evaluation.evaluation_hash`).
        noise: the share of random moves, from 0 to 1.
    """

    seed: int
    nodes: int
    plies: int
    evaluation: str
    noise: float = 0.0

    @classmethod
    def of(cls, variant: Variant, *, seed: int = 1, nodes: int = NODES, noise: float = 0.0) -> Settings:
        """The settings of a game with the evaluation that is here."""
        return cls(seed, nodes, min(ladder(variant).plies, MOST_PLIES), evaluation_hash(variant), noise)

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Settings:
        """The settings of :meth:`data`, which may stand among other things."""
        return cls(**{one.name: data[one.name] for one in fields(cls) if one.name in data})

    def data(self) -> dict[str, Any]:
        """The settings as plain data, without those that are as by default."""
        return {one.name: value for one in fields(self) if (value := getattr(self, one.name)) != one.default}


class SelfPlay:
    """Plays games of one variant by their numbers."""

    def __init__(self, variant: Variant, settings: Settings) -> None:
        self._variant, self._settings = variant, settings
        self._engine = Engine(variant, hash_mb=_HASH_MB, tables=False)

    def game(self, number: int) -> Played:
        """Play the game of that number.

        Raises:
            LearnError: it has no opening.
        """
        self._engine.clear()
        position = opening(self._variant, self._settings.seed, number)
        chance = random.Random(f"{self._settings.seed} {number} moves")
        start, moves, scores, quiet = position.sfen(ply=True), list[str](), array("h"), bytearray()
        while (outcome := position.outcome()) is None and len(moves) < self._settings.plies:
            info = self._engine.search(position, nodes=self._settings.nodes)
            assert info.move is not None, "the game goes on"
            move = any_move(chance, position) if chance.random() < self._settings.noise else str(info.move)
            moves.append(move)
            scores.append(max(-MOST_SCORE, min(info.score, MOST_SCORE)))
            quiet.append(_is_quiet(position, info.move, info.score))
            if (winner := _decided(scores, position.turn)) is not None:
                return Played(number, start, tuple(moves), scores, bytes(quiet), winner, "score")
            position.push(move)
        if outcome is None:
            return Played(number, start, tuple(moves), scores, bytes(quiet), None, "length")
        return Played(number, start, tuple(moves), scores, bytes(quiet), outcome.winner, "rules")


def _is_quiet(position: Position, move: Move, score: int) -> bool:
    """True if the static score of a position can be that of the search: the side to move is not in check, its best
    move neither captures nor promotes, and nothing is decided."""
    if abs(score) > DECIDED or move.code >> 48 & PROMOTES:
        return False
    return not position.is_check() and not position.is_capture(move)


def _decided(scores: array[int], turn: Side) -> Side | None:
    """The winner by scores that were beyond doubt for some plies, all of them for the same side.

    Args:
        turn: the side whose score is the last.
    """
    last = [score if back % 2 == 0 else -score for back, score in enumerate(reversed(scores[-_DECIDED_PLIES:]))]
    if len(last) == _DECIDED_PLIES and (min(last) > DECIDED or max(last) < -DECIDED):
        return turn if last[0] > 0 else other(turn)
    return None


def check_played(variant: Variant, settings: Settings, game: Played) -> None:
    """Check that a game can have been played so: its opening, its moves and its end.

    Raises:
        ValueError: it cannot.
    """
    if game.start != opening(variant, settings.seed, game.number).sfen(ply=True):
        raise ValueError(f"game {game.number} begins with another position")
    position = Position(variant, game.start)
    turn = position.turn
    for move in game.moves:
        if position.is_game_over() or not position.is_legal(move):
            raise ValueError(f"game {game.number} goes on with {move[:20]!r}, which is not legal there")
        turn = position.turn
        position.push(move)
    outcome, winner = position.outcome(), None
    if game.end == "rules":
        fits, winner = outcome is not None, None if outcome is None else outcome.winner
    elif game.end == "score":
        winner = _decided(game.scores, turn)
        fits = winner is not None
    else:
        fits = outcome is None and len(game.moves) == settings.plies
    if not fits or winner != game.winner or len(game.moves) > settings.plies:
        raise ValueError(f"game {game.number} does not end as it says")
