"""Analysis by the engine over a WebSocket: of a position, or of every position of a game.

Each question has an id chosen by the client, which its answers repeat; the last answer is ``done`` or ``error``. A
connection has one search at a time, and a new question stops the one before. Analysis shares the engine pool with the
games, gives way to them, and has a budget of time.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TypeVar, cast

from msgspec import UNSET
from starlette.websockets import WebSocket, WebSocketDisconnect

from ....engine.chances import mark
from ....engine.mate import can_mate
from ....errors import KomadaiError, NotationError
from ....game.game import Game
from ....i18n import _
from ....solve import background
from ....spec.board import Side
from ....spec.move import Move
from ....view.moments import missed
from ...engine_service import (
    Backend,
    EngineAwayError,
    EngineLostError,
    Report,
    SearchRequest,
    SearchResult,
    Subject,
    TsumeReport,
)
from ..presenter import encode
from ..schema import events, model
from ..schema.commands import (
    Analyse,
    MessageError,
    Prove,
    Question,
    Recall,
    Review,
    Stop,
    decode_analysis,
    internal_error,
)
from . import moments
from .addresses import address
from .pool import EnginePool
from .rate_limits import USUAL, Bucket, RateLimits
from .reports import Reports
from .running_games import RunningGames, UnderWayError, line_of
from .threads import TurnedThreads
from .turns import NOBODY, Payer

log = logging.getLogger(__name__)

T = TypeVar("T")

_REPORTS = 0.15  # seconds between reports of one search
_AGAIN = 4  # factor of the time for a second look at a probable mistake
_LEAST = 0.01  # seconds of the shortest search
RECALL = 7.0
"""Seconds of searches for the moments of a game; with all else an answer takes less than ten."""
_GLANCES = 0.6  # part of them for one look at every position, the rest is for those in doubt
_LONGEST_GLANCE = 0.25  # seconds
_MOST_RECALLED = 300  # moves, the last of a longer game
_PIECE = 5.0  # seconds for which a review has an engine at a time, so that what is lost with one is little
_AT_ONCE = 2  # of everything but searches
_POLICY = 1008


class SpentError(Exception):
    """The time for analysis is used up; the message says so."""


class Analysts:
    """All connections for analysis: they share the engines, and the budget of the server."""

    def __init__(self, engines: EnginePool, limits: RateLimits = USUAL, running: RunningGames | None = None) -> None:
        """``running``: the games on whose positions nobody is advised."""
        self.engines = engines
        self.running = RunningGames() if running is None else running
        rate, most = limits.analysing_all
        cores = os.cpu_count() or 1
        self.budget = Bucket(rate * cores, most * cores)
        self.messages, self.own = limits.analyses, limits.analysing
        self.threads = TurnedThreads(_AT_ONCE, "analysis")

    async def socket(self, socket: WebSocket) -> None:
        """Serve one connection until the client disconnects."""
        await Analyst(socket, self, Payer(address(socket))).run()


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The evaluation of a position of a review.

    Attributes:
        chance: Black's expected score. ``score`` and ``mate`` are those of the side to move.
        outcome: the end of the game, in words.
    """

    chance: float
    score: int | None = None
    mate: int | None = None
    moves: Sequence[model.PlayedMove] = ()
    depth: int | None = None
    outcome: str | None = None

    def judged(self, id: str, ply: int, loss: float | None = None) -> events.JudgedMessage:
        """The message for the question with that id; ``loss``: of the move before the position."""
        return events.JudgedMessage(
            id,
            ply,
            self.score,
            self.mate,
            self.chance,
            self.moves,
            depth=UNSET if self.depth is None else self.depth,
            outcome=UNSET if self.outcome is None else self.outcome,
            loss=UNSET if loss is None else loss,
            mark=UNSET if loss is None else cast("model.Mark", mark(loss)),
        )


class Analyst:
    """One connection."""

    def __init__(self, socket: WebSocket, shared: Analysts, payer: Payer = NOBODY) -> None:
        self._socket, self._shared, self._payer = socket, shared, payer
        self._bucket = Bucket(*shared.messages)
        self._budget = Bucket(*shared.own)
        self._question = ""  # the id of the latest
        self._work: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Serve the client until it disconnects."""
        await self._socket.accept()
        try:
            while (frame := await self._socket.receive())["type"] != "websocket.disconnect":
                if not self._bucket.take():
                    await self._socket.close(_POLICY, "Too many messages.")
                    return
                try:
                    message = decode_analysis(frame.get("text") or frame.get("bytes") or "")
                except MessageError as error:
                    await self._send(events.FaultMessage(None, str(error)))
                    continue
                if await self._end():
                    await self._send(events.DoneMessage(self._question, None))
                if not isinstance(message, Stop):
                    self._question = message.id
                    self._work = asyncio.create_task(self._answer(message))
        except (WebSocketDisconnect, RuntimeError):
            pass  # the client has gone; Starlette raises RuntimeError on writing to a closed socket
        finally:
            await self._end()

    async def _end(self) -> bool:
        """Cancel the question under way; true if there was one."""
        work, self._work = self._work, None
        if work is None:
            return False
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        return work.cancelled()

    async def _send(self, message: events.AnalysisMessage) -> None:
        await self._socket.send_text(events.to_text(message))

    async def _answer(self, question: Question) -> None:
        spent = None
        with suppress(WebSocketDisconnect, RuntimeError):
            try:
                match question:
                    case Analyse():
                        await self._analyse(question)
                    case Review():
                        await self._review(question)
                    case Recall():
                        await self._recall(question)
                    case Prove():
                        await self._prove(question)
            except SpentError as error:
                spent = str(error)
            except UnderWayError as error:
                await self._send(events.FaultMessage(question.id, str(error)))
                return
            except KomadaiError as error:
                said = str(error) + _(".")
                if isinstance(error, EngineLostError) and not isinstance(error, EngineAwayError):
                    log.warning("an analysis: %s", error)  # with words of the engine's, which are for the owner
                    said = _("The engine was lost; ask again.")
                await self._send(events.FaultMessage(question.id, said))
                return
            except (WebSocketDisconnect, RuntimeError):
                raise
            except Exception:
                log.exception("an analysis failed")
                await self._send(events.FaultMessage(question.id, internal_error()))
                return
            await self._send(events.DoneMessage(question.id, spent))

    async def _work_out(self, work: Callable[[], T]) -> T:
        return await self._shared.threads.run(self._payer, work)

    async def _game(self, question: Question) -> Game:
        """The game of a question, after its moves.

        Raises:
            UnderWayError: it leads through a position of a game that two people are playing.
        """

        def replayed() -> tuple[Game, list[int]]:
            game = question.game()
            return game, line_of(game)

        game, line = await self._work_out(replayed)
        self._shared.running.require_free(line)
        return game

    async def _analyse(self, question: Analyse) -> None:
        game = await self._game(question)
        if game.outcome() is not None:
            return
        reports = Reports(game)
        latest: Report | None = None
        news = asyncio.Event()

        def report(reached: Report) -> None:
            nonlocal latest
            latest = reached
            news.set()

        engine = self._named(question.engine, game)
        search = Search(game, question.lines, self.lend, engine)
        work = asyncio.create_task(search.run(question.seconds, report))
        work.add_done_callback(lambda _: news.set())
        try:
            while not work.done() or latest is not None:
                await news.wait()
                news.clear()
                info, latest = latest, None
                if info is not None:
                    await self._send(await self._work_out(partial(reports.info, question.id, info)))
                await asyncio.wait([work], timeout=_REPORTS)
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
        work.result()

    async def _review(self, question: Review) -> None:
        """Evaluate each position and, from the second on, the loss of the move before it.

        A probable mistake is searched again for longer, before and after the move, before it is reported.
        """
        begin = min(question.begin, len(question.moves))
        moves = (await self._game(question)).moves
        game = await self._work_out(partial(_begun, question, moves[:begin]))
        engine = self._named(question.engine, game)
        found, best = await self._evaluate(game, question.seconds, engine)
        await self._send(found.judged(question.id, begin))
        for ply, move in enumerate(moves[begin:], begin + 1):
            mover, was, wanted = game.turn, found.chance, best
            game.push(move)
            found, best = await self._evaluate(game, question.seconds, engine)
            lost = moments.loss(mover, was, found.chance) if move.text != wanted else 0.0
            if mark(lost) and wanted is not None:
                game.pop()
                again, wanted = await self._evaluate(game, question.seconds * _AGAIN, engine)
                await self._send(again.judged(question.id, ply - 1))
                game.push(move)
                found, best = await self._evaluate(game, question.seconds * _AGAIN, engine)
                lost = moments.loss(mover, again.chance, found.chance) if move.text != wanted else 0.0
            await self._send(found.judged(question.id, ply, lost))

    async def _recall(self, question: Recall) -> None:
        """Look at every position for a moment, longer at those around the moves that seem to have mattered."""
        moves = (await self._game(question)).moves
        begin = max(len(moves) - _MOST_RECALLED, 0)
        before, moves = moves[:begin], moves[begin:]
        game = await self._work_out(partial(_begun, question, before))
        seen = Recalled(before, moves, [], {})
        glance = min(RECALL * _GLANCES / (len(moves) + 1), _LONGEST_GLANCE)
        for number, move in enumerate([*moves, None]):
            seen.found[number] = await self._evaluate(game, glance, "")
            await self._send(seen.found[number][0].judged(question.id, begin + number))
            if move is not None:
                seen.movers.append(game.turn)
                game.push(move)
        losses = [seen.loss(number) for number in range(len(moves))]
        chances = [found.chance for found, _ in seen.found.values()]
        doubtful = moments.doubtful(seen.movers, chances, losses, question.side, question.winner)
        around = sorted({at for number in doubtful for at in (number, number + 1)}, reverse=True)
        for at in around:
            while len(game.moves) > begin + at:
                game.pop()
            seen.found[at] = await self._evaluate(game, RECALL * (1 - _GLANCES) / len(around), "")
        sure = [seen.loss(number) if number in doubtful else 0.0 for number in range(len(moves))]
        worst = sorted(moments.worst(seen.movers, sure, question.side))
        turning = moments.decisive(seen.movers, chances, sure, question.winner)[:1]
        losses = [sure[number] if number in doubtful else lost for number, lost in enumerate(losses)]
        told = {
            number: await self._work_out(partial(seen.told, question, number, losses[number]))
            for number in sorted({*worst, *turning})
        }
        await self._send(
            events.MomentsMessage(
                question.id,
                moments.accuracy(seen.movers, losses),
                [told[number] for number in worst],
                told[turning[0]] if turning else None,
                begin,
            )
        )

    async def _prove(self, question: Prove) -> None:
        game = await self._game(question)
        if game.outcome() is not None:
            return
        if not can_mate(game.variant):
            words = _("mates are proved in games of one king a side and one landing a turn")
            raise NotationError(game.variant.name, [words])
        found = await Search(game, 1, self.lend).prove(question.seconds)
        await self._send(await self._work_out(partial(Reports(game).proved, question.id, found)))

    def _named(self, engine: str, game: Game) -> str:
        """The name of an engine that plays the game; empty for ours.

        Raises:
            NotationError: there is none of that name.
        """
        if not self._shared.engines.plays(engine, game.variant.id):
            raise NotationError(game.variant.name, [_("this server has no engine {name} for this game", name=engine)])
        return engine

    async def _evaluate(self, game: Game, seconds: float, engine: str) -> tuple[Evaluation, str | None]:
        """Evaluate a position; also the move string of the best move."""
        outcome = game.outcome()
        if outcome is not None:
            share = {"b": 1.0, "w": 0.0, None: 0.5}[outcome.winner]
            return Evaluation(share, outcome=outcome.message.words()), None
        found = await Search(game, 1, self.lend, engine, _PIECE).run(seconds, lambda _: None)
        if not found.lines:
            raise EngineLostError("the engine gave no line")
        line = (await self._work_out(partial(Reports(game).lines, found)))[0]
        return Evaluation(line.chance, line.score, line.mate, line.moves, found.depth), found.lines[0].pv[0]

    @asynccontextmanager
    async def lend(self, subject: Subject, give_way: Callable[[], object]) -> AsyncIterator[tuple[Backend, float]]:
        """An engine, and the seconds that it may be used for; the time used is taken off the budgets.

        Raises:
            SpentError: there is no time left.
        """
        if self._budget.left < _LEAST:
            raise SpentError(_("The time for analysis on this connection is used up. More comes as time passes."))
        if self._shared.budget.left < _LEAST:
            raise SpentError(_("The time this server has for analysis is used up. More comes as time passes."))
        async with self._shared.engines.lend(subject, give_way, self._payer) as engine:
            began = monotonic()
            try:
                yield engine, min(self._budget.left, self._shared.budget.left)
            finally:
                for budget in (self._budget, self._shared.budget):
                    budget.spend(monotonic() - began)


def _begun(question: Review | Recall, moves: Sequence[Move]) -> Game:
    """The game after its first moves."""
    game = question.start()
    for known in moves:
        game.push(known)
    return game


@dataclass(frozen=True, slots=True)
class Recalled:
    """A game whose moments are sought: the moves ``before`` those looked at, these ``moves`` with their ``movers``, and
    what was ``found`` of each position, with the engine's move, by the number of moves before it."""

    before: Sequence[Move]
    moves: Sequence[Move]
    movers: list[Side]
    found: dict[int, tuple[Evaluation, str | None]]

    def loss(self, number: int) -> float:
        """The loss of a move, counted from 0; none where it was the engine's own choice."""
        was, best = self.found[number]
        if self.moves[number].text == best:
            return 0.0
        return moments.loss(self.movers[number], was.chance, self.found[number + 1][0].chance)

    def told(self, question: Recall, number: int, lost: float) -> events.Moment:
        """A move as a moment."""
        game = _begun(question, [*self.before, *self.moves[:number]])
        (was, best), (now, reply) = self.found[number], self.found[number + 1]
        before, played = game.position, self.moves[number]
        after = before.copy()
        after.push(played)
        what = missed(
            before,
            played,
            None if best is None else before.parse_move(best),
            None if reply is None else after.parse_move(reply),
            won=was.mate is not None and was.mate > 0,
            lost=(now.mate is not None and now.mate > 0) or now.chance == (0 if before.turn == "b" else 1),
        )
        return events.Moment(
            ply=len(self.before) + number,
            side=before.turn,
            move=encode.played_move(before.variant, before.turn, played, encode.texts(before, played)),
            loss=lost,
            mark=cast("model.Mark", mark(lost)),
            sfen=before.sfen(ply=True),
            chance=was.chance,
            score=was.score,
            mate=was.mate,
            best=was.moves,
            topic=what.topic,
            way=what.way,
        )


class Search:
    """A search that gives way to others, and continues afterwards."""

    def __init__(
        self,
        game: Game,
        lines: int,
        lend: Callable[[Subject, Callable[[], object]], AbstractAsyncContextManager[tuple[Backend, float]]],
        engine: str = "",
        piece: float = math.inf,
    ) -> None:
        """Prepare.

        Args:
            lend: gives an engine and the seconds that it may be used for. ``engine``: its name, if it is not ours.
            piece: seconds after which the engine is given back, and asked for again.
        """
        background.begin(game.variant)  # its table is for later searches
        self._piece = piece
        self._game, self._lines, self._lend, self._name = game, lines, lend, engine
        self._engine: Backend | None = None
        self._disturbed = False

    def disturb(self) -> None:
        """Stop the present run of the search soon; it starts again when there is an engine."""
        self._disturbed = True
        if self._engine is not None:
            self._engine.stop()

    async def run(self, seconds: float, report: Callable[[Report], object]) -> Report:
        """Search for that many seconds in all. The game is not over.

        Args:
            report: called with each report that is deeper than the one before.

        Returns:
            The last report.

        Raises:
            SpentError: there is no time left.
        """
        best, left = Report(0, 0, 0, 0, 0.0, ()), seconds

        def found(reached: Report) -> None:
            nonlocal best
            if reached.lines and (reached.depth > best.depth or not best.lines):
                best = reached
                report(reached)

        while True:
            piece = min(left, self._piece)
            result, used, cut_short = await self._turn(piece, found)
            found(result.report)
            left -= used
            if left < _LEAST or (used < piece and not cut_short):
                return best

    async def prove(self, seconds: float) -> TsumeReport:
        """Judge the position as a mate problem within that many seconds in all. The game is not over.

        Raises:
            SpentError: there is no time left.
        """
        left = seconds
        while True:
            result, used, cut_short = await self._turn(left, lambda _: None, tsume=True)
            assert result.tsume is not None
            left -= used
            if result.tsume.complete or left < _LEAST or not cut_short:
                return result.tsume

    async def _turn(
        self, seconds: float, found: Callable[[Report], object], tsume: bool = False
    ) -> tuple[SearchResult, float, bool]:
        """Search until the engine is wanted elsewhere; also the seconds used, and whether it was cut short."""
        self._disturbed = False
        subject = Subject.of(self._game, engine=self._name)
        async with self._lend(subject, self.disturb) as (engine, most):
            seconds = max(min(seconds, most), _LEAST)
            request = SearchRequest.of(self._game, seconds, engine=self._name, lines=self._lines, tsume=tsume)
            self._engine, began = engine, monotonic()
            try:
                result = await engine.search(request, found)
            finally:
                self._engine = None
            used = monotonic() - began
        return result, used, self._disturbed or used >= most
