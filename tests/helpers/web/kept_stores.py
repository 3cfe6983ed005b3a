"""Stores as a version of Komadai left them, with games in every state, for all later versions to open.

    PYTHONPATH=tests python -m helpers.web.kept_stores

plays on a server of the present version, once for each database, and writes what it left into
``tests/fixtures/stores``: the database as SQL, and what its people hold and saw as JSON, under the database's name, the
number of its format, and a number of its own. To be run for each new format of the store and each new kind of event;
what is there already is the past, and stays as it is.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import psycopg

import komadai
from helpers.support import ROOT
from helpers.web.cluster import Cluster, binaries
from helpers.web.meeting import Meeting, events, meet
from helpers.web.served import Client, Server, new_key
from komadai import record as records
from komadai.app.web.game.replay import read
from komadai.app.web.game.state import GameState
from komadai.app.web.store import Store
from komadai.app.web.store import postgres as postgres_store
from komadai.app.web.store import sqlite as sqlite_store
from komadai.app.web.store.postgres import PostgresStore
from komadai.app.web.store.sqlite import SqliteStore
from komadai.app.web.store.watch import LATE

FOLDER = ROOT / "tests" / "fixtures" / "stores"
FORMATS = {"sqlite": sqlite_store.FORMAT, "postgres": postgres_store.FORMAT}
ENTERED = "+P+P+P+PK+P+P+P+P/+R+B7/9/9/9/9/9/9/4k4 b RB3P 101"
BOTH_ENTERED = "9/9/4K4/9/9/9/4k4/9/9 b - 1"
OPENING = ("7g7f", "3c3d", "2g2f", "8c8d")
SOME_MOVES = 6
SEALED = "AAEC" * 20
"""What a browser keeps under the profile."""

Held = dict[str, dict[str, str]]
"""Games by what happened in them, each with its ``id``, the token of a side (``b``, ``w``) and the ``invite``, so far
as there are any."""


def play(start: Callable[[], Server]) -> dict[str, Any]:
    """Play games into every state, on servers that follow each other on one store; what their people hold then."""
    with start() as server:
        games = {**_alone(server), **_waiting(server), **_together(server), **_ended(server), **_with_clocks(server)}
        held = {"games": games, "cookie": httpx.get(server.url).cookies["komadai"]}
        held |= {"record": _shared(server), "profile": _profile(server, games["taken back"], games["computer"])}
    held["memory"] = SEALED
    time.sleep(2 * LATE)  # until nobody was there for long enough
    with start() as server, server.join(games["outage"]["id"], token=games["outage"]["b"]) as black:
        assert black.state["clocks"]["running"] == "b"
    return held


def _made(server: Server, variant: str, **more: Any) -> dict[str, str]:
    """A game whose maker plays all people's sides."""
    made = server.make(variant, **more)
    return {"id": made["game"], **made["tokens"]}


def _held(made: Meeting) -> dict[str, str]:
    return {"id": made.game, "invite": made.invite, **made.tokens}


def _does(client: Client, t: str, **fields: Any) -> None:
    answer = client.command(t, **fields)
    assert answer["t"] == "ack", answer


def _moves(client: Client, *moves: str) -> None:
    first = client.state["position"]["ply"]
    for ply, move in enumerate(moves, first):
        _does(client, "move", text=move, ply=ply)


def _some_moves(variant: str) -> list[str]:
    """The first moves of a game: one somewhere in the middle of the list each time."""
    position, moves = komadai.Position(variant), list[str]()
    while len(moves) < SOME_MOVES and position.outcome() is None:
        legal = sorted(map(str, position.legal_moves()))
        moves.append(legal[len(legal) // 2])
        position.push(moves[-1])
    return moves


def _alone(server: Server) -> Held:
    """At one screen, of every game, and against the computer."""
    games = {f"begun: {variant}": _made(server, variant) for variant in komadai.variants(shelf=False)}
    for name, game in games.items():
        with server.join(game["id"], token=game["b"]) as client:
            _moves(client, *_some_moves(name.removeprefix("begun: ")))
    games["untouched"] = _made(server, "ko")
    games["computer"] = _made(server, "nana", w="level1", options={"drop_faces": "front"})
    games["illegal"] = _made(server, "nana", options={"illegal_move": "loses"})
    games["declared"] = _made(server, "shogi", position=ENTERED, options={"entering_king": "27"})
    with server.join(games["computer"]["id"], token=games["computer"]["b"]) as client:
        _moves(client, "K*1a")
        while events(client, "move")["position"]["turn"] != "b":
            pass
    with server.join(games["illegal"]["id"], token=games["illegal"]["b"]) as client:
        _moves(client, "R*1a")
    with server.join(games["declared"]["id"], token=games["declared"]["b"]) as client:
        _does(client, "declare", ply=101)
    return games


def _waiting(server: Server) -> Held:
    """An invitation that nobody has accepted, one called off, and a game in the lobby."""
    off, lobby = Meeting(server), Meeting(server, lobby=True, time="3d", name="Ada")
    with off.client("b") as black:
        _does(black, "resign")
    return {"invited": _held(Meeting(server, "ki")), "called off": _held(off), "lobby": _held(lobby)}


def _together(server: Server) -> Held:
    """Two people apart: a game in progress with a greeting and talk about takebacks, and matches."""
    taken, first = meet(server), meet(server, "hand")
    with taken.client("b") as black, taken.client("w") as white:
        _does(white, "greet", what="hello")
        _moves(black, "7g7f")
        _does(black, "undo", ply=2)
        _does(white, "decline", what="undo")
        _does(white, "move", text="3c3d", ply=2)
        for client in (white, black):
            _does(client, "undo", ply=3)
    with first.client("w") as white:
        _does(white, "resign")
    answer = httpx.post(f"{server.url}/api/games/{first.game}/next", json={"token": first.tokens["w"]})
    second = {"id": answer.json()["game"], "b": first.tokens["w"], "w": first.tokens["b"]}
    with server.join(second["id"], token=second["b"]) as client:
        _moves(client, "5i4i")
    return {"taken back": _held(taken), "first of a match": _held(first), "second of a match": second}


def _ended(server: Server) -> Held:
    """A draw agreed, after which a rematch is under way, and a flag that fell."""
    drawn, flagged = meet(server, position=BOTH_ENTERED), meet(server, time="1s")
    with drawn.client("b") as black, drawn.client("w") as white:
        for what in ("draw", "rematch"):
            for client in (black, white):
                _does(client, what)
        rematch = events(black, "rematch")["position"]["rematch"]
    with flagged.client("b") as black, flagged.client("w") as white:
        _does(black, "move", text="7g7f", ply=1)
        events(white, "flag")
    exchanged = {"id": rematch, "b": drawn.tokens["w"], "w": drawn.tokens["b"]}
    return {"drawn": _held(drawn), "rematch": exchanged, "flagged": _held(flagged)}


def _with_clocks(server: Server) -> Held:
    """Clocks that were stopped, that run again, and that run while the server ends."""
    games = {name: meet(server, time="10m+5s") for name in ("paused", "resumed", "outage")}
    for name, made in games.items():
        with made.client("b") as black, made.client("w") as white:
            for ply, move in enumerate(OPENING, 1):
                _does(white if ply % 2 == 0 else black, "move", text=move, ply=ply)
            for what in {"paused": ("pause",), "resumed": ("pause", "resume")}.get(name, ()):
                for client in (black, white):
                    _does(client, what)
    return {name: _held(made) for name, made in games.items()}


def _shared(server: Server) -> str:
    """The id of a shared study."""
    record = records.to_data(records.read("position startpos moves 7g7f 3c3d 8h2b+")[0])
    return str(httpx.post(f"{server.url}/api/records", json=record).json()["id"])


def _profile(server: Server, *games: Mapping[str, str]) -> str:
    """The key of a profile that has Black's seat in these games, and a memory."""
    key = new_key()
    httpx.post(f"{server.url}/api/profile", json={"key": key})
    add = [{"game": game["id"], "token": game["b"]} for game in games]
    answer = httpx.post(f"{server.url}/api/profile/games", json={"key": key, "add": add})
    assert len(answer.json()["games"]) == len(games)
    kept = httpx.put(f"{server.url}/api/profile/memory", json={"key": key, "after": 0, "sealed": SEALED})
    assert kept.json() == {"number": 1, "sealed": None}
    return key


# --- Writing and reading --------------------------------------------------------------------------------------------


def seen(store: Store, game: str) -> dict[str, Any]:
    """A stored game as its players see it.

    Raises:
        RefusedError: it cannot be replayed.
    """
    stored = read(store, game)
    assert stored is not None, game
    state = GameState(stored)
    outcome = state.game.outcome()
    return {
        "sfen": state.game.position.sfen(),
        "outcome": outcome and [outcome.winner, outcome.reason],
        "moves": [move.text for move in state.game.moves],
        "events": [event.kind for event in stored.events],
        "rules": stored.row.version,
    }


def write(database: str, held: dict[str, Any], store: Store, dump: str) -> None:
    """Write a kept store: its database as SQL, and what people hold and see."""
    for game in held["games"].values():
        game["seen"] = seen(store, game["id"])
    FOLDER.mkdir(exist_ok=True)
    name = f"{database}-{FORMATS[database]}"
    file = FOLDER / f"{name}-{len(list(FOLDER.glob(f'{name}-*.sql'))) + 1}"
    file.with_suffix(".sql").write_text(dump, encoding="utf-8")
    file.with_suffix(".json").write_text(json.dumps(held, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"{file}: {len(held['games'])} games")


def dump_of_file(file: Path) -> str:
    """SQL that makes the file anew, with the number of its format."""
    with closing(sqlite3.connect(file)) as database:
        number = database.execute("PRAGMA user_version").fetchone()[0]
        return "\n".join([*database.iterdump(), f"PRAGMA user_version={number};", ""])


def dump_of_database(url: str) -> str:
    """SQL that makes the database anew, without what only psql reads and what names other roles."""
    command = ["pg_dump", "--inserts", "--no-owner", "--no-privileges", "--schema=public", url]
    text = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    left_out = ("\\", "SET ", "--", "CREATE SCHEMA", "COMMENT ON")
    return "\n".join(line for line in text.splitlines() if line and not line.startswith(left_out)) + "\n"


def load(file: Path, cluster: Cluster | None, folder: Path) -> Store:
    """A store made from the SQL of a kept one, opened by this version."""
    text = file.read_text(encoding="utf-8")
    if cluster is None:
        with closing(sqlite3.connect(folder / "games.sqlite3")) as database:
            database.executescript(text)
        return SqliteStore(folder / "games.sqlite3")
    url = cluster.database()
    with psycopg.connect(url) as connection:
        connection.execute(text.encode())
    return PostgresStore(url)


def main() -> None:
    programs = binaries()
    assert programs is not None, "PostgreSQL is needed (Debian: apt install postgresql)"
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        held = play(lambda: Server(data))
        with closing(SqliteStore(data / "games.sqlite3")) as store:
            write("sqlite", held, store, dump_of_file(data / "games.sqlite3"))
        cluster = Cluster(programs)
        try:
            url = cluster.database()
            held = play(lambda: Server(data, 0, "--data", url))
            with closing(PostgresStore(url)) as shared:
                write("postgres", held, shared, dump_of_database(url))
        finally:
            cluster.remove()


if __name__ == "__main__":
    main()
