"""Every page at the sizes it is looked at, zoomed, and on small phones: nothing is wider than the window, the board is
large enough, and no part lies upon it."""

from __future__ import annotations

from typing import Any

import pytest

import komadai
from helpers.openings import lines_of
from helpers.web.browsing import PHONE, in_sight
from helpers.web.screens import table
from helpers.web.served import Server
from helpers.web.steps import click, visit
from komadai.app import lessons, openings, puzzles

SIZES = ((390, 844), (820, 1180), (1024, 1366), (1280, 800), (1920, 1080))
BETWEEN = ((640, 900), (640, 530), (768, 600), (900, 700), (1024, 768))
ZOOMED = ((640, 400), (427, 267), (320, 256))  # 1280×800 at 200, 300 and 400 % (WCAG 1.4.4, 1.4.10)
SMALL = ((844, 390), (667, 375), (568, 320), (320, 568), (280, 653))  # phones, also lying on their side
GAMES = ("shogi", "hand", "nana", "mortal", "ki", "ki-unicorn", "ko")

PAGES = {
    "home": ("/", ".card"),
    "settings": ("/settings", "#sample .wood"),
    "lobby": ("/lobby", "#offers a"),
    "games": ("/games", "#lists .button"),
    "hardest": ("/hardest/nana", ".win"),
    "perfect": ("/perfect/nana", "#known button"),
    "learn": ("/learn", ".course"),
    "rules": ("/rules", ".ruled"),
    "workshop": ("/workshop", "#checked.fine"),
    "puzzles": ("/puzzles", ".course"),
    **{f"puzzles {game}": (f"/puzzles/{game}", "[data-set]") for game in GAMES},
    **{f"puzzle {game}": (f"/puzzles/{game}/{puzzles.load(game)[-1].id}", "#board .wood") for game in GAMES},
    "openings": ("/openings", ".course"),
    **{f"openings {game}": (f"/openings/{game}", "[data-opening]") for game in openings.games()},
    **{f"opening {game}": (f"/openings/{game}/{lines_of(game)[0].id}.w", "#board .wood") for game in openings.games()},
    **{f"learn {game}": (f"/learn/{game}", ".stage-link") for game in lessons.written()},
    **{
        f"lesson {game} {entry.id}": (f"/learn/{game}/{entry.id}", "#board .wood")
        for game in lessons.written()
        for entry in lessons.course(game).entries[::9]
    },
    **{
        f"{page} {game}": (path.format(game=game), ready)
        for game in GAMES
        for page, path, ready in (
            ("new", "/new/{game}", "#fields fieldset"),
            ("study", "/study?variant={game}", "#next button"),
            ("edit", "/edit/{game}", "#fine:not(:empty)"),
            ("rules", "/rules/{game}", "#parts:not([hidden])"),
        )
    },
}
_FAULTS = """() => {
  const wide = document.documentElement.clientWidth;
  const found = [];
  if (document.documentElement.scrollWidth > wide) found.push(`${document.documentElement.scrollWidth} pixels wide`);
  const board = document.querySelector("#board .wood")?.getBoundingClientRect();
  if (!board) return found;
  if (board.left < -1 || board.right > wide + 1) found.push("the board is cut off");
  const [across, window] = [Math.max(board.width, board.height), Math.min(innerWidth, innerHeight)];
  if (window <= 900 && across < 0.59 * window && board.width < 0.9 * wide)
    found.push(`the board of ${Math.round(board.width)} pixels is small`);
  for (const name of [".panel", ".status", ".side", ".tray"]) {
    for (const part of document.querySelectorAll(name)) {
      const at = part.getBoundingClientRect();
      const apart = at.left >= board.right - 2 || at.right <= board.left + 2;
      if (at.width && !apart && at.top < board.bottom - 2 && at.bottom > board.top + 2)
        found.push(`${name} lies upon the board`);
    }
  }
  return found;
}"""


def faults(page: Any, name: str) -> list[str]:
    found = []
    for width, height in (*SIZES, *BETWEEN, *ZOOMED, *SMALL):
        page.set_viewport_size({"width": width, "height": height})
        found += [f"{name} at {width}×{height}: {fault}" for fault in page.evaluate(_FAULTS)]
    return found


_HANDS = """() => {
  const width = (part) => part.getBoundingClientRect().width;
  const field = document.querySelector("#board .field"), board = width(document.querySelector("#board .wood"));
  const share = field ? 0.9 / 8 : Math.min((0.9 * width(document.querySelector("#board .hit"))) / board, 0.15);
  const square = (icon) => (width(icon) * 100) / icon.viewBox.baseVal.width;
  return [...document.querySelectorAll(".tray .icon")].map((icon) => square(icon) / board / share);
}"""
"""The size of each piece in hand, in that of a piece that is as large as on the board, or a part of a large one."""


@pytest.mark.parametrize("game", [game for game in GAMES if komadai.variant(game).hand_order])
def test_pieces_in_hand_are_as_large_as_the_board_asks(page: Any, server: Server, game: str) -> None:
    table(page, server, game)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        sizes = page.evaluate(_HANDS)
        assert len(sizes) == 2 * len(komadai.variant(game).hand_order)
        assert 0.8 < min(sizes) <= max(sizes) < 1.2, (width, height, min(sizes), max(sizes))


PARTS = (
    "new",
    "study",
    "edit",
    "rules",
    "home",
    "settings",
    "lobby",
    "games",
    "hardest",
    "perfect",
    "workshop",
    "game",
    "learn",
    "lesson",
    "puzzles",
    "puzzle",
    "openings",
    "opening",
)


@pytest.mark.parametrize("part", PARTS)
def test_every_page_fits_every_size(page: Any, server: Server, part: str) -> None:
    found = []
    for name, (path, ready) in PAGES.items():
        if name.split(" ")[0] == part:
            visit(page, server, path, ready, state="attached")
            found += faults(page, name)
    if part == "game":
        for game in GAMES:
            table(page, server, game)
            found += faults(page, f"game {game}")
    assert not found, "\n".join(found)


_HIDDEN = """() => ["#tray-near", "#tray-far", "#moves li"].filter((name) => {
  const part = document.querySelector(name), at = part.getBoundingClientRect();
  const seen = document.elementFromPoint(at.left + at.width / 2, at.bottom - 3);
  return at.height && !(seen && part.parentElement.contains(seen));
})"""
"""The parts of which something lies upon the lower edge, or which are out of sight."""


@pytest.mark.parametrize(
    "asked", [{}, {"w": "level1"}, {"w": "level1", "time": "10m 3x30s"}], ids=["", "guide", "clock"]
)
def test_the_moves_are_in_sight_beside_the_whole_board(page: Any, server: Server, asked: dict[str, str]) -> None:
    found = []
    for game in GAMES:
        table(page, server, game, str(next(iter(komadai.Game(game).position.legal_moves()))), **asked)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            for part in ("#board svg.board-svg", "#moves"):
                box = page.locator(part).bounding_box()
                if box["y"] < 0 or box["y"] + box["height"] > height:
                    found.append(f"{game} at {width}×{height}: {part} is out of sight")
            found += [f"{game} at {width}×{height}: {part} is covered" for part in page.evaluate(_HIDDEN)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("game", [game for game in komadai.variants() if len(komadai.variant(game).hand_order) > 8])
def test_hands_of_many_kinds_are_in_sight_with_the_board_on_a_phone(page: Any, server: Server, game: str) -> None:
    table(page, server, game)
    for width, height in ((390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        in_sight(page, "#tray-far", "#board .wood", "#tray-near")
        slots = [one.bounding_box() for one in page.locator("#tray-near .slot").all()]
        assert min(min(slot["width"], slot["height"]) for slot in slots) >= 24, width


@pytest.mark.parametrize("size", [(390, 844), (820, 1180)], ids=str)
def test_a_study_has_its_steps_in_sight_below_board_and_hands(page: Any, server: Server, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    for game in GAMES:
        visit(page, server, f"/study?variant={game}", "#next button")
        parts = ["#board .wood", ".steps"]
        if komadai.variant(game).hand_order:
            parts += ["#tray-far", "#tray-near"]
        in_sight(page, *parts)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_first_page_leads_on_in_one_row_on_a_phone(window: Any, server: Server, language: str) -> None:
    page = window(viewport=PHONE, locale=language)
    visit(page, server, "/", ".card .row")
    tops = page.locator(".card:first-child .row .button").evaluate_all("all => all.map((one) => one.offsetTop)")
    assert len(tops) > 3
    assert len(set(tops)) == 1


def test_the_line_of_moves_follows_on_a_phone(page: Any, server: Server) -> None:
    page.set_viewport_size(PHONE)
    game = komadai.Game("shogi")
    for _ in range(12):
        game.push(next(iter(game.position.legal_moves())))
    table(page, server, "shogi", *map(str, game.moves))

    def seen(number: int) -> bool:
        box = page.locator(f"#moves li:nth-child({number})").bounding_box()
        return bool(box["x"] >= 0 and box["x"] + box["width"] <= 390)

    assert seen(12)
    assert not seen(1)
    click(page, "#first", "#following")
    page.locator("#looking-at", has_text="move 1 of 12").wait_for()
    assert seen(1)


LONG = "WWWWWWWWWWWWWWWWWWWW"


def test_only_the_panel_is_scrolled_beside_the_board(page: Any, server: Server) -> None:
    """Whatever is unfolded, the page itself stays: board, clocks and result are in view."""
    page.set_viewport_size({"width": 1280, "height": 800})
    for game in GAMES:
        table(page, server, game, time="10m 3x30s")
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        assert page.evaluate("document.documentElement.scrollHeight") <= 800, game
        assert page.evaluate(
            "(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)(document.querySelector('.panel'))"
        )
        page.locator(".panel summary").last.scroll_into_view_if_needed()
        in_sight(page, "#clock-far", "#clock-near", "#headline")


def test_a_long_move_stands_beside_its_number(page: Any, server: Server) -> None:
    table(page, server, "ki", "K*5e", "K*4c", "CHO*4e", "MYOU*3c", "4e4f")
    page.locator("#moves .move").last.evaluate(
        "(move, words) => move.replaceChildren(words)", LONG[:9] + " " + LONG[:9]
    )
    number, move = page.locator("#moves li").nth(4), page.locator("#moves .move").nth(4)
    assert move.bounding_box()["y"] - number.bounding_box()["y"] < 6
    assert move.bounding_box()["height"] > 30, "its words wrap"


def test_the_cards_of_the_lobby_keep_away_from_the_edge(page: Any, server: Server) -> None:
    visit(page, server, "/lobby", "#offers a")
    for width in (700, 820, 1040, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.locator("main").bounding_box()["x"] >= 12, width
