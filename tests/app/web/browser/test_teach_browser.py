"""Lessons that people make: written on the board, shared by link and file, played by whoever opens the link."""

from __future__ import annotations

import base64
import zlib
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from helpers.tutorial import written
from helpers.web.served import Server
from helpers.web.steps import visit
from komadai.app.lessons import loader, shared

FORK = "k4/5/1r1b1/5/4K b G"


@pytest.fixture
def editor(page: Any, server: Server) -> Any:
    visit(page, server, "/teach?game=minishogi", "#checked:not(:empty)")
    return page


def drop(page: Any, point: str) -> None:
    """Drop the only piece in hand."""
    page.locator("#tray-near button:enabled").first.click()
    page.locator(f'#board [data-at="{point}"]').first.click()


def set_up(page: Any, position: str) -> None:
    page.locator("#set-position").click()
    page.locator("#set-text").fill(position)
    page.locator("#set-entry button:not(#set-copy)").click()
    expect(page.locator("#set-fine")).not_to_be_empty()
    page.locator("#use-position:enabled").click()


def hash_of(text: str, name: str = "lesson") -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(text.encode()) + packer.flush()
    return f"#{name}={base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def test_a_lesson_is_written_on_the_board_and_played_by_whoever_opens_its_link(editor: Any, server: Server) -> None:
    page = editor
    expect(page.locator("#faults")).to_contain_text("Stage 1 · Title")
    page.locator("#about").fill("You win a piece.")
    page.get_by_label("Title", exact=True).fill("The fork")
    page.get_by_label("Words: one thought").fill("Attack both <b>at once</b>.")
    set_up(page, FORK)
    expect(page.locator("#board .piece")).to_have_count(4)
    drop(page, "3b")
    expect(page.locator(".teach-goal .teach-chips")).to_have_text("G*3b×")
    page.get_by_role("button", name="Add an answer to a mistake").click()
    drop(page, "3d")
    page.get_by_label("What is said", exact=True).fill("The bishop takes it.")
    expect(page.locator("#checked.fine")).to_have_text("The lesson can be played.")
    page.locator("#share:enabled").click()
    expect(page.locator("#link")).to_be_visible()
    link = page.locator("#link").input_value()
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator("#title")).to_have_text("A lesson of Minishogi")
    page.locator(".stage-link").click()
    expect(page.locator("#task")).to_have_text("Attack both <b>at once</b>.")
    drop(page, "3d")
    expect(page.locator("#feedback")).to_contain_text("The bishop takes it.")
    expect(page.locator("#board .piece")).to_have_count(4)
    drop(page, "3b")
    expect(page.locator("#feedback")).to_contain_text("Well done.")
    page.locator("#course").click()
    expect(page.locator(".stage-link.done")).to_have_count(1)
    page.get_by_role("link", name="Change this lesson").click()
    expect(page.get_by_label("Title", exact=True)).to_have_value("The fork")


def test_points_lines_and_questions_are_written_and_the_file_is_read_again(
    editor: Any, server: Server, tmp_path: Path
) -> None:
    page = editor
    page.locator("#about").fill("All goals.")
    goal = page.get_by_label("The learner is to")
    for number, title in enumerate(("Walk", "Line", "Ask"), 1):
        if number > 1:
            page.locator("#add-stage").click()
        page.get_by_label("Title", exact=True).fill(title)
        page.get_by_label("Words: one thought").fill("Go.")
        if number == 1:
            set_up(page, "k4/5/5/5/4K b G")
            goal.select_option("reach")
            page.locator('#board [data-at="1c"]').first.click()
            expect(page.locator(".goal.target")).to_have_count(1)
            page.locator('[role=group][aria-label="The piece that moves"] button[aria-pressed]').click()
            page.locator('#board [data-at="1e"]').first.click()
            page.get_by_label("In how many moves").fill("2")
        elif number == 2:
            goal.select_option("lines")
            drop(page, "4c")
            expect(page.locator("#board .piece")).to_have_count(3)
            for point in ("5a", "4a"):
                page.locator(f'#board [data-at="{point}"]').first.click()
            expect(page.locator(".teach-goal .teach-chips li")).to_have_count(2)
            for point in ("4c", "4b"):
                page.locator(f'#board [data-at="{point}"]').first.click()
            expect(page.locator(".teach-goal .teach-chips li")).to_have_count(3)
        else:
            goal.select_option("choices")
            for right, words in (("Yes", "Right."), ("No", "Think again.")):
                page.get_by_role("button", name="Add an answer", exact=True).click()
                group = page.locator(".teach-goal .teach-group").last
                group.get_by_label("Answer", exact=True).fill(right)
                group.get_by_label("What is said to it").fill(words)
    expect(page.locator("#checked.fine")).to_be_visible()
    with page.expect_download() as saved:
        page.locator("#save-file").click()
    file = tmp_path / "lesson.toml"
    saved.value.save_as(file)
    text = file.read_text(encoding="utf-8")
    walk, line, ask = shared.load(text).entries
    assert (walk.goal.points, walk.goal.piece, walk.moves) == (("1c",), "1e", 2)
    assert (line.goal.lines, line.position) == ((("G*4c", "5a4a", "4c4b"),), "k4/5/5/5/4K b G")
    assert [choice.right for choice in ask.goal.choices] == [True, False]
    page.locator("#begin").select_option("nana")
    expect(page.locator("#heading")).to_have_text("A lesson of Nana Shogi")
    page.locator("#open-file").set_input_files(file)
    expect(page.locator("#heading")).to_have_text("A lesson of Minishogi")
    expect(page.locator("#stages button")).to_have_text(["Walk", "Line", "Ask"])
    with page.expect_download() as saved:
        page.locator("#save-file").click()
    saved.value.save_as(file)
    assert file.read_text(encoding="utf-8") == text, "nothing is lost"


def test_a_course_of_the_package_is_opened_by_its_file(editor: Any) -> None:
    page = editor
    page.locator("#open-file").set_input_files(loader._FOLDER / "nana.toml")
    expect(page.locator("#heading")).to_have_text("A lesson of Nana Shogi")
    expect(page.locator("#checked.fine")).to_be_visible()
    expect(page.locator("#stages button").first).to_have_text("Put your king on the board")


def test_a_variant_file_travels_with_its_lesson(page: Any, server: Server, tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(written(), encoding="utf-8")
    visit(page, server, "/teach?game=nana", "#checked:not(:empty)")
    page.locator("#open-file").set_input_files(file)
    expect(page.locator("#heading")).to_have_text("A lesson of My Minishogi")
    page.locator("#about").fill("A pawn goes on.")
    page.get_by_label("Title", exact=True).fill("Push")
    page.get_by_label("Words: one thought").fill("Push the pawn.")
    for point in ("5d", "5c"):
        page.locator(f'#board [data-at="{point}"]').first.click()
    page.locator("#share:enabled").click()
    expect(page.locator("#link")).to_be_visible()
    page.goto(page.locator("#link").input_value())
    page.locator(".stage-link").click()
    expect(page.locator("#task")).to_have_text("Push the pawn.")
    page.locator("#learn").click()
    expect(page.locator(".rules-sheet[open] h2#rules-title")).to_have_text("My Minishogi: the rules")
    page.keyboard.press("Escape")
    for point in ("5d", "5c"):
        page.locator(f'#board [data-at="{point}"]').first.click()
    expect(page.locator("#feedback")).to_contain_text("Well done.")


def test_a_game_of_the_workshop_has_lessons(page: Any, server: Server) -> None:
    page.goto(f"{server.url}/workshop/play{hash_of(written(), 'file')}")
    expect(page.locator("#board .piece")).not_to_have_count(0)
    page.locator("#lessons").click()
    expect(page.locator("#title")).to_have_text("Learn My Minishogi")
    page.get_by_role("link", name="Begin").click()
    expect(page.locator("#heading")).to_have_text("Win with one move")
    page.locator("#hint").click()
    expect(page.locator(".arrow-line, .arrow-head").first).to_be_attached()


@pytest.mark.refused
def test_hostile_links_get_a_sentence_and_nothing_else(page: Any, server: Server) -> None:
    page.on("dialog", lambda _dialog: pytest.fail("a script of the link ran"))
    script = '<img src=x onerror="alert(1)"><script>alert(1)</script>'
    marked = (
        f"game = \"nana\"\nabout = '{script}'\n[[chapters]]\ntitle = '{script}'\n[[chapters.stages]]\nid = \"a\"\n"
        f"title = '{script[:70]}'\ntext = '{script}'\nchoices = [{{ text = '{script}', says = '{script}',"
        f" right = true }}, {{ text = 'b', says = '{script}' }}]"
    )
    page.goto(f"{server.url}/lesson/a{hash_of(marked)}")
    page.locator(".answer").first.click()
    expect(page.locator("#feedback")).to_contain_text("<script>")
    for place in ("lesson", "teach"):
        page.goto("about:blank")
        page.goto(f"{server.url}/{place}{hash_of(marked)}")
        expect(page.locator("#stages button, .stage-link")).to_contain_text("<img")
    assert page.locator("img, main script").count() == 0
    bomb = hash_of("#" * (100 << 20))
    for address, element, words in (
        (f"lesson{bomb}", "#notice", "This is too large: at most 64 kB are read."),
        (f"lesson/a{bomb}", "#heading", "This is too large: at most 64 kB are read."),
        (f"teach{bomb}", "#notice", "This is too large: at most 64 kB are read."),
        ("lesson#lesson=%%%", "#notice", "The address holds no lesson that can be read."),
        ("lesson", "#notice", "The address holds no lesson that can be read."),
        ("teach#lesson=AAAA", "#notice", "The address holds no lesson that can be read."),
        (f"lesson{hash_of('x')}", "#notice", "Lesson: "),
        (f"teach{hash_of('x')}", "#notice", "Expected"),
        (f"lesson/nowhere{hash_of(marked)}", "#heading", "no stage 'nowhere'"),
    ):
        page.goto("about:blank")
        page.goto(f"{server.url}/{address}")
        expect(page.locator(element)).to_contain_text(words)


def test_a_lesson_that_is_too_long_says_so_and_keeps_what_was_written(editor: Any) -> None:
    page = editor
    page.locator("#about").fill("A lesson.")
    expect(page.locator("#faults .defect")).to_have_count(2)
    page.evaluate(
        "localStorage.setItem('teach', localStorage.getItem('teach').replace('A lesson.', 'A'.repeat(60000)))"
    )
    page.reload()
    expect(page.locator("#faults")).to_contain_text("more than 1500 characters")
    page.get_by_label("Words: one thought").evaluate(
        "field => { field.value = '駒'.repeat(2000); field.dispatchEvent(new Event('input')); }"
    )
    expect(page.locator("#checked")).to_have_text("This is too large: at most 64 kB are read.")
    expect(page.locator("#share")).to_be_disabled()


def test_the_lesson_before_can_be_had_again(editor: Any) -> None:
    page = editor
    page.get_by_label("Title", exact=True).fill("Mine")
    expect(page.locator("#stages button")).to_have_text("Mine")
    page.locator("#begin").select_option("nana")
    expect(page.locator("#heading")).to_have_text("A lesson of Nana Shogi")
    page.locator("#begin").select_option("The lesson before")
    expect(page.get_by_label("Title", exact=True)).to_have_value("Mine")
