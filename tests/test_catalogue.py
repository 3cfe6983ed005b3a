"""The catalogues are complete and fresh, their translations keep the arguments, and they compile."""

from __future__ import annotations

import re
import subprocess
import sys
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

import pytest

from helpers.support import ROOT
from komadai.locale.compile import compile_catalogue, messages

SOURCES = sorted((ROOT / "src" / "komadai" / "locale").glob("*/LC_MESSAGES/komadai.po"))
LANGUAGES = [path.parent.parent.name for path in SOURCES]


def arguments(text: str) -> set[str]:
    return set(re.findall(r"{(\w*)}", text))


def test_the_catalogues_are_fresh_and_complete() -> None:
    pytest.importorskip("babel")
    checked = subprocess.run(
        [sys.executable, "tools/catalogue.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("path", SOURCES, ids=LANGUAGES)
def test_translations_have_the_arguments_of_their_messages(path: Path) -> None:
    found = dict(messages(path.read_text(encoding="utf-8")))
    assert len(found) > 1000
    for message, translation in found.items():
        one, *many = message.split("\0")
        assert all(arguments(form) == arguments((many or [one])[0]) for form in translation.split("\0")), message
        assert not many or arguments(one) <= arguments(many[0]), "only a singular may do without its number"


@pytest.mark.parametrize("path", SOURCES, ids=LANGUAGES)
def test_plurals_have_every_form_of_the_language(path: Path) -> None:
    found = dict(messages(path.read_text(encoding="utf-8")))
    known = re.search(r"nplurals=(\d+)", found.pop(""))
    assert known is not None
    plurals = {message: translation for message, translation in found.items() if "\0" in message}
    assert len(plurals) > 30
    for message, translation in plurals.items():
        forms = translation.split("\0")
        assert len(forms) == int(known[1]), message
        assert all(forms), message


@pytest.mark.parametrize("path", SOURCES, ids=LANGUAGES)
def test_a_compiled_catalogue_says_the_same(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    compiled = GNUTranslations(BytesIO(compile_catalogue(text)))
    found = dict(messages(text))
    found.pop("")
    for message, translation in found.items():
        one, *many = message.split("\0")
        said = compiled.ngettext(one, many[0], 5) if many else compiled.gettext(one)
        assert said in translation.split("\0")


def test_messages_without_a_translation_are_left_out() -> None:
    text = r"""
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\n"

msgid "a"
msgstr ""

#, fuzzy
msgid "b"
msgstr "β"

#. A comment.
msgid ""
"c"
msgstr ""
"γ\n"
"""
    compiled = GNUTranslations(BytesIO(compile_catalogue(text)))
    assert [compiled.gettext(message) for message in "abc"] == ["a", "b", "γ\n"]
