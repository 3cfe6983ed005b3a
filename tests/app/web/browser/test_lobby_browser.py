"""The lobby in the browser: a game is offered, seen elsewhere, and taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from helpers.web.browsing import PHONE
from helpers.web.served import Server
from helpers.web.steps import click, click_until


def test_a_game_is_offered_and_taken_by_whoever_comes(start: Callable[..., Server], window: Any) -> None:
    server = start()  # whose lobby nobody else enters
    ada, ben, eve = (window(viewport=PHONE) for _ in range(3))
    for page in (ben, eve):
        page.goto(server.url)
        page.locator(".menu-button").click()
        page.get_by_role("link", name="Lobby").click()
        page.locator("#nobody .empty-state svg").wait_for()
    ada.goto(f"{server.url}/lobby")
    ada.get_by_role("link", name="Nana Shogi", exact=True).click()
    ada.locator('input[value="lobby"]:checked').wait_for(state="attached")
    ada.locator("#name").fill("Ada")
    click_until(ada, '#start:has-text("Offer the game")', "#invite-words", has_text="as long as this page is open")

    for page in (ben, eve):
        page.locator("#challenges .played", has_text="Nana").wait_for()  # without being loaded again
    expect(ben.locator("#challenges .played")).to_contain_text("Ada · No clock · you play ☖ White")
    click_until(ben, "#challenges .primary", "#asks", has_text="Ada invites you")
    ben.locator("#start:enabled").click()
    ben.wait_for_url("**/game/*")
    ada.locator("#invitation").wait_for(state="hidden")
    eve.locator("#nobody").wait_for()

    ada.goto(f"{server.url}/new/mortal")
    click(ada, 'label:has(input[value="lobby"])', 'label:has(input[value="3d"])', "#start")
    ada.locator("#invite-words", has_text="for a week").wait_for()
    ada.goto(f"{server.url}/lobby")
    ada.get_by_role("link", name="Your own game: Mortal Shogi").click()
    ada.locator("#resign", has_text="Call it off").click()
    click_until(ada, "#sure-yes", "body.over")
    eve.locator("#nobody").wait_for()
