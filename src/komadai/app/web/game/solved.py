"""The values of the moves of a solved game, from its table, and its hardest wins."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from ....errors import SpecError
from ....game.game import Game
from ....game.position import Position
from ....i18n import _, sentence
from ....solve import MoveValue, Puzzle, Table, Value, background, files, find, shape_of
from ....spec.move import Move
from ....spec.sfen import parse
from ....spec.variant import Variant
from ....variants import build, names
from ..presenter import encode
from ..schema import model
from ..schema.solved import HardestWin, Judged, KnownMove, KnownPosition, TableAnswer, TableMove, Worth
from .replay import RefusedError

log = logging.getLogger(__name__)

_MOST = 1000  # more wins than a table lists
_DRAW = Value("draw", None)
_REVERSED: dict[str, model.WinDrawLoss] = {"win": "loss", "draw": "draw", "loss": "win"}


@dataclass(frozen=True, slots=True)
class Study:
    """The values of a game: of its position, of every legal move, best first, and of every move played."""

    value: Worth | None
    moves: list[KnownMove]
    played: list[Judged | None]


def study(
    table: Table, start: Position, moves: Sequence[Move], known: Sequence[Judged | None] = (), over: bool = False
) -> Study:
    """Look a game up in the table.

    Args:
        known: the values of the first moves from an earlier study, which are the same.
        over: the last position ends the game, so that it has no value.

    Raises:
        TableError: the table's file is damaged.
    """
    position = start.copy()
    played = list(known)
    for number, move in enumerate(moves):
        if number >= len(known):
            worth = values(table, position)
            played.append(next((_judged(one, worth[0]) for one in worth if one.move == move), None))
        position.push(move)
    return Study(*_known(table, position, over), played)


def known_position(table: Table, game: Game, plies: int) -> KnownPosition:
    """The values of the position of a game and of every move, and at most so many plies of best play from there.

    Best play is that of the table, as if nothing had been played before, and ends with the game.

    Raises:
        TableError: the table's file is damaged.
    """
    value, moves = _known(table, game.position, game.outcome() is not None)
    line: list[model.RecordedMove] = []
    if value is not None and plies:
        twin = game.position.copy()
        for move in table.line(twin, plies):
            line.append(encode.recorded_move(twin, move))
            twin.push(move)
            if twin.outcome() is not None:
                break
    return KnownPosition(value, moves, line)


def _known(table: Table, position: Position, over: bool) -> tuple[Worth | None, list[KnownMove]]:
    """The values of a position and of every move, best first; none if the game is over there."""
    value = None if over else table.probe(position)
    worth = [] if value is None else values(table, position)
    if worth:
        value = worth[0].value
    return None if value is None else _worth(value), [_known_move(one, worth[0], position) for one in worth]


def values(table: Table, position: Position) -> list[MoveValue]:
    """Every legal move with its value, best first.

    The table does not know the moves played before. A move that ends the game because of them (a repetition) has the
    value of that end.
    """
    found, twin = table.moves(position), position.copy()
    valued: list[tuple[Move, Value]] = []
    for known in found:
        twin.push(known.move)
        outcome = twin.outcome() if known.value.distance != 1 else None
        twin.pop()
        if outcome is None:
            valued.append((known.move, known.value))
        elif outcome.winner is None:
            valued.append((known.move, _DRAW))
        else:
            valued.append((known.move, Value("win" if outcome.winner == position.turn else "loss", 1)))
    if [value for _, value in valued] == [known.value for known in found]:
        return found
    valued.sort(key=lambda one: one[1].rank, reverse=True)
    best = valued[0][1]
    return [MoveValue(move, value, value == best, value.rank[0] < best.rank[0]) for move, value in valued]


def _worth(value: Value) -> Worth:
    return Worth(value.outcome, value.distance)


def _judged(one: MoveValue, best: MoveValue) -> Judged:
    threw = _worth(best.value) if one.blunder else None
    return model.extended(Judged, _worth(one.value), best=one.best, blunder=one.blunder, threw=threw)


def _known_move(one: MoveValue, best: MoveValue, position: Position) -> KnownMove:
    v = position.variant
    played = encode.played_move(v, position.turn, one.move, encode.texts(position, one.move))
    return model.extended(KnownMove, played, **model.fields_of(_judged(one, best)))


def answer(table: Table, position: Position) -> TableAnswer:
    """The answer of the table to a position, whatever was played before.

    Raises:
        TableError: the table's file is damaged.
    """
    value = table.probe(position)
    if value is None:
        return TableAnswer("unknown", None, [])
    moves = [
        TableMove(one.move.text, _REVERSED[one.value.outcome], _dtm(one.value, after=True))
        for one in table.moves(position)
    ]
    return TableAnswer(value.outcome, _dtm(value), moves)


def _dtm(value: Value, *, after: bool = False) -> int | None:
    """The plies to the end, below 0 for a loss; ``after`` a move of that value, for the opponent."""
    if value.distance is None:
        return None
    plies = value.distance - after
    return plies if (value.outcome == "win") != after else -plies


# --- Hardest wins ---------------------------------------------------------------------------------------------------


def hardest_wins(table: Table) -> list[HardestWin]:
    """The hardest wins of a table."""
    return [_hardest_win(table.variant, one) for one in table.hardest(_MOST)]


def _hardest_win(v: Variant, puzzle: Puzzle) -> HardestWin:
    setup = parse(v, puzzle.position)
    return model.extended(
        HardestWin,
        encode.pieces(v, setup),
        position=puzzle.position,
        distance=puzzle.distance,
        winning=puzzle.winning,
        turn=setup.turn,
    )


def challenge(table: Table | None, position: str) -> model.Challenge | None:
    """The task in a position that is one of the hardest wins."""
    found = None if table is None else next((p for p in table.hardest(_MOST) if p.position == position), None)
    return None if found is None else model.Challenge(found.distance, found.winning)


class BeingSolvedError(RefusedError):
    """A game is being solved, as far as ``percent`` tells: the values can be asked for again."""

    def __init__(self, v: Variant, percent: int) -> None:
        words = _("{game} is being solved: {percent} %. The answer will follow.", game=_(v.name), percent=percent)
        super().__init__(sentence(words))
        self.percent = percent


def table_of(v: Variant) -> Table:
    """The table of a variant, which may have been made since the server was started.

    Raises:
        BeingSolvedError: it is being made, or is begun now.
        RefusedError: the variant is not solved.
    """
    solving = background.begin(v)
    if solving is not None and not solving.fault:
        raise BeingSolvedError(v, solving.percent)
    table = find(v)
    if table is None:
        if solving is not None and not solving.logged:
            solving.logged = True
            log.warning("%s could not be solved: %s", v.id, solving.fault)
        raise RefusedError(_unsolved(v, failed=solving is not None))
    return table


def solved_games() -> frozenset[str]:
    """The variants that are solved now, by their default options; more may be while a server runs."""
    return frozenset(name for name in names(shelf=True) if encode.is_solved(build(name)))


def _unsolved(v: Variant, *, failed: bool) -> str:
    """The reason why there are no values in an unsolved variant, and the command that makes them where there is one.

    ``failed``: solving it has failed. The log has the reason, which may name a file of the server.
    """
    if failed:
        return sentence(_("{game} could not be solved here; the log of the server says why.", game=_(v.name)))
    words = _("{game} with these rules is not solved here: there is no table of its positions.", game=_(v.name))
    try:
        shape_of(v)
    except SpecError:
        return words
    return " ".join([words, _("It can be made with: {command}", command=files.command(v))])
