"""Two browsers play on while the server is restarted, and show nothing of it."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import pytest

from helpers.web.browsing import PHONE, stand
from helpers.web.served import Server
from helpers.web.steps import typed

LINE = ("7g7f", "3c3d", "2g2f", "8c8d")
WATCH = """
window.shown = [];
for (const id of ["line", "notice"]) {
  const place = document.getElementById(id);
  new MutationObserver(() => place.textContent && window.shown.push(place.textContent))
    .observe(place, { childList: true, characterData: true, subtree: true });
}
"""

SOON_BACK = """
async () => {
  const { showConnection } = await import("/static/js/game/connection.js");
  for (const up of [false, false, true]) showConnection(up);
}
"""


def enter(page: Any, move: str) -> None:
    typed(page, move)
    page.keyboard.press("Escape")


@pytest.mark.outage
def test_a_restart_in_mid_game_is_not_shown(start: Callable[..., Server], window: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = start(listening=listening)
        game = server.game("shogi")
        pages = [window(viewport=PHONE) for _ in range(2)]
        for page in pages:
            page.goto(server.page(game))
            page.locator("#board .slot").first.wait_for()
            page.evaluate(WATCH)
            page.evaluate(SOON_BACK)
            assert page.evaluate("window.shown") == [], "a connection that is soon back was never lost"
        enter(pages[0], LINE[0])
        stand(1, *pages)
        server.end()
        enter(pages[1], LINE[1])  # while there is no server
        pages[1].locator("#headline", has_text="No connection. Your move is kept").wait_for()
        server = start(listening=listening)
        stand(2, *pages)
        for ply, page in enumerate(pages, 3):
            enter(page, LINE[ply - 1])
            stand(ply, *pages)
        for page in pages:
            # This machine may be busy for longer than the page is patient.
            assert [words for words in page.evaluate("window.shown") if "Connect" not in words] == []
