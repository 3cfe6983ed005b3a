"""Moves as players write them: every legal move is written, read back, and written as another program writes it."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import islice

import pytest

import komadai
from helpers.support import random_play
from helpers.volume import FULL, volume
from komadai.errors import IllegalMoveError, NotationError
from komadai.game.position import Position
from komadai.notation.hodges import read, write
from komadai.spec.board import Rect
from komadai.spec.kinds import Becomes, Kind
from komadai.spec.move import Move

START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -"
ORACLE_SEEDS = 2 if FULL else 1
ORACLE_POSITIONS = volume(150)  # a seed
ORACLE_MOST_MOVES = 30  # of a position shown to the oracle, which needs 2 ms for each of its moves
ORACLE_GAMES = volume(150)


# --- What the rules pages say ---------------------------------------------------------------------------------------

TWO_WAYS = [
    # README.md
    ("shogi", START, "7g7f", "P-7f"),
    ("shogi", START, "6i5h", "G6i-5h"),
    ("shogi", START, "4i5h", "G4i-5h"),
    ("shogi", START, "4i4h", "G-4h"),
    ("shogi", START, "2h6h", "R-6h"),
    ("shogi", "k8/7p1/6B2/9/9/9/9/9/4K4 b P", "3c2b+", "Bx2b+"),
    ("shogi", "k8/7p1/6B2/9/9/9/9/9/4K4 b P", "3c2b", "Bx2b="),
    ("shogi", "k8/7p1/6B2/9/9/9/9/9/4K4 b P", "3c5e+", "B-5e+"),
    ("shogi", "k8/7p1/6B2/9/9/9/9/9/4K4 b P", "P*5e", "P*5e"),
    ("shogi", "4k4/9/9/9/9/9/3+R5/9/4K4 b -", "6g5f", "+R-5f"),
    # A forced promotion is written, and nothing is declined by it; a gold declines nothing.
    ("shogi", "8k/9/1N1N5/9/9/9/9/9/4K4 b -", "8c7a+", "N8c-7a+"),
    ("shogi", "8k/9/1N1N5/9/9/9/9/9/4K4 b -", "8c9a+", "N-9a+"),
    ("shogi", "4k4/9/9/G8/9/9/9/9/4K4 b -", "9d9c", "G-9c"),
    # The other bishop could go there too, but could not promote; and it could go there unpromoted.
    ("shogi", "k8/9/6B2/9/9/9/9/9/B2K5 b -", "3c8h+", "B-8h+"),
    ("shogi", "k8/9/6B2/9/9/9/9/9/B2K5 b -", "3c8h", "B3c-8h="),
    ("shogi", "k8/9/6B2/9/9/9/9/9/B2K5 b -", "9i8h", "B9i-8h"),
    # The other gold is pinned; a promoted silver is no gold; a silver in hand is no rival of one on the board.
    ("shogi", "4r2k1/9/9/9/9/9/9/4G1G2/4K4 b -", "3h4g", "G-4g"),
    ("shogi", "7k1/9/9/9/9/9/9/4G1+S2/4K4 b -", "5h4g", "G-4g"),
    ("shogi", "7k1/9/9/9/9/9/9/4S4/4K4 b S", "5h4g", "S-4g"),
    ("shogi", "7k1/9/9/9/9/9/9/4S4/4K4 b S", "S*4g", "S*4g"),
    # nana.md
    ("nana", "3/3/3 b KRBkrb", "K*1a", "K*1a"),
    ("nana", "k2/3/B1K b Rrb", "3c2b", "B-2b=TG"),
    ("nana", "k2/2[CS]/[CS]1K b 2r", "1b2a", "CS-2a=D"),
    ("nana", "3/[CS]1[CS]/K1k b 2r", "1b2a", "CS1b-2a=D"),
    ("nana", "2k/3/K2 w RBrb", "SW*3a", "SW*3a"),
    ("nana", "k2/3/2K b RBrb", "1c1b", "K-1b"),
]


@pytest.mark.parametrize(("name", "start", "move", "text"), TWO_WAYS)
def test_the_forms_of_the_rules_pages(name: str, start: str, move: str, text: str) -> None:
    position = Position(name, start)
    assert write(position, position.parse_move(move)) == text
    assert str(read(position, text)) == move


NINE = Rect(9, 9)


def _sketch(board: str, hands: str = "-", size: Rect = NINE) -> Position:
    """A game of no rules page: choices, forced turning, and long codes that begin like short ones or end with x."""
    kinds = [
        Kind("K", "king", "玉", "gyoku", "K", royal=True),
        Kind("P", "pawn", "歩", "fuhyō", "fW", Becomes(zone=("P", "N", "S"))),
        Kind("L", "lance", "香", "kyōsha", "fR", Becomes(zone=("N", "S"))),
        Kind("T", "tiger", "虎", "ko", "K", Becomes(zone=("S",))),
        Kind("N", "knight", "桂", "keima", "ffN", Becomes(zone=("+N",))),
        Kind("B", "bishop", "角", "kakugyō", "B", Becomes(zone=("B", "DH"))),
        *(Kind(code, code.lower(), "駒", "koma", "FfW") for code in ("+N", "S", "SO", "SX")),
        Kind("DH", "dragon horse", "馬", "ryūma", "BW"),
    ]
    variant = replace(
        komadai.variant("shogi"),
        id="sketch",
        board=size,
        start=f"{board} b {hands}",
        kinds=tuple(kinds),
        hand_order=("SO", "S"),
        rules=(),
        handicaps=(),
    )
    return Position(variant)


SKETCHED = [
    # mortal.md: a choice is named, and declining it takes no sign.
    ("k8/9/9/7P1/9/9/9/9/4K4", "-", "2d2c=N", "P-2c=N"),
    ("k8/9/9/7P1/9/9/9/9/4K4", "-", "2d2c=S", "P-2c=S"),
    ("k8/9/9/7P1/9/9/9/9/4K4", "-", "2d2c", "P-2c"),
    ("k8/9/6s2/9/8B/9/9/9/4K4", "-", "1e3c=DH", "Bx3c=DH"),
    # hand.md: turning over is written although it is forced; codes of several letters.
    ("k8/9/2s6/9/1N7/9/9/9/4K4", "-", "8e7c+", "Nx7c+"),
    ("k8/9/9/9/1N1N5/9/9/9/4K4", "-", "6e7c+", "N6e-7c+"),
    ("k8/9/9/9/9/9/9/9/4K4", "2[SO]", "SO*5e", "SO*5e"),
    # The piece that leaves the zone must change, the other cannot: no start is needed to tell them.
    ("k8/9/4T4/9/4T4/9/9/9/4K4", "-", "5c5d", "T-5d=S"),
    ("k8/9/4T4/9/4T4/9/9/9/4K4", "-", "5e5d", "T-5d"),
    # The x of a capture, and the x at the end of a code.
    ("k8/9/9/9/9/2p6/3S5/9/4K4", "-", "6g7f", "Sx7f"),
    ("k8/9/9/9/9/2p6/3[SX]5/9/4K4", "-", "6g7f", "SXx7f"),
    ("k8/9/9/9/9/2p6/1[SX]1[SX]5/9/4K4", "-", "6g7f", "SX6gx7f"),
]


@pytest.mark.parametrize(("board", "hands", "move", "text"), SKETCHED)
def test_choices_forced_turning_and_long_codes(board: str, hands: str, move: str, text: str) -> None:
    position = _sketch(board, hands)
    assert write(position, position.parse_move(move)) == text
    assert str(read(position, text)) == move
    assert str(read(position, text.lower())) == move


def test_a_large_board_counts_its_files_in_two_digits() -> None:
    rows = ["19"] * 19
    rows[0], rows[18] = "k18", "9K9"
    position = _sketch("/".join(rows), "S", Rect(19, 19))
    assert write(position, position.parse_move("10s11r")) == "K-11r"
    assert write(position, position.parse_move("S*12c")) == "S*12c"
    assert str(read(position, "K10s-11r")) == "10s11r"
    with pytest.raises(NotationError, match="11 is not a square of this board, which goes from 19a to 1s"):
        read(position, "K-11")


# --- Leniency -------------------------------------------------------------------------------------------------------

ZONE = "k8/9/4S4/6S2/9/9/9/9/4K4 b P"  # 5c may promote wherever it goes, 3d only forward
LENIENT = [
    ("shogi", START, "P-76", "7g7f"),
    ("shogi", START, "G69-58", "6i5h"),
    ("shogi", START, "p-7f", "7g7f"),
    ("shogi", START, "P-7F", "7g7f"),
    ("shogi", START, "k-5h", "5i5h"),
    ("shogi", START, "Px7f", "7g7f"),
    ("shogi", START, "P7g-7f", "7g7f"),
    ("shogi", START, "P-7f=", "7g7f"),
    ("shogi", START, "P-7f!", "7g7f"),
    ("shogi", START, "P-7f ?!", "7g7f"),
    ("shogi", START, "  P-7f\n", "7g7f"),
    ("shogi", "4k4/7p1/8B/9/9/9/9/9/3K5 b P", "B-2b", "1c2b"),
    ("shogi", "4k4/7p1/8B/9/9/9/9/9/3K5 b P", "B-2b+!", "1c2b+"),
    ("shogi", "4k4/7p1/8B/9/9/9/9/9/3K5 b P", "b-2b=!?", "1c2b"),
    ("shogi", "4k4/7p1/8B/9/9/9/9/9/3K5 b P", "bx2b=+b", "1c2b+"),
    ("shogi", "4k4/7p1/8B/9/9/9/9/9/3K5 b P", "P'5e", "P*5e"),
    ("shogi", "8k/9/1N7/9/9/9/9/9/4K4 b -", "N-7a", "8c7a+"),
    ("shogi", ZONE, "S-5b", "5c5b"),
    ("shogi", ZONE, "S-3c", "3d3c"),
    ("shogi", ZONE, "S-4d+", "5c4d+"),
    ("nana", "k2/3/B1K b Rrb", "B-2b", "3c2b"),
    ("nana", "k2/3/B1K b Rrb", "bx22=tg", "3c2b"),
    ("nana", "k2/3/B1K b Rrb", "sw'1a", "SW*1a"),
    ("nana", "3/[CS]1[CS]/K1k b 2r", "cs1b-2a", "1b2a"),
]


@pytest.mark.parametrize(("name", "start", "text", "move"), LENIENT)
def test_what_the_writer_would_not_write_is_read(name: str, start: str, text: str, move: str) -> None:
    assert str(read(Position(name, start), text)) == move


def test_a_mark_is_distinguished_from_the_x_of_a_capture_on_small_squares() -> None:
    position = Position("shogi", "k8/9/9/9/9/2p6/1S1S5/9/4K4 b -")
    for text in ("S6gx7f", "S67x76", "s67-76", "S67-7f", "S6gx76!"):
        assert str(read(position, text)) == "6g7f"


# --- What is refused ------------------------------------------------------------------------------------------------

MODEL = "is not a move; expected a piece, then -, x or *, and a square, as in P-1f"
PINNED = "4k4/4r4/9/9/9/9/4G4/9/4K4 b -"
BOTH_BISHOPS = "k8/9/6B2/9/9/9/9/9/B2K5 b -"
NO_MOVES = [
    ("shogi", START, "", MODEL),
    ("shogi", START, "7g7f", MODEL),
    ("shogi", START, "P-7", MODEL),
    ("shogi", START, "P-7f!!!", MODEL),
    ("shogi", START, "P-100f", MODEL),
    ("shogi", START, "P-7f P-3d", MODEL),
    ("shogi", START, "P-７f", MODEL),  # a wide digit
    ("shogi", START, "\u212a-5h", MODEL),  # the sign of the kelvin
    (
        "shogi",
        START,
        "P-7f" * 5000,
        "move 'P-7fP-7fP-7fP-7fP-7fP-7fP-7fP-7fP-7fP-7fP-7fP-7fP-7fP-7fP...': is longer than 60",
    ),
    ("shogi", START, "X-7f", "shogi has no piece X; its codes are K R B"),
    ("shogi", START, "+G-5h", "shogi has no piece +G; its codes are K R B"),
    ("shogi", START, "Px-7f", "shogi has no piece PX"),
    ("shogi", START, "P-7f=Q", "shogi has no piece Q"),
    ("shogi", START, "P-7j", "7j is not a square of this board, which goes from 9a to 1i"),
    ("shogi", START, "P-70", "70 is not a square of this board"),
    ("shogi", START, "X7z-0a", "no piece X; its codes are K R B G S N L P +R +B +S +N +L +P; 7z is no"),
    ("shogi", START, "P7g*5e", "a drop has no start square and nothing after its square"),
    ("shogi", START, "P*5e+", "a drop has no start square and nothing after its square"),
    ("shogi", START, "G-5h", "fits several moves; choose from G4i-5h, G6i-5h"),
    ("shogi", BOTH_BISHOPS, "B-8h", "fits several moves; choose from B3c-8h=, B9i-8h"),
    ("nana", "3/[CS]1[CS]/K1k b 2r", "cs-2a", "choose from CS1b-2a=D, CS3b-2a=D"),
    ("nana", "k2/3/B1K b Rrb", "B-4a", "4a is not a square of this board, which goes from 3a to 1c"),
]
ILLEGAL = [
    ("shogi", START, "P-5d", "none of Black's 9 pieces P can go to 5d like that; nearest legal: P-5f,"),
    ("shogi", START, "B-5e", "B-5e is not legal: something stands in the way of the bishop"),
    ("shogi", START, "R-5e", "the rook does not move from 2h to 5e; nearest legal: R-5h,"),
    ("shogi", START, "P*5e", "P*5e is not legal: Black has no pawn in hand"),
    ("shogi", START, "G7g-7f", "7g holds Black's pawn; nearest legal: G-7h,"),
    ("shogi", START, "P7c-7d", "7c holds White's pawn; nearest legal: P-7f,"),
    ("shogi", START, "G7e-7f", "7e is empty"),
    ("shogi", START, "+R-5h", "Black has no dragon king on the board"),
    ("shogi", START, "P-7f+", "the pawn cannot end as +P there; nearest legal: P-7f,"),
    ("shogi", START, "+P*5e", "+P cannot be dropped in shogi"),
    ("shogi", PINNED, "G-6f", "it would leave your king attacked; nearest legal: G-5f, G-5h"),
    ("shogi", "k8/P8/9/9/9/9/9/9/4K4 w -", "P-1a", "White has no pawn on the board"),
    ("shogi", "8k/P8/9/9/9/9/9/9/4K4 b -", "P-9a=", "could never move again"),
    ("nana", "k2/3/B1K b Rrb", "B-2b=D", "the bishop cannot end as D there; nearest legal: B-2b=TG"),
    ("nana", "k2/3/B1K b Rrb", "R*2b", "nothing may be dropped on the centre 2b"),
    ("nana", "k2/3/B1K b Rrb", "K-3b", "the king does not move from 1c to 3b; nearest legal: K-2c, K-1b"),
]
REFUSED = [*((NotationError, *row) for row in NO_MOVES), *((IllegalMoveError, *row) for row in ILLEGAL)]


@pytest.mark.parametrize(("error", "name", "start", "text", "part"), REFUSED)
def test_refusals_say_why(name: str, start: str, text: str, error: type[Exception], part: str) -> None:
    position = Position(name, start)
    with pytest.raises(error, match=re.escape(part)):
        read(position, text)
    assert position == Position(name, start)


def test_an_end_that_must_be_chosen_is_asked_for() -> None:
    position = _sketch("k8/9/9/7L1/9/9/9/9/4K4")
    assert str(read(position, "L-2c=S")) == "2d2c=S"
    with pytest.raises(NotationError, match="fits several moves; choose from L-2c=N, L-2c=S"):
        read(position, "L-2c")
    with pytest.raises(IllegalMoveError, match="the lance cannot end as L there; nearest legal: L-2c=N, L-2c=S"):
        read(position, "L-2c=")


def test_a_finished_game_still_has_a_word_for_bad_text() -> None:
    mated = Position("shogi", "k8/G8/P8/9/9/9/9/9/4K4 w -")
    assert mated.outcome() is not None
    with pytest.raises(NotationError, match="as in P-7f"):
        read(mated, "resigns")
    with pytest.raises(IllegalMoveError, match=r"K-8b is not legal: it does not parry the check to your king\Z"):
        read(mated, "K-8b")


# --- The oracle -----------------------------------------------------------------------------------------------------


def _oracle_position(position: Position) -> str:
    """The oracle's position string: its first side is w, and hands stand in brackets, one letter a piece."""
    board, side, hands = position.sfen().split()
    held = "".join(int(count or 1) * code for count, code in re.findall("([0-9]*)([A-Za-z])", hands))
    return f"{board}[{held}] {'w' if side == 'b' else 'b'} - - 0 1"


def _oracle_move(move: Move) -> str:
    """The oracle's move string: files a to i from Black's left, ranks 1 to 9 from Black's side, @ for a drop."""
    text = re.sub(
        "([1-9])([a-i])",
        lambda square: "ihgfedcba"[int(square[1]) - 1] + str("ihgfedcba".index(square[2]) + 1),
        str(move),
    )
    return text.replace("*", "@")


def test_whole_games_are_written_as_the_oracle_writes_them() -> None:
    pyffish = pytest.importorskip("pyffish")
    chance = random.Random(11)
    for _ in range(ORACLE_GAMES):
        position = Position("shogi")
        start, moves, ours = _oracle_position(position), [], []
        while (legal := position.legal_moves()) and position.ply < 250:
            move = chance.choice(legal)
            moves.append(_oracle_move(move))
            ours.append(write(position, move))
            position.push(move)
        theirs = pyffish.get_san_moves("shogi", start, moves, False, pyffish.NOTATION_SHOGI_HODGES)
        assert ours == theirs, " ".join(moves)


@pytest.mark.parametrize("seed", range(ORACLE_SEEDS))
def test_every_move_of_a_position_is_written_as_the_oracle_writes_it(seed: int) -> None:
    pyffish = pytest.importorskip("pyffish")
    shown = 0
    for position, _ in islice(random_play(komadai.variant("shogi"), seed, 100_000), 40, None, 9):
        ours = {_oracle_move(move): write(position, move) for move in position.legal_moves()}
        if len(ours) > ORACLE_MOST_MOVES:
            continue
        there = _oracle_position(position)
        assert set(ours) == set(pyffish.legal_moves("shogi", there, [])), position
        for move, text in ours.items():
            theirs = pyffish.get_san("shogi", there, move, False, pyffish.NOTATION_SHOGI_HODGES)
            assert text == theirs, f"{position!r} {move}"
        shown += 1
        if shown == ORACLE_POSITIONS:
            return
    pytest.fail("random play gave too few positions")
