"""The example of a bot plays a game to its end."""

from __future__ import annotations

import random
import sys

import pytest

import komadai
from helpers.command import running
from helpers.support import ROOT
from helpers.web.served import WAIT, Server, keep

BOT = ROOT / "examples/bot.py"
MOST = 40  # lines of code
ENOUGH = 60  # plies, then this side resigns


@pytest.mark.parametrize(("variant", "b", "w"), [("nana", "human", "open"), ("ki", "open", "human")])
def test_the_bot_takes_its_seat_and_plays_until_the_game_is_over(server: Server, variant: str, b: str, w: str) -> None:
    answer = server.make(variant, b, w)
    game, chance, moves = keep(answer), random.Random(1), 0
    link = f"{server.url}/join#{answer['invite']}"
    with server.join(game) as client, running([sys.executable, str(BOT), link]) as bot:
        position = client.state["position"]
        while position["outcome"] is None:
            if position["turn"] in client.state["you"]:
                legal = komadai.Position(variant, position["sfen"]).legal_moves()
                if position["ply"] > ENOUGH:
                    client.send(t="resign", id="end")
                else:
                    client.send(t="move", id=f"m{moves}", ply=position["ply"], text=chance.choice(legal).text)
                moves += 1
            position = client.receive("events")["position"]
        assert moves > 1
        assert bot.wait(WAIT) == 0


def test_the_bot_fits_on_a_page() -> None:
    assert len([line for line in BOT.read_text(encoding="utf-8").splitlines() if line.strip()]) <= MOST
