"""Records carry the hash of their rules and, of games from files, the file: an edited file is another game."""

from __future__ import annotations

import json

import pytest

import komadai
from komadai import record as records
from komadai import variants
from komadai.errors import NotationError, SpecError
from komadai.record import Record
from komadai.workshop import loads
from komadai.workshop.identity import embedded, files_of_strangers
from komadai.workshop.starting import start_text

TEXT = start_text("my-shogi")
EDITED = TEXT.replace("zone = { FarRanks = 1 }", "zone = { FarRanks = 2 }")
MOVES = ("2e4c", "2a3b", "4c3b", "3a3b")


def played(text: str = TEXT, **options: str) -> Record:
    game = komadai.Game(loads(text, **options))
    for move in MOVES:
        game.push(move)
    return records.read(json.dumps(game.record()))[0]


@pytest.mark.parametrize("form", ["json", "text"])
@pytest.mark.parametrize("options", [{}, {"illegal_move": "loses"}])
def test_a_record_of_a_file_is_read_where_nobody_knows_the_game(form: records.Format, options: dict[str, str]) -> None:
    before = played(**options)
    [after] = records.read(records.write([before], form))
    assert after == before
    assert after.variant.rules_hash == before.variant.rules_hash
    assert records.write([after], form) == records.write([before], form)


@pytest.mark.parametrize("form", ["json", "text"])
def test_an_old_record_is_read_by_its_own_rules_after_the_file_was_edited(form: records.Format) -> None:
    before = records.write([played()], form)
    variants.register("my-shogi", loads(EDITED))
    [after] = records.read(before)
    assert after.variant.rules_hash == loads(TEXT).rules_hash != komadai.variant("my-shogi").rules_hash
    [now] = records.read(records.write([played(EDITED)], form))
    assert now.variant == komadai.variant("my-shogi")


def test_games_of_komadai_itself_carry_the_hash_alone() -> None:
    data = komadai.Game("nana").record()
    assert data["rules"] == komadai.variant("nana").rules_hash
    assert "file" not in data
    assert embedded(komadai.variant("nana", drop_faces="front")) is None


@pytest.mark.parametrize("name", komadai.variants(shelf=False))
def test_records_of_version_0_1_are_read_without_a_hash(name: str) -> None:
    data = komadai.Game(name).record()
    del data["rules"]
    [read] = records.read(json.dumps(data))
    assert read.variant == komadai.variant(name)


def test_other_rules_of_the_same_id_and_version_are_refused() -> None:
    data = komadai.Game("nana").record() | {"rules": "0" * 64}
    with pytest.raises(NotationError, match="follows other rules than nana has here: 000000000000, not"):
        records.read(json.dumps(data))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"rules": "0" * 64}, "have the hash .* in the file; expected 000000000000"),
        ({"variant": "your-shogi"}, "are those of my-shogi in the file; expected your-shogi"),
        ({"file": "id ="}, "line 1, column 4: no TOML"),
        ({"file": 3}, "file is a number; expected text"),
        ({"options": {"illegal_move": "wins"}}, "option illegal_move has no such value"),
        ({"options": {str(number): "x" for number in range(40)}}, "there are 40 options; expected 32 at most"),
        ({"options": {"x" * 99: "y"}}, "is too long"),
    ],
)
def test_a_file_that_does_not_fit_its_record_is_refused(change: dict[str, object], why: str) -> None:
    data = json.loads(records.write([played()], "json")) | change
    with pytest.raises((NotationError, SpecError), match=why):
        records.read(json.dumps(data))


def test_strangers_bring_no_rules_but_those_that_are_known() -> None:
    text = records.write([played()], "json")
    with files_of_strangers():
        with pytest.raises(NotationError, match="which this server takes from nobody"):
            records.read(text)
        variants.register("my-shogi", loads(TEXT))
        assert records.read(text)[0].variant == komadai.variant("my-shogi")
    variants._registered.clear()
    assert records.read(text)


def test_formats_of_standard_shogi_hold_no_other_game_of_that_id() -> None:
    other = loads(TEXT.replace('id = "my-shogi"', 'id = "shogi"'))
    with pytest.raises(NotationError, match="can hold shogi only"):
        records.write([Record.begin(other, None)], "kif")
