"""Engines that the server's owner names: how they are described, played against, asked, lost and refused."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import httpx
import pytest

import komadai
from helpers.engines import Fake, fairy_stockfish
from helpers.web.analyses import ask, line
from helpers.web.inside import inside
from helpers.web.served import Server
from komadai.app.engine_service import EngineLostError, SearchRequest
from komadai.app.web.engines.named import NamedEngine, named_engines
from komadai.app.web.engines.pool import EnginePool
from komadai.app.web.store.sqlite import SqliteStore
from komadai.errors import EngineError, NotationError

OURS = f"usi:{sys.executable} -c 'from komadai.__main__ import main; main()' engine"


def fake(folder: Path, mode: str, *answers: str) -> NamedEngine:
    [engine] = named_engines([f"Fake={Fake(folder, mode, *answers).spec}"])
    return engine


def test_an_engine_is_asked_which_games_it_plays(tmp_path: Path) -> None:
    assert fake(tmp_path, "sound").games == {"shogi"}
    assert fake(tmp_path, "variants").games == {"shogi", "nana"}
    [ours] = named_engines([f"A second one={OURS}"])
    assert ours.games == set(komadai.variants(shelf=True))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("usi:engine", "expected NAME=PROTOCOL:COMMAND"),
        ("<b>=usi:engine", "expected NAME=PROTOCOL:COMMAND"),
        (f"{'x' * 41}=usi:engine", "expected NAME=PROTOCOL:COMMAND"),
        ("Other=cecp:engine", "cecp"),
        ("Other=random", "random is no program; expected usi, uci, xboard"),
        ("Other=usi:", "names no program"),
        ("Other=usi:/no/such/program", "cannot start '/no/such/program'"),
    ],
)
def test_a_bad_description_is_refused_with_what_would_be_right(text: str, message: str) -> None:
    with pytest.raises((NotationError, EngineError), match=message):
        named_engines([text])


def test_two_engines_cannot_have_one_name(tmp_path: Path) -> None:
    spec = Fake(tmp_path).spec
    with pytest.raises(NotationError, match="two engines are called 'Fake'"):
        named_engines([f"Fake={spec}", f"Fake={spec}"])


async def test_what_it_reports_becomes_our_moves(tmp_path: Path) -> None:
    backend = fake(tmp_path, "sound", "7g7f").backend()
    reports = []
    found = await backend.search(SearchRequest.of(komadai.Game("shogi"), 0.1, engine="Fake"), reports.append)
    await backend.close()
    assert found.move == "7g7f"
    assert [(one.score, one.pv) for one in found.report.lines] == [(31, ["7g7f", "3c3d"])]
    assert reports


@pytest.mark.parametrize(("mode", "answers"), [("crash", ()), ("sound", ("9z9z",)), ("sound", ("5e5d",))])
async def test_a_program_that_fails_is_lost_and_started_again(
    tmp_path: Path, mode: str, answers: tuple[str, ...]
) -> None:
    backend = fake(tmp_path, mode, *answers, "7g7f").backend()
    request = SearchRequest.of(komadai.Game("shogi"), 0.1, engine="Fake")
    for _ in range(2):  # the second time in a process of its own, which gives the first answer again
        with pytest.raises(EngineLostError):
            await backend.search(request)
    await backend.close()


async def test_a_program_is_not_asked_for_proofs(tmp_path: Path) -> None:
    backend = fake(tmp_path, "sound").backend()
    with pytest.raises(komadai.KomadaiError, match="only Komadai’s own engine proves mates"):
        await backend.search(SearchRequest.of(komadai.Game("shogi"), 0.1, engine="Fake", tsume=True))


def test_the_pool_knows_who_plays_what(tmp_path: Path) -> None:
    pool = EnginePool(1, named=[fake(tmp_path, "sound")])
    assert pool.plays("", "ko")
    assert pool.plays("Fake", "shogi")
    assert not pool.plays("Fake", "ko")
    assert not pool.plays("Other", "shogi")


def test_it_resigns_in_a_game(start: Callable[..., Server], tmp_path: Path) -> None:
    server = start(0, "--engine", f"Fake={Fake(tmp_path, 'sound', '3c3d', 'resign').spec}")
    assert httpx.get(f"{server.url}/api/engines").json() == [{"name": "Fake", "games": ["shogi"]}]
    with server.join(server.game("shogi", w="engine:Fake")) as client:
        assert client.state["seats"] == {"b": "human", "w": "engine:Fake"}
        for move, ply in (("7g7f", 1), ("2g2f", 3)):
            assert client.move(move, ply)["t"] == "ack"
            while (message := client.receive("events", "error"))["position"]["thinking"]:
                pass
        assert message["position"]["outcome"]["reason"] == "resign"
        assert message["position"]["outcome"]["winner"] == "b"


async def test_a_visitor_chooses_among_names_only(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "games.sqlite3")) as store:
        async with inside(store, named=[fake(tmp_path, "sound")]) as at:
            for variant, seat, status in (
                ("shogi", "engine:Fake", 201),
                ("nana", "engine:Fake", 422),
                ("shogi", "engine:Other", 422),
                ("shogi", "engine:usi:/bin/sh", 422),
            ):
                asked = {"variant": variant, "seats": {"b": "human", "w": seat}, "options": {}}
                answer = await at("203.0.113.5").post("/api/games", json=asked)
                assert answer.status_code == status, answer.text


def test_a_game_says_that_its_engine_is_gone(start: Callable[..., Server], tmp_path: Path) -> None:
    server = start(0, "--engine", f"Fake={Fake(tmp_path, 'sound', '3c3d').spec}")
    game = server.game("shogi", w="engine:Fake")
    server.end()
    with start().join(game) as client:
        assert client.move("7g7f", 1)["t"] == "ack"
        assert client.receive("error")["reason"] == "This server has no engine Fake for this game."


def test_it_analyses(start: Callable[..., Server]) -> None:
    server = start(0, "--engine", f"Fairy=uci:{fairy_stockfish()}")
    question = {"variant": "shogi", "moves": ["7g7f"], "seconds": 0.3}
    with line(server) as socket:
        *infos, done = ask(socket, "analyse", **question, engine="Fairy", lines=3)
        assert done["t"] == "done"
        assert [len(info["lines"]) for info in infos] == [1] * len(infos), "it is asked for one line"
        *judged, done = ask(socket, "review", **question | {"seconds": 0.05}, engine="Fairy")
        assert [one["ply"] for one in judged] == [0, 1]
        [fault] = ask(socket, "analyse", **question, engine="Other")
        assert "no engine Other for this game" in fault["reason"]
        [fault] = ask(socket, "analyse", **question | {"variant": "ko", "moves": []}, engine="Fairy")
        assert "no engine Fairy for this game" in fault["reason"]
