"""The application as one browser has it for itself, with calls in place of a network."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import komadai
from helpers.engine_worker import ProcessWorker
from helpers.support import in_a_loop
from helpers.web.handles import FILES, FileHandle
from helpers.web.served import WAIT
from komadai.app.site import tab
from komadai.app.site.export.compile_start import NoEngine
from komadai.app.site.host import Host, HttpAnswer, application
from komadai.app.web.store import StoreError
from komadai.app.web.store.opfs import OpfsStore

JSON = [("content-type", "application/json")]
PAGE = [("accept", "text/html")]


@asynccontextmanager
async def hosted(folder: Path) -> AsyncIterator[Host]:
    host = Host(application(lambda: OpfsStore([FileHandle(folder / name) for name in FILES])))
    await host.start()
    try:
        yield host
    finally:
        await host.stop()


def using(folder: Path, use: Callable[[Host], Awaitable[None]]) -> None:
    async def work() -> None:
        async with hosted(folder) as host:
            await asyncio.wait_for(use(host), WAIT)

    in_a_loop(work())


async def post(host: Host, address: str, data: Any) -> HttpAnswer:
    return await host.http("POST", address, JSON, json.dumps(data).encode())


class Talk:
    """A connection, and what comes over it."""

    def __init__(self, host: Host, address: str) -> None:
        self._said: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
        self._connection = host.connect(address, [], lambda kind, text: self._said.put_nowait((kind, text)))

    async def opened(self) -> None:
        assert await self._said.get() == ("open", "")

    def say(self, **message: Any) -> None:
        self._connection.send(json.dumps(message))

    async def hear(self, *kinds: str) -> dict[str, Any]:
        while True:
            kind, text = await self._said.get()
            assert kind == "message", (kind, text)
            message: dict[str, Any] = json.loads(text)
            if message["t"] in kinds:
                return message
            assert message["t"] not in ("error", "refused"), message

    def leave(self) -> None:
        self._connection.close()


async def begin(host: Host, variant: str) -> tuple[dict[str, Any], Talk]:
    made = await post(host, "/api/games", {"variant": variant, "seats": {"b": "human", "w": "level3"}})
    assert made.status == 201, made.body
    found = json.loads(made.body)
    talk = Talk(host, "/socket")
    await talk.opened()
    talk.say(t="hello", game=found["game"], seq=None, token=found["tokens"]["b"])
    await talk.hear("state")
    return found, talk


@pytest.mark.parametrize("variant", ["nana", "shogi"])
def test_a_game_is_played_and_kept(tmp_path: Path, variant: str) -> None:
    async def play(host: Host) -> None:
        found, talk = await begin(host, variant)
        game = komadai.Game(variant)
        seen = 0
        for number in range(2):
            move = game.position.legal_moves()[0].text
            talk.say(t="move", id=f"m{number}", ply=2 * number + 1, text=move)
            while seen < 2 * number + 2:
                for event in (await talk.hear("events"))["events"]:
                    game.push(event["usi"])
                    seen += 1
        talk.leave()
        kept["game"], kept["moves"] = found["game"], [move.text for move in game.moves]

    async def look(host: Host) -> None:
        record = await host.http("GET", f"/api/games/{kept['game']}/record")
        text = record.body.decode()
        assert record.status == 200
        assert all(move in text for move in kept["moves"])

    kept: dict[str, Any] = {}
    using(tmp_path, play)
    using(tmp_path, look)


def test_an_analysis_reports_and_is_stopped(tmp_path: Path) -> None:
    async def analyse(host: Host) -> None:
        talk = Talk(host, "/analysis")
        await talk.opened()
        talk.say(t="analyse", id="1", variant="shogi", options={}, moves=[], lines=1, seconds=600)
        assert (await talk.hear("info"))["id"] == "1"
        talk.say(t="stop")
        await talk.hear("done")
        talk.leave()

    using(tmp_path, analyse)


def test_the_host_keeps_the_cookie_and_shows_it_to_nobody(tmp_path: Path) -> None:
    async def ask(host: Host) -> None:
        first = await host.http("GET", "/", PAGE)
        assert b"komadai=" in host._cookie
        kept = host._cookie
        await host.http("GET", "/games", PAGE)
        assert host._cookie == kept
        assert "set-cookie" not in dict(first.headers)

    using(tmp_path, ask)


def test_pages_are_for_one_person_and_may_be_framed_by_the_site(tmp_path: Path) -> None:
    async def ask(host: Host) -> None:
        answer = await host.http("GET", "/rules/nana", PAGE)
        headers = dict(answer.headers)
        assert b'<html lang="en" data-languages="en ja" data-alone>' in answer.body
        assert headers["content-security-policy"].endswith("frame-ancestors 'self'")
        assert headers["cross-origin-embedder-policy"] == "require-corp"

    using(tmp_path, ask)


@pytest.mark.parametrize(
    ("method", "address", "data"),
    [
        ("GET", "/lobby", None),
        ("GET", "/join", None),
        ("GET", "/api/lobby", None),
        ("POST", "/api/join", {"invite": "x"}),
        ("POST", "/api/profile", None),
        ("POST", "/api/profile/games", {"key": "x"}),
        ("POST", "/api/records", {}),
        ("POST", "/api/games", {"variant": "nana", "seats": {"b": "human", "w": "open"}}),
    ],
)
def test_what_needs_other_people_is_refused_in_words(tmp_path: Path, method: str, address: str, data: Any) -> None:
    async def ask(host: Host) -> None:
        answer = await host.http(method, address, JSON, json.dumps(data).encode())
        assert answer.status == 403
        assert "need a server" in answer.body.decode()
        japanese = await host.http(method, address, [*JSON, ("accept-language", "ja")], json.dumps(data).encode())
        assert "サーバー" in japanese.body.decode()

    using(tmp_path, ask)


def test_all_games_are_saved_and_brought_back_elsewhere(tmp_path: Path) -> None:
    saved: list[bytes] = []
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()

    async def save(host: Host) -> None:
        _found, talk = await begin(host, "nana")
        talk.say(t="move", id="m", ply=1, text=komadai.Position("nana").legal_moves()[0].text)
        await talk.hear("ack")
        talk.leave()
        answer = await host.http("GET", "/api/backup")
        assert answer.status == 200
        saved.append(answer.body)

    async def bring_back(host: Host) -> None:
        backup = json.loads(saved[0])
        spoilt = dict(backup["games"][0], id="spoilt", events=[{**backup["games"][0]["events"][0], "kind": "nonsense"}])
        backup["games"].append(spoilt)
        for brought in (1, 0):
            answer = await post(host, "/api/backup", backup)
            assert json.loads(answer.body) == {"games": brought, "unreadable": 1}
        games = json.loads((await host.http("GET", "/api/backup")).body)["games"]
        assert [game["events"] for game in games] == [json.loads(saved[0])["games"][0]["events"]]
        for nonsense in ({}, {"games": [{}]}, {"games": [], "format": 2}):
            assert (await post(host, "/api/backup", nonsense)).status == 422

    using(tmp_path / "one", save)
    using(tmp_path / "two", bring_back)


def test_a_request_that_makes_no_sense_is_answered(tmp_path: Path) -> None:
    async def ask(host: Host) -> None:
        assert (await host.http("GET", "/nope?%zz&\xff", [("accept", "\u6f22")])).status == 404
        assert (await host.http("POST", "/api/games", JSON, b"\xff{")).status == 400
        said: list[tuple[str, str]] = []
        host.connect("/nope", [], lambda *what: said.append(what)).send("x")
        while not said:
            await asyncio.sleep(0)
        assert said[0][0] == "close"

    using(tmp_path, ask)


def test_a_store_that_cannot_be_read_is_said_at_the_start(tmp_path: Path) -> None:
    class Broken(FileHandle):
        def size(self) -> int:
            raise OSError(5, "InvalidStateError")

    async def work() -> None:
        files = [Broken(tmp_path / name) for name in FILES]
        with pytest.raises(StoreError, match="cannot be read"):
            await Host(application(lambda: OpfsStore(files))).start()

    in_a_loop(work())


# --- As a tab begins --------------------------------------------------------------------------------------------------


class Lent(tab.MemoryFile):
    """A file as ``worker.js`` lends it, in memory."""

    full = False

    def read(self, at: int, length: int) -> Any:
        found = super().read(at, length)
        return type("JsBuffer", (), {"to_bytes": lambda _: found})()

    def write(self, at: int, data: bytes) -> None:
        if self.full:
            raise RuntimeError("QuotaExceededError: no room")
        super().write(at, data)


def test_a_tab_plays_with_an_engine_in_a_worker_and_says_when_there_is_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tab, "work_in_place", lambda: None)

    async def work() -> None:
        files = [Lent(), Lent()]
        host = (await tab.begin(files, lambda: (10**9, 10**9), partial(ProcessWorker, shared=False))).host
        _found, talk = await begin(host, "nana")
        talk.say(t="move", id="m", ply=1, text=komadai.Position("nana").legal_moves()[0].text)
        while len((await talk.hear("events"))["events"]) == 0:
            pass
        await talk.hear("events")
        for file in files:
            file.full = True
        refused = await post(host, "/api/games", {"variant": "nana", "seats": {"b": "human", "w": "human"}})
        assert refused.status == 507
        assert "used up" in refused.body.decode()
        talk.leave()
        await host.stop()

    in_a_loop(work())


@pytest.mark.parametrize(("full", "room"), [(True, None), (False, (0, 10**9))])
def test_a_browser_without_room_for_games_says_so_at_the_start_or_at_the_first_one(
    monkeypatch: pytest.MonkeyPatch, full: bool, room: tuple[int, int] | None
) -> None:
    monkeypatch.setattr(tab, "work_in_place", lambda: None)
    files = [Lent(), Lent()]
    for file in files:
        file.full = full

    async def work() -> None:
        begun = await tab.begin(files, lambda: room, NoEngine)
        assert begun.volatile == full
        asked = {"variant": "nana", "seats": {"b": "human", "w": "human"}}
        answer = await post(begun.host, "/api/games", asked)
        assert answer.status == (201 if full else 507)
        assert full or "this browser gives this site" in answer.body.decode()
        await begun.host.stop()

    in_a_loop(work())


def test_games_that_are_there_are_not_passed_over_for_lack_of_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tab, "work_in_place", lambda: None)
    files = [Lent(), Lent()]

    async def work() -> None:
        for full in (False, True):
            for file in files:
                file.full = full
            begun = await tab.begin(files, lambda: None, NoEngine)
            assert not begun.volatile
            await begun.host.stop()

    in_a_loop(work())
