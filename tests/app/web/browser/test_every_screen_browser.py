"""Every screen and every game, on a desktop and on a phone, light and dark: what fits, and what axe-core finds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from helpers.openings import lines_of
from helpers.volume import FULL
from helpers.web.browsing import DESKTOP, PHONE, hand
from helpers.web.inspecting import complaints, watch
from helpers.web.screens import apart, at_ko, make, move_on, sit, table
from helpers.web.served import WAIT, Server, keep
from helpers.web.steps import click, click_until, press, press_until
from komadai.app import puzzles

GAMES = ("shogi", "hand", "nana", "mortal", "ki", "ki-unicorn", "ko")
SAMPLE = ("K*5e", "K*4c", "CHO*4e", "MYOU*3c", "4e4f", "4c3d", "MYOU*5f", "CHO*3e")  # then 5e5d loses two cubes

Show = Callable[[Any, Server], None]
Look = Callable[[Any], list[str]]


def go(path: str, *ready: str) -> Show:
    """Visit an address, and wait until all of these are there."""

    def show(page: Any, server: Server) -> None:
        page.goto(server.url + path)
        for selector in ready:
            page.locator(selector).first.wait_for(state="attached")

    return show


def unfolded(show: Show) -> Show:
    """The same, with everything open that can be."""

    def then(page: Any, server: Server) -> None:
        show(page, server)
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")

    return then


def play(variant: str, *moves: str, then: Callable[[Any], None] = lambda page: None, **asked: Any) -> Show:
    """A game after these moves, in which something is done."""

    def show(page: Any, server: Server) -> None:
        table(page, server, variant, *moves, **asked)
        then(page)

    return show


def greeted(page: Any, server: Server) -> None:
    """Two people, with the panel of greetings open."""
    met(page, server)
    page.locator("#greetings summary").click()


def guided(page: Any, server: Server) -> None:
    """The guide marks a piece that hangs."""
    sit(page, server, keep(make(server, "shogi", "level1", position=HANGING)))
    page.locator("#guide-says:not(:empty)").wait_for()


def tapping(*selectors: str) -> Callable[[Any], None]:
    """Tap one after the other; a point by its name."""

    def tap(page: Any) -> None:
        for one in selectors:
            page.locator(f'#board [data-at="{one}"]' if one[0].isdigit() else one).first.click()

    return tap


def home(page: Any, server: Server) -> None:
    """The first page, with a game to go on with."""
    table(page, server, "shogi")
    go("/", ".card", "#games li")(page, server)


def my_games(page: Any, server: Server) -> None:
    """Games that go on, one that is over, and what was missed in it."""
    table(page, server, "mortal", "7g7f")
    table(page, server, "shogi", "5i5h", "6f3f", **LEFT)
    recalled(page)
    go("/games", "#going .played", "#finished .played", "#missed a")(page, server)


def keyed(page: Any, server: Server) -> None:
    """A profile key that was just made."""
    go("/games", "#make-key:visible")(page, server)
    click_until(page, "#make-key", "#made-link")
    page.evaluate("localStorage.removeItem('komadai.profile')")  # the next screens have none


def lobby(page: Any, server: Server) -> None:
    """Games that wait for whoever comes by."""
    make(server, "shogi", w="open", lobby=True, time="3d")
    make(server, "nana", w="open", lobby=True, time="10m 3x30s", options={"illegal_move": "loses"})
    go("/lobby", "#challenges .primary", "#offers a")(page, server)


def lonely(page: Any, server: Server) -> None:
    """A game to which nobody has come yet, made in this browser."""
    page.goto(f"{server.url}/new/hand")
    click(page, 'label:has(input[value="open"])', "#start")
    page.locator("#invitation").wait_for()


def invited(page: Any, server: Server) -> None:
    made = make(server, "hand", w="open", time="10m 3x30s", name="Ada Lovelace")
    go(f"/join#{made['invite']}", "#scene .piece")(page, server)


def met(page: Any, server: Server) -> None:
    """Two people with clocks, of whom the other, who gave no name, offers a pause."""
    game, token = apart(server, "shogi", time="10m 3x30s")
    move_on(server, game, "7g7f")
    sit(page, server, game)
    client = server.join(game, token=token).__enter__()
    page.once("close", lambda _: client.__exit__(None, None, None))
    assert client.command("pause")["t"] == "ack"
    page.locator("#offers .offer").wait_for()
    page.locator("#plate-far .presence", has_text="●").wait_for()


def resigned(page: Any) -> None:
    tapping("#resign", "#sure-yes")(page)
    page.locator("body.over").wait_for()


def recalled(page: Any) -> None:
    """The moments of a game that has ended."""
    resigned(page)
    page.locator(".moments a").first.wait_for()


def tried_again(page: Any) -> None:
    """One of them as a drill."""
    recalled(page)
    click_until(page, ".moments a", "#task-says:not(:empty)")


def come_nearer(page: Any) -> None:
    for _ in range(3):
        page.keyboard.press("+")
    page.locator(".overview").wait_for()


def hold(page: Any) -> None:
    """A finger stays on a stone: it gets a loupe or, where stones are large enough, the card."""
    page.locator('#board [data-at="10m"]').evaluate(
        """(hit) => {
          const { x, y } = hit.getBoundingClientRect();
          const finger = { pointerId: 7, pointerType: "touch", isPrimary: true, clientX: x + 9, clientY: y + 9 };
          hit.dispatchEvent(new PointerEvent("pointerdown", { ...finger, bubbles: true }));
        }"""
    )
    page.locator(".loupe:not([hidden]), #card.sheeted").first.wait_for()


def settle(page: Any) -> None:
    tapping(".gear")(page)
    page.locator(".settings-sheet[open]").wait_for()


def solved(page: Any) -> None:
    press_until(page, "v", "#known button")


def studied(page: Any, server: Server) -> None:
    """A study with a comment, a variation, lines of the engine, a review and its graph."""
    game = keep(make(server, "shogi"))
    move_on(server, game, "7g7f", "3c3d", "8h2b+", "8b2b")
    go(f"/study?game={game}", "#next button")(page, server)
    page.locator("#review-seconds").select_option("0.2")
    click_until(page, "#review", "#review-says", has_text="Reviewed")
    page.locator("#graph-table summary").click()
    press(page, "]", "c")
    page.keyboard.type("A quiet start.")
    page.keyboard.press("Escape")
    page.locator("#next button").first.click()
    page.locator("#next button:not(.back)").first.click()
    page.locator("#branches .aside .move").first.wait_for()
    page.locator("#analyse").click()
    page.locator("#engine-lines button").nth(2).wait_for()
    page.locator("#analyse").click()


def workshop(page: Any, server: Server) -> None:
    """The workshop with the small game, whatever this browser has kept."""
    go("/workshop", '#begin option[value="nana"]')(page, server)
    page.locator("#begin").select_option("-")
    page.locator("#play:enabled").wait_for()


def report_card(page: Any, server: Server) -> None:
    workshop(page, server)
    click_until(page, "#report", "#report-json:visible")


def defective(page: Any, server: Server) -> None:
    """A file with defects, and what may stand at the cursor."""
    workshop(page, server)
    page.locator("#file").fill('id = "My Game"\nboard = { Rect = { width = 5, he')
    page.locator("#faults li").first.wait_for()
    press_until(page, "Control+ ", "#completion li")


def own_game(page: Any, server: Server) -> None:
    """A game of the workshop, after a move and the reply."""
    workshop(page, server)
    page.locator("#play").click()
    tapping("5d", "5c")(page)
    page.locator("#moves", has_text="2. ").wait_for()


CROSSBOW = at_ko("CB 8k, c 7f, p 4j, sw 7l, sh 12j, D 9s, d 9a, TP 2s")
FLAME = at_ko("+EN 10j, p 10h, c 11h, P 9h 12k, D 9s")
NETS = at_ko("P 8h, CH 1g, C 2d 7s, D 6s, +ag 4d")

HANGING = "lnsgk1snl/6gb1/p1pppp1pp/6p2/1r5P1/2P6/P1BPPPP1P/7R1/LNSGKGSNL b Pp"
LEFT = {"position": "4k4/9/9/9/9/3r2B2/9/9/4K4 b -"}  # a bishop that hangs
MATING = {"position": "4k4/9/4P4/9/9/9/9/9/4K4 b G"}

EVERY_GAME: dict[str, Show] = {
    f"{screen}: {game}": unfolded(show)
    for game in GAMES
    for screen, show in {
        "set-up": go(f"/new/{game}", "#fields fieldset"),
        "rules": go(f"/rules/{game}", "#parts:not([hidden])"),
        "editor": go(f"/edit/{game}", "#fine:not(:empty)"),
        "study": go(f"/study?variant={game}", "#next button"),
        "game": play(game),
    }.items()
}
SCREENS: dict[str, Show] = {
    **{screen: EVERY_GAME[screen] for screen in ("set-up: ki", "rules: ki", "editor: ki", "study: ko")},
    "home": home,
    "my games": my_games,
    "a profile key": keyed,
    "lobby": lobby,
    "no games": go("/games", "#lists .button"),
    "settings": go("/settings", "#sample .wood"),
    "hardest wins": go("/hardest/nana", ".win"),
    "perfect play": unfolded(go("/perfect/nana", "#known button")),
    "puzzles": go("/puzzles", ".course"),
    "puzzles of a game": go("/puzzles/ki", "[data-set]"),
    "a puzzle": unfolded(go(f"/puzzles/ki/{puzzles.load('ki')[0].id}", "#next button")),
    "openings": go("/openings", ".course"),
    "openings of a game": go("/openings/shogi", "[data-opening]"),
    "an opening": unfolded(go(f"/openings/shogi/{lines_of('shogi')[0].id}.b", "#next button")),
    "today": go("/today", ".due-words"),
    "lessons": go("/learn", ".course"),
    "a course": go("/learn/nana", ".stage-link"),
    "a stage": unfolded(go("/learn/nana/take", "#next button")),
    "an exercise": go("/learn/ko/drill-cb", "#next button"),
    "a course with exercises": go("/learn/ko", ".stage-link"),
    "a question": go("/learn/nana/which-face", "#answers button"),
    "invitation": invited,
    "nobody has come": lonely,
    "two people, an offer": met,
    "two people, greetings": greeted,
    "the guide": guided,
    "mate": play("shogi", then=tapping(hand("b", "G"), "5b"), **MATING),
    "rules over a game": play("mortal", then=tapping("#learn")),
    "on paper": go("/print/nana", "svg"),
    "no such game": go("/game/nowhere", "#notice button"),
    "a piece taken up, no place": play("hand", then=tapping(hand("b", "S"), "5e", "5g")),
    "a promotion": play("shogi", "7g7f", "3c3d", then=tapping("8h", "2b")),
    "check": play("shogi", "7g7f", "3c3d", "8h3c+", then=tapping("5a", "1e")),
    "faces": play("nana", "K*1a", "K*3c", then=tapping(hand("b", "R"))),
    "values": play("nana", "K*1a", "K*3c", then=solved),
    "an unfolded cube": play("ki", "K*5e", "K*4c", then=tapping(hand("b", "HI"))),
    "a loss of cubes": play("ki", *SAMPLE, then=tapping("5e", "5d")),
    "a question before resigning": play("mortal", then=tapping("#resign")),
    "settings beside a game": play("shogi", then=settle),
    "game over": play("mortal", "7g7f", then=resigned),
    "key moments": play("shogi", "5i5h", "6f3f", then=recalled, **LEFT),
    "a moment tried again": play("shogi", "5i5h", "6f3f", then=tried_again, **LEFT),
    "shots": play("ko", then=tapping("8k", "7j"), **CROSSBOW),
    "flames": play("ko", then=tapping("10j", "10i"), **FLAME),
    "nets": play("ko", then=tapping("8h"), **NETS),
    "a finger that stays": play("ko", then=hold),
    "nearer": play("ko", then=come_nearer),
    "a report card": report_card,
    "a file with defects": defective,
    "a game of the workshop": own_game,
    "the workshop": unfolded(workshop),
    "opening a study": go("/study", "#opening[open]"),
    "a study": studied,
}


def looked_at(chromium: Any, server: Server, screens: dict[str, Show], look: Look, size: Any, **more: Any) -> list[str]:
    """The faults of these screens, displayed one after the other on a page of that size; by default of every fourth."""
    context = chromium.new_context(viewport=size, reduced_motion="reduce", service_workers="block", **more)
    context.set_default_timeout(WAIT * 1000)
    faults: list[str] = []
    watch(context, faults)
    page = context.new_page()
    for name, show in list(screens.items())[:: 1 if FULL else 4]:
        before = len(faults)
        show(page, server)
        faults += look(page)
        page.set_viewport_size(size)
        page.emulate_media(color_scheme="light")
        faults[before:] = [f"{name}: {fault}" for fault in faults[before:]]
    context.close()
    return faults


def at_both_sizes(page: Any, *rules: str) -> list[str]:
    wide = complaints(page, *rules)
    page.set_viewport_size(PHONE)
    return wide + complaints(page, "target-size")


def light_and_dark(page: Any) -> list[str]:
    light = complaints(page)
    page.emulate_media(color_scheme="dark")
    return light + complaints(page, "color-contrast")


def test_every_screen_of_every_game(chromium: Any, server: Server) -> None:
    faults = looked_at(chromium, server, EVERY_GAME, lambda page: at_both_sizes(page, "target-size"), DESKTOP)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(("size", "look"), [(DESKTOP, light_and_dark), (PHONE, complaints)], ids=["desktop", "phone"])
def test_every_screen(chromium: Any, server: Server, size: dict[str, int], look: Look) -> None:
    faults = looked_at(chromium, server, SCREENS, look, size)
    assert not faults, "\n".join(faults)


def test_screens_in_japanese(chromium: Any, server: Server) -> None:
    def look(page: Any) -> list[str]:
        expect(page.locator("html")).to_have_attribute("lang", "ja")
        return at_both_sizes(page)

    screens = {
        name: SCREENS[name]
        for name in (
            "home",
            "my games",
            "settings",
            "set-up: ki",
            "rules: ki",
            "a stage",
            "two people, greetings",
            "a report card",
            "mate",
        )
    }
    faults = looked_at(chromium, server, screens, look, DESKTOP, locale="ja-JP")
    assert not faults, "\n".join(faults)
