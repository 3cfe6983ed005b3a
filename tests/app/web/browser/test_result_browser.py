"""The end of a game at the table: what it is called, and what can be done next."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from helpers.web.browsing import PHONE, resign
from helpers.web.screens import apart, sit, table
from helpers.web.served import Server
from helpers.web.steps import click, click_until

MATED = {"position": "4k4/9/4P4/9/9/9/9/9/4K4 b G"}
"""Black mates by a gold in front of White's king."""


def test_the_end_is_a_card_with_what_comes_next(page: Any, server: Server) -> None:
    table(page, server, "shogi", **MATED)
    expect(page.locator("#result")).to_be_hidden()
    click(page, '.tray[data-side="b"] [data-code="G"]', '#board [data-at="5b"]')
    result = page.locator("#result.lifted")
    result.wait_for()
    expect(page.locator("#verdict")).to_have_text("Black wins")
    expect(page.locator("#headline")).to_have_text("Black wins: checkmate")
    expect(page.locator("#board .check"), "the mated king is marked").to_have_count(1)
    page.get_by_role("link", name="Review").click()
    page.locator("#review-says", has_text="Reviewed").wait_for()
    page.go_back()
    page.locator("body.over").wait_for()
    expect(page.locator("#result.lifted"), "a game that was over already calls for no attention").to_have_count(0)
    click_until(page, "#again", "body:not(.over) #board .slot")
    expect(page.locator("#result")).to_be_hidden()


def test_on_a_phone_the_end_is_a_sheet_that_goes_away(page: Any, server: Server) -> None:
    page.set_viewport_size(PHONE)
    table(page, server, "nana")
    board = page.locator("#board").bounding_box()
    before = page.evaluate("document.activeElement.id")
    resign(page)
    page.locator("#result.lifted").wait_for()
    page.evaluate("scrollTo(0, 0)")
    sheet = page.locator("#result").bounding_box()
    assert sheet["y"] + sheet["height"] <= PHONE["height"]
    expect(page.locator("#result-words")).to_have_text("White wins: Black resigned")
    assert page.locator("#board").bounding_box() == board, "the board stays where it is"
    expect(page.locator("#to-puzzle")).to_have_attribute("href", re.compile("^/puzzles/nana/"))
    assert page.evaluate("document.activeElement.id") == "result"
    page.keyboard.press("Escape")
    expect(page.locator("#result.lifted")).to_have_count(0)
    expect(page.locator("#again")).to_be_visible()
    assert page.evaluate("document.activeElement.id") in (before, "resign")
    click_until(page, "#to-puzzle", "#board .slot")


def test_an_offer_of_another_game_takes_the_place_of_the_sheet(page: Any, server: Server) -> None:
    page.set_viewport_size(PHONE)
    game, token = apart(server, "shogi")
    with server.join(game, token=token) as other:
        sit(page, server, game)
        assert other.command("resign")["t"] == "ack"
        page.locator("#result.lifted", has_text="You win").wait_for()
        assert other.command("rematch")["t"] == "ack"
        page.locator("#offers .offer").wait_for()
        expect(page.locator("#result.lifted")).to_have_count(0)
