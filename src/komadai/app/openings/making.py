"""Books of the engine's openings: games with itself, lines to learn, and the wrong moves beside them.

What comes out depends on game, options and seed alone: every search has a limit in positions and begins with an empty
table. Where the game is solved and its table at hand, exact values decide instead of searches.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ...book import Book, Builder
from ...book.openings import Loss, Opening, Wrong
from ...engine import MAX_LINES, Engine, Info
from ...engine.levels import ladder
from ...game.position import Position
from ...record.tree import START, Node, Record, Result, Score
from ...solve import MoveValue, obtain
from ...spec.move import Move
from ...spec.variant import Variant
from .names import names_of
from .trainer import CLEAR

GAMES = 100
LINES = 8
PLIES = 12
LEAST = 2
"""In how many games a move of the book was played."""
LONGER = 100_000
"""Positions of the longer search that judges a wrong move."""

Progress = Callable[[str, int, int], object]
"""Called with what is done, how much of it, and of how much."""

_MOST_PLIES = 200  # of a game; one that goes on has no result
_FAST = 30  # after the opening the engine looks at about so many times fewer positions
_VARIED = 0.25  # up or down, so that games differ

# In hundredths of the least piece, as scores of the engine are.
_NEAR = 60  # by which a move that the engine also plays is worse than its best, at first
_WIDENED, _WIDEST = 2, 500  # times as much, as long as there are too few lines, up to so much
_HALVED = 3  # a move that is worse by one part in so many of that is played half as often
DECIDED = 1_500
"""Hundredths of the least piece at which a side has won."""

_BREADTH = (4, 3, 2, 2, 2)  # moves that games choose from, ply by ply; after them it is the best one
_LATER = 2.5  # for each ply by which a win by the table is longer
_GLANCE = 2  # plies of the search that finds what is plausible
_TRIED = 4  # moves of a position that are looked at: the best at a glance, and as many spread over those that are worse
_SEEN, _PLAIN = 200, 600  # what they give away at a glance, and what is plain to see
_TRIES = 4  # moves that are looked at for each ply of a line
_AGREEING = (10_000, LONGER)  # positions of the searches that agree on a wrong move and its punishment
_PUNISHED = 6  # plies of a wrong move and its punishment; the last is the opponent's
_WRONG = 3  # wrong moves of a line

_SPARE = 2  # times the lines wanted that are looked at, since some are not sound
_MOST_SEATS = 16  # times the lines wanted that are looked at where many end in the same position


class Choice(NamedTuple):
    """A move that the engine may play in an opening, what it says of it, and by how much it is worse than the best."""

    move: Move
    score: Score
    worse: float


class Punished(NamedTuple):
    """A wrong move: what it gives away, and itself with the line that punishes it."""

    loss: Loss
    moves: tuple[Move, ...]


class Maker:
    """Plays the openings of one game."""

    def __init__(self, variant: Variant, nodes: int | None = None) -> None:
        """``nodes``: of a search for a move of the opening; by default those that stand for the strongest level."""
        self.variant, self.nodes = variant, nodes or ladder(variant).nodes
        self.begun = [name.line for name in names_of(variant) if name.line]
        """The first moves of the established openings."""
        self._table = obtain(variant)
        self._engine = Engine(variant, hash_mb=16, tables=False)
        self._player = Engine(variant, hash_mb=16, tables=self._table is not None)
        self._near = float(_NEAR)
        self._choices: dict[tuple[str, int, Move | None], list[Choice]] = {}
        self._glances: dict[str, dict[Move, int]] = {}
        self._found: dict[tuple[str, int], Info] = {}
        self._wrong: dict[tuple[str, Move], Punished | None] = {}

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
            chosen = lots.choices(choices, [0.5 ** (_HALVED * one.worse / self._near) for one in choices])[0]
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
        return [one for one in self._choices[key] if one.worse <= self._near]

    def widen(self) -> bool:
        """Play worse moves, too, from now on; false if they would be too bad."""
        self._near *= _WIDENED
        return self._near <= _WIDEST

    def _searched(self, position: Position, most: int, only: Sequence[Move] | None = None) -> list[Choice]:
        lines = self._search(position, self.nodes, most, only).multipv
        return [
            Choice(
                line.move,
                Score(line.score) if line.mate is None else Score(None, line.mate),
                lines[0].score - line.score,
            )
            for line in lines
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
                found = [Choice(moves[0].move, Score(None, -longest), 0.0), *found][:most]
            return [
                Choice(one.move, Score(0) if (plies := values[one.move]) is None else Score(None, -plies), one.worse)
                for one in found
            ]
        return [
            Choice(one.move, Score(None, distance), _LATER * (distance - (best.distance or 0)))
            for one in moves[:most]
            if one.value.outcome == "win" and (distance := one.value.distance) is not None
        ]

    # --- Right and wrong moves ---

    def solved(self, position: Position) -> bool:
        """Whether the table knows the position."""
        return self._table is not None and self._table.probe(position) is not None

    def value(self, position: Position, move: Move) -> MoveValue | None:
        """The value of a move by the table; ``None`` if the table does not have it."""
        known = [] if self._table is None else self._table.moves(position)
        return next((one for one in known if one.move == move), None)

    def found(self, position: Position, nodes: int) -> Info:
        """What a search of so many positions finds in a game that goes on."""
        key = position.sfen(), nodes
        if key not in self._found:
            self._found[key] = self._search(position, nodes)
        return self._found[key]

    def given_away(self, position: Position, moves: Sequence[str], nodes: int = LONGER) -> int:
        """What the side to move loses by these moves, against the best one, in hundredths of the least piece.

        Searches after the best move and after these are compared, since a score often changes with the side that is
        to move. They count up to :data:`DECIDED` alone, so a side that has won or lost gives nothing more away.

        Args:
            position: where the moves begin, in a game that goes on. ``moves``: one or more, as move strings.
            nodes: positions of each search.
        """
        best = self.found(position, nodes).move
        assert best is not None, "the game goes on"
        return self._worth(position, [best.text], nodes) - self._worth(position, moves, nodes)

    def _worth(self, position: Position, moves: Sequence[str], nodes: int) -> int:
        """The score after these moves for the side that is to move before them."""
        after = position.copy()
        for text in moves:
            after.push(text)
        outcome = after.outcome()
        if outcome is not None:
            return 0 if outcome.winner is None else DECIDED if outcome.winner == position.turn else -DECIDED
        score = max(-DECIDED, min(self.found(after, nodes).score, DECIDED))
        return score if after.turn == position.turn else -score

    def sound(self, line: Sequence[Move]) -> tuple[Move, ...]:
        """The first moves of a line, up to the first that gives something away by the longer search.

        Where the table knows the position, every move of the line is right: games keep the value of a position.
        """
        at = Position(self.variant)
        for ply, move in enumerate(line):
            if not self.solved(at) and self.given_away(at, [move.text]) >= CLEAR:
                return tuple(line[:ply])
            at.push(move)
        return tuple(line)

    def seeming(self, position: Position, right: Collection[Move]) -> dict[Move, int]:
        """Moves that a player may think of, and what each seems to give away at a glance; none that is ``right``."""
        key = position.sfen()
        if key not in self._glances:
            self._engine.clear()
            glance = self._engine.search(position, depth=_GLANCE, multipv=MAX_LINES).multipv
            seeming = [(line.move, glance[0].score - line.score) for line in glance if line.move not in right]
            worse = [one for one in seeming if one[1] >= _SEEN]
            spread = [worse[len(worse) * number // _TRIED] for number in range(_TRIED)] if worse else []
            self._glances[key] = dict(seeming[:_TRIED]) | dict(spread)
        return self._glances[key]

    def wrong(self, position: Position, move: Move) -> Punished | None:
        """What a move gives away and how it is punished; ``None`` if it is not clearly wrong."""
        key = position.sfen(), move
        if key not in self._wrong:
            solved = self.solved(position)
            self._wrong[key] = self._proved(position, move) if solved else self._agreed(position, move)
        return self._wrong[key]

    def _agreed(self, position: Position, move: Move) -> Punished | None:
        """By two searches that agree: the move gives something away, also after the reply that the longer one finds."""
        after = position.copy()
        after.push(move)
        if after.is_game_over():
            return None
        for nodes in _AGREEING:
            decided = abs(self.found(position, nodes).score) >= DECIDED
            if decided or self.given_away(position, [move.text], nodes) < CLEAR:
                return None
        line = (move, *self.found(after, LONGER).pv)
        texts = [one.text for one in line[:2]]
        if len(line) < 2 or any(self.given_away(position, texts, nodes) < CLEAR for nodes in _AGREEING):
            return None
        return Punished(self.given_away(position, [move.text]), line[: min(_PUNISHED, len(line) // 2 * 2)])

    def _proved(self, position: Position, move: Move) -> Punished | None:
        """By the table: it draws or loses where another move does better."""
        assert self._table is not None
        known = self.value(position, move)
        if known is None or not known.blunder or known.value.outcome == "win":
            return None
        after = position.copy()
        after.push(move)
        line = (move, *self._table.line(after, _PUNISHED - 1))
        return Punished(known.value.outcome, line[: len(line) // 2 * 2]) if len(line) > 1 else None


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
    maker = Maker(variant, nodes)
    found: tuple[Builder, list[Opening]] | None = None
    while found is None or (len(found[1]) < lines and maker.widen()):
        builder = Builder(variant, plies=plies)
        for number in range(games):
            progress("games", number, games)
            # Every other game begins as one of the established openings does.
            known = maker.begun[number // 2 % len(maker.begun)] if maker.begun and number % 2 else ()
            builder.add(maker.game(random.Random(f"{seed} {number}"), known, plies))
        with tempfile.TemporaryDirectory() as folder:
            book = builder.write(Path(folder, "games.book"), least=LEAST)
            openings = _openings(maker, book, lines, progress)
        if found is None or len(openings) > len(found[1]):  # worse moves do not always bring more lines that are sound
            found = builder, openings
    builder, openings = found
    return builder.write(path, least=LEAST, openings=openings, nodes=maker.nodes)


def _openings(maker: Maker, book: Book, wanted: int, progress: Progress) -> list[Opening]:
    """The established lines of a book of the engine's games, and so many others, with the wrong moves beside them.

    A line ends before its first move that is not sound. One that is too short then, that is part of another, or that
    has no wrong move beside it is left out, unless it is established.
    """
    openings, known, others = list[Opening](), set[tuple[str, Move]](), 0
    chosen = _lines(book, maker.begun, _SPARE * wanted)
    for number, line in enumerate(chosen):
        progress("lines", number, len(chosen))
        texts = tuple(map(str, line))
        established = next((one for one in maker.begun if texts[: len(one)] == one), ())
        if not established and others == wanted:
            continue
        sound = line[: max(len(maker.sound(line)), len(established))]
        texts = texts[: len(sound)]
        short = len(sound) < min(len(line), book.plies // 2)
        if not established and (short or any(one.moves[: len(texts)] == texts for one in openings)):
            continue
        wrong = tuple(_beside(maker, book, sound, known))
        if wrong or established:
            others += not established
            openings.append(Opening(texts, wrong))
    return openings


def _lines(book: Book, begun: Sequence[Sequence[str]], wanted: int) -> list[tuple[Move, ...]]:
    """The lines of a book: those of the established openings, and so many others, spread over what was played."""
    found = dict[tuple[str, ...], tuple[Move, ...]]()
    for line in begun:
        at = Position(book.variant)
        for text in line:
            at.push(text)
        for end in _spread(book, at, 1):
            found[tuple(map(str, end.move_stack))] = end.move_stack
    ends = set[str]()
    most, seats = len(found) + wanted, wanted
    while len(found) < most and seats < _MOST_SEATS * wanted:
        for at in _spread(book, Position(book.variant), seats):
            long = len(at.move_stack) >= book.plies // 2 or at.is_game_over()
            if long and len(found) < most and at.sfen() not in ends:
                ends.add(at.sfen())
                found[tuple(map(str, at.move_stack))] = at.move_stack
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


def _beside(maker: Maker, book: Book, line: Sequence[Move], known: set[tuple[str, Move]]) -> Iterator[Wrong]:
    """The most plausible wrong moves beside a line, rather those that no line before it has: ``known`` is added to."""
    tries, at = list[tuple[tuple[bool, int, int], int, Position, Move]](), Position(book.variant)
    for ply, right in enumerate(line):
        others = {right, *(one.move for one in book.moves(at))}
        for move, seems in maker.seeming(at, others).items():
            # First what can be seen to be wrong and is not plain, then what is plain, then what looks better.
            worth = (0, seems) if _SEEN <= seems <= _PLAIN else (1, seems) if seems > _PLAIN else (2, -seems)
            tries.append((((at.sfen(), move) in known, *worth), ply, at.copy(), move))
        at.push(right)
    found = dict[int, Wrong]()
    for _worth, ply, place, move in sorted(tries, key=lambda one: one[0])[: _TRIES * len(line)]:
        if ply not in found and len(found) < _WRONG and (wrong := maker.wrong(place, move)) is not None:
            known.add((place.sfen(), move))
            found[ply] = Wrong(ply, wrong.loss, tuple(map(str, wrong.moves)))
    yield from (found[ply] for ply in sorted(found))
