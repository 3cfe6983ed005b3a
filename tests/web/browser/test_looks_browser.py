"""Sets of pieces and boards, as chosen in the settings."""

from __future__ import annotations

from typing import Any

import pytest

from helpers.web.screens import sit
from helpers.web.served import Server

WRITING = """() => [...document.querySelectorAll("#board .piece > g g, #board .stones > g")].map((g) =>
  [...g.querySelectorAll("text")].map((line) => line.textContent).join(""))"""


def fonts(page: Any) -> list[str]:
    """The fonts that the page has loaded."""
    page.evaluate("document.fonts.ready")
    return sorted(
        page.evaluate(
            "() => performance.getEntriesByType('resource').map(({ name }) => name.split('/').pop())"
            ".filter((name) => name.endsWith('.woff2'))"
        )
    )


@pytest.mark.parametrize(
    ("chosen", "font", "writing"),
    [("kanji", [], "記室"), ("brush", ["komadai-brush.woff2"], "記室"), ("short", ["komadai-short.woff2"], "記")],
)
def test_a_set_of_pieces_has_its_writing_and_loads_only_its_font(
    page: Any, server: Server, chosen: str, font: list[str], writing: str
) -> None:
    page.goto(f"{server.url}/settings")
    page.locator(f'input[name="pieces"][value="{chosen}"]').check(force=True)
    sit(page, server, server.game("ko"))
    assert fonts(page) == sorted([*font, "komadai-kanji.woff2"])
    assert writing in page.evaluate(WRITING)


def test_letters_lead_back_to_the_set_of_kanji_that_was_chosen(page: Any, server: Server) -> None:
    page.goto(f"{server.url}/settings")
    page.locator('input[name="pieces"][value="brush"]').check(force=True)
    sit(page, server, server.game("nana"))
    page.locator("#set").click()
    assert page.evaluate("localStorage.getItem('komadai.pieces')") == '"letters"'
    page.locator("#set").click()
    assert page.evaluate("localStorage.getItem('komadai.pieces')") == '"brush"'
