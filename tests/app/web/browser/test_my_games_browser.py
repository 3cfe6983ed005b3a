"""The page of all games that this browser has played."""

from __future__ import annotations

from typing import Any

import httpx
from playwright.sync_api import expect

from helpers.web.browsing import resign
from helpers.web.screens import apart, sit, table
from helpers.web.served import Server
from helpers.web.steps import click_until, visit
from komadai import record as records


def shown(page: Any, list: str) -> list[str]:
    page.locator(".played").first.wait_for()
    games: list[str] = page.locator(f"#{list} h3").all_text_contents()
    return games


def test_games_are_listed_played_again_studied_and_exported(page: Any, server: Server) -> None:
    table(page, server, "mortal", "7g7f")
    game, token = apart(server, "shogi", "Ben", time="3d", name="Ada")
    sit(page, server, game)
    page.goto(f"{server.url}/new/hand")
    click_until(page, "#start", "#board .board-svg")
    table(page, server, "nana", options={"drop_faces": "front"})
    resign(page)

    visit(page, server, "/", "#games li")
    expect(page.locator("#games li"), "a game that is over is not to be continued").to_have_count(3)
    page.get_by_role("link", name="My games").click()
    assert sorted(shown(page, "yours")) == ["Hand Shogi", "Standard shogi"]
    assert shown(page, "going") == ["Mortal Shogi"]
    assert shown(page, "finished") == ["Nana Shogi"]
    friend = page.locator("#yours .played", has_text="Ben")
    assert "3 days a move" in friend.inner_text()
    over = page.locator("#finished .played")
    assert "White wins" in over.inner_text()

    with page.expect_download() as downloading:
        page.locator("#export").click()
    file = downloading.value.path().read_text(encoding="utf-8")
    assert sorted(one.variant.id for one in records.read(file)) == ["hand", "mortal", "nana"]

    over.get_by_role("link", name="Study").click()
    page.locator("#next button").first.wait_for()
    page.go_back()
    page.locator("#finished [data-again]").click()
    page.wait_for_url("**/game/*")
    page.locator("#board .board-svg").wait_for()
    again = page.url.rpartition("/")[2]
    listed = httpx.get(f"{server.url}/api/games", params={"ids": again}).json()["games"][0]
    assert (listed["variant"], listed["options"]["drop_faces"]) == ("nana", "front")

    with server.join(game, token=token) as guest:
        assert guest.command("resign")["t"] == "ack"
    page.goto(f"{server.url}/games")
    page.locator("#finished .played", has_text="You win").locator("[data-again]").click()
    page.locator("#invitation").wait_for(), "the other is invited again"
    listed = httpx.get(f"{server.url}/api/games", params={"ids": page.url.rpartition("/")[2]}).json()["games"][0]
    assert (listed["seats"], listed["time"]) == ({"b": "open", "w": "human"}, "3d"), "with the sides exchanged"


def test_a_browser_without_games_is_led_to_them(page: Any, server: Server) -> None:
    visit(page, server, "/games", "#lists .button")
    expect(page.locator("#export")).to_be_hidden()
