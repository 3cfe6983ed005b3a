"""Which games can be solved, and the command."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from helpers.command import komadai_says, parsed
from helpers.madeup import KING, forbid
from helpers.solved import DIE, NANA_START, TINY, nana
from helpers.support import DEFAULTS
from komadai import solve
from komadai.errors import SpecError
from komadai.solve.shape import shape_of
from komadai.spec.board import Rect, Squares
from komadai.spec.conditions import At
from komadai.spec.kinds import Becomes
from komadai.spec.variant import Borrowing, Repetition, Variant

# --- What can be solved ---------------------------------------------------------------------------------------------

REFUSED = {
    "shogi": ("perpetual check", "81 squares", r"10\^71 positions"),
    "ki-unicorn": ("too large",),
    "mortal": ("leave the game when they are captured",),
    "hand": ("perpetual check",),
}


@pytest.mark.parametrize("name", REFUSED)
def test_games_that_cannot_be_solved_say_why(name: str) -> None:
    for reason in REFUSED[name]:
        with pytest.raises(SpecError, match=reason):
            solve.open(name)
    ran = komadai_says("solve", name)
    assert ran.status == 2
    assert "cannot be solved completely" in ran.err.replace("\n", " ")


@pytest.mark.parametrize(
    ("defective", "reason"),
    [
        (replace(TINY, repetition=Repetition(perpetual_check_loses=True)), "perpetual check"),
        (replace(TINY, repetition=Repetition(loser="b")), "a repetition is lost by one side"),
        (replace(TINY, borrowing=Borrowing(((0, -1),))), "pieces hop, borrow moves"),
        (replace(TINY, rules=(forbid("drops", At(Squares(("1a",)))),)), "not the same for both sides"),
        (replace(TINY, kinds=(KING, replace(DIE[0], becomes=Becomes(quiet=("E",))), *DIE[1:])), "leave the game"),
        (replace(TINY, board=Rect(8, 9), start="/".join(["dk6", *["8"] * 7, "KD6"]) + " b -"), "72 squares"),
        (replace(TINY, board=Rect(8, 8), start="/".join(["dddk4", *["8"] * 6, "KDD5"]) + " b -"), "positions; at most"),
    ],
)
def test_specs_that_cannot_be_solved_say_why(defective: Variant, reason: str) -> None:
    with pytest.raises(SpecError, match=reason):
        shape_of(defective)


@pytest.mark.parametrize("which", DEFAULTS)
def test_every_game_is_solved_or_says_why_not(which: Variant) -> None:
    try:
        size = shape_of(which).size
    except SpecError as error:
        size = len(error.defects)
    assert size > 0


# --- The command ----------------------------------------------------------------------------------------------------


def test_the_command_tells_what_is_known() -> None:
    said = parsed("solve", "nana", "--json")
    assert said["start"] == NANA_START
    assert said["built_in_seconds"] is None
    assert sum(said["positions"].values()) == sum(nana().statistics.positions)
    assert "win in 125 plies for Black at the start" in komadai_says("solve", "nana").out


def test_the_command_builds_and_audits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("komadai.app.cli.solve.build", lambda name, **options: TINY)
    monkeypatch.setattr("komadai.app.cli.solve._REFERENCE_SAMPLE", 200)
    path = tmp_path / "tiny.table"
    ran = komadai_says("solve", "nana", "-o", str(path), "--threads", "1", "--audit", "1")
    assert (ran.status, ran.err) == (0, "")
    assert "none wrong" in ran.out
    assert path.is_file()
