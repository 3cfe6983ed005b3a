"""Interactive courses: each game's lessons as data, drills of every piece made from the spec, and their judge.

Example:
    >>> from komadai.app import lessons
    >>> stage = lessons.course("nana").stage("first-act")
    >>> lessons.judge(stage, ["R*1b"]).state
    'wrong'
    >>> lessons.judge(stage, ["K*1a"]).state
    'done'
"""

from __future__ import annotations

from .judge import Feedback, Mark, judge, next_move, resume
from .loader import course, courses, load, written
from .model import Chapter, Course, Stage

__all__ = [
    "Chapter",
    "Course",
    "Feedback",
    "Mark",
    "Stage",
    "course",
    "courses",
    "judge",
    "load",
    "next_move",
    "resume",
    "written",
]
