"""A bot: it takes the open seat of a game on a Komadai server and plays random legal moves until the game is over.

python examples/bot.py 'http://127.0.0.1:8000/join#…'   # the private link that a new game with a friend shows
"""

import json
import random
import sys
from itertools import count
from urllib.parse import urlsplit

import httpx
from websockets.sync.client import connect

import komadai


def choose(position: komadai.Position) -> komadai.Move:
    """The bot's move: put your own idea here."""
    return random.choice(position.legal_moves())


def play(link: str) -> None:
    """Take the seat that the link offers, and answer every position in which the bot is to move."""
    scheme, host, _, _, invite = urlsplit(link)
    seat = httpx.post(f"{scheme}://{host}/api/join", json={"invite": invite, "name": "Random bot"}).raise_for_status()
    numbers = count(1)
    with connect(f"{scheme.replace('http', 'ws')}://{host}/socket") as socket:
        socket.send(json.dumps({"t": "hello", "seq": None} | seat.json()))
        for message in map(json.loads, socket):
            if message["t"] == "state":
                variant, mine = message["variant"], message["you"]
                rules = komadai.variant(variant["id"], **variant["options"])
            if (now := message.get("position")) is None:
                continue
            if now["outcome"] is not None:
                return
            if now["turn"] in mine:
                move = choose(komadai.Position(rules, now["sfen"]))
                socket.send(json.dumps({"t": "move", "id": f"{next(numbers)}", "ply": now["ply"], "text": move.text}))


if __name__ == "__main__":
    play(sys.argv[1])
