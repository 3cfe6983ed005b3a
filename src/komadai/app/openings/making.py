"""Books of the engine's openings: games with itself, lines to learn, and the wrong moves beside them.

What comes out depends on game, options and seed alone: every search has a limit in positions and begins with an empty
table. Where the game is solved and its table at hand, exact values decide instead of searches.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ...book import Book, Builder
from ...book.openings import MOST_LOSS, Loss, Opening, Wrong
from ...engine import Engine, Info
from ...engine.levels import ladder
from ...game.position import Position
from ...record.tree import START, Node, Record, Result, Score
from ...solve import Table, obtain
from ...spec.move import Move
from ...spec.variant import Variant
from .names import names_of
from .trainer import CLEAR

GAMES = 100
LINES = 8
PLIES = 12
LEAST = 2
"""In how many games a move of the book was played."""

Progress = Callable[[str, int, int], object]
"""Called with what is done, how much of it, and of how much."""

_MOST_PLIES = 200  # of a game; one that goes on has no result
_FAST = 30  # after the opening the engine looks at about so many times fewer positions
_VARIED = 0.25  # up or down, so that games differ

# In hundredths of the least piece, as scores of the engine are.
_NEAR = 60  # by which a move that the engine also plays is worse than its best
_HALVED = 20  # by which it is worse if it is played half as often
_DECIDED = 1_500  # at which a side has won

_BREADTH = (4, 3, 2, 2, 2)  # moves that games choose from, ply by ply; after them it is the best one
_APART = 8  # plies by which a win by the table is longer if it is played half as often
_GLANCE, _GLANCED = 400, 10  # positions and moves of the search that finds what is plausible
_SEEMING = 300  # at a glance; a move that seems to give away more is a last resort
_TRIED = 5  # plausible moves of a position that are looked at
_AGREEING = (10_000, 100_000)  # positions of the searches that agree on a wrong move and its punishment
_PUNISHED = 6  # plies of a wrong move and its punishment; the last is the opponent's
_WRONG = 3  # wrong moves of a line

_MOST_SEATS = 16  # times the lines wanted that are looked at where many end in the same position


class Choice(NamedTuple):
    """A move that the engine plays in an opening, how good it is, and how often it is played beside others."""

    move: Move
    score: Score
    weight: float


class Punished(NamedTuple):
    """A wrong move: what it seems to give away at a glance, what it does, and itself with the line that punishes it."""

    seeming: int
    loss: Loss
    moves: tuple[Move, ...]


class Maker:
    """Plays the openings of one game."""

    def __init__(self, variant: Variant, nodes: int | None = None) -> None:
        """``nodes``: of a search for a move of the opening; by default those that stand for the strongest level."""
        self.variant, self.nodes = variant, nodes or ladder(variant).nodes
        self._table = obtain(variant)
        self._engine = Engine(variant, hash_mb=16, tables=False)
        self._player = Engine(variant, hash_mb=16, tables=self._table is not None)
        self._choices: dict[tuple[str, int, Move | None], list[Choice]] = {}
        self._wrong: dict[str, list[Punished]] = {}

    def _search(self, position: Position, nodes: int, multipv: int = 1, only: Sequence[Move] | None = None) -> Info:
        """A search that does not depend on those before it."""
        self._engine.clear()
        return self._engine.search(position, nodes=nodes, multipv=multipv, searchmoves=only)

    # --- Games ---

    def game(self, lots: random.Random, begun: Sequence[str], plies: int) -> Record:
        """A game that begins with some moves, and goes on for so many plies with choices by chance.

        Of the record only these plies are kept, and the result.
        """
        position, nodes = Position(self.variant), [START]
        for text in begun[:plies]:
            score = self.choices(position, 1, position.parse_move(text))[0].score
            position.push(text)
            nodes.append(Node(text, len(nodes) - 1, score=score))
        while len(nodes) <= plies and not position.is_game_over():
            ply = len(nodes) - 1
            choices = self.choices(position, _BREADTH[ply] if ply < len(_BREADTH) else 1)
            chosen = lots.choices(choices, [one.weight for one in choices])[0]
            position.push(chosen.move)
            nodes.append(Node(chosen.move.text, len(nodes) - 1, score=chosen.score))
        self._player.clear()
        while not position.is_game_over() and len(position.move_stack) < _MOST_PLIES:
            few = self.nodes / _FAST * lots.uniform(1 - _VARIED, 1 + _VARIED)
            move = self._player.search(position, nodes=max(round(few), 1)).move
            assert move is not None, "the game goes on"
            position.push(move)
        outcome = position.outcome()
        return Record(self.variant, None, tuple(nodes), (), None if outcome is None else Result.of(outcome))

    def choices(self, position: Position, most: int, only: Move | None = None) -> list[Choice]:
        """At most so many moves that the engine plays in a position, the best first; or what it says of one."""
        key = position.sfen(), most, only
        if key not in self._choices:
            known = self._known(position, most) if only is None else []
            self._choices[key] = known or self._searched(position, most, None if only is None else [only])
        return self._choices[key]

    def _searched(self, position: Position, most: int, only: Sequence[Move] | None = None) -> list[Choice]:
        lines = self._search(position, self.nodes, most, only).multipv
        best = lines[0].score
        return [
            Choice(
                line.move,
                Score(line.score) if line.mate is None else Score(None, line.mate),
                0.5 ** ((best - line.score) / _HALVED),
            )
            for line in lines
            if line.score >= best - _NEAR
        ]

    def _known(self, position: Position, most: int) -> list[Choice]:
        """By the table: moves that keep the value of the position. Of those that win the soonest go first; in a lost
        position the one that holds out longest is among them.
        """
        moves = [] if self._table is None else self._table.moves(position)
        if not moves:
            return []
        best = moves[0].value
        longest = (best.distance or 0) if best.outcome == "loss" else 0
        if best.outcome != "win":  # no move that keeps the value comes nearer to anything: a search decides
            kept = [one for one in moves if one.value.outcome == best.outcome]
            values = {one.move: one.value.distance for one in kept}
            found = self._searched(position, most, list(values))
            if longest and all(values[one.move] != longest for one in found):
                found = [Choice(moves[0].move, Score(None, -longest), 1.0), *found][:most]
            return [
                Choice(one.move, Score(0) if (plies := values[one.move]) is None else Score(None, -plies), one.weight)
                for one in found
            ]
        return [
            Choice(one.move, Score(None, distance), 0.5 ** ((distance - (best.distance or 0)) / _APART))
            for one in moves[:most]
            if one.value.outcome == "win" and (distance := one.value.distance) is not None
        ]

    # --- Wrong moves ---

    def wrong(self, position: Position, right: Sequence[Move]) -> list[Punished]:
        """The wrong moves of a position that look right at a glance, the most plausible first.

        ``right``: moves that are none, whatever a search says of them.
        """
        key = position.sfen()
        if key not in self._wrong:
            self._wrong[key] = list(self._found(position, right))
        return self._wrong[key]

    def _found(self, position: Position, right: Sequence[Move]) -> Iterator[Punished]:
        glance = self._search(position, _GLANCE, _GLANCED).multipv
        seeming = {line.move: glance[0].score - line.score for line in glance if line.move not in right}
        plausible = dict([*seeming.items()][:_TRIED])
        if self._table is not None and self._table.probe(position) is not None:
            yield from _proved(self._table, position, plausible)
            return
        best: dict[int, int] = {}
        for move, seems in plausible.items():
            agreed = list[Punished]()
            for nodes in _AGREEING:
                if nodes not in best:
                    best[nodes] = self._search(position, nodes).score
                line = self._search(position, nodes, only=[move]).multipv[0]
                loss = min(best[nodes] - line.score, MOST_LOSS)
                if abs(best[nodes]) >= _DECIDED or loss < CLEAR or len(line.pv) < 2:
                    break
                agreed.append(Punished(seems, loss, line.pv[: min(_PUNISHED, len(line.pv) // 2 * 2)]))
            if len(agreed) == len(_AGREEING) and len({one.moves[1] for one in agreed}) == 1:
                yield agreed[-1]


def _proved(table: Table, position: Position, plausible: Mapping[Move, int]) -> Iterator[Punished]:
    """By a table: what draws or loses where another move does better."""
    values = {one.move: one for one in table.moves(position)}
    for move, seems in plausible.items():
        known = values.get(move)
        if known is None or not known.blunder or known.value.outcome == "win":
            continue
        after = position.copy()
        after.push(move)
        line = (move, *table.line(after, _PUNISHED - 1))
        if len(line) > 1:
            yield Punished(seems, known.value.outcome, line[: len(line) // 2 * 2])


def make(
    variant: Variant,
    path: Path,
    *,
    games: int = GAMES,
    lines: int = LINES,
    plies: int = PLIES,
    seed: int = 1,
    nodes: int | None = None,
    progress: Progress = lambda *_: None,
) -> Book:
    """Make the book of a game's openings.

    Args:
        path: the file.
        games: how many games the engine plays. ``lines``: how many lines to choose, besides those with names.
        plies: the length of an opening. ``seed``: of the choices by chance.
        nodes: positions of a search for a move of an opening; by default those that stand for the strongest level.
        progress: told how far it has come.

    Raises:
        BookError: the games have no move in common, or the file cannot be written.
    """
    maker, builder = Maker(variant, nodes), Builder(variant, plies=plies)
    begun = [name.line for name in names_of(variant) if name.line]
    for number in range(games):
        progress("games", number, games)
        # Every other game begins as one of the established openings does.
        known = begun[number // 2 % len(begun)] if begun and number % 2 else ()
        builder.add(maker.game(random.Random(f"{seed} {number}"), known, plies))
    with tempfile.TemporaryDirectory() as folder:
        book = builder.write(Path(folder, "games.book"), least=LEAST)
        openings = _openings(maker, book, _lines(book, begun, lines), progress)
    return builder.write(path, least=LEAST, openings=openings, nodes=maker.nodes)


def _openings(maker: Maker, book: Book, chosen: Sequence[tuple[Move, ...]], progress: Progress) -> list[Opening]:
    """The lines that were chosen, with the wrong moves beside them."""
    openings, known = list[Opening](), set[str]()
    for number, line in enumerate(chosen):
        progress("lines", number, len(chosen))
        openings.append(Opening(tuple(move.text for move in line), tuple(_beside(maker, book, line, known))))
    return openings


def _lines(book: Book, begun: Sequence[Sequence[str]], wanted: int) -> list[tuple[Move, ...]]:
    """The lines of a book: those of the established openings, and so many others, spread over what was played."""
    found = dict[tuple[str, ...], tuple[Move, ...]]()
    ends = set[str]()

    def keep(lines: Iterator[Position], most: int) -> None:
        for at in lines:
            long = len(at.move_stack) >= book.plies // 2 or at.is_game_over()
            if long and len(found) < most and at.sfen() not in ends:
                ends.add(at.sfen())
                found[tuple(map(str, at.move_stack))] = at.move_stack

    for line in begun:
        at = Position(book.variant)
        for text in line:
            at.push(text)
        keep(_spread(book, at, 1), len(found) + 1)
    most, seats = len(found) + wanted, wanted
    while len(found) < most and seats < _MOST_SEATS * wanted:
        keep(_spread(book, Position(book.variant), seats), most)
        seats *= 2
    return list(found.values())


def _spread(book: Book, at: Position, seats: int) -> Iterator[Position]:
    """So many lines from a position, or fewer, to where the book ends: each move leads as many as it was played."""
    moves = book.moves(at) if len(at.move_stack) < book.plies else []
    if not moves:
        yield at.copy()
        return
    shares = [0] * len(moves)
    for _seat in range(seats):
        most = max(range(len(moves)), key=lambda number: moves[number].games / (2 * shares[number] + 1))
        shares[most] += 1
    for move, share in zip(moves, shares, strict=True):
        if share:
            at.push(move.move)
            yield from _spread(book, at, share)
            at.pop()


def _beside(maker: Maker, book: Book, line: Sequence[Move], known: set[str]) -> Iterator[Wrong]:
    """The most plausible wrong moves beside a line, rather those that no line before it has: ``known`` is added to."""
    found, at = list[tuple[tuple[bool, bool, int], Wrong, str]](), Position(book.variant)
    for ply, move in enumerate(line):
        right = [move, *(one.move for one in book.moves(at))]
        for seems, loss, moves in maker.wrong(at, right):
            place = f"{at.sfen()} {moves[0]}"
            worth = seems > _SEEMING, place in known, seems
            found.append((worth, Wrong(ply, loss, tuple(map(str, moves))), place))
        at.push(move)
    best = sorted(found, key=lambda one: one[0])[:_WRONG]
    known.update(place for _worth, _wrong, place in best)
    yield from sorted((wrong for _worth, wrong, _place in best), key=lambda wrong: wrong.ply)
