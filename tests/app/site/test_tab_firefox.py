"""The exported site in Firefox, with the file server and without it: ``tests/app/site/firefox``."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import komadai
from helpers.command import running
from helpers.web.inspecting import ROOT, packages
from helpers.web.static_site import SITE, FileServer, placed
from komadai.app import puzzles

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not SITE, reason="KOMADAI_SITE names no folder of komadai export-site"),
    pytest.mark.skipif(FIREFOX is None, reason="no Firefox on this machine"),
]


PLAIN = re.compile(r"(\d+[a-z])(\d+[a-z])")


def next_move(game: str, moves: list[str]) -> list[str] | None:
    """The texts to be typed for a move by chance: twice where it costs pieces; ``None`` after the end of the game."""
    position = komadai.Position(game)
    for move in moves:
        position.push(move)
    if position.outcome() is not None:
        return None
    text = random.Random(len(moves)).choice(sorted(map(str, position.legal_moves())))
    return [text] * (1 + bool(position.losses(text)))


def test_the_site_is_played_in_firefox(tmp_path: Path) -> None:
    packages()
    puzzle = next(one for one in puzzles.load("nana") if one.plies == 1 and PLAIN.fullmatch(one.solution[0]))
    places = PLAIN.fullmatch(puzzle.solution[0]).groups()  # type: ignore[union-attr]
    given: dict[str, Any] = {
        "games": komadai.variants(shelf=False),
        "puzzle": {"path": f"nana/{puzzle.id}", "places": places},
    }
    own = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    own |= {"KOMADAI_PLAYED": json.dumps(given), "FIREFOX": str(FIREFOX)}
    script, said, pipe = ROOT / "tests/app/site/firefox/tab.test.js", [], subprocess.PIPE
    with (
        FileServer(placed(Path(SITE), tmp_path / "host")) as server,
        running(
            ["node", script], cwd=ROOT, env=own | {"KOMADAI_URL": server.url}, stdin=pipe, stdout=pipe, text=True
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        for line in process.stdout:
            if not line.startswith("ASK "):
                said.append(line)
                continue
            question = json.loads(line.removeprefix("ASK "))
            if question == "stop the server":
                server.stop()
            answer = next_move(**question) if isinstance(question, dict) else "stopped"
            process.stdin.write(json.dumps(answer) + "\n")
            process.stdin.flush()
        process.wait()
    assert process.returncode == 0, "".join(said)
