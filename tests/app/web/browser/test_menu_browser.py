"""One menu on all pages, and a link that skips it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from helpers.web.browsing import DESKTOP, PHONE, visit
from helpers.web.served import Server
from komadai.app import puzzles

PLACES = ["", "learn", "puzzles", "today", "study", "rules", "workshop", "games", "lobby", "settings"]
PUZZLE = f"/puzzles/nana/{puzzles.load('nana')[0].id}"
PAGES = [f"/{place}" for place in PLACES if place != "study"] + [
    "/new/nana",
    "/learn/nana/rook",
    PUZZLE,
    "/rules/nana",
    "/edit/nana",
    "/study?variant=nana",
    "game",
]
FOCUSED = "document.activeElement.closest('#board, main')?.tagName ?? ''"


def address(server: Server, path: str) -> str:
    return server.page(server.game("shogi")) if path == "game" else server.url + path


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_every_page_leads_to_the_same_pages(page: Any, server: Server, size: dict[str, int]) -> None:
    page.set_viewport_size(size)
    for path in PAGES:
        page.goto(address(server, path))
        if page.locator(".menu-button").is_visible():
            page.locator(".menu-button").click()
        links = page.locator("#menu a")
        assert links.evaluate_all("all => all.map((one) => one.pathname.slice(1))") == PLACES, path
        expect(links.first).to_be_visible()
        boxes = [link.bounding_box() for link in links.all()]
        assert all(box["x"] >= 0 and box["x"] + box["width"] <= size["width"] for box in boxes), path
        here = page.locator("#menu [aria-current]").evaluate_all("all => all.map((one) => one.pathname)")
        part = "/" + path.lstrip("/").partition("/")[0].partition("?")[0]
        assert here == ([] if part in ("/new", "/edit", "/game") else [part]), path


def test_the_menu_is_opened_and_left_by_keys(page: Any, server: Server) -> None:
    visit(page, server, "/learn/nana/rook", "#board .board-svg")
    page.locator(".menu-button").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#menu")).to_be_visible()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#menu') !== null")
    page.keyboard.press("Escape")
    expect(page.locator("#menu")).to_be_hidden()
    assert page.evaluate("document.activeElement.matches('.menu-button')")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/learn")


@pytest.mark.parametrize(("path", "to"), [("game", "SECTION"), ("/learn/nana/rook", "SECTION"), ("/settings", "MAIN")])
def test_the_first_stop_of_the_keyboard_skips_the_menu(page: Any, server: Server, path: str, to: str) -> None:
    page.goto(address(server, path))
    page.locator("#board .board-svg, #sample .wood").first.wait_for()
    before = page.url
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    box = page.locator(".skip").bounding_box()
    assert box["x"] >= 0
    assert box["width"] > 60
    page.keyboard.press("Enter")
    assert page.evaluate(FOCUSED) == to
    assert page.url == before, "what stands behind the # is left"


def test_all_rules_are_listed(page: Any, server: Server) -> None:
    visit(page, server, "/rules", ".ruled a")
    assert page.locator(".ruled a").count() > 15
    page.locator(".ruled a").first.click()
    page.locator("#contents a").first.wait_for()
