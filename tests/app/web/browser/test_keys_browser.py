"""By keys alone: the focus is seen wherever it goes and leaves what it has entered, and every game can be begun."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from helpers.web.screens import at_ko, sit, table
from helpers.web.served import Server
from helpers.web.steps import visit

MOST = 250  # presses of Tab after which a page has no end

# What has the focus: whether it, its label or the frame round it shows that, and whether it can be seen at all.
_FOCUS = """() => {
  const it = document.activeElement;
  if (it === document.body) return null;
  const again = it.dataset.visited === "yes";
  it.dataset.visited = "yes";
  const lit = [it, it.nextElementSibling, it.parentElement, it.closest(".field")].some((one) => {
    if (!one) return false;
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && !/, 0\\)$/.test(outlineColor);
  });
  const { left, top, right, bottom } = (it.closest("label") ?? it).getBoundingClientRect();
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const seen = [[x, y], [left + 3, y], [right - 3, y], [x, top + 3], [x, bottom - 3]].some(([x, y]) => {
    const there = document.elementFromPoint(x, y);
    return there && (it.contains(there) || there.closest("label")?.contains(it));
  });
  return { name: it.id || it.getAttribute("aria-label") || it.textContent.trim() || it.className, again, lit, seen };
}"""
_STOPS = """() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
  .filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true })
    && !(one.type === "radio" && !one.checked)).length"""


def press(page: Any, *keys: str) -> None:
    """Press keys, and after each see where the focus is."""
    for key in keys:
        page.keyboard.press(key)
        focus = page.evaluate(_FOCUS)
        assert focus is None or (focus["lit"] and focus["seen"]), f"after {key}: {focus}"


def tab_to(page: Any, selector: str) -> None:
    for _ in range(MOST):
        press(page, "Tab")
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    pytest.fail(f"{selector} cannot be reached by Tab")


def focused(page: Any, selector: str) -> bool:
    return bool(page.evaluate("(selector) => document.activeElement.closest(selector) !== null", selector))


PAGES = {
    "/": ".card",
    "/new/shogi": "#fields fieldset",
    "/settings": "#sample .wood",
    "/rules/nana": "#parts:not([hidden])",
    "/edit/nana": "#fine:not(:empty)",
    "/hardest/nana": ".win",
    "/perfect/nana": "#known button",
    "/workshop": "#checked.fine",
    "/games": "#lists .button",
    "/lobby": "#offers a",
    "/learn/nana": ".stage-link",
    "/learn/nana/which-face": "#answers button",
    "/puzzles/ko": "[data-set]",
    "/study?variant=mortal": "#next button",
    "game": "#next button",
}


@pytest.mark.slow
def test_tab_goes_everywhere_is_seen_and_leaves(page: Any, server: Server) -> None:
    for path, ready in PAGES.items():
        page.goto(server.page(server.game("mortal")) if path == "game" else server.url + path)
        page.locator(ready).first.wait_for(state="attached")
        stops, visited, unseen = page.evaluate(_STOPS), 0, []
        while visited <= stops:
            page.keyboard.press("Tab")
            focus = page.evaluate(_FOCUS)
            if focus is None or focus["again"]:
                break
            visited += 1
            if not (focus["lit"] and focus["seen"]):
                unseen.append(focus)
        assert unseen == [], path
        assert visited == stops, f"{path}: every stop once, and no way back before the last"


BEGIN = {
    "shogi": (["ArrowDown"] * 3 + ["Enter", "Tab", "Enter"],),
    "mortal": (["ArrowDown"] * 3 + ["Enter", "Tab", "Enter"],),
    # A move, and a drop.
    "hand": (["ArrowDown"] * 3 + ["Enter", "Tab", "Enter"], ["d", "Tab", "Enter", "ArrowUp", "Tab", "Enter"]),
    # Both royal pieces, and a face that is chosen.
    "nana": (
        ["d", "Tab", "Tab", "Enter", "ArrowUp", "Tab", "Enter"],
        ["d", "Tab", "Tab", "Enter", "ArrowUp", "Tab", "Enter"],
        ["d", "Enter", "ArrowRight", "Enter", "ArrowUp", "Tab", "Enter"],
    ),
    "ki": (
        ["d", "Tab", "Tab", "Enter", "ArrowUp", "Tab", "Enter"],
        ["d", "Tab", "Tab", "Enter", "ArrowUp", "Tab", "Enter"],
        ["d", "Enter", "ArrowDown", "Enter", "ArrowUp", "Tab", "Enter"],
    ),
    "ki-unicorn": (["d", "Tab", "Tab", "Tab", "Enter", "ArrowUp", "Tab", "Enter"],),
    "ko": (["ArrowDown"] * 4 + ["Enter", "Tab", "Enter"],),
}


@pytest.mark.slow
def test_every_game_is_begun_by_keys(page: Any, server: Server) -> None:
    for game, turns in BEGIN.items():
        sit(page, server, server.game(game))
        for number, keys in enumerate(turns, 1):
            press(page, *keys)
            page.locator(f"#moves li:nth-child({number})").wait_for(state="attached")


def test_a_turn_of_two_captures_and_a_dialog_by_keys(page: Any, server: Server) -> None:
    table(page, server, "ko", **at_ko("SW 10j, p 10i, e 11h, P 9j, D 9s"))
    tab_to(page, "#board svg")
    press(page, "ArrowUp", "Enter", "Tab", "Enter", "Tab")
    expect(page.locator("#strip")).to_have_text("takes 2")
    press(page, "Enter")
    page.locator("#moves li", has_text="SWx10ix11h").wait_for(state="attached")
    # The dialog keeps the focus and gives it back, and so does a choice beside the board.
    tab_to(page, "#resign")
    press(page, "Enter")
    for _ in range(4):
        page.keyboard.press("Tab")
        assert focused(page, "dialog, body:not(:focus-within)")
    press(page, "Escape")
    assert focused(page, "#resign")
    table(page, server, "shogi", "7g7f", "3c3d")
    press(page, *["ArrowDown"] * 4, *["ArrowLeft"] * 3, "Enter", "Tab", "Enter")
    for _ in range(3):
        press(page, "Tab")
        assert focused(page, ".chooser")
    press(page, "Escape")
    assert focused(page, "#board svg")


def test_the_other_screens_by_keys(page: Any, server: Server) -> None:
    visit(page, server, "/settings", "#sample .icon")
    tab_to(page, '[name="pieces"]')
    press(page, "ArrowRight")
    page.wait_for_function("""() => localStorage.getItem("komadai.pieces") === '"full"'""")
    visit(page, server, "/edit/nana", "#fine:not(:empty)")
    tab_to(page, "#palette button")
    press(page, "Enter")
    tab_to(page, "#turn input")
    press(page, "ArrowRight")
    tab_to(page, "#board svg")
    press(page, "ArrowUp", "ArrowUp", "Enter")
    page.wait_for_function("() => document.getElementById('text').value.includes('/1K1/') === false")
    page.goto(f"{server.url}/new/nana")
    tab_to(page, '[name="opponent"]')
    press(page, *["ArrowRight"] * 8)
    tab_to(page, "#start")
    press(page, "Enter")
    page.locator("#board svg").wait_for()
    visit(page, server, "/study?variant=nana", "#next button")
    for move in ("K*1a", "K*3c"):
        press(page, "/")
        page.keyboard.type(move)
        press(page, "Enter")
        page.locator("#branches .move", has_text=move).wait_for()
        press(page, "Escape")
    press(page, "[", "[", "/")
    page.keyboard.type("K*2a")
    press(page, "Enter")
    page.locator("#branches .aside .move").wait_for()
    press(page, "Escape")
    tab_to(page, "#branches .aside .move")
    press(page, "Enter", "c")
    page.keyboard.type("another way")
    press(page, "Escape")
    page.locator("#branches .comment").wait_for()
    tab_to(page, "#save")
    press(page, "Enter")
    assert focused(page, "dialog")
    press(page, "Tab", "Tab", "Escape")
    assert focused(page, "#save")


LANDMARKS = """
- banner:
  - heading "Standard shogi" [level=1]
- main:
  - region "Far side"
  - region "Board":
    - application /Arrow keys move the cursor/
  - region "Near side"
  - region "Status"
  - complementary:
    - region "Moves":
      - heading "Moves" [level=2]
      - list
    - button "Undo"
    - button "Resign"
    - textbox /^Move/
"""


def test_the_tree_of_a_screen_reader(page: Any, server: Server) -> None:
    table(page, server, "shogi", "7g7f")
    expect(page.locator("body")).to_match_aria_snapshot(LANDMARKS)
