"""A run in its folder: the steps that read what others wrote, and adoption."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

import komadai
from helpers.manifests import NUMBERS
from komadai.engine.evaluation import evaluation_hash, user_net
from komadai.errors import LearnError
from komadai.lab.learn.cycle import Cycle, adopt, generations
from komadai.lab.learn.manifest import Manifest, digest
from komadai.lab.learn.report_page import page
from komadai.lab.learn.self_play import Settings

NANA = komadai.variant("nana")
VERDICT = {
    "accepted": True,
    "elo": 35.5,
    "low": 10.0,
    "high": 60.0,
    "wins": 60,
    "draws": 0,
    "losses": 40,
    "nodes": 2700,
    "nodes_before": 3000,
}


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No net of the user's own is used, but those that a test makes."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "user"))


def begun(folder: Path, settings: Settings | None = None, data: dict[str, str] | None = None) -> Cycle:
    manifest = Manifest.of(NANA, settings or Settings.of(NANA, nodes=30), data or {}, **NUMBERS)
    manifest.write(folder / "manifest.json")
    return Cycle(folder, NANA, manifest)


def test_a_run_under_another_evaluation_is_not_gone_on_with(tmp_path: Path) -> None:
    cycle = begun(tmp_path, settings=Settings(1, 30, 100, "0" * 64))
    with pytest.raises(LearnError, match=r"the engine has another evaluation of nana than when .* was begun"):
        cycle.play()


def test_without_the_extra_training_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "komadai.lab.learn.training", raising=False)
    with pytest.raises(LearnError, match=r"training needs torch; install it with: pip install 'komadai\[learn\]'"):
        begun(tmp_path).train()


def test_other_files_are_not_learned_from(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="pip install 'komadai[learn]'")
    (tmp_path / "old.games").write_bytes(b"KMDAGAME")
    cycle = begun(tmp_path / "run", data={str(tmp_path / "old.games"): "0" * 64})
    with pytest.raises(LearnError, match=r"old.games is not the file that the run began with"):
        cycle.train()
    cycle = begun(tmp_path / "run", data={str(tmp_path / "none.games"): "0" * 64})
    with pytest.raises(LearnError, match=r"none.games cannot be read: No such file"):
        cycle.train()


def test_games_of_other_rules_are_not_learned_from(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="pip install 'komadai[learn]'")
    begun(tmp_path / "old").play()
    games = tmp_path / "old" / "games.games"
    front = komadai.variant("nana", drop_faces="front")
    manifest = Manifest.of(front, Settings.of(front), {str(games): digest(games)}, **NUMBERS | {"positions": 0})
    with pytest.raises(LearnError, match=r"games.games holds games of \"nana\" under the rules [0-9a-f]{12}"):
        Cycle(tmp_path / "new", front, manifest).train()


def test_an_accepted_net_is_adopted_and_counted_once(tmp_path: Path) -> None:
    cycle = begun(tmp_path)
    cycle.net.write_bytes(b"a net")
    with pytest.raises(LearnError, match="was not accepted by its match, and is not adopted"):
        adopt(NANA, cycle)
    cycle.decide({**VERDICT, "accepted": False})
    with pytest.raises(LearnError, match="was not accepted by its match, and is not adopted"):
        adopt(NANA, cycle)
    assert generations(NANA) == []
    cycle.decide(VERDICT)
    adopt(NANA, cycle)
    adopt(NANA, cycle)
    assert user_net(NANA).read_bytes() == b"a net"
    assert [(one["elo"], one["net"]) for one in generations(NANA)] == [(35.5, digest(cycle.net))]
    cycle.net.write_bytes(b"another")
    adopt(NANA, cycle)
    assert len(generations(NANA)) == 2
    user_net(NANA).with_suffix(".jsonl").write_text("{")
    with pytest.raises(LearnError, match=r"nana.jsonl is damaged; remove it"):
        generations(NANA)
    shutil.rmtree(user_net(NANA).parent)
    user_net(NANA).mkdir(parents=True)
    with pytest.raises(LearnError, match="cannot be written"):
        adopt(NANA, cycle)


def test_the_report_says_how_far_the_run_has_come(tmp_path: Path) -> None:
    cycle = begun(tmp_path)
    early = page(NANA, cycle, [])
    assert "not over" in early
    assert "<svg" not in early
    cycle.count_time("games", 300, 2.0)
    cycle.count_time("games", 100, 2.0)
    losses = {"before": 0.55, "epochs": [{"loss": 0.6, "held_out": 0.56}, {"loss": 0.5, "held_out": 0.54}]}
    (tmp_path / "training.json").write_text(json.dumps(losses | {"rounded": 0.5401}))
    cycle.decide(VERDICT)
    late = page(NANA, cycle, [{"elo": 50.0}, {"elo": None}])
    assert "accepted: Elo +36 (95 %: +10 to +60), +60 =0 -40, with 2,700 positions a move against 3,000" in late
    assert "0.55000 by hand, 0.54000 with the net" in late
    assert "Quiet positions played</dt><dd>400 in 4 s, 100 a second" in late
    assert late.count("<svg") == 3


def test_a_damaged_record_is_named(tmp_path: Path) -> None:
    cycle = begun(tmp_path)
    cycle.result.write_text("{")
    with pytest.raises(LearnError, match=r"result.json is damaged; remove it"):
        cycle.verdict()


def test_the_evaluation_of_a_run_is_the_one_that_is_here(tmp_path: Path) -> None:
    assert begun(tmp_path).manifest.evaluation == evaluation_hash(NANA)
