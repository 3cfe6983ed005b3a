"""The exported site where a browser or a host lacks something: what is said, and that play goes on; in Chromium."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from helpers.web.static_site import IN_CHROMIUM, SITE, WAIT, FileServer, Tab, browsing, changed, placed

pytestmark = IN_CHROMIUM


@contextmanager
def fresh(playwright: Any, server: FileServer, folder: Path) -> Iterator[Tab]:
    """A tab of a browser that has never seen the site."""
    with browsing(playwright, folder / "profile") as context:
        yield Tab(context.pages[0], server.url)


def said(tab: Tab, *words: str) -> None:
    """Wait until the bar of the shell says these words."""
    for one in words:
        tab.page.locator("#shell-words", has_text=one).wait_for(timeout=WAIT)


# --- Room -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("quota", "notices"),
    [
        (1_000, ["games are lost when the tab is closed", "too little room"]),
        (800_000, ["games are lost when the tab is closed", "too little room"]),
        (5_000_000, ["too little room"]),
    ],
)
def test_a_browser_with_little_room_plays_and_says_what_is_not_kept(
    playwright: Any, server: FileServer, tmp_path: Path, quota: int, notices: list[str]
) -> None:
    with fresh(playwright, server, tmp_path) as tab:
        tab.limit(quota)
        tab.open(wait="engine")
        for notice in notices:
            said(tab, notice)
            tab.page.locator("#shell-close").click()
        assert tab.page.locator("#shell-bar").is_hidden()
        tab.begin("nana", "level3")
        assert len(tab.play("nana", 2, random.Random(7)).moves) == 4


_FILL = """async (address) => {
  const { games: [one] } = await (await fetch(address)).json();
  for (let number = 0; number < 4000; number++) {
    const id = `filler-${number}`.padEnd(22, "x");
    const answer = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ format: 1, games: [{ ...one, id }] }),
    });
    if (!answer.ok) return [answer.status, (await answer.json()).error];
  }
  return [200, "there was room for all"];
}"""


def test_when_the_room_is_used_up_the_game_waits_for_more_and_loses_nothing(
    playwright: Any, server: FileServer, tmp_path: Path
) -> None:
    with fresh(playwright, server, tmp_path) as tab:
        tab.open(wait="engine")
        tab.begin("nana", "human")
        tab.type_move(tab.game("nana").position.legal_moves()[0].text)
        tab.until_in_frame("() => document.querySelectorAll('#moves li').length === 1")
        tab.limit(1_000)
        status, why = tab.frame.evaluate(_FILL, f"{server.url}api/backup")
        assert (status, "the room that this browser gives this site is used up" in why) == (507, True), why
        move = tab.game("nana").position.legal_moves()[0].text
        tab.type_move(move)
        tab.until_in_frame("() => document.getElementById('notice').textContent.includes('used up')")
        assert tab.locator("#moves li").count() == 1
        tab.limit(None)
        tab.type_move(move)
        tab.until_in_frame("() => document.querySelectorAll('#moves li').length === 2")
        tab.open(tab.frame.url.removeprefix(server.url), wait="ready")
        assert len(tab.game("nana").moves) == 2


# --- Isolation ------------------------------------------------------------------------------------------------------


def test_without_isolation_the_engine_is_stopped_between_short_runs(playwright: Any, tmp_path: Path) -> None:
    def change(files: dict[str, bytes]) -> None:
        files["sw.js"] = files["sw.js"].replace(b'"require-corp"', b'"unsafe-none"')

    host = placed(changed(Path(SITE), tmp_path / "site", change), tmp_path / "host")
    with FileServer(host) as server, fresh(playwright, server, tmp_path) as tab:
        tab.open(wait="engine")
        assert tab.page.evaluate("[crossOriginIsolated, typeof SharedArrayBuffer]") == [False, "undefined"]
        assert tab.page.locator("#shell-bar").is_hidden()
        tab.open("study?variant=shogi", wait="engine")
        tab.wait_for("#board .board-svg")
        tab.locator("#engine-seconds").select_option("120")
        tab.locator("#analyse").click()
        tab.wait_for("#engine-lines li")
        tab.locator("#analyse").click()
        assert tab.locator("#analyse").get_attribute("aria-pressed") == "false"
        tab.begin("shogi", "level3")  # which needs the engine at once
        assert len(tab.play("shogi", 2, random.Random(1)).moves) == 4


# --- Addresses ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "shows"),
    [
        ("study?variant=shogi#x", "#board .board-svg"),
        ("learn/nana", "#onward"),
        ("rules/ki-unicorn", ".book"),
        ("no/such/page", "h1"),
    ],
)
def test_an_unknown_address_of_a_first_visit_leads_to_its_page(
    playwright: Any, server: FileServer, tmp_path: Path, path: str, shows: str
) -> None:
    with fresh(playwright, server, tmp_path) as tab:
        tab.open(path, wait="ready")
        tab.wait_for(shows)
        assert tab.page.url.startswith(server.url + path.partition("#")[0].partition("?")[0])


def test_no_address_leads_elsewhere(playwright: Any, server: FileServer, tmp_path: Path) -> None:
    host = server.url.partition("/user")[0]
    about = {"komadai": "0", "files": {}}
    with fresh(playwright, server, tmp_path) as tab:
        tab.page.context.route(
            "http://elsewhere.test/**",
            lambda route: route.fulfill(
                body=json.dumps(about), content_type="application/json", headers={"access-control-allow-origin": "*"}
            ),
        )
        tab.page.goto(f"{host}//elsewhere.test/page")
        tab.page.get_by_text("There is nothing at this address.").wait_for()
        assert tab.page.url.startswith(host)
    with FileServer(Path(SITE)) as root, fresh(playwright, root, tmp_path / "root") as tab:
        tab.url = root.url.partition("user")[0]
        for address in ("?to=/elsewhere.test/", "?to=%2F%5Celsewhere.test%2F"):
            tab.open(address, wait="ready")
            assert tab.frame.url.startswith(tab.url)


# --- Starts that fail -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["index.html", "rules/ko/index.html"])
def test_a_page_opened_as_a_file_says_what_to_do(playwright: Any, tmp_path: Path, page: str) -> None:
    with browsing(playwright, tmp_path / "profile") as context:
        shell = context.pages[0]
        shell.goto(Path(SITE, page).resolve().as_uri())
        words = shell.locator("#shell-words")
        words.wait_for()
        assert f"python -m http.server --directory '{Path(SITE).resolve()}/'" in words.inner_text()


def test_a_script_that_the_browser_refuses_is_named(playwright: Any, server: FileServer, tmp_path: Path) -> None:
    with fresh(playwright, server, tmp_path) as tab:
        tab.page.route("**/words.js", lambda route: route.fulfill(body="export {}", content_type="text/plain"))
        tab.page.goto(server.url)
        said(tab, "did not come as a script")


def test_a_first_visit_without_all_files_says_so_and_begins_again(
    playwright: Any, server: FileServer, tmp_path: Path
) -> None:
    lacking = changed(Path(SITE), tmp_path / "lacking", lambda files: files.pop("socket.js") and None)
    placed(lacking, tmp_path / "host")
    with fresh(playwright, server, tmp_path) as tab:
        tab.page.goto(server.url)
        said(tab, "could not start here: socket.js: HTTP 404")
        (lacking / "socket.js").write_bytes(Path(SITE, "socket.js").read_bytes())
        tab.page.get_by_role("button", name="Try again").click()
        tab.until("ready")


def test_inside_another_page_it_offers_a_window_of_its_own(playwright: Any, server: FileServer, tmp_path: Path) -> None:
    (tmp_path / "host/outer.html").write_text(f'<iframe src="{server.url}"></iframe>', encoding="utf-8")
    with browsing(playwright, tmp_path / "profile") as context:
        page = context.pages[0]
        page.goto(server.url.partition("user")[0] + "outer.html")
        with page.expect_popup() as opened:
            page.frame_locator("iframe").get_by_role("button", name="Open the window").click()
        Tab(opened.value, server.url).until("ready")
