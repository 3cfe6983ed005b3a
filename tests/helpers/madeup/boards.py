"""Made-up games of one landing a move: conditions, support, losses, royals, and boards of every form."""

# ruff: noqa: F403, F405 the vocabulary, as authors import it

from __future__ import annotations

from dataclasses import replace

from helpers.madeup.kit import KING, forbid, kind, take, variant
from komadai.spec import *

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
    **more: object,
) -> Variant:
    """A 5×6 game with promotion forced and free, choices of face, and limited slides, under others rules."""
    kinds = tuple(replace(k, becomes=replace(k.becomes, dropped=("D", "E"))) if k.code == "D" else k for k in kinds)
    said = {"board": SMALL, "zone": FarRanks(2), "hand": SMALL_HAND, "support": support} | more
    return variant(id, start=start, kinds=kinds, rules=rules, **said)


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
    "slide-and-leap", Rect(6, 6), "rbk1rb/6/6/6/6/BR1KBR b -", (KING, kind("R", "RD"), kind("B", "BA")), ("R", "B")
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


def sized(width: int, height: int) -> Variant:
    """The army of the wide game on a board of that size, at least five points wide."""
    gap = str(width - 5) if width > 5 else ""
    ranks = [f"rbk{gap}nl", *[str(width)] * (height - 2), f"LN{gap}KBR"]
    return replace(WIDE, id=f"{width}x{height}", board=Rect(width, height), start=f"{'/'.join(ranks)} b -")


# Boards that just fit in the instances of the core, and that just do not.
SIZED = tuple(sized(*size) for size in ((8, 8), (13, 5), (16, 8), (13, 10), (24, 16), (23, 17), (25, 25)))
# A range beyond what fits in a byte is as good as none.
FAR = variant("far", Rect(5, 5), "r1k1r/5/5/5/R1K1R b -", (KING, kind("R", "R256")), ("R",))
# One column, one row: no vector points sideways, or ahead.
COLUMN = variant("column", Rect(1, 9), "k/r/1/1/1/1/1/R/K b -", (replace(KING, move="fbW"), kind("R", "fbR")), ("R",))

# --- Ends by what stands on the board -------------------------------------------------------------------------------

# A side needs one of two kinds to play on, beside its king, and wins by a place that nothing attacks, or by any of two
# if it has a horse.
GOALS = small(
    "goals",
    STUCK,
    survives_if=Has(("S", "+S")) | (Has(("R",)) & ~Has(("+P",))),
    wins_if=Stands(("K", "+P"), FarRanks(1), safe=True)
    | (Stands(("S", "D"), Squares(("3c", "3d"))) & Has(("+L", "E"))),
)
# Nobody has a king: what is needed may be taken, and held back from the hand by its capture.
HUNT = variant(
    "hunt",
    Rect(5, 5),
    "tgrgt/5/5/5/TGRGT b -",
    (kind("T", "K", captured=None), kind("R", "R"), kind("G", "WfF", captured="R")),
    ("R",),
    survives_if=Has(("T",)),
    wins_if=Stands(("T",), FarRanks(1)),
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
    rules=(forbid("drops", ~Supported()), forbid("lands", ~Supported() & BeyondSupport() & ~Captures()), take(LOST)),
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
    "adrift", Unbounded(9, 9, "K"), "9/9/2rdk4/3ha4/4K4/3AH4/4DR3/9/9 b -", RIDERS.kinds, ("R", "D", "A", "H")
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
    COMBINATORS, TWO_ROYALS, NO_ROYAL, SLIDING_ROYAL, SLIDE_AND_LEAP, RIDERS, WIDE, FAR, COLUMN, GOALS, HUNT,
    ADRIFT, *SIZED, *TAKINGS,
)  # fmt: skip
