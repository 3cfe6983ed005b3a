"""The user's data and cache folders, and atomic file writes."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def data_folder() -> Path:
    """The folder where games are kept unless another is named: the user's data folder."""
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "komadai"


def cache_folder() -> Path:
    """The folder of what can be made or fetched again: ``$XDG_CACHE_HOME/komadai``, by default ``~/.cache/komadai``."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "komadai"


def write_whole(path: Path, *chunks: bytes) -> None:
    """Write a file so that it is there as a whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(chunks)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
