"""Japanese notation beyond single landings on squares: turns of several landings and shots, and places by compass.

No rules page has it, so each expected text stands beside what Hodges notation or the compass says of the same move,
whose parts it has one by one.
"""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

import pytest

import komadai
from helpers.ki import PAGE
from helpers.ko import board
from helpers.support import FIXTURES, random_play
from helpers.volume import volume
from komadai.errors import IllegalMoveError, NotationError
from komadai.game.position import Position
from komadai.notation.japanese import last_square, move_text, parse_move, read, write

ROWS = [row for row in json.loads((FIXTURES / "ko.json").read_text(encoding="utf-8"))["positions"] if row["moves"]]
ROWS_READ_BACK = [row for row in ROWS if len(row["moves"]) < 300][:: max(1, len(ROWS) // volume(32, 4))]
WRESTLER = board("SW 8i, p 8h, p 9h")
TWO_WRESTLERS = board("SW 8i, SW 13r, p 8h")
FOG = board("+TP 8g, tp 10e, p 8d, p 9h, p 11f, e 5e, p 8f")
CANNON = board("FC 9l, p 8h, p 11k, p 8f")


# --- Landings and shots ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "move", "hodges", "text"),
    [
        (board("P 8i, D 10o"), "8i8h", "P-8h", "８八歩兵"),
        (Position("ko"), "10m10l", "V-10l", "１０十二先鋒"),
        (Position("ko"), "19n19f+", "CUx19f+", "１９六車総成"),
        (Position("ko"), "19n19f", "CUx19f=", "１９六車総不成"),
        (Position("ko"), "16n15m", "SH16n-15m", "１５十三牌左"),
        # Namesakes: two kinds of the same kanji are told apart as pieces of one kind.
        (board("CU 8i, +CH 6i"), "8i7i", "CU-7i", "７九車総左"),
        # Shots.
        (board("LB 9l, p 8h"), "9l8k*8h", "LB-8k*8h", "８十一弓射８八"),
        (board("LB 9l, LB 7l, p 8h"), "9l8k*8h", "LB9l-8k*8h", "８十一弓左射８八"),
        (board("LB 9g, p 8d"), "9g8f*8d+", "LB-8f*8d+", "８六弓成射８四"),
        (CANNON, "9l8k*11k*8h", "FC-8k*11k*8h", "８十一佛狼機射１１十一８八"),
        (board("LB 8k, p 8h", shoot_mode="either"), "8k*8h", "LB--*8h", "居弓射８八"),
        # Walks: landings that capture, and the end.
        (WRESTLER, "8i8h8g", "SWx8h-8g", "８八・８七力士"),
        (WRESTLER, "8i7h8g", "SW-8g", "８七力士"),
        (WRESTLER, "8i8h8i", "SWx!8h", "８八居喰力士"),
        (WRESTLER, "8i7h8i", "SW--", "居力士"),
        (TWO_WRESTLERS, "8i7h8i", "SW8i--", "居力士（８九）"),
        # Shots at each landing.
        (FOG, "8g8e*8d10c", "+TP-8e*8d-10c", "８五射８四・１０三五里霧"),
        (FOG, "8g8e*8d10g*11f", "+TP-8e*8d-10g*11f", "８五射８四・１０七五里霧射１１六"),
        (FOG, "8g8e*8d8g", "+TP-8e*!8d", "８五射８四・居五里霧"),
        (FOG, "8g8e*8d8g*9h", "+TP-8e*8d--*9h", "８五射８四・居五里霧射９八"),
        (FOG, "8g10e8g", "+TPx!10e", "１０五居喰五里霧"),
        (FOG, "8g10e*11f8g*8f", "+TPx10e*11f--*8f", "１０五射１１六・居五里霧射８六"),
        (board("+TP 8g, +sm 14g"), "8g10g", "+TP-10g=TP", "１０七五里霧＝高道"),
    ],
)
def test_a_turn_is_written_landing_by_landing(position: Position, move: str, hodges: str, text: str) -> None:
    assert position.notate(move, "hodges") == hodges
    assert position.notate(move, "japanese") == f"☗{text}"
    assert str(read(position, text)) == str(move)


@pytest.mark.parametrize(
    ("position", "text", "move"),
    [
        (WRESTLER, "8八居喰い力士", "8i8h8i"),
        (WRESTLER, "8八居食い力士", "8i8h8i"),
        (WRESTLER, "8八・居力士", "8i8h8i"),
        (WRESTLER, "８八・８九力士", "8i8h8i"),
        (WRESTLER, "じっと力士", "8i7h8i"),
        (WRESTLER, "7八・8七力士", "8i7h8g"),
        (CANNON, "８十一仏狼機射８八射８六", None),
        (CANNON, "８十一仏狼機射８八８六", "9l8k*8h*8f"),
    ],
)
def test_a_turn_is_read_in_other_forms(position: Position, text: str, move: str | None) -> None:
    if move is None:
        with pytest.raises(NotationError):
            read(position, text)
    else:
        assert str(read(position, text)) == str(move)


@pytest.mark.parametrize(
    ("position", "text", "why"),
    [
        (TWO_WRESTLERS, "居力士", "fits several moves; choose from 居力士（１３十八）、居力士（８九）"),
        (WRESTLER, "８五力士", "the sumo wrestler does not move from 8i to 8e"),
        (WRESTLER, "８七力士射８八", "it can only be written"),
        (WRESTLER, "２０一力士", "20一 is not a square of this board, which goes from １９一 to １十九"),
        (WRESTLER, "同力士", "there is no move before it"),
        (WRESTLER, "・力士", "is not a move"),
        (WRESTLER, "射力士", "射 is not a square"),
        (WRESTLER, "８八弓", "Black has no 弓 on the board"),
    ],
)
def test_what_is_wrong_with_a_turn_is_said(position: Position, text: str, why: str) -> None:
    with pytest.raises((NotationError, IllegalMoveError)) as caught:
        read(position, text)
    assert why in str(caught.value)


@pytest.mark.parametrize("row", ROWS_READ_BACK)
def test_every_turn_has_a_text_of_its_own(row: dict[str, Any]) -> None:
    position = Position("ko", row["position"])
    moves = position.legal_moves()
    texts = {write(position, move): move for move in moves}
    assert len(texts) == len(moves)
    for text, move in islice(texts.items(), 0, None, 5):
        assert str(read(position, text)) == str(move)


# --- By compass -----------------------------------------------------------------------------------------------------


def sample_game() -> list[str]:
    """The moves of the page's sample game, as its code block has them."""
    return next(
        line for line in PAGE.read_text(encoding="utf-8").split("`") if line.startswith("K*5e K*4c CHO*4e")
    ).split()


def test_the_sample_game_by_compass() -> None:
    position, texts = Position("ki"), []
    for move in sample_game():
        texts.append(position.notate(move, "japanese"))
        assert str(position.parse(texts[-1], "japanese")) == str(move)
        position.push(move)
    assert texts[:10] == [
        "☗玉",  # *Gyoku
        "☖北北東玉",  # *Gyoku NNE
        "☗東猪",  # *Cho E
        "☖東猫",  # *Myou E
        "☗南東猪＝飛",  # Cho(Hi) S, to the south-east of the Gyoku
        "☖南東玉",  # Gyoku SE
        "☗南猫",  # *Myou S
        "☖南猪",  # *Cho S
        "☗東猫＝角",  # Myou(Kaku) NE, to the east of the Gyoku
        "☖同　猪＝横",  # Cho(Ou) x Kaku
    ]
    assert texts[-3:] == ["☖北東猪＝飛", "☗北東雑＝犬", "☖南飛"]


def test_the_window_moves_with_the_king_and_so_does_the_square_before() -> None:
    position = Position("ki")
    for move in ("K*5e", "K*4c"):
        position.push(move)
    assert last_square(position) == "4c"
    position.push("5e6e")
    assert position.piece_at("5e") is not None
    assert last_square(position) == "5e"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("北北北猪", "there is no place 北北北"),
        ("北９９猪", "there is no place 北99"),
        ("北北東猪", "is not empty"),
        ("猪", "is not a move"),
        ("東猪（西）", "it can only be written 東猪"),
    ],
)
def test_what_is_wrong_with_a_place_is_said(text: str, why: str) -> None:
    position = Position("ki")
    for move in ("K*5e", "K*4c"):
        position.push(move)
    with pytest.raises((NotationError, IllegalMoveError)) as caught:
        parse_move(position, text, None)
    assert why in str(caught.value)


@pytest.mark.parametrize("field", ["unbounded", "5x5"])
def test_a_king_in_the_way_of_no_text(field: str) -> None:
    variant = komadai.variant("ki", field=field)
    position = next(islice(random_play(variant, 3, 1), 1))[0]
    texts = [move_text(position, move, None) for move in position.legal_moves()]
    assert texts == (["玉"] if field == "unbounded" else texts)
    assert len(set(texts)) == len(texts)
