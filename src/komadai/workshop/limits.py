"""Limits of a variant file: what is larger is refused before anything is built of it."""

from __future__ import annotations

MOST_BYTES = 256 * 1024
"""Bytes of a file."""

DEEPEST = 24
"""Levels of tables and lists within each other, and parts of a dotted key."""

MOST_KINDS = 128
"""Kinds of a variant."""

MOST_ENTRIES = 512
"""Entries of any list."""

LONGEST_TEXT = 2000
"""Characters of any text."""

LARGEST_NUMBER = 1_000_000
"""The largest whole number, and with a minus the least."""

MOST_TERMS = 2_000
"""Conditions of all rules together, when each rule is written as ``a & b | a & c | …``."""

MOST_TURNS = 100_000
"""Ways of one kind to walk and shoot in one move on an empty board."""

MOST_OPTIONS = 16
"""Rule options of a variant."""

MOST_VALUES = 64
"""Values of all rule options together."""

MOST_CASES = 4_000_000
"""Kinds times points of the board times the conditions of all rules: what the tables of a game are made from."""

MOST_DEFECTS = 200
"""Defects that are reported of one file."""
