"""The options ``EvalFile`` and ``VariantPath`` of every protocol: the evaluation of a file, and a game of one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from komadai import variants
from komadai.engine.evaluation import HANDMADE, WEIGHTS
from komadai.errors import NotationError, SpecError
from komadai.protocol.session import EVAL_FILE, VARIANT_PATH, Session
from komadai.workshop.starting import start_text

TEXT = start_text("my-shogi")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "my.toml"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_the_game_can_be_chosen_then_and_an_edited_file_starts_it_anew(file: Path) -> None:
    session = Session()
    session.set_option(VARIANT_PATH, str(file))
    assert session.variant == "shogi"
    session.set_variant("my-shogi")
    before = session.position.variant
    session.push("2e4c")
    file.write_text(TEXT.replace("zone = { FarRanks = 1 }", "zone = { FarRanks = 2 }"), encoding="utf-8")
    session.set_option(VARIANT_PATH, str(file))
    assert session.position.variant.rules_hash != before.rules_hash
    assert not session.position.move_stack


def test_no_file_and_wrong_files_change_nothing(file: Path) -> None:
    session = Session()
    for empty in ("", "<empty>"):
        session.set_option(VARIANT_PATH, empty)
    with pytest.raises(NotationError, match="No such file"):
        session.set_option(VARIANT_PATH, str(file.with_name("other.toml")))
    file.write_text("id = 3", encoding="utf-8")
    with pytest.raises(SpecError, match="line 1"):
        session.set_option(VARIANT_PATH, str(file))
    assert "my-shogi" not in variants.names()


def asked(session: Session) -> list[str]:
    """The remarks to the user as the engine is made ready."""
    said: list[str] = []
    session.remark = said.append
    session.prepare()
    return said


def test_the_engine_has_the_evaluation_of_the_file_of_its_game(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    tables = json.loads((WEIGHTS / "shogi.json").read_text())
    path.write_text(json.dumps(tables | {"tempo": [5000]}))
    scores = []
    for value in (HANDMADE, str(path), HANDMADE):
        session = Session("shogi")
        session.set_option(EVAL_FILE, value)
        assert asked(session) == []
        scores.append(session.prepare().search(session.position, depth=1).score)
    assert scores[0] == scores[2] != scores[1]


@pytest.mark.parametrize("empty", ["", "<empty>"])
def test_a_file_of_another_game_is_named_and_left_out(tmp_path: Path, empty: str) -> None:
    session = Session("nana")
    session.set_option(EVAL_FILE, str(tmp_path / "none.net"))
    [said] = asked(session)
    assert said.endswith("none.net cannot be read: No such file or directory; playing without it")
    session.set_option(EVAL_FILE, str(WEIGHTS / "shogi.json"))
    [said] = asked(session)
    assert "does not fit nana" in said
    assert session.prepare().search(session.position, depth=2).move is not None
    session.set_option(EVAL_FILE, empty)
    assert asked(session) == []
    session.set_option(EVAL_FILE, str(WEIGHTS / "shogi.json"))
    session.set_variant("shogi")
    assert asked(session) == []
