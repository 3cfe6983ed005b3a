"""The exported site in Firefox, with the file server and without it: ``tests/site/firefox``."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

import komadai
from helpers.web.inspecting import ROOT, packages
from helpers.web.static_site import SITE, FileServer, placed

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not SITE, reason="KOMADAI_SITE names no folder of komadai export-site"),
    pytest.mark.skipif(FIREFOX is None, reason="no Firefox on this machine"),
]


def test_the_site_is_played_in_firefox(tmp_path: Path) -> None:
    packages()
    server = FileServer(placed(Path(SITE), tmp_path / "host"))
    running = True
    known = {
        "KOMADAI_URL": server.url,
        "KOMADAI_GAMES": json.dumps(
            {name: komadai.Position(name).legal_moves()[0].text for name in komadai.variants()}
        ),
        "FIREFOX": str(FIREFOX),
    }
    own = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    script = ROOT / "tests/site/firefox/tab.test.js"
    said = []
    with subprocess.Popen(
        ["node", script], cwd=ROOT, env=own | known, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in process.stdout:
            said.append(line)
            if "STOP THE SERVER" in line:
                server.stop()
                running = False
                process.stdin.write("stopped\n")
                process.stdin.flush()
    if running:
        server.stop()
    assert process.returncode == 0, "".join(said)
