"""The coach on the page of a game: its question before a move, and why the computer moved."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from helpers.web.browsing import PHONE, at, in_sight
from helpers.web.inspecting import complaints
from helpers.web.screens import make, sit
from helpers.web.served import Server, keep
from helpers.web.steps import click_until

OPEN = "4k4/9/9/9/3p5/9/9/2N6/4K4 b -"
"""Black's knight may jump before a pawn: to 6f it would be taken, to 8f not."""
FORK = "4k4/4r4/9/9/9/9/9/9/K3G4 w - 2"
"""White's rook takes a gold general that nothing protects, with check."""
HANGS = "Your knight on 6f would hang: it could be taken by the pawn on 6e. Play it all the same?"


@pytest.fixture(params=["page", "phone"], ids=["desktop", "phone"])
def screen(request: pytest.FixtureRequest) -> Any:
    """The page of a desktop and of a phone."""
    return request.getfixturevalue(request.param)


def coached(page: Any, server: Server, **asked: Any) -> None:
    """Sit down to a game against the computer with the coach."""
    asked = {"position": OPEN} | asked
    page.goto(server.url)
    page.evaluate("() => localStorage.setItem('komadai.coach', '\"on\"')")
    sit(page, server, keep(make(server, "shogi", "level1", **asked)))
    page.locator("#why").wait_for()


def jump(page: Any, to: str) -> None:
    page.locator(at("7h")).click()
    page.locator(at(to)).click()


def test_a_move_that_hangs_a_piece_is_asked_about_and_can_be_taken_back(screen: Any, server: Server) -> None:
    coached(screen, server)
    jump(screen, "6f")
    expect(screen.locator("#coach p")).to_have_text(HANGS)
    expect(screen.locator("#moves .move")).to_have_count(0)
    in_sight(screen, "#coach", "#board .board-svg")
    assert complaints(screen) == []
    click_until(screen, "#coach [data-answer=back]", "#coach .offer", state="detached")
    expect(screen.locator("#headline")).to_have_text("Your turn.")
    jump(screen, "6f")
    click_until(screen, "#coach [data-answer=play]", "#moves .move >> nth=1")
    expect(screen.locator("#moves .move").first).to_have_text("N-6f")


def test_other_moves_and_other_taps_need_no_answer(page: Any, server: Server) -> None:
    coached(page, server)
    jump(page, "6f")
    page.locator("#coach .offer").wait_for()
    page.keyboard.press("Escape")
    page.locator("#coach .offer").wait_for(state="detached")
    page.locator(at("6f")).click()
    page.locator("#coach .offer").wait_for()
    page.locator(at("5i")).click()
    page.locator("#coach .offer").wait_for(state="detached")
    jump(page, "8f")
    page.locator("#moves .move", has_text="N-8f").wait_for()


def test_without_the_setting_nothing_is_asked(page: Any, server: Server) -> None:
    sit(page, server, keep(make(server, "shogi", "level1", position=OPEN)))
    jump(page, "6f")
    page.locator("#moves .move", has_text="N-6f").wait_for()


def test_a_clock_that_runs_out_is_not_held_up(page: Any, server: Server) -> None:
    coached(page, server, time="15s")
    jump(page, "6f")
    page.locator("#moves .move", has_text="N-6f").wait_for()


def test_a_server_that_does_not_answer_holds_nothing_up(page: Any, server: Server) -> None:
    coached(page, server)
    page.route("**/api/positions/warning", lambda _route: None)  # left without an answer
    jump(page, "6f")
    page.locator("#moves .move", has_text="N-6f").wait_for()


def test_a_typed_move_is_asked_about_too(page: Any, server: Server) -> None:
    coached(page, server)
    page.locator("#text").fill("N-6f")
    page.locator("#text").press("Enter")
    expect(page.locator("#coach p")).to_have_text(HANGS)
    click_until(page, "#coach [data-answer=play]", "#moves .move >> nth=0")


def test_the_computer_says_why_it_moved(screen: Any, server: Server) -> None:
    sit(screen, server, keep(make(server, "shogi", "level10", position=FORK)))
    screen.locator("#why:enabled").wait_for()
    click_until(screen, "#why", "#notice", has_text="It takes your gold general.")
    in_sight(screen, "#notice", "#board .board-svg", "#why")
    assert complaints(screen) == []


def test_there_is_no_coach_between_people(page: Any, server: Server) -> None:
    page.goto(server.page(keep(make(server, "shogi", "open"))))
    page.locator("#board .board-svg").wait_for()
    expect(page.locator("#why")).to_be_hidden()


def test_in_japanese(window: Any, server: Server) -> None:
    page = window(locale="ja-JP", viewport=PHONE)
    coached(page, server)
    jump(page, "6f")
    expect(page.locator("#coach p")).to_have_text(
        "６六の桂が浮いてしまいます。６五の歩に取られます。それでも指しますか。"
    )
