"""Lessons over HTTP: courses, stages played move by move, and what is said to those who send nonsense."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import httpx
import pytest

import komadai
from helpers.volume import FULL
from helpers.web.inside import inside
from helpers.web.served import Server, refused
from komadai.app import lessons
from komadai.app.engine_service import EngineLostError, InPlaceBackend, SearchRequest, SearchResult
from komadai.app.engine_service.backend import Reporter, unheard
from komadai.app.web.engines.rate_limits import USUAL
from komadai.app.web.store.sqlite import SqliteStore

COURSES = (*lessons.written(), "dobutsu", "wa")


def ask(server: Server, path: str, **body: Any) -> httpx.Response:
    return httpx.post(f"{server.url}/api/lessons/{path}", json=body, timeout=120)


def going(server: Server, path: str, moves: list[str], move: str | None = None, tries: int = 0) -> dict[str, Any]:
    """The answer in a stage."""
    answer = ask(server, path, moves=moves, move=move, tries=tries)
    assert answer.status_code == 200, answer.text
    said: dict[str, Any] = answer.json()
    return said


def test_courses_are_listed_the_written_first_with_all_their_stages(server: Server) -> None:
    listed = httpx.get(f"{server.url}/api/lessons").json()["courses"]
    assert {one["game"] for one in listed} == set(komadai.variants())
    written = [one for one in listed if one["stages"] is not None]
    assert listed[: len(written)] == written
    assert {one["game"] for one in written} == set(lessons.written())
    for group in (written, listed[len(written) :]):
        hard = [komadai.variant(one["game"]).about.order for one in group]
        assert hard == sorted(hard)
    for one in written:
        assert one["stages"] == [entry.id for entry in lessons.course(one["game"]).entries]


@pytest.mark.parametrize("game", COURSES)
def test_a_course_has_the_chapters_of_its_file(server: Server, game: str) -> None:
    said = httpx.get(f"{server.url}/api/lessons/{game}").json()
    plain = lessons.course(game).to_json()
    assert said["variant"]["id"] == game
    assert (said["about"], said["chapters"]) == (plain["about"], plain["chapters"])


def test_a_course_says_where_its_game_has_puzzles(server: Server) -> None:
    assert httpx.get(f"{server.url}/api/lessons/nana-1998").json()["puzzles"]["game"] == "nana"
    assert httpx.get(f"{server.url}/api/lessons/nana").json()["puzzles"]["count"] > 100


def test_a_course_is_made_for_a_game_without_a_written_one_and_played(server: Server) -> None:
    stage = lessons.course("tori").stage("checkmate")
    assert going(server, "tori/checkmate", [])["position"]["sfen"] == stage.begin().sfen()
    assert going(server, "tori/checkmate", [], lessons.next_move(stage))["state"] == "done"
    assert going(server, "tori/no-drop-2", [], "S*5a")["state"] == "wrong"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("", 200),
        ("/nana", 200),
        ("/nana-1998", 200),
        ("/nana/rook", 200),
        ("/nana-1998/drill-r", 200),
        ("/wa/drill-p-turned", 200),
        ("/wa/nowhere", 404),
        ("/chess", 404),
        ("/nana/nowhere", 404),
    ],
)
def test_pages_exist_for_courses_and_stages_that_exist(server: Server, path: str, status: int) -> None:
    answer = httpx.get(f"{server.url}/learn{path}", headers={"accept": "text/html"})
    assert answer.status_code == status
    assert answer.text.startswith("<!doctype html>")


def test_a_stage_is_played_to_its_end_with_nothing_but_what_was_answered(server: Server) -> None:
    """Drills of a walk: the turn is handed back, marks go as points are reached, and the way leads to the end."""
    said = going(server, "nana/roll", [])
    assert (said["state"], said["stage"]["goal"], said["stage"]["side"]) == ("going", "reach", "b")
    marks = {(mark["t"], mark["at"]) for mark in said["marks"]}
    assert marks == {("target", "2c"), ("target", "3b"), ("piece", "2b")}
    board = said["position"]["board"]
    for move, state in (("2b2c", "right"), ("2c2b", "going"), ("2b3b", "done")):
        assert said["position"]["turn"] == "b"
        said = going(server, "nana/roll", said["moves"], move)
        assert said["state"] == state
        [made] = said["made"]
        board = {at: piece for at, piece in (board | made["set"]).items() if piece is not None}
        assert board == said["position"]["board"]
    assert said["position"]["tree"] == [], "nothing is left to do"


def test_the_opponent_replies_in_a_line_and_its_move_comes_with_the_answer(server: Server) -> None:
    said = going(server, "nana/two-moves", [], "D*1c")
    assert [made["usi"] for made in said["made"]] == said["moves"] == ["D*1c", "3a3b"]
    assert said["state"] == "right"
    again = going(server, "nana/two-moves", said["moves"], None, 3)
    assert (again["made"], again["moves"], again["show"]) == ([], said["moves"], "2c3b")
    done = going(server, "nana/two-moves", said["moves"], "2c3b")
    assert (done["state"], done["position"]["outcome"]["winner"]) == ("done", "b")


def test_a_wrong_move_is_answered_and_leaves_everything_as_it_was(server: Server) -> None:
    begun = going(server, "nana/second-king", [])
    said = going(server, "nana/second-king", [], "K*2a")
    assert said["state"] == "wrong"
    assert "beside White's king" in said["text"]
    assert (said["moves"], said["position"]) == ([], begun["position"])
    assert said["hint"]
    assert going(server, "nana/second-king", [], "K*2a", 2)["show"] is not None


def test_a_wrong_move_that_is_legal_comes_with_the_answer(server: Server) -> None:
    wrong = going(server, "nana/take", [], "1c2c")
    assert (wrong["state"], wrong["tried"]["usi"], wrong["moves"], wrong["made"]) == ("wrong", "1c2c", [], [])
    assert going(server, "nana/take", [], "2b2a")["tried"] is None
    assert going(server, "nana/take", [], "1c3a")["tried"] is None


def test_an_illegal_move_is_explained_as_in_a_game(server: Server) -> None:
    said = going(server, "nana/rook", [], "2b1a")
    assert said["state"] == "wrong"
    assert "2b1a is not legal" in said["text"]
    assert "bishop's" in said["text"]


def test_a_question_is_answered_by_numbers(server: Server) -> None:
    begun = going(server, "nana/repetition", [])
    assert (len(begun["stage"]["choices"]), begun["position"]["tree"]) == (3, [])
    assert going(server, "nana/repetition", [], "1")["state"] == "wrong"
    assert going(server, "nana/repetition", [], "0")["state"] == "done"
    assert going(server, "nana/repetition", [], "seven")["state"] == "wrong"


def test_in_a_guided_game_the_engine_replies(server: Server) -> None:
    said = going(server, "nana/game", [], "K*1a")
    assert (said["state"], len(said["made"]), said["made"][1]["side"]) == ("going", 2, "w")
    assert said["marks"][0]["t"] == "reply"
    move = next(step["usi"] for step in leaves(said["position"]["tree"]))
    later = going(server, "nana/game", said["moves"], move)
    assert later["moves"][:3] == [*said["moves"], move]


def leaves(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [leaf for step in steps for leaf in (leaves(step["next"]) if "next" in step else [step])]


@pytest.mark.parametrize("game", COURSES)
def test_stages_of_every_course_begin_and_go_their_way(server: Server, game: str) -> None:
    """The answers fit their description (conftest.py), drills of every kind included."""
    for entry in lessons.course(game).entries[:: 1 if FULL else 7]:
        stage = lessons.course(game).stage(entry.id)
        said = going(server, f"{game}/{stage.id}", [])
        assert said["stage"]["title"] == stage.heading
        right = lessons.next_move(stage)
        if right is not None:
            assert going(server, f"{game}/{stage.id}", [], right)["state"] in ("going", "right", "done")


def test_answers_are_in_the_language_of_the_visitor(server: Server) -> None:
    japanese = {"accept-language": "ja"}
    path = f"{server.url}/api/lessons/nana/rook"
    said = httpx.post(path, json={"move": "2b1a"}, headers=japanese).json()
    assert said["stage"]["title"] != going(server, "nana/rook", [])["stage"]["title"]
    assert not said["text"].isascii()


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("chess/king", {}, 404, "Unknown variant 'chess'"),
        ("nana/nowhere", {}, 404, "no stage 'nowhere'"),
        ("nana/%00", {}, 404, "no stage"),
        ("nana/..%2Frook", {}, 404, ""),
        (f"nana/{'x' * 3000}", {}, 404, "no stage"),
        ("nana/rook", {"moves": "2b2a"}, 422, "The move was not understood"),
        ("nana/rook", {"move": ""}, 422, "The move was not understood"),
        ("nana/rook", {"move": "x" * 65}, 422, "The move was not understood"),
        ("nana/rook", {"tries": -1}, 422, "The move was not understood"),
        ("nana/rook", {"surprise": 1}, 422, "unknown field `surprise`"),
        ("nana/rook", {"moves": ["2b2a"] * 401}, 422, "not understood"),
        ("nana/rook", {"moves": ["2b2a"] * 3}, 422, "has 3 moves; at most 2 are possible"),
        ("nana/rook", {"moves": ["2b1a"], "move": "2b2a"}, 422, "2b1a is not legal"),
        ("nana/rook", {"moves": ["1c1b"]}, 422, "only the piece on 2b moves here"),
        ("nana/two-moves", {"moves": ["a", "b", "c", "d"]}, 422, "at most 3"),
        ("nana/repetition", {"moves": ["9"]}, 422, "a choice is a number from 0 to 2"),
        ("nana/game", {"moves": ["K*1a"] * 61}, 422, "at most 60"),
    ],
)
def test_nonsense_is_answered_in_words(server: Server, path: str, body: Any, status: int, words: str) -> None:
    assert words in refused(ask(server, path, **body), status)


@pytest.mark.parametrize("text", ["2b2a2c2a", "*", "R*", "+", "\0", "１九飛", "👑", "0", "-1", "resign", "x" * 64])
def test_whatever_is_no_move_is_a_wrong_one(server: Server, text: str) -> None:
    for stage in ("rook", "take", "drop", "trap", "which-face", "game"):
        said = going(server, f"nana/{stage}", [], text, 999)
        assert said["state"] in ("wrong", "done" if text == "0" and stage == "which-face" else "wrong")
        assert said["text"]


async def test_strangers_cannot_ask_without_end(store: SqliteStore) -> None:
    statuses: list[int] = []
    async with inside(store, limits=replace(USUAL, questions=(0, 3))) as at:
        for path in ("nana/rook", "nana/nowhere", "nana/game", "nana/rook"):
            answer = await at("203.0.113.5").post(f"/api/lessons/{path}", json={"move": "K*1a"})
            statuses.append(answer.status_code)
        statuses.append((await at("203.0.113.6").get("/api/lessons/nana")).status_code)
    assert statuses == [200, 404, 200, 429, 200]


async def test_where_every_engine_fails_the_learner_is_told(store: SqliteStore) -> None:
    class Broken(InPlaceBackend):
        async def search(self, request: SearchRequest, report: Reporter = unheard) -> SearchResult:
            raise EngineLostError("gone")

    async with inside(store, engines=Broken) as at:
        answer = await at("203.0.113.5").post("/api/lessons/nana/game", json={"move": "K*1a"})
        assert refused(answer, 503) == "The computer found no move; try again."
