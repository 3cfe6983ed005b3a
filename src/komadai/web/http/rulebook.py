"""The rules of a variant as the page of its rules shows them: read from the spec, and its rules page as HTML."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ...spec.kinds import Kind
from ...spec.variant import Variant
from ...variants import build, names
from ...view import piece_descriptions
from ...view.survival import concerned
from ..schema import encode

_PAGES = Path(__file__).parents[2] / "rules"
_SHIFT = 2  # what the page's own headings are below: its title is an h3
_ITEM = re.compile(r"\*\*(R[0-9]+)\b")
_NUMBERED = re.compile(r"([0-9]+\.[0-9]+)\s")


def rulebook(v: Variant) -> dict[str, Any]:
    """Pieces and options as they are offered, the special rules in their own words, what every kind does and turns
    into, how a game ends, the sources, and the rules page as HTML.

    What rules refer to by a number has an id in it: ``rule-2``, ``rule-R5``, ``rule-3.4``.
    """
    return {
        "variant": encode.offered(v),
        "rules": _rules(v),
        "words": {kind.code: piece_descriptions.words(v, kind, changes=False) for kind in v.kinds},
        "changes": {kind.code: _changes(v, kind) for kind in v.kinds},
        "ends": {
            "repetition": v.repetition.count,
            "perpetualLoses": v.repetition.perpetual_check_loses,
            "royal": any(kind.royal for kind in v.kinds),
            "matchWins": v.match_wins,
            "agreement": v.agreement is not None,
        },
        "sources": [source for source in v.sources if _page_of(source) is None],
        "page": "".join(map(_html, filter(None, map(_page_of, v.sources)))),
    }


def _rules(v: Variant) -> list[dict[str, Any]]:
    """Each rule once: when it is asked, of which kinds, what it does, and where that is written."""
    order = [kind.code for kind in v.kinds]
    told: dict[tuple[str, str, str], set[str]] = {}
    for rule in v.rules:
        codes = told.setdefault((rule.event, piece_descriptions.rule_words(v, rule), rule.source), set())
        codes |= concerned(v, rule)
    return [
        {"event": event, "words": words, "source": source, "codes": sorted(codes, key=order.index)}
        for (event, words, source), codes in told.items()
    ]


def _changes(v: Variant, kind: Kind) -> dict[str, Any]:
    """What the kind turns into, event by event; nothing where that is itself."""
    becomes = kind.becomes

    def others(codes: Sequence[str]) -> list[str]:
        return [] if tuple(codes) == (kind.code,) else list(codes)

    return {
        "quiet": others(becomes.quiet),
        "captures": [] if becomes.captures == becomes.quiet else others(becomes.captures),
        "zone": others(becomes.zone),
        "triumph": [] if becomes.captures_promote_to is None else [becomes.captures_promote_to],
        "prey": list(becomes.promotes_by_capturing),
        "dropped": others(becomes.dropped),
        "captured": becomes.captured if v.hand_order and not kind.royal else kind.code,
    }


# --- The rules page -------------------------------------------------------------------------------------------------


def _page_of(source: str) -> Path | None:
    """The rules page that a source of a variant names, if it names one."""
    path = _PAGES / Path(source).name
    return path if source.endswith(".md") and path.is_file() else None


@lru_cache(maxsize=1)
def _addresses() -> Mapping[str, str]:
    """Where the rules pages are shown: that of the first variant that names a page."""
    found: dict[str, str] = {}
    for name in names():
        for source in build(name).sources:
            found.setdefault(Path(source).name, f"/rules/{name}")
    return found


@lru_cache(maxsize=16)
def _html(page: Path) -> str:
    """The page as HTML that needs no styles of its own and holds nothing but what Markdown can say."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(page.read_text(encoding="utf-8"))
    section = ""
    for index, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h2":
            section = tokens[index + 1].content
        elif token.type == "list_item_open" and token.info and section.startswith("Rules"):
            token.attrSet("id", f"rule-{token.info}")
        elif token.type == "paragraph_open" and (item := _ITEM.match(tokens[index + 1].content)):
            token.attrSet("id", f"rule-{item[1]}")
        elif token.type == "heading_open" and (number := _NUMBERED.match(tokens[index + 1].content)):
            token.attrSet("id", f"rule-{number[1]}")
        _plain(token)
    return str(markdown.renderer.render(_scrolled(tokens), markdown.options, {}))


def _plain(token: Token) -> None:
    """Headings below those of the page it stands on, no styles, and links that lead somewhere."""
    token.attrs.pop("style", None)
    if token.type in ("heading_open", "heading_close"):
        token.tag = f"h{min(6, int(token.tag[1:]) + _SHIFT)}"
    for child in token.children or ():
        if child.type == "link_open":
            address = str(child.attrs.pop("href", ""))
            address = _addresses().get(address, address)
            if address.startswith(("/rules/", "https://", "http://")):
                child.attrs = {"href": address}
        elif child.type == "image":
            child.type, child.tag = "text", ""


def _scrolled(tokens: Sequence[Token]) -> list[Token]:
    """Each table and each block of code in an element of its own, which narrow screens can scroll."""
    made: list[Token] = []
    for token in tokens:
        code = token.type in ("fence", "code_block")
        if code or token.type == "table_open":
            made.append(Token("scroller_open", "div", 1, attrs={"class": "scroller", "tabindex": "0"}, block=True))
        made.append(token)
        if code or token.type == "table_close":
            made.append(Token("scroller_close", "div", -1, block=True))
    return made
