"""Games: moves, claims, results, and records that play again."""

from __future__ import annotations

import json
import random
from functools import partial
from typing import Any

import pytest

from helpers.support import DEFAULTS, EVERY_SETTING
from helpers.volume import SEEDS
from komadai.errors import IllegalMoveError, NotationError
from komadai.game.game import Game
from komadai.game.outcome import Outcome
from komadai.game.position import Position
from komadai.record import write
from komadai.spec.variant import Variant

MATE = "7nk/9/7GP/9/9/9/9/9/4K4 b -"  # 1c1b mates
LONGEST = 4_000  # plies of a random game
BOTH_ENTERED = "9/9/4K4/9/9/9/4k4/9/9 b -"


def replayed(game: Game) -> Game:
    """The game that its record tells, by way of JSON."""
    return Game.from_record(json.loads(json.dumps(game.record())))


def assert_same(one: Game, two: Game) -> None:
    assert two.record() == one.record()
    assert two.position == one.position
    assert two.position.ply == one.position.ply
    assert two.moves == one.moves
    assert two.outcome() == one.outcome()
    assert two.variant == one.variant


@pytest.mark.parametrize("variant", EVERY_SETTING)
@pytest.mark.parametrize("seed", range(4))
def test_records_of_random_games_play_again(variant: Variant, seed: int) -> None:
    game, chance = Game(variant), random.Random(seed)
    while game.outcome() is None and len(game.moves) < 80:
        game.push(chance.choice(game.position.legal_moves()))
    assert_same(game, replayed(game))


@pytest.mark.parametrize("variant", DEFAULTS)
def test_random_games_go_to_their_end(variant: Variant) -> None:
    for seed in range(SEEDS):
        position, chance = Position(variant), random.Random(seed)
        while position.ply < LONGEST and position.outcome() is None:
            position.push(chance.choice(position.legal_moves()))
            if position.ply % 64 == 0:
                assert position._native.key() == position._native.key_from_scratch(), position.sfen()
        assert Position(variant, position.sfen()) == position
        while position.ply > 1:
            position.pop()
        assert position == Position(variant)


def test_a_record_holds_the_start_the_options_and_the_version() -> None:
    game = Game("nana", "2K/3/k2 b RBrb 5", drop_faces="front", illegal_move="loses")
    game.push("R*1b")
    assert game.record() == {
        "schema": "komadai-record/2",
        "variant": "nana",
        "version": game.variant.version,
        "options": {"drop_faces": "front", "illegal_move": "loses"},
        "rules": game.variant.rules_hash,
        "start": "2K/3/k2 b RBrb 5",
        "moves": ["R*1b"],
        "result": None,
    }
    assert_same(game, replayed(game))


def resigned() -> Game:
    game = Game("shogi")
    game.push("7g7f")
    game.resign("b")
    return game


def agreed() -> Game:
    game = Game("shogi", BOTH_ENTERED)
    game.agree_draw()
    return game


def lost_by_illegal_move() -> Game:
    game = Game("shogi", illegal_move="loses")
    game.push("7g7e")
    return game


def mated() -> Game:
    game = Game("shogi", MATE)
    game.push("1c1b")
    return game


@pytest.mark.parametrize(
    ("game", "outcome", "words"),
    [
        (resigned(), Outcome("w", "resign"), "White wins: Black resigned"),
        (agreed(), Outcome(None, "agreement"), "Draw: by agreement"),
        (lost_by_illegal_move(), Outcome("w", "illegal"), "White wins: Black made an illegal move"),
        (mated(), Outcome("b", "checkmate"), "Black wins: checkmate"),
    ],
    ids=lambda value: value.reason if isinstance(value, Outcome) else "",
)
def test_results(game: Game, outcome: Outcome, words: str) -> None:
    assert game.outcome() == outcome
    assert str(outcome) == words
    assert_same(game, replayed(game))


@pytest.mark.parametrize("game", [resigned(), agreed(), lost_by_illegal_move(), mated()])
def test_nothing_goes_on_after_the_end(game: Game) -> None:
    before = game.record()
    for attempt in (
        lambda: game.push("5i5h"),
        lambda: game.push(str(next(iter(game.position.legal_moves()), "5i5h"))),
        lambda: game.resign("b"),
        game.agree_draw,
    ):
        with pytest.raises(IllegalMoveError):
            attempt()
    assert game.record() == before
    assert not game.can_agree_draw()


def test_pop_takes_back_a_claim_before_a_move() -> None:
    game = resigned()
    assert game.pop() is None
    assert game.outcome() is None
    assert str(game.pop()) == "7g7f"
    assert game.moves == ()
    assert game.position.sfen() == game.variant.start
    with pytest.raises(IndexError):
        game.pop()


def test_pop_takes_back_a_mate() -> None:
    game = mated()
    assert str(game.pop()) == "1c1b"
    assert game.outcome() is None
    assert game.position.sfen() == MATE


def test_pop_takes_back_an_illegal_move_that_lost() -> None:
    game = lost_by_illegal_move()
    assert game.moves == ()
    assert game.pop() is None
    assert game.outcome() is None
    game.push("7g7f")
    assert game.outcome() is None


@pytest.mark.parametrize("side", ["b", "w"])
def test_either_side_may_resign_at_any_time(side: Any) -> None:
    game = Game("nana")
    with pytest.raises(NotationError, match="side"):
        game.resign("black")  # type: ignore[arg-type]
    assert game.outcome() is None
    game.resign(side)
    assert game.outcome() == Outcome("w" if side == "b" else "b", "resign")


def test_illegal_moves_are_refused_by_default() -> None:
    game = Game("shogi")
    with pytest.raises(IllegalMoveError, match="7g7e is not legal"):
        game.push("7g7e")
    assert game.outcome() is None
    assert game.moves == ()


def test_what_is_no_move_loses_nothing() -> None:
    game = Game("shogi", illegal_move="loses")
    with pytest.raises(NotationError):
        game.push("nonsense")
    assert game.outcome() is None


def test_a_game_leaves_the_position_it_began_from_alone() -> None:
    game = Game("shogi")
    for move in ("7g7f", "3c3d", "8h2b+"):
        game.push(move)
    assert [str(move) for move in game.moves] == ["7g7f", "3c3d", "8h2b+"]
    assert game.record()["start"] == f"{game.variant.start} 1"
    assert game.turn == "w"
    assert len(game.notation()) == 3


@pytest.mark.parametrize("moves", [(), ("7g7f",)])
def test_an_unknown_notation_is_refused_whatever_was_played(moves: tuple[str, ...]) -> None:
    game = Game("shogi")
    for move in moves:
        game.push(move)
    for ask in (game.notation, partial(write, game, "text"), partial(write, game, "kif")):
        with pytest.raises(NotationError, match="style 'klingon': choose from usi"):
            ask("klingon")


GOOD: dict[str, Any] = resigned().record()


@pytest.mark.parametrize(
    ("change", "error", "fragment"),
    [
        ({"variant": "go"}, NotationError, "unknown variant 'go'"),
        ({"version": "0"}, NotationError, "version 0"),
        ({"start": "9/9 b -"}, NotationError, "ranks"),
        ({"moves": ["7g7f", "7g7f"]}, NotationError, "move 2"),
        ({"moves": ["7g7f", "x"]}, NotationError, "move 2"),
        ({"moves": 5}, NotationError, "record"),
        ({"moves": None}, NotationError, "record"),
        ({"options": {"drop_faces": "any"}}, NotationError, "drop_faces"),
        ({"options": {"illegal_move": "maybe"}}, NotationError, "illegal_move"),
        ({"options": 3}, NotationError, "record"),
        ({"result": {"winner": "purple", "reason": "resign"}}, NotationError, "winner"),
        ({"result": {"winner": "w", "reason": "boredom"}}, NotationError, "reason"),
        ({"result": {"winner": "w"}}, NotationError, "reason"),
        ({"result": {"winner": "b", "reason": "checkmate"}}, NotationError, "checkmate"),
        ({"result": "1-0"}, NotationError, "result"),
    ],
)
def test_bad_records_are_refused(change: dict[str, Any], error: type[Exception], fragment: str) -> None:
    with pytest.raises(error) as caught:
        Game.from_record(GOOD | change)
    assert fragment in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("missing", ["variant", "version", "options", "start", "moves", "result"])
def test_records_that_lack_something_are_refused(missing: str) -> None:
    with pytest.raises(NotationError, match=missing):
        Game.from_record({name: value for name, value in GOOD.items() if name != missing})


@pytest.mark.parametrize("record", [None, [], "record", 7])
def test_what_is_no_record_is_refused(record: Any) -> None:
    with pytest.raises(NotationError, match="record"):
        Game.from_record(record)
