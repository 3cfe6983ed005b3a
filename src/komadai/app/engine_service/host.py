"""The host of engines for servers on other machines: each connection has a child process, and messages pass between."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import secrets
import socket
from collections.abc import Sequence

import msgspec

from ... import __version__
from ...processes import streams
from .backend import CLOSE_WITHIN
from .child import command as usual_command
from .messages import MAX_ANSWER, MAX_LINE
from .network import Challenge, Hello, Welcome, keep_alive, proof

log = logging.getLogger(__name__)

_HELLO_WITHIN = 10.0  # seconds
_LONGEST_HELLO = 1024  # bytes
_MOST_STRANGERS = 64  # connections that have proved nothing yet


class EngineHost:
    """Takes connections, each of which is one engine."""

    def __init__(self, places: int, token: str = "", command: Sequence[str] | None = None) -> None:
        """Prepare.

        Args:
            places: the most engines at a time. ``token``: must be known to whoever connects.
            command: the program that answers requests; by default Komadai's own.
        """
        self._places, self._token = places, token
        self._command = command or usual_command()
        self._strangers = self.taken = 0

    async def start(self, listening: socket.socket) -> asyncio.Server:
        """Take connections at a socket."""
        return await asyncio.start_server(self._serve, sock=listening, limit=MAX_LINE)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = (writer.get_extra_info("peername") or ("?",))[0]
        try:
            refusal = await self._refusal(reader, writer)
            if refusal is None:
                return
            writer.write(msgspec.json.encode(Welcome(refusal)) + b"\n")
            if refusal:
                log.warning("%s is refused: %s", peer, refusal)
                await writer.drain()
                return
            try:
                await self._relay(reader, writer)
            finally:
                self.taken -= 1
        except (OSError, ValueError, asyncio.CancelledError):
            pass  # the other end is gone, or sends lines without end; or this host ends, of which Python 3.11 would log
        finally:
            writer.close()
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(CLOSE_WITHIN):
                    await writer.wait_closed()
            writer.transport.abort()  # where it does not read

    async def _refusal(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str | None:
        """Why a connection is refused; empty if it has a place now; ``None`` if it says nothing that is worth an
        answer."""
        if self._strangers >= _MOST_STRANGERS:
            return None
        self._strangers += 1
        try:
            keep_alive(writer)
            nonce = secrets.token_hex(32)
            writer.write(msgspec.json.encode(Challenge(__version__, nonce)) + b"\n")
            async with asyncio.timeout(_HELLO_WITHIN):
                line = await reader.readline()
            if len(line) > _LONGEST_HELLO:
                return None
            hello = msgspec.json.decode(line, type=Hello)
        except (TimeoutError, msgspec.MsgspecError):
            return None
        finally:
            self._strangers -= 1
        if not hmac.compare_digest(hello.proof.encode(), proof(self._token, nonce).encode()):
            return "the token is another one"
        if hello.version != __version__:
            return f"this host has Komadai {__version__}, the server {hello.version[:20]}"
        if self.taken >= self._places:
            return f"all {self._places} engines are in use"
        self.taken += 1
        return ""

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass messages on between a connection and a process of its own, until either ends."""
        process = await streams.start(self._command, MAX_ANSWER)
        assert process.stdin is not None
        assert process.stdout is not None
        passing = [
            asyncio.ensure_future(_pass(reader, process.stdin)),
            asyncio.ensure_future(_pass(process.stdout, writer)),
        ]
        try:
            await asyncio.wait(passing, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in passing:
                task.cancel()
            await streams.end(process)
            await asyncio.gather(*passing, return_exceptions=True)


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while line := await reader.readline():
        writer.write(line)
        await writer.drain()
