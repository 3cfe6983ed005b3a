"""Games against bots: their seats, levels and styles, and the list of them."""

from __future__ import annotations

import httpx

from helpers.support import ROOT
from helpers.web.served import Server
from komadai.app.web.engines.pool import STRENGTHS, strength_of
from komadai.engine import BOTS


def test_a_bot_has_its_level_and_style() -> None:
    for bot in BOTS.values():
        strength = strength_of(f"bot:{bot.id}")
        assert (strength.level, strength.style, strength.engine) == (bot.level, bot.style, "")
        assert strength.seconds == strength_of(f"level{bot.level}").seconds


def test_the_guide_is_shown_against_the_bots_of_the_weakest_levels() -> None:
    """The setting “Against levels 1 to 3” of the page means their bots, too."""
    script = (ROOT / "src/komadai/app/web/static/js/game/guide.js").read_text(encoding="utf-8")
    [line] = [line for line in script.splitlines() if line.startswith("const EASY")]
    weak = {seat for seat, its in STRENGTHS.items() if its.level <= 3}
    assert set(line.split('"')[1::2]) == weak


def test_a_bot_takes_its_seat_and_answers(server: Server) -> None:
    listed = httpx.get(f"{server.url}/api/bots").json()
    assert [(bot["id"], bot["level"]) for bot in listed] == [(bot.id, bot.level) for bot in BOTS.values()]
    game = server.game("shogi", w="bot:boar")
    with server.join(game) as client:
        assert client.state["seats"] == {"b": "human", "w": "bot:boar"}
        assert client.move("7g7f", 1)["t"] == "ack"
        while (message := client.receive("events", "error"))["position"]["ply"] < 3:
            pass
        assert message["position"]["turn"] == "b"
    refused = server.ask("shogi", w="bot:hawks")
    assert refused.status_code == 422
    assert "bot:hawk" in refused.text
