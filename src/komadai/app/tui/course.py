"""The screen of a course: its stages by chapter, and what is done."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ...i18n import _
from ...variants import build
from .. import lessons
from ..lessons.model import Stage
from .lesson import Lesson
from .progress import Progress


def standing(game: str, done: frozenset[str]) -> str:
    """How much of a course is done, in words."""
    ids = [entry.id for entry in lessons.course(game).entries]
    return f"{sum(id in done for id in ids)} of {len(ids)}"


class Course(Screen[bool]):
    """The stages of a course; each leads to the next, and back here. Its result is whether a first game follows."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q,escape", "leave", "Leave", show=False)]

    def __init__(self, game: str, progress: Progress, *, letters: bool = False, style: str | None = None) -> None:
        """``game``: one with a course (:func:`komadai.app.lessons.courses`)."""
        super().__init__()
        self._course, self._progress = lessons.course(game), progress
        self._letters, self._style = letters, style

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        yield OptionList(id="games", compact=True, markup=False)
        yield Static(f"{_(self._course.about)}\nEnter begins a stage · q back", id="says", markup=False)

    def on_screen_resume(self) -> None:
        """List the stages, with the cursor on the first that is not done."""
        game, done = self._course.game, self._progress.done(self._course.game)
        self.query_one("#title", Static).update(f"{build(game).name}: lessons · {standing(game, done)} done")
        lines: list[Option] = []
        first: int | None = None
        for chapter in self._course.chapters:
            lines.append(Option(_(chapter.title), disabled=True))
            for entry in chapter.entries:
                if first is None and entry.id not in done:
                    first = len(lines)
                lines.append(Option(f"  {'*' if entry.id in done else ' '} {entry.heading}", id=entry.id))
        listed = self.query_one(OptionList)
        listed.clear_options()
        listed.add_options(lines)
        listed.highlighted = 1 if first is None else first
        listed.focus()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id is not None:
            self._open(event.option_id)

    def _open(self, id: str) -> None:
        last = id == self._course.entries[-1].id
        lesson = Lesson(self._course.stage(id), self._done, last=last, letters=self._letters, style=self._style)
        self.app.push_screen(lesson, partial(self._left, id))

    def _done(self, stage: Stage) -> str:
        """Keep that a stage is done; what keeps it from being kept, in words."""
        try:
            self._progress.add(self._course.game, stage.id)
        except OSError as error:
            return f"Progress cannot be kept: {error.strerror or error}."
        return ""

    def _left(self, id: str, onward: bool | None) -> None:
        ids = [entry.id for entry in self._course.entries]
        following = ids[ids.index(id) + 1 :]
        if onward and following:
            self._open(following[0])
        elif onward:
            self.dismiss(True)

    def action_leave(self) -> None:
        """Back to the first screen."""
        self.dismiss(False)
