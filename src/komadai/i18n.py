"""Sentences in the language of whoever they are told to.

The library speaks English. Who serves people of other languages chooses one for the work at hand (:func:`speak`), and
whatever is said with ``_("…")`` meanwhile is said in that one, as far as its catalogue goes (``tools/catalogue.py``).
Sentences for many listeners at once stay English; the browser translates those that it finds whole in its catalogue.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    pass


LANGUAGES = ("en", "ja")
"""The languages there are; English, the source, needs no catalogue."""


_CATALOGUES = Path(__file__).parent / "web" / "static" / "locale"


_language: ContextVar[str] = ContextVar("language", default=LANGUAGES[0])


@cache
def _catalogue(language: str) -> Mapping[str, str | list[str]]:
    """The translations as ``tools/catalogue.py`` exports them."""
    path = _CATALOGUES / f"{language}.json"
    found: dict[str, str | list[str]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def set_language(language: str) -> None:
    """From here on in this context (a thread, or a task of asyncio) say things in one of :data:`LANGUAGES`."""
    _language.set(language)


def current_language() -> str:
    """The language in force in this context: one of :data:`LANGUAGES`."""
    return _language.get()


def _(text: str, /, **values: object) -> str:
    """The text in the language spoken, with ``values`` for the names in braces."""
    found = _catalogue(_language.get()).get(text)
    return (found if isinstance(found, str) else text).format(**values) if values else str(found or text)


def located(where: object, said: object) -> str:
    """What is said of a place, or what follows from it: ``line 3: there is a ) without its (``."""
    return _("{place}: {said}", place=where, said=said)


def joined(said: Iterable[str]) -> str:
    """Several things said in a row, as parts of one sentence."""
    return _("; ").join(said)


def sentence(said: object) -> str:
    """What an error or a reason says, as a sentence."""
    text = str(said)
    end = "" if text.endswith((".", "!", "?", "。")) else _(".")
    return f"{text[0].upper()}{text[1:]}{end}"
