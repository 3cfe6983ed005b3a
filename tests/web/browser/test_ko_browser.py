"""Stones on crossing lines, turns of several landings and shots, and a large board on small screens, in a browser."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

import komadai
from helpers.support import arranged
from helpers.web.browsing import PHONE
from helpers.web.served import Server, keep
from komadai.spec.board import Side

DESKTOP = {"width": 1280, "height": 800}
TABLET = {"width": 820, "height": 1180}
KO = komadai.variant("ko")
both_sizes = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])

CROSSBOW = "CB 8k, c 7f, p 4j, sw 7l, sh 12j, D 9s, d 9a, TP 2s"
WRESTLER = "SW 10j, p 10i, e 11h, P 9j, D 9s"
FLAME = "+EN 10j, p 10h, c 11h, P 9h 12k, D 9s"
CANNON = "FC 10k, p 9g, lb 9e, cb 14j, D 9s"
NETS = "P 8h, CH 1g, C 2d 7s, D 6s, +ag 4d"


def position(pieces: str, turn: Side = "b") -> str:
    """The position string of a board with these pieces and a general of each side."""
    return arranged(KO, pieces, turn, besides="G 10s, g 10a")


def show(
    page: Any, server: Server, pieces: str | None = None, turn: Side = "b", size: dict[str, int] = DESKTOP
) -> None:
    """Open a game of two people, at its start or with these pieces."""
    start = None if pieces is None else position(pieces, turn)
    asked = {"variant": "ko", "seats": {"b": "human", "w": "human"}, "options": {}, "position": start}
    answer = httpx.post(f"{server.url}/api/games", json=asked)
    assert answer.status_code == 201, answer.text
    page.set_viewport_size(size)
    page.goto(server.page(keep(answer.json())))
    page.locator("#board svg.board-svg").wait_for()


def tap(page: Any, *points: str) -> None:
    for point in points:
        page.locator(f'#board [data-at="{point}"]').click()


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


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


def moves(page: Any) -> list[str]:
    return list(page.locator("#moves li").all_text_contents())


def played(page: Any, *wanted: str) -> None:
    """Wait until these are the moves."""
    page.locator(f"#moves li:nth-child({len(wanted)})").wait_for(state="attached")
    assert moves(page) == list(wanted)


def strip(page: Any) -> str:
    return str(page.locator("#strip").text_content())


def named(page: Any, attribute: str) -> set[str]:
    """The points that bear a sign."""
    return {sign.get_attribute(attribute) for sign in page.locator(f"#board [{attribute}]").all()}


def view(page: Any) -> list[float]:
    """Left, top, width and height of what is seen of the board."""
    return [float(part) for part in page.locator("#board svg.board-svg").get_attribute("viewBox").split()]


def middle(page: Any, point: str) -> tuple[float, float]:
    box = page.locator(f'#board [data-at="{point}"]').bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


choosing = pytest.mark.parametrize("choose", [tap, keys], ids=["clicks", "keyboard"])


@choosing
def test_a_crossbow_steps_and_shoots(page: Any, server: Server, choose: Any) -> None:
    show(page, server, CROSSBOW)
    choose(page, "8k", "7j")
    assert page.locator("#headline").text_content() == "Crossbow: shoot, or done?"
    assert page.locator("#board .halt").count() == 1, "it may stop where it stands"
    assert page.locator("#board path.aim").count() == 3, "the shield cannot be shot"
    assert page.locator("#board .slot.ghost").count() == 1
    press(page, "Escape")
    assert page.locator("#board .slot.ghost").count() == 0
    assert page.locator("#headline").text_content() == "Crossbow: move it where?", "one step back"
    choose(page, "7j")
    if choose is keys:
        press(page, "Tab")
        assert page.locator("#spoken").text_content() == "7f: White’s cannon, can be shot"
        assert strip(page) == "takes 1"
        press(page, "Enter")
    else:
        page.locator('[data-at="7l"]').hover()
        assert strip(page) == "takes 1 · becomes crossbow cavalryman"
        choose(page, "7f")
    played(page, "CB-7j*7f")
    assert page.locator("#board .last-shot").count() == 1
    assert named(page, "data-gone") == {"7f"}


@choosing
def test_a_shooter_may_leave_it_at_the_move(page: Any, server: Server, choose: Any) -> None:
    show(page, server, CROSSBOW)
    choose(page, "8k", "7j")
    assert strip(page) == "takes nothing"
    if choose is keys:
        press(page, "Enter")  # the cursor is on the piece
    else:
        page.get_by_role("button", name="Done").click()
    played(page, "CB-7j")


@choosing
def test_a_wrestler_takes_two_and_another_comes_back(page: Any, server: Server, choose: Any) -> None:
    show(page, server, WRESTLER)
    choose(page, "10j", "10i")
    assert page.locator("#board .halt").count() == 1
    choose(page, "11h")
    played(page, "SWx10ix11h")
    press(page, "u")
    page.locator("#moves li").wait_for(state="detached")
    choose(page, "10j", "10i")
    assert page.locator("#board .slot.captured").count() == 1
    choose(page, "10j")  # the start, where it comes back to
    played(page, "SWx!10i")
    assert named(page, "data-gone") == {"10i"}
    assert page.locator("#board .last-way").get_attribute("d").count("L") == 2, "there and back"


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
    assert page.locator("#board .flame.small").count() == 2, "two ways cost own stones"
    if choose is tap:
        page.locator('[data-at="10i"]').hover()
        assert strip(page) == "burns 2 · burns 1 of yours"
        assert page.locator("#strip .bad").text_content() == "burns 1 of yours"
    choose(page, "10i")
    assert page.locator(".chooser.question p").text_content() == "Burns 1 of yours."
    assert named(page, "data-costs") == {"9h"}
    assert named(page, "data-burns") == {"10h", "11h"}
    box = page.locator(".chooser").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size["width"]
    press(page, "Escape")
    assert page.locator(".chooser").is_hidden()
    assert page.locator("#headline").text_content() == "Poison flame: move it where?", "one step back"
    assert named(page, "data-costs") | named(page, "data-burns") <= {"9h", "10h", "11h"}
    choose(page, "10i")
    press(page, "Enter")
    page.locator("#moves li").wait_for(state="attached")
    assert page.locator("#board .slot").count() == 5
    assert named(page, "data-gone") == {"9h", "10h", "11h"}


@choosing
def test_a_piece_that_dies_where_it_lands_is_crossed_out(page: Any, server: Server, choose: Any) -> None:
    show(page, server, "SH 8j, +en 10h, D 9s")
    choose(page, "8j")
    assert page.locator("#board .crossed").count() == 1
    choose(page, "9i")
    assert page.locator(".chooser.question p").text_content() == "The shield itself is lost."
    assert page.locator("#board .lost").count() == 1
    press(page, "Enter")
    page.locator("#moves li").wait_for(state="attached")
    assert named(page, "data-gone") == {"9i"}


@choosing
def test_a_frankish_cannon_shoots_twice_in_the_order_of_taps(page: Any, server: Server, choose: Any) -> None:
    show(page, server, CANNON)
    choose(page, "10k", "9j", "9g")
    assert page.locator("#headline").text_content() == "Frankish cannon: shoot again, or done?"
    assert page.locator("#board .shot-number").text_content() == "①"
    assert named(page, "data-taken") == {"9g"}
    press(page, "Backspace")
    assert page.locator("#board .shot-number").count() == 0
    assert page.locator("#headline").text_content() == "Frankish cannon: shoot, or done?", "one step back"
    choose(page, "9g")
    choose(page, "9e")  # through the point that has become empty
    page.locator("#moves li").wait_for(state="attached")
    assert page.locator("#board .last-shot").count() == 2
    assert named(page, "data-gone") == {"9g", "9e"}


def test_every_step_is_in_the_list_beside_the_board(page: Any, server: Server) -> None:
    show(page, server, CANNON)
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
    assert page.locator("#board .leg-number").all_text_contents() == ["1", "2"]
    assert page.locator("#done").is_disabled(), "it cannot stop before its fifth step"
    assert page.locator("#board .halt").count() == 0
    press(page, "Escape")
    assert page.locator("#board .leg-number").count() == 0
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
    assert page.locator(".chooser").is_hidden()
    assert page.locator("#headline").text_content() == "Crossbow: shoot, or done?", "one step back"
    choose(page, "7c")
    assert page.locator(".chooser .choice").count() == 2
    page.locator('[data-choice="+CB"]').click()
    page.locator("#moves li").wait_for(state="attached")
    assert page.locator("#board .piece .turned").count() == 1


def test_pieces_in_a_net_are_tinted_and_say_so(page: Any, server: Server) -> None:
    show(page, server, NETS)
    held = named(page, "data-held")
    assert {"8h", "1g", "2d"} <= held
    assert "7s" not in held
    tap(page, "8h")
    assert "is held fast" in page.locator("#notice").text_content()


def test_the_bars_say_what_keeps_each_side_alive(page: Any, server: Server) -> None:
    show(page, server)
    near = page.locator("#standing-near")
    assert near.locator(".need").count() == 6
    assert near.locator(".need.has").count() == 5
    assert near.locator('[data-need="+MA"]').text_content().endswith("–")
    assert near.locator(".alarm").count() == 0
    show(page, server, "CM 8k, d 7i, p 3c, D 9s")
    far = page.locator("#standing-far")
    assert far.locator(".way.only").text_content().startswith("将general")
    assert far.locator('[data-need="D"].has').count() == 1
    tap(page, "8k")
    page.locator('[data-at="7i"]').hover()
    assert strip(page).startswith("takes 1 · becomes cavalry")
    assert "pawns stop" in strip(page)
    tap(page, "7i")
    far.locator('[data-need="D"].lacks').wait_for()
    assert "(pawns stop)" in far.text_content()


def test_the_card_of_a_piece(page: Any, server: Server) -> None:
    show(page, server)
    page.locator('[data-at="10q"]').hover()
    card = page.locator("#card")
    card.get_by_text("Frankish cannon").wait_for()
    assert card.locator("svg.diagram .shot-end").count() == 8
    lines = card.locator("li").all_text_contents()
    assert any("1 to 7 points" in line for line in lines)
    assert any("shield unit" in line for line in lines)
    page.locator('[data-at="13s"]').hover()
    card.get_by_text("Sumo wrestler").wait_for()
    assert card.locator("svg.diagram .later").count() == 16
    page.locator("#board svg.board-svg").focus()
    go_to(page, "10r")
    card.locator("strong", has_text="Middle troop").wait_for()


def test_a_tap_changes_only_what_it_must(page: Any, server: Server) -> None:
    show(page, server)
    assert page.locator("#board .slot").count() == 180
    assert page.locator("#board .hit").count() == 361
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
    board = page.locator("#board svg.board-svg").bounding_box()
    assert board["x"] >= 0
    assert board["x"] + board["width"] <= size["width"]
    assert board["y"] + board["height"] <= size["height"]
    whole = view(page)
    x, y = middle(page, "4p")
    page.mouse.move(x, y)
    page.mouse.wheel(0, -300)
    page.wait_for_function(f"document.querySelector('svg.board-svg').viewBox.baseVal.width < {whole[2] - 1}")
    assert page.locator(".overview").is_visible()
    before = view(page)
    page.mouse.move(*middle(page, "4k"))
    x, y = middle(page, "4k")
    page.mouse.down()
    page.mouse.move(x + 40, y + 30, steps=4)
    page.mouse.up()
    assert view(page)[:2] != before[:2]
    assert page.locator("#notice").text_content() == "", "a pan is no tap"
    page.locator(".view-fit").click()
    assert view(page) == whole
    assert page.locator(".overview").is_hidden()
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
    assert page.locator(".view-tools, #compose:not([hidden]), .standing:not([hidden])").count() == 0


def test_fingers_find_small_stones(chromium: Any, server: Server) -> None:
    context = chromium.new_context(viewport=PHONE, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    show(page, server, size=PHONE)
    whole = view(page)
    touch = context.new_cdp_session(page)

    def fingers(kind: str, *places: tuple[float, float]) -> None:
        points = [{"x": px, "y": py, "id": index} for index, (px, py) in enumerate(places)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    # A tap comes nearer, a second acts, and after the move all is seen again.
    page.touchscreen.tap(*middle(page, "10m"))
    assert view(page)[2] < whole[2] / 2
    assert page.locator("#headline").text_content() == "Black to move."
    box = page.locator('[data-at="10m"]').bounding_box()
    assert min(box["width"], box["height"]) >= 44
    page.touchscreen.tap(*middle(page, "10m"))
    page.locator("#headline", has_text="Vanguard: move it where?").wait_for()
    page.touchscreen.tap(*middle(page, "10l"))
    played(page, "V-10l")
    assert view(page) == whole

    # A finger that stays has a loupe, and chooses when it is lifted.
    x, y = middle(page, "10g")
    fingers("touchStart", (x + 14, y))
    page.locator(".loupe").wait_for()
    fingers("touchMove", (x, y))
    page.locator(".loupe", has_text="10g White’s vanguard").wait_for()
    fingers("touchEnd")
    page.locator("#headline", has_text="Vanguard: move it where?").wait_for()
    assert page.locator(".loupe").is_hidden()
    assert view(page) == whole
    fingers("touchStart", middle(page, "10h"))
    page.locator(".loupe", has_text="10h empty").wait_for()
    assert strip(page) == "takes nothing", "what would come of it is said before"
    fingers("touchCancel")
    assert strip(page) == ""
    press(page, "Escape")

    # Two fingers zoom; where stones are large, one that stays shows the card, and one that goes moves the board.
    x, y = middle(page, "10j")
    fingers("touchStart", (x - 30, y), (x + 30, y))
    for by in (40, 50, 60, 75):
        fingers("touchMove", (x - by, y), (x + by, y))
    fingers("touchEnd")
    assert view(page)[2] < whole[2] * 0.6
    fingers("touchStart", middle(page, "10l"))
    page.locator("#card.sheeted", has_text="Vanguard").wait_for()
    fingers("touchEnd")
    before = view(page)
    fingers("touchStart", (x, y))
    for by in (10, 30, 50):
        fingers("touchMove", (x + by, y - by))
    fingers("touchEnd")
    assert view(page)[0] < before[0]
    assert view(page)[1] > before[1]
    assert page.locator("#card.sheeted").count() == 0
    context.close()


def test_the_phone_keeps_what_matters_in_sight(page: Any, server: Server) -> None:
    show(page, server, CANNON, size=PHONE)
    before = page.locator("#board svg.board-svg").bounding_box()
    tap(page, "10k", "9j", "9g")
    for place in ("#headline", "#strip", "#done", "#back", "#standing-near", "#standing-far", ".view-fit"):
        box = page.locator(place).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
        assert box["y"] + box["height"] <= PHONE["height"]
    assert page.locator("#board svg.board-svg").bounding_box() == before, "the board must not shift"
    for button in ("#done", "#back"):
        assert page.locator(button).bounding_box()["height"] >= 44
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.locator("#done").click()
    page.locator("#moves li").wait_for(state="attached")
