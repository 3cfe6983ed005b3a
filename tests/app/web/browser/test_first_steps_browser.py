"""From the home page to the first move, as someone goes who follows what is on the screen."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

import komadai
from helpers.web.browsing import PHONE, enter
from helpers.web.screens import sit
from helpers.web.served import Server
from helpers.web.steps import click_until, press_until, reload_until, visit

MOST_CLICKS = 5


@pytest.mark.parametrize("game", ["nana", "ki"])
def test_the_first_move_is_few_clicks_away(page: Any, server: Server, game: str) -> None:
    clicks = 0

    def click(selector: str) -> None:
        nonlocal clicks
        page.locator(selector).first.click()
        clicks += 1

    page.goto(server.url)
    click(f'.card-game[data-variant="{game}"] .primary')
    page.locator('input[value^="level"]:checked').wait_for(state="attached")
    click("#start.primary")
    page.locator("#headline", has_text="drop it where?").wait_for()
    expect(page.locator(".tray .slot.selected"), "the piece that must be dropped is taken up").to_have_count(1)
    click("#board .hit.live")
    page.locator("#moves li").first.wait_for()
    assert clicks <= MOST_CLICKS


def test_the_piece_that_must_be_dropped_stays_taken_up(page: Any, server: Server) -> None:
    page.goto(server.page(server.game("nana")))
    king = page.locator('.tray[data-side="b"] [data-code="K"]')
    page.locator("#headline", has_text="King: drop it where?").wait_for()
    king.click()
    press_until(page, "Escape", "#headline", has_text="King: drop it where?")
    click_until(page, '#board [data-at="1a"]', "#moves li", has_text="K")


def test_home_goes_from_easy_to_hard_and_shows_no_empty_board(page: Any, server: Server) -> None:
    page.set_viewport_size(PHONE)
    visit(page, server, "/", ".card")
    shown = page.locator(".card-game").evaluate_all("games => games.map((game) => game.dataset.variant)")
    assert shown == ["shogi", "mortal", "nana", "hand", "ki", "ko"]
    expect(page.locator(".start-here")).to_have_count(1)
    expect(page.locator(".card.first .card-game")).to_have_attribute("data-variant", "shogi")
    expect(page.locator(".card").nth(5).locator(".piece"), "boards out of sight are not drawn").to_have_count(0)
    for card in page.locator(".card-game").all():
        card.scroll_into_view_if_needed()
        card.locator(".card-board .piece").nth(2).wait_for()
    for form, of in (("nana-1998", "nana"), ("ki-unicorn", "ki")):
        card = page.locator(".card", has=page.locator(f'[data-variant="{of}"]'))
        card.locator(f'details[data-variant="{form}"] summary').click()
        expect(card.locator(f'[data-variant="{form}"] a[href="/new/{form}"]')).to_be_visible()


def test_who_follows_start_here_comes_to_the_lessons_of_the_first_game(page: Any, server: Server) -> None:
    page.goto(server.url)
    page.locator(".start-here").click()
    page.wait_for_url("**/learn/shogi")
    page.locator("#onward a", has_text="Begin").or_(page.locator(".button.primary")).first.click()
    page.wait_for_url("**/learn/shogi/*")
    page.locator("#board .board-svg").wait_for()
    page.goto(server.url)
    page.get_by_role("link", name="Lessons", exact=True).click()
    page.locator(".course").nth(6).wait_for()


def test_the_boards_play_and_can_be_stopped(window: Any, server: Server) -> None:
    page = window(reduced_motion="no-preference")
    page.clock.install()
    visit(page, server, "/", ".card")
    board = page.locator('[data-variant="shogi"] .card-picture')
    page.wait_for_function("() => document.querySelectorAll('.card-picture').length > 5")

    def after(moves: int) -> str:
        page.clock.run_for(1600 * moves)
        return str(board.inner_html())

    first = after(5)
    assert after(3) != first
    page.locator("#pause-boards").click()
    still = after(1)
    assert after(3) == still


@pytest.mark.parametrize("name", komadai.variants(shelf=False))
def test_every_sample_is_a_game_that_goes_on(name: str) -> None:
    variant = komadai.variant(name)
    game = komadai.Game(variant)
    for move in variant.about.sample.split():
        game.push(move)
    assert game.outcome() is None
    assert variant.about.sample or variant.about.of
    assert 0 < variant.about.minutes[0] < variant.about.minutes[1]


def test_settings_are_seen_at_once_on_the_page_of_the_game(page: Any, server: Server) -> None:
    sit(page, server, server.game("shogi"))
    click_until(page, ".gear", "dialog.settings-sheet[open]")
    box = page.locator(".settings-sheet").bounding_box()
    assert box["y"] + box["height"] <= 800, "the sheet is scrolled, not the page under it"
    page.locator('.settings-sheet label:has(input[name="pieces"][value="letters"])').click()
    page.locator('#board .piece:has(.letters text:text-is("L"))').first.wait_for()
    expect(page.locator(".settings-sheet")).to_be_visible()
    press_until(page, "Escape", ".settings-sheet", state="hidden")
    click_until(page, '#board [data-at="7g"]', "#headline", has_text="Pawn: move it where?")


def test_the_list_of_moves_takes_the_height_that_is_left(page: Any, server: Server) -> None:
    sit(page, server, server.game("shogi"))
    enter(page, "7g7f", "3c3d")
    moves, actions = page.locator("#moves").bounding_box(), page.locator(".actions").bounding_box()
    assert moves["height"] > 150, "the moves take the height that is left"
    assert moves["y"] + moves["height"] <= actions["y"]
    expect(page.locator("#next"), "what can be done is folded").to_be_hidden()
    click_until(page, "#doing summary", "#next .chip")
    assert page.locator("#moves").bounding_box()["height"] < moves["height"]
    bottom = "() => { const list = document.querySelector('#moves'); return list.scrollHeight - list.clientHeight; }"
    assert page.evaluate(bottom) <= 0, "two moves are in sight all the same"
    reload_until(page, "#next .chip")
    enter(page, "6g6f")


def test_the_card_of_a_piece_goes_when_it_has_moved(page: Any, server: Server) -> None:
    sit(page, server, server.game("shogi"))
    click_until(page, '#board [data-at="7g"]', "#card:not([hidden])", has_text="pawn")
    resign = page.locator("#resign").bounding_box()
    page.locator('#board [data-at="7f"]').click()
    page.locator("#moves li").wait_for()
    expect(page.locator("#card")).to_be_hidden()
    assert page.locator("#resign").bounding_box() == resign, "buttons stay where they are"
    click_until(page, '#board [data-at="2g"]', "#card:not([hidden])", has_text="pawn")  # looked at, not moved


def test_a_bot_is_chosen_and_plays(page: Any, server: Server) -> None:
    page.goto(f"{server.url}/new/nana")
    page.locator("#fields summary", has_text="or a bot with a style of its own").click()
    page.locator("label", has_text="Boar · 4").click()
    page.locator("#fields label", has_text="White").click()
    click_until(page, "#start.primary", ".plate", has_text="Computer, Boar")
    page.locator("#moves li").first.wait_for()  # Black's, which is the bot's
