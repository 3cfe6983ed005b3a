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
    constructor(at, options) { super(at, options); note("knock"); }
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
BELL, CHORD = ["tone 988", "tone 1480"], ["tone 523", "tone 659", "tone 784"]


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


def test_a_button_turns_the_sounds_on(phone: Any, server: Server) -> None:
    table(phone, server, "shogi")
    button = phone.get_by_role("button", name="Sounds")
    assert button.bounding_box()["y"] < 60
    enter(phone, "7g7f")
    expect(button).to_have_attribute("aria-pressed", "false")
    assert heard(phone) == []
    button.tap()
    phone.get_by_role("button", name="Sounds", pressed=True).wait_for()
    assert heard(phone, 1) == ["knock"], "so sounds a move"
    enter(phone, "3c3d")
    assert heard(phone, 1) == ["knock"]
    enter(phone, "8h3c+")
    assert heard(phone, 3) == ["knock", *BELL], "check"
    enter(phone, "2b3c")
    assert heard(phone, 2) == ["knock", "knock"], "a capture"
    resign(phone)
    assert heard(phone, 3)[:3] == CHORD
    phone.reload()
    phone.get_by_role("button", name="Sounds", pressed=True).wait_for()


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
    on(phone, notifications="on")
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
