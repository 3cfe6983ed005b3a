"""The themes of puzzles: how each finds positions in a game, and proves that one first move is right and no other."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Protocol

from ...engine import Engine, Tsume
from ...engine.forced_win import attack, defend
from ...engine.mate import can_mate
from ...game.position import Position
from ...solve import Table, obtain
from ...spec.board import SIDES, other
from ...spec.logic import is_compound
from ...spec.material import royals
from ...spec.move import Move
from ...spec.setup import Piece
from ...spec.variant import Variant
from ...view.survival import needs_of
from .puzzle import Puzzle, Theme, from_black, puzzle_of, reordered
from .searched import TEN_TIMES, Held, Material, Searched, Sight
from .thinning import Unit, backwards, placed, unit_of, without

_MOST_REMOVED = 10  # pieces of a position


class Prover(Protocol):
    """A theme at work in one game.

    Attributes:
        theme: its name.
        each_game: the most puzzles of a file that come from one game.
    """

    theme: Theme
    each_game: int

    def share(self, plies: int) -> float:
        """The greatest part of a file's puzzles that may be of a length."""

    def candidates(self, game: Position) -> Iterator[Position]:
        """The positions of a finished game that may be puzzles, in any order, each made only when it is asked for."""

    def prove(self, position: Position) -> Puzzle | None:
        """The puzzle of the position, or ``None`` if one first move alone is not proved to win, or it is a dull one."""


def provers(variant: Variant, theme: Theme | None = None, times: int = 1) -> list[Prover]:
    """The provers of a theme, by default of all that the game has, that of wins first; none if it has no such theme.

    They search so many ``times`` the usual nodes.
    """
    table = obtain(variant) if theme in (None, "table") else None
    if table is not None:
        return [TableWins(variant, table)]
    found: list[Mates | Defences | ForcedWins | Searched] = []
    if can_mate(variant):
        found += [Mates(variant), Defences(variant)]
    elif variant.survives_if is not None:
        found.append(Extinctions(variant))
    if (theme == "win" or variant.wins_if is not None or not found) and (not is_compound(variant) or royals(variant)):
        found.insert(0, ForcedWins(variant))
    sight = Sight(variant)
    found += [Material(sight), Held(sight)]
    for one in found:
        one.nodes *= times
    return [one for one in found if theme in (None, one.theme)]


class Mates:
    """Mates by checks alone. Every other first move is proved not to mate by checks alone.

    Left out are mates that useless drops can lengthen, and positions with one check only.
    """

    theme: Theme = "mate"
    each_game = 2
    longest = 11
    nodes, _nodes_at_sight = 5_000, 2_000
    _last_plies = 24

    def __init__(self, variant: Variant) -> None:
        self._engine = Engine(variant, tables=False)

    def share(self, plies: int) -> float:
        return 0.15 if plies == 1 else 0.4

    def candidates(self, game: Position) -> Iterator[Position]:
        for position in backwards(game, self._last_plies):
            if self._mates(position) and (thin := self._thinned(position)) is not None:
                yield thin

    def _mates(self, position: Position) -> bool:
        """True if there is a mate that is found at sight."""
        return self._engine.mate(position, nodes=self._nodes_at_sight, shortest=False).outcome == "mate"

    def _thinned(self, position: Position) -> Position | None:
        """The position without the pieces of other solutions, if one is left."""
        at: Position | None = position
        for _ in range(_MOST_REMOVED):
            if at is None:
                return None
            judged = self._engine.tsume(at, nodes=self.nodes)
            if _unique(at, judged):
                return at
            if judged.outcome != "mate":
                return None
            at = self._with_less(at, judged)
        return None

    def _with_less(self, position: Position, judged: Tsume) -> Position | None:
        """The position without what the mate can spare of the first group of pieces of which it can spare any."""
        first = unit_of(position, judged.moves[0])
        for units in self._to_remove(position, judged):
            at = position
            for unit in units:
                if unit != first and (thin := without(at, unit)) is not None and self._mates(thin):
                    at = thin
            if at is not position:
                return at
        return None

    @staticmethod
    def _to_remove(position: Position, judged: Tsume) -> list[list[Unit]]:
        """Groups of pieces: each one alone that gives another solution; what the attacker and what the defender has in
        hand, as fewer drops are sooner searched; what the attacker has on the board."""
        setup, at, groups = position.setup(), position.copy(), list[list[Unit]]()
        own = {Piece(setup.turn, kind.code) for kind in position.variant.kinds if not kind.royal}
        others = [(1, move) for move in judged.other_first_moves] + list(judged.other_later_moves)
        for ply, move in enumerate(judged.moves, 1):
            for unit in [unit_of(at, one) for known, one in others if known == ply]:
                if not isinstance(unit, int) or setup.board[unit] in own:
                    groups.append([unit])
            at.push(move)
        for side in (SIDES.index(setup.turn), SIDES.index(other(setup.turn))):
            groups.append([(side, slot) for slot, count in enumerate(setup.hands[side]) for _ in range(count)])
        return [*groups, [point for point, piece in enumerate(setup.board) if piece in own]]

    def prove(self, position: Position) -> Puzzle | None:
        if len(position._native.legal_checks()) < 2:
            return None
        judged = self._engine.tsume(position, nodes=TEN_TIMES * self.nodes)
        if not _unique(position, judged) or judged.plies is None or judged.plies > self.longest:
            return None
        if judged.plies != judged.plies_every_defence:
            return None
        end = position.copy()
        for move in judged.moves:
            end.push(move)
        if end.outcome() is None:  # a mate by the conventions, which leaves useless drops
            return None
        return puzzle_of(position, self.theme, judged.moves, judged.nodes)


def _unique(position: Position, judged: Tsume) -> bool:
    """True if every other first move is proved not to mate, but for other orders of the solution."""
    known = judged.unique or (judged.unique is False and not judged.why)
    return known and _alone(position, judged.moves, judged.other_first_moves)


def _alone(position: Position, solution: tuple[Move, ...], firsts: Iterable[Move]) -> bool:
    """True if these first moves are the solution's, or begin other orders of it."""
    return all(move == solution[0] or reordered(position, solution, move) is not None for move in firsts)


class Defences:
    """Threats of mate by checks that one move alone parries: after every other one the opponent is proved to mate.

    The opponent is proved not to mate by checks after the one.
    """

    theme: Theme = "defence"
    each_game = 2
    nodes = 2_000

    def __init__(self, variant: Variant) -> None:
        self._engine = Engine(variant, tables=False)

    def share(self, plies: int) -> float:
        return 1.0

    def candidates(self, game: Position) -> Iterator[Position]:
        for position in backwards(game, len(game.move_stack)):
            if (
                not position.is_check()
                and self._engine.mate(position.passed(), nodes=self.nodes, shortest=False).outcome == "mate"
            ):
                yield position

    def prove(self, position: Position) -> Puzzle | None:
        moves, nodes = position.legal_moves(), 0
        safe: Move | None = None
        for move in moves if len(moves) > 2 else ():
            position.push(move)
            over = position.is_game_over()
            found = self._engine.mate(position, nodes=TEN_TIMES * self.nodes, shortest=False)
            position.pop()
            nodes += found.nodes
            if over or found.outcome == "unknown" or (found.outcome == "no mate" and safe is not None):
                return None
            if found.outcome == "no mate":
                safe = move
        return None if safe is None else puzzle_of(position, self.theme, (safe,), nodes)


class TableWins:
    """Wins by the table of a solved game, in which every other first move draws or loses."""

    theme: Theme = "table"
    each_game = 4
    longest = 31
    _counted = 1_000  # positions

    def __init__(self, variant: Variant, table: Table) -> None:
        self._table = table

    def share(self, plies: int) -> float:
        return 0.12 if plies < 10 else 0.04

    def candidates(self, game: Position) -> Iterator[Position]:
        for position in backwards(game, len(game.move_stack)):
            value = self._table.probe(position)
            if value is not None and value.outcome == "win" and (value.distance or 0) <= self.longest:
                yield position

    def prove(self, position: Position) -> Puzzle | None:
        moves = self._table.moves(position)
        wins = [move.move for move in moves if move.value.outcome == "win"]
        if not wins or len(wins) == len(moves):
            return None
        line = tuple(self._table.line(position))
        return puzzle_of(position, self.theme, line, self._size(position)) if _alone(position, line, wins) else None

    def _size(self, position: Position) -> int:
        """How many positions one has to know to win against every defence, and the moves of the first; up to some."""
        seen, waiting = set[int](), [position.copy()]
        while waiting and len(seen) < self._counted:
            at = waiting.pop(0)
            if at.key() in seen:
                continue
            seen.add(at.key())
            if moves := self._table.moves(at):
                at.push(moves[0].move)
                for reply in at.legal_moves():
                    after = at.copy()
                    after.push(reply)
                    waiting.append(after)
        return len(seen) + len(position.legal_moves())


class ForcedWins:
    """Wins by whatever end, within a few turns, where no other first turn wins within as many."""

    theme: Theme = "win"
    each_game = 2
    turns = 4
    nodes = 20_000
    _few_moves, _few_turns = 100, 2  # of positions whose moves take long to try

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self._slow = variant.survives_if is None and not can_mate(variant) and not is_compound(variant)
        if self._slow:
            self.turns = self._few_turns

    def share(self, plies: int) -> float:
        return 0.15 if plies == 1 else 0.6 if self._slow else 0.4

    def candidates(self, game: Position) -> Iterator[Position]:
        # Backwards from the end of the game over the winner's moves, as long as the win was already forced.
        found, position, lots = list[Position](), game.copy(), random.Random(game.key())
        while position.move_stack and len(found) < self.turns:
            position.pop()
            at = placed(game.variant, from_black(position.setup()))
            if self._slow:
                at = self._with_few_moves(at, lots)
            if not attack(at, self.turns, self.nodes).turns:
                break
            found.append(at)
            if position.move_stack:
                position.pop()  # the loser's move
        lots.shuffle(found)
        for at in found:
            if (thin := self._with_one_first(at)) is not None:
                yield thin

    def _with_few_moves(self, position: Position, lots: random.Random) -> Position:
        """The position with so few pieces in the solver's hand, by lot, that there are few moves."""
        side = SIDES.index(position.turn)
        while len(position.legal_moves()) > self._few_moves:
            hand = [slot for slot, count in enumerate(position.setup().hands[side]) for _ in range(count)]
            thinner = without(position, (side, lots.choice(hand))) if hand else None
            if thinner is None:
                break
            position = thinner
        return position

    def _with_one_first(self, position: Position) -> Position | None:
        """The position without the pieces whose moves win as well as those of one."""
        at: Position | None = position
        for _ in range(_MOST_REMOVED):
            if at is None or not (found := attack(at, self.turns, self.nodes, every=True)).turns:
                return None
            winners = Counter(unit_of(at, move) for move in found.firsts)
            if len(winners) == 1:
                return at
            at = without(at, max(winners, key=lambda unit: winners[unit]))
        return None

    def prove(self, position: Position) -> Puzzle | None:
        found = attack(position, self.turns, TEN_TIMES * self.nodes, every=True)
        if not found.turns or len(position.legal_moves()) <= len(found.firsts):
            return None
        if not _alone(position, found.pv, found.firsts):
            return None
        return puzzle_of(position, self.theme, found.pv, found.nodes)


class Extinctions(ForcedWins):
    """Wins by extinction within a few turns, in positions where one loss more is the end of the defender."""

    theme: Theme = "extinction"
    each_game = 4
    turns = 2
    nodes = 300_000
    _last_plies = 60

    def share(self, plies: int) -> float:
        return 1 / 3 if plies == 1 else 1.0

    def candidates(self, game: Position) -> Iterator[Position]:
        lots = random.Random(game.key())
        for position in backwards(game, self._last_plies):
            position = self._stripped(position, lots)
            if (found := attack(position, 1, self.nodes)).turns:
                firsts, turns = list(found.pv), 1
            else:
                firsts, turns = sorted(position._native.legal_checks(), key=str), self.turns
            for first in firsts:
                if (thin := self._thinned(position, first, turns)) is not None:
                    yield thin
                    break

    def _stripped(self, position: Position, lots: random.Random) -> Position:
        """The position with as few as can be of the pieces that keep the defender alive."""
        board, needed = position.board, {code for part in needs_of(self._variant).parts for code in part.codes}
        points = [point for point, piece in enumerate(board) if piece and piece.code in needed]
        lots.shuffle(points)
        for point in points:
            if (piece := board[point]) and piece.side != position.turn:
                position = without(position, point) or position
        return position

    def _thinned(self, position: Position, first: Move, turns: int) -> Position | None:
        """The position without the defender's pieces that prevent the win and the attacker's that give others."""
        at: Position | None = position
        for _ in range(_MOST_REMOVED):
            if at is None:
                return None
            after = at.copy()
            after.push(first)
            answer = defend(after, turns - 1, self.nodes) if turns > 1 and not after.is_game_over() else None
            if answer is not None and (not answer.known or not answer.pv):
                return None
            if answer is not None and not answer.turns:
                at = without(at, unit_of(after, answer.pv[0]))
                continue
            found = attack(at, turns, self.nodes, every=True)
            if found.turns != turns:
                return None
            others = {unit_of(at, move) for move in found.firsts if move != first}
            if not others:
                return at
            at = None if unit_of(at, first) in others else without(at, others.pop())
        return None
