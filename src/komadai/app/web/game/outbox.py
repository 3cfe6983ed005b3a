"""The messages that wait to be sent to one client."""

from __future__ import annotations

import asyncio
from collections import deque
from sys import getsizeof

MOST_BYTES = 1 << 20
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
        if self._messages and self._bytes + size > MOST_BYTES:
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
