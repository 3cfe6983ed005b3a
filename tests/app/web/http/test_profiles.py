"""Profiles: a person's games on another device, by a key of which the server keeps only a digest."""

from __future__ import annotations

import os
import sqlite3
from base64 import b64encode
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from helpers.command import komadai_says, parsed
from helpers.web.inside import inside
from helpers.web.served import TOKENS, Server, new_key, refused
from komadai.app.web.engines.rate_limits import USUAL
from komadai.app.web.game.profiles import access_of, profile_of
from komadai.app.web.game.replay import RefusedError
from komadai.app.web.schema.requests import MOST_SEALED
from komadai.app.web.store.sqlite import SqliteStore

ACCESS = "X7KKBKFTTK5EHYOY76VTWQTY74"


def ask(server: Server, address: str = "", **body: Any) -> httpx.Response:
    return httpx.post(f"{server.url}/api/profile{address}", json=body or None)


def make(server: Server) -> str:
    key = new_key()
    answer = ask(server, key=key)
    assert (answer.status_code, answer.json()) == (201, {"games": []})
    return key


def keep(server: Server, key: str, after: int, sealed: str) -> httpx.Response:
    body = {"key": key, "after": after, "sealed": sealed}
    return httpx.put(f"{server.url}/api/profile/memory", json=body)


def sealed(of: int) -> str:
    """So many bytes, as a browser sends them encrypted."""
    return b64encode(os.urandom(of)).decode()


def games(server: Server, key: str, *add: tuple[str, str]) -> dict[str, Any]:
    """The games of a profile by id, after these were added."""
    added = [{"game": game, "token": token} for game, token in add]
    answer = ask(server, "/games", key=key, add=added)
    assert answer.status_code == 200, answer.text
    return {game["game"]: game for game in answer.json()["games"]}


def test_keys_are_read_as_people_write_them() -> None:
    key, own = "ABCD-EFGH-IJKL-MNOP-QRST-UVWX-YZ", "ABCD-EFGH-IJKL-MNOP-QRST-UVWX-YZ23"
    for one in (key, own):
        for written in (one.lower(), one.replace("-", " "), f" {one}.\n", one.replace("O", "0").replace("I", "1")):
            assert profile_of(written) == profile_of(one)
    for wrong in ("", "x", key[:-1], f"{key}A", key.replace("A", "9", 1), "ß" * 26):
        with pytest.raises(RefusedError, match="28 letters and digits are expected, or 26"):
            profile_of(wrong)


def test_the_access_key_of_a_key_is_that_of_the_browser() -> None:
    """By HKDF of RFC 5869, as in tests/js/profile_key.test.js."""
    assert access_of("ABCD-EFGH-IJKL-MNOP-QRST-UVWX-YZ23") == ACCESS
    assert profile_of("abcdefghijklmnopqrstuvwxyz23") == profile_of(ACCESS)


def test_the_server_takes_access_keys_alone(server: Server) -> None:
    """A browser that showed its own key by mistake would be refused, and nothing made."""
    assert "28 letters" in refused(ask(server, key="ABCD-EFGH-IJKL-MNOP-QRST-UVWX-YZ23"))


def test_a_memory_is_kept_and_never_overwritten_unseen(server: Server) -> None:
    key, first, second, third = make(server), sealed(99), sealed(60), sealed(100)

    def read(known: int = 0) -> Any:
        return ask(server, "/memory", key=key, known=known).json()

    assert read() == {"number": 0, "sealed": None}
    assert keep(server, key, 0, first).json() == {"number": 1, "sealed": None}
    assert read() == {"number": 1, "sealed": first}
    assert read(1) == {"number": 1, "sealed": None}, "it is known"
    assert keep(server, key, 0, second).json() == {"number": 1, "sealed": first}, "another device has written"
    assert keep(server, key, 1, third).json() == {"number": 2, "sealed": None}
    assert read(1) == {"number": 2, "sealed": third}
    assert ask(server, "/delete", key=key).status_code == 200
    assert ask(server, "/memory", key=key).status_code == 404
    assert keep(server, key, 2, third).status_code == 404
    assert ask(server, key=key).status_code == 201
    assert read() == {"number": 0, "sealed": None}, "it went with the profile"


def test_a_memory_is_bounded_and_nothing_but_base64(server: Server) -> None:
    key = make(server)
    assert keep(server, key, 0, sealed(MOST_SEALED)).status_code == 200
    assert keep(server, key, 1, sealed(MOST_SEALED + 3)).status_code == 422
    assert keep(server, key, 1, sealed(3 * MOST_SEALED)).status_code == 413
    for odd in ("", "x y ", "<b>&", "ä" * 4):
        assert keep(server, key, 1, odd).status_code == 422
    assert keep(server, key, -1, sealed(3)).status_code == 422


async def test_bytes_kept_count_for_the_address(store: SqliteStore) -> None:
    """What replaces as much as it is costs nothing more."""
    limits = replace(USUAL, profiles=(0, 1000), stored=(0, 400_000))
    async with inside(store, limits=limits) as at:
        client = at("203.0.113.5")
        key = new_key()
        await client.post("/api/profile", json={"key": key})

        async def keep(key: str, after: int) -> int:
            body = {"key": key, "after": after, "sealed": sealed(MOST_SEALED // 2)}
            return int((await client.put("/api/profile/memory", json=body)).status_code)

        assert [await keep(key, after) for after in range(5)] == [200] * 5
        other = new_key()
        await client.post("/api/profile", json={"key": other})
        found = [await keep(other, 0), await keep(key, 5)]
        third = await client.post("/api/profile", json={"key": new_key()})
    assert found == [200, 200]
    assert third.status_code == 429


def test_a_key_opens_the_seats_on_another_device(server: Server) -> None:
    key = make(server)
    shared, nana, foreign = server.game("shogi"), server.game(), server.game("hand")
    made = server.make(b="open")
    assert games(server, key) == {}
    mine = [(shared, TOKENS[shared]), (nana, TOKENS[nana]), (made["game"], made["tokens"]["w"])]
    found = games(server, key, *mine, (foreign, "guessed"), ("nowhere", "x"))
    assert {name: (game["variant"], game["you"]) for name, game in found.items()} == {
        shared: ("shogi", ["b", "w"]),
        nana: ("nana", ["b", "w"]),
        made["game"]: ("nana", ["w"]),
    }
    assert games(server, key.lower()) == found, "they are given anew, since the server does not keep them"
    assert not {game["token"] for game in found.values()} & {token for _, token in mine}
    with server.join(nana, token=found[nana]["token"]) as there, server.join(nana) as here:
        assert there.state["you"] == ["b", "w"]
        assert there.move("K*1a", 1)["t"] == "ack"
        assert here.move("K*3c", 2)["t"] == "ack"
    with server.join(shared, token=found[nana]["token"]) as other:
        assert other.state["you"] == [], "it is for that game and those that follow it"


def test_the_token_of_a_profile_goes_on_in_the_next_game(server: Server) -> None:
    key, game = make(server), server.game("hand")
    token = games(server, key, (game, TOKENS[game]))[game]["token"]
    with server.join(game, token=token) as client:
        assert client.command("resign")["t"] == "ack"
    answer = httpx.post(f"{server.url}/api/games/{game}/next", json={"token": token})
    assert answer.status_code == 200
    with server.join(answer.json()["game"], token=token) as client:
        assert client.state["you"] == ["b", "w"]


def test_a_new_key_takes_the_seats_over_and_the_old_one_is_worth_nothing(server: Server) -> None:
    old, game = make(server), server.game()
    given = games(server, old, (game, TOKENS[game]))[game]["token"]
    new = make(server)
    taken = games(server, new, (game, given))[game]["token"]
    assert ask(server, "/delete", key=old).json() == {"games": []}
    assert ask(server, "/delete", key=old).status_code == 404
    for token, sides in ((given, []), (taken, ["b", "w"]), (TOKENS[game], ["b", "w"])):
        with server.join(game, token=token) as client:
            assert client.state["you"] == sides


def test_keys_that_open_nothing_are_refused_in_words(server: Server) -> None:
    assert refused(ask(server, "/games", key=new_key()), 404).startswith("No profile has this key. It")
    assert ask(server, "/games", key="x").status_code == 422
    assert ask(server, "/delete", key="x" * 65).status_code == 422
    seat = {"game": "g", "token": "t"}
    assert ask(server, "/games", key=make(server), add=[seat] * 51).status_code == 422


async def test_who_guesses_is_soon_stopped(store: SqliteStore) -> None:
    limits = replace(USUAL, profiles=(0, USUAL.profiles[1]))  # time gives nothing back, however slow the machine is
    async with inside(store, limits=limits) as at:
        client = at("203.0.113.5")
        tries = [await client.post("/api/profile/games", json={"key": new_key()}) for _ in range(12)]
    assert (tries[0].status_code, tries[-1].status_code) == (404, 429)


def test_the_store_has_no_secret_of_a_profile(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        key, game = make(server), server.game()
        token = games(server, key, (game, TOKENS[game]))[game]["token"]
    with closing(sqlite3.connect(tmp_path / "games.sqlite3")) as store:
        dump = "\n".join(store.iterdump())
    assert profile_of(key) in dump
    for secret in (key, key.replace("-", ""), token, TOKENS[game]):
        assert secret.lower() not in dump.lower()


def test_administrators_export_and_delete_a_profile(start: Callable[..., Server], tmp_path: Path) -> None:
    server = start()
    place = ("--data", str(tmp_path))
    key, other, game, kept = make(server), make(server), server.game(), server.game()
    games(server, key, (game, TOKENS[game]))
    games(server, other, (kept, TOKENS[kept]))
    assert keep(server, key, 0, "AAEC").status_code == 200
    data = parsed("admin", "profile", "export", key, *place)
    assert data["memory"] == "AAEC"
    assert data["profile"] == profile_of(key)
    assert [(one["game"], one["record"]["variant"]) for one in data["games"]] == [(game, "nana")]
    assert parsed("admin", "profile", "export", profile_of(key), *place) == data
    assert parsed("admin", "stats", "--json", *place)["profiles"] == 2
    assert "Deleted: 1" in komadai_says("admin", "profile", "delete", key, "--games", *place).out
    assert komadai_says("admin", "profile", "delete", other, *place).out == "Deleted.\n"
    assert "no profile of this store" in komadai_says("admin", "profile", "export", key, *place).err
    assert "28 letters" in komadai_says("admin", "profile", "export", "x", *place).err
    ids = {"ids": f"{game},{kept}"}
    assert [one["id"] for one in httpx.get(f"{server.url}/api/games", params=ids).json()["games"]] == [kept]
    assert "nothing" in komadai_says("admin", "prune", "--profiles", "1d", *place).out
    make(server)
    assert "1 profile" in komadai_says("admin", "prune", "--profiles", "0d", *place).out
