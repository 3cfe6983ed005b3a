"""What goes wrong for someone new, in a real browser: it is said calmly, and there is a way on."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

import komadai
from helpers.web.browsing import PHONE, choose
from helpers.web.meeting import Meeting
from helpers.web.screens import command, sit, table
from helpers.web.served import TOKENS, Server
from helpers.web.steps import click, click_until, visit


def test_an_address_with_nothing_there_leads_to_the_games(page: Any, server: Server) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.route("**/new/zzz", lambda route: route.fulfill(response=route.fetch(), status=200))  # no error in the console
    visit(page, server, "/new/zzz", "main", has_text="Unknown variant 'zzz'")
    click_until(page, 'main a:has-text("To the games")', ".card")


def test_a_closed_dialog_of_studies_leaves_a_way_on(page: Any, server: Server) -> None:
    visit(page, server, "/study", "#opening[open]")
    click_until(page, "#open-close", ".nothing", has_text="No study is open.")
    page.locator("#open-again").click()
    click_until(page, '#open-games a:has-text("Standard shogi")', "#next button")
    expect(page.locator(".nothing")).to_be_hidden()


def test_the_mated_king_is_marked(page: Any, server: Server) -> None:
    table(page, server, "shogi", "G*5b", position="4k4/9/4P4/9/9/9/9/9/4K4 b G")
    page.locator("body.over").wait_for()
    king = page.locator('#board [data-at="5a"]').first.bounding_box()
    mark = page.locator("#board .check").bounding_box()
    assert abs(mark["x"] - king["x"]) < king["width"] / 2
    assert abs(mark["y"] - king["y"]) < king["height"] / 2


def test_a_time_as_people_write_it_is_read_at_the_field(page: Any, server: Server) -> None:
    page.goto(f"{server.url}/new/shogi")
    page.locator('label:has(input[name="time"][value="other"])').click()
    said = page.locator("#time-read")
    page.locator("#own-time").fill("a while")
    page.locator("#time-read.notice", has_text="expected a form such as 10m").wait_for()
    page.locator("#own-time").fill("５ Minutes")
    page.locator("#time-read:not(.notice)", has_text="5 min").wait_for()
    page.locator("#own-time").fill("")
    page.wait_for_function("() => !document.getElementById('time-read').textContent")
    page.locator("#own-time").fill("5 min + 3")
    page.locator("#time-read", has_text="5 min + 3 s more a move").wait_for()
    expect(said).to_be_visible()
    click_until(page, "#start", "#clock-near", has_text="5:00")


def test_a_curious_tap_is_answered_by_the_card(page: Any, server: Server) -> None:
    page.set_viewport_size(PHONE)
    table(page, server, "shogi")
    click_until(page, '#board [data-at="3c"]', "#notice.news", has_text="That is White’s pawn")
    page.locator("#card.sheeted", has_text="One step straight forward").wait_for()
    box = page.locator("#card").bounding_box()
    assert box["y"] + box["height"] <= PHONE["height"], "the card is on the screen"
    click_until(page, '#board [data-at="5e"]', "#notice.news", has_text="There is no piece at 5e")
    expect(page.locator("#card.sheeted")).to_have_count(0)


def test_who_waits_for_a_friend_is_not_told_to_move(page: Any, server: Server) -> None:
    page.goto(f"{server.url}/new/shogi")
    click(page, 'label:has(input[value="open"])', "#start")
    page.locator("#headline", has_text="The other player has not come yet.").wait_for()
    expect(page.locator(".plate.to-move")).to_have_count(0)
    assert "Your turn" not in page.locator("body").inner_text()


@pytest.mark.parametrize("locale", ["en", "ja"])
def test_the_words_of_a_name_plate_are_whole(window: Any, server: Server, locale: str) -> None:
    page = window(locale=locale)
    sit(page, server, server.game("shogi", w="level3"))
    for width, height in ((390, 844), (844, 390), (820, 1180), (1024, 700), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        lines = """() => [...document.querySelectorAll(".plate")].flatMap((plate) =>
          [...plate.childNodes].filter((node) => node.nodeType === 3).flatMap((node) =>
            [...node.data.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
              const range = new Range();
              range.setStart(node, index);
              range.setEnd(node, index + word.length);
              return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
            }).map(([word]) => word)))"""
        assert page.evaluate(lines) == [], (width, height)


def test_with_letters_chosen_no_kanji_stand_beside_the_board(page: Any, server: Server) -> None:
    table(page, server, "ko")
    expect(page.locator("#standing-near .need-piece").first).to_have_text("将")
    choose(page, "pieces", "letters")
    page.locator("#standing-near .need-piece", has_text="+MA").wait_for()
    shown = page.locator(".standing .need-piece").all_text_contents()
    assert len(shown) == 12
    assert all(text.isascii() for text in shown), shown


@pytest.mark.parametrize("game", [name for name in komadai.variants(shelf=False) if komadai.variant(name).hand_order])
def test_the_stock_of_the_editor_covers_no_hand(page: Any, server: Server, game: str) -> None:
    page.set_viewport_size(PHONE)
    visit(page, server, f"/edit/{game}", "#fine:not(:empty), #defects li")
    hand, stock = page.locator("#hand-near").bounding_box(), page.locator(".stock").bounding_box()
    assert hand["y"] + hand["height"] <= stock["y"]
    small = page.locator(".hand-row button").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).filter(({width, height}) => Math.min(width, height) < 24)"
    )
    assert small == []


def test_the_coordinates_of_a_zoomed_board_stand_on_a_strip(page: Any, server: Server) -> None:
    page.set_viewport_size(PHONE)
    table(page, server, "ko")
    assert not page.locator(".label-strip").get_attribute("d"), "the whole board has a rim of its own"
    for _ in range(3):
        page.keyboard.press("+")
    page.locator("#board .moved").wait_for()
    board, rank = page.locator("#board .wood").bounding_box(), page.locator(".labels").last.bounding_box()
    strip = page.locator(".label-strip").bounding_box()
    assert strip["x"] + strip["width"] >= rank["x"] + rank["width"]
    assert abs(strip["width"] - board["width"]) < 2
    kinds = page.locator("#board svg > *").evaluate_all("all => all.map(one => one.getAttribute('class'))")
    assert kinds.index("label-strip") < kinds.index("labels"), "the strip is over the pieces and under the names"


def test_choices_close_where_the_tap_that_follows_is_illegal(page: Any, server: Server) -> None:
    page.set_viewport_size(PHONE)
    visit(page, server, "/learn/ki/drop", "#next button", state="attached")
    page.locator('.tray[data-side="b"] .slot.live').first.click()
    page.locator(".chooser:not([hidden])").wait_for()
    pieces = page.evaluate("""() => [...document.querySelectorAll("#board .hit")].filter((hit) => {
      const { left, top, width, height } = hit.getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + height / 2) === hit;
    }).map((hit) => hit.dataset.at)""")
    click_until(page, f'#board [data-at="{pieces[0]}"]', "#notice:not(:empty), #feedback:not(:empty)")
    expect(page.locator(".chooser")).to_be_hidden()
    table(page, server, "nana", "K*1a", "K*3c")
    click_until(page, '.tray[data-side="b"] [data-code="R"]', ".chooser:not([hidden])")
    click_until(page, '#board [data-at="3c"]', "#notice:not(:empty)")
    expect(page.locator(".chooser")).to_be_hidden()


_UPON = """() => {
  const upon = (one, other) =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  const parts = ["#line", ".brand", ".bar h1", "#match", ".bar .tools", "main"].map((name) => {
    const { left, right, top, bottom, width } = document.querySelector(name).getBoundingClientRect();
    return { name, left, right, top, bottom, width };
  }).filter(({ width }) => width);
  return parts.flatMap((one, at) =>
    parts.slice(at + 1).filter((other) => upon(one, other)).map((other) => `${one.name} ${other.name}`));
}"""


def test_the_bar_covers_nothing_with_and_without_a_connection(page: Any, server: Server) -> None:
    for variant in ("hand", "ki-unicorn"):  # a match of games, and a long title
        table(page, server, variant)
        for lost in (False, True):
            if lost:
                page.evaluate("""async () => {
                  const { showConnection } = await import("/static/js/game/connection.js");
                  showConnection(false);
                }""")
                page.locator("#line", has_text="Connection lost").wait_for()
            for width, height in (
                (1280, 800),
                (1024, 700),
                (820, 1180),
                (844, 390),
                (640, 400),
                (390, 844),
                (320, 568),
            ):
                page.set_viewport_size({"width": width, "height": height})
                assert page.evaluate(_UPON) == [], (variant, lost, width, height)
                assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_question_that_no_longer_stands_is_taken_back(page: Any, server: Server) -> None:
    """The game ends while it is asked; or a friend comes while one asks to call the game off, and would win by it."""
    game = server.game("shogi")
    sit(page, server, game)
    click_until(page, "#resign", "#sure[open]")
    command(server, game, "resign")
    page.locator("body.over").wait_for()
    expect(page.locator("#sure")).to_be_hidden()

    meeting = Meeting(server, "shogi")
    TOKENS[meeting.game] = meeting.tokens["b"]
    sit(page, server, meeting.game)
    click_until(page, "#resign", "#sure[open]", has_text="Call this game off?")
    assert meeting.accept("Ann").status_code == 200
    page.locator("#plate-far", has_text="Ann").wait_for()
    expect(page.locator("#sure")).to_be_hidden()
    click_until(page, "#resign", "#sure[open]", has_text="Resign this game?")


def test_an_invitation_to_nothing_asks_for_no_name_and_leads_on(page: Any, server: Server) -> None:
    visit(page, server, "/join#none.nothing", "#notice", has_text="This invitation belongs to no game on this server.")
    expect(page.locator("#name")).to_be_hidden()
    expect(page.locator("#start")).to_be_hidden()
    click_until(page, 'main a:has-text("To the games")', ".card")
