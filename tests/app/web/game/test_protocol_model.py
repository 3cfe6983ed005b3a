"""The whole protocol against a model of it: random people, games, offers, clocks, connections, servers and faults.

``KOMADAI_EXAMPLES``, ``KOMADAI_STEPS`` and ``KOMADAI_SEED`` set how much is played, and what
(docs/explanation/robustness.md).
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule, run_state_machine_as_test

from helpers.volume import FULL, volume
from helpers.web.cluster import Cluster
from helpers.web.protocol.people import NUMBER, SERVER, WAIT, People, pick
from helpers.web.protocol.rules import AGREED
from helpers.web.protocol.simulation import INSTANT
from helpers.web.protocol.store import WRITE_FAULTS
from komadai.app.web.store.postgres import PostgresStore

STEPS = int(os.environ.get("KOMADAI_STEPS", "50"))
PLAN = st.tuples(
    st.lists(st.sampled_from(("", *WRITE_FAULTS)), max_size=3), st.lists(st.sampled_from(("", "fails")), max_size=5)
)
"""What becomes of the next writes and reads of a server."""


class Protocol(People):
    """Time passes, and faults happen."""

    @rule(seconds=st.sampled_from((0.1, 1.0, 2.5, 7.0, 90_000.0)))
    def time_passes(self, seconds: float) -> None:
        trying = any(server.line.down or server.line.bus().down for server in self.running)  # every second, or twice
        self.settle(min(seconds, 10.0) if trying else seconds)

    @precondition(lambda self: self.running)
    @rule(
        where=SERVER,
        before=st.sampled_from((0.0, 0.02, 0.4)),
        after=st.sampled_from((0.0, 0.02, 0.4)),
        wall=st.sampled_from((0.0, -3600.0, 5.0)),
    )
    def slow_store(self, where: int, before: float, after: float, wall: float) -> None:
        """The database gets slow, or the clock on the wall is set."""
        process = pick(self.running, where).process
        process.before, process.after = before, after
        if len(self.world.hosts) == 1:
            self.world.hosts[0].wall += wall

    @precondition(lambda self: self.running and self.playing)
    @rule(
        plans=st.lists(PLAN, min_size=2, max_size=2),
        what=st.sampled_from(("move", "move", "move", "resign", "undo", "rematch", "next", "join")),
        which=NUMBER,
        waits=st.lists(WAIT, min_size=2, max_size=2),
        calm=st.booleans(),
    )
    def trouble(self, plans: list[Any], what: str, which: int, waits: list[float], calm: bool) -> None:
        """Something is done, the database fails at it here or there, and everybody tries again."""
        for server, (writes, reads) in zip(self.world.servers, plans, strict=True):
            if server.up:
                self.world.judge.note(f"faults at {server.name}: {writes} {reads}")
                server.line.plan["write"].extend(writes)
                server.line.plan["read"].extend(reads)
        connection = pick(self._movers() or self.playing, which)
        course = connection.next_course
        assert course is not None
        if what == "move" and self._movers():
            self.move(which, which, waits[0])
        elif what == "next" or (what == "join" and course.invite):
            self.world.ask(what, connection.person, connection.server, course)
            self.settle(waits[0])
        else:
            self.say(connection, self._offer(connection, what if what in AGREED else "resign"), waits[0])
        self.send_again()
        self.settle(waits[1])
        if calm:
            self.calm()

    @precondition(lambda self: self.running)
    @rule(where=SERVER, both=st.booleans(), down=st.booleans())
    def store_down(self, where: int, both: bool, down: bool) -> None:
        """A server loses the database, or all do; or it is back."""
        for server in self.running if both else [pick(self.running, where)]:
            self.world.judge.note(f"the store of {server.name} is {'down' if down else 'up'}")
            server.line.down = down

    @precondition(lambda self: self.running)
    @rule(where=SERVER, what=st.sampled_from(("cut", "mend", "slow", "fast")))
    def notices(self, where: int, what: str) -> None:
        """What a server hears of the others is delayed, or lost."""
        bus = pick(self.running, where).line.bus()
        self.world.judge.note(f"notices of {pick(self.running, where).name}: {what}")
        if what == "cut":
            bus.cut()
        elif what == "mend":
            bus.mend()
        else:
            bus.delay = 0.7 if what == "slow" else 0.0
        self.settle(INSTANT)

    @precondition(lambda self: self.running)
    @rule(where=SERVER, finish=st.booleans(), orderly=st.booleans())
    def server_ends(self, where: int, finish: bool, orderly: bool) -> None:
        server = pick(self.running, where)
        if orderly:
            self.world.judge.note(f"{server.name} stops")
            server.stop()
        else:
            self.world.kill(server, finish)
        self.settle(INSTANT)

    @precondition(lambda self: len(self.running) < 2)
    @rule(reboot=st.booleans())
    def server_starts(self, reboot: bool) -> None:
        self.world.start(next(server for server in self.world.servers if not server.up), reboot)
        self.settle(INSTANT)


def run(machine: type[Protocol], examples: int) -> None:
    """Run it in a thread of its own: the tests' one may have the browser's loop running."""
    phases = [phase for phase in Phase if phase is not Phase.explain]
    chosen = settings(
        max_examples=int(os.environ.get("KOMADAI_EXAMPLES", examples)),
        stateful_step_count=STEPS,
        phases=phases,
        suppress_health_check=list(HealthCheck),
    )
    if "KOMADAI_SEED" in os.environ:
        seed(int(os.environ["KOMADAI_SEED"]))(machine)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(run_state_machine_as_test, machine, settings=chosen).result()


def test_servers_keep_to_the_protocol() -> None:
    run(Protocol, 160 if FULL else 10)


@pytest.mark.slow
def test_servers_keep_to_the_protocol_over_postgresql(cluster: Cluster) -> None:
    store = PostgresStore(cluster.database())

    class OverPostgres(Protocol):
        def store(self) -> PostgresStore:
            store._write(("TRUNCATE event, game CASCADE", ()))
            return store

    try:
        run(OverPostgres, volume(80))
    finally:
        store.close()
