"""The chapters of a study, its arrows and its graph in a browser."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from helpers.web.browsing import PHONE, at, open_study
from helpers.web.served import Server
from helpers.web.steps import click, click_until, press_until, reload_until, typed

NAMES = "() => [...document.getElementById('chapter').options].map((one) => one.text)"


def chapter(page: Any, name: str, begins: str = "start", text: str = "") -> None:
    """Add a chapter by the dialog."""
    page.locator("#chapter-add").click()
    page.locator("#chapter-name").fill(name)
    page.locator(f'[name="begins"][value="{begins}"]').check()
    if text:
        page.locator("#chapter-text").fill(text)
    page.locator("#chapter-done").click()
    expect(page.locator("#chapters-dialog")).not_to_be_visible()


def arrow(page: Any, origin: str, target: str) -> None:
    """Draw an arrow with the right button."""
    for point, act in ((origin, page.mouse.down), (target, page.mouse.up)):
        box = page.locator(at(point)).first.bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        act(button="right")


def test_chapters_and_arrows_are_kept_in_the_browser_and_behind_a_link(page: Any, server: Server) -> None:
    open_study(page, server, "?variant=shogi")
    typed(page, "7g7f")
    expect(page.locator("#branches .move")).to_have_count(2)
    arrow(page, "8h", "2b")
    expect(page.locator(".own-shapes .arrow")).to_have_count(1)
    chapter(page, "A middle game", "here")
    assert page.evaluate(NAMES) == ["1. Chapter 1", "2. A middle game"]
    expect(page.locator("#branches .move"), "it begins where the other was").to_have_count(1)
    expect(page.locator("#headline")).to_have_text("White to move.")
    expect(page.locator(".own-shapes .arrow"), "each position has its own arrows").to_have_count(0)
    chapter(page, "", "record", "position startpos moves 2g2f 8c8d")
    expect(page.locator("#branches .move")).to_have_count(3)
    page.wait_for_url("**&chapter=3")
    reload_until(page, "#chapter-choice")
    assert page.evaluate(NAMES) == ["1. Chapter 1", "2. A middle game", "3. Chapter 3"]
    expect(page.locator("#branches .move"), "the chapter that was open").to_have_count(3)
    click(page, "#save", "#share")
    page.wait_for_function("() => document.getElementById('link').value")
    page.goto(page.locator("#link").input_value())
    page.locator("#chapter-choice").wait_for()
    assert page.evaluate(NAMES) == ["1. Chapter 1", "2. A middle game", "3. Chapter 3"]
    press_until(page, "]", ".own-shapes .arrow")


def test_chapters_are_renamed_moved_and_deleted(page: Any, server: Server) -> None:
    open_study(page, server, "?variant=nana")
    chapter(page, "Two")
    chapter(page, "Three")
    click(page, "#chapter-change", "#chapter-up")
    assert page.evaluate(NAMES) == ["1. Chapter 1", "2. Three", "3. Two"]
    page.locator("#chapter-change").click()
    page.locator("#chapter-name").fill("Drei")
    page.locator("#chapter-done").click()
    page.locator("#chapter").select_option(index=2)
    click(page, "#chapter-change", "#chapter-delete")
    page.wait_for_function("() => document.getElementById('chapter').options.length === 2")
    assert page.evaluate(NAMES) == ["1. Chapter 1", "2. Drei"]
    page.locator("#notice button").click()
    page.wait_for_function("() => document.getElementById('chapter').options.length === 3")
    page.locator("#chapter-add").click()
    page.locator("#chapter-text").fill("position startpos moves 7g7f")
    page.locator("#chapter-done").click()
    expect(page.locator("#chapter-says")).to_have_text("All chapters of a study are of one game.")


def test_the_graph_is_under_the_board_and_on_a_phone_the_board_stays_in_sight(page: Any, server: Server) -> None:
    open_study(page, server, "?variant=nana")
    click_until(page, "#analyse", "#graph")
    board, graph = (page.locator(one).bounding_box() for one in (".wood", "#graph"))
    assert board["y"] + board["height"] <= graph["y"]
    assert graph["y"] + graph["height"] <= page.viewport_size["height"]
    page.set_viewport_size(PHONE)
    page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    stage, steps = (page.locator(one).bounding_box() for one in (".stage", ".steps"))
    assert stage["y"] >= 0
    assert stage["y"] + stage["height"] < steps["y"], "the buttons are below it"
    assert steps["y"] + steps["height"] <= PHONE["height"]
