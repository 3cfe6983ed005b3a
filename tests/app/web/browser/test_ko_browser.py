"""Stones on crossing lines, turns of several landings and shots, and a large board on small screens, in a browser."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from helpers.web import fingers
from helpers.web.browsing import DESKTOP, PHONE, in_sight, named, played, tap, view
from helpers.web.fingers import Fingers, Place
from helpers.web.screens import at_ko, table
from helpers.web.served import Server
from helpers.web.steps import click_until, press
from komadai.spec.board import Side

TABLET = {"width": 820, "height": 1180}
both_sizes = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])

CROSSBOW = "CB 8k, c 7f, p 4j, sw 7l, sh 12j, D 9s, d 9a, TP 2s"
WRESTLER = "SW 10j, p 10i, e 11h, P 9j, D 9s"
FLAME = "+EN 10j, p 10h, c 11h, P 9h 12k, D 9s"
CANNON = "FC 10k, p 9g, lb 9e, cb 14j, D 9s"
NETS = "P 8h, CH 1g, C 2d 7s, D 6s, +ag 4d"


def show(
    page: Any, server: Server, pieces: str | None = None, turn: Side = "b", size: dict[str, int] = DESKTOP
) -> None:
    """Open a game of two people, at its start or with these pieces and a general of each side."""
    page.set_viewport_size(size)
    table(page, server, "ko", **({} if pieces is None else at_ko(pieces, turn)))


def go_to(page: Any, point: str) -> None:
    """Move the keyboard's cursor to a point by arrows."""
    data = page.locator("#spoken").text_content()
    if ":" not in data:
        press(page, "ArrowUp")
        data = page.locator("#spoken").text_content()
    here = data.partition(":")[0]
    files, ranks = int(here[:-1]) - int(point[:-1]), ord(point[-1]) - ord(here[-1])
    press(page, *["ArrowRight" if files > 0 else "ArrowLeft"] * abs(files))
    press(page, *["ArrowDown" if ranks > 0 else "ArrowUp"] * abs(ranks))
    assert page.locator("#spoken").text_content().startswith(f"{point}:")


def keys(page: Any, *points: str) -> None:
    """Choose points with the keyboard alone."""
    page.locator("#board svg.board-svg").focus()
    for point in points:
        go_to(page, point)
        press(page, "Enter")


def strip(page: Any) -> Any:
    return expect(page.locator("#strip"))


def middle(page: Any, point: str) -> Place:
    return fingers.middle(page, f'#board [data-at="{point}"]')


choosing = pytest.mark.parametrize("choose", [tap, keys], ids=["clicks", "keyboard"])


@choosing
def test_a_crossbow_steps_and_shoots(page: Any, server: Server, choose: Any) -> None:
    show(page, server, CROSSBOW)
    choose(page, "8k", "7j")
    expect(page.locator("#headline")).to_have_text("Crossbow: shoot, or done?")
    expect(page.locator("#board .halt"), "it may stop where it stands").to_have_count(1)
    expect(page.locator("#board path.aim"), "the shield cannot be shot").to_have_count(3)
    expect(page.locator("#board .slot.ghost")).to_have_count(1)
    press(page, "Escape")
    expect(page.locator("#board .slot.ghost")).to_have_count(0)
    expect(page.locator("#headline"), "one step back").to_have_text("Crossbow: move it where?")
    choose(page, "7j")
    if choose is keys:
        press(page, "Tab")
        expect(page.locator("#spoken")).to_have_text("7f: White’s cannon, can be shot")
        strip(page).to_have_text("takes 1")
        press(page, "Enter")
    else:
        page.locator('[data-at="7l"]').hover()
        strip(page).to_have_text("takes 1 · becomes crossbow cavalryman")
        choose(page, "7f")
    played(page, "CB-7j*7f")
    expect(page.locator("#board .last-shot")).to_have_count(1)
    assert named(page, "data-gone") == {"7f"}


@choosing
def test_a_shooter_may_leave_it_at_the_move(page: Any, server: Server, choose: Any) -> None:
    show(page, server, CROSSBOW)
    choose(page, "8k", "7j")
    strip(page).to_have_text("takes nothing")
    if choose is keys:
        press(page, "Enter")  # the cursor is on the piece
    else:
        page.get_by_role("button", name="Done").click()
    played(page, "CB-7j")


@choosing
def test_a_wrestler_takes_two_and_another_comes_back(page: Any, server: Server, choose: Any) -> None:
    show(page, server, WRESTLER)
    choose(page, "10j", "10i")
    expect(page.locator("#board .halt")).to_have_count(1)
    choose(page, "11h")
    played(page, "SWx10ix11h")
    press(page, "u")
    page.locator("#moves li").wait_for(state="detached")
    choose(page, "10j", "10i")
    expect(page.locator("#board .slot.captured")).to_have_count(1)
    choose(page, "10j")  # the start, where it comes back to
    played(page, "SWx!10i")
    assert named(page, "data-gone") == {"10i"}
    way = page.locator("#board .last-way")
    expect(way, "there and back").to_have_attribute("d", re.compile("[^L]*L[^L]*L[^L]*"))


def test_a_point_two_quiet_legs_away_can_be_tapped_at_once(page: Any, server: Server) -> None:
    show(page, server, WRESTLER)
    tap(page, "10j")
    assert page.locator("#board .far").count() > 8
    tap(page, "8l")
    played(page, "SW-8l")


@both_sizes
@choosing
def test_a_flame_that_burns_own_stones_asks_once(page: Any, server: Server, choose: Any, size: dict[str, int]) -> None:
    show(page, server, FLAME, size=size)
    choose(page, "10j")
    expect(page.locator("#board .flame.small"), "two ways cost own stones").to_have_count(2)
    if choose is tap:
        page.locator('[data-at="10i"]').hover()
        strip(page).to_have_text("burns 2 · burns 1 of yours")
        expect(page.locator("#strip .bad")).to_have_text("burns 1 of yours")
    choose(page, "10i")
    expect(page.locator(".chooser.question p")).to_have_text("Burns 1 of yours.")
    assert named(page, "data-costs") == {"9h"}
    assert named(page, "data-burns") == {"10h", "11h"}
    in_sight(page, ".chooser")
    press(page, "Escape")
    expect(page.locator(".chooser")).to_be_hidden()
    expect(page.locator("#headline"), "one step back").to_have_text("Poison flame: move it where?")
    assert named(page, "data-costs") | named(page, "data-burns") <= {"9h", "10h", "11h"}
    choose(page, "10i")
    press(page, "Enter")
    page.locator("#moves li").wait_for(state="attached")
    expect(page.locator("#board .slot")).to_have_count(5)
    assert named(page, "data-gone") == {"9h", "10h", "11h"}


@choosing
def test_a_piece_that_dies_where_it_lands_is_crossed_out(page: Any, server: Server, choose: Any) -> None:
    show(page, server, "SH 8j, +en 10h, D 9s")
    choose(page, "8j")
    expect(page.locator("#board .crossed")).to_have_count(1)
    choose(page, "9i")
    expect(page.locator(".chooser.question p")).to_have_text("The shield itself is lost.")
    expect(page.locator("#board .lost")).to_have_count(1)
    press(page, "Enter")
    page.locator("#moves li").wait_for(state="attached")
    assert named(page, "data-gone") == {"9i"}


@choosing
def test_a_frankish_cannon_shoots_twice_in_the_order_of_taps(page: Any, server: Server, choose: Any) -> None:
    show(page, server, CANNON)
    choose(page, "10k", "9j", "9g")
    expect(page.locator("#headline")).to_have_text("Frankish cannon: shoot again, or done?")
    expect(page.locator("#board .shot-number")).to_have_text("①")
    assert named(page, "data-taken") == {"9g"}
    press(page, "Backspace")
    expect(page.locator("#board .shot-number")).to_have_count(0)
    expect(page.locator("#headline"), "one step back").to_have_text("Frankish cannon: shoot, or done?")
    choose(page, "9g")
    choose(page, "9e")  # through the point that has become empty
    page.locator("#moves li").wait_for(state="attached")
    expect(page.locator("#board .last-shot")).to_have_count(2)
    assert named(page, "data-gone") == {"9g", "9e"}


def test_every_step_is_in_the_list_beside_the_board(page: Any, server: Server) -> None:
    show(page, server, CANNON)
    page.locator("#doing summary").click()
    for words in ("Frankish cannon 10k", "to 9j", "shoots pawn 9g"):
        page.locator("#next").get_by_text(words, exact=False).first.click()
    said = page.locator("#next .chip").all_text_contents()
    assert "shoots longbow 9e: takes 2" in said
    assert "stop here: takes 1" in said
    page.locator("#next").get_by_text("stop here").click()
    page.locator("#moves li").wait_for(state="attached")
    assert named(page, "data-gone") == {"9g"}


@choosing
def test_a_thunderclap_goes_five_steps_with_a_numbered_trail(page: Any, server: Server, choose: Any) -> None:
    show(page, server, "+D 10j, TP 2s, p 12h")
    choose(page, "10j", "10i", "11i")
    expect(page.locator("#board .leg-number")).to_have_text(["1", "2"])
    expect(page.locator("#done"), "it cannot stop before its fifth step").to_be_disabled()
    expect(page.locator("#board .halt")).to_have_count(0)
    press(page, "Escape")
    expect(page.locator("#board .leg-number")).to_have_count(0)
    choose(page, "11i", "11h", "12h", "12g")
    page.locator("#moves li").wait_for(state="attached")
    assert named(page, "data-gone") == {"12h"}


@choosing
def test_whether_to_turn_over_is_asked_at_the_end(page: Any, server: Server, choose: Any) -> None:
    show(page, server, "CB 8g, c 7c, D 9s")
    choose(page, "8g", "7f")
    choose(page, "7f")  # the same point again: stop here
    assert [one.get_attribute("data-choice") for one in page.locator(".chooser .choice").all()] == ["+CB", "CB"]
    press(page, "Escape")
    expect(page.locator(".chooser")).to_be_hidden()
    expect(page.locator("#headline"), "one step back").to_have_text("Crossbow: shoot, or done?")
    choose(page, "7c")
    expect(page.locator(".chooser .choice")).to_have_count(2)
    click_until(page, '[data-choice="+CB"]', "#moves li", state="attached")
    expect(page.locator("#board .piece .turned")).to_have_count(1)


def test_pieces_in_a_net_are_tinted_and_say_so(page: Any, server: Server) -> None:
    show(page, server, NETS)
    held = named(page, "data-held")
    assert {"8h", "1g", "2d"} <= held
    assert "7s" not in held
    tap(page, "8h")
    expect(page.locator("#notice")).to_contain_text("is held fast")


def test_the_bars_say_what_keeps_each_side_alive(page: Any, server: Server) -> None:
    show(page, server)
    near = page.locator("#standing-near")
    expect(near.locator(".need")).to_have_count(6)
    expect(near.locator(".need.has")).to_have_count(5)
    assert near.locator('[data-need="+MA"]').text_content().endswith("–")
    expect(near.locator(".alarm")).to_have_count(0)
    show(page, server, "CM 8k, d 7i, p 3c, D 9s")
    far = page.locator("#standing-far")
    assert far.locator(".way.only").text_content().startswith("将general")
    expect(far.locator('[data-need="D"].has')).to_have_count(1)
    tap(page, "8k")
    page.locator('[data-at="7i"]').hover()
    strip(page).to_contain_text("takes 1 · becomes cavalry")
    strip(page).to_contain_text("pawns stop")
    tap(page, "7i")
    far.locator('[data-need="D"].lacks').wait_for()
    expect(far).to_contain_text("(pawns stop)")


def test_the_card_of_a_piece(page: Any, server: Server) -> None:
    show(page, server)
    page.locator('[data-at="10q"]').hover()
    card = page.locator("#card")
    card.get_by_text("Frankish cannon").wait_for()
    expect(card.locator("svg.diagram .shot-end")).to_have_count(8)
    lines = card.locator("li").all_text_contents()
    assert any("1 to 7 points" in line for line in lines)
    assert any("shield unit" in line for line in lines)
    page.locator('[data-at="13s"]').hover()
    card.get_by_text("Sumo wrestler").wait_for()
    expect(card.locator("svg.diagram .later")).to_have_count(16)
    page.locator("#board svg.board-svg").focus()
    go_to(page, "10r")
    card.locator("strong", has_text="Middle troop").wait_for()


def test_a_tap_changes_only_what_it_must(page: Any, server: Server) -> None:
    show(page, server)
    expect(page.locator("#board .slot")).to_have_count(180)
    expect(page.locator("#board .hit")).to_have_count(361)
    page.evaluate(
        """() => {
          window.changed = 0;
          const look = new MutationObserver((all) => { window.changed += all.length; });
          for (const part of ['.pieces', '.hits', '.grid'])
            look.observe(document.querySelector('#board ' + part), { childList: true });
        }"""
    )
    tap(page, "10m")
    tap(page, "10l")
    played(page, "V-10l")
    assert page.evaluate("window.changed") <= 4, "no stone, point or line is drawn again"


@pytest.mark.parametrize("size", [DESKTOP, TABLET, PHONE], ids=["desktop", "tablet", "phone"])
def test_the_whole_board_fits_and_can_be_zoomed(page: Any, server: Server, size: dict[str, int]) -> None:
    show(page, server, size=size)
    assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
    in_sight(page, "#board svg.board-svg")
    whole = view(page)
    x, y = middle(page, "4p")
    page.mouse.move(x, y)
    page.mouse.wheel(0, -300)
    page.wait_for_function(f"document.querySelector('svg.board-svg').viewBox.baseVal.width < {whole[2] - 1}")
    expect(page.locator(".overview")).to_be_visible()
    before = view(page)
    x, y = middle(page, "4k")
    fingers.drag(page, (x, y), (x + 40, y + 30))
    assert view(page)[:2] != before[:2]
    expect(page.locator("#notice"), "a pan is no tap").to_have_text("")
    page.locator(".view-fit").click()
    assert view(page) == whole
    expect(page.locator(".overview")).to_be_hidden()
    for key, nearer in (("+", True), ("-", False), ("+", True), ("0", False)):
        press(page, key)
        assert (view(page)[2] < whole[2] - 1) == nearer
    for control in page.locator(".view-tools button").all():
        box = control.bounding_box()
        assert min(box["width"], box["height"]) >= 32


def test_small_boards_stay_as_they_are(page: Any, server: Server) -> None:
    page.set_viewport_size(PHONE)
    page.goto(server.page(server.game("shogi")))
    page.locator("#board svg.board-svg").wait_for()
    expect(page.locator(".view-tools, #compose:not([hidden]), .standing:not([hidden])")).to_have_count(0)


def test_fingers_find_small_stones(phone: Any, server: Server) -> None:
    show(phone, server, size=PHONE)
    whole = view(phone)
    finger = Fingers(phone)

    # A tap comes nearer, a second acts, and after the move all is seen again.
    phone.touchscreen.tap(*middle(phone, "10m"))
    assert view(phone)[2] < whole[2] / 2
    expect(phone.locator("#headline")).to_have_text("Black to move.")
    box = phone.locator('[data-at="10m"]').bounding_box()
    assert min(box["width"], box["height"]) >= 44
    phone.touchscreen.tap(*middle(phone, "10m"))
    phone.locator("#headline", has_text="Vanguard: move it where?").wait_for()
    phone.touchscreen.tap(*middle(phone, "10l"))
    played(phone, "V-10l")
    assert view(phone) == whole

    # A finger that stays has a loupe, and chooses when it is lifted.
    x, y = middle(phone, "10g")
    finger.press((x + 14, y))
    phone.locator(".loupe").wait_for()
    finger.move((x, y))
    phone.locator(".loupe", has_text="10g White’s vanguard").wait_for()
    finger.lift()
    phone.locator("#headline", has_text="Vanguard: move it where?").wait_for()
    expect(phone.locator(".loupe")).to_be_hidden()
    assert view(phone) == whole
    finger.press(middle(phone, "10h"))
    phone.locator(".loupe", has_text="10h empty").wait_for()
    strip(phone).to_have_text("takes nothing")  # what would come of it is said before
    finger.cancel()
    strip(phone).to_have_text("")
    press(phone, "Escape")

    # Two fingers zoom; where stones are large, one that stays shows the card, and one that goes moves the board.
    x, y = middle(phone, "10j")
    finger.spread(x, y, 30, 40, 50, 60, 75)
    assert view(phone)[2] < whole[2] * 0.6
    finger.press(middle(phone, "10l"))
    phone.locator("#card.sheeted", has_text="Vanguard").wait_for()
    finger.lift()
    before = view(phone)
    finger.press((x, y))
    for by in (10, 30, 50):
        finger.move((x + by, y - by))
    finger.lift()
    assert view(phone)[0] < before[0]
    assert view(phone)[1] > before[1]
    expect(phone.locator("#card.sheeted")).to_have_count(0)


def test_the_phone_keeps_what_matters_in_sight(page: Any, server: Server) -> None:
    show(page, server, CANNON, size=PHONE)
    before = page.locator("#board svg.board-svg").bounding_box()
    tap(page, "10k", "9j", "9g")
    in_sight(page, "#headline", "#strip", "#done", "#back", "#standing-near", "#standing-far", ".view-fit")
    assert page.locator("#board svg.board-svg").bounding_box() == before, "the board must not shift"
    for button in ("#done", "#back"):
        assert page.locator(button).bounding_box()["height"] >= 44
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    click_until(page, "#done", "#moves li", state="attached")
