"""The option ``EvalFile`` of every protocol: the evaluation of a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from komadai.engine.evaluation import HANDMADE, WEIGHTS
from komadai.protocol.session import EVAL_FILE, Session


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
