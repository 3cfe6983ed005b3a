"""Backups taken while people play, and restored, by the commands of docs/how-to/operate.md."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

import komadai
from helpers.command import run_alone
from helpers.support import ROOT
from helpers.web.cluster import Cluster
from helpers.web.meeting import Meeting, meet
from helpers.web.served import WAIT, Server

PAGE = ROOT / "docs" / "how-to" / "operate.md"
BEFORE, AFTER = 5, 3  # moves made before the backup begins, and after it has ended
ROOM = 12  # moves of the line that are left while the backup is taken


def blocks() -> list[str]:
    """The shell commands of the page's section on backups."""
    section = PAGE.read_text(encoding="utf-8").partition("## Backups")[2].partition("\n## ")[0]
    return re.findall(r"^```sh\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


@dataclass
class Place:
    """A store, as its backup is described.

    Attributes:
        options: of ``komadai``, which name it.
        backup, restore: the commands of the page.
        running: ends its servers.
    """

    folder: Path
    options: list[str]
    backup: str
    restore: str
    running: ExitStack

    def run(self, commands: str) -> None:
        """Run commands of the page in this folder: as they are, but for other accounts and systemd."""
        plain = re.sub(r"^sudo (systemctl|chown) .*\n", "", commands, flags=re.MULTILINE)
        plain = re.sub(r"^sudo -u \w+ ", "", plain, flags=re.MULTILINE)
        plain = plain.replace("/var/lib/komadai", str(self.folder / "data")).replace(
            "/backup", str(self.folder / "backup")
        )
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        subprocess.run(["bash", "-euc", plain], env={**os.environ, "PATH": path}, check=True, timeout=WAIT)

    def serve(self) -> Server:
        return self.running.enter_context(Server(self.folder / "data", 0, "--limits", "100", *self.options))


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    (tmp_path / "backup").mkdir()
    (tmp_path / "data").mkdir()
    file_backup, file_restore, database_backup, database_restore = blocks()
    if request.param == "sqlite":
        options, backup, restore = list[str](), file_backup, file_restore
    else:
        cluster: Cluster = request.getfixturevalue("cluster")
        monkeypatch.setenv("PGHOST", str(cluster.folder))
        monkeypatch.setenv("PGUSER", "komadai")
        subprocess.run(["createdb", "--encoding=UTF8", "--template=template0", "komadai"], check=True, timeout=WAIT)
        options, backup, restore = ["--data", "postgresql:///komadai"], database_backup, database_restore
    with ExitStack() as running:
        yield Place(tmp_path, options, backup, restore, running)


def line_of(moves: int) -> list[str]:
    """A long game of shogi by chance."""
    position, line, chance = komadai.Position("shogi"), list[str](), Random(1)
    while len(line) < moves and position.outcome() is None:
        line.append(str(chance.choice(list(position.legal_moves()))))
        position.push(line[-1])
    return line


class Players:
    """Two people who move in turn."""

    def __init__(self, made: Meeting, line: list[str]) -> None:
        self._made, self._line = made, line
        self.acknowledged = 0

    def play(self, until: Callable[[], bool], least: int = 0) -> None:
        """Play on until something is so, and so many moves more."""
        more = least
        with self._made.client("b") as black, self._made.client("w") as white:
            while more > 0 or not until():
                if not until() and self.acknowledged >= len(self._line) - ROOM:
                    time.sleep(0.01)  # few moves are left for later
                    continue
                more -= until()
                ply = self.acknowledged + 1
                answer = (white if ply % 2 == 0 else black).move(self._line[ply - 1], ply)
                assert answer["t"] == "ack", answer
                self.acknowledged = ply


def test_a_backup_of_a_game_in_progress_is_played_on(place: Place) -> None:
    server = place.serve()
    made, line = meet(server), line_of(400)
    players = Players(made, line)
    players.play(lambda: players.acknowledged >= BEFORE)
    with ThreadPoolExecutor(1) as pool:
        before = players.acknowledged
        backup = pool.submit(place.run, place.backup)
        players.play(backup.done, least=AFTER)
        backup.result()
    lost = players.acknowledged
    assert lost >= before + AFTER
    server.end(signal.SIGKILL)
    shutil.rmtree(place.folder / "data")
    (place.folder / "data").mkdir()
    place.run(place.restore)
    server = made.server = place.serve()
    with made.client("b", seq=lost + 2) as black, made.client("w") as white:
        assert (black.state["you"], white.state["you"]) == (["b"], ["w"])
        there = [move["usi"] for move in white.state["moves"]]
        assert there == line[: len(there)]
        assert before <= len(there) <= lost - AFTER + 1
        for ply in (len(there) + 1, len(there) + 2):
            assert (white if ply % 2 == 0 else black).move(line[ply - 1], ply)["t"] == "ack"
    server.end()
    options = place.options or ["--data", str(place.folder / "data")]
    assert run_alone("admin", "check", *options).out == "Nothing is wrong.\n"
