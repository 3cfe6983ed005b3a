"""The engine: what it finds, what it claims, which limits it keeps. Nothing here looks at a clock."""

from __future__ import annotations

import threading
from dataclasses import replace
from itertools import cycle, islice, pairwise
from typing import Any

import pytest

import komadai
from helpers.brute_force import can_win, must_lose
from helpers.madeup.kit import KING, kind, variant
from helpers.support import DEFAULTS, SHELF, legal, needs_threads, play, random_play
from helpers.volume import volume
from komadai.engine import Clock, Engine, Info
from komadai.errors import EngineBusyError, NotationError
from komadai.game.position import Position
from komadai.spec import FarRanks, Rect, Variant

LONGEST = 99  # plies: the engine's deepest search


def assert_sound(position: Position, info: Info, *, weak: bool = False) -> None:
    """The moves are legal and distinct, the lines playable, best first, and the claims about mate plausible."""
    assert (info.move is None) == (not position.legal_moves())
    assert info.move in position.legal_moves() or info.move is None
    assert len({line.move for line in info.multipv}) == len(info.multipv)
    for line in info.multipv:
        ahead = position.copy()
        for move in line.pv:
            ahead.push(move)
        if line.mate is not None:
            assert line.mate % 2 == (line.mate > 0), "the winner makes the last move"
    if info.multipv:
        assert (info.score, info.mate, info.pv) == (info.multipv[0].score, info.multipv[0].mate, info.multipv[0].pv)
    # A weak level may put a worse move it chose before the others.
    lines = info.multipv[weak:]
    assert all(one.score >= two.score for one, two in pairwise(lines))


# --- What it finds --------------------------------------------------------------------------------------------------

WINS = [
    ("shogi", 1, "7nk/9/7GP/9/9/9/9/9/4K4 b -"),
    ("shogi", 1, "7nk/9/7G1/9/9/9/9/9/4K4 b GP"),  # the pawn may not mate, the gold may
    ("shogi", 3, "7k1/9/9/9/8R/9/9/9/K8 b G"),
    ("shogi", 3, "8k/9/9/9/r8/9/9/9/1K7 w g"),
    ("nana", 1, "1K1/1D[GB]/1k1 b br"),
    ("nana", 1, "2k/1C1/K2 b R2B"),  # a stalemate
    ("nana", 3, "2K/k2/[TG]1[gb] w Rb"),
    ("nana", 3, "k1B/1[sw]K/B1C b -"),
    ("nana", 3, "[tg]K1/c2/kB1 w r"),
    ("nana-1998", 3, "Ck1/1B1/K1[gb] b B"),
    ("nana-1998", 3, "K2/[GB]B1/1k[gb] b B"),
]


@pytest.mark.parametrize(("name", "plies", "start"), WINS)
def test_finds_the_shortest_win(name: str, plies: int, start: str) -> None:
    position = Position(name, start)
    assert can_win(position, plies)
    assert plies == 1 or not can_win(position, plies - 2)
    # Late moves are looked at less deeply, so that a quiet one takes some plies more.
    info = Engine(name).search(position, depth=plies + 9)
    assert info.mate == plies
    assert_sound(position, info)
    assert len(info.pv) == plies
    end = play(name, *map(str, info.pv), start=start)
    outcome = end.outcome()
    assert outcome is not None
    assert outcome.winner == position.turn


@pytest.mark.parametrize(
    ("name", "start", "move"), [("shogi", "7k1/9/9/9/8R/9/9/9/K8 b G", "G*3c"), ("nana", "k1B/1[sw]K/B1C b -", "1a2b")]
)
def test_sees_that_it_is_lost(name: str, start: str, move: str) -> None:
    position = play(name, move, start=start)
    assert must_lose(position, 2)
    info = Engine(name).search(position, depth=4)
    assert info.mate == -2
    assert info.score < 0


@pytest.mark.parametrize("name", ["nana", "nana-1998"])
def test_claims_of_short_wins_and_losses_are_true(name: str) -> None:
    engine, seen = Engine(name), set()
    for position, _ in random_play(komadai.variant(name), 5, 400):
        info = engine.search(Position(name, position.sfen()), depth=4)
        seen.add(info.mate)
        if info.mate in (1, 3):
            assert can_win(position.copy(), info.mate), position.sfen()
        elif info.mate == -2:
            assert must_lose(position.copy(), 2), position.sfen()
    assert {1, 3, -2} <= seen


@pytest.mark.parametrize(
    ("start", "reason"), [("7nk/8G/7G1/9/9/9/9/9/4K4 w -", "checkmate"), ("8k/9/6NG1/9/9/9/9/9/4K4 w -", "stalemate")]
)
def test_has_no_move_where_there_is_none(start: str, reason: str) -> None:
    info = Engine("shogi").search(Position("shogi", start), depth=5)
    assert (info.move, info.multipv, info.mate, info.score, info.pv) == (None, (), None, 0, ())


# --- Legality -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [1, 4, 10])
@pytest.mark.parametrize("variant", DEFAULTS)
def test_never_plays_an_illegal_move(variant: Variant, level: int) -> None:
    engine = Engine(variant, level=level, seed=level)
    for number, (position, _) in enumerate(random_play(variant, level, volume(150))):
        if number % 3 == 0:
            info = engine.search(position, depth=2, nodes=3_000, multipv=1 + number % 4)
            assert info.move is None or str(info.move) in legal(position)
            assert_sound(Position(variant, position.sfen()), info, weak=level < 10)


def test_never_mates_in_nana_with_pieces_in_hand() -> None:
    engine, ends = Engine("nana"), []
    for seed in range(12):
        *_, (opening, _) = random_play(komadai.variant("nana"), seed, 6)
        position = opening.copy()
        while position.outcome() is None and position.ply < 60:
            info = engine.search(position, depth=3)
            assert info.move is not None
            held, mover = position.hand(position.turn), position.turn
            position.push(info.move)
            outcome = position.outcome()
            if outcome is not None and outcome.reason == "checkmate":
                assert outcome.winner == mover
                assert not held
                ends.append(outcome)
    assert ends, "some of the games are decided"


@pytest.mark.parametrize("variant", DEFAULTS)
def test_leaves_the_position_as_it_was(variant: Variant) -> None:
    position = Position(variant)
    position.push(position.legal_moves()[0])
    before = position.sfen(ply=True), position.key()
    Engine(variant).search(position, depth=3)
    assert (position.sfen(ply=True), position.key()) == before


# --- Limits ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [1, 2, 3, 5])
def test_keeps_the_depth(depth: int) -> None:
    assert Engine("shogi").search(Position("shogi"), depth=depth).depth == depth


@pytest.mark.parametrize("nodes", [1, 50, 1_000, 20_000])
def test_keeps_the_nodes(nodes: int) -> None:
    first = Engine("shogi").search(Position("shogi"), depth=1).nodes
    info = Engine("shogi").search(Position("shogi"), nodes=nodes)
    assert info.move is not None
    assert info.nodes <= max(nodes, first + 1), "depth 1 is always finished, so that there is a move"


@pytest.mark.parametrize(
    "start",
    [
        "1n6b/r3+P4/l8/pskpsPpPl/LpgPnpP1P/PPP1PG1Bp/4KG1GN/RS2p3L/1N4S2 w P",
        "1n2k3b/rs7/lg1p+P1p2/p4P2l/LppPS2pp/PPP1P2PP/R2NKGsGN/1+bS2G2L/1N7 w Pp",
    ],
)
def test_keeps_the_nodes_where_captures_abound(start: str) -> None:
    position = Position("shogi", start)
    info = Engine("shogi").search(position, nodes=3_000, multipv=4)
    assert info.move is not None
    assert info.nodes <= 3_000 + len(position.legal_moves())


def test_keeps_the_time() -> None:
    info = Engine("shogi").search(Position("shogi"), time=0.05)
    assert 1 <= info.depth < LONGEST


def test_the_first_limit_ends_the_search() -> None:
    assert Engine("shogi").search(Position("shogi"), depth=2, nodes=10**9, time=3600.0).depth == 2
    assert Engine("shogi").search(Position("shogi"), depth=99, nodes=500, time=3600.0).nodes <= 500


@needs_threads
def test_stop_ends_a_search_without_limits() -> None:
    engine, found = Engine("shogi"), []
    started = threading.Event()
    position = Position("shogi")
    search = threading.Thread(
        target=lambda: found.append(engine.search(position, report=lambda info: started.set())), daemon=True
    )
    search.start()
    started.wait()
    while search.is_alive():
        engine.stop()
        search.join(0.01)
    (info,) = found
    assert_sound(position, info)
    assert info.depth < LONGEST


def test_stop_of_an_idle_engine_does_not_stop_the_next_search() -> None:
    engine = Engine("shogi")
    engine.stop()
    assert engine.search(Position("shogi"), depth=3).depth == 3


def test_one_search_at_a_time() -> None:
    engine = Engine("shogi")
    refusals: list[Exception] = []

    def again(info: Info) -> None:
        try:
            engine.search(Position("shogi"), depth=1)
        except EngineBusyError as error:
            refusals.append(error)

    engine.search(Position("shogi"), depth=2, report=again)
    assert len(refusals) == 2
    assert "already searching" in str(refusals[0])


def test_a_mate_found_before_the_search_tells_what_it_took() -> None:
    reports: list[Info] = []
    info = Engine("shogi").search(Position("shogi", WINS[0][2]), time=60.0, report=reports.append)
    assert (info.mate, len(info.pv)) == (1, 1)
    assert reports == [info]
    assert 0 < info.nodes < 10_000, "what was visited, not what was allowed"


def test_searchmoves_are_the_only_ones_looked_at() -> None:
    position = Position("shogi")
    some = position.legal_moves()[3:6]
    info = Engine("shogi").search(position, depth=4, searchmoves=some, multipv=10)
    assert {line.move for line in info.multipv} == set(some)


def test_searchmoves_must_be_legal() -> None:
    position = Position("shogi")
    stranger = next(move for move in Position("mortal").legal_moves())
    with pytest.raises(NotationError, match="no move to search"):
        Engine("shogi").search(position, depth=1, searchmoves=[])
    other = position.copy()
    other.push(other.legal_moves()[0])
    foreign = [move for move in (*other.legal_moves(), stranger) if move not in position.legal_moves()][:1]
    with pytest.raises(NotationError, match="is not legal here"):
        Engine("shogi").search(position, depth=1, searchmoves=foreign)


@pytest.mark.parametrize("clock", [Clock(0.4), Clock(0.0, byoyomi=0.1), Clock(0.2, increment=0.1), Clock(0.1, 0, 0, 1)])
def test_a_clock_ends_the_search(clock: Clock) -> None:
    assert 1 <= Engine("shogi").search(Position("shogi"), clock=clock).depth < LONGEST


@pytest.mark.parametrize(
    ("clock", "most"),
    [(Clock(60.0), 15.0), (Clock(0.0, byoyomi=10.0), 10.0), (Clock(300.0, increment=2.0), 60.0), (Clock(8.0), 2.0)],
)
def test_a_clock_is_shared_out(clock: Clock, most: float) -> None:
    soft, hard = clock.budget()
    assert 0 < soft <= hard <= min(most, clock.left + clock.byoyomi)


def test_an_empty_clock_still_gives_a_move() -> None:
    assert Engine("shogi").search(Position("shogi"), clock=Clock(0.0)).move is not None


@pytest.mark.parametrize("bad", [{"left": -1.0}, {"left": float("nan")}, {"left": 1.0, "moves_to_go": 0}])
def test_a_clock_must_make_sense(bad: dict[str, float]) -> None:
    with pytest.raises(NotationError, match="clock"):
        Clock(**bad)  # type: ignore[arg-type]


@needs_threads
def test_pondering_takes_no_time_until_the_hit() -> None:
    engine, found = Engine("shogi"), []
    deep = threading.Event()
    search = threading.Thread(
        target=lambda: found.append(
            engine.search(Position("shogi"), time=0.01, ponder=True, report=lambda info: info.depth >= 8 and deep.set())
        ),
        daemon=True,
    )
    search.start()
    assert deep.wait(60), "it goes on for longer than its time"
    engine.ponderhit()
    search.join(60)
    assert found[0].depth >= 8


@needs_threads
def test_threads_search_together() -> None:
    info = Engine("shogi", threads=3).search(Position("shogi"), depth=8)
    assert_sound(Position("shogi"), info)
    assert Engine("ko", threads=2).search(Position("ko"), nodes=3000).move is not None


@needs_threads
@pytest.mark.parametrize("threads", [1, 2, 4])
def test_threads_find_the_mate_that_one_finds(threads: int) -> None:
    position = Position("shogi", "7k1/9/9/9/8R/9/9/9/K8 b G")  # mate in three, by a quiet move
    info = Engine("shogi", threads=threads).search(position, nodes=200_000)
    assert info.mate is not None
    assert 0 < info.mate <= info.depth, "the search ends with the depth that proves it"
    assert_sound(position, info)


@pytest.mark.parametrize("threads", [0, -1, 257])
def test_threads_must_be_in_range(threads: int) -> None:
    with pytest.raises(NotationError, match="threads"):
        Engine("shogi", threads=threads)


# --- Reports --------------------------------------------------------------------------------------------------------


def test_reports_every_depth() -> None:
    reports: list[Info] = []
    last = Engine("shogi").search(Position("shogi"), depth=4, report=reports.append)
    assert [info.depth for info in reports] == [1, 2, 3, 4]
    assert reports[-1] == last
    assert all(one.nodes <= two.nodes for one, two in pairwise(reports))
    assert all(info.nps >= 0 for info in reports)


def test_an_error_in_the_report_ends_the_search_and_reaches_the_caller() -> None:
    engine = Engine("shogi")
    with pytest.raises(ZeroDivisionError):
        engine.search(Position("shogi"), report=lambda info: 1 // 0)
    assert engine.search(Position("shogi"), depth=2).depth == 2


def test_a_search_that_is_stopped_keeps_the_line_of_its_move() -> None:
    # A move that comes out better than expected has no replies yet when the limit is reached.
    position = Position("shogi")
    position.push("7g7f")
    for nodes in range(200, 6000, 100):
        reports: list[Info] = []
        info = Engine("shogi", hash_mb=4).search(position, nodes=nodes, report=reports.append)
        before = reports[-1]
        if info.move == before.move:
            assert len(info.pv) >= min(len(before.pv), 2), nodes


@pytest.mark.parametrize("variant", DEFAULTS)
@pytest.mark.parametrize("multipv", [1, 3, 500])
def test_multipv_lines_are_distinct_and_ordered(variant: Variant, multipv: int) -> None:
    for number, (position, _) in enumerate(random_play(variant, 9, max(11, volume(60)))):
        if number % 10 == 0:
            info = Engine(variant).search(position, depth=2, multipv=multipv)
            assert len(info.multipv) == min(multipv, len(position.legal_moves()))
            assert_sound(Position(variant, position.sfen()), info)


def test_multipv_does_not_change_the_best_score() -> None:
    one = Engine("nana").search(Position("nana", "2K/3/k2 b RBrb"), depth=3)
    many = Engine("nana").search(Position("nana", "2K/3/k2 b RBrb"), depth=3, multipv=20)
    assert many.score == one.score


# --- Repeating ------------------------------------------------------------------------------------------------------


def test_searches_are_repeatable_after_clear() -> None:
    engine, position = Engine("shogi"), Position("shogi")
    first = engine.search(position, depth=4)
    engine.clear()
    second = engine.search(position, depth=4)
    assert (first.move, first.score, first.nodes) == (second.move, second.score, second.nodes)


def test_an_engine_plays_one_variant() -> None:
    with pytest.raises(NotationError, match="nana"):
        Engine("shogi").search(Position("nana"), depth=1)
    with pytest.raises(NotationError, match="other options"):
        Engine("nana").search(Position("nana", drop_faces="front"), depth=1)


@pytest.mark.parametrize(
    "asked",
    [{"depth": 1.5}, {"depth": "3"}, {"nodes": 1e3}, {"time": "1"}, {"multipv": 2.0}, {"position": "startpos"}],
    ids=str,
)
def test_what_is_of_the_wrong_type_is_refused_in_words(asked: dict[str, Any]) -> None:
    position = asked.pop("position", Position("nana"))
    with pytest.raises(NotationError, match=r"no number|out of range|no Position"):
        Engine("nana").search(position, **asked)
    with pytest.raises(NotationError, match=r"hash size 16\.0 is out of range"):
        Engine("nana", hash_mb=16.0)  # type: ignore[arg-type]


# --- The search ends soon in any game --------------------------------------------------------------------------------


SHOGI = komadai.variant("shogi")
KYOTO = komadai.variant("kyoto")
MANY_KINDS = (KING, *(kind(code, "QNAD", captured=None) for code in "ABCD"))


def crowded(size: int, ranks: int) -> Variant:
    """A board half full of pieces that slide every way and leap besides."""
    rows = ["".join(islice(cycle("ABCD"), size)) for _ in range(ranks)]
    rows[-1] = rows[-1][: size // 2] + "K" + rows[-1][size // 2 + 1 :]
    start = [row.lower() for row in rows[::-1]] + [str(size)] * (size - 2 * ranks) + rows
    return variant(f"crowded-{size}", Rect(size, size), "/".join(start) + " b -", MANY_KINDS, ())


RESTLESS = [
    *(
        pytest.param(replace(SHOGI, id=f"zone-{ranks}", zone=FarRanks(ranks)), id=f"zone-{ranks}")
        for ranks in range(5, 10)
    ),
    pytest.param(
        replace(KYOTO, id="turning", board=Rect(9, 9), start="psnlk+l+n+s+p/1+p5p1/9/9/9/9/9/1P5+P1/+P+S+N+LKLNSP b -"),
        id="turning",
    ),
    pytest.param(crowded(13, 5), id="crowded-13"),
    pytest.param(crowded(25, 7), id="crowded-25"),
]


@pytest.mark.parametrize("variant", RESTLESS)
def test_the_first_depth_ends_soon(variant: Variant) -> None:
    position = Position(variant)
    for _ in range(3 if len(variant.board) < 300 else 1):
        info = Engine(variant).search(position, depth=1)
        assert info.depth == 1
        assert info.nodes < 10_000 + 80 * len(position.legal_moves())
        assert info.move is not None
        position.push(info.move)


@pytest.mark.parametrize("variant", RESTLESS[:-2])
def test_most_of_the_search_is_no_quiescence(variant: Variant) -> None:
    assert Engine(variant).search(Position(variant), nodes=150_000).depth >= 4


@pytest.mark.parametrize("variant", [*RESTLESS, *DEFAULTS, *SHELF])
@pytest.mark.parametrize("multipv", [1, 5])
def test_the_first_depth_is_finished_whatever_the_limit(variant: Variant, multipv: int) -> None:
    position, reports = Position(variant), list[Info]()
    info = Engine(variant, tables=False).search(position, nodes=1, multipv=multipv, report=reports.append)
    assert [report.depth for report in reports] == [1]
    assert (info.depth, info.move) == (1, reports[0].move)
    assert info.nodes <= 10 + 2 * len(position.legal_moves())
