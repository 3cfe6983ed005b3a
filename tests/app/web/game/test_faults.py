"""Faults of system calls, of the disk and of the database while people play; ``fuzz/faults`` makes them all."""

from __future__ import annotations

import signal

import pytest

from fuzz.faults import calls, database, kills, power
from fuzz.faults.calls import Fault
from fuzz.faults.database import Trouble
from helpers.support import in_a_loop
from helpers.volume import FULL
from helpers.web.cluster import Cluster


@pytest.mark.usefixtures("strace")
@pytest.mark.parametrize(
    "fault",
    [Fault("fdatasync", "EIO", 25, lasting=False), Fault("pwrite64", "ENOSPC", 80, lasting=True)],
    ids=str,
)
def test_a_call_for_the_store_that_fails_makes_no_word_false(fault: Fault) -> None:
    run = calls.play(fault)
    assert run.hit, "the call was made, and failed"
    assert run.ledger.faults == []
    assert len(run.ledger.acknowledged) > 20, "the game was played to its end"
    assert bool(run.ledger.doubted) == (fault.call == "fdatasync")


@pytest.mark.slow
@pytest.mark.usefixtures("strace")
@pytest.mark.parametrize("network", [False, True], ids=["store", "network"])
def test_calls_that_fail_make_no_word_false(network: bool) -> None:
    runs = {fault: calls.play(fault, network) for fault in list(calls.faults(network))[::101]}
    assert sum(bool(run.hit) for run in runs.values()) > len(runs) // 2
    assert {fault: run.ledger.faults for fault, run in runs.items() if run.ledger.faults} == {}


@pytest.mark.usefixtures("strace")
def test_power_loss_loses_nothing_that_was_acknowledged() -> None:
    made = power.trace(power.ENDS if FULL else (signal.SIGKILL,))
    found = power.lose(made, each=2, every=1 if FULL else 11)
    assert found.events > found.states, "the stores were replayed"
    assert found.faults == []
    for name in ("games.sqlite3", "games.sqlite3-wal"):
        careless = [call for call in made if (call.kind, call.name) != ("sync", name)]
        assert power.lose(careless, each=2, every=23).faults, f"without the syncs of {name} something is lost"


def test_an_answer_of_the_database_that_is_lost_makes_no_word_false(cluster: Cluster) -> None:
    run, _pieces = database.play(cluster, Trouble(150, "lose"))
    assert run.hit
    assert run.ledger.faults == []


@pytest.mark.slow
def test_what_befalls_the_database_makes_no_word_false(cluster: Cluster) -> None:
    runs = {trouble: database.play(cluster, trouble)[0] for trouble in database.troubles(cluster)[::101]}
    assert {trouble: run.ledger.faults for trouble, run in runs.items() if run.ledger.faults} == {}


@pytest.mark.slow
def test_kills_and_restarts_make_no_word_false(cluster: Cluster) -> None:
    found = in_a_loop(kills.run(cluster, kills.Harm(kills=4, restarts=2, share=0.005), tables=8))
    assert found.faults == []
