"""The compiler: it finds every defect of a spec at once, and keeps what it has compiled for as long as it is used."""

from __future__ import annotations

import gc
import re
import weakref
from collections.abc import Callable
from dataclasses import dataclass, replace

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
HELD = replace(GOOD, support=Support(("K",)))


def rule(when: Condition, event: str = "always") -> tuple[Rule, ...]:
    return (Rule(event, when, Forbid("because"), "page 1"),)  # type: ignore[arg-type]


def taking(when: Condition, event: str = "turn_end") -> tuple[Rule, ...]:
    return (Rule(event, when, Take("because"), "page 1"),)  # type: ignore[arg-type]


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


def with_rule(event: str, when: Condition, action: Action) -> Variant:
    return replace(GOOD, rules=(Rule(event, when, action, "page 1"),))  # type: ignore[arg-type]


STONES = madeup.WALKS
FORBID, TAKE, HOLD = Forbid("because"), Take("because"), Immobilize("because")
GONE, TURN = Remove("because"), Become("R", "because")


def with_turns(*turns: tuple[str, str]) -> Variant:
    """Stones, of which what has become the first kind of a pair becomes the second at once."""
    return replace(STONES, rules=tuple(madeup.on("became", Is((a,)), Become(b, "because")) for a, b in turns))


DEFECTS: list[tuple[str, Callable[[], Variant], str]] = [
    ("board", lambda: replace(GOOD, board=Rect(0, 26)), "board: 0×26; expected 1 to 25"),
    ("code twice", lambda: replace(GOOD, kinds=(*GOOD.kinds, kind("R", "R"))), "kinds[R]: the code stands twice"),
    ("code case", lambda: replace(GOOD, kinds=(*GOOD.kinds, kind("z", "W", captured=None))), "kinds[z].code: 'z'"),
    ("Betza", lambda: with_piece("WX"), "kinds[Z].move: Betza 'WX': there is no X"),
    ("no move", lambda: with_piece(step() | slide()), "kinds[Z].move"),
    ("still", lambda: with_piece(step((0, 0))), "kinds[Z].move"),
    ("reach", lambda: with_piece(slide((0, 1), reach=0)), "kinds[Z].move"),
    ("becomes", lambda: with_piece("W", quiet=("Y",)), "kinds[Z].becomes.quiet: 'Y' is no kind"),
    ("captures", lambda: with_piece("W", captures=("R", "Y")), "kinds[Z].becomes.captures: 'Y' is no kind"),
    ("no zone", lambda: with_piece("W", zone=("R",)), "kinds[Z].becomes.zone: the variant has no promotion zone"),
    ("captured", lambda: with_piece("W", captured="K"), "kinds[Z].becomes.captured: 'K' is no hand kind"),
    ("dropped", lambda: with_piece("W", dropped=("R",)), "kinds[Z].becomes.dropped: the kind is never in hand"),
    ("value", lambda: replace(GOOD, kinds=(replace(KING, value=-1), *GOOD.kinds[1:])), "kinds[K].value: -1 is outside"),
    (
        "royal",
        lambda: replace(GOOD, kinds=(replace(KING, becomes=Becomes(quiet=("R",))), *GOOD.kinds[1:])),
        "kinds[K].becomes: a royal piece may not change",
    ),
    ("hand", lambda: replace(GOOD, hand_order=("R", "P", "Y")), "hand_order: 'Y' is no kind"),
    ("hand twice", lambda: replace(GOOD, hand_order=("R", "P", "R")), "hand_order: 'R' stands twice"),
    (
        "hand of a turned piece",
        lambda: replace(GOOD, kinds=(*GOOD.kinds, kind("+P", "W", captured=None)), hand_order=("R", "P", "+P")),
        "hand_order",
    ),
    ("zone", lambda: replace(GOOD, zone=FarRanks(6)), "zone: 6 ranks; expected 1 to 5"),
    ("agreement", lambda: replace(GOOD, agreement=Agreement(FarRanks(0), "page")), "agreement.region: 0 ranks"),
    ("declaration", lambda: declaring(region=FarRanks(0)), "declaration.region: 0 ranks"),
    ("declared kind", lambda: declaring(points=(("Y", 5),)), "declaration.points: 'Y' is no kind"),
    ("declared pieces", lambda: declaring(least=-1), "declaration: -1 pieces or points; expected 0 or more"),
    ("declared win", lambda: declaring(wins=(0, 5)), "declaration.wins: (0, 5); expected two numbers of 1 or more"),
    ("declared draw", lambda: declaring(draws=8), "declaration.draws: 8; expected 1 or more, and fewer than win"),
    ("nobody enters", lambda: replace(declaring(), kinds=COMMONERS), "declaration: the variant has no royal piece"),
    ("repetition", lambda: replace(GOOD, repetition=Repetition(1)), "repetition.count: 1; expected 2 or more"),
    (
        "repetition's loser",
        lambda: replace(GOOD, repetition=Repetition(4, loser="x")),  # type: ignore[arg-type]
        "repetition.loser: 'x' is no side; expected b, w or nothing",
    ),
    ("no pieces on a file", lambda: replace(GOOD, rules=rule(OnFile(("P",), 0))), "rules[0].when: 0 pieces on a file"),
    ("too many on a file", lambda: replace(GOOD, rules=rule(OnFile(("P",), 6))), "expected 1 to 5"),
    (
        "check without kings",
        lambda: replace(GOOD, kinds=COMMONERS, wins_if=GivesCheck()),
        "wins_if: GivesCheck asks for check, and the variant has no royal piece",
    ),
    (
        "nothing to guard",
        lambda: replace(GOOD, extinction=Extinction(guarded=True)),
        "extinction.guarded: nothing is needed to survive",
    ),
    ("no lender", lambda: replace(GOOD, borrowing=Borrowing(())), "borrowing.vectors: there are none"),
    ("lent by itself", lambda: replace(GOOD, borrowing=Borrowing(((0, 0),))), "borrowing.vectors: the vector (0, 0)"),
    (
        "lent by nobody",
        lambda: replace(GOOD, borrowing=Borrowing(((0, -1),), of="mine")),  # type: ignore[arg-type]
        "borrowing.of: 'mine' is no owner; expected own, enemy, either",
    ),
    ("hops over nothing", lambda: with_piece(Movement((Leg(((0, 1),), 1, hops=True),))), "a leg of reach 1 hops over"),
    (
        "captures perhaps",
        lambda: with_piece(Movement((Leg(((0, 1),), captures="often"),))),  # type: ignore[arg-type]
        "kinds[Z].move: captures 'often'; expected may, never or must",
    ),
    ("hops and walks", lambda: replace(STONES, kinds=(*STONES.kinds, stone("Y", betza("pR")))), "legs that hop"),
    ("lent walks", lambda: replace(STONES, borrowing=Borrowing(((0, -1),))), "borrowing: borrowed moves do not go"),
    ("rule kind", lambda: replace(GOOD, rules=rule(~Is(("Y",)))), "rules[0].when: 'Y' is no kind"),
    ("rule file", lambda: replace(GOOD, rules=rule(OnFile(("P", "Y")))), "rules[0].when: 'Y' is no kind"),
    ("rule hand", lambda: replace(GOOD, rules=rule(InHand(("K",)))), "rules[0].when: 'K' is no hand kind"),
    ("rule square", lambda: replace(GOOD, rules=rule(At(Squares(("6a",))))), "rules[0].when: '6a' is no square"),
    ("rule condition", lambda: replace(GOOD, rules=rule(Unheard() | Is(("R",)))), "rules[0].when: Unheard is no"),
    ("rule event", lambda: replace(GOOD, rules=rule(Is(("R",)), "burns")), "rules[0].event"),
    ("take without turn_end", lambda: replace(GOOD, rules=taking(Is(("P",)), "drops")), "action: Take does not go"),
    ("forbid at turn_end", lambda: replace(GOOD, rules=rule(Is(("P",)), "turn_end")), "action: Forbid does not go"),
    ("near least", lambda: replace(GOOD, rules=rule(Near(("P",), least=3, most=2))), "when: from 3 to 2 steps"),
    ("near zero", lambda: replace(GOOD, rules=rule(Near(("P",), least=0))), "rules[0].when: from 0 to 1 steps"),
    ("near below zero", lambda: replace(GOOD, rules=rule(Near(("P",), least=-1, most=None))), "when: from -1 to None"),
    ("near kind", lambda: replace(GOOD, rules=rule(Near(("P", "Y")))), "rules[0].when: 'Y' is no kind"),
    ("supported", lambda: replace(GOOD, rules=rule(Is(("P",)) & ~Supported())), "when: Supported asks for support"),
    ("beyond", lambda: replace(GOOD, rules=rule(BeyondSupport(), "lands")), "when: BeyondSupport asks"),
    ("taken", lambda: replace(GOOD, rules=taking(~Supported())), "when: Supported asks for support"),
    *(
        (f"{type(atom).__name__} at turn_end", lambda atom=atom: replace(HELD, rules=taking(Is(("P",)) & atom)), said)
        for atom, said in (
            (GivesCheck(), "rules[0].when: GivesCheck cannot be asked on 'turn_end'"),
            (Mates(), "rules[0].when: Mates cannot be asked on 'turn_end'"),
            (Captures(), "rules[0].when: Captures cannot be asked on 'turn_end'"),
            (BeyondSupport(), "rules[0].when: BeyondSupport cannot be asked on 'turn_end'"),
            (Near(("K",)), "rules[0].when: Near cannot be asked on 'turn_end'"),
            (InHand(), "rules[0].when: InHand cannot be asked on 'turn_end'"),
            (OnFile(("P",)), "rules[0].when: OnFile cannot be asked on 'turn_end'"),
        )
    ),
    ("roots", lambda: replace(GOOD, support=Support(("K", "Y"))), "support.roots: 'Y' is no kind"),
    ("links", lambda: replace(GOOD, support=Support(("K",), links=("Y",))), "support.links: 'Y' is no kind"),
    ("support reach", lambda: replace(GOOD, support=Support(("K",), reach=0)), "support.reach: 0; expected 1 or more"),
    ("anchor", lambda: replace(GOOD, board=Unbounded(5, 5, "Y")), "board.anchor: 'Y' is no royal kind"),
    ("anchor that is no king", lambda: replace(GOOD, board=Unbounded(5, 5, "R")), "board.anchor: 'R' is no royal kind"),
    ("even window", lambda: replace(GOOD, board=Unbounded(5, 6, "K")), "board: the window of an unbounded field needs"),
    ("small window", lambda: replace(GOOD, board=Unbounded(-1, 5, "K")), "board: -1×5; expected 1 to 25"),
    ("empty walk", lambda: with_stone(Movement(walks=(Walk((), 1, 2),))), "kinds[Z].move: the piece has no move"),
    ("walk on the spot", lambda: with_stone(step((0, 0), (0, 1)).times(1, 2)), "kinds[Z].move: the vector (0, 0)"),
    ("walk of nothing", lambda: with_stone(betza("W").times(0, 2)), "kinds[Z].move: a walk of 0 to 2 leaps"),
    ("falling walk", lambda: with_stone(betza("W").times(3, 2)), "kinds[Z].move: a walk of 3 to 2 leaps"),
    ("shot on the spot", lambda: shooter(vectors=((0, 0),)), "kinds[Z].move: the vector (0, 0)"),
    ("shot of no reach", lambda: shooter(reach=0), "kinds[Z].move: a shot of reach 0 at 1 targets"),
    ("shot at nothing", lambda: shooter(targets=0), "kinds[Z].move: a shot of reach 3 at 0 targets"),
    ("shot at a stranger", lambda: shooter(safe=("Y",)), "kinds[Z].move.shot: 'Y' is no kind"),
    ("shot far from a stranger", lambda: shooter(nearest=(("Y", 2),)), "kinds[Z].move.shot: 'Y' is no kind"),
    ("shot too far", lambda: shooter(nearest=(("R", 4),)), "kinds[Z].move.shot: hits R from 4 on; expected 1 to its"),
    ("shot too near", lambda: shooter(nearest=(("R", 0),)), "kinds[Z].move.shot: hits R from 0 on; expected 1 to its"),
    ("long walk", lambda: with_stone(betza("W").times(1, 6)), "turns of 6 landings and 0 shots; the core holds 5"),
    ("long shooting", lambda: shooter(targets=5), "turns of 1 landings and 5 shots; the core holds 5 in all"),
    (
        "long way",
        lambda: with_stone(betza("W").times(3).shooting(Shot(((0, 1),), 2, each_landing=True))),
        "kinds[Z].move: turns of 3 landings and 3 shots; the core holds 5 in all",
    ),
    (
        "spares",
        lambda: with_kinds(replace(stone("Z", "W"), cannot_capture=("Y",))),
        "kinds[Z].cannot_capture: 'Y' is no kind",
    ),
    (
        "prey alone",
        lambda: with_kinds(stone("Z", "W", promotes_by_capturing=("R",))),
        "kinds[Z].becomes: promotes_by_capturing and captures_promote_to go together",
    ),
    (
        "triumph alone",
        lambda: with_kinds(stone("Z", "W", captures_promote_to="R")),
        "kinds[Z].becomes: promotes_by_capturing and captures_promote_to go",
    ),
    (
        "strange prey",
        lambda: with_kinds(stone("Z", "W", captures_promote_to="R", promotes_by_capturing=("Y",))),
        "kinds[Z].becomes.promotes_by_capturing: 'Y' is no",
    ),
    (
        "triumph",
        lambda: with_kinds(stone("Z", "W", captures_promote_to="Y", promotes_by_capturing=("R",))),
        "kinds[Z].becomes.captures_promote_to: 'Y' is no",
    ),
    ("has kind", lambda: with_rule("arrives", Has(("Y",)), GONE), "rules[0].when: 'Y' is no kind"),
    ("sight kind", lambda: with_rule("turn_start", InSight(("Y",), ((0, 1),)), HOLD), "rules[0].when: 'Y' is no kind"),
    ("turn kind", lambda: with_rule("arrives", Is(("R",)), Become("Y", "because")), "rules[0].action: 'Y' is no kind"),
    (
        "strange others",
        lambda: with_rule("arrives", Is(("R",)), Remove("because", Others(("Y",)))),
        "rules[0].action: 'Y' is no kind",
    ),
    (
        "others nowhere",
        lambda: with_rule("arrives", Is(("R",)), Remove("because", Others(most=0))),
        "rules[0].action: pieces 0 steps away at most; expected 1 or more",
    ),
    *(
        (
            f"{type(action).__name__} on {event}",
            lambda event=event, action=action: with_rule(event, Is(("R",)), action),
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
        (
            f"{type(atom).__name__} on {event}",
            lambda event=event, atom=atom, action=action: replace(with_rule(event, atom, action), support=HELD.support),
            f"rules[0].when: {type(atom).__name__} cannot be asked on '{event}'",
        )
        for event, action, conditions in (
            *((event, FORBID, (Has(("R",)), InSight(("R",), ((0, 1),)))) for event in ("drops", "lands", "always")),
            ("turn_end", TAKE, (Has(("R",)), InSight(("R",), ((0, 1),)))),
            *(
                (event, action, (Stuck(), OnFile(("R",)), InHand(), Captures(), Supported(), GivesCheck(), Mates()))
                for event, action in (
                    ("turn_start", HOLD),
                    ("arrives", GONE),
                    ("shoots", FORBID),
                    ("became", GONE),
                    ("at_all_times", GONE),
                )
            ),
        )
        for atom in conditions
    ),
    (
        "alive by place",
        lambda: replace(STONES, survives_if=Has(("A",)) & At(FarRanks(2))),
        "survives_if: At is asked; expected",
    ),
    (
        "alive by kind",
        lambda: replace(STONES, survives_if=Is(("A",))),
        "survives_if: Is is asked; expected Has of one's own alone",
    ),
    (
        "alive by the enemy",
        lambda: replace(STONES, survives_if=Has(("A",), "enemy")),
        "survives_if: Has is asked; expected Has of",
    ),
    (
        "whole turns and shots",
        lambda: replace(madeup.SHOTS, rules=(madeup.on("whole_turn", Takes(("A",)), FORBID),)),
        "kinds[A].move: shots do not go with rules about whole turns",
    ),
    (
        "whole turns and other events",
        lambda: replace(
            STONES,
            rules=(madeup.on("whole_turn", Takes(("A",)), FORBID), madeup.on("arrives", Is(("A",)), GONE)),
        ),
        "rules[1].event: 'arrives' does not go with rules about whole turns",
    ),
    (
        "two memories",
        lambda: replace(
            STONES,
            rules=tuple(madeup.on("whole_turn", JustTaken((code,), ("A",)), FORBID) for code in ("A", "B")),
        ),
        "rules: two JustTaken differ",
    ),
    (
        "a capture nowhere",
        lambda: replace(STONES, rules=(madeup.on("whole_turn", Takes(("A",), 3, 2), FORBID),)),
        "rules[0].when: from 3 to 2 steps; expected 1 or more, rising",
    ),
    (
        "a capture by nobody",
        lambda: replace(STONES, rules=(madeup.on("whole_turn", JustTaken(("A",), ("Z",)), FORBID),)),
        "rules[0].when: 'Z' is no kind of this variant",
    ),
    ("fewer than none", lambda: replace(STONES, wins_if=Count(("A",), least=3, most=2)), "wins_if: 3 to 2 pieces"),
    (
        "beside whom",
        lambda: replace(STONES, wins_if=Beside(("A",), ("B",), "mine")),  # type: ignore[arg-type]
        "wins_if: 'mine' is no owner; expected own, enemy, either",
    ),
    (
        "a zone by no move",
        lambda: with_piece("fW", zone_by=()),
        "kinds[Z].becomes.zone_by: no move counts",
    ),
    (
        "a zone by another word",
        lambda: with_piece("fW", zone_by=("leaving",)),
        "kinds[Z].becomes.zone_by: 'leaving'; expected touch, entry, capture, last_rank",
    ),
    (
        "memory and hands",
        lambda: replace(
            STONES, hand_order=("A",), rules=(madeup.on("whole_turn", JustTaken(("A",), ("A",)), FORBID),)
        ),
        "hand_order: pieces in hand do not go with JustTaken",
    ),
    (
        "a king turned by a rule",
        lambda: replace(
            STONES, kinds=(*STONES.kinds, KING), rules=(madeup.on("arrives", Is((KING.code,)), Become("A", "because")),)
        ),
        f"rules[0].action: {KING.code} is royal; no rule turns a royal piece, or makes one",
    ),
    (
        "a king made by a rule",
        lambda: replace(
            STONES, kinds=(*STONES.kinds, KING), rules=(madeup.on("arrives", Is(("A",)), Become(KING.code, "because")),)
        ),
        f"rules[0].action: {KING.code} is royal; no rule turns a royal piece, or makes one",
    ),
    (
        "protection and landings",
        lambda: replace(
            STONES,
            rules=(
                madeup.on("whole_turn", Takes(("A",), protected=True), FORBID),
                madeup.on("lands", Is(("A",)), FORBID),
            ),
        ),
        "rules[1].event: 'lands' does not go with Takes of what is protected",
    ),
    (
        "support on the way",
        lambda: replace(
            STONES, support=Support(("A",)), rules=(madeup.on("arrives", Near(("A",), supported=True), GONE),)
        ),
        "rules[0].when: support cannot be asked of other pieces on 'arrives'",
    ),
    (
        "walks and check as a goal",
        lambda: replace(STONES, kinds=(*STONES.kinds, KING), wins_if=GivesCheck()),
        "wins_if: check as a goal does not go with walks, shots, and rules about turns under way",
    ),
    ("walks and fields", lambda: replace(STONES, board=Unbounded(7, 7, "A")), "without edges does not go"),
    *(
        (
            f"walks and {type(atom).__name__} on {event}",
            lambda event=event, atom=atom: replace(STONES, rules=(madeup.on(event, atom, FORBID),)),
            f"rules[0].when: {type(atom).__name__} asked on '{event}' does not go with walks",
        )
        for event in ("lands", "always")
        for atom in (Captures(), OnFile(("A",)), InHand(), GivesCheck(), Mates())
    ),
    ("turned for ever", lambda: with_turns(("A", "A")), "rules: A might be turned for ever"),
    ("turned for ever by way of others", lambda: with_turns(("A", "B"), ("B", "E"), ("E", "A")), "rules: E might be"),
    (
        "turned for ever by others",
        lambda: replace(
            STONES,
            rules=(
                madeup.on("became", Is(("A",)), Become("B", "because", Others(("C",)))),
                madeup.on("at_all_times", Is(("B",)) & Has(("D",)), Become("C", "because")),
            ),
        ),
        "rules: C might be turned for ever",
    ),
    (
        "unsettled start",
        lambda: replace(STONES, rules=(madeup.on("at_all_times", Is(("A",)) & Near(("B",)), GONE),)),
        "start: Black's piece A on 7f cannot be: because",
    ),
    ("start", lambda: replace(GOOD, start="r1k1r/5/5/R1K1R b -"), "start: board: has 4 ranks; expected 5"),
    ("start king", lambda: replace(GOOD, start="r1k1r/5/5/5/R3R b -"), "start: Black has no royal piece"),
]  # fmt: skip


def test_the_window_s_start_must_have_room() -> None:
    # The anchor is off the middle: what it leaves too far away does not fit.
    with pytest.raises(SpecError, match="too far from Black's"):
        compile_variant(replace(GOOD, board=Unbounded(5, 5, "K"), start="4k/R4/5/5/4K b -"))


def many(count: int) -> tuple[Kind, ...]:
    """A variant with that many kinds besides the king."""
    return tuple(kind(f"Z{chr(65 + number)}", "W") for number in range(count))


# What is sound by itself but more than the core holds.
TOO_MUCH: list[tuple[str, Callable[[], Variant], str]] = [
    (
        "17 hand kinds",
        lambda: replace(GOOD, kinds=(*GOOD.kinds, *many(15)), hand_order=("R", "P", *(k.code for k in many(15)))),
        "hand_order",
    ),
    (
        "5 file groups",
        lambda: replace(
            GOOD,
            kinds=(*GOOD.kinds, *many(5)),
            hand_order=("R", "P", *(k.code for k in many(5))),
            rules=tuple(rule(OnFile((k.code,)))[0] for k in many(5)),
        ),
        "rules",
    ),
    (
        "72 vectors",
        lambda: with_piece(step(*((right, ahead) for right in range(-4, 5) for ahead in range(1, 5)))),
        "kinds",
    ),
]


@pytest.mark.parametrize(("make", "fragment"), [pytest.param(*row[1:], id=row[0]) for row in DEFECTS + TOO_MUCH])
def test_a_defect_is_reported_with_the_path_of_its_field(make: Callable[[], Variant], fragment: str) -> None:
    with pytest.raises(SpecError) as caught:
        compile_variant(make())
    assert any(fragment in defect for defect in caught.value.defects), caught.value.defects
    assert "\n" not in str(caught.value)
    with speaking("ja"), pytest.raises(SpecError) as there:
        compile_variant(make())
    assert len(there.value.defects) == len(caught.value.defects)
    for defect in there.value.defects:
        said = re.sub(r"'[^']*'|\"[^\"]*\"", "", defect)
        assert not re.search("[a-z]{2,};? [a-z]{2,}", said), defect


def test_supported_neighbours_need_a_support() -> None:
    with pytest.raises(SpecError, match="Near asks for support"):
        check_spec(replace(GOOD, rules=rule(Near(("P",), supported=True))))


def test_the_end_of_a_turn_may_not_take_what_the_window_follows() -> None:
    with pytest.raises(SpecError, match="may take K, which the window follows"):
        check_spec(replace(madeup.ADRIFT, rules=(madeup.take(At(FarRanks(9))),)))


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


def test_a_start_that_cannot_be_played_is_a_defect() -> None:
    with pytest.raises(SpecError, match="start"):
        compile_variant(replace(GOOD, start="r1k1r/2R2/5/5/2K1R b -"))


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
