"""Sets of pieces and boards, as chosen in the settings."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

import komadai
from helpers.web.browsing import enter
from helpers.web.screens import sit, table
from helpers.web.served import Server
from helpers.web.steps import visit
from komadai import variants
from komadai.spec import Unbounded

WRITING = """() => [...document.querySelectorAll("#board .piece > g g, #board .stones > g")].map((g) =>
  [...g.querySelectorAll("text")].map((line) => line.textContent).join(""))"""


SAMPLE = ("K*5e", "K*4c", "CHO*4e", "MYOU*3c")  # cubes of both sides
BOARDS = ("wood", "paper", "moss", "slate", "night", "contrast")
COLOURS = """(boards) => {
  const found = {};
  const of = (part, name) => getComputedStyle(part)[name];
  for (const board of boards) {
    document.documentElement.dataset.board = board;
    const style = getComputedStyle(document.documentElement);
    const named = (name) => style.getPropertyValue(name).trim();
    const pieces = {};
    for (const body of document.querySelectorAll("#board :is(.koma-body, .cube-rim, .cube-face, .stone-body)")) {
      const piece = body.closest(".piece"), side = [...piece.classList].find((name) => name.startsWith("side-"));
      const text = of(piece.querySelector("text"), "fill");
      pieces[`${body.classList[0]} ${side}`] = { body: of(body, "fill"), edge: of(body, "stroke"), text };
    }
    found[board] = { wood: named("--wood"), lines: named("--lines"), names: named("--names"), pieces };
  }
  return found;
}"""


def light(colour: str) -> tuple[float, ...]:
    """Red, green and blue of a colour as CSS writes it."""
    if colour.startswith("#"):
        return tuple(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return tuple(float(number) / 255 for number in re.findall(r"[\d.]+", colour)[:3])


def contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """The contrast ratio of WCAG 2."""

    def luminance(colour: tuple[float, ...]) -> float:
        linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in colour]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def fonts(page: Any) -> list[str]:
    """The fonts that the page has loaded."""
    page.evaluate("document.fonts.ready")
    return sorted(
        page.evaluate(
            "() => performance.getEntriesByType('resource').map(({ name }) => name.split('/').pop())"
            ".filter((name) => name.endsWith('.woff2'))"
        )
    )


@pytest.mark.parametrize(
    ("chosen", "font", "writing"),
    [
        ("kanji", [], "記室"),
        ("full", [], "記室"),
        ("moves", ["komadai-short.woff2"], "記"),
        ("brush", ["komadai-brush.woff2"], "記室"),
        ("short", ["komadai-short.woff2"], "記"),
    ],
)
def test_a_set_of_pieces_has_its_writing_and_loads_only_its_font(
    page: Any, server: Server, chosen: str, font: list[str], writing: str
) -> None:
    visit(page, server, "/settings", "#sample .wood")
    page.locator(f'input[name="pieces"][value="{chosen}"]').check(force=True)
    sit(page, server, server.game("ko"))
    assert fonts(page) == sorted([*font, "komadai-kanji.woff2"])
    assert writing in page.evaluate(WRITING)


def test_two_kanji_are_the_whole_name(page: Any, server: Server) -> None:
    page.add_init_script("localStorage.setItem('komadai.pieces', '\"full\"')")
    table(page, server, "shogi")
    assert {"王将", "玉将", "飛車", "角行", "金将", "銀将", "桂馬", "香車", "歩兵"} == {*page.evaluate(WRITING)}


def test_japanese_rules_have_the_whole_names_and_their_readings(window: Any, server: Server) -> None:
    page = window(locale="ja-JP")
    page.goto(f"{server.url}/rules/shogi")
    expect(page.locator('[data-kind="L"] .kind-head')).to_contain_text("香車きょうしゃ · L")
    expect(page.locator('[data-kind="K"] .kind-head')).to_contain_text("玉将王将 ぎょくしょう · K")


def test_pieces_in_hand_are_nearly_as_large_as_those_on_the_board(window: Any, server: Server) -> None:
    page = window(viewport={"width": 1280, "height": 800})
    for game, least in (("hand", 0.84), ("shogi", 0.97)):
        table(page, server, game)
        held, stands = (
            page.locator(f"{where} .koma-body").first.evaluate("(body) => body.getBoundingClientRect().height")
            for where in ("#tray-near", "#board")
        )
        assert least * stands <= held <= 1.05 * stands


def test_lines_coordinates_and_pieces_stand_out_on_every_board(page: Any, server: Server) -> None:
    for game, moves in (("shogi", ()), ("ko", ()), ("ki", SAMPLE)):
        table(page, server, game, *moves)
        for board, seen in page.evaluate(COLOURS, BOARDS).items():
            wood, lines = light(seen["wood"]), light(seen["lines"])
            blended = tuple(0.75 * line + 0.25 * ground for line, ground in zip(lines, wood, strict=True))
            assert contrast(blended, wood) >= 3, (board, "lines are drawn a little transparent")
            assert contrast(light(seen["names"]), wood) >= 4.5, board
            assert seen["pieces"]
            for name, piece in seen["pieces"].items():
                body, text = light(piece["body"]), light(piece["text"])
                edge = body if piece["edge"] == "none" else light(piece["edge"])
                if "rim" not in name:
                    assert contrast(text, body) >= 4.5, (board, name)
                if board == "night" and "face" not in name:
                    assert max(contrast(body, wood), contrast(edge, wood)) >= 3, name


def test_the_boards_of_the_test_are_those_of_the_settings(page: Any, server: Server) -> None:
    page.goto(f"{server.url}/settings")
    inputs = page.locator('input[name="board"]')
    page.locator(".swatch").first.wait_for()
    assert [each.get_attribute("value") for each in inputs.all()] == [*BOARDS]
    for board in reversed(BOARDS):  # the first is the default, which changes nothing
        page.locator(f'input[name="board"][value="{board}"]').check(force=True)
        assert page.evaluate("document.documentElement.dataset.board") == board
    swatches = page.locator(".swatch").evaluate_all(
        "(all) => all.map((each) => getComputedStyle(each).backgroundColor)"
    )
    assert len(set(swatches)) == len(BOARDS)


@pytest.mark.parametrize(
    ("motion", "reduced", "rolls"), [("on", False, True), ("on", True, False), ("off", False, False)]
)
def test_cubes_roll_when_they_turn_where_motion_is_wanted(
    window: Any, server: Server, motion: str, reduced: bool, rolls: bool
) -> None:
    page = window(reduced_motion="reduce" if reduced else "no-preference")
    page.add_init_script(f"localStorage.setItem('komadai.motion', JSON.stringify('{motion}'))")
    table(page, server, "nana", "K*1a", "K*3c", "GB*2a", "R*2c")
    page.evaluate("""() => new MutationObserver(() => {
      if (document.querySelector("#board .rolling")) window.rolled = true;
    }).observe(document.getElementById("board"), { subtree: true, attributes: true, childList: true })""")
    enter(page, "2a2b")
    page.locator("#moves li:nth-child(5)").wait_for(state="attached")
    page.wait_for_function("() => document.querySelectorAll('#board .rolling').length === 0")
    assert bool(page.evaluate("window.rolled")) is rolls
    expect(page.locator("#board .slot .piece")).to_have_count(4)


LABELS = """() => {
  const svg = document.querySelector("#board .board-svg"), rim = svg.getBoundingClientRect();
  const place = (part) => part.getBoundingClientRect();
  const labels = [...svg.querySelectorAll(".label")].map((label) => ({ is: label.textContent, at: place(label) }));
  const points = [...svg.querySelectorAll(".hit")].map(place);
  const right = Math.max(...points.map((at) => at.right)), top = Math.min(...points.map((at) => at.top));
  const upon = (one, other) =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  const found = labels.length ? [] : ["no coordinates"];
  for (const { is, at } of labels) {
    if (at.left < rim.left || at.right > rim.right || at.top < rim.top || at.bottom > rim.bottom)
      found.push(`${is} is cut off`);
    if (at.left < right - 1 && at.bottom > top + 1 + at.height / 4) found.push(`${is} stands on the board`);
    if (labels.some((other) => other.at !== at && upon(at, other.at))) found.push(`${is} touches another`);
  }
  return found;
}"""
"""The coordinates that are cut off at the rim, stand on the points, or touch each other."""


@pytest.mark.parametrize("notation", ["own", "japanese"])
def test_every_coordinate_is_whole_and_beside_the_pieces(page: Any, server: Server, notation: str) -> None:
    found = []
    page.goto(server.url)
    page.evaluate(f"localStorage.setItem('komadai.notation', '\"{notation}\"')")
    for game in variants.names(shelf=True):
        if not isinstance(komadai.variant(game).board, Unbounded):
            visit(page, server, f"/study?variant={game}", "#next button", state="attached")
            for side in ("Black", "White"):
                found += [f"{game} from {side}’s side: {fault}" for fault in page.evaluate(LABELS)]
                page.keyboard.press("f")
    assert not found, "\n".join(found)
