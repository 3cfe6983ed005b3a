"""The computer opponent: one search for every variant that compiles."""

from __future__ import annotations

import operator
import os
import random
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from time import perf_counter as time_now
from typing import TYPE_CHECKING, Any

from .. import _core
from ..book import Book, BookMove, same_game
from ..errors import EngineBusyError, NotationError, require_threads
from ..game.position import Position
from ..spec.move import Move
from ..spec.variant import Variant
from ..typed import typed
from ..variants import variant_of
from .bots import BALANCED, BOTS, STYLES, Bot, known_style
from .clock import Clock
from .evaluation import evaluation
from .levels import STRONGEST, Level, ladder
from .mate import Mate, find_mate
from .tsume import Tsume, TsumeSearch

__all__ = [
    "BALANCED",
    "BOTS",
    "MAX_DEPTH",
    "MAX_HASH_MB",
    "MAX_LINES",
    "MAX_THREADS",
    "STRONGEST",
    "STYLES",
    "Bot",
    "Clock",
    "Engine",
    "Info",
    "Line",
    "Mate",
    "Tsume",
]

if TYPE_CHECKING:
    from ..solve import MoveValue, Table

MAX_DEPTH: int = _core.MAX_DEPTH
MAX_LINES = 500
MAX_THREADS: int = _core.MAX_THREADS
MAX_HASH_MB: int = _core.MAX_MEGABYTES
_NO_NODE_LIMIT = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Line:
    """One root move with what follows.

    Attributes:
        score: for the side to move, in hundredths of the least piece.
        mate: plies to a forced win (above 0) or loss (below 0), ``None`` if none is known.
        pv: the principal variation, the root move first.
    """

    score: int
    mate: int | None
    pv: tuple[Move, ...]

    @property
    def move(self) -> Move:
        """The root move."""
        return self.pv[0]


@dataclass(frozen=True, slots=True)
class Info:
    """The result of a search.

    Attributes:
        move: the move the engine would play; ``None`` only if there is no legal move.
        depth: completed plies, 0 if nothing was searched. ``seldepth``: the longest line looked at, in plies.
        nodes: positions visited. ``seconds``: wall time. ``hashfull``: thousandths of the table in use.
        multipv: the lines worked out, best first; a weak level puts the one it chose before the others.
        book: the move's figures in the opening book it was taken from; ``None`` if it was searched.
    """

    move: Move | None
    depth: int
    seldepth: int
    nodes: int
    seconds: float
    hashfull: int
    multipv: tuple[Line, ...]
    book: BookMove | None = None

    @property
    def ponder(self) -> Move | None:
        """The reply the engine expects, if it expects one."""
        return self.pv[1] if len(self.pv) > 1 else None

    @property
    def score(self) -> int:
        """Score of the best line, for the side to move, in hundredths of the least piece."""
        return self.multipv[0].score if self.multipv else 0

    @property
    def mate(self) -> int | None:
        """Plies to a forced win (above 0) or loss (below 0) in the best line, if one is known."""
        return self.multipv[0].mate if self.multipv else None

    @property
    def pv(self) -> tuple[Move, ...]:
        """The best line."""
        return self.multipv[0].pv if self.multipv else ()

    @property
    def nps(self) -> int:
        """Nodes per second."""
        return round(self.nodes / max(self.seconds, 1e-6))


_DRAWN_LINE = 12  # plies shown of best play that ends nowhere


def _line(line: _core.Line) -> Line:
    mate = None
    if abs(line.score) >= _core.MATE_BOUND:
        plies = _core.MATE - abs(line.score)
        mate = plies if line.score > 0 else -plies
    return Line(line.score, mate, tuple(line.moves))


def _info(report: _core.Report) -> Info:
    lines = tuple(_line(line) for line in report.lines)
    best = lines[0].move if lines else None
    return Info(best, report.depth, report.seldepth, report.nodes, report.seconds, report.hashfull, lines)


class _Work:
    """Work of an engine for one thread at a time. In the child of a fork nobody is at it: that thread is not there."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._process, self._lock = os.getpid(), Lock()

    def __enter__(self) -> None:
        if self._process != os.getpid():
            self._begin()
        if not self._lock.acquire(blocking=False):
            raise EngineBusyError("this engine is already searching; stop it first, or use another engine")

    def __exit__(self, *error: object) -> None:
        self._lock.release()


def _is_whole(number: object, least: int, most: int) -> bool:
    """True for a whole number in that range."""
    return isinstance(number, int) and least <= number <= most


class Engine:
    """Searches positions of one variant, or plays from its table where the game is solved and the table is at hand, or
    from an opening book.

    Attributes:
        book: the opening book, or ``None``. ``best_book_move``: whether its move of the greatest weight is always
            played. Both may be changed between searches.

    Example:
        >>> import komadai
        >>> engine = komadai.Engine("nana")
        >>> position = komadai.Position("nana", "2K/3/k2 w 2R2B")
        >>> engine.search(position, depth=3).move in position.legal_moves()
        True
    """

    @typed
    def __init__(
        self,
        variant: str | Variant,
        *,
        level: int = STRONGEST,
        style: str = BALANCED,
        hash_mb: int = 16,
        threads: int = 1,
        seed: int | None = None,
        tables: bool = True,
        book: Book | None = None,
        best_book_move: bool = False,
        weights: Path | str | None = None,
        **options: str,
    ) -> None:
        """Prepare an engine.

        Args:
            variant: a variant or its name, with rule ``options`` if it is a name.
            level: 1 (weakest) to 10 (all it can do).
            style: how it likes to play, one of :data:`STYLES`. In any but :data:`BALANCED` it searches where a table is
                at hand, too. Each of the :data:`BOTS` has a level and a style.
            hash_mb: size of the transposition table in MiB, 1 to 4096.
            threads: how many threads search together, 1 to 256. With one, a search with a limit on depth or nodes is
                repeatable.
            seed: makes the choices of the weak levels, and those from a book, repeatable.
            tables: whether to play from the table of a solved game (:mod:`komadai.solve`). None is ever built here.
            book: an opening book (:func:`komadai.book.open`) to play from, at every level.
            best_book_move: whether to play the book's move of the greatest weight, not one by chance and weight.
            weights: the evaluation: a file of a net (``.net``), which adds to the hand-made weights; or of hand-made
                weights (``.json``), which then stand alone; or ``"handmade"``, the best of these without a net. By
                default the best that comes with the package.

        Raises:
            NotationError: unknown variant, option or style, a level or size out of range, or a book of another game.
            WeightsError: the file of the evaluation cannot be read or is none of this game.
        """
        if not _is_whole(level, 1, STRONGEST):
            raise NotationError("engine", [f"level {level!r} is no level; expected 1 to {STRONGEST}"])
        known_style(style)
        if not _is_whole(hash_mb, 1, MAX_HASH_MB):
            raise NotationError("engine", [f"hash size {hash_mb!r} is out of range; expected 1 to {MAX_HASH_MB} MiB"])
        if not _is_whole(threads, 1, MAX_THREADS):
            raise NotationError("engine", [f"{threads!r} threads are out of range; expected 1 to {MAX_THREADS}"])
        self.variant = variant_of(variant, options)
        if book is not None and not same_game(book.variant, self.variant):
            words = f"the book is of {book.variant.id}, the engine plays {self.variant.id} (or other options)"
            raise NotationError("engine", [words])
        self._given: dict[str, Any] = {"level": level, "style": style, "hash_mb": hash_mb, "threads": threads}
        self._given |= {"tables": tables, "weights": weights}
        self.level, self.style = level, style
        self._handicap: Level | None = ladder(self.variant).levels.get(level)
        self.book, self.best_book_move = book, best_book_move
        if threads > 1:
            require_threads(f"{threads} threads")
        judge = evaluation(self.variant, None if weights is None else str(weights), style)
        self._searcher = _core.Searcher(judge, hash_mb, threads)
        self._mates = _core.MateSolver(hash_mb)
        self._random = random.Random(None if seed is None else operator.index(seed))
        self._tables = tables and style == BALANCED
        self._found: Table | None = None
        self._searching, self._mating = _Work(), _Work()
        self._judging: TsumeSearch | None = None  # the latest

    def __reduce__(self) -> tuple[object, ...]:
        """An engine of the same settings, book and chance, which remembers nothing of its searches."""
        return _again, (type(self), self.variant, self._given, self.book, self.best_book_move, self.chance)

    def __repr__(self) -> str:
        style = "" if self.style == BALANCED else f", {self.style}"
        return f"<Engine {self.variant.id}, level {self.level}{style}>"

    def _table(self) -> Table | None:
        """The table of the variant if the file is at hand; looked for once, or until one that is made soon is there."""
        from ..solve import find, is_quick

        if self._tables and self._found is None:
            self._found = find(self.variant)
            self._tables = self._found is not None or is_quick(self.variant)
        return self._found

    @typed
    def search(
        self,
        position: Position,
        *,
        time: float | None = None,
        clock: Clock | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        multipv: int = 1,
        searchmoves: Iterable[Move | str] | Move | str | None = None,
        ponder: bool = False,
        report: Callable[[Info], object] | None = None,
    ) -> Info:
        """Search until the first limit is reached; with none, until :meth:`stop`. Other Python threads run meanwhile.

        Depth 1 is always finished, however small the limits are.

        Args:
            position: where to search; it is not changed.
            time: seconds to use up, above 0. ``depth``: plies, 1 to 99. ``nodes``: positions, 1 or more.
            clock: the clock of the side to move; how much of it a move is worth is left to the engine.
            multipv: how many root moves to work out exactly, best first.
            searchmoves: the moves or move strings to look at, all legal, or a single one; ``None``: every legal move.
            ponder: whether the opponent is still to make the move the position comes from: time does not count until
                :meth:`ponderhit`.
            report: called with the :class:`Info` of every completed depth.

        With a table nothing is searched: the first report is final, and no limit matters. ``mate`` is then exact, and
        ``score`` is 0 for every draw. Neither is anything searched where the book has a move, unless ``searchmoves``
        are given or there is no limit; ``score`` is then the mean of the book's, or 0 if it has none.

        Raises:
            NotationError: a limit out of range, or a position of another variant.
            BookError: the book turns out to be damaged.
            EngineBusyError: this engine is already searching in another thread.
        """
        defects = self._defects(position, time, nodes)
        if depth is not None and not _is_whole(depth, 1, MAX_DEPTH):
            defects.append(f"depth {depth!r} is no number of plies; expected 1 to {MAX_DEPTH}")
        if not _is_whole(multipv, 1, MAX_LINES):
            defects.append(f"multipv {multipv!r} is out of range; expected 1 or more, at most {MAX_LINES}")
        only: list[Move] = []
        chosen = [searchmoves] if isinstance(searchmoves, Move | str) else [*(searchmoves or ())]
        if searchmoves is not None and not chosen:
            defects.append("there is no move to search; leave searchmoves out to search them all")
        elif chosen and not defects:
            legal = position.legal_moves()
            only = [legal[legal.index(move)] for move in chosen if move in legal]
            defects += [f"searchmoves: {str(move)[:40]!r} is not legal here" for move in chosen if move not in legal]
        if defects:
            raise NotationError("search", defects)
        limited = not (time is None and clock is None and depth is None and nodes is None)
        known = self._from_book(position) if limited and not only else None
        if known is None and not only and (table := self._table()) is not None:
            known = self._from_table(table, position, multipv)
        if known is not None:
            if report is not None:
                report(known)
            return known
        deepest, most = MAX_DEPTH if depth is None else depth, nodes or _NO_NODE_LIMIT
        if self._handicap is not None:
            shallow, few = self._handicap.limits(self._random)
            deepest, most = min(deepest, shallow or MAX_DEPTH), min(most, few or _NO_NODE_LIMIT)
            only = only or [*self._handicap.seen(position, self._random)]
        soft, hard = clock.budget() if clock else (0.0, 0.0)
        with self._searching:
            last = self._searcher.search(
                position._native,
                deepest,
                most,
                min(time or hard, hard or time or 0.0),
                soft,
                multipv,
                [(move.code, move.trail) for move in only],
                ponder,
                None if report is None else lambda reached: report(_info(reached)),
            )
        return _info(last)

    def _defects(self, position: Position, time: float | None, nodes: int | None) -> list[str]:
        """The defects of a request, for what searches and mate searches share."""
        if not isinstance(position, Position):
            return [f"{str(position)[:40]!r} is no Position"]
        defects = []
        theirs, ours = position.variant, self.variant
        if theirs != ours:
            defects.append(f"the position is of {theirs.id}, the engine plays {ours.id} (or other options)")
        if time is not None and not (isinstance(time, int | float) and 0 < time <= sys.float_info.max):
            defects.append(f"time {time!r} is no number of seconds above 0")
        if nodes is not None and not _is_whole(nodes, 1, _NO_NODE_LIMIT):
            defects.append(f"nodes {nodes!r} is out of range; expected a whole number, 1 or more")
        return defects

    @typed
    def mate(
        self, position: Position, *, time: float | None = None, nodes: int | None = None, shortest: bool = True
    ) -> Mate:
        """Look for a mate by checks alone until it is found or refuted, a limit is reached, or :meth:`stop`.

        A mate found is then shortened until none is shorter, within the same limits and for no more than 1,500,000
        nodes and ten times those that the first one took.

        Args:
            position: where the side to move is to mate; it is not changed.
            time: seconds, above 0. ``nodes``: positions, 1 or more.
            shortest: false: be content with the first mate found.

        Raises:
            NotationError: a limit out of range, or a position of another variant.
            EngineBusyError: this engine is already looking for a mate in another thread.
        """
        if defects := self._defects(position, time, nodes):
            raise NotationError("mate", defects)
        with self._mating:
            self._mates.begin()
            return find_mate(self._mates, position, nodes or _NO_NODE_LIMIT, time or 0.0, shortest)

    @typed
    def tsume(
        self,
        position: Position,
        *,
        time: float | None = None,
        nodes: int | None = None,
        stopped: Callable[[], bool] = bool,
    ) -> Tsume:
        """Judge a mate problem by its conventions until every question is answered, a limit is reached, ``stopped()``
        is true, which is asked now and then, or :meth:`stop`; other arguments and errors are those of :meth:`mate`.

        Example:
            >>> import komadai
            >>> problem = komadai.Position.problem("shogi", "7nk/9/8P/9/9/9/9/9/9 b G")
            >>> judged = komadai.Engine("shogi").tsume(problem)
            >>> judged.plies, judged.unique, [str(move) for move in judged.moves]
            (1, True, ['G*1b'])
        """
        if defects := self._defects(position, time, nodes):
            raise NotationError("mate", defects)
        with self._mating:
            self._mates.begin()
            self._judging = TsumeSearch(self._mates, nodes or _NO_NODE_LIMIT, time or 0.0, stopped)
            return self._judging.run(position)

    def _from_book(self, position: Position) -> Info | None:
        """A move from the book with the reply it expects; ``None`` if it has none."""
        if self.book is None:
            return None
        started = time_now()
        chosen = self.book.choose(position, best=self.best_book_move, chance=self._random)
        if chosen is None:
            return None
        twin = position.copy()
        twin.push(chosen.move)
        reply = self.book.choose(twin, best=True)
        line = Line(chosen.score or 0, None, (chosen.move, reply.move) if reply else (chosen.move,))
        return Info(chosen.move, 0, 0, 0, time_now() - started, 0, (line,), chosen)

    def _from_table(self, table: Table, position: Position, multipv: int) -> Info | None:
        """The table's result for a position; ``None`` if it does not cover it, or no move is legal."""
        started = time_now()
        moves = self._ordered(table, position)
        if not moves:
            return None
        chosen = self._handicap.choose_known(moves, self._random) if self._handicap else moves[0]
        shown = [chosen, *(move for move in moves if move is not chosen)][:multipv]
        lines = tuple(self._known_line(table, position, known) for known in shown)
        depth = min(max(map(len, (line.pv for line in lines))), MAX_DEPTH)
        return Info(chosen.move, depth, depth, len(moves), time_now() - started, 0, lines)

    def _ordered(self, table: Table, position: Position) -> list[MoveValue]:
        """The moves by their value, best first. Of drawn ones those come first that leave the most ways to go wrong.

        The table knows nothing of what was played before: a move that ends the game by repetition counts as that end.
        """
        from ..solve.table import DRAW

        twin, ranked = position.copy(), []
        for known in table.moves(position):
            twin.push(known.move)
            value, traps = known.value, 0.0
            if known.value.distance != 1 and twin.outcome() is not None:
                value = DRAW
            elif value == DRAW and self.level == STRONGEST:
                replies = table.moves(twin)
                traps = sum(reply.blunder for reply in replies) / max(len(replies), 1)
            twin.pop()
            ranked.append((value.rank, traps, replace(known, value=value)))
        ranked.sort(key=lambda one: one[:2], reverse=True)
        return [known for _, _, known in ranked]

    def _known_line(self, table: Table, position: Position, known: MoveValue) -> Line:
        twin = position.copy()
        twin.push(known.move)
        distance = known.value.distance
        rest = table.line(twin, _DRAWN_LINE - 1 if distance is None else distance - 1)
        if distance is None:
            return Line(0, None, (known.move, *rest))
        mate = distance if known.value.outcome == "win" else -distance
        return Line(_core.MATE - mate if mate > 0 else -_core.MATE - mate, mate, (known.move, *rest))

    def stop(self) -> None:
        """End a search running in another thread soon; it returns what it has found."""
        self._searcher.stop()
        self._mates.stop()
        if self._judging is not None:
            self._judging.stop()

    def ponderhit(self) -> None:
        """Say that the move pondered on was played: the limits of time of the running search count from now on."""
        self._searcher.ponderhit()

    @property
    def chance(self) -> object:
        """The state of its chance, which may be given to another engine."""
        return self._random.getstate()

    @chance.setter
    def chance(self, state: Any) -> None:
        self._random.setstate(state)

    def clear(self) -> None:
        """Forget what earlier searches learned."""
        self._searcher.clear()


def _again(
    kind: type[Engine], variant: Variant, given: dict[str, Any], book: Book | None, best_book_move: bool, chance: Any
) -> Engine:
    """A copied or pickled engine."""
    engine = kind(variant, book=book, best_book_move=best_book_move, **given)
    engine.chance = chance
    return engine
