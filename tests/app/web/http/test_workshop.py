"""The workshop over HTTP: files of strangers are compiled by a process with limits, and the server is unharmed."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

import komadai
from helpers.hostile_files import hostile
from helpers.volume import FULL
from helpers.web.served import WAIT, Server, refused
from komadai.app.engine_service import SearchRequest
from komadai.app.engine_service.responder import Responder
from komadai.app.web.engines.addresses import USUAL_NETWORKS
from komadai.app.web.engines.rate_limits import USUAL
from komadai.app.web.engines.turns import Payer
from komadai.app.web.engines.work_queue import OverusedError, WorkQueue
from komadai.app.web.http.workshop.messages import Ask, Task
from komadai.app.web.http.workshop.sandbox import LostError, OwnBench, RefusedError, Sandbox, Workbench
from komadai.workshop import check, game_text, loads
from komadai.workshop.starting import start_text

WRONG = sorted((Path(__file__).parents[3] / "workshop" / "wrong").glob("*.toml"))
FILE = start_text("my-game")
WIDE = USUAL.times(100)
X, Y = (Payer(USUAL_NETWORKS.of(host)) for host in ("192.0.2.1", "192.0.2.2"))


def post(server: Server, what: str, status: int = 200, **asked: Any) -> Any:
    answer = httpx.post(f"{server.url}/api/workshop/{what}", json=asked, timeout=WAIT)
    assert answer.status_code == status, answer.text
    return answer.json()


def ask(task: Task, **body: Any) -> Ask:
    return Ask(task, "en", msgspec.Raw(msgspec.json.encode(body)))


def memory(server: Server) -> int:
    """The most bytes that the server has had in memory."""
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii")
    return int(re.findall(r"VmHWM:\s*(\d+)", status)[0]) * 1024


# --- Files that are games -------------------------------------------------------------------------------------------


def test_a_file_is_shown_played_and_explained(server: Server) -> None:
    found = post(server, "check", file=FILE)
    assert found["defects"] == []
    assert found["hash"] == loads(FILE).rules_hash
    assert found["rulebook"]["variant"]["id"] == "my-game"
    assert found["rulebook"]["words"]["G"] == ["One step orthogonally or diagonally forward"]
    assert found["position"]["board"]["1e"] == "bR"
    played = post(server, "position", file=FILE, moves=["5d5c"], known=0, text="1b1c")
    assert [move["usi"] for move in played["moves"]] == ["5d5c", "1b1c"]
    replied = post(server, "reply", file=FILE, moves=["5d5c"], level=1)
    [move] = replied["moves"]
    game = komadai.Game(loads(FILE))
    for text in ("5d5c", move["usi"]):
        game.push(text)
    assert game.position.sfen() == replied["position"]["sfen"]
    why = post(server, "explain", file=FILE, moves=[], text="1e1a")["text"]
    assert why == "1e1a is not legal: something stands in the way of the rook from 1e to 1a"
    wrong = post(server, "position", 422, file=FILE, moves=["1e1a"])
    assert wrong["error"].startswith("Move 1 (1e1a): 1e1a is not legal")
    assert "line 5" in post(server, "position", 422, file=FILE.replace("my-game", "My Game"), moves=[])["error"]


def test_warnings_are_sent_with_the_game(server: Server) -> None:
    found = post(server, "check", file=FILE.replace("royal = true\n", ""))
    assert found["defects"] == []
    assert [one["place"] for one in found["warnings"]] == ["kinds", "rules[2].when"]
    assert found["rulebook"]["variant"]["id"] == "my-game"
    taken = post(server, "check", file=FILE.replace('"my-game"', '"shogi"'))
    assert [one["place"] for one in taken["defects"]] == ["id"]
    assert (taken["rulebook"], taken["position"]) == (None, None)


@pytest.mark.parametrize("name", komadai.variants(shelf=False))
def test_every_game_is_a_file_to_begin_with(server: Server, name: str) -> None:
    text = httpx.get(f"{server.url}/api/workshop/files/{name}", timeout=WAIT).text
    mine = game_text(name).replace(f'id = "{name}"', f'id = "my-{name}"', 1)  # that of a game of the house is taken
    assert text == mine != game_text(name)


def test_a_game_with_the_id_of_another_is_searched_by_its_own_rules() -> None:
    text = game_text("shogi").replace("zone = { FarRanks = 3 }", "zone = { FarRanks = 1 }")
    variant = loads(text)
    assert variant.id == "shogi"
    request = SearchRequest.of(komadai.Game(variant), 0.01)
    assert request.rules == variant.rules_hash
    responder = Responder()
    responder.answer(request, lambda _report: None)
    assert responder._engine is not None
    assert responder._engine.variant.rules_hash == variant.rules_hash
    assert SearchRequest.of(komadai.Game("shogi"), 0.01).rules is None


def test_the_card_grows_until_it_has_all_games(server: Server) -> None:
    card = post(server, "report", file=FILE)
    while card["games"] < card["wanted"]:
        more = post(server, "report", file=FILE)
        assert more["games"] > card["games"]
        card = more
    assert card["wanted"] == 40
    assert sum(card["ends"].values()) == 40
    assert card["game"]["hash"] == loads(FILE).rules_hash
    assert post(server, "report", file=FILE) == card, "the same file gives the same card"


# --- Files that are none --------------------------------------------------------------------------------------------


def test_wrong_files_are_answered_with_their_places_and_the_server_is_unharmed(server: Server) -> None:
    assert len(WRONG) >= 110
    files = [path.read_text(encoding="utf-8") for path in WRONG[:: 2 if FULL else 6]]
    for text in files:
        found = post(server, "check", file=text)
        assert (found["rulebook"], found["position"]) == (None, None)
        said = [(one["line"], one["column"], one["place"], one["what"]) for one in found["defects"]]
        assert said == [(one.line, one.column, one.place, one.what) for one in check(text)]
        assert said
    for body, status in ((b"{", 400), (b'{"file": 1}', 422), (b'{"file": "' + b"a" * 2**21 + b'"}', 413)):
        answer = httpx.post(
            f"{server.url}/api/workshop/check", content=body, headers={"content-type": "application/json"}, timeout=WAIT
        )
        assert refused(answer, status).endswith(".")
    assert post(server, "check", file="a" * 300_000)["defects"][0]["what"].startswith("the file has more than 262,144")
    assert post(server, "check", file=FILE)["defects"] == []
    assert memory(server) < 500 * 2**20


async def test_hostile_files_cost_a_process_at_most() -> None:
    bench = Sandbox(WIDE)
    for name, text in hostile().items():
        if len(text) > 2**20:
            continue  # the server has refused it before
        found, loss = {"defects": []}, ""
        try:
            found = msgspec.json.decode(await bench.ask(X, ask("check", file=text)))
        except LostError as lost:
            loss = lost.loss
        assert found["defects"] or loss in ("time", "memory"), (name, loss)
    assert msgspec.json.decode(await bench.ask(X, ask("check", file=FILE)))["defects"] == []
    await bench.close()


async def test_a_process_that_takes_too_much_is_ended_and_the_next_question_answered() -> None:
    ko = game_text("ko")
    hasty = Sandbox(WIDE, seconds=0)
    with pytest.raises(LostError) as lost:
        await hasty.ask(X, ask("report", file=ko))
    assert lost.value.loss == "time"
    assert msgspec.json.decode(await hasty.ask(X, ask("check", file=FILE)))["defects"] == []
    await hasty.close()
    narrow = Sandbox(WIDE, memory_mb=1)
    with pytest.raises(LostError) as lost:
        await narrow.ask(X, ask("check", file=hostile()["headings"]))
    assert lost.value.loss in ("memory", "crash")
    await narrow.close()


async def test_an_address_has_a_share_of_the_processor() -> None:
    bench = Sandbox(USUAL.times(0.05))  # a second and a half
    report = ask("report", file=game_text("shogi"))
    await bench.ask(X, report)
    with pytest.raises(OverusedError):
        await bench.ask(X, report)
    assert await bench.ask(Y, ask("check", file="")), "others are not concerned"
    await bench.close()


async def test_in_a_tab_the_same_is_answered_in_place() -> None:
    queue = WorkQueue(WIDE)
    own: Workbench = OwnBench(queue)
    child: Workbench = Sandbox(WIDE)
    for one in (ask("check", file=FILE), ask("check", file="x"), ask("position", file=FILE, moves=["5d5c"])):
        assert await own.ask(X, one) == await child.ask(X, one)
    for bench in (own, child):
        with pytest.raises(RefusedError, match="1e1a is not legal"):
            await bench.ask(X, ask("position", file=FILE, moves=["1e1a"]))
        await bench.close()
    queue.close()


def test_a_position_with_too_many_moves_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    from komadai.app.web.http.workshop import answers

    monkeypatch.setattr(answers, "MOST_MOVES", 13)
    with pytest.raises(komadai.KomadaiError, match="has 14 moves; at most 13 can be shown here"):
        answers.answer(ask("check", file=FILE))


async def test_questions_are_answered_side_by_side() -> None:
    bench = Sandbox(WIDE)
    asked = [bench.ask(X, ask("check", file=FILE.replace("my-game", f"my-{number}"))) for number in range(6)]
    found = [msgspec.json.decode(one)["rulebook"]["variant"]["id"] for one in await asyncio.gather(*asked)]
    assert found == [f"my-{number}" for number in range(6)]
    await bench.close()
