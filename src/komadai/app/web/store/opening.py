"""Opening the store that the command line names."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ....errors import lacking
from ....storage import data_folder
from . import DamagedError, Store, StoreError
from .sqlite import SqliteStore


def open_store(url: str | None, data: Path | None, *, existing: bool = False) -> Store:
    """The PostgreSQL database at that address, otherwise the file in the data folder.

    Args:
        existing: do not make a file that is not there.

    Raises:
        DamagedError: the file is there, but is no store, or ``existing`` and empty.
        StoreError: it cannot be used.
    """
    if url is None:
        file = (data or data_folder()) / "games.sqlite3"
        if existing and not os.path.exists(file):
            raise StoreError(f"there is no game store {file}; name its folder with --data, or a database with --store")
        if existing and file.is_file() and not file.stat().st_size:
            raise DamagedError(f"the game store {file} is empty: no game was ever in it, or all are lost")
        return SqliteStore(file)
    if not url.startswith(("postgresql://", "postgres://")):
        raise StoreError("--store takes the address of a PostgreSQL database, postgresql://user@host/name")
    if sys.platform == "win32":  # psycopg waits on sockets, and the event loop that runs engines there cannot
        raise StoreError("--store needs Linux or macOS; on Windows games are kept in a file, in the folder of --data")
    try:
        from .postgres import PostgresStore
    except ModuleNotFoundError as missing:
        raise StoreError(f"--store {lacking(missing)}") from None
    return PostgresStore(url)
