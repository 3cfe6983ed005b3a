"""Lessons that people pass on: read like the courses of the package, within bounds, and checked by playing them."""

from __future__ import annotations

import pytest

from komadai.app import lessons
from komadai.app.lessons import shared
from komadai.app.lessons.checking import faults
from komadai.errors import CourseError
from komadai.i18n import speaking
from komadai.workshop.starting import start_text

FILE = start_text("my-game")
FORK = """
title = "The fork"
text = "Drop the gold where it attacks both."
position = "k4/5/1r1b1/5/4K b G"
find = ["G*3b"]
[[chapters.stages.wrong]]
moves = ["G*3d"]
says = "The bishop takes it."
"""


def lesson(*stages: str, head: str = 'game = "minishogi"') -> str:
    """A lesson of these stages, whose ids are ``one``, ``two`` and so on."""
    ids = ("one", "two", "three", "four")
    tables = (f'[[chapters.stages]]\nid = "{ids[number]}"\n{stage.strip()}\n' for number, stage in enumerate(stages))
    return "\n".join([head, 'about = "A fork."', "[[chapters]]", 'title = "All"', *tables])


def places(text: str) -> dict[str, str]:
    """The defects of a lesson by their places."""
    return {defect.place: defect.what for defect in shared.examined(text)[1]}


def test_a_lesson_is_a_course_of_its_game() -> None:
    course = shared.load(lesson(FORK))
    stage = course.stage("one")
    assert (course.game, stage.heading) == ("minishogi", "The fork")
    assert lessons.judge(stage, ["G*3d"]).text == "The bishop takes it."
    assert lessons.judge(stage, ["G*3b"]).state == "done"


def test_a_lesson_takes_the_file_of_its_game_along() -> None:
    course = shared.load(lesson('title = "T"\ntext = "Go."\nfind = ["5d5c"]', head=f"variant = '''\n{FILE}'''"))
    assert course.game == "my-game"
    stage = course.stage("one")
    assert stage.begin().variant is course.variant
    assert lessons.judge(stage, ["5d5c"]).state == "done"


@pytest.mark.parametrize("game", lessons.written())
def test_the_courses_of_the_package_are_lessons(game: str) -> None:
    text = (lessons.loader._FOLDER / f"{game}.toml").read_text(encoding="utf-8")
    assert [entry.id for entry in shared.load(f'game = "{game}"\n{text}').entries] == [
        entry.id for entry in lessons.course(game).entries
    ]


def test_another_game_than_the_one_named_is_refused() -> None:
    with pytest.raises(CourseError, match="game: 'minishogi' is another game than nana"):
        lessons.load("nana", lesson(FORK))


STAGE = 'title = "T"\ntext = "Go."\nposition = "k4/5/1r1b1/5/4K b G"\n'


@pytest.mark.parametrize(
    ("stage", "place", "words"),
    [
        (STAGE + "find = []", "find", "names no right move"),
        (STAGE + 'find = ["G*3c", "G*4c"]', "find", "G*4c is not legal"),
        (STAGE + 'find = ["♟"]', "find", ""),
        (STAGE + 'find = "mate"', "find", "no right move is known after 0 moves"),
        (STAGE + 'find = []\nlines = ["G*3b 4c4b"]', "lines[0]", "ends with a move of the opponent"),
        (STAGE + "reach = []\npiece = '1e'", "reach", "names no square"),
        (STAGE + "reach = ['1a']\npiece = '1e'\nmoves = 2", "moves", "are too few: 1a are left"),
        (STAGE + "reach = ['1c']\npiece = '1e'\nmoves = 3", "moves", "fewer are enough: expected 2"),
        (STAGE + "take = ['3c']", "take", "no piece of White stands on '3c'"),
        (STAGE + "reach = ['1c']\npiece = '1e'\nmoves = 51", "moves", "51 is out of range; expected 1 to 50"),
        (STAGE + "play = { level = 11 }", "play.level", "11 is out of range; expected 1 to 10"),
        (STAGE + "play = { plies = 100000 }", "play.plies", "expected 1 to 400"),
        (STAGE + "choices = []", "choices", "there are 0; expected 2 or more"),
        (STAGE + "find = 'drop'\nwrong = [{ moves = ['G*3b'], says = 's' }]", "wrong[0].moves", "G*3b is a right move"),
        (STAGE + "find = 'drop'\nteaches = ['ZZ']", "teaches", "'ZZ' is no kind"),
        (STAGE + "find = 'drop'\nhtml = '<script>'", "html", "unknown key"),
        (STAGE.replace('"T"', '""') + "find = 'drop'", "title", "missing"),
        (STAGE.replace('"T"', f'"{"T" * 81}"') + "find = 'drop'", "title", "more than 80 characters"),
        (STAGE.replace("Go.", "Go." * 600) + "find = 'drop'", "", "more than 1500 characters"),
        (STAGE.replace("k4/5", "x4/5") + "find = 'drop'", "position", ""),
    ],
)
def test_defects_have_their_place_and_what_would_be_right(stage: str, place: str, words: str) -> None:
    found = places(lesson(stage))
    whole = ".".join(filter(None, ("chapters[0].stages[one]", place)))
    assert words in found[whole]


def test_defects_are_in_the_language_in_force_also_when_they_were_found_before() -> None:
    text = lesson(STAGE + 'find = "mate"')
    assert places(text)["chapters[0].stages[one].find"].isascii()
    with speaking("ja"):
        assert not places(text)["chapters[0].stages[one].find"].isascii()


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("", "game", "missing"),
        ("game = 3", "game", "3 is no game"),
        ('game = "chess"', "game", "unknown variant 'chess'"),
        (f'game = "{"x" * 60_000}"', "game", "unknown variant"),
        ("variant = []", "variant", "is no text of a variant file"),
        ('variant = "id = 3"', "variant", ""),
        (f"variant = '''\n{FILE.replace('my-game', 'minishogi')}'''", "variant", "is the id of another game"),
        ("game = ", "", "Invalid value"),
        ("\x00", "", ""),
        ("a = " + "[" * 30_000, "", "nested too deeply"),
        ("#" * (shared.MOST_BYTES + 1), "", "has more than 65,536 bytes"),
        ("#" + "駒" * 30_000, "", "has more than 65,536 bytes"),
        (lesson(STAGE + f"find = 'drop'\nmoves = 0x{'f' * 20_000}"), "chapters[0].stages[one].moves", "out of range"),
        (lesson(STAGE + f"find = 0x{'f' * 20_000}"), "chapters[0].stages[one].find", "is no list of texts"),
        (lesson(STAGE + "find = [1979-05-27]"), "chapters[0].stages[one].find", "is no list of texts"),
        (lesson(STAGE + "find = 'drop'\nwrong = 'x'"), "chapters[0].stages[one].wrong", "expected tables"),
        (lesson(STAGE + "find = ['G*3b']\nlines = 3"), "chapters[0].stages[one].lines", "is no list of texts"),
        ('game = "nana"\nchapters = [1]', "chapters", "expected tables"),
    ],
)
def test_what_is_no_lesson_is_refused_with_the_reason(text: str, place: str, words: str) -> None:
    assert words in places(text)[place]
    assert all(len(what) < 3000 for what in places(text).values())
    with pytest.raises(CourseError):
        shared.load(text)


def test_a_lesson_has_so_many_stages_at_most() -> None:
    stages = "".join(
        f'[[chapters.stages]]\nid = "s{number}"\ntitle = "T"\ntext = "T"\nplay = {{ level = 1, plies = 2 }}\n'
        for number in range(shared.MOST_STAGES + 1)
    )
    text = f'game = "nana"\nabout = "A"\n[[chapters]]\ntitle = "T"\n{stages}'
    assert places(text) == {"stages": "there are 101; expected 100 at most"}


def test_the_answer_to_a_mistake_may_have_a_reply_that_fits_another_move() -> None:
    reply = "[[chapters.stages.wrong]]\nmistake = 'any'\nsays = 'No.'\nreply = '2c3d'"
    stage = shared.load(lesson(STAGE + f"find = ['G*3b']\n{reply}")).stage("one")
    assert [mark.t for mark in lessons.judge(stage, ["G*3d"]).marks] == ["reply"]
    assert lessons.judge(stage, ["1e2e"]).text == "No."
    assert faults(stage) == ()
