"""Games on another device, by a profile key."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from helpers.web.browsing import PHONE, tap
from helpers.web.screens import make, sit, table
from helpers.web.served import Server, keep
from helpers.web.steps import click_until, reload_until, visit


def names(page: Any, server: Server) -> list[str]:
    visit(page, server, "/games", ".played")
    found: list[str] = page.locator(".played h3").all_text_contents()
    return sorted(found)


@pytest.mark.refused
def test_a_key_takes_games_along_until_it_is_replaced(window: Any, server: Server) -> None:
    desk, phone = window(viewport=PHONE), window(viewport=PHONE)
    table(desk, server, "nana")
    made = make(server, "mortal", w="level1")
    sit(desk, server, keep(made))
    desk.goto(f"{server.url}/games")
    desk.click("#make-key")
    link = desk.locator("#made-link").input_value()
    reload_until(desk, "#renew-key")
    expect(desk.locator("#made-key"), "it is shown once").to_have_count(0)

    table(phone, server, "hand")
    phone.goto(link)
    phone.locator("#key-form").wait_for()
    expect(phone.locator(".played"), "a link alone joins nothing").to_have_count(1)
    assert phone.url == f"{server.url}/games"
    phone.click("#use-key")
    phone.locator(".played").nth(2).wait_for()
    phone.locator(".played", has_text="Mortal").get_by_role("link").first.click()
    phone.locator("#resign").wait_for()
    tap(phone, "7g", "7f")
    phone.locator("#moves li").first.wait_for(state="attached")
    assert names(desk, server) == ["Hand Shogi", "Mortal Shogi", "Nana Shogi"]

    table(desk, server, "ki")
    assert names(phone, server) == ["Hand Shogi", "Ki Shogi", "Mortal Shogi", "Nana Shogi"], "new ones come along"

    desk.goto(f"{server.url}/games")
    desk.click("#renew-key")
    desk.locator("#made-key").wait_for()
    reload_until(phone, "#notice", has_text="No profile has this key")
    phone.locator(".played", has_text="Ki Shogi").get_by_role("link").first.click()
    phone.locator("body.watching").wait_for()
    desk.goto(f"{server.url}/games")
    desk.locator(".played", has_text="Hand").get_by_role("link").first.click()
    desk.locator("#resign").wait_for(), "the new profile has what the old one had from the phone"

    desk.goto(f"{server.url}/games")
    desk.click("#delete-key")
    click_until(desk, '#delete-key:has-text("again")', "#make-key")
    desk.locator(".played", has_text="Nana").get_by_role("link").first.click()
    desk.locator("#resign").wait_for(), "what was made here stays"
