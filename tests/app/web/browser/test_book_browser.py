"""The opening book on the page of a study."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from helpers.books import COUNTS, book_of_five
from helpers.web.browsing import PHONE
from helpers.web.inspecting import complaints
from helpers.web.served import Server
from helpers.web.steps import click_until, visit


def listed(page: Any) -> list[str]:
    """The moves that the page lists, once it has asked for them."""
    page.wait_for_function("() => !document.querySelector('#book-moves.stale')")
    return [one.get_attribute("data-usi") for one in page.locator("#book-moves button").all()]


@pytest.mark.smoke
def test_the_moves_of_the_book_are_shown_and_played(page: Any, start: Callable[..., Server], tmp_path: Path) -> None:
    server = start(0, "--book", str(book_of_five(tmp_path / "five.book").path))
    visit(page, server, "/study?variant=shogi", "#book-moves button")
    page.locator("#next button").first.wait_for()
    assert listed(page) == [move[0] for move in COUNTS[""]]
    words = page.locator("#book-moves button").first.locator(".visually-hidden").text_content()
    assert words == "P-7f: 4 games. Black won 25 %, White won 50 %, 25 % drawn. −0.10 for Black. Play it"
    widths = page.locator("#book-moves li:first-child .book-bar > span").evaluate_all(
        "parts => parts.map(part => [part.className, part.getBoundingClientRect().width])"
    )
    assert [name for name, _ in widths] == ["book-b", "book-draws", "book-w"]
    assert widths[2][1] > 1.5 * widths[0][1] > 0

    click_until(page, '#book-moves button[data-usi="7g7f"]', '#book-moves button[data-usi="3c3d"]')
    expect(page.locator("#branches .move-text").last).to_have_text("P-7f")
    assert listed(page) == [move[0] for move in COUNTS["7g7f"]]

    page.set_viewport_size(PHONE)
    click_until(page, '#book-moves button[data-usi="8c8d"]', "#book-says", has_text="No game of the book came here.")
    expect(page.locator("#book-moves")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

    visit(page, server, "/study?variant=nana", "#next button")  # of which the package has a book
    expect(page.locator("#book-says")).to_contain_text("games of the engine")


@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, PHONE], ids=["desktop", "phone"])
def test_the_book_is_accessible_and_in_the_notation_of_the_settings(
    window: Any, start: Callable[..., Server], tmp_path: Path, size: dict[str, int]
) -> None:
    server = start(0, "--book", str(book_of_five(tmp_path / "five.book").path))
    page = window(viewport=size)
    for notation, texts in (("own", []), ("japanese", ["☗７六歩", "☗２六歩"])):
        page.goto(f"{server.url}/settings")
        page.locator(f'label:has(input[name="notation"][value="{notation}"])').click()
        visit(page, server, "/study?variant=shogi", "#book-moves button")
        expect(page.locator('#book-moves .book-text [lang="ja"]')).to_have_text(texts)
        expect(page.locator('#book-moves .visually-hidden [lang="ja"]')).to_have_text(texts)
        assert complaints(page) == []
