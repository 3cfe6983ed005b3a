"""A store that fails: what was done, what was not, and what nobody knows are three answers."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.exceptions import ConnectionClosedError

from helpers.support import in_a_loop
from helpers.web.served import WAIT, Server
from komadai.app.web.game import clocks, computer
from komadai.app.web.game.registry import GameRegistry
from komadai.app.web.game.replay import InDoubtError, UnavailableError
from komadai.app.web.game.session import Session
from komadai.app.web.game.socket import Client
from komadai.app.web.schema.commands import MoveCommand, RematchCommand, ResignCommand
from komadai.app.web.store import Challenge, Event, GameRow, StoreError, WriteInDoubtError
from komadai.app.web.store.sqlite import SqliteStore, _may_be_written
from komadai.game.time_control import TimeControl

BOTH = {"b": "human", "w": "human"}
MOVE = MoveCommand("m", 1, "K*1a")


class Failing(SqliteStore):
    """A store that fails where it is asked to.

    Attributes:
        syncs: false: a write is in doubt. ``writes``, ``reads``: false: they fail. ``answers``: false: an event is
            written twice, as when the answer to the first attempt was lost.
    """

    syncs = writes = reads = answers = True

    def append(self, game_id: str, event: Event) -> None:
        if not self.answers:
            super().append(game_id, event)
        if not self.writes:
            raise StoreError("no room")
        if not self.syncs:
            raise WriteInDoubtError("no sync")
        super().append(game_id, event)

    def create(self, game: GameRow, challenge: Challenge | None = None) -> None:
        super().create(game, challenge)
        if not self.syncs:
            raise WriteInDoubtError("no sync")

    def load(self, game_id: str, after: int = 0) -> tuple[GameRow, list[Event]] | None:
        if not self.reads:
            raise StoreError("no answer")
        return super().load(game_id, after)


@pytest.fixture
def store(tmp_path: Path) -> Failing:
    return Failing(tmp_path / "games.sqlite3")


@asynccontextmanager
async def table(store: Failing) -> AsyncIterator[tuple[Session, str]]:
    """A game that both play at one screen, and the token of their seats."""
    games = GameRegistry(store)
    made = await games.create("nana", {}, BOTH)
    yield await games.join(made.game, [].append, made.tokens["b"]), made.tokens["b"]
    await games.close()


async def test_a_command_in_doubt_stays_in_doubt_while_nobody_knows(store: Failing) -> None:
    async with table(store) as (one, token):
        store.syncs = False
        with pytest.raises(InDoubtError, match="not known whether"):
            await one.command(MOVE, token)
        store.reads = False
        with pytest.raises(InDoubtError, match="not known whether"):
            await one.command(MOVE, token)
        with pytest.raises(UnavailableError, match="Nothing was changed") as other:
            await one.command(replace_id(MOVE, "n"), token)
        assert other.type is UnavailableError, "it was never tried"
        store.reads, store.syncs, store.writes = True, True, False
        with pytest.raises(InDoubtError):
            await one.command(MOVE, token)  # its number is free: the next start may find the first attempt
        store.writes = True
        assert await one.command(MOVE, token) == 1
        store.writes = False
        with pytest.raises(UnavailableError) as later:
            await one.command(replace_id(MOVE, "o", ply=2, text="K*3c"), token)
        assert later.type is UnavailableError


async def test_a_write_that_conflicts_with_itself_is_in_doubt_until_it_is_read(store: Failing) -> None:
    async with table(store) as (one, token):
        store.answers = store.reads = False
        with pytest.raises(InDoubtError, match="not known whether"):
            await one.command(MOVE, token)
        store.reads = True
        assert await one.command(MOVE, token) == 1


async def test_a_command_known_to_be_done_is_acknowledged_while_the_store_fails(store: Failing) -> None:
    """It was refused with "Nothing was changed", where the session had seen its event and then fallen behind."""

    async with table(store) as (one, token):
        assert await one.command(MOVE, token) == 1
        store.reads = False
        with pytest.raises(UnavailableError):
            await one.refresh()
        assert await one.command(MOVE, token) == 1


def replace_id(move: MoveCommand, id: str, **changes: object) -> MoveCommand:
    """The same move by another command."""
    return MoveCommand(**{"ply": move.ply, "text": move.text, **changes, "id": id})  # type: ignore[arg-type]


async def test_who_sat_down_on_another_server_plays_on_one_that_was_behind(store: Failing) -> None:
    games, elsewhere = GameRegistry(store), GameRegistry(SqliteStore(store.path))
    made = await games.create("nana", {}, {"b": "open", "w": "human"})
    one = await games.join(made.game, [].append, made.tokens["w"])
    store.syncs = store.reads = False
    with pytest.raises(InDoubtError):
        await one.command(ResignCommand("r"), made.tokens["w"])
    _game, token = await elsewhere.accept(made.invite or "", "Ben", None)
    store.syncs = store.reads = True
    assert await one.command(MOVE, token) == 2
    await games.close()
    await elsewhere.close()


async def test_a_rematch_whose_game_is_in_doubt_is_certainly_not_agreed(store: Failing) -> None:
    async with table(store) as (one, token):
        await one.command(ResignCommand("r"), token)
        store.syncs = False
        with pytest.raises(UnavailableError, match="Nothing was changed") as error:
            await one.command(RematchCommand("a"), token)
        assert error.type is UnavailableError
        store.syncs = True
        assert await one.command(RematchCommand("a"), token) == 2


async def test_a_computer_whose_move_cannot_be_stored_moves_later(
    store: Failing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computer, "_THINK_AGAIN", 0.01)

    games, said = GameRegistry(store), asyncio.Queue[str]()
    made = await games.create("nana", {}, {"b": "level1", "w": "human"})
    store.writes = False
    await games.join(made.game, said.put_nowait, made.tokens["w"])
    while "no room" not in await asyncio.wait_for(said.get(), WAIT):
        pass
    store.writes = True
    while '"t":"events","seq":1' not in await asyncio.wait_for(said.get(), WAIT):
        pass
    await games.close()


async def test_a_computer_that_failed_twice_is_not_woken_after_the_end(
    store: Failing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The timer of the first failure was forgotten, not cancelled: found by the model of the protocol."""
    monkeypatch.setattr(computer, "_THINK_AGAIN", 0.3)

    errors: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: errors.append(context))
    games, said = GameRegistry(store), asyncio.Queue[str]()
    made = await games.create("nana", {}, {"b": "level1", "w": "human"})
    store.writes = False
    one = await games.join(made.game, said.put_nowait, made.tokens["w"])
    for _failure in range(2):
        while "no room" not in await asyncio.wait_for(said.get(), WAIT):
            pass
        await asyncio.sleep(0)
        one.wake()
    await games.close()
    del one
    await asyncio.sleep(0.4)
    assert errors == []


def test_a_game_that_cannot_be_opened_leaves_nothing_running(store: Failing, monkeypatch: pytest.MonkeyPatch) -> None:
    async def begin() -> str:
        games = GameRegistry(store)
        made = await games.create("nana", {}, BOTH, time=TimeControl.parse("10m"))
        one = await games.join(made.game, [].append, made.tokens["b"])
        for ply, text in enumerate(("K*1a", "K*3c"), 1):
            await one.command(replace_id(MOVE, text, ply=ply, text=text), made.tokens["b"])
        return made.game

    async def run(game: str) -> None:
        monkeypatch.setattr(clocks.GameClocks, "counted", lambda *_: 0.0)
        games = GameRegistry(store)
        store.syncs = False
        with pytest.raises(UnavailableError):
            await games.join(game, [].append)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        await games.close()

    in_a_loop(run(in_a_loop(begin())))


async def test_a_write_that_fails_while_its_game_is_closed_leaves_nothing_running(store: Failing) -> None:
    begun, gate = threading.Event(), threading.Event()

    def append(_game: str, _event: Event) -> None:
        begun.set()
        gate.wait(WAIT)
        raise WriteInDoubtError("no sync")

    games = GameRegistry(store)
    made = await games.create("nana", {}, BOTH)
    one = await games.join(made.game, [].append, made.tokens["b"])
    store.append = append  # type: ignore[method-assign]
    command = asyncio.create_task(one.command(MOVE, made.tokens["b"]))
    await asyncio.to_thread(begun.wait, WAIT)
    closing = asyncio.create_task(games.close())
    await asyncio.sleep(0)
    gate.set()
    await closing
    with pytest.raises(InDoubtError):
        await command
    assert asyncio.all_tasks() == {asyncio.current_task()}


def test_a_hello_that_the_store_cannot_answer_ends_the_connection(start: Callable[..., Server]) -> None:
    """A page connects again then; an error in words would be the end of it."""
    server = start()
    game = server.game()
    with closing(sqlite3.connect(server.data / "games.sqlite3")) as database:
        database.execute("ALTER TABLE event RENAME TO gone")
        with server.client() as client:
            client.send(t="hello", game=game)
            with pytest.raises(ConnectionClosedError) as closed:
                client.receive("error", "state")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013
        database.execute("ALTER TABLE gone RENAME TO event")
    with server.join(game) as client:
        assert client.state["seq"] == 0


async def test_who_has_gone_meanwhile_leaves_nothing_in_the_log(
    store: Failing, caplog: pytest.LogCaptureFixture
) -> None:
    class Gone(WebSocket):
        """A client that says hello and goes."""

        said = iter(
            ({"type": "websocket.receive", "text": '{"t":"hello","game":"g"}'}, {"type": "websocket.disconnect"})
        )

        async def accept(self, *_args: Any) -> None:
            pass

        async def receive(self) -> Message:
            return next(self.said)

        async def send(self, message: Message) -> None:
            raise WebSocketDisconnect

    store.reads = False
    socket = Gone({"type": "websocket"}, None, None)  # type: ignore[arg-type]
    await Client(socket, GameRegistry(store), (1, 1)).run()
    assert [record.getMessage() for record in caplog.records] == ["no answer"]


@pytest.mark.parametrize(
    ("code", "in_doubt"),
    [("FSYNC", True), ("WRITE", True), ("SHMSIZE", True), ("READ", False), ("SHORT_READ", False), ("LOCK", False)],
)
def test_only_a_failure_after_writing_is_in_doubt(code: str, in_doubt: bool) -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = getattr(sqlite3, f"SQLITE_IOERR_{code}")
    assert _may_be_written(error) is in_doubt


def test_a_secret_is_read_once(store: Failing) -> None:
    found = store.secret("cookies")
    store._db.execute("DROP TABLE secret")
    assert store.secret("cookies") == found
