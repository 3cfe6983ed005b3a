"""A move chosen while the opponent thinks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import expect

from helpers.web.browsing import played, tap
from helpers.web.fingers import Fingers, middle
from helpers.web.screens import apart, at_ko, sit
from helpers.web.served import Client, Server
from helpers.web.steps import click_until


@contextmanager
def met(page: Any, server: Server, variant: str, **asked: Any) -> Iterator[Client]:
    """A game with a clock on the page, and its opponent, who has the white side."""
    game, token = apart(server, variant, **{"time": "10m+5s", **asked})
    with server.join(game, token=token) as other:
        sit(page, server, game)
        page.locator("#board .slot").first.wait_for()
        yield other


def planned(page: Any, number: int) -> None:
    expect(page.locator("#board .intended")).to_have_count(number)


def test_it_is_played_as_soon_as_it_is_a_move(page: Any, server: Server) -> None:
    with met(page, server, "shogi") as other:
        tap(page, "7g", "7f")
        played(page, "P-7f")
        tap(page, "2g", "2f")
        planned(page, 1)
        page.locator("#notice", has_text="This is played when it is your turn").wait_for()
        other.move("3c3d", 2)
        played(page, "P-7f", "P-3d", "P-2f")
        planned(page, 0)
        # What is no move when the time has come is dropped with a word.
        tap(page, "8h", "3c")
        other.move("4c4d", 4)
        page.locator("#notice", has_text="What you had chosen is no move now.").wait_for()
        planned(page, 0)
        expect(page.locator("#moves li")).to_have_count(4)
        page.locator("#headline", has_text="Your turn.").wait_for()


def test_a_tap_takes_it_back(page: Any, server: Server) -> None:
    with met(page, server, "shogi") as other:
        tap(page, "7g", "7f")
        played(page, "P-7f")
        tap(page, "2g", "2f", "5e")
        planned(page, 0)
        tap(page, "2g", "2g")  # taken up and put down
        page.locator('#board [data-at="6g"]').drag_to(page.locator('#board [data-at="6f"]'))
        planned(page, 1)
        page.keyboard.press("Escape")
        planned(page, 0)
        other.move("3c3d", 2)
        page.locator("#headline", has_text="Your turn.").wait_for()
        expect(page.locator("#moves li")).to_have_count(2)


def test_a_promotion_is_asked_for_then_and_a_piece_in_hand_may_be_meant(phone: Any, server: Server) -> None:
    with met(phone, server, "shogi") as other:
        tap(phone, "7g", "7f")
        played(phone, "P-7f")
        tap(phone, "8h", "2b")
        planned(phone, 1)
        other.move("3c3d", 2)
        click_until(phone, '.chooser [data-choice="+B"]', "#moves li:nth-child(3)", state="attached")
        fingers = Fingers(phone)
        fingers.sweep(middle(phone, '.tray[data-side="b"] [data-code="B"]'), middle(phone, '#board [data-at="5e"]'))
        phone.locator("#board .intended").wait_for()
        other.move("3a2b", 4)
        played(phone, "P-7f", "P-3d", "Bx2b+", "Sx2b", "B*5e")


def test_a_move_of_several_steps_ends_where_it_was_meant_to(page: Any, server: Server) -> None:
    with met(page, server, "ko", **at_ko("CB 8k, c 7f, p 4j, sw 7l, sh 12j, D 9s, d 9a, TP 2s", "w")) as other:
        tap(page, "8k", "7j")
        planned(page, 1)
        assert other.move("10a10b", 1)["t"] == "ack"
        played(page, "G-10b", "CB-7j")  # without a shot


@pytest.mark.parametrize(
    ("setting", "time", "open_"), [("timed", "none", 0), ("always", "none", 1), ("never", "5m", 0)]
)
def test_the_settings_say_in_which_games(page: Any, server: Server, setting: str, time: str, open_: int) -> None:
    page.add_init_script(f"localStorage.setItem('komadai.premove', '\"{setting}\"')")
    with met(page, server, "shogi", time=time):
        tap(page, "7g", "7f")
        played(page, "P-7f")
        tap(page, "2g")
        if not open_:
            page.locator("#notice", has_text="White is to move.").wait_for()
        tap(page, "2f")
        planned(page, open_)
