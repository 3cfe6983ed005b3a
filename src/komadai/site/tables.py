"""Solved games that a browser fetches when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..solve import files


def lend_tables(fetched: Callable[[str], Any]) -> None:
    """Have solved games fetched when they are first asked for.

    Args:
        fetched: the contents of a file by its name, as a JavaScript array; nothing if there is no such file, or no
            connection.
    """

    def lend(name: str) -> bytes | None:
        found = fetched(name)
        return None if found is None else bytes(found.to_bytes())

    files.lend = lend
