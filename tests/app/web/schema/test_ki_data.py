"""The data of an unbounded field as the page receives it: its window, support, and losses at the end of a turn."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import to_builtins

import komadai
from helpers.games import random_positions
from helpers.volume import volume
from helpers.web.served import Server
from komadai.app.web.presenter import encode
from komadai.game.game import Game
from komadai.reference.explain import why_nowhere
from komadai.spec.geometry import recentred
from komadai.spec.setup import Piece


def game(name: str, moves: str, **options: str) -> Game:
    played = Game(name, **options)
    for move in moves.split():
        played.push(move)
    return played


def found_leaves(tree: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The last step of every move, by move string."""
    found = {}
    for step in tree:
        found |= {step["usi"]: step} if "usi" in step else found_leaves(step["next"])
    return found


# --- Variants -------------------------------------------------------------------------------------------------------


def test_a_field_without_edges_is_said_to_be_one() -> None:
    unbounded = {data["id"] for data in to_builtins(encode.variants()) if data["board"]["unbounded"]}
    assert unbounded == {"ki", "ki-unicorn"}
    assert not encode.variant(komadai.variant("ki", field="9x9")).board.unbounded


def test_a_setting_with_sizes_says_from_where_to_where() -> None:
    settings = {
        data["id"]: {setting["name"]: setting for setting in data["settings"]}
        for data in to_builtins(encode.variants())
    }
    assert settings["ki"]["field"]["sizes"] == (3, 25)
    assert settings["ki"]["illegal_move"]["sizes"] is None
    assert all(setting["sizes"] is None for setting in settings["nana"].values())


@pytest.mark.parametrize(
    ("name", "code", "following"),
    [("ki", "HI", "CHO"), ("ki", "CHO", "HI"), ("ki", "K", None), ("ki-unicorn", "BA", "RYUU"), ("shogi", "P", None)],
)
def test_what_a_piece_turns_into_by_moving_alone(name: str, code: str, following: str | None) -> None:
    kinds = {kind["code"]: kind for kind in to_builtins(encode.variant(komadai.variant(name)).kinds)}
    assert kinds[code]["next"] == following


# --- Positions ------------------------------------------------------------------------------------------------------


def test_support_is_reported_where_there_is_any() -> None:
    assert to_builtins(encode.position(Game("shogi"), with_tree=True))["support"] is None
    # 3c and 5d..3f are next to one of the two Gyoku on 5e and 4c; both neighbourhoods are listed once.
    data = to_builtins(encode.position(game("ki", "K*5e K*4c"), with_tree=True))["support"]
    around = {f"{file}{rank}" for file in (4, 5, 6) for rank in "def"} | {f"{f}{r}" for f in (3, 4, 5) for r in "bcd"}
    assert set(data["pieces"]) | {"5e", "4c"} == around
    assert data["links"] == []


def test_links_reach_farther() -> None:
    data = to_builtins(encode.position(game("ki-unicorn", "K*10j K*9h"), with_tree=True))["support"]
    assert "10l" in data["links"]
    assert "10l" not in data["pieces"]
    assert "10m" not in data["links"]


def test_stranded_pieces_are_reported_until_the_game_is_over() -> None:
    # The cube on 7b stands next to neither Gyoku, and White is to move.
    position = komadai.Position("ki", "9/9/2[cho]6/4k4/9/4K4/9/9/9 w [HI][KAKU][kaku]")
    stranded = position.stranded()
    played = Game("ki", position.sfen())
    data = to_builtins(encode.position(played, with_tree=True))
    assert set(data["stranded"]) == stranded == {"7b"}
    played.resign("w")
    assert to_builtins(encode.position(played, with_tree=True))["stranded"] == []


# --- Steps ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ki", "ki-unicorn"])
def test_a_step_says_what_the_end_of_the_turn_takes(name: str) -> None:
    seen = 0
    for position in random_positions(name, {}, games=volume(8, least=4), plies=40):
        leaves = found_leaves(to_builtins(encode.choices(position).tree))
        for move in position.legal_moves():
            losses = leaves[str(move)].get("loses", [])
            assert losses == sorted(position.losses(move), key=position.variant.board.find)
            seen += bool(losses)
    assert seen


def test_other_games_never_ask() -> None:
    for position in random_positions("shogi", {}, games=1, plies=30):
        assert all("loses" not in leaf for leaf in found_leaves(to_builtins(encode.choices(position).tree)).values())


# --- The window -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ki", "ki-unicorn"])
def test_the_shift_of_a_move_carries_every_piece_to_its_new_name(name: str) -> None:
    shifts = set()
    for position in random_positions(name, {}, games=volume(8, least=4), plies=40):
        v, side, board = position.variant, position.turn, position.variant.board
        for move in position.legal_moves():
            data = to_builtins(encode.played_move(v, side, move, encode.Texts("", "")))
            right, down = data.get("shift", (0, 0))
            shifts.add((right, down))
            after = list(position.board)
            if move.origin_point is not None:
                after[move.origin_point] = None
            after[move.target_point] = Piece(side, move.piece)
            losses = position.losses(move)
            kept = {point: piece for point, piece in enumerate(after) if piece and board.name(point) not in losses}
            position.push(move)
            expected = {(board.xy(point)[0] + right, board.xy(point)[1] + down): p for point, p in kept.items()}
            assert {board.xy(point): p for point, p in enumerate(position.board) if p} == expected
            assert recentred(board, position.board) == position.board
            position.pop()
    assert shifts == {(right, down) for right in (-1, 0, 1) for down in (-1, 0, 1)}


def test_a_table_with_edges_never_shifts() -> None:
    for position in random_positions("ki", {"field": "9x9"}, games=volume(3, least=2), plies=30):
        for move in position.legal_moves():
            assert "shift" not in to_builtins(
                encode.played_move(position.variant, position.turn, move, encode.Texts("", ""))
            )


# --- Why not --------------------------------------------------------------------------------------------------------


def test_the_first_gyoku_comes_to_the_middle() -> None:
    position = komadai.Position("ki")
    assert position.explain("K*5e") == "K*5e is legal"
    assert position.explain("K*1a") == (
        "K*1a is not legal: Black's Gyoku is placed first, on 5e: only relative places matter"
    )


def test_a_cube_with_nowhere_to_go_is_reported_why() -> None:
    start = komadai.Position("ki")
    assert why_nowhere(start.variant, start.setup(), "HI") == (
        "The flying cannot be dropped anywhere now: the first move must place the Gyoku [ki.md 1]."
    )


# --- The server -----------------------------------------------------------------------------------------------------


def test_a_game_on_a_table_of_any_size_takes_moves_by_compass(server: Server) -> None:
    with server.join(server.game("ki", field="7x5")) as client:
        assert (client.state["variant"]["board"]["width"], client.state["variant"]["board"]["height"]) == (7, 5)
        assert client.move("*Gyoku 4c", 1)["t"] == "ack"
        assert client.move("*gyoku nne", 2)["t"] == "ack"
    with server.join(client.state["game"]) as client:
        assert [move["text"] for move in client.state["moves"]] == ["*Gyoku 4c", "*Gyoku NNE"]


def test_who_watches_sees_the_shift_and_may_take_the_move_back(server: Server) -> None:
    opening = "*Gyoku, *Gyoku NNE, *Cho E, *Myou E, Gyoku W, Gyoku W"
    with server.join(server.game("ki")) as client:
        for ply, text in enumerate(opening.split(", "), 1):
            data = client.move(text, ply)
            assert data["t"] == "ack", data
    with server.join(client.state["game"]) as client:
        assert [move.get("shift") for move in client.state["moves"]] == [None, None, None, None, [1, 0], None]
        assert client.state["position"]["last"]["text"] == "Gyoku W"
        assert client.command("undo", ply=7)["t"] == "ack"
    with server.join(client.state["game"]) as client:
        last = client.state["position"]["last"]
        assert (last["from"], last["to"], last["shift"]) == ("5e", "6e", [1, 0])
        refused = client.move("Gyoku W+", 6)
        assert refused["t"] == "refused"
        assert "it gives no check" in refused["reason"]


def test_a_move_that_costs_pieces_can_be_asked_about_first(server: Server) -> None:
    moves = ["K*5e", "K*4c", "CHO*4e", "MYOU*3c", "4e4f", "4c3d", "MYOU*5f", "CHO*3e"]
    with server.join(server.game("ki")) as client:
        for ply, move in enumerate(moves, 1):
            assert client.command("move", text=move, ply=ply, ask=True)["t"] == "ack", "they cost nothing"
        refused = client.command("move", text="5e5d", ply=9, ask=True)
        assert refused["reason"].startswith("5e5d costs you 2 pieces, which go to White's hand.")
        assert client.command("move", text="5e5d", ply=9)["t"] == "ack"
