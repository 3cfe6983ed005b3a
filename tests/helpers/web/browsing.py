"""Actions on a page that several browser tests share."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

import komadai
from helpers.step_trees import paths
from helpers.web.served import Server
from helpers.web.steps import click_until, typed, visit
from komadai.notation import hodges

DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


TURN_DONE = (
    "(after) => document.body.matches('.over') || (document.querySelectorAll('#moves li').length > after"
    " && !document.getElementById('headline').textContent.includes('thinking'))"
)
LEVELS = {"easy": "level2", "medium": "level5", "strong": "level10"}


def begin(page: Any, server: Server, game: str, opponent: str, side: str = "b") -> None:
    """Go from the first page through the set-up to the board, by clicks."""
    visit(page, server, "/", ".card")
    if page.locator(f'details[data-variant="{game}"]').count():
        page.locator(f'details[data-variant="{game}"] summary').click()
    page.locator(f'[data-variant="{game}"]').locator(".primary").click()
    page.locator(f'label:has(input[value="{LEVELS.get(opponent, opponent)}"])').click()
    if opponent != "human":
        page.locator(f'label:has(input[name="side"][value="{side}"])').click()
    click_until(page, "#start", "#board .board-svg")
    page.locator("#next > *").first.wait_for(state="attached")


def choose(page: Any, name: str, value: str) -> None:
    """Change a setting beside the board."""
    page.locator(".gear").click()
    page.locator(f'.settings-sheet input[name="{name}"][value="{value}"]').check(force=True)
    page.locator("#settings-close").click()


def tap(page: Any, *points: str) -> None:
    """Click points of the board, one after the other."""
    for point in points:
        page.locator(at(point)).click()


def at(point: str) -> str:
    """The selector of a point of the board."""
    return f'#board [data-at="{point}"]'


def hand(side: str, code: str) -> str:
    """The selector of a kind in a hand."""
    return f'.tray[data-side="{side}"] [data-code="{code}"]'


def moves(page: Any) -> list[str]:
    """The moves in the list, at once."""
    return list(page.locator("#moves li").all_text_contents())


def played(page: Any, *wanted: str) -> None:
    """Wait until these are the moves."""
    expect(page.locator("#moves li")).to_have_text(wanted)


def feedback(page: Any, state: str) -> str:
    """What the page of a stage or of a puzzle answers, once it says this."""
    page.locator(f"#feedback.{state}").wait_for()
    words: str = page.locator("#feedback").text_content()
    return words


def resign(page: Any) -> None:
    page.locator("#resign").click()
    click_until(page, "#sure-yes", "body.over")


def in_sight(page: Any, *selectors: str) -> None:
    """Check that all of these are wholly within the window."""
    width, height = page.viewport_size["width"], page.viewport_size["height"]
    for selector in selectors:
        box = page.locator(selector).bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= width, (selector, box)
        assert 0 <= box["y"] <= box["y"] + box["height"] <= height, (selector, box)


def mirror(page: Any, variant: str) -> komadai.Game:
    """The game on the page, played again here from its move list."""
    game = komadai.Game(variant)
    for text in page.locator("#moves li").all_text_contents():
        game.push(hodges.read(game.position, text.removesuffix("??")))  # blunders of solved games are marked
    return game


def wait_for_turn(page: Any, after: int) -> None:
    """Wait until more than ``after`` moves stand in the list and nobody is thinking, or the game is over."""
    page.wait_for_function(TURN_DONE, arg=after)


def click_path(page: Any, game: komadai.Game, move: komadai.Move) -> None:
    """Make a move by clicks, step by step."""
    path = next(path for path, found in paths(game.position) if found == move)
    for step in path:
        if step.t == "drop":
            page.locator(hand(game.turn, step.code)).click()
        elif step.at is not None:
            page.locator(f'[data-at="{step.at}"]').click()
        else:
            page.locator(f'.chooser [data-choice="{step.code}"]').click()


def enter(page: Any, *moves: str) -> None:
    """Type moves into the entry box."""
    for move in moves:
        before = page.locator("#moves li").count()
        typed(page, move)
        page.locator(f"#moves li:nth-child({before + 1})").wait_for()
        page.keyboard.press("Escape")


def stand(number: int, *pages: Any) -> None:
    """Wait until each of the pages has so many moves."""
    for page in pages:
        page.wait_for_function("(n) => document.querySelectorAll('#moves li').length === n", arg=number)


def open_study(page: Any, server: Server, search: str) -> None:
    visit(page, server, f"/study{search}", "#board .board-svg")
    page.locator("#next button").first.wait_for()


def paste(page: Any, server: Server, text: str) -> None:
    """Open what a text holds, by the dialog."""
    page.goto(f"{server.url}/study?variant=nana")
    page.locator("#open").click()
    page.locator("#open-text").fill(text)
    page.get_by_role("button", name="Read").click()
    page.wait_for_url("**/study?draft=*")
    page.locator("#board .board-svg").wait_for()


def named(page: Any, attribute: str) -> set[str]:
    """The points of the board that bear a sign."""
    return {sign.get_attribute(attribute) for sign in page.locator(f"#board [{attribute}]").all()}


def view(page: Any) -> list[float]:
    """Left, top, width and height of what is seen of the board."""
    return [float(part) for part in page.locator("#board svg.board-svg").get_attribute("viewBox").split()]
