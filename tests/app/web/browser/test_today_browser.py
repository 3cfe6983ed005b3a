"""What comes back day by day: cards of stages, puzzles and own mistakes, with the clock set forward."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from helpers.web.browsing import PHONE, feedback, in_sight, paste
from helpers.web.inspecting import complaints
from helpers.web.served import Server
from helpers.web.steps import click_until, reload_until, typed, visit
from komadai.app import puzzles

EVENING = datetime(2027, 3, 1, 20)  # by the clock of the browser
STAGES = {
    "lesson/nana/first-act": ("K", "1a"),
    "lesson/nana/second-king": ("K", "3c"),
    "lesson/nana/king": ("1a", "2b", "2b", "3c"),
}
KING = "lesson/nana/king"
PUZZLE = next(
    one for one in puzzles.load("ki") if one.plies == 1 and re.fullmatch(r"\d+[a-z]\d+[a-z]", one.solution[0])
)
TWICE = "position startpos moves 7g7f 3c3d 8h3c+ 2b3c"  # the bishop is given for a pawn
SIZES = [(390, 844), (820, 1180), (1280, 800)]


def on(page: Any, day: int) -> None:
    """Set the clock to the evening of a day."""
    page.clock.set_system_time(EVENING + timedelta(days=day))


def memory(page: Any) -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(page.evaluate("localStorage.getItem('komadai.memory')") or '{"cards": {}}')
    return kept["cards"]


def tap(page: Any, *places: str) -> None:
    """Make moves, each by its piece and its target; all but the last are right."""
    for number, place in enumerate(places, 1):
        if place[0].isdigit():
            page.locator(f'#board [data-at="{place}"]').click()
        else:
            page.locator(f'.tray[data-side="b"] [data-code="{place}"]').click()
        if number % 2 == 0 and number < len(places):
            feedback(page, "right")


def card_of(page: Any) -> str:
    """The id of the card that the page shows."""
    path = page.evaluate("location.pathname + location.hash")
    if "#" in path:
        return str(page.evaluate("decodeURIComponent(location.hash.slice(1))"))
    _, folder, game, name = path.split("/")
    return f"{'lesson' if folder == 'learn' else 'puzzle'}/{game}/{name}"


def solve(page: Any, card: str) -> None:
    """Do what the card that is shown asks for."""
    page.locator("#board .board-svg").wait_for()
    if card.startswith("mistake"):
        page.locator("#solution").click()
    elif card.startswith("puzzle"):
        tap(page, *re.findall(r"\d+[a-z]", PUZZLE.solution[0]))
    else:
        tap(page, *STAGES[card])
    feedback(page, "done")


def go_through(page: Any, server: Server, helped: str = "") -> list[str]:
    """Do all cards of today, one of them with a hint; their ids."""
    visit(page, server, "/today", ".due-words")
    done = []
    begin = page.get_by_role("link", name="Begin")
    if begin.count():
        begin.click()
        while True:
            page.locator("#board .board-svg").wait_for()
            done.append(card_of(page))
            if done[-1] == helped:
                click_until(page, "#hint", "#feedback p")
            solve(page, done[-1])
            page.wait_for_function("(id) => JSON.parse(localStorage['komadai.memory']).cards[id].n > 0", arg=done[-1])
            last = page.locator("#following").text_content() == "Finish"
            here = page.url
            page.locator("#following").click()
            page.wait_for_url(lambda url, here=here: url != here)
            if last:
                break
        page.locator(".due-words", has_text="Nothing is left for today.").wait_for()
    return done


def spend_an_evening(page: Any, server: Server) -> None:
    """Three stages, and a puzzle that is tried and then solved."""
    for card, moves in STAGES.items():
        visit(page, server, f"/learn/{card.removeprefix('lesson/')}", "#board .board-svg")
        tap(page, *moves)
        feedback(page, "done")
    visit(page, server, f"/puzzles/ki/{PUZZLE.id}", "#board .board-svg")
    solve(page, f"puzzle/ki/{PUZZLE.id}")


def test_ten_days_after_a_newcomers_evening(window: Callable[..., Any], server: Server, tmp_path: Path) -> None:
    """What comes back when; a file takes it to another device, and the later review of each card stays."""
    page = window()
    on(page, 0)
    visit(page, server, "/", ".card")
    expect(page.locator("#today"), "there is nothing to come back").to_be_hidden()
    spend_an_evening(page, server)
    assert len(memory(page)) == 4
    visit(page, server, "/today", ".due-words")
    expect(page.locator(".due-words")).to_have_text("Nothing is left for today.")
    back: dict[int, list[str]] = {}
    rows: list[int] = []
    for day in range(1, 11):
        if day in (3, 6, 7):  # one missed day, and later two
            continue
        on(page, day)
        visit(page, server, "/", ".card")
        if page.locator("#today a").count():
            count = re.match(r"Today: (\d+) position", page.locator("#today a").text_content())
            assert count
        back[day] = go_through(page, server, KING if day == 1 else "")
        assert len(back[day]) == (int(count[1]) if back[day] else 0)
        rows.append(int(page.locator("#row-of-days").text_content().split()[0]))
    assert sorted(back[1]) == sorted([*STAGES, f"puzzle/ki/{PUZZLE.id}"]), "all of it, on the next day"
    assert back[2] == [KING], "it was not known without help"
    assert sorted(back[4]) == sorted(set(back[1]) - {KING}), "due on the third day, which was missed"
    assert back[5] == [KING]
    assert [back[day] for day in (8, 9, 10)] == [[], [], []], "what is known comes back later each time"
    assert rows == [2, 3, 4, 5, 5, 5, 5], "a missed day is forgiven, and days with nothing due are not missed"

    visit(page, server, "/today", ".due-words")
    with page.expect_download() as saved:
        page.locator("#save").click()
    file = tmp_path / "today.json"
    saved.value.save_as(file)

    other = window(viewport=PHONE)
    on(other, 20)
    visit(other, server, "/today", ".due-words")
    expect(other.locator(".due-words")).to_have_text("Nothing is here yet.")
    other.locator("#file").set_input_files(file)
    expect(other.locator("#file-notice")).to_contain_text("4 positions were added")
    assert memory(other) == memory(page)
    reviewed = go_through(other, server)
    assert sorted(reviewed) == sorted(back[1])
    on(page, 21)
    later = go_through(page, server)[:1]
    with other.expect_download() as saved:
        other.locator("#save").click()
    saved.value.save_as(file)
    page.locator("#file").set_input_files(file)
    expect(page.locator("#file-notice")).to_contain_text("0 positions were added")
    mine, theirs = memory(page), memory(other)
    for card in theirs:
        assert mine[card]["at"] >= theirs[card]["at"]
    assert later
    page.locator("#file").set_input_files(file)
    expect(page.locator("#file-notice")).to_have_text("Everything in this file was here already.")
    page.locator("#file").set_input_files({"name": "x.json", "mimeType": "application/json", "buffer": b"[]"})
    expect(page.locator("#file-notice")).to_contain_text("This is no file of positions")
    assert memory(page) == mine


def test_one_that_was_not_solved_comes_back_tomorrow(page: Any, server: Server) -> None:
    on(page, 0)
    spend_an_evening(page, server)
    on(page, 1)
    visit(page, server, "/today", ".due-words")
    page.get_by_role("link", name="Begin").click()
    page.locator("#place", has_text="Today: 3 more").wait_for()
    first = card_of(page)
    tap(page, "K", "2b")
    feedback(page, "wrong")
    page.locator("#following", has_text="Next").click()
    page.wait_for_url(lambda url: first.split("/")[-1] not in url)
    card = memory(page)[first]
    assert (card["n"], card["f"]) == (1, 0)
    assert card["due"] - card["at"] < 2 * 86_400_000
    second = card_of(page)
    page.locator("#board .board-svg").wait_for()
    page.locator("#following").click()
    page.wait_for_url(lambda url: second.split("/")[-1] not in url)
    assert memory(page)[second]["n"] == 0, "it was passed over, not forgotten"


def test_a_mistake_of_ones_own_comes_back_and_can_be_forgotten(page: Any, server: Server) -> None:
    on(page, 0)
    paste(page, server, TWICE)
    page.keyboard.press("End")
    page.locator("#review-seconds").select_option("0.2")
    click_until(page, "#review", "#review-says", has_text="Reviewed")
    click_until(page, "#mistakes-b", "#task-keep")
    page.locator("#task-says", has_text="3, ").wait_for()
    page.locator("#task-keep").click()
    page.locator("#notice", has_text="Kept").wait_for()
    on(page, 1)
    visit(page, server, "/today", ".due-words")
    page.get_by_role("link", name="Begin").click()
    page.locator("#board .board-svg").wait_for()
    expect(page.locator("#task")).to_contain_text("3c+")
    typed(page, "8h3c+")
    assert "is what was played" in feedback(page, "wrong")
    page.locator("#hint:enabled").click()
    page.locator("#feedback", has_text="Hint:").wait_for()
    assert complaints(page) == []
    page.locator("#solution").click()
    assert "is the better move" in feedback(page, "done")
    click_until(page, "#following.primary", ".due-words", has_text="Nothing is left")
    page.locator("#all summary").click()
    expect(page.locator("[data-card]")).to_contain_text("Standard shogi, a mistake of yours")
    assert complaints(page) == []
    page.locator("[data-card] button").click()
    expect(page.locator(".due-words")).to_have_text("Nothing is here yet.")


def test_a_profile_takes_it_along_and_the_server_cannot_read_it(window: Any, start: Any, tmp_path: Path) -> None:
    """Two devices that both practise: of each card the later review stays. The store and what is sent have no key."""
    server = start()
    desk, phone = window(), window(viewport=PHONE)
    sent: list[str] = []
    for page in (desk, phone):
        page.on("request", lambda request: sent.append(f"{request.url} {request.post_data}"))
        on(page, 0)
    spend_an_evening(desk, server)
    visit(desk, server, "/games", "#make-key")
    desk.click("#make-key")
    key = desk.locator("#made-key").input_value()
    assert len(key.replace("-", "")) == 28
    visit(phone, server, "/games", "#key")
    phone.locator("#key").fill(key.lower())
    click_until(phone, "#use-key", "#renew-key")
    assert memory(phone) == memory(desk)
    for page in (desk, phone):
        on(page, 1)
        visit(page, server, "/today", ".due-words", has_text="Today: 4 positions")
        expect(page.locator("#carried")).to_contain_text("the server cannot read it")
        page.get_by_role("link", name="Begin").click()
        page.locator("#board .board-svg").wait_for()
    one = card_of(desk)
    solve(desk, one)
    phone.locator("#following").click()  # passed over
    phone.wait_for_url(lambda url: one.split("/")[-1] not in url)
    two = card_of(phone)
    solve(phone, two)
    for page in (desk, phone, desk):
        visit(page, server, "/", "#today a")
        visit(page, server, "/today", ".due-words")
    assert memory(desk) == memory(phone)
    assert {card for card, kept in memory(desk).items() if kept["n"]} == {one, two}
    visit(desk, server, "/games", "#renew-key")
    click_until(desk, "#renew-key", "#made-key")
    renewed = desk.locator("#made-key").input_value()
    third = window()
    visit(third, server, "/games", "#key")
    third.locator("#key").fill(renewed)
    click_until(third, "#use-key", "#renew-key")
    assert memory(third) == memory(desk), "the new profile has what the old one had"
    server.end()
    with closing(sqlite3.connect(tmp_path / "games.sqlite3")) as store:
        dump = "\n".join([*store.iterdump(), *sent]).upper()
    for secret in (key, key.replace("-", ""), renewed, "FIRST-ACT"):
        assert secret.upper() not in dump.replace("/LEARN/NANA/FIRST-ACT", "").replace("/NANA/FIRST-ACT", "")


def test_two_windows_do_not_overwrite_each_other(page: Any, server: Server) -> None:
    """Both have read the memory before either writes."""
    visit(page, server, "/today", ".due-words")
    other = page.context.new_page()
    visit(other, server, "/today", ".due-words")
    write = """([id, stale]) => {
      const { keep } = globalThis[Symbol.for('komadai.modules')]['lib/memory.js'];
      keep({ cards: { [id]: { at: 1, gone: true } }, days: [], rests: [] });
      if (stale) localStorage.setItem('komadai.memory', stale);
    }"""
    page.evaluate(write, ["lesson/x/one", None])
    stale = page.evaluate("localStorage.getItem('komadai.memory')").replace("one", "two")
    other.evaluate(write, ["lesson/x/two", stale])
    for one in (page, other):
        one.wait_for_function("Object.keys(JSON.parse(localStorage['komadai.memory']).cards).length === 2")


def test_a_full_storage_is_said(page: Any, server: Server) -> None:
    on(page, 0)
    spend_an_evening(page, server)
    on(page, 1)
    visit(page, server, "/today", ".due-words")
    page.get_by_role("link", name="Begin").click()
    page.locator("#board .board-svg").wait_for()
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full'); }; }")
    solve(page, card_of(page))
    expect(page.locator("#notice")).to_contain_text("storage is full or off")


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_today_fits(window: Any, server: Server, size: tuple[int, int]) -> None:
    page = window(viewport={"width": size[0], "height": size[1]})
    on(page, 0)
    visit(page, server, "/today", ".due-words")
    assert complaints(page) == []
    spend_an_evening(page, server)
    on(page, 1)
    visit(page, server, "/", "#today a")
    in_sight(page, "#today a")
    assert complaints(page) == []
    visit(page, server, "/today", ".due-words")
    page.locator("#all summary").click()
    page.locator("[data-card]").first.wait_for()
    assert complaints(page) == []
    reload_until(page, ".due-words")
    page.get_by_role("link", name="Begin").click()
    page.locator("#board .board-svg").wait_for()
    in_sight(page, "#place", "#following", "#board .wood")
    assert complaints(page) == []
