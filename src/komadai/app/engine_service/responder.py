"""Answers requests with an engine of this process."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import Protocol

from ...engine import Engine, Info
from ...engine.escapes import NODES, escape
from ...game.position import Position
from ...workshop.identity import identified
from .messages import EscapeReport, Report, SearchRequest, SearchResult, Subject, TsumeReport

_FULL = 2.0  # seconds with which a search for an escape has all its nodes


class Answerer(Protocol):
    """Answers requests one after the other, in any thread."""

    def answer(self, request: SearchRequest, report: Callable[[Report], object]) -> SearchResult:
        """Search; ``report`` is called in this thread.

        Raises:
            KomadaiError: no such variant, position, move or level.
        """

    def stop(self, id: int) -> None:
        """End the request with that id soon, also if it has not begun; may be called from another thread."""

    def kill(self) -> None:
        """End the request under way now, whatever it does; may be called from another thread."""

    def close(self) -> None:
        """Give back what is held between requests; no search is under way."""


class Responder:
    """One engine, kept for the next request about the same subject, and the position of the latest request.

    Requests are answered one after the other, in any thread; :meth:`stop` may be called from another.
    """

    def __init__(self) -> None:
        self._engine: Engine | None = None
        self._subject: Subject | None = None
        self._position: Position | None = None
        self._start = ""
        self._stopped = -1  # the latest request that is to end

    def answer(self, request: SearchRequest, report: Callable[[Report], object]) -> SearchResult:
        """Search; ``report`` is called in this thread.

        Raises:
            KomadaiError: no such variant, position, move or level.
        """
        engine, position = self._prepared(request)

        def reached(info: Info) -> None:
            report(Report.of(request.id, info))
            if self._stopped == request.id:
                engine.stop()  # asked for before the search had begun

        if request.tsume:
            found = engine.tsume(position, time=request.seconds, stopped=lambda: self._stopped == request.id)
            nothing = Report(request.id, 0, 0, found.nodes, found.seconds, ())
            return SearchResult(request.id, None, nothing, TsumeReport.of(found))
        if request.escape is not None:
            nodes = max(1, round(NODES * min(1.0, request.seconds / _FULL)))
            answer = EscapeReport.of(escape(engine, position, request.escape, nodes))
            return SearchResult(request.id, None, Report(request.id, 0, 0, 0, 0.0, ()), escape=answer)
        # A search that is to end before it has begun still has to find a move.
        depth = 1 if self._stopped == request.id else None
        info = engine.search(position, time=request.seconds, depth=depth, multipv=request.lines, report=reached)
        return SearchResult(request.id, None if info.move is None else info.move.text, Report.of(request.id, info))

    def stop(self, id: int) -> None:
        """End the request with that id soon, also if it has not begun."""
        self._stopped = id
        if self._engine is not None:
            self._engine.stop()

    def kill(self) -> None:
        """Do nothing more: our engine ends when it is stopped."""

    def close(self) -> None:
        """Forget the engine."""
        self._engine = self._subject = self._position = None

    def _prepared(self, request: SearchRequest) -> tuple[Engine, Position]:
        """The engine for a request, and its position."""
        if self._engine is None or self._subject != request.subject:
            self._engine = self._position = None  # only one at a time is in memory
            v = identified(request.variant, request.options, request.rules, request.file)
            self._engine = Engine(v, level=request.level, style=request.style)
            self._subject = request.subject
        position = self._position
        if position is None or request.start != self._start:
            position = Position.problem(self._engine.variant, request.start)
        self._position = None  # until it is complete
        known = position.move_stack
        alike = (move.text == text for move, text in zip(known, request.moves, strict=False))
        shared = sum(1 for _ in takewhile(bool, alike))
        for _ in known[shared:]:
            position.pop()
        for text in request.moves[shared:]:
            position.push(text)
        self._position, self._start = position, request.start
        return self._engine, position
