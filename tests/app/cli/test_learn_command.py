"""``komadai learn`` as people use it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="pip install 'komadai[learn]'")

import komadai
from helpers.command import PATIENCE, komadai_says, refusal, running

NUMBERS = ("--positions", "900", "--epochs", "2", "--nodes", "30", "--hidden", "32")


@pytest.fixture(autouse=True)
def _small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few games, and no net of the user's own is used or made."""
    from komadai.app.cli import learn

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "user"))
    for name, number in (("threads", 1), ("match_games", 4)):
        monkeypatch.setitem(learn._DEFAULTS, name, number)
    monkeypatch.setattr(learn, "match_nodes", lambda variant: 30)


def learn(folder: Path, *more: str, game: str = "nana") -> str:
    ran = komadai_says("learn", game, *NUMBERS, "-o", str(folder), *more)
    assert ran.status == 0, ran.err
    return ran.out


def made(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in ("games.games", "nana.net", "result.json", "manifest.json")}


def test_a_run_from_games_to_the_match(tmp_path: Path) -> None:
    said = learn(tmp_path / "run")
    assert [line.partition(":")[0] for line in said.splitlines()] == ["loss", "match", "verdict", "net", "report"]
    assert "not accepted; the engine keeps what it has" in said
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "Nana Shogi: learning" in page
    assert page.count("<svg") == 2
    assert learn(tmp_path / "run") == said, "nothing is done again"
    verdict = json.loads((tmp_path / "run" / "result.json").read_text(encoding="utf-8"))
    assert verdict["wins"] + verdict["draws"] + verdict["losses"] == 4
    assert verdict["accepted"] is False


def test_the_same_numbers_make_the_same_net_with_workers_and_in_parts(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    learn(whole)
    speed = (whole / "speed.json").read_bytes()
    for folder in (tmp_path / "workers", tmp_path / "killed"):
        folder.mkdir()
        (folder / "manifest.json").write_bytes((whole / "manifest.json").read_bytes())
        (folder / "speed.json").write_bytes(speed)  # it is measured, so that it differs from time to time
    learn(tmp_path / "workers", "--jobs", "2")
    assert made(tmp_path / "workers") == made(whole)
    command = [sys.executable, "-m", "komadai", "learn", "nana", *NUMBERS, "-o", str(tmp_path / "killed")]
    for appears in ("games.games", "checkpoint.pt"):
        with running(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            ends = time.monotonic() + PATIENCE
            while not (tmp_path / "killed" / appears).exists() and process.poll() is None and time.monotonic() < ends:
                time.sleep(0.02)
    learn(tmp_path / "killed")
    assert made(tmp_path / "killed") == made(whole)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--hidden", "20"), "--hidden 20: expected 32, 64, 128 or 256"),
        (("--positions", "100"), "--positions: goes with --epochs, and --epochs with it"),
        (("--epochs", "2"), "--positions: goes with --epochs, and --epochs with it"),
        (("--positions", "0", "--epochs", "2"), "leaves nothing to learn from; name files of games by --data"),
        (("--positions", "9", "--epochs", "2", "--time", "1h"), "--time: chooses positions and epochs"),
        (("--data", "none.games"), "none.games cannot be read: No such file"),
    ],
)
def test_bad_options_are_refused_in_a_sentence(tmp_path: Path, options: tuple[str, ...], words: str) -> None:
    assert words in refusal("learn", "nana", *options, "-o", str(tmp_path / "run")).replace("\n", " ")
    assert not (tmp_path / "run").exists()


def test_a_folder_of_another_run_is_not_gone_on_with(tmp_path: Path) -> None:
    learn(tmp_path / "run")
    said = refusal("learn", "nana", *NUMBERS, "-o", str(tmp_path / "run"), "--seed", "2")
    assert "says otherwise; give the same options, or another folder: seed was 1, now 2" in said.replace("\n", " ")
    ran = komadai_says("learn", "hand", "-o", str(tmp_path / "run"))
    assert "is of nana under the rules" in ran.err


def test_a_move_of_the_match_is_what_the_engine_searches_in_ten_milliseconds(monkeypatch: pytest.MonkeyPatch) -> None:
    from komadai.app.cli import learn_match

    monkeypatch.setattr(learn_match, "_SECONDS", 0.02)
    nana = komadai.variant("nana")
    assert learn_match.match_nodes(nana) > 1, "what is measured here"
    for speed, nodes in ((123_456.0, 1235), (20.0, 1)):
        monkeypatch.setattr(learn_match, "_speeds", lambda variant, *nets, speed=speed: [speed])
        assert learn_match.match_nodes(nana) == nodes
