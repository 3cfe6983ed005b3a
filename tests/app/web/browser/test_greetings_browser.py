"""Greetings between two people: each reads them in their own language, and may mute the other."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from helpers.web.browsing import PHONE, tap
from helpers.web.inspecting import complaints
from helpers.web.screens import apart, make
from helpers.web.served import Server, keep
from helpers.web.steps import click_until


def test_two_people_greet_and_mute_each_other(window: Any, server: Server) -> None:
    game, token = apart(server, "shogi", "Ben", name="Ada")
    ada, ben = (window(viewport=PHONE, locale=one) for one in ("en", "ja-JP"))
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
    click_until(ada, "#mute", "#mute", has_text="Show what the other says")
    click_until(ben, '[data-greet="hello"]', "#notice", has_text="あなた：こんにちは！")
    ben.locator('#board [data-at="3c"]').click()  # what Ben does afterwards Ada sees
    tap(ada, "7g", "7f")
    ben.locator("#moves li").wait_for()
    expect(ada.locator("#notice")).not_to_contain_text("Hello")
    ada.locator("#mute").click()
    ben.locator('[data-greet="good_move"]').click()
    ada.locator("#notice", has_text="Ben: Good move!").wait_for()


def test_nobody_is_greeted_where_one_person_plays(page: Any, server: Server) -> None:
    page.goto(server.page(keep(make(server, "nana", "level1"))))
    page.locator("#board .board-svg").wait_for()
    expect(page.locator("#greetings")).to_be_hidden()
