"""Children that compute let the server and its clients go first."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

LIMITED = """
import os
from komadai.app.engine_service.process_limits import limit_process
limit_process(500)
print(os.nice(0))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="this system has no niceness")
def test_a_child_is_nicer_than_the_server() -> None:
    said = subprocess.run([sys.executable, "-c", LIMITED], capture_output=True, text=True, check=True).stdout
    assert int(said) > os.nice(0)
