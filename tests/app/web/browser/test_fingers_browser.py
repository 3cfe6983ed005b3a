"""The table by fingers: pieces dragged from the board and from the hand, and presses that stay."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from helpers.web.browsing import PHONE, at, hand, moves, played
from helpers.web.fingers import Fingers, drag, middle
from helpers.web.screens import table
from helpers.web.served import Server
from helpers.web.steps import visit

EXCHANGED = ("7g7f", "3c3d", "8h2b+", "3a2b")
"""Each side has a bishop in hand, and Black is to move."""


def test_a_finger_drags_a_piece(phone: Any, server: Server) -> None:
    table(phone, server, "shogi")
    fingers = Fingers(phone)
    fingers.drag(middle(phone, at("7g")), middle(phone, at("7f")))
    phone.locator("#board .aimed").wait_for()  # the point under the finger is lit
    expect(phone.locator("#board .marks .dot"), "so are the targets").to_have_count(1)
    piece = phone.locator("#board .slot.dragged").bounding_box()
    assert piece["y"] + piece["height"] <= middle(phone, at("7f"))[1], "the piece is above the finger"
    fingers.lift()
    played(phone, "P-7f")
    expect(phone.locator("#board .aimed")).to_have_count(0)
    assert phone.evaluate("scrollY") == 0


def test_a_drag_that_leaves_the_board_is_given_up(phone: Any, server: Server) -> None:
    table(phone, server, "shogi")
    fingers = Fingers(phone)
    fingers.drag(middle(phone, at("7g")), middle(phone, "#headline"))
    phone.locator("#headline", has_text="Pawn: move it where?").wait_for()
    fingers.lift()
    phone.locator("#headline", has_text="Black to move.").wait_for()
    # The system takes the finger away, or a second one comes: the piece goes home and stays taken up.
    fingers.drag(middle(phone, at("7g")), middle(phone, at("7f")))
    fingers.cancel()
    fingers.drag(middle(phone, at("7g")), middle(phone, at("7f")))
    fingers.press(middle(phone, at("7f")), middle(phone, at("5e")))
    fingers.lift()
    expect(phone.locator("#board .dragged")).to_have_count(0)
    assert moves(phone) == []


def test_a_finger_elsewhere_on_the_board_scrolls_the_page(phone: Any, server: Server) -> None:
    table(phone, server, "shogi")
    fingers = Fingers(phone)
    x, y = middle(phone, at("5e"))
    fingers.sweep((x, y), (x, y - 200), steps=12)
    phone.wait_for_function("() => scrollY > 50")
    assert moves(phone) == []


def test_on_a_large_board_fingers_drag_stones_only_when_they_are_near(phone: Any, server: Server) -> None:
    table(phone, server, "ko")
    fingers = Fingers(phone)

    def view() -> str:
        return str(phone.locator("#board svg.board-svg").get_attribute("viewBox"))

    whole = view()
    for _ in range(20):  # on a busy machine a finger may be so slow that it is a long press
        x, y = middle(phone, at("10m"))
        fingers.drag((x, y), (x, y - 60))
        assert phone.locator("#board .dragged").count() == 0, "the stones are too small: the page scrolls"
        phone.wait_for_timeout(300)
        fingers.lift()
        if phone.evaluate("scrollY > 20"):
            break
    assert phone.evaluate("scrollY > 20")
    table(phone, server, "ko")  # the page of before may still be scrolling
    phone.touchscreen.tap(*middle(phone, at("10m")))
    near = view()
    assert near != whole
    fingers.drag(middle(phone, at("10m")), middle(phone, at("10l")))
    phone.locator("#board .dragged").wait_for()
    assert view() == near, "the view does not move with the stone"
    fingers.lift()
    played(phone, "V-10l")


def test_a_finger_drags_a_piece_out_of_the_hand(phone: Any, server: Server) -> None:
    table(phone, server, "shogi", *EXCHANGED)
    fingers = Fingers(phone)
    fingers.drag(middle(phone, hand("b", "B")), middle(phone, at("5e")))
    phone.locator(".carried").wait_for()
    assert phone.locator("#board .marks .dot").count() > 40, "every point where it may be dropped"
    fingers.lift()
    phone.locator("#moves li:nth-child(5)").wait_for(state="attached")
    assert moves(phone)[-1] == "B*5e"
    expect(phone.locator(".carried")).to_have_count(0)
    fingers.sweep(middle(phone, hand("w", "B")), middle(phone, "#headline"))
    expect(phone.locator(".tray .selected"), "let go beside the board, it stays in hand").to_have_count(0)


def test_the_mouse_drags_a_piece_out_of_the_hand(page: Any, server: Server) -> None:
    table(page, server, "shogi", *EXCHANGED)
    page.locator(hand("b", "B")).drag_to(page.locator(at("7g")))
    page.locator("#moves li:nth-child(5)").wait_for()
    page.locator(hand("w", "B")).drag_to(page.locator(at("5e")))
    page.locator("#moves li:nth-child(6)").wait_for()
    assert moves(page)[-2:] == ["B*7g", "B*5e"]


def test_the_face_is_chosen_after_the_drop(page: Any, server: Server) -> None:
    table(page, server, "nana", "K*1a", "K*3c")
    slot, box = page.locator(hand("b", "R")), page.locator(at("2a")).bounding_box()
    slot.hover()
    page.mouse.down()
    page.mouse.move(box["x"] + 20, box["y"] + 20, steps=5)
    assert page.locator(".chooser").is_hidden(), "no pop-up lies in the way"
    assert page.locator("#board .hint").count() > 0
    page.mouse.up()
    page.locator(".chooser .choice:not(:disabled)").first.click()
    page.locator("#moves li:nth-child(3)").wait_for()
    assert moves(page)[-1].endswith("*2a")


def test_no_face_is_asked_for_where_none_may_be_dropped(phone: Any, server: Server) -> None:
    table(phone, server, "nana", "K*1a", "K*3c")
    fingers = Fingers(phone)
    fingers.sweep(middle(phone, hand("b", "R")), middle(phone, at("3c")))
    phone.locator("#notice", has_text="is not legal").wait_for()
    expect(phone.locator(".chooser")).to_be_hidden()
    visit(phone, server, "/learn/ki/drop", "#next button", state="attached")
    fingers.sweep(middle(phone, hand("b", "HI")), middle(phone, at("5d")))
    phone.locator("#feedback", has_text="next to the other Gyoku").wait_for()
    expect(phone.locator(".chooser")).to_be_hidden()


def test_a_press_that_stays_shows_the_card(phone: Any, server: Server) -> None:
    table(phone, server, "shogi", *EXCHANGED)
    fingers = Fingers(phone)
    for place, words in ((at("5i"), "King"), (hand("w", "B"), "Bishop"), (at("2h"), "Rook")):
        fingers.press(middle(phone, place))
        phone.locator("#card.sheeted", has_text=words).wait_for()
        sheet = phone.locator("#card").bounding_box()
        assert sheet["y"] + sheet["height"] <= PHONE["height"], "it is at the board, not below the fold"
        fingers.lift()
        expect(phone.locator("#card.sheeted"), "it stays when the finger goes").to_have_count(1)
        expect(phone.locator("#headline"), "and takes nothing up").to_have_text("Black to move.")
    expect(phone.locator("#card")).to_be_visible()
    fingers.press(middle(phone, "#card"))
    fingers.lift()
    expect(phone.locator("#card.sheeted")).to_have_count(1)
    phone.keyboard.press("Escape")
    expect(phone.locator("#card"), "it is not below the page either").to_be_hidden()


@pytest.mark.parametrize("path", ["/study?variant=shogi", "/learn/nana/taking-mate", "/puzzles/nana"])
def test_cards_are_shown_on_every_page_with_a_board(phone: Any, server: Server, path: str) -> None:
    phone.goto(server.url + path)
    if path.startswith("/puzzles"):
        phone.locator("[data-set] .button").first.click()
    phone.locator("#board .slot").first.wait_for()
    phone.locator("#next button").first.wait_for(state="attached")
    piece = phone.locator("#board .hit.movable").first.get_attribute("data-at")
    fingers = Fingers(phone)
    fingers.press(middle(phone, at(str(piece))))
    phone.locator("#card.sheeted").wait_for()
    fingers.lift()


def shapes(page: Any) -> int:
    return int(page.locator("#board .own-shapes .arrow").count())


def test_arrows_and_circles_of_ones_own(page: Any, server: Server) -> None:
    table(page, server, "shogi")

    def draw(start: str, end: str) -> None:
        drag(page, middle(page, at(start)), middle(page, at(end)), "right")

    draw("7g", "7e")
    page.locator(at("5e")).click(button="right")
    assert shapes(page) == 2
    expect(page.locator("#board .own-shapes circle.arrow-line")).to_have_count(1)
    draw("7g", "7e")
    assert shapes(page) == 1, "drawn again, it goes"
    page.keyboard.press("f")
    circle = page.locator("#board .own-shapes circle.arrow-line").bounding_box()
    assert circle["x"] < middle(page, at("5e"))[0] < circle["x"] + circle["width"], "it turns with the board"
    page.locator(at("7g")).click()
    assert shapes(page) == 0, "a tap clears them"
    page.locator("#headline", has_text="Pawn: move it where?").wait_for()
    page.locator(at("5e")).click(button="right")
    assert shapes(page) == 0
    page.locator("#headline", has_text="Black to move.").wait_for()  # a step back


def test_the_right_button_draws_while_a_piece_must_be_dropped(page: Any, server: Server) -> None:
    """Nothing is begun then that it would take back."""
    table(page, server, "ki")
    page.locator("#headline", has_text="Gyoku: drop it where?").wait_for()
    page.locator(at("5e")).click(button="right")
    assert page.locator("#board .own-shapes circle.arrow-line").count() == 1
    table(page, server, "shogi")
    page.locator(at("7g")).click()
    page.locator(at("7f")).click(button="right")
    assert page.locator("#board .own-shapes circle.arrow-line").count() == 0
    expect(page.locator("#board .marks .dot"), "the pawn is let go").to_have_count(0)


def test_fingers_draw_in_the_drawing_mode(phone: Any, server: Server) -> None:
    visit(phone, server, "/study?variant=shogi", "#board .slot")
    pencil = phone.get_by_role("button", name="Draw arrows and circles")
    pencil.tap()
    begun = phone.evaluate("scrollY")
    fingers = Fingers(phone)
    fingers.sweep(middle(phone, at("7g")), middle(phone, at("7e")))
    phone.locator("#board .own-shapes .arrow").wait_for()
    phone.touchscreen.tap(*middle(phone, at("5e")))
    assert shapes(phone) == 2
    assert phone.evaluate("scrollY") == begun
    pencil.tap()
    phone.touchscreen.tap(*middle(phone, at("5e")))
    assert shapes(phone) == 2, "a study keeps them"


@pytest.mark.parametrize("place", ["#moves", ".status"])
def test_swipes_walk_through_the_moves(phone: Any, server: Server, place: str) -> None:
    table(phone, server, "shogi", *EXCHANGED)
    phone.locator(place).scroll_into_view_if_needed()
    x, y = middle(phone, place)
    fingers = Fingers(phone)

    def swipe(by: int) -> None:
        fingers.sweep((x, y), (x + by, y + 4))

    swipe(90)
    phone.locator("#looking-at", has_text="Looking at move 3 of 4").wait_for()
    swipe(90)
    phone.locator("#looking-at", has_text="Looking at move 2 of 4").wait_for()
    swipe(-90)
    phone.locator("#looking-at", has_text="Looking at move 3 of 4").wait_for()
    swipe(20)
    fingers.sweep((x, y), (x + 60, y + 60))
    expect(phone.locator("#looking-at"), "neither is a swipe").to_have_text("Looking at move 3 of 4")
