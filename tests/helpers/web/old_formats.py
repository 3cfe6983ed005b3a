"""Databases as former versions wrote them."""

from __future__ import annotations

FORMAT_1 = """
CREATE TABLE game (
    id TEXT PRIMARY KEY, variant TEXT NOT NULL, version TEXT NOT NULL, options TEXT NOT NULL, seats TEXT NOT NULL,
    created REAL NOT NULL
) STRICT;
CREATE TABLE event (
    game TEXT NOT NULL REFERENCES game (id), seq INTEGER NOT NULL, kind TEXT NOT NULL, payload TEXT NOT NULL,
    command TEXT, at REAL NOT NULL, PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX event_command ON event (game, command) WHERE command IS NOT NULL;
INSERT INTO game VALUES ('g', 'nana', '1', '{"drop_faces":"any"}', '{"b":"human","w":"easy"}', 1.5);
INSERT INTO event VALUES ('g', 1, 'move', '{"usi":"K*1a"}', 'a', 2.5);
PRAGMA user_version=1;
"""
FORMAT_2 = (
    FORMAT_1
    + """
ALTER TABLE game ADD COLUMN match TEXT;
ALTER TABLE game ADD COLUMN number INTEGER;
CREATE UNIQUE INDEX game_match ON game (match, number) WHERE match IS NOT NULL;
CREATE TRIGGER closed BEFORE INSERT ON event
WHEN EXISTS (
    SELECT 1 FROM game AS own JOIN game AS following
    ON following.match = own.match AND following.number = own.number + 1 WHERE own.id = NEW.game
)
BEGIN
    SELECT RAISE(ABORT, 'the next game of the match has begun');
END;
PRAGMA user_version=2;
"""
)
FORMAT_3 = FORMAT_2 + "ALTER TABLE game ADD COLUMN position TEXT; PRAGMA user_version=3;"
FORMAT_4 = (
    FORMAT_3
    + """
ALTER TABLE game ADD COLUMN terms TEXT NOT NULL DEFAULT '{}';
ALTER TABLE game ADD COLUMN owner TEXT;
CREATE INDEX game_owner ON game (owner) WHERE owner IS NOT NULL;
ALTER TABLE event ADD COLUMN mono REAL;
ALTER TABLE event ADD COLUMN boot TEXT;
CREATE TABLE record (id TEXT PRIMARY KEY, text TEXT NOT NULL, created REAL NOT NULL) STRICT;
PRAGMA user_version=4;
"""
)
