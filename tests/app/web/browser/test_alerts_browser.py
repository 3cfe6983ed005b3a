"""What calls a player: sounds, counting aloud, vibration and notifications."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from helpers.web.browsing import enter, resign
from helpers.web.screens import apart, make, sit, table
from helpers.web.served import Server, keep

LISTEN = """
  window.heard = [];
  const note = (what) => window.heard.push(what);
  window.OscillatorNode = class extends OscillatorNode {
    constructor(at, options) { super(at, options); note(`tone ${Math.round(options.frequency)}`); }
  };
  window.AudioBufferSourceNode = class extends AudioBufferSourceNode {
    constructor(at, options) {
      super(at, options);
      note({ 20: "move", 27: "capture", 26: "drop" }[Math.floor(options.buffer.duration * 100)] ?? "end");
    }
  };
  navigator.vibrate = (pattern) => { note(`buzz ${pattern}`); return true; };
  window.Notification = class extends EventTarget {
    static permission = window.allowed ?? "granted";
    static requestPermission = async () => { note("asked"); return Notification.permission; };
    constructor(heading, { body }) { super(); note(`${heading}: ${body}`); }
  };
  document.hasFocus = () => !window.away;
"""
"""Notes what the page plays, says and shows."""

VOICE = """
  const voice = { lang: "ja-JP", name: "test" };
  window.SpeechSynthesisUtterance = class { constructor(words) { this.words = words; } };
  Object.defineProperty(window, "speechSynthesis", { value: {
    getVoices: () => [voice], cancel() {}, speak: ({ words }) => window.heard.push(`said ${words}`),
  } });
"""
BELL = ["tone 988", "tone 1480"]


def heard(page: Any, number: int = 0) -> list[str]:
    """The sounds and speech since the last call, as soon as there are at least ``number`` of them."""
    if number:
        page.wait_for_function("(number) => heard.length >= number", arg=number)
    return list(page.evaluate("heard.splice(0)"))


def on(page: Any, **settings: str) -> None:
    """Play with these settings."""
    for name, value in settings.items():
        page.add_init_script(f"localStorage.setItem('komadai.{name}', '\"{value}\"')")


@pytest.fixture
def phone(phone: Any) -> Any:
    phone.add_init_script(LISTEN)
    return phone


def test_sounds_are_on_after_the_first_click_and_a_button_turns_them_off(phone: Any, server: Server) -> None:
    table(phone, server, "shogi")
    button = phone.get_by_role("button", name="Sounds", pressed=True)
    assert button.bounding_box()["y"] < 60
    phone.locator("#headline").tap()
    enter(phone, "7g7f")
    assert heard(phone, 1) == ["move"]
    enter(phone, "3c3d")
    assert heard(phone, 1) == ["move"]
    enter(phone, "8h3c+")
    assert {*heard(phone, 3)} == {"move", *BELL}, "check"
    enter(phone, "2b3c")
    assert heard(phone, 1) == ["capture"]
    enter(phone, "2g2f")
    assert heard(phone, 1) == ["move"]
    enter(phone, "B*4e")
    assert heard(phone, 1) == ["drop"]
    resign(phone)
    assert "end" in heard(phone, 2)
    button.tap()
    phone.get_by_role("button", name="Sounds", pressed=False).wait_for()
    assert heard(phone) == []
    phone.reload()
    phone.get_by_role("button", name="Sounds", pressed=False).wait_for()


def test_the_volume_is_30_percent_until_a_slider_changes_it_here_and_in_the_settings(
    window: Any, server: Server
) -> None:
    page = window()
    page.add_init_script(LISTEN)
    page.add_init_script("""
      window.GainNode = class extends GainNode {
        constructor(at, options) { super(at, options); window.gains = [...(window.gains ?? []), options.gain]; }
      };""")
    table(page, server, "shogi")
    page.locator("#headline").click()
    enter(page, "7g7f")
    assert heard(page, 1) == ["move"]
    slider = page.get_by_role("slider", name="Volume")
    assert slider.input_value() == "30"
    slider.fill("80")
    assert heard(page, 1) == ["move"], "what it is set to is heard"
    assert page.evaluate("gains") == [0.3, 0.8]
    page.goto(f"{server.url}/settings")
    expect(page.get_by_role("slider", name="Volume")).to_have_value("80")


def test_nothing_sounds_before_the_first_click(page: Any, server: Server) -> None:
    page.add_init_script(LISTEN)
    # What Playwright does on a page counts as a click.
    page.add_init_script(
        "Object.defineProperty(navigator, 'userActivation', { get: () => ({ hasBeenActive: !!window.clicked }) })"
    )
    game = keep(make(server, "shogi"))
    sit(page, server, game)
    with server.join(game) as client:
        assert client.move("7g7f", 1)["t"] == "ack"
        page.locator("#moves li").first.wait_for(state="attached")
        page.evaluate("clicked = true")
        assert client.move("3c3d", 2)["t"] == "ack"
    assert heard(page, 1) == ["move"], "the first was not played"


@pytest.mark.parametrize("voice", [True, False], ids=["voice", "tone"])
def test_byoyomi_is_counted_aloud(window: Any, server: Server, voice: bool) -> None:
    page = window(locale="ja-JP")
    page.add_init_script(LISTEN)
    if voice:
        page.add_init_script(VOICE)
    on(page, sounds="on")
    page.clock.install()
    game = keep(make(server, "shogi", time="2x30s"))
    sit(page, server, game)
    enter(page, "7g7f")
    enter(page, "3c3d")  # the clocks run from the second move on
    heard(page)
    page.clock.run_for(29_500)
    counts = ["said 10秒", "said 20秒", *(f"said {count}" for count in range(1, 10))]
    assert heard(page) == (counts if voice else ["tone 880"] * len(counts))


def test_a_player_is_called_when_it_is_his_turn(phone: Any, server: Server) -> None:
    on(phone, notifications="on", sounds="off")
    game, token = apart(server, "shogi")
    with server.join(game, token=token) as other:
        sit(phone, server, game)
        enter(phone, "7g7f")
        assert heard(phone) == [], "nobody is called by a move of his own"
        assert other.move("3c3d", 2)["t"] == "ack"
        phone.locator("#moves li:nth-child(2)").wait_for(state="attached")
        assert heard(phone, 1) == ["buzz 40"], "the page is looked at"
        phone.evaluate("window.away = true")
        enter(phone, "8h3c+")
        assert other.move("2b3c", 4)["t"] == "ack"
        phone.locator("#moves li:nth-child(4)").wait_for(state="attached")
        assert heard(phone, 2) == ["buzz 40", "Standard shogi: Your turn."]
        assert other.command("resign")["t"] == "ack"
        phone.locator("body.over").wait_for()
        assert heard(phone, 2) == ["buzz 70,60,70", "Standard shogi: You win"]


@pytest.mark.parametrize("allowed", ["granted", "denied"])
def test_notifications_are_asked_for_only_in_the_settings(phone: Any, server: Server, allowed: str) -> None:
    phone.add_init_script(f"window.allowed = '{allowed}'")
    phone.add_init_script(LISTEN)
    phone.goto(f"{server.url}/settings")
    assert heard(phone) == []
    phone.locator('label:has(input[name="notifications"][value="on"])').click()
    phone.wait_for_function("() => heard.includes('asked')")
    if allowed == "denied":
        phone.locator(".notice", has_text="This browser does not allow them").wait_for()
    expect(phone.locator('input[name="notifications"][value="on"]')).to_be_checked(checked=allowed == "granted")
