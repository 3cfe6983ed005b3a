"""The field without edges, support, unfolded cubes and the question before a loss, in a real browser."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

import komadai
from helpers.step_trees import paths
from helpers.web.browsing import DESKTOP, PHONE, click_path, in_sight, named, tap, view
from helpers.web.fingers import Fingers, drag, middle
from helpers.web.screens import move_on, sit
from helpers.web.served import Server
from helpers.web.steps import click, click_until, press, press_until, typed

STRANDED = ["K*5e", "K*5c", "HI*6f", "GA*5b", "6f6b", "5c4c"]  # White's Gyoku has left Black's cube on 6b alone
# The sample game of ki.md; Black's 5e5d would lose two cubes.
SAMPLE = ["K*5e", "K*4c", "CHO*4e", "MYOU*3c", "4e4f", "4c3d", "MYOU*5f", "CHO*3e"]
# The dragon on 12j reaches four points, one of them out of the support.
CHAIN = ["K*10j", "K*11h", "RYUU*12j", "JA*13h", "HON*11j", "KAKU*14g", "CHO*11k", "SHU*12h"]

both_sizes = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])


def show(page: Any, server: Server, variant: str = "ki", *moves: str, **options: str) -> komadai.Game:
    """Open a game of two people after some moves; the same game here."""
    made = server.game(variant, **options)
    game = komadai.Game(komadai.variant(variant, **options))
    move_on(server, made, *moves)
    for move in moves:
        game.push(move)
    sit(page, server, made)
    return game


def take(page: Any, game: komadai.Game, text: str) -> None:
    """Go down the steps of a move by clicks, without pushing it."""
    click_path(page, game, game.position.parse_move(text))


def play(page: Any, game: komadai.Game, *moves: str) -> None:
    """Make moves by clicks."""
    for text in moves:
        take(page, game, text)
        game.push(text)
        page.locator(f"#moves li:nth-child({len(game.moves)})").wait_for(state="attached")


def standing(page: Any) -> list[str]:
    """The places of the pieces on the field."""
    return sorted(piece.get_attribute("style") for piece in page.locator("#board .slot").all())


@both_sizes
def test_a_cube_is_stranded_and_saved_and_another_is_lost(page: Any, server: Server, size: dict[str, int]) -> None:
    page.set_viewport_size(size)
    game = show(page, server)
    play(page, game, *STRANDED)
    assert named(page, "data-stranded") == {"6b"}
    expect(page.locator(".saving .clock")).to_have_count(1)
    expect(page.locator("#headline")).to_have_text("Black to move. One of Black’s cubes must be saved this turn.")
    play(page, game, "6b5b=OU")
    assert named(page, "data-stranded") == set()
    play(page, game, "4c3d")
    assert named(page, "data-stranded") == {"5b"}
    expect(page.locator("#next").get_by_text("Drop horns: 1 cube goes to White’s hand", exact=True)).to_have_count(1)
    take(page, game, "ZOU*6e")
    expect(page.locator(".chooser.question")).to_have_text("1 cube goes to White’s hand.PlayCancel")
    assert named(page, "data-costs") == {"5b"}
    page.keyboard.press("Escape")
    expect(page.locator(".chooser")).to_be_hidden()
    expect(page.locator("#moves li")).to_have_count(8)
    expect(page.locator("#headline", has_text="Miscellaneous: drop it where?"), "one step back").to_have_count(1)
    page.locator('[data-at="6e"]').click()
    press_until(page, "Enter", "#moves li:nth-child(9)", state="attached")
    expect(page.locator('.tray[data-side="w"] [data-code="HI"]')).to_have_attribute(
        "aria-label", "White's hand: flying, 2"
    )
    expect(page.locator("#board .slot")).to_have_count(3)


@both_sizes
def test_a_move_that_costs_cubes_asks_once(page: Any, server: Server, size: dict[str, int]) -> None:
    page.set_viewport_size(size)
    game = show(page, server, "ki", *SAMPLE)
    page.locator('[data-at="5e"]').click()
    expect(page.locator(".dot.hollow"), "a target of another shape").to_have_count(1)
    page.locator('[data-at="5d"]').hover()
    expect(page.locator("#preview")).to_have_text("2 cubes go to White’s hand")
    assert named(page, "data-costs") == {"5f", "4f"}
    page.locator('[data-at="5d"]').click()
    assert named(page, "data-costs") == {"5f", "4f"}
    assert page.evaluate("document.activeElement.dataset.choice") == "play"
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".chooser")).to_be_hidden()
    expect(page.locator("#moves li")).to_have_count(len(SAMPLE))
    click(page, '[data-at="5d"]', '[data-choice="play"]')
    page.locator(f"#moves li:nth-child({len(SAMPLE) + 1})").wait_for(state="attached")
    expect(page.locator(".chooser")).to_be_hidden()
    for code in ("HI", "KAKU"):
        expect(page.locator(f'.tray[data-side="w"] [data-code="{code}"]:not(.empty)')).to_have_count(1)
    click_until(page, "#undo", f"#moves li:nth-child({len(SAMPLE) + 1})", state="detached")
    legal = game.position.legal_moves()
    play(page, game, next(move.text for move in legal if not game.position.losses(move)))


@pytest.mark.smoke
def test_a_typed_move_that_costs_cubes_asks_once(page: Any, server: Server) -> None:
    show(page, server, "ki", *SAMPLE)
    typed(page, "Gyoku N")
    page.locator("#notice", has_text="2 pieces, which go to White's hand").wait_for()
    expect(page.locator("#moves li")).to_have_count(len(SAMPLE))
    press_until(page, "Enter", f"#moves li:nth-child({len(SAMPLE) + 1})", state="attached")


def test_a_departure_that_costs_the_moved_cube_itself_asks(page: Any, server: Server) -> None:
    show(page, server, "ki-unicorn", *CHAIN)
    page.locator("#doing summary").click()
    page.locator('[data-at="12j"]').click()
    page.locator("#next").get_by_text("to WSW2: 1 cube goes to White’s hand", exact=True).click()
    expect(page.locator(".chooser.question p")).to_have_text("1 cube goes to White’s hand.")
    assert len(named(page, "data-costs")) == 1
    press_until(page, "Enter", f"#moves li:nth-child({len(CHAIN) + 1})", state="attached")
    expect(page.locator('.tray[data-side="w"] [data-code="KI"]:not(.empty)')).to_have_count(1)


@both_sizes
def test_the_unfolded_cube_on_a_drop(page: Any, server: Server, size: dict[str, int]) -> None:
    page.set_viewport_size(size)
    show(page, server, "ki", "K*5e", "K*4c")
    page.locator('.tray[data-side="b"] [data-code="HI"]').click()
    at = {code: middle(page, f'[data-choice="{code}"]') for code in ("OU", "HI", "SHU", "CHO", "HAN", "CHUU")}
    row = [at[code] for code in ("OU", "HI", "SHU", "CHO")]
    assert row == sorted(row)
    assert max(y for _, y in row) - min(y for _, y in row) < 2
    assert at["HAN"][1] < at["HI"][1] < at["CHUU"][1]
    assert abs(at["HAN"][0] - at["HI"][0]) < 2
    assert abs(at["CHUU"][0] - at["HI"][0]) < 2
    in_sight(page, ".chooser")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".net-name")).to_have_text("Vertical竪 shu")
    assert page.evaluate("document.activeElement.dataset.choice") == "SHU"
    expect(page.locator(".net-diagram svg")).to_have_attribute("aria-label", "how the vertical moves")
    press(page, "ArrowLeft", "ArrowUp", "Enter")
    page.locator("#headline", has_text="Reverse: drop it where?").wait_for()
    click_until(page, '[data-at="5f"]', "#moves li:nth-child(3)", state="attached")
    expect(page.locator("#board .cube-corner"), "the face it flips to").to_have_count(1)
    assert "仲" in page.locator("#board .piece .small text").all_text_contents()


@both_sizes
def test_the_unfolded_cube_on_a_capture_dims_other_faces(page: Any, server: Server, size: dict[str, int]) -> None:
    page.set_viewport_size(size)
    show(page, server, "ki", *SAMPLE, "5f4e")
    tap(page, "3e", "4e")
    choices = page.locator(".chooser.net .choice")
    expect(choices).to_have_count(6)
    dimmed = page.locator('.choice[aria-disabled="true"]')
    assert {one.get_attribute("data-choice") for one in dimmed.all()} == {"HI", "CHO", "HAN", "CHUU"}
    expect(dimmed.first).to_have_attribute("title", "A capture here turns up side or vertical")
    page.locator('[data-choice="HAN"]').click(force=True)
    expect(page.locator("#moves li"), "a dimmed face cannot be had").to_have_count(9)
    click_until(page, '[data-choice="OU"]', "#moves li:nth-child(10)", state="attached")
    expect(page.locator('.tray[data-side="w"] [data-code="KAKU"]:not(.empty)')).to_have_count(1)


def test_a_face_without_a_place_says_why(page: Any, server: Server) -> None:
    game = show(page, server, "ki", "K*5e", "K*5c")
    free = {step.code for path, _ in paths(game.position) for step in path if step.t == "face"}
    page.locator('.tray[data-side="b"] [data-code="HI"]').click()
    dimmed = {one.get_attribute("data-choice") for one in page.locator('.choice[aria-disabled="true"]').all()}
    assert dimmed == {"HI", "CHO", "HAN", "CHUU", "OU", "SHU"} - free


@both_sizes
def test_zoom_pan_and_fit(page: Any, server: Server, size: dict[str, int]) -> None:
    page.set_viewport_size(size)
    show(page, server, "ki", *SAMPLE)
    fitted = view(page)
    page.get_by_role("button", name="Zoom in").click()
    assert view(page)[2] < fitted[2]
    page.get_by_role("button", name="Zoom out").click()
    page.get_by_role("button", name="Zoom out").click()
    assert view(page)[2] > fitted[2]
    page.locator(".view-fit").click()
    assert view(page) == fitted
    x, y = middle(page, '[data-at="3g"]')
    page.mouse.move(x, y)
    page.mouse.wheel(0, -200)
    page.wait_for_function(f"document.querySelector('svg.board-svg').viewBox.baseVal.width < {fitted[2] - 1}")
    assert middle(page, '[data-at="3g"]') == pytest.approx((x, y), abs=1), "what is under the mouse stays there"
    page.locator(".view-fit").click()
    drag(page, (x, y), (x - 40, y - 30))
    assert middle(page, '[data-at="3g"]') == pytest.approx((x - 40, y - 30), abs=2)
    expect(page.locator("#notice"), "a pan is no tap").to_have_text("")
    for key, changed in (
        ("0", False),
        ("+", True),
        ("0", False),
        ("-", True),
        ("0", False),
        ("Shift+ArrowRight", True),
    ):
        page.keyboard.press(key)
        assert (view(page) != fitted) == changed
    page.keyboard.press("0")
    assert view(page) == fitted
    assert page.evaluate("document.documentElement.scrollWidth") == size["width"]


def test_two_fingers_zoom(phone: Any, server: Server) -> None:
    show(phone, server, "ki", *SAMPLE)
    fitted = view(phone)
    x, y = middle(phone, "#board svg.board-svg")
    Fingers(phone).spread(x, y, 30, 35, 40, 50, 60)
    assert view(phone)[2] == pytest.approx(fitted[2] / 2, rel=0.1)
    expect(phone.locator("#notice")).to_have_text("")
    phone.locator(".view-fit").tap()
    assert view(phone) == fitted


def test_the_field_fits_again_after_a_gyoku_moved_and_only_it_has_moved(page: Any, server: Server) -> None:
    game = show(page, server, "ki", *SAMPLE[:4])
    before, seen = standing(page), view(page)
    page.get_by_role("button", name="Zoom in").click()
    legal = {move.text for move in game.position.legal_moves()}
    king = next(text for text in ("5e5d", "5e4d", "5e6d", "5e6e") if text in legal)
    take(page, game, king)
    if page.locator(".chooser.question").is_visible():
        page.keyboard.press("Enter")
    page.locator("#moves li:nth-child(5)").wait_for()
    after = standing(page)
    assert view(page) != seen
    assert len(set(after) - set(before)) == 1, "one piece has moved on the field"
    cube, gyoku = middle(page, '[data-at="5e"]'), None
    for piece in page.locator("#board .piece.side-b").all():
        box = piece.bounding_box()
        if abs(box["x"] + box["width"] / 2 - cube[0]) < 6 and abs(box["y"] + box["height"] / 2 - cube[1]) < 6:
            gyoku = piece.locator("text").first.text_content()
    assert gyoku == "玉", "the window's middle is where Black's Gyoku stands"
    left, top, width, height = view(page)
    for style in after:
        x, y = map(float, re.findall(r"(-?[\d.]+)px", style))
        assert left < x < left + width
        assert top < y < top + height
    click_until(page, "#undo", "#moves li:nth-child(5)", state="detached")
    assert standing(page) == before
    assert view(page) == seen


def test_targets_out_of_view_are_pointed_to(page: Any, server: Server) -> None:
    show(page, server, "ki-unicorn", *CHAIN)
    page.locator('[data-at="12j"]').click()
    expect(page.locator(".rim-arrow"), "a fitted view shows every target").to_have_count(0)
    for _ in range(3):
        page.keyboard.press("+")
    arrows = page.locator(".rim-arrow")
    assert arrows.count() >= 2
    way = arrows.first.get_attribute("class")
    arrows.first.click()
    assert way not in [arrow.get_attribute("class") for arrow in arrows.all()]
    page.keyboard.press("0")
    expect(arrows).to_have_count(0)


@both_sizes
@pytest.mark.parametrize("variant", ["ki", "ki-unicorn"])
def test_the_field_has_no_edges_and_points_are_large_enough(
    page: Any, server: Server, variant: str, size: dict[str, int]
) -> None:
    page.set_viewport_size(size)
    moves = CHAIN if variant == "ki-unicorn" else SAMPLE
    show(page, server, variant, *moves)
    expect(page.locator("#board .frame, #board .grid line")).to_have_count(0)
    assert page.locator("#board .point").count() > 40
    opacities = [float(dot.get_attribute("fill-opacity")) for dot in page.locator("#board .point").all()]
    assert max(opacities) > 0.7
    assert min(opacities) < 0.2
    assert page.locator("#board .halo rect").count() > 8
    assert page.locator("#board .halo-links").count() == (variant == "ki-unicorn")
    assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
    middle_point = "10j" if variant == "ki-unicorn" else "5e"
    box = page.locator(f'[data-at="{middle_point}"]').bounding_box()
    assert min(box["width"], box["height"]) >= 24
    for control in page.locator(".view-tools button").all():
        box = control.bounding_box()
        assert min(box["width"], box["height"]) >= 24
        assert box["y"] + box["height"] <= size["height"]


def test_points_are_named_from_ones_own_gyoku(page: Any, server: Server) -> None:
    show(page, server, "ki", "K*5e")
    page.locator('.tray[data-side="w"] [data-code="K"]').click()
    said = set(page.locator("#next .chip").all_text_contents())
    assert {"to N2", "to NE2", "to NNE", "to WSW"} <= said
    assert not any(re.search(r"\d[a-i]\b", words) for words in said), "no names of the window's squares"
    page.locator("#board svg.board-svg").focus()
    press(page, "ArrowUp", "ArrowUp", "ArrowUp")
    expect(page.locator("#spoken")).to_have_text("2 north of Black’s Gyoku: empty, can be reached")
    press_until(page, "Enter", "#moves li:nth-child(2)")
    page.keyboard.press("d")
    assert page.evaluate("document.activeElement.dataset.code") == "HI"
    press(page, "Enter", "1", "ArrowDown", "Enter")
    page.locator("#spoken", has_text="Gyoku").wait_for()


def test_a_table_with_edges_is_drawn_as_a_board(page: Any, server: Server) -> None:
    game = show(page, server, "ki", field="5x5")
    expect(page.locator("#board .frame")).to_have_count(1)
    expect(page.locator("#board .hit")).to_have_count(25)
    expect(page.locator(".view-tools")).to_have_count(0)
    play(page, game, "K*3c", "K*3a", "CHO*2d")
    assert page.locator("#board .halo rect").count() > 8


@both_sizes
def test_any_size_of_table_can_be_asked_for(page: Any, server: Server, size: dict[str, int]) -> None:
    page.set_viewport_size(size)
    page.goto(f"{server.url}/new/ki")
    click(page, 'label:has(input[value="human"])', "details.rules summary")
    fields = page.locator(".size-fields")
    expect(fields).to_be_hidden()
    page.get_by_text("Other size…").click()
    page.get_by_label("Files").fill("6")
    page.get_by_label("Ranks").fill("5")
    page.get_by_role("button", name="Start").click()
    page.locator("#board .hit").first.wait_for()
    expect(page.locator("#board .hit")).to_have_count(30)
    expect(page.locator("#rules")).to_have_text("Field: 6x5")
