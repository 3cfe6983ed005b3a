"""Mates by checks alone: what is claimed, what is denied, and the moves they are made of. Nothing looks at a clock."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from itertools import chain, count
from pathlib import Path

import pytest

import komadai
from helpers.brute_force import after, checks
from helpers.support import DEFAULTS, EVERY_SETTING, needs_threads, play, random_play, strewn, strewn_positions
from helpers.volume import volume
from komadai.compiler import compile_variant
from komadai.engine import Engine
from komadai.engine.mate import Mate, can_mate
from komadai.errors import IllegalPositionError, NotationError
from komadai.game.position import Position
from komadai.spec import Setup, Variant
from komadai.spec.logic import is_compound
from komadai.spec.material import royals

MATES = [
    ("shogi", 1, "7nk/9/7GP/9/9/9/9/9/4K4 b -"),
    ("shogi", 1, "7nk/9/7G1/9/9/9/9/9/4K4 b GP"),  # the pawn may not mate, the gold may
    ("shogi", 1, "6g2/2S5l/3+Rgk2g/+N2pp1r1p/2P2K3/3P3PP/S4+B3/5S1+b1/2G4NL w 7Ps2n2l4p"),
    ("shogi", 3, "G7l/2s1sk1g1/2p6/pp1p2p1p/2g+b1P3/P3PLP1P/1P1+s1KS2/9/3+n1GR+rL w B2Nnl6p"),
    ("shogi", 3, "l3k4/2+Rg5/3+R1bg2/p1p6/5psn1/P1PPP3P/2N2P1P1/L7K/2SG1GSNL b SNL6Pb2p"),
    ("shogi", 5, "l2k5/1+Rng5/3+R1bg2/p1p6/5psn1/P1PPP3P/2N2P1P1/L7K/2SG1GSNL b SL6Pb2p"),
    ("shogi", 5, "1+R4gnl/1p2L2s1/p1s+R1gk2/3n1p2p/PB3+bp2/2gP3PP/K3PPP2/9/5GSNL w N5Pslp"),
    ("shogi", 7, "ln3g1+R1/1s2k4/1g1pppBpl/p1p5p/6s2/P1P1PP2P/3P3P1/4K2S1/LN+b2G1NL b N2Prgs2p"),
    ("shogi", 7, "G7l/2s1sk1g1/2p6/pp1p2p1p/2g1+bP3/P4LP1P/1P1+s1KS2/9/3+n1GR+rL w B2NPnl6p"),
    ("mortal", 1, "7n1/k1G1g1gsl/nn[DK]6/1p1pppppp/9/L2PPPPPP/NP7/[dk]S2KS1G1/2G4NL b Pg"),
    ("mortal", 1, "l1sg1g2l/5k1s1/ppn1pp2p/6R2/P4P3/4P3P/1P1[dk]l1PP1/9/LNG2KSNL w GSLPs"),
    ("mortal", 3, "l2g1g2l/2s4s1/9/pK1pp1k1p/5LB2/PP3PP1P/9/9/5GS[dh]L w L2Psln2p"),
    ("mortal", 5, "l2g1g2l/2s4s1/1[dh]7/p2pp1k1p/2K2LB2/PP3PP1P/9/9/5GS1L w L2Psln2p"),
    ("hand", 1, "2+Ns2g2/6[so]2/2Hk[so][so]2[sh]/9/3[so]3[SO]1/9/3[SO]t[SO]3/1G[SO]1[PD]1[SO]2/2oK2G2"
     " w [SH][PD]G2SONLtsh2n3l[so]"),
    ("hand", 3, "2g1k1g2/2[so]1[pd]s[so]2/3[so][so][so]2[SH]/9/5S3/9/3[SO][SO][SO]3/1G[SO]1[PD]1[SO]2/2oK2Gs1"
     " w 2TSOH2N2L[sh]h2n2l"),
    ("hand", 5, "2[SH]3g2/1[so]2[pd]k3/3t[so][so]1L1/1n1[so]2OS1/4H4/3[SO][PD][SO]3/4[SO]4/2[SO]3[SO]2/S1G1K1G1L"
     " b TGN[SO][sh]2soh2n2l"),
    ("hand", 7, "5k3/1T1O2[so][pd]g/4[so][so]3/1N5S1/4l4/1h[SO]6/1K1[SO]1[SO][SO]1N/2[so]4+n1/3t2[sh]2"
     " b [PD]2GH3L2[SO][sh]g3son"),
    ("nana", 1, "1K1/1D[GB]/1k1 b br"),
    ("nana", 1, "d[cs]1/1Ck/K2 w R"),
    ("nana", 1, "k1K/1[tg]1/rr[CS] w -"),
    ("ki", 1, "9/9/9/9/4K4/3[CHUU][ZOU]4/3[hon]k4/9/9 b [HI]"),
    ("ki", 3, "9/9/9/3[KAKU]5/3[HI]K[SHU]3/2k6/9/9/9 b [KAKU]"),
]  # fmt: skip

# In which the attacker has no king.
PROBLEMS = [
    ("shogi", 1, "4k4/9/4P4/9/9/9/9/9/9 b G"),
    ("shogi", 3, "k8/2S1P4/9/9/9/9/9/9/9 b 2G"),
    ("shogi", 5, "k2S3l1/np1S5/9/9/9/9/9/9/9 b 2G"),
    ("shogi", 1, "9/9/9/9/9/9/4p4/9/4K4 w g"),
    ("mortal", 3, "n2l1G2k/6S2/P8/9/9/9/9/9/9 b 2G"),
    ("mortal", 5, "2S1k3S/2G2pn2/9/9/9/9/9/9/9 b 2G"),
    ("hand", 5, "1k4[SO]2/8n/2[SO]4[so]1/9/9/9/9/9/9 b 2G"),
]

# From games of the engine against itself; too long to be tried out here.
LONG = [
    ("shogi", "5g1+R1/ls2k4/1gnpppBpl/p1p5p/6s2/P1P1PP2P/3P3P1/5K1S1/LN+b2G1NL w N2Prgs2p", 10),
    ("shogi", "ln1k1g1nl/1s5R1/1g1ppp1p1/p1p5p/6s2/P1P1PP2P/3P3P1/5K1S1/LNS+b1G1NL w B2Prg2p", 10),
    ("shogi", "6g2/3kg3l/1B4K2/+N2pp2pp/2P3P2/3P1r1PP/S+R7/5S1G1/2G4NL b SN5Pbsn2l4p", 200),
    ("shogi", "ln1k1g3/1s7/4p+P3/1p1g5/6+L2/pP1P+n4/2K2PPP1/1S7/LN1G1GSN1 b 2RBSL6Pb3p", 1500),
    ("mortal", "ln2k2[DH]1/1s7/1g1ppG1p1/p1p5p/6s2/P1P1P3P/N2Pg2P1/7S1/L1[dh]2GKNL w SP2slp", 50),
    ("hand", "1k4g2/2g1L1[so]2/1[sh]2T2[SO]1/2Kn2H2/9/4[SO]1s2/5[SO]3/1[SO]3G[SO]1s/1o4o2"
     " w T[PD]2SH2NL3[SO][sh][pd]gn2l[so]", 50),
    ("hand", "3[PD]2g2/1k2L2[SO]1/2g1[sh]3T/3H2H2/2K6/4n1s2/5[SO]3/1[SO]3G[SO]1s/1o4o2"
     " w 2S2NL4[SO]t[sh][pd]gn2l2[so]", 400),
]  # fmt: skip


# What the tests of other programs hold, with its sources.
OTHERS = [
    tuple(line.split(" ", 1))
    for line in Path(__file__).with_name("mates.txt").read_text(encoding="ascii").splitlines()
    if line and not line.startswith("#")
]
# Itō Kanju's last problems, of 1755: the smoke mate, in which all pieces disappear, and Kotobuki.
PUBLISHED = [
    (117, "k1+P4n1/2L+P2sL1/r4+P+P1P/+BpP+Pl1+Rg1/NP1S+PP+p1g/2L+p1g+P1+P/Ps1G1+P1N1/1sN1P4/B8 b -"),
    (611, "g3p3+r/3lPG3/1s4ppp/1l1B4P/L2b1kPl1/3+p3+R+p/3+p2+s1S/+NP+p1gS3/1g+p2P3 b 4P3n"),
]


def can_mate_in(position: Position, plies: int) -> bool:
    """True if the side to move mates within ``plies`` by checks alone: the definition, by brute force."""
    return any(after(position, move, is_mated_in, plies - 1) for move in checks(position))


def is_mated_in(position: Position, plies: int) -> bool:
    replies = position.legal_moves()
    return not replies if plies < 2 else all(after(position, move, can_mate_in, plies - 1) for move in replies)


def truth(root: Position, most: int) -> int | bool | None:
    """The plies that mate by checks takes, computed from the mates backwards; ``False`` if there is none.

    ``None`` if there are too many positions to do so. A position won from the mates backwards is won without coming
    back, so repetition needs no thought.
    """
    after: dict[int, tuple[bool, list[int]]] = {}
    position, attacker = root.copy(), root.turn

    def walk() -> None:
        attacks, replies = position.turn == attacker, []
        after[position.key()] = attacks, replies
        for move in position._native.legal_checks() if attacks else position.legal_moves():
            position.push(move)
            replies.append(position.key())
            if replies[-1] not in after and len(after) <= most:
                walk()
            position.pop()

    walk()
    if len(after) > most:
        return None
    won: set[int] = set()
    for plies in count():
        more = {
            key
            for key, (attacks, replies) in after.items()
            if key not in won and (any if attacks else all)(reply in won for reply in replies)
        }
        if root.key() in more:
            return plies
        if not more:
            return False
        won |= more
    raise AssertionError


def thinned(variant: Variant, seed: int) -> Iterator[Position]:
    """A position of few pieces near the kings, if there is a check in it."""
    chance = random.Random(seed)
    setup, royal = strewn(variant, chance), royals(variant)
    some = chance.choice((0.15, 0.3, 1))
    board = tuple(piece if piece and (piece.code in royal or chance.random() < some) else None for piece in setup.board)
    hands = tuple(tuple(min(count, int(chance.random() < some)) for count in hand) for hand in setup.hands)
    try:
        position = Position(variant, Setup(board, (hands[0], hands[1]), setup.turn))
    except IllegalPositionError:
        return
    if position._native.legal_checks():
        yield position


def assert_mates(position: Position, mate: Mate) -> None:
    """The line is check after check to the end of the game."""
    assert mate.outcome == "mate"
    assert len(mate.pv) % 2 == 1
    end = position.copy()
    for number, move in enumerate(mate.pv):
        end.push(move)
        assert number % 2 or end.is_check(), f"{position.sfen()}: {move} gives no check"
    assert end.outcome() == komadai.Outcome(position.turn, "checkmate"), position.sfen()


# --- Checks ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", EVERY_SETTING)
def test_the_fast_path_to_checks_agrees_with_trying(variant: Variant) -> None:
    compiled = compile_variant(variant)
    positions, seen = (1 if is_compound(variant) else volume(100, part=8)), 0
    for position, _ in chain(random_play(variant, 21, positions), strewn_positions(variant, 22, positions)):
        fast = [str(move) for move in position._native.legal_checks()]
        tried = [str(compiled.move(*words)) for words in position._native.legal_checks_generic()]
        assert sorted(fast) == sorted(tried), position.sfen()
        if seen < 100 and not is_compound(variant):
            assert sorted(tried) == sorted(map(str, checks(position))), position.sfen()
        seen += len(fast)
    assert seen


@pytest.mark.parametrize(
    ("name", "start", "wanted"),
    [
        # The rook behind is opened by every move of the silver but the one along the file.
        ("shogi", "4k4/9/9/9/4S4/9/9/9/K3R4 b -", {"5e4d", "5e6d", "5e4f", "5e6f"}),
        ("shogi", "4k4/9/9/9/9/9/9/9/K8 b P", {"P*5b"}),
        ("shogi", "4k4/9/4P4/9/9/9/9/9/K8 b -", {"5c5b", "5c5b+"}),
        ("shogi", "4k4/9/9/9/9/9/9/4r4/4K4 b R", {"5i5h"} - {"5i5h"}),  # in check, and no parry gives check
        ("mortal", "4k4/9/4P4/9/9/9/9/9/K8 b -", {"5c5b", "5c5b=G", "5c5b=S", "5c5b=L"}),
        ("nana", "k2/3/2K b RB", set()),  # drops give no check
    ],
)
def test_checks_of_every_kind(name: str, start: str, wanted: set[str]) -> None:
    assert {str(move) for move in Position(name, start)._native.legal_checks()} == wanted


# --- Mates ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "plies", "start"), MATES)
def test_finds_mates(name: str, plies: int, start: str) -> None:
    position = Position(name, start)
    assert can_mate_in(position, plies)
    assert plies == 1 or not can_mate_in(position, plies - 2)
    mate = Engine(name).mate(position)
    assert_mates(position, mate)
    assert (len(mate.pv), mate.shortest) == (plies, True)
    assert (mate.why, mate.nodes > 0) == ("", True)


@pytest.mark.parametrize(("name", "plies", "start"), PROBLEMS)
def test_finds_mates_by_a_side_without_a_king(name: str, plies: int, start: str) -> None:
    position = Position.problem(name, start)
    found, searched = Engine(name).mate(position), Engine(name).search(position, depth=plies + 2)
    assert (found.outcome, len(found.pv)) == ("mate", plies)
    assert searched.mate is not None
    assert 1 <= searched.mate <= plies, "stalemates win too"
    assert [can_mate_in(position, length) for length in range(1, plies + 1, 2)] == [False] * (plies // 2) + [True]
    for move in found.pv:
        position.push(move)
    assert position.outcome() == komadai.Outcome("b" if " b " in start else "w", "checkmate")


@pytest.mark.parametrize(("name", "start", "thousands"), LONG)
def test_finds_long_mates(name: str, start: str, thousands: int) -> None:
    position = Position(name, start)
    mate = Engine(name).mate(position, nodes=thousands * 1_000, shortest=False)
    assert_mates(position, mate)
    assert len(mate.pv) > 6
    assert not mate.shortest


@pytest.mark.parametrize(("plies", "start"), OTHERS)
def test_agrees_with_the_tests_of_other_programs(plies: str, start: str) -> None:
    position = Position.problem("shogi", start)
    mate = Engine("shogi", hash_mb=16).mate(position, nodes=2_000_000)
    if plies == "-":
        assert (mate.outcome, mate.why) == ("no mate", "")
        return
    assert_mates(position, mate)
    assert (len(mate.pv), mate.shortest) == (int(plies), True)
    if int(plies) <= 3:
        assert can_mate_in(position, int(plies))
        assert can_mate_in(position, 1) == (plies == "1")


@pytest.mark.parametrize(("plies", "start"), PUBLISHED)
def test_finds_the_mates_of_famous_problems(plies: int, start: str) -> None:
    """Their lines may be longer than the shortest, and so than published; with useless drops, they need not be."""
    position = Position.problem("shogi", start)
    mate = Engine("shogi", hash_mb=256).mate(position, nodes=20_000_000, shortest=False)
    assert_mates(position, mate)
    assert len(mate.pv) >= plies


@pytest.mark.parametrize(("name", "start", "thousands"), [long for long in LONG if long[0] == "shogi"])
def test_another_program_finds_the_long_mates_too(name: str, start: str, thousands: int) -> None:
    cshogi = pytest.importorskip("cshogi")
    board = cshogi.Board(f"{start} 1")
    assert cshogi.DfPn(depth=200, nodes=1_000_000, draw_ply=1000).search(board)


@pytest.mark.parametrize("variant", [game for game in DEFAULTS if game.id != "ko"])
def test_agrees_with_the_truth_wherever_that_is_at_hand(variant: Variant) -> None:
    assert can_mate(variant)
    engine, seen = Engine(variant, hash_mb=1, tables=False), set()
    for here in chain(*(thinned(variant, seed) for seed in range(volume(250, part=8)))):
        mate = engine.mate(here, nodes=2_000)
        # What takes few nodes most likely has few positions.
        known = truth(here, 400) if mate.nodes <= 100 else None
        if mate.outcome == "mate":
            assert_mates(here, mate)
            assert mate.shortest
            assert known in (None, len(mate.pv)), here.sfen()
        else:
            assert not can_mate_in(here, 3 if mate.nodes <= 100 else 1), here.sfen()
            assert not known or mate.outcome == "unknown", here.sfen()
        seen.add(mate.outcome)
    assert "no mate" in seen


def test_the_first_mate_found_is_shortened() -> None:
    position = Position("shogi", LONG[1][1])
    engine = Engine("shogi")
    first, short = engine.mate(position, shortest=False), engine.mate(position)
    assert_mates(position, short)
    assert (len(first.pv) >= 11, first.shortest) == (True, False)
    assert (len(short.pv), short.shortest) == (11, True)


def test_a_line_may_be_longer_than_the_shortest_where_the_limit_is_near() -> None:
    position = Position("shogi", LONG[1][1])
    proof = Engine("shogi").mate(position, shortest=False).nodes
    mate = Engine("shogi").mate(position, nodes=proof + 10)
    assert_mates(position, mate)
    assert (len(mate.pv) >= 11, mate.shortest, mate.nodes) == (True, False, proof + 10)


# --- No mates -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("shogi", komadai.variant("shogi").start),
        ("shogi", "7nk/9/7G1/9/9/9/9/9/4K4 b P"),  # a dropped pawn may not mate
        ("shogi", "7k1/9/9/9/8R/9/9/9/K8 b G"),  # mate in three, but by a quiet move
        ("shogi", "4k4/9/9/9/3+R5/9/9/9/K8 b -"),  # a dragon checks for ever
        ("shogi", "4k4/9/9/9/3+R5/9/4G4/9/K8 b -"),
        ("nana", "2k/1C1/K2 b R2B"),  # wins by stalemate
        ("nana", "K1k/3/3 b 2R2B"),  # no drop gives check
        ("ki", "9/9/9/9/4K4/9/4k4/9/9 b [HI][KAKU]"),
    ],
)
def test_sees_that_there_is_no_mate(name: str, start: str) -> None:
    mate = Engine(name).mate(Position(name, start), nodes=500_000)
    assert (mate.outcome, mate.pv, mate.why) == ("no mate", (), "")


def test_a_pawn_that_may_not_mate_is_not_dropped_and_a_soldier_is() -> None:
    """Standard shogi, README; hand.md 4: there is no ban on mating by a dropped soldier."""
    bare = "7nk/9/7G1/9/9/9/9/9/4K4 b "
    assert Engine("shogi").mate(Position("shogi", bare + "P")).outcome == "no mate"
    assert Engine("mortal").mate(Position("mortal", bare + "P")).outcome == "no mate"
    soldier = Position("hand", bare + "[SO]")
    mate = Engine("hand").mate(soldier)
    assert_mates(soldier, mate)
    assert str(mate.pv[0]) == "SO*1b"


def test_with_pieces_in_hand_nothing_mates_in_nana() -> None:
    """nana.md 6."""
    assert Engine("nana").mate(Position("nana", "1K1/1D[GB]/1k1 b br")).outcome == "mate"
    assert Engine("nana").mate(Position("nana", "1K1/1D[GB]/1k1 b Br")).outcome == "no mate"


def test_a_mate_through_a_position_that_may_not_come_again_is_none() -> None:
    check, reply, back, again = "5h5a", "2a1b", "5a5h", "1b2a"
    before = play("shogi", again, start="9/8k/6G2/7P1/9/9/9/4+R4/K8 w -").sfen()
    position = Position("shogi", before)
    mate = Engine("shogi").mate(position)
    assert_mates(position, mate)
    assert str(mate.pv[0]) == check
    checked = play("shogi", check, start=before).sfen()
    worn = play("shogi", *(reply, back, again, check) * 2, reply, back, again, start=checked)
    assert worn.outcome() is None
    assert worn.sfen() == before
    assert Engine("shogi").mate(worn).outcome == "no mate"


# --- Limits ---------------------------------------------------------------------------------------------------------

HARD = "ln1k1g3/1s7/4p+P3/1p1g5/6+L2/pP1P+n4/2K2PPP1/1S7/LN1G1GSN1 b 2RBSL6Pb3p"


@pytest.mark.parametrize("nodes", [1, 10, 1_000, 30_000])
def test_keeps_the_nodes(nodes: int) -> None:
    mate = Engine("shogi").mate(Position("shogi", HARD), nodes=nodes)
    assert (mate.outcome, mate.pv) == ("unknown", ())
    assert mate.nodes <= nodes
    assert mate.why


def test_keeps_the_time() -> None:
    assert Engine("shogi").mate(Position("shogi", HARD), time=0.001).outcome == "unknown"


def test_the_table_need_not_hold_everything() -> None:
    position = Position("hand", LONG[-1][1])
    mate = Engine("hand", hash_mb=1).mate(position, nodes=2_000_000, shortest=False)
    assert_mates(position, mate)


@needs_threads
def test_stop_ends_it() -> None:
    engine, found = Engine("shogi", hash_mb=1), []
    # A siege with everything in hand, which nobody finishes.
    siege = Position("shogi", "9/9/4k4/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P")
    search = threading.Thread(target=lambda: found.append(engine.mate(siege)), daemon=True)
    search.start()
    while search.is_alive():
        engine.stop()
        search.join(0.01)
    assert found[0].outcome in ("unknown", "mate")
    engine.stop()
    assert engine.mate(Position("shogi", MATES[0][2])).outcome == "mate", "an idle engine is not stopped"


def test_a_search_for_a_mate_is_repeatable() -> None:
    position = Position("shogi", LONG[2][1])
    engine = Engine("shogi")
    one, two = engine.mate(position, nodes=100_000), engine.mate(position, nodes=100_000)
    assert one.outcome == "mate"
    assert (one.pv, one.nodes) == (two.pv, two.nodes)


def test_leaves_the_position_as_it_was() -> None:
    position = Position("shogi", MATES[3][2])
    before = position.sfen(ply=True), position.key()
    Engine("shogi").mate(position)
    assert (position.sfen(ply=True), position.key()) == before


def test_says_why_it_does_not_know() -> None:
    mate = Engine("ko").mate(Position("ko"))
    assert mate.outcome == "unknown"
    assert "ko" in mate.why


def test_refuses_what_makes_no_sense() -> None:
    engine = Engine("shogi")
    with pytest.raises(NotationError, match=r"time -1.*\n?.*nodes 0"):
        engine.mate(Position("shogi"), time=-1, nodes=0)
    with pytest.raises(NotationError, match="nana"):
        engine.mate(Position("nana"))
