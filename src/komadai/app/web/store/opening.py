"""Opening the store that the command line names."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ....errors import lacking
from ....storage import data_folder, is_url
from . import DamagedError, Store, StoreError
from .sqlite import SqliteStore


def open_store(data: str | Path | None, *, existing: bool = False) -> Store:
    """The PostgreSQL database at that address, or the file in that folder; ``None``: in the user's data folder.

    Args:
        existing: do not make a file that is not there.

    Raises:
        DamagedError: the file is there, but is no store, or ``existing`` and empty.
        StoreError: it cannot be used.
    """
    if not is_url(str(data)):
        file = Path(data or data_folder()).expanduser() / "games.sqlite3"
        if existing and not os.path.exists(file):
            raise StoreError(f"there is no game store {file}; name its folder or database with --data")
        if existing and file.is_file() and not file.stat().st_size:
            raise DamagedError(f"the game store {file} is empty: no game was ever in it, or all are lost")
        return SqliteStore(file)
    url = str(data)
    if not url.startswith(("postgresql://", "postgres://")):
        raise StoreError("--data takes a folder, or the address of a PostgreSQL database, postgresql://user@host/name")
    if sys.platform == "win32":  # psycopg waits on sockets, and the event loop that runs engines there cannot
        raise StoreError("a database needs Linux or macOS; on Windows games are kept in a file in a folder")
    try:
        from .postgres import PostgresStore
    except ModuleNotFoundError as missing:
        raise StoreError(f"--data {lacking(missing)}") from None
    return PostgresStore(url)
