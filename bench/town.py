"""A server under attack, and clients at whatever addresses."""

from __future__ import annotations

import json
import time
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect


class Town:
    """A server under attack.

    Addresses of this machine, 127.0.0.1 to 127.255.255.255, connect as they are; others as by a proxy.
    """

    def __init__(self, port: int, seconds: float) -> None:
        self.port, self.seconds = port, seconds
        self.url = f"http://127.0.0.1:{port}"
        self.notes: list[str] = []

    @property
    def until(self) -> float:
        return time.monotonic() + self.seconds

    def client(self, address: str = "127.0.0.1", **options: Any) -> httpx.AsyncClient:
        """An HTTP client at that address."""
        local, headers = _place(address)
        limits = httpx.Limits(max_connections=None)
        # Without verify=False each client reads the certificates of the machine for 40 ms, which nobody needs here.
        transport = httpx.AsyncHTTPTransport(verify=False, local_address=local, limits=limits)
        headers |= options.pop("headers", {})
        return httpx.AsyncClient(
            base_url=self.url, transport=transport, timeout=120, headers=headers, trust_env=False, **options
        )

    async def game(self, client: httpx.AsyncClient, variant: str, **seats: str) -> tuple[str, str]:
        """A new game and its secret."""
        asked = {"variant": variant, "seats": {"b": "human", "w": "human"} | seats}
        made = (await client.post("/api/games", json=asked)).raise_for_status().json()
        return made["game"], next(iter(made["tokens"].values()))

    async def page(self, game: str, token: str | None, address: str = "127.0.0.1", **more: Any) -> ClientConnection:
        """A WebSocket that follows the game."""
        local, headers = _place(address)
        found = await connect(
            f"ws://127.0.0.1:{self.port}/socket",
            local_addr=(local, 0),
            additional_headers=headers,
            max_size=None,
            compression=None,
            **more,
        )
        await found.send(json.dumps({"t": "hello", "game": game, "token": token, "seq": None}))
        return found


def _place(address: str) -> tuple[str, dict[str, str]]:
    """The address from which to connect, and the headers of a proxy."""
    return (address, {}) if address.startswith("127.") else ("127.0.0.1", {"x-forwarded-for": address})


async def hear(page: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of that kind."""
    while True:
        message: dict[str, Any] = json.loads(await page.recv())
        if message["t"] == kind:
            return message
