"""Games from random positions of a solved game, in which level 10 keeps with its table what the table says.

From each drawn position level 10, to move, holds the draw against the engine without the table, and against random
moves that keep the value. From each won one it wins in the promised number of plies against the longest defence.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count, islice

import komadai
from komadai.engine import Engine
from komadai.solve import Table, Value
from komadai.spec.move import Move

Player = Callable[[komadai.Position], Move]

CAP = 400  # plies after which a draw has been held


def engine_player(variant: komadai.Variant, nodes: int, *, tables: bool) -> Player:
    """Level 10, with so many nodes a move where it searches."""
    engine = Engine(variant, tables=tables, seed=0)

    def play(position: komadai.Position) -> Move:
        move = engine.search(position, nodes=nodes).move
        assert move is not None
        return move

    return play


def keeper(table: Table, chance: random.Random) -> Player:
    """Plays any move that keeps the value."""
    return lambda position: chance.choice([one.move for one in table.moves(position) if not one.blunder])


def resister(table: Table) -> Player:
    """Plays the longest defence."""
    return lambda position: table.moves(position)[0].move


def starts(table: Table, outcome: str, seed: int) -> Iterator[tuple[komadai.Position, Value]]:
    """Random positions of that outcome, and their values; in drawn ones there is a choice."""
    for number in count():
        for one in table.sample(1, seed * 1_000_003 + number):
            value = table.probe(one)
            if value and value.outcome == outcome and (outcome != "draw" or len(one.legal_moves()) > 1):
                yield komadai.Position(table.variant, one.sfen()), value


def play(position: komadai.Position, players: tuple[Player, Player], cap: int) -> tuple[str, int]:
    """Play a game on: ``win``, ``draw`` or ``loss`` for the side to move, and the plies played."""
    first, plies = position.turn, 0
    while (outcome := position.outcome()) is None and plies < cap:
        position.push(players[plies % 2](position))
        plies += 1
    if outcome is None or outcome.winner is None:
        return "draw", plies
    return "win" if outcome.winner == first else "loss", plies


def hold(table: Table, opponent: Player, positions: int, nodes: int, seed: int) -> Counter[str]:
    """The results of level 10 with the table, to move in random drawn positions."""
    best = engine_player(table.variant, nodes, tables=True)
    drawn = islice(starts(table, "draw", seed), positions)
    return Counter(play(position, (best, opponent), CAP)[0] for position, _ in drawn)


def mate(table: Table, positions: int, nodes: int, seed: int) -> Counter[str]:
    """How level 10 with the table, to move in random won positions, keeps its promise."""
    players, found = (engine_player(table.variant, nodes, tables=True), resister(table)), Counter[str]()
    for position, value in islice(starts(table, "win", seed), positions):
        assert value.distance is not None
        found["promised" if play(position, players, value.distance) == ("win", value.distance) else "late"] += 1
    return found
