"""Make the pictures of the browser in ``docs/images``: ``PYTHONPATH=tests python tools/screenshots.py``.

Needs what ``make dev`` installs, Debian's ``chromium-headless-shell`` and, for Japanese text, ``fonts-noto-cjk``.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from helpers.web.screens import make, sit, table
from helpers.web.served import Server, keep
from komadai.app import puzzles

IMAGES = Path(__file__).parents[1] / "docs/images"
WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
QUALITY = 84  # of JPEG: no artefacts to be seen, some 100 kB each

HANGING = "lnsgk1snl/6gb1/p1pppp1pp/6p2/1r5P1/2P6/P1BPPPP1P/7R1/LNSGKGSNL b Pp"
OPENING = ("7g7f", "3c3d", "2g2f", "4c4d", "3i4h", "8b4b", "5i6h", "5a6b", "6h7h", "6b7b", "9g9f", "9c9d")


def tap(page: Any, *places: str) -> None:
    """Tap points of the board, and pieces in hand by their codes."""
    for place in places:
        where = f'#board [data-at="{place}"]' if place[0].isdigit() else f'.tray[data-side="b"] [data-code="{place}"]'
        page.locator(where).click()


def home(page: Any, server: Server) -> None:
    """The games."""
    page.goto(server.url)
    page.locator(".card").nth(5).wait_for()


def lesson(page: Any, server: Server) -> None:
    """A stage of Ki Shogi, with a wrong move answered."""
    page.goto(f"{server.url}/learn/ki/left-behind")
    page.locator("#board .board-svg").wait_for()
    page.locator("#hint").click()
    page.locator("#feedback p").first.wait_for()


def guide(page: Any, server: Server) -> None:
    """The guide on a phone: a knight hangs."""
    sit(page, server, keep(make(server, "shogi", "level1", position=HANGING)))
    page.locator("#guide-says", has_text="hangs").wait_for()


def puzzle(page: Any, server: Server) -> None:
    """A puzzle of Nana Shogi with its hint."""
    found = next(one for one in puzzles.load("nana") if one.plies == 7)
    page.goto(f"{server.url}/puzzles/nana/{found.id}")
    page.locator("#board .board-svg").wait_for()
    page.locator("#hint").click()
    page.locator("#feedback", has_text="Hint").wait_for()


def ko(page: Any, server: Server) -> None:
    """Kō Shōgi: 180 stones, one of them taken up."""
    table(page, server, "ko")
    tap(page, "10m")


def japanese(page: Any, server: Server) -> None:
    """Standard shogi in Japanese, with pieces written by a brush on a dark board."""
    page.goto(server.url)
    page.evaluate("localStorage['komadai.pieces'] = '\"brush\"'; localStorage['komadai.board'] = '\"night\"'")
    table(page, server, "shogi", *OPENING)
    tap(page, "8h")


PICTURES: dict[str, tuple[Callable[[Any, Server], None], dict[str, int], dict[str, str]]] = {
    "home": (home, WIDE, {}),
    "lesson": (lesson, WIDE, {}),
    "puzzle": (puzzle, WIDE, {}),
    "ko": (ko, WIDE, {}),
    "japanese": (japanese, WIDE, {"locale": "ja-JP", "color_scheme": "dark"}),
    "guide": (guide, PHONE, {}),
}


def main() -> None:
    """Make all pictures anew."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        arguments = ["--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell") or shutil.which("chromium"), args=arguments
        )
        for name, (show, size, more) in PICTURES.items():
            page = browser.new_page(viewport=size, reduced_motion="reduce", **more)
            show(page, server)
            page.mouse.move(0, 0)
            page.evaluate("document.fonts.ready")
            page.screenshot(path=IMAGES / f"{name}.jpg", type="jpeg", quality=QUALITY)
            page.close()
        browser.close()
        server.end()


if __name__ == "__main__":
    main()
