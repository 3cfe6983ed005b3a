"""Errors for bad input; each message says what is wrong, where, and what would be right."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from .i18n import _, joined, located, ngettext
from .typed import typed

_VISIBLE_BLANKS = "\n\u3000"
_QUOTED = 200  # letters at most of one thing that was given
_LONGEST = 2_000  # letters at most of one remark
_TOGETHER = 5_000  # letters at most of several
_QUOTE = re.compile(r"""(?<![\w\\])(b?(['"]))((?:\\.|(?!\2)[^\\])*)\2""", re.DOTALL)
_WORD = re.compile(rf"[^\s、。「」（）]{{{_QUOTED + 1},}}")  # quoted without quotation marks


def _cut(text: str, most: int = _QUOTED) -> str:
    """A text in so many letters: if it is longer its beginning, and how long it is."""
    if len(text) <= most:
        return text
    count = _("… ({count} letters)", count=f"{len(text):,}")
    return text[: most - len(count)].rstrip("\\") + count


@typed
def visible(text: str) -> str:
    """A remark in which characters that cannot be seen are escaped as in Python, and long quotations cut; ends of lines
    stay."""
    if len(text) > _QUOTED:
        text = _QUOTE.sub(lambda found: f"{found[1]}{_cut(found[3], _QUOTED - 3)}{found[2]}", text)
        text = _cut(_WORD.sub(lambda found: _cut(found[0]), text), _LONGEST)
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in _VISIBLE_BLANKS else repr(char)[1:-1] for char in text)


def together(remarks: Sequence[str]) -> str:
    """Several remarks in one sentence: the first of them, and how many more there are."""
    shown, left = list[str](), _TOGETHER
    for remark in remarks:
        left -= len(remark)
        if left < 0 and shown:
            break
        shown.append(remark)
    if more := len(remarks) - len(shown):
        shown.append(ngettext("and one more", "and {count} more", more))
    return joined(shown)


class KomadaiError(ValueError):
    """Base of every error that Komadai raises on bad input; a ``ValueError``.

    Messages quote strangers: what nobody can see in them, such as control characters, is escaped, and of each thing
    that was given at most 200 letters are quoted.
    """

    def __init__(self, message: str) -> None:
        super().__init__(visible(message))


class _ListedError(KomadaiError):
    """An error that carries all defects at once."""

    def __init__(self, summary: str, defects: Sequence[str]) -> None:
        self.defects: tuple[str, ...] = tuple(map(visible, defects))
        self.args = (located(visible(summary), together(self.defects)) if self.defects else visible(summary),)

    def __reduce__(self) -> tuple[object, ...]:
        # BaseException would call the class with the message alone; pickled errors come back from other processes.
        return _restored, (type(self), str(self), self.defects)


def _restored(kind: type[_ListedError], message: str, defects: tuple[str, ...]) -> _ListedError:
    """A pickled error."""
    error = kind(message, ())
    error.defects = defects
    return error


class SpecError(_ListedError):
    """A variant's specification does not hold together; ``defects`` lists each with the path of its field."""


class IllegalPositionError(_ListedError):
    """A well-formed position that cannot be played; ``defects`` lists every reason."""


class NotationError(_ListedError):
    """Text that is not a position, move, record or option of this variant; ``defects`` lists every reason."""


class AmbiguousMoveError(NotationError):
    """Text that may be several legal moves."""


class IllegalMoveError(KomadaiError):
    """A well-formed move that is not legal here; the message gives the reason."""


class EngineBusyError(KomadaiError, RuntimeError):
    """An engine is asked for a search while it searches in another thread; the message says so."""


class TableError(KomadaiError):
    """A file that is no sound table of the solved game it is asked for; the message says why, and what to do."""


class BookError(KomadaiError):
    """A file that is no sound opening book of the game it is asked for, or cannot be made one; the message says why."""


class WeightsError(KomadaiError):
    """A file that holds no sound evaluation of the game it is asked for; the message says why."""


class CourseError(_ListedError):
    """A course of lessons does not hold together; ``defects`` lists each with its place in the file."""


class RulebookError(_ListedError):
    """A file of rules for players does not hold together; ``defects`` lists each with its place in the file."""


class EngineError(KomadaiError):
    """An external engine does not start, answer or keep to its protocol; the message says what
    it did, and what it said last on its standard error."""


class DisputeError(EngineError):
    """An external engine judges a rule otherwise than the game does: it refuses a legal move, or claims a result."""


class PuzzleError(KomadaiError):
    """A file that holds no sound puzzles of the game it is asked for; the message says why, and where."""


class LearnError(KomadaiError):
    """A file to learn from that is unsound or of another game, or a step of learning that cannot be made; the message
    says which and why."""


EXTRAS = {
    "app": {"h11", "markdown_it", "msgspec", "prometheus_client", "rich", "starlette", "textual", "click", "uvicorn"}
    | {"websockets"},
    "lab": {"cloudpickle", "distributed", "numpy"},
    "gym": {"gymnasium"},
    "learn": {"torch"},
    "openspiel": {"pyspiel"},
    "pettingzoo": {"pettingzoo"},
    "png": {"resvg_py"},
    "postgres": {"psycopg", "psycopg_pool"},
    "site": {"zopfli"},
}
"""The packages that each extra installs, by the names of their modules."""


@typed
def lacking(missing: ImportError) -> str:
    """The remark that a package is missing, and how to install it.

    Raises:
        ImportError: ``missing`` itself, if no extra has that package.
    """
    name = (missing.name or "").partition(".")[0]
    extra = next((extra for extra, names in EXTRAS.items() if name in names), None)
    if extra is None:
        raise missing
    return _("needs {name}; install it with: {command}", name=name, command=f"pip install 'komadai[{extra}]'")


def require_threads(what: str) -> None:
    """Check that this Python can start threads, which it cannot in a browser.

    Raises:
        NotationError: it cannot; the message says what would need them.
    """
    if sys.platform == "emscripten":
        raise NotationError(what, ["Python in a browser has no threads; do this with Komadai on a computer"])


class SiteError(KomadaiError):
    """A static site cannot be made of what is at hand; the message says what is missing or unfit, and what would do."""
