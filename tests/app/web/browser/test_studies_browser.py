"""The study page in a browser: variations, the engine, the review of mistakes, and the ways in and out."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

import komadai
from helpers.web.browsing import PHONE, open_study, paste
from helpers.web.screens import command
from helpers.web.served import Server
from helpers.web.steps import click, click_until, press, press_until, reload_until, typed, visit
from komadai import record as records
from komadai.notation import of as notation_of

KIF = """手合割：平手
先手：Aki
手数----指手---------消費時間--
   1 ７六歩(77)
*quiet
   2 ３四歩(33)
   3 ２二角成(88)
   4 投了
"""
THREW = "K*1b K*3b K-1a"  # the third move throws the win away


def enter(page: Any, move: str) -> None:
    """Type a move, and wait until it is the one that is shown."""
    typed(page, move)
    page.wait_for_function("() => document.getElementById('text').value === ''")
    press_until(page, "Escape", "#next button")


def moves(page: Any) -> str:
    """The tree as it is read, variations in brackets."""
    shown = page.evaluate(
        """() => {
          const read = (list) => [...list.children]
            .map((item) => item.matches('.aside') ? `(${read(item.firstChild)})`
              : item.querySelector('.move-text').textContent)
            .join(' ');
          return read(document.querySelector('#branches .line'));
        }"""
    )
    return str(shown)


def here(page: Any) -> str:
    return str(page.locator("#branches [aria-current] .visually-hidden").text_content())


@pytest.mark.slow
def test_every_game_is_studied_with_variations_and_the_engine(page: Any, server: Server) -> None:
    for number, variant in enumerate(("hand", "ko", "nana", "ki", "mortal", "shogi")):
        if number == 3:
            page.set_viewport_size(PHONE)
        open_study(page, server, f"?variant={variant}")
        position = komadai.Position(variant)
        while len(legal := sorted(map(str, position.legal_moves()))) < 2:
            enter(page, legal[0])
            position.push(legal[0])
        first, other = legal[:2]
        enter(page, first)
        page.keyboard.press("[")
        enter(page, other)
        expect(page.locator("#branches .aside .move"), "the second is a variation").to_have_count(1)
        expect(page.locator("#spoken")).to_have_text(re.compile(f"^Move {position.ply}, "))
        press_until(page, "a", "#engine-lines button")
        expect(page.locator("#board .arrow.best")).to_have_count(1)
        expect(page.locator("#chances")).to_be_visible()
        assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
        page.keyboard.press("a")


def test_a_study_is_shaped_by_keys_and_kept(page: Any, server: Server) -> None:
    open_study(page, server, "?variant=shogi")
    for move in ("7g7f", "P-3d", "2g2f"):
        enter(page, move)
    press(page, "[", "[")
    enter(page, "8c8d")
    assert moves(page) == "P-7f P-3d (P-8d) P-2f"
    page.keyboard.press("p")
    assert moves(page) == "P-7f P-8d (P-3d P-2f)"
    page.keyboard.press("ArrowDown")
    assert here(page) == "Move 2, White: P-3d"
    page.keyboard.press("End")
    assert here(page) == "Move 3, Black: P-2f"
    page.keyboard.press("c")
    page.keyboard.type("not yet <b>")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="a doubtful move").click()
    page.locator('[data-at="2g"]').click()  # empty, where the pawn stood
    page.locator("#notice", has_text="There is no piece at 2g").wait_for()
    page.wait_for_url("**/study?draft=*")
    reload_until(page, "#branches .comment", has_text="not yet <b>")
    expect(page.locator("#branches .mark")).to_have_text("?!")
    assert moves(page).startswith("P-7f P-8d (P-3d")
    page.locator("#branches .move", has_text="P-3d").click()
    page.keyboard.press("Delete")
    assert moves(page) == "P-7f P-8d"
    page.get_by_role("button", name="Restore it").click()
    assert moves(page) == "P-7f P-8d (P-3d P-2f)"


@pytest.mark.smoke
def test_a_kif_comes_in_and_goes_out(page: Any, server: Server) -> None:
    paste(page, server, KIF)
    assert moves(page) == "P-7f P-3d Bx2b+"
    expect(page.locator("#record-result")).to_have_text("Black wins: White resigned.")
    page.keyboard.press("End")
    page.locator("#save").click()
    with page.expect_download() as got:
        page.locator('#saving [data-form="kif"]').click()
    [again] = records.read(got.value.path().read_bytes())
    assert [str(move) for move in again.game().moves] == ["7g7f", "3c3d", "8h2b+"]
    assert again.nodes[1].comment == "quiet"
    with page.expect_download() as got:
        page.locator('#saving [data-form="svg"]').click()
    assert got.value.path().read_text().startswith("<svg")
    with page.expect_download() as got:
        page.locator('#saving [data-form="animation"]').click()
    assert "3. ☗Bx2b+  Black wins" in got.value.path().read_text()
    click_until(page, "#share", "#link-part")
    page.goto(page.locator("#link").input_value())
    page.locator("#branches .move", has_text="Bx2b+").wait_for()
    page.locator("#open").click()
    expect(page.locator("#drafts a").first, "what was pasted is kept").to_be_visible()


def test_mistakes_are_found_and_gone_through(page: Any, server: Server) -> None:
    paste(page, server, f'[Variant "nana"]\n\n{THREW} *')
    click_until(page, "#review", "#review-says", has_text="Reviewed")
    assert here(page) == "The start"
    expect(page.locator("#branches .mark")).to_have_text(["??"])
    page.locator("#graph-table summary").click()
    page.locator("#graph-table tbody tr").nth(3).wait_for()
    page.locator("#mistakes-b").click()
    task = page.locator("#task-says")
    task.get_by_text("gave away 100 % of the chances").wait_for()
    page.locator("#next button").first.wait_for()
    position = komadai.Position("nana")
    for move in ("K*1b", "K*3b"):
        position.push(move)
    best, worst = (known.move for known in _known(position))
    enter(page, str(worst))
    task.get_by_text("Try again").wait_for()
    page.locator("#next button").first.wait_for()
    assert here(page) == "Move 2, White: K*3b"
    enter(page, str(best))
    task.get_by_text("the best").wait_for()
    page.locator("#task-next").click()
    expect(page.locator("#task")).to_be_hidden()
    written = notation_of(position.variant).write(position, best)
    page.locator("#branches .move", has_text=written).click()
    click_until(page, '#review:has-text("Review this line")', "#review-says", has_text="Reviewed")
    expect(page.locator("#graph-table tbody tr"), "the start and three moves").to_have_count(4)
    expect(page.locator("#mistakes-b")).to_be_hidden()


def _known(position: komadai.Position) -> Any:
    """The best move of a solved position, and a losing one that was not played."""
    known = komadai.solve.open("nana").moves(position)
    lost = [one for one in known if one.value.outcome == "loss" and str(one.move) != "1b1a"]
    return known[0], lost[0]


def test_a_mate_problem_is_proved_with_one_click(page: Any, server: Server) -> None:
    paste(page, server, "sfen 9/6P2/6Snk/6R2/9/9/9/9/9 b Sr2b4g2s3n4l17p")
    page.locator("#next button").first.wait_for()
    click_until(page, "#prove", "#proof-says", has_text="Mate in 3 by the conventions of problems, in 5 against")
    expect(page.locator("#prove")).to_have_attribute("aria-pressed", "false")
    click_until(page, "#proof-line button", "#branches .move", has_text="R-1d")
    assert moves(page) == "S*2b K-1b R-1d"
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    page.keyboard.press("End")
    expect(page.locator("#proof-says"), "it is said of another position").to_have_text("")
    press_until(page, "t", "#proof-says", has_text="There is no mate by checks alone.")


def test_arrows_and_circles_are_kept_in_a_study_and_in_its_link(page: Any, server: Server) -> None:
    def drawn() -> list[int]:
        return [page.locator(f"#board .own-shapes {one}").count() for one in ("circle.arrow-line", ".arrow-head")]

    open_study(page, server, "?variant=shogi")
    enter(page, "7g7f")
    page.locator('#board [data-at="5e"]').click(button="right")
    page.locator('#board [data-at="3c"]').hover()
    page.mouse.down(button="right")
    page.locator('#board [data-at="3d"]').hover()
    page.mouse.up(button="right")
    assert drawn() == [1, 1]
    page.keyboard.press("[")
    assert drawn() == [0, 0], "they belong to the position"
    page.keyboard.press("]")
    assert drawn() == [1, 1]
    page.locator("#kept", has_text="Kept in this browser").wait_for()
    reload_until(page, "#next button")
    page.keyboard.press("]")
    assert drawn() == [1, 1]
    assert page.locator("#comment").input_value() == ""
    click(page, "#save", "#share")
    page.locator("#link-part").wait_for()
    page.goto(page.locator("#link").input_value())
    page.locator("#next button").first.wait_for()
    page.keyboard.press("]")
    assert drawn() == [1, 1]
    page.locator('#board [data-at="5e"]').click(button="right")
    assert drawn() == [0, 1], "drawn again, it goes"


def test_a_computer_has_the_name_of_its_game_in_the_study(page: Any, server: Server) -> None:
    for seat, name in (("level5", "Computer, level 5"), ("bot:sparrow", "Computer, Sparrow")):
        game = server.game("shogi", w=seat)
        command(server, game, "resign")
        visit(page, server, f"/study?game={game}", "#plate-far", has_text=name)
        assert name in page.title()


def test_a_reload_right_after_the_first_change_keeps_it(page: Any, server: Server) -> None:
    """The address leads to the study at once, not only when there has been a pause."""
    open_study(page, server, "?variant=shogi")
    page.clock.install()  # time stands still for the page but for what is run here
    page.locator('#board [data-at="5e"]').click(button="right")
    page.clock.run_for(1)
    reload_until(page, "#board .own-shapes circle.arrow-line")
