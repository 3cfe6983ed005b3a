"""Measure the static site in Chromium: how soon it is ready, what it transfers, and its engine beside the native one.

    PYTHONPATH=tests python bench/tab.py FOLDER

FOLDER is what ``komadai export-site`` writes. Each limit is printed beside its figure; the exit status is 1 if one is
broken. Nodes a second are the median of three searches, of the tab and of this Python in turn.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

import komadai
from helpers.web.static_site import CHROMIUM, FileServer, Tab, browsing, placed

SECONDS = 2.0  # of a search
ROUNDS = 3
SHARES = {"shogi": 0.6, "ko": 0.5}
"""The least nodes a second in the tab, as shares of the native ones."""

_ANALYSE = """async ([address, variant, seconds, stopAfter]) => {
  const socket = new WebSocket(address);
  const said = (kind) => new Promise((done) => socket.addEventListener(kind, done, { once: true }));
  await said("open");
  let [latest, stopped] = [null, 0];
  const done = new Promise((end) => socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(data);
    if (message.t === "info") latest = message;
    if (message.t === "done" || message.t === "error") end({ latest, took: performance.now() - stopped });
  }));
  socket.send(JSON.stringify({ t: "analyse", id: "1", variant, options: {}, moves: [], lines: 1, seconds }));
  if (stopAfter) {
    await new Promise((later) => setTimeout(later, stopAfter));
    stopped = performance.now();
    socket.send(JSON.stringify({ t: "stop" }));
  }
  return done;
}"""


class Report:
    """Prints figures with their limits."""

    def __init__(self) -> None:
        self.broken = False

    def line(self, what: str, figure: float, limit: float, unit: str, *, most: bool = True) -> None:
        """A figure that should be at most, or at least, the limit."""
        kept = figure <= limit if most else figure >= limit
        self.broken |= not kept
        print(f"{what:42} {figure:9.2f} {unit:3} ({'at most' if most else 'at least'} {limit:g}){'' if kept else ' ✗'}")


@contextmanager
def tab_of(playwright: Any, profile: Path, url: str) -> Iterator[Tab]:
    """A tab of a new browser with that profile."""
    with browsing(playwright, profile) as context:
        yield Tab(context.pages[0], url)


def visit(tab: Tab) -> tuple[float, float]:
    """Seconds from the call until the home page is there with its boards, and until a move is possible."""
    began = time.perf_counter()
    tab.page.goto(tab.url, wait_until="commit")
    tab.until("shown")
    seen = time.perf_counter() - began
    tab.until("ready")
    return seen, time.perf_counter() - began


def native(variant: str) -> float:
    """Nodes a second of this Python."""
    info = komadai.Engine(variant).search(komadai.Position(variant), time=SECONDS)
    return info.nodes / info.seconds


def searched(tab: Tab, variant: str, stop_after: float = 0) -> Any:
    """An analysis in the tab; its latest report and the milliseconds that a stop took."""
    address = tab.url.replace("http", "ws", 1) + "analysis"
    return tab.frame.evaluate(_ANALYSE, [address, variant, 600 if stop_after else SECONDS, stop_after])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    asked = parser.parse_args()
    if CHROMIUM is None:
        parser.error("there is no Chromium on this machine")
    report = Report()
    with tempfile.TemporaryDirectory() as made, sync_playwright() as playwright:
        server = FileServer(placed(asked.folder, Path(made) / "host"))
        profile = Path(made) / "profile"
        try:
            for name, limit in (("first", 8), ("later", 4)):
                with tab_of(playwright, profile, server.url) as tab:
                    seen, possible = visit(tab)
                    report.line(f"{name} visit: home page seen", seen, 1, "s")
                    report.line(f"{name} visit: move possible", possible, limit, "s")
                    if name == "first":
                        tab.until("engine")
                        report.line("first visit: transfer", server.sent / 1e6, 9, "MB")
            with tab_of(playwright, profile, server.url) as tab:
                tab.open("settings", wait="engine")
                searched(tab, "shogi")
                for variant, share in SHARES.items():
                    pairs = [(searched(tab, variant)["latest"]["nps"], native(variant)) for _ in range(ROUNDS)]
                    inside, outside = (statistics.median(one) for one in zip(*pairs, strict=True))
                    print(f"{variant}: {inside / 1e3:.0f} kn/s in the tab, {outside / 1e3:.0f} native")
                    report.line(f"{variant}: share of native speed", inside / outside, share, "", most=False)
                stops = [searched(tab, "shogi", 400 + 37 * number)["took"] for number in range(10)]
                report.line("stop, median of ten", statistics.median(stops), 50, "ms")
                report.line("stop, worst of ten", max(stops), 50, "ms")
        finally:
            server.stop()
    return int(report.broken)


if __name__ == "__main__":
    sys.exit(main())
