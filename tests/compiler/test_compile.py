"""The compiler: it finds every defect of a spec at once, and keeps what it has compiled for as long as it is used."""

from __future__ import annotations

import gc
import re
import weakref
from dataclasses import dataclass, replace
from functools import partial

import pytest

import komadai
from helpers import madeup
from helpers.madeup import KING, kind, variant
from helpers.madeup.stones import stone
from komadai.compiler import Compiled, check_spec, compile_variant
from komadai.errors import SpecError
from komadai.i18n import speaking
from komadai.spec.betza import betza
from komadai.spec.board import FarRanks, Rect, Squares, Unbounded
from komadai.spec.conditions import (
    At,
    Beside,
    BeyondSupport,
    Captures,
    Condition,
    Count,
    GivesCheck,
    Has,
    InHand,
    InSight,
    Is,
    JustTaken,
    Mates,
    Near,
    OnFile,
    Stuck,
    Supported,
    Takes,
)
from komadai.spec.kinds import Becomes, Kind
from komadai.spec.movement import Leg, Movement, Shot, Walk, slide, step
from komadai.spec.rules import Action, Become, Forbid, Immobilize, Others, Remove, Rule, Take
from komadai.spec.variant import (
    CACHED_VARIANTS,
    Agreement,
    Borrowing,
    Declaration,
    Extinction,
    Repetition,
    Support,
    Variant,
)


@dataclass(frozen=True)
class Unheard(Condition):
    """A condition that the compiler does not know."""


GOOD = variant("good", Rect(5, 5), "r1k1r/5/5/5/R1K1R b -", (KING, kind("R", "R"), kind("P", "fW")), ("R", "P"))
HELD = Support(("K",))


FORBID, TAKE, HOLD = Forbid("because"), Take("because"), Immobilize("because")
GONE, TURN = Remove("because"), Become("R", "because")


def rule(when: Condition, event: str = "always", action: Action = FORBID) -> tuple[Rule, ...]:
    return (Rule(event, when, action, "page 1"),)  # type: ignore[arg-type]


COMMONERS = tuple(replace(one, royal=False) for one in GOOD.kinds)


def declaring(**changes: object) -> Variant:
    rule = Declaration(FarRanks(2), 1, (), (8, 8), None, "page 1")
    return replace(GOOD, declaration=replace(rule, **changes))  # type: ignore[arg-type]


def with_piece(move: object, **becomes: object) -> Variant:
    return replace(GOOD, kinds=(*GOOD.kinds, kind("Z", move, **({"captured": None} | becomes))))  # type: ignore[arg-type]


def with_kinds(*kinds: Kind) -> Variant:
    return replace(GOOD, kinds=(*GOOD.kinds, *kinds))


def with_stone(move: object) -> Variant:
    return with_kinds(stone("Z", move))  # type: ignore[arg-type]


def shooter(
    vectors: tuple[tuple[int, int], ...] = ((0, 1),), reach: int = 3, targets: int = 1, **more: object
) -> Variant:
    return with_stone(betza("W").shooting(Shot(vectors, reach, targets, **more)))  # type: ignore[arg-type]


STONES = madeup.WALKS
good, stones = partial(replace, GOOD), partial(replace, STONES)


def with_turns(*turns: tuple[str, str]) -> Variant:
    """Stones, of which what has become the first kind of a pair becomes the second at once."""
    return replace(STONES, rules=sum((rule(Is((a,)), "became", Become(b, "because")) for a, b in turns), ()))


def cannot_be_asked(condition: Condition, event: str) -> str:
    return f"rules[0].when: {type(condition).__name__} cannot be asked on '{event}'"


OF_A_TURN = Has(("R",)), InSight(("R",), ((0, 1),))
DEFECTS: list[tuple[Variant, str]] = [
    (good(board=Rect(0, 26)), "board: 0×26; expected 1 to 25"),
    (with_kinds(kind("R", "R")), "kinds[R]: the code stands twice"),
    (with_kinds(kind("z", "W", captured=None)), "kinds[z].code: 'z'"),
    (with_piece("WX"), "kinds[Z].move: Betza 'WX': there is no X"),
    (with_piece(step() | slide()), "kinds[Z].move"),
    (with_piece(step((0, 0))), "kinds[Z].move"),
    (with_piece(slide((0, 1), reach=0)), "kinds[Z].move"),
    (with_piece("W", quiet=("Y",)), "kinds[Z].becomes.quiet: 'Y' is no kind"),
    (with_piece("W", captures=("R", "Y")), "kinds[Z].becomes.captures: 'Y' is no kind"),
    (with_piece("W", zone=("R",)), "kinds[Z].becomes.zone: the variant has no promotion zone"),
    (with_piece("W", captured="K"), "kinds[Z].becomes.captured: 'K' is no hand kind"),
    (with_piece("W", dropped=("R",)), "kinds[Z].becomes.dropped: the kind is never in hand"),
    (good(kinds=(replace(KING, value=-1), *GOOD.kinds[1:])), "kinds[K].value: -1 is outside"),
    (
        good(kinds=(replace(KING, becomes=Becomes(quiet=("R",))), *GOOD.kinds[1:])),
        "kinds[K].becomes: a royal piece may not change",
    ),
    (good(hand_order=("R", "P", "Y")), "hand_order: 'Y' is no kind"),
    (good(hand_order=("R", "P", "R")), "hand_order: 'R' stands twice"),
    (good(kinds=(*GOOD.kinds, kind("+P", "W", captured=None)), hand_order=("R", "P", "+P")), "hand_order"),
    (good(zone=FarRanks(6)), "zone: 6 ranks; expected 1 to 5"),
    (good(agreement=Agreement(FarRanks(0), "page")), "agreement.region: 0 ranks"),
    (declaring(region=FarRanks(0)), "declaration.region: 0 ranks"),
    (declaring(points=(("Y", 5),)), "declaration.points: 'Y' is no kind"),
    (declaring(least=-1), "declaration: -1 pieces or points; expected 0 or more"),
    (declaring(wins=(0, 5)), "declaration.wins: (0, 5); expected two numbers of 1 or more"),
    (declaring(draws=8), "declaration.draws: 8; expected 1 or more, and fewer than win"),
    (replace(declaring(), kinds=COMMONERS), "declaration: the variant has no royal piece"),
    (good(repetition=Repetition(1)), "repetition.count: 1; expected 2 or more"),
    (
        good(repetition=Repetition(4, loser="x")),  # type: ignore[arg-type]
        "repetition.loser: 'x' is no side; expected b, w or nothing",
    ),
    (good(rules=rule(OnFile(("P",), 0))), "rules[0].when: 0 pieces on a file"),
    (good(rules=rule(OnFile(("P",), 6))), "expected 1 to 5"),
    (
        good(kinds=COMMONERS, wins_if=GivesCheck()),
        "wins_if: GivesCheck asks for check, and the variant has no royal piece",
    ),
    (good(extinction=Extinction(guarded=True)), "extinction.guarded: nothing is needed to survive"),
    (good(borrowing=Borrowing(())), "borrowing.vectors: there are none"),
    (good(borrowing=Borrowing(((0, 0),))), "borrowing.vectors: the vector (0, 0)"),
    (
        good(borrowing=Borrowing(((0, -1),), of="mine")),  # type: ignore[arg-type]
        "borrowing.of: 'mine' is no owner; expected own, enemy, either",
    ),
    (with_piece(Movement((Leg(((0, 1),), 1, hops=True),))), "a leg of reach 1 hops over"),
    (
        with_piece(Movement((Leg(((0, 1),), captures="often"),))),  # type: ignore[arg-type]
        "kinds[Z].move: captures 'often'; expected may, never or must",
    ),
    (stones(kinds=(*STONES.kinds, stone("Y", betza("pR")))), "legs that hop"),
    (stones(borrowing=Borrowing(((0, -1),))), "borrowing: borrowed moves do not go"),
    (good(rules=rule(~Is(("Y",)))), "rules[0].when: 'Y' is no kind"),
    (good(rules=rule(OnFile(("P", "Y")))), "rules[0].when: 'Y' is no kind"),
    (good(rules=rule(InHand(("K",)))), "rules[0].when: 'K' is no hand kind"),
    (good(rules=rule(At(Squares(("6a",))))), "rules[0].when: '6a' is no square"),
    (good(rules=rule(Unheard() | Is(("R",)))), "rules[0].when: Unheard is no"),
    (good(rules=rule(Is(("R",)), "burns")), "rules[0].event"),
    (good(rules=rule(Is(("P",)), "drops", TAKE)), "action: Take does not go"),
    (good(rules=rule(Is(("P",)), "turn_end")), "action: Forbid does not go"),
    (good(rules=rule(Near(("P",), least=3, most=2))), "when: from 3 to 2 steps"),
    (good(rules=rule(Near(("P",), least=0))), "rules[0].when: from 0 to 1 steps"),
    (good(rules=rule(Near(("P",), least=-1, most=None))), "when: from -1 to None"),
    (good(rules=rule(Near(("P", "Y")))), "rules[0].when: 'Y' is no kind"),
    (good(rules=rule(Is(("P",)) & ~Supported())), "when: Supported asks for support"),
    (good(rules=rule(BeyondSupport(), "lands")), "when: BeyondSupport asks"),
    (good(rules=rule(~Supported(), "turn_end", TAKE)), "when: Supported asks for support"),
    *(
        (good(support=HELD, rules=rule(Is(("P",)) & atom, "turn_end", TAKE)), cannot_be_asked(atom, "turn_end"))
        for atom in (GivesCheck(), Mates(), Captures(), BeyondSupport(), Near(("K",)), InHand(), OnFile(("P",)))
    ),
    (good(support=Support(("K", "Y"))), "support.roots: 'Y' is no kind"),
    (good(support=Support(("K",), links=("Y",))), "support.links: 'Y' is no kind"),
    (good(support=Support(("K",), reach=0)), "support.reach: 0; expected 1 or more"),
    (good(board=Unbounded(5, 5, "Y")), "board.anchor: 'Y' is no royal kind"),
    (good(board=Unbounded(5, 5, "R")), "board.anchor: 'R' is no royal kind"),
    (good(board=Unbounded(5, 6, "K")), "board: the window of an unbounded field needs"),
    (good(board=Unbounded(-1, 5, "K")), "board: -1×5; expected 1 to 25"),
    (with_stone(Movement(walks=(Walk((), 1, 2),))), "kinds[Z].move: the piece has no move"),
    (with_stone(step((0, 0), (0, 1)).times(1, 2)), "kinds[Z].move: the vector (0, 0)"),
    (with_stone(betza("W").times(0, 2)), "kinds[Z].move: a walk of 0 to 2 leaps"),
    (with_stone(betza("W").times(3, 2)), "kinds[Z].move: a walk of 3 to 2 leaps"),
    (shooter(vectors=((0, 0),)), "kinds[Z].move: the vector (0, 0)"),
    (shooter(reach=0), "kinds[Z].move: a shot of reach 0 at 1 targets"),
    (shooter(targets=0), "kinds[Z].move: a shot of reach 3 at 0 targets"),
    (shooter(safe=("Y",)), "kinds[Z].move.shot: 'Y' is no kind"),
    (shooter(nearest=(("Y", 2),)), "kinds[Z].move.shot: 'Y' is no kind"),
    (shooter(nearest=(("R", 4),)), "kinds[Z].move.shot: hits R from 4 on; expected 1 to its"),
    (shooter(nearest=(("R", 0),)), "kinds[Z].move.shot: hits R from 0 on; expected 1 to its"),
    (with_stone(betza("W").times(1, 6)), "turns of 6 landings and 0 shots; the core holds 5"),
    (shooter(targets=5), "turns of 1 landings and 5 shots; the core holds 5 in all"),
    (
        with_stone(betza("W").times(3).shooting(Shot(((0, 1),), 2, each_landing=True))),
        "kinds[Z].move: turns of 3 landings and 3 shots; the core holds 5 in all",
    ),
    (with_kinds(replace(stone("Z", "W"), cannot_capture=("Y",))), "kinds[Z].cannot_capture: 'Y' is no kind"),
    (
        with_kinds(stone("Z", "W", promotes_by_capturing=("R",))),
        "kinds[Z].becomes: promotes_by_capturing and captures_promote_to go together",
    ),
    (
        with_kinds(stone("Z", "W", captures_promote_to="R")),
        "kinds[Z].becomes: promotes_by_capturing and captures_promote_to go",
    ),
    (
        with_kinds(stone("Z", "W", captures_promote_to="R", promotes_by_capturing=("Y",))),
        "kinds[Z].becomes.promotes_by_capturing: 'Y' is no",
    ),
    (
        with_kinds(stone("Z", "W", captures_promote_to="Y", promotes_by_capturing=("R",))),
        "kinds[Z].becomes.captures_promote_to: 'Y' is no",
    ),
    (good(rules=rule(Has(("Y",)), "arrives", GONE)), "rules[0].when: 'Y' is no kind"),
    (good(rules=rule(InSight(("Y",), ((0, 1),)), "turn_start", HOLD)), "rules[0].when: 'Y' is no kind"),
    (good(rules=rule(Is(("R",)), "arrives", Become("Y", "because"))), "rules[0].action: 'Y' is no kind"),
    (good(rules=rule(Is(("R",)), "arrives", Remove("because", Others(("Y",))))), "rules[0].action: 'Y' is no kind"),
    (
        good(rules=rule(Is(("R",)), "arrives", Remove("because", Others(most=0)))),
        "rules[0].action: pieces 0 steps away at most; expected 1 or more",
    ),
    *(
        (
            good(rules=rule(Is(("R",)), event, action)),
            f"rules[0].action: {type(action).__name__} does not go with '{event}'",
        )
        for event, actions in (
            ("drops", (HOLD, GONE, TURN, TAKE)),
            ("lands", (HOLD, GONE, TURN, TAKE)),
            ("always", (HOLD, GONE, TURN, TAKE)),
            ("turn_end", (FORBID, HOLD, GONE, TURN)),
            ("turn_start", (FORBID, TAKE, GONE, TURN)),
            ("arrives", (FORBID, TAKE, HOLD)),
            ("shoots", (TAKE, HOLD, GONE, TURN)),
            ("became", (FORBID, TAKE, HOLD)),
            ("at_all_times", (FORBID, TAKE, HOLD)),
        )
        for action in actions
    ),
    *(
        (good(support=HELD, rules=rule(atom, event, action)), cannot_be_asked(atom, event))
        for events, conditions in (
            ({"drops": FORBID, "lands": FORBID, "always": FORBID, "turn_end": TAKE}, OF_A_TURN),
            (
                {"turn_start": HOLD, "arrives": GONE, "shoots": FORBID, "became": GONE, "at_all_times": GONE},
                (Stuck(), OnFile(("R",)), InHand(), Captures(), Supported(), GivesCheck(), Mates()),
            ),
        )
        for event, action in events.items()
        for atom in conditions
    ),
    (stones(survives_if=Has(("A",)) & At(FarRanks(2))), "survives_if: At is asked; expected"),
    (stones(survives_if=Is(("A",))), "survives_if: Is is asked; expected Has of one's own alone"),
    (stones(survives_if=Has(("A",), "enemy")), "survives_if: Has is asked; expected Has of"),
    (
        replace(madeup.SHOTS, rules=rule(Takes(("A",)), "whole_turn")),
        "kinds[A].move: shots do not go with rules about whole turns",
    ),
    (
        stones(rules=rule(Takes(("A",)), "whole_turn") + rule(Is(("A",)), "arrives", GONE)),
        "rules[1].event: 'arrives' does not go with rules about whole turns",
    ),
    (
        stones(rules=rule(JustTaken(("A",), ("A",)), "whole_turn") + rule(JustTaken(("B",), ("A",)), "whole_turn")),
        "rules: two JustTaken differ",
    ),
    (
        stones(rules=rule(Takes(("A",), 3, 2), "whole_turn")),
        "rules[0].when: from 3 to 2 steps; expected 1 or more, rising",
    ),
    (stones(rules=rule(JustTaken(("A",), ("Z",)), "whole_turn")), "rules[0].when: 'Z' is no kind of this variant"),
    (stones(wins_if=Count(("A",), least=3, most=2)), "wins_if: 3 to 2 pieces"),
    (
        stones(wins_if=Beside(("A",), ("B",), "mine")),  # type: ignore[arg-type]
        "wins_if: 'mine' is no owner; expected own, enemy, either",
    ),
    (with_piece("fW", zone_by=()), "kinds[Z].becomes.zone_by: no move counts"),
    (
        with_piece("fW", zone_by=("leaving",)),
        "kinds[Z].becomes.zone_by: 'leaving'; expected touch, entry, capture, last_rank",
    ),
    (
        stones(hand_order=("A",), rules=rule(JustTaken(("A",), ("A",)), "whole_turn")),
        "hand_order: pieces in hand do not go with JustTaken",
    ),
    (
        stones(kinds=(*STONES.kinds, KING), rules=rule(Is((KING.code,)), "arrives", Become("A", "because"))),
        f"rules[0].action: {KING.code} is royal; no rule turns a royal piece, or makes one",
    ),
    (
        stones(kinds=(*STONES.kinds, KING), rules=rule(Is(("A",)), "arrives", Become(KING.code, "because"))),
        f"rules[0].action: {KING.code} is royal; no rule turns a royal piece, or makes one",
    ),
    (
        stones(rules=rule(Takes(("A",), protected=True), "whole_turn") + rule(Is(("A",)), "lands")),
        "rules[1].event: 'lands' does not go with Takes of what is protected",
    ),
    (
        stones(support=Support(("A",)), rules=rule(Near(("A",), supported=True), "arrives", GONE)),
        "rules[0].when: support cannot be asked of other pieces on 'arrives'",
    ),
    (
        stones(kinds=(*STONES.kinds, KING), wins_if=GivesCheck()),
        "wins_if: check as a goal does not go with walks, shots, and rules about turns under way",
    ),
    (stones(board=Unbounded(7, 7, "A")), "without edges does not go"),
    *(
        (
            stones(rules=rule(atom, event)),
            f"rules[0].when: {type(atom).__name__} asked on '{event}' does not go with walks",
        )
        for event in ("lands", "always")
        for atom in (Captures(), OnFile(("A",)), InHand(), GivesCheck(), Mates())
    ),
    (with_turns(("A", "A")), "rules: A might be turned for ever"),
    (with_turns(("A", "B"), ("B", "E"), ("E", "A")), "rules: E might be"),
    (
        stones(
            rules=rule(Is(("A",)), "became", Become("B", "because", Others(("C",))))
            + rule(Is(("B",)) & Has(("D",)), "at_all_times", Become("C", "because"))
        ),
        "rules: C might be turned for ever",
    ),
    (
        stones(rules=rule(Is(("A",)) & Near(("B",)), "at_all_times", GONE)),
        "start: Black's piece A on 7f cannot be: because",
    ),
    (good(start="r1k1r/5/5/R1K1R b -"), "start: board: has 4 ranks; expected 5"),
    (good(start="r1k1r/5/5/5/R3R b -"), "start: Black has no royal piece"),
    (good(start="r1k1r/2R2/5/5/2K1R b -"), "start"),  # which cannot be played
    # The anchor is off the middle: what it leaves too far away does not fit.
    (good(board=Unbounded(5, 5, "K"), start="4k/R4/5/5/4K b -"), "too far from Black's"),
    (good(rules=rule(Near(("P",), supported=True))), "Near asks for support"),
    (replace(madeup.ADRIFT, rules=(madeup.take(At(FarRanks(9))),)), "may take K, which the window follows"),
]


def many(count: int) -> tuple[Kind, ...]:
    """A variant with that many kinds besides the king."""
    return tuple(kind(f"Z{chr(65 + number)}", "W") for number in range(count))


# What is sound by itself but more than the core holds.
TOO_MUCH: list[tuple[Variant, str]] = [
    (good(kinds=(*GOOD.kinds, *many(15)), hand_order=("R", "P", *(k.code for k in many(15)))), "hand_order"),
    (
        good(
            kinds=(*GOOD.kinds, *many(5)),
            hand_order=("R", "P", *(k.code for k in many(5))),
            rules=tuple(rule(OnFile((k.code,)))[0] for k in many(5)),
        ),
        "rules",
    ),
    (with_piece(step(*((right, ahead) for right in range(-4, 5) for ahead in range(1, 5)))), "kinds"),
]


@pytest.mark.parametrize(("variant", "fragment"), DEFECTS + TOO_MUCH, ids=str)
def test_a_defect_is_reported_with_the_path_of_its_field(variant: Variant, fragment: str) -> None:
    with pytest.raises(SpecError) as caught:
        compile_variant(variant)
    assert any(fragment in defect for defect in caught.value.defects), caught.value.defects
    assert "\n" not in str(caught.value)
    with speaking("ja"), pytest.raises(SpecError) as there:
        compile_variant(variant)
    assert len(there.value.defects) == len(caught.value.defects)
    for defect in there.value.defects:
        said = re.sub(r"'[^']*'|\"[^\"]*\"", "", defect)
        assert not re.search("[a-z]{2,};? [a-z]{2,}", said), defect


def test_all_defects_are_reported_at_once() -> None:
    spec = replace(
        GOOD,
        board=Rect(5, 30),
        kinds=(
            replace(KING, value=30_000, short="KK"),
            kind("R", "RX"),
            kind("R", "W", quiet=("Q",)),
            kind("p", "W", zone=("R",)),
        ),
        hand_order=("R", "R", "Y"),
        zone=None,
        repetition=Repetition(0),
        rules=rule(Is(("Y",)) & At(FarRanks(99))) + rule(Unheard()),
    )
    with pytest.raises(SpecError) as caught:
        check_spec(spec)
    paths = [defect.split(":")[0] for defect in caught.value.defects]
    assert sorted(set(paths)) == sorted({
        "board", "kinds[K].short", "kinds[K].value", "kinds[R]", "kinds[R].move", "kinds[R].becomes.quiet",
        "kinds[p].code", "kinds[p].becomes.zone", "kinds[p].becomes.captured", "hand_order", "repetition.count",
        "rules[0].when", "rules[1].when",
    })  # fmt: skip
    assert all(defect in str(caught.value) for defect in caught.value.defects)


def test_a_good_spec_compiles_once() -> None:
    assert compile_variant(GOOD) is compile_variant(replace(GOOD))


@pytest.mark.parametrize(
    ("spec", "single"),
    [
        pytest.param(madeup.COMBINATORS, True, id="one king a side"),
        pytest.param(madeup.SLIDING_ROYAL, True, id="one queen a side"),
        pytest.param(madeup.TWO_ROYALS, False, id="two kings a side"),
        pytest.param(madeup.NO_ROYAL, True, id="none"),
        pytest.param(madeup.TAKING, True, id="losses that hang on support"),
        pytest.param(madeup.TAKING_THERE, True, id="losses that hang on support, and the place"),
        pytest.param(madeup.TAKING_HELD, False, id="losses of what is supported"),
        pytest.param(madeup.TAKING_HERE, False, id="losses that hang on the place alone"),
        pytest.param(komadai.variant("ki"), True, id="ki"),
        pytest.param(komadai.variant("ki-unicorn"), True, id="ki-unicorn"),
    ],
)
def test_single_royal_is_derived(spec: Variant, single: bool) -> None:
    assert compile_variant(spec).tables.single_royal is single


@pytest.mark.parametrize("name", ["nana", "ki", "ko"])
def test_compiled_rules_are_freed(name: str) -> None:
    compiled = Compiled(komadai.variant(name))
    position = compiled.start.copy()
    assert position.legal_moves()
    freed = weakref.ref(compiled), weakref.ref(compiled._moves)  # the native rules hold the latter
    del compiled, position
    assert [found() for found in freed] == [None, None], "without the garbage collector"


def test_few_compiled_variants_are_kept() -> None:
    made = komadai.variant("nana")
    latest = [weakref.ref(compile_variant(replace(made, version=f"kept {number}"))) for number in range(40)]
    gc.collect()
    assert sum(found() is not None for found in latest) == CACHED_VARIANTS


def test_a_compiled_variant_in_use_is_compiled_only_once() -> None:
    wanted = replace(komadai.variant("nana"), version="wanted")
    position = komadai.Position(wanted)
    for number in range(40):
        compile_variant(replace(komadai.variant("nana"), version=str(number)))
    assert compile_variant(replace(wanted)) is position._compiled
