"""Repetition as the spec tells it, whatever the count; the games' own rules are in tests/rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

import komadai
from helpers.support import ended, play
from komadai.game.outcome import Outcome
from komadai.game.position import Position
from komadai.spec.variant import Repetition, Variant

SHUTTLE = ("2h3h", "8b7b", "3h2h", "7b8b")
CHASE = ("1e2e", "2a1a", "2e1e", "1a2a")
CHASED = "7k1/9/9/9/8R/9/9/9/K8 b -"


def shogi(count: int, *, perpetual_check_loses: bool = True) -> Variant:
    return replace(komadai.variant("shogi"), repetition=Repetition(count, perpetual_check_loses))


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_the_count_is_that_of_the_spec(count: int) -> None:
    assert ended(Position(shogi(count)), *SHUTTLE * (count - 1)) == Outcome(None, "repetition")


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_the_reason_names_no_other_count(count: int) -> None:
    ordinal = {2: "second", 3: "third", 4: "fourth", 5: "fifth"}
    words = str(play(shogi(count), *SHUTTLE * (count - 1)).outcome())
    assert "draw" in words.lower()
    assert not any(word in words for number, word in ordinal.items() if number != count)


def test_perpetual_check_is_a_draw_where_the_spec_says_nothing() -> None:
    spec = shogi(4, perpetual_check_loses=False)
    assert play(spec, *CHASE * 3, start=CHASED).outcome() == Outcome(None, "repetition")
    assert play("shogi", *CHASE * 3, start=CHASED).outcome() == Outcome("w", "perpetual_check")


def test_pop_forgets_an_occurrence() -> None:
    position = play("shogi", *SHUTTLE * 3)
    assert position.outcome() is not None
    position.pop()
    assert position.outcome() is None
    position.push(SHUTTLE[-1])
    assert position.outcome() == Outcome(None, "repetition")


def test_a_position_set_up_anew_has_no_history() -> None:
    position = play("shogi", *SHUTTLE * 3)
    assert Position("shogi", position.sfen()).outcome() is None


def test_a_repeated_position_may_be_played_on() -> None:
    position = play("shogi", *SHUTTLE * 3)
    position.push("7g7f")
    assert position.outcome() is None


def test_other_occurrences_between_do_not_count() -> None:
    # 16 plies, but the cycle of four positions is entered late: none of them has come up four times before the last.
    position = play("shogi", "7g7f", "3c3d", *SHUTTLE * 2, *SHUTTLE[:3])
    assert position.outcome() is None
    position.push(SHUTTLE[3])
    assert position.outcome() == Outcome(None, "repetition")


def test_a_position_that_comes_back_elsewhere_on_the_field_comes_back() -> None:
    position = play("ki", "K*5e", "K*5c")
    east, west = ("5e4e", "6c5c"), ("5e6e", "4c5c")
    draw = Outcome(None, "repetition")
    assert ended(position, *east, *west, *east) == draw, "twice there, twice one point farther east"
    position.pop()
    assert position.outcome() is None


def test_a_position_that_differs_by_what_was_taken_does_not_come_back() -> None:
    # The boar that the Gyoku leaves behind is taken: the places are the same afterwards, the hands are not.
    position = play("ki", "5e4e", "6c5c", start="9/9/4k4/9/4K4/3[CHO]5/9/9/9 b -")
    assert position.sfen() == "9/9/4k4/9/4K4/9/9/9/9 b [hi]"
    assert position != Position("ki", "9/9/4k4/9/4K4/9/9/9/9 b [HI]")


def test_checkmate_goes_before_repetition() -> None:
    spec = replace(komadai.variant("shogi"), repetition=Repetition(2))
    position = Position(spec, "7nk/8G/7G1/9/9/9/9/9/4K4 w -")
    assert position.outcome() == Outcome("b", "checkmate")


def test_the_search_does_not_take_a_third_occurrence_for_the_fourth() -> None:
    # White's 1a2a brings the position up for the third time. Black need not go on checking: G*3c mates.
    position = play("shogi", *CHASE, *CHASE[:3], start="7k1/9/9/9/8R/9/9/9/K8 b G")
    found = komadai.Engine("shogi").search(position, depth=5)
    assert found.mate is None or found.mate < 0, f"{found.move} does not win in {found.mate}"


def test_the_search_shuns_a_lost_repetition() -> None:
    position = play("shogi", *CHASE * 2, *CHASE[:2], start="7k1/9/9/9/8R/9/9/9/K8 b G")
    assert str(komadai.Engine("shogi").search(position, depth=3).move) != CHASE[2]
