"""Words of former versions, read for ever: in records, saved games, matches, stored games and over HTTP."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import komadai
from helpers.ko import text as setup
from komadai import Record, record
from komadai.lab.arena.state_file import State
from komadai.game.outcome import REASONS
from komadai.record.former_words import FORMER_WORDS
from komadai.app.tui.play import Play
from komadai.app.web.http.books import Bookshelf
from komadai.app.web.http.studies import study
from komadai.app.web.store.sqlite import SqliteStore

OVER = komadai.Game("ko", setup("SW 10j, g 10h, p 5c"))
OVER.push("10j10i10h")


def former(data: dict[str, Any], word: str, schema: str = "komadai-record/1") -> dict[str, Any]:
    """A record of a game that is over, as a former version wrote it."""
    return data | {"schema": schema, "result": {"winner": "b", "reason": word}}


def test_the_reason_is_extinction_and_the_words_are_the_games_own() -> None:
    outcome = OVER.outcome()
    assert outcome == komadai.Outcome("b", "extinction")
    assert str(outcome) == "Black wins: White has no commander left"
    assert OVER.record()["schema"] == "komadai-record/2"
    assert OVER.record()["result"] == {"winner": "b", "reason": "extinction"}


@pytest.mark.parametrize("word", FORMER_WORDS)
@pytest.mark.parametrize("schema", ["komadai-record/1", "komadai-record/2"])
def test_json_is_read_with_former_words(word: str, schema: str) -> None:
    data = former(OVER.record(), word, schema)
    assert FORMER_WORDS[word] in REASONS
    assert word not in REASONS
    for made in (record.from_data(data), *record.read(json.dumps([data]))):
        assert record.to_data(made) == OVER.record()
    assert komadai.Game.from_record(data).record() == OVER.record()


def test_a_record_that_the_former_version_wrote_of_any_game_reads_the_same() -> None:
    data = komadai.Game("shogi").record()
    assert record.from_data(data | {"schema": "komadai-record/1"}) == record.from_data(data)


def test_text_is_read_with_former_words() -> None:
    text = record.write([Record.of(OVER)], "text")
    assert '[Reason "extinction"]' in text
    [again] = record.read(text.replace('"extinction"', '"commander_loss"'))
    assert record.write([again], "text") == text


def test_an_unfinished_game_cannot_end_so() -> None:
    game = komadai.Game("ko")
    with pytest.raises(komadai.NotationError):
        game.claim(komadai.Outcome("b", "extinction"))
    with pytest.raises(komadai.NotationError, match="its moves do not end in extinction"):
        record.from_data(former(game.record(), "commander_loss"))


def test_a_match_goes_on_from_a_file_with_former_words(tmp_path: Path) -> None:
    game = {"game": 0, "date": "2026-01-01", "start": OVER.start.sfen(ply=True), "book": ["10j10i10h"], "steps": []}
    ended = {"winner": "b", "reason": "commander_loss", "words": "Black wins: White has no commander left"}
    path = tmp_path / "state"
    head = {"schema": "komadai-arena/1", "openings": "test", "lines": ["10j10i10h"]}
    path.write_text(f"{json.dumps(head)}\n{json.dumps(game | ended)}\n", encoding="utf-8")
    with closing(State(path, resume=True)) as state:
        assert state.played[0].reason == "extinction"


def test_a_game_saved_in_the_terminal_opens(tmp_path: Path) -> None:
    play = Play.begin(tmp_path, komadai.Game("ko", OVER.start.sfen(ply=True)), (None, None))
    play.push("10j10i10h")
    saved = json.loads(play.file.read_text(encoding="utf-8"))
    saved["games"] = [former(one, "commander_loss") for one in saved["games"]]
    play.file.write_text(json.dumps(saved), encoding="utf-8")
    assert Play.load(play.file).game.outcome() == OVER.outcome()


def test_a_shared_record_of_a_database_is_shown(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "games.db")) as store:
        store.save_record("kept", json.dumps(former(OVER.record(), "commander_loss")))
        kept = store.load_record("kept")
    assert kept is not None
    shown = study(record.read(kept)[0], Bookshelf()).result
    assert shown is not None
    assert (shown.winner, shown.reason) == ("b", "extinction")
    assert shown.text == "Black wins: White has no commander left"
