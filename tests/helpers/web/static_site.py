"""An exported static site behind a plain file server, and a Chromium that has it open."""

from __future__ import annotations

import gzip
import json
import mimetypes
import os
import random
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import komadai
from helpers.web.browsing import TURN_DONE
from komadai.app.site.export import tree

SITE = os.environ.get("KOMADAI_SITE", "")
"""The folder that ``komadai export-site`` wrote; without it the tests that need it are skipped."""
CHROMIUM = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium"))), None)
_FLAGS = "headless no-sandbox disable-gpu disable-quic no-first-run disable-background-networking"
_ARGUMENTS = [f"--{flag}" for flag in [*_FLAGS.split(), "disable-component-update", "disable-sync"]]
IN_CHROMIUM = [
    pytest.mark.browser,
    pytest.mark.skipif(not SITE, reason="KOMADAI_SITE names no folder of komadai export-site"),
    pytest.mark.skipif(CHROMIUM is None and os.environ.get("CI") != "true", reason="no Chromium on this machine"),
]
"""The marks of tests of the exported site in Chromium."""
FOLDER = "user/komadai"
"""Where on the host the site is."""
WAIT = 120_000  # milliseconds
mimetypes.add_type("text/javascript", ".mjs")


class _Quiet(SimpleHTTPRequestHandler):
    """Files and nothing else; counts the bytes that it sends. Unknown addresses get the site's own ``404.html``."""

    def log_message(self, format: str, *arguments: Any) -> None: ...

    def send_error(self, code: int, *arguments: Any) -> None:
        page = Path(self.directory, FOLDER, "404.html")
        if code != 404 or not page.is_file():
            return super().send_error(code, *arguments)
        data = page.read_bytes()
        self.send_response(code)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        return None

    def copyfile(self, source: Any, target: Any) -> None:
        data = source.read()
        self.server.sent += len(data)  # type: ignore[attr-defined]
        target.write(data)


class FileServer:
    """The files below a folder.

    Attributes:
        url: of the site. ``sent``: bytes of files sent.
    """

    def __init__(self, host: Path, port: int = 0) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", port), partial(_Quiet, directory=str(host)))
        self._server.sent = 0  # type: ignore[attr-defined]
        self.port = self._server.server_port
        self.url = f"http://127.0.0.1:{self.port}/{FOLDER}/"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    @property
    def sent(self) -> int:
        return int(self._server.sent)  # type: ignore[attr-defined]

    def __enter__(self) -> FileServer:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop, unless it has stopped already."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def placed(site: Path, host: Path) -> Path:
    """A host on which the exported folder is at :data:`FOLDER`."""
    place = host / FOLDER
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    place.symlink_to(site.resolve(), target_is_directory=True)
    return host


def changed(site: Path, folder: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """A copy of an exported folder whose files have been changed, and which is a version of its own.

    Args:
        change: changes the files by their paths. Large files have other names if they have other contents.
    """
    files = tree.read(site)
    about = json.loads(files["files.json"])
    change(files)
    for entry in about["files"].values():
        if (data := files.get(entry["path"])) is not None:
            raw = gzip.decompress(data) if entry["gzip"] else data
            digest = sha256(raw).hexdigest()
            if digest != entry["sha256"]:
                del files[entry["path"]]
                path = entry["path"].replace(entry["sha256"][:16], digest[:16])
                entry.update(bytes=len(data), raw=len(raw), sha256=digest, path=path)
                files[path] = data
    version = sha256(b"".join(sha256(data).digest() for _, data in sorted(files.items()))).hexdigest()[:16]
    files["files.json"] = json.dumps({**about, "version": version}).encode()
    for name in [name for name in files if name.endswith((".js", ".html"))]:
        files[name] = files[name].replace(about["version"].encode(), version.encode())
    tree.write(files, folder)
    return folder


class Tab:
    """A tab with the site.

    Attributes:
        page: the shell. ``frame``: what it shows.
    """

    def __init__(self, page: Any, url: str) -> None:
        self.page, self.url = page, url
        self._devtools: Any = None

    def open(self, path: str = "", *, wait: str | None = None) -> None:
        """Go to a page, and wait until it is shown, or until the shell has marked something."""
        self.page.goto(self.url + path)
        self.page.wait_for_function("window.marks?.shown", timeout=WAIT)
        if wait is not None:
            self.until(wait)

    def until(self, mark: str) -> float:
        """Wait until the shell has marked something; the milliseconds since the page was opened."""
        self.page.wait_for_function(f"window.marks?.{mark}", timeout=WAIT)
        return float(self.page.evaluate(f"window.marks.{mark}"))

    def limit(self, quota: int | None) -> None:
        """Let the browser give the site so many bytes, or all again, as long as the page lives."""
        origin = self.url.partition(f"/{FOLDER}")[0]
        asked = {"origin": origin} | ({} if quota is None else {"quotaSize": quota})
        self._devtools = self.page.context.new_cdp_session(self.page) if self._devtools is None else self._devtools
        self._devtools.send("Storage.overrideQuotaForOrigin", asked)

    @property
    def frame(self) -> Any:
        return next(frame for frame in self.page.frames if frame.parent_frame is not None)

    def locator(self, selector: str) -> Any:
        return self.page.frame_locator("#page").locator(selector)

    def wait_for(self, selector: str, **more: Any) -> None:
        self.locator(selector).first.wait_for(timeout=WAIT, **more)

    def until_in_frame(self, condition: str, argument: Any = None) -> None:
        """Wait until a function of JavaScript is true in the page of the frame."""
        self.frame.wait_for_function(condition, arg=argument, timeout=WAIT)

    def begin(self, game: str, opponent: str) -> None:
        """Start a game against an opponent, by clicks; no move needs a confirmation."""
        self.page.evaluate("localStorage.setItem('komadai.confirm', '\"never\"')")
        self.open(f"new/{game}")
        self.wait_for(f'label:has(input[value="{opponent}"])')
        self.locator(f'label:has(input[value="{opponent}"])').click()
        self.locator("#start").click()
        self.wait_for("#board .board-svg")

    def type_move(self, text: str) -> None:
        """Type a move."""
        self.locator("#text").fill(text)
        self.locator("#entry button").click()

    def asked(self, path: str) -> Any:
        """The JSON that the application in the tab answers."""
        return self.frame.evaluate("(address) => fetch(address).then((answer) => answer.json())", self.url + path)

    def game(self, variant: str) -> komadai.Game:
        """The game that is shown, as it is stored."""
        id = self.frame.url.rpartition("/")[2].partition("#")[0]
        game = komadai.Game(variant)
        for node in self.asked(f"api/games/{id}/record")["nodes"][1:]:
            game.push(node["usi"])
        return game

    def play(self, variant: str, moves: int, chance: random.Random) -> komadai.Game:
        """Make so many moves, each answered by the computer, unless the game is over; the game as it is stored."""
        for _ in range(moves):
            game = self.game(variant)
            if game.outcome() is not None:
                break
            text = chance.choice([move.text for move in game.position.legal_moves()])
            self.type_move(text)
            if game.position.losses(text):  # is asked for twice
                self.type_move(text)
            self.until_in_frame(TURN_DONE, len(game.moves) + 1)
        return self.game(variant)


@contextmanager
def browsing(playwright: Any, profile: Path, **more: Any) -> Iterator[Any]:
    """A Chromium with a profile, which another can have after it."""
    context = playwright.chromium.launch_persistent_context(
        str(profile),
        executable_path=CHROMIUM,
        args=_ARGUMENTS,
        **{"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", **more},
    )
    try:
        yield context
    finally:
        context.close()
