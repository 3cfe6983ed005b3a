"""Displays beside the moves in a real browser: promotion ladder, previews, blocked squares, hands; and matches."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import expect

import komadai
from helpers.web.browsing import begin, choose, click_path, enter, mirror
from helpers.web.served import Server
from helpers.web.steps import click_until, press
from komadai.spec.material import piece_values

BLACK_MATES = ("T*8d", "5a6a", "S*8a", "L*5d", "SH*5a")
WHITE_MATES = ("5i6i", "T*7g", "N*1i", "L*2d", "S*2c", "SH*5i")


def play(page: Any, variant: str, *moves: str) -> None:
    """Make the moves by clicks."""
    for text in moves:
        game = mirror(page, variant)
        click_path(page, game, game.position.parse_move(text))
        page.locator(f"#moves li:nth-child({len(game.moves) + 1})").wait_for(state="attached")


def test_a_pawn_becomes_a_knight_on_the_ladder_and_what_it_takes_dies(page: Any, server: Server) -> None:
    begin(page, server, "mortal", "human")
    play(page, "mortal", "7g7f", "4a4b", "7f7e", "4b4a", "7e7d", "4a4b")
    page.locator('[data-at="7d"]').click()
    expect(page.locator("#next").get_by_text("takes 7c: pawn leaves the game", exact=True)).to_have_count(1)
    expect(page.locator("#preview")).to_have_text("")
    page.locator('[data-at="7c"]').hover()
    expect(page.locator("#preview")).to_have_text("歩 leaves the game")
    page.locator('[data-at="2h"]').hover()
    expect(page.locator("#preview")).to_have_text("")
    page.locator('[data-at="7c"]').click()
    expect(page.locator("#preview"), "as long as the choice is open").to_have_text("歩 leaves the game")
    choices = page.locator(".chooser .choice")
    assert [choice.get_attribute("data-choice") for choice in choices.all()] == ["G", "S", "L", "N", "P"]
    expect(page.locator(".chooser .choice-note").last).to_have_text("stay")
    boxes = [choice.bounding_box() for choice in choices.all()]
    assert all(high["y"] + high["height"] <= low["y"] for high, low in pairwise(boxes)), "a ladder"
    click_until(page, '[data-choice="N"]', "#moves li:nth-child(7)")
    expect(page.locator("#moves li").last).to_have_text("Px7c=N")
    expect(page.locator('.tray[data-side="b"] .slot:not(.empty)'), "the pawn has left the game").to_have_count(0)


def test_the_ladder_and_the_preview_by_keyboard_alone(page: Any, server: Server) -> None:
    begin(page, server, "mortal", "human")
    enter(page, "7g7f", "3c3d")
    page.locator("#board svg").focus()
    keys = ["ArrowDown", "ArrowDown", "ArrowDown", *["ArrowLeft"] * 3, "Enter", *["ArrowUp"] * 6, *["ArrowRight"] * 6]
    press(page, "ArrowUp", *keys)
    expect(page.locator("#spoken")).to_have_text(
        "2b: White’s bishop, can be reached: bishop → gold general in your hand"
    )
    expect(page.locator("#preview")).to_have_text("角 → 金 in your hand")
    press(page, "Enter", "ArrowDown", "ArrowUp", "Enter")
    page.locator("#moves li:nth-child(3)").wait_for()
    expect(page.locator("#moves li").last).to_have_text("Bx2b=DH")
    expect(page.locator('.tray[data-side="b"] [data-code="G"]:not(.empty)')).to_have_count(1)


def test_a_captured_promoted_piece_turns_back_in_the_preview(page: Any, server: Server) -> None:
    begin(page, server, "shogi", "human")
    enter(page, "7g7f", "3c3d", "8h2b+")
    page.locator('[data-at="3a"]').click()
    page.locator('[data-at="2b"]').hover()
    expect(page.locator("#preview")).to_have_text("馬 → 角 in your hand")
    expect(page.locator("#next").get_by_text("takes 2b: dragon horse → bishop in your hand")).to_have_count(1)
    choose(page, "pieces", "letters")
    page.locator('[data-at="2b"]').hover()
    expect(page.locator("#preview")).to_have_text("+B → B in your hand")


def shaded(page: Any) -> set[str]:
    """The points that are drawn as forbidden."""
    return {cell.get_attribute("data-shaded") for cell in page.locator("[data-shaded]").all()}


def test_files_are_shaded_that_a_carried_piece_may_not_stand_on(page: Any, server: Server) -> None:
    begin(page, server, "hand", "human")
    page.locator('[data-at="7h"]').click()
    assert shaded(page) == {"6h"}, "a soldier may not move beside another"
    page.keyboard.press("Escape")
    assert shaded(page) == set()
    enter(page, "SH*5d", "5a4a", "5d5c", "4a4b")
    page.locator('.tray[data-side="b"] [data-code="SO"]').click()
    board = mirror(page, "hand").position.board
    variant = komadai.variant("hand")
    empty = {variant.board.name(point) for point in variant.board.points if board[point] is None}
    assert shaded(page) == {square for square in empty if square[0] in "34567"}
    click_until(page, '[data-at="5e"]', "#notice", has_text="another soldier of yours stands on that file")


@pytest.mark.parametrize("variant", ["shogi", "mortal", "hand"])
def test_stands_are_sorted_by_worth(page: Any, server: Server, variant: str) -> None:
    begin(page, server, variant, "human")
    worth = piece_values(komadai.variant(variant))
    for side in "bw":
        slots = page.locator(f'.tray[data-side="{side}"] .slot').all()
        values = [worth[slot.get_attribute("data-code")][1] for slot in slots]
        assert values == sorted(values, reverse=True)
        assert len(values) == len(komadai.variant(variant).hand_order)


def test_pieces_in_hand_show_where_they_can_go_and_why_they_cannot(page: Any, server: Server) -> None:
    begin(page, server, "hand", "human")
    hand = page.locator('.tray[data-side="b"]')
    hand.locator('[data-code="H"]').hover()
    expect(page.locator(".hint")).to_have_count(2)
    hand.locator('[data-code="SH"]').hover()
    expect(page.locator(".hint"), "too many to distinguish").to_have_count(0)
    hand.locator('[data-code="H"]').focus()
    expect(page.locator(".hint")).to_have_count(2)
    assert [slot.get_attribute("data-code") for slot in hand.locator(".dead").all()] == ["O"]
    hand.locator('[data-code="O"]').click()
    page.locator("#notice", has_text="may be dropped only where it gives check").wait_for()
    expect(page.locator(".marks .dot")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.outage
def test_a_match_of_two_hands_by_real_moves(page: Any, start: Callable[..., Server]) -> None:
    server = start()
    begin(page, server, "hand", "human")
    state = page.locator("#match")
    expect(state).to_have_text("game 1 · 2 wins in a row take the match")
    play(page, "hand", *BLACK_MATES)
    page.locator("#headline", has_text="Black wins: checkmate").wait_for()
    expect(state).to_have_text("game 1 · Black needs 1 more in a row")
    first = page.url
    server.end(signal.SIGKILL)
    page.locator("body.offline").wait_for()
    server = start(server.port)
    page.goto(server.url)
    page.get_by_role("link", name="Continue").click()
    page.get_by_role("button", name="Next game of the match").click()
    page.wait_for_url(lambda url: "/game/" in url and url != first)
    page.locator("#match", has_text="game 2 · White needs 1 more in a row").wait_for()
    expect(page.locator("#plate-near"), "colours have changed").to_contain_text("Player 2")
    play(page, "hand", *WHITE_MATES)
    page.locator("#match", has_text="White has won the match").wait_for()
    expect(page.locator("#verdict")).to_have_text("White wins the match")
    expect(page.locator("#next-game")).to_be_hidden()
    expect(page.locator("#again")).to_be_visible()
    second = page.url
    page.goto(first)
    page.locator("body.over").wait_for()
    expect(page.locator("#undo")).to_be_disabled()
    page.get_by_role("button", name="Next game of the match").click()
    page.wait_for_url(second)
    page.goto(server.url)
    assert not re.search("Continue", page.locator('[data-variant="hand"]').text_content())
