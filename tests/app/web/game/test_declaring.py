"""Declarations of entered kings, on the server."""

from __future__ import annotations

import pytest

from helpers.web.served import Server, keep

ENTERED = "+P+P+P+PK+P+P+P+P/+R+B7/9/9/9/9/9/9/4k4"


def begun(server: Server, position: str, b: str = "human", **options: str) -> str:
    """A game against a person who plays White, at one screen if Black is a person too."""
    return keep(server.make("shogi", b, position=position, options=options))


def test_a_declaration_that_holds_ends_the_game(server: Server) -> None:
    game = begun(server, f"{ENTERED} b RB3P 101", entering_king="27")
    with server.join(game) as client:
        assert client.state["position"]["canDeclare"]
        assert "was meant for ply 3" in client.command("declare", ply=3)["reason"]
        assert client.command("declare", ply=101)["t"] == "ack"
    with server.join(game) as client:
        outcome = client.state["position"]["outcome"]
        assert (outcome["winner"], outcome["reason"]) == ("b", "declaration")
        assert "The game is over" in client.command("declare", ply=101)["reason"]
        assert client.command("undo", ply=101)["t"] == "ack"
    with server.join(game) as client:
        assert client.state["position"]["outcome"] is None
        assert client.state["position"]["canDeclare"]


def test_one_that_does_not_is_refused_with_what_it_lacks(server: Server) -> None:
    with server.join(begun(server, f"{ENTERED} b P", entering_king="24")) as client:
        assert not client.state["position"]["canDeclare"]
        assert "count 19 points; 24 are needed" in client.command("declare", ply=1)["reason"]
    with server.join(begun(server, f"{ENTERED} b RB3P")) as client:
        assert not client.state["position"]["canDeclare"]
        assert "know no declaration" in client.command("declare", ply=1)["reason"]


@pytest.mark.parametrize(("rule", "hand", "kind"), [("27", "RB3P", "declare"), ("24", "6P", "move")])
def test_the_computer_declares_where_that_wins(server: Server, rule: str, hand: str, kind: str) -> None:
    game = begun(server, f"{ENTERED} b {hand} 101", b="level2", entering_king=rule)
    with server.join(game, seq=0) as client:
        said = client.state if client.state.get("events") else client.receive("events")
    assert [event["kind"] for event in said["events"]] == [kind]
    assert (said["position"]["outcome"] or {}).get("reason") == ("declaration" if kind == "declare" else None)
