"""Bring the catalogues of translations up to date: from the sources into ``locale/``, and from there to the browser.

There is a catalogue for each folder in ``src/komadai/locale``; a new folder, named by the code of its language, gets
one.

English is the source. Messages are in Python's ``_("…")``, ``ngettext("…", "…", …)`` and ``marked("…")``, in the
``t("…")`` and ``n("…", "…", …)`` of the client's scripts, in the elements of its pages that are marked ``data-t``, in
the courses of lessons, in the names of openings, in the rules for players, and in the data of the variants: names,
summaries, options, handicaps, the reasons of rules; and in the names and styles of the bots. New messages are added to
each catalogue empty, those that are gone leave it; then the catalogues are exported as JSON, without courses, rules and
openings, whose texts the server sends. With ``--check`` nothing is written; it fails if something would change, is not
translated in a language that is kept complete, or does not keep the arguments. Needs Babel, and an installed Komadai or
its core beside the sources.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from importlib.machinery import ModuleSpec, PathFinder
from io import BytesIO
from pathlib import Path

from babel.core import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as Entry
from babel.messages.pofile import read_po, write_po

PACKAGE = Path(__file__).parent.parent / "src" / "komadai"


class _InstalledCore:
    """Finds the core of an installed Komadai for a checkout that has none beside its sources."""

    @staticmethod
    def find_spec(name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        folders = [str(Path(folder, PACKAGE.name)) for folder in sys.path if Path(folder) != PACKAGE.parent]
        return PathFinder.find_spec(name, folders) if name == "komadai._core" else None


sys.path.insert(0, str(PACKAGE.parent))
sys.meta_path.append(_InstalledCore)  # type: ignore[arg-type] # a class does for a finder

from komadai import rulebook, variant, variants  # noqa: E402
from komadai.app import lessons  # noqa: E402
from komadai.app.openings.names import names_of  # noqa: E402
from komadai.engine import BOTS  # noqa: E402
from komadai.game.outcome import BY_RULE, REASON_WORDS, RESULT_WORDS  # noqa: E402
from komadai.spec.board import SIDE_NAMES  # noqa: E402
from komadai.spec.rules import Immobilize  # noqa: E402
from komadai.variants import entry  # noqa: E402

STATIC = PACKAGE / "app" / "web" / "static"
SCRIPTS = (STATIC / "js", PACKAGE / "app" / "site" / "static")
COMPLETE = ("ja",)
"""The languages in which every message is translated. In others English stands in for what lacks."""

_CODE = re.compile("[a-z]{2,3}(-[A-Za-z]+)?")
_ONE, _TWO = ("_", "gettext", "marked"), ("ngettext",)
_PYTHON_CALL = re.compile(rf"\b({'|'.join((*_ONE, *_TWO))})\(")
_ATTRIBUTES = ("title", "aria-label", "placeholder")
_TEXT = r'"(?:[^"\\\n]|\\.)*"'
_CALL = re.compile(rf"(?<![\w.])(?:t\(\s*({_TEXT})|n\(\s*({_TEXT}),\s*({_TEXT}))")
"""A message of the client's scripts. Babel's own reader of JavaScript misses calls within calls and templates."""

_SERVED = ("lessons: ", "rules: ", "openings: ")
"""The places of messages that the server translates."""

Message = str | tuple[str, ...]
"""A text, or its singular and its plural."""


class _Page(HTMLParser):
    """A page's messages: of each element marked ``data-t`` its text, if it holds nothing else, and some attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._marked = False
        self._text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._marked, self._text = "data-t" in given, ""
        if self._marked:
            self.found += [words for name in _ATTRIBUTES if (words := given.get(name))]

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        text = self._text.strip()
        if self._marked and text and not text.startswith("$"):  # which another file stands for
            self.found.append(text)
        self._marked = False


def _title(name: str) -> str:
    """``snake_case`` as words with a capital, as the client shows it."""
    return name[:1].upper() + name[1:].replace("_", " ")


def _data() -> Iterator[tuple[str, Message]]:
    """Messages that are data of variants, courses, rules and the ends of all games, with the place they come from."""
    for name in variants(shelf=True):
        v = variant(name)
        where = f"variants: {name}"
        yield from ((where, text) for text in (v.name, v.summary, v.about.story))
        yield from ((where, handicap.name) for handicap in v.handicaps)
        for option in entry(name).all_options:
            yield from ((where, text) for text in (_title(option.name), option.help))
            yield from ((where, _title(value)) for value in option.values if not re.match(r"[0-9]", value))
        if v.survives_if is not None:
            yield from ((where, text) for text in (v.extinction.sentence, v.extinction.note))
        if v.wins_if is not None:
            yield where, v.goal
        for rule in v.rules:
            yield where, rule.action.why
            if isinstance(rule.action, Immobilize) and rule.action.note is not None:
                yield where, rule.action.note
    for name in variants():
        yield from ((f"{_SERVED[2]}{name}", one.name) for one in names_of(variant(name)))
    for name in lessons.courses():
        yield from ((f"{_SERVED[0]}{name}", text) for text in lessons.course(name).sources())
    for name in rulebook.written():
        for section in rulebook.sections(name):
            yield from ((f"{_SERVED[1]}{name}", text) for text in section.sources())
    for bot in BOTS.values():
        yield from (("bots", _title(text)) for text in (bot.id, bot.style))
    for text in (*SIDE_NAMES.values(), *RESULT_WORDS.values(), *REASON_WORDS.values(), *BY_RULE):
        yield "outcomes", text


def _of_python(path: Path) -> Iterator[Message]:
    """The messages of a Python file.

    Raises:
        ValueError: one is put together, so that it cannot be looked up.
    """
    text = path.read_text(encoding="utf-8")
    if not _PYTHON_CALL.search(text):
        return
    for node in ast.walk(ast.parse(text)):
        name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None
        if not isinstance(node, ast.Call) or name not in (*_ONE, *_TWO):
            continue
        given = node.args[: 2 if name in _TWO else 1]
        if any(isinstance(one, ast.JoinedStr) for one in given):
            raise ValueError(f"{path}:{node.lineno}: a message with f in front; expected names in braces and arguments")
        texts = [one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        if texts and len(texts) == len(given):
            yield tuple(texts) if name in _TWO else texts[0]


@cache
def messages() -> dict[Message, list[str]]:
    """Every message, with the places it comes from, in order."""
    found: dict[Message, set[str]] = {}
    for module in sorted(PACKAGE.rglob("*.py")):
        for message in _of_python(module):
            found.setdefault(message, set()).add(module.relative_to(PACKAGE).as_posix())
    for script in sorted(path for folder in SCRIPTS for path in folder.rglob("*.js")):
        for text, one, many in _CALL.findall(script.read_text(encoding="utf-8")):
            said = json.loads(text) if text else (json.loads(one), json.loads(many))
            found.setdefault(said, set()).add(script.relative_to(PACKAGE).as_posix())
    for page in sorted(STATIC.glob("*.html")):
        for text in _Page(page.read_text(encoding="utf-8")).found:
            found.setdefault(text, set()).add(page.relative_to(PACKAGE).as_posix())
    for where, text in _data():
        found.setdefault(text, set()).add(where)
    plural = {message[0] for message in found if isinstance(message, tuple)}
    return {message: sorted(found[message]) for message in sorted(found, key=str) if message and message not in plural}


def languages() -> list[str]:
    """The names of the folders, each the code of a language if it is right."""
    return sorted(path.name for path in (PACKAGE / "locale").iterdir() if path.is_dir() and path.name[:1] != "_")


def is_code(name: str) -> bool:
    """True for the code of a language that is known, with that of a region or script at most."""
    try:
        return bool(_CODE.fullmatch(name) and Locale.parse(name, sep="-"))
    except UnknownLocaleError:
        return False


def catalogue_path(language: str) -> Path:
    """The file of a language's messages."""
    return PACKAGE / "locale" / language / "LC_MESSAGES" / "komadai.po"


def updated(language: str) -> Catalog:
    """The language's catalogue with all messages there are, and no others; what is new is empty."""
    path = catalogue_path(language)
    locale = language.replace("-", "_")
    old = read_po(BytesIO(path.read_bytes()), locale) if path.exists() else Catalog(locale)
    made = Catalog(
        locale, project="Komadai", fuzzy=False, header_comment="# Komadai: translations. See tools/catalogue.py."
    )
    for message, places in messages().items():
        key = message if isinstance(message, str) else message[0]
        known = old.get(key)
        string = known.string if known is not None and isinstance(known.string, str) == isinstance(message, str) else ""
        made.add(
            message, string or ("" if isinstance(message, str) else ("",) * made.num_plurals), auto_comments=places
        )
    return made


def as_po(catalogue: Catalog) -> bytes:
    """The catalogue as a PO file. It bears no dates, so that it changes only when its messages do."""
    out = BytesIO()
    write_po(out, catalogue, width=110, omit_header=False)
    return re.sub(
        rb'^"(POT-Creation-Date|PO-Revision-Date|Last-Translator|Generated-By): .*\n', b"", out.getvalue(), flags=re.M
    )


def as_json(catalogue: Catalog) -> str:
    """The catalogue for the browser: each text with its translation, each singular with the list of its forms."""
    data = {
        message.id if isinstance(message.id, str) else message.id[0]: (
            message.string if isinstance(message.string, str) else list(message.string)
        )
        for message in catalogue
        if message.id and _is_translated(message)
        if not all(place.startswith(_SERVED) for place in message.auto_comments)
    }
    return json.dumps(data, ensure_ascii=False, indent=0) + "\n"


def untranslated(catalogue: Catalog) -> list[str]:
    """The messages without a translation."""
    return [
        message.id if isinstance(message.id, str) else message.id[0]
        for message in catalogue
        if message.id and not _is_translated(message)
    ]


def _is_translated(message: Entry) -> bool:
    return bool(message.string) and all(message.string)


def defects(catalogue: Catalog) -> list[str]:
    """Translations with other arguments, or fewer forms, than their messages."""
    found = []
    for message in catalogue:
        if not message.id or not _is_translated(message):
            continue
        ids = (message.id,) if isinstance(message.id, str) else message.id
        strings = (message.string,) if isinstance(message.string, str) else message.string or ()
        if len(ids) > 1 and len(strings) != catalogue.num_plurals:
            found.append(f"not {catalogue.num_plurals} plural forms: {ids[0]!r}")
        # The singular may do without its number.
        found += [
            f"not the same arguments: {text!r}, {ids[-1]!r}"
            for text in strings
            if text and arguments(text) != arguments(ids[-1])
        ]
    return found


def arguments(text: str) -> set[str]:
    """The names in braces."""
    return set(re.findall(r"{(\w*)}", text))


def main() -> int:
    check = "--check" in sys.argv[1:]
    wrong = [
        f"{name} is no code of a language; expected one such as de or pt-BR"
        for name in languages()
        if not is_code(name)
    ]
    for language in () if wrong else languages():
        catalogue = updated(language)
        for path, made in (
            (catalogue_path(language), as_po(catalogue)),
            (STATIC / "locale" / f"{language}.json", as_json(catalogue).encode()),
        ):
            if check and (not path.exists() or path.read_bytes() != made):
                wrong.append(f"{path.name} is not fresh; run python tools/catalogue.py")
            elif not check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(made)
        lacking = untranslated(catalogue)
        if language in COMPLETE:
            wrong += [f"{language}: not translated: {text!r}" for text in lacking]
        wrong += [f"{language}: {defect}" for defect in defects(catalogue)]
        print(f"{language}: {len(catalogue) - len(lacking):,} of {len(catalogue):,} messages")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
