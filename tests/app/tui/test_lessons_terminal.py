"""Courses at the terminal: stages played by keys and typed moves, questions, help, and progress that is kept."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Select, Static

from helpers.command import komadai_says
from helpers.support import in_a_loop
from komadai.app import lessons
from komadai.app.lessons.model import Avoid, Find, Play, Question, Reach, Stage, Take
from komadai.app.tui.app import Terminal
from komadai.app.tui.course import Course
from komadai.app.tui.game_screen import GameScreen
from komadai.app.tui.home import Home
from komadai.app.tui.lesson import Lesson
from komadai.app.tui.progress import Progress


class Pupil:
    """Somebody who learns at the terminal."""

    def __init__(self, app: Terminal, pilot: Pilot[None]) -> None:
        self.app, self.pilot, self.press = app, pilot, pilot.press

    @property
    def lesson(self) -> Lesson:
        assert isinstance(self.app.screen, Lesson)
        return self.app.screen

    def shown(self, id: str = "says") -> str:
        return str(self.app.screen.query_one(f"#{id}", Static).content)

    async def type(self, text: str) -> None:
        await self.press("slash")
        self.lesson.query_one(Input).value = text
        await self.press("enter")

    async def choose(self, *squares: str) -> None:
        for square in squares:
            self.lesson.board.look(square)
            await self.pilot.pause()
            await self.press("enter")

    async def open(self, stage: Stage, done: Callable[[Stage], str] = lambda stage: "") -> None:
        self.app.push_screen(Lesson(stage, done))
        await self.pilot.pause()


def learning(folder: Path, script: Callable[[Pupil], Awaitable[None]], game: str | None = "nana") -> None:
    async def sit() -> None:
        app = Terminal(folder, learn=game)
        async with app.run_test(size=(100, 34)) as pilot:
            await pilot.pause()
            await script(Pupil(app, pilot))

    in_a_loop(sit())


def of_goal(goal: type) -> Stage:
    found = (
        stage
        for game in lessons.written()
        for chapter in lessons.course(game).chapters
        for stage in chapter.written
        if isinstance(stage.goal, goal)
    )
    return next(found)


def test_a_course_is_begun_gone_on_with_and_kept(tmp_path: Path) -> None:
    async def script(pupil: Pupil) -> None:
        assert isinstance(pupil.app.screen, Course)
        assert "0 of 29 done" in pupil.shown("title")
        await pupil.press("enter")
        assert "Put your king on the board" in pupil.shown("record")
        await pupil.type("K*2b")
        assert "The middle square, 2b, is closed" in pupil.shown()
        await pupil.type("K*1a")
        assert "Your king stands" in pupil.shown()
        await pupil.press("n")
        assert "Not beside the other king" in pupil.shown("record")
        await pupil.press("q")
        assert "1 of 29 done" in pupil.shown("title")
        listed = pupil.app.screen.query_one(OptionList)
        assert listed.highlighted is not None
        assert "Not beside" in str(listed.get_option_at_index(listed.highlighted).prompt)
        await pupil.press("q")
        assert isinstance(pupil.app.screen, Home)
        options = pupil.app.screen.query_one(OptionList)
        lines = [str(options.get_option_at_index(index).prompt).strip() for index in range(options.option_count)]
        assert "Nana Shogi: 1 of 29 done" in lines

    learning(tmp_path, script)
    assert Progress(tmp_path / "terminal").done("nana") == {"first-act"}


@pytest.mark.parametrize(
    "stage",
    [*map(of_goal, (Reach, Take, Find, Avoid)), lessons.course("ki").stage("game")],
    ids=lambda stage: type(stage.goal).__name__,
)
def test_every_kind_of_stage_is_done_by_the_moves_that_are_shown(tmp_path: Path, stage: Stage) -> None:
    done = list[Stage]()

    async def script(pupil: Pupil) -> None:
        await pupil.open(stage, lambda stage: "" if done.append(stage) else "Kept.")
        for _ in range(40):
            if done:
                break
            free = str(pupil.lesson.play.game.position.legal_moves()[0]) if isinstance(stage.goal, Play) else None
            move = lessons.next_move(stage, pupil.lesson._feedback.moves) or free
            assert move is not None
            await pupil.type(move)
        assert done == [stage]
        assert "n  next stage" in pupil.lesson._offers[0].words
        await pupil.press("r")
        assert pupil.lesson._feedback.state == "going"

    learning(tmp_path, script)


def test_after_the_last_stage_comes_a_game_at_level_1(tmp_path: Path) -> None:
    async def script(pupil: Pupil) -> None:
        course = pupil.app.screen
        assert isinstance(course, Course)
        course._open("game")
        await pupil.pilot.pause()
        lesson = pupil.lesson
        lesson._feedback = replace(lesson._feedback, state="done")
        assert "n  a game at level 1" in [offer.words for offer in lesson._others()]
        await pupil.press("n")
        await pupil.pilot.pause()
        assert isinstance(pupil.app.screen, GameScreen)
        assert pupil.app.screen.play.players == (None, 1)

    learning(tmp_path, script, "dobutsu")


def test_level_1_is_offered_until_something_is_learnt(tmp_path: Path) -> None:
    async def script(pupil: Pupil) -> None:
        home = pupil.app.screen
        assert isinstance(home, Home)
        for level in ("1", "3"):
            home.set_up("nana")
            await pupil.pilot.pause()
            assert pupil.app.screen.query_one("#opponent", Select).value == level
            await pupil.press("escape")
            Progress(tmp_path / "terminal").add("nana", "first-act")

    learning(tmp_path, script, None)


def test_a_question_is_answered_in_the_list(tmp_path: Path) -> None:
    stage = of_goal(Question)
    assert isinstance(stage.goal, Question)
    right = [choice.right for choice in stage.goal.choices]

    async def script(pupil: Pupil) -> None:
        await pupil.open(stage)
        for answer in (right.index(False), *(number for number, one in enumerate(right) if one)):
            pupil.lesson._offers[answer].act()
            await pupil.pilot.pause()
        assert pupil.lesson._feedback.state == "done"

    learning(tmp_path, script)


def test_a_wrong_step_on_the_board_is_judged_and_help_comes_in_two_steps(tmp_path: Path) -> None:
    async def script(pupil: Pupil) -> None:
        await pupil.open(lessons.course("nana").stage("rook"))
        await pupil.choose("2b", "1a")
        assert "Diagonals are the bishop's" in pupil.shown()
        await pupil.press("h", "h")
        assert "The move is 2b2a." in pupil.shown()
        await pupil.choose("2b", "2a")
        assert pupil.lesson._feedback.state == "done"

    learning(tmp_path, script)


def test_on_a_field_without_edges_places_are_named_from_ones_own_king(tmp_path: Path) -> None:
    async def script(pupil: Pupil) -> None:
        await pupil.open(lessons.course("ki").stage("trap"))
        assert "Your tile on NNE can take" in pupil.lesson._beside()
        await pupil.press("h", "h")
        assert not re.search(r"\b\d[a-i]", pupil.shown())

    learning(tmp_path, script)


def test_progress_that_cannot_be_read_or_written_stops_nobody(tmp_path: Path) -> None:
    progress = Progress(tmp_path)
    file = tmp_path / "lessons" / "progress.json"
    file.parent.mkdir()
    for text in ("", "[]", '{"schema": "other", "done": {}}', '{"schema": "komadai-lessons/1", "done": 5}'):
        file.write_text(text)
        assert progress.done("nana") == frozenset()
    progress.add("nana", "king")
    progress.add("nana", "rook")
    assert json.loads(file.read_text())["done"] == {"nana": ["king", "rook"]}

    async def script(pupil: Pupil) -> None:
        (tmp_path / "terminal").mkdir(exist_ok=True)
        (tmp_path / "terminal" / "lessons").write_text("no folder")
        await pupil.press("enter")
        await pupil.type("K*1a")
        assert "Progress cannot be kept" in pupil.shown()

    learning(tmp_path, script)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tui", "--learn"], "name the game to be learnt"),
        (["tui", "nowhere", "--learn"], "nowhere"),
        (["tui", "nana", "--learn", "--two"], "give --learn, or --level, --bot or --two, not both"),
    ],
)
def test_what_cannot_be_learnt_is_said(words: list[str], message: str) -> None:
    ran = komadai_says(*words)
    assert ran.status == 2
    assert message in ran.err
