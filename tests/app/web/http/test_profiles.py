"""Profiles: a person's games on another device, by a key of which the server keeps only a digest."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from helpers.command import komadai_says, parsed
from helpers.web.inside import inside
from helpers.web.served import TOKENS, Server, refused
from komadai.app.web.engines.rate_limits import USUAL
from komadai.app.web.game.profiles import new_key, profile_of
from komadai.app.web.game.replay import RefusedError
from komadai.app.web.store.sqlite import SqliteStore


def ask(server: Server, address: str = "", **body: Any) -> httpx.Response:
    return httpx.post(f"{server.url}/api/profile{address}", json=body or None)


def make(server: Server) -> str:
    answer = ask(server)
    assert answer.status_code == 201
    key: str = answer.json()["key"]
    return key


def games(server: Server, key: str, *add: tuple[str, str]) -> dict[str, Any]:
    """The games of a profile by id, after these were added."""
    added = [{"game": game, "token": token} for game, token in add]
    answer = ask(server, "/games", key=key, add=added)
    assert answer.status_code == 200, answer.text
    return {game["game"]: game for game in answer.json()["games"]}


def test_keys_are_read_as_people_write_them() -> None:
    key = new_key()
    assert len(key.replace("-", "")) == 26, "128 bits"
    assert len({new_key() for _ in range(100)}) == 100
    for written in (key.lower(), key.replace("-", " "), f" {key}.\n", key.replace("O", "0").replace("I", "1")):
        assert profile_of(written) == profile_of(key)
    for wrong in ("", "x", key[:-1], f"{key}A", key.replace(key[0], "9", 1), "ß" * 26):
        with pytest.raises(RefusedError, match="26 letters"):
            profile_of(wrong)


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
    data = parsed("admin", "profile", "export", key, *place)
    assert data["profile"] == profile_of(key)
    assert [(one["game"], one["record"]["variant"]) for one in data["games"]] == [(game, "nana")]
    assert parsed("admin", "profile", "export", profile_of(key), *place) == data
    assert parsed("admin", "stats", "--json", *place)["profiles"] == 2
    assert "Deleted: 1" in komadai_says("admin", "profile", "delete", key, "--games", *place).out
    assert komadai_says("admin", "profile", "delete", other, *place).out == "Deleted.\n"
    assert "no profile of this store" in komadai_says("admin", "profile", "export", key, *place).err
    assert "26 letters" in komadai_says("admin", "profile", "export", "x", *place).err
    ids = {"ids": f"{game},{kept}"}
    assert [one["id"] for one in httpx.get(f"{server.url}/api/games", params=ids).json()["games"]] == [kept]
    assert "nothing" in komadai_says("admin", "prune", "--profiles", "1d", *place).out
    make(server)
    assert "1 profile" in komadai_says("admin", "prune", "--profiles", "0d", *place).out
