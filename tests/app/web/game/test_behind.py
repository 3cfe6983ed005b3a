"""What servers say and do while their store fails: scripted on simulated ones, with the model of the protocol as judge.

What :mod:`test_protocol_model` has found, each thing by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from helpers.support import in_a_thread
from helpers.web.protocol.connection import Connection
from helpers.web.protocol.store import MemoryStore
from helpers.web.protocol.world import World

BOTH = {"b": "human", "w": "human"}
MOVES = ("K*1a", "K*3c", "R*3b")


@contextmanager
def simulated(variant: str = "nana", time: str = "none") -> Iterator[tuple[World, Connection, Connection]]:
    """A world with a game of one person, who is connected to both servers; at last everything must be in order."""
    world = World(MemoryStore(), 1, hosts=2)
    course = world.create(world.people[0], world.servers[0], {"variant": variant, "seats": BOTH, "time": time})
    assert course is not None
    yield world, *(connected(world, number, 0) for number in range(2))
    world.calm()
    world.close()
    assert world.judge.faults == []


def connected(world: World, server: int, game: int) -> Connection:
    """A connection of the person who made the game."""
    connection = world.connect(world.people[0], world.servers[server])
    connection.hello(world.courses[game], world.people[0].token(world.courses[game]))
    world.run()
    return connection


def sent(world: World, connection: Connection, **command: Any) -> str | None:
    """Send a command, and wait; the kind of the answer."""
    assert connection.course is not None
    if command["t"] == "move":
        state = connection.course.now
        command = {"ply": state.ply, "text": MOVES[len(state.moves)] if "text" not in command else None} | command
    connection.say({"id": f"m{len(world.judge.sent)}"} | command)
    world.run(0.5)
    return world.judge.sent[-1].answer


@in_a_thread
def test_a_game_written_twice_because_the_connection_broke_is_made() -> None:
    with simulated() as (world, here, _there):
        world.servers[0].line.plan["write"].append("done twice")
        made = world.create(world.people[1], world.servers[0], {"variant": "hand", "seats": BOTH, "time": "none"})
        assert made is not None
        assert sent(world, here, t="resign") == "ack"
        world.servers[0].line.plan["write"].append("done twice")
        assert sent(world, here, t="rematch") == "ack"


@in_a_thread
def test_a_command_in_doubt_stays_so_until_the_store_can_be_asked() -> None:
    with simulated() as (world, here, _there):
        line = world.servers[0].line
        line.plan["write"].append("lost after it was done")
        line.plan["read"].extend(["fails"] * 2)
        move = {"t": "move", "id": "mine", "ply": 1, "text": MOVES[0]}
        answers = [sent(world, here, **move)]
        while answers[-1] == "doubt":
            answers.append(sent(world, here, **move))
        assert answers == ["doubt", "doubt", "doubt", "ack"] or answers == ["doubt", "doubt", "ack"]


@pytest.mark.parametrize("good", range(4))
@pytest.mark.parametrize("variant", ["nana", "hand"])
@in_a_thread
def test_what_another_server_did_is_sent_even_if_it_could_not_be_read_at_once(variant: str, good: int) -> None:
    with simulated(variant) as (world, here, there):
        world.servers[1].line.plan["read"].extend([""] * good + ["fails"])
        assert sent(world, here, t="move", text=min(world.courses[0].now.legal)) == "ack"
        world.run(2.0)
        assert there.seq == 1
        assert sent(world, here, t="move", text=min(world.courses[0].now.legal)) == "ack"


@in_a_thread
def test_games_are_forgotten_while_others_are_opened() -> None:
    with simulated(time="6s") as (world, here, there):
        for _game in range(3):
            world.create(world.people[0], world.servers[0], {"variant": "nana", "seats": BOTH, "time": "none"})
        for _move in range(2):
            assert sent(world, here, t="move") == "ack"
        other = connected(world, 0, 1)
        world.run(20)  # the flag falls
        for connection in (here, there, other):
            connection.cut()
        world.run()
        opened = [world.connect(world.people[0], world.servers[0]) for _ in range(2)]
        for connection, course in zip(opened, world.courses[2:], strict=True):
            connection.hello(course, None)
        world.run()
        assert [connection.course for connection in opened] == world.courses[2:]


@in_a_thread
def test_a_game_that_cannot_be_opened_leaves_nothing_behind() -> None:
    with simulated(time="1m") as (world, here, _there):
        for _move in range(2):
            assert sent(world, here, t="move") == "ack"
        world.kill(world.servers[0], finish=False)
        world.start(world.servers[0], reboot=False)
        world.servers[0].line.plan["write"].append("lost")  # the outage
        world.servers[0].line.plan["read"].extend([""] * 2 + ["fails"] * 20)
        assert connected(world, 0, 0).course is None
        world.servers[0].stop()
