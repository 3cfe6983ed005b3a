"""``komadai rules``: the rules of a game, to be read."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Iterator

import click
from rich.cells import cell_len

from ...i18n import _, speaking
from ...rulebook import sections
from ...spec.names import kind_name
from ...spec.variant import Variant
from ...variants import build, entry, own_options
from ...view.piece_descriptions import words
from ...view.rule_descriptions import ends, special_rules
from .base import Command
from .options import game, language
from .options import rules as rule_options

_WIDEST = 100  # columns
_NEVER_FIRST = "、。，．・：；？！」』）】〕ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ"


@click.command(cls=Command)
@game
@rule_options
@language
def rules(game: str, rules: dict[str, str], lang: str) -> None:
    """Print the rules of a game: what players need to know, and what each piece does."""
    variant = build(game, **rules)
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    with speaking(lang):
        print(f"{_(variant.name)}\n")
        for line in _wrapped(_(variant.summary), width):
            print(line)
        for heading, text in _parts(variant):
            print(f"\n{heading}\n{'-' * cell_len(heading)}")
            for paragraph in text.split("\n"):
                print("\n".join(_wrapped(paragraph, width)))


def _parts(variant: Variant) -> Iterator[tuple[str, str]]:
    """Headings and texts; items of lists begin with a hyphen. A game without a rulebook has the rules of its spec."""
    if changed := own_options(variant):
        helps = {option.name: option.help for option in entry(variant.id).all_options}
        yield _("Rule options"), "\n".join(f"- {name}={value}: {_(helps[name])}" for name, value in changed)
    written = sections(variant.id)
    for section in written:
        yield section.heading, section.text
    if not written:
        if special := special_rules(variant):
            yield _("Special rules"), "\n".join(f"- {rule.words}" for rule in special)
        yield _("How a game ends"), "\n".join(f"- {one}" for one in ends(variant))
    for kind in variant.kinds:
        name = kind_name(kind)
        title = " ".join(dict.fromkeys((kind.kanji, name)))
        yield f"{title} ({kind.code})", "\n".join(f"- {one}" for one in words(variant, kind))


def _wrapped(text: str, width: int) -> list[str]:
    """A paragraph in lines, those of a list indented; Japanese, which has no blanks, is broken anywhere but before what
    may not begin a line."""
    indent = "  " if text.startswith("- ") else ""
    if cell_len(text) < 1.3 * len(text):
        return textwrap.wrap(text, width, subsequent_indent=indent)
    lines = [""]
    for part in re.findall(f".[{_NEVER_FIRST}]*", text):
        if cell_len(lines[-1] + part) > width:
            lines.append(indent)
        lines[-1] += part
    return lines
