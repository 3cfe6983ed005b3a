"""Analysis over its WebSocket: what is found, what a game's moves threw away, limits, and giving way to games."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

import komadai
from helpers.support import in_a_loop
from helpers.web.analyses import ask, line
from helpers.web.served import WAIT, Server
from komadai.app.engine_service import LineReport, Report, SearchRequest, SearchResult, Subject
from komadai.app.web.engines import analysis
from komadai.app.web.engines.pool import EnginePool
from komadai.app.web.engines.rate_limits import Bucket
from komadai.app.web.schema import commands
from komadai.engine.chances import MARKS, RATE, chance, mark

THREW = ["K*1b", "K*3b", "1b1a"]  # the third move throws the win away


def test_chances_are_logistic_and_forced_ends_certain() -> None:
    assert chance(0) == 0.5
    assert chance(int(RATE)) == pytest.approx(1 - chance(-int(RATE)))
    assert (chance(-30, 5), chance(30, -4)) == (1, 0)
    assert [mark(least) for least, _ in MARKS] == [sign for _, sign in MARKS]
    assert mark(0.09) == ""


def test_a_position_is_analysed_in_ever_deeper_reports(server: Server) -> None:
    with line(server) as socket:
        *infos, done = ask(socket, "analyse", variant="shogi", moves=["7g7f"], lines=3, seconds=0.3)
    assert done == {"t": "done", "id": "1", "spent": None}
    depths = [info["depth"] for info in infos]
    assert depths == sorted(depths)
    last = infos[-1]
    assert len(last["lines"]) == 3
    best = last["lines"][0]
    assert best["chance"] == pytest.approx(1 - chance(best["score"]), abs=1e-3), (
        "White is to move, Black's chance is reported"
    )
    position = komadai.Position("shogi")
    for move in ["7g7f", *(move["usi"] for move in best["moves"])]:
        position.push(move)


def test_a_review_finds_what_threw_the_game_away(server: Server) -> None:
    with line(server) as socket:
        *said, done = ask(socket, "review", variant="nana", moves=THREW, seconds=0.1)
        assert [one["ply"] for one in said] == [0, 1, 2, 2, 3], "what seems to be a mistake is looked at again"
        judged = {one["ply"]: one for one in said}.values()
        assert [one.get("mark") for one in judged] == [None, "", None, "??"]
        assert [one["chance"] for one in judged] == [1, 1, 1, 0]
        assert said[-1]["loss"] == 1
        assert done["spent"] is None
        last = ask(socket, "review", variant="nana", moves=THREW, begin=2, seconds=0.1)
        assert [one.get("ply") for one in last] == [2, 2, 3, None]


def test_a_game_that_is_over_is_worth_its_result(server: Server) -> None:
    mated = "4k4/4G4/4P4/9/9/9/9/9/4K4 w -"
    with line(server) as socket:
        assert [said["t"] for said in ask(socket, "analyse", variant="shogi", position=mated, seconds=1)] == ["done"]
        [judged, _] = ask(socket, "review", variant="shogi", position=mated)
        assert (judged["chance"], judged["moves"]) == (1, [])


USELESS = "9/6P2/6Snk/6R2/9/9/9/9/9 b Sr2b4g2s3n4l17p"  # three plies, five with a useless interposition
COOKED = "9/9/7Bk/9/8B/9/9/9/9 b GS2r3g3s4n4l18p"  # two other first moves mate, and another third move


def test_a_mate_problem_is_judged(server: Server) -> None:
    with line(server) as socket:
        proved, done = ask(socket, "prove", variant="shogi", position=USELESS, seconds=60)
        assert (proved["t"], proved["outcome"], proved["plies"], proved["every"]) == ("proved", "mate", 3, 5)
        assert (proved["unique"], proved["uniqueLater"], proved["others"]) == (True, True, [])
        assert [move["usi"] for move in proved["moves"]] == ["S*2b", "1c1b", "3d1d"]
        assert done == {"t": "done", "id": "1", "spent": None}
        proved, done = ask(socket, "prove", variant="shogi", position=COOKED, seconds=60)
        assert (proved["plies"], proved["unique"], proved["uniqueLater"]) == (5, False, False)
        others = {(other["ply"], other["move"]["usi"]) for other in proved["others"]}
        assert others == {(1, "G*2d"), (1, "S*2d"), (3, "G*3c")}


def test_where_there_is_no_problem(server: Server) -> None:
    with line(server) as socket:
        proved, _ = ask(socket, "prove", variant="nana", position="2K/3/k2 w 2R2B", seconds=10)
        assert proved["outcome"] in ("mate", "no mate")
        (fault,) = ask(socket, "prove", variant="ko", seconds=1)
        assert fault["reason"].endswith("mates are proved in games of one king a side and one landing a turn.")
        mated = "4k4/4G4/4P4/9/9/9/9/9/4K4 w -"
        assert [said["t"] for said in ask(socket, "prove", variant="shogi", position=mated, seconds=1)] == ["done"]


def test_a_new_question_ends_the_one_before(server: Server) -> None:
    with line(server) as socket:
        socket.send(json.dumps({"t": "analyse", "id": "old", "variant": "shogi", "seconds": 60}))
        assert json.loads(socket.recv(WAIT))["id"] == "old"
        answers = ask(socket, "analyse", variant="nana", seconds=0.1)
        assert answers[-1] == {"t": "done", "id": "1", "spent": None}
        assert [said["id"] for said in answers if said["t"] == "done"] == ["old", "1"]
        socket.send(json.dumps({"t": "stop"}))


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("{", "not JSON"),
        ('{"t": "sing"}', "not understood"),
        ('{"t": "analyse", "id": "1", "variant": "shogi", "lines": 9}', "not understood"),
        ('{"t": "analyse", "id": "1", "variant": "chess"}', "unknown variant"),
        ('{"t": "prove", "id": "1", "variant": "shogi", "seconds": 601}', "not understood"),
        ('{"t": "review", "id": "1", "variant": "shogi", "moves": ["1a1b"]}', "move 1"),
        (" " * 60_001, "too long"),
    ],
)
def test_nonsense_is_answered_in_words(server: Server, message: str, words: str) -> None:
    with line(server) as socket:
        socket.send(message)
        said = json.loads(socket.recv(WAIT))
        assert said["t"] == "error"
        assert words in said["reason"]


async def test_when_the_time_is_spent_words_say_so() -> None:
    house = analysis.Analysts(EnginePool(1))
    house.budget = Bucket(0, 0.2)
    sent: list[dict[str, Any]] = []

    class Socket:
        async def send_text(self, text: str) -> None:
            sent.append(json.loads(text))

    analyst = analysis.Analyst(Socket(), house)  # type: ignore[arg-type]
    question = commands.Analyse(id="1", variant="shogi", seconds=30)
    await asyncio.wait_for(analyst._answer(question), WAIT)
    assert sent[-2]["t"] == "info"
    assert "used up" in sent[-1]["spent"]


async def test_a_search_gives_way_to_games_and_goes_on() -> None:
    pool, game, lent = EnginePool(1), komadai.Game("shogi"), 0
    again = asyncio.Event()

    @asynccontextmanager
    async def lend(subject: Subject, give_way: Any) -> Any:
        nonlocal lent
        async with pool.lend(subject, give_way) as engine:
            lent += 1
            if lent > 1:
                again.set()
            yield engine, 1e6

    reports = asyncio.Event()
    search = asyncio.create_task(analysis.Search(game, 1, lend).run(1e6, lambda _: reports.set()))
    await asyncio.wait_for(reports.wait(), WAIT)
    async with asyncio.timeout(WAIT), pool.lend(Subject.of(game, 2)):
        assert not search.done()
    await asyncio.wait_for(again.wait(), WAIT)
    search.cancel()
    with pytest.raises(asyncio.CancelledError):
        await search


def test_a_review_has_an_engine_for_five_seconds_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """And ends sooner where the engine has no more to find."""
    now, asked = 0.0, list[float]()
    game = komadai.Game("shogi")

    class Clockwork:
        share = 1.0

        async def search(self, request: SearchRequest, report: object) -> SearchResult:
            nonlocal now
            asked.append(request.seconds)
            now += request.seconds * self.share
            return SearchResult(0, "7g7f", Report(0, len(asked), 1, 1, 1.0, [LineReport(0, None, ["7g7f"])]))

    @asynccontextmanager
    async def lend(_subject: Subject, _give_way: object) -> AsyncIterator[tuple[Any, float]]:
        yield Clockwork(), 1e9

    async def reviewed() -> tuple[float, int | None]:
        asked.clear()
        analyst = analysis.Analyst(None, analysis.Analysts(EnginePool(1)))  # type: ignore[arg-type]
        monkeypatch.setattr(analyst, "lend", lend)
        found, _ = await analyst._evaluate(game, 12.0, "")
        return sum(asked), found.depth

    monkeypatch.setattr(analysis, "monotonic", lambda: now)
    assert in_a_loop(reviewed()) == (12, 3)
    assert asked == [5, 5, 2]
    Clockwork.share = 0.5
    assert in_a_loop(reviewed()) == (5, 1)
