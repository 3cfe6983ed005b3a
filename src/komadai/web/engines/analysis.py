"""Analysis over a WebSocket of its own: what the engine thinks of a position, or of every position of a game.

The client sends ``analyse``, ``review`` or ``stop``, JSON objects with ``t``; each question has an id of the client's
that the answers bear, of which the last is ``done`` or ``error``. There is one search a connection, and a new question
ends the one before. Analysis uses the engines that the games' computers use, gives way to them, and has a budget of
time.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Annotated, Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from ...engine import STRONGEST, Engine, Info, Line
from ...engine.chances import chance, mark
from ...errors import KomadaiError
from ...game.game import Game
from ...i18n import _
from ...notation import of as notation_of
from ...spec.board import Side
from ...spec.move import Move
from ...spec.variant import Variant
from ..http.position_ref import Branch
from ..schema import encode
from ..schema.commands import Id, MessageError, decode_as, encode_message, failed
from .pool import EnginePool
from .rate_limits import USUAL, Bucket, Limits
from .threads import in_thread

log = logging.getLogger(__name__)

MOST_BYTES = 60_000
"""A longer message from a client is refused."""

_OWN = 0.5, 1800  # the budget of a connection: seconds for each second that passes, and at once
_WHOLE = 0.5, 3600  # that of the server, for each core
_REPORTS = 0.15  # seconds between reports of one search
_AGAIN = 4  # times as long is looked at what seems to be a mistake
_SHOWN = 12  # moves told of a line
_LEAST = 0.05  # seconds that are worth a search
_THREADS = ThreadPoolExecutor(2, "analysis")  # for all that is no search; the others keep theirs
_POLICY = 1008


class Analyse(Branch, kw_only=True, tag_field="t", tag="analyse", forbid_unknown_fields=True):
    """What is to be said of the position after the moves: the best ``lines`` of play, sought for ``seconds``."""

    id: Id
    lines: Annotated[int, msgspec.Meta(ge=1, le=5)] = 1
    seconds: Annotated[float, msgspec.Meta(ge=0.05, le=600)] = 10.0


class Review(Branch, kw_only=True, tag_field="t", tag="review", forbid_unknown_fields=True):
    """What is to be said of every position that the moves led to, from ``begin`` on: ``seconds`` for each."""

    id: Id
    begin: Annotated[int, msgspec.Meta(ge=0)] = 0
    seconds: Annotated[float, msgspec.Meta(ge=0.05, le=10)] = 0.5


class Stop(msgspec.Struct, tag_field="t", tag="stop", forbid_unknown_fields=True):
    """End the search."""


Question = Analyse | Review
Message = Question | Stop

_DECODER: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)


class SpentError(Exception):
    """The time for analysis is used up; the text says so."""


class Analysts:
    """Everybody who analyses: they share the engines, and the time of the server."""

    thinkers: EnginePool

    def __init__(self, limits: Limits = USUAL) -> None:
        rate, most = _WHOLE
        cores = os.cpu_count() or 1
        self.budget = Bucket(rate * cores, most * cores)
        self.messages = limits.analyses

    async def socket(self, socket: WebSocket) -> None:
        """Serve one connection until the client leaves."""
        await Analyst(socket, self).run()


class Analyst:
    """One connection."""

    def __init__(self, socket: WebSocket, house: Analysts) -> None:
        self._socket, self._house = socket, house
        self._bucket = Bucket(*house.messages)
        self._budget = Bucket(*_OWN)
        self._question = ""  # the id of the latest
        self._work: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Serve the client until it leaves."""
        await self._socket.accept()
        try:
            while (frame := await self._socket.receive())["type"] != "websocket.disconnect":
                if not self._bucket.take():
                    await self._socket.close(_POLICY, "Too many messages.")
                    return
                try:
                    message = decode_as(_DECODER, frame.get("text") or frame.get("bytes") or "", MOST_BYTES)
                except MessageError as error:
                    await self._send("error", id=None, reason=str(error))
                    continue
                if await self._end():
                    await self._send("done", id=self._question, spent=None)
                if not isinstance(message, Stop):
                    self._question = message.id
                    self._work = asyncio.create_task(self._answer(message))
        except (WebSocketDisconnect, RuntimeError):
            pass  # the client has gone; RuntimeError is Starlette's word for writing to a closed socket
        finally:
            await self._end()

    async def _end(self) -> bool:
        """End what is being worked out; whether there was something."""
        work, self._work = self._work, None
        if work is None:
            return False
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        return work.cancelled()

    async def _send(self, t: str, **fields: Any) -> None:
        await self._socket.send_text(encode_message(t, **fields))

    async def _answer(self, question: Question) -> None:
        spent = None
        with suppress(WebSocketDisconnect, RuntimeError):
            try:
                await (self._analyse(question) if isinstance(question, Analyse) else self._review(question))
            except SpentError as error:
                spent = str(error)
            except KomadaiError as error:
                await self._send("error", id=question.id, reason=str(error) + _("."))
                return
            except (WebSocketDisconnect, RuntimeError):
                raise
            except Exception:
                log.exception("an analysis failed")
                await self._send("error", id=question.id, reason=failed())
                return
            await self._send("done", id=question.id, spent=spent)

    async def _analyse(self, question: Analyse) -> None:
        game = await in_thread(_THREADS, question.game)
        if game.outcome() is not None:
            return
        told = Teller(game)
        latest: Info | None = None
        news = asyncio.Event()

        def report(info: Info) -> None:
            nonlocal latest
            latest = info
            news.set()

        search = Search(game, question.lines, self.lend)
        work = asyncio.create_task(search.run(question.seconds, report))
        work.add_done_callback(lambda _: news.set())
        try:
            while not work.done() or latest is not None:
                await news.wait()
                news.clear()
                info, latest = latest, None
                if info is not None:
                    await self._send("info", id=question.id, **await in_thread(_THREADS, told.info, info))
                await asyncio.wait([work], timeout=_REPORTS)
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
        work.result()

    async def _review(self, question: Review) -> None:
        """The value of each position; from the second on also what was lost by the move that led to it.

        A move that seems to be a mistake is looked at again for longer, before and after, and told of only then.
        """
        begin = min(question.begin, len(question.moves))
        game, moves = await in_thread(_THREADS, _begun, question, begin)
        judged, best = await self._judge(game, question.seconds)
        await self._send("judged", id=question.id, ply=begin, **judged)
        for ply, move in enumerate(moves[begin:], begin + 1):
            mover, was, wanted = game.turn, judged["chance"], best
            game.push(move)
            judged, best = await self._judge(game, question.seconds)
            lost = _lost(mover, was, judged["chance"]) if move != wanted else 0.0
            if mark(lost) and wanted is not None:
                game.pop()
                again, wanted = await self._judge(game, question.seconds * _AGAIN)
                await self._send("judged", id=question.id, ply=ply - 1, **again)
                game.push(move)
                judged, best = await self._judge(game, question.seconds * _AGAIN)
                lost = _lost(mover, again["chance"], judged["chance"]) if move != wanted else 0.0
            await self._send("judged", id=question.id, ply=ply, **judged, loss=lost, mark=mark(lost))

    async def _judge(self, game: Game, seconds: float) -> tuple[dict[str, Any], Move | None]:
        """What is told of one position, and the best move."""
        outcome = game.outcome()
        if outcome is not None:
            share = {"b": 1.0, "w": 0.0, None: 0.5}[outcome.winner]
            return {"chance": share, "score": None, "mate": None, "moves": [], "outcome": outcome.message.words()}, None
        info = await Search(game, 1, self.lend).run(seconds, lambda _: None)
        told = await in_thread(_THREADS, Teller(game).info, info)
        return told["lines"][0] | {"depth": told["depth"]}, info.move

    @asynccontextmanager
    async def lend(self, variant: Variant, give_way: Callable[[], object]) -> AsyncIterator[tuple[Engine, float]]:
        """An engine, and the seconds it may be used for. What is used of them is spent.

        Raises:
            SpentError: there is no time left.
        """
        if self._budget.left < _LEAST:
            raise SpentError(_("The time for analysis on this connection is used up. More comes as time passes."))
        if self._house.budget.left < _LEAST:
            raise SpentError(_("The time this server has for analysis is used up. More comes as time passes."))
        async with self._house.thinkers.lend(variant, STRONGEST, give_way) as engine:
            began = monotonic()
            try:
                yield engine, min(self._budget.left, self._house.budget.left)
            finally:
                for budget in (self._budget, self._house.budget):
                    budget.spend(monotonic() - began)


def _begun(question: Review, begin: int) -> tuple[Game, Sequence[Move]]:
    """The game after its first ``begin`` moves, and all of them."""
    moves, game = question.game().moves, question.start()
    for known in moves[:begin]:
        game.push(known)
    return game, moves


def _lost(mover: Side, was: float, now: float) -> float:
    """What a move gave away, by Black's chances before and after it."""
    return max(was - now if mover == "b" else now - was, 0.0)


class Search:
    """A search that gives way to others, and goes on afterwards."""

    def __init__(
        self,
        game: Game,
        lines: int,
        lend: Callable[[Variant, Callable[[], object]], Any],
    ) -> None:
        self._game, self._lines, self._lend = game, lines, lend
        self._engine: Engine | None = None
        self._disturbed = False

    def disturb(self) -> None:
        """End the search that is going on soon."""
        self._disturbed = True
        if self._engine is not None:
            self._engine.stop()

    async def run(self, seconds: float, report: Callable[[Info], object]) -> Info:
        """Search so long in all. The game is not over.

        Args:
            report: called in the event loop with what has been found, again only with what is deeper.

        Returns:
            The last report.

        Raises:
            SpentError: there is no time left.
        """
        loop, best, left = asyncio.get_running_loop(), Info(None, 0, 0, 0, 0.0, 0, ()), seconds

        def found(info: Info) -> None:
            nonlocal best
            if info.multipv and (info.depth > best.depth or not best.multipv):
                best = info
                report(info)

        def deeper(info: Info) -> None:  # in the search's thread
            if self._disturbed and self._engine is not None:
                self._engine.stop()  # the word may have come before the search had begun
            loop.call_soon_threadsafe(found, info)

        while True:
            self._disturbed = False
            async with self._lend(self._game.variant, self.disturb) as (engine, most):
                self._engine, began = engine, monotonic()
                limits = {"time": max(min(left, most), _LEAST), "multipv": self._lines, "report": deeper}
                work = asyncio.ensure_future(asyncio.to_thread(engine.search, self._game.position.copy(), **limits))
                try:
                    last = await asyncio.shield(work)
                except asyncio.CancelledError:
                    self.disturb()
                    await asyncio.gather(work, return_exceptions=True)
                    raise
                finally:
                    self._engine = None
                used = monotonic() - began
            found(last)
            left -= used
            if left < _LEAST or not (self._disturbed or used >= most):
                return best


class Teller:
    """Says what was found in a position, with the moves as people write them."""

    def __init__(self, game: Game) -> None:
        self._at = game.position.copy()
        self._known: dict[tuple[Move, ...], dict[str, Any]] = {}

    def info(self, info: Info) -> dict[str, Any]:
        """What a search found. Times are in seconds."""
        return {
            "depth": info.depth,
            "seldepth": info.seldepth,
            "nodes": info.nodes,
            "nps": info.nps,
            "seconds": round(info.seconds, 2),
            "lines": [self._line(line) for line in info.multipv],
        }

    def _line(self, line: Line) -> dict[str, Any]:
        """``score`` and ``mate`` are the mover's, ``chance`` is Black's, ``moves`` are as in a move list."""
        share = chance(line.score, line.mate)
        return {
            "score": line.score,
            "mate": line.mate,
            "chance": round(share if self._at.turn == "b" else 1 - share, 4),
            "moves": self._moves(line.pv[:_SHOWN]),
        }

    def _moves(self, moves: tuple[Move, ...]) -> list[dict[str, Any]]:
        position, told = self._at.copy(), []
        v = position.variant
        for number, move in enumerate(moves, 1):
            key = moves[:number]
            if key not in self._known:
                written = notation_of(v).write(position, move)
                self._known[key] = encode.move_entry(v, position.turn, move, written)
            told.append(self._known[key])
            position.push(move)
        return told
