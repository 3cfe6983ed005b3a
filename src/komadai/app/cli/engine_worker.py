"""``komadai engine-worker``: engines for servers on other machines."""

from __future__ import annotations

import asyncio
import os
import socket
from typing import Annotated

import typer

from ...errors import NotationError
from .options import number

_LOOPBACK = ("127.0.0.1", "localhost", "::1")

Token = Annotated[
    str | None,
    typer.Option(
        envvar="KOMADAI_ENGINE_TOKEN",
        metavar="TOKEN",
        help="A secret that server and engine worker share; better set as a variable than on a command line.",
    ),
]


def engine_worker(
    host: Annotated[
        str, typer.Option(help="Address to listen on; others than this machine's own need a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.", min=0, max=65535)] = 8787,
    searches: Annotated[int | None, number("Engines at a time; by default one for each core.", 1, 1024)] = None,
    engine_token: Token = None,
) -> None:
    """Think for servers on other machines, which name this one by `komadai play --engines tcp://HOST:PORT`."""
    if not engine_token and host not in _LOOPBACK:
        raise NotationError(
            f"--host {host!r}", ["can be reached by strangers; set KOMADAI_ENGINE_TOKEN to a secret, here and there"]
        )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise NotationError("engine-worker", [f"cannot listen on {host} port {port}: {error.strerror}"]) from None
    asyncio.run(_serve(listening, searches or os.cpu_count() or 1, engine_token or ""))


async def _serve(listening: socket.socket, places: int, token: str) -> None:
    from ..engine_service.host import EngineHost
    from ..engine_service.network import Address

    server = await EngineHost(places, token).start(listening)
    where = Address(*listening.getsockname()[:2])
    print(f"{places} engines are at {where}  (stop with Ctrl+C)", flush=True)
    async with server:
        await server.serve_forever()
