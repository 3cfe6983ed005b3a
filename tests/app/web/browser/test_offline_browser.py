"""What a server's pages do without the server: the service worker keeps what was opened."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from helpers.web.browsing import tap, visit
from helpers.web.served import Server
from komadai.app import puzzles
from komadai.app.web.http.static_files import STATIC

pytestmark = pytest.mark.outage
PUZZLE = puzzles.load("nana")[0].id
KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys())
    for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname);
  return found;
}"""


@pytest.fixture
def worked(window: Callable[..., Any], server: Server) -> Any:
    """A page that the service worker has."""
    page = window(service_workers="allow")
    begin(page, server.url)
    return page


def until(page: Any, condition: str) -> None:
    """Wait until a condition, which may await something, holds in a page."""
    page.evaluate(f"async () => {{ while (!({condition})) await new Promise((done) => setTimeout(done, 50)); }}")


def begin(page: Any, url: str) -> None:
    page.goto(url)
    page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")
    page.wait_for_load_state("networkidle")
    until(page, "await caches.match(location.pathname)")


def test_what_was_opened_opens_without_the_server(worked: Any, server: Server) -> None:
    opened = {
        "/": ".card",
        "/learn/nana": ".stage-link",
        "/learn/nana/rook": "#board .piece",
        "/puzzles/nana": "[data-set]",
        f"/puzzles/nana/{PUZZLE}": "#board .piece",
        "/rules/nana": "#parts:not([hidden])",
        "/study?variant=nana": "#board .board-svg",
        "/new/nana": "#start:enabled",
        "/settings": "#sample .wood",
    }
    for path, ready in opened.items():
        visit(worked, server, path, ready)
        worked.wait_for_load_state("networkidle")
    worked.context.set_offline(True)
    for path, ready in opened.items():
        visit(worked, server, path, ready)
    visit(worked, server, "/new/nana", "#start:enabled")
    worked.locator("#start").click()
    expect(worked.locator("#notice")).to_have_text("The server cannot be reached; this needs it.")
    worked.goto(f"{server.url}/hardest/nana")
    worked.wait_for_url("**/offline")
    expect(worked.locator("h1")).to_have_text("The server cannot be reached")


def test_a_move_of_a_lesson_that_was_answered_is_answered_again(worked: Any, server: Server) -> None:
    def answer(square: str) -> str:
        visit(worked, server, "/learn/nana/rook", "#board .piece")
        tap(worked, "2b", square)
        worked.locator("#feedback:not(:empty), #notice:not(:empty)").first.wait_for()
        return str(worked.locator("#feedback").inner_text() or worked.locator("#notice").inner_text())

    said = answer("2a")
    worked.context.set_offline(True)
    assert answer("2a") == said
    assert answer("1b") == "The server cannot be reached; this needs it."


def test_a_game_says_that_it_needs_the_server(worked: Any, server: Server) -> None:
    address = server.page(server.game("nana", w="level1"))
    worked.goto(address)
    worked.locator("#board .board-svg").wait_for()
    worked.wait_for_load_state("networkidle")
    worked.context.set_offline(True)
    worked.goto("about:blank")
    worked.goto(address)
    expect(worked.locator("#headline")).to_contain_text("A game needs the server, which cannot be reached now.")
    worked.context.set_offline(False)
    worked.locator("#board .board-svg").wait_for()


def test_nothing_of_a_person_is_kept(worked: Any, server: Server) -> None:
    game = server.game("nana", w="level1")
    for path in ("/games", "/learn/nana/rook", "/study?variant=nana", "/lobby"):
        visit(worked, server, path, "main")
        worked.wait_for_load_state("networkidle")
    worked.goto(server.page(game))
    worked.locator("#board .board-svg").wait_for()
    worked.goto(f"{server.url}/games")
    worked.locator("#make-key").click()
    worked.locator("#with-key").wait_for()
    kept = worked.evaluate(KEPT)
    assert "/learn/-/-" in kept
    assert any(path.startswith("/asked/") for path in kept)
    apis = {path.split("/")[2] for path in kept if path.startswith("/api/")}
    assert apis <= {"bots", "engines", "lessons", "puzzles", "rules", "shelf", "study", "variants"}
    assert not any(game in path for path in kept)
    worked.locator("#leave-key").click()
    until(worked, f"!(await ({KEPT})()).some((path) => /^.(asked|api)/.test(path))")


_COPY = """
import os
from pathlib import Path

import komadai.app.web.http.static_files as files

files.STATIC = Path(os.environ["STATIC_COPY"])
"""


def test_a_new_version_takes_the_place_of_the_old(
    window: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "static"
    shutil.copytree(STATIC, copy)
    (tmp_path / "sitecustomize.py").write_text(_COPY, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("STATIC_COPY", str(copy))
    with Server(tmp_path / "data", loaded=False) as server:
        page = window(service_workers="allow")
        begin(page, f"{server.url}/settings")
        visit(page, server, "/rules/nana", "#parts:not([hidden])")
        page.wait_for_load_state("networkidle")
        old = page.evaluate("caches.keys()")
        with (copy / "style.css").open("a", encoding="utf-8") as style:
            style.write("\nbody { border: 7px solid; }\n")
        border = "getComputedStyle(document.body).borderTopWidth"
        visit(page, server, "/rules/nana", "#parts:not([hidden])")
        assert page.evaluate(border) == "7px", "with a connection at once"
        page.evaluate("navigator.serviceWorker.getRegistration().then((one) => one.update())")
        until(page, f"!(await caches.keys()).includes({max(old, key=len)!r})")
        page.context.set_offline(True)
        visit(page, server, "/settings", "#sample .wood")
        assert page.evaluate(border) == "7px", "and without one, on a page that was not opened since"


def test_a_server_can_be_installed(server: Server) -> None:
    page = httpx.get(server.url).text
    assert '<link rel="manifest" href="./manifest.webmanifest">' in page
    answer = httpx.get(f"{server.url}/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    about = answer.json()
    assert (about["start_url"], about["scope"], about["display"]) == ("./", "./", "standalone")
    for icon in about["icons"]:
        found = httpx.get(f"{server.url}/{icon['src']}")
        assert (found.status_code, found.headers["content-type"]) == (200, icon["type"])
    assert httpx.get(f"{server.url}/icons/other.png").status_code == 404
    worker = httpx.get(f"{server.url}/sw.js")
    assert worker.headers["cache-control"] == "no-cache"
    assert "@" + "VERSION@" not in worker.text
    assert "manifest-src 'self'" in httpx.get(server.url).headers["content-security-policy"]
