"""The exported site in Chromium, in a folder of a plain file server, and without it.

These tests need the folder that ``komadai export-site`` writes: they run where ``KOMADAI_SITE`` names it.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import komadai
from helpers.web.static_site import IN_CHROMIUM, SITE, FileServer, Tab, browsing, placed
from komadai.app import puzzles

KILLS = int(os.environ.get("KOMADAI_KILLS", "20"))
PLAIN = re.compile(r"(\d+[a-z])(\d+[a-z])")

pytestmark = IN_CHROMIUM


@pytest.fixture(scope="module", params=["with the file server", "without it"])
def tab(request: pytest.FixtureRequest, playwright: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    """A tab after its first visit. What its pages report as an error fails the module."""
    folder = tmp_path_factory.mktemp("tab")
    host = placed(Path(SITE), folder / "host")
    with FileServer(host) as server, browsing(playwright, folder / "profile") as context:
        page = context.pages[0]
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        made = Tab(page, server.url)
        made.open(wait="engine")
        if request.param == "without it":
            # What is only fetched when it is asked for: once with the server.
            made.begin("nana", "level3")
            made.play("nana", 1, random.Random(0))
            server.stop()
        yield made
    assert faults == []


def test_a_first_visit_takes_at_most_nine_megabytes() -> None:
    folder = Path(SITE)
    manifest = json.loads((folder / "files.json").read_text())
    first = sum(about["bytes"] for about in manifest["files"].values() if about["when"] == "start")
    shell = sum((folder / path).stat().st_size for path in manifest["folder"] if "/" not in path)
    assert first + shell <= 9_000_000


@pytest.mark.parametrize("variant", komadai.variants(shelf=False))
def test_every_game_is_played_against_the_computer(tab: Tab, variant: str) -> None:
    tab.begin(variant, "level3")
    game = tab.play(variant, 5, random.Random(7))
    assert len(game.moves) >= 10 or game.outcome() is not None


def test_a_study_is_analysed_and_stopped(tab: Tab) -> None:
    tab.open("study?variant=shogi", wait="engine")
    tab.wait_for("#board .board-svg")
    tab.locator("#engine-seconds").select_option("120")
    tab.locator("#analyse").click()
    tab.wait_for("#engine-lines li")
    depth = "() => Number(/depth (\\d+)/i.exec(document.getElementById('engine-says').textContent)?.[1] ?? 0)"
    tab.until_in_frame(f"() => ({depth})() > 5")
    tab.locator("#analyse").click()
    assert tab.locator("#analyse").get_attribute("aria-pressed") == "false"
    tab.begin("shogi", "level3")  # which needs the engine at once
    assert len(tab.play("shogi", 1, random.Random(1)).moves) == 2


def test_a_study_travels_in_a_link_and_its_picture_is_drawn_here(tab: Tab) -> None:
    tab.open("study?variant=shogi", wait="ready")
    tab.wait_for("#board .board-svg")
    tab.type_move("7g7f")
    tab.until_in_frame("() => document.querySelectorAll('#tree [data-id], #moves li, .line button').length > 0")
    tab.locator("#save").click()
    tab.locator("#share").click()
    tab.until_in_frame("() => document.getElementById('link').value.includes('#record=')")
    link = tab.locator("#link").input_value()
    with tab.page.expect_download() as downloaded:
        tab.locator('#save-pictures [data-form="png"]').click()
    assert Path(downloaded.value.path()).read_bytes().startswith(b"\x89PNG")
    tab.open(link.removeprefix(tab.url), wait="ready")
    tab.wait_for("#board .board-svg")
    tab.until_in_frame("() => document.querySelector('[data-at=\"7f\"]') !== null")
    broken = tab.url + "study#record=AAAA"
    tab.open(broken.removeprefix(tab.url))
    tab.page.reload()
    tab.until_in_frame("() => document.body.textContent.includes('part of the link may be missing')")


def test_a_puzzle_is_solved(tab: Tab) -> None:
    puzzle = next(one for one in puzzles.load("nana") if one.plies == 1 and PLAIN.fullmatch(one.solution[0]))
    tab.open(f"puzzles/nana/{puzzle.id}", wait="ready")
    tab.wait_for("#board .board-svg")
    for place in PLAIN.fullmatch(puzzle.solution[0]).groups():  # type: ignore[union-attr]
        tab.locator(f'#board [data-at="{place}"]').click()
    tab.wait_for("#feedback.done")


def test_a_lesson_is_played(tab: Tab) -> None:
    tab.open("learn/nana", wait="ready")
    tab.locator("#onward").get_by_text("Begin").click()
    tab.wait_for("#board .board-svg")
    tab.locator('.tray[data-side="b"] [data-code="K"]').click()
    tab.locator('#board [data-at="2b"]').click()
    tab.wait_for("#feedback.wrong")
    tab.locator('#board [data-at="1a"]').click()
    tab.wait_for("#feedback.done")


def test_what_needs_other_people_is_not_offered(tab: Tab) -> None:
    tab.open("new/nana", wait="ready")
    tab.wait_for('input[value="human"]', state="attached")
    assert tab.locator('input[value="open"], input[value="lobby"]').count() == 0
    tab.open("games", wait="ready")
    assert tab.locator("#devices").is_hidden()


def test_tabs_share_one_worker_and_the_next_takes_over(playwright: Any, server: FileServer, tmp_path: Path) -> None:
    with browsing(playwright, tmp_path / "profile") as context:
        first = Tab(context.pages[0], server.url)
        first.open(wait="engine")
        first.begin("shogi", "human")
        first.type_move("7g7f")
        first.until_in_frame("() => document.querySelectorAll('#moves li').length === 1")
        second = Tab(context.new_page(), server.url)
        second.open(first.frame.url.removeprefix(server.url))
        second.wait_for("#moves li")
        assert second.page.evaluate("window.marks.ready") is None, "it has no worker of its own"
        second.type_move("3c3d")
        first.until_in_frame("() => document.querySelectorAll('#moves li').length === 2")
        first.page.close()
        second.until("ready")
        second.type_move("2g2f")
        second.until_in_frame("() => document.querySelectorAll('#moves li').length === 3")


_PLAY_ON = """async ([root, game, token, moves, from]) => {
  const socket = new WebSocket(`ws://${location.host}${root}socket`);
  const said = (kind) => new Promise((done) => socket.addEventListener(kind, done, { once: true }));
  await said("open");
  let ply = from;
  const next = () => {
    if (ply < moves.length)
      socket.send(JSON.stringify({ t: "move", id: `m${ply}`, ply: ply + 1, text: moves[ply] }));
  };
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(data);
    if (message.t === "state") next();
    if (message.t === "refused" || message.t === "error") window.acknowledged(-1);
    if (message.t !== "ack") return;
    window.acknowledged(++ply);
    next();
  });
  socket.send(JSON.stringify({ t: "hello", game, seq: null, token }));
}"""


def test_a_tab_killed_during_play_loses_no_confirmed_move(playwright: Any, server: FileServer, tmp_path: Path) -> None:
    chance = random.Random(20)
    game = komadai.Game("mortal")
    moves: list[str] = []
    while len(moves) < 2000 and game.outcome() is None:
        moves.append(chance.choice(game.position.legal_moves()).text)
        game.push(moves[-1])
    with browsing(playwright, tmp_path / "profile") as context:
        confirmed = [0]
        context.expose_binding("acknowledged", lambda _source, ply: confirmed.append(ply))
        page = context.pages[0]
        made: dict[str, Any] = {}
        Tab(page, server.url).open(wait="ready")
        for kill in range(KILLS):
            tab = Tab(page, server.url)
            tab.open("settings", wait="ready")
            if not made:
                seats = {"variant": "mortal", "seats": {"b": "human", "w": "human"}}
                made = tab.frame.evaluate(
                    """([address, body]) => fetch(address, { method: "POST", body: JSON.stringify(body),
                       headers: { "content-type": "application/json" } }).then((answer) => answer.json())""",
                    [f"{server.url}api/games", seats],
                )
            kept = len(tab.asked(f"api/games/{made['game']}/record")["nodes"]) - 1
            assert -1 not in confirmed
            assert kept >= max(confirmed), f"after {kill} kills"
            assert kept + 5 < len(moves)
            root = server.url.split("/", 3)[3]
            tab.frame.evaluate(_PLAY_ON, [f"/{root}", made["game"], made["tokens"]["b"], moves, kept])
            before = len(confirmed)
            while len(confirmed) < before + chance.randrange(1, 8):
                page.wait_for_timeout(10)
            crash(page)
            page = context.new_page()
        assert len(confirmed) > KILLS


def crash(page: Any) -> None:
    """Kill the process of a tab with its workers."""
    with page.expect_event("crash"):
        try:
            page.goto("chrome://crash", timeout=5000)
        except Exception:  # there is no answer
            return
