"""Openings over HTTP: lists, training move by move, punishments, and where a game left the book."""

from __future__ import annotations

from typing import Any

import httpx

import komadai
from helpers.openings import book_of, lines_of
from helpers.web.meeting import Meeting
from helpers.web.served import WAIT, Server, refused
from komadai.app import openings
from komadai.book.openings import Opening, Wrong

SAID = "Two people are playing a game with this position: there is no advice on it until that game is over."
GAME = "minishogi"


def line_of(game: str = GAME) -> Opening:
    return lines_of(game)[0]


def ask(server: Server, training: str, game: str = GAME, **body: Any) -> httpx.Response:
    return httpx.post(f"{server.url}/api/openings/{game}/{training}", json=body, timeout=WAIT)


def going(server: Server, training: str, **body: Any) -> dict[str, Any]:
    answer = ask(server, training, **body)
    assert answer.status_code == 200, answer.text
    said: dict[str, Any] = answer.json()
    return said


def wrong_of(side: int) -> tuple[Opening, Wrong]:
    """A line, and a wrong move of that side beside it."""
    return next((line, wrong) for line in lines_of(GAME) for wrong in line.wrong if wrong.ply % 2 == side)


def test_games_and_lines_are_listed_with_their_counts(server: Server) -> None:
    listed = httpx.get(f"{server.url}/api/openings", timeout=WAIT).json()["games"]
    assert {one["game"] for one in listed} == set(openings.games())
    orders = [komadai.variant(one["game"]).about.order for one in listed]
    assert orders == sorted(orders)
    found = httpx.get(f"{server.url}/api/openings/{GAME}", timeout=WAIT).json()
    book = book_of(GAME)
    assert found["games"] == book.games
    assert [[one["usi"] for one in line["moves"]] for line in found["openings"]] == [
        list(line.moves) for line in book.openings or ()
    ]
    for line in found["openings"]:
        assert 2 <= line["games"] <= book.games
        assert line["name"] == ""
    firsts = [tuple(one["usi"] for one in line["moves"][: line["first"]]) for line in found["openings"]]
    assert len(set(firsts)) == len(firsts)
    offered = {one["id"]: one["openings"] for one in httpx.get(f"{server.url}/api/shelf", timeout=WAIT).json()}
    assert offered[GAME] == len(found["openings"])


def test_names_of_openings_are_in_the_readers_language(server: Server) -> None:
    for language, name in (("en", "Yagura (Fortress)"), ("ja", "矢倉")):
        answer = httpx.get(f"{server.url}/api/openings/shogi", headers={"accept-language": language}, timeout=WAIT)
        assert name in {line["name"] for line in answer.json()["openings"]}
        assert answer.json()["source"].startswith("https://")


def test_a_line_is_trained_from_either_side_to_its_end(server: Server) -> None:
    line = line_of()
    for side, begin in (("b", 0), ("w", 1)):
        said = going(server, f"{line.id}.{side}")
        assert (said["side"], said["state"], said["moves"]) == (side, "going", list(line.moves[:begin]))
        while said["state"] != "done":
            stand = said["moves"]
            assert stand == list(line.moves[: len(stand)])
            said = going(server, f"{line.id}.{side}", moves=stand, move=line.moves[len(stand)])
            assert said["state"] in ("right", "done")
            assert " games of the engine." in said["text"]
        assert said["moves"] == list(line.moves)


def test_a_wrong_move_is_punished(server: Server) -> None:
    for side, letter in enumerate("bw"):
        line, wrong = wrong_of(side)
        stand = list(line.moves[: wrong.ply])
        said = going(server, f"{line.id}.{letter}", moves=stand, move=wrong.moves[0])
        assert (said["state"], said["moves"], said["made"]) == ("wrong", stand, [])
        assert tuple(move["usi"] for move in said["refutation"]) == wrong.moves
        assert said["text"]


def test_a_move_that_the_book_does_not_know_is_looked_at(server: Server) -> None:
    line = line_of("shogi")
    said = ask(server, f"{line.id}.b", "shogi", move="9g9f").json()
    assert (said["state"], said["refutation"]) == ("going", [])
    assert said["text"] == ("A quick look of the engine finds nothing wrong with this, but the line goes on otherwise.")
    said = ask(server, f"{line.id}.b", "shogi", move="9g9e").json()
    assert said["state"] == "wrong"
    assert said["refutation"] == []


def test_one_move_alone_is_asked_for_and_any_of_the_book_is_right(server: Server) -> None:
    book = book_of(GAME)
    line = line_of()
    moves = [one.move.text for one in book.moves(komadai.Position(GAME))]
    assert len(moves) > 1
    for move in moves:
        said = going(server, f"{line.id}.0", move=move)
        assert (said["state"], said["moves"]) == ("done", [move])
    other = next(move for move in moves if move != line.moves[0])
    assert going(server, f"{line.id}.b", move=other)["state"] == "going", "the line goes on otherwise"
    hint = going(server, f"{line.id}.0", hint=True)
    assert (hint["state"], hint["show"]["usi"]) == ("going", line.moves[0])


def test_nobody_trains_the_position_of_a_running_game(server: Server) -> None:
    line = line_of("shogi")
    plies = 8
    made = Meeting(server)
    made.accept()
    with made.client("b") as black, made.client("w") as white:
        for ply, move in enumerate(line.moves[:plies], 1):
            assert (black if ply % 2 else white).move(move, ply)["t"] == "ack"
        stand = list(line.moves[:plies])
        assert refused(ask(server, f"{line.id}.b", "shogi", moves=stand, hint=True), 403) == SAID
        asked = {"variant": "shogi", "moves": stand}
        book = f"{server.url}/api/positions/book"
        assert refused(httpx.post(book, json=asked, timeout=WAIT), 403) == SAID
        assert ask(server, f"{line.id}.b", "shogi").status_code == 200, "the start is anybody's"
        assert black.command("resign")["t"] == "ack"
    assert ask(server, f"{line.id}.b", "shogi", moves=stand, hint=True).status_code == 200


def test_the_book_says_where_a_game_left_it_and_what_would_be_wrong(server: Server) -> None:
    line, wrong = wrong_of(0)
    stand = list(line.moves[: wrong.ply])
    kept = book_of(GAME)

    def book(*moves: str) -> Any:
        asked = {"variant": GAME, "moves": moves}
        return httpx.post(f"{server.url}/api/positions/book", json=asked, timeout=WAIT).json()

    found = book(*stand)
    assert found["engine"]
    assert found["left"] is None
    assert [wrong.moves[0]] == [
        one["moves"][0]["usi"] for one in found["wrong"] if one["moves"][0]["usi"] == wrong.moves[0]
    ]
    left = book(*stand, *wrong.moves)["left"]
    assert left["plies"] == wrong.ply
    assert left["instead"]["move"]["usi"] == found["moves"][0]["move"]["usi"]
    for other in kept.openings or ():
        end = komadai.Position(GAME)
        for move in other.moves:
            end.push(move)
        if not kept.moves(end):
            left = book(*other.moves, end.legal_moves()[0].text)["left"]
            assert left == {"plies": len(other.moves), "instead": None}
            break
    else:
        raise AssertionError("every line goes on")


def test_what_is_not_there_is_said(server: Server) -> None:
    assert "no such opening" in refused(ask(server, "0123456789.b"), 404)
    line = line_of()
    for training in (line.id, f"{line.id}.x", f"{line.id}.99", f"{line.id}.-1"):
        assert "no such opening" in refused(ask(server, training), 404)
    assert "first moves of the line" in refused(ask(server, f"{line.id}.b", moves=["1a1b"]), 422)
    assert "first moves of the line" in refused(ask(server, f"{line.id}.b", moves=list(line.moves[:1])), 422)
    answer = httpx.get(f"{server.url}/openings/{GAME}/{line.id}.99", headers={"accept": "text/html"}, timeout=WAIT)
    assert answer.status_code == 404
