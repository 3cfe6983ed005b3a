"""Ki's own notation (docs/rules/ki.md, "Notation"): written, read back, and refused with a reason."""

from __future__ import annotations

import re

import pytest

import komadai
from helpers.support import random_play
from komadai.errors import IllegalMoveError, NotationError
from komadai.game.game import Game
from komadai.game.position import Position
from komadai.notation import compass, hodges, of
from komadai.notation.compass import offset, read, write

# --- The compass ----------------------------------------------------------------------------------------------------

PLACES = [
    ((0, 1), "N"), ((0, -3), "S3"), ((1, 1), "NE"), ((-2, 2), "NW2"), ((1, 2), "NNE"), ((2, 1), "ENE"),
    ((2, -1), "ESE"), ((1, -2), "SSE"), ((-1, -2), "SSW"), ((-2, -1), "WSW"), ((-2, 1), "WNW"), ((-1, 2), "NNW"),
    ((2, 4), "NNE2"), ((-6, -3), "WSW3"), ((1, 3), "N3E1"), ((-3, -2), "S2W3"), ((12, -11), "S11E12"),
]  # fmt: skip


@pytest.mark.parametrize(("vector", "name"), PLACES)
def test_names_of_places(vector: tuple[int, int], name: str) -> None:
    assert compass.compass(*vector) == name
    assert offset(name) == offset(name.lower()) == vector


def test_every_place_has_one_name() -> None:
    vectors = [(x, y) for x in range(-24, 25) for y in range(-24, 25) if (x, y) != (0, 0)]
    names = [compass.compass(*vector) for vector in vectors]
    assert len(set(names)) == len(vectors)
    assert [offset(name) for name in names] == vectors


def test_places_in_ranks_and_files_are_read_where_there_is_a_wind() -> None:
    assert (offset("N2E2"), offset("S2W1"), offset("N1")) == ((2, 2), (-1, -2), (0, 1))
    assert [offset(text) for text in ("", "N0", "NN", "NEN", "E1N3", "N3", "NS", "N3E0")] == [
        None, None, None, None, None, (0, 3), None, None,
    ]  # fmt: skip


# --- The source's sample game ---------------------------------------------------------------------------------------

STRINGS = (  # docs/rules/ki.md, "Checks"
    "K*5e K*4c CHO*4e MYOU*3c 4e4f 4c3d MYOU*5f CHO*3e 5f4e 3e4e=OU 4f4e ZOU*4c CHO*4f 3c2d 4e4d 2d4f=GA 4d4f 4c4f "
    "5e4f 4c5c ZOU*4e 5c6c KEN*6f 6c7c 6f6e CHO*7b 6e5f 7b6b 4e4d HI*7d"
)
GAME = (
    "*Gyoku, *Gyoku NNE, *Cho E, *Myou E, Cho(Hi) S+, Gyoku SE, *Myou S, *Cho S, Myou(Kaku) NE+, Cho(Ou) x Kaku+, "
    "Hi(Chuu) x Ou, *Zou NW, *Cho SE, Myou(Kaku) SE, Chuu(Han) N, Kaku(Ga) x Cho, Han(Shu) x Ga, Zou(Kaku) x Shu+, "
    "Gyoku x Kaku, Gyoku W, *Zou E, Gyoku W, *Ken SW, Gyoku W, Ken(Zou) N, *Cho N, Zou(Ken) SE, Cho(Hi) E, Zou(Ken) N, "
    "*Hi S"
)


def before(number: int, side: str) -> Position:
    """The sample game before a move, numbered in pairs as the source does."""
    position = Position("ki")
    for move in STRINGS.split()[: 2 * number - 2 + (side == "w")]:
        position.push(move)
    return position


def test_the_sample_game_is_written_and_read() -> None:
    game, typed = Game("ki"), Game("ki")
    for string, text in zip(STRINGS.split(), GAME.split(", "), strict=True):
        game.push(string)
        typed.push(read(typed.position, text))
    assert game.notation() == typed.notation() == GAME.split(", ")
    assert [str(move) for move in typed.moves] == STRINGS.split()
    assert str(typed.outcome()).startswith("White wins")


SLIPS = [
    # A Cho that captures becomes Ou or Shu.
    (5, "Cho(Hi) x Kaku", "a Cho that captures there becomes Ou or Shu, not Hi; nearest legal: Cho(Ou) x Kaku+,"),
    (5, "3e4e=HI", "must end as one of these: 3e4e=OU, 3e4e=SHU"),
    (5, "3e4e", "must end as one of these: 3e4e=OU, 3e4e=SHU"),
    # No check.
    (8, "Kaku(Ga) x Cho+", "it gives no check; without the + it is written Kaku(Ga) x Cho"),
    (8, "2d4f+", "can only be written 2d4f=GA, 2d4f=KEN"),
    # A place next to both Gyoku.
    (15, "*Hi SE", "no cube may be dropped next to the other Gyoku [ki.md 2]; nearest legal: "),
    (15, "HI*6d", "no cube may be dropped next to the other Gyoku [ki.md 2]"),
]


@pytest.mark.parametrize(("number", "text", "part"), SLIPS)
def test_the_slips_of_the_sample_games_author_are_refused(number: int, text: str, part: str) -> None:
    position = before(number, "w")
    with pytest.raises(IllegalMoveError, match=re.escape(part)):
        position.parse_move(text) if text[0].isdigit() or text.startswith("HI") else read(position, text)


def test_the_first_moves_are_places_round_blacks_gyoku() -> None:
    position = Position("ki")
    position.push("K*5e")
    names = {write(position, move) for move in position.legal_moves()}
    places = "N2 NNE NE2 ENE E2 ESE SE2 SSE S2 SSW SW2 WSW W2 WNW NW2 NNW"
    assert names == {f"*Gyoku {place}" for place in places.split()}


# --- Checks ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ki", "ki-unicorn"])
def test_the_sign_of_check_is_true(name: str) -> None:
    checks = 0
    for position, chance in random_play(komadai.variant(name), 8, 150):
        for move in chance.sample(moves := position.legal_moves(), min(len(moves), 8)):
            text = write(position, move)
            position.push(move)
            assert position.is_check() == text.endswith("+")
            position.pop()
            checks += text.endswith("+")
            if not text.endswith("+"):
                with pytest.raises(IllegalMoveError, match="it gives no check; without the"):
                    read(position, f"{text}+")
    assert checks


# --- What the form leaves open --------------------------------------------------------------------------------------

FORMS = [
    # One of a kind: the start place is not said, and the direction of a capture neither.
    ("9/9/4k4/3[HI]5/4K4/9/9/9/9 b [kaku]", "6d6c", "Hi(Cho) N+"),
    ("9/9/3[zou]k4/3[HI]5/4K4/9/9/9/9 b [kaku]", "6d6c", "Hi(Chuu) x Zou"),
    # Two of a kind that could do the same, counted from the mover's own Gyoku.
    ("9/9/4k4/3[ZOU]1[ZOU]3/4K4/9/9/9/9 b [hi]", "6d6c", "Zou[NW](Ken) N"),
    ("9/9/4k4/3[zou]1[zou]3/4K4/9/9/9/9 w [hi]", "6d6e", "Zou[SW](Ken) S"),
    # Two of a kind in different directions.
    ("9/9/4k4/3[ZOU]5/4K4/5[ZOU]3/9/9/9 b [hi]", "6d6c", "Zou[NW](Ken) N"),
    # One piece, two alike to capture; then two pieces as well.
    ("9/9/3[zou]k4/3[HI]1[zou]3/4K4/9/9/9/9 b [hi]", "6d6c", "Hi(Chuu) x Zou N"),
    ("9/9/3[zou]k4/3[HI]1[zou]3/4K4/9/9/9/9 b [hi]", "6d4d", "Hi(Chuu) x Zou E2"),
    ("9/9/3[zou]k4/3[HI]1[zou]3/4K[HI]3/9/9/9/9 b -", "6d6c", "Hi[NW](Chuu) x Zou N"),
    ("9/9/3[zou]k4/3[HI]1[zou]3/4K[HI]3/9/9/9/9 b -", "6d4d", "Hi[NW](Chuu) x Zou E2"),
    ("9/9/3[zou]k4/3[HI]1[zou]3/4K[HI]3/9/9/9/9 b -", "4e4d", "Hi[E](Chuu) x Zou"),
    # The Gyoku is one of its kind, and needs no start place.
    ("9/9/4k4/9/3[chuu]K[chuu]3/9/9/9/9 b [KAKU]", "5e4e", "Gyoku x Chuu E"),
    ("9/9/4k4/9/3[chuu]K4/9/9/9/9 b [KAKU]", "5e6e", "Gyoku x Chuu"),
    # A drop is placed from one's own Gyoku.
    ("9/9/4k4/9/4K4/9/9/9/9 b [HI][KAKU][hi]", "HAN*5f", "*Han S"),
    ("9/9/4k4/9/4K4/9/9/9/9 w [HI][KAKU][hi]", "HAN*5b", "*Han N"),
]


@pytest.mark.parametrize(("start", "move", "text"), FORMS)
def test_forms(start: str, move: str, text: str) -> None:
    position = Position("ki", start)
    assert write(position, position.parse_move(move)) == text
    assert str(read(position, text)) == move


def test_on_a_table_the_first_gyoku_is_placed_by_its_square() -> None:
    position = Position("ki", field="5x5")
    assert write(position, position.parse_move("K*2b")) == "*Gyoku 2b"
    assert str(read(position, "*gyoku2B")) == "K*2b"
    with pytest.raises(NotationError, match=re.escape("fits several moves; choose from *Gyoku 1a, *Gyoku 1b")):
        read(position, "*Gyoku")
    with pytest.raises(NotationError, match="there is no place 6a on this board"):
        read(position, "*Gyoku 6a")
    position.push("K*2b")
    assert write(position, position.parse_move("K*4c")) == "*Gyoku WSW"


def test_a_leap_is_written_by_where_it_ends() -> None:
    position = Position("ki-unicorn")
    for move in ("K*10j", "K*9h", "KI*11k", "KI*8g"):
        position.push(move)
    assert write(position, position.parse_move("11k13k")) == "Ki(Hou) W2"


# --- Leniency -------------------------------------------------------------------------------------------------------

SPARE = "9/9/3[zou]k4/3[HI]5/4K4/9/9/9/9 b [kaku]"
LENIENT = [
    (SPARE, "hi(chuu)xzou", "6d6c"),
    (SPARE, "HI (CHUU) × ZOU !?", "6d6c"),
    (SPARE, "Hi x Zou", "6d6c"),
    (SPARE, "Hi x N", "6d6c"),
    (SPARE, "Hi N", "6d6c"),
    (SPARE, "Hi[NW](Chuu) x Zou N1", "6d6c"),
    (SPARE, "Gyoku(Gyoku)w", "5e6e"),
    ("9/9/4k4/9/4K4/9/9/9/9 b [HI][KAKU][hi]", "'hanS", "HAN*5f"),
    ("9/9/4k4/9/4K4/9/9/9/9 b [HI][KAKU][hi]", "* Han 5f", "HAN*5f"),
]


@pytest.mark.parametrize(("start", "text", "move"), LENIENT)
def test_what_the_writer_would_not_write_is_read(start: str, text: str, move: str) -> None:
    assert str(read(Position("ki", start), text)) == move


def test_a_move_not_called_a_capture_is_none_where_it_can() -> None:
    # One Chuu could turn to Han by a quiet step north, the other by a capture there.
    position = Position("ki", "9/9/4k[zou]3/5[CHUU]3/3[CHUU]K4/9/9/9/9 b [kaku]")
    assert str(read(position, "Chuu(Han) N")) == "6e6d"
    assert str(read(position, "Chuu(Han) x Zou")) == "4d4c=HAN"


# --- What is refused ------------------------------------------------------------------------------------------------

TWO = "9/9/4k4/3[ZOU]1[ZOU]3/4K4/9/9/9/9 b [hi]"
NO_MOVES = [
    (SPARE, "", "is not a move; expected a piece and a direction, or x and a piece, or * before a drop, as in"),
    (SPARE, "Hi", "is not a move; expected"),
    (SPARE, "Hi x", "is not a move; expected"),
    (SPARE, "Hi N" * 31, "is longer than 120 characters"),
    (SPARE, "Ro N", "ki has no piece Ro; its pieces are Gyoku Hi Cho"),
    (SPARE, "Hi(Foo) x Bar", "ki has no piece Foo; its pieces are"),
    (SPARE, "Hi NEN", "NEN is not a compass direction; expected one like N, NE2, NNE or N3E1"),
    (SPARE, "*Hi N0", "N0 is not a compass direction"),
    (SPARE, "*Hi W9", "there is no place W9 from Black's Gyoku"),
    (TWO, "Zou N", "fits several moves; choose from Zou[NE](Ken) N, Zou[NW](Ken) N"),
]
ILLEGAL = [
    (SPARE, "Hi(Cho) x Zou", "a Hi that captures there becomes Chuu, not Cho; nearest legal: Hi(Chuu) x"),
    (SPARE, "Hi(Chuu) E", "a Hi that moves there becomes Cho, not Chuu; nearest legal: "),
    (SPARE, "Hi x Ken", "White has no Ken on the board; nearest legal: "),
    (SPARE, "Hi x Zou E", "no Zou of White stands E of the Hi; nearest legal: Hi(Chuu) x Zou"),
    (SPARE, "Zou N", "Black has no Zou on the board"),
    (SPARE, "Hi[E] N", "the place E from Black's Gyoku is empty; nearest legal: "),
    (SPARE, "Hi[N2] N", "the place N2 from Black's Gyoku holds White's Gyoku; nearest legal: "),
    (SPARE, "Hi N9", "the board ends before N9 of the Hi"),
    (SPARE, "Hi NE", "the flying does not move from 6d to 5c; nearest legal: "),
    (SPARE, "Gyoku S", "exactly two points from each other [ki.md 1]; nearest legal: Gyoku"),
    (SPARE, "*Han N", "Black has no flying in hand"),
    ("9/9/4k4/9/4K4/9/9/9/9 b [HI][KAKU][hi]", "*Hi N", "next to the other Gyoku [ki.md 2]; nearest"),
    ("9/9/4k4/9/4K4/9/9/9/9 b [HI][KAKU][hi]", "*Gyoku S", "Black has no Gyoku in hand"),
]
REFUSED = [*((NotationError, *row) for row in NO_MOVES), *((IllegalMoveError, *row) for row in ILLEGAL)]


@pytest.mark.parametrize(("error", "start", "text", "part"), REFUSED)
def test_refusals_say_why(start: str, text: str, error: type[Exception], part: str) -> None:
    position = Position("ki", start)
    before = position.sfen(ply=True)
    with pytest.raises(error, match=re.escape(part)):
        read(position, text)
    assert position.sfen(ply=True) == before


def test_each_game_has_its_notation() -> None:
    assert of(komadai.variant("ki")) is compass
    assert of(komadai.variant("ki-unicorn", field="9x9")) is compass
    assert of(komadai.variant("nana")) is hodges
