"""The store in PostgreSQL: what several servers at once may do to it, and what it says when it cannot."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import psycopg
import pytest

from helpers.web.cluster import Cluster
from helpers.web.proxy import Proxy
from helpers.web.served import WAIT
from komadai.app.web.game.registry import GameRegistry
from komadai.app.web.game.replay import InDoubtError, UnavailableError
from komadai.app.web.schema.commands import MoveCommand
from komadai.app.web.store import ConflictError, Event, GameRow, StoreError, WriteInDoubtError, postgres
from komadai.app.web.store.postgres import PostgresStore

SEATS = {"b": "human", "w": "human"}


def hand_game(number: int) -> GameRow:
    return GameRow(f"h{number}", "hand", "1", {}, SEATS, "h1", number)


@pytest.fixture
def store(url: str) -> Iterator[PostgresStore]:
    with closing(PostgresStore(url)) as made:
        made.create(hand_game(1))
        made.append("h1", Event(1, "resign", {"side": "b"}))
        yield made


def until_someone_waits(url: str) -> None:
    """Wait until a transaction waits for another's lock."""
    blocked = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    give_up = time.monotonic() + WAIT
    with psycopg.connect(url, autocommit=True) as looking:
        while looking.execute(blocked).fetchone() == (0,):
            assert time.monotonic() < give_up, "nobody waits"
            time.sleep(0.01)


def test_a_game_that_is_being_followed_takes_no_event(store: PostgresStore, url: str) -> None:
    with ThreadPoolExecutor() as pool:
        with psycopg.connect(url) as other, closing(other.cursor()) as cursor:
            cursor.execute("SELECT 1 FROM game WHERE id = 'h1' FOR UPDATE")
            cursor.execute(
                "INSERT INTO game SELECT 'h2', variant, version, options, seats, match, 2, position, terms, owner, "
                "created FROM game WHERE id = 'h1'"
            )
            late = pool.submit(store.append, "h1", Event(2, "undo", {"pops": 1}))
            until_someone_waits(url)
        with pytest.raises(ConflictError, match="next game"):
            late.result(WAIT)


def test_a_game_that_is_going_on_is_not_followed(store: PostgresStore, url: str) -> None:
    with ThreadPoolExecutor() as pool:
        with psycopg.connect(url) as other:
            other.execute("INSERT INTO event VALUES ('h1', 2, 'undo', '{}', NULL, 0)")
            late = pool.submit(store.follow, hand_game(2), "h1", 1)
            until_someone_waits(url)
        with pytest.raises(ConflictError, match="gone on"):
            late.result(WAIT)


def test_servers_that_start_together_make_the_tables_once(url: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        for store in pool.map(PostgresStore, [url] * 4):
            store.close()
    with psycopg.connect(url) as looking:
        assert looking.execute("SELECT number FROM format").fetchall() == [(postgres.FORMAT,)]


def test_a_commit_is_on_the_disk_whatever_the_database_prefers(store: PostgresStore) -> None:
    """The tests' own server says ``synchronous_commit=off``."""
    assert store._read("SHOW synchronous_commit") == [("on",)]


def test_a_restarted_database_is_found_again_and_nothing_is_written_twice(
    url: str, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "_PATIENCE", 1.0)
    with closing(PostgresStore(url)) as store:
        store.create(hand_game(1))
        cluster.stop()
        with pytest.raises(StoreError, match="cannot be written"):
            store.append("h1", Event(1, "move", {}))
        with pytest.raises(StoreError, match="cannot be opened"):
            PostgresStore(url)
        cluster.start()
        store.append("h1", Event(1, "move", {}, "a"))
        cluster.stop()
        cluster.start()
        with pytest.raises(ConflictError):
            store.append("h1", Event(1, "move", {}, "a"))
        cluster.stop()
        cluster.start()
        assert len(store.load("h1")[1]) == 1  # type: ignore[index]


def test_a_write_whose_answer_is_lost_is_in_doubt(url: str, cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "_PATIENCE", 1.0)
    with closing(Proxy(cluster.folder)) as proxy, closing(PostgresStore(proxied(url, cluster, proxy))) as store:
        store.create(hand_game(1))
        proxy.lose_answer_to(b"INSERT INTO event")
        with pytest.raises(WriteInDoubtError, match="cannot be written"):
            store.append("h1", Event(1, "move", {}, "a"))
        with pytest.raises(StoreError, match="cannot be written") as certain:
            store.append("h1", Event(2, "move", {}, "b"))
        assert certain.type is StoreError, "the database was not reached"
        proxy.mend()
        assert [event.command for event in store.load("h1")[1]] == ["a"]  # type: ignore[index]


async def test_a_command_in_doubt_is_done_once_when_it_is_sent_again(
    url: str, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "_PATIENCE", 1.0)

    with closing(Proxy(cluster.folder)) as proxy:
        games, sent = GameRegistry(PostgresStore(proxied(url, cluster, proxy))), list[str]()
        made = await games.create("nana", {}, {"b": "human", "w": "human"})
        session = await games.join(made.game, sent.append, made.tokens["b"])
        move = MoveCommand(id="m1", ply=1, text="K*1a")
        proxy.lose_answer_to(b"INSERT INTO event")
        with pytest.raises(InDoubtError, match="not known whether"):
            await session.command(move, made.tokens["b"])
        with pytest.raises(UnavailableError, match="Nothing was changed") as certain:
            await session.command(MoveCommand(id="m2", ply=1, text="K*1b"), made.tokens["b"])
        assert certain.type is UnavailableError
        proxy.mend()
        assert await session.command(move, made.tokens["b"]) == 1
        assert await session.command(move, made.tokens["b"]) == 1
        assert [move.text for move in session.state.game.moves] == ["K*1a"]
        assert any('"t":"events","seq":1' in message for message in sent), "who watches sees it"
        session.leave(sent.append)
        await games.close()


async def test_who_sits_down_while_the_answer_is_lost_has_the_seat(url: str, cluster: Cluster) -> None:
    with closing(Proxy(cluster.folder)) as proxy:
        games, sent = GameRegistry(PostgresStore(proxied(url, cluster, proxy))), list[str]()
        proxy.lose_answer_to(b"INSERT INTO game", deaf=False)
        made = await games.create("nana", {}, {"b": "human", "w": "open"})
        await games.join(made.game, sent.append, made.tokens["b"])
        assert made.invite is not None
        proxy.lose_answer_to(b"INSERT INTO event", deaf=False)
        game, token = await games.accept(made.invite, "", None)
        session = await games.join(game, sent.append, token)
        assert '"you":["w"]' in session.views.state(token)
        session.leave(sent.append)
        await games.close()


def test_dead_connections_are_noticed(store: PostgresStore) -> None:
    with store._pool.connection() as connection:
        assert (
            connection.info.get_parameters().items() >= {"keepalives_idle": "30", "tcp_user_timeout": "30000"}.items()
        )


def proxied(url: str, cluster: Cluster, proxy: Proxy) -> str:
    """The address of the database behind the proxy."""
    return url.replace(str(cluster.folder), str(proxy.folder))


def test_what_no_text_can_hold_is_not_there_and_not_written(store: PostgresStore) -> None:
    assert store.load("h\0") is None
    with pytest.raises(StoreError, match="NUL"):
        store.append("h1", Event(2, "move", {}, "a\0"))


def test_databases_that_cannot_be_used_are_refused(url: str, cluster: Cluster) -> None:
    with pytest.raises(StoreError, match=r"cannot be opened: .*does not exist"):
        PostgresStore(cluster.url("nobody's"))
    with pytest.raises(StoreError, match="cannot be opened"):
        PostgresStore("postgresql://[oops")
    with pytest.raises(StoreError, match="has the encoding SQL_ASCII, where UTF8 is needed"):
        PostgresStore(cluster.database("SQL_ASCII"))
    PostgresStore(url).close()
    with psycopg.connect(url) as other:
        other.execute("INSERT INTO format VALUES (99)")
    with pytest.raises(StoreError, match=r"newer Komadai \(format 99"):
        PostgresStore(url)


def test_a_migration_that_fails_changes_nothing(url: str) -> None:
    with psycopg.connect(url) as other:
        other.execute("CREATE TABLE record (x TEXT)")  # in the way
    with pytest.raises(StoreError, match="already exists"):
        PostgresStore(url)
    with psycopg.connect(url) as other:
        assert other.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall() == [("record",)]
