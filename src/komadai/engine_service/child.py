"""The backend that answers in a child process, which may crash, hang or grow without harm to this one."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import subprocess
import sys
from collections.abc import Sequence
from itertools import count
from time import monotonic

import msgspec

from ..errors import KomadaiError
from .backend import Backend, EngineLostError, Reporter, unheard
from .messages import MAX_LINE, Failure, Report, SearchRequest, SearchResult, StopRequest, decode_answer, encode

log = logging.getLogger(__name__)

MEMORY_MB = 1024
"""Memory that a child may take for data, in MiB; files that it maps, such as solved tables, are not counted."""
GRACE = 10.0
"""Seconds beyond its time, or after a stop, that a search has for its answer."""
_START_WITHIN = 30.0  # seconds more for the first answer of a new process
_CLOSE_WITHIN = 2.0
_MOST_REPORTS = 1000  # of one search
_LEAST = 0.05  # seconds of a repeated search
if sys.platform == "win32":
    _APART = subprocess.CREATE_NEW_PROCESS_GROUP
else:
    _APART = 0


def command(memory_mb: int = MEMORY_MB) -> list[str]:
    """The command line of a child process."""
    return [sys.executable, "-m", __package__, str(memory_mb)]


class ChildBackend(Backend):
    """A child process with an engine: started for the first request, and again after it was lost."""

    def __init__(self, command: Sequence[str] | None = None, grace: float = GRACE) -> None:
        """Prepare; nothing is started yet.

        Args:
            command: the program that answers requests; by default Komadai's own (``python -m komadai.engine_service``).
            grace: seconds beyond its time that a search has for its answer.
        """
        self._command, self._grace = command or globals()["command"](), grace
        self._ids = count()
        self._process: asyncio.subprocess.Process | None = None
        self._request: SearchRequest | None = None  # under way
        self._deadline: asyncio.Timeout | None = None  # of the request under way
        self._stopped = False

    @property
    def pid(self) -> int | None:
        """The id of the child process; ``None`` before the first search and after a loss."""
        return None if self._process is None else self._process.pid

    async def search(self, request: SearchRequest, report: Reporter = unheard) -> SearchResult:
        self.subject, self._stopped = request.subject, False
        ends = monotonic() + request.seconds
        try:
            return await self._ask(request, report)
        except EngineLostError as error:
            log.warning("%s; the search is repeated", error)
        left = _LEAST if self._stopped else max(ends - monotonic(), _LEAST)
        return await self._ask(msgspec.structs.replace(request, seconds=left), report)

    async def _ask(self, request: SearchRequest, report: Reporter) -> SearchResult:
        """One attempt.

        Raises:
            EngineLostError: the process was lost.
        """
        request = msgspec.structs.replace(request, id=next(self._ids))
        try:
            within = request.seconds + self._grace + (_START_WITHIN if self._process is None else 0)
            async with asyncio.timeout(within) as self._deadline:
                process = await self._started()
                self._request = request
                _write(process, request)
                if self._stopped:
                    self.stop()
                return await self._result(process, request.id, report)
        except asyncio.CancelledError:
            self._deadline = None  # it has ended
            await self._end_search()
            raise
        except TimeoutError:
            raise await self._lost("does not answer in time") from None
        except (EOFError, OSError):
            raise await self._lost("has ended") from None
        except (ValueError, msgspec.MsgspecError) as error:
            if isinstance(error, KomadaiError):
                raise
            raise await self._lost("answers with nonsense") from None
        finally:
            self._request = self._deadline = None

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=MAX_LINE,
                start_new_session=True,  # signals from the terminal are for the server
                creationflags=_APART,  # likewise on Windows
            )
        return self._process

    async def _result(self, process: asyncio.subprocess.Process, id: int, report: Reporter) -> SearchResult:
        """The answer to a request.

        Raises:
            KomadaiError: it is refused.
            ValueError: the answers make no sense. ``EOFError``: they end.
        """
        assert process.stdout is not None
        for _ in range(_MOST_REPORTS):
            line = await process.stdout.readline()
            if not line:
                raise EOFError
            match decode_answer(line):
                case Report(id=known) as reached if known == id:
                    report(reached)
                case SearchResult(id=known) as result if known == id:
                    return result
                case Failure(id=known, reason=reason) if known == id:
                    raise KomadaiError(reason)
                case _:
                    raise ValueError("an answer to another request")
        raise ValueError("too many reports")

    def stop(self) -> None:
        self._stopped = True
        if self._request is None or self._process is None:
            return
        with contextlib.suppress(OSError):
            _write(self._process, StopRequest(self._request.id))
        ends = asyncio.get_running_loop().time() + self._grace
        when = self._deadline and self._deadline.when()
        if self._deadline is not None and when is not None and when > ends:
            self._deadline.reschedule(ends)

    async def _end_search(self) -> None:
        """End the search under way, whose answer nobody waits for, and the process with it if it takes long."""
        process, request = self._process, self._request
        if process is None or request is None:
            return
        self.stop()
        try:
            async with asyncio.timeout(self._grace):
                await self._result(process, request.id, unheard)
        except KomadaiError:
            pass
        except (TimeoutError, EOFError, OSError, ValueError, msgspec.MsgspecError):
            await self._kill()

    async def _lost(self, how: str) -> EngineLostError:
        """The error for a process that is lost; what is left of it is killed."""
        pid = self.pid
        status = await self._kill()
        return EngineLostError(f"the engine (process {pid}, exit status {status}) {how}")

    async def _kill(self) -> int | None:
        """Kill the process; its exit status."""
        process, self._process = self._process, None
        if process is None:
            return None
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        status = await process.wait()
        _forget(process)
        return status

    async def close(self) -> None:
        process = self._process
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_WITHIN):
                await process.wait()
        await self._kill()


def _write(process: asyncio.subprocess.Process, message: SearchRequest | StopRequest) -> None:
    assert process.stdin is not None
    process.stdin.write(encode(message))


def _forget(process: asyncio.subprocess.Process) -> None:
    """Close the pipes of a process that has ended."""
    transport = getattr(process, "_transport", None)
    if transport is not None:
        transport.close()
