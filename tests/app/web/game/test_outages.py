"""Time in which no server was there does not count, and all other time does: on simulated servers, which the model of
the protocol judges."""

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


@contextmanager
def timed(time: str = "1m", hosts: int = 2) -> Iterator[World]:
    """Two servers, and a game of one person in which White's clock runs; at last everything must be in order."""
    world = World(MemoryStore(), 1, hosts=hosts)
    try:
        assert world.create(world.people[0], world.servers[0], {"variant": "nana", "seats": BOTH, "time": time})
        here = connected(world, 0)
        for _move in range(3):
            moved(world, here)
        yield world
        world.calm()
    finally:
        world.close()
    assert world.judge.faults == []


def connected(world: World, server: int, person: int = 0) -> Connection:
    """A connection of the player, or of a stranger."""
    [course], who = world.courses, world.people[person]
    connection = world.connect(who, world.servers[server])
    connection.hello(course, None if person else who.token(course))
    world.run()
    return connection


def moved(world: World, connection: Connection) -> str | None:
    state = world.courses[0].now
    connection.say({"t": "move", "id": f"m{len(world.judge.sent)}", "ply": state.ply, "text": min(state.legal)})
    world.run(0.5)
    return world.judge.sent[-1].answer


def kinds(world: World) -> list[Any]:
    """What has happened since the moves."""
    return [event["kind"] for event in world.courses[0].events[3:]]


def main_time(world: World) -> float:
    """White's, in seconds."""
    state = world.courses[0].now
    return state.clock.left("w", state.turn, world.loop.time())[0]


@in_a_thread
@pytest.mark.parametrize("hosts", [1, 2])
def test_a_rolling_restart_and_a_stranger_annul_no_time(hosts: int) -> None:
    with timed(hosts=hosts) as world:
        for server in (1, 0, 1):
            world.kill(world.servers[server], finish=False)
            world.run(3)
            world.start(world.servers[server], reboot=True)
            connected(world, server, person=2)
            world.run(3)
        assert kinds(world) == []
        assert main_time(world) == pytest.approx(60 - 19, abs=0.1)
        assert moved(world, connected(world, 0)) == "ack"
        assert kinds(world) == ["move"]


@in_a_thread
@pytest.mark.parametrize("reboot", [False, True])
def test_what_counts_ends_with_the_last_heartbeat_and_begins_with_the_next(reboot: bool) -> None:
    with timed() as world:
        world.run(20)
        for server in world.servers:
            world.kill(server, finish=False)
        world.run(3600)
        world.start(world.servers[0], reboot)
        assert main_time(world) == 0, "nobody has opened it"
        here = connected(world, 0)
        assert kinds(world) == ["outage"]
        assert 60 - 21 < main_time(world) < 60 - 21 + 5
        connected(world, 0, person=2)
        world.start(world.servers[1], reboot)
        connected(world, 1, person=2)
        assert kinds(world) == ["outage"], "once"
        world.run(2)
        assert moved(world, here) == "ack"
        for server in world.servers:
            world.kill(server, finish=False)
        world.run(3600)
        world.start(world.servers[1], reboot)
        connected(world, 1)
        world.run(61)
        assert kinds(world) == ["outage", "move", "outage", "flag"]


@in_a_thread
def test_a_store_out_of_reach_is_an_outage_for_those_who_cannot_reach_it_all() -> None:
    with timed("6s") as world:
        here, there = connected(world, 0), connected(world, 1)
        for server in world.servers:
            server.line.down = True
        world.run(60)
        assert moved(world, there) == "refused"
        for server in world.servers:
            server.line.down = False
        world.run(0.6)
        assert moved(world, here) == "ack", "no flag has fallen meanwhile"
        assert kinds(world) == ["outage", "move"]


@in_a_thread
def test_a_store_that_one_server_cannot_reach_is_none() -> None:
    with timed("6s") as world:
        world.servers[0].line.down = True
        world.run(30)
        assert kinds(world) == [], "nobody has it open where the store is"
        world.servers[0].line.down = False
        world.run(1)
        assert kinds(world) == ["flag"]


@in_a_thread
def test_a_clock_that_is_set_annuls_no_turn_and_fells_no_flag() -> None:
    with timed(hosts=1) as world:
        for wall in (3600.0, -9000.0, 400 * 86400.0):
            world.hosts[0].wall += wall
            world.run(6)
        assert kinds(world) == []
        assert moved(world, connected(world, 1)) == "ack"


@in_a_thread
def test_days_are_counted_outages_or_not() -> None:
    with timed("1d") as world:
        for server in world.servers:
            world.kill(server, finish=False)
        world.run(86_400)
        world.start(world.servers[0], reboot=True)
        connected(world, 0)
        world.run(1)
        assert kinds(world) == ["flag"]
