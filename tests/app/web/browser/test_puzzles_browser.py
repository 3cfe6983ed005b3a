"""Puzzles in a real browser: solved by taps and by keys, wrong moves refuted on the board, hints in steps."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from helpers.web.browsing import feedback, in_sight
from helpers.web.inspecting import complaints
from helpers.web.served import Server
from helpers.web.steps import click, click_until, press, press_until, refill, typed, visit
from komadai.app import puzzles
from komadai.app.puzzles import Puzzle

SIZES = [(390, 844), (820, 1180), (1280, 800)]


def first(game: str, plies: int) -> Puzzle:
    return next(one for one in puzzles.load(game) if one.plies == plies)


def wrong_in(puzzle: Puzzle) -> str:
    """A wrong first move, which is no drop, with a line that refutes it."""
    for move in puzzle.start().legal_moves():
        if not move.is_drop and move.text[-1].isalpha():
            answer = puzzles.judge(puzzle, [move])
            if not answer.right and answer.reply:
                return move.text
    raise AssertionError("no wrong move has a refutation")


def open_puzzle(page: Any, server: Server, puzzle: Puzzle, query: str = "") -> None:
    visit(page, server, f"/puzzles/{puzzle.variant.id}/{puzzle.id}{query}", "#board .board-svg")


def tap(page: Any, move: str) -> None:
    """Make a move by taps: the piece, its target, and the choice that may be left."""
    found = re.fullmatch(r"(?:(\d+[a-z])|\w+\*)(\d+[a-z])(\W?)", move)
    assert found, move
    if found[1]:
        page.locator(f'#board [data-at="{found[1]}"]').click()
    else:
        page.locator(f'.tray[data-side="b"] [data-code="{move.split("*")[0]}"]').click()
    page.locator(f'#board [data-at="{found[2]}"]').click()


def solve(page: Any, puzzle: Puzzle) -> None:
    for turn in range(puzzle.turns):
        page.wait_for_function("(n) => document.querySelectorAll('#log p').length >= n", arg=2 * turn)
        tap(page, puzzle.solution[2 * turn])
        feedback(page, "done" if turn == puzzle.turns - 1 else "right")


def simple(game: str, plies: int) -> Puzzle:
    """A puzzle whose moves are all a piece and a target."""
    plain = re.compile(r"\d+[a-z]\d+[a-z]")
    return next(p for p in puzzles.load(game) if p.plies == plies and all(map(plain.fullmatch, p.solution[::2])))


@pytest.mark.smoke
def test_puzzles_of_nana_and_ki_are_solved_by_taps_and_progress_is_kept(phone: Any, server: Server) -> None:
    """From the home page; axe-core finds nothing at any step."""
    phone.goto(server.url)
    click(phone, ".menu-button")
    click_until(phone, '#menu a[href$="/puzzles"]', '[data-game="nana"]')
    assert complaints(phone) == []
    click_until(phone, '[data-game="nana"] h2 a', "[data-set]")
    assert complaints(phone) == []
    nana = simple("nana", 3)
    click(phone, '[data-set="table-3"] summary', f'a.number[href*="{nana.id}"]')
    phone.locator("#board .board-svg").wait_for()
    assert complaints(phone) == []
    solve(phone, nana)
    assert "Solved." in feedback(phone, "done")
    expect(phone.locator("#following.primary")).to_have_attribute("href", re.compile(r"\?set=table-3$"))
    assert complaints(phone) == []
    ki = simple("ki", 1)
    open_puzzle(phone, server, ki)
    solve(phone, ki)
    phone.reload()
    visit(phone, server, "/puzzles/ki", "[data-set]")
    expect(phone.locator("a.number.done")).to_have_count(1)
    words = rf"^1 of {len(puzzles.load('ki'))}Your rating: \d+ · In a row: 1 \(most 1\)$"
    expect(phone.locator("#standing")).to_have_text(re.compile(words))
    visit(phone, server, "/puzzles", '[data-game="nana"]')
    expect(phone.locator('[data-game="nana"]')).to_contain_text(f"1 of {len(puzzles.load('nana'))}")
    visit(phone, server, "/", '[data-variant="nana"] .learnt')
    words = phone.locator('[data-variant="nana"] .learnt').text_content()
    assert words == f"Puzzles: 1 of {len(puzzles.load('nana'))}"


def in_rush(page: Any) -> Puzzle:
    """The puzzle of a rush that is on the page."""
    page.locator("#board .board-svg").wait_for()
    return next(one for one in puzzles.load("shogi") if f"/{one.id}?rush" in page.url)


def test_a_rush_counts_what_is_solved_until_its_time_is_over(page: Any, server: Server) -> None:
    page.goto(f"{server.url}/puzzles/shogi")
    click_until(page, 'a[href$="?rush"]', "#place", has_text="Rush: ")
    begun = in_rush(page)
    for turn in range(begun.turns):
        page.wait_for_function("(n) => document.querySelectorAll('#log p').length >= n", arg=2 * turn)
        (refill if turn else typed)(page, begun.solution[2 * turn])
    page.wait_for_url(lambda url: begun.id not in url)
    page.locator("#place", has_text="solved 1 · mistakes 0 of 3").wait_for()
    expect(page.locator("#hint")).to_be_hidden()
    assert complaints(page) == []
    following = in_rush(page)
    typed(page, wrong_in(following))
    page.wait_for_url(lambda url: following.id not in url)
    page.locator("#place", has_text="solved 1 · mistakes 1 of 3").wait_for()
    page.evaluate(
        "sessionStorage['komadai.rush'] = sessionStorage['komadai.rush'].replace('\"wrong\":1', '\"wrong\":2')"
    )
    page.reload()
    typed(page, wrong_in(in_rush(page)))
    assert "The rush is over: 1 solved." in feedback(page, "done")
    expect(page.locator("#feedback")).to_contain_text("That is your best.")
    assert complaints(page) == []
    click_until(page, "#following", "#place", has_text="mistakes 0 of 3")
    page.evaluate("sessionStorage['komadai.rush'] = sessionStorage['komadai.rush'].replace(/\\d{9,}/, '1')")
    page.reload()
    assert "The rush is over: 0 solved." in feedback(page, "done")
    expect(page.locator("#feedback")).to_contain_text("Your best is 1.")
    visit(page, server, "/puzzles/shogi", "#standing p")
    expect(page.locator("#standing")).to_contain_text("Best rush: 1")


def test_a_first_try_moves_one_s_own_rating(page: Any, server: Server) -> None:
    puzzle = first("ki", 3)
    open_puzzle(page, server, puzzle)
    expect(page.locator("#place")).not_to_contain_text("yours")
    typed(page, wrong_in(puzzle))
    feedback(page, "wrong")
    page.locator("#place", has_text=re.compile(r"yours \d+ \(−\d+\)")).wait_for()
    page.reload()
    page.locator("#board .board-svg").wait_for()
    typed(page, puzzle.solution[0])
    feedback(page, "right")
    expect(page.locator("#place")).to_have_text(re.compile(r"yours \d+$"))
    visit(page, server, "/puzzles/ki", "#standing p")
    click_until(page, 'a[href$="?level"]', "#place", has_text="yours")


def test_a_wrong_move_is_refuted_on_the_board(page: Any, server: Server) -> None:
    puzzle = first("ki", 3)
    open_puzzle(page, server, puzzle)
    wrong = wrong_in(puzzle)
    before = page.locator("#board .board-svg").evaluate("svg => svg.querySelectorAll('[data-at]').length")
    typed(page, wrong)
    words = feedback(page, "wrong")
    assert puzzles.judge(puzzle, [wrong]).words in words
    expect(page.locator("#log p"), "the move is not made").to_have_count(0)
    press(page, "Escape", "w")
    length = 1 + len(puzzles.refute(puzzle, wrong))
    page.wait_for_function("(n) => document.querySelectorAll('#log p').length === n", arg=length)
    page.locator("#why:enabled", has_text="Back").wait_for()
    expect(page.locator("#feedback")).to_contain_text("Why not: ")
    assert complaints(page) == []
    click_until(page, "#why", "#why", has_text="Why not?")
    assert page.locator("#board .board-svg").evaluate("svg => svg.querySelectorAll('[data-at]').length") == before
    solve_by_keys(page, puzzle, length)
    feedback(page, "done")
    streak = page.evaluate("JSON.parse(localStorage.getItem('komadai.puzzles')).ki")
    assert (streak["solved"], streak["streak"], streak["best"]) == ([puzzle.id], 0, 0), "a mistake ends the streak"


def solve_by_keys(page: Any, puzzle: Puzzle, said: int) -> None:
    for turn in range(puzzle.turns):
        refill(page, puzzle.solution[2 * turn])
        made = said + min(2 * turn + 2, puzzle.plies)
        page.wait_for_function("(n) => document.querySelectorAll('#log p').length === n", arg=made)
        page.locator("#hint:enabled, body.done").first.wait_for()


def test_hints_come_in_three_steps(page: Any, server: Server) -> None:
    puzzle = simple("ki", 3)
    open_puzzle(page, server, puzzle)
    origin, target = re.findall(r"\d+[a-z]", puzzle.solution[0])
    press_until(page, "h", "#feedback", has_text="Hint: ")
    expect(page.locator(".goal.piece")).to_have_count(1)
    expect(page.locator("#feedback")).not_to_contain_text("It goes to")
    press_until(page, "h", "#feedback", has_text="It goes to")
    expect(page.locator(f'[data-goal="{target}"]')).to_have_count(1)
    expect(page.locator(".arrow")).to_have_count(0)
    press_until(page, "h", "#feedback", has_text="The move is")
    expect(page.locator(".arrow")).to_have_count(1)
    expect(page.locator("#hint")).to_be_disabled()
    assert origin != target
    tap(page, puzzle.solution[0])
    feedback(page, "right")
    expect(page.locator(".arrow, .goal")).to_have_count(0)


def test_the_solution_is_played_and_does_not_count(page: Any, server: Server) -> None:
    puzzle = first("nana", 3)
    open_puzzle(page, server, puzzle)
    page.locator("#solution").click()
    assert "This is the solution." in feedback(page, "done")
    expect(page.locator("#log p")).to_have_count(3)
    kept = page.evaluate("JSON.parse(localStorage.getItem('komadai.puzzles')).nana")
    assert kept["solved"] == []
    click_until(page, "#again", "#feedback.going", state="attached")
    page.keyboard.press("n")
    page.wait_for_url(re.compile(r"/puzzles/nana/(?!" + puzzle.id + ")"))


def test_a_streak_goes_on_to_harder_puzzles_until_a_mistake(page: Any, server: Server) -> None:
    page.goto(f"{server.url}/puzzles/ki")
    page.get_by_role("link", name="In a row").click()
    page.locator("#board .board-svg").wait_for()
    for number in (1, 2):
        name = page.url.split("/")[-1].removesuffix("?streak")
        puzzle = next(one for one in puzzles.load("ki") if one.id == name)
        said = page.locator("#log p").count()
        page.locator("summary", has_text="What you can do").click()
        solve_by_keys(page, puzzle, said)
        feedback(page, "done")
        expect(page.locator("#place")).to_contain_text(f"In a row: {number} (most {number})")
        page.locator("#following").click()
        page.wait_for_url(lambda url, last=name: last not in url)
        page.locator("#board .board-svg").wait_for()
    click_until(page, "#hint", "#feedback", has_text="Hint:")
    expect(page.locator("#place")).to_contain_text("In a row: 0 (most 2)")


def test_a_theme_leads_to_its_easiest_puzzle_of_the_game_whose_puzzles_a_form_shares(page: Any, server: Server) -> None:
    easiest = puzzles.load("nana")[0]
    page.goto(f"{server.url}/puzzles/nana-1998?set=table")
    page.wait_for_url(f"**/puzzles/nana/{easiest.id}?set=table")
    page.locator("#board .board-svg").wait_for()
    page.goto(f"{server.url}/")
    form = page.locator('[data-variant="nana-1998"]')
    form.locator("summary").click()
    form.get_by_role("link", name="Puzzles").click()
    page.wait_for_url("**/puzzles/nana")


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_task_board_and_buttons_are_on_the_screen(window: Any, server: Server, size: tuple[int, int]) -> None:
    page = window(viewport={"width": size[0], "height": size[1]})
    for game in ("nana", "ki"):
        open_puzzle(page, server, first(game, 5))
        in_sight(page, "#heading", "#feedback", "#board .wood", "#hint", "#solution", "#following")
        assert complaints(page) == [], game


def test_today_s_puzzles_are_told_in_one_line(page: Any, server: Server) -> None:
    """From the home page: a mistake counts as a try, and what is over is played through and studied."""
    visit(page, server, "/", "#daily li")
    expect(page.locator("#daily li")).to_have_count(len(puzzles.games()))
    expect(page.locator("#daily .share")).to_have_count(0)
    assert complaints(page) == []
    page.locator('#daily a[href$="/ki?daily"]').click()
    page.wait_for_url(re.compile(r"/puzzles/ki/\w+\?daily$"))
    page.locator("#place", has_text="Today’s puzzle").wait_for()
    puzzle = next(one for one in puzzles.load("ki") if f"/{one.id}?" in page.url)
    typed(page, next(move.text for move in puzzle.start().legal_moves() if not puzzles.judge(puzzle, [move]).right))
    feedback(page, "wrong")
    expect(page.locator("#replay")).to_be_hidden()
    solve_by_keys(page, puzzle, 0)
    feedback(page, "done")
    steps = page.locator("#replay button")
    board = page.locator("#board .board-svg")
    end = board.inner_html()
    steps.nth(0).click()
    expect(steps.nth(0)).to_be_disabled()
    assert board.inner_html() != end
    for _move in puzzle.solution:
        steps.nth(2).click()
    expect(steps.nth(3)).to_be_disabled()
    assert complaints(page) == []
    click_until(page, "#replay a", "#first")
    expect(page.locator("#branches .move-text")).to_have_count(puzzle.plies)
    visit(page, server, "/", "#daily .share")
    expect(page.locator('#daily a[href$="/ki?daily"]')).to_have_text("Ki Shogi ✓")
    line = page.locator("#daily .share .quiet").first.text_content()
    assert re.fullmatch(rf"Komadai \d{{4}}-\d\d-\d\d · Ki Shogi ✓ 2 tries · {server.url}/puzzles", line), line
    assert complaints(page) == []
    page.evaluate("localStorage['komadai.daily'] = localStorage['komadai.daily'].replace(/\\d{4}-/, '2001-')")
    page.reload()
    page.locator("#daily li").first.wait_for()
    expect(page.locator("#daily .share")).to_have_count(0)
