"""Commands are done once for each person: what happens to one that is sent again, and to one with another's id."""

from __future__ import annotations

from collections.abc import Callable

import httpx

from helpers.web.served import Server, keep


def two_people(server: Server) -> tuple[str, str, str]:
    """A game of Nana Shogi, and the tokens of Black and White."""
    made = server.make(w="open")
    joined = httpx.post(f"{server.url}/api/join", json={"invite": made["invite"], "name": ""}).json()
    return keep(made), made["tokens"]["b"], joined["token"]


def test_an_id_belongs_to_one_person(server: Server) -> None:
    game, black, white = two_people(server)
    with (
        server.join(game, token=black) as b,
        server.join(game, token=white) as w,
        server.join(game, token=None) as stranger,
    ):
        b.send(t="move", id="m1", ply=1, text="K*1a")
        assert b.receive("ack", "refused")["seq"] == 2
        stranger.send(t="resign", id="m1")
        assert "watching" in stranger.receive("ack", "refused")["reason"]
        w.send(t="move", id="m1", ply=2, text="K*3c")
        assert w.receive("ack", "refused") == {"t": "ack", "id": "m1", "seq": 3}
    with server.join(game) as looking:
        assert [move["usi"] for move in looking.state["moves"]] == ["K*1a", "K*3c"]


def test_an_id_belongs_to_one_command_even_after_a_restart(start: Callable[..., Server]) -> None:
    server = start()
    game, black, _white = two_people(server)
    for life in range(2):
        if life:
            server.end()
            server = start()
        with server.join(game, token=black) as client:
            client.send(t="move", id="m1", ply=1, text="K*1a")
            assert client.receive("ack", "refused") == {"t": "ack", "id": "m1", "seq": 2}
            client.send(t="resign", id="m1")
            assert "an id of its own" in client.receive("ack", "refused")["reason"]
