"""Engines on other machines: the backend that asks them, and the handshake by which both ends know each other.

The host of the engines sends a challenge, whoever asks answers with a proof of the token that both have, and the host
says whether it is welcome. The token itself does not cross; what follows is not encrypted.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import re
import socket
from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

import msgspec

from ... import __version__
from ...errors import NotationError
from ...i18n import _
from .backend import EngineLostError
from .messages import MAX_ANSWER, Request, encode
from .remote import GRACE, Link, RemoteBackend

log = logging.getLogger(__name__)

_CONNECT_WITHIN = 5.0  # seconds for one host
_ADDRESS = re.compile(r"tcp://(?:\[(?P<v6>[0-9a-fA-F:]+)\]|(?P<host>[^\s:/\[\],]+)):(?P<port>\d{1,5})")


class EngineAwayError(EngineLostError):
    """No host of engines can be reached, or has room; it may come back."""


class Challenge(msgspec.Struct, tag_field="t", tag="challenge", frozen=True):
    """The first message of a host: the version of its Komadai, and a nonce."""

    version: str
    nonce: str


class Hello(msgspec.Struct, tag_field="t", tag="hello", frozen=True):
    """The answer to a challenge: the version, and the proof of the token."""

    version: str
    proof: str


class Welcome(msgspec.Struct, tag_field="t", tag="welcome", frozen=True):
    """The host's consent, or why it gives none: ``refusal``."""

    refusal: str = ""


def proof(token: str, nonce: str) -> str:
    """The proof that whoever answers a challenge has the token."""
    return hmac.new(token.encode(), nonce.encode(), "sha256").hexdigest()


class Address(NamedTuple):
    """The address of a host of engines."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"tcp://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"


def parse_addresses(text: str) -> tuple[Address, ...]:
    """The addresses of ``tcp://HOST:PORT``, with commas between them.

    Raises:
        NotationError: there is one that is none.
    """
    found = []
    for part in text.split(","):
        match = _ADDRESS.fullmatch(part.strip())
        if match is None or not 0 < int(match["port"]) < 65536:
            raise NotationError(
                f"--cluster {text[:80]!r}", [f"{part.strip()!r} is no address; expected tcp://HOST:PORT"]
            )
        found.append(Address(match["v6"] or match["host"], int(match["port"])))
    return tuple(found)


def keep_alive(writer: asyncio.StreamWriter) -> None:
    """Have the system find out, in minutes, that the other machine is gone."""
    connection = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, seconds in (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, name):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), seconds)


class _NetworkLink(Link):
    """A connection to a host, after the handshake."""

    def __init__(self, address: Address, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._address, self._reader, self._writer = address, reader, writer

    def send(self, message: Request) -> None:
        self._writer.write(encode(message))

    async def receive(self) -> bytes:
        return await self._reader.readline()

    async def kill(self) -> str:
        self._writer.transport.abort()  # by which the host ends the engine
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()
        return str(self._address)

    async def close(self) -> None:
        await self.kill()


_numbers = count()


class NetworkBackend(RemoteBackend):
    """An engine on another machine: connected for the first request, and again after it was lost, to the next host that
    can be reached and has room."""

    def __init__(self, addresses: Sequence[Address], token: str = "", grace: float = GRACE) -> None:
        """Prepare; nothing is connected yet. Backends begin with different ones of the addresses."""
        super().__init__(self._connected, grace)
        self._addresses, self._token = tuple(addresses), token
        self._next = next(_numbers)

    async def _connected(self) -> Link:
        """A connection to an engine.

        Raises:
            EngineAwayError: there is none at any address.
        """
        for _attempt in self._addresses:
            address = self._addresses[self._next % len(self._addresses)]
            self._next += 1
            try:
                async with asyncio.timeout(_CONNECT_WITHIN):
                    return await self._connect(address)
            except TimeoutError:
                log.warning("%s: no answer", address)
            except (EOFError, OSError, ValueError, msgspec.MsgspecError) as error:
                log.warning("%s: %s", address, error)
        raise EngineAwayError(_("the computer that thinks cannot be reached at present"))

    async def _connect(self, address: Address) -> Link:
        reader, writer = await asyncio.open_connection(address.host, address.port, limit=MAX_ANSWER)
        link = _NetworkLink(address, reader, writer)
        try:
            keep_alive(writer)
            challenge = msgspec.json.decode(await reader.readline(), type=Challenge)
            writer.write(msgspec.json.encode(Hello(__version__, proof(self._token, challenge.nonce))) + b"\n")
            welcome = msgspec.json.decode(await reader.readline(), type=Welcome)
            if welcome.refusal:
                raise ValueError(f"refused: {welcome.refusal}")
        except BaseException:
            await link.close()
            raise
        return link
