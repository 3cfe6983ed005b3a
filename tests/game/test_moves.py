"""The sequence of legal moves: lazy, and what users of a list expect of it."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Sequence
from struct import iter_unpack
from typing import Any

import pytest

import komadai
from helpers.games import random_positions
from helpers.volume import volume

GAMES = pytest.mark.parametrize("game", komadai.variants(shelf=False))


@GAMES
def test_a_move_is_found_by_itself_and_by_its_string(game: str) -> None:
    for position in random_positions(game, {}, games=1, plies=volume(80, 30))[::5]:
        moves = position.legal_moves()
        listed = list(moves)
        assert moves.texts() == [str(move) for move in listed]
        assert list(iter_unpack("QQ", moves.words())) == [(move.code, move.trail) for move in listed]
        for place, move in enumerate(listed):
            assert (moves[place], moves[place - len(moves)]) == (move, move)
            assert (moves.index(move), moves.index(move.text)) == (place, place)
            assert move in moves
            assert move.text in moves
            assert position.parse_move(move.text) == move


@GAMES
def test_a_move_pushed_by_its_string_is_the_move(game: str) -> None:
    position, twin, chance = komadai.Position(game), komadai.Position(game), random.Random(5)
    while position.outcome() is None and position.ply < 40:
        move = chance.choice(position.legal_moves())
        position.push(move)
        twin.push(str(move))
    assert (position, position.move_stack) == (twin, twin.move_stack)


def test_it_is_a_sequence_as_a_list_is() -> None:
    moves = komadai.Position("nana").legal_moves()
    listed = list(moves)
    assert isinstance(moves, Sequence)
    assert (len(moves), bool(moves)) == (8, True)
    assert (moves, moves[:]) == (listed, listed)
    assert listed == moves
    assert moves != moves.texts()
    assert moves != listed[1:]
    assert moves != listed[::-1]
    assert moves != tuple(listed)
    assert [*reversed(moves)] == listed[::-1]
    assert moves[2:7:2] == listed[2:7:2]
    assert moves[::-3] == listed[::-3]
    assert moves[5:99] == listed[5:99]
    assert repr(moves) == repr(listed)
    assert (moves.count(listed[3]), moves.count("9z9z")) == (1, 0)
    assert random.Random(1).choice(moves) == random.Random(1).choice(listed)
    assert random.Random(1).sample(moves, 4) == random.Random(1).sample(listed, 4)
    assert copy.copy(moves) == pickle.loads(pickle.dumps(moves)) == listed


def test_places_are_those_of_a_list() -> None:
    moves = komadai.Position("shogi").legal_moves()
    listed = list(moves)
    for start, stop in ((0, 30), (3, 9), (-5, 30), (-40, -25), (9, 3)):
        for move in (listed[0], listed[4], listed[-1]):
            try:
                wanted: Any = listed.index(move, start, stop)
            except ValueError:
                with pytest.raises(ValueError, match="not among them"):
                    moves.index(move, start, stop)
            else:
                assert moves.index(move, start, stop) == wanted
    with pytest.raises(IndexError, match="out of range"):
        moves[30]
    with pytest.raises(IndexError, match="out of range"):
        moves[-31]
    with pytest.raises(TypeError):
        hash(moves)


@pytest.mark.parametrize("other", [None, 7, "", "7g", "7g7f ", "7g7f+", "\ud800", b"7g7f", Ellipsis], ids=ascii)
def test_anything_else_is_not_among_the_moves(other: Any) -> None:
    position = komadai.Position("shogi")
    assert other not in position.legal_moves()
    assert not position.is_legal(other)
    with pytest.raises((komadai.NotationError, komadai.IllegalMoveError)):
        position.push(other)
    assert position.move_stack == ()


def test_a_move_of_another_game_is_not_among_the_moves() -> None:
    mortal = komadai.Position("mortal", "4k4/9/9/9/9/9/9/9/4K4 b G")
    golds = {move.code: move for move in mortal.legal_moves() if move.is_drop}
    knights = [
        move
        for move in komadai.Position("shogi", "4k4/9/9/9/9/9/9/9/4K4 b N").legal_moves()
        if move.is_drop and move.code in golds
    ]
    assert (str(knights[0]), str(golds[knights[0].code])) == ("N*9c", "G*9c")
    assert knights[0] not in mortal.legal_moves()
    with pytest.raises(komadai.IllegalMoveError):
        mortal.push(knights[0])


def test_the_moves_stay_when_the_position_changes() -> None:
    position = komadai.Position("shogi")
    moves, before = position.legal_moves(), position.legal_moves().texts()
    position.push(moves[0])
    assert moves.texts() == before
    assert position.legal_moves() != moves
    position.pop()
    assert position.legal_moves() == moves
    del position
    assert [str(move) for move in moves] == before


def test_moves_without_a_position_keep_what_they_need() -> None:
    moves = komadai.Position("ko").legal_moves()
    assert len({*moves}) == len(moves) == len({*moves.texts()})
