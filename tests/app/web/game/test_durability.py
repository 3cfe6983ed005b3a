"""A killed server loses nothing it has acknowledged, and goes on where it was."""

from __future__ import annotations

import asyncio
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

import komadai
from helpers.command import running
from helpers.volume import volume
from helpers.web.served import WAIT, Server
from komadai.app.web.game.registry import GameRegistry
from komadai.app.web.game.seats import HUMAN
from komadai.app.web.schema.commands import MoveCommand
from komadai.app.web.store import Event
from komadai.app.web.store.sqlite import SqliteStore


def stored_moves(server: Server) -> list[str]:
    """The move payloads on the disk, read by another process's connection."""
    with closing(sqlite3.connect(server.data / "games.sqlite3")) as database:
        return [row[0] for row in database.execute("SELECT payload FROM event ORDER BY seq")]


def test_an_acknowledged_move_is_on_the_disk(start: Callable[..., Server]) -> None:
    moves = ("7g7f", "3c3d", "2g2f", "8c8d", "2f2e")[: volume(5)]
    server = start()
    game = server.game("shogi")
    for ply, move in enumerate(moves, 1):
        with server.join(game) as client:
            assert client.move(move, ply)["t"] == "ack"
            server.end(signal.SIGKILL)
        assert stored_moves(server) == [f'{{"usi":"{made}"}}' for made in moves[:ply]]
        server = start(server.port)
    with server.join(game) as client:
        assert [move["usi"] for move in client.state["moves"]] == list(moves)


def test_a_kill_amid_a_stream_of_moves_loses_no_acknowledged_one(start: Callable[..., Server]) -> None:
    chance, position, moves = random.Random(7), komadai.Position("shogi"), []
    for _ in range(50):
        moves.append(str(chance.choice(sorted(position.legal_moves(), key=str))))
        position.push(moves[-1])
    server = start()
    game = server.game("shogi")
    acknowledged = 0
    with server.join(game) as client:
        for ply, move in enumerate(moves, 1):
            client.send(t="move", id=str(ply), ply=ply, text=move)
        with pytest.raises(ConnectionClosed):  # noqa: PT012
            while True:
                acknowledged = int(client.receive("ack")["seq"])
                if acknowledged == 20:
                    server.process.kill()
        server.end(signal.SIGKILL)
    stored = stored_moves(server)
    assert acknowledged <= len(stored)
    assert stored == [f'{{"usi":"{move}"}}' for move in moves[: len(stored)]]
    with start(server.port).join(game) as again:
        assert again.state["position"]["ply"] == len(stored) + 1


def test_commands_of_every_kind_survive_and_one_repeated_after_the_crash_is_done_once(
    start: Callable[..., Server],
) -> None:
    server = start()
    game, over = server.game(), server.game()
    with server.join(over) as client:
        client.move("K*1a", 1)
        client.move("K*3c", 2)
        client.command("undo", ply=3)
        client.command("resign")
    with server.join(game) as client:
        client.send(t="move", id="mine", ply=1, text="K*1a")
        assert client.receive("ack")["seq"] == 1
        server.end(signal.SIGKILL)
    server = start(server.port)
    with server.join(game, seq=0) as again:
        assert [event["usi"] for event in again.state["events"]] == ["K*1a"]
        again.send(t="move", id="mine", ply=1, text="K*1a")
        assert again.receive("ack", "refused") == {"t": "ack", "id": "mine", "seq": 1}
    with server.join(over) as again:
        assert [move["usi"] for move in again.state["moves"]] == ["K*1a"]
        assert again.state["position"]["outcome"]["winner"] == "b"


def test_a_computer_killed_while_thinking_thinks_again(start: Callable[..., Server]) -> None:
    server = start()
    game = server.game("shogi", w="level10")
    with server.join(game) as client:
        client.move("7g7f", 1)
        server.end(signal.SIGKILL)
    assert len(stored_moves(server)) == 1
    with start(server.port).join(game) as again:
        assert again.state["position"]["thinking"]
        assert again.receive("events")["position"]["turn"] == "b"


async def test_a_move_whose_sender_leaves_in_mid_write_is_sent_to_the_others(tmp_path: Path) -> None:
    begun, go_on = threading.Event(), threading.Event()

    class Slow(SqliteStore):
        def append(self, game_id: str, event: Event) -> None:
            begun.set()
            assert go_on.wait(WAIT)
            super().append(game_id, event)

    hall, reply = GameRegistry(Slow(tmp_path / "games.sqlite3")), asyncio.Queue[str]()
    made = await hall.create("nana", {}, {"b": HUMAN, "w": HUMAN})
    session = await hall.join(made.game, reply.put_nowait)
    sender = asyncio.create_task(session.command(MoveCommand("a", 1, "K*1a"), made.tokens["b"]))
    assert await asyncio.to_thread(begun.wait, WAIT)
    sender.cancel()
    go_on.set()
    while '"usi":"K*1a"' not in await asyncio.wait_for(reply.get(), WAIT):
        pass  # who is there
    await hall.close()


def test_two_servers_on_one_store_do_not_lose_each_others_moves(server: Server, start: Callable[..., Server]) -> None:
    one, two = server, start(data=server.data)
    game = one.game()
    with one.join(game) as first, two.join(game) as second:
        assert first.move("K*1a", 1)["t"] == "ack"
        answer = second.move("K*3a", 1)
        assert answer["t"] == "refused"
        assert "continued in another window" in answer["reason"]
        assert second.move("K*3c", 2)["t"] == "ack", "it has caught up"


def test_a_taken_port_is_said_and_the_next_one_used(server: Server) -> None:
    command = [sys.executable, "-c", "from komadai.__main__ import main; main()", "play", "--no-browser"]
    command += ["--port", str(server.port), "--data", str(server.data)]
    with running(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as second:
        assert second.stdout is not None
        address = second.stdout.readline()
        second.terminate()
        _, said = second.communicate(timeout=WAIT)
    assert f"Port {server.port} is taken; using " in said
    assert f":{server.port}/" not in address
