"""FEN and coordinate moves: a bijection on what is legal, and what another program says of shogi."""

from __future__ import annotations

import random

import pyffish
import pytest

import komadai
from helpers.support import DEFAULTS, arranged, random_play
from komadai.errors import IllegalMoveError, NotationError
from komadai.game.position import Position
from komadai.notation.fen import fen, move_text, parse_fen, parse_move, parse_square, square_name
from komadai.spec.board import Rect
from komadai.spec.variant import Variant

START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[-] w 0 1"


def settled(text: str) -> str:
    """A FEN of the other program with the fields that say nothing left out, and pieces in hand in one order."""
    board, turn, *_, number = text.replace("[]", "[-]").split()
    board, hands = board.removesuffix("]").split("[")
    return f"{board}[{''.join(sorted(hands))}] {turn} 0 {number}"


def test_standard_shogi_is_written_as_fairy_stockfish_writes_it() -> None:
    chance, moves = random.Random(6), list[str]()
    position = Position("shogi")
    assert fen(position) == START == pyffish.start_fen("shogi")
    for _ in range(120):
        theirs = pyffish.legal_moves("shogi", START, moves)
        ours = {move_text(position, move): move for move in position.legal_moves()}
        assert set(ours) == set(theirs)
        if not ours:
            break
        moves.append(chance.choice(sorted(ours)))
        position.push(ours[moves[-1]])
        assert settled(fen(position)) == settled(pyffish.get_fen("shogi", START, moves))


@pytest.mark.parametrize("variant", DEFAULTS)
def test_positions_are_read_as_they_are_written(variant: Variant) -> None:
    assert fen(Position(variant)).endswith(" w 0 1")
    for position, _ in random_play(variant, seed=11, positions=25):
        again = Position(variant, parse_fen(variant, fen(position)))
        assert again == position
        assert fen(again) == fen(position)


def test_squares_are_named_as_in_chess() -> None:
    board = Rect(19, 12)
    names = [square_name(board, point) for point in board.points]
    assert (names[0], names[18], names[-19], names[-1]) == ("a12", "s12", "a1", "s1")
    assert [parse_square(board, name) for name in names] == list(board.points)


@pytest.mark.parametrize("name", ["a0", "a13", "t1", "1a", "", "a1a1", "a" * 50])
def test_squares_that_are_none(name: str) -> None:
    with pytest.raises(NotationError, match="it goes from a1 to s12"):
        parse_square(Rect(19, 12), name)


def test_moves_have_the_forms_of_the_page() -> None:
    def written(name: str, text: str, move: str) -> str:
        position = Position(name, text)
        return move_text(position, position.parse_move(move))

    assert written("shogi", "4k4/9/P8/9/9/9/9/9/4K4 b P", "9c9b+") == "a7a8+"
    assert written("shogi", "4k4/9/P8/9/9/9/9/9/4K4 b P", "P*5e") == "P@e5"
    assert written("mortal", "4k4/9/P8/9/9/9/9/9/4K4 b -", "9c9b=S") == "a7a8s"
    assert written("nana", "2K/3/k2 w 2R2B", "3c2c") == "a1b1"
    assert written("hand", "4k4/9/9/9/9/9/9/9/4K4 b [SO]", "SO*5e") == "SO@e5"
    ko = komadai.variant("ko")
    arms = arranged(ko, "LB 5k, p 6g, G 1s, g 1a")
    assert written("ko", arms, "5k6j*6g") == "o9n10,n10n13,n13n10"


def test_what_may_be_added_or_left_out() -> None:
    position = Position("shogi", "4k4/9/P8/9/9/9/9/9/4K4 b -")
    assert str(parse_move(position, "a7a8=")) == str(parse_move(position, "a7a8")) == "9c9b"
    assert str(parse_move(position, "a7a8+")) == "9c9b+"
    assert str(parse_move(Position("mortal", "4k4/9/P8/9/9/9/9/9/4K4 b -"), "a7a8=S")) == "9c9b=S"
    assert parse_fen(komadai.variant("shogi"), START.replace(" 0 1", "")) == Position("shogi").setup()
    assert parse_fen(komadai.variant("shogi"), START.replace(" 0 1", " - - 0 2")).ply == 3


@pytest.mark.parametrize(
    ("variant", "text", "said"),
    [
        ("shogi", "c3c5", "c3c5 is not legal: the pawn does not move from c3 to c5"),
        ("shogi", "c3c4+", "the pawn cannot promote from c3 to c4; it can only be written c3c4"),
        ("shogi", "c4c5", "there is no piece on c4"),
        ("shogi", "P@e5", "Black has no pawn in hand"),
        ("nana", "K@b2", "nothing may be dropped on the centre b2"),
    ],
)
def test_illegal_moves_are_refused_with_squares_named_as_here(variant: str, text: str, said: str) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        parse_move(Position(variant), text)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "text", ["", "e2", "7g7f", "c3c4c5", "c3c4,d4d5", "X@e5", "c3c4x", "z1z2", "a1a99", "@@@@", "c3c4," * 200]
)
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(NotationError):
        parse_move(Position("shogi"), text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has 0 fields"),
        (START.replace(" w", " x"), "turn: 'x' is none"),
        (START.replace("[-]", "[-P]"), "cannot read '-P'"),
        (START.replace("[-]", "[Z]"), "cannot be held in shogi"),
        (START.replace("9/9", "9"), "has 8 ranks"),
        (START.replace(" 0 1", " 0 x"), "expected '0 NUMBER'"),
        (START.replace(" 0 1", " 1 2 3"), "expected '0 NUMBER'"),
        ("]" * 20 + " w", "rank a"),
    ],
)
def test_what_is_no_fen(text: str, said: str) -> None:
    with pytest.raises(NotationError, match="FEN") as caught:
        parse_fen(komadai.variant("shogi"), text)
    assert said in str(caught.value)
