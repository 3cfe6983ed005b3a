"""The client in a real browser, played by clicks and keys as a person plays."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

import komadai
from helpers.web.browsing import (
    PHONE,
    begin,
    choose,
    click_path,
    enter,
    in_sight,
    mirror,
    played,
    resign,
    tap,
    wait_for_turn,
)
from helpers.web.served import Server
from helpers.web.steps import click, click_until, press, press_until, refill, reload_until, visit


def play_to_the_end(page: Any, variant: str, after_move: Callable[[int], None]) -> str:
    """Play a whole game by clicks, with the engine's advice; the result as the page says it."""
    adviser = komadai.Engine(variant, seed=1)
    for turn in range(150):
        game = mirror(page, variant)
        advice = adviser.search(game.position, nodes=3000).move
        assert advice is not None
        click_path(page, game, advice)
        after_move(turn)
        wait_for_turn(page, len(game.moves) + 1)
        if page.locator("body.over").count():
            return str(page.locator("#headline").text_content())
    pytest.fail("no result after 150 moves")


@pytest.mark.smoke
@pytest.mark.outage
def test_a_whole_game_of_nana_by_clicks_survives_the_killed_server(page: Any, start: Callable[..., Server]) -> None:
    server = start()
    begin(page, server, "nana", "easy")
    killed = []

    def kill(turn: int) -> None:
        """Kill the server in mid-game, at once after a move: the computer's answer is still to come, or just made."""
        if turn != 1:
            return
        page.locator("#moves li:nth-child(3)").wait_for()
        server.end(signal.SIGKILL)
        killed.append(turn)
        page.locator("body.offline").wait_for()
        start(server.port)
        page.locator("body:not(.offline)").wait_for()

    result = play_to_the_end(page, "nana", kill)
    assert killed
    assert re.match(r"(Black|White) wins: |Draw: ", result)
    expect(page.locator("#verdict")).to_have_text(re.compile("^(You win|You lose|A draw)$"))
    assert str(mirror(page, "nana").outcome()) == result
    reload_until(page, "body.over")
    expect(page.locator("#headline")).to_have_text(result)


@pytest.mark.outage
def test_what_is_taken_up_stays_so_when_the_line_comes_back(page: Any, start: Callable[..., Server]) -> None:
    server = start()
    begin(page, server, "shogi", "human")
    page.locator('[data-at="7g"]').click()
    server.end(signal.SIGKILL)
    page.locator("body.offline").wait_for()
    start(server.port)
    page.locator("body:not(.offline)").wait_for()
    page.wait_for_timeout(500)  # the server's word on what was missed: nothing
    click_until(page, '[data-at="7f"]', "#moves li", has_text="P-7f")


@pytest.mark.parametrize(
    ("variant", "moves", "numbered"), [("nana", "K*1a K*3c", [True, False]), ("shogi", "7g7f 3c3d", [True, True])]
)
def test_moves_are_numbered_as_the_rules_page_says(
    page: Any, server: Server, variant: str, moves: str, numbered: list[bool]
) -> None:
    begin(page, server, variant, "human")
    enter(page, *moves.split())
    shown = page.locator("#moves li").evaluate_all("list => list.map(li => getComputedStyle(li, '::before').content)")
    assert [content != "none" for content in shown] == numbered


def test_the_promotion_chooser_promotes_or_stays(page: Any, server: Server) -> None:
    begin(page, server, "shogi", "human")
    enter(page, "7g7f", "3c3d")
    tap(page, "8h", "2b")
    expect(page.locator(".chooser .choice-note").last).to_have_text("stay")
    page.keyboard.press("Escape")
    expect(page.locator(".chooser")).to_be_hidden()
    expect(page.locator(".marks .ring"), "one step back: the piece is still taken up").to_have_count(1)
    click(page, '[data-at="2b"]', '[data-choice="+B"]')
    page.locator("#moves li:nth-child(3)").wait_for()
    expect(page.locator("#moves li").last).to_have_text("Bx2b+")
    expect(page.locator('.tray[data-side="b"] [data-code="B"]')).to_have_attribute(
        "aria-label", "Black's hand: bishop, 1"
    )


@pytest.mark.smoke
def test_moves_by_keyboard_alone(page: Any, server: Server) -> None:
    begin(page, server, "shogi", "human")
    enter(page, "P-7f", "3c3d")
    page.locator("#board svg").focus()
    press(page, "ArrowUp", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight")
    expect(page.locator("#spoken")).to_have_text("2g: Black’s pawn")
    press(page, "Enter", "ArrowUp", "Enter")
    played(page, "P-7f", "P-3d", "P-2f")
    press_until(page, "u", "#moves li:nth-child(3)", state="detached")
    page.keyboard.press("f")
    expect(page.locator("#tray-near")).to_have_attribute("data-side", "w")


def test_a_drop_and_a_promotion_by_keyboard_alone(page: Any, server: Server) -> None:
    begin(page, server, "shogi", "human")
    enter(page, "7g7f", "3c3d", "8h2b+", "3a2b")
    page.keyboard.press("d")
    assert page.evaluate("document.activeElement.dataset.code") == "B"
    press(page, "Enter", "ArrowUp", "ArrowUp", "Enter")
    page.locator("#moves li:nth-child(5)").wait_for()
    enter(page, "5a4b")
    page.locator("#board svg").focus()
    press(page, "Enter", "ArrowUp", "ArrowRight", "Enter", "2")
    page.locator("#moves li:nth-child(7)").wait_for()
    assert page.locator("#moves li").all_text_contents()[4:] == ["B*5d", "K-4b", "Bx4c="]
    assert page.evaluate("document.activeElement.matches('#board svg')"), "the keyboard is back on the board"


def test_the_list_of_continuations_is_enough_to_play(page: Any, server: Server) -> None:
    begin(page, server, "nana", "human")
    page.locator("#doing summary").click()
    turns = (("to 1a",), ("to 3c",), ("Drop rook", "as go-between", "to 2a"))  # the kings are taken up already
    for number, turn in enumerate(turns, 1):
        for words in turn:
            page.locator("#next").get_by_text(words, exact=True).click()
        page.locator(f"#moves li:nth-child({number})").wait_for()
    played(page, "K*1a", "K*3c", "GB*2a")


def test_an_illegal_tap_is_answered_in_words(page: Any, server: Server) -> None:
    begin(page, server, "nana", "human")
    page.locator('[data-at="2b"]').click()  # the king is taken up already
    page.locator("#notice", has_text="nothing may be dropped on the centre 2b").wait_for()
    click_until(page, '.tray[data-side="b"] [data-code="R"]', "#notice", has_text="cannot be dropped anywhere now")
    click_until(page, '[data-at="1a"]', "#notice", has_text="the first move must drop the king")
    refill(page, "K*9z")
    page.locator("#notice", has_text="9z is not a square").wait_for()
    expect(page.locator("#text"), "what was typed is kept to be mended").to_have_value("K*9z")


def test_white_sits_below_when_the_person_plays_white(page: Any, server: Server) -> None:
    begin(page, server, "nana", "easy", side="w")
    wait_for_turn(page, 0)
    expect(page.locator("#tray-near")).to_have_attribute("data-side", "w")
    expect(page.locator("#headline")).to_have_text("King: drop it where?")
    top = page.locator('[data-at="3c"]').bounding_box()
    bottom = page.locator('[data-at="1a"]').bounding_box()
    assert top["y"] < bottom["y"]
    assert bottom["x"] < top["x"]


def test_resigning_play_again_and_continuing_from_the_first_page(page: Any, server: Server) -> None:
    begin(page, server, "nana", "medium")
    resign(page)
    page.locator("#verdict", has_text="You lose").wait_for()
    expect(page.locator("#headline")).to_have_text("White wins: Black resigned")
    first = page.url
    page.locator("#again").click()
    page.wait_for_url(lambda url: "/game/" in url and url != first)
    page.locator("#plate-near", has_text="White").wait_for()
    again = page.url
    page.goto(server.url)
    page.get_by_role("link", name="Continue").click()
    page.wait_for_url(again)


def test_letters_instead_of_kanji_are_remembered(page: Any, server: Server) -> None:
    begin(page, server, "shogi", "human")
    expect(page.locator("#board .piece text").first).to_have_text("香")
    choose(page, "pieces", "letters")
    expect(page.locator("#board .piece text").first).to_have_text("L")
    reload_until(page, "#board .piece text")
    expect(page.locator("#board .piece text").first).to_have_text("L")


def test_a_game_that_does_not_exist_is_said(page: Any, server: Server) -> None:
    visit(page, server, "/game/nowhere", "#headline", has_text="There is no game of that name here.")


@pytest.mark.parametrize("variant", ["nana", "shogi", "mortal", "hand"])
def test_a_phone_shows_the_whole_board_and_takes_taps(page: Any, server: Server, variant: str) -> None:
    page.set_viewport_size(PHONE)
    begin(page, server, variant, "human")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"], "nothing to scroll sideways"
    in_sight(page, "#board svg", "#tray-near", "#tray-far", "#headline")
    game = komadai.Game(variant)
    before = page.locator("#board svg").bounding_box()
    click_path(page, game, sorted(game.position.legal_moves(), key=str)[0])
    page.locator("#moves li").wait_for(state="attached")
    assert page.locator("#board svg").bounding_box() == before, "the board must not shift"
    for slot in page.locator("#tray-near .slot").all():
        assert slot.bounding_box()["height"] >= 44
        assert slot.bounding_box()["width"] >= 24


def test_a_piece_can_be_dragged_with_the_mouse(page: Any, server: Server) -> None:
    begin(page, server, "shogi", "human")
    page.locator('[data-at="7g"]').drag_to(page.locator('[data-at="7f"]'))
    page.locator("#moves li:nth-child(1)").wait_for()
    page.locator('[data-at="3c"]').drag_to(page.locator('[data-at="3e"]'))
    page.locator("#notice", has_text="3c3e is not legal").wait_for()
    page.locator('[data-at="3c"]').drag_to(page.locator('[data-at="3d"]'))
    page.locator("#moves li:nth-child(2)").wait_for()
    page.locator('[data-at="8h"]').drag_to(page.locator('[data-at="2b"]'))
    page.locator('[data-choice="B"]').click()
    played(page, "P-7f", "P-3d", "Bx2b=")


@pytest.mark.parametrize("size", [(320, 568), (844, 390), (820, 1180), (768, 1024), (1024, 768), (1920, 1080)], ids=str)
def test_the_board_fits_every_window(page: Any, server: Server, size: tuple[int, int]) -> None:
    width, height = size
    page.set_viewport_size({"width": width, "height": height})
    begin(page, server, "shogi", "human")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator("#board svg").bounding_box()["width"] >= min(width - 20, 290)
    in_sight(page, "#board svg")
