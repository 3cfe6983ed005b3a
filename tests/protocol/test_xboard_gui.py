"""The real XBoard, on a display of its own, lets our engine play itself; our rules then judge what it saved.

Skipped, outside CI, where a program is missing: XBoard, Xvfb, and uci2wb for the game over USI (Debian has all three).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from helpers import talking
from helpers.command import running
from helpers.volume import FULL
from komadai.game.outcome import Outcome
from komadai.game.position import Position
from komadai.notation.xboard import XboardView

PATH = f"{os.environ.get('PATH', '')}:/usr/games"
LONGEST = 40 if FULL else 12  # moves of each side, after which XBoard calls it a draw
HARD_LIMIT = 120  # seconds, after which everything is killed

REPEATED = ("repetition", "perpetual_check")  # ends that nobody claims over USI

_MOVE = re.compile(r"^\d+ <(?:first |second): move (\S+)$", re.MULTILINE)
_SCREEN = "-screen 0 800x600x24 -nolisten tcp"
_OPTIONS = (
    "-testLegality false -mode TwoMachines -mg 1 -depth 1 -tc 1:00 -xponder -debug"
    " -popupExitMessage false -animateMoving false -highlightLastMove false"
)


class Saved(NamedTuple):
    """A finished game: the tags and the end of its PGN, and the moves that the engines made."""

    tags: dict[str, str]
    comment: str
    moves: list[str]


def program(name: str) -> str:
    """The path of a program; skips the test if it is missing."""
    found = shutil.which(name, path=PATH)
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{name} is not installed, but no test is skipped there")
        pytest.skip(f"{name} is not installed")
    return found


def played(folder: Path, variant: str, engine: str) -> Saved:
    """One game of the engine against itself."""
    command = [program("xvfb-run"), "-a", "-s", _SCREEN, program("xboard"), *_OPTIONS.split()]
    command += ["-variant", variant, "-fcp", engine, "-scp", engine, "-fd", str(folder), "-sd", str(folder)]
    command += ["-sgf", str(folder / "game.pgn"), "-nameOfDebugFile", str(folder / "debug.txt")]
    command += ["-adjudicateDrawMoves", str(LONGEST)]
    program("Xvfb")
    with (folder / "out.txt").open("w") as out:
        given = {"cwd": folder, "env": os.environ | {"HOME": str(folder), "PATH": PATH}, "stdin": subprocess.DEVNULL}
        with running(command, stdout=out, stderr=out, start_new_session=True, **given) as game:
            try:
                game.wait(HARD_LIMIT)
            except subprocess.TimeoutExpired:
                lines = (folder / "debug.txt").read_text(errors="replace")
                pytest.fail(f"XBoard did not come to an end:\n{lines[-2000:]}")
    assert (folder / "game.pgn").exists(), (folder / "out.txt").read_text(errors="replace")[-2000:]
    pgn = (folder / "game.pgn").read_text(encoding="utf-8", errors="replace")
    legs = _MOVE.findall((folder / "debug.txt").read_text(encoding="utf-8", errors="replace"))
    ends = re.findall(r"\{([^{}]*)\}\s+(?:1-0|0-1|1/2-1/2)\s*$", pgn)
    assert ends, pgn
    return Saved(
        dict(re.findall(r'^\[(\w+) "(.*)"\]$', pgn, re.MULTILINE)), ends[0], "\n".join(legs).replace(",\n", ",").split()
    )


def judge(saved: Saved, variant: str, *, claimed: bool = True) -> Outcome | None:
    """Play the moves by our rules; how the game ended by them. Unless ``claimed``, nobody has asked for repetitions."""
    position = Position(variant)
    view = XboardView(position.variant)
    assert saved.moves
    for text in saved.moves:
        outcome = position.outcome()
        assert outcome is None or (outcome.reason in REPEATED and not claimed), f"{text} came after the end"
        move = view.read_move(position, text)
        view.follow(position, move)
        position.push(move)
    return position.outcome()


@pytest.fixture
def engine(tmp_path: Path) -> str:
    return talking.program(tmp_path)


@pytest.mark.parametrize(
    "variant", ["shogi", *(pytest.param(name, marks=pytest.mark.slow) for name in ("nana", "mortal", "hand", "ki"))]
)
def test_xboard_lets_it_play(variant: str, engine: str, tmp_path: Path) -> None:
    saved = played(tmp_path, variant, engine)
    outcome = judge(saved, variant)
    assert saved.tags["Variant"] == variant
    if outcome is None:
        assert len(saved.moves) >= 2 * LONGEST - 2, saved.comment
        assert (saved.tags["Result"], "adjudication" in saved.comment) == ("1/2-1/2", True), saved.comment
    else:
        assert saved.tags["Result"] == {"b": "1-0", "w": "0-1", None: "1/2-1/2"}[outcome.winner], saved.comment
        assert saved.comment.startswith({"b": "White wins: ", "w": "Black wins: ", None: "Draw: "}[outcome.winner])


def test_xboard_lets_it_play_over_usi(engine: str, tmp_path: Path) -> None:
    saved = played(tmp_path, "shogi", f"{program('uci2wb')} -s {engine}")
    outcome = judge(saved, "shogi", claimed=False)
    if outcome is not None and outcome.winner is not None and outcome.reason not in REPEATED:
        assert saved.tags["Result"] == {"b": "1-0", "w": "0-1"}[outcome.winner], saved.comment
        assert re.search("mate|resign", saved.comment), saved.comment
    else:
        assert (saved.tags["Result"], "adjudication" in saved.comment) == ("1/2-1/2", True), saved.comment
