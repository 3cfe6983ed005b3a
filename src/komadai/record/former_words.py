"""Words of former versions, which records, saved games, matches and clients may still use.

This is the only list of them. Every reader of outside data consults it; entries are never removed.
"""

from __future__ import annotations

FORMER_WORDS = {"commander_loss": "extinction"}
"""The current word for each former one; ``extinction`` since ``komadai-record/2``."""


def current_word(word: str) -> str:
    """The current word for one that may be a former word."""
    return FORMER_WORDS.get(word, word)
