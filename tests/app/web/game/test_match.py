"""Matches over the server's own wire: one next game, a closed past, restarts."""

from __future__ import annotations

import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from helpers.web.served import Client, Server, refused

BLACK_MATES = ("T*8d", "5a6a", "S*8a", "L*5d", "SH*5a")


IMPASSE = ("5i4h", "5a6b", "4h3g", "6b7c", "3g2f", "7c8d", "2f2e", "8d9e", "2e1d", "9e9f", "1d1c", "9f8g")


def match(client: Client) -> dict[str, Any]:
    """The match as sent with the state."""
    found: dict[str, Any] = client.state["position"]["match"]
    return found


def stands(client: Client) -> tuple[int, str | None, int]:
    """Which game of the match it is, who leads, and how many wins in a row are still needed."""
    found = match(client)
    return found["number"], found["leader"], found["needs"]


def resigned(server: Server, game: str, *, after: int = 0) -> str:
    """Let the side to move resign after some king moves; the next game's id."""
    with server.join(game) as client:
        for ply, move in enumerate(("5i4i", "5a4a")[:after], 1):
            assert client.move(move, ply)["t"] == "ack"
        assert client.command("resign")["t"] == "ack"
    answer = server.follow(game)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["game"])


def test_a_new_game_is_the_first_of_a_match_where_the_rules_know_them(server: Server) -> None:
    with server.join(server.game("hand")) as client:
        assert match(client) == {
            "number": 1,
            "players": {"b": "Player 1", "w": "Player 2"},
            "leader": None,
            "needs": 2,
            "winner": None,
            "next": None,
            "begun": False,
        }
    with server.join(server.game("shogi")) as client:
        assert match(client) is None


def test_the_end_of_a_game_offers_the_next_one(server: Server) -> None:
    with server.join(server.game("hand")) as client:
        for ply, move in enumerate(BLACK_MATES, 1):
            client.send(t="move", id=move, text=move, ply=ply)
            said = client.receive("events")["position"]
        assert said["outcome"]["reason"] == "checkmate"
        assert said["match"]["next"] == "Next game of the match"
        assert (said["match"]["leader"], said["match"]["needs"]) == ("b", 1)


def test_the_next_game_is_the_same_however_often_it_is_asked_for(server: Server, start: Callable[..., Server]) -> None:
    one, two = server, start(data=server.data)
    first = one.game("hand")
    with one.join(first) as client, two.join(first):
        client.command("resign")
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda server: server.follow(first).json(), [one, two] * 4))
    assert len({answer["game"] for answer in found}) == 1


def test_seats_change_and_the_computer_begins(server: Server) -> None:
    first = server.game("hand", w="level2")
    with server.join(resigned(server, first)) as client:
        assert client.state["seats"] == {"b": "level2", "w": "human"}
        assert match(client)["players"] == {"b": "Player 2", "w": "Player 1"}
        assert stands(client) == (2, "b", 1)
        assert client.state["position"]["thinking"] or client.state["moves"]


def test_two_wins_in_a_row_take_the_match_and_nothing_follows(server: Server) -> None:
    second = resigned(server, server.game("hand"), after=1)  # White resigns: player 1 has won
    with server.join(second) as client:
        assert client.command("resign")["t"] == "ack"  # Black is player 2 now
    with server.join(second) as client:
        assert match(client)["winner"] == "w"
        assert match(client)["winner"] == "w"
        assert match(client)["next"] is None
    assert refused(server.follow(second), 409) == "The match is over: Player 1 has won the match."


def test_a_run_is_broken_and_begun_again(server: Server) -> None:
    game = server.game("hand")
    for number in (1, 2, 3):
        with server.join(game) as client:
            assert match(client)["number"] == number
        game = resigned(server, game)  # always Black: the players win in turn
    with server.join(game) as client:
        assert stands(client) == (4, "b", 1)


def test_a_draw_by_agreement_breaks_the_run(server: Server) -> None:
    second = resigned(server, server.game("hand"))
    with server.join(second) as client:
        for ply, move in enumerate(IMPASSE, 1):
            assert client.move(move, ply)["t"] == "ack"
        assert client.command("draw")["t"] == "ack"
    third = server.follow(second).json()["game"]
    with server.join(third) as client:
        assert stands(client) == (3, None, 2)


NOT_NOW = {
    "not over": ("hand", False, "Game 1 of the match is not over yet."),
    "no match": ("shogi", True, "not part of a match"),
}


@pytest.mark.parametrize("case", NOT_NOW)
def test_a_next_game_that_cannot_be_is_refused_in_words(server: Server, case: str) -> None:
    variant, over, words = NOT_NOW[case]
    game = server.game(variant)
    if over:
        with server.join(game) as client:
            client.command("resign")
    assert words in refused(server.follow(game), 409)


def test_a_next_game_of_nothing_is_refused_in_words(server: Server) -> None:
    assert server.follow("nowhere").json() == {"error": "There is no game of that name here."}


def test_an_ended_game_can_be_taken_back_until_the_next_one_has_begun(
    server: Server, start: Callable[..., Server]
) -> None:
    one, two = server, start(data=server.data)
    first = one.game("hand")
    with one.join(first) as client:
        client.command("resign")
        assert client.command("undo", ply=1)["t"] == "ack"
        assert one.follow(first).status_code == 409, "it goes on"
        client.command("resign")
        with two.join(first) as other:
            assert other.state["position"]["canUndo"]
            assert one.follow(first).status_code == 200
            answer = other.command("undo", ply=1)
            assert "continued in another window" in answer["reason"], "a server that had not heard of it"
            assert "next game of the match has started" in other.command("undo", ply=1)["reason"]
        said = client.receive("events")
        while not said["position"]["match"]["begun"]:
            said = client.receive("events")
        assert not said["position"]["canUndo"]
        words = "The next game of the match has started, so this one can no longer change."
        assert client.command("undo", ply=1)["reason"] == words
    with one.join(first) as again:
        assert again.state["position"]["outcome"]["winner"] == "w"


def test_a_killed_server_keeps_the_match(start: Callable[..., Server]) -> None:
    server = start()
    first = server.game("hand")
    second = resigned(server, first)
    with server.join(second) as client:
        client.move("5i4i", 1)
        server.end(signal.SIGKILL)
    server = start(server.port)
    assert server.follow(first).json()["game"] == second
    with server.join(second) as client:
        assert stands(client) == (2, "b", 1)
        assert client.command("resign")["t"] == "ack"
    with server.join(second) as client:
        assert match(client)["winner"] == "b"
    assert "Player 2 has won the match" in server.follow(second).json()["error"]
