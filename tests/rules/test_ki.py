"""Ki Shogi, rule by rule of docs/rules/ki.md, without and with the unicorn cube.

In the window Black's Gyoku stands on ``5e`` (``10j`` with the unicorn cube) and north is up the board. What a move
string names is what was seen before the move; when Black's Gyoku goes east, everything else is then seen one file on.
"""

from __future__ import annotations

import re
from functools import cache, partial

import pytest

import komadai
from helpers import support
from helpers.support import ROOT, by_reference, generic, legal, play, reference_of
from komadai.errors import IllegalMoveError, IllegalPositionError, NotationError
from komadai.game.game import Game
from komadai.game.outcome import Outcome
from komadai.game.position import Position
from komadai.spec.board import SIDES
from komadai.spec.setup import Piece

PAGE = ROOT / "docs" / "rules" / "ki.md"

refusal = partial(support.refusal, "ki")
dropped = partial(support.dropped, "ki")
ways = partial(support.ways, "ki")

HI = ("HI", "CHO", "HAN", "CHUU", "OU", "SHU")
KAKU = ("KAKU", "MYOU", "HON", "GA", "ZOU", "KEN")
KI = ("KI", "HOU", "RO", "JA", "BA", "RYUU")

# Around 5e and 10j: the sixteen points at distance two.
ORBIT = {"7c", "6c", "5c", "4c", "3c", "7d", "3d", "7e", "3e", "7f", "3f", "7g", "6g", "5g", "4g", "3g"}


def wide(middle: str, rest: str) -> str:
    """A position string of the 19×19 window from its middle ranks, an odd number of them; the others are empty."""
    ranks = middle.split("/")
    away = ["19"] * ((19 - len(ranks)) // 2)
    return f"{'/'.join([*away, *ranks, *away])} {rest}"


def unicorn(middle: str, rest: str, *moves: str) -> Position:
    return play("ki-unicorn", *moves, start=wide(middle, rest))


def wide_refusal(middle: str, rest: str, move: str) -> str:
    return support.refusal("ki-unicorn", wide(middle, rest), move)


def lost_by(position: Position, move: str) -> set[str]:
    """The squares of the mover's own pieces that are taken after the move, in words of the board before it."""
    return set(position.losses(move))


def stranded(position: Position) -> set[str]:
    return set(position.stranded())


def turns(name: str, start: str, *moves_and_positions: str) -> None:
    """Plays moves, each followed by the position it leads to, on the core and by the reference."""
    position = Position(name, start)
    oracle = reference_of(position.variant)
    for move, after in zip(moves_and_positions[::2], moves_and_positions[1::2], strict=True):
        assert legal(position) == generic(position) == by_reference(position)
        setup = position.setup()
        candidate = next(candidate for candidate in oracle.candidates(setup) if candidate.text == move)
        position.push(move)
        assert position.sfen() == after
        assert position.setup() == oracle.play(setup, candidate)


# --- The cubes ------------------------------------------------------------------------------------------------------


@cache
def table() -> dict[str, tuple[str, str, str, tuple[str, ...], tuple[str, ...], str]]:
    """What the page's table says of each face: English name, kanji, move, opposite face, faces on a capture, cube."""
    rows = {}
    cube = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.replace("**[R]**", "").strip("|").split("|")]
        if not line.startswith("|") or len(cells) != 6 or (cells[0] and "`" not in cells[0]):
            continue
        if cells[0]:
            cube = cells[0].split("`")[1]
        face = re.fullmatch(r"(?:`(?P<code>[A-Z]+)` )?(?P<name>.+) (?P<kanji>\S)", cells[1])
        assert face, line
        opposite, captures = (tuple(re.findall(r"[A-Z]+", cells[at].replace("–", ""))) for at in (4, 5))
        rows[face["code"] or cube] = (face["name"], face["kanji"], cells[3], opposite, captures, cube)
    return rows


def test_the_table_has_every_face_and_no_other() -> None:
    assert tuple(table()) == ("K", *HI, *KAKU, *KI)
    assert {kind.code for kind in komadai.variant("ki").kinds} == {"K", *HI, *KAKU}
    assert {kind.code for kind in komadai.variant("ki-unicorn").kinds} == set(table())


@pytest.mark.parametrize("code", ["K", *HI, *KAKU, *KI])
def test_every_face_is_as_in_the_table(code: str) -> None:
    name, kanji, move, opposite, captures, cube = table()[code]
    kind = komadai.variant("ki-unicorn").kind(code)
    assert (kind.name, kind.kanji, kind.move) == (name, kanji, move)
    assert (kind.becomes.quiet, kind.becomes.captures) == (opposite, captures)
    assert kind.becomes.captured == (None if code == "K" else cube)
    if code not in KI:
        assert komadai.variant("ki").kind(code) == kind


def test_the_hand_order_is_the_page_s() -> None:
    assert komadai.variant("ki-unicorn").hand_order == ("K", "HI", "KAKU", "KI")
    assert komadai.variant("ki").hand_order == ("K", "HI", "KAKU")


@pytest.mark.parametrize(
    ("code", "reached"),
    [
        # One step each way, in compass order; then how far it may slide or leap.
        ("HI", {"N*", "E*", "S*", "W*"}),
        ("CHO", {"N", "E", "S", "W"}),
        ("HAN", {"N*", "S*"}),
        ("CHUU", {"N", "S"}),
        ("OU", {"N", "S", "E*", "W*"}),
        ("SHU", {"N*", "S*", "E", "W"}),
        ("KAKU", {"NE*", "SE*", "SW*", "NW*"}),
        ("MYOU", {"NE", "SE", "SW", "NW"}),
        ("HON", {"NE*", "NW*", "S*"}),
        ("GA", {"NE", "NW", "S"}),
        ("ZOU", {"N*", "SE*", "SW*"}),
        ("KEN", {"N", "SE", "SW"}),
        ("KI", {"NE", "SE", "SW", "NW", "NN", "EE", "SS", "WW"}),
        ("HOU", {"N", "E", "S", "W", "NNEE", "SSEE", "SSWW", "NNWW"}),
        ("RO", {"E", "W", "NN", "SS"}),
        ("JA", {"E", "W", "NN", "SSEE", "SSWW"}),
        ("BA", {"NNE", "NNW", "SSE", "SSW"}),
        ("RYUU", {"NNEE", "SSEE", "SSWW", "NNWW"}),
    ],
)
def test_every_face_moves_as_its_name_says(code: str, reached: set[str]) -> None:
    step = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
    expected: dict[str, set[tuple[int, int]]] = {"b": set(), "w": set()}
    for way in reached:
        right = sum(step[letter][0] for letter in way.removesuffix("*"))
        ahead = sum(step[letter][1] for letter in way.removesuffix("*"))
        for times in range(1, 10 if way.endswith("*") else 2):
            expected["b"].add((right * times, ahead * times))
            expected["w"].add((-right * times, -ahead * times))
    variant = komadai.variant("ki-unicorn")
    middle = len(variant.board) // 2
    for side in SIDES:
        board: list[Piece | None] = [None] * len(variant.board)
        board[middle] = Piece(side, code)
        found = reference_of(variant).targets(board, middle)
        assert {(point % 19 - 9, 9 - point // 19) for point in found} == expected[side]


# --- The field, its window, and a table with edges ------------------------------------------------------------------


def test_the_window_is_centred_on_black_s_gyoku_and_moves_with_it() -> None:
    position = play("ki", "K*5e", "K*5c")
    assert position.sfen() == "9/9/4k4/9/4K4/9/9/9/9 b [HI][KAKU][hi][kaku]"
    position.push("5e4e")
    assert position.sfen() == "9/9/3k5/9/4K4/9/9/9/9 w [HI][KAKU][hi][kaku]"
    position.push("6c5c")
    assert position.sfen() == "9/9/4k4/9/4K4/9/9/9/9 b [HI][KAKU][hi][kaku]", "White's Gyoku moves in the window"
    assert play("ki-unicorn", "K*10j", "K*9l").sfen().startswith("19/" * 9 + "9K9/19/10k8/")


@pytest.mark.parametrize(
    ("elsewhere", "seen"),
    [
        ("4k4/9/4K4/9/9/9/9/9/9 w [HI]", "9/9/4k4/9/4K4/9/9/9/9 w [HI]"),
        ("9/9/9/9/9/9/6[cho]2/6k1[MYOU]/8K b -", "9/9/2[cho]6/2k1[MYOU]4/4K4/9/9/9/9 b -"),
        ("9/9/9/9/K8/9/k8/9/[GA]8 b -", "9/9/9/9/4K4/9/4k4/9/4[GA]4 b -"),
    ],
)
def test_a_position_told_in_another_window_is_the_same_position(elsewhere: str, seen: str) -> None:
    position = Position("ki", elsewhere)
    assert position.sfen() == seen
    assert position == Position("ki", seen)
    assert position.key() == Position("ki", seen).key()
    assert legal(position) == by_reference(position)


def test_what_would_be_outside_the_window_is_refused() -> None:
    with pytest.raises(IllegalPositionError, match="too far from Black's Gyoku"):
        Position("ki", "K7[HI]/9/k8/9/9/9/9/9/9 b -")


def test_the_losses_of_a_move_that_is_not_legal_are_an_error() -> None:
    elsewhere = Position("shogi").legal_moves()[0]
    with pytest.raises(IllegalMoveError):
        Position("ki").losses(elsewhere)


def test_as_text_the_field_is_where_pieces_stand() -> None:
    position = play("ki-unicorn", "K*10j", "K*11h")
    assert str(position).splitlines()[1:-2] == [
        "  .  .  .  .  g",
        "  .  k  .  .  h",
        "  .  .  .  .  i",
        "  .  .  K  .  j",
        "  .  .  .  .  k",
        " 12 11 10  9",
    ]


def test_a_slide_runs_over_unsupported_points() -> None:
    # From 6d the horns pass 5c, next to neither Gyoku, and stop on 4b, next to White's.
    assert ways("9/9/6k2/3[KAKU]5/4K4/9/9/9/9 b -", "6d") == {"4b"}
    # They also check from afar.
    assert Position("ki", "9/9/9/9/4K4/9/2k6/9/[kaku]8 b -").is_check() is False, "its own Gyoku is in the way"
    assert Position("ki", "9/9/2k6/9/4K4/9/9/9/[kaku]8 b -").is_check()


@pytest.mark.parametrize(("field", "places"), [("3x3", 9), ("5x5", 25), ("9x9", 81), ("4x7", 28), ("25x25", 625)])
@pytest.mark.parametrize("name", ["ki", "ki-unicorn"])
def test_on_a_table_the_first_gyoku_comes_anywhere(name: str, field: str, places: int) -> None:
    position = Position(name, field=field)
    assert position.perft(1) == places
    assert all(move.startswith("K*") for move in legal(position))


@pytest.mark.parametrize("field", ["2x3", "3x2", "26x9", "9x26", "9", "9x", "x9", "09x9", "9X9", "9x9x9", "", "-3x3"])
def test_other_tables_are_refused(field: str) -> None:
    with pytest.raises(NotationError, match="field"):
        komadai.variant("ki", field=field)


def test_a_table_has_fixed_squares() -> None:
    position = Position("ki", "5/1k3/5/1K3/5 b [HI]", field="5x5")
    position.push("4d5d")
    assert position.sfen() == "5/1k3/5/K4/5 w [HI]"


def test_a_table_s_edges_limit_play() -> None:
    cornered = "4K/5/4k/5/5 b [HI]"
    assert support.ways(komadai.variant("ki", field="5x5"), cornered, "1a") == {"2a"}
    drops = {move for move in legal(Position("ki", cornered, field="5x5")) if move.startswith("CHO*")}
    assert drops == {"CHO*2a"}
    # The same on the open field: six places more.
    assert dropped("9/9/9/9/4K4/9/4k4/9/9 b [HI]", "CHO") == {"6d", "5d", "4d", "6e", "4e"}
    # White has one place for the Gyoku on the smallest table but for the corners, and none from its middle.
    assert legal(play(komadai.variant("ki", field="3x3"), "K*2a")) == {"K*1c", "K*2c", "K*3c"}
    assert play(komadai.variant("ki", field="3x3"), "K*2b").outcome() == Outcome("b", "stalemate")


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


# --- Rule 4: where a piece must land --------------------------------------------------------------------------------


def test_rule_4_a_piece_lands_next_to_either_gyoku() -> None:
    position = "9/9/4k4/9/4K[HI]3/9/9/9/9 b -"
    assert ways(position, "4e") == {"4b", "4c", "4d", "4f"}
    for away in ("3e", "1e", "4g", "4i", "4a"):
        assert "must land next to one of the two Gyoku [ki.md 4]" in refusal(position, f"4e{away}")


def test_rule_4_captures_must_land_there_too() -> None:
    assert "must land next to" in refusal("9/9/4k4/9/4K[HI]1[cho]1/9/9/9/9 b -", "4e2e")


def test_rule_4_does_not_bind_the_gyoku() -> None:
    # It keeps to the orbit; no square of the orbit is next to the other Gyoku.
    assert ways("9/9/4k4/9/4K4/9/9/9/9 b -", "5e") == {"4e", "6e"}


# --- Rule 5: stranded pieces ----------------------------------------------------------------------------------------


def test_rule_5_the_mover_s_own_stranded_pieces_are_taken_at_once() -> None:
    start = "9/9/4k4/9/4K4/3[CHO]5/9/9/9 b -"
    assert lost_by(Position("ki", start), "5e4e") == {"6f"}
    assert lost_by(Position("ki", start), "5e6e") == set()
    turns("ki", start, "5e4e", "9/9/3k5/9/4K4/9/9/9/9 w [hi]")


def test_rule_5_all_of_them_whatever_their_face() -> None:
    start = "9/9/4k4/9/3[KEN]K4/3[CHO]5/9/9/9 b -"
    assert lost_by(Position("ki", start), "5e4e") == {"6e", "6f"}
    turns("ki", start, "5e4e", "9/9/3k5/9/4K4/9/9/9/9 w [hi][kaku]")


def test_rule_5_what_stands_next_to_the_other_gyoku_stays() -> None:
    turns("ki", "9/9/4k4/3[CHO]5/4K4/9/9/9/9 b -", "5e4e", "9/9/3k5/2[CHO]6/4K4/9/9/9/9 w -")


# White's cat stands next to Black's Gyoku, which leaves it behind.
LEFT = "9/9/9/9/2k1K4/4[myou]4/9/9/9 b -"
LEFT_BEHIND = "9/9/9/9/4K4/2k6/4[myou]4/9/9 w -"


def test_rule_5_the_opponent_s_stranded_pieces_stay_one_turn() -> None:
    position = Position("ki", LEFT)
    assert lost_by(position, "5e5d") == set()
    turns("ki", LEFT, "5e5d", LEFT_BEHIND)
    assert stranded(Position("ki", LEFT_BEHIND)) == {"5g"}
    assert stranded(Position("ki", LEFT)) == set()


def test_rule_5_they_are_brought_back_by_moving_them() -> None:
    assert lost_by(Position("ki", LEFT_BEHIND), "5g4f") == set()
    turns("ki", LEFT_BEHIND, "5g4f", "9/9/9/9/4K4/2k2[kaku]3/9/9/9 b -")


def test_rule_5_they_are_brought_back_by_moving_the_gyoku() -> None:
    assert lost_by(Position("ki", LEFT_BEHIND), "7f6g") == set()
    turns("ki", LEFT_BEHIND, "7f6g", "9/9/9/9/4K4/9/3k[myou]4/9/9 b -")


def test_rule_5_what_is_not_brought_back_is_taken() -> None:
    assert lost_by(Position("ki", LEFT_BEHIND), "7f7e") == {"5g"}
    turns("ki", LEFT_BEHIND, "7f7e", "9/9/9/9/2k1K4/9/9/9/9 b [KAKU]")
    # A drop does not bring it back either.
    turns(
        "ki",
        "9/9/9/9/4K4/2k6/4[myou]4/9/9 w [hi]",
        "CHO*8g",
        "9/9/9/9/4K4/2k6/1[cho]7/9/9 b [KAKU]",
    )


def test_rule_5_a_gyoku_may_strand_pieces_of_both_sides() -> None:
    turns(
        "ki",
        "9/9/9/9/2k1K4/3[CHO][myou]4/9/9/9 b -",
        "5e5d",
        "9/9/9/9/4K4/2k6/3[CHO][myou]4/9/9 w -",
        "7f7e",
        "9/9/9/9/2k1K4/9/3[CHO]5/9/9 b [KAKU]",
    )


def test_rule_5_stranded_pieces_still_capture_and_check() -> None:
    position = Position("ki", "9/9/9/9/4K4/2k6/4[shu]4/9/9 b -")
    assert position.is_check()
    # White's cat left on 5g takes the boar on 4f and stands next to Black's Gyoku again.
    position = play("ki", "5g4f", start="9/9/9/9/4K4/2k2[CHO]3/4[myou]4/9/9 w -")
    assert position.sfen() == "9/9/9/9/4K4/2k2[kaku]3/9/9/9 b [hi]"


# --- Rule 6: attack -------------------------------------------------------------------------------------------------


def test_rule_6_a_gyoku_may_not_be_left_attacked() -> None:
    pinned = "9/9/4k4/9/4K[GA]1[hi]1/9/9/9/9 b -"
    assert "would leave your Gyoku attacked" in refusal(pinned, "4e4f")
    assert "would leave your Gyoku attacked" in refusal("9/9/4k4/9/4K4/9/5[hi]3/9/9 b -", "5e4e")
    checked = "9/9/4k4/9/4K2[hi]1/9/9/9/9 b [KAKU]"
    assert Position("ki", checked).is_check()
    assert "does not parry the check" in refusal(checked, "GA*4f")
    assert {move for move in legal(Position("ki", checked)) if move.startswith("GA")} == {"GA*4e"}


def test_rule_6_a_stranded_shield_of_one_s_own_does_not_count() -> None:
    # Black's boar on 5g is stranded: after any other turn it is gone, and White's reverse on 5h attacks along the file.
    start = "9/9/4k4/9/4K4/9/4[CHO]4/4[han]4/9 b [KAKU]"
    position = Position("ki", start)
    assert not position.is_check()
    assert stranded(position) == {"5g"}
    assert "would leave your Gyoku attacked" in refusal(start, "GA*4f")
    assert {move for move in legal(position) if "*" in move} == {f"{face}*5f" for face in KAKU}
    assert legal(position) - {f"{face}*5f" for face in KAKU} == {"5g5f", "5e4e", "5e6e"}


def test_rule_6_a_shield_that_the_gyoku_strands_by_its_own_move_does_not_count() -> None:
    start = "9/9/5k3/9/4K[CHO]1[hi]1/9/9/9/9 b -"
    assert not Position("ki", start).is_check()
    assert "would leave your Gyoku attacked" in refusal(start, "5e6e")
    assert "6e" in ways("9/9/5k3/9/4K[CHO]3/9/9/9/9 b -", "5e")


def test_rule_6_the_opponent_s_stranded_shield_still_stands() -> None:
    # White's own cat, stranded on 5g, shields Black's Gyoku: it is taken only after White's turn.
    position = Position("ki", "9/9/9/9/4K4/9/2k1[myou]4/4[han]4/9 b -")
    assert not position.is_check()


def test_rule_6_a_stranded_piece_of_the_opponent_attacks() -> None:
    # Black's Gyoku could strand the vertical cube on 5g by going to 5d, but would stay on its file.
    start = "9/9/9/9/2k1K4/4[shu]4/9/9/9 b -"
    assert "does not parry the check" in refusal(start, "5e5d")


def test_rule_6_an_attack_reaches_where_the_attacker_could_not_land() -> None:
    # The reverse on 5h could not land on any square between: all are next to neither Gyoku but 5f.
    assert Position("ki", "9/9/4k4/9/4K4/9/9/4[han]4/9 b -").is_check()
    assert "would leave your Gyoku attacked" in refusal("9/9/4k4/9/4K4/9/9/5[han]3/9 b -", "5e4e")


# --- Rule 7: no legal move ------------------------------------------------------------------------------------------


def test_rule_7_checkmate() -> None:
    position = play("ki", "6e5d", start="9/9/9/9/3[ken]K4/4[ken]4/6k2/9/9 w 2[HI]")
    assert position.outcome() == Outcome("w", "checkmate")
    assert by_reference(position) == set()


def test_rule_7_a_player_without_a_legal_move_loses() -> None:
    position = play("ki", "5e4e", start="9/9/9/3[han][CHO]4/4K4/5[ZOU]3/5k3/9/9 b [KAKU]")
    assert not position.is_check()
    assert position.outcome() == Outcome("b", "stalemate")
    assert by_reference(position) == set()
    # Also by a drop, which never checks.
    position = play("ki", "HI*6d", start="9/5[KAKU]3/5k3/9/4K4/9/9/9/9 b 2[HI][KAKU]")
    assert position.outcome() == Outcome("b", "stalemate")


def test_rule_7_pieces_in_hand_do_not_forbid_checking_or_mating() -> None:
    position = Position("ki", "9/9/9/9/2k[MYOU]K4/5[HI]3/9/9/9 b [KAKU][hi]")
    position.push("4f7f")
    assert position.is_check()
    assert position.hand("b") == {"KAKU": 1}
    assert position.outcome() == Outcome("b", "checkmate")


# --- Rule 8: repetition ---------------------------------------------------------------------------------------------


def test_rule_8_fourfold_repetition_is_a_draw_also_when_the_field_has_shifted() -> None:
    # Both Gyoku go east: each time the same relative places, one point farther east.
    game = Game("ki")
    for move in ("K*5e", "K*5c"):
        game.push(move)
    first = game.position.copy()
    for _ in range(3):
        assert game.outcome() is None
        for move in ("5e4e", "6c5c"):
            game.push(move)
        assert game.position == first
        assert game.position.key() == first.key()
        assert game.position.sfen() == first.sfen()
        assert legal(game.position) == legal(first)
    assert game.outcome() == Outcome(None, "repetition")


def test_rule_8_the_hash_follows_the_shift_with_cubes_about() -> None:
    # Both Gyoku go east, and the boar follows.
    position = play("ki", "5e4e", "6c5c", "6f5f", start="9/9/4k4/9/4K4/4[CHO]4/9/9/9 b -")
    followed = Position("ki", "9/9/4k4/9/4K4/4[HI]4/9/9/9 w -")
    assert position == followed
    assert position.key() == followed.key()
    assert position._native.key() == position._native.key_from_scratch()


def test_rule_8_perpetual_check_is_a_draw_too() -> None:
    position = Position("ki", "9/9/5k3/5[hi]3/4K4/9/9/9/9 w [hi]2[kaku]")
    first = position.sfen()
    for _ in range(3):
        assert position.outcome() is None
        for number, move in enumerate(("4d4e", "5e6d", "3f3e", "5e4f")):
            position.push(move)
            assert position.is_check() is (number % 2 == 0), "every move of White's checks"
        assert position.sfen() == first
    assert position.outcome() == Outcome(None, "repetition")


# --- Rule 9: drops with the unicorn cube ----------------------------------------------------------------------------

# White's Gyoku stands two north of Black's: these are within two points of Black's and not next to White's.
WITHIN_TWO = {
    "12h", "8h", "12i", "8i", "12j", "11j", "9j", "8j", "12k", "11k", "10k", "9k", "8k",
    "12l", "11l", "10l", "9l", "8l",
}  # fmt: skip


def places(middle: str, rest: str, *faces: str) -> set[str]:
    return set().union(*(support.dropped("ki-unicorn", wide(middle, rest), face) for face in faces))


def test_rule_9_each_player_starts_with_a_ki_cube() -> None:
    position = Position("ki-unicorn")
    assert position.hand("b") == position.hand("w") == {"K": 1, "HI": 1, "KAKU": 1, "KI": 1}
    assert position.sfen() == "/".join(["19"] * 19) + " b K[HI][KAKU][KI]k[hi][kaku][ki]"


def test_rule_9_a_ki_cube_is_dropped_at_distance_one_or_two() -> None:
    field = "9k9/19/9K9/19/19"
    assert places(field, "b [KI]", "RO") == WITHIN_TWO
    assert places(field, "b [KI]", *KI) == WITHIN_TWO
    assert "within two points of your own Gyoku" in wide_refusal(field, "b [KI]", "RO*7j")
    for near in ("11i", "10i", "9i", "11h", "9h"):
        assert "next to the other Gyoku" in wide_refusal(field, "b [KI]", f"RO*{near}")


def test_rule_9_never_giving_check() -> None:
    field = "9k9/19/9K9/19/19"
    assert "a drop may not attack" in wide_refusal(field, "b [KI]", "HOU*8j")
    assert "8j" in places(field, "b [KI]", "KI")
    assert "a drop may not attack" in wide_refusal(field, "b [KI]", "RYUU*12j")
    assert WITHIN_TWO - places(field, "b [KI]", "RYUU") == {"8j", "12j"}
    # The unicorn leaps two straight ahead: from 8h it attacks 10h.
    assert WITHIN_TWO - places(field, "b [KI]", "KI") == {"8h", "12h"}


def test_rule_9_next_to_one_s_own_supported_ki() -> None:
    # Black's Ki on 8l is two points from the Gyoku; 7k to 7m, 8m and 9m are next to it alone.
    field = "19/19/9k9/19/9K9/19/11[BA]7/19/19"
    beside = {"7k", "7l", "7m", "8m", "9m"}
    assert beside <= places(field, "b [KI]", "RO")
    assert places(field, "b [HI]", "CHO") == {"11j", "9j", "11k", "10k", "9k", "8k", "9l", *beside}
    assert places(field, "b [KAKU]", "MYOU") == {"11j", "9j", "11k", "10k", "9k", "8k", "9l", *beside}
    assert "next to a supported Ki of yours [ki.md 9]" in wide_refusal(field, "b [KI]", "RO*6l")
    assert "next to a supported Ki of yours [ki.md 2, 9]" in wide_refusal(field, "b [HI]", "CHO*6l")


def test_rule_9_not_next_to_the_opponent_s_ki_or_to_an_unsupported_one() -> None:
    theirs = "19/19/9k9/19/9K9/19/11[ba]7/19/19"
    assert "supported Ki of yours" in wide_refusal(theirs, "b [HI]", "CHO*7l")
    assert "supported Ki of yours" in wide_refusal(theirs, "b [KI]", "RO*7l")
    unsupported = "19/19/9k9/19/9K9/19/12[BA]6/19/19"
    assert "supported Ki of yours" in wide_refusal(unsupported, "b [HI]", "CHO*6l")
    assert "supported Ki of yours" in wide_refusal(unsupported, "b [KI]", "RO*6l")


def test_rule_9_a_ki_supported_through_another_will_do() -> None:
    # Black's Ki on 7l hangs on White's on 8l.
    assert "6k" in places("19/19/9k9/19/9K9/19/11[ba][RO]6/19/19", "b [HI]", "CHO")
    assert "supported Ki of yours" in wide_refusal("19/19/9k9/19/9K9/19/12[RO]6/19/19", "b [HI]", "CHO*6k")


def test_rule_9_not_next_to_the_other_gyoku_even_next_to_one_s_own_ki() -> None:
    field = "19/9k1[RO]7/19/9K9/19/19/19"
    assert "next to the other Gyoku" in wide_refusal(field, "b [HI]", "CHO*9h")
    assert "7g" in places(field, "b [HI]", "CHO")


def test_rule_9_ki_cubes_of_both_sides() -> None:
    field = "9k9/19/9K9/19/19"
    assert places(field, "w [ki]", "RO") == {
        "12f", "11f", "10f", "9f", "8f", "12g", "11g", "10g", "9g", "8g",
        "12h", "11h", "9h", "8h", "12i", "8i", "12j", "8j",
    }  # fmt: skip


# --- Rule 10: support -----------------------------------------------------------------------------------------------


def test_rule_10_a_ki_is_supported_within_two_points_of_either_gyoku() -> None:
    position = unicorn("19/9k9/19/9K9/19/19/19", "b -")
    held = position.support("KI")
    assert held == {
        *(f"{file}{rank}" for file in range(8, 13) for rank in "fghijkl"),
    }  # the two Gyoku stand two ranks apart, on 10h and 10j


def test_rule_10_any_other_piece_next_to_either_gyoku() -> None:
    position = unicorn("19/9k9/19/9K9/19/19/19", "b -")
    around = {f"{file}{rank}" for file in (9, 10, 11) for rank in "ghijk"}
    assert position.support("CHO") - {"10h", "10j"} == around - {"10h", "10j"}


def test_rule_10_support_runs_through_ki_cubes_of_either_side() -> None:
    # White's Ki on 8l, Black's on 7m, White's boar on 6n.
    chain = "19/19/9k9/19/9K9/19/11[ro]7/12[ba]6/13[cho]5"
    assert stranded(unicorn(chain, "w -")) == set()
    assert stranded(unicorn(chain.replace("[ba]", "[BA]"), "w -")) == set()
    assert stranded(unicorn(chain.replace("[ro]", "[RO]"), "w -")) == set()
    # With a gap nothing holds them.
    gap = "19/19/9k9/19/9K9/19/19/12[ba]6/13[cho]5"
    assert stranded(unicorn(gap, "w -")) == {"7m", "6n"}


def test_rule_10_two_ki_cubes_do_not_hold_each_other() -> None:
    assert stranded(unicorn("19/19/9k9/19/9K9/19/19/12[BA][RO]5/19", "b -")) == {"7m", "6m"}


def test_rule_10_other_cubes_hand_nothing_on() -> None:
    assert stranded(unicorn("19/9k9/19/9K9/10[HI]8/11[KAKU]7/19", "b -")) == {"8l"}


def test_rule_10_what_is_not_supported_is_taken() -> None:
    # The Gyoku goes west: the Ki on 8l is three points away, and with it goes the boar.
    start = wide("19/19/9k9/19/9K9/19/11[RO]7/12[CHO]6/19", "b -")
    assert lost_by(Position("ki-unicorn", start), "10j11j") == {"8l", "7m"}
    turns("ki-unicorn", start, "10j11j", wide("10k8/19/9K9/19/19", "w [hi][ki]"))


def test_rule_10_a_ki_still_supports_while_the_mover_s_own_gyoku_takes_over() -> None:
    # The Ki on 8l stays within two points of the Gyoku as it goes east, and the boar with it.
    start = wide("19/19/9k9/19/9K9/19/11[RO]7/12[CHO]6/19", "b -")
    assert lost_by(Position("ki-unicorn", start), "10j9j") == set()


# In all three White's Gyoku holds a Ki on 8g, and with it what stands next to that; going west to 11h it lets them go.
def test_rule_10_example_1_one_s_own_stranded_ki_is_taken_and_the_other_s_piece_may_be_saved() -> None:
    start = wide("11[ki][HI]6/9k9/19/9K9/19/19/19", "w -")
    assert lost_by(Position("ki-unicorn", start), "10h11h") == {"8g"}
    left = wide("12[HI]6/8k10/19/9K9/19/19/19", "b [KI]")
    turns("ki-unicorn", start, "10h11h", left, "7g10g", wide("9[CHO]9/8k10/19/9K9/19/19/19", "w [KI]"))
    assert stranded(Position("ki-unicorn", left)) == {"7g"}
    assert lost_by(Position("ki-unicorn", left), "BA*9k") == {"7g"}
    turns("ki-unicorn", left, "BA*9k", wide("8k10/19/9K9/10[BA]8/19", "w [hi]"))


def test_rule_10_example_2_a_ki_and_the_piece_it_alone_supports_are_both_taken() -> None:
    start = wide("12[kaku]6/11[ki]7/9k9/19/9K9/19/19/19/19", "w -")
    assert lost_by(Position("ki-unicorn", start), "10h11h") == {"8g", "7f"}
    turns("ki-unicorn", start, "10h11h", wide("8k10/19/9K9/19/19", "b [KAKU][KI]"))


def test_rule_10_example_3_the_opponent_s_ki_that_the_move_strands_still_supports() -> None:
    start = wide("12[hi]6/11[KI]7/9k9/19/9K9/19/19/19/19", "w -")
    assert lost_by(Position("ki-unicorn", start), "10h11h") == set()
    left = wide("12[hi]6/11[KI]7/8k10/19/9K9/19/19/19/19", "b -")
    turns("ki-unicorn", start, "10h11h", left)
    assert stranded(Position("ki-unicorn", left)) == {"8g"}
    # Black brings the Ki back, away from White's flying cube; White has the next turn to save that.
    rescued = wide("12[hi]6/9[HOU]9/8k10/19/9K9/19/19/19/19", "w -")
    turns("ki-unicorn", left, "8g10g", rescued, "7f9f", wide("10[cho]8/9[HOU]9/8k10/19/9K9/19/19/19/19", "b -"))
    assert stranded(Position("ki-unicorn", rescued)) == {"7f"}
    turns("ki-unicorn", rescued, "11h12h", wide("9[HOU]9/7k11/19/9K9/19/19/19", "b [HI]"))
    # Black leaves the Ki to White: then White's flying cube is left as well, and White has a turn to save it.
    turns("ki-unicorn", left, "10j11j", wide("13[hi]5/19/9k9/19/9K9/19/19/19/19", "w [ki]"))


def test_rule_10_a_captured_ki_supports_no_more() -> None:
    # Black's horns take White's Ki on 8l, which held Black's boar on 7m; nothing holds what they become there.
    start = wide("19/19/9k9/19/9K9/10[KAKU]8/11[ro]7/12[CHO]6/19", "b -")
    assert lost_by(Position("ki-unicorn", start), "9k8l=GA") == {"8l", "7m"}
    turns("ki-unicorn", start, "9k8l=GA", wide("9k9/19/9K9/19/19", "w [KI][hi][kaku]"))
    # The Gyoku that takes one holds what stands next to itself.
    assert lost_by(unicorn("19/19/9k9/19/9K[ja]8/11[GA]7/19/19/19", "b -"), "10j9j") == set()


def test_rule_10_a_ki_that_moves_away_leaves_what_it_held() -> None:
    start = wide("19/19/9k9/19/9K9/19/11[RO]7/12[CHO]6/19", "b -")
    assert lost_by(Position("ki-unicorn", start), "8l8j") == {"7m"}
    turns("ki-unicorn", start, "8l8j", wide("9k9/19/9K1[JA]7/19/19", "w [hi]"))


# --- Rule 11: leaving the support -----------------------------------------------------------------------------------


def test_rule_11_a_departure_is_onto_the_first_unsupported_point_of_its_line() -> None:
    field, rest = "9k9/19/9K9/10[HI]8/19", "b -"
    assert support.ways("ki-unicorn", wide(field, rest), "9k") == {
        "9j", "9i", "9h", "9g", "9f", "9l", "8k", "10k", "11k", "12k",
    }  # fmt: skip
    for far in ("7k", "1k", "9m", "9e", "13k"):
        said = wide_refusal(field, rest, f"9k{far}")
        assert "no farther than the first unsupported point of its line [ki.md 11]" in said


def test_rule_11_it_is_taken_at_the_end_of_that_turn() -> None:
    start = wide("9k9/19/9K9/10[HI]8/19", "b -")
    assert lost_by(Position("ki-unicorn", start), "9k8k") == {"8k"}
    turns("ki-unicorn", start, "9k8k", wide("9k9/19/9K9/19/19", "w [hi]"))


def test_rule_11_captures_reach_any_distance() -> None:
    # A distant Ki of White's holds White's flying cube.
    field = "9k9/19/9K9/10[HI]5[ki][cho]1/19"
    start = wide(field, "b -")
    assert lost_by(Position("ki-unicorn", start), "9k3k") == {"3k"}
    assert {"8k", "3k"} <= support.ways("ki-unicorn", start, "9k")
    assert not {"7k", "4k"} & support.ways("ki-unicorn", start, "9k")
    turns("ki-unicorn", start, "9k3k", wide("9k9/19/9K9/17[cho]1/19", "w [KI][hi]"))


def test_rule_11_supported_points_beyond_a_gap_are_reached() -> None:
    # As in rule 4's test: 10h is unsupported, 9g next to White's Gyoku, 8f unsupported again.
    field = "19/11k7/8[KAKU]10/9K9/19/19/19"
    found = support.ways("ki-unicorn", wide(field, "b -"), "11i")
    assert found == {"10h", "9g", "12h", "12j"}
    assert "first unsupported point" in wide_refusal(field, "b -", "11i8f")


def test_rule_11_leapers_leave_too() -> None:
    # The Ki on 8l leaps out of the support of all: to 6n, of the dragon's four ways.
    start = wide("19/19/9k9/19/9K9/19/11[RYUU]7/19/19", "b -")
    assert support.ways("ki-unicorn", start, "8l") == {"10n", "6n", "6j"}
    assert lost_by(Position("ki-unicorn", start), "8l6n") == {"6n"}


def test_rule_11_the_gyoku_keeps_its_orbit() -> None:
    assert support.ways("ki-unicorn", wide("9k9/19/9K9/19/19", "b -"), "10j") == {"9j", "11j"}


def test_rule_11_a_departure_may_not_uncover_one_s_gyoku() -> None:
    field = "9k9/19/9K[HI]1[shu]6/19/19"
    assert "8j" in support.ways("ki-unicorn", wide(field, "b -"), "9j")
    # The pinned cube may not even go along the line: it is taken at the end of its turn, and the line is open.
    pinned = field.replace("[shu]", "[hi]")
    assert support.ways("ki-unicorn", wide(pinned, "b -"), "9j") == {"7j"}, "it may take the attacker"
    assert "would leave your Gyoku attacked" in wide_refusal(pinned, "b -", "9j8j")


def test_rule_11_a_drop_never_strands_the_dropped_cube() -> None:
    field = "9k9/19/9K9/19/19"
    position = unicorn(field, "b [HI][KAKU][KI]")
    for move in position.legal_moves():
        assert position.losses(move) == frozenset()
    assert "supported Ki of yours" in wide_refusal(field, "b [HI]", "CHO*8j")


# --- The source's sample game ---------------------------------------------------------------------------------------

GAME = (
    "K*5e K*4c CHO*4e MYOU*3c 4e4f 4c3d MYOU*5f CHO*3e 5f4e 3e4e=OU 4f4e ZOU*4c CHO*4f 3c2d 4e4d 2d4f=GA 4d4f 4c4f "
    "5e4f 4c5c ZOU*4e 5c6c KEN*6f 6c7c 6f6e CHO*7b 6e5f 7b6b 4e4d HI*7d"
)
SAMPLE = GAME.split()


def test_the_sample_game_is_that_of_the_page() -> None:
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert f"`{GAME}`" in text


def test_the_sample_game_replays_to_white_s_win() -> None:
    game = Game("ki")
    for move in SAMPLE:
        assert game.outcome() is None
        assert by_reference(game.position) == legal(game.position)
        game.push(move)
    assert game.outcome() == Outcome("w", "stalemate")


@pytest.mark.parametrize(
    ("slip", "instead", "reason"),
    [
        ("3e4e", "3e4e=OU", "the wild boar must end as one of these: 3e4e=OU, 3e4e=SHU"),
        ("3e4e=HI", "3e4e=OU", "the wild boar must end as one of these: 3e4e=OU, 3e4e=SHU"),
        ("HI*6d", "HI*7d", "no cube may be dropped next to the other Gyoku [ki.md 2]"),
    ],
)
def test_the_author_s_slips_are_refused(slip: str, instead: str, reason: str) -> None:
    before = play("ki", *SAMPLE[: SAMPLE.index(instead)])
    with pytest.raises(IllegalMoveError) as caught:
        before.push(slip)
    assert reason in str(caught.value)


def test_the_author_s_check_at_move_8_is_none() -> None:
    assert not play("ki", *SAMPLE[: SAMPLE.index("2d4f=GA") + 1]).is_check()
