"""Puzzles over HTTP: lists, solving move by move, hints, refutations, and what is said to those who send nonsense."""

from __future__ import annotations

import json
from datetime import date
from typing import Any, ClassVar

import httpx
import pytest

import komadai
from helpers.puzzles import EXTINCTION, MATE
from helpers.web.inside import inside
from helpers.web.served import Server, refused
from komadai.app import puzzles
from komadai.app.engine_service import EngineLostError, InPlaceBackend, SearchRequest, SearchResult
from komadai.app.engine_service.backend import Reporter, unheard
from komadai.app.puzzles import Puzzle
from komadai.app.puzzles.puzzle import WINS
from komadai.app.web.engines.rate_limits import USUAL
from komadai.app.web.http.puzzles import daily
from komadai.app.web.store.sqlite import SqliteStore

GAMES = puzzles.games()


def ask(server: Server, path: str, **body: Any) -> httpx.Response:
    return httpx.post(f"{server.url}/api/puzzles/{path}", json=body, timeout=60)


def going(server: Server, puzzle: Puzzle, **body: Any) -> dict[str, Any]:
    """The answer in a puzzle."""
    answer = ask(server, f"{puzzle.variant.id}/{puzzle.id}", **body)
    assert answer.status_code == 200, answer.text
    said: dict[str, Any] = answer.json()
    return said


def first(game: str, plies: int) -> Puzzle:
    return next(one for one in puzzles.load(game) if one.plies == plies)


def of_turns(game: str) -> Puzzle:
    """A puzzle of three turns, or of as many as there are."""
    return max((one for one in puzzles.load(game) if one.plies <= 5), key=lambda one: one.plies)


def wrong_in(puzzle: Puzzle) -> str:
    """A wrong first move with a line that refutes it."""
    for move in puzzle.start().legal_moves():
        answer = puzzles.judge(puzzle, [move])
        if not answer.right and answer.reply:
            return move.text
    raise AssertionError("no wrong move has a refutation")


def test_games_without_puzzles_are_not_listed(server: Server) -> None:
    listed = httpx.get(f"{server.url}/api/puzzles", timeout=60).json()["games"]
    assert {one["game"]: one["count"] for one in listed} == {game: len(puzzles.load(game)) for game in GAMES}
    hard = [komadai.variant(one["game"]).about.order for one in listed]
    assert hard == sorted(hard)
    for one in listed:
        assert one["daily"] in {puzzle.id for puzzle in puzzles.load(one["game"])}
    offered = {one["id"]: one["puzzles"] for one in httpx.get(f"{server.url}/api/variants", timeout=60).json()}
    for game, has in offered.items():
        known = puzzles.load(game)
        assert has == ({"game": known[0].variant.id, "count": len(known)} if known else None)


def test_a_form_of_a_game_shares_its_puzzles(server: Server) -> None:
    shared = httpx.get(f"{server.url}/api/puzzles/nana-1998", timeout=60).json()
    assert shared == httpx.get(f"{server.url}/api/puzzles/nana", timeout=60).json()
    assert shared["variant"]["id"] == "nana"
    puzzle = first("nana", 3)
    said = ask(server, f"nana-1998/{puzzle.id}", move=puzzle.solution[0]).json()
    assert said == going(server, puzzle, move=puzzle.solution[0])


def test_the_daily_puzzle_is_that_of_the_date_alone() -> None:
    nana = komadai.variant("nana")
    days = [date(2026, 1, day) for day in range(1, 31)]
    assert [daily(nana, day) for day in days] == [daily(nana, day) for day in days]
    assert len({daily(nana, day).id for day in days}) > 20


@pytest.mark.parametrize("game", GAMES)
def test_a_list_has_every_puzzle_once_by_theme_and_length(server: Server, game: str) -> None:
    answer = httpx.get(f"{server.url}/api/puzzles/{game}", headers={"accept-language": "ja"}, timeout=60)
    said = answer.json()
    known = {puzzle.id: puzzle for puzzle in puzzles.load(game)}
    listed = [(one["theme"], one["plies"], entry) for one in said["sets"] for entry in one["puzzles"]]
    assert sorted(entry["id"] for _, _, entry in listed) == sorted(known)
    for theme, plies, entry in listed:
        puzzle = known[entry["id"]]
        assert (theme, plies, entry["rating"]) == (puzzle.theme, puzzle.plies, puzzle.rating)
    for one in said["sets"]:
        ratings = [entry["rating"] for entry in one["puzzles"]]
        assert ratings == sorted(ratings)
    sets = json.dumps(said["sets"], separators=(",", ":"), ensure_ascii=False)
    assert len(sets.encode()) < 20_000, "the rest is the game, which has its budget with the page"


@pytest.mark.parametrize("game", GAMES)
def test_a_puzzle_is_solved_with_nothing_but_what_was_answered(server: Server, game: str) -> None:
    puzzle = of_turns(game)
    said = httpx.get(f"{server.url}/api/puzzles/{game}/{puzzle.id}", timeout=60).json()
    assert (said["state"], said["moves"], said["puzzle"]["side"]) == ("going", [], puzzle.turn)
    assert said == going(server, puzzle)
    board = said["position"]["board"]
    for turn in range(puzzle.turns):
        said = going(server, puzzle, moves=said["moves"], move=puzzle.solution[2 * turn])
        for made in said["made"]:
            board = {at: piece for at, piece in (board | made["set"]).items() if piece is not None}
        assert board == said["position"]["board"]
        assert tuple(said["moves"]) == puzzle.solution[: 2 * turn + 2]
        assert said["state"] == ("done" if turn == puzzle.turns - 1 else "right")
    assert said["position"]["tree"] == []
    outcome = said["position"]["outcome"]
    assert (outcome is not None and outcome["winner"] == puzzle.turn) == (puzzle.theme in WINS)


@pytest.mark.parametrize("game", GAMES)
def test_a_wrong_move_is_refuted_and_leaves_everything_as_it_was(server: Server, game: str) -> None:
    puzzle = of_turns(game)
    begun = going(server, puzzle)
    wrong = wrong_in(puzzle)
    said = going(server, puzzle, move=wrong)
    expected = puzzles.judge(puzzle, [wrong])
    assert (said["state"], said["text"]) == ("wrong", expected.words)
    assert [made["usi"] for made in said["refutation"]] == [wrong, *map(str, expected.reply)]
    assert (said["moves"], said["made"], said["position"]) == ([], [], begun["position"])


def test_a_hint_is_the_next_move_wherever_one_stands(server: Server) -> None:
    for game in GAMES:
        puzzle = of_turns(game)
        assert going(server, puzzle, help="hint")["show"]["usi"] == puzzle.solution[0]
        later = going(server, puzzle, moves=list(puzzle.solution[:2]), help="hint")
        assert (later["show"]["usi"], later["moves"]) == (puzzle.solution[2], list(puzzle.solution[:2]))
    # off the solution, but won: the move shown wins
    puzzle, other = next(
        (one, move.text)
        for one in puzzles.load("nana")
        if one.plies == 5
        for move in _after(one, 2).legal_moves()
        if move.text != one.solution[2] and puzzles.judge(one, [*one.solution[:2], move]).verdict == "right"
    )
    said = going(server, puzzle, moves=list(puzzle.solution[:2]), move=other)
    assert said["state"] == "right"
    shown = going(server, puzzle, moves=said["moves"], help="hint")["show"]["usi"]
    assert puzzles.judge(puzzle, [*said["moves"], shown]).right


def _after(puzzle: Puzzle, plies: int) -> komadai.Position:
    position = puzzle.start()
    for move in puzzle.solution[:plies]:
        position.push(move)
    return position


def test_the_solution_is_shown_from_the_beginning(server: Server) -> None:
    puzzle = first("ki", 5)
    said = going(server, puzzle, moves=list(puzzle.solution[:2]), help="solution")
    assert said["state"] == "done"
    assert [made["usi"] for made in said["made"]] == said["moves"] == list(puzzle.solution)


def test_an_illegal_move_is_explained_and_costs_nothing(server: Server) -> None:
    puzzle = first("nana", 5)
    said = going(server, puzzle, move="1a1a")
    assert (said["state"], said["refutation"], said["moves"]) == ("wrong", [], [])
    assert "1a1a" in said["text"]


def test_answers_are_in_the_visitors_language(server: Server) -> None:
    puzzle = first("nana", 5)
    address = f"{server.url}/api/puzzles/nana/{puzzle.id}"
    body = {"move": wrong_in(puzzle)}
    english = httpx.post(address, json=body, timeout=60).json()
    japanese = httpx.post(address, json=body, headers={"accept-language": "ja"}).json()
    assert english["text"] != japanese["text"]
    assert english["puzzle"]["task"] == "Win in 5 plies"
    assert "5" in japanese["puzzle"]["task"]
    assert "Win" not in japanese["puzzle"]["task"]


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("nowhere/0123456789", 404, "Unknown variant 'nowhere'"),
        ("nana/0123456789", 404, "There is no such puzzle of this game."),
        ("nana/%00%ff", 404, "There is no such puzzle of this game."),
        (f"nana/{'a' * 4000}", 404, "There is no such puzzle of this game."),
    ],
)
def test_puzzles_that_do_not_exist_are_refused(server: Server, path: str, status: int, words: str) -> None:
    for answer in (httpx.get(f"{server.url}/api/puzzles/{path}", timeout=60), ask(server, path, move="1a1b")):
        assert words in refused(answer, status)


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"moves": ["1a9z"]}, 422, "1a9z"),
        ({"moves": ["K*1a"] * 101}, 422, "100"),
        ({"moves": ["x" * 65]}, 422, "64"),
        ({"move": ""}, 422, "1"),
        ({"move": 7}, 422, "str"),
        ({"help": "everything"}, 422, "everything"),
        ({"tries": 3}, 422, "tries"),
        ({"moves": "1a1b"}, 422, "array"),
        ({"move": "x" * 9000}, 413, "8192"),
    ],
)
def test_nonsense_is_answered_in_words(server: Server, body: dict[str, Any], status: int, words: str) -> None:
    puzzle = first("nana", 5)
    assert words in refused(ask(server, f"nana/{puzzle.id}", **body), status)


def test_moves_must_end_with_the_opponents(server: Server) -> None:
    puzzle = first("ki", 5)
    assert "expected an even number" in refused(ask(server, f"ki/{puzzle.id}", moves=[puzzle.solution[0]]))
    over = ask(server, f"ki/{puzzle.id}", moves=[*puzzle.solution, puzzle.solution[0]])
    assert "the game is over before move 6" in refused(over)


@pytest.mark.parametrize(
    ("path", "status"),
    [("", 200), ("/nana", 200), ("/ki", 200), ("/chess", 404), ("/nana/0123456789", 404), ("/ki/x/y", 404)],
)
def test_pages_exist_for_games_and_puzzles_that_exist(server: Server, path: str, status: int) -> None:
    answer = httpx.get(f"{server.url}/puzzles{path}", headers={"accept": "text/html"}, timeout=60)
    assert answer.status_code == status
    assert answer.text.startswith("<!doctype html>")


def test_every_puzzle_has_a_link_that_stays(server: Server) -> None:
    puzzle = puzzles.load("ki")[0]
    assert httpx.get(f"{server.url}/puzzles/ki/{puzzle.id}", timeout=60).status_code == 200


async def test_a_game_without_puzzles_has_a_page_that_says_so(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(puzzles, "load", lambda game: ())

    async with inside(store) as at:
        client = at("203.0.113.5")
        answer = await client.get("/puzzles/ko", headers={"accept": "text/html"})
        assert answer.status_code == 404
        assert "There are no puzzles of this game yet." in answer.text


class Counting(InPlaceBackend):
    """Counts the searches, and loses the engine if told so."""

    asked: ClassVar[list[SearchRequest]] = []
    loses = False

    async def search(self, request: SearchRequest, report: Reporter = unheard) -> SearchResult:
        self.asked.append(request)
        if self.loses:
            raise EngineLostError("it is gone")
        return await super().search(request, report)


async def test_searches_go_through_the_pool_and_are_the_visitors_to_pay(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = first("ki", 5)
    wrong = wrong_in(puzzle)
    monkeypatch.setattr(Counting, "asked", [])

    async with inside(store, engines=Counting) as at:
        address = f"/api/puzzles/ki/{puzzle.id}"
        right = await at("203.0.113.5").post(address, json={"move": puzzle.solution[0]})
        assert (right.json()["state"], Counting.asked) == ("right", [])
        said = await at("203.0.113.5").post(address, json={"move": wrong})
        assert said.json()["refutation"][0]["usi"] == wrong
        [asked] = Counting.asked
        assert (asked.escape, asked.moves) == (2, [wrong])
        monkeypatch.setattr(Counting, "loses", True)
        assert "try again" in refused(await at("203.0.113.5").post(address, json={"move": wrong}), 503)


@pytest.mark.parametrize("puzzle", [MATE, EXTINCTION], ids=lambda puzzle: puzzle.theme)
async def test_mates_and_extinctions_are_solved_and_wrong_turns_refuted(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch, puzzle: Puzzle
) -> None:
    monkeypatch.setattr(puzzles, "load", lambda game: (puzzle,))
    monkeypatch.setattr("komadai.app.web.http.puzzles._by_id", lambda game: {puzzle.id: puzzle})
    first, reply, last = puzzle.solution
    checks = [str(move) for move in puzzle.start()._native.legal_checks()]
    others = [str(move) for move in puzzle.start().legal_moves()]
    quiet = next(move for move in others if move not in checks)

    async with inside(store) as at:

        async def answer(*moves: str, move: str) -> dict[str, Any]:
            asked = {"moves": moves, "move": move}
            answered = await at("203.0.113.5").post(f"/api/puzzles/{puzzle.variant.id}/{puzzle.id}", json=asked)
            assert answered.status_code == 200, answered.text
            said: dict[str, Any] = answered.json()
            return said

        for wrong in (quiet, next(move for move in [*checks, *reversed(others)] if move != first)):
            expected = puzzles.judge(puzzle, [wrong])
            said = await answer(move=wrong)
            assert (said["state"], said["text"]) == ("wrong", expected.words)
            assert [made["usi"] for made in said["refutation"]] == [wrong, *map(str, expected.reply)]
        said = await answer(move=first)
        assert (said["state"], said["moves"]) == ("right", [first, reply])
        said = await answer(first, reply, move=last)
        assert (said["state"], said["position"]["outcome"]["winner"]) == ("done", puzzle.turn)


async def test_lists_and_questions_are_limited(store: SqliteStore) -> None:
    async with inside(store, limits=USUAL.times(0.01)) as at:
        client = at("203.0.113.5")
        seen = [(await client.get("/api/puzzles")).status_code for _ in range(6)]
        assert 429 in seen
