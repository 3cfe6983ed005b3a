"""Two browsers play each other, and a third one watches."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from helpers.web.browsing import DESKTOP, PHONE, enter, resign, stand
from helpers.web.served import Server
from helpers.web.steps import click_until, typed

COUNTED_DOWN = """async () => {
  const { ClockFaces } = await import("/static/js/game/clocks.js");
  let now = 0;
  performance.now = () => now;
  const run = (control, full, left, ...times) => {
    now = 0;
    const said = [], [black, white] = [document.createElement("p"), document.createElement("p")];
    const faces = new ClockFaces((words) => said.push(words));
    const clocks = { control, running: "b", paused: false, b: { ...full, ...left }, w: full };
    faces.show(clocks, [["b", black], ["w", white]], ["b"]);
    const shown = times.map((time) => {
      now = time;
      document.dispatchEvent(new Event("visibilitychange")); // as on coming back from the background
      return black.textContent.replace("\\ufe0e", "");
    });
    return [shown.join(" "), said.join(" "), white.textContent];
  };
  const byoyomi = { main: 3_600_000, periods: 2, period: 30_000 }, fischer = { main: 120_000, periods: 0, period: 0 };
  return [
    run("1h 2x30s", byoyomi, { main: 65_000 }, 0, 64_999, 65_500, 85_001, 96_000, 116_000, 125_000, 200_000),
    run("2m+5s", fischer, { main: 31_000 }, 0, 1500, 90_000),
    run("3d", { main: 0, periods: 1, period: 259_200_000 }, { period: 187_000_000 }, 0, 101_000_000),
  ];
}"""


def answer(page: Any, what: str, how: str) -> None:
    page.locator(f'[data-offer="{what}"] [data-answer="{how}"]').click()


@pytest.mark.outage
@pytest.mark.refused
def test_two_browsers_meet_lose_line_and_server_and_play_again(start: Callable[..., Server], window: Any) -> None:
    server = start()
    black, white, watching = (window(viewport=size) for size in (DESKTOP, PHONE, PHONE))
    # The invitation: a time that cannot be is refused in words, a link brings the guest.
    black.goto(f"{server.url}/new/nana")
    for value in ("open", "other"):
        black.locator(f'label:has(input[value="{value}"])').first.click()
    black.locator("#name").fill("Ada")
    black.locator("#own-time").fill("10x")
    click_until(black, "#start", "#notice", has_text="expected a form such as 10m")
    black.locator("#own-time").fill("10m 3x30s")
    black.locator("#start").click()
    black.get_by_text("Waiting for a player").wait_for()
    black.locator("#headline", has_text="The other player has not come yet.").wait_for()
    address = black.url
    expect(black.locator("#watch-link"), "the link for spectators has no secret").to_have_value(address)
    white.goto(black.locator("#invite").input_value())
    white.get_by_text("Ada invites you to a game.").wait_for()
    terms = white.locator("#terms").inner_text().split("\n")
    assert terms == ["You play ☖ White.", "Clock: 10 min + byo-yomi 3 × 30 s"]
    white.locator("#name").fill("<b>Ben</b>")
    white.locator("#start").click()
    black.get_by_text("<b>Ben</b> has come.").wait_for()
    expect(black.locator("#invitation")).to_be_hidden()
    white.locator("#plate-near", has_text="You").wait_for()
    assert "#" not in white.url, "the secret does not stay in the address bar"
    white.reload()
    watching.goto(address)
    watching.locator('[data-at="2a"]').click()
    watching.get_by_text("You are watching this game.").wait_for()
    for control in ("undo", "resign", "next", "invitation"):
        expect(watching.locator(f"#{control}")).to_be_hidden()
    black.get_by_text("(1 spectator)").wait_for()
    # The clocks run from the first move.
    enter(black, "K*1a")
    for page in (black, white, watching):
        page.locator(f"#clock-{'near' if page is white else 'far'}.runs", has_text="9:5").wait_for()
    enter(white, "K*3c")
    # While people play each other, nobody is helped.
    aids = black.locator("#values-button, #to-study")
    for aid in (aids.first, aids.last):
        expect(aid).to_be_hidden()
    # Offers and answers.
    white.locator("#undo").click()
    white.get_by_text("You have offered to take back a move.").wait_for()
    watching.get_by_text("<b>Ben</b> offers to take back a move.").wait_for()
    expect(watching.locator(".offer button")).to_have_count(0)
    answer(black, "undo", "decline")
    white.get_by_text("The offer no longer stands.").wait_for()
    black.locator("#undo").click()
    answer(white, "undo", "accept")
    stand(0, black, white, watching)
    enter(black, "K*1a")
    white.locator("#pause").click()
    answer(black, "pause", "accept")
    black.locator("#headline", has_text="The game is paused.").wait_for()
    expect(white.locator(".timer.runs")).to_have_count(0)
    black.locator("#resume").click()
    answer(white, "resume", "accept")
    white.locator("#clock-near.runs").wait_for()
    enter(white, "K*3c")
    # One loses the line, and hears afterwards of what has happened meanwhile.
    white.context.set_offline(True)
    white.locator("#line", has_text="Connection lost; trying again…").wait_for()
    black.locator("#plate-far", has_text="(away)").wait_for()
    enter(black, "1a1b")
    white.context.set_offline(False)
    white.locator("#line", has_text="Connected again.").wait_for()
    stand(3, white)
    black.locator(".presence-words").wait_for(state="detached")
    # The server is killed; a move made while it is down is played when it is back.
    server.end(signal.SIGKILL)
    for page in (black, white):
        page.locator("#line", has_text="Connection lost").wait_for()
    typed(white, "3c3b")
    start(server.port)
    stand(4, black, white, watching)
    white.locator("#clock-far.runs").wait_for()
    # The first page knows whose turn it is.
    home = black.context.new_page()
    home.goto(server.url)
    expect(home.locator("#games a", has_text="Your turn.")).to_contain_text("<b>Ben</b>")
    home.close()
    # The end, and another game with the sides changed.
    resign(white)
    black.locator("#verdict", has_text="You win").wait_for()
    expect(black.locator(".timer.runs")).to_have_count(0)
    for aid in (aids.first, aids.last):
        expect(aid).to_be_visible()
    black.locator("#again").click()
    answer(white, "rematch", "accept")
    for page, plate in ((black, "☖ White\nYou"), (white, "☗ Black\nYou")):
        page.wait_for_url(lambda url: "/game/" in url and url != address)
        page.locator("#headline", has_text="to move" if page is black else "King: drop it where?").wait_for()
        assert page.locator("#plate-near").inner_text() == plate
    watching.locator("#again", has_text="To the next game").wait_for()
    assert watching.url == address, "who watches is not carried along"
    assert watching.evaluate(COUNTED_DOWN) == [
        [
            "▶1:05+2×0:30 ▶0.1+2×0:30 ▶0:30×2 ▶10.0!×2 ▶0:29×1 ▶9.0!×1 ▶0.0!×1 ▶0.0!×1",
            "Byo-yomi has begun. 10 seconds left. One period left. 10 seconds left.",
            "1:00:00+2×0:30",
        ],
        ["▶0:31 ▶0:30! ▶0.0!", "30 seconds left. 10 seconds left.", "2:00"],
        ["▶2 d 3 h ▶23:53:20", "", "3 d 0 h"],
    ]
