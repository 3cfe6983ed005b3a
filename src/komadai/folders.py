"""Where files of the user's go."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path:
    """The folder where games are kept unless another is named: the user's data folder."""
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "komadai"
