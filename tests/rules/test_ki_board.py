"""Ki Shogi, rule by rule of docs/rules/ki.md, without and with the unicorn cube: cubes, field and the sample game."""

from __future__ import annotations

import pytest

import komadai
from helpers import support
from helpers.ki import HI, KAKU, KI, PAGE, dropped, table, ways
from helpers.support import by_reference, legal, play, reference_of
from komadai.errors import IllegalMoveError, IllegalPositionError, NotationError
from komadai.game.game import Game
from komadai.game.outcome import Outcome
from komadai.game.position import Position
from komadai.spec import SIDES, Piece

# --- The cubes ------------------------------------------------------------------------------------------------------


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
def test_a_position_written_in_another_window_is_the_same_position(elsewhere: str, seen: str) -> None:
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
