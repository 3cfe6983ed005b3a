"""Values of a solved game over the server, and games that begin from a position."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from msgspec import to_builtins

import komadai
from helpers.web.served import Client, Server, keep, refused
from komadai import solve
from komadai.app.web.game.solved import study, values
from komadai.app.web.presenter import encode
from komadai.game.position import Position
from komadai.solve import Table, Value

MIDDLE = ["K*1b", "K*3b", "1b1a", "CS*3c", "B*1b", "C*2c"]


@pytest.fixture(scope="module")
def table() -> Table:
    return solve.open("nana")


def ask(client: Client) -> dict[str, Any]:
    client.send(t="study")
    return client.receive("study", "error")


def test_only_games_that_are_quick_to_solve_or_have_a_table_are_called_solved() -> None:
    assert [said.id for said in encode.variants() if said.solved] == ["nana", "nana-1998"]
    assert encode.variant(komadai.variant("nana", drop_faces="front")).solved, "in every setting"


@pytest.mark.parametrize("plies", range(len(MIDDLE) + 1))
def test_every_legal_move_is_reported_with_its_value_best_first(server: Server, table: Table, plies: int) -> None:
    game = komadai.Game("nana")
    with server.join(server.game()) as client:
        for ply, move in enumerate(MIDDLE[:plies], 1):
            client.move(move, ply)
            game.push(move)
        said = ask(client)
    probed = table.probe(game.position)
    assert probed is not None
    assert (said["seq"], said["ply"]) == (plies, plies + 1)
    assert (said["value"]["outcome"], said["value"]["distance"]) == (probed.outcome, probed.distance)
    expected = [(str(m.move), m.value.outcome, m.value.distance, m.best, m.blunder) for m in table.moves(game.position)]
    assert [tuple(m[k] for k in ("usi", "outcome", "distance", "best", "blunder")) for m in said["moves"]] == expected
    assert {m["usi"] for m in said["moves"]} == {str(move) for move in game.position.legal_moves()}


def test_values_are_counted_from_the_best_move_on(server: Server) -> None:
    with server.join(server.game()) as client:
        said = ask(client)
        assert said["value"] == {"outcome": "win", "distance": 125}
        worth = [(move["outcome"], move["distance"]) for move in said["moves"]]
        assert worth[:4] == [("win", 125), ("win", 125), ("draw", None), ("loss", 126)]
        client.move("K*2c", 1)
        assert ask(client)["value"] == {"outcome": "draw", "distance": None}


def test_played_moves_are_judged_where_they_were_played(server: Server, table: Table) -> None:
    game = komadai.Game("nana")
    with server.join(server.game()) as client:
        for ply, move in enumerate(MIDDLE, 1):
            before = {str(m.move): m for m in table.moves(game.position)}
            client.move(move, ply)
            game.push(move)
            judged = ask(client)["played"]
            assert len(judged) == ply
            assert judged[-1]["outcome"] == before[move].value.outcome
            assert judged[-1]["distance"] == before[move].value.distance
            assert (judged[-1]["best"], judged[-1]["blunder"]) == (before[move].best, before[move].blunder)
        assert [bool(one["threw"]) for one in judged] == [one["blunder"] for one in judged]
        assert judged[2] == {
            "outcome": "loss",
            "distance": 76,
            "best": False,
            "blunder": True,
            "threw": {"outcome": "win", "distance": 123},
        }


def test_a_move_that_was_taken_back_is_judged_no_more(server: Server) -> None:
    with server.join(server.game()) as client:
        client.move("K*1b", 1)
        ask(client)
        client.command("undo", ply=2)
        assert ask(client)["played"] == []
        client.move("K*2a", 1)
        assert [one["threw"] for one in ask(client)["played"]] == [{"outcome": "win", "distance": 125}]


def test_a_game_that_is_over_has_no_values_but_its_moves_are_judged(server: Server) -> None:
    position = komadai.Position("nana", "1K1/1D[GB]/1k1 b br")
    mate = next(str(m.move) for m in solve.open("nana").moves(position) if m.value == Value("win", 1))
    with server.join(keep(server.make(position=position.sfen()))) as client:
        client.move(mate, 1)
        said = ask(client)
    assert (said["value"], said["moves"]) == (None, [])
    assert (said["played"][0]["outcome"], said["played"][0]["distance"]) == ("win", 1)


def test_a_move_that_ends_the_game_by_repetition_is_worth_that_end(table: Table) -> None:
    game = komadai.Game("nana")
    for move in ("K*1b", "K*3b"):
        game.push(move)
    for move in ("1b1a", "3b3a", "1a1b", "3a3b") * 10:
        twin = game.position.copy()
        twin.push(twin.parse_move(move))
        if twin.outcome() is not None:
            break
        game.push(move)
    else:
        pytest.fail("no repetition")
    assert twin.outcome().winner is None  # type: ignore[union-attr]
    judged = next(m for m in values(table, game.position) if str(m.move) == move)
    plain = next(m for m in table.moves(game.position) if str(m.move) == move)
    assert judged.value == Value("draw", None) != plain.value
    game.push(move)
    said = study(table, komadai.Position("nana"), game.moves, over=True)
    assert said.played[-1] is not None
    assert (said.played[-1].outcome, said.played[-1].distance) == ("draw", None)


def test_of_an_unsolved_game_the_server_says_so(server: Server) -> None:
    with server.join(server.game("shogi")) as client:
        said = ask(client)
        assert said["t"] == "error"
        assert "is not solved here" in said["reason"]


# --- Games from a position, puzzles ---------------------------------------------------------------------------------


def test_a_game_from_a_position_is_kept_and_taken_back_to_it(server: Server) -> None:
    position = "k1d/[gb]2/[SW]K1 b B"
    game = keep(server.make(position=position, w="level10"))
    with server.join(game) as client:
        assert client.state["position"]["sfen"] == position
        assert client.state["start"] == f"{position} 1"
        assert client.state["puzzle"] == {"distance": 181, "winning": 1}
        client.move(ask(client)["moves"][0]["usi"], 1)
        while (said := client.receive("events"))["position"]["thinking"]:
            pass
        assert ask(client)["value"]["distance"] == 179, "the strong computer holds out"
        with server.join(game) as again:
            assert again.state["position"]["sfen"] == said["position"]["sfen"]
        assert client.command("undo", ply=3)["t"] == "ack"
        with server.join(game) as again:
            assert again.state["position"]["sfen"] == position


def test_a_game_from_the_usual_start_is_no_puzzle(server: Server) -> None:
    with server.join(server.game()) as client:
        assert (client.state["start"], client.state["puzzle"]) == (None, None)


def test_the_games_of_a_match_begin_from_the_same_position(server: Server) -> None:
    position = komadai.Position("hand")
    position.push(sorted(position.legal_moves(), key=str)[0])
    game = keep(server.make("hand", position=position.sfen()))
    with server.join(game) as client:
        client.command("resign")
        following = server.follow(game).json()["game"]
        with server.join(following) as second:
            assert second.state["position"]["sfen"] == client.state["position"]["sfen"] == position.sfen()


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ("rubbish", "has 1 field; expected BOARD SIDE HANDS"),
        ("9/4/3 b -", "rank a: '9' is not a count of empty squares; expected 1 to 3; rank a: has 1 square;"),
        ("3/3/1K1 b -", "king"),
        ("", "length >= 1"),
        ("3/" * 1100, "length <= 2048"),
    ],
)
def test_a_position_that_cannot_be_is_refused_in_words(server: Server, position: str, words: str) -> None:
    said = refused(server.ask(position=position))
    assert said.startswith("The game could not be set up: ")
    assert words in said


def test_a_position_in_which_the_game_is_over_is_refused(server: Server) -> None:
    position = komadai.Position("nana", "1K1/1D[GB]/1k1 b br")
    position.push(next(m.move for m in solve.open("nana").moves(position) if m.value == Value("win", 1)))
    assert "the game is over: Black wins" in refused(server.ask(position=position.sfen()))


def test_the_hardest_wins_are_offered_with_what_is_needed_to_draw_them(server: Server, table: Table) -> None:
    said = httpx.get(f"{server.url}/api/hardest/nana?illegal_move=loses").json()
    assert said["variant"]["options"]["illegal_move"] == "loses"
    assert [(p["position"], p["distance"], p["winning"]) for p in said["wins"]] == [
        (p.position, p.distance, p.winning) for p in table.hardest(1000)
    ]
    for puzzle in said["wins"]:
        position = komadai.Position("nana", puzzle["position"])
        assert puzzle["turn"] == position.turn
        assert {"board": puzzle["board"], "hands": puzzle["hands"]} == to_builtins(
            encode.pieces(position.variant, position.setup())
        )


# --- The table by HTTP ----------------------------------------------------------------------------------------------


def test_the_table_is_looked_up_by_position_string(server: Server, table: Table) -> None:
    position = Position("nana", "1K1/1D[GB]/1k1 b br")
    said = httpx.get(f"{server.url}/api/tables/nana", params={"sfen": position.sfen()}).json()
    assert (said["category"], said["dtm"]) == ("win", 1)
    assert [one["move"] for one in said["moves"]] == [one.move.text for one in table.moves(position)]
    for one in said["moves"]:
        after = position.copy()
        after.push(one["move"])
        value = table.probe(after)
        assert value is not None
        plies = None if value.distance is None else value.distance * (-1 if value.outcome == "loss" else 1)
        assert (one["category"], one["dtm"]) == (value.outcome, plies)


def test_the_start_is_looked_up_where_no_position_is_named(server: Server) -> None:
    said = httpx.get(f"{server.url}/api/tables/nana?illegal_move=loses").json()
    assert (said["category"], said["dtm"]) == ("win", 125)


@pytest.mark.parametrize(
    ("asked", "status", "words"),
    [
        ("hardest/nowhere", 404, "Unknown variant 'nowhere'"),
        ("hardest/shogi", 422, "is not solved here"),
        ("hardest/shogi?illegal_move=loses", 422, "is not solved here"),
        ("hardest/nana?colour=red", 422, "unknown option 'colour'"),
        ("tables/nowhere", 404, "Unknown variant 'nowhere'"),
        ("tables/shogi", 422, "is not solved here"),
        ("tables/nana?sfen=nonsense", 422, "nonsense"),
        ("tables/nana?colour=red", 422, "unknown option 'colour'"),
    ],
)
def test_what_is_not_there_or_not_in_a_table_is_refused_in_words(
    server: Server, asked: str, status: int, words: str
) -> None:
    assert words in refused(httpx.get(f"{server.url}/api/{asked}"), status)
