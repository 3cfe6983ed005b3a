"""Words that records, stored games and clients of former versions write, and the words in use now.

This is the only list of them. It is consulted wherever data from outside name the end of a game, and never shortened.
"""

from __future__ import annotations

FORMER_WORDS = {"commander_loss": "extinction"}
"""The word in use by each former one; ``extinction`` since ``komadai-record/2``."""


def current_word(word: str) -> str:
    """The word in use for one that may be a former one."""
    return FORMER_WORDS.get(word, word)
