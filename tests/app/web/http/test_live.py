"""Live studies: what a maker shows, and those who follow it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from websockets.sync.client import ClientConnection, connect

from helpers.web.fitting import followed
from helpers.web.meeting import Meeting
from helpers.web.served import WAIT, Server, refused
from komadai import record as records
from komadai.app.web.engines.addresses import USUAL_NETWORKS
from komadai.app.web.engines.rate_limits import USUAL
from komadai.app.web.engines.running_games import RunningGames
from komadai.app.web.game import live
from komadai.app.web.game.live import Chapter, Lives
from komadai.app.web.game.lobby import Lobby
from komadai.app.web.game.replay import RefusedError, TooManyGamesError
from komadai.app.web.http.books import Bookshelf
from komadai.app.web.http.live import prepared
from komadai.app.web.schema.live import LiveView, NewLive, SentChapter, ShowLive
from komadai.app.web.store import Store
from komadai.app.web.store.sqlite import SqliteStore
from komadai.record import Record, Score

STRANGER = USUAL_NETWORKS.of("198.51.100.7")
HERE = USUAL_NETWORKS.of("127.0.0.1")


def record(*moves: str, name: str = "One", variant: str = "shogi", **said: Any) -> dict[str, Any]:
    made, at = Record.begin(variant), 0
    for move in moves:
        made, at = made.add(at, move)
    return records.to_data(made.annotate(at, **said) if said else made) | {"headers": {"Chapter": name}}


def view(chapter: str = "a", node: int = 0) -> dict[str, Any]:
    return {"chapter": chapter, "node": node}


def sent(**chapters: dict[str, Any] | None) -> list[dict[str, Any]]:
    return [{"id": id} if one is None else {"id": id, "record": one} for id, one in chapters.items()]


def go_live(server: Server, **chapters: dict[str, Any]) -> dict[str, Any]:
    answer = httpx.post(f"{server.url}/api/live", json={"chapters": sent(**chapters), "view": view()}, timeout=WAIT)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def show(server: Server, made: dict[str, Any], chapters: list[dict[str, Any]], shown: dict[str, Any]) -> httpx.Response:
    body = {"key": made["key"], "chapters": chapters, "view": shown}
    return httpx.post(f"{server.url}/api/live/{made['id']}", json=body, timeout=WAIT)


def hear(socket: ClientConnection, *kinds: str) -> dict[str, Any]:
    """The next message of these kinds."""
    while True:
        said = socket.recv(WAIT)
        followed(said)
        message: dict[str, Any] = json.loads(said)
        if message["t"] in kinds:
            return message


@contextmanager
def following(server: Server, made: dict[str, Any], **said: Any) -> Iterator[ClientConnection]:
    with connect(f"ws://127.0.0.1:{server.port}/follow", open_timeout=WAIT, close_timeout=1) as socket:
        socket.send(json.dumps({"t": "follow", "live": made["id"], **said}))
        yield socket


def test_followers_see_what_the_maker_shows_at_once(server: Server) -> None:
    made = go_live(server, a=record("7g7f"), b=record("2g2f", name="Two"))
    with following(server, made) as socket, following(server, made, key=made["key"]) as own:
        chapter, state = hear(socket, "chapter"), hear(socket, "live")
        assert [node.get("usi") for node in chapter["study"]["nodes"]] == [None, "7g7f"]
        assert [(one["id"], one["name"]) for one in state["chapters"]] == [("a", "One"), ("b", "Two")]
        assert state["view"] == {"chapter": "a", "node": 0, "flipped": False}

        answer = show(server, made, sent(a=None, b=None), view(node=1))
        assert answer.json() == {"followers": 1}, "the maker does not count"
        assert hear(socket, "live", "chapter", "patch")["view"]["node"] == 1, "a step sends no chapter again"

        longer = record("7g7f", "3c3d", comment="why\n[%draw 8h2b]")
        assert show(server, made, sent(a=longer, b=None), view(node=2)).status_code == 200
        patch = hear(socket, "live", "chapter", "patch")
        assert (patch["t"], patch["nodes"][:2]) == ("patch", [[0, 0], [1, 0]])
        assert (patch["nodes"][2]["usi"], patch["nodes"][2]["comment"]) == ("3c3d", "why\n[%draw 8h2b]")
        assert hear(socket, "live")["view"]["node"] == 2

        assert show(server, made, sent(b=None), view("b", 1)).status_code == 200
        assert hear(socket, "chapter")["study"]["nodes"][1]["usi"] == "2g2f"
        assert [one["id"] for one in hear(socket, "live")["chapters"]] == ["b"]
        assert hear(own, "live", "chapter", "patch")["t"] == "live", "its maker has the chapters"

        ended = httpx.post(f"{server.url}/api/live/{made['id']}/end", json={"key": made["key"]})
        assert ended.status_code == 200
        assert hear(socket, "ended")["why"] == "ended"
    with following(server, made) as socket:
        assert hear(socket, "ended")["why"] == "gone"
    assert refused(show(server, made, sent(b=None), view("b")), 404) == "This study is not live, or no longer."


def test_what_is_sent_as_it_was_is_no_news(server: Server) -> None:
    one, two = record("7g7f"), record("2g2f", name="Two")
    made = go_live(server, a=one, b=two)
    with following(server, made) as socket:
        before = hear(socket, "live")["chapters"]
        assert show(server, made, sent(a=one, b=two), view(node=1)).status_code == 200, "as after a reload"
        state = hear(socket, "live", "chapter", "patch")
        assert (state["t"], state["chapters"]) == ("live", before)
        assert show(server, made, sent(a=one, b=record("2g2f", "8c8d")), view()).status_code == 200
        versions = [chapter["version"] for chapter in hear(socket, "live")["chapters"]]
        assert versions == [before[0]["version"], before[1]["version"] + 1]


def test_a_patch_makes_of_a_chapter_what_it_is_now() -> None:
    before = Record.begin("shogi").add(0, "7g7f")[0].add(1, "3c3d")[0].add(2, "2g2f")[0]
    after, other = before.add(0, "5g5f", comment="instead")
    after = after.annotate(1, mark="?").promote(other)
    old, new = (prepared(records.write([one], "json").encode(), Bookshelf()) for one in (before, after))
    patch = json.loads(new.patch(old, "a", (1, 2)) or "")
    base = json.loads(old.whole("a", 1))["study"]["nodes"]
    nodes = [{**base[one[0]], "after": one[1]} if isinstance(one, list) else one for one in patch["nodes"]]
    nodes[0].pop("after", None)
    assert nodes == json.loads(new.whole("a", 2))["study"]["nodes"]
    assert sum(isinstance(one, list) for one in patch["nodes"]) == 3, "the start and two moves are as they were"
    elsewhere = prepared(
        records.write([Record.begin("shogi", "4k4/9/9/9/9/9/9/9/4K4 b G")], "json").encode(), Bookshelf()
    )
    assert elsewhere.patch(old, "a", (1, 2)) is None


def test_only_its_maker_changes_it_and_nonsense_is_refused(server: Server) -> None:
    made = go_live(server, a=record("7g7f"))
    stranger = made | {"key": "x"}
    assert refused(show(server, stranger, sent(a=None), view()), 403) == "Only who made a live study can change it."
    assert httpx.post(f"{server.url}/api/live/{made['id']}/end", json={"key": "x"}).status_code == 403
    for chapters, shown in ((sent(b=None), view("b")), (sent(a=None), view("b")), (sent(a=None), view(node=2))):
        assert refused(show(server, made, chapters, shown)) == "There is no such chapter."
    mixed = sent(a=None, b=record(variant="nana"))
    assert refused(show(server, made, mixed, view())) == "All chapters of a study are of one game."
    assert show(server, made, sent(a={"schema": "x"}), view()).status_code == 422
    assert show(server, made, [], view()).status_code == 422
    with connect(f"ws://127.0.0.1:{server.port}/follow", open_timeout=WAIT, close_timeout=1) as socket:
        socket.send('{"t": "chapter", "id": "a"}')
        assert hear(socket, "error")["reason"] == "Send follow first, to name the study."
        socket.send("{")
        assert hear(socket, "error")["reason"] == "The message is not JSON."
        socket.send('{"t": "ping"}')
        hear(socket, "pong")
        socket.send(json.dumps({"t": "follow", "live": made["id"]}))
        hear(socket, "live")
        socket.send('{"t": "chapter", "id": "z"}')
        assert hear(socket, "error")["reason"] == "There is no such chapter."


def test_a_restart_keeps_it(start: Callable[..., Server], tmp_path: Path) -> None:
    server = start()
    made = go_live(server, a=record("7g7f"), b=record("2g2f", name="Two"))
    assert show(server, made, sent(b=None, a=None), view("b", 1)).status_code == 200
    server.end()
    server = start(data=server.data)
    with following(server, made) as socket:
        assert hear(socket, "chapter")["study"]["nodes"][1]["usi"] == "2g2f"
        assert [one["id"] for one in hear(socket, "live")["chapters"]] == ["b", "a"]
        socket.send('{"t": "chapter", "id": "a"}')
        assert hear(socket, "chapter")["study"]["nodes"][1]["usi"] == "7g7f"
        assert show(server, made, sent(a=None), view("a")).status_code == 200
        assert hear(socket, "live", "chapter", "patch")["t"] == "live", "the follower has that chapter already"


def test_a_score_on_a_position_of_a_running_game_is_left_out(server: Server) -> None:
    moves = ("9g9f", "1c1d", "9f9e", "1d1e", "7g7f", "3c3d", "5i5h")
    scored = record(*moves, score=Score(120))
    meeting = Meeting(server, variant="shogi")
    meeting.accept()
    made = go_live(server, a=scored)
    with following(server, made) as socket:
        assert hear(socket, "chapter")["study"]["nodes"][-1]["score"]["value"] == 120, "nobody has played that"
    with meeting.client("b") as black, meeting.client("w") as white:
        for ply, move in enumerate(moves, 1):
            assert (black if ply % 2 else white).move(move, ply)["t"] == "ack"
        during = go_live(server, a=scored)
        with following(server, during) as socket:
            assert hear(socket, "chapter")["study"]["nodes"][-1]["score"] is None
        black.command("resign")


# --- Bounds ---------------------------------------------------------------------------------------------------------


def lives(store: Store) -> Lives:
    async def prepare(text: str, _payer: object) -> Chapter:
        return prepared(text.encode(), Bookshelf())

    return Lives(store, Lobby(store, lambda: ()), USUAL, RunningGames(), prepare)


def new(**chapters: dict[str, Any]) -> tuple[NewLive, dict[str, Chapter]]:
    fresh = {id: prepared(json.dumps(one).encode(), Bookshelf()) for id, one in chapters.items()}
    return NewLive([SentChapter(id, one) for id, one in chapters.items()], LiveView("a", 0)), fresh


async def test_an_address_has_few_and_the_server_not_too_many(store: SqliteStore, monkeypatch: Any) -> None:
    hall = lives(store)
    made = [await hall.make(*new(a=record()), STRANGER) for _ in range(2)]
    with pytest.raises(TooManyGamesError, match="You have 2 live studies already: end one first"):
        await hall.make(*new(a=record()), STRANGER)
    await hall.end(made[0].id)
    await hall.make(*new(a=record()), STRANGER)
    monkeypatch.setattr(live, "MOST_LIVE", 3)
    await hall.make(*new(a=record()), HERE)
    with pytest.raises(TooManyGamesError, match="as many live studies as it can hold"):
        await hall.make(*new(a=record()), HERE)


async def test_a_study_is_not_too_large(store: SqliteStore, monkeypatch: Any) -> None:
    hall = lives(store)
    made = await hall.make(*new(a=record("7g7f")), HERE)
    monkeypatch.setattr(live, "MOST_MOVES", 2)
    large = new(a=record("7g7f", "3c3d"), b=record("7g7f"))
    with pytest.raises(RefusedError, match="This study is too large to be live: it has 1 kB and 3 moves"):
        await hall.show(made.id, ShowLive(large[0].chapters, large[0].view, key=made.key), large[1])


async def test_so_many_follow_and_it_ends_with_its_time(store: SqliteStore, monkeypatch: Any) -> None:
    hall = lives(store)
    monkeypatch.setattr(live, "MOST_FOLLOWERS", 1)
    monkeypatch.setattr(live, "LASTS", 3600.0)
    made = await hall.make(*new(a=record()), HERE)
    first: list[str] = []
    study = await hall.join(made.id, first.append, None, HERE)
    assert study is not None
    assert await hall.join(made.id, lambda _message: None, None, HERE) is None
    assert await hall.join(made.id, lambda _message: None, made.key, HERE) is study, "its maker finds room"
    study.end()  # as its timer does
    assert json.loads(first[-1]) == {"t": "ended", "why": "ended"}
    store._write(("UPDATE live SET until = ?", (time.time() - 1,)))
    with pytest.raises(RefusedError, match="not live"):
        await hall.join(made.id, first.append, None, HERE)
    await hall.make(*new(a=record()), HERE)
    assert len(store._read("SELECT 1 FROM live")) == 1, "what is over is deleted"
    hall.close()


async def test_another_server_hears_of_it(store: SqliteStore) -> None:
    here, there = lives(store), lives(store)
    made = await here.make(*new(a=record("7g7f")), HERE)
    heard: list[dict[str, Any]] = []
    await there.join(made.id, lambda text: heard.append(msgspec.json.decode(text)), None, HERE)
    longer = new(a=record("7g7f", "3c3d"))
    await here.show(made.id, ShowLive(longer[0].chapters, LiveView("a", 2), key=made.key), longer[1])
    there.heard(made.id, 2)
    await next(iter(there._refreshing))
    assert [one["t"] for one in heard if one["t"] != "followers"] == ["chapter", "live", "patch", "live"]
    assert heard[-1]["view"]["node"] == 2
    await here.end(made.id)
    there.missed()
    await next(iter(there._refreshing))
    assert heard[-1] == {"t": "ended", "why": "ended"}


def test_a_follower_at_another_server_sees_it_too(start: Callable[..., Server], kept_in: str) -> None:
    one, two = start(data=kept_in), start(data=kept_in)
    made = go_live(one, a=record("7g7f"))
    with following(two, made) as socket:
        hear(socket, "live")
        assert show(one, made, sent(a=record("7g7f", "3c3d")), view(node=2)).json() == {"followers": 0}
        assert hear(socket, "patch")["nodes"][2]["usi"] == "3c3d"
        assert hear(socket, "live")["view"]["node"] == 2
        assert show(two, made, sent(a=None), view(node=1)).json() == {"followers": 1}, "each server counts its own"
        assert hear(socket, "live")["view"]["node"] == 1
        assert httpx.post(f"{one.url}/api/live/{made['id']}/end", json={"key": made["key"]}).status_code == 200
        assert hear(socket, "ended")["why"] == "ended"


def test_floods_are_answered_in_words(start: Callable[..., Server]) -> None:
    server = start()
    made = go_live(server, a=record("7g7f"))
    too_many = sent(**{f"c{number}": record() for number in range(65)})
    assert "length <= 64" in refused(show(server, made, too_many, view("c1")))
    long = record("7g7f", comment="x" * 19_000)
    many = sent(a=None, **{f"c{number}": long for number in range(14)})
    assert refused(show(server, made, many, view())).startswith("This study is too large to be live: it has 2")
    answers = [show(server, made, sent(a=None), view(node=number % 2)) for number in range(200)]
    late = [answer for answer in answers if answer.status_code != 200]
    assert {refused(answer, 429) for answer in late} == {"Too many questions at once; wait a moment."}
    with following(server, made) as socket:
        hear(socket, "live")
        for _ in range(150):
            socket.send('{"t": "chapter", "id": "z"}')
        said = {hear(socket, "error")["reason"] for _ in range(2)}
        assert said <= {"There is no such chapter.", "Too many messages at once; some were ignored."}
