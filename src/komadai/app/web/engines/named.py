"""Engines of other projects that the server's owner names, behind the door of the engine service.

Nothing that a visitor sends names a program: the owner gives each engine a name on the command line, and visitors
choose among the names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock
from time import perf_counter

from ....errors import KomadaiError, NotationError
from ....game.game import Game
from ....i18n import _
from ....lab.arena.players import PROTOCOLS, LineProtocol, Program, Spec, connect, parse_player
from ....lab.external_engine.replies import MATE_OF_UNKNOWN_LENGTH, Thought
from ....lab.external_engine.requests import SearchLimits
from ....variants import build
from ...engine_service import EngineLostError, InPlaceBackend, LineReport, Report, SearchRequest, SearchResult, Subject
from ..schema.model import ENGINE_NAME

_BETWEEN = 0.05  # seconds between two reports that are read: some programs write thousands
_SHOWN = 400  # characters of what a program did and said


@dataclass(frozen=True, slots=True)
class NamedEngine:
    """An engine of the owner's.

    Attributes:
        name: for visitors.
        spec: its program, protocol and options.
        games: the ids of the variants that it announces.
    """

    name: str
    spec: Spec
    protocol: LineProtocol
    games: frozenset[str]

    def backend(self) -> InPlaceBackend:
        """A process of the engine, started for the first request."""
        return InPlaceBackend(lambda: EngineResponder(self.spec, self.protocol))


def named_engines(texts: Sequence[str]) -> tuple[NamedEngine, ...]:
    """The engines that ``NAME=usi:COMMAND`` describe. Each is started once, to learn which games it plays.

    Raises:
        NotationError: a text cannot be read, a name is used twice, or the engine plays no game of ours.
        EngineError: an engine does not start.
    """
    engines = tuple(map(_named, texts))
    twice = {one.name for one in engines if sum(other.name == one.name for other in engines) > 1}
    if twice:
        raise NotationError("--engine", [f"two engines are called {name!r}" for name in sorted(twice)])
    return engines


def _named(text: str) -> NamedEngine:
    name, equals, command = (part.strip() for part in text.partition("="))
    about = f"--engine {text!r}"
    if not equals or not re.fullmatch(ENGINE_NAME, name):
        raise NotationError(
            about, ["expected NAME=PROTOCOL:COMMAND, the name of at most 40 letters, digits and spaces"]
        )
    spec = parse_player(command)
    protocol = next((one for one in PROTOCOLS if one == spec.kind), None)
    if protocol is None:
        raise NotationError(about, [f"{spec.kind} is no program; expected {', '.join(PROTOCOLS)}"])
    client = connect(spec, protocol)
    try:
        games = frozenset(client.variants)
    finally:
        client.close()
    if not games:
        raise NotationError(about, ["it announces none of the games of this program"])
    return NamedEngine(name, spec, protocol, games)


class EngineResponder:
    """Answers requests with a program, which is started for the first and again after it was lost."""

    def __init__(self, spec: Spec, protocol: LineProtocol) -> None:
        self._spec, self._protocol = spec, protocol
        self._client: Program | None = None
        self._subject: Subject | None = None
        self._lock = Lock()  # of the next two
        self._searching: int | None = None
        self._stopped = -1  # the latest request that is to end

    def answer(self, request: SearchRequest, report: Callable[[Report], object]) -> SearchResult:
        """Search; ``report`` is called in this thread.

        Raises:
            KomadaiError: no such variant, position or move, or a question that only our engine answers.
            EngineLostError: the program has ended, hangs, or answers with nonsense.
        """
        if request.tsume or request.escape is not None:
            raise KomadaiError(_("only Komadai’s own engine proves mates"))
        game = _game(request)
        try:
            client = self._prepared(request, game)
            started, line = perf_counter(), _Line(client, game)

            heard = started - _BETWEEN

            def reached(thought: Thought) -> None:
                nonlocal heard
                now = perf_counter()
                if now - heard >= _BETWEEN:
                    heard = now
                    report(line.report(request.id, thought, now - started))

            with self._lock:
                self._searching = request.id
                late = self._stopped == request.id
            try:
                # A search that is to end before it has begun still has to find a move.
                limits = SearchLimits(depth=1) if late else SearchLimits(time=request.seconds)
                found = client.go(game, limits, report=reached)
            finally:
                with self._lock:
                    self._searching = None
            final = line.report(request.id, found.thought, perf_counter() - started)
            if found.word == "resign":
                return SearchResult(request.id, None, final, resigns=True)
            return SearchResult(request.id, client.parse(game.position, found.word).text, final)
        except KomadaiError as error:
            self.close()
            raise EngineLostError(str(error)[:_SHOWN]) from None

    def stop(self, id: int) -> None:
        """End the request with that id soon, also if it has not begun."""
        with self._lock:
            self._stopped = id
            if self._searching == id and self._client is not None:
                self._client.stop()

    def kill(self) -> None:
        """End the program while it is asked."""
        with self._lock:
            if self._client is not None:
                self._client.kill()

    def close(self) -> None:
        """End the program."""
        client, self._client, self._subject = self._client, None, None
        if client is not None:
            client.close()

    def _prepared(self, request: SearchRequest, game: Game) -> Program:
        """The program, which plays the game of the request.

        Raises:
            EngineError: it does not start, or cannot play that.
        """
        if self._client is None or not self._client.alive:
            self.close()
            self._client = connect(self._spec, self._protocol)
        if self._subject != request.subject:
            self._client.play(game.variant)
            self._subject = request.subject
        return self._client


class _Line:
    """Turns what a program reports about a position into reports of the service."""

    def __init__(self, client: Program, game: Game) -> None:
        self._client, self._position = client, game.position

    def report(self, id: int, thought: Thought, seconds: float) -> Report:
        """The report: without a line while the program has given no score or no legal move."""
        pv = self._legal(thought.pv)
        scored = thought.score is not None or thought.mate is not None
        lines = [LineReport(thought.score or 0, self._plies(thought.mate), pv)] if pv and scored else []
        return Report(id, thought.depth, thought.seldepth, thought.nodes, seconds, lines)

    def _legal(self, words: Sequence[str]) -> list[str]:
        """The move strings of a line, up to the first word that is no legal move."""
        twin, moves = self._position.copy(), []
        try:
            for word in words:
                move = self._client.parse(twin, word)
                twin.push(move)
                moves.append(move.text)
        except KomadaiError:
            pass
        return moves

    def _plies(self, mate: int | None) -> int | None:
        """The distance of a mate in plies; the others count the moves of one side."""
        if mate is None or self._client.dialect == "usi" or abs(mate) == MATE_OF_UNKNOWN_LENGTH:
            return mate
        return 2 * mate - 1 if mate > 0 else 2 * mate


def _game(request: SearchRequest) -> Game:
    """The game of a request.

    Raises:
        KomadaiError: no such variant, position or move.
    """
    game = Game(build(request.variant, **request.options), request.start)
    for text in request.moves:
        game.push(text)
    return game
