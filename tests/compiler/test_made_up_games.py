"""Made-up games, which use every condition, event and action, play as the reference says."""

from __future__ import annotations

import random
from itertools import product

import pytest

from helpers import madeup
from helpers.support import assert_agreement, assert_losses_agree, legal, random_play, strewn_positions
from helpers.volume import FULL, SEEDS, volume
from komadai.compiler import compile_variant
from komadai.errors import SpecError
from komadai.game.position import Position
from komadai.spec.conditions import AllOf, AnyOf, Condition
from komadai.spec.rules import Event
from komadai.spec.variant import Variant


@pytest.mark.parametrize("spec", [pytest.param(spec, id=spec.id) for spec in madeup.PLAYABLE])
def test_made_up_games_agree_with_the_reference(spec: Variant) -> None:
    for seed in range(3 if FULL else 1):
        for position, chance in random_play(spec, seed, volume(120 if spec.support else 400, 16)):
            assert_agreement(position, chance)


@pytest.mark.parametrize("spec", [pytest.param(spec, id=spec.id) for spec in madeup.PLAYABLE if spec in madeup.TAKINGS])
def test_made_up_games_agree_on_what_is_taken(spec: Variant) -> None:
    for position, chance in strewn_positions(spec, 0, volume(80)):
        assert_agreement(position, chance)
        assert_losses_agree(position)


@pytest.mark.parametrize(
    ("name", "condition", "event"),
    [
        pytest.param(name, condition, event, id=f"{name}-{event}")
        for name, condition in madeup.CONDITIONS
        for event in ("drops", "lands", "always")
    ],
)
def test_conditions_agree_with_the_reference(name: str, condition: Condition, event: Event) -> None:
    spec = madeup.with_condition(name, condition, event)
    for seed in range(volume(6)):
        for position, chance in random_play(spec, seed, volume(120, 12)):
            assert_agreement(position, chance)


@pytest.mark.parametrize("spec", [pytest.param(spec, id=spec.id) for spec in madeup.TURNS])
def test_made_up_turns_agree_with_the_reference(spec: Variant) -> None:
    for seed in range(max(1, SEEDS // 4)):
        for position, chance in random_play(spec, seed, volume(30, 6)):
            assert_agreement(position, chance)


def test_turns_under_rules_about_whole_turns_agree_with_the_reference() -> None:
    remembering = 0
    for seed in range(max(4, SEEDS)):
        chance = random.Random(seed)
        position = Position(madeup.TRADES)
        while position.outcome() is None and position.ply < 40:
            moves = position.legal_moves()
            captures = [move for move in moves if position.is_capture(move)]
            position.push(chance.choice(captures if captures and chance.random() < 0.5 else moves))
            if position.setup().taken_on is not None or chance.random() < 0.1:
                assert_agreement(position, chance)
                remembering += position.setup().taken_on is not None
    assert remembering, "no position remembered a capture"


def test_made_up_turns_are_all_met() -> None:
    """The events for which the made-up games exist do occur in them; otherwise their agreement would prove little."""
    wanted = {
        "held", "over", "mover gone", "shots under way", "stands and shoots", "own losses",
        *(f"{count} landings" for count in range(1, 6)), *(f"{count} shots" for count in range(4)),
    }  # fmt: skip
    for seed, spec in product(range(8), madeup.TURNS):
        for position, _ in random_play(spec, seed, 30):
            wanted -= {*["held"] * bool(position.immobilized()), *["over"] * (position.outcome() is not None)}
            for move in position.legal_moves() if wanted else ():
                shots = [len(landing.shots) for landing in move.way]
                wanted -= {f"{len(shots)} landings", f"{sum(shots)} shots"}
                wanted -= {*["mover gone"] * (move.piece is None), *["shots under way"] * any(shots[:-1])}
                wanted -= {*["stands and shoots"] * (move.target == move.origin and any(shots))}
                if "own losses" in wanted and position.losses(move) - {move.target}:
                    wanted.remove("own losses")
        if not wanted:
            return
    assert wanted == set()


def test_rules_put_together_at_random_agree_with_the_reference() -> None:
    played = 0
    for seed in range(16 * SEEDS):
        spec = madeup.some_rules(seed)
        try:
            compile_variant(spec)
        except SpecError:  # pieces might be turned for ever, or the start is none
            continue
        played += 1
        for position, chance in random_play(spec, seed, 8):
            assert_agreement(position, chance)
    assert played > 5 * SEEDS


def test_forbidding_nothing_forbids_nothing_and_everything_everything() -> None:
    nothing = madeup.small("nothing", madeup.forbid("always", AnyOf(())))
    everything = madeup.small("everything", madeup.forbid("lands", AllOf(())))
    assert legal(Position(nothing)) == legal(Position(madeup.small("no rules")))
    assert legal(Position(everything)) == set()
