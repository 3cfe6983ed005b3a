"""After a game: accuracy, the moments that mattered as drills, the turning point, and what is missed time and again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from helpers.web.browsing import resign
from helpers.web.screens import make, sit, table
from helpers.web.served import Server, keep
from helpers.web.steps import click, visit

HANGING = {"position": "4k4/9/9/9/9/3r2B2/9/9/4K4 b -"}
"""Black's bishop hangs, and could take nothing."""

FALLEN = """(count) => {
  const fallen = document.getAnimations().filter((one) => one.effect.target.matches(".piece.side-b"));
  return fallen.length === count;
}"""
NOTING = """() => {
  window.thrown = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    if (this.matches(".piece")) window.thrown.push([...this.classList].find((name) => name.startsWith("side-")));
    return animate.apply(this, how);
  };
}"""


def overlooked(page: Any, server: Server) -> None:
    """A game in which Black lets its bishop hang, and resigns when it is gone."""
    table(page, server, "shogi", "5i5h", "6f3f", **HANGING)
    page.locator("#moves li").nth(0).wait_for()
    resign(page)
    page.locator("#after-found a").first.wait_for()


def test_a_game_ends_with_its_moments_and_each_is_a_drill(page: Any, server: Server) -> None:
    overlooked(page, server)
    expect(page.locator("#after-says")).to_contain_text("Accuracy: Black")
    expect(page.locator(".turning")).to_contain_text("Turning point: Move 1, Black: K-5h")
    expect(page.locator(".moments li")).to_have_count(1)
    expect(page.locator(".moments li")).to_contain_text("Pieces left hanging")
    expect(page.locator("#after-found")).to_contain_text("come back from tomorrow on")
    click(page, ".moments a")
    says = page.locator("#task-says")
    says.get_by_text("Find a better move for Black").wait_for()
    expect(page.locator("#analyse"), "nothing gives the answer away").to_be_hidden()
    click(page, '#board .movable[data-at="5i"]', '#board .live[data-at="4i"]')
    says.get_by_text("gives away").wait_for()
    click(page, "#task-answer")
    says.get_by_text("The best is").wait_for()
    click(page, "#task-next")
    page.locator("#review-says", has_text="That was the last one.").wait_for()
    visit(page, server, "/games", "#missed-kinds li")
    expect(page.locator("#missed-kinds li")).to_have_count(1)
    expect(page.locator('[data-kind="hangs lands"]')).to_contain_text("Pieces left hanging · once")
    click(page, "#missed-kinds a")
    says.get_by_text("Find a better move for Black").wait_for()
    visit(page, server, "/today", "#all summary")
    page.locator("#all summary").click()
    expect(page.locator("[data-card]")).to_contain_text("Standard shogi, a mistake of yours")


def test_the_turning_point_is_played_again(page: Any, server: Server) -> None:
    overlooked(page, server)
    click(page, "#try-again")
    page.locator("body:not(.over) #board .slot").first.wait_for()
    expect(page.locator("#board .slot")).to_have_count(4)
    expect(page.locator("#moves li")).to_have_count(0)


def test_a_game_that_was_over_is_looked_at_after_a_click(page: Any, server: Server) -> None:
    table(page, server, "shogi", "5i5h", "6f3f", **HANGING)
    resign(page)
    page.locator("#after-found a").first.wait_for()
    page.reload()
    page.locator("body.over").wait_for()
    expect(page.locator("#after")).to_be_hidden()
    click(page, "#to-moments")
    page.locator("#after-found a").first.wait_for()
    expect(page.locator("#to-moments")).to_be_hidden()


def test_who_has_lost_without_having_done_the_lessons_is_led_there(page: Any, server: Server) -> None:
    sit(page, server, keep(make(server, "nana", w="level1")))
    resign(page)
    expect(page.locator("#verdict")).to_have_text("You lose")
    expect(page.locator("#to-lessons")).to_have_attribute("href", "/learn/nana")


def test_the_loser_s_king_falls_and_stands_up_when_one_looks_back(window: Callable[..., Any], server: Server) -> None:
    """Unless animations are off."""
    for motion, fallen in (("no-preference", 1), ("reduce", 0)):
        page = window(reduced_motion=motion)
        table(page, server, "shogi", "5i5h", "6f3f", **HANGING)
        resign(page)
        page.locator("#after:visible").wait_for()
        page.wait_for_function(FALLEN, arg=fallen)
        click(page, "#previous")
        page.wait_for_function(FALLEN, arg=0)


def test_cubes_scatter(window: Callable[..., Any], server: Server) -> None:
    page = window(reduced_motion="no-preference")
    table(page, server, "nana", "K*1b", "K*3b", "1b1a")
    page.evaluate(NOTING)
    resign(page)
    page.locator("#after:visible").wait_for()
    assert page.evaluate("window.thrown") == ["side-w"], "White's only cube on the board, once"
