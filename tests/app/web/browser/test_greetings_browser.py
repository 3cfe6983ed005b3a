"""Greetings between two people: each reads them in their own language, and may mute the other."""

from __future__ import annotations

from typing import Any

import httpx
from playwright.sync_api import expect

from helpers.web.browsing import PHONE
from helpers.web.inspecting import complaints, watched
from helpers.web.screens import make
from helpers.web.served import WAIT, Server, keep


def test_two_people_greet_and_mute_each_other(chromium: Any, server: Server) -> None:
    made = make(server, "shogi", w="open", name="Ada")
    game = keep(made)
    token = httpx.post(f"{server.url}/api/join", json={"invite": made["invite"], "name": "Ben"}).json()["token"]
    contexts = [chromium.new_context(viewport=PHONE, reduced_motion="reduce", locale=one) for one in ("en", "ja-JP")]
    for context in contexts:
        context.set_default_timeout(WAIT * 1000)
    faults = watched(contexts[0])
    ada, ben = (context.new_page() for context in contexts)
    ada.goto(server.page(game))
    ben.goto(f"{server.url}/game/{game}#{token}")
    for page in (ada, ben):
        page.locator("#board .board-svg").wait_for()
        page.locator("#greetings summary").click()
        expect(page.locator("#greetings .chip")).to_have_count(12)
    ada.locator('[data-greet="enjoy"]').click()
    ben.locator("#notice.news", has_text="Ada：よろしくお願いします！").wait_for()
    ada.locator("#notice.news", has_text="You: Have a good game!").wait_for()
    assert complaints(ada) == []
    ada.locator("#mute").click()
    ada.locator("#mute", has_text="Show what the other says").wait_for()
    ben.locator('[data-greet="hello"]').click()
    ben.locator("#notice", has_text="あなた：こんにちは！").wait_for()
    ben.locator('#board [data-at="3c"]').click()  # what Ben does afterwards Ada sees
    ada.locator('#board [data-at="7g"]').click()
    ada.locator('#board [data-at="7f"]').click()
    ben.locator("#moves li").wait_for()
    expect(ada.locator("#notice")).not_to_contain_text("Hello")
    ada.locator("#mute").click()
    ben.locator('[data-greet="good_move"]').click()
    ada.locator("#notice", has_text="Ben: Good move!").wait_for()
    for context in contexts:
        context.close()
    assert faults == []


def test_nobody_is_greeted_where_one_person_plays(page: Any, server: Server) -> None:
    page.goto(server.page(keep(make(server, "nana", "level1"))))
    page.locator("#board .board-svg").wait_for()
    expect(page.locator("#greetings")).to_be_hidden()
