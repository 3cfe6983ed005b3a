"""A server that listens has loaded whatever its games need: files may be missing later, as during an update."""

from __future__ import annotations

import os
import re
from pathlib import Path

import httpx
import pytest

import komadai
from helpers.web.served import TOKENS, WAIT, Server

NOTES = """
import os
import sys

# Of the server alone: the processes that it starts, which search, load modules by themselves.
noted = os.environ.setdefault("NOTED", str(os.getpid())) == str(os.getpid())

class Noting:
    def find_spec(self, name, path=None, target=None):
        print("looked for", name, file=sys.stderr, flush=True)

if noted:
    sys.meta_path.insert(0, Noting())

def noting(event, arguments):
    if event in ("os.listdir", "os.scandir") and f"{os.sep}komadai{os.sep}" in str(arguments[0]):
        print("looked for", arguments[0], file=sys.stderr, flush=True)

if noted:
    sys.addaudithook(noting)
"""


def test_no_module_is_looked_for_after_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sitecustomize.py").write_text(NOTES, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    log = tmp_path / "log"
    with Server(tmp_path, 0, "--limits", "100", loaded=False, log=log) as server:
        assert httpx.get(f"{server.url}/healthz", timeout=WAIT).status_code == 200
        loaded = log.read_text("utf-8")
        assert "looked for komadai.app.web.server" in loaded
        for variant in komadai.variants(shelf=True):
            first = komadai.Position(variant).legal_moves()[0].text
            for _twice in range(2):
                game = server.game(variant)
                with server.join(game) as client:
                    assert client.move(first, 1)["t"] == "ack"
                    client.send(t="explain", text="1a1b")
                    client.receive("explanation")
                    for command in ("draw", "resign", "rematch"):
                        client.command(command)
                    client.send(t="look", moves=0)
                    client.receive("seen")
                httpx.get(f"{server.url}/api/games/{game}/record", params={"token": TOKENS[game]}, timeout=WAIT)
            game = server.game(variant, w="level1")
            with server.join(game) as client:
                assert client.move(first, 1)["t"] == "ack"
                while not any(event["seq"] == 2 for event in client.receive("events")["events"]):
                    pass
        new = log.read_text("utf-8").removeprefix(loaded)
    assert re.findall(r"^looked for (.*)$", new, re.MULTILINE) == []
