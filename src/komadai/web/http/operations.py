"""What can be asked over HTTP, each told once: the routes are made of it, and the description for others' programs."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec
from starlette.endpoints import HTTPEndpoint
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

FILE = "application/octet-stream"
"""The body of a request that is a file of any kind; what kind is seen by reading it."""


@dataclass(frozen=True, slots=True)
class Query:
    """A parameter after the ``?`` of an address. One of a type with many names stands for all parameters that no other
    names; a list is separated by commas."""

    name: str
    type: Any
    about: str
    required: bool = False


OPTIONS = Query("options", dict[str, str], "Rule options of the game, each by its own name.")


@dataclass(frozen=True, slots=True)
class Operation:
    """Something that can be asked.

    Attributes:
        endpoint: what answers it; its docstring says what that is.
        gives: the type of the JSON that is answered with ``status``, or else the media types.
        takes: the type of the JSON that is sent, or :data:`FILE`; ``optional``: it may be missing.
        choices: what the parameters in the path may be, where that is a few words.
        refuses: the statuses of answers that are an error, besides those that follow from what is said already.
    """

    method: Literal["GET", "POST"]
    path: str
    endpoint: Callable[[Request], Response | Awaitable[Response]]
    gives: Any
    takes: Any = None
    optional: bool = False
    status: int = 200
    query: tuple[Query, ...] = ()
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    refuses: tuple[int, ...] = ()

    @property
    def parameters(self) -> list[str]:
        """The names of the parameters in the path."""
        return re.findall(r"{(\w+)}", self.path)

    @property
    def errors(self) -> list[int]:
        """The statuses of all answers that are an error."""
        read = (400, 413, 415, 422) if isinstance(self.takes, type) and issubclass(self.takes, msgspec.Struct) else ()
        named = (404,) if "variant" in self.parameters else ()
        options = (422,) if OPTIONS in self.query else ()
        return sorted({403, *self.refuses, *read, *named, *options})


def routes(operations: Iterable[Operation]) -> list[Route]:
    """Where the operations are to be found: one route a path, so that a wrong method is told of all that are right."""
    found: dict[str, dict[str, Any]] = {}
    for one in operations:
        found.setdefault(one.path, {})[one.method.lower()] = staticmethod(one.endpoint)
    return [Route(path, type("Resource", (HTTPEndpoint,), methods)) for path, methods in found.items()]
