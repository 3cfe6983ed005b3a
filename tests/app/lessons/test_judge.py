"""The judge of lessons, goal by goal, on stages written for the test."""

from __future__ import annotations

import pytest

import komadai
from komadai.app import lessons
from komadai.app.lessons.drills import drill
from komadai.app.lessons.model import Chapter, Course, Drill, Stage
from komadai.errors import CourseError
from komadai.i18n import speaking
from komadai.spec.variant import Variant

COURSE = """
about = "A course for tests."

[not_taught]
"3" = "it is about strings"

[[chapters]]
title = "All"

[[chapters.stages]]
id = "reach"
title = "Reach"
text = "Go."
position = "5k3/9/9/9/9/9/4R4/9/4K4 b -"
reach = ["1g", "1i"]
piece = "5g"
moves = 2
hint = "Not upwards."
[[chapters.stages.wrong]]
mistake = "other piece"
says = "The rook."
[[chapters.stages.wrong]]
mistake = "late"
says = "Too late."

[[chapters.stages]]
id = "take"
title = "Take"
text = "Take both."
position = "9/9/2p3p2/9/9/9/2R6/9/4K4 b -"
take = ["7c", "3c"]
moves = 2

[[chapters.stages]]
id = "mate"
title = "Mate"
text = "Mate in two."
position = "7nk/9/8P/9/9/9/9/9/9 b G"
find = "mate"
wrong = [{ mistake = "no-check", says = "Give check." }]

[[chapters.stages]]
id = "lines"
title = "Lines"
text = "Two moves."
position = "4k4/9/4S4/9/9/9/9/9/4K4 b GP"
find = "mate"
lines = ["P*5b 5a4a G*4b"]
wrong = [{ moves = ["G*4b"], reply = "5a6a", says = "Too fast." }]

[[chapters.stages]]
id = "avoid"
title = "Avoid"
text = "Do not lose the rook."
position = "4k4/9/9/4r4/9/4R4/4P4/9/3K5 b P"
avoid = "hangs"
wrong = [{ mistake = "hangs", says = "It hangs." }, { rule = "7", says = "Two pawns on a file." }]

[[chapters.stages]]
id = "ask"
title = "Ask"
text = "Which?"
choices = [
  { text = "a", right = true, says = "A." },
  { text = "b", says = "B." },
  { text = "c", right = true, says = "C." },
]

[[chapters.stages]]
id = "play"
title = "Play"
text = "Play."
play = { level = 1, plies = 3 }
right = "That was a game."
"""


def stage(id: str) -> lessons.Stage:
    return lessons.load("shogi", COURSE).stage(id)


def marks(feedback: lessons.Feedback, kind: str) -> list[str]:
    return [f"{mark.at}{mark.to or ''}" for mark in feedback.marks if mark.t == kind]


def test_points_are_reached_one_by_one_while_the_opponent_waits() -> None:
    feedback = lessons.judge(stage("reach"))
    assert (feedback.state, feedback.text, marks(feedback, "target")) == ("going", "", ["1g", "1i"])
    feedback = lessons.judge(stage("reach"), ["5g1g"])
    assert (feedback.state, feedback.text, marks(feedback, "target")) == ("right", "One to go.", ["1i"])
    assert feedback.position == "5k3/9/9/9/9/9/8R/9/4K4 b -", "Black is to move again"
    feedback = lessons.judge(stage("reach"), [*feedback.moves, "1g1i"])
    assert (feedback.state, feedback.text) == ("done", "Well done.")


def test_a_move_that_gives_check_is_none_while_the_opponent_waits() -> None:
    feedback = lessons.judge(stage("reach"), ["5g9g", "9g9a"])
    assert (feedback.state, feedback.moves) == ("wrong", ("5g9g",))
    assert feedback.text.startswith("It gives check")


def test_another_piece_is_refused_and_a_hint_is_given_after_it() -> None:
    feedback = lessons.judge(stage("reach"), ["5i5h"])
    assert (feedback.state, feedback.text, feedback.hint) == ("wrong", "The rook.", "Not upwards.")


def test_after_too_many_moves_the_stage_begins_again() -> None:
    moves = ["5g6g", "6g7g", "7g8g", "8g9g"]
    assert lessons.judge(stage("reach"), moves).state == "going"
    feedback = lessons.judge(stage("reach"), [*moves, "9g8g"])
    assert (feedback.state, feedback.text, feedback.moves) == ("wrong", "Too late.", ())


@pytest.mark.parametrize(("tries", "shown"), [(1, None), (2, "5g1g"), (3, "5g1g")])
def test_after_three_wrong_tries_a_move_is_shown(tries: int, shown: str | None) -> None:
    feedback = lessons.judge(stage("reach"), ["5i5h"], tries)
    assert feedback.show == shown
    assert marks(feedback, "show") == ([shown] if shown else [])


def test_all_pieces_are_to_be_taken() -> None:
    feedback = lessons.judge(stage("take"), ["7g7c+"])
    assert (feedback.state, marks(feedback, "take")) == ("right", ["3c"])
    assert lessons.judge(stage("take"), ["7g7c+", "7c3c"]).state == "done"
    assert lessons.next_move(stage("take"), ["7g7d", "7d3d"]) == "3d3c"


def test_any_move_with_the_aim_is_right() -> None:
    assert lessons.judge(stage("mate"), ["G*1b"]).state == "done"
    assert lessons.judge(stage("mate"), ["G-1b"]).state == "wrong", "no gold stands on the board"
    assert lessons.judge(stage("mate"), ["G*5e"]).text == "Give check."
    assert lessons.judge(stage("mate"), ["G*2b"]).text == "Not this one. Try again."


def test_the_opponent_replies_as_the_line_says() -> None:
    feedback = lessons.judge(stage("lines"), ["P*5b"])
    assert (feedback.state, feedback.reply, feedback.moves) == ("right", "5a4a", ("P*5b", "5a4a"))
    assert marks(feedback, "reply") == ["5a4a"]
    assert lessons.judge(stage("lines"), [*feedback.moves, "G*4b"]).state == "done"


def test_an_answer_to_a_mistake_may_show_a_reply() -> None:
    feedback = lessons.judge(stage("lines"), ["G*4b"])
    assert (feedback.state, feedback.text, marks(feedback, "reply")) == ("wrong", "Too fast.", ["5a6a"])


def test_traps_are_avoided() -> None:
    assert lessons.judge(stage("avoid"), ["5f5e"]).text == "It hangs."
    assert lessons.judge(stage("avoid"), ["1d1h"]).state == "wrong"
    assert lessons.judge(stage("avoid"), ["5f5d"]).state == "done"


def test_an_illegal_move_is_explained_and_answered_by_its_rule() -> None:
    feedback = lessons.judge(stage("avoid"), ["P*5h"])
    assert (feedback.state, feedback.text) == ("wrong", "Two pawns on a file.")


def test_an_explanation_names_no_numbers_of_rules_to_learners() -> None:
    said = lessons.judge(stage("lines"), ["P*1a"]).text
    assert said == "P*1a is not legal: it could never move again from there."


def test_every_right_answer_is_to_be_chosen() -> None:
    assert lessons.judge(stage("ask"), ["1"]).text == "B."
    feedback = lessons.judge(stage("ask"), ["2"])
    assert (feedback.state, feedback.moves) == ("right", ("2",))
    assert lessons.judge(stage("ask"), ["2", "0"]).state == "done"
    assert lessons.judge(stage("ask"), ["2", "7"]).state == "wrong"
    assert lessons.judge(stage("ask"), tries=3).show == "0"


def test_a_guided_game_ends_after_its_plies() -> None:
    feedback = lessons.judge(stage("play"), ["7g7f"], answer=lambda position, level: position.parse_move("3c3d"))
    assert (feedback.state, feedback.moves, feedback.reply) == ("going", ("7g7f", "3c3d"), "3c3d")
    feedback = lessons.judge(stage("play"), [*feedback.moves, "2g2f"])
    assert (feedback.state, feedback.text) == ("done", "That was a game.")


def test_the_engine_answers_in_guided_games() -> None:
    game = lessons.course("nana").stage("game")
    feedback = lessons.judge(game, ["K*1a"])
    assert feedback.reply is not None
    assert feedback.reply.startswith("K*")


def test_a_stage_goes_on_from_the_moves_that_stand_with_the_help_that_is_due() -> None:
    stage = lessons.course("nana").stage("two-moves")
    stand = lessons.judge(stage, ["D*1c"]).moves
    later = lessons.resume(stage, stand, 1)
    assert (later.state, later.moves, later.hint != "", later.show) == ("going", stand, True, None)
    assert lessons.resume(stage, stand, 3).show == "2c3b"
    assert lessons.resume(stage) == lessons.judge(stage)
    with pytest.raises(CourseError, match="stage two-moves"):
        lessons.resume(stage, ["1a1b"])


def test_drills_are_made_when_they_are_asked_for() -> None:
    made: list[str] = []

    def make(variant: Variant, code: str) -> Stage:
        made.append(code)
        return drill(variant, code)

    nana = komadai.variant("nana")
    chapter = Chapter("Kinds", tuple(Drill(nana, code, make) for code in ("R", "B")))
    course = Course(nana, "All.", (chapter,))
    assert [entry.id for entry in course.entries] == ["drill-r", "drill-b"]
    assert [entry.heading for entry in course.entries] == ["Rook", "Bishop"]
    assert course.to_json()["chapters"][0]["stages"][0] == {"id": "drill-r", "title": "Rook"}
    assert made == []
    assert course.stage("drill-b").heading == "Bishop"
    assert made == ["B"]


def test_moves_before_the_last_must_be_those_of_the_stage() -> None:
    with pytest.raises(CourseError, match="5g5f"):
        lessons.judge(stage("mate"), ["5g5f", "G*1b"])
    with pytest.raises(CourseError):
        lessons.judge(stage("reach"), ["5i5h", "5g1g"])
    with pytest.raises(CourseError, match="from 0 to 2"):
        lessons.judge(stage("ask"), ["9", "0"])


def test_the_judge_speaks_the_language_in_force() -> None:
    with speaking("ja"):
        assert lessons.judge(stage("mate"), ["G*2b"]).text == "この手ではありません。もう一度考えてみましょう。"


BAD = """
about = ""
extra = 1

[[chapters]]
title = "All"

[[chapters.stages]]
id = "One Two"
drills = ["R", "X"]
title = "x"
text = "x"
find = "mate quickly"

[[chapters.stages]]
id = "two"
title = "x"
text = "x"
position = "9/9/9/9/9/9/9/9/9 b -"
reach = ["1a"]
piece = "1b"

[[chapters.stages]]
id = "three"
title = "x"
text = "x"
reach = ["1a", "0z"]
piece = "1b"
wrong = [{ says = "x" }]

[[chapters.stages]]
id = "four"
title = "x"
text = "x"
find = ["1a1b"]
lines = ["7g7f"]
moves = "3"

[[chapters.stages]]
id = "five"
title = "x"
text = "x"
lines = ["7g7f 3c3d"]
find = "check"

[[chapters.stages]]
id = "five"
title = "x"
text = "x"
find = "check"
avoid = "check"

[[chapters.stages]]
id = "six"
title = "x"
text = "x"
choices = [{ text = "a", says = "b" }, { text = "c", says = "d", wright = true }]
"""


def test_all_defects_of_a_course_are_reported_at_once_with_their_places() -> None:
    with pytest.raises(CourseError) as caught:
        lessons.load("shogi", BAD)
    places = {defect.split(":")[0] for defect in caught.value.defects}
    assert places == {
        "about",
        "extra",
        "chapters[0].stages[One Two].drills",
        "chapters[0].stages[One Two].id",
        "chapters[0].stages[One Two].find",
        "chapters[0].stages[two].position",
        "chapters[0].stages[three].wrong[0]",
        "chapters[0].stages[four].moves",
        "chapters[0].stages[five].lines[0]",
        "chapters[0].stages[five]",
        "chapters[0].stages[six].choices[1].wright",
    }


@pytest.mark.parametrize(("text", "said"), [("x", "Expected"), ("chapters = 3", "chapters: expected tables")])
def test_a_text_that_is_no_course_is_refused(text: str, said: str) -> None:
    with pytest.raises(CourseError, match=said):
        lessons.load("shogi", text)


def test_a_course_that_is_not_there_is_refused() -> None:
    with pytest.raises(CourseError, match="choose from"):
        lessons.course("go")
