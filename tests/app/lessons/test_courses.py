"""Every course: its goals can be reached as promised, it teaches its rules, and anyone gets through it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import cache

import pytest

import komadai
from helpers.support import NAMES, ROOT
from helpers.volume import FULL, one_in
from komadai.app import lessons
from komadai.app.lessons.checking import faults
from komadai.app.lessons.model import Drill, Play, Question, Reach, Stage, Take, Wrong
from komadai.errors import KomadaiError
from komadai.game.position import Position
from komadai.i18n import sentence
from komadai.spec.move import Move
from komadai.spec.promotion import faces
from komadai.view.piece_descriptions import ways

MOST_TRIES = 40  # answers of the judge after which the clumsiest has finished a stage

COURSES = lessons.written()
STAGES = [pytest.param(stage, id=f"{game}-{stage.id}") for game in COURSES for stage in lessons.course(game).stages]
SOME = STAGES if FULL else STAGES[::5]
WRITTEN = [parameter for parameter in STAGES if parameter.values[0].made is None]


def at_random(chance: random.Random) -> Callable[[Position, int], Move]:
    """An opponent in guided games that needs no search."""
    return lambda position, _level: chance.choice(sorted(position.legal_moves(), key=str))


def choices(stage: Stage, position: str) -> list[str]:
    """All that a learner can choose from."""
    if isinstance(stage.goal, Question):
        return [str(number) for number in range(len(stage.goal.choices))]
    return sorted(map(str, Position.problem(stage.variant, position).legal_moves()))


@pytest.mark.parametrize("stage", STAGES)
def test_the_goal_is_reached_in_the_moves_promised(stage: Stage) -> None:
    assert faults(stage) == ()


def walk(stage: Stage, choose: Callable[[list[str]], str]) -> int:
    """The number of answers until the stage is done by one who chooses so until a move is shown."""
    feedback, tries, opponent = lessons.judge(stage), 0, at_random(random.Random(1))
    for answers in range(1000):
        if feedback.state == "done":
            return answers
        move = feedback.show or choose(choices(stage, feedback.position))
        feedback = lessons.judge(stage, (*feedback.moves, move), tries, opponent)
        tries += feedback.state == "wrong"
    raise AssertionError("it never ends")


@pytest.mark.parametrize("stage", SOME)
def test_one_who_plays_at_random_finishes_every_stage(stage: Stage) -> None:
    chance = random.Random(stage.id)
    most = stage.goal.plies if isinstance(stage.goal, Play) else MOST_TRIES
    assert walk(stage, chance.choice) <= most


@cache
def witness(stage: Stage, wrong: Wrong) -> tuple[tuple[str, ...], str] | None:
    """Moves that stand and a wrong one that gets this answer; looked for on the way to the goal."""
    feedback, chance = lessons.judge(stage), random.Random(2)
    while feedback.state != "done":
        attempts = [*wrong.moves, *choices(stage, feedback.position)]
        if not isinstance(stage.goal, Question):
            attempts += attempted(Position.problem(stage.variant, feedback.position), chance)
        for move in attempts:
            answer = lessons.judge(stage, (*feedback.moves, move), 0, at_random(chance))
            if answer.state == "wrong" and answer.text.endswith(wrong.says):
                return feedback.moves, move
        step = lessons.next_move(stage, feedback.moves)
        if step is None:
            break
        feedback = lessons.judge(stage, (*feedback.moves, step))
    return None


def attempted(position: Position, chance: random.Random) -> list[str]:
    """Moves that somebody might try, legal or not."""
    board, variant = position.variant.board, position.variant
    names = [board.name(point) for point in board.points]
    own = [names[point] for point, piece in enumerate(position.board) if piece and piece.side == position.turn]
    empty = [names[point] for point, piece in enumerate(position.board) if piece is None]
    held = [code for code in variant.hand_order if code in position.hand(position.turn)]
    moves = [f"{start}{end}" for start in own for end in names if start != end]
    drops = [f"{face}*{end}" for code in held for face in faces(variant, code) for end in empty]
    return drops + chance.sample(moves, min(len(moves), 120))


def too_many(stage: Stage, wrong: Wrong) -> bool:
    """True if somebody who wanders about gets the answer to too many moves."""
    chance, feedback = random.Random(3), lessons.judge(stage)
    for _answer in range(200):
        marked = next((mark.at for mark in feedback.marks if mark.t == "piece"), "")
        legal = [move for move in choices(stage, feedback.position) if move.startswith(marked)]
        onward = lessons.next_move(stage, feedback.moves)
        others = [move for move in legal if move != onward]
        feedback = lessons.judge(stage, (*feedback.moves, chance.choice(others or legal)))
        if feedback.state == "wrong" and feedback.text == wrong.says:
            return True
        if feedback.state == "done":
            feedback = lessons.judge(stage)
    return False


@pytest.mark.parametrize("stage", one_in(3, WRITTEN))
def test_every_answer_to_a_mistake_is_given(stage: Stage) -> None:
    if isinstance(stage.goal, Question):
        wrong = [number for number, choice in enumerate(stage.goal.choices) if not choice.right]
        assert wrong
        answers = [lessons.judge(stage, [str(number)]) for number in wrong]
        assert [answer.state for answer in answers] == ["wrong"] * len(wrong)
        assert len({answer.text for answer in answers}) == len(wrong)
        return
    assert stage.wrong, "a stage has at least one wrong move with its own answer"
    for wrong in stage.wrong:
        found = too_many(stage, wrong) if wrong.mistake == ("late",) else witness(stage, wrong) is not None
        assert found, f"nothing is answered by {wrong.says!r}"
        for move in wrong.moves:
            assert witness(stage, Wrong(wrong.says, (move,))), f"{move} does not get its answer"


def impossible(stage: Stage) -> str:
    """A move that the piece of an exercise cannot make."""
    assert isinstance(stage.goal, Reach | Take)
    board, legal = stage.begin().variant.board, choices(stage, stage.begin().sfen())
    moves = (f"{stage.goal.piece}{board.name(point)}" for point in board.points)
    return next(move for move in moves if not any(one.startswith(move) for one in legal))


@pytest.mark.parametrize("stage", SOME)
def test_one_who_repeats_a_mistake_finishes_every_stage(stage: Stage) -> None:
    if isinstance(stage.goal, Play):
        pytest.skip("a game, in which a mistake is but a move")
    if stage.made is not None:
        mistake = impossible(stage)
        assert lessons.judge(stage, [mistake]).state == "wrong"
    elif isinstance(stage.goal, Question):
        mistake = next(str(number) for number, choice in enumerate(stage.goal.choices) if not choice.right)
    else:
        mistake = next(found[1] for wrong in stage.wrong if (found := witness(stage, wrong)))
    assert walk(stage, lambda _legal: mistake) <= MOST_TRIES


def rules_of(game: str) -> list[str]:
    """The numbers of the rules on the game's page, without sections about another game."""
    found: list[str] = []
    for source in komadai.variant(game).sources:
        if not source.startswith("docs/"):
            continue
        page = (ROOT / source).read_text(encoding="utf-8")
        for section in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
            title = section.partition("\n")[0]
            named = {name for name in re.findall(r"`([^`]+)`", title) if name in NAMES}
            if title.startswith("Rules") and (not named or game in named):
                found += re.findall(r"^(\d+)\. ", section, re.MULTILINE)
        found += [f"R{number}" for number in re.findall(r"^\*\*R(\d+)\b", page, re.MULTILINE)]
    return found


def test_the_rules_of_a_game_are_those_of_its_sections() -> None:
    assert rules_of("ki") == [str(number) for number in range(1, 9)]
    assert rules_of("ki-unicorn") == ["9", "10", "11"]
    assert rules_of("ko")[-1] == "R14"


@pytest.mark.parametrize("game", COURSES)
def test_a_course_teaches_every_rule_or_says_why_not(game: str) -> None:
    course, rules = lessons.course(game), rules_of(game)
    taught = {number for stage in course.stages for number in stage.rules}
    assert sorted(taught & set(course.not_taught)) == [], "taught, and said not to be"
    assert [number for number in rules if number not in taught | set(course.not_taught)] == []
    assert sorted((taught | set(course.not_taught)) - set(rules) - set(shared(game))) == [], "no such rules"
    assert all(len(reason) > 10 for reason in course.not_taught.values())


def shared(game: str) -> list[str]:
    """The rules of games with the same page."""
    sources = komadai.variant(game).sources
    return [number for name in NAMES if komadai.variant(name).sources == sources for number in rules_of(name)]


@pytest.mark.parametrize("game", COURSES)
def test_a_course_is_of_a_good_length_and_its_texts_are_short(game: str) -> None:
    course = lessons.course(game)
    written = [stage for stage in course.stages if stage.made is None]
    assert isinstance(course.stages[-1].goal, Play), "it ends with a game"
    assert len(written) >= 10
    for stage in course.stages:
        assert len(stage.text) <= 600, stage.id
        assert len(stage.title) <= 40, stage.id


@pytest.mark.parametrize("game", COURSES)
def test_drills_stand_among_the_stages_after_the_one_that_teaches_the_kind(game: str) -> None:
    entries = lessons.course(game).entries
    signs = "".join("d" if isinstance(entry, Drill) else "s" for entry in entries)
    assert "dddd" not in signs
    taught: set[str] = set()
    for number, entry in enumerate(entries):
        if isinstance(entry, Stage):
            taught |= set(entry.teaches)
        else:
            later = [one for one in entries[number:] if isinstance(one, Stage) and entry.kind in one.teaches]
            assert entry.kind in taught or len(later) < 2, f"{entry.id} comes before the stages that teach it"


_NO_NAMES = {"camp", "drums", "guard", "silver"}
"""Last words of names that the texts use for something else, and the short name that all players use."""


@pytest.mark.parametrize("game", COURSES)
def test_pieces_have_the_names_of_their_cards(game: str) -> None:
    """A stage may shorten a name only beside the whole one: texts said "wings", cards "swallow's wings"."""
    names = {kind.name for kind in komadai.variant(game).kinds}
    short = {name.split()[-1] for name in names if " " in name} - names - _NO_NAMES - {"general"}
    for stage in lessons.course(game).stages:
        text = " ".join((stage.task, *stage.sources())).lower() if stage.made is None else ""
        for word in short:
            whole = [name for name in names if name.endswith(f" {word}")]
            assert word not in re.findall(r"[\w-]+", text) or any(name.lower() in text for name in whole), stage.id


REACH = re.compile(
    r"\b(goes|runs|steps|jumps|leaps|slides|takes|shoots|moves|reaches|hits)\b[^.;:]{0,28}?"
    r"\b(one|two|three|four|five|six|seven|single|up to|exactly|at most|as far as|any)\b[^.]{0,20}?"
    r"\b(steps?|squares?|points?|places?|jumps?|likes?|distance|directions?)\b"
)
"""How far a piece goes."""


@pytest.mark.parametrize("stage", WRITTEN)
def test_how_far_a_piece_goes_is_said_by_the_rules_alone(stage: Stage) -> None:
    assert [text for text in stage.sources() if REACH.search(text)] == []
    variant = stage.variant
    for code in stage.teaches:
        first, *others = ways(variant, variant.kind(code))
        assert all(line in stage.task for line in (first, *map(sentence, others)))


def test_a_stage_that_teaches_a_slide_can_be_done_by_sliding_alone() -> None:
    """The bishop's stage said that it goes one step, and its position could not tell."""
    stage = lessons.course("nana").stage("bishop")
    assert "slides any distance diagonally" in stage.task
    assert stage.moves == 1
    assert lessons.judge(stage, ["1c2b"]).state != "done"
    assert lessons.judge(stage, ["1c3a"]).state == "done"


@pytest.mark.parametrize("game", COURSES)
def test_feedback_and_contents_are_plain_data(game: str) -> None:
    import json

    course = lessons.course(game)
    json.dumps([course.to_json(), *(stage.to_json() for stage in course.stages)])
    for stage in course.stages[:5]:
        json.dumps(lessons.judge(stage, tries=3).to_json())
    with pytest.raises(KomadaiError, match="no stage 'nothing'"):
        course.stage("nothing")
