"""The application without a server around it, asked from any address."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx
from starlette.types import Receive, Scope, Send

from komadai.app.web.app import create_app
from komadai.app.web.store import Store

Inside = Callable[[str], httpx.AsyncClient]
"""A client at that address."""


@asynccontextmanager
async def inside(store: Store, root: str = "", **options: Any) -> AsyncIterator[Inside]:
    """An application on a store, started and stopped.

    Args:
        root: the path that it is mounted at.
        options: those of :func:`create_app`.
    """
    app = create_app(lambda: store, **options)
    async with AsyncExitStack() as stack:
        state = await stack.enter_async_context(app.router.lifespan_context(app))

        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            await app({**scope, "state": dict(state or {})}, receive, send)

        clients: dict[str, httpx.AsyncClient] = {}

        def at(address: str) -> httpx.AsyncClient:
            if address not in clients:
                transport = httpx.ASGITransport(serve, root_path=root, client=(address, 1))
                clients[address] = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1")
                stack.push_async_callback(clients[address].aclose)
            return clients[address]

        yield at
