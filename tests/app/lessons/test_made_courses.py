"""Courses made from the spec: every game has one, every task of it can be done, and its words are those of the game."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import komadai
from fuzz.variants import made as random_variant
from komadai import variants, workshop
from komadai.app import lessons
from komadai.app.lessons.model import Course, Find, Play, Question, Stage
from komadai.errors import CourseError, SpecError
from komadai.game.position import Position
from komadai.i18n import speaking
from komadai.spec.move import Move
from komadai.spec.rules import Forbid
from komadai.spec.variant import Variant

MADE = [game for game in komadai.variants() if game not in lessons.written()]


def do(stage: Stage) -> None:
    """Do a stage by the moves that the judge would show."""
    feedback = lessons.judge(stage)
    for _move in range(stage.moves):
        assert feedback.state in ("going", "right")
        move = lessons.next_move(stage, feedback.moves)
        assert move is not None, f"{stage.id}: there is no way on"
        feedback = lessons.judge(stage, (*feedback.moves, move))
    assert feedback.state == "done", f"{stage.id}: {feedback}"


def check(course: Course) -> None:
    """All that holds for every made course."""
    ids = [entry.id for entry in course.entries]
    assert len(ids) == len({*ids})
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", id) for id in ids)
    *tasks, last = course.stages
    assert isinstance(last.goal, Play)
    assert last.goal.level == 1
    for stage in tasks:
        do(stage)
        with speaking("ja"):
            japanese = stage.heading, stage.task
        assert "{" not in stage.heading + stage.task + "".join(japanese)
    drilled = {stage.begin()[str(getattr(stage.goal, "piece", ""))] for stage in tasks if stage.id.startswith("drill-")}
    assert {piece.code for piece in drilled if piece} == {
        kind.code for kind in course.variant.kinds if can_move(course.variant, kind.code)
    }


def can_move(variant: Variant, code: str) -> bool:
    """True unless the drill says that the kind never moves."""
    try:
        return bool(lessons.making.drill(variant, code))
    except CourseError:
        return False


def test_every_game_has_a_course_the_written_ones_first() -> None:
    found = lessons.courses()
    assert sorted(found) == sorted(komadai.variants())
    assert set(found[: len(lessons.written())]) == set(lessons.written())


@pytest.mark.parametrize("game", MADE)
def test_every_task_of_a_made_course_can_be_done(game: str) -> None:
    course = lessons.course(game)
    check(course)
    assert lessons.course(game) is course, "it is made once"
    assert course.chapters[0].title == "The goal"
    assert len(course.stages) >= len(course.variant.kinds) + 3


@pytest.mark.parametrize("game", MADE)
def test_a_made_course_teaches_drops_and_promotion_where_the_game_has_them(game: str) -> None:
    course, variant = lessons.course(game), komadai.variant(game)
    ids = {entry.id for entry in course.entries}
    assert ("drop" in ids) == bool(variant.hand_order)
    changes = any({*kind.becomes.zone, *kind.becomes.quiet, *kind.becomes.captures} for kind in variant.kinds)
    assert bool(ids & {"promote", "turn", "turn-taking"}) == changes
    forbidding = [rule for rule in variant.rules if rule.event == "drops" and isinstance(rule.action, Forbid)]
    refused = [stage for stage in course.stages if stage.id.startswith("no-drop-")]
    assert len(refused) >= len(forbidding) - (game == "nana-1998"), "that the king comes first holds at the start alone"
    for stage in refused:
        position = stage.begin()
        code = next(code for code in variant.hand_order if code in position.hand("b"))
        empty = [variant.board.name(point) for point, piece in enumerate(position.board) if piece is None]
        drops = [move for move in position.legal_moves() if move.is_drop]
        assert 0 < len(drops) < len(empty) * max(len(variant.kind(code).becomes.dropped), 1)


@pytest.mark.parametrize("game", MADE)
def test_drills_of_a_made_course_stand_three_in_a_row_at_most(game: str) -> None:
    signs = "".join("d" if entry.id.startswith("drill-") else "s" for entry in lessons.course(game).entries)
    assert "dddd" not in signs


@pytest.mark.parametrize("game", MADE[::4])
def test_one_who_plays_at_random_gets_through_a_made_course(game: str) -> None:
    chance = random.Random(game)
    for stage in lessons.course(game).stages:
        feedback, tries = lessons.judge(stage), 0
        for _answer in range(60):
            if feedback.state == "done" or isinstance(stage.goal, Play):
                break
            assert not isinstance(stage.goal, Question)
            legal = sorted(map(str, Position.problem(game, feedback.position).legal_moves()))
            feedback = lessons.judge(stage, (*feedback.moves, feedback.show or chance.choice(legal)), tries)
            tries += feedback.state == "wrong"
        assert feedback.state == "done" or isinstance(stage.goal, Play), stage.id


def test_a_wrong_move_is_answered_in_words() -> None:
    stage = lessons.course("tori").stage("take-s")
    assert isinstance(stage.goal, Find)
    said = {lessons.judge(stage, [str(move)]).text for move in stage.begin().legal_moves()}
    assert said == {
        "Well done.",
        "Take a piece with this move.",
        "That piece is guarded: yours would be taken in return.",
    }


def test_the_words_are_those_of_the_game() -> None:
    course = lessons.course("dobutsu")
    assert course.about == komadai.variant("dobutsu").summary
    assert "Lion: its side stays in the game while it has this." in course.stage("extinction").task
    assert "the lion has reached the far rank" in course.stage("goal").task
    assert course.stage("win-g").heading == "Win with the giraffe or elephant"
    assert "may not be dropped where" in lessons.course("tori").stage("no-drop-2").task.lower()
    with speaking("ja"):
        assert course.stage("drop").task.endswith("雛を打ってください。")


def test_the_end_of_the_game_is_said_in_words() -> None:
    """An empty text has a translation: the header of the catalogue."""
    stage, chance = lessons.course("dobutsu").stage("game"), random.Random(4)
    ends = set[str]()
    with speaking("ja"):
        for _game in range(6):
            feedback = lessons.judge(stage)
            while feedback.state != "done":
                moves = Position("dobutsu", feedback.position).legal_moves()
                feedback = lessons.judge(stage, (*feedback.moves, str(chance.choice(moves))), 0, at_random)
            ends.add(feedback.text)
    assert len(ends) > 1
    assert all("\n" not in text and "charset" not in text for text in ends), ends


def at_random(position: Position, _level: int) -> Move:
    """An opponent that needs no search."""
    return random.Random(position.ply).choice(position.legal_moves())


def test_a_course_is_the_same_whoever_makes_it() -> None:
    """Servers share no course: the moves that stand must fit the positions of each."""
    course = lessons.course("minishogi")
    lessons.making.made_course.cache_clear()
    again = lessons.course("minishogi")
    assert again is not course
    assert [stage.position for stage in again.stages] == [stage.position for stage in course.stages]


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that are registered are forgotten after the test."""
    monkeypatch.setattr(variants, "_registered", {})


@pytest.mark.usefixtures("registry")
def test_a_game_of_a_variant_file_has_a_course(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(workshop.game_text("gorogoro").replace('id = "gorogoro"', 'id = "own-game"'), encoding="utf-8")
    assert workshop.register(file).id == "own-game"
    assert "own-game" in lessons.courses()
    check(lessons.course("own-game"))


@pytest.mark.usefixtures("registry")
@pytest.mark.parametrize("seeds", [range(12), range(1_000_000, 1_000_003), range(2_000_000, 2_000_003)], ids=str)
def test_courses_of_random_variants_can_be_done(seeds: range) -> None:
    sound = 0
    for seed in seeds:
        variant = random_variant(seed)
        variants.register(variant.id, variant)
        try:
            Position(variant)
        except SpecError:
            continue
        check(lessons.course(variant.id))
        sound += 1
    assert sound
