"""A message for people that fails stops no game: something plain stands in its place, and the log has the error."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import pytest

import komadai
from fuzz.variants import JOINED, WIDER, made
from helpers import madeup
from helpers.volume import FULL, volume
from komadai import i18n
from komadai.app import lessons, puzzles
from komadai.app.lessons.model import Drill
from komadai.app.web.game.game_record import record_of
from komadai.app.web.game.registry import GameRegistry
from komadai.app.web.game.replay import Stored
from komadai.app.web.game.session import Session
from komadai.app.web.game.state import GameState
from komadai.app.web.http import lessons as lessons_page
from komadai.app.web.http import puzzles as puzzles_page
from komadai.app.web.http import rulebook
from komadai.app.web.http.books import Bookshelf
from komadai.app.web.http.studies import found_position, study
from komadai.app.web.http.workshop.answers import answer
from komadai.app.web.http.workshop.messages import Ask, Task
from komadai.app.web.presenter import encode
from komadai.app.web.presenter.blocked_squares import explain
from komadai.app.web.schema.commands import MoveCommand
from komadai.app.web.store import Event, GameRow
from komadai.app.web.store.sqlite import SqliteStore
from komadai.game.outcome import Outcome
from komadai.game.position import Position
from komadai.i18n import LANGUAGES, safely, speaking
from komadai.record import Record
from komadai.record import read as read_records
from komadai.record import write as write_records
from komadai.spec.names import Message
from komadai.spec.variant import Variant
from komadai.variants import Entry, known
from komadai.workshop import check, loads, variant_text
from komadai.workshop.identity import embedded
from komadai.workshop.starting import start_text

WRITERS = ("kif.writer", "jkf.writer")
MAKERS = (
    "komadai.app.web.presenter.encode.notate",
    "komadai.app.web.presenter.encode.find",
    "komadai.app.web.presenter.encode.zone_marks",
    "komadai.app.web.presenter.encode.no_drops",
    "komadai.app.web.presenter.encode.kanji_on",
    "komadai.app.web.presenter.encode.one_kanji",
    "komadai.app.web.presenter.encode.promoted",
    "komadai.app.web.presenter.encode.words",
    "komadai.app.web.presenter.encode.vanished",
    "komadai.app.web.presenter.encode.blocked",
    "komadai.app.web.presenter.encode.needs_of",
    "komadai.app.web.presenter.encode._message",
    "komadai.app.web.presenter.encode._support",
    "komadai.app.web.presenter.encode._frames",
    "komadai.app.web.game.views.challenge",
    "komadai.app.web.game.views.find",
    "komadai.app.web.http.rulebook.sections",
    "komadai.app.web.http.rulebook.special_rules",
    "komadai.app.web.http.rulebook.ends",
    "komadai.app.web.http.rulebook.page_of",
    "komadai.view.guide.remarks",
    "komadai.view.guide.reach",
    "komadai.view.coach.reasons",
    "komadai.view.coach.warning",
    "komadai.view.piece_descriptions.words",
    "komadai.view.steps.needs_of",
    "komadai.view.survival.Needs.lost",
    "komadai.notation.japanese.write",
    "komadai.notation.hodges.write",
    "komadai.notation.compass.write",
    "komadai.spec.names.Message.words",
    "komadai.spec.names.kanji_on",
    "komadai.game.outcome.Outcome.__str__",
    "komadai.game.position.Position.explain",
    "komadai.reference.explain.fault",
    "komadai.app.web.presenter.blocked_squares.why_nowhere",
    "komadai.app.lessons.drills.words",
    "komadai.app.lessons.making._sentences",
    "komadai.app.lessons.judge:fault",
    "komadai.record.text.notate",
)
"""Everything that makes words, marks or writings for people where a game is played, shown or opened."""

GAMES = ("shogi", "ki", "ko", "hand")


class BrokenError(Exception):
    """What a message fails with."""


@pytest.fixture(autouse=True)
def _nothing_is_known() -> Iterator[None]:
    """What was made before or fails here is forgotten."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(i18n, "_failed", set())
        encode._variant.cache_clear()
        yield
    encode._variant.cache_clear()


def broken(*_args: object, **_values: object) -> NoReturn:
    raise BrokenError


def break_down(maker: str, patch: pytest.MonkeyPatch) -> None:
    module, _, name = maker.partition(":")  # of a module that a function hides
    if name:
        patch.setattr(sys.modules[module], name, broken)
    else:
        patch.setattr(maker, broken)


def stored(v: Variant, moves: list[str]) -> Stored:
    """A game between two people at one screen."""
    terms: dict[str, Any] = {"rules": v.rules_hash, "tokens": {"b": "a digest", "w": "a digest"}}
    terms |= {} if (file := embedded(v)) is None else {"file": file}
    row = GameRow("g", v.id, v.version, dict(v.options), {"b": "human", "w": "human"}, terms=terms)
    return Stored(row, [Event(number, "move", {"usi": usi}) for number, usi in enumerate(moves, 1)])


def random_moves(v: Variant, seed: int, most: int) -> list[str]:
    at, chance = Position(v), random.Random(seed)
    while at.outcome() is None and len(at.move_stack) < most:
        at.push(chance.choice(at.legal_moves()))
    return [move.text for move in at.move_stack]


def played(state: GameState) -> list[Any]:
    """The moves that clients get."""
    return [json.loads(bytes(move)) for move in state.log.moves]


def look(v: Variant, moves: list[str]) -> GameState:
    """Open a game and ask all that can be asked about it."""
    state = GameState(stored(v, moves))
    assert [move["usi"] for move in played(state)] == moves
    at = state.game.position
    for seen in (
        encode.variant(v),
        state.position(),
        state.earlier(0),
        encode.guide(at),
        found_position(state.game, [], None),
        study([record_of(state)], Bookshelf()),
        rulebook.rulebook(v, None if v.id in known() else Entry(partial(loads, variant_text(v)))),
    ):
        json.loads(msgspec.json.encode(seen))
    assert {move.usi for move in steps(state)} == set(at.legal_moves().texts()) or state.game.outcome() is not None
    for text in ("1a9i", "5e5e", *(f"{code}*" for code in v.hand_order[:1])):
        assert explain(at, text)
    return state


def steps(state: GameState) -> list[Any]:
    """The leaves of the tree that clients get."""
    choices = encode.choices(state.game.position)
    open_, found = [*choices.tree, *(step for steps in choices.shared for step in steps)], []
    while open_:
        step = open_.pop()
        if isinstance(step.usi, str):
            found.append(step)
        if isinstance(step.next, list):
            open_ += step.next
    return found


@pytest.mark.parametrize(
    ("maker", "games"), [(maker, GAMES if FULL else GAMES[n % 2 :: 2]) for n, maker in enumerate(MAKERS)]
)
def test_each_game_opens_and_is_shown_whichever_message_fails(
    maker: str, games: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    break_down(maker, monkeypatch)
    for name in games:
        v = komadai.variant(name)
        look(v, random_moves(v, 1, 6))
    loser = komadai.variant("shogi", illegal_move="loses")
    state = GameState(stored(loser, ["7g7f", "3c3e"]))
    assert state.game.outcome() == Outcome("b", "illegal")
    assert state.position().outcome is not None
    assert explain(Position(loser), "7g7e")


@pytest.mark.parametrize("maker", MAKERS)
def test_the_workshop_answers_whichever_message_fails(maker: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = start_text("my-game")

    def ask(task: Task, **body: object) -> Any:
        return json.loads(answer(Ask(task, "ja", msgspec.Raw(msgspec.json.encode({"file": file, **body})))))

    break_down(maker, monkeypatch)
    assert ask("check")["defects"] == []
    assert ask("position", moves=["5d5c"], known=0, text="1b1c")["moves"][1]["usi"] == "1b1c"
    assert ask("explain", moves=[], text="5d5a")["text"]
    assert ask("request", moves=["5d5c"], level=1)["search"]["moves"] == ["5d5c"]


@pytest.mark.parametrize("maker", MAKERS)
def test_lessons_and_records_go_on_whichever_message_fails(maker: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = komadai.Game("nana")
    game.push("K*1a")
    break_down(maker, monkeypatch)
    text = write_records([Record.of(game)], "text")
    assert [str(move) for _number, _at, move in read_records(text)[0].walk()] == ["K*1a"]
    for entry in lessons.course("nana").entries[:12]:
        stage = entry.stage if isinstance(entry, Drill) else entry
        for moves in ([], ["5a5e"]):
            said = lessons.judge(stage, moves)
            assert msgspec.json.encode(lessons_page._answer(stage, said, 0))
    puzzle = puzzles.load("nana")[0]
    shown = puzzles_page._answer(puzzle, puzzle.start(), "going", "", made=puzzle.moves()[:1])
    assert msgspec.json.encode(shown)


def test_the_move_string_stands_in_its_place_and_the_log_has_the_error_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("komadai.notation.japanese.write", broken)
    with caplog.at_level(logging.ERROR):
        for _ in range(3):
            state = GameState(stored(komadai.variant("shogi"), ["7g7f", "3c3d"]))
    assert [move["japanese"] for move in played(state)] == ["7g7f", "3c3d"]
    assert [move["text"] for move in played(state)] == ["P-7f", "P-3d"]
    [logged] = caplog.records
    assert logged.exc_info is not None
    assert logged.exc_info[0] is BrokenError


@pytest.mark.parametrize(
    ("form", "style", "shown"),
    [
        ("ki2", None, ["▲７六歩(77)", "△３四歩(33)", "▲２二角(88)", "△同　銀(31)", "▲５五角打", "△８四歩(83)"]),
        ("jkf", None, ['"to": {"x": 2, "y": 2}, "piece": "KA", "capture": "KA"}']),
        ("text", "japanese", ["7g7f", "3c3d", "8h2b", "3a2b", "B*5e", "8c8d"]),
    ],
)
def test_records_are_written_where_japanese_notation_fails(
    form: Any, style: str | None, shown: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    made = Record.begin("shogi")
    for at, move in enumerate(("7g7f", "3c3d", "8h2b", "3a2b", "B*5e")):
        made = made.add(at, move)[0]
    made = made.add(1, "8c8d")[0]
    for name in ("komadai.notation.japanese.write", *(f"komadai.record.{one}.move_text" for one in WRITERS)):
        monkeypatch.setattr(name, broken)
    text = write_records(made, form, style)
    monkeypatch.undo()
    assert [part for part in shown if part not in text] == []
    assert read_records(text) == [made]
    assert len(caplog.records) == 1


def test_a_failure_elsewhere_is_logged_too(caplog: pytest.LogCaptureFixture) -> None:
    def other() -> NoReturn:
        raise BrokenError

    for make in (broken, other, broken, other):
        assert safely("plain", make) == "plain"
    assert len(caplog.records) == 2


def test_want_of_memory_is_no_failure_of_a_message() -> None:
    def greedy() -> NoReturn:
        raise MemoryError

    with pytest.raises(MemoryError):
        safely("plain", greedy)


def test_words_of_a_variant_that_cannot_be_filled_in_stand_as_they_are() -> None:
    message = Message("{side} loses: {note}", "b", note="{nobody} has {none}")
    assert str(message) == "Black loses: {nobody} has {none}"


@pytest.mark.parametrize(
    "maker", ["komadai.app.web.presenter.encode.notate", "komadai.app.web.presenter.encode.blocked"]
)
async def test_the_computer_plays_on_and_the_game_opens_again(
    maker: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_down(maker, monkeypatch)

    hall = GameRegistry(SqliteStore(tmp_path / "games.sqlite3"))
    made = await hall.create("nana", {}, {"b": "human", "w": "level1"})
    moved = asyncio.Event()

    def listen(message: str) -> None:
        said = json.loads(message)
        if len(said.get("events", ())) and said["seq"] == 2:
            moved.set()

    session = await hall.join(made.game, listen, made.tokens["b"])
    await session.command(MoveCommand("1", 1, "K*1a"), made.tokens["b"])
    await asyncio.wait_for(moved.wait(), 60)
    await hall.close()
    hall = GameRegistry(SqliteStore(tmp_path / "games.sqlite3"))
    again = await hall.join(made.game, listen, made.tokens["b"])
    assert isinstance(again, Session)
    assert len(again.state.game.moves) == 2
    await hall.close()


# --- All games, through the server's own path -------------------------------------------------------------------------


def through_the_server(v: Variant, seed: int, most: int) -> None:
    """Play a game as a server does, in each language: what a move is called, and what may come next."""
    moves = random_moves(v, seed, most)
    for language in LANGUAGES:
        with speaking(language):
            look(v, moves)
    assert not i18n._failed, "a message for people fails; the log has it"


@pytest.mark.parametrize("name", komadai.variants(shelf=True))
def test_every_game_of_the_shelf_is_played_through_the_server(name: str) -> None:
    for seed in range(volume(8)):
        through_the_server(komadai.variant(name), seed, volume(50, 15))


@pytest.mark.parametrize("v", [pytest.param(v, id=v.id) for v in madeup.PLAYABLE if not check(variant_text(v))])
def test_made_up_games_are_played_through_the_server(v: Variant) -> None:
    through_the_server(v, 0, volume(30, 10))


@pytest.mark.parametrize("first", [0, WIDER, JOINED])
def test_random_variants_are_played_through_the_server(first: int) -> None:
    played = 0
    for seed in range(first, first + (160 if FULL else 8)):
        v = made(seed)
        if not check(variant_text(v)):
            through_the_server(v, seed, 20)
            played += 1
    assert played
