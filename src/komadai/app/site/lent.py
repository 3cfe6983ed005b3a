"""Files of the package that a browser fetches when they are first needed: solved games, and nets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...storage import LENDERS


def lend_files(fetched: Callable[[str], Any]) -> None:
    """Have the files fetched that the package has come without.

    Args:
        fetched: the contents of a file by its name, as a JavaScript array; nothing if there is no such file, or no
            connection.
    """

    def lend(name: str) -> bytes | None:
        found = fetched(name)
        return None if found is None else bytes(found.to_bytes())

    LENDERS.append(lend)
