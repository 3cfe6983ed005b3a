"""The catalogues are fresh, their translations keep the arguments, and they compile; that of Japanese is complete."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

import pytest

import komadai
from helpers.support import ROOT, needs_processes
from komadai.locale.compile import compile_catalogue, messages

SOURCES = sorted((ROOT / "src" / "komadai" / "locale").glob("*/LC_MESSAGES/komadai.po"))
LANGUAGES = [path.parent.parent.name for path in SOURCES]


COMPLETE = [path for path in SOURCES if path.parent.parent.name == "ja"]


def translated(path: Path) -> dict[str, str]:
    """The messages of a catalogue that have a translation."""
    return {text: said for text, said in messages(path.read_text(encoding="utf-8")) if all(said.split("\0"))}


def arguments(text: str) -> set[str]:
    return set(re.findall(r"{(\w*)}", text))


def test_the_catalogues_are_fresh_and_complete() -> None:
    pytest.importorskip("babel")
    checked = subprocess.run(
        [sys.executable, "tools/catalogue.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("path", SOURCES, ids=LANGUAGES)
def test_translations_have_the_arguments_of_their_messages_and_every_plural_of_the_language(path: Path) -> None:
    found = translated(path)
    known = re.search(r"nplurals=(\d+)", found[""])
    assert known is not None
    assert (len(found) > 1000 and sum("\0" in message for message in found) > 30) or path not in COMPLETE
    for message, translation in found.items():
        one, *many = message.split("\0")
        forms = translation.split("\0")
        assert all(arguments(form) == arguments((many or [one])[0]) for form in forms), message
        assert not many or len(forms) == int(known[1]), message
        assert not many or arguments(one) <= arguments(many[0]), "only a singular may do without its number"


@pytest.mark.parametrize("path", SOURCES, ids=LANGUAGES)
def test_a_compiled_catalogue_says_the_same(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    compiled = GNUTranslations(BytesIO(compile_catalogue(text)))
    found = translated(path)
    found.pop("")
    for message, translation in found.items():
        one, *many = message.split("\0")
        said = compiled.ngettext(one, many[0], 5) if many else compiled.gettext(one)
        assert said in translation.split("\0")


LEFT_OUT = ("arena", "cli", "learn", "puzzles", "rl", "site", "tui", "web")
"""Packages whose messages are enough of the same to be looked for only in the whole of the sources."""

OTHER_GAMES = {f"{name}.toml" for name in komadai.variants(shelf=True)} - {"nana.toml"}
"""Courses and rules that are left out for the same reason."""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the sources in English and Japanese without a core; beside it, as an installed package, the core."""
    import komadai._core as core

    others = (name for language in LANGUAGES if language != "ja" for name in (language, f"{language}.json"))
    left_out = shutil.ignore_patterns(
        "_core*.so", "_core*.pyd", "tables", "__pycache__", "fonts", *others, *OTHER_GAMES
    )
    shutil.copytree(ROOT / "src" / "komadai", tmp_path / "src" / "komadai", ignore=left_out)
    shutil.copytree(ROOT / "tools", tmp_path / "tools", ignore=left_out)
    for path in (tmp_path / "src" / "komadai").rglob("*.py"):
        if path.relative_to(tmp_path).parts[2] in LEFT_OUT:
            path.unlink()
    installed = tmp_path / "installed" / "komadai"
    installed.mkdir(parents=True)
    (installed / "__init__.py").write_text("raise ImportError('not this one')", encoding="utf-8")
    shutil.copy(str(core.__file__), installed)
    return tmp_path


def ran(checkout: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """What a Python says in a checkout without a core, beside an installed Komadai."""
    env = os.environ | {"PYTHONPATH": str(checkout / "installed"), "PYTHONWARNINGS": "error"}
    return subprocess.run([sys.executable, *words], cwd=checkout, env=env, capture_output=True, text=True, check=False)


@needs_processes
def test_a_new_language_is_a_folder_and_may_have_one_message(checkout: Path) -> None:
    pytest.importorskip("babel")
    (checkout / "src" / "komadai" / "locale" / "de").mkdir()
    made = ran(checkout, "tools/catalogue.py")
    assert (made.returncode, made.stderr) == (0, "")
    assert "de: 0 of " in made.stdout
    file = checkout / "src" / "komadai" / "locale" / "de" / "LC_MESSAGES" / "komadai.po"
    empty = 'msgid "Settings"\nmsgstr ""\n'
    text = file.read_text(encoding="utf-8")
    assert empty in text
    file.write_text(text.replace(empty, 'msgid "Settings"\nmsgstr "Einstellungen"\n'), encoding="utf-8")
    again = ran(checkout, "tools/catalogue.py")
    assert (again.returncode, again.stderr) == (0, "")
    assert "de: 1 of " in again.stdout
    exported = checkout / "src" / "komadai" / "app" / "web" / "static" / "locale" / "de.json"
    assert json.loads(exported.read_text(encoding="utf-8")) == {"Settings": "Einstellungen"}
    assert ran(checkout, "tools/catalogue.py", "--check").returncode == 0
    asked = (
        "import sys; sys.path.insert(0, 'src')\n"
        "from komadai.i18n import LANGUAGES, gettext, language_for, set_language\n"
        "set_language(language_for(['fr', 'de-AT', 'ja']))\n"
        "print(*LANGUAGES, gettext('Settings'), gettext('Language'))"
    )
    assert ran(checkout, "-c", asked).stdout.split() == ["en", "de", "ja", "Einstellungen", "Language"]
    wrong = ("Deutsch", "pt_BR", "zz")
    for name in wrong:
        (checkout / "src" / "komadai" / "locale" / name).mkdir()
    refused = ran(checkout, "tools/catalogue.py", "--check")
    assert refused.returncode == 1
    lines = refused.stderr.splitlines()
    assert lines == [f"{name} is no code of a language; expected one such as de or pt-BR" for name in wrong]


@needs_processes
def test_a_message_that_is_put_together_is_refused(checkout: Path) -> None:
    pytest.importorskip("babel")
    (checkout / "src" / "komadai" / "new.py").write_text('name = 1\n_(f"I am {name}")\n', encoding="utf-8")
    found = ran(checkout, "tools/catalogue.py", "--check")
    assert found.returncode == 1
    assert "new.py:2: a message with f in front" in found.stderr


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

msgid "one"
msgid_plural "many"
msgstr[0] "εν"
msgstr[1] ""
"""
    compiled = GNUTranslations(BytesIO(compile_catalogue(text)))
    assert [compiled.gettext(message) for message in "abc"] == ["a", "b", "γ\n"]
    assert [compiled.ngettext("one", "many", count) for count in (1, 2)] == ["one", "many"]
