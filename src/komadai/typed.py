"""Arguments of a wrong type: a TypeError, without asking each argument for its type."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import wraps
from inspect import isgeneratorfunction
from types import ModuleType
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def _is_ours(thing: object) -> bool:
    return type(thing).__module__.partition(".")[0] == __name__.partition(".")[0] or isinstance(thing, ModuleType)


def typed(function: Callable[P, T]) -> Callable[P, T]:
    """A function that answers an argument of a wrong type by a TypeError: it, or something in it, has not what the
    function asks of it, which is an AttributeError in Python."""

    @wraps(function)
    def asked(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return function(*args, **kwargs)
        except AttributeError as error:
            raise _about(function, error, args, kwargs) from error

    @wraps(function)
    def each(*args: P.args, **kwargs: P.kwargs) -> Any:
        try:
            yield from function(*args, **kwargs)  # type: ignore[misc]
        except AttributeError as error:
            raise _about(function, error, args, kwargs) from error

    return each if isgeneratorfunction(function) else asked


def _about(
    function: Callable[..., Any], error: AttributeError, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Exception:
    """The error to be raised: a fault of our own, of something of ours that was not given, stays what it is."""
    wrong = error.obj
    given = (*args, *kwargs.values())
    inner = (getattr(one, part.name, None) for one in given if is_dataclass(one) for part in fields(one))
    if error.name is None or (_is_ours(wrong) and not any(one is wrong for one in (*given, *inner))):
        return error
    words = f"{wrong!r:.60} is of the type {type(wrong).__name__}, which has no {error.name}"
    return TypeError(f"{function.__qualname__}: {words}")
