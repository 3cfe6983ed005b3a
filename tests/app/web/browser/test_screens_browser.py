"""Settings, rules, editor, home and set-up in a real browser."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import expect

import komadai
from helpers.web.browsing import PHONE, begin, played
from helpers.web.served import Server
from helpers.web.steps import click, click_until, press, press_until, refill, reload_until, visit


def choose(page: Any, name: str, value: str) -> None:
    page.locator(f'label:has(input[name="{name}"][value="{value}"])').click()


def fits(page: Any) -> bool:
    """True if nothing is wider than the screen."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


def test_settings_take_effect_at_once_in_all_windows(window: Any, server: Server) -> None:
    settings = window(viewport=PHONE, locale="ja-JP", color_scheme="light")
    game = settings.context.new_page()
    game.bring_to_front()  # pages in the background are slow to be clicked
    begin(game, server, "shogi", "human")
    expect(game.locator("#headline")).to_have_text("先手の手番です。")
    click_until(game, '[data-at="7g"]', "#headline", has_text="歩：どこへ動かしますか。")
    game.keyboard.press("Escape")
    settings.bring_to_front()
    visit(settings, server, "/settings", 'html[lang="ja"]')
    settings.locator("h1", has_text="設定").wait_for()
    expect(settings.locator("h1")).to_have_text("設定")
    for name, value in {"pieces": "letters", "board": "slate", "scheme": "dark", "notation": "japanese"}.items():
        choose(settings, name, value)
    for page in (settings, game):
        page.bring_to_front()
        page.locator('[data-board="slate"][data-scheme="dark"]').wait_for()
        assert page.evaluate("getComputedStyle(document.body).colorScheme") == "dark"
        page.locator(".label", has_text="七").first.wait_for()
        lance = page.locator('.wood .piece:has(.letters text:text-is("L"))').first
        lance.wait_for()
        expect(lance.locator(".glyph-lines"), "a lance slides").to_have_count(1)
        assert fits(page)
    settings.bring_to_front()
    choose(settings, "language", "en")
    settings.locator("h1", has_text="Settings").wait_for()
    choose(settings, "coordinates", "off")
    # Asked before every turn of several steps, not only before those that cost pieces.
    choose(settings, "confirm", "compound")
    game.bring_to_front()
    game.locator("#headline", has_text="Black to move.").wait_for()
    game.wait_for_function("() => getComputedStyle(document.querySelector('.labels')).display === 'none'")
    game.wait_for_function("""() => localStorage.getItem("komadai.confirm") === '"compound"'""")
    empty = "/".join(["19"] * 8)
    game.goto(f"{server.url}/new/ko?{urlencode({'position': f'9g9/{empty}/9[SW]9/{empty}/9G9 b -'})}")
    choose(game, "opponent", "human")
    click_until(game, "#start", "#next > *", state="attached")
    for at in ("10j", "10i", "10h"):
        game.locator(f'[data-at="{at}"]').click()
    game.locator(".chooser.question", has_text="Play this move?").wait_for()
    press_until(game, "Enter", "#moves li")


def test_moves_in_japanese_notation(window: Any, server: Server) -> None:
    settings = window(viewport=PHONE)
    game = settings.context.new_page()
    begin(game, server, "shogi", "human")
    refill(game, "☗７六歩")
    game.locator("#moves", has_text="P-7f").wait_for()
    settings.goto(f"{server.url}/settings")
    choose(settings, "notation", "japanese")
    game.bring_to_front()
    game.locator("#moves", has_text="☗７六歩").wait_for()
    refill(game, "34歩")
    game.locator("#moves", has_text="☖３四歩").wait_for()
    played(game, "☗７六歩", "☖３四歩")
    expect(game.locator('#moves li [lang="ja"]')).to_have_text(["☗７六歩", "☖３四歩"])
    expect(game.locator("#moves li [aria-label]")).to_have_count(0)  # which would have the language of the page
    family = "element => getComputedStyle(element).fontFamily"
    assert "Komadai Kanji" in game.locator(".brand .kanji-title").evaluate(family)
    assert "Komadai Kanji" not in game.locator('#moves [lang="ja"]').first.evaluate(family)
    assert fits(game)


def test_the_rules_of_every_game_are_shown(page: Any, server: Server) -> None:
    page.set_viewport_size(PHONE)
    for name in komadai.variants(shelf=False):
        variant = komadai.variant(name)
        visit(page, server, f"/rules/{name}", "#parts")
        page.locator(".exact summary").click()
        assert page.locator(".kind .diagram .reach, .kind .diagram .shot").count() >= len(variant.kinds)
        shown = page.locator(".kind").evaluate_all("kinds => kinds.map(kind => kind.dataset.kind)")
        assert shown == [kind.code for kind in variant.kinds]
        rules = {rule.source for rule in variant.rules}
        assert set(page.locator(".rule-list .source").all_text_contents()) == {f"[{source}]" for source in rules}
        assert page.locator(".exact .prose h3").count() >= 1
        assert fits(page), name
        dead = "links => links.filter(a => !document.getElementById(decodeURIComponent(a.hash.slice(1)))).length"
        assert page.locator('main a[href^="#"]').evaluate_all(dead) == 0
    click_until(page, '#links a:has-text("Position editor")', "#fine", has_text="This position can be played.")


def test_the_capture_that_a_position_remembers_is_set_and_taken_back(page: Any, server: Server) -> None:
    visit(page, server, "/edit/chu", "#fine", has_text="can be played")
    page.locator("#text").fill(f"{komadai.variant('chu').start.split()[0]} b 6g")
    page.get_by_role("button", name="Set up").click()
    click_until(page, '#palette [data-piece="x"]', "#brush", has_text="captured with the last move: lion.")
    for square, remembered in (("6f", "6f"), ("6f", "-"), ("7g", "7g")):
        page.locator(f'#board [data-at="{square}"]').click()
        page.wait_for_function(f"() => document.getElementById('text').value.endsWith(' b {remembered}')")
    page.get_by_role("button", name="Mirror").click()
    page.wait_for_function("() => document.getElementById('text').value.endsWith(' b 6g')")
    visit(page, server, "/edit/shogi", '#palette [data-piece="-"]')
    expect(page.locator('#palette [data-piece="x"]')).to_have_count(0)


def test_a_position_is_put_together_and_played(page: Any, server: Server) -> None:
    visit(page, server, "/edit/shogi", "#fine", has_text="can be played")
    page.get_by_role("button", name="Clear").click()
    page.locator("#defects li", has_text="White's king is there 0 times").wait_for()
    expect(page.locator("#defects li"), "every defect at once").to_have_count(2)
    expect(page.locator("#play")).to_be_disabled()
    # By the mouse: a tap of the chosen piece, pieces dragged from the stock, on the board and off it.
    click(page, '#palette [data-piece="bK"]', '#board [data-at="5i"]')
    page.locator('#palette [data-piece="wK"]').drag_to(page.locator('#board [data-at="5b"]'))
    page.locator('#palette [data-piece="bK"]').click()
    page.locator('#board [data-at="5b"]').drag_to(page.locator('#board [data-at="5a"]'))
    page.locator('#palette [data-piece="wP"]').drag_to(page.locator('#board [data-at="1a"]'))
    page.locator('#board [data-at="1a"]').drag_to(page.locator("h1"))
    page.locator("#fine", has_text="can be played").wait_for()
    # By the keyboard: a rook, which is then taken up and moved, a pawn put down and taken away.
    page.locator('#palette [data-piece="b+R"]').focus()
    page.keyboard.press("Enter")
    page.locator("#board .board-svg").focus()
    press(page, "ArrowLeft", "Enter", "Escape", "Enter", "ArrowRight", "Enter", "ArrowDown")
    page.locator('#palette [data-piece="bP"]').focus()
    page.keyboard.press("Enter")
    page.locator("#board .board-svg").focus()
    press(page, "Enter", "Delete")
    page.get_by_role("button", name="One gold general more in White’s hand, now 0").click()
    choose(page, "turn", "w")
    text = page.locator("#text")
    page.wait_for_function("() => document.getElementById('text').value.endsWith(' w g')")
    assert "4k4/9/" in text.input_value()
    assert "+R" in text.input_value()
    page.get_by_role("button", name="Mirror").click()
    page.get_by_role("button", name="Flip").click()
    # A string goes in as well, and what is wrong with it is said without losing what stands there.
    refill(page, "4k4/9/9/9/9/9/9/9/4K3z b -")
    page.locator("#defects li", has_text="has no piece 'z'").wait_for()
    expect(page.locator("#board .piece")).to_have_count(3)
    # A mate problem can be studied, but not played.
    refill(page, "4k4/9/4G4/9/9/9/9/9/9 b G")
    page.locator("#fine", has_text="can be studied as a problem").wait_for()
    expect(page.locator("#play")).to_be_disabled()
    expect(page.locator("#study")).to_be_enabled()
    refill(page, "4k4/9/4G4/9/9/9/9/9/4K4 b G")
    page.locator("#fine", has_text="can be played").wait_for()
    page.get_by_role("button", name="Play from here").click()
    page.locator("#scene .piece").nth(3).wait_for()
    choose(page, "opponent", "human")
    page.get_by_role("button", name="Start").click()
    click_until(page, '#board .board-svg [data-at="5c"]', "#headline", has_text="Gold general: move it where?")


def test_what_is_wrong_with_a_typed_position_is_on_the_screen_of_a_phone(page: Any, server: Server) -> None:
    page.set_viewport_size(PHONE)
    visit(page, server, "/edit/shogi", "#fine", has_text="can be played")
    refill(page, "9/9/9/9/9/9/9/9/9 b K")
    last = page.locator("#defects li").last
    last.wait_for()
    page.wait_for_function("() => document.querySelector('#defects').getBoundingClientRect().bottom <= innerHeight + 1")
    assert last.bounding_box()["y"] > 0


def test_home_remembers_games_and_the_set_up_shows_where_they_begin(page: Any, server: Server) -> None:
    page.set_viewport_size(PHONE)
    gone = "localStorage.setItem('komadai.games', JSON.stringify([{id: 'gone', variant: 'nana', at: 1, over: false}]))"
    page.goto(server.url)
    page.evaluate(gone)
    reload_until(page, ".card")
    expect(page.locator("#latest"), "a game that is no longer there is forgotten").to_be_hidden()
    page.locator('[data-variant="shogi"]').get_by_text("Play").click()
    page.locator("#start-field summary").click()
    page.locator("#handicap").select_option(label="two pieces")
    page.locator("#scene .piece").nth(37).wait_for()
    expect(page.locator("#scene .piece")).to_have_count(38)
    page.locator("#position").fill("4k4/9/9/9/9/9/9/9/9 b -")
    page.locator("#defects li", has_text="Black's king is there 0 times").wait_for()
    page.locator("#handicap").select_option(label="ten pieces")
    choose(page, "opponent", "level1")
    assert fits(page)
    page.get_by_role("button", name="Start").click()
    page.locator("#plate-far", has_text="Computer, level 1").wait_for()
    visit(page, server, "/", "#games a", has_text="Standard shogi")
    expect(page.locator("#games")).to_contain_text("Computer, level 1")
    assert fits(page)
    click(page, "#games a", "#learn[href]")
    page.locator("dialog h2", has_text="Standard shogi: the rules").wait_for()
