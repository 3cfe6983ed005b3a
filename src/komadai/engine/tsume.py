"""Mate problems (tsume) by their conventions: length, solution and other solutions.

The attacker gives check with every move and mates as soon as possible; the defender lasts as long as possible, and of
equally long defences takes one that leaves the attacker no pieces in hand. A drop between the king and the checking
piece is useless, is not played and does not count if the attacker captures it and mates as soon as without it, without
using the piece (native/tsume.hpp says so exactly).

Sources: the draft rules of the federation of problem lovers (全日本詰将棋連盟, 1999), article 8, and Wikipedia on
interpositions, https://ja.wikipedia.org/wiki/%E5%90%88%E9%A7%92. No official definition of a useless one exists.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter as time_now
from typing import TYPE_CHECKING, NamedTuple

from ..game.position import Position
from ..spec.move import Move
from .mate import Mate, Verdict, find_mate

if TYPE_CHECKING:
    from .. import _core

_QUICK = 2_000  # nodes of a first look at each reply


@dataclass(frozen=True, slots=True)
class Tsume:
    """A mate problem judged.

    Attributes:
        outcome: as in :class:`Mate`: ``"mate"``, ``"no mate"`` by checks alone, or ``"unknown"``.
        moves: the solution: the longest defence against the shortest mate by the conventions, or if ``plies`` is not
            known some line to a mate.
        plies: the length by the conventions; ``None`` if it is not proved, or there is no mate.
        plies_every_defence: the length if useless interpositions count too; ``None`` if it is not proved.
        left_in_hand: what the attacker holds at the end of the solution, by kind.
        unique: no other first move mates, in whatever time; ``None`` if that is not proved.
        other_first_moves: the other first moves that are known to mate.
        unique_later: the same of the attacker's later moves in the solution but the last, where it does not matter.
        other_later_moves: those that are known, each with its ply in the solution, 1 being the first move.
        nodes: positions visited. ``seconds``: wall time.
        why: what kept the search from an answer; empty if every question above is answered.
    """

    outcome: Verdict
    moves: tuple[Move, ...] = ()
    plies: int | None = None
    plies_every_defence: int | None = None
    left_in_hand: tuple[tuple[str, int], ...] = ()
    unique: bool | None = None
    other_first_moves: tuple[Move, ...] = ()
    unique_later: bool | None = None
    other_later_moves: tuple[tuple[int, Move], ...] = ()
    nodes: int = 0
    seconds: float = 0.0
    why: str = ""

    @property
    def proved(self) -> bool:
        """True if the length by the conventions is proved."""
        return self.plies is not None


class _Others(NamedTuple):
    """Other moves that mate, and whether there are none besides."""

    known: tuple[Move, ...]
    all_known: bool

    @property
    def unique(self) -> bool | None:
        return False if self.known else True if self.all_known else None


class TsumeSearch:
    """One search with its limits; :meth:`stop` may be called from another thread."""

    def __init__(self, solver: _core.MateSolver, nodes: int, seconds: float, stopped: Callable[[], bool]) -> None:
        """``seconds`` of 0 are no limit."""
        self._solver, self._nodes, self._seconds = solver, nodes, seconds
        self._spent, self._began, self._stopped = 0, time_now(), stopped

    def stop(self) -> None:
        """End the search soon; it returns what it has found."""
        self._stopped = lambda: True
        self._solver.stop()

    def run(self, position: Position) -> Tsume:
        """Judge the problem; the side to move is to mate."""
        position = position.copy()
        found = self._mate(position, *self._share())
        if found.outcome != "mate":
            return Tsume(found.outcome, nodes=self._spent, seconds=self._elapsed(), why=found.why)
        report = self._solver.length(position._native, len(found.pv), *self._share(2))
        self._spent += report.nodes
        moves, plies = tuple(report.line) or found.pv, report.plies or None
        if plies != len(found.pv):  # which is between the length by the conventions and the one sought
            found = self._mate(position, *self._share(2), shortest=True)
        every_plies = len(found.pv) if found.shortest or plies == len(found.pv) else None
        first, later = self._others(position, moves[0]), list[tuple[int, Move]]()
        later_known, end = True, position.copy()
        for ply, move in enumerate(moves, 1):
            if 1 < ply < len(moves) and ply % 2:
                others = self._others(end, move)
                later += [(ply, other) for other in others.known]
                later_known = later_known and others.all_known
            end.push(move)
        complete = plies is not None and every_plies is not None and first.all_known and later_known
        return Tsume(
            "mate",
            moves,
            plies,
            every_plies,
            tuple((kind, count) for kind, count in end.hand(position.turn).items() if count),
            first.unique,
            first.known,
            False if later else True if later_known else None,
            tuple(later),
            self._spent,
            self._elapsed(),
            "" if complete else "not everything was answered in time",
        )

    def _elapsed(self) -> float:
        return time_now() - self._began

    def _share(self, of: int = 1) -> tuple[int, float]:
        """The nodes and seconds that are left, divided by so many; (1, …) where there are none."""
        seconds = max(self._seconds - self._elapsed(), 1e-6) / of if self._seconds else 0.0
        return (1 if self._stopped() else max((self._nodes - self._spent) // of, 1)), seconds

    def _mate(self, position: Position, nodes: int, seconds: float, shortest: bool = False) -> Mate:
        found = find_mate(self._solver, position, nodes, seconds, shortest)
        self._spent += found.nodes
        return found

    def _others(self, position: Position, solution: Move) -> _Others:
        """The checks besides the solution that mate."""
        known, all_known = list[Move](), True
        for move in position.legal_moves():
            if move == solution or not position.gives_check(move):
                continue
            position.push(move)
            verdict = self._loses(position)
            position.pop()
            if verdict == "mate":
                known.append(move)
            all_known = all_known and verdict != "unknown"
        return _Others(tuple(known), all_known)

    def _loses(self, position: Position) -> Verdict:
        """True if the side to move, which is in check, is mated after every reply; most can be refuted at a glance."""
        replies = sorted(position.legal_moves(), key=lambda reply: reply.is_drop)
        for quick in True, False:
            open_replies = []
            for reply in replies:
                nodes, seconds = self._share()
                position.push(reply)
                outcome = self._mate(position, min(nodes, _QUICK) if quick else nodes, seconds).outcome
                position.pop()
                if outcome == "no mate":
                    return "no mate"
                if outcome == "unknown":
                    open_replies.append(reply)
                    if not quick:
                        return "unknown"
            replies = open_replies
        return "mate"
