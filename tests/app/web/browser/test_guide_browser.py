"""The guide on the page of a game: its line, its marks, the reach of a piece, and where it is not offered."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from helpers.web.browsing import PHONE, at, click_path, in_sight, mirror
from helpers.web.fingers import Fingers, middle
from helpers.web.inspecting import complaints
from helpers.web.screens import at_ko, make, sit, table
from helpers.web.served import Server, keep
from helpers.web.steps import click_until, press_until, reload_until, typed

HANGING = "lnsgk1snl/6gb1/p1pppp1pp/6p2/1r5P1/2P6/P1BPPPP1P/7R1/LNSGKGSNL b Pp"
"""White's rook attacks a knight that nothing protects."""
SAID = "Your knight on 8i hangs: it can be taken by the rook on 8e."
GAMES: dict[str, dict[str, Any]] = {
    "nana": {},
    "ki": {},
    "shogi": {"position": HANGING},
    "ko": at_ko("LB 5k, lb 11h, +en 13i, CM 8g"),
}


@pytest.fixture(params=["page", "phone"], ids=["desktop", "phone"])
def screen(request: pytest.FixtureRequest) -> Any:
    """The page of a desktop and of a phone."""
    return request.getfixturevalue(request.param)


def against(page: Any, server: Server, variant: str, level: str = "level1", **asked: Any) -> None:
    sit(page, server, keep(make(server, variant, level, **asked)))


@pytest.mark.parametrize("game", GAMES)
def test_it_stands_at_the_board_above_the_fold(screen: Any, server: Server, game: str) -> None:
    against(screen, server, game, **GAMES[game])
    screen.locator("#guide-says:not(:empty)").wait_for()
    in_sight(screen, "#guide-says", "#board .board-svg", "#guide-button")
    assert complaints(screen) == []


def test_typed_it_answers_with_all_that_matters(page: Any, server: Server) -> None:
    against(page, server, "shogi", "level9", position=HANGING)
    expect(page.locator("#guide")).to_be_hidden()
    for _again in range(2):
        typed(page, "guide")
        page.wait_for_function(
            """(said) => {
          const lines = [...document.querySelectorAll("#log p")].map((line) => line.textContent);
          return lines.lastIndexOf(said) > lines.lastIndexOf("guide");
        }""",
            arg=SAID,
        )
        expect(page.locator("#guide-says")).to_have_text(SAID)
        page.keyboard.press("Escape")


def test_a_hanging_piece_is_marked_and_the_reach_of_its_attacker_shown(screen: Any, server: Server) -> None:
    against(screen, server, "shogi", position=HANGING)
    screen.locator("#guide-says", has_text=SAID).wait_for()
    assert screen.locator("#board [data-danger]").evaluate_all("all => all.map((one) => one.dataset.danger)") == ["8i"]
    if screen.viewport_size == PHONE:
        fingers = Fingers(screen)
        fingers.press(middle(screen, at("8e")))
        screen.locator('#board [data-reach="8i"]').wait_for()
        fingers.lift()
        expect(screen.locator("#card.sheeted")).to_be_visible()
    else:
        screen.locator(at("8e")).hover()
    expect(
        screen.locator("#board [data-reach]"), "as far as the rook goes, the knight's square included"
    ).to_have_count(14)
    screen.locator("#headline").click()
    if screen.viewport_size != PHONE:
        screen.locator("#board [data-reach]").first.wait_for(state="detached")
    click_until(screen, at("2h"), "#board [data-reach]", state="detached")


def test_it_tells_the_computers_move(page: Any, server: Server) -> None:
    against(page, server, "nana")
    page.locator("#guide-says", has_text="Drop your king").wait_for()
    game = mirror(page, "nana")
    click_path(page, game, game.position.legal_moves()[0])
    page.locator("#guide-last", has_text="White: ").wait_for()
    expect(page.locator("#guide-last")).to_contain_text("king dropped at")
    expect(page.locator("#guide-says")).not_to_be_empty()


def test_it_is_for_the_weakest_levels_until_something_else_is_chosen(page: Any, server: Server) -> None:
    easy, hard = (keep(make(server, "shogi", level, position=HANGING)) for level in ("level3", "level4"))
    sit(page, server, hard)
    expect(page.locator("#guide")).to_be_hidden()
    click_until(page, "#guide-button[aria-pressed=false]", "#guide-says", has_text=SAID)
    sit(page, server, easy)
    page.locator("#guide-says", has_text=SAID).wait_for()
    press_until(page, "g", "#guide", state="hidden")
    expect(page.locator("#board [data-danger]")).to_have_count(0)
    reload_until(page, "#guide-button[aria-pressed=false]")
    expect(page.locator("#guide")).to_be_hidden()


def test_two_people_have_it_at_one_screen_only(page: Any, server: Server) -> None:
    table(page, server, "shogi", position=HANGING)
    click_until(page, "#guide-button", "#guide-says", has_text=SAID)
    apart = make(server, "shogi", "open", position=HANGING)
    page.goto(server.page(keep(apart)))
    page.locator("#board .board-svg").wait_for()
    expect(page.locator("#guide")).to_be_hidden()
    expect(page.locator("#guide-button")).to_be_hidden()
    page.keyboard.press("g")
    expect(page.locator("#guide")).to_be_hidden()


def test_in_japanese(window: Any, server: Server) -> None:
    page = window(locale="ja-JP", viewport=PHONE)
    against(page, server, "shogi", position=HANGING)
    page.locator("#guide-says", has_text="８九の桂が浮いています。８五の飛に取られます。").wait_for()
