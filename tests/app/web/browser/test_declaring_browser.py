"""Declarations of entered kings in a browser."""

from __future__ import annotations

from typing import Any

import httpx
from playwright.sync_api import expect

from helpers.web.served import Server, keep
from helpers.web.steps import click_until

ENTERED = "+P+P+P+PK+P+P+P+P/+R+B7/9/9/9/9/9/9/4k4 b RB3P"


def test_a_button_appears_as_soon_as_a_declaration_holds(page: Any, server: Server) -> None:
    seats = {"b": "human", "w": "human"}
    body = {"variant": "shogi", "seats": seats, "position": ENTERED, "options": {"entering_king": "27"}}
    game = keep(httpx.post(f"{server.url}/api/games", json=body).json())
    page.goto(server.page(game))
    click_until(page, "#declare", "#headline", has_text="Black wins: declared with an entered king")
    expect(page.locator("#declare")).to_be_hidden()
