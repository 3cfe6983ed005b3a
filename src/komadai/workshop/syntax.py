"""Errors of Python's reader of TOML, in words for people who do not know the format."""

from __future__ import annotations

import re

from ..i18n import _, marked

_LONGEST = 200

# Its messages, each with a meaning; names in braces are groups.
_MEANINGS = tuple(
    (re.compile(said), meant)
    for said, meant in (
        ("Invalid value", marked('no value begins here; expected text in "quotes", a number, true, false, [ or {')),
        ("Invalid statement", marked("no line begins so; expected KEY = VALUE, or a heading such as [[kinds]]")),
        ("Expected '=' after a key in a key/value pair", marked("expected = behind the key")),
        (
            "Cannot (?:overwrite|declare|redefine|mutate) .*|Duplicate inline table key .*",
            marked("this has been given before; expected it once, and [[kinds]] over each of several kinds"),
        ),
        (
            r"Expected '(?P<right>\]\]?)' at the end of .* declaration",
            marked("the heading has no end; expected {right} in this line"),
        ),
        (
            "Expected newline or end of document after a statement",
            marked("this stands behind the value; expected the end of the line"),
        ),
        ("Unclosed array", marked("the list has no end here; expected a comma between entries, and ] at the end")),
        (
            "Unclosed inline table",
            marked("the table has no end here; expected a comma between entries, and } at the end"),
        ),
        (r"Illegal character '\\n'|Unterminated string", marked('the text has no end; expected " in this line')),
        (
            r"Unescaped '\\' in a string|Invalid hex value|Escaped character .*",
            marked("\\ has a meaning in a text; expected \\\\ for the sign itself"),
        ),
        (
            "Invalid initial character for a key part",
            marked("no key begins so; expected letters, digits, _ or -, or text in quotes"),
        ),
        (
            "(?:Illegal|Found invalid) character (?P<sign>.+)",
            marked("the character {sign} may not stand here; expected none that cannot be seen"),
        ),
        ("Expected (?P<right>'.+')", marked("expected {right}")),
    )
)


def meaning(said: str) -> str:
    """An error of Python's reader of TOML, without its place, in the current language."""
    for pattern, meant in _MEANINGS:
        if (found := pattern.fullmatch(said)) is not None:
            return _(meant, **found.groupdict())
    return said[:_LONGEST]
