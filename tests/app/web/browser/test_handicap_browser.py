"""In handicap games Japanese calls the sides 下手 and 上手, on every page; a game played after it has its own names."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

import komadai
from helpers.web.browsing import resign, tap
from helpers.web.meeting import Meeting
from helpers.web.screens import make, sit
from helpers.web.served import Server, keep
from helpers.web.steps import click_until, visit

BISHOP = next(one.start for one in komadai.variant("shogi").handicaps if one.name == "bishop")
EVEN = ("先手", "後手")


def said(page: Any) -> str:
    return str(page.locator("body").inner_text())


@pytest.fixture
def japanese(window: Any) -> Any:
    return window(locale="ja-JP")


def test_a_handicap_game_from_its_first_move_to_the_list_of_games(japanese: Any, server: Server) -> None:
    page = japanese
    sit(page, server, keep(make(server, "shogi", position=BISHOP)))
    page.locator("#headline", has_text="上手の手番です。").wait_for()
    tap(page, "5a", "5e")
    page.locator("#notice:not(:empty)").wait_for()
    assert not any(name in said(page) for name in EVEN)
    resign(page)
    page.locator("#headline", has_text="下手の勝ち：上手の投了").wait_for()
    assert not any(name in said(page) for name in EVEN)
    click_until(page, "#to-review", "#plate-far", has_text="上手")
    page.locator("#next button").first.wait_for(state="attached")
    shown = "".join(page.locator(".stage, .status, #headers").all_inner_texts())
    assert not any(name in shown for name in EVEN)
    sit(page, server, keep(make(server, "shogi")))
    resign(page)
    page.locator("#headline", has_text="後手の勝ち：先手の投了").wait_for()
    visit(page, server, "/games", ".played", has_text="下手の勝ち：上手の投了")
    page.locator(".played", has_text="後手の勝ち：先手の投了").wait_for()


def test_the_ways_to_a_handicap_game(japanese: Any, server: Server) -> None:
    page = japanese
    visit(page, server, f"/new/shogi?position={quote(BISHOP)}", "#scene", has_text="上手の手番です。")
    page.locator("fieldset", has_text="下手").wait_for()
    assert not any(name in said(page) for name in EVEN)
    invited = Meeting(server, "shogi", position=BISHOP, lobby=True)
    visit(page, server, "/lobby", f'[data-game="{invited.game}"]', has_text="上手")
    visit(page, server, f"/join#{invited.invite}", "#terms", has_text="上手")


def test_every_handicap_of_every_game_is_known_as_one(server: Server) -> None:
    for name in komadai.variants():
        for one in komadai.variant(name).handicaps:
            made = keep(make(server, name, position=one.start))
            with server.join(made) as client:
                assert client.state["handicap"], one.name
    with server.join(keep(make(server, "shogi"))) as client:
        assert not client.state["handicap"]
