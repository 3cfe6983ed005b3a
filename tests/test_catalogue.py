"""The translations are complete, and what the browser gets is what the catalogues say."""

from __future__ import annotations

import subprocess
import sys

import pytest

from helpers.support import ROOT


def test_the_catalogues_are_fresh_and_complete() -> None:
    pytest.importorskip("babel")
    checked = subprocess.run(
        [sys.executable, "tools/catalogue.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr
