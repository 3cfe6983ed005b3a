"""What costs is done where addresses take turns: never in the store's threads, nor in those that everything shares."""

from __future__ import annotations

import threading
from asyncio import _get_running_loop
from pathlib import Path
from typing import Any

import pytest

import komadai
from komadai.app.web.engines.addresses import NOWHERE
from komadai.app.web.engines.turns import Payer
from komadai.app.web.engines.work_queue import WorkQueue
from komadai.app.web.game import registry, views
from komadai.app.web.game.registry import GameRegistry
from komadai.app.web.http.listing import Listing
from komadai.app.web.schema.commands import MoveCommand, ResignCommand
from komadai.app.web.store.sqlite import SqliteStore
from komadai.game.game import Game
from komadai.game.position import Position

PEOPLE = {"b": "human", "w": "human"}
FIRST = Position("hand").legal_moves()[0].text


@pytest.fixture
def worked(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names of the pools whose threads have replayed or examined a game."""
    pools = set()

    def noted(call: Any) -> Any:
        def noting(*args: Any, **kwargs: Any) -> Any:
            if _get_running_loop() is None:
                pools.add(threading.current_thread().name.partition("_")[0])
            return call(*args, **kwargs)

        return noting

    monkeypatch.setattr(Game, "push", noted(Game.push))
    monkeypatch.setattr(Game, "__init__", noted(Game.__init__))
    monkeypatch.setattr(views, "explain", noted(views.explain))
    monkeypatch.setattr(views, "study", noted(views.study))
    monkeypatch.setattr(registry, "build", noted(registry.build))
    return pools


async def test_games_are_replayed_and_examined_in_turns(worked: set[str], tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "games.sqlite3")
    games, listing = GameRegistry(store), Listing(store, WorkQueue())
    solved = await games.create("nana", {}, PEOPLE, komadai.Position("nana").sfen())
    made = await games.create("hand", {}, PEOPLE)
    token = made.tokens["b"]
    first = await games.join(made.game, [].append, token)
    await first.command(MoveCommand("1", 1, FIRST), token)
    await first.command(ResignCommand("2"), token)
    following = await games.next_game(made.game, token)
    await games.close()

    store = SqliteStore(tmp_path / "games.sqlite3")
    games, listing = GameRegistry(store), Listing(store, WorkQueue())
    second = await games.join(following, [].append, token)  # which replays the first
    await second.views.explain("K*1a", NOWHERE)
    await (await games.join(solved.game, [].append)).views.study(NOWHERE)
    assert await listing.look(following, Payer()) is not None
    assert await listing.look(made.game, Payer()) is not None
    await games.close()
    assert worked == {"games", "work"}
