"""Questions over the WebSocket for analysis."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from websockets.sync.client import ClientConnection, connect

from helpers.web.fitting import spoken
from helpers.web.served import WAIT, Server


@contextmanager
def line(server: Server) -> Iterator[ClientConnection]:
    with connect(f"ws://127.0.0.1:{server.port}/analysis", open_timeout=WAIT, close_timeout=1) as socket:
        yield socket


def ask(socket: ClientConnection, t: str, **fields: Any) -> list[dict[str, Any]]:
    """Ask, and all that is answered."""
    socket.send(json.dumps({"t": t, "id": "1", **fields}))
    said: list[dict[str, Any]] = []
    while not said or said[-1]["t"] not in ("done", "error") or said[-1]["id"] not in ("1", None):
        said.append(json.loads(socket.recv(WAIT)))
        spoken(json.dumps(said[-1]), analysis=True)
    return said
