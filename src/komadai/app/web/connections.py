"""The protocols of uvicorn with limits: what a client may leave unfinished, unread or unclosed, and for how long."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from .engines.rate_limits import Bucket

REQUEST_WITHIN = 15.0
"""Seconds in which a client must have sent a request, its body included."""
READ_WITHIN = 30.0
"""Seconds for which a client may leave unread what is waiting for it."""
CLOSE_WITHIN = 5.0
"""Seconds after which a closed connection is cut, although the client has not read everything."""
PINGS = (5.0, 50.0)
"""Pings of WebSockets that are answered, per second, and at once."""
_TOO_MANY = 1008


def _release(transport: asyncio.Transport) -> None:
    """Let a transport that has ended be freed: asyncio's refers to itself by a method that it keeps."""
    vars(transport).update(_read_ready_cb=None)


class _Deadline:
    """Cuts a connection unless something happens in time."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None

    def start(self, transport: asyncio.Transport) -> None:
        """Cut the connection later, if that is not arranged already."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._seconds, transport.abort)

    def stop(self) -> None:
        """Do not cut it."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class HttpConnection(H11Protocol):
    """An HTTP connection: the request must come in time, and the response be read in time."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._request, self._reading = _Deadline(REQUEST_WITHIN), _Deadline(READ_WITHIN)
        self._closing = _Deadline(CLOSE_WITHIN)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._request.start(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        for deadline in (self._request, self._reading, self._closing):
            deadline.stop()
        _release(self.transport)

    def data_received(self, data: bytes) -> None:
        self._request.start(self.transport)
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY) or self._upgraded:
            self._request.stop()
        if self.transport.is_closing():
            self._closing.start(self.transport)

    @property
    def _upgraded(self) -> bool:
        return self.transport.get_protocol() is not self

    def pause_writing(self) -> None:
        super().pause_writing()
        self._reading.start(self.transport)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._reading.stop()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():
            self._closing.start(self.transport)

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._closing.start(self.transport)


class WebSocketConnection(WebSocketsSansIOProtocol):
    """A WebSocket: pings are answered only so often, and messages must be read in time."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._reading, self._closing = _Deadline(READ_WITHIN), _Deadline(CLOSE_WITHIN)
        self._pings = Bucket(*PINGS)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._reading.stop()
        self._closing.stop()
        _release(self.transport)
        self.conn.parser.close()  # which refers to ``conn``: both would wait for the garbage collector

    def pause_writing(self) -> None:
        super().pause_writing()
        self._reading.start(self.transport)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._reading.stop()

    def handle_ping(self) -> None:
        """Answer, unless there are too many, or earlier answers are unread."""
        if not self._pings.take():
            self.conn.fail(_TOO_MANY, "Too many pings.")
            self.handle_parser_exception()
            self._closing.start(self.transport)
        elif self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()  # the answer, which is dropped

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._closing.start(self.transport)

    async def run_asgi(self) -> None:
        await super().run_asgi()
        if not self.disconnected:
            self._closing.start(self.transport)
