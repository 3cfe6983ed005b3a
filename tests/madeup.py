"""Games nobody plays: each leans on a corner of the vocabulary that a future game may lean on."""

from __future__ import annotations

from dataclasses import replace

from komadai.board import FarRanks, Rect, Squares
from komadai.movement import Movement, betza, slide, step
from komadai.spec import (
    AllOf,
    AnyOf,
    At,
    Becomes,
    Condition,
    Forbid,
    GivesCheck,
    InHand,
    Is,
    Kind,
    Mates,
    Not,
    OnFile,
    Rule,
    Stuck,
    Variant,
)
from komadai.spec import Event as Event

KING = Kind("K", "king", "玉", "gyoku", "K", royal=True)


def kind(code: str, move: str | Movement, **becomes: object) -> Kind:
    """A kind that captors receive as itself unless ``becomes`` says otherwise."""
    told = {"captured": code.removeprefix("+"), **becomes}
    return Kind(code, f"piece {code}", "駒", "koma", move, Becomes(**told))  # type: ignore[arg-type]


def forbid(event: Event, when: Condition) -> Rule:
    return Rule(event, when, Forbid("made-up rule"), "madeup.py")


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


def small(id: str, *rules: Rule, start: str = SMALL_START, kinds: tuple[Kind, ...] = SMALL_KINDS) -> Variant:
    """A 5×6 game with promotion forced and free, choices of face, and limited slides, under those rules."""
    kinds = tuple(replace(k, becomes=replace(k.becomes, dropped=("D", "E"))) if k.code == "D" else k for k in kinds)
    return variant(id, SMALL, start, kinds, SMALL_HAND, zone=FarRanks(2), rules=rules)


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

PLAYABLE = (
    COMBINATORS, TWO_ROYALS, NO_ROYAL, SLIDING_ROYAL, SLIDE_AND_LEAP, RIDERS, WIDE, FAR, COLUMN,
)  # fmt: skip
