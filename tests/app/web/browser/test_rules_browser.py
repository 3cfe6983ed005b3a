"""The rules over a board and as a page, in a real browser."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

import komadai
from helpers.web.browsing import PHONE
from helpers.web.inspecting import complaints
from helpers.web.screens import table
from helpers.web.served import Server
from helpers.web.steps import click_until, typed, visit
from komadai import rulebook
from komadai.app import printing

DIALOG = "dialog.rules-sheet"
LOADED = "performance.getEntriesByType('resource').map(one => new URL(one.name).pathname)"

FOLLOWED_AND_CLOSED = """(dialog, link) => {  // before the browser tells of the scrolling
  dialog.querySelector(link).click();
  const place = dialog.querySelector(".rules-panels").scrollTop;
  dialog.close();
  return place;
}"""


def open_rules(page: Any) -> None:
    click_until(page, '#learn[href*="/rules/"]', f"{DIALOG}[open]")


def search(page: Any, words: str) -> None:
    page.locator(f"{DIALOG} [type=search]").fill(words)


@pytest.mark.smoke
def test_the_rules_open_over_a_game_and_keep_their_place(page: Any, server: Server) -> None:
    table(page, server, "shogi")
    loaded = page.evaluate(LOADED)
    assert not [path for path in loaded if "rules" in path], "nothing of them is loaded before"
    open_rules(page)
    dialog = page.locator(DIALOG)
    assert page.url.count("/game/") == 1
    assert dialog.locator("h2").all_text_contents()[1] == "The goal"
    expect(dialog.locator("figure.example")).to_have_count(
        sum(len(section.examples) for section in rulebook.sections("shogi"))
    )
    body = dialog.locator(".rules-panels")
    place = dialog.evaluate(FOLLOWED_AND_CLOSED, '.contents a[href="#part-promotion"]')
    assert place > 200
    assert "#" not in page.url or "part-" not in page.url, "links within the rules do not change the address"
    dialog.wait_for(state="hidden")
    assert page.evaluate("document.activeElement.id") == "learn"
    open_rules(page)
    kept = "([body, place]) => Math.abs(body.scrollTop - place) < 3"
    page.wait_for_function(kept, arg=[body.element_handle(), place])
    dialog.get_by_role("tab", name="Pieces").click()
    expect(dialog.locator(".kind").first).to_be_visible()
    expect(dialog.locator("#part-goal")).not_to_be_visible()
    page.keyboard.press("Escape")
    page.reload()
    open_rules(page)
    dialog.get_by_role("tab", name="Pieces", selected=True).wait_for()


def test_the_rules_are_searched(page: Any, server: Server) -> None:
    visit(page, server, "/learn/ko/wrestler", "#board .wood")
    open_rules(page)
    dialog = page.locator(DIALOG)
    search(page, "  FOG   light ")
    expect(dialog.locator("#part-fog")).to_be_visible()
    expect(dialog.locator("#part-goal")).not_to_be_visible()
    expect(dialog.locator('.kind[data-kind="+TP"]'), "pieces are found, too").to_be_visible()
    expect(dialog.locator('.kind[data-kind="P"]')).not_to_be_visible()
    assert {mark.lower() for mark in dialog.locator("#part-fog mark").all_text_contents()} == {"fog", "light"}
    expect(dialog.locator("[role=status]")).to_contain_text("found")
    search(page, "hosha")  # hōsha, the gun carriage
    expect(dialog.locator('.kind[data-kind="+C"] mark', has_text="hōsha")).to_be_visible()
    search(page, "xyzzy")
    expect(dialog.locator("[role=status]")).to_have_text("Nothing found.")
    dialog.get_by_role("button", name="Show everything").click()
    expect(dialog.locator("mark")).to_have_count(0)
    expect(dialog.locator("#part-goal")).to_be_visible()
    expect(dialog.locator("[hidden][data-find]")).to_have_count(0)


def test_the_rules_by_keyboard_and_for_machines(window: Any, server: Server) -> None:
    """On a phone, in Japanese: a sheet that fits, tabs by arrows, nothing that axe-core finds."""
    page = window(viewport=PHONE, locale="ja")
    for address in ("/puzzles/nana", "/study?variant=ki"):
        page.goto(server.url + address)
        if address.startswith("/puzzles"):
            page.locator('a[href^="/puzzles/nana/"]').first.click()
        page.locator("#board .wood").wait_for()
        page.locator('#learn[href*="/rules/"]').focus()
        page.keyboard.press("Enter")
        dialog = page.locator(DIALOG)
        dialog.locator(".part").first.wait_for()
        assert complaints(page) == []
        dialog.get_by_role("tab", selected=True).focus()
        page.keyboard.press("ArrowRight")
        expect(dialog.locator(".kind").first).to_be_visible()
        assert complaints(page) == []
        box = dialog.bounding_box()
        assert (box["x"], box["width"]) == (0, PHONE["width"])
        assert abs(box["y"] + box["height"] - PHONE["height"]) <= 1
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        page.keyboard.press("Escape")
        dialog.wait_for(state="hidden")


def test_the_rules_are_opened_by_a_typed_command(page: Any, server: Server) -> None:
    table(page, server, "nana")
    typed(page, "rules")
    page.locator(f"{DIALOG}[open]").wait_for()
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "text"


def test_a_game_without_a_text_shows_what_its_spec_says(page: Any, server: Server) -> None:
    def without(route: Any) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "sections": [], "page": ""})

    page.route("**/api/rules/nana", without)
    visit(page, server, "/rules/nana", "#parts")
    parts = page.locator(".part").evaluate_all("parts => parts.map(part => part.id)")
    assert parts == ["part-setup", "part-pieces", "part-special", "part-options"]
    expect(page.locator(".start .board-svg")).to_be_visible()
    expect(page.locator(".kind")).to_have_count(len(komadai.variant("nana").kinds))
    expect(page.locator("#part-special")).to_contain_text("Checkmate wins")


def test_a_rule_in_the_address_is_unfolded(page: Any, server: Server) -> None:
    visit(page, server, "/rules/nana#rule-6", "#rule-6")
    expect(page.locator(".exact[open]")).to_have_count(1)
    page.locator("#parts .rule-list .source a").first.click()
    visit(page, server, "/rules/ki?field=5x5", "#parts")
    expect(page.locator("#summary")).to_contain_text("usual options")
    expect(page.locator("figure.example")).to_have_count(0)


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("locale", ["en", "ja"])
def test_printed_pages_are_full_but_not_too_full(window: Any, server: Server, paper: str, locale: str) -> None:
    """Nothing is cut off, the rules of every game take one page, and the PDF has the size of the paper."""
    page = window(viewport={"width": 900, "height": 1200}, locale=locale)
    for name in komadai.variants(shelf=False):
        page.goto(f"{server.url}/print/{name}?paper={paper}")
        page.locator(".page").last.wait_for()
        over = page.evaluate(
            "[...document.querySelectorAll('.page, .rule-sheet')]"
            ".map(part => Math.max(part.scrollHeight - part.clientHeight, part.scrollWidth - part.clientWidth))"
        )
        assert set(over) == {0}, name
        letters = page.locator(".rule-sheet").evaluate("sheet => parseFloat(getComputedStyle(sheet).fontSize)")
        assert letters > 6.9, "pixels, which is 5.2 points"
        made = page.pdf(prefer_css_page_size=True, print_background=True)
        assert len(re.findall(rb"/Type\s*/Page\b", made)) == page.locator(".page").count()
        (box,) = set(re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", made))
        expected = [printing.PAPERS[paper].width, printing.PAPERS[paper].height]
        assert [float(length) / 72 * 25.4 for length in box] == pytest.approx(expected, abs=0.3)
    assert complaints(page) == []


def test_the_button_prints(page: Any, server: Server) -> None:
    page.goto(f"{server.url}/rules/nana")
    click_until(page, '#links a:has-text("Print and cut out")', ".page")
    page.keyboard.press("Tab")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid", "the focus is seen"
    page.evaluate("window.print = () => document.body.dataset.printed = 'yes'")
    click_until(page, "#print", "body[data-printed]")
    page.locator(".tools a", has_text="Letter").first.click()
    page.locator(".page.letter").first.wait_for()
