"""Two browsers play each other, and a third one watches."""

from __future__ import annotations

from typing import Any

import httpx
from browsing import enter
from served import WAIT, Server


def test_two_browsers_meet_offer_and_play_again(chromium: Any, server: Server) -> None:
    asked = {"variant": "nana", "seats": {"b": "human", "w": "open"}, "name": "Ada", "time": "10m"}
    made = httpx.post(f"{server.url}/api/games", json=asked).json()
    address = f"{server.url}/game/{made['game']}"
    contexts = [chromium.new_context(viewport={"width": 1280, "height": 800}) for _ in range(3)]
    black, white, watching = (context.new_page() for context in contexts)
    for page in (black, white, watching):
        page.set_default_timeout(WAIT * 1000)
    black.goto(f"{address}#{made['tokens']['b']}")
    black.get_by_text("Waiting for a player").wait_for()
    token = httpx.post(f"{server.url}/api/join", json={"invite": made["invite"], "name": "<b>Ben</b>"}).json()["token"]
    black.get_by_text("<b>Ben</b>").wait_for()
    white.goto(f"{address}#{token}")
    watching.goto(address)
    assert white.locator("#plate-near").inner_text() == "☖ White\nYou"
    assert "#" not in white.url, "the secret does not stay in the address bar"
    white.reload()
    watching.locator('[data-at="2a"]').click()
    watching.get_by_text("You are watching this game.").wait_for()
    assert watching.locator("#resign").is_disabled()
    enter(black, "K*1a")
    white.locator("#headline", has_text="Your turn.").wait_for()
    enter(white, "K*3c")
    white.locator("#undo").click()
    black.get_by_text("White offers to take back a move.").wait_for()
    black.locator("#undo").click()
    for page in (black, white, watching):
        page.wait_for_function("() => document.querySelectorAll('#moves li').length === 1")
    white.locator("#resign").click()
    white.locator("#sure-yes").click()
    black.locator("#again").click()
    white.get_by_text("Black offers another game.").wait_for()
    white.locator("#again").click()
    for page, plate in ((black, "☖ White\nYou"), (white, "☗ Black\nYou")):
        page.wait_for_url(lambda url: "/game/" in url and url != address)
        page.locator("#headline", has_text="to move" if page is black else "Your turn.").wait_for()
        assert page.locator("#plate-near").inner_text() == plate
    assert watching.url == address, "who watches is not carried along"
    for context in contexts:
        context.close()
