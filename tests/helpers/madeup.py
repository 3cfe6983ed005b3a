"""Games nobody plays: each leans on a corner of the vocabulary that a future game may lean on."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import get_args

from komadai.spec.betza import betza
from komadai.spec.board import FarRanks, Rect, Squares, Unbounded
from komadai.spec.conditions import (
    AllOf,
    AnyOf,
    At,
    BeyondSupport,
    Captures,
    Condition,
    GivesCheck,
    Has,
    InHand,
    InSight,
    Is,
    Mates,
    Near,
    Not,
    OnFile,
    Owner,
    Stuck,
    Supported,
)
from komadai.spec.kinds import Becomes, Kind
from komadai.spec.movement import DIAGONAL, ORTHOGONAL, Movement, Shot, slide, step
from komadai.spec.rules import Become, Forbid, Immobilize, Others, Remove, Rule, Take
from komadai.spec.rules import Event as Event
from komadai.spec.variant import Support, Variant

KING = Kind("K", "king", "玉", "gyoku", "K", royal=True)


def kind(code: str, move: str | Movement, **becomes: object) -> Kind:
    """A kind that captors receive as itself unless ``becomes`` says otherwise."""
    told = {"captured": code.removeprefix("+"), **becomes}
    return Kind(code, f"piece {code}", "駒", "koma", move, Becomes(**told))  # type: ignore[arg-type]


def forbid(event: Event, when: Condition) -> Rule:
    return Rule(event, when, Forbid("made-up rule"), "madeup.py")


def take(when: Condition) -> Rule:
    return Rule("turn_end", when, Take("made-up rule"), "madeup.py")


def variant(
    id: str, board: Rect, start: str, kinds: tuple[Kind, ...], hand: tuple[str, ...], **more: object
) -> Variant:
    return Variant(id, id, "1", board, start, kinds, hand, "made up", ("madeup.py",), **more)  # type: ignore[arg-type]


SMALL = Rect(5, 6)
SMALL_KINDS = (
    KING,
    kind("R", "R3", zone=("R", "+R")),
    kind("+R", "R3F"),
    kind("S", "FfW", zone=("S", "+S")),
    kind("+S", "WfF"),
    kind("L", "fR", zone=("L", "+L")),
    kind("+L", "WfF"),
    kind("P", "fW", zone=("+P",)),
    kind("+P", "WfF"),
    kind("D", "F", quiet=("D", "E"), captures=("E",)),
    kind("E", "D", quiet=("D",), captures=("D", "E"), captured="D", dropped=()),
)
SMALL_START = "rskdl/4p/ppp2/2PPP/P4/LDKSR b -"
SMALL_HAND = ("R", "S", "L", "P", "D")
# Dice hand the kings' support on; of kings they may stand two steps away.
SMALL_SUPPORT = Support(("K",), links=("D", "E"), reach=2)


def small(
    id: str,
    *rules: Rule,
    start: str = SMALL_START,
    kinds: tuple[Kind, ...] = SMALL_KINDS,
    support: Support = SMALL_SUPPORT,
) -> Variant:
    """A 5×6 game with promotion forced and free, choices of face, and limited slides, under others rules."""
    kinds = tuple(replace(k, becomes=replace(k.becomes, dropped=("D", "E"))) if k.code == "D" else k for k in kinds)
    return variant(id, SMALL, start, kinds, SMALL_HAND, zone=FarRanks(2), rules=rules, support=support)


STUCK = forbid("always", Stuck())
PAWNS = forbid("drops", Is(("P",)) & OnFile(("P",)))

COMBINATORS = small(
    "every-combinator",
    STUCK,
    PAWNS,
    # The rook may only be dropped where it gives check.
    forbid("drops", Is(("R",)) & ~GivesCheck()),
    # Silvers may not enter the middle, nor stand behind another silver or a lance, unless they give check.
    forbid("lands", Is(("S",)) & (At(Squares(("3c", "3d"))) | OnFile(("S", "L"))) & ~GivesCheck()),
    # Dice land on the far half only with something in hand; not at all on a file with their like.
    forbid("lands", Is(("D", "E")) & At(FarRanks(3)) & ~InHand()),
    forbid(
        "lands", AllOf((Is(("E",)), Not(AnyOf((InHand(("P", "L")), At(FarRanks(4))))))) | Is(("D",)) & OnFile(("D",))
    ),
    # A mate is no mate if given by a pawn from the hand, or by anything while holding a rook.
    forbid("drops", Is(("P",)) & Mates()),
    forbid("always", InHand(("R",)) & Mates() & ~Is(("+R",))),
)

# (name, condition) pairs, each tried as a rule of its own for drops, landings and both.
CONDITIONS: tuple[tuple[str, Condition], ...] = (
    ("stuck-or-there", AnyOf((Stuck(), At(Squares(("3b", "3e")))))),
    ("file", OnFile(("P", "L"))),
    ("no-file", Is(("P", "S")) & ~OnFile(("P", "R"))),
    ("check", GivesCheck()),
    ("no-check", Is(("R", "+R", "D")) & ~GivesCheck()),
    ("mate", Mates()),
    ("no-mate-check", GivesCheck() & ~Mates()),
    ("hand", Is(("S", "P")) & InHand(("R", "D"))),
    ("no-hand", Is(("K", "L")) & ~InHand()),
    ("mate-or-else", (Mates() & InHand()) | (GivesCheck() & ~InHand() & Is(("L", "D")))),
    ("check-xor-hand", Is(("S", "R", "D")) & ((GivesCheck() & ~InHand(("P",))) | (~GivesCheck() & InHand(("P",))))),
    ("two-files", Is(("L", "R", "E")) & OnFile(("P",)) & ~OnFile(("S", "+S"))),
    ("nested", ~(~(Is(("D",)) | At(Squares(("1a", "2b", "5f")))) | ~(OnFile(("D", "E", "L")) | InHand(("S",))))),
    ("empty-or", AnyOf(())),
    # Both answers of one question in one conjunction: it never holds.
    ("mate-xor-hand", Is(("S", "R", "D", "K")) & ~((Mates() & InHand(("P",))) | (~Mates() & ~InHand(("P",))))),
    ("mate-iff-check", (Mates() & ~GivesCheck()) | (~Mates() & GivesCheck())),
    # A rule that asks for mate in one of its branches is not applied, in any branch, to the replies a mate leaves.
    ("mate-in-a-branch", Mates() | (Is(("K", "S", "D")) & At(Squares(("2b", "4b", "2e", "4e"))))),
    ("captures", Is(("S", "R", "K")) & Captures()),
    ("quiet-check", Is(("R", "+R", "D", "E")) & ~Captures() & GivesCheck()),
    ("near-own", Is(("S", "P")) & Near(("K",), "own")),
    ("near-enemy-at-a-distance", Is(("L", "D")) & Near(("P", "+P"), "enemy", least=2, most=3)),
    ("near-nothing", Is(("S", "+S")) & ~Near(("K",), most=2)),
    ("near-far", Is(("R", "K")) & Near(("R", "+R"), "enemy", least=3, most=None)),
    ("near-itself", Is(("D", "E", "P")) & Near(("D", "E", "P"))),
    ("near-supported", Is(("P", "S", "D")) & Near(("D", "E"), "own", supported=True)),
    ("near-supported-of-any-kind", Is(("P", "S", "R")) & Near(("P", "S", "D", "K"), supported=True)),
    ("near-or-supported", ~Near(("D", "E"), "enemy", most=2, supported=True) & Supported() & ~Is(("K",))),
    ("supported", Supported() & Is(("P", "S", "D"))),
    ("unsupported", ~Supported() & ~Is(("K", "L"))),
    ("beyond", BeyondSupport()),
    ("beyond-or-mate", (BeyondSupport() & ~Captures()) | (Supported() & Near(("K",), "enemy") & Mates())),
)


def with_condition(name: str, condition: Condition, event: Event) -> Variant:
    return small(f"{name}-{event}", STUCK, forbid(event, condition))


TWO_ROYALS = variant(
    "two-royals",
    Rect(5, 5),
    "kgnrk/5/5/5/KRNGK b -",
    (KING, kind("R", "R"), kind("G", "WfF"), kind("N", "N")),
    ("R", "G", "N"),
)
NO_ROYAL = variant("no-royal", Rect(4, 4), "rggr/4/4/RGGR b -", (kind("R", "R2"), kind("G", "WfF")), ("R", "G"))
# A royal piece that slides, one that also leaps, and captures that leave the game.
SLIDING_ROYAL = variant(
    "sliding-royal",
    Rect(6, 5),
    "rnqbnr/6/6/6/RNBQNR b -",
    (Kind("Q", "queen", "后", "ō", "R2FD", royal=True), kind("R", "R"), kind("B", "BW", captured=None), kind("N", "N")),
    ("R", "N"),
)
# The same piece reaches the same point in two ways: it is one checker, not two.
SLIDE_AND_LEAP = variant(
    "slide-and-leap",
    Rect(6, 6),
    "rbk1rb/6/6/6/6/BR1KBR b -",
    (KING, kind("R", "RD"), kind("B", "BA")),
    ("R", "B"),
)
# Slides by steps of two run along other slides' lines without touching the same points.
RIDERS = variant(
    "riders",
    Rect(7, 7),
    "rdhkadr/7/7/7/7/7/RDAKHDR b -",
    (
        KING,
        kind("R", "R"),
        kind("D", slide((0, 2), (2, 0), (0, -2), (-2, 0))),
        kind("A", slide((2, 2), (2, -2), (-2, -2), (-2, 2)) | betza("W")),
        kind("H", slide((1, 2), (-1, 2), (1, -2), (-1, -2), reach=2) | step((3, 0), (-3, 0))),
    ),
    ("R", "D", "A", "H"),
)
# More than 128 points: the core's wide instance.
WIDE = variant(
    "wide",
    Rect(17, 9),
    "l2n3rkb3n2l/17/p1p1p1p1p1p1p1p1p/17/17/17/P1P1P1P1P1P1P1P1P/17/L2N3BKR3N2L b -",
    (
        KING,
        kind("R", "R", zone=("R", "+R")),
        kind("+R", "RF"),
        kind("B", "B5"),
        kind("N", "N"),
        kind("L", "fR", zone=("+L", "L")),
        kind("+L", "WfF"),
        kind("P", "fW", zone=("+P", "P")),
        kind("+P", "WfF"),
    ),
    ("R", "B", "N", "L", "P"),
    zone=FarRanks(3),
    rules=(STUCK, PAWNS, forbid("drops", Is(("P",)) & Mates())),
)
# A range beyond what fits in a byte is as good as none.
FAR = variant("far", Rect(5, 5), "r1k1r/5/5/5/R1K1R b -", (KING, kind("R", "R256")), ("R",))
# One column, one row: no vector points sideways, or ahead.
COLUMN = variant(
    "column", Rect(1, 9), "k/r/1/1/1/1/1/R/K b -", (KING_ := replace(KING, move="fbW"), kind("R", "fbR")), ("R",)
)

# --- What the end of a turn takes -----------------------------------------------------------------------------------

LOST = ~Supported()
NOT_THE_KING = ~Is(("K",))
# Drops go anywhere, and where nothing holds them they are taken at once: they parry nothing and give no check.
TAKING = small("what-lags-is-taken", STUCK, PAWNS, forbid("drops", Is(("R", "S")) & GivesCheck()), take(LOST))
# Only there does the lack of support cost anything, and some kinds need none.
TAKING_THERE = small("taken-in-the-middle", STUCK, take(LOST & At(FarRanks(4)) & ~Is(("L", "P"))))
# What has support is taken: nothing hangs on a lack of it.
TAKING_HELD = small("taken-if-held", STUCK, take(Supported() & NOT_THE_KING & At(Squares(("3b", "3d", "2c", "4d")))))
# No support at all: a trap on the board.
TAKING_HERE = small("trap", STUCK, take(Is(("P", "S", "D", "+P")) & At(Squares(("2c", "3c", "3d", "4d")))))
# Kings that need support themselves may be taken, and are then attacked no more.
TAKING_KINGS = small("kings-are-taken", STUCK, take(LOST), support=Support(("S", "+S", "L"), links=("D",), reach=3))
# What the first rule takes no longer holds what the second asks about.
TAKING_TWICE = small("taken-in-turn", STUCK, take(Is(("D", "E")) & At(FarRanks(3))), take(LOST & NOT_THE_KING))
TAKING_EITHER = small("taken-for-this-or-that", STUCK, take((LOST & Is(("D", "E"))) | (LOST & Is(("R", "S", "P")))))
# Rules about check and mate look at the board after the taking.
TAKING_AND_MATES = small(
    "mate-by-what-is-left",
    STUCK,
    forbid("drops", Is(("P", "D", "E")) & Mates()),
    forbid("lands", Is(("S", "R", "+R")) & ~Supported() & ~GivesCheck()),
    forbid("lands", Is(("L", "+L")) & Mates() & InHand()),
    take(LOST & NOT_THE_KING),
)
# Sliders that leave the support go no farther than its edge.
BEYOND = variant(
    "beyond-the-edge",
    Rect(9, 9),
    "4k4/3rb4/9/4d4/9/4D4/9/4BR3/4K4 b -",
    (KING, kind("R", "R"), kind("B", "B", captured="R"), kind("D", "R2F", captured="D")),
    ("R", "D"),
    support=Support(("K",), links=("D",), reach=3),
    rules=(
        forbid("drops", ~Supported()),
        forbid("lands", ~Supported() & BeyondSupport() & ~Captures()),
        take(LOST),
    ),
)
# Two roots a side, and each holds what stands by the other's.
TWO_ROOTS = variant(
    "two-roots",
    Rect(7, 7),
    "1r1k1g1/2d1r2/7/7/7/2R1D2/1G1K1R1 b -",
    (
        KING,
        kind("R", "R"),
        kind("G", "FfW"),
        kind("D", "WD", quiet=("E",)),
        kind("E", "FA", quiet=("D",), captured="D"),
    ),
    ("R", "G", "D"),
    support=Support(("K", "G"), links=("D", "E"), reach=2),
    rules=(take(LOST),),
)
# Two royal pieces a side: no fast path.
TWO_ROYALS_TAKING = replace(
    TWO_ROYALS, id="two-royals-taking", support=Support(("K",), links=("N",), reach=2), rules=(take(LOST),)
)

# --- No board -------------------------------------------------------------------------------------------------------

# No rule keeps anything together, so the window's edge does.
ADRIFT = variant(
    "adrift",
    Unbounded(9, 9, "K"),
    "9/9/2rdk4/3ha4/4K4/3AH4/4DR3/9/9 b -",
    RIDERS.kinds,
    ("R", "D", "A", "H"),
)
# The kings come first, and what they leave behind is taken.
FIELD_START = "/".join(["11"] * 11) + " b KRDHkrdh"
FIELD = variant(
    "field",
    Unbounded(11, 11, "K"),
    FIELD_START,
    RIDERS.kinds,
    ("K", "R", "D", "A", "H"),
    support=Support(("K",), links=("H",), reach=2),
    rules=(
        forbid("drops", InHand(("K",)) & ~Is(("K",))),
        forbid("always", Is(("K",)) & Near(("K",), "enemy", least=4, most=None)),
        forbid("drops", ~Supported()),
        take(LOST),
    ),
)
# A slider at the anchor: the window jumps.
FAST_ANCHOR = variant(
    "fast-anchor",
    Unbounded(9, 7, "Q"),
    "9/3q1r3/3n5/4Q4/5N3/3R5/9 b -",
    (Kind("Q", "queen", "后", "ō", "R2FD", royal=True), kind("R", "R"), kind("N", "N")),
    ("R", "N"),
    support=Support(("Q",), links=("N",), reach=3),
    rules=(take(LOST),),
)

TAKINGS = (
    TAKING, TAKING_THERE, TAKING_HELD, TAKING_HERE, TAKING_KINGS, TAKING_TWICE, TAKING_EITHER, TAKING_AND_MATES,
    BEYOND, TWO_ROOTS, TWO_ROYALS_TAKING, FIELD, FAST_ANCHOR,
)  # fmt: skip
PLAYABLE = (
    COMBINATORS, TWO_ROYALS, NO_ROYAL, SLIDING_ROYAL, SLIDE_AND_LEAP, RIDERS, WIDE, FAR, COLUMN, ADRIFT, *TAKINGS,
)  # fmt: skip

# --- Turns of several landings and shots ----------------------------------------------------------------------------

ALL = ORTHOGONAL + DIAGONAL
SEVEN = Rect(7, 7)


def stone(code: str, move: str | Movement, cannot_capture: tuple[str, ...] = (), **becomes: object) -> Kind:
    """A kind that leaves the game when it is captured."""
    return replace(kind(code, move, captured=None, **becomes), cannot_capture=cannot_capture)


def stones(id: str, kinds: tuple[Kind, ...], start: str, *rules: Rule, survives_if: Condition | None = None) -> Variant:
    """A 7×7 game without kings and hands, each rank of ``start`` in order; White has Black's ranks turned round."""
    ranks = start.split("/")
    rows = [row.swapcase()[::-1] for row in ranks[::-1]] + ["7"] * (7 - 2 * len(ranks)) + ranks
    return variant(
        id, SEVEN, "/".join(rows) + " b -", kinds, (), zone=FarRanks(2), rules=rules, survives_if=survives_if
    )


# Walks of every line, with and without a least length, that come back or not, and beside slides and other walks.
WALKS = stones(
    "walks",
    (
        stone("A", betza("W").times(1, 3), zone=("A", "B")),
        stone("B", betza("W").times(2, 4, line="straight"), quiet=("B", "A")),
        stone("C", betza("N").times(1, 2, line="onward"), zone=("E",), captures=("C", "E")),
        stone("D", betza("F").times(3, revisits=False)),
        stone("E", betza("R") | betza("F").times(1, 2), captures=("C",)),
        stone("F", betza("K").times(2, 3, line="onward")),
        stone("G", betza("fWbF").times(1, 2) | betza("D").times(2, revisits=False) | betza("sR2"), zone=("F",)),
        stone("H", betza("W").times(4, 5, revisits=False), cannot_capture=("A", "D")),
    ),
    "ABC1EHG/D1FGF1D",
)
# Which of two of a kind's ways a turn went does not matter: the same point by a slide, a leap and a walk is one turn.
WAYS = stones(
    "ways-that-meet",
    (
        stone("A", betza("RBD") | betza("K").times(1, 2) | betza("W").times(1, 4, line="straight"), zone=("A", "B")),
        stone("B", betza("W").times(1, 5), zone=("A",)),
        stone("C", betza("K").times(3) | step((1, 2), (2, 1))),
    ),
    "A1B1C1A",
)
# Shots in a row, over others, from a distance on, after each landing, standing or not, and what they may never hit.
SHOTS = stones(
    "shots",
    (
        stone("A", betza("W").shooting(Shot(ALL, 3, targets=2)), zone=("A", "B")),
        stone(
            "B",
            betza("R2").shooting(
                Shot(ORTHOGONAL, 4, over=True, after_capture=True, safe=("H",), nearest=(("A", 3), ("F", 2)))
            ),
        ),
        stone("C", betza("F").times(1, 2).shooting(Shot(ALL, 1, each_landing=True, after_capture=True))),
        stone("D", betza("W").shooting(Shot(ALL, 3, targets=2, over=True, standing="only")), zone=("D", "E")),
        stone("E", betza("N").shooting(Shot(DIAGONAL, 2, standing="may")), captures=("D",)),
        stone("F", betza("W").times(1, 2).shooting(Shot(ALL, 2, targets=2, after_capture=True)), captures=("F", "G")),
        stone("G", betza("F").times(2).shooting(Shot(ORTHOGONAL, 2, each_landing=True, standing="may")), quiet=("F",)),
        stone(
            "H",
            betza("K").shooting(Shot(((1, 2), (-1, 2), (0, -1)), 2, targets=3)),
            captures_promote_to="G",
            promotes_by_capturing=("A", "B"),
        ),
        stone(
            "I",
            betza("Q").shooting(Shot(ALL, 1, targets=2, each_landing=True)),
            cannot_capture=("A", "C"),
            zone=("I", "E"),
        ),
    ),
    "ABCHIFG/D1E1A1D",
)
# What is captured by landing or shot turns the mover, whatever else might; being dead ends the game.
PREY = stones(
    "prey",
    (
        stone(
            "A",
            betza("K").times(1, 2),
            captures_promote_to="+A",
            promotes_by_capturing=("B", "+B"),
            zone=("+A", "A"),
            captures=("A", "+A"),
        ),
        stone(
            "+A",
            betza("R").shooting(Shot(ALL, 2, after_capture=True)),
            captures_promote_to="C",
            promotes_by_capturing=("D",),
        ),
        stone(
            "B",
            betza("FfW").shooting(Shot(ALL, 4, targets=2)),
            captures_promote_to="+B",
            promotes_by_capturing=("A", "B"),
            quiet=("B", "C"),
        ),
        stone("+B", betza("B").shooting(Shot(ORTHOGONAL, 3, over=True, standing="may")), captures=("B",)),
        stone("C", "K", captures_promote_to="C", promotes_by_capturing=("C",), zone=("D",)),
        stone("D", betza("W").times(1, 3), zone=("D", "C", "+B")),
    ),
    "ABCDCBA/1D1B1D1",
    survives_if=(Has(("C",)) & ~Has(("+B",))) | Has(("D", "+A")),
)

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
