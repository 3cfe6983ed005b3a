"""Calls of the store: in threads of their own, with words for its failures, and finished whoever leaves."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, ParamSpec, TypeVar, overload

from ....i18n import _
from ..engines.threads import in_thread
from ..store import DamagedError, StoreError, StoreFullError, WriteInDoubtError
from .replay import FullError, InDoubtError, RefusedError, UnavailableError, unreadable

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

_MOVES = ThreadPoolExecutor(8, "moves")  # of their own, because no other work may delay a move
_STORE = ThreadPoolExecutor(2, "store")  # so that a move waits for two others at most, where one writes at a time

_UPKEEP = ThreadPoolExecutor(1, "upkeep")  # so that what takes minutes leaves both of those


async def ask_store(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call the store in a thread. A failure is logged, and its reason goes to the client.

    Raises:
        FullError: the store takes nothing new.
        UnreadableError: what is stored is damaged; who asked for it says so in the log.
        UnavailableError: the store fails; :class:`InDoubtError` if it may have written.
    """
    return await _called(_STORE, call, *args, **kwargs)


async def ask_for_move(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Like :func:`ask_store`, but before all that is asked there: for what happens in a game."""
    return await _called(_MOVES, call, *args, **kwargs)


async def ask_for_upkeep(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Like :func:`ask_store`, for what goes through the whole store."""
    return await _called(_UPKEEP, call, *args, **kwargs)


async def _called(threads: ThreadPoolExecutor, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    try:
        return await in_thread(threads, call, *args, **kwargs)
    except StoreFullError as error:
        raise FullError(_("Nothing was changed: {why}.", why=error)) from error
    except DamagedError as error:
        raise unreadable(error) from error
    except StoreError as error:
        log.error("%s", error)
        raise unavailable(error, in_doubt=isinstance(error, WriteInDoubtError)) from error


@overload
def unavailable(why: BaseException | None, *, in_doubt: Literal[True]) -> InDoubtError: ...
@overload
def unavailable(why: BaseException | None, *, in_doubt: bool) -> UnavailableError: ...
def unavailable(why: BaseException | None, *, in_doubt: bool) -> UnavailableError:
    """The error for a failure of the store."""
    if in_doubt:
        return InDoubtError(_("It is not known whether this was done: {why}.", why=why))
    return UnavailableError(_("Nothing was changed: {why}.", why=why))


def in_doubt_by_failure() -> str:
    """The message for what may have been done although the server failed."""
    return _("It is not known whether this was done: something went wrong on the server.")


async def to_the_end(task: asyncio.Task[T]) -> T:
    """The result of a task, which is finished even if its client disconnects."""
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        task.add_done_callback(_log_error)
        raise
    finally:
        del task  # whose error would hold this frame, and so the task


def _log_error(task: asyncio.Task[Any]) -> None:
    """The client is gone: drop refusals, log other errors."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, RefusedError):
        log.error("a command failed after its client had disconnected", exc_info=error)
