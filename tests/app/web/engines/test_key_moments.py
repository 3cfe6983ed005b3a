"""Which moves of a game mattered: what is chosen, how exact a side was, and how much of an engine an answer takes."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

import komadai
from helpers.web.analyses import ask, line
from helpers.web.served import Server
from komadai.app.engine_service import LineReport, Report, SearchRequest, SearchResult, Subject
from komadai.app.web.engines import analysis, moments
from komadai.app.web.engines.pool import EnginePool
from komadai.app.web.schema import commands
from komadai.game.random_moves import move_that_goes_on

HANGING = "4k4/9/9/9/9/3r2B2/9/9/4K4 b -"
SIDES: list[Any] = ["b", "w", "b", "w", "b", "w"]


def test_accuracy_is_what_is_left_of_the_points_on_average() -> None:
    assert moments.accuracy(SIDES[:3], [0.1, 0.25, 0.3]) == {"b": pytest.approx(0.8), "w": 0.75}
    assert moments.accuracy(["w"], [0.5]) == {"b": None, "w": 0.5}


def test_the_worst_moves_are_those_of_the_person_and_then_the_opponent_s() -> None:
    losses = [0.12, 0.6, 0.05, 0.5, 0.2, 0.4]
    assert moments.worst(SIDES, losses, "b") == [4, 0, 1]
    assert moments.worst(SIDES, losses, None) == [1, 3, 5]
    assert moments.worst(SIDES, [0.09] * 6, None) == [], "the review would call none of these a mistake"


def test_the_turning_point_is_the_loser_s_since_it_stood_level() -> None:
    chances = [0.5, 0.2, 0.6, 0.55, 0.5, 0.3, 0.1]  # Black's
    losses = [0.3, 0.4, 0.05, 0.05, 0.2, 0.2]
    assert moments.decisive(SIDES, chances, losses, "w") == [4]
    assert moments.decisive(SIDES, [*chances[:5], 0.7, 0.9], losses, "b") == [5]
    assert moments.decisive(SIDES, chances, losses, None)[0] == 1
    assert moments.decisive(SIDES, [0.5] * 7, [0.0] * 6, "w") == [], "who resigns a level game has no turning point"


def test_a_game_has_its_moments(server: Server) -> None:
    with line(server) as socket:
        *judged, told, done = ask(
            socket, "moments", variant="shogi", position=HANGING, moves=["5i5h", "6f3f"], side="b", winner="w"
        )
    assert [one["ply"] for one in judged] == [0, 1, 2]
    assert done == {"t": "done", "id": "1", "spent": None}
    (moment,) = told["moments"]
    assert moment == told["turning"]
    assert (moment["ply"], moment["side"], moment["move"]["usi"]) == (0, "b", "5i5h")
    assert (moment["topic"], moment["way"], moment["sfen"]) == ("hangs", "lands", f"{HANGING} 1")
    assert moment["best"][0]["usi"] != "5i5h"
    assert told["accuracy"]["w"] == 1
    assert told["accuracy"]["b"] == pytest.approx(1 - moment["loss"])


def test_a_game_without_moves_has_none(server: Server) -> None:
    with line(server) as socket:
        _, told, _ = ask(socket, "moments", variant="nana")
    assert (told["moments"], told["turning"], told["accuracy"]) == ([], None, {"b": None, "w": None})


@pytest.mark.parametrize("plies", [8, 60, 350])
async def test_an_answer_takes_no_more_of_an_engine_than_is_said(monkeypatch: pytest.MonkeyPatch, plies: int) -> None:
    """However long the game is; of a very long one the last moves are looked at."""
    asked, sent = list[float](), list[dict[str, Any]]()

    class Engine:
        async def search(self, request: SearchRequest, report: object) -> SearchResult:
            asked.append(request.seconds)
            lines = [LineReport(len(request.moves) * 7919 % 2000 - 1000, None, [_legal(request)])]
            return SearchResult(0, None, Report(0, 1, 1, 1, request.seconds, lines))

    class Socket:
        async def send_text(self, text: str) -> None:
            sent.append(json.loads(text))

    @asynccontextmanager
    async def lend(_subject: Subject, _give_way: object) -> AsyncIterator[tuple[Any, float]]:
        yield Engine(), 1e9

    game, chance = komadai.Game("shogi"), random.Random(1)
    for _ in range(plies):
        game.push(move_that_goes_on(chance, game.position))
    assert game.outcome() is None
    moves = [move.text for move in game.moves]
    analyst = analysis.Analyst(Socket(), analysis.Analysts(EnginePool(1)))  # type: ignore[arg-type]
    monkeypatch.setattr(analyst, "lend", lend)
    await analyst._answer(commands.Recall(id="1", variant="shogi", moves=moves))
    assert sent[-1]["t"] == "done", sent[-1]
    assert len(sent[-2]["moments"]) == moments.SHOWN
    assert sum(asked) <= analysis.RECALL + 1e-6
    assert sent[-2]["leftOut"] == max(plies - 300, 0)


def _legal(request: SearchRequest) -> str:
    game = komadai.Game(request.variant, request.start)
    for move in request.moves:
        game.push(move)
    return next(iter(game.position.legal_moves())).text
