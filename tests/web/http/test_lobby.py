"""The lobby: games that wait for whoever comes by."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from helpers.support import in_a_loop
from helpers.web.inside import inside
from helpers.web.served import Server, keep
from komadai.game.time_control import NO_CLOCK, TimeControl
from komadai.web.game import lobby
from komadai.web.game.lobby import MOST_CHALLENGES, FullLobbyError
from komadai.web.game.registry import GameRegistry
from komadai.web.game.replay import RefusedError
from komadai.web.schema.commands import ResignCommand
from komadai.web.store import Challenge, GameRow, Store
from komadai.web.store.postgres import PostgresStore
from komadai.web.store.sqlite import SqliteStore

STRANGER = "198.51.100.7"
OPEN = {"b": "human", "w": "open"}


def offer(server: Server, variant: str = "nana", **asked: Any) -> httpx.Response:
    body = {"variant": variant, "seats": OPEN, "lobby": True, **asked}
    return httpx.post(f"{server.url}/api/games", json=body)


def listed(server: Server) -> list[dict[str, Any]]:
    time.sleep(lobby._FRESH)
    answer = httpx.get(f"{server.url}/api/lobby")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["challenges"]
    return found


def test_who_comes_by_takes_the_seat(start: Callable[..., Server]) -> None:
    server = start()  # whose lobby nobody else enters
    made = offer(server, "shogi", time="10m+5s", name="Ada").json()
    days = offer(server, time="3d", seats={"b": "open", "w": "human"}, options={"drop_faces": "front"}).json()
    hidden = httpx.post(f"{server.url}/api/games", json={"variant": "nana", "seats": OPEN}).json()
    first, second = listed(server)
    assert (first["game"], first["side"], first["time"]) == (days["game"], "b", "3d")
    assert first["options"]["drop_faces"] == "front"
    assert (second["game"], second["side"], second["variant"], second["start"]) == (made["game"], "w", "shogi", None)
    assert "Ada" not in str(second), "names are for whoever opens the game"
    assert hidden["invite"].partition(".")[2] != "lobby"
    assert httpx.post(f"{server.url}/api/join", json={"invite": f"{hidden['game']}.lobby"}).status_code == 409

    joined = httpx.post(f"{server.url}/api/join", json={"invite": second["invite"], "name": "Ben"})
    assert joined.status_code == 200
    assert httpx.post(f"{server.url}/api/join", json={"invite": second["invite"]}).status_code == 409, "it is taken"
    with server.join(made["game"], token=joined.json()["token"]) as guest:
        assert (guest.state["you"], guest.state["names"]) == (["w"], {"b": "Ada", "w": "Ben"})
    with server.join(keep(days)) as maker:
        assert maker.command("resign")["t"] == "ack"
    assert listed(server) == [], "the one is taken, the other called off"


def test_only_a_game_with_an_open_seat_can_stand_there(server: Server) -> None:
    answer = offer(server, seats={"b": "human", "w": "level1"})
    assert answer.status_code == 422
    assert "a seat for another person" in answer.json()["error"]


def test_the_next_game_of_two_people_is_their_own(server: Server) -> None:
    made = offer(server, "hand").json()
    joined = httpx.post(f"{server.url}/api/join", json={"invite": made["invite"]}).json()
    with server.join(keep(made)) as maker:
        assert maker.command("resign")["t"] == "ack"
    following = server.follow(made["game"]).json()["game"]
    assert httpx.post(f"{server.url}/api/join", json={"invite": f"{following}.lobby"}).status_code == 409
    with server.join(following, token=joined["token"]) as guest:
        assert guest.state["you"] == ["b"]


# --- How long a game stands there -----------------------------------------------------------------------------------


async def game(hall: GameRegistry, control: TimeControl = NO_CLOCK, address: str = STRANGER) -> tuple[str, str]:
    """A game in the lobby, and its maker's token."""
    challenge = await hall.lobby.challenge(address, control)
    made = await hall.create("nana", {}, {"b": "human", "w": "open"}, time=control, challenge=challenge)
    return made.game, made.tokens["b"]


@pytest.fixture(params=["sqlite", "postgres"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Store]:
    if request.param == "sqlite":
        return lambda: SqliteStore(tmp_path / "games.sqlite3")
    url = request.getfixturevalue("cluster").database()
    return lambda: PostgresStore(url)


def test_a_game_stands_there_while_its_maker_is_connected_to_any_server(
    opened: Callable[[], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, seconds in {"_LEASE": 1.0, "_EVERY": 0.1, "_FRESH": 0.0}.items():
        monkeypatch.setattr(lobby, name, seconds)

    async def run() -> None:
        one, two = GameRegistry(opened()), GameRegistry(opened())
        keeping = [asyncio.create_task(hall.lobby.keep()) for hall in (one, two)]

        async def there() -> set[str]:
            return {each.game.id for hall in (one, two) for each in await hall.lobby.challenges()}

        async def until(due: set[str]) -> None:
            while await there() != due:
                await asyncio.sleep(0.05)

        (left, _), (kept, token) = await game(one), await game(one)
        days, _ = await game(one, TimeControl.parse("3d"))
        heard: list[str] = []
        listen, watch = heard.append, heard.extend
        session = await two.join(kept, listen, token)
        watched = await two.join(left, watch)  # by somebody who is not its maker
        await until({kept, days})
        await asyncio.sleep(1.5)
        assert await there() == {kept, days}
        session.leave(listen)
        await until({days})
        again = await one.join(kept, listen, token)
        await until({kept, days})
        await again.command(ResignCommand("r"), token)
        assert await there() == {days}, "it was called off"
        watched.leave(watch)
        for task in keeping:
            task.cancel()
        for hall in (one, two):
            await hall.close()

    in_a_loop(run())


def test_there_is_room_for_few_games_of_an_address_and_for_some_in_all(tmp_path: Path) -> None:
    async def run() -> None:
        store = SqliteStore(tmp_path / "games.sqlite3")
        hall = GameRegistry(store, challenges=2)
        games = [await game(hall) for _ in range(2)]
        with pytest.raises(FullLobbyError, match="2 games in the lobby already"):
            await game(hall)
        await game(hall, address="198.51.100.8")
        for _ in range(4):
            await game(hall, address="127.0.0.1")
        session = await hall.join(games[0][0], lambda _: None, games[0][1])
        await session.command(ResignCommand("r"), games[0][1])
        await game(hall)
        for number in range(MOST_CHALLENGES):
            row = GameRow(f"g{number}", "nana", "1", {}, {"b": "human", "w": "open"})
            store.create(row, Challenge(f"maker {number}", 60.0))
        with pytest.raises(FullLobbyError, match="The lobby is full"):
            await game(hall, address="198.51.100.9")
        with pytest.raises(RefusedError, match="a seat for another person"):
            await hall.create("nana", {}, {"b": "human", "w": "human"}, challenge=Challenge("x", 1.0))
        await hall.close()

    in_a_loop(run())


def test_too_many_games_in_the_lobby_are_refused_over_http(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(*_: object) -> None:
        raise FullLobbyError("the lobby is full")

    monkeypatch.setattr(lobby.Lobby, "challenge", full)

    async def run() -> None:
        async with inside(SqliteStore(tmp_path / "games.sqlite3")) as at:
            answer = await at(STRANGER).post("/api/games", json={"variant": "nana", "seats": OPEN, "lobby": True})
            assert (answer.status_code, answer.json()) == (
                429,
                {"error": "The lobby is full."},
            )

    in_a_loop(run())
