"""The log of the server: for people, or one JSON object a line for programs. It holds no secrets.

Records may carry the id of a game (``extra={"game": id}``), which is public: spectators have it in their links.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import json
import logging
import re
import sys
import time
from typing import Any, Literal

LogFormat = Literal["text", "json"]

_SECRET = re.compile(r"[A-Za-z0-9_-]{32}[A-Za-z0-9_.-]*")
"""Tokens, invitations, cookies and digests of them; a game's id is shorter."""
_PERHAPS_ADDRESS = re.compile(r"[0-9A-Fa-f:.]{4,}")
_OWN = "komadai"
_FROM = ("uvicorn", "asyncio", "psycopg")  # other loggers, of which warnings are wanted


def without_secrets(text: str) -> str:
    """The text with ``…`` in place of whatever may be a secret or somebody's address.

    A net below the rule that nothing is logged that a client sent: messages of exceptions may quote it.
    """
    return _PERHAPS_ADDRESS.sub(_without_address, _SECRET.sub("…", text))


def _without_address(found: re.Match[str]) -> str:
    for part in (found[0].rstrip(".:"), found[0].partition(":")[0]):  # with a port, too
        with contextlib.suppress(ValueError):
            ipaddress.ip_address(part)
            return "…"
    return found[0]


class TextFormatter(logging.Formatter):
    """A line for people, followed by the traceback if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        at = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(record.created))
        lines = [record.getMessage(), *([self.formatException(record.exc_info)] if record.exc_info else [])]
        lines[0] += f" (game {record.game})" if hasattr(record, "game") else ""
        return f"{at} {record.levelname} " + without_secrets("\n".join(lines))


class JsonFormatter(logging.Formatter):
    """A JSON object in one line: ``time`` (UTC), ``level``, ``event`` (the part of the program), ``message`` and, where
    they apply, ``game`` and ``error`` (a traceback)."""

    def format(self, record: logging.LogRecord) -> str:
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        said: dict[str, Any] = {
            "time": f"{at}.{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "event": getattr(record, "event", record.name.removeprefix("komadai.app.web.")),
            "message": without_secrets(record.getMessage()),
        }
        if hasattr(record, "game"):
            said["game"] = record.game
        if record.exc_info:
            said["error"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(said, ensure_ascii=False)


def _worth_logging(record: logging.LogRecord) -> bool:
    """Keep a record out of the log if it is about text from a client that is no UTF-8, which closes its WebSocket, or
    about requests that clients had left unfinished when the server ended."""
    error = record.exc_info[1] if record.exc_info else None
    ended = isinstance(record.msg, str) and record.msg.startswith("Cancel %s running task(s)")
    return not ended and not isinstance(error, (UnicodeDecodeError, asyncio.CancelledError))


def configure(form: LogFormat) -> None:
    """Write the log of this process to standard error: for people only what they should look at."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if form == "json" else TextFormatter())
    handler.addFilter(_worth_logging)
    for name in (_OWN, *_FROM):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.INFO if name == _OWN and form == "json" else logging.WARNING)
