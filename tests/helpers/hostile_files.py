"""Variant files that are too much: in size, depth, number, or in what they ask for."""

from __future__ import annotations

from komadai.workshop.limits import MOST_BYTES
from komadai.workshop.starting import start_text

KIND = '[[kinds]]\ncode = "P"\nname = "pawn"\nkanji = "歩"\nromaji = "fuhyō"\nmove = "fW"\n'
ONE_OF = '{ AnyOf = ["Stuck", "GivesCheck"] }'
MANY = f"""[[rules]]
event = "always"
when = {{ AllOf = [{", ".join([ONE_OF] * 400)}] }}
action = {{ Forbid = "no" }}
source = "1"
"""


def hostile() -> dict[str, str]:
    """Files that are too large to be kept."""
    start, codes = start_text("my-shogi"), '"P",' * (MOST_BYTES // 5)
    return {
        "a hundred thousand kinds": KIND * 100_000,
        "as many kinds as the size allows": KIND * (MOST_BYTES // len(KIND.encode()) - 1),
        "only brackets": "a = " + "[" * (MOST_BYTES - 100),
        "only tables": "a = " + "{a=" * (MOST_BYTES // 3 - 100),
        "a key of parts": ".".join("a" * (MOST_BYTES // 3)) + " = 1",
        "headings": "".join(f"[a{number}]\n" for number in range(MOST_BYTES // 10)),
        "an open string": start + 'x = """' + '\\"""' * (MOST_BYTES // 8),
        "quotes": start + 'x = "' + "\\" * (MOST_BYTES // 2),
        "a number of digits": "version = " + "9" * 200_000,
        "unknown fields": "".join(f"a{number} = 1\n" for number in range(MOST_BYTES // 16)),
        "entries": f"hand_order = [{codes}]",
        "blank lines": "\n" * (MOST_BYTES - 10),
        "wrong lines": "=\n" * (MOST_BYTES // 3),
        "alternatives": start + MANY,
    }
