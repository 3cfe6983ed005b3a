"""The games of the shelf stand wherever the page lets one choose among games."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from helpers.web.screens import table
from helpers.web.served import Server
from helpers.web.steps import click_until, visit


def test_a_classic_game_is_offered_in_the_lobby_and_listed_there_by_its_name(page: Any, server: Server) -> None:
    page.goto(f"{server.url}/lobby")
    page.locator("#shelf summary").click()
    page.locator("#classics").get_by_role("link", name="Minishogi", exact=True).click()
    page.locator('input[value="lobby"]:checked').wait_for(state="attached")
    click_until(page, '#start:has-text("Offer the game")', "#invite-words", has_text="as long as this page is open")
    other = page.context.new_page()
    other.goto(f"{server.url}/lobby")
    expect(other.locator("#challenges .played h3")).to_have_text("Minishogi")


def test_my_games_names_a_classic_game(page: Any, server: Server) -> None:
    table(page, server, "kyoto")
    page.goto(f"{server.url}/games")
    expect(page.locator("#going h3")).to_have_text("Kyoto Shogi")


def test_a_study_of_a_classic_game_is_opened_from_the_dialog(page: Any, server: Server) -> None:
    page.goto(f"{server.url}/study")
    page.locator("#open-shelf summary").click()
    page.locator("#open-classics").get_by_role("link", name="Tori Shogi", exact=True).click()
    page.wait_for_url("**/study?variant=tori")
    page.locator("#board .piece").first.wait_for()


def test_the_workshop_begins_with_the_file_of_a_classic_game(page: Any, server: Server) -> None:
    visit(page, server, "/workshop", "#checked.fine")
    page.locator("#begin").select_option("dobutsu")
    expect(page.locator("#start-board .piece")).to_have_count(8)


def test_the_only_way_that_the_rules_know_is_no_alarm(page: Any, server: Server) -> None:
    """And a crown prince without a king is called what it is."""
    table(page, server, "chu", position="12/12/12/12/12/5+E6/12/12/12/12/12/5k6 b - 1")
    near, far = page.locator("#standing-near"), page.locator("#standing-far")
    near.locator(".need.has", has_text="crown prince").wait_for()
    far.locator(".need.has", has_text="king").wait_for()
    expect(page.locator(".standing :is(.alarm, .way.only)")).to_have_count(0)
