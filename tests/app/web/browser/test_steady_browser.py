"""Pages stand still while their board arrives, and a second visit asks for no static file again."""

from __future__ import annotations

from typing import Any

import pytest

from helpers.web.browsing import DESKTOP, PHONE, tap
from helpers.web.meeting import Meeting
from helpers.web.screens import sit
from helpers.web.served import Server
from helpers.web.steps import reload_until
from komadai.app import lessons, puzzles

MOST = 0.05
"""The layout shift up to which a page stands still."""

SHIFTS = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => done(sum)));
})"""


def addresses(server: Server, kind: str) -> list[str]:
    """A page of every kind of game: with hands, without, on a field without edges."""
    match kind:
        case "game":
            return [server.page(server.game(game)) for game in ("shogi", "ki", "ko")]
        case "lesson":
            entries = {game: lessons.course(game).entries for game in ("nana", "ki", "ko")}
            return [f"{server.url}/learn/{game}/{found[1].id}" for game, found in entries.items()]
        case "puzzle":
            return [f"{server.url}/puzzles/{game}/{puzzles.load(game)[0].id}" for game in ("nana", "ki", "ko")]
        case "study":
            return [f"{server.url}/study?variant={game}" for game in ("hand", "ko")]
        case "edit":
            return [f"{server.url}/edit/{game}" for game in ("shogi", "ki")]
        case "join":
            return [f"{server.url}/join#{Meeting(server, 'nana').invite}"]
        case "list":
            return [
                f"{server.url}/{page}"
                for page in ("", "games", "settings", "study", "learn", "puzzles", "openings", "today", "lobby")
            ]
    return [f"{server.url}/new/{game}" for game in ("nana", "shogi")]


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("kind", ["game", "lesson", "puzzle", "study", "new", "edit", "join", "list"])
def test_a_page_stands_still_while_its_board_arrives(
    page: Any, server: Server, kind: str, size: dict[str, int]
) -> None:
    page.set_viewport_size(size)
    arrived = {"new": "#start:enabled", "join": "#start:enabled", "list": "main:visible, .nothing:visible"}
    sit(page, server, server.game("shogi"))  # a game that lists tell of
    for address in addresses(server, kind):
        page.goto("about:blank")
        page.goto(address)
        page.locator(arrived.get(kind, "#board .board-svg")).first.wait_for()
        page.wait_for_load_state("networkidle")
        assert page.evaluate(SHIFTS) <= MOST, address


def test_a_second_visit_asks_for_no_static_file_again(page: Any, server: Server) -> None:
    address, asked, kept = server.page(server.game("nana")), dict[str, str](), set[str]()
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.on("Network.requestWillBeSent", lambda event: asked.update({event["requestId"]: event["request"]["url"]}))
    line.on("Network.requestServedFromCache", lambda event: kept.add(event["requestId"]))

    def answered(event: Any) -> None:
        if event["response"].get("fromDiskCache"):
            kept.add(event["requestId"])

    line.on("Network.responseReceived", answered)
    for visit in (1, 2):
        page.goto("about:blank")
        asked.clear()
        kept.clear()
        page.goto(address)
        page.locator("#board .board-svg").wait_for()
        page.wait_for_load_state("networkidle")
        static = {request: url for request, url in asked.items() if "/static/" in url}
        assert any("/linked/pages/game.js" in url for url in static.values())
        if visit == 2:
            assert sorted(url for request, url in static.items() if request not in kept) == []


@pytest.mark.parametrize("early", [None, "window.earlySocket = { readyState: 3 };", ""])
def test_a_page_begins_to_connect_while_its_modules_are_loaded(page: Any, server: Server, early: str | None) -> None:
    """And does so later where the connection is lost by then, or was never begun."""
    address, opened, replaced = server.page(server.game("shogi")), list[str](), list[str]()

    def replace(route: Any) -> None:
        replaced.append(route.request.url)
        route.fulfill(body=early, content_type="text/javascript")

    page.on("websocket", lambda socket: opened.append(socket.url))
    if early is not None:
        page.route("**/js/early_socket*.js", replace)
    page.goto(address)
    page.locator("#board .piece").first.wait_for()
    assert len(replaced) == (early is not None)
    assert opened == [f"ws://127.0.0.1:{server.port}/socket"]
    assert page.evaluate("window.earlySocket") is None


def test_the_early_socket_speaks_the_language_of_the_page(page: Any, server: Server) -> None:
    """Where the language is chosen on the page itself, and where the browser has lost the cookie that says it."""

    def reason() -> str:
        tap(page, "7g", "7e")
        page.locator("#notice:not(:empty)").wait_for()
        return str(page.locator("#notice").inner_text())

    sit(page, server, server.game("shogi"))
    assert "is not legal" in reason()
    page.evaluate("localStorage.setItem('komadai.language', '\"ja\"')")
    for forgotten in (False, True):
        if forgotten:
            page.context.clear_cookies()
        reload_until(page, "#headline", has_text="先手の手番です")
        assert "７七→７五は指せません" in reason()
