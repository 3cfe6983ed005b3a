"""Clusters of Dask: a match whose plugs are pulled, and clusters that are none."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fuzz.faults.plugs import Harm, Town
from helpers.command import komadai_says
from komadai.errors import NotationError

_NEEDED = "needs the extra [lab]"
MATCH = ("match", "random", "random", "--game", "nana", "--games", "2", "--nodes", "10")


def test_pull_any_plug(tmp_path: Path) -> None:
    """A worker, the scheduler and the driver are killed; the games are those of one process."""
    pytest.importorskip("distributed", reason=_NEEDED)
    players = ("komadai", "komadai:level=9,nodes=500", "--game", "mortal", "--nodes", "1000")
    found = Town(tmp_path, players, 24, 2).run(Harm(worker=[0.04], scheduler=[0.1], driver=[0.2]), timeout=900)
    assert found.same, found.log
    assert found.kills == {"worker": 1, "scheduler": 1, "driver": 1}
    assert "Traceback" not in found.log


def test_a_cluster_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason=_NEEDED)
    from komadai.lab.jobs import cluster

    monkeypatch.setattr(cluster, "_CONNECT", 0.5)
    for address, words in (("tcp://127.0.0.1:9", "no scheduler of Dask answers there"), ("what://", "what")):
        with pytest.raises(NotationError, match=words):
            cluster.ClusterPool(address)


def test_without_dask_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    ran = komadai_says(*MATCH, "--cluster", "tcp://127.0.0.1:9")
    assert ran.status == 2
    assert "needs distributed" in ran.err
    assert "pip install 'komadai[lab]'" in ran.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--jobs", "many"), "--jobs 'many': expected a whole number, 1 to 256"),
        (("--jobs", "257"), "--jobs '257': expected a whole number, 1 to 256"),
        (("--cluster", "here"), "--cluster 'here': expected the address of a scheduler, tcp://host:8786"),
        (("--cluster", "tcp://h:1", "--jobs", "2"), "give one of them"),
    ],
)
def test_wrong_workers_are_refused(options: tuple[str, ...], words: str) -> None:
    ran = komadai_says(*MATCH, *options)
    assert ran.status == 2
    assert words in ran.err
