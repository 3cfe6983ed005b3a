"""Games stay in memory while somebody follows them, and not much longer."""

from __future__ import annotations

import gc
from pathlib import Path
from weakref import ref

import pytest

from helpers.support import in_a_loop
from komadai.web.game import registry
from komadai.web.game.registry import GameRegistry
from komadai.web.game.seats import HUMAN
from komadai.web.store.sqlite import SqliteStore


def test_games_that_nobody_follows_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever joins a game looks for those of the others, but not each time: there may be thousands."""
    now = 100.0
    monkeypatch.setattr(registry, "monotonic", lambda: now)

    async def come_and_go() -> None:
        nonlocal now
        hall = GameRegistry(SqliteStore(tmp_path / "games.sqlite3"))
        games = [(await hall.create("nana", {}, {"b": HUMAN, "w": HUMAN})).game for _ in range(3)]

        def listen(_message: str) -> None: ...

        left, followed = await hall.join(games[0], listen), await hall.join(games[1], listen)
        left.leave(listen)
        assert left.idle
        await hall.join(games[2], listen)
        assert await hall.join(games[0], listen) is left, "it was looked for a moment ago"
        left.leave(listen)
        now += registry._SWEEP
        await hall.join(games[2], listen)
        gone = ref(left)
        del left
        gc.collect()
        assert gone() is None
        assert await hall.join(games[1], listen) is followed
        await hall.close()

    in_a_loop(come_and_go())
