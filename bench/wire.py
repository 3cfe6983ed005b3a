"""A WebSocket client that costs little, so that thousands of pages in one process are no slower than the server.

It reads unfragmented, uncompressed text frames, which is all that the server sends.
"""

from __future__ import annotations

import asyncio
import base64
import os
import time
from collections import deque
from typing import Any

import msgspec

_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10
_START = 200  # bytes of a message that are kept, where it is not asked for as a whole
PATIENCE = 20.0
"""Seconds after which an answer counts as lost."""


class RefusedError(ValueError):
    """The server refuses something; the text is the beginning of its message."""


class Page(asyncio.Protocol):
    """A page's WebSocket.

    Attributes:
        deaf: messages are dropped unread.
        whole: messages are kept whole; otherwise only how they begin.
        closed: why the connection has ended; empty while it is open.
        received: the number of messages so far.
    """

    def __init__(self, *, deaf: bool = False, whole: bool = False) -> None:
        self.deaf, self.whole = deaf, whole
        self.closed, self.received = "", 0
        self._transport: asyncio.Transport
        self._buffer = bytearray()
        self._upgraded = asyncio.get_running_loop().create_future()
        self._upgraded.add_done_callback(lambda done: done.cancelled() or done.exception())  # perhaps nobody waits
        self._heard: deque[tuple[float, bytes]] = deque()
        self._news = asyncio.Event()

    @classmethod
    async def open(
        cls, port: int, path: str = "/socket", address: str = "127.0.0.1", cookie: str = "", **options: bool
    ) -> Page:
        """Connect from that address.

        Raises:
            ConnectionError: it is not possible.
        """
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(3 * PATIENCE):
            _, page = await loop.create_connection(lambda: cls(**options), "127.0.0.1", port, local_addr=(address, 0))
            key = base64.b64encode(os.urandom(16)).decode()
            head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            head += f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            page._transport.write((head + (f"Cookie: {cookie}\r\n" if cookie else "") + "\r\n").encode())
            await page._upgraded
        return page

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed = self.closed or str(exc or "the server has closed the connection")
        if not self._upgraded.done():
            self._upgraded.set_exception(ConnectionError(self.closed))
        self._news.set()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._upgraded.done():
            head, end, rest = self._buffer.partition(b"\r\n\r\n")
            if not end:
                return
            if b" 101 " not in head[:20]:
                self._upgraded.set_exception(ConnectionError(head[:20].decode("latin-1")))
                return
            self._buffer = rest
            self._upgraded.set_result(None)
        now = time.perf_counter()
        while (frame := self._frame()) is not None:
            kind, payload = frame
            if kind == _TEXT:
                self.received += 1
                if not self.deaf:
                    self._heard.append((now, payload if self.whole else payload[:_START]))
                    self._news.set()
            elif kind == _PING:
                self._write(_PONG, payload)
            elif kind == _CLOSE:
                self.closed = payload[2:].decode(errors="replace") or "the server has closed the WebSocket"
                self._transport.close()

    def _frame(self) -> tuple[int, bytes] | None:
        """Take the next frame out of the buffer: its kind and payload."""
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        size, at = buffer[1], 2
        if size >= 126:
            at = 4 if size == 126 else 10
            size = int.from_bytes(buffer[2:at])
        if len(buffer) < at + size:
            return None
        kind, payload = buffer[0] & 15, bytes(buffer[at : at + size])
        del buffer[: at + size]
        return kind, payload

    def _write(self, kind: int, payload: bytes) -> None:
        """Send a frame; clients must mask it, and a mask of zeros changes nothing."""
        size = len(payload)
        head = bytes((0x80 | kind, 0x80 | size)) if size < 126 else bytes((0x80 | kind, 0xFE)) + size.to_bytes(2)
        self._transport.write(head + bytes(4) + payload)

    def say(self, t: str, **fields: Any) -> None:
        """Send a message.

        Raises:
            ConnectionError: the connection has ended.
        """
        if self.closed:
            raise ConnectionError(self.closed)
        self._write(_TEXT, msgspec.json.encode({"t": t} | fields))

    async def hear(self, *signs: str) -> tuple[float, bytes]:
        """The next message whose beginning holds one of the signs, and when it came; those before it are skipped.

        Raises:
            RefusedError: the server refuses something.
            ConnectionError: the connection has ended.
            TimeoutError: it does not come.
        """
        wanted = [sign.encode() for sign in signs]
        async with asyncio.timeout(PATIENCE):
            while True:
                while self._heard:
                    at, message = self._heard.popleft()
                    start = message[:_START]
                    if any(sign in start for sign in wanted):
                        return at, message
                    if b'"t":"refused"' in start or b'"t":"error"' in start or b'"t":"doubt"' in start:
                        raise RefusedError(start.decode(errors="replace"))
                if self.closed:
                    raise ConnectionError(self.closed)
                self._news.clear()
                await self._news.wait()

    def close(self) -> None:
        """Cut the connection, as a closed laptop does."""
        self.closed = self.closed or "closed here"
        self._transport.abort()


def hello(page: Page, game: str, token: str | None, seq: int | None = None) -> None:
    """Let a page say which game it shows."""
    page.say("hello", game=game, token=token, seq=seq)
