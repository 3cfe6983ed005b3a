"""The numbers of a run are written down, read again, and refused where they are others."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import komadai
from helpers.manifests import NUMBERS
from komadai.errors import LearnError
from komadai.lab.learn.manifest import Manifest, digest
from komadai.lab.learn.self_play import Settings

NANA = komadai.variant("nana")


def made() -> Manifest:
    return Manifest.of(NANA, Settings.of(NANA, nodes=30), {"old.games": "ab"}, **NUMBERS)


def test_a_manifest_comes_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "new" / "manifest.json"
    made().write(path)
    found = Manifest.read(path, NANA)
    assert found == made()
    assert found.settings == Settings.of(NANA, nodes=30)
    found.require(path, {"positions": 300, "hours": None, "data": {"old.games": "ab"}})


def test_a_manifest_keeps_the_share_of_moves_by_chance(tmp_path: Path) -> None:
    path, settings = tmp_path / "manifest.json", Settings.of(NANA, nodes=30, noise=0.02)
    replace(made(), noise=settings.noise).write(path)
    assert Manifest.read(path, NANA).settings == settings


def test_a_manifest_from_before_there_was_noise_has_none(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    made().write(path)
    before = {name: value for name, value in json.loads(path.read_text()).items() if name != "noise"}
    path.write_text(json.dumps(before))
    assert Manifest.read(path, NANA) == made()


def test_what_differs_is_named(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    with pytest.raises(LearnError) as caught:
        made().require(path, {"positions": 500, "hours": 8, "epochs": 1, "data": {}})
    said = str(caught.value)
    assert said.endswith(
        "says otherwise; give the same options, or another folder: positions was 300, now 500; hours was null, now 8; "
        'data was {"old.games": "ab"}, now {}'
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is no manifest of `komadai learn`"),
        ("[]", "is no manifest of `komadai learn`"),
        ('{"schema": "komadai-learn/2"}', "is no manifest of `komadai learn`"),
        ('{"schema": "komadai-learn/3"}', "is of the schema komadai-learn/3, not komadai-learn/2"),
        ("{", "is no manifest of `komadai learn`"),
    ],
)
def test_foreign_files_are_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(LearnError, match=words):
        Manifest.read(path, NANA)


def test_other_rules_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    made().write(path)
    with pytest.raises(LearnError, match=r"is of nana under the rules [0-9a-f]{12}; those of hand are [0-9a-f]{12}"):
        Manifest.read(path, komadai.variant("hand"))
    data = json.loads(path.read_text(encoding="utf-8"))
    assert data["schema"] == "komadai-learn/2"
    assert data["rules"] == NANA.play_hash


def test_files_that_cannot_be_read_or_written_are_named(tmp_path: Path) -> None:
    with pytest.raises(LearnError, match="cannot be read: No such file"):
        Manifest.read(tmp_path / "none", NANA)
    with pytest.raises(LearnError, match="cannot be read: No such file"):
        digest(tmp_path / "none")
    (tmp_path / "file").write_text("")
    with pytest.raises(LearnError, match="cannot be written"):
        made().write(tmp_path / "file" / "manifest.json")
