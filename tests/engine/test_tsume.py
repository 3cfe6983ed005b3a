"""Mate problems by their conventions, against their definition tried out move by move; nothing looks at a clock."""

from __future__ import annotations

import random
import re
import threading
from dataclasses import replace

import pytest

import komadai
from helpers.brute_force import after, checks
from helpers.support import needs_threads
from komadai.engine import Engine, Tsume
from komadai.errors import EngineBusyError, IllegalPositionError, NotationError
from komadai.game.position import Position
from komadai.spec.move import Move

NODES = 2_000_000

# Problems made for these tests: the game, the position, the plies by the conventions and against every defence, and
# the solution.
PROBLEMS = [
    ("shogi", "7nk/9/8P/9/9/9/9/9/9 b G", 1, 1, "G*1b"),
    ("shogi", "8k/9/5B1G1/9/8p/9/9/9/4+R4 b rb3g4s4n4l17p", 1, 7, "5i5a"),  # three useless drops
    ("shogi", "8k/9/5B1G1/9/8p/9/9/7K1/4+R4 b rb3g4s4n4l17p", 1, 7, "5i5a"),  # the same with two kings
    ("shogi", "6k2/3RG4/9/9/9/9/9/9/9 b Gr2b2g4s4n4l18p", 3, 3, "5b4a 3a2a G*1b"),
    ("shogi", "9/6P2/6Snk/6R2/9/9/9/9/9 b Sr2b4g2s3n4l17p", 3, 5, "S*2b 1c1b 3d1d"),
    ("shogi", "8p/7sk/6n2/5N2S/9/9/9/9/9 b LS2r2b4gs2n3l17p", 5, 5, "L*1c 2b1c S*2c 1b2a 4d3b+"),
    ("shogi", "9/9/6L1k/6B2/9/9/9/9/9 b Rrb4g4s4n3l18p", 7, 7, "R*2c 1c1b 2c2d+ 1b1a 2d1c 1a2a 3d4c+"),
    ("hand", "5k3/3G5/5gn2/5N3/9/9/9/9/9 b S", 3, 3, "S*3b 4a4b 6b5b"),
    ("mortal", "9/5Sk2/8G/9/9/9/9/9/9 b G", 3, 3, "G*3c 3b2a 1c2b"),
    ("mortal", "8k/9/9/7NS/9/9/9/9/9 b S", 5, 5, "S*1b 1a2b 1d2c=G 2b3a 2d3b=G"),
]  # fmt: skip


def judge(game: str, text: str, nodes: int = NODES) -> Tsume:
    return Engine(game).tsume(Position.problem(game, text), nodes=nodes)


def mated_within(position: Position, plies: int, conventions: bool) -> bool:
    """True if the side to move, which is in check, is mated within so many plies: the definition, move by move."""
    costly, reached = False, plies == 0
    for reply in position.legal_moves():
        if plies == 0 and not (conventions and reply.is_drop):
            return False
        useless = (
            conventions
            and reply.is_drop
            and any(mated_within(free, plies, conventions) for free in freed(position, reply))
        )
        position.push(reply)
        mates = mates_within(position, plies - 1, conventions)
        exact = mates and not mates_within(position, plies - 3, conventions)
        position.pop()
        if not mates and not useless:
            return False
        costly, reached = costly or not mates, reached or exact
    return reached or not costly or mated_within(position, plies - 2, conventions)


def freed(position: Position, drop: Move) -> list[Position]:
    """The positions after a drop and its capture with check, if the piece went back to the defender's hand."""
    before, found = position.setup(), []
    position.push(drop)
    captures = [move for move in checks(position) if not move.is_drop and move.text[2:4] == drop.text[2:4]]
    for capture in captures:
        position.push(capture)
        after = position.setup()
        position.pop()
        found.append(Position.problem(position.variant, replace(after, hands=before.hands)))
    position.pop()
    return found


def mates_within(position: Position, plies: int, conventions: bool) -> bool:
    """True if the side to move mates by checks within so many plies."""
    moves = checks(position) if plies > 0 else []
    return any(after(position, move, mated_within, plies - 1, conventions) for move in moves)


@pytest.mark.parametrize(("game", "text", "plies", "every", "line"), PROBLEMS)
def test_problems_are_as_long_as_they_were_made(game: str, text: str, plies: int, every: int, line: str) -> None:
    judged = judge(game, text)
    assert (judged.outcome, judged.plies, judged.plies_every_defence, judged.unique) == ("mate", plies, every, True)
    assert " ".join(map(str, judged.moves)) == line
    assert judged.proved
    assert judged.why == ""


@pytest.mark.parametrize(("game", "text", "plies", "every", "line"), [p for p in PROBLEMS if p[3] <= 5])
def test_lengths_are_those_of_the_definition(game: str, text: str, plies: int, every: int, line: str) -> None:
    position = Position.problem(game, text)
    for conventions, length in (True, plies), (False, every):
        assert next(within for within in (1, 3, 5) if mates_within(position, within, conventions)) == length


@pytest.mark.slow
@pytest.mark.parametrize(("game", "kinds"), [("shogi", "RBGSNLP"), ("mortal", "RBGSNL"), ("hand", "GSNL")])
def test_lengths_of_chance_problems_are_those_of_the_definition(game: str, kinds: str) -> None:
    chance, engine, found = random.Random(7), Engine(game), 0
    while found < 30:
        squares = chance.sample([(file, rank) for file in range(4) for rank in range(4)], 6)
        pieces = ["k", *chance.choices(kinds, k=3), *chance.choices(kinds.lower(), k=2)]
        board = dict(zip(squares, pieces, strict=True))
        drawn = "/".join("11111" + "".join(board.get((file, rank), "1") for file in range(4)) for rank in range(4))
        ranks = re.sub("1+", lambda empty: str(len(empty[0])), drawn)
        hands = chance.choice(("", "G", "S", "N")) + chance.choice(("g", "s", "n"))
        try:
            position = Position.problem(game, f"{ranks}/9/9/9/9/9 b {hands}")
        except IllegalPositionError:
            continue
        judged = engine.tsume(position, nodes=20_000)
        if judged.plies in (1, 3):
            found += 1
            assert mates_within(position, judged.plies, conventions=True), position.sfen()
            assert not mates_within(position, judged.plies - 2, conventions=True), position.sfen()


def test_other_first_moves_are_told() -> None:
    judged = judge("shogi", "9/9/7Bk/9/8B/9/9/9/9 b GS2r3g3s4n4l18p")
    assert (judged.plies, judged.unique) == (5, False)
    assert {str(move) for move in judged.other_first_moves} == {"G*2d", "S*2d"}
    assert judged.unique_later is False
    assert (3, "G*3c") in [(ply, str(move)) for ply, move in judged.other_later_moves]


def test_every_other_first_move_mates_and_no_further_check_does() -> None:
    """A problem in one: what mates is seen by trying."""
    position = Position.problem("shogi", "8k/9/7G1/9/9/9/9/9/9 b GR2b2g4s4n4l18pr")
    judged = Engine("shogi").tsume(position, nodes=NODES)
    mating = {move for move in checks(position) if not after(position, move, Position.legal_moves)}
    assert judged.plies == 1
    assert mating <= {judged.moves[0], *judged.other_first_moves}
    assert all(position.gives_check(move) for move in judged.other_first_moves)


def test_pieces_left_in_hand_are_told() -> None:
    judged = judge("shogi", "9/7k1/8R/9/9/9/9/9/9 b 2GPr2b2g4s4n4l17p")
    assert (judged.plies, judged.left_in_hand) == (3, (("P", 1),))


def test_a_position_without_a_mate() -> None:
    judged = judge("shogi", "4k4/9/9/9/9/9/9/9/9 b P2r2b4g4s4n4l17p")
    assert judged == replace(Tsume("no mate"), nodes=judged.nodes, seconds=judged.seconds)


def test_games_without_a_mate_search_say_why() -> None:
    judged = Engine("ko").tsume(Position("ko"))
    assert judged.outcome == "unknown"
    assert "ko" in judged.why


def test_nothing_is_claimed_that_is_not_proved() -> None:
    """With few nodes the answers are missing, never wrong."""
    game, text, plies, every, _ = PROBLEMS[6]
    for nodes in (1, 10, 100, 300, 1000, 3000, 10_000, 30_000):
        judged = judge(game, text, nodes)
        assert judged.plies in (None, plies)
        assert judged.plies_every_defence in (None, every)
        assert judged.unique in (None, True)
        assert judged.nodes <= nodes * 2 + 1000
        assert judged.why or judged.proved
        assert judged.outcome != "no mate"
        position = Position.problem(game, text)
        for move in judged.moves:
            position.push(move)


@needs_threads
def test_a_search_is_stopped_from_another_thread() -> None:
    position = Position("shogi", "ln1k1g3/1s7/4p+P3/1p1g5/6+L2/pP1P+n4/2K2PPP1/1S7/LN1G1GSN1 b 2RBSL6Pb3p")
    engine = Engine("shogi")
    found: list[Tsume] = []
    worker = threading.Thread(target=lambda: found.append(engine.tsume(position)))
    worker.start()
    while not found and worker.is_alive():
        engine.stop()
    worker.join()
    assert found
    with pytest.raises(NotationError, match="nodes 0"):
        engine.tsume(position, nodes=0)


def test_a_mate_search_and_a_problem_do_not_run_at_once() -> None:
    engine = Engine("shogi")
    with engine._mating, pytest.raises(EngineBusyError):
        engine.tsume(komadai.Position("shogi"))
