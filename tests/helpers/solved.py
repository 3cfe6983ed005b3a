"""Small games to be solved, the shipped table of Nana, and symmetric positions."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

import komadai
from helpers.madeup import KING, forbid, kind, variant
from helpers.support import reference_of
from komadai import solve
from komadai.solve import Table, Value, files
from komadai.spec import At, FarRanks, GivesCheck, Has, InHand, Is, Mates, Rect, Squares, Stands, Stuck, Variant
from komadai.spec.board import Side
from komadai.spec.setup import Setup

Graph = dict[Setup, list[Setup]]
NANA_START = "win in 125 plies"

DIE = (kind("D", "F", quiet=("E",), captures=("E",)), kind("E", "W", quiet=("D",), captures=("D",), captured="D"))
LEANING = (kind("L", "fFbrFrW"),)  # leans to the right

# Two dice and kings on their squares: draws, mates and stalemates.
TINY = variant("tiny", Rect(2, 3), "dk/2/KD b -", (KING, *DIE), ("D",), rules=(forbid("drops", GivesCheck()),))
# Everything in hand, kings too; and Nana's rules about the hand.
HELD = variant(
    "held",
    Rect(3, 2),
    "3/3 b KDkd",
    (KING, replace(DIE[0], becomes=replace(DIE[0].becomes, dropped=("D", "E"))), DIE[1]),
    ("K", "D"),
    rules=(
        forbid("drops", InHand(("K",)) & ~Is(("K",))),
        forbid("drops", At(Squares(("2a", "2b")))),
        forbid("drops", GivesCheck()),
        forbid("lands", InHand() & Mates()),
    ),
)
# Left and right differ; two families, and pieces that turn over in a zone.
LOPSIDED = variant(
    "lopsided",
    Rect(2, 3),
    "lk/2/KP b -",
    (KING, *LEANING, kind("P", "fW", zone=("+P",)), kind("+P", "WF")),
    ("L", "P"),
    zone=FarRanks(1),
    rules=(forbid("always", Stuck()),),
)
# No king: a piece that is lost when it is caught, and that wins on the last rank where nothing attacks it.
HUNT = variant(
    "hunted",
    Rect(2, 3),
    "dl/2/LD b -",
    (kind("L", "K", captured=None), kind("D", "F", zone=("+D",)), kind("+D", "WfF")),
    ("D",),
    zone=FarRanks(1),
    survives_if=Has(("L",)),
    wins_if=Stands(("L",), FarRanks(1), safe=True),
)
# The same where the last rank is a goal even under attack, and a rule about landings asks the position.
RACE = replace(
    HUNT,
    id="race",
    start="1l/dD/L1 b -",
    rules=(forbid("lands", Is(("D", "+D")) & InHand()),),
    wins_if=Stands(("L",), FarRanks(1)),
)
SMALL = [pytest.param(one, id=one.id) for one in (TINY, HELD, LOPSIDED)]
ENDING = [pytest.param(one, id=one.id) for one in (HUNT, RACE)]
# Large enough for several parts of the solver.
MIDDLING = variant(
    "middling",
    Rect(3, 3),
    "ddk/3/K1D b -",
    (
        KING,
        kind("D", "F", quiet=("E",), captures=("E",)),
        kind("E", "W", quiet=("F",), captures=("F",), captured="D"),
        kind("F", "fW", quiet=("G",), captures=("G",), captured="D"),
        kind("G", "FfW", quiet=("D",), captures=("D",), captured="D"),
    ),
    ("D",),
)


def fewer(identity: str, cubes: tuple[str, ...], black: str, white: str, field: str = "unbounded") -> Variant:
    """Ki Shogi with some of its cubes: those of the families named, and those that the sides have in hand."""
    ki = komadai.variant("ki", field=field)
    firsts = {kind.code: kind.becomes.captured or kind.code for kind in ki.kinds}
    board = ki.start.split()[0]
    return replace(
        ki,
        id=identity,
        kinds=tuple(kind for kind in ki.kinds if firsts[kind.code] in ("K", *cubes)),
        hand_order=("K", *cubes),
        start=f"{board} b K{black}k{white}",
        about=replace(ki.about, sample=""),
    )


ONE = fewer("ki-one", ("KAKU",), "[KAKU]", "")
# Cubes of two families, one a side: every ply has draws that can be lost, and cubes that are left without support.
MIXED = fewer("ki-mixed", ("HI", "KAKU"), "[HI]", "[kaku]")


@cache
def nana() -> Table:
    return solve.open("nana")


def solved(folder: Path, which: Variant) -> Table:
    path = folder / files.file_name(which)
    return solve.open(which, path=path) if path.exists() else solve.build(which, path=path, threads=2)


def mirrored(variant: Variant, setup: Setup) -> Setup:
    width = variant.board.width
    rows = [setup.board[start : start + width][::-1] for start in range(0, len(setup.board), width)]
    return replace(setup, board=tuple(piece for row in rows for piece in row))


def turned(setup: Setup) -> Setup:
    """The same position with the board turned and the colours swapped."""
    other = {"b": "w", "w": "b"}
    board = tuple(piece and piece._replace(side=other[piece.side]) for piece in reversed(setup.board))
    return replace(setup, board=board, hands=(setup.hands[1], setup.hands[0]), turn=other[setup.turn])


def graph_of(which: Variant, starts: list[Setup], *, passing_over: bool = True) -> Graph:
    """Every position that play leads to, with those after each move, by the reference generator.

    Without ``passing_over`` play ends where a capture could end the game.
    """
    oracle, graph, waiting = reference_of(which), Graph(), [replace(setup, ply=1) for setup in starts]
    while waiting:
        setup = waiting.pop()
        if setup in graph:
            continue
        graph[setup] = [replace(oracle.play(setup, move), ply=1) for move in oracle.legal_moves(setup)]
        ends = () if passing_over else [oracle.decided(after.board, after.turn) for after in graph[setup]]
        if (setup.turn, "extinction") in ends:
            graph[setup] = []
        waiting += graph[setup]
    return graph


def winner(which: Variant, setup: Setup) -> Side | None:
    """Who has won by what stands on the board."""
    decided = reference_of(which).decided(setup.board, setup.turn)
    return decided and decided[0]


def values_of(which: Variant, graph: Graph) -> dict[Setup, Value]:
    """The definition, ply by ply: a position is won by a move to a lost one, and lost if every move wins.

    A game that was thrown away is won with the next move.
    """
    number_of = {setup: number for number, setup in enumerate(graph)}
    following = [[number_of[one] for one in after] for after in graph.values()]
    known = [None if (won := winner(which, one)) is None else int(won == one.turn) for one in graph]
    for ply in range(len(graph)):
        found = []
        for number, after in enumerate(following):
            if known[number] is None:
                replies = [known[one] for one in after]
                if ply - 1 in replies if ply % 2 else all(reply is not None and reply % 2 for reply in replies):
                    found.append(number)
        for number in found:
            known[number] = ply
        if not found and ply > 2 and ply % 2:
            break
    values = (Value("draw", None) if plies is None else Value("win" if plies % 2 else "loss", plies) for plies in known)
    return dict(zip(graph, values, strict=True))
