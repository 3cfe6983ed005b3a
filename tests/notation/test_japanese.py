"""Moves as Japanese players write them: each is written, read back, and written as the federation's page has it.

Expected texts are those of the Japan Shogi Association's page on notation
(https://www.shogi.or.jp/faq/kihuhyouki.html); its diagrams are given here as position strings, with kings out of the
way. tsshogi 1.11 writes the same for them, and for each of 400,000 legal moves of random play and crowded positions.
"""

from __future__ import annotations

import pytest

import komadai
from komadai.errors import IllegalMoveError, NotationError
from komadai.game.position import Position
from komadai.notation.japanese import last_square, move_text, parse_move, read, write
from komadai.notation.japanese.names import find_square, number, numeral, square_text
from komadai.spec.board import Rect


def shogi(board: str, rest: str = "b -") -> Position:
    return Position("shogi", f"{board} {rest}")


# --- The federation's page ------------------------------------------------------------------------------------------

THE_PAGE = [
    # Two pieces: how they go.
    ("8k/2G6/G8/9/9/9/9/9/8K", "9c8b 8二金上 7b8b 8二金寄"),
    ("9/4G4/3G5/9/9/9/9/k8/8K", "5b5c 5三金引 6c5c 5三金寄"),
    ("k8/9/9/9/5G3/4G4/9/9/8K", "4e5e 5五金寄 5f5e 5五金上"),
    ("k8/9/9/6S2/9/8S/9/9/8K", "3d2e 2五銀引 1f2e 2五銀上"),
    # Two pieces that go alike: where they come from.
    ("G1G5k/9/9/9/9/9/9/9/8K", "9a8a 8一金左 7a8a 8一金右"),
    ("9/9/9/9/9/9/k8/9/3S1S2K", "6i5h 5八銀左 4i5h 5八銀右"),
    ("k8/9/9/9/9/9/9/9/3GG3K", "6i6h 6八金直 5i6h 6八金右 6i5h 5八金左 5i5h 5八金直"),
    ("k8/9/9/9/9/9/9/9/K4SS2", "4i3h 3八銀左 3i3h 3八銀直"),
    # Three and more: both, where one is not enough.
    ("k8/9/3GGG3/9/9/9/9/9/8K", "6c5b 5二金左 5c5b 5二金直 4c5b 5二金右"),
    ("k8/9/9/9/9/9/1+P7/+P8/+P+P+P5K", "9h8h 8八と寄 9i8h 8八と左上 8i8h 8八と直 7i8h 8八と右 8g8h 8八と引"),
    ("k8/9/9/9/9/9/6S1S/9/K5SS1", "3g2h 2八銀左引 1g2h 2八銀右 3i2h 2八銀左上 2i2h 2八銀直"),
    # Dragons and horses: never 直.
    ("+R8/8k/9/1+R7/9/9/9/9/8K", "9a8b 8二龍引 8d8b 8二龍上"),
    ("9/4+R4/7+R1/9/9/9/9/8k/K8", "2c4c 4三龍寄 5b4c 4三龍引"),
    ("9/9/9/9/4+R3+R/9/9/k8/8K", "5e3e 3五龍左 1e3e 3五龍右"),
    ("8k/9/9/9/9/9/9/9/+R+R6K", "9i8h 8八龍左 8i8h 8八龍右"),
    ("k8/9/9/9/9/9/9/7+R1/K7+R", "2h1g 1七龍左 1i1g 1七龍右"),
    ("+B+B6k/9/9/9/9/9/9/9/8K", "9a8b 8二馬左 8a8b 8二馬右"),
    ("k8/9/3+B5/9/+B8/9/9/9/8K", "9e8e 8五馬寄 6c8e 8五馬引"),
    ("k7+B/9/9/6+B2/9/9/9/9/8K", "1a1b 1二馬引 3d1b 1二馬上"),
    ("k8/9/9/9/9/9/9/9/+B3+B3K", "9i7g 7七馬左 5i7g 7七馬右"),
    ("k8/9/9/9/9/9/5+B3/8+B/K8", "4g2i 2九馬左 1h2i 2九馬右"),
]


@pytest.mark.parametrize(("board", "moves"), THE_PAGE)
def test_pieces_are_told_apart_as_the_page_has_it(board: str, moves: str) -> None:
    position, words = shogi(board), moves.split()
    for move, text in zip(words[::2], words[1::2], strict=True):
        assert _ascii_file(move_text(position, position.parse_move(move), None)).removesuffix("不成") == text
        assert str(read(position, text)) == str(move)


def _ascii_file(text: str) -> str:
    return text.translate(str.maketrans("１２３４５６７８９", "123456789"))


@pytest.mark.parametrize(("board", "moves"), THE_PAGE)
def test_white_sees_the_board_from_the_other_side(board: str, moves: str) -> None:
    ranks = [rank[::-1].swapcase() for rank in reversed(board.replace("+", "~").split("/"))]
    turned = "/".join("".join(_promotions_in_front(rank)) for rank in ranks)
    position, words = shogi(turned, "w -"), moves.split()
    for move, text in zip(words[::2], words[1::2], strict=True):
        there = "".join(
            str(10 - int(sign)) if sign.isdigit() else chr(ord("a") + ord("i") - ord(sign)) for sign in move
        )
        written = move_text(position, position.parse_move(there), None)
        assert written[2:].removesuffix("不成") == text[2:]


def _promotions_in_front(rank: str) -> list[str]:
    """The rank with each ``~`` behind a letter put as ``+`` in front of it."""
    signs: list[str] = []
    for sign in rank:
        signs.insert(len(signs) - (sign == "~"), "+" if sign == "~" else sign)
    return signs


@pytest.mark.parametrize(
    ("position", "move", "text"),
    [
        ("9/k8/9/9/9/9/2P6/9/8K b -", "7g7f", "７六歩"),
        ("9/k8/9/9/9/9/9/4G4/8K b G", "G*5g", "５七金打"),
        ("9/k8/9/9/9/9/9/4G4/8K b G", "G*5c", "５三金"),
        ("9/k7P/9/9/9/9/9/9/8K b -", "1b1a+", "１一歩成"),
        ("9/k7B/9/9/9/9/9/9/K8 b -", "1b5f+", "５六角成"),
        ("9/k7B/9/9/9/9/9/9/K8 b -", "1b5f", "５六角不成"),
        ("9/k8/9/9/4+S4/9/9/9/K8 b -", "5e5d", "５四成銀"),
        ("9/k8/9/9/9/9/9/9/8K w p", "P*5c", "５三歩"),
    ],
)
def test_promotions_and_drops(position: str, move: str, text: str) -> None:
    at = Position("shogi", position)
    assert move_text(at, at.parse_move(move), None) == text
    assert str(parse_move(at, text, None)) == str(move)


def test_the_same_square_again() -> None:
    position = Position("shogi")
    for move in ("7g7f", "3c3d", "8h2b+"):
        position.push(move)
    assert last_square(position) == "2b"
    assert write(position, position.parse_move("3a2b")) == "☖同　銀"
    assert [str(read(position, text)) for text in ("☖同　銀", "同銀", "△22同銀", "▽２二銀", "同飛")] == [
        *["3a2b"] * 4,
        "8b2b",
    ]
    assert move_text(position, position.parse_move("3a2b"), None) == "２二銀"
    with pytest.raises(NotationError, match="there is no move before it"):
        parse_move(position, "同銀", None)
    with pytest.raises(NotationError, match="the move before it ended on 2b, not on 3c"):
        read(position, "3三同角")


def test_a_pinned_piece_counts() -> None:
    # 6i is pinned to the king, but two golds stand beside the square; tsshogi writes 右 as well.
    position = shogi("k8/9/9/9/9/9/9/9/r2GKG3")
    assert move_text(position, position.parse_move("4i5h"), None) == "５八金右"
    assert str(parse_move(position, "58金", None)) == "4i5h"


# --- Reading --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["76歩", "７六歩", "七六歩", " ☗ ７六 歩", "▲７６歩", "▼76歩", "76歩(77)", "７六歩（７七）", "76歩上", "76歩直!?"],
)
def test_a_move_is_read_in_many_forms(text: str) -> None:
    assert str(read(Position("shogi"), text)) == "7g7f"


@pytest.mark.parametrize(
    ("board", "text", "move"),
    [
        ("8k/9/9/9/9/9/9/9/+R+R6K", "88竜右", "8i8h"),
        ("8k/9/9/9/9/9/9/9/+R+R6K", "88龍直", "8i8h"),
        ("k8/9/3GGG3/9/9/9/9/9/8K", "52金左上", "6c5b"),
        ("k8/9/3GGG3/9/9/9/9/9/8K", "52金上右", "4c5b"),
        ("+R8/8k/9/1+R7/9/9/9/9/8K", "82竜行", "8d8b"),
        ("+R8/8k/9/1+R7/9/9/9/9/8K", "82竜入", "8d8b"),
        ("k8/9/9/9/4+S4/9/9/9/8K", "54全", "5e5d"),
        ("k8/9/9/9/4+S4/9/9/9/8K", "54成銀", "5e5d"),
        ("k8/9/9/9/4+P4/9/9/9/8K", "54と金", "5e5d"),
        ("k8/9/9/9/4+P4/9/9/9/8K", "54成歩", "5e5d"),
        ("k8/9/9/9/9/9/9/9/8K", "28王", "1i2h"),
        ("k8/9/4S4/9/9/9/9/9/8K", "52銀成る", "5c5b+"),
        ("k8/9/4S4/9/9/9/9/9/8K", "52銀ならず", "5c5b"),
        ("k8/9/4S4/9/9/9/9/9/8K", "52銀生", "5c5b"),
        ("k8/9/4S4/9/9/9/9/9/8K", "52銀", "5c5b"),
        ("k8/9/4S4/9/9/9/9/9/8K", "52銀＝成銀", "5c5b+"),
        ("k8/4P4/9/9/9/9/9/9/8K", "51歩", "5b5a+"),
    ],
)
def test_words_that_say_more_or_otherwise(board: str, text: str, move: str) -> None:
    assert str(read(shogi(board), text)) == str(move)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("58金", "fits several moves; choose from ５八金右、５八金左"),
        ("58金上", "fits several moves; choose from ５八金右、５八金左"),
        ("58金直", "it can only be written ５八金右、５八金左"),
        ("58金右引", "it can only be written ５八金右、５八金左"),
        ("58金(59)", "it can only be written ５八金右、５八金左"),
        ("76歩成", "it can only be written ７六歩"),
        ("76歩打", "Black has no pawn in hand"),
        ("75歩", "none of Black's 9 pieces 歩 can go to 7e"),
        ("58龍", "Black has no 龍 on the board"),
        ("22角", "something stands in the way of the bishop from 8h to 2b"),
        ("△34歩", "△ marks a move of White, but Black is to move"),
        ("00歩", "00 is not a square of this board, which goes from ９一 to １九"),
        ("7十歩", "7十 is not a square of this board, which goes from ９一 to １九"),
        ("76猫", "is not a move"),
        ("歩", "is not a move; expected a square or 同, then a piece"),
        ("76歩" * 30, "is longer than 80 characters"),
    ],
)
def test_what_is_wrong_is_said(text: str, why: str) -> None:
    with pytest.raises((NotationError, IllegalMoveError)) as caught:
        read(Position("shogi"), text)
    assert why in str(caught.value)


# --- Other games ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "position", "move", "text"),
    [
        ("mortal", "9/k8/9/9/9/9/9/9/8K b N", "N*5e", "５五桂"),
        ("mortal", "9/k7P/9/9/9/9/9/9/8K b -", "1b1a=G", "１一歩＝金"),
        ("mortal", "9/k8/8R/9/9/9/9/9/K8 b -", "1c1b=DK", "１二飛成"),
        ("mortal", "9/k8/8R/9/9/9/9/9/K8 b -", "1c1b", "１二飛不成"),
        ("hand", "9/k8/9/9/4[PD]4/9/9/9/K8 b -", "5e5c", "５三豹"),
        ("hand", "k8/9/9/9/8N/9/9/9/K8 b -", "1e2c+", "２三桂成"),
        ("nana", "1k1/3/1K1 b Rr", "R*1b", "１二飛"),
    ],
)
def test_other_games(game: str, position: str, move: str, text: str) -> None:
    at = Position(game, position)
    assert move_text(at, at.parse_move(move), None) == text
    assert str(parse_move(at, text, None)) == str(move)


# --- Squares and numbers --------------------------------------------------------------------------------------------


def test_numbers_in_kanji() -> None:
    assert "".join(map(numeral, (1, 9, 10, 11, 19, 20, 25))) == "一九十十一十九二十二十五"
    assert all(number(numeral(count)) == count for count in range(1, 100))
    assert [number(text) for text in ("", "十十", "一二", "百", "007")] == [0] * 5


@pytest.mark.parametrize("board", [Rect(3, 3), Rect(9, 9), Rect(19, 19), Rect(25, 25)])
def test_squares_read_back(board: Rect) -> None:
    for point in board.points:
        assert (
            find_square(board, square_text(board, point).translate(str.maketrans("０１２３４５６７８９", "0123456789")))
            == point
        )


def test_styles_offer_it() -> None:
    position = Position("shogi")
    assert position.notate("7g7f", "japanese") == "☗７六歩"
    assert str(position.parse("☗７六歩", "japanese")) == "7g7f"
    assert str(position.parse("76歩")) == "7g7f"
    with pytest.raises(NotationError, match="choose from ５八金右、５八金左"):
        position.parse("58金")
    game = komadai.Game("shogi")
    for move in ("7g7f", "3c3d", "8h2b+", "3a2b"):
        game.push(move)
    assert game.notation("japanese") == ["☗７六歩", "☖３四歩", "☗２二角成", "☖同　銀"]
