"""Health, metrics and the log of a server: they say how it is, and no secrets."""

from __future__ import annotations

import json
import logging
import re
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from helpers.web.inside import inside
from helpers.web.served import TOKENS, WAIT, Server, refused
from komadai.app.web.logs import JsonFormatter, TextFormatter, without_secrets
from komadai.app.web.metrics import Metrics
from komadai.app.web.store import StoreError
from komadai.app.web.store.sqlite import SqliteStore

SAMPLE = re.compile(r'^(\w+)(?:\{(\w+)="([^"]*)"[^}]*\})? (\S+)$')


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


class Scrape(dict[str, float]):
    """The samples of the metrics by name, with the value of their first label after a space."""

    def __init__(self, port: int) -> None:
        self.text = httpx.get(f"http://127.0.0.1:{port}/metrics").text
        found = map(SAMPLE.match, self.text.splitlines())
        super().__init__({" ".join(filter(None, (one[1], one[3]))): float(one[4]) for one in found if one})


@pytest.fixture
def measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Server, int]]:
    """A server, and the port of its metrics; its log is JSON, in the file ``log`` beside its games."""
    port = free_port()
    monkeypatch.setenv("KOMADAI_LOG_FORMAT", "json")
    with Server(tmp_path, 0, "--metrics-port", str(port), log=tmp_path / "log") as server:
        yield server, port


# --- Metrics --------------------------------------------------------------------------------------------------------


def test_what_happens_is_measured(measured: tuple[Server, int]) -> None:
    server, port = measured
    game = server.game("nana", w="level1")
    with server.join(game) as player, server.join(game, token=None) as stranger:
        assert player.move("K*1a", 1)["t"] == "ack"
        while player.receive("events")["position"]["thinking"]:
            pass
        player.move("K*1a", 1)
        stranger.command("resign")
        stranger.send(t="nonsense")
        stranger.receive("error")
        stranger.send(t="ping")
        stranger.receive("pong")
        httpx.get(f"{server.url}/api/rules/nobody's")
        httpx.get(f"{server.url}/", headers={"host": "elsewhere.example"})
        httpx.post(f"{server.url}/api/games", json={})
        seen = Scrape(port)
    assert (seen["komadai_games_open"], seen["komadai_games_live"]) == (1, 1)
    assert seen["komadai_sockets /socket"] == 2
    assert seen["komadai_events_written_total"] == 2
    assert seen["komadai_command_seconds_count move"] == 2
    assert seen["komadai_command_seconds_count hello"] == 2
    assert seen["komadai_store_seconds_count append"] == 2
    assert seen["komadai_http_seconds_count /api/games"] == 2
    assert seen["komadai_http_seconds_count /api/rules/{variant}"] == 1
    assert seen["komadai_http_seconds_count other"] == 1, "refused before it had a route"
    assert seen["komadai_refusals_total impossible"] == 2
    assert seen["komadai_refusals_total unreadable"] == 2
    assert seen["komadai_refusals_total origin"] == 1
    assert seen["komadai_engine_seconds_total"] > 0
    assert (seen["komadai_engine_searching"], seen["komadai_engine_waiting"]) == (0, 0)
    assert seen["komadai_store_bytes"] > 4096
    assert seen["process_resident_memory_bytes"] > 1_000_000
    for secret in (game, TOKENS[game]):
        assert secret not in seen.text


def test_metrics_are_read_on_their_own_port_alone(measured: tuple[Server, int]) -> None:
    server, port = measured
    assert httpx.get(f"{server.url}/metrics").status_code == 404
    with socket.create_connection(("127.0.0.1", port), WAIT) as line:
        assert line.getpeername()[0] == "127.0.0.1"
    with pytest.raises(OSError), Metrics().serving(port):  # noqa: PT011
        pass


def test_every_application_has_metrics_of_its_own() -> None:
    one, two = Metrics(), Metrics()
    one.refused("rate")
    with one.serving(0) as first, two.serving(0) as second:
        assert "komadai_refusals_total rate" in Scrape(first)
        assert "komadai_refusals_total rate" not in Scrape(second)


# --- Health ---------------------------------------------------------------------------------------------------------


class Sick(SqliteStore):
    """A store that can be made to fail, and counts how often it is asked."""

    fault: StoreError | None = None
    asked = 0

    def load_record(self, record_id: str) -> str | None:
        self.asked += 1
        if self.fault is not None:
            raise self.fault
        return super().load_record(record_id)


async def test_health_is_told_without_end_and_the_store_asked_seldom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Sick(tmp_path / "games.sqlite3")

    async with inside(store) as at:
        client = at("203.0.113.5")
        answers = [await client.get("/healthz") for _ in range(300)]
        assert {(answer.status_code, answer.text) for answer in answers} == {(200, '{"ok":true}')}
        assert "set-cookie" not in answers[0].headers
        assert store.asked < 100
        monkeypatch.setattr("komadai.app.web.http.health._BELIEVED", 0.0)
        store.fault = StoreError("the game store cannot be read: disk I/O error")
        assert refused(await client.get("/healthz"), 503) == "The game store cannot be read: disk I/O error."
        store.fault = None
        assert (await client.get("/healthz")).status_code == 200


# --- The log --------------------------------------------------------------------------------------------------------


def test_the_log_has_no_secrets_whatever_fails(measured: tuple[Server, int]) -> None:
    """A game with tokens and cookies, in a store that breaks."""
    server, _ = measured
    with httpx.Client(base_url=server.url) as browser:
        browser.get("/")
        asked = {"variant": "nana", "seats": {"b": "human", "w": "open"}, "name": "Somebody", "time": "10m"}
        made = browser.post("/api/games", json=asked).json()
        token = made["tokens"]["b"]
        with server.join(made["game"], token=token) as player:
            with closing(sqlite3.connect(server.data / "games.sqlite3")) as database:
                database.execute("ALTER TABLE event RENAME TO lost")
            browser.post("/api/join", json={"invite": made["invite"], "name": "Another"})
            assert player.command("resign")["t"] == "refused"
            player.socket.send("\x00" + token)
            player.receive("error")
            player.send(t="hello", game=made["game"], token=token, seq=None)
            with pytest.raises(ConnectionClosed):
                player.receive("state")
        browser.get("/healthz")
        browser.get(f"/api/games?ids={made['game']},{token}")
        cookie = browser.cookies["komadai"]
        server.end()
    text = (server.data / "log").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    assert {"start", "stop"} < {line["event"] for line in lines}
    assert any(line["level"] == "error" and "no such table" in line["message"] for line in lines)
    for line in lines:
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"])
    for secret in (token, made["invite"], cookie, cookie.partition(".")[0], "Somebody", "Another", "127.0.0.1"):
        assert secret not in text


@pytest.mark.parametrize("formatter", [TextFormatter(), JsonFormatter()])
def test_a_traceback_has_no_secrets(formatter: logging.Formatter) -> None:
    token = "g4_aWeQxcRHZejlLG349-W4uZYUlB6pu"
    record = _record(ValueError(f"{token} from 203.0.113.7 and 2001:db8:1:2::7"), "failed for %s", token)
    record.game = "mMNH0rsM4EqPuCX3AehVyQ"
    text = formatter.format(record)
    assert "ValueError" in text
    assert "mMNH0rsM4EqPuCX3AehVyQ" in text
    assert not any(secret in text for secret in (token, "203.0.113.7", "2001:db8"))
    if isinstance(formatter, JsonFormatter):
        said = json.loads(text)
        assert (said["level"], said["game"], said["event"]) == ("error", "mMNH0rsM4EqPuCX3AehVyQ", "game.session")


def _record(error: Exception, message: str, *values: Any) -> logging.LogRecord:
    try:
        raise error
    except Exception as raised:
        caught = (type(raised), raised, raised.__traceback__)
        return logging.LogRecord("komadai.app.web.game.session", logging.ERROR, "", 1, message, values, caught)


def test_what_is_no_secret_stays() -> None:
    text = "game mMNH0rsM4EqPuCX3AehVyQ at 12:30:45: disk I/O error in web/game/session.py, line 12"
    assert without_secrets(text) == text
