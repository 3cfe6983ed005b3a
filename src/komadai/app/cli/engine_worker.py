"""``komadai engine-worker``: engines for servers on other machines."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable
from typing import TypeVar

import click

from ...errors import NotationError
from .base import Command, number

F = TypeVar("F", bound=Callable[..., object])

_LOOPBACK = ("127.0.0.1", "localhost", "::1")

token = click.option(
    "--engine-token",
    envvar="KOMADAI_ENGINE_TOKEN",
    metavar="TOKEN",
    help="A secret that server and engine worker share; better set as a variable than on a command line.",
)


def port(about: str, default: int) -> Callable[[F], F]:
    """The option of a port to listen on."""
    return click.option(
        "--port",
        type=number(0, 65535),
        default=default,
        show_default=True,
        help=f"{about}; 0 takes a free one.",
    )


@click.command("engine-worker", cls=Command, variant_files=False)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address to listen on; others than this machine's own need a token.",
)
@port("Port to listen on", 8787)
@click.option("--jobs", type=number(1, 1024), help="Engines at a time; by default one for each core.")
@token
def engine_worker(host: str, port: int, jobs: int | None, engine_token: str | None) -> None:
    """Run engine searches for servers on other machines, which name this one by `komadai play --cluster tcp://HOST:PORT`."""
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
    asyncio.run(_serve(listening, jobs or os.cpu_count() or 1, engine_token or ""))


async def _serve(listening: socket.socket, places: int, token: str) -> None:
    from ..engine_service.host import EngineHost
    from ..engine_service.network import Address

    server = await EngineHost(places, token).start(listening)
    where = Address(*listening.getsockname()[:2])
    print(f"{places} engines are at {where}  (stop with Ctrl+C)", flush=True)
    async with server:
        await server.serve_forever()
