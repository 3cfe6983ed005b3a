"""Moves, squares, coordinates, buttons and explanations on one screen are written in one notation."""

from __future__ import annotations

import re
from typing import Any

import pytest

from helpers.web.browsing import choose, enter, played, tap
from helpers.web.screens import make, sit, table
from helpers.web.served import Server, keep
from helpers.web.steps import click_until, visit

SQUARE = re.compile(r"(?<![\w*/])[1-9][a-i](?:[1-9][a-i])?(?![\w])")
"""A square or a move as move strings have it."""
HANGING = "lnsgk1snl/6gb1/p1pppp1pp/6p2/1r5P1/2P6/P1BPPPP1P/7R1/LNSGKGSNL b Pp"
SETTINGS_CLOSED = "() => !document.querySelector('.settings-sheet[open]')"


def written(page: Any) -> str:
    """The text on the page."""
    page.wait_for_function(SETTINGS_CLOSED)
    text: str = page.locator("body").inner_text()
    return text


def labels(page: Any) -> list[str]:
    found: list[str] = page.locator("#board .label").all_text_contents()
    return found


def test_a_page_in_japanese_is_in_japanese_notation(window: Any, server: Server) -> None:
    page = window(locale="ja-JP")
    table(page, server, "shogi", "7g7f", "3c3d")
    played(page, "☗７六歩", "☖３四歩")
    assert labels(page) == list("987654321一二三四五六七八九")
    enter(page, "２六歩")
    tap(page, "8b", "5e")
    page.locator("#notice", has_text="８二→５五").wait_for()
    page.locator("#next button", has_text="４二").first.wait_for(state="attached")
    assert not SQUARE.findall(written(page))
    choose(page, "notation", "own")
    page.locator("#moves", has_text="P-7f").wait_for()
    assert labels(page)[-1] == "i"
    sit(page, server, keep(make(server, "shogi", "level1", position=HANGING)))
    page.locator("#guide-says", has_text="8i").wait_for()
    choose(page, "notation", "japanese")
    page.locator("#guide-says", has_text="８九").wait_for()
    assert not SQUARE.findall(written(page))


def test_move_strings(page: Any, server: Server) -> None:
    table(page, server, "shogi", "7g7f", "3c3d", "8h2b+")
    choose(page, "notation", "strings")
    page.locator("#moves", has_text="8h2b+").wait_for()
    played(page, "7g7f", "3c3d", "8h2b+")
    assert labels(page)[-1] == "i"


@pytest.mark.parametrize(("notation", "name"), [("own", "NNE"), ("japanese", "北北東")])
def test_lessons_name_places_as_their_field_does(page: Any, server: Server, notation: str, name: str) -> None:
    """A field without edges has no coordinates: where a text names a square, its place from one's own king is said."""
    page.goto(f"{server.url}/learn/ki/trap")
    choose(page, "notation", notation)
    page.locator("#task", has_text=f"tile on {name}").wait_for()
    click_until(page, "#hint", "#feedback p")
    assert not SQUARE.findall(written(page))
    page.goto(f"{server.url}/learn/nana/which-face")
    page.locator("#task", has_text={"own": "on 2a", "japanese": "on ２一"}[notation]).wait_for()
    assert bool(SQUARE.findall(written(page))) == (notation == "own")


def test_the_rules_name_places_as_their_pictures_do(page: Any, server: Server) -> None:
    visit(page, server, "/rules/ki", "figcaption", has_text="leaves Black's side on")
    captions = " ".join(page.locator("figcaption").all_text_contents())
    assert not SQUARE.findall(captions)
