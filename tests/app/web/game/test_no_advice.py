"""While two people play each other, nobody is advised on a position of their game, whichever page asks with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import komadai
from helpers.books import book_of_five
from helpers.web.analyses import ask, line
from helpers.web.meeting import Meeting
from helpers.web.served import WAIT, Server, refused
from komadai.app.web.engines.running_games import FREE_PLIES, RunningGames, UnderWayError, line_of
from komadai.app.web.game.registry import GameRegistry
from komadai.app.web.game.seats import HUMAN, OPEN
from komadai.app.web.schema.commands import MoveCommand
from komadai.app.web.store.sqlite import SqliteStore

PLAYED = ["9g9f", "1c1d", "9f9e", "1d1e", "7g7f", "3c3d", "5i5h"]
QUIET = ["2g2f", "3c3d", "2f2e", "8c8d", "5i5h", "5a5b"]
SAID = "Two people are playing a game with this position: there is no advice on it until that game is over."
POSED = "lnsgk1snl/6gb1/p1pppp1pp/6p2/1r5P1/2P6/P1BPPPP1P/7R1/LNSGKGSNL b Pp"
"""No usual start, so its positions are the game's own from the beginning."""


def question(server: Server, what: str, **asked: Any) -> httpx.Response:
    return httpx.post(f"{server.url}/api/positions/{what}", json={"variant": "shogi", **asked}, timeout=WAIT)


def played(made: Meeting, *moves: str) -> None:
    """Let both people make the moves."""
    made.accept()
    with made.client("b") as black, made.client("w") as white:
        for ply, move in enumerate(moves, 1):
            assert (black if ply % 2 else white).move(move, ply)["t"] == "ack"


def after(*moves: str) -> str:
    position = komadai.Position("shogi")
    for move in moves:
        position.push(move)
    return position.sfen()


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Server]:
    """A server with an opening book."""
    book_of_five(tmp_path / "five.book")
    with Server(tmp_path / "data", 0, "--book", str(tmp_path / "five.book")) as server:
        yield server


def test_every_kind_of_advice_is_refused_until_the_game_is_over(library: Server) -> None:
    made = Meeting(library)
    played(made, *PLAYED)
    reached = after(*PLAYED)
    ways: list[dict[str, Any]] = [{"position": reached}, {"moves": PLAYED}, {"position": after(*PLAYED, "8c8d")}]
    for way in ways:
        for what in ("guide", "book"):
            assert refused(question(library, what, **way), 403) == SAID, (what, way)
        for what in ("warning", "reasons"):
            move = "8g8f" if way is ways[2] else "8c8d"
            assert refused(question(library, what, move=move, **way), 403) == SAID, (what, way)
        with line(library) as socket:
            for kind in ("analyse", "review", "prove"):
                said = ask(socket, kind, variant="shogi", seconds=0.1, **way)
                assert said == [{"t": "error", "id": "1", "reason": SAID}], (kind, way)
    passing = question(library, "guide", position=reached, moves=["8c8d", "8g8f", "8d8e"])
    assert refused(passing, 403) == SAID, "the way leads through it"
    assert SAID in refused(library.ask("shogi", w="level1", position=reached)), "its moves would be advice"
    with made.client("b") as black:
        assert black.command("resign")["t"] == "ack"
    assert question(library, "guide", position=reached).status_code == 200
    assert question(library, "book", position=reached).status_code == 200
    assert library.ask("shogi", w="level1", position=reached).status_code == 201


def test_the_refusal_is_in_the_readers_language(start: Callable[..., Server]) -> None:
    server = start()  # where no other game has the position
    played(Meeting(server), *PLAYED)
    asked = {"variant": "shogi", "moves": PLAYED}
    answer = httpx.post(f"{server.url}/api/positions/guide", json=asked, headers={"accept-language": "ja"})
    assert "対局" in refused(answer, 403)


def test_openings_stay_open_and_so_does_what_is_posed_to_one_person(server: Server) -> None:
    early = PLAYED[: FREE_PLIES - 1]
    made = Meeting(server)
    played(made, *early)
    assert question(server, "guide", moves=early).status_code == 200
    assert question(server, "guide").status_code == 200
    with server.join(server.game("shogi")) as both:
        for ply, move in enumerate(QUIET, 1):
            assert both.move(move, ply)["t"] == "ack"
    assert question(server, "guide", moves=QUIET).status_code == 200


def test_a_game_from_a_position_of_its_own_is_guarded_from_the_start(server: Server) -> None:
    made = Meeting(server, position=POSED)
    assert question(server, "guide", position=POSED).status_code == 200, "nobody has come yet"
    played(made)
    assert refused(question(server, "guide", position=POSED), 403) == SAID


def test_the_values_of_a_solved_game_are_refused_to_whoever_names_the_position(server: Server) -> None:
    moves = ["K*1b", "K*3b", "1b1a", "CS*3c", "B*1b", "C*2c"]
    played(Meeting(server, "nana"), *moves)
    asked = {"variant": "nana", "moves": moves}
    assert refused(httpx.post(f"{server.url}/api/positions/values", json=asked, timeout=WAIT), 403) == SAID
    assert httpx.post(f"{server.url}/api/positions/values", json={"variant": "nana"}, timeout=WAIT).status_code == 200
    position = komadai.Position("nana")
    for move in moves:
        position.push(move)
    table = f"{server.url}/api/tables/nana"
    assert refused(httpx.get(table, params={"sfen": position.sfen()}, timeout=WAIT), 403) == SAID
    assert httpx.get(table, timeout=WAIT).status_code == 200


# --- The numbers ----------------------------------------------------------------------------------------------------


def game_of(*moves: str, variant: str = "shogi") -> komadai.Game:
    game = komadai.Game(variant)
    for move in moves:
        game.push(move)
    return game


def test_what_several_games_have_reached_is_anybodys() -> None:
    running, game = RunningGames(), game_of(*PLAYED)
    running.follow("one", game)
    with pytest.raises(UnderWayError):
        running.require_free(line_of(game))
    running.follow("two", game)
    running.require_free(line_of(game))
    running.follow("two", None)
    with pytest.raises(UnderWayError):
        running.require_free(line_of(game))
    running.follow("one", None)
    running.require_free(line_of(game))
    assert not running._reached
    assert not running._ahead


def test_a_move_taken_back_is_open_again() -> None:
    running, game = RunningGames(), game_of(*PLAYED, "8c8d", "8g8f")
    running.follow("one", game)
    line = line_of(game)[:1]
    for _ in range(2):
        game.pop()
    running.follow("one", game)
    running.require_free(line)


def test_equal_boards_of_other_rules_are_other_positions() -> None:
    running, game = RunningGames(), game_of(*PLAYED)
    running.follow("one", game)
    running.require_free(line_of(game_of(*PLAYED, variant="mortal")))


def test_at_most_so_many_games_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("komadai.app.web.engines.running_games.MOST_GAMES", 1)
    running, first = RunningGames(), game_of(*PLAYED)
    running.follow("one", first)
    running.follow("two", game_of(*QUIET))
    assert len(running) == 1
    running.require_free(line_of(first))


async def test_a_game_that_another_server_writes_to_is_read(store: SqliteStore) -> None:
    """As its notices arrive; the game has no client here."""
    running = RunningGames()
    one, two = GameRegistry(store), GameRegistry(SqliteStore(store.path), running=running)
    try:
        made = await one.create("shogi", {}, {"b": HUMAN, "w": OPEN})
        assert made.invite is not None
        _game, guest = await one.accept(made.invite, "", None)
        there = await one.join(made.game, lambda _: None)
        for ply, move in enumerate(PLAYED, 1):
            await there.command(MoveCommand(str(ply), ply, move), made.tokens["b"] if ply % 2 else guest)
            two._heard(made.game, there.seq)
        lone = await one.create("shogi", {}, {"b": HUMAN, "w": "level1"})
        two._heard(lone.game, 1)
        while two._reading:
            await next(iter(two._refreshing))
        assert two._against_engines == {lone.game}
        with pytest.raises(UnderWayError):
            running.require_free(line_of(game_of(*PLAYED)))
    finally:
        await one.close()
        await two.close()
