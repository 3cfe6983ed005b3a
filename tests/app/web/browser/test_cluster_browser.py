"""Two browsers play each other on two servers that share a PostgreSQL; lines break, and servers are killed."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from typing import Any

import httpx
import psycopg
import pytest
from playwright.sync_api import expect

from helpers.web.browsing import PHONE, enter, stand
from helpers.web.cluster import Cluster
from helpers.web.served import Server
from helpers.web.steps import typed, visit

AWAY = float(os.environ.get("KOMADAI_AWAY", "1"))
"""Seconds for which a browser is without a line; long ones are for people with time."""

MOVES = ("7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e", "6i7h", "4a3b")


def seats(server: Server, other: Server) -> tuple[str, str, str]:
    """A game made at one server and joined at the other: its id, and the secrets of its players."""
    asked = {"variant": "shogi", "seats": {"b": "human", "w": "open"}, "time": "10m+5s"}
    made = httpx.post(f"{server.url}/api/games", json=asked).json()
    joined = httpx.post(f"{other.url}/api/join", json={"invite": made["invite"]}).json()
    return made["game"], made["tokens"]["b"], joined["token"]


@pytest.mark.slow
@pytest.mark.outage
def test_servers_that_share_a_database_are_killed_and_no_acknowledged_move_is_lost(
    cluster: Cluster, start: Callable[..., Server], window: Any
) -> None:
    url = cluster.database()
    one, two = start(0, "--data", url), start(0, "--data", url)
    game, *tokens = seats(one, two)
    black, white = window(), window(viewport=PHONE)
    for page, server, token in zip((black, white), (one, two), tokens, strict=True):
        visit(page, server, f"/game/{game}#{token}", "#board .slot")
    # What one server writes the browser of the other sees.
    for ply, page in enumerate((black, white), 1):
        enter(page, MOVES[ply - 1])
        stand(ply, black, white)
    # One loses the line for a while, and hears afterwards of what has happened at the other server meanwhile.
    white.context.set_offline(True)
    white.locator("#line", has_text="Connection lost; trying again…").wait_for()
    enter(black, MOVES[2])
    white.wait_for_timeout(AWAY * 1000)
    white.context.set_offline(False)
    white.locator("#line", has_text="Connected again.").wait_for()
    stand(3, white)
    # The server of one is killed: the move that is made meanwhile is sent when it is back.
    two.end(signal.SIGKILL)
    white.locator("#line", has_text="Connection lost").wait_for()
    typed(white, MOVES[3])
    white.keyboard.press("Escape")
    two = start(two.port, "--data", url)
    stand(4, black, white)
    # Both are killed at once, and the game goes on where it was.
    for server in (one, two):
        server.end(signal.SIGKILL)
    for page in (black, white):
        page.locator("#line", has_text="Connection lost").wait_for()
    one, two = start(one.port, "--data", url), start(two.port, "--data", url)
    for ply, page in enumerate((black, white), 5):
        enter(page, MOVES[ply - 1])
        stand(ply, black, white)
    # Whose server does not come back finds the game at the other one.
    one.end(signal.SIGKILL)
    black.goto(f"{two.url}/game/{game}#{tokens[0]}")
    stand(6, black)
    for ply, page in enumerate((black, white), 7):
        enter(page, MOVES[ply - 1])
        stand(ply, black, white)
    with psycopg.connect(url) as database:
        rows = database.execute("SELECT payload FROM event WHERE kind = 'move' ORDER BY seq").fetchall()
    assert [json.loads(payload)["usi"] for (payload,) in rows] == list(MOVES)
    for page in (black, white):
        expect(page.locator(".timer.runs"), "the clocks go on").to_have_count(1)
