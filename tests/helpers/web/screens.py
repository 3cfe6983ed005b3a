"""Games on a page, set up over HTTP."""

from __future__ import annotations

from typing import Any

import httpx

import komadai
from helpers.support import arranged
from helpers.web.served import WAIT, Server, keep

KO = komadai.variant("ko")


def make(server: Server, variant: str, w: str = "human", **asked: Any) -> dict[str, Any]:
    return server.make(variant, w=w, **asked)


def sit(page: Any, server: Server, game: str) -> None:
    page.goto(server.page(game))
    page.locator("#board .board-svg").wait_for()
    page.locator("#next > *").first.wait_for(state="attached")


def move_on(server: Server, game: str, *moves: str, ply: int = 1) -> None:
    """Make moves elsewhere than on the page."""
    with server.join(game) as client:
        for number, move in enumerate(moves, ply):
            assert client.move(move, number)["t"] == "ack", move


def command(server: Server, game: str, what: str, **more: Any) -> None:
    """Give a command elsewhere than on the page."""
    with server.join(game) as client:
        assert client.command(what, **more)["t"] == "ack"


def table(page: Any, server: Server, variant: str, *moves: str, **asked: Any) -> None:
    """A game of two people at one screen, after these moves."""
    game = keep(make(server, variant, **asked))
    if moves:
        move_on(server, game, *moves)
    sit(page, server, game)


def apart(server: Server, variant: str, guest: str = "", **asked: Any) -> tuple[str, str]:
    """A game of two people at two screens: its id, and the secret of the guest, who plays White."""
    made = make(server, variant, w="open", **asked)
    joined = httpx.post(f"{server.url}/api/join", json={"invite": made["invite"], "name": guest}, timeout=WAIT)
    return keep(made), joined.json()["token"]


def at_ko(pieces: str, turn: Any = "b") -> dict[str, str]:
    return {"position": arranged(KO, pieces, turn, besides="G 10s, g 10a")}
