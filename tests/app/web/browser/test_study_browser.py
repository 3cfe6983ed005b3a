"""Values, blunders and puzzles on the page of a solved game."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from playwright.sync_api import expect

import komadai
from helpers.web.browsing import PHONE, begin, enter, mirror, resign, wait_for_turn
from helpers.web.served import Server
from helpers.web.steps import click_until, press_until, visit
from komadai import solve
from komadai.app.web.presenter import encode
from komadai.app.web.schema import model, solved

BLUNDER = ("K*1b", "K*3b", "1b1a")  # the third move throws the win away


def shown(page: Any) -> list[tuple[str, str]]:
    """The moves in the list of values, and what is said of each."""
    buttons = page.locator("#known button")
    return [(one.get_attribute("data-usi"), one.locator(".known-words").text_content()) for one in buttons.all()]


def expected(game: komadai.Game) -> list[tuple[str, str]]:
    verbs = {"win": "wins", "draw": "draws", "loss": "loses"}
    moves = solve.open(game.variant.id).moves(game.position)
    said = [(m, verbs[m.value.outcome] + (f" in {m.value.distance}" if m.value.distance else "")) for m in moves]
    return [(str(m.move), words + (", best" if m.best else "")) for m, words in said]


def wait_for_values(page: Any, text: str) -> None:
    page.locator("#value", has_text=text).wait_for()


def test_values_are_off_until_they_are_asked_for_and_then_remembered(page: Any, server: Server) -> None:
    begin(page, server, "nana", "human")
    enter(page, *BLUNDER)
    expect(page.locator("#values-button")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#values")).to_be_hidden()
    expect(page.locator(".value-sign, .blunder")).to_have_count(0)
    page.locator("#values-button").click()
    wait_for_values(page, "White wins in 75 plies")
    page.reload()
    wait_for_values(page, "White wins in 75 plies")
    expect(page.locator("#values-button")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("v")
    expect(page.locator("#values")).to_be_hidden()
    expect(page.locator(".blunder")).to_have_count(0)


def test_the_page_shows_what_the_table_says_and_plays_it(page: Any, server: Server) -> None:
    begin(page, server, "nana", "human")
    page.keyboard.press("v")
    wait_for_values(page, "Black wins in 125 plies")
    for number in range(5):
        game = mirror(page, "nana")
        assert shown(page) == expected(game)
        page.locator("#known button").first.click()
        page.locator(f"#moves li:nth-child({number + 1})").wait_for()
        wait_for_values(page, f"Black wins in {124 - number} plies")


def test_values_may_be_asked_for_before_their_module_is_there(page: Any, server: Server) -> None:
    page.route("**/game/solved.js", lambda _route: None)
    with page.expect_request("**/game/solved.js"):
        begin(page, server, "nana", "human")
    page.keyboard.press("v")
    page.unroute("**/game/solved.js")  # lets it go on
    wait_for_values(page, "Black wins in 125 plies")


def test_targets_carry_the_sign_of_the_best_that_can_come_of_them(page: Any, server: Server) -> None:
    begin(page, server, "nana", "human")
    page.keyboard.press("v")
    wait_for_values(page, "Black wins")
    page.locator('.tray[data-side="b"] [data-code="K"]').click()
    signs = page.locator(".value-sign").evaluate_all("signs => signs.map(sign => sign.getAttribute('class'))")
    assert sorted(signs) == sorted(["value-sign win"] * 2 + ["value-sign draw"] + ["value-sign loss"] * 5)


def test_a_move_in_the_list_is_shown_on_the_board(page: Any, server: Server) -> None:
    begin(page, server, "nana", "human")
    enter(page, *BLUNDER)
    press_until(page, "v", "#known button")
    page.locator('#known button[data-usi^="3b"]').first.focus()
    expect(page.locator(".hint"), "from and to").to_have_count(2)
    page.locator('#known button[data-usi*="*"]').first.focus()
    expect(page.locator(".hint")).to_have_count(1)
    page.locator("#text").focus()
    expect(page.locator(".hint")).to_have_count(0)


def test_blunders_are_marked_while_values_are_shown_and_when_the_game_is_over(page: Any, server: Server) -> None:
    begin(page, server, "nana", "human")
    enter(page, *BLUNDER)
    page.keyboard.press("v")
    mark = page.locator("#moves li:nth-child(3) .blunder")
    mark.wait_for()
    expect(page.locator("#moves .blunder")).to_have_count(1)
    words = f"K-1a threw away a win in {_distance(*BLUNDER[:2])}: it loses in 76"
    expect(mark).to_have_attribute("title", words)
    expect(mark).to_have_attribute("aria-label", f"Blunder: {words}")
    mark.click()
    expect(page.locator("#slip")).to_have_text(f"{words}.")
    page.keyboard.press("v")
    expect(page.locator("#moves .blunder")).to_have_count(0)
    resign(page)
    mark.wait_for()
    page.locator("#undo").click()
    mark.wait_for(state="detached")


def _distance(*moves: str) -> int:
    game = komadai.Game("nana")
    for move in moves:
        game.push(move)
    value = solve.open("nana").probe(game.position)
    assert value is not None
    assert value.distance is not None
    return value.distance


@pytest.mark.parametrize("size", [(1280, 800), (PHONE["width"], PHONE["height"])], ids=str)
def test_a_puzzle_is_begun_and_its_first_move_accepted(page: Any, server: Server, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(server.url)
    page.locator('.card [data-variant="nana"]:not(details)').get_by_text("Puzzles").click()
    page.locator("#onward").get_by_text("Hardest wins").click()
    page.locator(".win").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]
    puzzles = solve.open("nana").hardest(1000)
    expect(page.locator(".win")).to_have_count(24)
    page.locator("#more").click()
    assert page.locator(".win").evaluate_all("all => all.map(one => one.dataset.position)") == [
        puzzle.position for puzzle in puzzles[:48]
    ]
    page.locator("#most").select_option("29")
    page.wait_for_function("document.querySelector('.win').textContent.includes('29 plies')")
    expect(page.locator("#count")).to_have_text(f"{sum(p.distance <= 29 for p in puzzles)} positions")
    page.locator("#most").select_option("")
    page.locator("#only").check()
    only = [puzzle for puzzle in puzzles if puzzle.winning == 1]
    expect(page.locator("#count")).to_have_text(f"{len(only)} positions")
    puzzle = only[1]
    card = page.locator(f'.win[data-position="{puzzle.position}"]')
    expect(card).to_contain_text(f"Black to move wins in {puzzle.distance} plies")
    card.click()
    page.locator("#headline", has_text=f"Hardest win: win in {puzzle.distance} plies.").wait_for()
    expect(page.locator("#plate-far")).to_contain_text("level 10")
    position = komadai.Position("nana", puzzle.position)
    enter(page, str(solve.open("nana").moves(position)[0].move))
    wait_for_turn(page, 1)
    expect(page.locator("#headline")).not_to_contain_text("Hardest win")
    page.keyboard.press("v")
    wait_for_values(page, f"Black wins in {puzzle.distance - 2} plies")


def test_a_puzzle_played_again_begins_from_the_same_position_and_side(page: Any, server: Server) -> None:
    page.goto(f"{server.url}/hardest/nana")
    page.locator(".win").first.click()
    page.locator("#headline", has_text="Hardest win").wait_for()
    first = page.url
    resign(page)
    page.locator("#again").click()
    page.wait_for_url(lambda url: "/game/" in url and url != first)
    page.locator("#headline", has_text="Your turn. Hardest win").wait_for()


def test_the_setup_of_a_solved_game_leads_to_its_puzzles_and_others_offer_none(page: Any, server: Server) -> None:
    page.goto(f"{server.url}/new/nana")
    page.get_by_role("link", name="Hardest wins").click()
    page.locator(".win").first.wait_for()
    begin(page, server, "shogi", "human")
    expect(page.locator("#values-button")).to_be_hidden()
    page.keyboard.press("v")
    expect(page.locator("#values")).to_be_hidden()


def test_a_hardest_win_on_an_unbounded_board_is_seen_as_a_whole(page: Any, server: Server) -> None:
    variant = komadai.variant("ki")
    game = komadai.Game(variant)
    for text in ("K*5e", "K*5c", "HI*6f", "GA*5b", "6f6b"):
        game.push(text)
    pieces = encode.pieces(variant, game.position.setup())
    win = model.extended(solved.HardestWin, pieces, position=game.position.sfen(), distance=1, winning=1, turn="w")
    wins = msgspec.json.encode(solved.HardestWins(encode.variant(variant), [win]))
    page.route("**/api/hardest/nana", lambda route: route.fulfill(body=wins, content_type="application/json"))
    page.goto(f"{server.url}/hardest/nana")  # whatever is solved on this machine
    picture = page.locator(".win .board-svg")
    expect(picture.locator(".piece")).to_have_count(len(pieces.board))
    field = picture.bounding_box()
    for piece in picture.locator(".piece").all():
        box = piece.bounding_box()
        assert field["x"] <= box["x"]
        assert field["y"] <= box["y"]
        assert box["x"] + box["width"] <= field["x"] + field["width"]
        assert box["y"] + box["height"] <= field["y"] + field["height"]


@pytest.mark.refused
def test_puzzles_of_an_unsolved_game_are_refused_in_words(page: Any, server: Server) -> None:
    visit(page, server, "/hardest/shogi", ".asks", has_text="is not solved here")


@pytest.mark.parametrize("size", [(1280, 800), (PHONE["width"], PHONE["height"])], ids=str)
def test_values_fit_the_window_and_can_be_hit(page: Any, server: Server, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    begin(page, server, "nana", "human")
    board = page.locator("#board svg").bounding_box()
    enter(page, *BLUNDER)
    click_until(page, "#values-button", "#known button")
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]
    page.evaluate("scrollTo(0, 0)")
    assert page.locator("#board svg").bounding_box() == board, "the board must not shift"
    for one in [*page.locator("#known button").all(), page.locator(".blunder")]:
        box = one.bounding_box()
        assert min(box["width"], box["height"]) >= 24
        assert box["x"] + box["width"] <= size[0]
