"""What was kept under a former version of a game with the same legal moves opens under the present one."""

from __future__ import annotations

import json
from array import array
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

import komadai
from komadai import Outcome, Position, book, record
from komadai.app.puzzles import files as puzzles
from komadai.app.puzzles.mine import mine
from komadai.app.web.game import replay
from komadai.app.web.store import Event, GameRow
from komadai.book.builder import Builder
from komadai.engine.evaluation import handmade
from komadai.engine.net import Arrays, Net, shape_of
from komadai.errors import BookError, NotationError, PuzzleError
from komadai.lab.arena.openings import Opening
from komadai.lab.arena.players import parse_player
from komadai.lab.arena.referee import Terms
from komadai.lab.arena.state_file import State
from komadai.lab.arena.tournament import Settings
from komadai.lab.external_engine.requests import SearchLimits
from komadai.lab.learn.data import Ledger, Reader
from komadai.record import Record, Result
from komadai.spec.variant import Variant
from komadai.variants import is_own
from komadai.workshop.identity import embedded, identified

NOW = komadai.variant("shogi", entering_king="24")
FORMER = NOW.under("1")
# White has given the bishop, and a pawn: 27 points with them, 21 without.
GIVEN = "4K4/9/9/9/9/9/9/7+b+r/+p+p+p+pk+p+p+p+p w R2G3S4N4L9P2gs 1"
GIVEN_31 = "4K4/9/9/9/9/9/9/7+b+r/+p+p+p+pk+p+p+p+p w R2G2S4N4L6P2g2s4p 1"


def test_the_versions_of_a_game_know_each_other() -> None:
    assert (NOW.versions, FORMER.versions) == (("2", "1"), ("1", "2"))
    assert FORMER.under("2") == NOW == NOW.under("2")
    assert {*NOW.rules_hashes} == {*FORMER.rules_hashes}
    assert NOW.rules_hash != FORMER.rules_hash
    assert (is_own(FORMER), embedded(FORMER)) == (True, None)
    assert identified("shogi", dict(NOW.options), FORMER.rules_hash) == NOW
    loses = komadai.variant("shogi", entering_king="24", illegal_move="loses")
    assert loses.under("1").illegal_move_loses
    with pytest.raises(NotationError, match="no version"):
        NOW.under("3")
    start = Position(FORMER)
    assert [str(move) for move in start.legal_moves()] == [str(move) for move in Position(NOW).legal_moves()]


def test_a_declaration_under_the_former_version() -> None:
    for variant, outcome in ((NOW, Outcome("w", "declaration")), (FORMER, Outcome(None, "declaration"))):
        assert Position(variant, GIVEN_31).declaration() == outcome
    assert Position(FORMER, GIVEN).declaration() is None


@pytest.mark.parametrize("form", ["json", "text"])
@pytest.mark.parametrize("hashed", [True, False])
def test_records_open_and_keep_their_result(form: record.Format, hashed: bool) -> None:
    kept = Record(FORMER, GIVEN_31, result=Result(None, "declaration"))
    text = record.write([kept], form)
    assert '"1"' in text
    assert FORMER.rules_hash in text
    if not hashed:  # as version 0.1 wrote them
        text = "\n".join(line for line in text.split("\n") if FORMER.rules_hash not in line)
    [made] = record.read(text)
    assert (made.variant, made.result) == (NOW, kept.result)
    assert '"2"' in record.write([made], form)
    with pytest.raises(NotationError, match="follows version 3 of the rules of shogi; this program plays version 2"):
        record.read(text.replace('"version": "1"', '"version": "3"').replace('[Version "1"]', '[Version "3"]'))


def test_stored_games_keep_their_result_and_go_on_under_their_version() -> None:
    terms = {"rules": FORMER.rules_hash}
    row = GameRow("g", "shogi", "1", dict(NOW.options), {}, position=GIVEN_31, terms=terms, owner=None)
    game = replay.begin(row)
    replay.play(game, Event(1, "declare", {}))
    assert (game.variant.version, game.outcome()) == ("1", Outcome(None, "declaration"))
    [again] = record.read(json.dumps(game.record()))
    assert again.result == Result(None, "declaration")
    with pytest.raises(replay.RefusedError, match="started under version 3 of the rules; this program plays version 2"):
        replay.begin(GameRow("g", "shogi", "3", {}, {}))


def test_books_open(tmp_path: Path) -> None:
    builder = Builder(FORMER)
    builder.add(Record.begin(FORMER).add(0, "7g7f")[0].add(1, "3c3d")[0])
    path = tmp_path / "former.book"
    builder.write(path, least=1)
    opened = book.open(path, NOW)
    assert [str(entry.move) for entry in opened.moves(Position(NOW))] == ["7g7f"]
    assert book.open(path).variant == NOW
    with pytest.raises(BookError, match="not of shogi 2 with these rules"):
        book.open(path, komadai.variant("shogi"))


def test_nets_open(tmp_path: Path) -> None:
    sizes = (("b", shape_of(FORMER).features * 16), ("h", 16), ("h", 2 * 16), ("i", 1))
    arrays = [array(code, bytes(array(code).itemsize * count)) for code, count in sizes]
    net = Net.of(FORMER, Arrays(*arrays, *map(array, "hihih")), handmade(FORMER))
    net.save(tmp_path / "former.net")
    assert Net.load(tmp_path / "former.net", NOW).arrays == net.arrays
    assert komadai.Engine(NOW, weights=str(tmp_path / "former.net")).search(Position(NOW), depth=1).move is not None


def test_puzzles_open(tmp_path: Path) -> None:
    path = tmp_path / "former.tsv"
    kept = [replace(one, variant=FORMER) for one in puzzles.load(komadai.variant("shogi"))[:2]]
    puzzles.write(path, FORMER, kept)
    assert len(puzzles.read(NOW, path)) == 2


def test_games_to_learn_from_open_and_go_on(tmp_path: Path) -> None:
    path, settings = tmp_path / "former.games", {"seed": 1}
    with closing(Ledger(path, FORMER, settings)):
        before = path.read_bytes()
    assert list(Reader(path, NOW)) == []
    with closing(Ledger(path, NOW, settings)) as ledger:
        assert ledger.games == 0
    assert path.read_bytes() == before


def settings_of(variant: Variant) -> Settings:
    players = tuple(map(parse_player, ("random", "random")))
    return Settings(variant, players, (Opening(None, ()),), Terms(SearchLimits(nodes=9)), 1)


def test_matches_resume(tmp_path: Path) -> None:
    for variant in (FORMER, NOW):
        with closing(State(tmp_path / "state", settings_of(variant))) as state:
            state.begin(settings_of(variant), "start")
    with pytest.raises(NotationError, match="rules was"):
        State(tmp_path / "state", settings_of(komadai.variant("shogi")))


def test_a_search_for_puzzles_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "mining"
    for variant in (FORMER, NOW):
        mine(variant, wanted=1, most_games=0, state=path)
    with pytest.raises(PuzzleError, match="holds a search with other settings"):
        mine(komadai.variant("shogi"), wanted=1, most_games=0, state=path)
