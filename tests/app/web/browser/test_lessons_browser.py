"""Lessons in a real browser: stages played by taps and by keys, answers in place, progress that is kept."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import TimeoutError, expect

from helpers.volume import FULL
from helpers.web.browsing import PHONE, feedback, in_sight
from helpers.web.inspecting import complaints
from helpers.web.served import Server
from helpers.web.steps import click_until, press, press_until, refill, reload_until, typed, visit
from komadai.app import lessons

SIZES = [(390, 844), (820, 1180), (1280, 800)]


def open_stage(page: Any, server: Server, stage: str) -> None:
    visit(page, server, f"/learn/{stage}", "#board .board-svg")


def tap(page: Any, *places: str) -> None:
    """Tap one after the other: a point, a piece in hand, or a face of a cube."""
    for place in places:
        if place[0].isdigit():
            page.locator(f'#board [data-at="{place}"]').click()
        elif place.startswith("face "):
            page.locator(f'.chooser [data-choice="{place.removeprefix("face ")}"]').click()
        else:
            page.locator(f'.tray[data-side="b"] [data-code="{place}"]').click()


@pytest.mark.smoke
def test_the_first_stages_are_played_by_taps_and_progress_is_kept(phone: Any, server: Server) -> None:
    """From the first page; a wrong answer is shown; axe-core finds nothing at any step."""
    phone.goto(server.url)
    phone.locator('.card [data-variant="nana"]:not(details)').get_by_text("Learn").click()
    phone.locator("#onward").get_by_text("Begin").click()
    phone.locator("#heading", has_text="Put your king on the board").wait_for()
    assert complaints(phone) == []
    tap(phone, "K", "2b")
    assert "closed to everything" in feedback(phone, "wrong")
    assert "Hint: Any square at the rim" in feedback(phone, "wrong")
    assert complaints(phone) == []
    tap(phone, "1a")
    assert "Your king stands" in feedback(phone, "done")
    assert complaints(phone) == []
    click_until(phone, "#following.primary", "#heading", has_text="Not beside")
    tap(phone, "K", "3c")
    feedback(phone, "done")
    click_until(phone, "#following", "#heading", has_text="The king")
    expect(phone.locator("[data-goal]")).to_have_count(2)
    tap(phone, "1a", "2b")
    assert "One to go" in feedback(phone, "right")
    expect(phone.locator("[data-goal]")).to_have_count(1)
    tap(phone, "2b", "3c")
    feedback(phone, "done")
    click_until(phone, "#course", ".stage-link")
    reload_until(phone, ".stage-link")
    expect(phone.locator(".stage-link.done")).to_have_count(3)
    expect(phone.locator("#standing")).to_have_text("3 of 29")
    expect(phone.locator("#onward .primary")).to_have_attribute("href", "/learn/nana/rook")
    assert complaints(phone) == []
    phone.goto(server.url)
    expect(phone.locator('[data-variant="nana"] .learnt')).to_have_text("Lessons: 3 of 29")


def test_the_opponents_reply_is_shown_after_the_learners_move(page: Any, server: Server) -> None:
    open_stage(page, server, "nana/two-moves")
    tap(page, "B", "face D", "1c")
    feedback(page, "right")
    expect(page.locator("#log p"), "both moves are announced to screen readers").to_have_count(2)
    tap(page, "2c", "3b")
    feedback(page, "done")
    expect(page.locator("#hint")).to_be_disabled()
    click_until(page, "#again", "#feedback.going", state="attached")
    expect(page.locator("#again")).to_be_disabled()


def test_a_wrong_move_is_shown_and_taken_back(page: Any, server: Server) -> None:
    open_stage(page, server, "nana/take")
    page.evaluate(
        """() => new MutationObserver(() => {
          if (document.querySelector('#board .last-to')) document.body.dataset.seen = "yes";
        }).observe(document.getElementById("board"), { subtree: true, childList: true, attributes: true })"""
    )
    pieces = "() => [...document.querySelectorAll('#board .pieces .slot')].map((one) => one.outerHTML).sort()"
    before = page.evaluate(pieces)
    tap(page, "1c", "2c")
    feedback(page, "wrong")
    page.locator('body[data-seen="yes"]').wait_for()
    assert page.evaluate(pieces) == before
    expect(page.locator("#log p"), "screen readers announce it").to_have_count(1)
    tap(page, "2b", "2a")
    feedback(page, "done")


def test_help_comes_in_words_and_then_as_an_arrow(page: Any, server: Server) -> None:
    open_stage(page, server, "nana/taking-mate")
    press_until(page, "h", "#feedback", has_text="Hint: Look at the reverse chariot")
    expect(page.locator(".arrow")).to_have_count(0)
    press_until(page, "h", "#feedback", has_text="An arrow shows the way")
    expect(page.locator(".arrow")).to_have_count(1)
    expect(page.locator("#hint")).to_be_disabled()


def test_a_stage_is_done_by_keys_alone(page: Any, server: Server) -> None:
    open_stage(page, server, "nana/rook")
    typed(page, "2b1a")
    assert "Diagonals are the bishop's" in feedback(page, "wrong")
    refill(page, "2b2a")
    feedback(page, "done")
    press(page, "Escape", "n")
    page.wait_for_url("**/learn/nana/bishop")
    page.locator("#board .board-svg").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


def test_questions_are_buttons(page: Any, server: Server) -> None:
    open_stage(page, server, "nana/repetition")
    buttons = page.locator("#answers button")
    buttons.nth(1).click()
    assert "Nobody loses by repetition" in feedback(page, "wrong")
    assert buttons.nth(1).evaluate("made => made.classList.contains('wrong')")
    click_until(page, '#board [data-at="2b"]', "#notice", has_text="Choose one of the answers")
    buttons.nth(0).click()
    feedback(page, "done")
    expect(buttons.nth(0)).to_have_attribute("aria-pressed", "true")


def test_a_guided_game_is_played_with_the_computer(page: Any, server: Server) -> None:
    open_stage(page, server, "nana/game")
    page.locator("summary", has_text="What you can do").click()
    for number in (1, 2):
        while page.locator("#log p").count() < 2 * number:
            page.locator("#next .chip:not(.back)").first.click()
            page.wait_for_function(
                "(n) => document.querySelector('#next .chip.back') || document.querySelectorAll('#log p').length >= n",
                arg=2 * number,
            )
        page.locator("#next .chip").first.wait_for()
    expect(page.locator("#log p")).to_have_count(4)


def test_the_end_of_a_course_leads_to_a_game_at_level_1_and_a_puzzle(page: Any, server: Server) -> None:
    """The last stage is answered as if the game were over: what it is like until then, other tests play."""
    stages = [entry.id for entry in lessons.course("nana").entries]
    page.goto(f"{server.url}/new/nana")
    expect(page.locator('input[name="opponent"]:checked'), "nothing has been learnt").to_have_value("level1")
    page.route("**/api/lessons/nana/game", done_at_once)
    open_stage(page, server, "nana/game")
    expect(page.locator("#onward")).to_be_hidden()
    typed(page, "K*1a")
    expect(page.locator("#onward")).to_contain_text(f"{len(stages) - 1} stages of the course are left.")
    expect(page.locator('#onward a[href^="/puzzles/nana/"]')).to_have_text("A puzzle")
    page.goto(f"{server.url}/new/nana")
    expect(page.locator('input[name="opponent"]:checked')).to_have_value("level3")
    page.evaluate(f"localStorage.setItem('komadai.lessons', JSON.stringify({{nana: {{done: {stages}}}}}))")
    open_stage(page, server, "nana/game")
    typed(page, "K*1a")
    expect(page.locator("#onward")).to_contain_text("The course is done.")
    press_until(page, "Escape", "#entry:not(:focus)")
    page.locator("#following", has_text="A game at level 1").click()
    page.wait_for_url("**/game/*")
    expect(page.locator(".plate", has_text="level 1")).to_be_visible()


def done_at_once(route: Any) -> None:
    """An answer to a move with which the stage is done."""
    answer = route.fetch()
    said = answer.json()
    if said["moves"]:
        said["state"] = "done"
    route.fulfill(response=answer, json=said)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_task_board_and_buttons_are_on_the_screen(window: Any, server: Server, size: tuple[int, int]) -> None:
    page = window(viewport={"width": size[0], "height": size[1]})
    for game in lessons.written():
        course = lessons.course(game)
        longest = max(course.chapters[0].written + course.chapters[1].written, key=lambda stage: len(stage.task))
        for stage in dict.fromkeys((course.entries[0].id, longest.id, course.entries[-1].id)):
            open_stage(page, server, f"{game}/{stage}")
            in_sight(page, "#heading", "#board .wood", "#hint", "#following")
            assert complaints(page) == [], stage


def below_sheet(page: Any, last: str) -> bool:
    """True if the end of that part of the sheet is out of sight."""
    sheet, part = page.locator("#sheet").bounding_box(), page.locator(last).last.bounding_box()
    return bool(part["y"] + part["height"] > sheet["y"] + sheet["height"])


def test_a_long_task_gets_room_or_shows_that_there_is_more(page: Any, server: Server) -> None:
    page.set_viewport_size(PHONE)
    open_stage(page, server, "ki/first-gyoku")  # the board leaves it the room
    page.locator("#task p").first.wait_for()
    page.locator("#sheet:not(.more-below)").wait_for()
    assert not below_sheet(page, "#task p")
    open_stage(page, server, "shogi/impasse")  # the board is as small as it may be
    page.locator("#sheet.more-below:not(.more-above)").wait_for()
    assert below_sheet(page, "#answers button")
    page.locator("#sheet").focus()
    press_until(page, "End", "#sheet.more-above:not(.more-below)")
    assert not below_sheet(page, "#answers button")


def test_the_first_press_of_hint_helps_at_every_stage(page: Any, server: Server) -> None:
    """In words or by an arrow: exercises have no words of their own."""
    helpless = []
    for game in lessons.written():
        entries = lessons.course(game).entries
        for entry in [*entries[:: 1 if FULL else 9], *[one for one in entries if one.id.startswith("drill-")][:2]]:
            open_stage(page, server, f"{game}/{entry.id}")
            page.locator("#hint").click()
            said = page.locator("#feedback", has_text=re.compile("Hint: .|arrow")).or_(page.locator(".answer.shown"))
            try:
                said.first.wait_for()
            except TimeoutError:
                helpless.append(f"{game} {entry.id}")
    assert not helpless
