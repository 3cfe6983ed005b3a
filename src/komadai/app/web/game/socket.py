"""The WebSocket of a client: its messages are read and answered, and the events of its game sent to it."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections import deque
from contextlib import suppress
from functools import partial
from sys import getsizeof
from typing import cast

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from ....i18n import _
from ..engines.addresses import NOWHERE, Address
from ..engines.quota import EVENT_BYTES
from ..engines.rate_limits import Bucket, Rate
from ..engines.turns import Payer
from ..metrics import Metrics
from ..schema import events
from ..schema.commands import (
    Command,
    DrawCommand,
    Explain,
    Hello,
    Look,
    Message,
    MessageError,
    Ping,
    ResignCommand,
    Study,
    decode,
    internal_error,
)
from .registry import GameRegistry
from .replay import DeletedError, FullError, InDoubtError, RefusedError, UnavailableError
from .session import Session
from .solved import BeingSolvedError
from .store_calls import in_doubt_by_failure

log = logging.getLogger(__name__)

_PATIENCE = 200  # messages over the limit before the connection is closed
_POLICY, _TRY_LATER = 1008, 1013
_GONE = (WebSocketDisconnect, RuntimeError)  # Starlette raises RuntimeError on writing to a closed socket
_REASONS: dict[type[Exception], str] = {
    MessageError: "unreadable",
    InDoubtError: "doubt",
    UnavailableError: "store",
    FullError: "full",
    DeletedError: "deleted",
}
"""Words for the metrics; any other refusal is of something impossible."""


MOST_WAITING = 1 << 20
"""Messages of more bytes do not wait, unless a single one is that large."""


class Outbox:
    """A queue that is bounded by the memory of its messages."""

    def __init__(self) -> None:
        self._messages: deque[str] = deque()
        self._bytes = 0
        self._filled, self._emptied = asyncio.Event(), asyncio.Event()
        self._emptied.set()

    def put(self, message: str) -> bool:
        """Add a message; false if there is no room for it."""
        size = getsizeof(message)
        if self._messages and self._bytes + size > MOST_WAITING:
            return False
        self._messages.append(message)
        self._bytes += size
        self._filled.set()
        self._emptied.clear()
        return True

    async def get(self) -> str:
        """Wait for the next message; take it out."""
        await self._filled.wait()
        message = self._messages.popleft()
        self._bytes -= getsizeof(message)
        if not self._messages:
            self._filled.clear()
            self._emptied.set()
        return message

    async def emptied(self) -> None:
        """Wait until no message waits."""
        await self._emptied.wait()

    def clear(self) -> None:
        """Drop all messages."""
        self._messages.clear()
        self._bytes = 0
        self._filled.clear()
        self._emptied.set()


class Line(ABC):
    """A connection to a client whose messages are answered one after the other, and who is sent what happens."""

    def __init__(self, socket: WebSocket, metrics: Metrics, messages: Rate, address: Address = NOWHERE) -> None:
        """``messages``: the rate at which it may send messages. ``address``: where it is."""
        self._socket, self._metrics = socket, metrics
        self._address, self._outbox = address, Outbox()
        self._bucket, self._patience = Bucket(*messages), _PATIENCE
        self._lagging = asyncio.Event()

    @abstractmethod
    async def _answer(self, data: str | bytes) -> None:
        """Answer a message.

        Raises:
            MessageError: it cannot be read.
            RefusedError: it is refused.
        """

    @abstractmethod
    def _leave(self) -> None:
        """The client has gone."""

    async def run(self) -> None:
        """Serve the client until it disconnects or has to be disconnected."""
        await self._socket.accept()
        tasks = [asyncio.create_task(work) for work in (self._write(), self._read(), self._lagging.wait())]
        try:
            done, _rest = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if self._lagging.is_set():
                self._metrics.refused("unread")
                await self._socket.close(_TRY_LATER, "You read too slowly; connect again.")
            elif self._patience <= 0:
                await self._socket.close(_POLICY, "Too many messages.")
            for error in [task.exception() for task in done]:
                # Raised again here, its traceback would hold the tasks that hold it, until the garbage is collected.
                if error is not None and not isinstance(error, _GONE):
                    raise error
        except _GONE:
            pass
        finally:
            self._leave()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._outbox.clear()

    def _send(self, message: str) -> None:
        """Queue an encoded message."""
        if not self._outbox.put(message):
            self._lagging.set()

    def _say(self, message: msgspec.Struct) -> None:
        self._send(msgspec.json.encode(message).decode())

    async def _write(self) -> None:
        while True:
            await self._socket.send_text(await self._outbox.get())

    async def _read(self) -> None:
        warned = False
        while self._patience > 0:
            frame = await self._socket.receive()
            if frame["type"] == "websocket.disconnect":
                return
            if not self._bucket.take():
                self._metrics.refused("rate")
                self._patience -= 1
                if not warned:
                    self._say(events.ErrorMessage(_("Too many messages at once; some were ignored.")))
                warned = True
                continue
            warned = False
            await self._outbox.emptied()  # a client is answered only as fast as it reads
            data: str | bytes = frame.get("text") or frame.get("bytes") or ""
            try:
                await self._answer(data)
            except (MessageError, RefusedError) as error:
                self._refused(error)
                self._say(events.ErrorMessage(str(error)))
            except Exception:
                log.exception("a message failed")
                self._say(events.ErrorMessage(internal_error()))

    def _refused(self, error: Exception) -> None:
        self._metrics.refused(_REASONS.get(type(error), "impossible"))


class Client(Line):
    """A connected client. It follows one game at a time, that of its last ``hello``."""

    def __init__(self, socket: WebSocket, games: GameRegistry, messages: Rate, address: Address = NOWHERE) -> None:
        """Arguments as of :class:`Line`."""
        super().__init__(socket, games.metrics, messages, address)
        self._games = games
        self._session: Session | None = None
        self._token: str | None = None

    def _leave(self) -> None:
        if self._session is not None:
            self._session.leave(self._send)

    async def _answer(self, data: str | bytes) -> None:
        message = decode(data)
        with self._games.metrics.command(cast("str", message.__struct_config__.tag)):
            await self._do(message)

    async def _do(self, message: Message) -> None:
        if isinstance(message, Ping):
            self._say(events.PongMessage())
        elif isinstance(message, Hello):
            await self._hello(message)
        elif self._session is None:
            raise RefusedError(_("Send hello first, to name the game."))
        elif isinstance(message, Explain):
            self._say(
                events.ExplanationMessage(message.text, await self._session.views.explain(message.text, self._address))
            )
        elif isinstance(message, Study):
            try:
                self._send(await self._session.views.study(self._address))
            except BeingSolvedError as error:
                self._say(events.SolvingMessage(str(error), error.percent))
        elif isinstance(message, Look):
            self._send(self._session.views.look(message.moves))
        else:
            await self._command(self._session, message)

    async def _hello(self, message: Hello) -> None:
        if self._session is not None:
            self._session.leave(self._send)
            self._session = None
        self._token = message.token
        await self._games.pace.begin(Payer(self._address))
        try:
            self._session = await self._games.join(message.game, self._send, self._token, self._address)
        except UnavailableError:
            # Not an error in words: clients connect again by themselves, as they do after the server was away.
            with suppress(*_GONE):
                await self._socket.close(_TRY_LATER, "The game store does not answer; connect again.")
            return
        self._send(self._session.views.since(message.seq, self._token))

    async def _command(self, session: Session, command: Command) -> None:
        answer: events.ServerMessage
        try:
            seq = await session.command(command, self._token, partial(self._permit, command))
            answer = events.AckMessage(command.id, seq)
            self._games.quota.spend(self._address, EVENT_BYTES)
        except InDoubtError as error:
            self._refused(error)
            answer = events.DoubtMessage(command.id, str(error))
        except RefusedError as error:
            self._refused(error)
            answer = events.RefusedMessage(command.id, str(error))
        except Exception:  # it may have been done: the same command again finds out
            log.exception("a command failed", extra={"game": session.id})
            answer = events.DoubtMessage(command.id, in_doubt_by_failure())
        self._say(answer)

    def _permit(self, command: Command) -> None:
        """Refuse a command for which its address has no share of the store left."""
        if not self._games.quota.may_go_on(self._address) and not isinstance(command, (ResignCommand, DrawCommand)):
            raise RefusedError(_("Your address has stored as much as it may today; go on later."))
