"""The server over its own wire: games, replay, refusals, and clients that send nonsense."""

from __future__ import annotations

import http.client
import socket
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

import komadai
from helpers.web.served import WAIT, Server, new_key, refused
from komadai.app.web.listening import own_names


def test_a_move_is_acknowledged_and_sent_to_everyone(server: Server) -> None:
    game = server.game("nana")
    with server.join(game) as first, server.join(game) as second:
        assert first.state["t"] == "state"
        assert first.move("K*1a", ply=1)["seq"] == 1
        said = second.receive("events")
        written = {"usi": "K*1a", "text": "K*1a", "japanese": "☗１一玉"}
        assert said["events"] == [{"seq": 1, "kind": "move", **written, "from": None, "to": "1a"}]
        assert said["position"]["board"] == {"1a": "bK"}
        assert said["position"]["turn"] == "w"


def test_a_command_sent_twice_is_done_once(server: Server) -> None:
    with server.join(server.game()) as client:
        for _ in range(3):
            client.send(t="move", id="same", ply=1, text="K*1a")
            assert client.receive("ack", "refused") == {"t": "ack", "id": "same", "seq": 1}
        assert client.move("K*3c", ply=2)["seq"] == 2


@pytest.mark.parametrize("seen", [0, 1, 2, 3])
def test_a_client_is_sent_what_it_missed(server: Server, seen: int) -> None:
    game = server.game()
    with server.join(game) as client:
        for ply, move in enumerate(("K*1a", "K*3c", "R*1b"), 1):
            assert client.move(move, ply)["t"] == "ack"
    with server.join(game, seq=seen) as again:
        assert [event["seq"] for event in again.state["events"]] == list(range(seen + 1, 4))
        assert again.state["position"]["ply"] == 4


@pytest.mark.parametrize("seen", [None, 7])
def test_a_client_without_or_with_a_wrong_past_is_sent_everything(server: Server, seen: int | None) -> None:
    game = server.game()
    with server.join(game) as client:
        client.move("K*1a", 1)
    with server.join(game, seq=seen) as again:
        assert again.state["t"] == "state"
        assert [move["usi"] for move in again.state["moves"]] == ["K*1a"]


def test_moves_are_read_as_move_strings_and_as_people_write_them(server: Server) -> None:
    with server.join(server.game("shogi")) as client:
        assert client.move("7g7f", 1)["t"] == "ack"
        assert client.move("P-3d", 2)["t"] == "ack"
        assert client.move("Bx2b+", 3)["t"] == "ack"


def test_undo_with_two_people_takes_back_one_ply(server: Server) -> None:
    with server.join(server.game()) as client:
        client.move("K*1a", 1)
        client.move("K*3c", 2)
        assert client.command("undo", ply=3)["t"] == "ack"
        with server.join(client.state["game"]) as other:
            assert [move["usi"] for move in other.state["moves"]] == ["K*1a"]
            assert other.state["position"]["turn"] == "w"


def test_the_computer_answers_and_undo_goes_back_to_ones_own_turn(server: Server) -> None:
    with server.join(server.game("nana", w="level2")) as client:
        client.move("K*1a", 1)
        while (answer := client.receive("events"))["position"]["thinking"]:
            pass
        assert answer["position"]["turn"] == "b"
        assert answer["position"]["tree"], "the person may move"
        assert client.command("undo", ply=3)["t"] == "ack"
        with server.join(client.state["game"]) as other:
            assert other.state["moves"] == []
            assert not other.state["position"]["canUndo"]


def test_the_computer_begins_when_it_has_black(server: Server) -> None:
    with server.join(server.game("shogi", b="level2")) as client:
        assert client.state["position"]["thinking"]
        assert client.state["position"]["tree"] == []
        assert client.receive("events")["position"]["turn"] == "w"
        assert "take back" in client.command("undo", ply=2)["reason"]


def test_resigning_ends_the_game_and_undo_reopens_it(server: Server) -> None:
    with server.join(server.game("shogi", w="level10")) as client:
        assert client.command("resign")["t"] == "ack"
        with server.join(client.state["game"]) as other:
            outcome = other.state["position"]["outcome"]
            message = {"text": "{side} wins: {note}", "side": "w", "note": "{other} resigned"}
            text = "White wins: Black resigned"
            assert outcome == {"winner": "w", "reason": "resign", "text": text, "message": message}
        assert "game is over" in client.move("7g7f", 1)["reason"]
        assert client.command("undo", ply=1)["t"] == "ack"
        assert client.move("7g7f", 1)["t"] == "ack"


def test_where_the_rule_says_so_an_illegal_move_loses(server: Server) -> None:
    with server.join(server.game("nana", illegal_move="loses")) as client:
        assert client.move("R*1a", 1)["t"] == "ack"
        with server.join(client.state["game"]) as other:
            assert other.state["position"]["outcome"]["reason"] == "illegal"
            assert other.state["moves"] == []


def test_why_a_move_is_not_legal_is_reported(server: Server) -> None:
    with server.join(server.game()) as client:
        client.send(t="explain", text="K*2b")
        answer = client.receive("explanation")
        assert "nothing may be dropped on the centre" in answer["text"]


def test_who_watches_may_look_back_through_the_game(server: Server) -> None:
    with server.join(server.game("ki")) as client:
        seen = [client.state["position"]]
        for ply, move in enumerate(("*Gyoku", "*Gyoku NNE", "*Cho E", "*Myou E", "Gyoku W"), 1):  # the last shifts
            assert client.move(move, ply)["t"] == "ack", move
            with server.join(client.state["game"]) as other:
                seen.append(other.state["position"])
        with server.join(client.state["game"], token=None) as watching:
            for moves in (5, 0, 4, 1):
                watching.send(t="look", moves=moves)
                said = watching.receive("seen")
                assert said["moves"] == moves
                scene = said["position"]
                assert scene == {name: seen[moves][name] for name in scene}
                assert not {"tree", "blocked"} & scene.keys()
            assert watching.state["seq"] == 5


# --- Nonsense -------------------------------------------------------------------------------------------------------

HELLO_FIRST = "Send hello first, to name the game."
WRONG = "The message was not understood: "
BROKEN = {
    "not JSON": ("{", "The message is not JSON."),
    "not UTF-8": (b"\xff\xfe\x00", "The message is not JSON."),
    "nothing": ("", "The message is not JSON."),
    "a list": ("[1]", f"{WRONG}expected `object`, got `array`."),
    "a number": ("7", f"{WRONG}expected `object`, got `int`."),
    "deep nesting": ('{"t":' + "[" * 4000, "The message is not JSON."),
    "no type": ("{}", f"{WRONG}object missing required field `t`."),
    "unknown type": ('{"t":"castle"}', f"{WRONG}invalid value 'castle' in field `t`."),
    "no id": ('{"t":"move","ply":1,"text":"K*1a"}', f"{WRONG}object missing required field `id`."),
    "text is a number": (
        '{"t":"move","id":"x","ply":1,"text":5}',
        f"{WRONG}expected `str`, got `int` in field `text`.",
    ),
    "ply is text": (
        '{"t":"move","id":"x","ply":"1","text":"K*1a"}',
        f"{WRONG}expected `int`, got `str` in field `ply`.",
    ),
    "ply below zero": ('{"t":"undo","id":"x","ply":-1}', f"{WRONG}expected `int` >= 0 in field `ply`."),
    "unknown field": ('{"t":"resign","id":"x","why":"tired"}', f"{WRONG}object contains unknown field `why`."),
    "empty id": ('{"t":"resign","id":""}', f"{WRONG}expected `str` of length >= 1 in field `id`."),
    "an id that no store could hold": (
        '{"t":"resign","id":"x\\u0000"}',
        f"{WRONG}expected ASCII without spaces in field `id`.",
    ),
    "long id": ('{"t":"resign","id":"' + "x" * 65 + '"}', f"{WRONG}expected `str` of length <= 64 in field `id`."),
    "too long": (
        '{"t":"explain","text":"' + "x" * 5000 + '"}',
        "The message is too long: 5025 bytes, where at most 4096 are read.",
    ),
    "before the start": ('{"t":"look","moves":-1}', f"{WRONG}expected `int` >= 0 in field `moves`."),
    "after the end": ('{"t":"look","moves":1}', "There is no position after move 1: the game has 0 so far."),
    "wrong game": ('{"t":"hello","game":"nowhere","seq":0}', "There is no game of that name here."),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_message_gets_one_sentence_and_harms_nothing(server: Server, case: str) -> None:
    sent, sentence = BROKEN[case]
    game = server.game()
    with server.join(game) as client:
        client.socket.send(sent)
        assert client.receive() == {"t": "error", "reason": sentence}
        client.send(t="ping")
        assert client.receive() == {"t": "pong"}, "one sentence, not two"
        client.send(**client.greeting)
        assert client.receive()["seq"] == 0
        assert client.move("K*1a", 1)["t"] == "ack"


REFUSED = {
    "no such square": ("move", {"ply": 1, "text": "K*9z"}, "9z is not a square"),
    "no move at all": ("move", {"ply": 1, "text": "castle"}, "castle"),
    "illegal": ("move", {"ply": 1, "text": "R*1a"}, "the first move must drop the king"),
    "wrong ply": ("move", {"ply": 5, "text": "K*1a"}, "meant for ply 5, but it is at ply 1"),
    "nothing to undo": ("undo", {"ply": 1}, "no move of yours to take back"),
    "no draw": ("draw", {}, "A draw cannot be agreed now"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_done_is_refused_with_a_reason_and_changes_nothing(server: Server, case: str) -> None:
    t, fields, reason = REFUSED[case]
    with server.join(server.game()) as client:
        answer = client.command(t, **fields)
        assert answer["t"] == "refused"
        assert reason in answer["reason"]
        assert answer["reason"].endswith((".", "!", "?", "]"))
        with server.join(client.state["game"]) as other:
            assert other.state["seq"] == 0
        assert client.move("K*1a", 1)["t"] == "ack"


def test_moving_for_the_computer_is_refused(server: Server) -> None:
    with server.join(server.game("shogi", b="level10")) as client:
        assert "computer's turn" in client.move("7g7f", 1)["reason"]


def test_commands_before_hello_are_refused(server: Server) -> None:
    with server.client() as client:
        client.send(t="move", id="x", ply=1, text="K*1a")
        assert client.receive() == {"t": "error", "reason": HELLO_FIRST}


def test_a_flood_is_answered_in_words_and_at_last_cut_off(start: Callable[..., Server]) -> None:
    server = start()  # with the usual limits
    with server.client() as client:
        with pytest.raises(ConnectionClosed) as closed:  # noqa: PT012 - whichever of the two meets the closed line
            for _ in range(2000):
                client.send(t="ping")
            while True:
                client.receive("nothing")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.reason == "Too many messages."
    with server.join(server.game()) as calm:
        assert calm.move("K*1a", 1)["t"] == "ack"


def test_a_giant_frame_ends_the_connection_and_not_the_game(server: Server) -> None:
    game = server.game()
    with server.join(game) as client:
        client.move("K*1a", 1)
        with pytest.raises(ConnectionClosed):  # noqa: PT012
            client.socket.send("x" * 1_000_000)
            client.receive()
    with server.join(game) as again:
        assert again.state["seq"] == 1


# --- HTTP -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/new/nana", "/game/x", "/api/variants", "/static/style.css", "/nowhere"])
def test_every_answer_carries_the_security_headers(server: Server, path: str) -> None:
    headers = httpx.get(server.url + path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"


def new(variant: str, white: str, **options: str) -> dict[str, Any]:
    """A request for a game in which a person has Black."""
    return {"variant": variant, "seats": {"b": "human", "w": white}, "options": options}


BAD_HTTP: dict[str, tuple[str, str, dict[str, Any], int]] = {
    "nowhere": ("GET", "/nowhere", {}, 404),
    "no such file": ("GET", "/static/nothing.js", {}, 404),
    "out of the folder": ("GET", "/static/..%2f..%2fstore.py", {}, 404),
    "no such game": ("GET", "/new/checkers", {}, 404),
    "wrong method": ("DELETE", "/", {}, 405),
    "no body": ("POST", "/api/games", {"headers": {"content-type": "application/json"}}, 400),
    "no JSON": ("POST", "/api/games", {"content": "{", "headers": {"content-type": "application/json"}}, 400),
    "a form": ("POST", "/api/games", {"data": {"variant": "nana"}}, 415),
    "no seats": ("POST", "/api/games", {"json": {"variant": "nana"}}, 422),
    "unknown variant": ("POST", "/api/games", {"json": new("go", "level2")}, 422),
    "unknown seat": ("POST", "/api/games", {"json": new("nana", "cat")}, 422),
    "a seat and a line break": ("POST", "/api/games", {"json": new("nana", "level1\n")}, 422),
    "no person": ("POST", "/api/games", {"json": {"variant": "nana", "seats": {"b": "level2", "w": "level2"}}}, 422),
    "unknown option": ("POST", "/api/games", {"json": new("nana", "level2", dice="6")}, 422),
    "a size out of range": ("POST", "/api/games", {"json": new("ki", "level2", field="9x26")}, 422),
    "too long": ("POST", "/api/games", {"json": {"variant": "n" * 9000}}, 413),
    "another site": ("GET", "/", {"headers": {"origin": "https://example.com"}}, 403),
    "a broken origin": ("GET", "/", {"headers": {"origin": "http://["}}, 403),
    "a broken host": ("GET", "/", {"headers": {"host": "[::1"}}, 403),
    "another host name": ("GET", "/", {"headers": {"host": "rebound.example.com"}}, 403),
}


@pytest.mark.parametrize("case", BAD_HTTP)
def test_a_bad_request_gets_a_sentence(server: Server, case: str) -> None:
    method, path, more, status = BAD_HTTP[case]
    answer = httpx.request(method, server.url + path, **more)
    assert answer.status_code == status
    sentence = answer.json()["error"]
    assert "Traceback" not in sentence
    assert "\n" not in sentence


def test_a_server_behind_a_proxy_answers_to_the_names_it_is_given(start: Callable[..., Server]) -> None:
    running = start(0, "--allow-host", "Play.example.org")
    for name, status in (("play.example.org", 200), ("localhost", 200), ("rebound.example.com", 403)):
        headers = {"host": name, "origin": f"https://{name}", "x-forwarded-proto": "https"}
        assert httpx.get(running.url, headers=headers).status_code == status


def test_a_page_and_its_requests_come_by_the_same_scheme(start: Callable[..., Server]) -> None:
    running = start(0, "--allow-host", "play.example.org")

    def asked(origin: str, scheme: str, host: str = "play.example.org") -> httpx.Response:
        headers = {"host": host, "origin": origin, "x-forwarded-proto": scheme}
        return httpx.post(f"{running.url}/api/profile", json={"key": new_key()}, headers=headers)

    assert asked("https://play.example.org", "https").status_code == 201
    assert asked("https://play.example.org", "https", "Play.Example.org:443").status_code == 201
    assert asked("http://play.example.org", "http").status_code == 201
    for origin, scheme in (("http://play.example.org", "https"), ("https://play.example.org", "http")):
        assert "a proxy must say so in X-Forwarded-Proto" in refused(asked(origin, scheme), 403)
    for origin in ("https://play.example.org:444", "https://play.example.org.evil.com", "ftp://play.example.org",
                   "https://somebody@play.example.org", "https://play.example.org/", "play.example.org", "null", "",
                   "https://play.example.org https://evil.com"):  # fmt: skip
        assert asked(origin, "https").status_code == 403
    name, secure = f"127.0.0.1:{running.port}", {"x-forwarded-proto": "https"}
    with pytest.raises(InvalidStatus), running.client(origin=f"http://{name}", additional_headers=secure):
        pass
    with running.client(origin=f"https://{name}", additional_headers=secure) as client:
        client.send(t="ping")
        assert client.receive() == {"t": "pong"}


NO_HOSTS = ("somebody@localhost", "evil.example@127.0.0.1", "localhost/x", "localhost?x", "localhost#x", "localhost:x",
            "localhost:99999", "localhost:-1", "localhost:80:80", "localhost, localhost", "[::1", "::1", "[::1%1]",
            "localhost..")  # fmt: skip
"""What no browser sends as the name of a host."""


def test_a_server_for_the_network_answers_to_the_addresses_and_names_of_its_machine(
    start: Callable[..., Server],
) -> None:
    running = start(0, "--host", "0.0.0.0")
    name = socket.gethostname().lower()
    known = ["127.0.0.1", "localhost", "LOCALHOST", "[::1]", name, f"{name.partition('.')[0]}.local", *own_names()]
    known += ["localhost.", f"{name}.", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]"]
    for host in known:
        host = f"[{host}]" if ":" in host and not host.startswith("[") else host
        answer = httpx.get(f"{running.url}/healthz", headers={"host": f"{host}:{running.port}"})
        assert answer.status_code == 200, (host, answer.text)
    for host in (
        "rebound.example.com",
        "8.8.8.8",
        f"{name}.example.com",
        "0.0.0.0",
        "x.local",
        "",
        "127.0.0.1.evil",
        *NO_HOSTS,
    ):
        answer = httpx.get(f"{running.url}/healthz", headers={"host": host})
        assert f"{host!r}; its option --allow-host adds one." in refused(answer, 403)
    elsewhere = running.url.replace("127.0.0.1", "127.0.0.9")
    assert httpx.get(f"{elsewhere}/healthz").status_code == 200, "an address that no list of interfaces has"
    assert httpx.get(f"{running.url}/healthz", headers={"host": "127.0.0.9"}).status_code == 403


def test_a_server_for_the_network_that_has_a_name_answers_to_no_other(start: Callable[..., Server]) -> None:
    running = start(0, "--host", "0.0.0.0", "--allow-host", "play.example.org")
    for host, status in (("play.example.org", 200), ("localhost", 200), (f"{socket.gethostname()}.local", 403)):
        assert httpx.get(f"{running.url}/healthz", headers={"host": host}).status_code == status


def test_pages_of_other_sites_get_no_socket(server: Server) -> None:
    for origin in ("https://example.com", f"http://127.0.0.1:{server.port + 1}", "null"):
        with pytest.raises(InvalidStatus) as refused, server.client(origin=origin):
            pass
        assert refused.value.response.status_code == 403
    with server.client(origin=f"http://127.0.0.1:{server.port}") as client:
        client.send(t="ping")
        assert client.receive() == {"t": "pong"}


def test_a_line_that_is_no_http_harms_nothing(server: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=WAIT)
    connection.connect()
    connection.sock.sendall(b"\x16\x03\x01 nonsense\r\n\r\n")
    assert connection.sock.recv(100).startswith(b"HTTP/1.1 400")
    connection.close()
    assert httpx.get(server.url).status_code == 200


def test_the_list_of_variants_says_what_the_setup_page_needs(server: Server) -> None:
    listed = {variant["id"]: variant for variant in httpx.get(f"{server.url}/api/variants").json()}
    assert tuple(listed) == komadai.variants(shelf=False)
    for variant in listed.values():
        assert {"illegal_move"} <= {setting["name"] for setting in variant["settings"]}
        codes = {kind["code"] for kind in variant["kinds"]}
        assert set(variant["hands"]) <= codes
        assert all(len(kind["kanji"]) >= 1 and (kind["moves"] or kind["walks"]) for kind in variant["kinds"])
