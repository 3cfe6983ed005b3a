"""Messages in the reader's language, by the standard library's :mod:`gettext`.

English is the source, and stands in for whatever a catalogue lacks. A message is a template with named arguments:
``_("{side}'s {piece}", side=…, piece=…)``. The catalogues are ``locale/<language>/LC_MESSAGES/komadai.po``, kept up to
date by ``tools/catalogue.py`` and compiled when the package is built.

The language belongs to the current context, a thread or an asyncio task (:func:`set_language`).
What is sent to several readers stays template and arguments (:class:`komadai.spec.names.Message`).
"""

from __future__ import annotations

import logging
import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Literal, ParamSpec, TypeVar

from .locale.compile import compile_catalogue
from .typed import typed

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")
Plain = TypeVar("Plain")

_LOCALE = Path(__file__).parent / "locale"

LANGUAGES = ("en", *sorted(path.name for path in _LOCALE.iterdir() if (path / "LC_MESSAGES").is_dir()))
"""The languages: those that have a catalogue, and English, the source, which has none."""

_CONTEXT = re.compile(r"^\w+\|")  # tells apart equal texts of different meaning: "list|, "

_language: ContextVar[str] = ContextVar("language", default=LANGUAGES[0])


@cache
def _translations(language: str) -> NullTranslations:
    folder = _LOCALE / language / "LC_MESSAGES"
    if language == LANGUAGES[0]:
        return NullTranslations()
    if (compiled := folder / "komadai.mo").exists():
        return GNUTranslations(BytesIO(compiled.read_bytes()))
    return GNUTranslations(BytesIO(compile_catalogue((folder / "komadai.po").read_text(encoding="utf-8"))))


@typed
def language_for(tags: Iterable[str]) -> str:
    """The language of the first tag, such as ``de`` or ``de-AT``, of which there is one; otherwise English."""
    codes = {code.lower(): code for code in LANGUAGES}
    wanted = (part for tag in tags for part in (tag.strip().lower(), tag.strip().lower().partition("-")[0]))
    return next((codes[tag] for tag in wanted if tag in codes), LANGUAGES[0])


def _known(language: str) -> str:
    if language not in LANGUAGES:
        # Errors are above this module, by which they speak: they are loaded when one is raised.
        error = import_module(f"{__package__}.errors").KomadaiError
        choice = ", ".join(LANGUAGES)
        raise error(_("there is no language {name}; choose from {choice}", name=repr(language), choice=choice))
    return language


def set_language(language: str) -> None:
    """Choose one of :data:`LANGUAGES` for the rest of the current context.

    Raises:
        KomadaiError: it is none of them.
    """
    _language.set(_known(language))


def current_language() -> str:
    """The language of the current context: one of :data:`LANGUAGES`."""
    return _language.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Use another language for a while.

    Raises:
        KomadaiError: it is none of :data:`LANGUAGES`.
    """
    before = _language.set(_known(language))
    try:
        yield
    finally:
        _language.reset(before)


def gettext(message: str, /, **values: object) -> str:
    """Translate a message and fill in ``values`` for the names in braces.

    A message may begin with a word and ``|`` that tells it apart from an equal text with another meaning.
    """
    text = _translations(_language.get()).gettext(message)
    if text is message and "|" in message:
        text = _CONTEXT.sub("", message)
    return safely(text, text.format, **values) if values else text


_ = gettext


def ngettext(one: str, many: str, count: int, /, **values: object) -> str:
    """Translate a message that depends on a number, which is ``{count}`` in it."""
    text = _translations(_language.get()).ngettext(one, many, count)
    return safely(text, text.format, count=count, **values)


def marked(message: str) -> str:
    """Mark a message for the catalogues where it is translated later."""
    return message


def located(where: object, said: object) -> str:
    """A remark about a place: ``line 3: there is a ) without its (``."""
    return _("{place}: {said}", place=where, said=said)


def joined(said: Iterable[str]) -> str:
    """Several remarks in one sentence."""
    return _("; ").join(said)


def listed(names: Sequence[str], last: Literal["and", "or", "nor"] = "and") -> str:
    """Names in a row: ``a, b and c``. ``nor`` is the ``or`` after a ``no``."""
    if len(names) < 2:
        return "".join(names)
    return _(_ROWS[last], some=_("list|, ").join(names[:-1]), last=names[-1])


_ROWS = {
    "and": marked("list|{some} and {last}"),
    "or": marked("list|{some} or {last}"),
    "nor": marked("no|{some} or {last}"),
}


def sentence(said: object) -> str:
    """An error's or a reason's text as a sentence."""
    text = str(said)
    end = "" if text.endswith((".", "!", "?", "。")) else _(".")
    return f"{text[:1].upper()}{text[1:]}{end}"


_failed: set[tuple[str, int]] = set()  # the places in the code where a message failed


def safely(plain: Plain, make: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T | Plain:
    """The words or marks that ``make`` finds for people, or ``plain`` if it fails: a message never stops a game.

    The log has each failure once, by its place in the code: clients may ask for it at every move.
    """
    try:
        return make(*args, **kwargs)
    except MemoryError:
        raise
    except Exception as error:
        *_outer, (frame, line) = traceback.walk_tb(error.__traceback__)
        place = (frame.f_code.co_filename, line)
        if place not in _failed:
            _failed.add(place)
            log.exception("a message for people failed; something plain stands in its place")
        return plain
