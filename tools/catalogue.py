"""Bring the catalogues of translations up to date: from the sources into ``locale/``, and from there to the browser.

English is the source. Messages are what Python says in ``_("…")``, the client's scripts in ``t("…")`` and
``n("…", "…", …)``, its pages in elements marked ``data-t``, and what the variants say as data: names, summaries,
options, reasons of rules, what pieces do. New messages are added to each catalogue empty, those that are gone leave it;
then the catalogues are exported as JSON. With ``--check`` nothing is written, and it only says whether something would
change or is not translated. Needs Babel.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from komadai import variant, variants
from komadai.game.match import Match
from komadai.game.outcome import BY_RULE, CALLED_OFF, REASONS, Outcome, Reason
from komadai.spec.board import SIDES
from komadai.spec.rules import Forbid, Immobilize
from komadai.variants import entry
from komadai.view import piece_descriptions
from komadai.web.schema import encode
from komadai.web.schema.model import fields_of

PACKAGE = Path(__file__).parent.parent / "src" / "komadai"
STATIC = PACKAGE / "web" / "static"
LANGUAGES = ("ja",)
NOBODY_WINS: tuple[Reason, ...] = ("repetition", "agreement", CALLED_OFF)
_ATTRIBUTES = ("title", "aria-label", "placeholder")
_TEXT = r'"(?:[^"\\\n]|\\.)*"'
_CALL = re.compile(rf"(?<![\w.])(?:t\(\s*({_TEXT})|n\(\s*({_TEXT}),\s*({_TEXT}))")
"""What the client's scripts say. Babel's own reader of JavaScript sees no calls within calls and templates."""

Message = str | tuple[str, ...]
"""What is to be translated: a text, or its singular and its plural."""


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
        if self._marked and self._text.strip():
            self.found.append(self._text.strip())
        self._marked = False


def _title(name: str) -> str:
    """``snake_case`` as words with a capital, as the client shows it."""
    return name[:1].upper() + name[1:].replace("_", " ")


def _told() -> Iterator[tuple[str, Message]]:
    """What the variants and the rules of all games say, with the place where it comes from."""
    for name in variants():
        v = variant(name)
        where = f"variants: {name}"
        yield from ((where, text) for text in (v.name, v.summary))
        yield from ((where, handicap.name) for handicap in v.handicaps)
        for option in entry(name).all_options:
            yield from ((where, text) for text in (_title(option.name), option.help))
            yield from ((where, _title(value)) for value in option.values if not re.match(r"[0-9]", value))
        yield from ((where, words) for kind in v.kinds for words in piece_descriptions.words(v, kind))
        if v.match_wins is not None:
            yield from ((where, text) for text in fields_of(encode.match(Match(v), None).players).values())
        if v.survives_if is not None:
            yield from ((where, str(Outcome.under(v, winner, "extinction"))) for winner in SIDES)
            yield from ((where, text) for text in (v.extinction.sentence, v.extinction.note))
        for rule in v.rules:
            yield where, piece_descriptions.rule_words(v, rule)
            if isinstance(rule.action, Forbid | Immobilize) or rule.event == "at_all_times":
                yield where, rule.action.why
            if isinstance(rule.action, Immobilize) and rule.action.note is not None:
                yield where, rule.action.note
    for reason in REASONS:
        if reason != CALLED_OFF:
            yield from (("outcomes", str(Outcome(winner, reason))) for winner in SIDES)
    yield from (("outcomes", str(Outcome(None, reason))) for reason in NOBODY_WINS)
    yield from (("outcomes", reason) for reason in BY_RULE)


def messages() -> dict[Message, list[str]]:
    """Every message there is, and where: the files' paths and the like, in order."""
    found: dict[Message, set[str]] = {}
    for path, _line, message, _comments, _context in extract_from_dir(
        PACKAGE, [("**.py", "python")], keywords={"_": None}
    ):
        found.setdefault(message, set()).add(path)
    for script in sorted((STATIC / "js").rglob("*.js")):
        for text, one, many in _CALL.findall(script.read_text(encoding="utf-8")):
            said = json.loads(text) if text else (json.loads(one), json.loads(many))
            found.setdefault(said, set()).add(script.relative_to(PACKAGE).as_posix())
    for page in sorted(STATIC.glob("*.html")):
        for text in _Page(page.read_text(encoding="utf-8")).found:
            found.setdefault(text, set()).add(page.relative_to(PACKAGE).as_posix())
    for where, text in _told():
        found.setdefault(text, set()).add(where)
    plural = {message[0] for message in found if isinstance(message, tuple)}
    return {message: sorted(found[message]) for message in sorted(found, key=str) if message and message not in plural}


def catalogue_path(language: str) -> Path:
    """Where gettext looks for a language's messages."""
    return PACKAGE / "locale" / language / "LC_MESSAGES" / "komadai.po"


def updated(language: str) -> Catalog:
    """The language's catalogue with all messages there are, and no others; what is new is empty."""
    path = catalogue_path(language)
    old = read_po(BytesIO(path.read_bytes()), language) if path.exists() else Catalog(language)
    made = Catalog(
        language, project="Komadai", fuzzy=False, header_comment="# Komadai: translations. See tools/catalogue.py."
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
    told = {
        message.id if isinstance(message.id, str) else message.id[0]: (
            message.string if isinstance(message.string, str) else list(message.string)
        )
        for message in catalogue
        if message.id and message.string and all(message.string)
    }
    return json.dumps(told, ensure_ascii=False, indent=0) + "\n"


def defects(catalogue: Catalog) -> list[str]:
    """What is not translated, and what does not keep the names in braces."""
    found = []
    for message in catalogue:
        if not message.id:
            continue
        ids = (message.id,) if isinstance(message.id, str) else message.id
        strings = (message.string,) if isinstance(message.string, str) else message.string
        if not all(strings):
            found.append(f"not translated: {ids[0]!r}")
            continue
        # The singular may do without its number.
        wanted = set(re.findall(r"{\w+}", ids[-1]))
        found += [
            f"not the same names in braces: {text!r}, {ids[-1]!r}"
            for text in strings
            if set(re.findall(r"{\w+}", text)) != wanted
        ]
    return found


def main() -> int:
    check, wrong = "--check" in sys.argv[1:], []
    for language in LANGUAGES:
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
        wrong += [f"{language}: {defect}" for defect in defects(catalogue)]
        print(f"{language}: {len(catalogue)} messages")
    print(*wrong, sep="\n", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
