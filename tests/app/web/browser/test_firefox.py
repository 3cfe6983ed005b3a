"""The main paths in Firefox, over WebDriver BiDi: ``tests/app/web/firefox``."""

from __future__ import annotations

import json
import os
import re
import subprocess

import pytest

from helpers.volume import FULL
from helpers.web.inspecting import ROOT, packages
from helpers.web.served import Server
from komadai.app import lessons, puzzles

BOARD_MOVE = re.compile(r"(\d+[a-z])(\d+[a-z])")
LIMIT = 600  # seconds: only a browser that hangs takes so long


@pytest.mark.long
def test_the_main_paths_in_firefox(server: Server, firefox: str) -> None:
    packages()
    courses = map(lessons.course, lessons.written())
    chapters = [(course.game, chapter) for course in courses for chapter in course.chapters]
    firsts = [f"{game}/{one.id}" for game, chapter in chapters for one in chapter.entries[: None if FULL else 1]]
    puzzle, moves = next(
        (puzzle, moves)
        for puzzle in puzzles.load("nana")
        if puzzle.plies == 3 and all(moves := [BOARD_MOVE.fullmatch(move) for move in puzzle.solution[::2]])
    )
    known = {
        "KOMADAI_URL": server.url,
        "KOMADAI_STAGES": json.dumps(firsts),
        "KOMADAI_PUZZLE": json.dumps(
            {"address": f"/puzzles/nana/{puzzle.id}", "moves": [move.groups() for move in moves if move]}
        ),
        "FIREFOX": firefox,
    }
    own = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    scripts = sorted(map(str, (ROOT / "tests/app/web/firefox").glob("*.test.js")))
    ran = subprocess.run(
        ["node", "--test", *scripts],
        cwd=ROOT,
        env=own | known,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
