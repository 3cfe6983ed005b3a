"""Children that compute let the server and its clients go first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from komadai.engine_service import process_limits

LIMITED = """
import os, sys
from komadai.engine_service.process_limits import limit_process
limit_process(500)
print(os.nice(0))
print(open("/proc/self/autogroup").read())
"""
GROUPS = Path("/proc/self/autogroup")


@pytest.mark.skipif(not GROUPS.exists(), reason="this system has no groups of sessions")
@pytest.mark.parametrize("leads", [True, False])
def test_a_child_is_nice_and_so_is_its_session_but_nobody_elses(leads: bool) -> None:
    before = GROUPS.read_text()
    said = subprocess.run(
        [sys.executable, "-c", LIMITED], start_new_session=leads, capture_output=True, text=True, check=True
    ).stdout
    nice, _end, group = said.partition("\n")
    assert int(nice) > os.nice(0)
    assert GROUPS.read_text() == before
    if leads:
        assert int(group.split()[-1]) == process_limits._NICE
    else:  # a session that began with the system is in no group: its file is empty
        assert group.split() == before.split()
