"""Made-up games that are won by a goal: one for each condition of ``wins_if``, and each way in which pieces move."""

from __future__ import annotations

from dataclasses import replace

from helpers.madeup.boards import ADRIFT, GOALS, HUNT, TAKING
from helpers.madeup.kit import KING, kind, variant
from helpers.madeup.stones import stone, stones
from komadai.spec.betza import betza
from komadai.spec.board import FarRanks, Rect, Squares
from komadai.spec.conditions import Beside, Condition, Count, GivesCheck, Has, Stands
from komadai.spec.kinds import Kind
from komadai.spec.variant import Variant

FIVE = Rect(5, 5)
FAR = FarRanks(1)
ARMY = (
    KING,
    kind("G", "WfF"),
    kind("S", "FfW", zone=("S", "+S")),
    kind("+S", "WfF"),
    kind("R", "R", zone=("R", "+R")),
    kind("+R", "RF"),
    kind("P", "fW", zone=("P", "+P")),
    kind("+P", "WfF"),
)


def game(
    id: str, goal: Condition, kinds: tuple[Kind, ...] = ARMY, start: str = "rsgkp/5/5/5/PKGSR", **more: object
) -> Variant:
    """A 5×5 game with drops, won by mate or by the goal."""
    hand = ("R", "S", "G", "P") if kinds is ARMY else ()
    return variant(id, FIVE, f"{start} b -", kinds, hand, zone=FAR, wins_if=goal, **more)


ALONE = tuple(replace(one, becomes=replace(one.becomes, captured=None)) for one in ARMY)
HOPPERS = (KING, kind("C", "mRcpR", captured=None), kind("H", "mWcF", captured=None), kind("T", "K", captured=None))
PAWNS = (kind("P", "mfWfF", captured=None), kind("N", "N", captured=None))
WALKERS = (stone("G", "K"), stone("W", betza("W").times(1, 2), zone=("+W",)), stone("+W", betza("R")), stone("P", "fW"))

HOME = game("home", Stands(("K",), FAR, safe=True))
POST = game("post", Stands(("S",), FAR, safe=True), ALONE)
CAMP = game("camp", Stands(("G", "+S"), FAR))
HILL = game("hill", Stands(("K", "G", "+P"), Squares(("3c",))) & Has(("R", "+R")))
FIRST_CHECK = game("first-check", GivesCheck())
RANKS = game("ranks", Has(("+P", "+S", "+R")), start="rsgkp/4p/5/P4/PKGSR")
ARMED = game("armed", ~Has(("P",)) & Has(("+P",)) | Stands(("+S",), FarRanks(2), safe=True))
BARE = game("bare", Count(("G", "S", "+S", "R", "+R", "P", "+P"), "enemy", most=1), ALONE)
CROWD = game("crowd", Count(("G", "S", "+S", "P", "+P"), least=5, beyond=FAR), start="rsgkp/4p/5/P4/PKGSR")
MEETING = game("meeting", Beside(("S", "+S"), ("R", "+R"), "own"), start="rg1ks/p4/5/4P/SK1GR")
BREAK = variant("break", Rect(4, 6), "pppp/pn1p/4/4/P1NP/PPPP b -", PAWNS, (), wins_if=Stands(("P", "N"), FAR))
HOPS = game("hops", Stands(("K", "T"), FAR, safe=True), HOPPERS, "chkt1/5/5/5/1TKHC")
SUPPORT = replace(TAKING, id="support", wins_if=Stands(("K", "S"), FarRanks(3)))
STARVED = replace(TAKING, id="starved", survives_if=Has(("P", "+P")))
EDGELESS = replace(ADRIFT, id="edgeless", wins_if=Beside(("R",), ("R",), "enemy"))
WALK = replace(
    stones("walk", WALKERS, "PWGWP2/PP3PP", survives_if=Has(("G",))), wins_if=Stands(("G", "W"), FarRanks(3))
)

CONTESTS = (
    HOME, POST, CAMP, HILL, FIRST_CHECK, RANKS, ARMED, BARE, CROWD, MEETING, BREAK, HOPS, SUPPORT, STARVED, EDGELESS,
    WALK, GOALS, HUNT,
)  # fmt: skip
