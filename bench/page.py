"""Loading the page of a game in Chromium: what comes over the line, when it is seen, how long drawing takes.

Each time the browser is a fresh one, with nothing kept from before. A game is some way into play.
"""

from __future__ import annotations

import json
import random
import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any

import click
import httpx
from load import MIX, lasting_game
from playwright.sync_api import Browser, sync_playwright
from serving import server
from websockets.sync.client import connect

PLIES = 20
MOVES = 12  # that are seen to be made

WATCH = """() => {
  const seen = (window.measured = { board: 0, messages: [] });
  new MutationObserver((_, observer) => {
    if (!document.querySelector("#board .slot")) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => (seen.board = performance.now()))); // after the paint of that frame
  }).observe(document, { childList: true, subtree: true });
  const listen = WebSocket.prototype.addEventListener;
  WebSocket.prototype.addEventListener = function (type, listener) {
    listen.call(this, type, type !== "message" ? listener : (event) => {
      const started = performance.now();
      listener(event);
      document.body.getBoundingClientRect(); // with the layout that it brings
      if (event.data.startsWith('{"t":"events"')) seen.messages.push(performance.now() - started);
    });
  };
}"""
"""Notes when the board is seen first, and how many milliseconds the page takes for each message about a move."""

DRAW = """async ({ variant, positions, moves }) => {
  const { Board } = await import("/static/js/board/svg.js");
  const host = document.getElementById("board");
  const none = { selected: null, ghost: null, check: null, support: null };
  const bare = { ...none, way: [], taken: [], targets: [], shaded: [], stranded: [], held: [] };
  const took = (work) => {
    const started = performance.now();
    work();
    host.getBoundingClientRect();
    return performance.now() - started;
  };
  const settled = () => new Promise((done) => setTimeout(done, 400)); // everything is painted and at rest
  const rebuilt = [], made = [];
  const { position: first } = positions[0];
  let board;
  for (let time = 0; time < 10; time++) {
    rebuilt.push(took(() => {
      board = new Board(host, variant, { tap() {} });
      board.show(first.board, null);
      board.mark({ ...bare, last: null });
    }));
    await settled();
  }
  let travelled = [0, 0];
  for (const [index, move] of moves.entries()) {
    if (move.shift) travelled = travelled.map((way, axis) => way - move.shift[axis]);
    made.push(took(() => {
      board.show(positions[index + 1].position.board, move, travelled);
      board.mark({ ...bare, last: move });
    }));
    await settled();
  }
  return { rebuilt, made };
}"""
"""Builds the board anew, and lets it show moves: milliseconds of each, with layout."""


def transfer(browser: Browser, url: str) -> tuple[Any, dict[str, int]]:
    """The page, loaded by a fresh browser, and the bytes that came by kind: as sent, with headers."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.add_init_script(f"({WATCH})()")
    came = {"files": 0, "messages": 0, "requests": 0}

    def finished(event: dict[str, Any]) -> None:
        came["files"] += int(event["encodedDataLength"])
        came["requests"] += 1

    def received(event: dict[str, Any]) -> None:
        came["messages"] += len(event["response"]["payloadData"].encode())

    line = context.new_cdp_session(page)
    line.send("Network.enable")
    line.on("Network.loadingFinished", finished)
    line.on("Network.webSocketFrameReceived", received)
    page.goto(url)
    page.wait_for_function("() => measured.board")
    page.wait_for_load_state("networkidle")
    return page, dict(came)


def look(browser: Browser, url: str, variant: str) -> dict[str, float]:
    """One loading of the page of a new game, and moves in it."""
    chance = random.Random(1)
    moves = lasting_game(variant, PLIES + MOVES, chance)
    seats = {"variant": variant, "seats": {"b": "human", "w": "human"}}
    made = httpx.post(f"{url}/api/games", json=seats).json()
    game, token = made["game"], made["tokens"]["b"]
    with connect(f"{url.replace('http', 'ws')}/socket", max_size=None) as socket:

        def answers(*kinds: str) -> dict[str, Any]:
            while (message := json.loads(socket.recv()))["t"] not in kinds:
                pass
            return dict(message)

        def play(ply: int) -> dict[str, Any]:
            socket.send(json.dumps({"t": "move", "id": str(ply), "ply": ply, "text": moves[ply - 1]}))
            answer = answers("events", "refused")
            assert answer["t"] == "events", answer
            return answer

        socket.send(json.dumps({"t": "hello", "game": game, "seq": None, "token": token}))
        answers("state")
        begun = min(PLIES, len(moves) - MOVES)
        for ply in range(1, begun + 1):
            play(ply)
        page, came = transfer(browser, f"{url}/game/{game}#{token}")
        socket.send(json.dumps({"t": "hello", "game": game, "seq": None, "token": token}))
        state = answers("state")
        events = []
        for ply in range(begun + 1, len(moves) + 1):
            events.append(play(ply))
            page.wait_for_function("(n) => measured.messages.length >= n", arg=len(events))
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    asked = {"variant": state["variant"], "positions": [state, *events], "moves": [one["events"][-1] for one in events]}
    drawn = page.evaluate(DRAW, asked)
    found = {
        "paint": paint,
        "board": page.evaluate("measured.board"),
        "kB": (came["files"] + came["messages"]) / 1000,
        "requests": came["requests"],
        "rebuild": statistics.median(drawn["rebuilt"]),
        "move": statistics.median(drawn["made"]),
        "page": statistics.median(page.evaluate("measured.messages")),
    }
    page.context.close()
    return found


COLUMNS = {
    "paint": "first paint, ms",
    "board": "board seen, ms",
    "kB": "came over the line, kB",
    "requests": "files",
    "rebuild": "board rebuilt, ms",
    "move": "a move drawn, ms",
    "page": "all the page does for a move, ms",
}


@click.command(context_settings={"show_default": True})
@click.option("--game", "games", multiple=True, metavar="GAME", help="One game alone; repeatable. By default all.")
@click.option(
    "--times", type=click.IntRange(min=1), default=5, help="How often each page is loaded; medians are printed."
)
def main(games: tuple[str, ...], times: int) -> None:
    """Print a table of what pages cost, one line a game."""
    path = shutil.which("chromium") or shutil.which("google-chrome")
    print("| game |", " | ".join(COLUMNS.values()), "|")
    print("|---|", *("---:|" for _ in COLUMNS), sep="")
    with (
        tempfile.TemporaryDirectory() as folder,
        server(Path(folder)) as serving,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for name in games or MIX:
            found = [look(browser, serving.url, name) for _ in range(times)]
            medians = {column: statistics.median(one[column] for one in found) for column in COLUMNS}
            cells = (f"{value:.0f}" if value >= 20 else f"{value:.1f}" for value in medians.values())
            print(f"| {name} |", " | ".join(cells), "|", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
