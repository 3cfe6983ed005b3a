"""Solved games in a browser: values in a study, the page that walks through perfect play, and mistakes by the table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

import komadai
from helpers.solved import MIXED, TINY, nana
from helpers.solved_cache import lend_nana
from helpers.web.browsing import open_study, paste
from helpers.web.screens import move_on
from helpers.web.served import Server
from helpers.web.steps import click, click_until, press, press_until, visit
from komadai import solve, workshop
from komadai.solve import Table, files
from komadai.storage import locked, with_ending

DRAWN = "Drawn with best play"
HELD = "Neither side can force a win. Moves that hold the draw: {good} of {all}."
WON = "{side}, to move, can force it against every defence. Moves that win: {good} of {all}."
LOST = "{side}, to move, cannot avoid it. Moves that hold out longest: {good} of {all}."
STRANDED = ["K*5e", "K*3e", "HI*5d", "ZOU*2f", "5d3d", "3e3f"]  # Black's cube on 3d has no support
# White's Gyoku has a worse place, Black wins no more after that, and loses after the last move.
ERRING = ["K*5e", "K*6c", "CHUU*4d", "GA*6b", "4d4e", "6b5c", "5e6e", "4c6e", "5e6e", "CHO*3d"]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Table]]:
    """A server with a game without edges, solved by relative places as Ki Shogi is."""
    folder = tmp_path_factory.mktemp("small")
    text = workshop.variant_text(MIXED)
    file = folder / "small.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        lend_nana()
        table = solve.build(workshop.loads(text))
        server = Server(folder / "data", 0, "--variant-file", str(file))
    with server:
        yield server, table


def sentence(table: Table, game: komadai.Game) -> str:
    """The words expected on the page about the position, beside its value."""
    moves = table.moves(game.position)
    outcome = moves[0].value.outcome
    good = sum(one.best if outcome == "loss" else one.value.outcome == outcome for one in moves)
    words = {"win": WON, "draw": HELD, "loss": LOST}[outcome]
    return words.format(side={"b": "Black", "w": "White"}[game.turn], good=good, all=len(moves))


def says(page: Any, table: Table, game: komadai.Game) -> None:
    """The page shows the values of this position."""
    expect(page.locator("#worth")).to_have_text(sentence(table, game))
    shown = page.locator("#known button")
    expect(shown).to_have_count(len(table.moves(game.position)))
    assert [one.get_attribute("data-usi") for one in shown.all()] == [m.move.text for m in table.moves(game.position)]


def walk(page: Any, server: Server, query: str) -> None:
    visit(page, server, f"/perfect/{query}", "#known button")


def shown(page: Any) -> str:
    """The move that is shown."""
    return str(page.locator("#branches [aria-current] > span").first.inner_text()).strip()


def played(*moves: str, variant: Any = "nana") -> komadai.Game:
    game = komadai.Game(variant)
    for move in moves:
        game.push(move)
    return game


# --- Values in a study ----------------------------------------------------------------------------------------------


def test_a_study_of_a_game_without_edges_shows_values_from_the_first_move_on(
    page: Any, small: tuple[Server, Table]
) -> None:
    server, table = small
    open_study(page, server, f"?variant={table.variant.id}")
    expect(page.locator("#values")).to_be_hidden()
    page.keyboard.press("v")
    game = komadai.Game(table.variant)
    says(page, table, game)
    for number, move in enumerate(STRANDED, 1):
        page.locator(f'#known button[data-usi="{move}"]').click()
        page.locator("#branches .move").nth(number).wait_for()
        game.push(move)
        says(page, table, game)
    expect(page.locator(".value-sign")).to_have_count(0)
    page.locator('[data-at="3d"]').click()
    expect(page.locator(".value-sign").first).to_be_visible()
    page.locator("#values-button").click()
    expect(page.locator(".value-sign")).to_have_count(0)
    expect(page.locator("#values")).to_be_hidden()


def test_an_unsolved_game_has_no_values_in_a_study(page: Any, server: Server) -> None:
    open_study(page, server, "?variant=shogi")
    page.keyboard.press("v")
    expect(page.locator("#values-button")).to_be_hidden()
    expect(page.locator("#values")).to_be_hidden()


def test_values_are_hidden_while_mistakes_are_practised(page: Any, server: Server) -> None:
    paste(page, server, '[Variant "nana"]\n\nK*1b K*3b K-1a *')  # the third move throws the win away
    press_until(page, "v", "#known button")
    page.locator("#review-seconds").select_option("0.2")
    click(page, "#review", "#mistakes-b")
    page.locator("#task-says", has_text="Find a better move").wait_for()
    expect(page.locator("#values")).to_be_hidden()


def test_a_review_marks_by_the_table_what_gave_away_a_win_or_a_draw(page: Any, small: tuple[Server, Table]) -> None:
    server, table = small
    game = komadai.Game(table.variant)
    blunders = []
    for number, move in enumerate(ERRING, 1):
        judged = next(one for one in table.moves(game.position) if one.move.text == move)
        blunders += [number] if judged.blunder else []
        game.push(move)
    made = server.game(table.variant.id)
    move_on(server, made, *ERRING)
    open_study(page, server, f"?game={made}")
    page.locator("#review-seconds").select_option("0.2")
    click_until(page, "#review", "#review-says", has_text="Reviewed")
    marks = page.locator("#branches .move").evaluate_all(
        "moves => moves.map(move => move.querySelector('.mark')?.textContent ?? '')"
    )
    assert [number for number, mark in enumerate(marks) if mark == "??"] == blunders
    assert set(marks) == {"", "??"}
    assert len(blunders) > 2


# --- Perfect play ---------------------------------------------------------------------------------------------------


def test_one_walks_through_perfect_play_by_keys_and_buttons(page: Any, server: Server) -> None:
    walk(page, server, "nana")
    line = table_line(nana(), "nana")
    says(page, nana(), played())
    expect(page.locator("#value")).to_have_text("Black wins in 125 plies")
    expect(page.locator("#branches .move")).to_have_count(126)
    page.keyboard.press("]")
    says(page, nana(), played(*line[:1]))
    page.keyboard.press("ArrowRight")
    says(page, nana(), played(*line[:2]))
    page.locator("#previous").click()
    expect(page.locator("#value")).to_have_text("Black wins in 124 plies")
    page.keyboard.press("End")
    expect(page.locator("#value")).to_have_text("The game is over.")
    expect(page.locator("#known button")).to_have_count(0)
    expect(page.locator("#headline")).to_contain_text("Black wins")
    page.keyboard.press("Home")
    says(page, nana(), played())


def table_line(table: Table, variant: Any, *moves: str) -> list[str]:
    return [move.text for move in table.line(played(*moves, variant=variant).position)]


def test_another_move_goes_on_with_the_best_reply_and_is_marked(page: Any, server: Server) -> None:
    walk(page, server, "nana")
    line = table_line(nana(), "nana")
    press(page, "]", "]")
    says(page, nana(), played(*line[:2]))
    other = next(one for one in nana().moves(played(*line[:2]).position) if one.value.outcome == "loss")
    page.locator(f'#known button[data-usi="{other.move.text}"]').click()
    game = played(*line[:2], other.move.text)
    says(page, nana(), game)
    mark = page.locator("#branches [aria-current] .mark")
    expect(mark).to_have_text("??")
    reply = table_line(nana(), "nana", *line[:2], other.move.text)
    expect(page.locator("#branches .variation .move")).to_have_count(1 + len(reply))
    page.keyboard.press("]")
    game.push(reply[0])
    says(page, nana(), game)
    page.keyboard.press("End")
    expect(page.locator("#headline")).to_contain_text("White wins")


def test_a_drawn_line_ends_where_the_game_does(page: Any, small: tuple[Server, Table]) -> None:
    server, table = small
    walk(page, server, table.variant.id)
    expect(page.locator("#value")).to_have_text(DRAWN)
    page.locator("#last").click()
    expect(page.locator("#headline")).to_contain_text("repeated")
    page.locator("#first").click()
    says(page, table, komadai.Game(table.variant))


def test_hardest_wins_lead_to_their_solution(page: Any, server: Server) -> None:
    page.goto(f"{server.url}/hardest/nana")
    page.locator(".win-list a").first.click()
    puzzle = nana().hardest(1)[0]
    page.locator("#value", has_text=f"Black wins in {puzzle.distance} plies").wait_for()
    expect(page.locator("#branches .move")).to_have_count(puzzle.distance + 1)
    page.keyboard.press("End")
    expect(page.locator("#headline")).to_contain_text("Black wins")


@pytest.mark.parametrize("address", ["/hardest/nana", "/new/nana", "/rules/nana", "/puzzles/nana"])
def test_perfect_play_is_linked_from_the_pages_of_a_solved_game(page: Any, server: Server, address: str) -> None:
    page.goto(server.url + address)
    page.get_by_role("link", name="Perfect play", exact=True).click()
    page.locator("#value", has_text="Black wins in 125 plies").wait_for()


def test_perfect_play_goes_on_from_the_position_of_a_study(page: Any, server: Server) -> None:
    open_study(page, server, "?variant=nana")
    page.keyboard.press("v")
    page.locator("#known button").nth(2).click()
    says(page, nana(), played(nana().moves(played().position)[2].move.text))
    click_until(page, "#perfect", "#value", has_text=DRAWN)
    expect(page.locator("#title")).to_have_text("Nana Shogi: perfect play")
    page.locator("#to-study").click()
    page.wait_for_url("**/study?**")
    page.locator("#value", has_text=DRAWN).wait_for()


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("ki?field=3x4", "It can be made with: komadai solve ki --rule field=3x4."),
        ("shogi", "Standard shogi with these rules is not solved here"),
    ],
)
@pytest.mark.refused
def test_without_a_table_the_page_says_so(page: Any, server: Server, address: str, words: str) -> None:
    answer = page.goto(f"{server.url}/perfect/{address}")
    assert answer.status == 404
    page.locator(".asks", has_text=words).wait_for()
    page.get_by_role("link", name="Nana Shogi", exact=True).click()
    page.locator("#known button").first.wait_for()


@pytest.mark.refused
def test_a_position_of_another_game_is_refused_in_words(page: Any, server: Server) -> None:
    visit(page, server, "/perfect/nana?sfen=9/9/9 b -", "#notice", has_text="expected 1 to 3")


# --- First use --------------------------------------------------------------------------------------------------------


@pytest.mark.refused
def test_values_come_by_themselves_once_a_game_is_solved(
    page: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    file = tmp_path / "tiny.toml"
    file.write_text(workshop.variant_text(TINY), encoding="utf-8")
    waits = "Tiny is being solved: 0 %. The answer will follow."
    with Server(tmp_path / "data", 0, "--variant-file", str(file)) as server:
        walked, other = page, page.context.new_page()
        with locked(with_ending(files.cache_path(TINY), ".lock")):  # as a process that solves it has it
            walked.goto(f"{server.url}/perfect/tiny")
            other.goto(f"{server.url}/hardest/tiny")
            expect(walked.locator("#value")).to_have_text(waits)
            expect(other.locator("#notice")).to_have_text(waits)
        expect(other.locator("#wins li")).to_have_count(len(solve.open(TINY).hardest()))
        expect(other.locator("#notice")).to_be_empty()
        says(walked, solve.open(TINY), komadai.Game(TINY))
