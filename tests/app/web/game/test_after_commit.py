"""What fails between the durable write and the answer: no answer says what the store contradicts, and games go on."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from inspect import unwrap
from pathlib import Path
from types import CodeType, FrameType
from typing import NamedTuple, cast

import pytest
from starlette.websockets import WebSocket

import komadai
from helpers.support import in_a_loop
from helpers.volume import FULL
from komadai.app.web.engines.rate_limits import USUAL
from komadai.app.web.game.kept_game import KeptGame
from komadai.app.web.game.registry import GameRegistry
from komadai.app.web.game.replay import Stored
from komadai.app.web.game.session import Session
from komadai.app.web.game.socket import Client
from komadai.app.web.game.state import GameState
from komadai.app.web.schema.commands import Command, DrawCommand, Hello, MoveCommand, ResignCommand
from komadai.app.web.store.sqlite import SqliteStore
from komadai.errors import IllegalMoveError

PEOPLE = {"b": "human", "w": "human"}
ROOTS = tuple(unwrap(method).__code__ for method in (Client._command, Session.command, KeptGame._after))
ERRORS = (MemoryError, OSError, lambda: IllegalMoveError("for a test"))
PATIENCE = 30.0  # seconds until a command counts as hung


class Point(NamedTuple):
    """A call of a function, or its return."""

    code: CodeType
    event: str
    number: int

    def __str__(self) -> str:
        return f"{self.event} of {self.code.co_qualname} {self.number}"


class Faults:
    """Follows the calls and returns below a command, and lets one of them fail."""

    def __init__(self, at: Point | None = None, error: Callable[[], BaseException] = MemoryError) -> None:
        self.seen: dict[tuple[CodeType, str], int] = {}
        self._at, self._error = at, error
        self.hit = False

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        if event not in ("call", "return") or not _below(frame) or _of_threads(frame.f_code):
            return
        number = self.seen[frame.f_code, event] = self.seen.get((frame.f_code, event), 0) + 1
        if not self.hit and self._at == (frame.f_code, event, number):
            self.hit = True
            raise self._error()

    def __enter__(self) -> Faults:
        sys.setprofile(self)
        return self

    def __exit__(self, *_error: object) -> None:
        sys.setprofile(None)

    def points(self) -> Iterator[Point]:
        for (code, event), count in self.seen.items():
            yield from (Point(code, event, number) for number in (range(1, count + 1) if FULL else {1, count}))


def _of_threads(code: CodeType) -> bool:
    """Python's own locks and threads stay locked or busy for ever if they are interrupted."""
    return code.co_filename.endswith("threading.py") or "/concurrent/futures/" in code.co_filename


def _below(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code in ROOTS:
            return True
        frame = frame.f_back
    return False


class Table:
    """Two people at one screen, and the words they get."""

    def __init__(self, folder: Path) -> None:
        self.store = SqliteStore(folder / "games.sqlite3")
        self.games = GameRegistry(self.store)

    async def sit_down(self, game: str) -> None:
        made = await self.games.create(game, {}, PEOPLE)
        self.id, self.token = made.game, made.tokens["b"]
        self.client = Client(cast("WebSocket", None), self.games, USUAL.messages)
        await self.client._hello(Hello(self.id, token=self.token))
        assert self.client._session is not None
        self.session = self.client._session

    async def send(self, command: Command) -> list[str]:
        """The kinds of the answers."""
        self.client._outbox.clear()
        await asyncio.wait_for(self.client._command(self.session, command), PATIENCE)
        said = [json.loads(await self.client._outbox.get()) for _ in range(len(self.client._outbox._messages))]
        return [message["t"] for message in said if message.get("id") == command.id]

    def stored(self) -> int:
        loaded = self.store.load(self.id)
        assert loaded is not None
        GameState(Stored(*loaded))  # it opens
        return len(loaded[1])


def commands(game: str) -> list[Command]:
    position = komadai.Position(game)
    return [MoveCommand("c", 1, position.legal_moves()[0].text), ResignCommand("c"), DrawCommand("c")]


async def judge(table: Table, game: str, command: Command, at: Point, error: Callable[[], BaseException]) -> str | None:
    """What is wrong, if the call or return fails."""
    await table.sit_down(game)
    with Faults(at, error) as faults:
        try:
            answers = await table.send(command)
        except TimeoutError:
            return "it hangs"
        except Exception:
            answers = []
    if not faults.hit:
        return None
    written = table.stored()
    if "ack" in answers and not written:
        return "acknowledged, and not stored"
    if "refused" in answers and written:
        return "refused, and stored"
    try:
        again = await table.send(command)
    except TimeoutError:
        return "the next one hangs"
    if (
        again not in (["ack"], ["refused"])
        or (again == ["ack"]) != (table.stored() == 1)
        or written > (again == ["ack"])
    ):
        return f"{answers}, then {again} with {written} and {table.stored()} events"
    later = await table.games.join(table.id, [].append, table.token)
    if later.seq != table.stored() or later._kept._torn:
        return "the session is behind"
    return None


async def sweep(folder: Path, game: str, part: slice, errors: slice) -> tuple[int, list[str]]:
    table, tried, wrong = Table(folder), 0, []
    for command in commands(game):
        await table.sit_down(game)
        await table.send(command)
        await table.sit_down(game)
        with Faults() as faults:
            await table.send(command)
        for at in list(faults.points())[part]:
            for error in ERRORS[errors]:
                tried += 1
                found = await judge(table, game, command, at, error)
                if found is not None:
                    wrong.append(f"{type(command).__name__}, {error}: {at}: {found}")
    await table.games.close()
    return tried, wrong


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore:coroutine .* never awaited")
@pytest.mark.parametrize(("number", "game"), [*enumerate(komadai.variants(shelf=True))])
def test_whatever_fails_no_answer_contradicts_the_store(number: int, game: str, tmp_path: Path) -> None:
    part, errors = (slice(None), slice(None)) if FULL else (slice(number, None, 60), slice(number % 3, number % 3 + 1))
    tried, wrong = in_a_loop(sweep(tmp_path, game, part, errors))
    assert tried > 10
    assert wrong == []
