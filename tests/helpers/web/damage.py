"""Damage done to a store in a file: odd values in each column, rows that are missing or doubled, bytes of the file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

NOT_UTF8 = b"\xff\xfe\x80 x"
TEXTS: tuple[Any, ...] = (
    "", "null", "[]", "{}", "5", '"x"', "{", '{"a":', "nothing", "\0", "[" * 5000, '{"b":null,"w":[]}', "9" * 400,
    '{"usi":5}', '{"usi":"9z9z"}', '{"pops":-1}', '{"pops":1e99}', '{"side":"x"}', '{"side":"b"}', '{"what":{}}',
    '{"tokens":[],"names":3}', '{"time":"soon"}', '{"time":7}', '{"rules":"0"}', '{"file":"x = 1"}', '{"counted":-1}',
    '{"counted":1e300}', "\ud7ff", "é" * 300, NOT_UTF8,
)  # fmt: skip
NUMBERS: tuple[Any, ...] = (0, -1, 2, 5000, 2**62, -(2**62), 1e308, float("inf"), float("-inf"), None)
KINDS = ("move", "undo", "resign", "declare", "draw", "flag", "call_off", "join", "offer", "decline", "greet", "pause",
         "resume", "outage", "rematch", "dance")  # fmt: skip


def _columns(database: sqlite3.Connection, table: str) -> list[tuple[str, str]]:
    return [(row[1], row[2]) for row in database.execute(f"PRAGMA table_info({table})")]


def in_a_row(file: Path, chance: Random) -> str:
    """Do one damage to a row that the database takes; what was done, for whoever reads a fault."""
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute("PRAGMA foreign_keys=OFF")
        for trigger in ("closed",):
            database.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        tables = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        while True:
            table = chance.choice([*tables, "event", "event", "event", "game", "game"])
            columns = _columns(database, table)
            rows = database.execute(
                f"SELECT {', '.join(f'quote({name})' for name, _kind in columns)} FROM {table}"
            ).fetchall()
            if not rows:
                continue
            row = chance.choice(rows)
            where = " AND ".join(f"{name} IS {value}" for (name, _kind), value in zip(columns, row, strict=True))
            done = _statement(table, columns, where, chance)
            try:
                if database.execute(*done).rowcount:
                    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                    return f"{done[0][:150]} {str(done[1])[:80]}"
            except sqlite3.Error:
                continue  # the database does not take it


def _statement(table: str, columns: list[tuple[str, str]], where: str, chance: Random) -> tuple[str, tuple[Any, ...]]:
    what = chance.randrange(12)
    if what == 0:
        return f"DELETE FROM {table} WHERE {where}", ()
    if what == 1 and table == "event":
        return f"UPDATE event SET kind = ? WHERE {where}", (chance.choice(KINDS),)
    if what == 2 and table == "event":
        copied = "game, (SELECT max(seq) + ? FROM event AS one WHERE one.game = event.game)"
        rest = "kind, payload, NULL, at, mono, boot"
        return f"INSERT INTO event SELECT {copied}, {rest} FROM event WHERE {where}", (chance.choice((1, 1, 2)),)
    name, kind = chance.choice(columns)
    value = chance.choice(TEXTS if kind == "TEXT" else NUMBERS)
    set_to = "CAST(? AS TEXT)" if isinstance(value, bytes) else "?"
    return f"UPDATE {table} SET {name} = {set_to} WHERE {where}", (value,)


def in_the_file(file: Path, chance: Random) -> str:
    """Do one damage to the bytes of the file; what was done."""
    data = bytearray(file.read_bytes())
    what = chance.choice(("flip", "flip", "flip", "zeros", "noise", "cut"))
    at = chance.randrange(len(data))
    if what == "cut":
        del data[at:]
    elif what == "flip":
        for _bit in range(chance.choice((1, 10, 100))):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    else:
        page = at - at % 4096
        data[page : page + 4096] = bytes(4096) if what == "zeros" else chance.randbytes(4096)
    file.write_bytes(data)
    return f"{what} at {at}"
