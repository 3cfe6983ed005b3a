"""Rights end when they are taken: whoever has a socket open loses them too, on every server of the store."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import pytest

from helpers.web.served import new_key
from komadai.app.web.game.profiles import Profiles
from komadai.app.web.game.registry import Created, GameRegistry
from komadai.app.web.game.replay import DeletedError, RefusedError
from komadai.app.web.game.session import Session
from komadai.app.web.schema.commands import MoveCommand, ResignCommand
from komadai.app.web.store.opening import open_store

PEOPLE = {"b": "human", "w": "open"}


class Room:
    """Two servers of one store: at the one a profile is deleted, at the other somebody has its token."""

    def __init__(self, data: str) -> None:
        self.one, self.two = (GameRegistry(open_store(data)) for _ in range(2))
        self.profiles = Profiles(self.one._store, self.one.renew)
        self.said: list[dict[str, object]] = []
        self._changed = asyncio.Event()

    async def open(self) -> None:
        await self.one.open()
        await self.two.open()
        self.game: Created = await self.one.create("micro", {}, PEOPLE)
        self.key = new_key()
        await self.profiles.make(self.key)
        await self.profiles.add(self.key, [(self.game.game, self.game.tokens["b"])])
        [seat] = await self.profiles.seats(self.key)
        self.token = seat.token

    def hear(self, message: str) -> None:
        self.said.append(json.loads(message))
        self._changed.set()

    async def join(self, games: GameRegistry) -> Session:
        return await games.join(self.game.game, self.hear, self.token)

    async def until(self, seen: Callable[[], bool]) -> None:
        while not seen():
            self._changed.clear()
            await asyncio.wait_for(self._changed.wait(), 30)

    async def close(self) -> None:
        await self.one.close()
        await self.two.close()


@pytest.fixture
def room(kept_in: str) -> Room:
    return Room(kept_in)


@pytest.mark.parametrize("here", [True, False], ids=["the same server", "another"])
async def test_the_token_of_a_deleted_profile_is_worth_nothing_on_an_open_socket(room: Room, here: bool) -> None:
    await room.open()
    session = await room.join(room.one if here else room.two)
    assert session.views.state(room.token).count('"you":["b"]') == 1
    await room.profiles.delete(room.key)
    with pytest.raises(RefusedError, match="watching this game"):
        await session.command(ResignCommand("r"), room.token)
    assert session.seq == 0
    assert await session.command(ResignCommand("r"), room.game.tokens["b"]) == 1, "the first token stays valid"
    await room.close()


@pytest.mark.parametrize("here", [True, False], ids=["the same server", "another"])
async def test_open_sockets_are_told_by_themselves(room: Room, here: bool) -> None:
    await room.open()
    await room.join(room.one if here else room.two)
    await room.profiles.delete(room.key)
    await room.until(lambda: any(said["t"] == "state" and said["you"] == [] for said in room.said))
    await room.close()


async def test_a_deleted_game_ends_on_every_server(room: Room) -> None:
    await room.open()
    session = await room.join(room.two)
    room.one._store.delete(room.game.game)
    await room.until(lambda: any(said["t"] == "error" and "deleted" in str(said["reason"]) for said in room.said))
    with pytest.raises(DeletedError):
        await session.command(MoveCommand("m", 1, "4e4d"), room.token)
    await room.close()


async def test_moves_on_another_server_are_seen(room: Room) -> None:
    await room.open()
    await room.join(room.two)
    session = await room.one.join(room.game.game, [].append, room.token)
    await session.command(ResignCommand("r"), room.token)
    await room.until(lambda: any(said["t"] == "events" and said["seq"] == 1 for said in room.said))
    await room.close()
