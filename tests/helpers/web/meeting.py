"""Two people who play apart."""

from __future__ import annotations

from typing import Any

import httpx

from helpers.web.served import WAIT, Client, Server


class Meeting:
    """A game between two people: who made it plays Black, the guest White."""

    def __init__(self, server: Server, variant: str = "shogi", **more: Any) -> None:
        made = server.make(variant, w="open", **{"name": "Ada"} | more)
        self.server, self.game, self.invite = server, made["game"], made["invite"]
        self.tokens = {"b": made["tokens"]["b"]}

    def accept(self, name: str = "Ben", **cookies: str) -> httpx.Response:
        """Ask for the open seat."""
        asked = {"invite": self.invite, "name": name}
        answer = httpx.post(f"{self.server.url}/api/join", json=asked, cookies=cookies, timeout=WAIT)
        if answer.status_code == 200:
            assert answer.json()["game"] == self.game
            self.tokens["w"] = answer.json()["token"]
        return answer

    def client(self, side: str | None, seq: int | None = None) -> Client:
        """The client of a side, or of a spectator."""
        return self.server.join(self.game, seq, self.tokens.get(side or ""))


def meet(server: Server, variant: str = "shogi", **more: Any) -> Meeting:
    made = Meeting(server, variant, **more)
    assert made.accept().status_code == 200
    return made


def events(client: Client, kind: str) -> dict[str, Any]:
    """The next message that tells of an event of that kind."""
    while True:
        said = client.receive("events")
        if any(event["kind"] == kind for event in said["events"]):
            return said
