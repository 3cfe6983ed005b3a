"""The values of positions that are named by their moves, as studies and the page of perfect play ask for them."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import komadai
from helpers.solved import MIXED, TINY, nana
from helpers.solved_cache import lend_nana
from helpers.web.served import WAIT, Server, refused
from komadai import solve, workshop
from komadai.app.web.presenter import encode
from komadai.game.position import Position
from komadai.solve import Table
from komadai.spec.variant import Variant

STRANDED = ["K*5e", "K*3e", "HI*5d", "ZOU*2f", "5d3d", "3e3f"]  # Black's cube on 3d has no support


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of the tables made here, and of that of Nana."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("cache")
        patch.setenv("XDG_CACHE_HOME", str(folder))
        lend_nana()
        yield folder / "komadai"


def serving(folder: Path, variant: Variant, log: Path | None = None) -> Server:
    """A server that knows a game of a file."""
    file = folder / f"{variant.id}.toml"
    file.write_text(workshop.variant_text(variant), encoding="utf-8")
    return Server(folder / "data", 0, "--variant-file", str(file), log=log)


def table_of(variant: Variant) -> Table:
    """The table of a game in the cache; a server that still holds it, having just made it, is waited for."""
    return solve.build(workshop.loads(workshop.variant_text(variant)), wait=True)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Table]]:
    """A server with a game without edges, solved by relative places as Ki Shogi is."""
    table = table_of(MIXED)
    with serving(tmp_path_factory.mktemp("small"), MIXED) as server:
        yield server, table


def ask(server: Server, variant: str, moves: list[str], plies: int = 0, **more: Any) -> httpx.Response:
    asked = {"variant": variant, "moves": moves, "plies": plies, **more}
    return httpx.post(f"{server.url}/api/positions/values", json=asked, timeout=WAIT)


def expected(table: Table, position: Position) -> list[tuple[Any, ...]]:
    return [(m.move.text, m.value.outcome, m.value.distance, m.best, m.blunder) for m in table.moves(position)]


def moves_of(said: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [tuple(one[key] for key in ("usi", "outcome", "distance", "best", "blunder")) for one in said["moves"]]


def check(server: Server, table: Table, game: komadai.Game) -> None:
    """The server says of the position what the table does."""
    said = ask(server, table.variant.id, [move.text for move in game.moves], 30).json()
    value = table.probe(game.position)
    assert value is not None
    assert said["value"] == {"outcome": value.outcome, "distance": value.distance}
    assert moves_of(said) == expected(table, game.position)
    line = [move.text for move in table.line(game.position, 30)]
    assert [one["usi"] for one in said["line"]] == line[: len(said["line"])]
    for one in said["line"]:
        game.push(one["usi"])
    assert game.outcome() is not None or len(said["line"]) == 30


def test_a_position_has_the_values_of_the_table_and_its_best_play(server: Server) -> None:
    for moves in ([], ["K*1b"], ["K*1b", "K*3b", "1b1a"]):
        game = komadai.Game("nana")
        for move in moves:
            game.push(move)
        check(server, nana(), game)


def test_best_play_is_told_with_what_it_changes(server: Server) -> None:
    said = ask(server, "nana", [], 400).json()
    game = komadai.Game("nana")
    assert len(said["line"]) == 125
    for one in said["line"]:
        assert one["side"] == game.turn
        game.push(one["usi"])
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.winner == "b"
    assert ask(server, "nana", []).json()["line"] == [], "none was asked for"


def test_where_the_game_is_over_there_are_no_values(server: Server) -> None:
    moves = [one["usi"] for one in ask(server, "nana", [], 400).json()["line"]]
    assert ask(server, "nana", moves, 400).json() == {"value": None, "moves": [], "line": []}


def test_a_position_that_the_table_lacks_has_no_values(server: Server) -> None:
    lacking = {"position": "1K1/3/3 b rbRBk"}  # play does not lead there
    assert ask(server, "nana", [], 10, **lacking).json() == {"value": None, "moves": [], "line": []}


@pytest.mark.parametrize("moves", [[], ["K*5e"], ["K*5e", "K*5c"], STRANDED], ids=["none", "one", "both", "stranded"])
def test_a_game_without_edges_has_values_from_the_first_move_on(small: tuple[Server, Table], moves: list[str]) -> None:
    server, table = small
    game = komadai.Game(table.variant)
    for move in moves:
        game.push(move)
    assert encode.position(game, with_tree=True).stranded == (["3d"] if moves == STRANDED else [])
    check(server, table, game)


def test_random_games_without_edges_are_looked_up_by_position_string(small: tuple[Server, Table]) -> None:
    server, table = small
    chance = random.Random(22)
    stranded = 0
    for begin in (2, 5, len(STRANDED)):
        game = komadai.Game(table.variant)
        for move in STRANDED[:begin]:
            game.push(move)
        while game.outcome() is None and len(game.moves) < 14:
            sfen = game.position.sfen()
            said = httpx.get(f"{server.url}/api/tables/{table.variant.id}", params={"sfen": sfen}, timeout=WAIT).json()
            value = table.probe(game.position)
            assert value is not None
            assert said["category"] == value.outcome
            assert [one["move"] for one in said["moves"]] == [m.move.text for m in table.moves(game.position)]
            stranded += bool(encode.position(game, with_tree=True).stranded)
            game.push(chance.choice(game.position.legal_moves()))
    assert stranded, "some of them had stranded cubes"


def solved(answer: Callable[[], httpx.Response]) -> httpx.Response:
    """The answer of a server once it has solved the game; before that it says how far it is."""
    while (said := answer()).status_code == 503:
        assert said.headers["retry-after"] == "1"
        assert said.json()["error"] == f"Tiny is being solved: {said.json()['percent']} %. The answer will follow."
        time.sleep(0.05)
    return said


def test_a_quick_game_is_solved_when_its_values_are_first_asked_for(tmp_path: Path, cache: Path) -> None:
    with serving(tmp_path, TINY) as server:
        offered = {one["id"]: one["solved"] for one in httpx.get(f"{server.url}/api/variants", timeout=WAIT).json()}
        assert (offered["tiny"], offered["nana"], offered["ki"]) == (True, True, False)
        assert httpx.get(f"{server.url}/perfect/tiny", timeout=WAIT).status_code == 200
        assert ask(server, "tiny", []).status_code in (200, 503)
        assert solved(lambda: ask(server, "tiny", [])).status_code == 200
        for path in ("hardest", "tables"):
            assert httpx.get(f"{server.url}/api/{path}/tiny", timeout=WAIT).status_code == 200
        table = table_of(TINY)
        check(server, table, komadai.Game(table.variant))
        with server.join(server.game("tiny")) as client:
            assert client.state["variant"]["solved"] is True
    (cache / "tiny-1.table").unlink()


def test_a_game_is_played_while_it_is_solved(tmp_path: Path, cache: Path) -> None:
    with serving(tmp_path, TINY) as server, server.join(server.game("tiny")) as client:
        client.send(t="study")
        while (said := client.receive("study", "solving", "error"))["t"] == "solving":
            assert said["reason"].startswith("Tiny is being solved: ")
            assert 0 <= said["percent"] < 100
            time.sleep(0.2)
            client.send(t="study")
        assert said["t"] == "study", said
    (cache / "tiny-1.table").unlink()


def test_a_game_that_cannot_be_solved_for_want_of_room_is_played_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its owner reads the reason in the log; visitors are told no path of the machine."""
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with serving(tmp_path, TINY, tmp_path / "log") as server:
        said = refused(solved(lambda: ask(server, "tiny", [])))
        assert said == "Tiny could not be solved here; the log of the server says why."
        assert httpx.get(f"{server.url}/perfect/tiny", timeout=WAIT).status_code == 404
        with server.join(server.game("tiny", w="level10")) as client:
            client.send(t="study")
            assert client.receive("study", "error")["reason"] == said
            client.move(komadai.Position(TINY).legal_moves()[0].text, 1)
            assert client.receive("events")["position"]["ply"] == 3, "the computer answers"
    assert (tmp_path / "log").read_text().count("tiny-1.table cannot be written: Not a directory") == 1


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (
            {"variant": "shogi"},
            "Standard shogi with these rules is not solved here: there is no table of its positions.",
        ),
        ({"variant": "ki", "options": {"field": "3x4"}}, "It can be made with: komadai solve ki --rule field=3x4."),
        ({"variant": "nana", "moves": ["K*1b", "K*1b"]}, "Move 2 (K*1b)"),
        ({"variant": "nana", "position": "9/9/9 b -"}, "expected 1 to 3"),
        ({"variant": "nana", "plies": 401}, "plies"),
    ],
)
def test_what_cannot_be_looked_up_is_refused_in_words(server: Server, asked: dict[str, Any], words: str) -> None:
    assert words in refused(httpx.post(f"{server.url}/api/positions/values", json=asked, timeout=WAIT))


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"sfen": komadai.Position("ki").sfen()}, "board: has 9 ranks; expected 3"),
        ({"sfen": "1K1/3/kk1 b RBrb"}, "king"),
    ],
    ids=["another game", "two kings"],
)
def test_the_table_refuses_what_is_no_position_of_its_game(server: Server, query: dict[str, str], words: str) -> None:
    assert words in refused(httpx.get(f"{server.url}/api/tables/nana", params=query, timeout=WAIT))
