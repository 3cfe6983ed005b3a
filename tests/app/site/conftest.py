"""A file server with the exported site."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.web.static_site import SITE, FileServer, placed


@pytest.fixture
def server(tmp_path: Path) -> Iterator[FileServer]:
    with FileServer(placed(Path(SITE), tmp_path / "host")) as running:
        yield running
