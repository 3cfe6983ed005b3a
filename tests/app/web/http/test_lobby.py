"""The lobby: games that wait for whoever comes by."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from helpers.web.inside import inside
from helpers.web.served import Server, keep, refused
from komadai.app.web.engines.addresses import USUAL_NETWORKS
from komadai.app.web.engines.rate_limits import RateLimits
from komadai.app.web.game import lobby
from komadai.app.web.game.registry import GameRegistry
from komadai.app.web.game.replay import RefusedError, TooManyGamesError
from komadai.app.web.schema.commands import MoveCommand, ResignCommand
from komadai.app.web.store import Challenge, GameRow
from komadai.app.web.store.opening import open_store
from komadai.app.web.store.sqlite import SqliteStore
from komadai.game.time_control import NO_CLOCK, TimeControl

STRANGER = "198.51.100.7"
OPEN = {"b": "human", "w": "open"}


def listed(server: Server) -> list[dict[str, Any]]:
    time.sleep(lobby._FRESH)
    answer = httpx.get(f"{server.url}/api/lobby")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["challenges"]
    return found


def test_who_comes_by_takes_the_seat(start: Callable[..., Server]) -> None:
    server = start()  # whose lobby nobody else enters
    made = server.make("shogi", w="open", lobby=True, time="10m+5s", name="Ada")
    days = server.make(b="open", lobby=True, time="3d", options={"drop_faces": "front"})
    hidden = server.make(w="open")
    first, second = listed(server)
    assert (first["game"], first["side"], first["time"]) == (days["game"], "b", "3d")
    assert first["options"]["drop_faces"] == "front"
    assert (second["game"], second["side"], second["variant"], second["start"]) == (made["game"], "w", "shogi", None)
    assert second["name"] == "Ada"
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
    assert "a seat for another person" in refused(server.ask(w="level1", lobby=True))


def test_the_next_game_of_two_people_is_their_own(server: Server) -> None:
    made = server.make("hand", w="open", lobby=True)
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
    challenge = await hall.lobby.challenge(USUAL_NETWORKS.of(address), control)
    made = await hall.create("nana", {}, {"b": "human", "w": "open"}, time=control, challenge=challenge)
    return made.game, made.tokens["b"]


async def test_a_game_stands_there_while_its_maker_is_connected_to_any_server(
    kept_in: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, seconds in {"_LEASE": 1.0, "_EVERY": 0.1, "_FRESH": 0.0}.items():
        monkeypatch.setattr(lobby, name, seconds)

    one, two = (GameRegistry(open_store(kept_in)) for _ in range(2))
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


async def test_there_is_room_for_few_games_of_an_address(store: SqliteStore) -> None:
    hall = GameRegistry(store, limits=RateLimits(challenges=2))
    games = [await game(hall) for _ in range(2)]
    with pytest.raises(TooManyGamesError, match="2 games in the lobby already"):
        await game(hall)
    await game(hall, address="198.51.100.8")
    for _ in range(4):
        await game(hall, address="127.0.0.1")
    session = await hall.join(games[0][0], lambda _: None, games[0][1])
    await session.command(ResignCommand("r"), games[0][1])
    await game(hall)
    with pytest.raises(RefusedError, match="a seat for another person"):
        await hall.create("nana", {}, {"b": "human", "w": "human"}, challenge=Challenge("x", 1.0))
    await hall.close()


async def test_two_games_over_days_are_there_of_an_address(hall: GameRegistry) -> None:
    days = TimeControl.parse("3d")
    households = [f"2001:db8:5:{number}00::1" for number in range(6)]
    for address in (STRANGER, *households[:4]):
        for _ in range(2):
            await game(hall, days, address)
        with pytest.raises(TooManyGamesError, match="2 games in the lobby already"):
            await game(hall, days, address)
    with pytest.raises(TooManyGamesError, match="8 games in the lobby already"):
        await game(hall, days, households[4])
    for _ in range(3):
        await game(hall)
    with pytest.raises(TooManyGamesError, match="5 games"):
        await game(hall)


async def test_a_full_lobby_drops_the_oldest_game_of_whoever_has_most(
    hall: GameRegistry, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "MOST_CHALLENGES", 12)

    made: dict[str, list[str]] = {}

    async def offer_from(address: str) -> None:
        made.setdefault(address, []).append((await game(hall, address=address))[0])

    async def listed_of(address: str) -> list[str]:
        there = {one.game.id for one in await hall.lobby.challenges()}
        return [id for id in made[address] if id in there]

    few, many, site = "192.0.2.1", "192.0.2.2", [f"2001:db8:6:{number:x}00::1" for number in range(6)]
    store.create(GameRow("old", "nana", "1", {}, OPEN), Challenge("of an earlier version", 60.0))
    for address in (few, many, many, many, *site, many):
        await offer_from(address)
    assert len(await hall.lobby.challenges()) == 12
    await offer_from("192.0.2.3")
    assert await listed_of(many) == made[many][1:], "the oldest of four"
    await offer_from("192.0.2.4")
    assert await listed_of(many) == made[many][2:]
    await offer_from(few)
    assert await listed_of(few) == made[few][1:], "with the new one it has as many, and an older one"
    for number in range(5, 9):
        await offer_from(f"192.0.2.{number}")
    gone = [address for address in site if not await listed_of(address)]
    assert (await listed_of(few), await listed_of(many)) == (made[few][1:], made[many][3:])
    assert gone == site[:2], "a site that has six counts as four addresses"


async def test_the_store_does_not_know_whose_a_game_is(tmp_path: Path) -> None:
    """The same address is another one after a restart, so that nobody finds it by trying all."""

    for _ in range(2):
        hall = GameRegistry(SqliteStore(tmp_path / "games.sqlite3"))
        await game(hall)
        await game(hall)
        await hall.close()
    with closing(sqlite3.connect(tmp_path / "games.sqlite3")) as database:
        rows = database.execute("SELECT maker FROM challenge ORDER BY rowid").fetchall()
    assert rows[0] == rows[1] != rows[2] == rows[3]


# --- Whoever takes a seat plays ------------------------------------------------------------------------------------


async def seat(hall: GameRegistry, address: str, maker: str = "b") -> tuple[str, str]:
    """A game with an open seat that somebody at that address takes, and the guest's token."""
    other = "w" if maker == "b" else "b"
    made = await hall.create("nana", {}, {maker: "human", other: "open"})  # type: ignore[dict-item]
    assert made.invite is not None
    return await hall.accept(made.invite, "", None, USUAL_NETWORKS.of(address))


async def test_whoever_has_joined_three_games_moves_in_one_before_the_next(
    hall: GameRegistry, store: SqliteStore
) -> None:
    first, second, third = [await seat(hall, STRANGER, "w") for _ in range(3)]
    for _ in range(2):
        with pytest.raises(TooManyGamesError, match="joined 3 games in which you have not moved"):
            await seat(hall, STRANGER)
    await seat(hall, "198.51.100.8")
    session = await hall.join(first[0], lambda _: None, first[1])
    move = str(session.state.game.position.legal_moves()[0])
    await session.command(MoveCommand("m", 1, move), first[1])
    await seat(hall, STRANGER, "w")
    with pytest.raises(TooManyGamesError):
        await seat(hall, STRANGER)
    resigning = await hall.join(second[0], lambda _: None, second[1])
    await resigning.command(ResignCommand("r"), second[1])
    await seat(hall, STRANGER)
    store.delete(third[0])
    await seat(hall, STRANGER)
    with pytest.raises(TooManyGamesError):
        await seat(hall, STRANGER)
    for _ in range(5):
        await seat(hall, "127.0.0.1")


async def test_all_seats_taken_at_once_are_no_more_than_three_and_of_a_site_twelve(hall: GameRegistry) -> None:
    crowds = {3: [STRANGER] * 20, 12: [f"2001:db8:7:{number:x}00::1" for number in range(20)]}
    for most, crowd in crowds.items():
        taken = await asyncio.gather(*(seat(hall, address) for address in crowd), return_exceptions=True)
        assert sum(isinstance(one, tuple) for one in taken) == most
        assert all(isinstance(one, (tuple, TooManyGamesError)) for one in taken)


async def test_a_seat_that_was_not_had_is_not_counted(hall: GameRegistry) -> None:
    taken, _ = await seat(hall, "198.51.100.8")
    here = USUAL_NETWORKS.of(STRANGER)
    for invite in [f"{taken}.wrong"] * 5 + ["nothing.there"] * 5:
        with pytest.raises(RefusedError) as refused:
            await hall.accept(invite, "", None, here)
        assert not isinstance(refused.value, TooManyGamesError)
    made = await hall.create("nana", {}, {"b": "human", "w": "open"})
    assert made.invite is not None
    for _ in range(5):
        await hall.accept(made.invite, "", "browser", here)  # the answer was lost
    for _ in range(2):
        await seat(hall, STRANGER)
    with pytest.raises(TooManyGamesError):
        await seat(hall, STRANGER)


async def test_too_many_games_in_the_lobby_are_refused_over_http(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object) -> None:
        raise TooManyGamesError("the lobby has 5 games of yours")

    monkeypatch.setattr(lobby.Lobby, "challenge", full)

    async with inside(store) as at:
        answer = await at(STRANGER).post("/api/games", json={"variant": "nana", "seats": OPEN, "lobby": True})
        assert refused(answer, 429) == "The lobby has 5 games of yours."
