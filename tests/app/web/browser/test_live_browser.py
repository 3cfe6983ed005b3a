"""A live study in two browsers: what its maker shows, and those who follow it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from helpers.web.browsing import open_study
from helpers.web.served import Server
from helpers.web.steps import press_until, refill, typed, visit

CHAPTER = "() => document.getElementById('chapter').selectedIndex"


def go_live(page: Any, server: Server) -> str:
    """Let a new study with two moves go live; the path of its address."""
    open_study(page, server, "?variant=nana")
    typed(page, "K*1b")
    expect(page.locator("#branches .move")).to_have_count(2)
    page.locator("#go-live").click()
    page.locator("#live-link").wait_for()
    expect(page.locator("#go-live")).not_to_be_visible()
    return str(page.evaluate("() => `/live/${JSON.parse(localStorage['komadai.live'])[0].id}`"))


def test_a_follower_sees_the_board_steps_away_and_comes_back(window: Callable[..., Any], server: Server) -> None:
    maker, follower = window(), window()
    path = go_live(maker, server)
    visit(follower, server, path, "#board .board-svg")
    expect(follower.locator("#branches .move[aria-current]")).to_contain_text("K")
    expect(maker.locator("#live-says")).to_contain_text("1 person follows")

    maker.locator("#comment").fill("Look here")
    expect(follower.locator("#branches .comment")).to_have_text("Look here")
    expect(follower.locator("#comment")).to_have_js_property("readOnly", True)
    maker.keyboard.press("Escape")
    maker.locator("#chapter-add").click()
    maker.locator("#chapter-name").fill("Another")
    maker.locator("#chapter-done").click()
    follower.wait_for_function("() => document.getElementById('chapter').selectedIndex === 1")

    follower.locator("#chapter").select_option(index=0)
    follower.locator("#live-back").wait_for()
    typed(maker, "K*2a")
    expect(maker.locator("#branches .move")).to_have_count(2)
    assert follower.evaluate(CHAPTER) == 0, "who looks around stays there"
    follower.locator("#live-back").click()
    expect(follower.locator("#branches .move")).to_have_count(2)
    assert follower.evaluate(CHAPTER) == 1

    maker.reload()
    expect(maker.locator("#branches li [aria-current]")).to_be_visible()
    press_until(maker, "[", "#branches .line-start [aria-current]")
    expect(follower.locator("#branches .line-start [aria-current]")).to_be_visible()
    maker.locator("#live-end").click()
    expect(follower.locator("#live-says")).to_have_text("The live study has ended.")
    follower.locator("#live-copy").click()
    follower.wait_for_url("**/study?draft=*")


def test_a_reload_of_the_maker_moves_nobody(window: Callable[..., Any], server: Server) -> None:
    maker, follower = window(), window()
    path = go_live(maker, server)
    maker.locator("#chapter-add").click()
    maker.locator("#chapter-done").click()
    expect(maker.locator("#branches .move")).to_have_count(1)
    typed(maker, "K*1b")
    expect(maker.locator("#branches .move")).to_have_count(2)
    refill(maker, "K*3b")
    maker.keyboard.press("Escape")
    expect(maker.locator("#branches .move")).to_have_count(3)
    maker.locator("#flip").click()
    press_until(maker, "ArrowLeft", "#branches li:first-child [aria-current]")
    visit(follower, server, path, "#board .board-svg")
    expect(follower.locator("#branches .move[aria-current]")).to_contain_text("1b")
    follower.locator("#chapter").select_option(index=0)
    follower.locator("#live-back").wait_for()
    typed(follower, "K*3a")
    expect(follower.locator("#branches .move")).to_have_count(3)

    maker.reload()
    expect(maker.locator("#branches .move[aria-current]")).to_contain_text("1b")
    assert maker.evaluate(CHAPTER) == 1
    expect(maker.locator("#tray-near"), "the board is seen from White's side").to_have_attribute("data-side", "w")
    maker.locator("#comment").fill("Here again")
    maker.keyboard.press("Escape")
    expect(follower.locator("#branches .move")).to_have_count(3)
    assert follower.evaluate(CHAPTER) == 0, "who looks around stays there, with moves of their own"
    follower.locator("#live-back").click()
    expect(follower.locator("#branches .comment")).to_have_text("Here again")
    expect(follower.locator("#branches .move[aria-current]")).to_contain_text("1b")
    assert follower.evaluate(CHAPTER) == 1


@pytest.mark.outage
def test_a_follower_comes_back_after_the_line_or_the_server_was_gone(
    window: Callable[..., Any], start: Callable[..., Server]
) -> None:
    server = start()
    maker, follower = window(), window()
    path = go_live(maker, server)
    visit(follower, server, path, "#board .board-svg")
    follower.context.set_offline(True)
    expect(follower.locator("#live-says")).to_contain_text("Connection lost")
    press_until(maker, "[", "#branches .line-start [aria-current]")
    follower.context.set_offline(False)
    expect(follower.locator("#branches .line-start [aria-current]")).to_be_visible()
    server.end()
    expect(maker.locator("#live-says")).to_contain_text("Connection lost")
    press_until(maker, "]", "#branches li [aria-current]")
    start(server.port, data=server.data)
    expect(follower.locator("#branches li [aria-current]")).to_be_visible()
    expect(maker.locator("#live-says")).to_contain_text("1 person follows")


def test_an_address_of_nothing_says_so(page: Any, server: Server) -> None:
    visit(page, server, "/live/nothing", "#opening")
    expect(page.locator("#open-says")).to_have_text("This study is not live, or no longer.")
