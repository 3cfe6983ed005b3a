"""A new version of the exported site while the former one is played, in Chromium."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

from helpers.web.static_site import IN_CHROMIUM, SITE, WAIT, FileServer, Tab, browsing, changed, placed
from komadai.app.site.export import tree

pytestmark = IN_CHROMIUM

OFFER = "There is a new version of Komadai."


def newer(folder: Path) -> Path:
    """A version with another home page, whose title is in capitals, and another Python."""

    def change(files: dict[str, bytes]) -> None:
        entries = json.loads(files["files.json"])["files"]
        pages, archive = (entries[name]["path"] for name in ("answers.pack", "python.zip"))
        raw = gzip.decompress(files[pages])
        before, after = b"<title data-t>Komadai", b"<title data-t>KOMADAI"
        assert before in raw
        files[pages] = gzip.compress(raw.replace(before, after))
        python = tree.stored({**tree.unzipped(gzip.decompress(files[archive])), "newer.py": b""})
        files[archive] = gzip.compress(python)

    return changed(Path(SITE), folder, change)


def version(folder: Path) -> str:
    found: dict[str, str] = json.loads((folder / "files.json").read_text(encoding="utf-8"))
    return found["version"]


def look_for_a_new_one(tab: Tab) -> str:
    """Let the browser look, as it does at each visit and the shell every hour; whether a new one waits then."""
    looked: str = tab.page.evaluate(
        """async () => {
          const registration = await navigator.serviceWorker.getRegistration();
          const settled = async () => {
            const { installing } = registration;
            if (!installing) return;
            const changed = new Promise((done) => installing.addEventListener("statechange", done, { once: true }));
            if (installing.state === "installing") await changed;
          };
          await settled(); // what a visit has begun
          await registration.update().catch(() => {});
          await settled();
          return registration.waiting ? "waiting" : "none";
        }"""
    )
    return looked


def shown_version(tab: Tab) -> Any:
    return tab.page.evaluate("document.body.dataset.version")


def test_a_new_version_is_offered_and_taken_when_the_player_wants_it(
    playwright: Any, server: FileServer, tmp_path: Path
) -> None:
    host, chance = tmp_path / "host", random.Random(5)
    second = newer(tmp_path / "newer")
    halfway = changed(Path(SITE), tmp_path / "halfway", lambda _files: None)
    (halfway / "sw.js").write_bytes((second / "sw.js").read_bytes())
    with browsing(playwright, tmp_path / "profile") as context:
        tab = Tab(context.pages[0], server.url)
        tab.open(wait="engine")
        tab.begin("nana", "level3")
        assert len(tab.play("nana", 1, chance).moves) == 2
        first = shown_version(tab)

        # The host has it half: nothing is offered, and nothing is mixed.
        placed(halfway, host)
        assert look_for_a_new_one(tab) == "none"
        assert tab.page.locator("#shell-bar").is_hidden()

        # The host has it whole, and no longer the former one, with which the game goes on.
        placed(second, host)
        assert look_for_a_new_one(tab) == "waiting"
        tab.page.locator("#shell-words", has_text=OFFER).wait_for(timeout=WAIT)
        assert len(tab.play("nana", 1, chance).moves) == 4
        game = tab.frame.url.removeprefix(server.url)
        tab.open(game, wait="ready")
        assert shown_version(tab) == first
        tab.page.locator("#shell-words", has_text=OFFER).wait_for(timeout=WAIT)
        assert len(tab.play("nana", 1, chance).moves) == 6
        other = Tab(context.new_page(), server.url)
        other.open(game)
        assert shown_version(other) == first
        other.page.locator("#shell-words", has_text=OFFER).wait_for(timeout=WAIT)
        other.page.locator("#shell-close").click()
        assert other.page.locator("#shell-bar").is_hidden()

        tab.page.get_by_role("button", name="Reload").click()
        for one in (tab, other):
            is_new = f"document.body?.dataset.version === '{version(second)}'"
            one.page.wait_for_function(is_new, timeout=WAIT)
            one.wait_for("#moves li")
            assert one.frame.url.removeprefix(server.url) == game
        assert len(tab.play("nana", 1, chance).moves) >= 7
        kept = tab.page.evaluate("caches.keys()")
        assert [name for name in kept if " shell " in name] == [f"komadai /user/komadai/ shell {version(second)}"]
        server.stop()
        other.page.close()
        tab.open(wait="ready")
        assert shown_version(tab) == version(second)
        tab.page.wait_for_function("document.title.includes('KOMADAI')", timeout=WAIT)


def test_a_new_version_that_has_no_room_beside_the_former_one_is_left(
    playwright: Any, server: FileServer, tmp_path: Path
) -> None:
    second = newer(tmp_path / "newer")
    with browsing(playwright, tmp_path / "profile") as context:
        tab = Tab(context.pages[0], server.url)
        tab.open(wait="engine")
        tab.begin("nana", "level3")
        first = shown_version(tab)
        tab.limit(1000)
        placed(second, tmp_path / "host")
        assert look_for_a_new_one(tab) == "none"
        tab.page.locator("#shell-words", has_text="too little room").wait_for(timeout=WAIT)
        assert len(tab.play("nana", 1, random.Random(5)).moves) == 2
        tab.open(tab.frame.url.removeprefix(server.url), wait="ready")
        assert shown_version(tab) == first
        tab.limit(None)
        assert look_for_a_new_one(tab) == "waiting"
        tab.page.locator("#shell-words", has_text=OFFER).wait_for(timeout=WAIT)
