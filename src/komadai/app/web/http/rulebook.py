"""The rules of a variant for the browser's rules page: from the spec, and its text as HTML."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec import UNSET

from ....i18n import safely
from ....rulebook import Example, path, sections
from ....rulebook.pages import page_of, read
from ....spec.kinds import Kind
from ....spec.variant import Variant
from ....variants import Entry, build, names
from ....view import piece_descriptions
from ....view.rule_descriptions import ends, special_rules
from ..presenter import encode
from ..schema import model
from ..schema.rulebook import Changes, Rulebook, RuleExample, RuleSection, RuleWords

_SHIFT = 2  # levels by which headings are lowered: the title becomes an h3
_ITEM = re.compile(r"\*\*(R[0-9]+)\b")
_NUMBERED = re.compile(r"([0-9]+\.[0-9]+)\s")


def rulebook(v: Variant, made: Entry | None = None) -> Rulebook:
    """The rules of a variant; ``made``: of a game that nobody has registered, which has no texts of ours.

    In the page, numbered rules have an id: ``rule-2``, ``rule-R5``, ``rule-3.4``.
    """
    return Rulebook(
        variant=encode.offered(v, made),
        sections=[] if made else safely([], _sections, v),
        rules=safely([], _rules, v),
        words={kind.code: safely([], piece_descriptions.words, v, kind, changes=False) for kind in v.kinds},
        changes={kind.code: _changes(v, kind) for kind in v.kinds},
        ends=safely([], ends, v),
        sources=list(v.sources) if made else safely([], _outside, v),
        page="" if made else safely("", _page, v),
    )


# --- The rules for players ------------------------------------------------------------------------------------------


def _sections(v: Variant) -> list[RuleSection]:
    """The sections written for players, which describe the game under its default options.

    Examples are left out where an option changes the board.
    """
    usual = build(v.id) if v.id in names() else v
    return [
        RuleSection(
            section.id,
            section.heading,
            section.text,
            section.shows,
            [_example(usual, one) for one in section.examples] if usual.board == v.board else [],
        )
        for section in sections(v.id)
    ]


def _example(v: Variant, example: Example) -> RuleExample:
    at = example.begin(v.id)
    moves = [at.parse_move(text) for text in example.moves]
    return RuleExample(
        example.text,
        encode.pieces(v, at.setup()),
        [encode.played_move(v, at.turn, move, encode.texts(at, move)) for move in moves],
        list(map(_refused, example.refused)),
    )


def _refused(text: str) -> model.PlayedMove:
    """A move that is not legal, of which only the points are known."""
    (start, _), *way = path(text)
    return model.PlayedMove(
        usi=text,
        text="",
        japanese="",
        from_=start if way else None,
        to=(way or [(start, ())])[-1][0],
        way=[model.Landing(at, list(shots)) for at, shots in way] or UNSET,
    )


# --- What the spec says ---------------------------------------------------------------------------------------------


def _rules(v: Variant) -> list[RuleWords]:
    return [RuleWords(rule.event, rule.words, rule.source, rule.codes) for rule in special_rules(v)]


def _changes(v: Variant, kind: Kind) -> Changes:
    """The kinds that a kind becomes, by event, itself left out."""
    becomes = kind.becomes

    def others(codes: Sequence[str]) -> list[str]:
        return [] if tuple(codes) == (kind.code,) else list(codes)

    return Changes(
        quiet=others(becomes.quiet),
        captures=[] if becomes.captures == becomes.quiet else others(becomes.captures),
        zone=others(becomes.zone),
        triumph=[] if becomes.captures_promote_to is None else [becomes.captures_promote_to],
        prey=becomes.promotes_by_capturing,
        dropped=others(becomes.dropped),
        captured=becomes.captured if v.hand_order and not kind.royal else kind.code,
    )


# --- The rules page -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _addresses() -> Mapping[str, str]:
    """The addresses of the rules pages: of each, that of the first variant that names it."""
    found: dict[str, str] = {}
    for name in names():
        for source in build(name).sources:
            found.setdefault(Path(source).name, f"/rules/{name}")
    return found


def _outside(v: Variant) -> list[str]:
    """The sources that are no page of ours."""
    return [source for source in v.sources if page_of(source) is None]


def _page(v: Variant) -> str:
    return "".join(map(_html, filter(None, map(page_of, v.sources))))


@lru_cache(maxsize=16)
def _html(page: Path) -> str:
    """Convert a page to HTML without styles, and without any HTML in its source."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(read(page))
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
    """Lower a heading, remove styles, and keep only links that work."""
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
    """Wrap each table and each block of code in an element that scrolls on narrow screens."""
    made: list[Token] = []
    for token in tokens:
        code = token.type in ("fence", "code_block")
        if code or token.type == "table_open":
            made.append(Token("scroller_open", "div", 1, attrs={"class": "scroller", "tabindex": "0"}, block=True))
        made.append(token)
        if code or token.type == "table_close":
            made.append(Token("scroller_close", "div", -1, block=True))
    return made
