"""The workshop in a browser: a file is written, mended, played, reported on and passed on."""

from __future__ import annotations

import base64
import zlib
from typing import Any

import pytest
from playwright.sync_api import expect

from helpers.tutorial import written
from helpers.web.served import Server
from helpers.web.steps import visit


@pytest.fixture
def workshop(page: Any, server: Server) -> Any:
    visit(page, server, "/workshop", "#checked.fine")
    return page


def test_the_file_of_the_tutorial_is_pasted_and_played(workshop: Any) -> None:
    page = workshop
    page.locator("#file").fill(written())
    expect(page.locator("#game-name")).to_have_text("My Minishogi")
    expect(page.locator("#start-board .piece")).to_have_count(12)
    expect(page.locator("#parts .kind")).to_have_count(10)
    page.locator("#play:enabled").click()
    for point in ("5d", "5c"):
        page.locator(f'#board [data-at="{point}"]').first.click()
    expect(page.locator("#moves")).to_contain_text("2. ")
    page.locator("#undo").click()
    expect(page.locator("#moves")).to_have_text("")
    page.locator("#side").select_option("w")
    expect(page.locator("#moves")).to_contain_text("1. ")
    page.locator("#learn").click()
    expect(page.locator(".rules-sheet[open] h2#rules-title")).to_have_text("My Minishogi: the rules")


def test_defects_stand_at_their_lines_and_completion_mends_them(workshop: Any) -> None:
    page = workshop
    page.locator("#file").fill(written().replace("royal = true", "royl = true"))
    fault = page.locator("#faults .defect")
    expect(fault).to_contain_text("there is no field 'royl'; did you mean 'royal'?")
    line = written().split("\n").index("royal = true") + 1
    expect(fault).to_contain_text(f"Line {line}, column 1")
    expect(page.locator("#gutter .faulty")).to_have_text(f"{line}\n")
    expect(page.locator("#play")).to_be_disabled()
    fault.click()
    page.keyboard.press("Shift+End")
    page.keyboard.type("roy")
    expect(page.locator("#completion [aria-selected=true] code")).to_have_text("royal")
    page.keyboard.press("Enter")
    page.keyboard.type("t")
    expect(page.locator("#completion [aria-selected=true] code")).to_have_text("true")
    page.keyboard.press("Enter")
    expect(page.locator("#play")).to_be_enabled()
    assert page.locator("#file").input_value() == written()


@pytest.mark.parametrize(
    ("locale", "words", "doubtful"),
    [("en", "1 warning.", "nothing leads to +P"), ("ja", "警告が1件あります。", "+P は盤にも持駒にも現れません")],
)
def test_warnings_stand_at_their_lines_and_the_game_can_be_played(
    window: Any, server: Server, locale: str, words: str, doubtful: str
) -> None:
    page = window(locale=locale)
    visit(page, server, "/workshop", "#checked.fine")
    text = written().replace('zone = ["P", "+P"], ', "", 1)
    page.locator("#file").fill(text)
    doubt = page.locator("#faults .doubt")
    expect(doubt).to_contain_text(doubtful)
    expect(page.locator("#checked")).to_contain_text(words)
    expect(page.locator("#gutter .doubtful")).to_have_count(1)
    expect(page.locator("#play")).to_be_enabled()
    doubt.click()
    chosen = page.locator("#file").evaluate("field => field.value.slice(0, field.selectionStart).split('\\n').length")
    assert page.locator("#gutter .doubtful").inner_text().strip() == str(chosen)


def test_a_link_holds_the_file_and_another_game_is_a_start(workshop: Any, server: Server) -> None:
    page = workshop
    page.locator("#file").fill(written())
    expect(page.locator("#game-name")).to_have_text("My Minishogi")
    page.locator("#share").click()
    expect(page.locator("#link")).to_be_visible()
    link = page.locator("#link").input_value()
    page.locator("#begin").select_option("nana")
    expect(page.locator("#game-name")).to_have_text("Nana Shogi")
    assert page.locator("#file").input_value().startswith('id = "my-nana"\n')
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator("#game-name")).to_have_text("My Minishogi")
    assert page.locator("#file").input_value() == written()
    page.goto(f"{server.url}/workshop/play#file=nothing")
    expect(page.locator("#heading")).to_contain_text("The address holds no file that can be read.")


def test_a_link_that_unpacks_to_very_much_and_a_file_that_is_too_large_get_a_message(page: Any, server: Server) -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(b"#" * (200 << 20)) + packer.flush()
    bomb = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    for place, element in (("workshop/play", "#heading"), ("workshop", "#checked")):
        page.goto("about:blank")
        page.goto(f"{server.url}/{place}#file={bomb}")
        expect(page.locator(element)).to_contain_text("This is too large: at most 256 kB are read.")
    page.goto("about:blank")
    page.goto(f"{server.url}/study#record={bomb}")
    expect(page.locator("#open-says")).to_contain_text("This is too large: at most 1 MB are read.")
    visit(page, server, "/workshop", "#checked.fine")
    written_before = page.locator("#file").input_value()
    chosen = {"name": "big.toml", "mimeType": "text/plain", "buffer": b"#" * (256 * 1024 + 1)}
    page.locator("#open-file").set_input_files(chosen)
    expect(page.locator("#checked")).to_contain_text("This is too large: at most 256 kB are read.")
    assert page.locator("#file").input_value() == written_before


def test_the_report_card_has_all_games_and_their_plots(workshop: Any) -> None:
    page = workshop
    page.locator("#report").click()
    expect(page.locator("#report-json")).to_be_visible()
    expect(page.locator("#report-says")).to_contain_text("40 of 40 games")
    expect(page.locator("#report-card .plot")).to_have_count(4)
    assert (
        page.locator("#report-card .plot").first.get_attribute("aria-label").startswith("Results of the first player")
    )


def begin(page: Any) -> None:
    """Play Black in the game of the file, and make the first move."""
    page.locator("#play:enabled").click()
    for point in ("5d", "5c"):
        page.locator(f'#board [data-at="{point}"]').first.click()


def test_the_side_is_changed_while_the_computer_thinks(workshop: Any) -> None:
    page = workshop
    held: list[Any] = []
    page.route("**/api/workshop/reply", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/api/workshop/reply"):
        begin(page)
    page.locator("#side").select_option("w")
    held[0].continue_()
    expect(page.locator("#moves")).to_contain_text("3. ")


@pytest.mark.refused
def test_after_a_failed_request_the_game_goes_on(page: Any, server: Server) -> None:
    page.goto(f"{server.url}/workshop")
    page.route("**/api/workshop/reply", lambda route: route.fulfill(status=503, json={"error": "Busy."}))
    begin(page)
    expect(page.locator("#notice")).to_have_text("Busy.")
    expect(page.locator("#heading")).to_have_text("White to move.")
    page.route("**/api/workshop/position", lambda route: route.fulfill(status=503, json={"error": "Still busy."}))
    page.locator("#undo").click()
    expect(page.locator("#notice")).to_have_text("Still busy.")
    expect(page.locator("#moves")).to_contain_text("1. ")
    page.unroute("**/api/workshop/position")
    page.locator("#undo").click()
    expect(page.locator("#moves")).to_have_text("")
