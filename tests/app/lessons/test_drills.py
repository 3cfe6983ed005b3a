"""Drills of every kind of every variant, made from the spec alone."""

from __future__ import annotations

import pytest

import komadai
from helpers.support import NAMES
from komadai.app import lessons
from komadai.app.lessons.drills import drill
from komadai.app.lessons.model import Reach, Take
from komadai.i18n import speaking
from komadai.spec.geometry import movement_of

KINDS = [
    pytest.param(name, kind.code, id=f"{name}-{kind.code}")
    for name in komadai.variants(shelf=True)
    for kind in komadai.variant(name).kinds
]


@pytest.mark.parametrize(("game", "code"), KINDS)
def test_every_kind_has_a_drill_that_can_be_done(game: str, code: str) -> None:
    stage, kind = drill(komadai.variant(game), code), komadai.variant(game).kind(code)
    assert stage.begin()[str(getattr(stage.goal, "piece", None))] == ("b", code)
    assert isinstance(stage.goal, Take if movement_of(kind).shot else Reach)
    feedback = lessons.judge(stage)
    for move in stage.solution:
        assert feedback.state != "done"
        feedback = lessons.judge(stage, (*feedback.moves, move))
    assert feedback.state == "done"
    assert len(stage.solution) == stage.moves


@pytest.mark.parametrize("game", NAMES)
def test_drills_have_ids_and_texts_of_their_own(game: str) -> None:
    stages = [drill(komadai.variant(game), kind.code) for kind in komadai.variant(game).kinds]
    assert len({stage.id for stage in stages}) == len(stages)
    for stage in stages:
        with speaking("ja"):
            japanese = stage.task
        assert japanese != stage.task
        assert str(stage.moves) in stage.task


def test_a_drill_follows_a_window_that_moves() -> None:
    stage = drill(komadai.variant("ki"), "K")
    assert [mark.at for mark in lessons.judge(stage).marks] == ["4d", "4e", "3d", "5e"] or stage.moves == 3
    feedback = lessons.judge(stage, stage.solution[:1])
    assert feedback.state == "right"
    assert len([mark for mark in feedback.marks if mark.t == "target"]) == 2
    assert feedback.position.split()[0] == lessons.judge(stage).position.split()[0], "the king is in the middle again"


def test_only_the_piece_of_the_drill_moves() -> None:
    feedback = lessons.judge(drill(komadai.variant("shogi"), "R"), ["5i5h"])
    assert (feedback.state, feedback.moves) == ("wrong", ())
    assert feedback.text == "Only the piece on 5f moves here."


def test_what_the_piece_cannot_do_is_explained() -> None:
    feedback = lessons.judge(drill(komadai.variant("shogi"), "R"), ["5f4e"])
    assert feedback.state == "wrong"
    assert "the rook does not move from 5f to 4e" in feedback.text
