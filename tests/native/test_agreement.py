"""The native core and the reference agree, move for move, on random play."""

from __future__ import annotations

import pytest

from helpers.support import (
    DEFAULTS,
    EVERY_SETTING,
    NAMES,
    SHELF,
    assert_agreement,
    assert_losses_agree,
    assert_paths_agree,
    problems,
    random_play,
    royals_begin_on_the_board,
    strewn_positions,
)
from helpers.volume import SEEDS, volume
from komadai.compiler import compile_variant
from komadai.spec.logic import is_compound
from komadai.spec.variant import Variant
from komadai.variants import build

POSITIONS = volume(2_500, part=40)  # a seed: 20 000 positions a variant in full
POSITIONS_OF_OTHER_OPTIONS = volume(300)
# A seed, where each piece's support is asked for after each move: in full 200 positions of 9×9, 44 of 19×19.
POINTS = volume(16_000)
POINTS_OF_OTHER_OPTIONS = volume(2_000)
# A seed, where a turn may be several landings and shots : in full 104 positions of 19×19.
POINTS_OF_TURNS = volume(5_000)
POINTS_OF_TURNS_OF_OTHER_OPTIONS = volume(750)


def positions(variant: Variant) -> int:
    """The number of positions of a seed."""
    default = variant == build(variant.id)
    if is_compound(variant):
        points = POINTS_OF_TURNS if default else POINTS_OF_TURNS_OF_OTHER_OPTIONS
    elif variant.support is None:
        return POSITIONS if default else POSITIONS_OF_OTHER_OPTIONS
    else:
        points = POINTS if default else POINTS_OF_OTHER_OPTIONS
    return max(1, points // len(variant.board))


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("variant", [*EVERY_SETTING, *SHELF])
def test_reference_and_native_agree_on_random_play(variant: Variant, seed: int) -> None:
    for position, chance in random_play(variant, seed, positions(variant)):
        assert_agreement(position, chance)


@pytest.mark.parametrize("variant", [case for case in [*EVERY_SETTING, *SHELF] if is_compound(case.values[0])])
def test_moves_that_are_kept_are_those_of_the_position(variant: Variant) -> None:
    """What pieces can do is kept from turn to turn: here of two games in turns, of other rules, and on the way back."""
    other = next(case.values[0] for case in DEFAULTS if is_compound(case.values[0]))
    for (one, chance), (two, _) in zip(
        random_play(variant, 1, volume(160)), random_play(other, 2, volume(160)), strict=True
    ):
        for position in (one, two):
            assert_paths_agree(position)
            if moves := position.legal_moves():
                position.push(chance.choice(moves))
                assert_paths_agree(position)
                position.pop()
                assert_paths_agree(position)


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("variant", [case for case in EVERY_SETTING if case.values[0].support])
def test_reference_and_native_agree_where_much_is_stranded(variant: Variant, seed: int) -> None:
    for position, chance in strewn_positions(variant, seed, max(1, positions(variant) // 4)):
        for _ in range(2):
            assert_agreement(position, chance)
            assert_losses_agree(position)
            moves = position.legal_moves()
            if not moves:
                break
            position.push(chance.choice(moves))


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("variant", [case for case in DEFAULTS if royals_begin_on_the_board(case.values[0])])
def test_reference_and_native_agree_where_one_side_has_no_king(variant: Variant, seed: int) -> None:
    for position, chance in problems(variant, seed, max(1, positions(variant) // 4)):
        assert_agreement(position, chance)
        checks = set(position._native.legal_checks())
        assert checks == {move for move in position.legal_moves() if position.gives_check(move)}, position.sfen()


def test_what_the_end_of_a_turn_takes_is_found_by_sets() -> None:
    by_sets = {name for name in NAMES if compile_variant(build(name)).rules.ends_by_sets}
    assert by_sets == {"ki", "ki-unicorn"}


def test_moves_are_made_in_place_where_they_change_nothing_else() -> None:
    in_place = {name for name in NAMES if compile_variant(build(name)).rules.in_place}
    assert in_place == {"shogi", "mortal", "hand", "nana", "nana-1998"}
