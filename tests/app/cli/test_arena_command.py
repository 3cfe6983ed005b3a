"""``komadai match`` as people use it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from helpers.command import PATIENCE, komadai_says, parsed, refusal, run_alone, running
from helpers.engines import Fake, fairy_stockfish
from komadai.app.cli import match as command
from komadai.engine.clock import Clock
from komadai.engine.evaluation import WEIGHTS
from komadai.errors import NotationError
from komadai.lab.arena.referee import Resignation
from komadai.lab.arena.statistics import Sprt

QUICK = ("--game", "nana", "--nodes", "50")


def test_a_match() -> None:
    ran = komadai_says("match", "komadai:nodes=300", "random", *QUICK, "--games", "8")
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0].startswith("komadai nodes=300 against random: ")
    assert lines[1].startswith("pairs: 0×0, ")
    assert lines[2].startswith("Elo ")
    assert lines[-1].startswith("8 games, ")


def test_a_summary_for_programs(tmp_path: Path) -> None:
    data = parsed(
        "match", "komadai:level=1,name=one", "komadai:name=two", *QUICK, "--games", "2", "--sprt", "0,10", "--json"
    )
    assert data["games"] == 2
    assert [player["name"] for player in data["players"]] == ["one", "two"]
    (pairing,) = data["pairings"]
    assert pairing["wins"] + pairing["draws"] + pairing["losses"] == 2
    assert sum(pairing["pairs"]) == 1
    assert data["sprt"]["accepted"] is None
    assert sum(data["ends"].values()) == 2


def test_openings_are_kept_and_read(tmp_path: Path) -> None:
    book, state = tmp_path / "book", tmp_path / "state"
    made = ("--openings", "random:plies=2,count=3,limit=2000,nodes=50", "--state", str(state))
    assert komadai_says("match", "random", "random", *QUICK, "--games", "2", *made).status == 0
    header = json.loads(state.read_text(encoding="utf-8").splitlines()[0])
    assert header["openings"] == "random:plies=2,count=3,seed=1,limit=2000,nodes=50"
    lines = header["lines"]
    assert len(set(lines)) == 3
    book.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    kept = ("--openings", str(book), "--state", str(tmp_path / "other"))
    assert komadai_says("match", "random", "random", *QUICK, "--games", "4", *kept).status == 0
    header, *games = map(json.loads, (tmp_path / "other").read_text(encoding="utf-8").splitlines())
    assert header["lines"] == lines
    assert [" ".join(game["book"]) for game in games] == [lines[0], lines[0], lines[1], lines[1]]


def test_a_match_made_longer_keeps_its_openings(tmp_path: Path) -> None:
    kept = ("--state", str(tmp_path / "state"), "-o", str(tmp_path / "games"))
    assert komadai_says("match", "random", "random", *QUICK, "--games", "4", *kept).status == 0
    more = komadai_says("match", "random", "random", *QUICK, "--games", "6", *kept)
    assert (more.status, more.err) == (0, "")
    assert more.out.splitlines()[-1].startswith("6 games, ")
    assert (tmp_path / "games").read_text(encoding="utf-8").count("[Event ") == 6


def test_a_state_belongs_to_one_match(tmp_path: Path) -> None:
    """The same command goes on with it; another is refused, and with --force begins it anew."""
    state = tmp_path / "state"
    asked = ("match", "random", "random", *QUICK, "--state", str(state))
    assert komadai_says(*asked, "--games", "2").status == 0
    first = state.read_bytes()
    assert json.loads(first.splitlines()[0])["plies"] == 500
    assert komadai_says(*asked, "--games", "4", "--force").status == 0
    assert state.read_bytes().startswith(first), "whose own games no --force removes"
    first = state.read_bytes()
    for other in (("--seed", "2"), ("--openings", "random:plies=1,count=1"), ("--game", "ki"), ("--nodes", "51")):
        ran = komadai_says(*asked, "--games", "2", *other)
        assert (ran.status, ran.out, state.read_bytes()) == (2, "", first)
        assert ran.err.startswith(f"komadai: state {str(state)!r}: holds a match with other settings; ")
        assert ran.err.endswith("; --force begins it anew\n")
    assert komadai_says(*asked, "--games", "2", "--seed", "2", "--force").status == 0
    assert len(state.read_bytes().splitlines()) == 3
    assert json.loads(state.read_bytes().splitlines()[0])["seed"] == 2
    kept = state.read_bytes()
    for wrong in (("--jobs", "2"), ("--openings", "/no/such/file")):  # the first needs a limit of nodes
        clocked = ("match", "komadai:movetime=1", "random", *QUICK, "--state", str(state), "--force", *wrong)
        assert (komadai_says(*clocked).status, state.read_bytes()) == (2, kept), wrong
    state.write_text("no match\n")
    assert komadai_says(*asked, "--games", "2", "--force").status == 0
    assert len(state.read_bytes().splitlines()) == 3


def test_a_player_whose_file_has_changed_plays_another_match(tmp_path: Path) -> None:
    weights, text = tmp_path / "own.json", (WEIGHTS / "shogi.json").read_text()
    asked = ("match", f"komadai:weights={weights},depth=1", "random", "--game", "shogi", "--games", "2")
    kept = ("--state", str(tmp_path / "state"), "--openings", str(tmp_path / "openings"))
    (tmp_path / "openings").write_text("4k4/9/4P4/9/9/9/9/9/4K4 b 2G")
    for words, status in ((text, 0), (text, 0), (text + " ", 2)):
        weights.write_text(words)
        ran = komadai_says(*asked, *kept)
        assert ran.status == status, ran
    assert "holds a match with other settings; files was " in ran.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("komadai",), "needs two players or more"),
        (("komadai", "foo"), "player 'foo': choose from"),
        (("komadai", "usi:no-such-program"), "cannot start 'no-such-program': No such file or directory"),
        (("komadai", "random", "--games", "3"), "games come in pairs; expected an even number such as 4"),
        (("komadai", "random", "--game", "nanna"), "did you mean 'nana'"),
        (("komadai", "random", "--rule", "field"), "has no value; expected NAME=VALUE"),
        (("komadai", "random", "--openings", "/no/such/file"), "openings '/no/such/file': No such file"),
        (("komadai", "random", "--openings", "random:x=1"), "unknown setting 'x'"),
        (("komadai", "random", "--movetime", "1", "--clock", "1"), "--movetime and --clock exclude each other"),
        (("komadai", "random", "random", "--sprt", "0,5"), "tests two players; there are 3"),
        (
            ("komadai", "random", "--state", "/no/such/folder/x"),
            "--state '/no/such/folder/x': cannot be written: there is no folder",
        ),
        (
            ("komadai", "random", "-o", "/no/such/folder/x"),
            "--output '/no/such/folder/x': cannot be written: there is no folder",
        ),
        (("komadai", "random", "-o", __file__), "is there already; --force overwrites it"),
    ],
)
def test_what_cannot_be_played(arguments: tuple[str, ...], message: str) -> None:
    said = refusal("match", "--game", "nana", "--games", "2", *arguments)
    assert message in said
    assert said.count("\n") == 1


def test_ctrl_c(tmp_path: Path) -> None:
    """The interruption of the terminal: games that are over are kept, and no engine is left running."""
    state, fake = tmp_path / "state", Fake(tmp_path, "sound", *["7g7f"] * 1000)
    program = [sys.executable, "-c", "from komadai.__main__ import main; main()", "match", fake.spec, "komadai:nodes=1"]
    options = ["--game", "shogi", "--games", "2000", "--openings", "random:count=1", "--state", str(state)]
    with running(
        [*program, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as match:
        deadline = time.monotonic() + PATIENCE
        while not state.exists() or len(state.read_bytes().splitlines()) < 3:
            assert time.monotonic() < deadline
            assert match.poll() is None
            time.sleep(0.02)
        os.killpg(match.pid, signal.SIGINT)
        out, err = match.communicate(timeout=PATIENCE)
    assert match.returncode == 130
    games = len(state.read_bytes().splitlines()) - 1
    assert f"interrupted after {games} games; the same command goes on with --state {state}" in err
    assert f"{games} games, " in out
    assert fake.heard[-1] == "quit"


def test_fairy_stockfish_plays_ours(tmp_path: Path) -> None:
    """Two short games of shogi, in one protocol and the other."""
    program, text = fairy_stockfish(), tmp_path / "games"
    players = (f"usi:{program} option.Hash=1 name=usi", f"uci:{program} option.Hash=1 name=uci", "komadai:name=ours")
    ran = run_alone("match", *players, "--nodes", "100", "--games", "2", "-o", str(text), "--json")
    assert (ran.status, ran.err) == (0, "")
    data = json.loads(ran.out)
    assert data["games"] == 6
    assert set(data["ends"]) <= {"cap", "checkmate", "repetition"}, text.read_text(encoding="utf-8")
    assert all(player["moves"] > 0 and player["nodes"] > 0 for player in data["players"])


# --- The words of the command line ---


@pytest.mark.parametrize(
    ("text", "limits"),
    [("60", Clock(60)), ("60+1", Clock(60, 1)), ("0+0+0.5", Clock(0, 0, 0.5)), ("1.5+0+1", Clock(1.5, 0, 1))],
)
def test_clocks_as_written(text: str, limits: Clock) -> None:
    assert command.parse_clock(text).clocks == (limits, limits)


@pytest.mark.parametrize("text", ["", "x", "60+", "0", "0+5", "-1", "5+-1", "1+1+1+1", "nan", "inf"])
def test_clocks_written_badly(text: str) -> None:
    with pytest.raises(NotationError, match="--clock"):
        command.parse_clock(text)


@pytest.mark.parametrize("text", ["", "5", "5,0", "0,5,0", "0,5,0.05,0.5", "a,b", "0,5,0.1,0.1,0.1", "-2000,5"])
def test_tests_written_badly(text: str) -> None:
    with pytest.raises(NotationError, match="--sprt"):
        command.parse_sprt(text)


def test_judgements_as_written() -> None:
    assert command.parse_sprt("0,5,0.1") == Sprt(0, 5, 0.1)
    assert command.parse_resign("900,3") == Resignation(900, 3)
    assert command.parse_resign("900,3,both") == Resignation(900, 3, True)
    for text in ("", "900", "0,3", "900,0", "900,3,none"):
        with pytest.raises(NotationError, match="--resign"):
            command.parse_resign(text)
