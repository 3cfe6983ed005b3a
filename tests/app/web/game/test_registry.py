"""Games stay in memory while somebody follows them, and not much longer."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from weakref import ref

import pytest
from starlette.types import Message
from starlette.websockets import WebSocket

from komadai.app.web.game import registry
from komadai.app.web.game.flag import Flag
from komadai.app.web.game.kept_game import KeptGame
from komadai.app.web.game.registry import GameRegistry
from komadai.app.web.game.replay import RefusedError
from komadai.app.web.game.seats import HUMAN
from komadai.app.web.game.socket import Client


@pytest.fixture(autouse=True)
def _no_garbage_is_collected() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


async def test_games_that_nobody_follows_are_forgotten(hall: GameRegistry, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever joins a game looks for those of the others, but not each time: there may be thousands."""
    now = 100.0
    monkeypatch.setattr(registry, "monotonic", lambda: now)

    games = [(await hall.create("nana", {}, {"b": HUMAN, "w": HUMAN})).game for _ in range(3)]

    def listen(_message: str) -> None: ...

    left, followed = await hall.join(games[0], listen), await hall.join(games[1], listen)
    left.leave(listen)
    assert left.idle
    await hall.join(games[2], listen)
    assert await hall.join(games[0], listen) is left, "it was looked for a moment ago"
    left.leave(listen)
    now += registry._SWEEP
    await hall.join(games[2], listen)
    gone = ref(left)
    del left
    assert gone() is None, "freed without the garbage collector, which comes late"
    assert await hall.join(games[1], listen) is followed


async def test_a_client_that_breaks_off_leaves_nothing_in_memory(hall: GameRegistry) -> None:
    game = (await hall.create("nana", {}, {"b": HUMAN, "w": HUMAN})).game
    said: list[Message] = [
        {"type": "websocket.connect"},
        {"type": "websocket.receive", "text": f'{{"t":"hello","game":"{game}"}}'},
    ]

    async def receive() -> Message:
        if not said:
            await asyncio.Event().wait()
        return said.pop(0)

    async def send(message: Message) -> None:
        if message["type"] == "websocket.send":
            raise OSError("the connection is broken")

    client = Client(WebSocket({"type": "websocket"}, receive, send), hall, (20, 60))
    await client.run()
    gone = ref(client)
    del client
    await asyncio.sleep(0)
    assert gone() is None


async def test_no_game_is_opened_while_the_server_ends(hall: GameRegistry, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would never be closed: found by the model of the protocol."""

    game = (await hall.create("nana", {}, {"b": HUMAN, "w": HUMAN})).game
    opened: list[KeptGame] = []

    async def open_slowly(flag: Flag) -> None:
        opened.append(flag._kept)
        await hall.close()

    monkeypatch.setattr(Flag, "outage", open_slowly)
    with pytest.raises(RefusedError, match="The server is about to end; connect again in a moment"):
        await hall.join(game, lambda _message: None)
    [kept] = opened
    kept._fall_behind()
    assert kept._settling is None, "it asks a store that is closed, and for ever"
