"""A server is restarted in the middle of games, and those who play do not notice."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from helpers.support import in_a_loop
from helpers.volume import volume
from helpers.web.fitting import spoken
from helpers.web.served import TOKENS, WAIT, Server
from komadai.app.web import listening as listening_module
from komadai.app.web.listening import passed_socket
from komadai.errors import NotationError

LINE = ("7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e", "6i7h", "4a3b", "3i3h", "7a6b", "4i5h", "5a4b")
RESTARTS_AFTER = (3, 8)[: volume(2)]  # moves of that game
UNFINISHED = (
    b"POST /api/join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{"
)
RETRY = 0.2  # seconds, as the page waits


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    """A socket that outlives the servers, as systemd keeps one."""
    with socket.create_server(("127.0.0.1", 0)) as made:
        yield made


class Page:
    """A client that behaves as the page does: it connects again, and repeats what was not confirmed."""

    def __init__(self, port: int, game: str, token: str) -> None:
        self._url, self._game, self._token = f"ws://127.0.0.1:{port}/socket", game, token
        self._seq = 0
        self._pending: dict[str, tuple[str, asyncio.Future[None]]] = {}
        self._socket: ClientConnection | None = None
        self.events: list[dict[str, Any]] = []
        self.news = asyncio.Event()
        self.closed: list[int] = []
        self.faults: list[Any] = []

    async def run(self) -> None:
        while True:
            try:
                async with connect(self._url, open_timeout=WAIT, close_timeout=1) as self._socket:
                    hello = {"t": "hello", "game": self._game, "seq": self._seq, "token": self._token}
                    await self._socket.send(json.dumps(hello))
                    for text, _ in self._pending.values():
                        await self._socket.send(text)
                    async for said in self._socket:
                        self._hear(said)
                    self.closed.append(self._socket.close_code or 0)
            except ConnectionClosed as closed:
                self.closed.append(closed.rcvd.code if closed.rcvd else 1006)
            except (OSError, InvalidHandshake) as error:
                self.faults.append(error)
            await asyncio.sleep(RETRY)

    def _hear(self, said: str | bytes) -> None:
        spoken(said)
        message = json.loads(said)
        if message["t"] in ("refused", "error", "doubt"):
            self.faults.append(message)
        elif message["t"] == "ack":
            self._pending.pop(message["id"])[1].set_result(None)
        elif message["t"] == "events":
            self.events += [event for event in message["events"] if event["seq"] > self._seq]
            self._seq = message["seq"]
            self.news.set()

    async def move(self, text: str) -> None:
        """Make a move, and wait until it is confirmed."""
        ply = len(self.events) + 1
        message = json.dumps({"t": "move", "id": f"m{ply}", "ply": ply, "text": text})
        done = asyncio.get_running_loop().create_future()
        self._pending[f"m{ply}"] = (message, done)
        if self._socket is not None:
            with suppress(ConnectionClosed):
                await self._socket.send(message)
        await done

    async def until(self, moves: int) -> None:
        """Wait until there are so many."""
        while len(self.events) < moves:
            self.news.clear()
            await self.news.wait()


def stored(server: Server, game: str) -> list[str]:
    with closing(sqlite3.connect(server.data / "games.sqlite3")) as database:
        rows = database.execute("SELECT payload FROM event WHERE game = ? ORDER BY seq", (game,)).fetchall()
    return [json.loads(payload)["usi"] for (payload,) in rows]


def test_a_restart_in_mid_game_is_not_noticed(
    listening: socket.socket, start: Callable[..., Server], tmp_path: Path
) -> None:
    """Two people play on through restarts, and a third waits for the computer: every command is done exactly once,
    no connection is refused, and none hears of an error."""
    log = tmp_path / "log"
    servers = [start(log=log, listening=listening)]
    game, against = servers[0].game("shogi"), servers[0].game("shogi", w="level10")

    def restart() -> None:
        servers[-1].end()
        servers.append(start(log=log, listening=listening))

    port = listening.getsockname()[1]
    players = [Page(port, game, TOKENS[game]) for _ in range(2)]
    third = Page(port, against, TOKENS[against])
    pages = (*players, third)

    async def run() -> None:
        _, unfinished = await asyncio.open_connection("127.0.0.1", port)
        unfinished.write(UNFINISHED)
        analysis = await connect(f"ws://127.0.0.1:{port}/analysis", open_timeout=WAIT, close_timeout=1)
        await analysis.send(json.dumps({"t": "analyse", "id": "a", "variant": "shogi", "seconds": 600}))
        await analysis.recv()
        async with asyncio.TaskGroup() as group:  # so that an error in a page ends the test
            running = [group.create_task(page.run()) for page in pages]
            thinking = group.create_task(third.move("7g7f"))
            for ply, move in enumerate(LINE):
                for player in players:
                    await player.until(ply)
                if ply in RESTARTS_AFTER:
                    restarting = asyncio.create_task(asyncio.to_thread(restart))
                    await players[ply % 2].move(move)
                    await restarting
                else:
                    await players[ply % 2].move(move)
            await thinking
            await third.until(2)
            for task in running:
                task.cancel()
        await analysis.wait_closed()
        assert analysis.close_code == 1012
        unfinished.close()
        for page in pages:
            assert (page.closed, page.faults) == ([1012] * len(RESTARTS_AFTER), [])

    try:
        in_a_loop(asyncio.wait_for(run(), WAIT))
    except TimeoutError:
        pytest.fail(f"after {WAIT} seconds: {[vars(page) for page in pages]}, log {log.read_text()!r}")
    assert stored(servers[-1], game) == list(LINE)
    assert stored(servers[-1], against)[0] == "7g7f"
    assert len(stored(servers[-1], against)) == 2
    servers[-1].end()
    assert log.read_text() == ""


def test_what_systemd_passes_must_be_one_listening_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    def passed(descriptor: int, process: int, number: str) -> socket.socket | None:
        monkeypatch.setattr(listening_module, "_FIRST_PASSED", os.dup(descriptor))
        monkeypatch.setenv("LISTEN_PID", str(process))
        monkeypatch.setenv("LISTEN_FDS", number)
        return passed_socket()

    with socket.create_server(("127.0.0.1", 0)) as made, socket.socket() as idle, open(os.devnull) as file:
        with passed(made.fileno(), os.getpid(), "1") or idle as got:
            assert got.getsockname() == made.getsockname()
            assert not os.get_inheritable(got.fileno())
        assert "LISTEN_FDS" not in os.environ, "programs started from here have none"
        assert passed(made.fileno(), os.getppid(), "1") is None, "another process's"
        assert passed_socket() is None
        for descriptor, number, fault in (
            (made.fileno(), "2", "has passed 2 sockets"),
            (idle.fileno(), "1", "does not listen"),
            (file.fileno(), "1", "has passed no socket"),
        ):
            with pytest.raises(NotationError, match=fault):
                passed(descriptor, os.getpid(), number)
