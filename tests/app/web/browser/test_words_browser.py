"""The text interface and the way back through a game, in a real browser."""

from __future__ import annotations

import re
from typing import Any

import httpx
from playwright.sync_api import expect

import komadai
from helpers.support import arranged
from helpers.web.browsing import PHONE
from helpers.web.screens import command, move_on
from helpers.web.served import WAIT, Server, keep
from helpers.web.steps import click_until, press, press_until, refill


def show(page: Any, server: Server, game: str, path: str = "") -> None:
    page.goto(path or server.page(game))
    page.locator("#board svg.board-svg").wait_for()
    page.locator("#next > *").first.wait_for(state="attached")


def log(page: Any) -> list[str]:
    return list(page.locator("#log p:not(.asked)").all_text_contents())


def ask(page: Any, text: str) -> list[str]:
    """Type a command; what the log says to it."""
    asked, before = page.locator("#log .asked").count(), len(log(page))
    refill(page, text)
    page.wait_for_function("(n) => document.querySelectorAll('#log .asked').length > n", arg=asked)
    return log(page)[before:]


def looks_at(page: Any, count: int, of: int) -> None:
    """Wait until the position after so many moves is shown."""
    page.locator("#looking-at", has_text=f"move {count} of {of}").wait_for()


def test_turns_of_several_landings_are_played_and_described_in_words(page: Any, server: Server) -> None:
    position = arranged(komadai.variant("ko"), "+EN 10j, CB 8k, p 10h, c 7f, P 9h, D 9s", "b", besides="G 10s, g 10a")
    asked = {"variant": "ko", "seats": {"b": "human", "w": "human"}, "options": {}, "position": position}
    show(page, server, keep(httpx.post(f"{server.url}/api/games", json=asked, timeout=WAIT).json()))
    expect(page.locator("#talk-close"), "the log is heard before it is seen").to_be_hidden()
    assert ask(page, "m") == ["Black can move: general 10s; drum 9s; crossbow 8k; pawn 9h; poison flame 10j."]
    expect(page.locator("#talk-close")).to_be_visible()
    about = ask(page, "w 8k")
    assert about[:2] == ["8k: Black’s crossbow.", "One step diagonally."]
    assert about[-1] == "Now: to 9j; to 7j; to 9l; to 7l."
    assert ask(page, "x 10j 2") == ["Within 2 places of 10j: 10h White’s pawn; 9h Black’s pawn; 8k Black’s crossbow."]
    assert ask(page, "x 10j n") == ["10j, N: 10h White’s pawn; 10a White’s general."]
    assert ask(page, "castle")[0].startswith("There is no command “castle”. There are: ? rules m g . back ")
    back = []
    for key in ("ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown"):
        page.keyboard.press(key)
        back.append(page.locator("#text").input_value())
    assert back == ["castle", "x 10j n", "x 10j 2", "x 10j n"], "what was typed comes back"
    ask(page, "g 8k")
    # What comes next, and that it may end here.
    assert ask(page, "g 7j") == ["1 shoots cannon 7f; 2 stop here: takes nothing."]
    ask(page, "back")
    expect(page.locator("#headline")).to_have_text("Crossbow: move it where?")
    ask(page, "g 10j")
    asking = ask(page, "g 10i")
    assert asking[0] == "Burns 1 of yours."
    ask(page, "stop")
    page.locator("#moves li").wait_for()
    said = "Black: +EN-10i, poison flame from 10j to 10i, White’s pawn on 10h is lost, Black’s pawn on 9h is lost."
    assert log(page).count(said) == 1, "it is said once"
    assert ask(page, "l") == [said]
    assert ask(page, "s")[:2] == ["White to move.", "Move 1, Black: +EN-10i."]
    press(page, "Escape", "[")
    page.locator("#looking-at", has_text="Looking at the start").wait_for()
    expect(page.locator("#log")).to_have_attribute("role", "log")


def test_on_a_field_without_edges_places_are_named_from_ones_own_king(page: Any, server: Server) -> None:
    opening = ["*Gyoku", "*Gyoku NNE", "*Cho E", "*Myou E", "Gyoku W"]  # the last moves the window
    game = server.game("ki")
    move_on(server, game, *opening)
    page.set_viewport_size(PHONE)
    show(page, server, game)
    assert ask(page, "x home 1") == ["Within 1 place of the place of White’s Gyoku: E White’s cat."]
    [black, white, *hands] = ask(page, "b")
    assert len(hands) == 2, "and what is in the hands"
    now = page.evaluate("[...document.querySelectorAll('.pieces .slot')].map(slot => slot.style.transform).sort()")
    for count in (4, 3, 2, 1):
        page.locator("#previous").click()
        looks_at(page, count, 5)
    assert "cat" not in ask(page, "b")[1]
    expect(page.locator("#board .last-to")).to_have_count(1)
    assert ask(page, "g N") == []
    expect(page.locator("#notice")).to_have_text("This is an earlier position: go back to the game first.")
    page.locator("#moves .move").nth(3).click()
    looks_at(page, 4, 5)
    expect(page.locator("#spoken")).to_have_text("Move 4, White: *Myou E")
    ask(page, "end")
    page.locator("#looking").wait_for(state="hidden")
    assert (
        page.evaluate("[...document.querySelectorAll('.pieces .slot')].map(slot => slot.style.transform).sort()") == now
    )
    assert ask(page, "b") == [black, white, *hands]
    names = {
        kind.romaji.lower() for variant in komadai.variants(shelf=False) for kind in komadai.variant(variant).kinds
    }
    page.locator("#text").fill("")
    press(page, "Escape", "?")
    words = {word for row in page.locator("#help td:nth-child(2) kbd").all_text_contents() for word in row.split()}
    assert {"m", "moves", "resign"} <= words
    assert not words & names, "a move may begin with the name of a piece"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_who_looks_back_sees_new_moves_and_stays(page: Any, server: Server) -> None:
    game = server.game("hand")
    move_on(server, game, "4g4f", "4c4d", "6g6f")
    show(page, server, game, f"{server.url}/game/{game}")  # without the secret: a spectator
    page.keyboard.press("[")
    looks_at(page, 2, 3)
    page.locator("#moves .move").first.focus()
    page.keyboard.press("ArrowLeft")
    looks_at(page, 1, 3)
    move_on(server, game, "6c6d", ply=4)
    looks_at(page, 1, 4)
    assert log(page) == ["White: SO-6d, soldier from 6c to 6d."]
    expect(page.locator("#headline")).to_have_text("Black to move.")
    expect(page.locator("#moves .move")).to_have_text(["SO-4f", "SO-4d", "SO-6f", "SO-6d"])
    expect(page.locator("#moves [aria-current]")).to_have_text("SO-4f")
    command(server, game, "undo", ply=5)
    looks_at(page, 1, 3)
    assert log(page)[-1] == "Taken back; 3 moves stand."
    press_until(page, "End", "#looking", state="hidden")
    assert ask(page, "resign") == ["That cannot be done now."], "who watches cannot"
    expect(page.locator("#hint")).to_be_hidden()
    page.goto("about:blank")
    show(page, server, game)
    click_until(page, "#hint", "#notice", has_text="Hint 1 of 3: ")
    expect(page.locator("#board .arrow")).to_have_count(0)
    click_until(page, "#hint", "#notice", has_text="Hint 2 of 3: ")
    page.locator("#board .marks > .guide-chance").first.wait_for()
    click_until(page, "#hint", "#board .arrow")
    expect(page.locator("#notice")).to_have_text(re.compile("^Hint: "))
    ask(page, "resign")
    click_until(page, "#sure-yes", "body.over")
    page.locator("#result.lifted").wait_for()
    page.keyboard.press("Escape")  # closes the result
    page.keyboard.press("Escape")  # out of the field that the dialog gave the keyboard back to
    press_until(page, "Home", "#looking-at", has_text="Looking at the start")
    click_until(page, "#to-now", "#looking", state="hidden")
