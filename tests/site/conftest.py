"""A file server with the exported site, and a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.web.static_site import SITE, FileServer, placed


@pytest.fixture
def server(tmp_path: Path) -> Iterator[FileServer]:
    running = FileServer(placed(Path(SITE), tmp_path / "host"))
    yield running
    running.stop()


@pytest.fixture(scope="module")
def playwright() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as running:
        yield running
