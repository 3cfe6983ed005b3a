"""Two people who play apart: seats and their secrets, offers and answers, clocks, rematches, and who watches."""

from __future__ import annotations

import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from time import monotonic
from typing import Any

import httpx
import pytest

from helpers.web.meeting import Meeting, events, meet
from helpers.web.served import Server, refused
from komadai.app.web.engines.rate_limits import USUAL
from komadai.app.web.store.watch import EVERY

BOTH_ENTERED = "9/9/4K4/9/9/9/4k4/9/9 b - 1"


def visitor(server: Server) -> str:
    """The cookie of a new browser."""
    return httpx.get(server.url).cookies["komadai"]


def test_a_guest_comes_by_invitation_and_each_acts_for_one_side_only(server: Server) -> None:
    made = Meeting(server)
    with made.client("b") as black, made.client(None) as watching:
        assert (black.state["you"], watching.state["you"]) == (["b"], [])
        assert (black.state["seats"], black.state["names"]) == ({"b": "human", "w": "open"}, {"b": "Ada"})
        assert black.move("7g7f", 1)["reason"] == "The other player has not come yet."
        wrong = httpx.post(f"{server.url}/api/join", json={"invite": f"{made.game}.wrong"})
        assert refused(wrong, 409) == "This invitation belongs to no game on this server."
        assert made.accept("B\u202en").status_code == 409, "a name that turns what follows round"
        ben, eve, forged = visitor(server), visitor(server), "a" * 32 + "." + "0" * 32
        assert made.accept(" Ben   B. ", komadai=ben).status_code == 200
        assert made.accept("Eve", komadai=eve).json()["error"].startswith("Somebody else has taken that seat")
        assert made.accept("Eve", komadai=forged).status_code == 409
        assert watching.receive("events")["events"] == [{"seq": 1, "kind": "join", "side": "w", "name": "Ben B."}]
        lost = made.tokens["w"]
        assert made.accept("Ben", komadai=ben).status_code == 200, "the answer was lost: the same browser again"
        with made.client("w") as white:
            assert (white.state["you"], white.state["seats"]) == (["w"], {"b": "human", "w": "human"})
            assert white.move("3c3d", 1)["reason"] == "It is the other player's turn: Black is to move."
            assert "You are watching" in watching.move("7g7f", 1)["reason"]
            assert black.move("7g7f", 1)["t"] == "ack"
            assert "the other player's turn" in black.move("3c3d", 2)["reason"]
            assert white.move("3c3d", 2)["t"] == "ack"
            assert black.command("resign")["t"] == "ack", "whoever is to move"
            assert events(white, "resign")["position"]["outcome"]["winner"] == "w"
    with server.join(made.game, token=lost) as stale, server.join(made.game, token="guessed") as guessing:
        assert stale.state["you"] == guessing.state["you"] == []


def test_who_looks_at_an_invitation_is_no_spectator_and_nobody_loses_when_it_is_called_off(server: Server) -> None:
    made = Meeting(server, "hand")
    secret = made.invite.partition(".")[2]
    with made.client("b") as black, made.client(None), server.join(made.game, token=secret) as invited:
        assert (invited.state["you"], invited.state["presence"]["spectators"]) == ([], 1)
        assert "You are watching" in invited.command("resign")["reason"]
        assert black.command("resign")["t"] == "ack"
        said = events(invited, "call_off")["position"]
        assert said["outcome"] == {
            "winner": None,
            "reason": "called_off",
            "text": "No result: the game was called off",
            "message": {"text": "No result: {note}", "note": "the game was called off"},
        }
        assert (said["canUndo"], said["match"]["next"]) == (False, None)
        assert "cannot be taken back" in black.command("undo", ply=1)["reason"]
        assert black.command("rematch")["reason"].startswith("Nobody joined")
    assert made.accept().json()["error"] == "The invitation has been called off."
    asked = {"token": made.tokens["b"]}
    answer = httpx.post(f"{server.url}/api/games/{made.game}/next", json=asked)
    assert answer.json()["error"] == "The match is over: called off."


def test_secrets_are_kept_only_as_digests(server: Server) -> None:
    made = meet(server)
    for file in server.data.glob("games.sqlite3*"):
        for secret in (*made.tokens.values(), made.invite.partition(".")[2]):
            assert secret.encode() not in file.read_bytes()


def test_what_concerns_both_is_offered_and_answered(server: Server) -> None:
    made = meet(server)
    with made.client("b") as black, made.client("w") as white:
        black.move("7g7f", 1)
        assert black.command("undo", ply=2)["t"] == "ack"
        said = events(white, "offer")
        assert said["position"]["offers"] == [{"what": "undo", "side": "b"}]
        assert len(said["events"]) == 1
        assert "wait for the answer" in black.command("undo", ply=2)["reason"]
        assert white.command("decline", what="undo")["t"] == "ack"
        assert events(black, "decline")["position"]["offers"] == []
        assert "was declined" in black.command("undo", ply=2)["reason"]
        assert "no such offer" in white.command("decline", what="undo")["reason"]
        white.move("3c3d", 2)
        assert black.command("undo", ply=3)["t"] == "ack"
        black.move("2g2f", 3)
        assert "no such offer" in white.command("decline", what="undo")["reason"], "it ended with the move"
        assert white.command("undo", ply=4)["t"] == "ack"
        assert black.command("undo", ply=4)["t"] == "ack", "accepted: back to before White's last move"
        assert events(white, "undo")["events"][-1] == {"seq": 9, "kind": "undo", "moves": 1}
        assert "do not offer it" in black.command("draw")["reason"]
        assert white.command("pause")["reason"] == "No clock is running, so there is nothing to stop."
        assert white.command("rematch")["reason"] == "The game is not over yet."
        assert white.command("resign")["t"] == "ack"
        assert "The game is over" in black.command("undo", ply=2)["reason"], "what is over stays so between two people"


def test_two_people_greet_but_not_without_end(server: Server) -> None:
    meeting = meet(server)
    with meeting.client("b") as black, meeting.client("w") as white:
        assert black.command("greet", what="hello")["t"] == "ack"
        said = events(white, "greet")["events"][-1]
        assert (said["side"], said["what"]) == ("b", "hello")
        for _ in range(2):
            assert black.command("greet", what="enjoy")["t"] == "ack"
        assert black.command("greet", what="enjoy")["reason"].startswith("That is enough for now")
        assert white.command("greet", what="thanks")["t"] == "ack"
        black.send(t="greet", id="free", what="anything else")
        assert "understood" in black.receive("error")["reason"]
        assert black.move("7g7f", 1)["t"] == "ack"
        assert black.command("greet", what="hello")["t"] == "ack"
    with meeting.client(None) as watching:
        assert watching.command("greet", what="hello")["reason"].startswith("You are watching")
    alone = server.game("shogi")
    with server.join(alone) as client:
        assert client.command("greet", what="hello")["reason"].startswith("There is nobody to greet")


def test_a_draw_is_agreed_where_the_rules_offer_it_and_a_rematch_follows(server: Server) -> None:
    made = Meeting(server, time="5m+3s", position=BOTH_ENTERED)
    with made.client("b") as alone:
        assert not alone.state["position"]["canDraw"]
        assert "cannot be agreed now" in alone.command("draw")["reason"], "nobody is there to agree with"
    made.accept()
    with made.client("b") as black, made.client("w") as white:
        assert black.state["position"]["canDraw"]
        assert black.command("draw")["t"] == "ack"
        assert white.command("draw")["t"] == "ack"
        said = events(black, "draw")
        assert said["position"]["outcome"]["winner"] is None
        assert said["clocks"]["running"] is None
        assert white.command("rematch")["t"] == "ack"
        assert black.command("rematch")["t"] == "ack"
        following = events(white, "rematch")["position"]["rematch"]
        assert "rematch has started" in black.command("undo", ply=1)["reason"]
    with server.join(following, token=made.tokens["b"]) as now_white:
        assert now_white.state["you"] == ["w"]
        assert now_white.state["names"] == {"b": "Ben", "w": "Ada"}
        assert now_white.state["clocks"]["control"] == "5m+3s"
        assert "other player's turn" in now_white.move("5c5b", 1)["reason"]
    with server.join(following, token=made.tokens["w"]) as now_black:
        assert now_black.move("5c5b", 1)["t"] == "ack"


def test_a_match_goes_on_between_the_same_two(server: Server) -> None:
    made = meet(server, "hand")
    with made.client("b") as black:
        black.command("resign")
        assert "match is not over yet" in black.command("rematch")["reason"]
    address = f"{server.url}/api/games/{made.game}/next"
    assert httpx.post(address).json() == {"error": "Only the players can start the next game."}
    following = httpx.post(address, json={"token": made.tokens["w"]}).json()["game"]
    assert httpx.post(address).json() == {"game": following}, "it has begun, and anybody may go and watch"
    with server.join(following, token=made.tokens["w"]) as client:
        assert (client.state["you"], client.state["names"]["b"]) == (["b"], "Ben")
        assert client.move("5i4i", 1)["t"] == "ack"


def test_a_flag_falls_by_itself_and_stays_fallen(server: Server) -> None:
    made = meet(server, time="1s")
    with made.client("b") as black, made.client("w") as white:
        standing = {"main": 1000, "periods": 0, "period": 0}
        still = {"control": "1s", "running": None, "paused": False, "b": standing, "w": standing}
        assert black.state["clocks"] == still
        before = monotonic()
        black.move("7g7f", 1)
        said = events(white, "move")["clocks"]
        assert (said["running"], said["b"]) == ("w", standing), "the first move is free"
        assert 1000 - round((monotonic() - before) * 1000) <= said["w"]["main"] <= 1000
        over = events(white, "flag")
        assert over["events"] == [{"seq": 3, "kind": "flag", "side": "w"}]
        assert over["position"]["outcome"]["text"] == "Black wins: White ran out of time"
        assert over["clocks"] == still | {"w": standing | {"main": 0}}
        assert "The game is over" in white.move("3c3d", 2)["reason"]
        assert not over["position"]["canUndo"]


def test_the_clock_runs_against_the_computer_too_and_stops_by_one_word(server: Server) -> None:
    made = server.make(w="level2", time="1m 2x10s")
    with server.join(made["game"], token=made["tokens"]["b"]) as client:
        client.move("K*1a", 1)
        while client.receive("events")["position"]["thinking"]:
            pass
        assert client.command("pause")["t"] == "ack"
        with server.join(made["game"], token=made["tokens"]["b"]) as again:
            clocks = again.state["clocks"]
            assert (clocks["paused"], clocks["running"], clocks["b"]["periods"]) == (True, None, 2)
        assert "paused" in client.move("R*2a", 3)["reason"]
        assert client.command("undo", ply=3)["t"] == "ack", "still paused"
        assert client.command("resume")["t"] == "ack"
        assert "not paused" in client.command("resume")["reason"]


def test_a_pause_is_agreed_between_two(server: Server) -> None:
    made = meet(server, time="10m")
    with made.client("b") as black, made.client("w") as white:
        black.move("7g7f", 1)
        assert black.command("pause")["t"] == "ack"
        assert white.command("pause")["t"] == "ack"
        assert events(black, "pause")["clocks"]["paused"]
        assert white.command("resume")["t"] == "ack"
        assert white.command("decline", what="resume")["t"] == "ack", "taken back"
        assert white.command("resume")["reason"] == "Your offer was declined: you can offer again after the next move."
        assert black.command("resume")["t"] == "ack"
        assert white.command("resume")["t"] == "ack"
        assert events(black, "resume")["clocks"]["running"] == "w"


def test_time_in_which_the_server_was_down_is_not_counted(start: Callable[..., Server]) -> None:
    server = start()
    made, short = meet(server, time="10m"), meet(server, time="1s 1x1s")
    with made.client("b") as black, short.client("b") as brief:
        brief.move("7g7f", 1)
        black.move("7g7f", 1)
        server.end(signal.SIGKILL)
    with closing(sqlite3.connect(server.data / "games.sqlite3")) as store, store:  # an hour passes
        store.execute("UPDATE event SET at = at - 3600, mono = mono - 3600")
        store.execute("UPDATE watch SET at = at - 7200, mono = mono - 7200")
        store.execute("UPDATE watch SET last_at = last_at - 3300, last_mono = last_mono - 3300, seen = seen - 3300")
    before = monotonic()
    made.server = short.server = start(server.port)
    with made.client("w", seq=0) as white:
        up = monotonic() - before
        assert [event["kind"] for event in white.state["events"]] == ["join", "move", "outage"]
        assert white.state["clocks"]["running"] == "w"
        off = abs(300_000 - white.state["clocks"]["w"]["main"])
        assert off <= round(1000 * (EVERY + up)), "servers were there for five minutes more"
        with made.client(None) as watching:
            assert watching.state["seq"] == 3, "once"
    with short.client("w", seq=0) as white:
        over = white.state if white.state["position"]["outcome"] else events(white, "flag")
        assert over["position"]["outcome"]["winner"] == "b"


def test_nobody_sees_the_values_while_two_play(server: Server) -> None:
    made = meet(server, "nana")
    with made.client("b") as black, made.client(None) as watching:
        watching.send(t="study")
        assert "While two people play" in watching.receive("error", "study")["reason"]
        black.command("resign")
        watching.send(t="study")
        assert watching.receive("error", "study")["t"] == "study"


def test_who_is_there_is_reported(server: Server) -> None:
    made = meet(server)
    with made.client("b") as black:
        assert black.state["presence"] == {"spectators": 0, "seats": {"b": True, "w": False}}
        with made.client("w"), made.client(None), made.client(None):
            while black.receive("presence") != {"t": "presence", "spectators": 2, "seats": {"b": True, "w": True}}:
                pass
        while black.receive("presence")["spectators"]:
            pass


@pytest.mark.parametrize("typed", ["10分30秒", "10分 30秒", "10m 30s"])
def test_a_time_as_people_type_it_is_shown_and_kept_as_it_is_meant(server: Server, typed: str) -> None:
    shown = httpx.get(f"{server.url}/api/time", params={"control": typed}).json()
    assert shown == {"time": "10m 1x30s", "fault": ""}
    made = server.make(time=typed)
    with server.join(made["game"], token=made["tokens"]["b"]) as client:
        assert client.state["clocks"]["control"] == shown["time"]


REFUSED = {
    "no such time": ({"time": "soon"}, "time control 'soon': expected a form such as 10m, 10m+5s"),
    "too long": ({"time": "99h"}, "main time 356400 is out of range"),
    "nobody there": ({"b": "open"}, "played by a person who is there"),
    "only a guest": ({"b": "open", "w": "level2"}, "played by a person who is there"),
    "a name that cannot be seen": ({"name": "\u202e"}, "Names may contain only"),
    "a name without end": ({"name": "a" * 41}, "length <= 40"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_meeting_that_cannot_be_is_refused_in_words(server: Server, case: str) -> None:
    more, words = REFUSED[case]
    assert words in refused(server.ask("shogi", **{"w": "open"} | more))


def test_a_browser_is_known_by_its_cookie_and_asks_only_so_much(start: Callable[..., Server]) -> None:
    with httpx.Client(base_url=start().url) as browser:
        cookie = browser.get("/").headers["set-cookie"]
        assert cookie.startswith("komadai=")
        assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
        assert "set-cookie" not in browser.get("/").headers, "it has one"
        (rate, burst), began, answered = USUAL.creations, monotonic(), 0
        for language, unknown, too_many in (
            ("en", "There is no game of that name here.", "Too many games at once; wait a moment."),
            ("ja", "そのような対局はここにありません。", "一度に作る対局が多すぎます。少しお待ちください。"),
        ):
            asked = {"Accept-Language": language}
            for _ in range(300):
                answer = browser.post("/api/join", json={"invite": "nowhere.x"}, headers=asked)
                if answer.status_code != 409:
                    break
                assert answer.json()["error"] == unknown
                answered += 1
                assert answered <= burst + rate * (monotonic() - began), "a slow machine is answered more often"
            assert (answer.status_code, answer.json()["error"]) == (429, too_many)
        assert answered >= burst


def test_everybody_is_answered_in_their_own_language(server: Server) -> None:
    made = meet(server)
    chosen, asked = {"Cookie": "language=ja", "Accept-Language": "en"}, {"Accept-Language": "de, ja-JP;q=0.8"}
    with made.client("b") as black, server.client(additional_headers=chosen) as white:
        white.send(t="hello", game=made.game, token=made.tokens["w"])
        white.receive("state")
        assert white.move("3c3d", 1)["reason"] == "相手の番です（手番は先手）。"
        white.send(t="explain", text="5e5f")
        assert white.receive("explanation")["text"] == "5e5f は指せません：5e に駒がありません"
        assert black.move("5e5f", 1)["reason"] == "5e5f is not legal: there is no piece on 5e."
    answer = httpx.post(f"{server.url}/api/join", json={"invite": f"{made.game}.wrong"}, headers=asked)
    assert answer.json()["error"] == "この招待に当たる対局はありません。"


@pytest.mark.parametrize(
    ("method", "path", "sent", "words"),
    [
        ("POST", "/api/games", {"content": b"{}"}, "リクエストはJSON（"),
        ("POST", "/api/games", {"json": {}}, "対局を始められませんでした："),
        ("POST", "/api/games", {"json": {"x": "y" * 5000}}, "リクエストが長すぎます。読めるのは4096バイトまでです。"),
        ("POST", "/api/positions/check", {"json": {"variant": "go", "position": ""}}, "局面を調べられませんでした："),
        ("GET", "/api/rules/go", {}, "'go' というゲームはありません："),
        ("GET", "/api/records/nothing", {}, "そのような名前のものはここにありません。"),
        ("POST", "/api/records/read", {"content": b" "}, "読み込むものがありません。"),
        ("PUT", "/api/games", {}, "このアドレスで PUT は使えません。"),
        ("GET", "/nowhere", {}, "このアドレスには何もありません。"),
        ("GET", "/", {"headers": {"Origin": "http://elsewhere"}}, "ほかのサイトのページからこのサーバーは使えません。"),
    ],
)  # fmt: skip
def test_requests_are_refused_in_japanese(
    server: Server, method: str, path: str, sent: dict[str, Any], words: str
) -> None:
    headers = sent.get("headers", {}) | {"Accept-Language": "ja"}
    answer = httpx.request(method, server.url + path, **sent | {"headers": headers})
    assert answer.status_code >= 400
    assert answer.json()["error"].startswith(words)
    assert answer.json()["error"].endswith("。")


def test_a_position_is_judged_in_the_language_of_whoever_asks(server: Server) -> None:
    asked = {"variant": "shogi", "position": {"board": {"5a": "wK", "1a": "bP"}, "hands": {}, "turn": "b"}}
    said = [
        httpx.post(f"{server.url}/api/positions/check", json=asked, headers={"Accept-Language": language}).json()
        for language in ("ja", "en", "ja")
    ]
    japanese = ["先手の「玉」が0枚です。1枚にしてください", "先手の「歩」は 1a にいられません：行き所のない駒になる"]
    english = [
        "Black's king is there 0 times; expected 1",
        "Black's pawn cannot stand on 1a: it could never move again",
    ]
    assert [found["defects"] for found in said] == [japanese, english, japanese]
