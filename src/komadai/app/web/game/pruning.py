"""Games that nobody goes on with, and their deletion."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ..store import DamagedError, Store
from .replay import RefusedError, UnreadableError, read
from .state import GameState
from .store_calls import ask_for_upkeep

log = logging.getLogger(__name__)

Progress = Literal["unstarted", "unfinished", "finished"]
USUAL_DAYS = 7
"""Days after which the server deletes games in which nobody has moved."""
EMPTY_PROFILE, UNUSED_PROFILE = 7.0, 400.0
"""Days after which the server deletes profiles without a game, and profiles that nobody has used; the cookie of a
browser lasts a year, too."""
_DAY = 86_400.0
_FIRST, _EVERY = 60.0, 6 * 3600.0  # seconds until the server looks for the first time, and then between times
_PAUSE = 0.02  # seconds between deletions


@dataclass(frozen=True, slots=True)
class Ages:
    """The days without an event after which games are deleted; ``None``: never."""

    unstarted: float | None = None
    unfinished: float | None = None
    finished: float | None = None


class Idle(NamedTuple):
    """A game or match that may be deleted.

    Attributes:
        whole: the id of the match, or of a game without one. ``events``: their number, in all its games.
        days: since the last one.
    """

    whole: str
    progress: Progress
    events: int
    days: float


def idle_games(store: Store, ages: Ages, pause: float = 0.0) -> Iterator[Idle]:
    """The games and matches as old as that, unless they cannot be replayed. Blocks on the store.

    Args:
        pause: seconds after some hundred games, in which others use the store.

    Raises:
        StoreError: the store fails.
    """
    now, after = time.time(), ""
    youngest = min((days for days in (ages.unstarted, ages.unfinished, ages.finished) if days is not None), default=0)
    while some := store.games(after):
        after = some[-1].id
        time.sleep(pause)
        for game in some:
            if game.whole == game.id and now - game.last >= youngest * _DAY:
                found = _look(store, game.id, now)
                if found is not None:
                    days = getattr(ages, found.progress)
                    if days is not None and found.days >= days:
                        yield found


def _look(store: Store, whole: str, now: float) -> Idle | None:
    """The progress of a game or match; ``None`` if it is gone or cannot be replayed."""
    try:
        loaded = [found for found in map(store.load, store.match(whole) or [whole]) if found is not None]
    except DamagedError:
        return None
    if not loaded:
        return None
    every = [event for _, events in loaded for event in events]
    days = (now - max([row.created for row, _ in loaded] + [event.at for event in every])) / _DAY
    if not any(event.kind == "move" for event in every):
        return Idle(whole, "unstarted", len(every), days)
    try:
        last = read(store, loaded[-1][0].id)
        if last is None:
            return None
        return Idle(whole, "finished" if over(GameState(last)) else "unfinished", len(every), days)
    except RefusedError:
        return None


def old_records(store: Store, days: float | None) -> Iterator[tuple[str, float]]:
    """The ids of records shared that many days ago or earlier, and their ages; none for ``None``."""
    now, after = time.time(), ""
    while days is not None and (some := store.records(after)):
        after = some[-1][0]
        ages = [(id, (now - created) / _DAY) for id, created in some]
        yield from ((id, age) for id, age in ages if age >= days)


def over(state: GameState) -> bool:
    """True if the game is over, and its match, if it belongs to one."""
    ended = state.game.outcome() is not None
    return ended and (state.match is None or state.match.over)


def prune(store: Store, ages: Ages, kept: Collection[str] = (), pause: float = 0.0) -> int:
    """Delete the games and matches as old as that; their number. Blocks on the store.

    Args:
        kept: ids of games that are not deleted. ``pause``: seconds between deletions, in which others use the store.

    Raises:
        StoreError: the store fails.
    """
    deleted = 0
    for idle in idle_games(store, ages, pause):
        if idle.whole not in kept:
            deleted += store.delete(idle.whole, idle.events)
            time.sleep(pause)
    return deleted


def idle_profiles(store: Store, empty: float = EMPTY_PROFILE, unused: float = UNUSED_PROFILE) -> list[str]:
    """The ids of profiles without a game that are as many days old, and of those unused for so many days. Blocks on
    the store."""
    now = time.time()
    return store.idle_profiles(now - empty * _DAY, now - unused * _DAY)


def prune_profiles(store: Store) -> int:
    """Delete the profiles that nobody uses; their number. Blocks on the store."""
    return sum(store.delete_profile(profile) for profile in idle_profiles(store))


async def prune_regularly(store: Store, days: float, attended: Callable[[], Collection[str]]) -> None:
    """Delete games in which nobody has moved for that many days, and unused profiles, until cancelled; 0: none.

    Args:
        attended: the ids of games whose page somebody has open; they are left.
    """
    await asyncio.sleep(_FIRST)
    while days:
        try:
            deleted = await ask_for_upkeep(prune, store, Ages(unstarted=days), attended(), _PAUSE)
            if deleted:
                log.info("%d games in which nobody moved were deleted", deleted)
            unused = await ask_for_upkeep(prune_profiles, store)
            if unused:
                log.info("%d profiles that nobody used were deleted", unused)
        except UnreadableError as error:
            log.error("nothing can be pruned: %s", error)
        except RefusedError:
            pass  # which is in the log
        await asyncio.sleep(_EVERY)
