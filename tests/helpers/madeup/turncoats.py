"""Made-up rules of compound moves, each as a game of its own: what happens on the way, and what holds pieces fast."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import get_args

from helpers.madeup.kit import forbid
from helpers.madeup.stones import ALL, PREY, SHOTS, WALKS, WAYS, stone, stones
from komadai.spec.betza import betza
from komadai.spec.board import FarRanks, Squares
from komadai.spec.conditions import At, Condition, Has, InSight, Is, Near, Owner
from komadai.spec.movement import DIAGONAL, ORTHOGONAL, Shot
from komadai.spec.rules import Become, Forbid, Immobilize, Others, Remove, Rule
from komadai.spec.rules import Event as Event
from komadai.spec.variant import Variant

# The kinds that the rules below are about: steps, walks and shots, and each may turn over and back.
TURNCOATS = (
    stone("G", "K"),
    stone("P", "WfF", zone=("+P", "P")),
    stone("+P", "KfR", quiet=("+P",), captures=("P", "+P")),
    stone("W", betza("W").times(1, 3), zone=("+W",)),
    stone("+W", betza("R"), captures=("W",)),
    stone(
        "S",
        betza("F").shooting(Shot(ALL, 3, safe=("+P",))),
        captures_promote_to="+S",
        promotes_by_capturing=("G", "+W"),
    ),
    stone("+S", betza("R3").shooting(Shot(ALL, 4, targets=2, over=True, standing="may"))),
    stone(
        "N",
        betza("N").times(1, 2, line="onward"),
        captures_promote_to="+N",
        promotes_by_capturing=("W", "S"),
        cannot_capture=("+P",),
    ),
    stone("+N", betza("FD").times(1, 2).shooting(Shot(ALL, 1, each_landing=True, after_capture=True))),
)
TURNCOAT_START = "WNSGSNP/PW1P1NP"
COMMAND = Has(("G",)) | (Has(("+P",)) & Has(("S", "+S")))


def turncoats(id: str, *rules: Rule, survives_if: Condition | None = COMMAND) -> Variant:
    return stones(id, TURNCOATS, TURNCOAT_START, *rules, survives_if=survives_if)


def on(event: Event, when: Condition, action: Forbid | Immobilize | Become | Remove) -> Rule:
    return Rule(event, when, action, "madeup.py")


def gone(others: Others | None = None) -> Remove:
    return Remove("made-up rule", others)


def turned(into: str, others: Others | None = None) -> Become:
    return Become(into, "made-up rule", others)


def held(*vectors: tuple[int, int]) -> Immobilize:
    return Immobilize("made-up rule", vectors)


# (name, rules): each tried as a game of its own.
TURN_RULES: tuple[tuple[str, tuple[Rule, ...]], ...] = (
    ("no-rule", ()),
    ("lands", (forbid("lands", Is(("W", "N", "S")) & At(Squares(("4d", "3d", "5c", "1a")))),)),
    ("held-in-sight", (on("turn_start", InSight(("P", "+P"), ((1, 1), (-1, 1), (0, -1))), held()),)),
    ("held-in-sight-through", (on("turn_start", InSight(("S", "+N"), ALL, through=True), held()),)),
    ("held-by-own", (on("turn_start", InSight(("G", "W"), ORTHOGONAL, "own") & ~Is(("P",)), held()),)),
    ("held-by-either", (on("turn_start", InSight(("N",), DIAGONAL, "either", through=True), held((0, 1), (1, 0))),)),
    ("held-out-of-sight", (on("turn_start", ~InSight(("P", "W"), ORTHOGONAL, "either") & ~Is(("G", "W")), held()),)),
    ("no-forward", (on("turn_start", Is(("P", "W", "S")) & ~Has(("+W", "+S")), held((0, 1), (1, 1))),)),
    ("no-forward-beside", (on("turn_start", Near(("P",), "own", most=2) & ~Is(("P",)), held((0, 1), (0, -1))),)),
    ("held-afar", (on("turn_start", Is(("N", "G")) & Near(("S",), "enemy", least=2, most=3), held()),)),
    (
        "held-and-barred",
        (
            on("turn_start", Has(("+N",), "enemy") & Is(("P", "N")), held((0, 1), (1, 2))),
            on("turn_start", Has(("+N",), "either") & Near(("+N",)) & ~At(FarRanks(3)), held()),
        ),
    ),
    ("blinded", (on("shoots", Near(("P", "G"), "enemy", most=2), Forbid("made-up rule")),)),
    (
        "shoots-rarely",
        (on("shoots", ~Has(("+S",), "enemy") | InSight(("W",), ALL) | At(FarRanks(2)), Forbid("made-up rule")),),
    ),
    ("burns-all", (on("arrives", Is(("W",)), gone(Others(most=1))),)),
    ("burns-enemies", (on("arrives", Is(("W", "P")), gone(Others(of="enemy", most=1))),)),
    ("burns-own", (on("arrives", Is(("N",)), gone(Others(("P", "S", "W"), "own", 2))),)),
    ("burns-everywhere", (on("arrives", Is(("S",)) & At(FarRanks(3)), gone(Others(("P", "+W")))),)),
    ("dies-beside", (on("arrives", Near(("W",), "enemy") & ~Is(("W",)), gone()),)),
    ("dies-anywhere", (on("arrives", At(Squares(("4d", "3c", "5e"))), gone()),)),
    (
        "dies-or-burns",
        (
            on("arrives", Is(("W", "+N")), gone(Others(most=1))),
            on("arrives", ~Is(("W",)) & Near(("W", "G"), "either"), gone()),
        ),
    ),
    ("burns-others-beside", (on("arrives", Near(("S",), "enemy", most=2), gone(Others(("G", "P"), "either"))),)),
    ("turns-on-arrival", (on("arrives", Is(("W",)) & Near(("P", "N")), turned("+W")),)),
    ("turns-others-on-arrival", (on("arrives", Is(("N", "S")), turned("+P", Others(("P",), most=2))),)),
    ("seen-on-arrival", (on("arrives", InSight(("S", "G"), ALL), turned("P")),)),
    (
        "arrivals-in-order",
        (
            on("arrives", Is(("P",)), turned("+P")),
            on("arrives", Is(("+P",)) & Has(("W",), "enemy"), gone(Others(("W",), "enemy", 3))),
            on("arrives", ~Has(("W",), "enemy"), turned("G", Others(("G",), "own"))),
        ),
    ),
    (
        "a-chain-of-turns",
        (
            on("became", Is(("+P",)), turned("+W", Others(("W",), "own"))),
            on("became", Is(("+W",)), turned("+N", Others(("N",), "enemy", 2))),
            on("became", Is(("+N",)) & Near(("S",), "either"), gone(Others(("S",), most=1))),
        ),
    ),
    ("gone-when-turned", (on("became", Is(("+P", "+W")) & ~Near(("G",), "own", most=2), gone()),)),
    (
        "turned-by-others",
        (on("became", Is(("+S", "+P")), turned("+W", Others(("W",)))), on("became", Is(("+W",)), gone())),
    ),
    (
        "turned-and-gone-before-its-turn",
        (
            on("arrives", Is(("N", "W")), turned("+P", Others(("P",)))),
            on("became", Is(("+P",)), gone(Others(("P",), "either", 2))),
        ),
    ),
    (
        "turned-into-what-is-not-meant",
        (
            on("arrives", Is(("N", "W", "S")), turned("+P", Others(("P", "W")))),
            on("became", Is(("+P",)), turned("+W", Others(("W",), "either", 2))),
        ),
    ),
    (
        "always-back",
        (
            on("at_all_times", Is(("+W",)) & ~Has(("N",)), turned("W")),
            on("at_all_times", Is(("+P",)) & Near(("S",), most=2), turned("P")),
        ),
    ),
    (
        "always-feeding",
        (
            on("at_all_times", Is(("+S",)) & ~Has(("+P",)), turned("S")),
            on("at_all_times", Is(("+P",)) & Near(("S",), "either"), turned("P")),
            on("at_all_times", Is(("W",)) & Near(("P",), "enemy") & ~Has(("+S",), "either"), gone()),
            on("at_all_times", Is(("N",)) & ~Has(("W",), "either"), gone()),
        ),
    ),
    ("always-in-sight", (on("at_all_times", Is(("P", "N")) & InSight(("S",), ((0, 1),)), gone()),)),
    (
        "everything",
        (
            forbid("lands", Is(("N", "+N")) & At(Squares(tuple(f"{f}{rank}" for f in "1357" for rank in "aceg")))),
            on("turn_start", InSight(("+W",), ORTHOGONAL), held()),
            on("turn_start", Is(("P",)) & ~Has(("W", "+W")), held((0, 1))),
            on("shoots", Is(("S", "+S")) & Near(("+N",), "enemy", most=3), Forbid("made-up rule")),
            on("arrives", Is(("+P",)), gone(Others(most=1))),
            on("arrives", ~Is(("+P",)) & Near(("+P",), "enemy"), gone()),
            on("became", Is(("+W",)), turned("+P", Others(("P",), "own"))),
            on("became", Is(("+W",)), gone(Others(("+P",), "enemy"))),
            on("at_all_times", Is(("+S",)) & ~Has(("N", "+N")), turned("S")),
            on("at_all_times", Is(("+N",)) & Near(("G",), "enemy", most=2), turned("N")),
        ),
    ),
)  # fmt: skip


def some_condition(chance: random.Random, *, in_place: bool = True) -> Condition:
    """A condition put together at random from what can be asked of a piece in its place."""
    codes = tuple(k.code for k in TURNCOATS)

    def some() -> tuple[str, ...]:
        return tuple(chance.sample(codes, chance.randrange(1, 4)))

    def atom() -> Condition:
        of: Owner = chance.choice(get_args(Owner))
        least = chance.randrange(1, 3)
        return chance.choice(
            (
                Is(some()),
                At(FarRanks(chance.randrange(1, 5))),
                Has(some(), of),
                Near(some(), of, chance.choice((None, least, least + 1)), least),
                InSight(some(), tuple(chance.sample(ALL, 3)), of, chance.random() < 0.3),
            )[: 5 if in_place else 2]
        )

    found = atom()
    for _ in range(chance.randrange(3)):
        other = atom() if chance.random() < 0.6 else ~atom()
        found = found & other if chance.random() < 0.6 else found | other
    return found


def some_rule(chance: random.Random) -> Rule:
    """A rule about turns under way, put together at random; what acts at all times acts on one kind."""
    codes = tuple(k.code for k in TURNCOATS)
    event: Event = chance.choice(("lands", "turn_start", "shoots", "arrives", "became", "at_all_times"))
    when = some_condition(chance, in_place=event != "lands")
    if event in ("lands", "shoots"):
        return forbid(event, Is(tuple(chance.sample(codes, 3))) & when)
    if event == "turn_start":
        return on(event, when, held(*chance.sample(ALL, chance.choice((0, 3)))))
    others = None
    if event != "at_all_times" and chance.random() < 0.5:
        some = tuple(chance.sample(codes, chance.randrange(4)))
        others = Others(some, chance.choice(get_args(Owner)), chance.choice((None, 1, 2)))
    kind = chance.choice([code for code in codes if code != "G"])
    before, into = sorted((kind, f"+{kind.removeprefix('+')}"), reverse=chance.random() < 0.3)
    action = gone(others) if chance.random() < 0.4 else turned(into, others and replace(others, codes=(before,)))
    if event == "arrives" and chance.random() < 0.5:
        return on(event, when, action)
    return on(event, Is((before,)) & when, action)


def some_rules(seed: int) -> Variant:
    """A game of a few rules put together at random."""
    chance = random.Random(seed)
    return turncoats(f"rules-{seed}", *(some_rule(chance) for _ in range(chance.randrange(2, 7))))


TURNS = (WALKS, WAYS, SHOTS, PREY, *(turncoats(name, *rules) for name, rules in TURN_RULES))
