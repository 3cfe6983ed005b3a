"""Openings in a real browser: a line trained, wrong moves punished, positions that come back, the study."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from helpers.openings import book_of, lines_of
from helpers.web.browsing import feedback, in_sight
from helpers.web.inspecting import complaints
from helpers.web.served import Server
from helpers.web.steps import click_until, visit
from komadai.app import openings
from komadai.book.openings import Opening, Wrong

GAME = "minishogi"
EVENING = datetime(2027, 3, 1, 20)  # by the clock of the browser
SIZES = [(390, 844), (820, 1180), (1280, 800)]


def chosen() -> tuple[Opening, Wrong, str]:
    """A line of which a move on the board is wrong, and the side that would make it."""
    for line in lines_of(GAME):
        for wrong in line.wrong:
            moves = [wrong.moves[0], *line.moves[wrong.ply % 2 :: 2]]
            if all("*" not in move and move[-1].isalpha() for move in moves):
                return line, wrong, "bw"[wrong.ply % 2]
    raise AssertionError("every line has a drop or a promotion")


def tap(page: Any, move: str) -> None:
    page.locator(f'#board [data-at="{move[:2]}"]').click()
    page.locator(f'#board [data-at="{move[2:4]}"]').click()


def stand(page: Any, plies: int) -> None:
    """Wait until so many plies are shown and the page waits for a move."""
    place = f"Move {plies + 1} of "
    page.wait_for_function(
        "(words) => document.getElementById('place').textContent.includes(words) "
        "&& !document.getElementById('hint').disabled",
        arg=place,
    )


def train(page: Any, line: Opening, begin: int, end: int) -> None:
    """Make the moves of the line from one ply up to another."""
    for ply in range(begin, end, 2):
        stand(page, ply)
        tap(page, line.moves[ply])


def test_a_line_is_trained_a_wrong_move_punished_and_its_positions_come_back(page: Any, server: Server) -> None:
    line, wrong, side = chosen()
    page.clock.install(time=EVENING)
    visit(page, server, f"/openings/{GAME}", f'[data-opening="{line.id}"]')
    click_until(page, f'[data-opening="{line.id}"] .row a >> nth={"bw".index(side)}', "#board .board-svg")
    first = "bw".index(side)
    train(page, line, first, wrong.ply)
    stand(page, wrong.ply)
    tap(page, wrong.moves[0])
    page.clock.run_for(800 * len(wrong.moves))
    page.locator("#why:not([hidden]):not([disabled])").wait_for()
    assert "The punishment: " in feedback(page, "wrong")
    click_until(page, "#why", "#why[hidden]", state="attached")
    train(page, line, wrong.ply, len(line.moves))
    said = feedback(page, "done")
    assert "games of the engine" in said
    assert "come back from tomorrow on" in said
    kept = json.loads(page.evaluate("localStorage.getItem('komadai.memory')"))["cards"]
    plies = {int(name.rsplit(".", 1)[1]) for name in kept}
    assert plies == set(range(first, len(line.moves), 2))
    assert all(name.startswith(f"opening/{GAME}/") for name in kept)
    click_until(page, f'#punished [data-ply="{wrong.ply}"]', "#why:not([hidden])")

    page.clock.set_system_time(EVENING + timedelta(days=1))
    visit(page, server, "/today", "#ready .primary")
    click_until(page, "#ready .primary", "#board .board-svg")
    known = openings.training(book_of(GAME), page.evaluate("location.pathname").rsplit("/", 1)[1])
    assert known is not None
    tap(page, known.opening.moves[known.begin])
    feedback(page, "done")
    page.wait_for_function(
        "() => Object.values(JSON.parse(localStorage.getItem('komadai.memory')).cards).some(({ n }) => n === 1)"
    )


def test_the_study_says_in_how_many_games_and_where_a_game_left_the_book(page: Any, server: Server) -> None:
    line, wrong, _side = chosen()
    visit(page, server, f"/study?variant={GAME}", "#book-moves button")
    expect(page.locator("#book-says")).to_contain_text(" games of the engine.")
    for ply, move in enumerate(line.moves[: wrong.ply]):
        click_until(
            page, f'#book-moves button[data-usi="{move}"]', f'#book-moves button[data-usi="{line.moves[ply + 1]}"]'
        )
    click_until(page, f'#book-wrong button[data-usi="{wrong.moves[0]}"]', "#book-left button")
    expect(page.locator("#book-left")).to_contain_text(f"The game left the book with move {wrong.ply + 1}, ")
    click_until(page, "#book-left button", f'#book-wrong button[data-usi="{wrong.moves[0]}"]')


@pytest.mark.parametrize("size", SIZES)
def test_training_is_accessible_and_fits(page: Any, server: Server, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    visit(page, server, f"/openings/{GAME}", "[data-opening]")
    assert not complaints(page)
    visit(page, server, f"/openings/{GAME}/{lines_of(GAME)[0].id}.b", "#board .board-svg")
    assert not complaints(page)
    in_sight(page, "#board .wood", "#hint", "#following")
