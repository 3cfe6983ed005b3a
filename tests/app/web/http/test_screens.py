"""Data for the screens beside the game: positions looked at, rules, handicaps, known games."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import httpx
import pytest

import komadai
from helpers.web.served import Server, keep, refused
from komadai.app.web.http import rulebook
from komadai.app.web.http.setup_check import check
from komadai.app.web.presenter import encode
from komadai.app.web.schema.requests import HandCounts, PlacedPieces


def asked(server: Server, **body: Any) -> httpx.Response:
    return httpx.post(f"{server.url}/api/positions/check", json=body)


@pytest.mark.parametrize("name", komadai.variants(shelf=False))
def test_a_position_is_read_and_written_alike_as_text_and_as_pieces(name: str) -> None:
    variant = komadai.variant(name)
    game = komadai.Game(variant)
    for _ in range(4):
        game.push(game.position.legal_moves()[-1])
    said = check(variant, game.position.sfen())
    assert said.defects == []
    assert said.position == game.position.sfen()
    pieces = said.pieces
    assert pieces is not None
    hands = HandCounts(dict(pieces.hands.b), dict(pieces.hands.w))
    again = check(variant, PlacedPieces(dict(pieces.board), hands, said.turn))
    assert again == said


def test_the_editor_keeps_the_capture_that_a_position_remembers() -> None:
    start = komadai.Position("chu").sfen().split()[0]
    said = check(komadai.variant("chu"), f"{start} b 6g")
    assert (said.taken_on, said.defects, said.pieces is not None) == ("6g", [], True)
    assert encode.variant(komadai.variant("chu")).remembers == ("N", "+O")
    board = {} if said.pieces is None else dict(said.pieces.board)
    placed = PlacedPieces(board, HandCounts(), "b", taken_on="6g")
    assert check(komadai.variant("chu"), placed) == said
    for name, square, defect in (
        ("chu", "6z", "'6z' is not a square of this board"),
        ("shogi", "5e", "this game remembers no capture, so none can have been on 5e"),
    ):
        refused = check(komadai.variant(name), PlacedPieces({}, HandCounts(), "b", taken_on=square))
        assert list(refused.defects) == [defect]


@pytest.mark.parametrize(
    ("name", "position", "defects"),
    [
        ("shogi", "9/9/9 b -", ["board: has 3 ranks", "expected 9"]),
        ("shogi", "9/9/9/9/9/9/9/9/9 b -", ["Black's king is there 0 times", "White's king is there 0 times"]),
        ("shogi", "4k4/9/4P4/9/9/9/9/9/P3K3P x 1Q", ["side to move", "hands"]),
        ("shogi", "P3k4/9/9/9/9/9/9/9/4K3p b -", ["on 9a: it could never move", "on 1i: it could never move"]),
        ("shogi", "4k4/4R4/9/9/9/9/9/9/4K4 b -", ["White's king is attacked although Black is to move"]),
        ("shogi", "4k4/4G4/4P4/9/9/9/9/9/4K4 w -", ["the game is over: Black wins: checkmate"]),
        ("shogi", "4k4/9/4P4/9/9/9/9/9/9 b G", ["Black's king is there 0 times"]),
        ("nana", "3/3/2K b RBkrb", []),
    ],
)
def test_everything_that_is_wrong_is_said_at_once(name: str, position: str, defects: list[str]) -> None:
    said = check(komadai.variant(name), position).defects
    for defect in defects:
        assert any(defect.split(":")[0] in one for one in said), said
    assert bool(said) == bool(defects) or name == "nana"


@pytest.mark.parametrize(
    ("name", "position", "problem"),
    [
        ("shogi", "4k4/9/4P4/9/9/9/9/9/9 b G", True),
        ("hand", "9/9/9/9/9/9/9/9/4K4 b -", True),
        ("shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b G", False),  # a game can begin there
        ("shogi", "9/9/4P4/9/9/9/9/9/9 b G", False),
        ("shogi", "4k4/4G4/4P4/9/9/9/9/9/9 w -", False),  # it is mate already
        ("shogi", "P3k4/9/9/9/9/9/9/9/9 b -", False),
        ("nana", "3/k2/3 b RB", False),
    ],
)
def test_where_no_game_begins_a_problem_may(name: str, position: str, problem: bool) -> None:
    assert check(komadai.variant(name), position).problem is problem


def test_a_problem_is_studied_and_not_played(server: Server) -> None:
    problem = {"variant": "shogi", "position": "4k4/9/4P4/9/9/9/9/9/9 b G"}
    assert httpx.get(f"{server.url}/api/study", params=problem).is_success
    solved = httpx.get(f"{server.url}/api/study", params=problem | {"moves": "G*5b"}).json()
    assert [node["usi"] for node in solved["nodes"][1:]] == ["G*5b"]
    refusal = httpx.get(f"{server.url}/api/study", params=problem | {"moves": "G*5b 1a1b"})
    assert (refusal.status_code, "Move 2 (1a1b): the game is over" in refusal.text) == (422, True)
    found = httpx.post(f"{server.url}/api/positions", json=problem | {"moves": ["G*5b"]}).json()
    assert found["position"]["outcome"]["reason"] == "checkmate"
    assert "Black's king is there 0 times; expected 1" in refused(server.ask(w="level1", **problem))


def test_pieces_that_cannot_be_are_named(server: Server) -> None:
    hands = {"b": {"K": 1}, "w": {}}
    placed = {"board": {"5e": "bK", "0z": "wK", "5a": "xQ"}, "hands": hands, "turn": "b"}
    said = asked(server, variant="shogi", position=placed).json()
    assert said["position"] is None
    assert [words.split(" ")[0] for words in said["defects"]] == ["'0z'", "'xQ'", "'K'"]


@pytest.mark.parametrize(
    "body",
    [
        {"variant": "go", "position": "9 b -"},
        {"variant": "shogi"},
        {"variant": "shogi", "position": 7},
        {"variant": "shogi", "position": {"board": {}, "hands": {"b": {"P": -1}, "w": {}}, "turn": "b"}},
        {"variant": "ki", "position": "9 b -", "options": {"field": "1x1"}},
        {"variant": "shogi", "position": "9 b -", "more": 1},
    ],
)
def test_nonsense_about_positions_gets_one_sentence(server: Server, body: dict[str, Any]) -> None:
    assert refused(asked(server, **body)).startswith("The position could not be examined: ")


def test_handicaps_and_levels_begin_games(server: Server) -> None:
    listed = httpx.get(f"{server.url}/api/variants").json()
    handicaps = [(variant["id"], one) for variant in listed for one in variant["handicaps"]]
    assert len({one["kanji"] for _, one in handicaps}) == len(handicaps) == 15
    for name, one in handicaps:
        said = check(komadai.variant(name), one["start"])
        assert (said.defects, said.turn) == ([], "w"), one
    variant, start = handicaps[0][0], handicaps[0][1]["start"]
    with server.join(server.make(variant, w="level7", position=start)["game"]) as client:
        assert client.state["seats"] == {"b": "human", "w": "level7"}
        assert client.state["position"]["thinking"], "White, who gives the lance, moves first"
    assert server.ask(variant, w="level11", position=start).status_code == 422


def test_how_games_stand_is_reported_of_those_that_are_there(server: Server) -> None:
    game, hand = server.game(), server.game("hand")
    asked = {"ids": f"nowhere,{game},,%00,{hand}"}

    def look() -> list[tuple[Any, ...]]:
        said = httpx.get(f"{server.url}/api/games", params=asked).json()["games"]
        return [(one["id"], one["variant"], one["turn"], one["over"]) for one in said]

    assert look() == [(game, "nana", "b", False), (hand, "hand", "b", False)]
    with server.join(game) as client, server.join(hand) as other:
        assert client.move("K*1a", 1)["t"] == "ack"
        assert look()[0] == (game, "nana", "w", False)
        assert client.command("resign")["t"] == "ack"
        assert other.command("resign")["t"] == "ack"
        assert look() == [(game, "nana", "w", True), (hand, "hand", "b", False)], "the match goes on"
        assert server.follow(hand).status_code == 200
        assert look()[1] == (hand, "hand", "b", True), "in another game"
    assert httpx.get(f"{server.url}/api/games").json() == {"games": []}


def test_a_list_has_what_another_game_like_it_needs(server: Server) -> None:
    start = "3/3/2K b RBkrb"
    asked = {"options": {"drop_faces": "front"}, "time": "3d", "position": start, "name": "Ada"}
    game = keep(server.make(w="open", **asked))

    def look() -> dict[str, Any]:
        said: dict[str, Any] = httpx.get(f"{server.url}/api/games", params={"ids": game}).json()["games"][0]
        return said

    listed = look()
    assert listed["options"]["drop_faces"] == "front"
    assert (listed["start"], listed["time"], listed["outcome"]) == (f"{start} 1", "3d", None)
    assert server.make(**listed["seats"], options=listed["options"], time=listed["time"], position=listed["start"])
    with server.join(game) as client:
        assert client.command("resign")["t"] == "ack"
    assert (look()["over"], look()["outcome"]["reason"]) == (True, "called_off")
    assert look()["created"] <= look()["last"]


def test_what_a_page_loads_is_packed(server: Server) -> None:
    """Not so what may hold secrets beside text that others chose."""
    for same in ("/static/locale/ja.json", "/game/x", "/api/variants", "/api/shelf"):
        assert httpx.get(server.url + same).headers["content-encoding"] == "gzip"
    for other in (f"/api/games?ids={server.game()}", "/api/lessons/nana"):
        assert "content-encoding" not in httpx.get(server.url + other).headers


def test_a_page_comes_in_its_frame_and_once(server: Server) -> None:
    for path in ("/", "/settings", "/new/nana", "/game/nowhere"):
        first = httpx.get(server.url + path)
        assert first.text.startswith('<!doctype html>\n<html lang="en" ')
        assert [first.text.count(tag) for tag in ("<title", "</head>", "<body", "</body>", "<main")] == [1] * 5
        assert "$" not in first.text
        again = httpx.get(server.url + path, headers={"if-none-match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["content-security-policy"] == first.headers["content-security-policy"]


# --- Rules ----------------------------------------------------------------------------------------------------------

TAGS = re.compile("a|code|div|em|h[3-6]|li|ol|p|pre|strong|table|tbody|td|th|thead|tr|ul")


@pytest.mark.parametrize("name", komadai.variants(shelf=False))
def test_the_rules_name_what_there_is(server: Server, name: str) -> None:
    said = httpx.get(f"{server.url}/api/rules/{name}").json()
    codes = {kind["code"] for kind in said["variant"]["kinds"]}
    assert set(said["words"]) == set(said["changes"]) == codes
    for changes in said["changes"].values():
        captured = changes.pop("captured")
        assert {captured, *(code for into in changes.values() for code in into)} <= codes | {None}
    assert {code for rule in said["rules"] for code in rule["codes"]} <= codes
    anchors = set(re.findall(r'id="rule-([^"]+)"', said["page"]))
    numbers = {number for rule in said["rules"] for number in re.findall(r"\bR?[0-9.]*[0-9]\b", rule["source"])}
    assert numbers <= anchors, "what a rule refers to by its number can be found on the page"


@pytest.mark.parametrize("name", komadai.variants(shelf=False))
def test_the_rules_page_is_plain_html(name: str) -> None:
    page = rulebook.rulebook(komadai.variant(name)).page
    found = re.findall(r"<([a-z0-9]+)((?: [a-z]+=\"[^\"]*\")*) ?/?>", page)
    assert len(found) == len(re.findall(r"<[^/]", page)), "every tag is of this form"
    assert all(TAGS.fullmatch(tag) for tag, _ in found)
    assert set(re.findall(r" ([a-z]+)=", "".join(more for _, more in found))) <= {
        "id",
        "class",
        "tabindex",
        "href",
        "start",
    }
    for address in re.findall(r'href="([^"]*)"', page):
        assert re.fullmatch(r"/rules/[a-z0-9-]+|https?://.*", address)


def test_a_page_can_say_nothing_but_markdown(tmp_path: Path) -> None:
    source = tmp_path / "rules.md"
    source.write_text(
        "# A <script>alert(1)</script>\n\n<img src=x onerror=y>\n\n"
        "[a](javascript:alert(1)) [b](other.md) ![c](d.png)\n\n|x|\n|:-:|\n|y|\n",
        encoding="utf-8",
    )
    html = rulebook._html(source)
    assert "<script" not in html
    assert "<img" not in html
    assert "href" not in html
    assert "style" not in html
    assert '<div class="scroller" tabindex="0">' in html


def test_rules_speak_of_the_options_in_force(server: Server) -> None:
    said = httpx.get(f"{server.url}/api/rules/nana", params={"drop_faces": "front"}).json()
    assert said["changes"]["R"]["dropped"] == []
    assert said["variant"]["options"]["drop_faces"] == "front"
    wrong = httpx.get(f"{server.url}/api/rules/nana", params={"dice": "6"})
    assert refused(wrong).startswith("The rules could not be shown: ")
    assert httpx.get(f"{server.url}/api/rules/go").status_code == 404


def test_the_shelf_is_a_list_of_its_own_and_its_games_can_be_played(server: Server) -> None:
    listed, shelf = (
        {one["id"]: one for one in httpx.get(f"{server.url}/api/{what}").json()} for what in ("variants", "shelf")
    )
    assert {*listed, *shelf} == set(komadai.variants(shelf=True))
    assert not listed.keys() & shelf.keys()
    assert server.game("minishogi", w="level1")
    for name, one in shelf.items():
        assert one["about"]["sample"], f"{name} has no sample"
        rules = httpx.get(f"{server.url}/api/rules/{name}").json()
        assert 'id="rule-1"' in rules["page"], name
