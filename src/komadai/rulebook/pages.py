"""The rules pages of the games (docs/rules), which come with the package."""

from __future__ import annotations

import re
from pathlib import Path

from ..spec.variant import Variant

_PAGES = Path(__file__).parents[1] / "rules"
_FIGURE = re.compile(r"(?:^\n)?^ *```\{(?:board|pieces)\}.*\n(?:.*\n)*? *```\n", re.MULTILINE)
_CONVENTIONS = "## Common conventions\n"  # a section of README.md


def page_of(source: str) -> Path | None:
    """The rules page named by a source of a variant, if it is one."""
    path = _PAGES / Path(source).name
    return path if source.endswith(".md") and path.is_file() else None


def read(page: Path) -> str:
    """The text of a page without its figures, which only the documentation can draw."""
    return _FIGURE.sub("", page.read_text(encoding="utf-8"))


def text_of(variant: Variant) -> str:
    """The rules pages of a variant in Markdown, after the conventions common to all games; empty without a page."""
    pages = [read(path) for path in map(page_of, variant.sources) if path]
    if not pages:
        return ""
    _, heading, rest = (_PAGES / "README.md").read_text(encoding="utf-8").partition(_CONVENTIONS)
    return "\n".join([heading + rest.partition("\n## ")[0].rstrip() + "\n", *pages])
