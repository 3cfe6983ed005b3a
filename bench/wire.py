"""A WebSocket client that costs little, so that thousands of pages in one process are no slower than the server.

It reads unfragmented, uncompressed text frames, which is all that the server sends. The kernel says when they came: a
client that waits for the processor meanwhile does not make the server look slow.
"""

from __future__ import annotations

import asyncio
import base64
import os
import socket
import struct
import time
from collections import deque
from typing import Any

import msgspec

_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10
_SO_TIMESTAMPNS = 35  # of Linux, which Python does not name
_READ = 1 << 18
_START = 200  # bytes of a message that are kept, where it is not asked for as a whole
PATIENCE = 20.0
"""Seconds after which an answer counts as lost."""


class RefusedError(ValueError):
    """The server refuses something; the text is the beginning of its message."""


class Page:
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
        self._loop = asyncio.get_running_loop()
        self._socket = socket.socket()
        self._socket.setblocking(False)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.setsockopt(socket.SOL_SOCKET, _SO_TIMESTAMPNS, 1)
        self._buffer = bytearray()
        self._upgraded = self._loop.create_future()
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
        page = cls(**options)
        try:
            async with asyncio.timeout(3 * PATIENCE):
                page._socket.bind((address, 0))
                await page._loop.sock_connect(page._socket, ("127.0.0.1", port))
                page._loop.add_reader(page._socket, page._read)
                key = base64.b64encode(os.urandom(16)).decode()
                head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                head += f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
                page._send((head + (f"Cookie: {cookie}\r\n" if cookie else "") + "\r\n").encode())
                await page._upgraded
        except BaseException:
            page.close()
            raise
        return page

    def _end(self, why: str) -> None:
        self.closed = self.closed or why
        if self._socket.fileno() >= 0:
            self._loop.remove_reader(self._socket)
            self._socket.close()
        if not self._upgraded.done():
            self._upgraded.set_exception(ConnectionError(self.closed))
        self._news.set()

    def _read(self) -> None:
        try:
            data, notes, *_ = self._socket.recvmsg(_READ, socket.CMSG_SPACE(16))
        except BlockingIOError:
            return
        except OSError as error:
            self._end(str(error))
            return
        if not data:
            self._end("the server has closed the connection")
            return
        came = time.perf_counter()
        for level, kind, stamp in notes:
            if (level, kind) == (socket.SOL_SOCKET, _SO_TIMESTAMPNS):
                seconds, nanoseconds = struct.unpack("qq", stamp)
                came -= max(0.0, time.time() - (seconds + nanoseconds / 1e9))
        self._buffer += data
        if not self._upgraded.done():
            head, end, rest = self._buffer.partition(b"\r\n\r\n")
            if not end:
                return
            if b" 101 " not in head[:20]:
                self._end(head[:20].decode("latin-1"))
                return
            self._buffer = rest
            self._upgraded.set_result(None)
        while (frame := self._frame()) is not None:
            kind, payload = frame
            if kind == _TEXT:
                self.received += 1
                if not self.deaf:
                    self._heard.append((came, payload if self.whole else payload[:_START]))
                    self._news.set()
            elif kind == _PING:
                self._write(_PONG, payload)
            elif kind == _CLOSE:
                self._end(payload[2:].decode(errors="replace") or "the server has closed the WebSocket")
                return

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
        self._send(head + bytes(4) + payload)

    def _send(self, data: bytes) -> None:
        """Send it at once: it is short."""
        try:
            if self._socket.send(data) < len(data):
                self._end("the server does not read")
        except OSError as error:
            self._end(str(error))

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
        self._end("closed here")


def hello(page: Page, game: str, token: str | None, seq: int | None = None) -> None:
    """Let a page say which game it shows."""
    page.say("hello", game=game, token=token, seq=seq)
