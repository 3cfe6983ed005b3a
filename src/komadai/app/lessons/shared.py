"""Lessons that people write and share: a course as one text, with the variant file of its game if Komadai lacks it.

Nothing in such a text is trusted: it is data, of bounded size, and checked like the courses of the package.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from ...errors import CourseError, KomadaiError
from ...i18n import _, current_language
from ...spec.variant import Variant
from ...toml_table import Defect, brief, parsed
from ...variants import build, built
from ...workshop import check, entry_of
from .checking import faults
from .loader import read
from .model import Course, Question, Stage

MOST_BYTES = 64 * 1024
"""Bytes of a lesson, the file of its game included."""
MOST_STAGES = 100
"""Stages, drills included."""
LONGEST_TITLE = 80
"""Characters of a title."""
LONGEST_TEXT = 1500
"""Characters of any other text."""
MOST_CHOICES = 12
"""Answers to a question."""

_KEPT = 4  # lessons kept for the next question about them


def load(text: str) -> Course:
    """The course of a lesson.

    Raises:
        CourseError: with every defect and its place.
    """
    course, defects = examined(text)
    if course is None or defects:
        raise CourseError(_("lesson"), [*map(str, defects)])
    return course


def examined(text: str) -> tuple[Course | None, tuple[Defect, ...]]:
    """The course of a lesson as far as it can be read, and every defect, with which it is not to be played."""
    return _examined(text, current_language())


@lru_cache(maxsize=_KEPT)
def _examined(text: str, _language: str) -> tuple[Course | None, tuple[Defect, ...]]:
    try:
        data = data_of(text)
        variant = _game(data)
    except RefusedTextError as refused:
        return None, refused.defects
    course, defects = read(variant, data)
    defects += _too_much(course)
    if not defects:
        defects += _unplayable(course)
    return course, tuple(defects)


class RefusedTextError(Exception):
    """A text of which nothing can be read; ``defects`` says why."""

    def __init__(self, *defects: Defect) -> None:
        super().__init__(*map(str, defects))
        self.defects = defects


def data_of(text: str) -> dict[str, Any]:
    """The data of a lesson's text.

    Raises:
        RefusedTextError: it is too long, or no TOML.
    """
    if len(text.encode("utf-8", "replace")) > MOST_BYTES:
        raise RefusedTextError(Defect("", _("has more than {most} bytes", most=f"{MOST_BYTES:,}")))
    try:
        return parsed(text)
    except ValueError as error:
        raise RefusedTextError(Defect("", str(error))) from None


def _game(data: dict[str, Any]) -> Variant:
    """The game of a lesson, whose keys are taken from its data.

    Raises:
        RefusedTextError: there is no such game, or its file has defects.
    """
    named, file = data.pop("game", None), data.pop("variant", None)
    if isinstance(file, str):
        if found := check(file):
            raise RefusedTextError(*(Defect("variant", f"{one.place}: {one.what}") for one in found))
        return built(*entry_of(file), {})
    if file is not None:
        raise RefusedTextError(Defect("variant", _("{value} is no text of a variant file", value=brief(file))))
    if not isinstance(named, str):
        raise RefusedTextError(
            Defect("game", _("missing") if named is None else _("{value} is no game", value=brief(named)))
        )
    try:
        return build(named)
    except KomadaiError as error:
        raise RefusedTextError(Defect("game", str(error))) from None


def _too_much(course: Course) -> list[Defect]:
    """The places where a lesson is larger than it may be."""
    found = []
    if len(course.entries) > MOST_STAGES:
        words = _("there are {count}; expected {most} at most", count=len(course.entries), most=MOST_STAGES)
        found.append(Defect("stages", words))
    for place, title, texts in _texts(course):
        for key, most, some in (("title", LONGEST_TITLE, (title,)), ("", LONGEST_TEXT, texts)):
            if any(len(text) > most for text in some):
                words = _("a text of more than {most} characters; expected a shorter one", most=most)
                found.append(Defect(".".join(filter(None, (place, key))), words))
    for place, stage in _stages(course):
        if isinstance(stage.goal, Question) and (count := len(stage.goal.choices)) > MOST_CHOICES:
            words = _("there are {count}; expected {most} at most", count=count, most=MOST_CHOICES)
            found.append(Defect(f"{place}.choices", words))
    return found


def _texts(course: Course) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The titles and the other texts with their places."""
    yield "about", "", (course.about,)
    for number, chapter in enumerate(course.chapters):
        yield f"chapters[{number}]", chapter.title, ()
    for place, stage in _stages(course):
        yield place, stage.title, tuple(text for text in stage.sources() if text != stage.title)


def _stages(course: Course) -> Iterator[tuple[str, Stage]]:
    for number, chapter in enumerate(course.chapters):
        for stage in chapter.written:
            yield f"chapters[{number}].stages[{stage.id}]", stage


def _unplayable(course: Course) -> list[Defect]:
    """What keeps learners from doing the stages."""
    found = []
    for place, stage in _stages(course):
        try:
            found += [Defect(f"{place}.{key}" if key else place, what) for key, what in faults(stage)]
        except KomadaiError as error:
            found.append(Defect(place, str(error)))
    return found
