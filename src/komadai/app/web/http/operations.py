"""The operations of the HTTP interface, from which the routes and the OpenAPI description are made.

They are declared by classes, whose instances are made when the application starts, with what they need.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from inspect import iscoroutinefunction
from typing import Any, Literal, TypeVar

import msgspec
from starlette.endpoints import HTTPEndpoint
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route

FILE = "application/octet-stream"
"""The body is a file, whose format is detected from its contents."""


@dataclass(frozen=True, slots=True)
class Query:
    """A parameter in the query. One of a mapping type stands for all parameters without an entry of their own; the
    items of a list are separated by commas."""

    name: str
    type: Any
    about: str
    required: bool = False


_DECLARED = "komadai_operation"
"""The attribute of a method that carries out an operation."""
OPTIONS = Query("options", dict[str, str], "Rule options of the variant, by name.")


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation.

    Attributes:
        endpoint: the method of the interface; its docstring is the summary in the description.
        gives: the type of the JSON in a response with ``status``, or its media types.
        takes: the type of the JSON in the request, or :data:`FILE`; ``optional``: the body may be missing.
        choices: the values of parameters in the path, where there are only a few.
        refuses: statuses of error responses, besides those that follow from the other fields.
    """

    method: Literal["GET", "POST", "PUT"]
    path: str
    endpoint: Callable[[Any, Request], Response | Awaitable[Response]]
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
        """The statuses of all error responses."""
        read = (400, 413, 415, 422) if isinstance(self.takes, type) and issubclass(self.takes, msgspec.Struct) else ()
        named = (404,) if "variant" in self.parameters else ()
        options = (422,) if OPTIONS in self.query else ()
        return sorted({403, *self.refuses, *read, *named, *options})


F = TypeVar("F", bound=Callable[[Any, Request], Response | Awaitable[Response]])
T = TypeVar("T")


def operation(method: Literal["GET", "POST", "PUT"], path: str, gives: Any, **more: Any) -> Callable[[F], F]:
    """Declare the operation that a method of an interface carries out; arguments as of :class:`Operation`."""

    def declared(endpoint: F) -> F:
        setattr(endpoint, _DECLARED, Operation(method, path, endpoint, gives, **more))
        return endpoint

    return declared


def operations_of(interface: type) -> list[Operation]:
    """The operations of an interface, in the order of their declaration."""
    return [getattr(method, _DECLARED) for method in vars(interface).values() if hasattr(method, _DECLARED)]


def serving(connection: HTTPConnection, interface: type[T]) -> T:
    """The instance of an interface that the application has made."""
    found: T = connection.state.interfaces[interface]
    return found


def routes(interfaces: Iterable[type]) -> list[Route]:
    """The routes of the operations: one for each path, so that a refused method is answered with all allowed ones."""
    found: dict[str, dict[str, Any]] = {}
    for interface in interfaces:
        for one in operations_of(interface):
            found.setdefault(one.path, {})[one.method.lower()] = _method(interface, one.endpoint)
    return [Route(path, type("Resource", (HTTPEndpoint,), methods)) for path, methods in found.items()]


def _method(interface: type, endpoint: Callable[[Any, Request], Any]) -> Callable[[Any, Request], Any]:
    """The method of a resource that calls the endpoint; one that is not asynchronous runs in a thread."""
    if not iscoroutinefunction(endpoint):
        return lambda _resource, request: endpoint(serving(request, interface), request)

    async def answer(_resource: HTTPEndpoint, request: Request) -> Any:
        return await endpoint(serving(request, interface), request)

    return answer
