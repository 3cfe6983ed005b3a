"""Ki Shogi, rule by rule of docs/rules/ki.md, without and with the unicorn cube: rules 1 to 3."""

from __future__ import annotations

import pytest

from helpers.ki import HI, KAKU, ORBIT, dropped, refusal, table, ways
from helpers.support import legal, play
from komadai.game.position import Position
from komadai.spec.setup import Piece

# --- Rule 1: the two Gyoku ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "middle"), [("ki", "5e"), ("ki-unicorn", "10j")])
def test_rule_1_black_s_first_move_has_one_place(name: str, middle: str) -> None:
    assert legal(Position(name)) == {f"K*{middle}"}


def test_rule_1_only_relative_places_matter() -> None:
    start = "9/9/9/9/9/9/9/9/9 b K[HI][KAKU]k[hi][kaku]"
    assert "only relative places matter" in refusal(start, "K*4e")
    assert "the first move must place the Gyoku" in refusal(start, "HI*5e")


def test_rule_1_white_s_first_move_has_sixteen_places() -> None:
    placed = play("ki", "K*5e")
    assert legal(placed) == {f"K*{square}" for square in ORBIT}
    for near_or_far in ("5d", "4f", "5b", "2h", "8e"):
        assert "exactly two points" in refusal(placed.sfen(), f"K*{near_or_far}")
    assert "the first move must place the Gyoku" in refusal(placed.sfen(), "CHO*6c")
    assert len(legal(play("ki-unicorn", "K*10j"))) == 16


@pytest.mark.parametrize(
    ("position", "start", "reached"),
    [
        ("9/9/4k4/9/4K4/9/9/9/9 b -", "5e", {"4e", "6e"}),
        ("9/9/6k2/9/4K4/9/9/9/9 b -", "5e", {"5d", "4e"}),
        ("9/9/5k3/9/4K4/9/9/9/9 b -", "5e", {"6d", "6e", "4e"}),
        ("9/9/5k3/9/4K4/9/9/9/9 w -", "4c", {"5c", "3c", "3d"}),
    ],
)
def test_rule_1_the_gyoku_stay_at_distance_two(position: str, start: str, reached: set[str]) -> None:
    assert ways(position, start) == reached


@pytest.mark.parametrize("move", ["5e5d", "5e4d", "5e5f", "5e6f"])
def test_rule_1_a_gyoku_move_that_breaks_the_orbit_is_refused(move: str) -> None:
    assert "exactly two points from each other [ki.md 1]" in refusal("9/9/4k4/9/4K4/9/9/9/9 b -", move)


def test_rule_1_captures_by_a_gyoku_keep_the_orbit_too() -> None:
    assert "exactly two points" in refusal("9/9/4k4/4[kaku]4/4K4/9/9/9/9 b -", "5e5d")
    assert "exactly two points" in refusal("9/9/4k4/9/4K4/4[kaku]4/9/9/9 b -", "5e5f")
    position = play("ki", "5e4e", start="9/9/4k4/9/4K[myou]3/9/9/9/9 b -")
    assert position.sfen() == "9/9/3k5/9/4K4/9/9/9/9 w [KAKU]"


# --- Rule 2: moves and drops ----------------------------------------------------------------------------------------


def test_rule_2_a_turn_is_a_move_or_a_drop() -> None:
    moves = legal(Position("ki", "9/9/4k4/9/4K4/4[CHO]4/9/9/9 b [KAKU]"))
    assert {"5e4e", "5f4f", "GA*4f"} <= moves


def test_rule_2_drops_go_next_to_one_s_own_gyoku_but_not_to_the_other() -> None:
    position = "9/9/4k4/9/4K4/9/9/9/9 b [HI][KAKU]"
    for face in (*HI, *KAKU):
        assert dropped(position, face) == {"6e", "4e", "6f", "5f", "4f"}, face
    for shared in ("6d", "5d", "4d"):
        assert "next to the other Gyoku [ki.md 2]" in refusal(position, f"CHO*{shared}")
    assert "next to the other Gyoku" in refusal(position, "CHO*5b")
    for away in ("5g", "3e", "7c", "1i"):
        assert "next to your own Gyoku [ki.md 2]" in refusal(position, f"CHO*{away}")


def test_rule_2_white_drops_next_to_white_s_gyoku() -> None:
    position = "9/9/4k4/9/4K4/9/9/9/9 w [hi][kaku]"
    assert dropped(position, "MYOU") == {"6b", "5b", "4b", "6c", "4c"}
    assert "next to the other Gyoku" in refusal(position, "MYOU*4d")
    assert "next to your own Gyoku" in refusal(position, "MYOU*4g")


def test_rule_2_drops_go_on_empty_squares() -> None:
    position = "9/9/4k4/9/4K4/4[CHO]4/9/9/9 b [KAKU]"
    assert dropped(position, "MYOU") == {"6e", "4e", "6f", "4f"}
    assert "5f is not empty" in refusal(position, "MYOU*5f")
    assert "no flying in hand" in refusal(position, "HI*4f")


def test_rule_2_a_drop_may_not_attack_the_other_gyoku() -> None:
    position = "9/9/5k3/9/4K4/9/9/9/9 b [HI][KAKU]"
    assert dropped(position, "CHO") == {"6d", "6e", "6f", "5f", "4f", "4e"}
    assert dropped(position, "HI") == {"6d", "6e", "6f", "5f"}
    assert dropped(position, "KAKU") == {"6d", "6f", "5f", "4f", "4e"}
    assert "a drop may not attack the other Gyoku [ki.md 2]" in refusal(position, "HI*4e")
    assert "a drop may not attack" in refusal(position, "KAKU*6e")
    # Shielded, it does not attack.
    assert "4f" in dropped("9/9/5k3/9/4K[CHO]3/9/9/9/9 b [HI]", "HI")


# After *Gyoku, *Gyoku NNE, derived by hand from rules 1 and 2: White's Gyoku is one point east and two north. North and
# north-east are next to it. From south-east and east it stands straight ahead; from west it stands diagonally ahead.
REPLIES = {
    "HI": "NW W SW S",
    "CHO": "NW W SW S SE E",
    "HAN": "NW W SW S",
    "CHUU": "NW W SW S SE E",
    "OU": "NW W SW S SE E",
    "SHU": "NW W SW S",
    "KAKU": "NW SW S SE E",
    "MYOU": "NW W SW S SE E",
    "HON": "NW SW S SE E",
    "GA": "NW W SW S SE E",
    "ZOU": "NW W SW S",
    "KEN": "NW W SW S SE E",
}
GYOKU_REPLIES = "NW W E"
COMPASS = {"N": "5d", "NE": "4d", "E": "4e", "SE": "4f", "S": "5f", "SW": "6f", "W": "6e", "NW": "6d"}


def test_rule_2_the_65_replies_of_the_source() -> None:
    position = play("ki", "K*5e", "K*4c")
    moves = legal(position)
    named = {f"{face}*{COMPASS[place]}" for face, places in REPLIES.items() for place in places.split()}
    named |= {f"5e{COMPASS[place]}" for place in GYOKU_REPLIES.split()}
    assert moves == named
    assert len(moves) == 65
    for face in REPLIES:
        for place in set(COMPASS) - set(REPLIES[face].split()):
            near = place in ("N", "NE")
            said = refusal(position.sfen(), f"{face}*{COMPASS[place]}")
            assert ("next to the other Gyoku" if near else "may not attack") in said


# --- Rule 3: faces --------------------------------------------------------------------------------------------------


def test_rule_3_the_table_is_symmetric() -> None:
    for code, (_, _, _, opposite, _, _) in table().items():
        assert all(table()[face][3] == (code,) for face in opposite), code


@pytest.mark.parametrize(
    ("before", "start", "to"),
    [
        ("HI", "5f", "4f"), ("CHO", "5f", "6f"), ("HAN", "4e", "4d"), ("CHUU", "4e", "4f"), ("OU", "5f", "6f"),
        ("SHU", "5f", "4f"), ("KAKU", "5f", "4e"), ("MYOU", "5f", "6e"), ("HON", "5f", "4e"), ("GA", "5f", "6e"),
        ("ZOU", "4e", "4d"), ("KEN", "4e", "5f"),
    ],
)  # fmt: skip
def test_rule_3_a_quiet_move_flips_to_the_opposite_face(before: str, start: str, to: str) -> None:
    field = {"5f": "9/9/4k4/9/4K4/4[{}]4/9/9/9 b -", "4e": "9/9/4k4/9/4K[{}]3/9/9/9/9 b -"}[start].format(before)
    (after,) = table()[before][3]
    assert to in ways(field, start), "no choice, so nothing is written"
    position = play("ki", start + to, start=field)
    assert position.piece_at(start) is None
    assert position.piece_at(to) == Piece("b", after)


def test_rule_3_white_s_cubes_flip_alike() -> None:
    assert play("ki", "6d6c", start="9/9/4k4/3[cho]5/4K4/9/9/9/9 w -").piece_at("6c") == Piece("w", "HI")


@pytest.mark.parametrize("code", [*HI, *KAKU])
def test_rule_3_one_that_captures_takes_one_of_the_faces_listed(code: str) -> None:
    # The victim stands where the piece's first way leads from 5f.
    way = {"KAKU": "4e", "MYOU": "4e", "HON": "4e", "GA": "4e", "OU": "4f", "CHO": "4f", "HI": "4f", "SHU": "4f"}
    faces = table()[code][4]
    if code in way:
        rows = {"4e": "4K[chuu]3/4[{}]4", "4f": "4K4/4[{}][chuu]3"}[way[code]].format(code)
        start, square, to = f"9/9/4k4/9/{rows}/9/9/9 b -", "5f", way[code]
    else:  # these go straight ahead
        start, square, to = f"9/9/4k4/5[chuu]3/4K[{code}]3/9/9/9/9 b -", "4e", "4d"
    written = {to + (f"={face}" if len(faces) > 1 else "") for face in faces}
    assert {way for way in ways(start, square) if way.startswith(to)} == written
    for suffix in written:
        position = play("ki", square + suffix, start=start)
        face = suffix.partition("=")[2] or faces[0]
        assert position.piece_at(to) == Piece("b", face)
        assert position.hand("b") == {"HI": 1}


def test_rule_3_the_choice_is_written_only_where_there_is_one() -> None:
    several = "9/9/4k4/5[cho]3/4K[CHO]3/9/9/9/9 b -"
    assert ways(several, "4e") == {"4d=OU", "4d=SHU", "4f"}
    assert "must end as one of these: 4e4d=OU, 4e4d=SHU" in refusal(several, "4e4d")
    assert "must end as one of these: 4e4d=OU, 4e4d=SHU" in refusal(several, "4e4d=HI")
    forced = "9/9/4k4/5[cho]3/4K[HI]3/9/9/9/9 b -"
    assert "4d" in ways(forced, "4e")
    assert "must end as one of these: 4e4d" in refusal(forced, "4e4d=CHUU")
    assert "must end as one of these: 4e4f" in refusal(several, "4e4f=HI")


def test_rule_3_the_gyoku_does_not_flip() -> None:
    assert play("ki", "5e4e", start="9/9/4k4/9/4K4/9/9/9/9 b -").piece_at("5e") == Piece("b", "K")


def test_rule_3_check_is_judged_with_the_new_face() -> None:
    # The boar would not attack 4c from 4e; the flying cube it becomes does.
    assert play("ki", "4f4e", start="9/9/5k3/9/4K4/5[CHO]3/9/9/9 b -").is_check()
    # The flying cube would attack 4c from 4f; the boar it becomes does not.
    assert not play("ki", "5f4f", start="9/9/5k3/9/4K4/4[HI]4/9/9/9 b -").is_check()
    # A capture: the side cube attacks along the rank, the vertical one does not.
    capture = "9/9/9/9/2k1K4/3[myou][CHO]4/9/9/9 b -"
    assert not play("ki", "5f6f=OU", start=capture).is_check()


def test_rule_3_the_captured_cube_goes_to_the_captor_s_hand() -> None:
    position = play("ki", "4e4d=OU", start="9/9/4k4/5[ken]3/4K[CHO]3/9/9/9/9 b [KAKU]")
    assert position.hand("b") == {"KAKU": 2}
    assert position.hand("w") == {}
