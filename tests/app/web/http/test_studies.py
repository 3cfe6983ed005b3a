"""Studies over HTTP: positions, records in and out, what is shared, and what is said to those who send nonsense."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

import komadai
from helpers.web.served import Server, refused
from komadai import record as records

KIF = """手合割：平手
先手：Aki
手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:01/00:00:01)
*quiet
   2 ３四歩(33)
   3 ２二角成(88)
   4 投了

変化：2手
   2 ８四歩(83)
"""


def ask(server: Server, address: str, **body: Any) -> httpx.Response:
    return httpx.post(f"{server.url}/api/{address}", json=body)


def ask_list(server: Server, address: str, sent: list[dict[str, Any]]) -> httpx.Response:
    return httpx.post(f"{server.url}/api/{address}", content=json.dumps(sent))


def read(server: Server, data: str | bytes) -> dict[str, Any]:
    answer = httpx.post(f"{server.url}/api/records/read", content=data)
    assert answer.status_code == 200, answer.text
    said: dict[str, Any] = answer.json()
    return said


def applied(pieces: dict[str, Any], move: dict[str, Any]) -> dict[str, Any]:
    """The position after a move, as a client derives it from the move's entry."""
    board = {at: piece for at, piece in (pieces["board"] | move["set"]).items() if piece is not None}
    return {"board": board, "hands": move["hands"]}


@pytest.mark.parametrize("variant", komadai.variants(shelf=False))
def test_what_moves_change_leads_to_the_position_they_lead_to(server: Server, variant: str) -> None:
    position, moves = komadai.Position(variant), []
    while len(moves) < 12 and position.outcome() is None:
        legal = sorted(map(str, position.legal_moves()))
        moves.append(legal[len(moves) % min(3, len(legal))])
        position.push(moves[-1])
    begun = httpx.get(f"{server.url}/api/study", params={"variant": variant}).json()
    said = ask(server, "positions", variant=variant, moves=moves).json()
    pieces = begun["start"]
    for move in said["moves"]:
        pieces = applied(pieces, move)
    assert [move["usi"] for move in said["moves"]] == moves
    assert pieces == {name: said["position"][name] for name in ("board", "hands")}
    assert said["position"]["sfen"] == position.sfen()
    later = ask(server, "positions", variant=variant, moves=moves, known=len(moves) - 1).json()
    assert later["moves"] == said["moves"][-1:]


def test_a_typed_move_is_read_and_a_wrong_one_explained(server: Server) -> None:
    said = ask(server, "positions", variant="shogi", moves=["7g7f", "3c3d"], known=2, text="Bx2b+").json()
    assert [move["usi"] for move in said["moves"]] == ["8h2b+"]
    why = ask(server, "positions/explain", variant="shogi", moves=["7g7f"], text="3c3e").json()
    assert why["text"] == "3c3e is not legal: the pawn does not move from 3c to 3e"


def test_the_guide_names_a_threat_and_the_reach_of_the_opponents_pieces(server: Server) -> None:
    said = ask(server, "positions/guide", variant="shogi", position="4k4/9/9/9/9/9/3ppp3/9/4K4 b Pg").json()
    first = said["remarks"][0]
    assert first["text"] == "Your opponent threatens to win with {move}."
    assert (first["topic"], first["move"]["usi"], first["move"]["japanese"]) == ("threat", "G*5h", "☖５八金")
    assert said["reach"]["6g"] == ["6h"]
    assert ask(server, "positions/guide", variant="nana").json()["remarks"][0]["code"] == "K"
    over = ask(server, "positions/guide", variant="shogi", position="4k4/4G4/4P4/9/9/9/9/9/4K4 w -")
    assert over.json() == {"remarks": [], "reach": {}}
    assert ask(server, "positions/guide", variant="shogi", position="9/9 b -").status_code == 422


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"variant": "shogi", "moves": ["7g7f", "7f7e"]}, "Move 2 (7f7e): 7f7e is not legal"),
        ({"variant": "chess"}, "Unknown variant 'chess'"),
        ({"variant": "shogi", "position": "9/9 b -"}, "Position"),
        ({"variant": "nana", "options": {"drop_faces": "no"}}, "drop_faces"),
        ({"variant": "nana", "options": {"name": "x"}}, "unknown option 'name'"),
        ({"variant": "shogi", "moves": 3}, "not understood"),
        ({"variant": "shogi", "moves": ["7g7f"] * 5001}, "not understood"),
        ({"variant": "shogi", "text": "?"}, "Move '?'"),
        ({"variant": "shogi", "surprise": 1}, "unknown field `surprise`"),
    ],
)
def test_a_question_that_makes_no_sense_is_answered_in_words(server: Server, body: Any, words: str) -> None:
    assert words in refused(ask(server, "positions", **body))


def test_a_file_becomes_a_study_and_a_study_every_kind_of_file(server: Server) -> None:
    said = read(server, KIF.encode("cp932"))
    [data], study = said["records"], said["study"]
    assert [(node["usi"], node["after"], node["comment"]) for node in study["nodes"][1:]] == [
        ("7g7f", 0, "quiet"),
        ("3c3d", 1, ""),
        ("8h2b+", 2, ""),
        ("8c8d", 1, ""),
    ]
    assert study["headers"] == {"Black": "Aki"}
    assert study["result"]["text"] == "Black wins: White resigned"
    assert study["forms"] == list(records.FORMATS)
    for form in study["forms"]:
        written = httpx.post(f"{server.url}/api/records/write/{form}", json=data)
        assert written.status_code == 200
        [again] = records.read(written.text)
        assert [str(move) for move in again.game().moves] == ["7g7f", "3c3d", "8h2b+"]
    assert "choose from" in refused(httpx.post(f"{server.url}/api/records/write/pgn", json=data))


def test_several_records_are_read_without_a_study(server: Server) -> None:
    said = read(server, "position startpos moves 7g7f\nposition startpos moves 2g2f\n")
    assert said["study"] is None
    assert [record["moves"] for record in said["records"]] == [["7g7f"], ["2g2f"]]


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe\xff", b'{"schema": "komadai-record/9"}', b"7g7f 7g7e"])
def test_what_is_no_record_is_refused_in_words(server: Server, data: bytes) -> None:
    assert refused(httpx.post(f"{server.url}/api/records/read", content=data)).endswith(".")


def test_a_record_that_is_too_long_is_not_read(server: Server) -> None:
    answer = httpx.post(f"{server.url}/api/records/read", content=b" " * (1024 * 1024 + 1))
    assert answer.status_code == 413


def test_a_shared_study_is_there_for_everybody(server: Server) -> None:
    said = read(server, KIF)
    name = httpx.post(f"{server.url}/api/records", json=said["records"][0]).json()["id"]
    assert httpx.get(f"{server.url}/api/records/{name}").json() == said["study"]
    assert httpx.get(f"{server.url}/study/{name}").status_code == 200
    assert httpx.get(f"{server.url}/api/records/none").status_code == 404


def test_a_score_is_reported_as_chances_too(server: Server) -> None:
    record = records.to_data(records.read("position startpos moves 7g7f 3c3d")[0])
    record["moves"] = [{"move": "7g7f", "score": {"value": 600}}, {"move": "3c3d", "score": {"mate": 3}}]
    nodes = read(server, records.write([records.from_data(record)], "json"))["study"]["nodes"]
    assert nodes[1]["score"]["chance"] == pytest.approx(0.7311, abs=1e-4), "e to 1 for Black"
    assert nodes[2]["score"]["chance"] == 0, "White mates"


def test_a_game_is_studied_as_it_stands(server: Server) -> None:
    game = server.game("nana")
    with server.join(game) as client:
        client.move("K*1b", 1)
    study = httpx.get(f"{server.url}/api/games/{game}/record").json()
    assert [node["usi"] for node in study["nodes"][1:]] == ["K*1b"]
    assert httpx.get(f"{server.url}/api/games/none/record").status_code == 404


def test_positions_are_drawn(server: Server) -> None:
    drawn = ask(server, "pictures/svg", variant="nana", moves=["K*1b"], flipped=True, letters=True)
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert drawn.text.startswith("<svg")
    assert ask(server, "pictures/png", variant="nana").content.startswith(b"\x89PNG")
    assert ask(server, "pictures/gif", variant="nana").status_code == 404


def test_games_and_records_become_moving_pictures(server: Server) -> None:
    game = server.game("nana")
    with server.join(game) as client:
        for ply, text in enumerate(("K*1b", "K*3b"), 1):
            client.move(text, ply)
    drawn = httpx.get(f"{server.url}/api/games/{game}/animation?letters=true")
    assert (drawn.status_code, drawn.headers["content-type"]) == (200, "image/svg+xml")
    assert "2. ☖K*3b" in drawn.text
    assert httpx.get(f"{server.url}/api/games/none/animation").status_code == 404
    body = records.write([records.Record.of(_pushed(), [("White", "<Ken>")])], "json")
    of_record, flipped = (
        httpx.post(f"{server.url}/api/records/animation", params={"flipped": flipped}, content=body)
        for flipped in ("false", "true")
    )
    assert "☖ &lt;Ken&gt;" in of_record.text
    assert of_record.text != flipped.text
    assert refused(httpx.post(f"{server.url}/api/records/animation", content="{}"))
    unplayed = records.write([records.Record.begin("nana")], "json")
    assert "no move has been made" in refused(httpx.post(f"{server.url}/api/records/animation", content=unplayed))


def _pushed() -> komadai.Game:
    game = komadai.Game("shogi")
    game.push("7g7f")
    return game


def test_a_game_of_two_people_is_no_moving_picture_before_its_end(server: Server) -> None:
    made = ask(server, "games", variant="nana", seats={"b": "human", "w": "open"}).json()
    ask(server, "join", invite=made["invite"])
    answer = httpx.get(f"{server.url}/api/games/{made['game']}/animation")
    assert "still playing" in refused(answer)


def test_games_are_exported_into_one_file(server: Server) -> None:
    nana, shogi = server.game(), server.game("shogi")
    with server.join(nana) as one, server.join(shogi) as other:
        assert one.move("K*1a", 1)["t"] == "ack"
        assert other.move("7g7f", 1)["t"] == "ack"
    made = ask(server, "games", variant="shogi", seats={"b": "human", "w": "open"}).json()
    guest = ask(server, "join", invite=made["invite"]).json()
    asked = [nana, "nowhere", shogi, made["game"], nana]
    for form in ("text", "json"):
        answer = ask(server, f"games/records/{form}", games=asked)
        assert answer.status_code == 200, answer.text
        found = records.read(answer.text)
        assert [(one.variant.id, len(one.main) - 1) for one in found] == [("nana", 1), ("shogi", 1)]
    assert ask(server, "games/records/text", games=["nowhere", made["game"]]).status_code == 404, "they still play"
    with server.join(made["game"], token=guest["token"]) as client:
        assert client.command("resign")["t"] == "ack"
    assert ask(server, "games/records/text", games=[made["game"]]).status_code == 200
    assert ask(server, "games/records/kif", games=[nana]).status_code == 404
    assert ask(server, "games/records/text", games=[]).status_code == 422
    assert ask(server, "games/records/text", games=["x"] * 201).status_code == 422


def test_records_with_names_of_chapters_are_one_study(server: Server) -> None:
    two = [
        records.to_data(records.Record.begin("nana").add(0, "K*1b", comment=f"[%draw 1{at}]")[0]) for at in ("a", "b")
    ]
    said = read(server, records.write(list(map(records.from_data, two)), "json"))
    assert (len(said["records"]), said["study"]) == (2, None)
    chapters = [one | {"headers": {"Chapter": name}} for one, name in zip(two, ("First", "Second"), strict=True)]
    for body in (json.dumps(chapters), ask_list(server, "records/write/text", chapters).text):
        study = read(server, body)["study"]
        assert study["headers"] == {"Chapter": "First"}
        assert [one["headers"]["Chapter"] for one in study["chapters"]] == ["First", "Second"]
        assert [one["moves"][0]["comment"] for one in study["chapters"]] == ["[%draw 1a]", "[%draw 1b]"]
    kept = ask_list(server, "records", chapters).json()["id"]
    shared = httpx.get(f"{server.url}/api/records/{kept}").json()
    assert [one["headers"]["Chapter"] for one in shared["chapters"]] == ["First", "Second"]
    assert httpx.get(f"{server.url}/api/study", params={"variant": "nana"}).json()["chapters"] == []


def test_chapters_are_of_one_game_and_few(server: Server) -> None:
    named = [records.to_data(records.Record.begin(game)) | {"headers": {"Chapter": game}} for game in ("nana", "hand")]
    assert read(server, json.dumps(named))["study"] is None
    assert ask_list(server, "records", named).json()["error"] == "One record is expected here, not 2."
    assert read(server, json.dumps(named[:1] * 65))["study"] is None
