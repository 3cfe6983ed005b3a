"""The file that the tutorial on minishogi writes."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs/tutorial/minishogi.md"


def written() -> str:
    """The file of a reader who copies every block."""
    return "\n".join(re.findall(r"^```toml\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL))
