"""USI: what it answers, when it stops, and what it says to what is wrong."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator

import pytest

import komadai
from helpers.support import NAMES, legal
from helpers.talking import Client
from komadai.engine import MAX_DEPTH, Clock
from komadai.game.position import Position
from komadai.protocol.session import NO_POSITION, GoLimits


@pytest.fixture
def client() -> Iterator[Client]:
    made = Client()
    yield made
    made.send("quit")


@pytest.mark.parametrize(
    ("protocol", "own"), [("usi", ["USI_Hash", "USI_Ponder"]), ("uci", ["Hash", "Ponder", "UCI_Variant"])]
)
def test_a_protocol_names_itself_and_every_option(protocol: str, own: list[str]) -> None:
    lines = Client(protocol=protocol).ask(protocol)
    assert lines[0] == f"id name Komadai {komadai.__version__}"
    assert lines[1].startswith("id author ")
    assert lines[-1] == f"{protocol}ok"
    options = lines[2:-1]
    assert all(line.startswith("option name ") for line in options)
    (variants,) = (line for line in options if f"{protocol.upper()}_Variant" in line)
    assert sorted(re.findall(r"var (\S+)", variants)) == sorted(komadai.variants(shelf=True))
    assert "default shogi" in variants
    assert protocol == "uci" or not any("UCI_" in line for line in lines), "adapters would mis-size the board"
    names = [line.split()[2] for line in options]
    assert len(set(names)) == len(names)
    assert {*own, "Threads", "MultiPV", "Level", "drop_faces"} <= set(names)


def test_position_takes_turns_of_several_landings_and_shots() -> None:
    start = "1g17/19/19/19/19/19/19/8p10/9+[TP]9/19/19/19/19/19/19/19/19/19/17G1 b -"
    client = Client("ko")
    client.send(f"position sfen {start} moves 10i10g*11h 18a18b 10g10e10g")
    expected = Position("ko", start)
    for move in ("10i10g*11h", "18a18b", "10g10e10g"):
        expected.push(move)
    assert client.session.position == expected
    assert client.best("go depth 1") in legal(expected)
    (answer,) = client.ask(f"position sfen {start} moves 10i10g*9h")
    assert "10i10g*9h is not legal" in answer


REFUSED = [
    "position startpos moves 2g2f 2g2f",
    "position sfen 9/9 b -",
    "position sfen lnsg1gsnl/9/9/9/9/9/9/9/LNSG1GSNL b - 1",
    "position nonsense",
    "position",
]


@pytest.mark.parametrize("refused", REFUSED)
def test_after_a_refused_position_no_move_of_another_is_given(client: Client, refused: str) -> None:
    client.send("position startpos moves 7g7f", refused)
    assert client.best("go depth 3") == "resign"
    assert client.best("go byoyomi 1000") == "resign"
    client.send("go mate 1000")
    assert client.until("checkmate")[-1] == "checkmate timeout"
    for command in ("d", "perft 1"):
        assert client.settled(command) == [f"info string {command.split()[0]}: {NO_POSITION}"]
    assert client.ask("isready") == ["readyok"]
    assert client.best("go depth 1") == "resign", "isready is no new position"


@pytest.mark.parametrize(
    "cure",
    ["position startpos", "usinewgame", "setoption name USI_Variant value shogi", "position startpos moves 7g7f"],
)
def test_a_position_or_a_new_game_ends_the_refusal(client: Client, cure: str) -> None:
    client.send("position startpos moves 7g7f", "position startpos moves 7g7f 7g7f", cure)
    assert client.best("go depth 1") in legal(client.session.position)


def test_a_search_under_way_answers_before_a_position_is_refused(client: Client) -> None:
    client.send("go infinite", "position nonsense")
    lines = client.waiting()
    assert [line.split()[0] for line in lines if not line.startswith("info depth")] == ["bestmove", "info"]
    assert next(line for line in lines if line.startswith("bestmove")).split()[1] in legal(Position("shogi"))


@pytest.mark.parametrize(
    ("command", "sfen"),
    [
        ("position 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"),
        ("position 4k4/9/4P4/9/9/9/9/9/4K4 b G moves G*5b", "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 2"),
        ("position sfen  4k4/9/4P4/9/9/9/9/9/4K4  b  G  moves", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"),
        ("position startpos moves", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"),
        ("position sfen startpos", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"),
    ],
)
def test_ways_to_send_a_position(client: Client, command: str, sfen: str) -> None:
    """Other engines read positions without the word ``sfen``, too, and programs send ``moves`` with none."""
    assert client.ask(command) == []
    assert client.session.position.sfen(ply=True) == sfen


def test_rule_options_reach_the_game(client: Client) -> None:
    client.send("setoption name USI_Variant value nana", "setoption name drop_faces value front")
    client.send("position sfen 2K/3/k2 b RBrb")
    assert client.session.position == Position("nana", "2K/3/k2 b RBrb", drop_faces="front")
    client.send("setoption name USI_Variant value shogi")
    assert client.session.position == Position("shogi"), "an option of another game does not matter"


def test_an_option_with_sizes_is_text_and_takes_them(client: Client) -> None:
    assert "option name field type string default unbounded" in client.ask("usi")
    client.send("setoption name USI_Variant value ki", "setoption name field value 7x12")
    assert client.session.position == Position("ki", field="7x12")
    (answer,) = client.ask("setoption name field value 7x26")
    assert "option field: cannot be '7x26'; choose from unbounded, 9x9, 5x5 or any WxH from 3x3 to 25x25" in answer
    assert client.session.position == Position("ki", field="7x12"), "a refused value changes nothing"


@pytest.mark.parametrize("name", NAMES)
def test_plays_every_variant(name: str) -> None:
    client = Client(name)
    for _ in range(4):
        position = client.session.position
        move = client.best("go nodes 500")
        assert move in legal(position)
        position.push(move)
    client.send("quit")


@pytest.mark.parametrize(
    "limits",
    [
        "depth 3", "nodes 100", "movetime 20", "btime 100 wtime 100 byoyomi 20", "btime 0 wtime 0", "byoyomi 1",
        "btime 50 wtime 50 binc 10 winc 10", "depth 0", "depth 100000 nodes 10", "nodes 0", "movetime 0", "movetime -5",
        "btime -1 wtime -1", "depth 2 movetime 99999999999999999999",
    ],
)  # fmt: skip
def test_go_answers_with_a_legal_move(client: Client, limits: str) -> None:
    assert client.best("position startpos", f"go {limits}") in legal(Position("shogi"))


# --- What a go asks for ---------------------------------------------------------------------------------------------


USI_LIMITS = [
    ("depth 3 nodes 5", GoLimits(depth=3, nodes=5)),
    ("depth 0 nodes 0", GoLimits(depth=1, nodes=1)),
    ("depth 100000", GoLimits(depth=MAX_DEPTH)),
    ("movetime 1030", GoLimits(time=1.0)),
    ("movetime -5", GoLimits(time=0.01)),
    ("btime 60000 wtime 5 binc 2000 winc 3", GoLimits(clock=Clock(60.0, 2.0))),
    ("wtime 60000 btime 5 movestogo 7", GoLimits(clock=Clock(0.005, moves_to_go=7))),
    ("btime 60000 wtime 5 byoyomi 1000", GoLimits(clock=Clock(60.0, 0.0, 1.0))),
    ("btime 0 wtime 0 byoyomi 10 movestogo 0", GoLimits(clock=Clock(0.0, 0.0, 0.01))),
    ("wtime 5", GoLimits(clock=Clock(0.0))),
    ("btime -20 wtime -20", GoLimits(clock=Clock(0.0))),
    ("ponder btime 60000 wtime 5", GoLimits(clock=Clock(60.0), ponder=True)),
    ("infinite depth 3", GoLimits()),
    ("", GoLimits()),
    ("ponder", GoLimits(ponder=True)),
    ("depth x", GoLimits(depth=1)),
    ("depth infinite", GoLimits()),
    ("perft 3", GoLimits(depth=1)),
    ("rtime 100 nodes 7", GoLimits(nodes=7)),
]
UCI_LIMITS = [
    ("wtime 60000 btime 5 winc 2000 binc 3", GoLimits(clock=Clock(60.0, 2.0))),
    ("btime 60000 wtime 5 movestogo 7", GoLimits(clock=Clock(0.005, moves_to_go=7))),
    ("mate 3", GoLimits(depth=5)),
    ("mate 0", GoLimits(depth=1)),
    ("mate 2 nodes 9", GoLimits(depth=3, nodes=9)),
    ("mate", GoLimits()),
    ("ponder depth 4", GoLimits(depth=4, ponder=True)),
]
LIMITS = [("usi", "startpos", *one) for one in USI_LIMITS] + [("uci", "startpos", *one) for one in UCI_LIMITS]
WHITE = ("usi", "startpos moves 7g7f", "btime 1 wtime 60000 binc 1 winc 500", GoLimits(clock=Clock(60.0, 0.5)))


@pytest.mark.parametrize(("protocol", "position", "go", "expected"), [*LIMITS, WHITE])
def test_limits(monkeypatch: pytest.MonkeyPatch, protocol: str, position: str, go: str, expected: GoLimits) -> None:
    client, started = Client(protocol=protocol), list[GoLimits]()
    monkeypatch.setattr(client.session, "start", lambda limits, on_info, on_done: started.append(limits))
    client.send(f"position {position}", f"go {go}", "quit")
    assert started == [expected]


def test_searchmoves_are_the_only_ones_looked_at(client: Client) -> None:
    client.send("go depth 1 searchmoves 1g1d nonsense 2g2f")
    complaint, other, *_, best = client.until("bestmove")
    assert "1g1d is not legal" in complaint
    assert "nonsense" in other
    assert best.split()[1] == "2g2f"
    assert client.best("go depth 1 searchmoves 1g1d") in legal(Position("shogi")), "none is left, so all are"


@pytest.mark.parametrize("limits", ["btime 100 wtime 100", "byoyomi 40", "movetime 40"])
def test_a_hit_lets_the_time_count(client: Client, limits: str) -> None:
    for _ in range(3):
        client.send(f"go ponder {limits}", "ponderhit")
        assert client.until("bestmove")[-1].split()[1] in legal(Position("shogi"))


def test_the_reply_expected_is_named(client: Client) -> None:
    client.send("go depth 3")
    words = client.until("bestmove")[-1].split()
    assert words[2] == "ponder"
    position = Position("shogi")
    position.push(words[1])
    assert words[3] in legal(position)


UNDECIDED = "9/2s6/L8/3k2+B1R/1P6R/1GP1bP3/3PN1pP1/3SS4/1N2K1SG1 b 9P2g2n3l3p"  # for seconds, at least


@pytest.mark.parametrize("end", ["stop", "gameover draw", "quit", "usinewgame", "go mate 1"])
def test_a_search_for_mate_is_answered_whatever_ends_it(end: str) -> None:
    client = Client()
    client.send(f"position sfen {UNDECIDED}", "go mate infinite", end)
    answers = [line for line in client.settled("isready") if line.startswith("checkmate")]
    assert answers == ["checkmate timeout"] * (1 + (end == "go mate 1"))
    client.send("quit")


def test_levels_are_options(client: Client) -> None:
    client.send("setoption name Level value 1")
    assert client.session.prepare().level == 1
    assert client.best("go nodes 50") in legal(Position("shogi"))


def test_options_of_the_engine_leave_the_position(client: Client) -> None:
    client.send("position startpos moves 7g7f")
    for option in ("USI_Hash value 2", "MultiPV value 2", "Level value 3", "Threads value 2", "USI_Ponder value 1"):
        assert client.ask(f"setoption name {option}") == []
    assert client.session.position.ply == 2


def test_a_longer_game_is_the_same_as_from_the_start(client: Client) -> None:
    played = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e"]
    for count in (*range(len(played) + 1), 2, 5, 1):
        client.send(f"position startpos moves {' '.join(played[:count])}")
        expected = Position("shogi")
        for move in played[:count]:
            expected.push(move)
        assert client.session.position == expected
        assert client.session.position.ply == expected.ply
    client.send("setoption name USI_Variant value mortal", "position startpos moves 7g7f")
    assert client.session.position.variant.id == "mortal"


def test_too_large_a_table_is_said_and_readyok_and_bestmove_still_come(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **options: object) -> None:
        raise MemoryError

    monkeypatch.setattr("komadai.protocol.session.Engine", refuse)
    assert sorted(client.ask("isready")) == ["info string there is not enough memory for that", "readyok"]
    assert client.best("go depth 1") in legal(Position("shogi"))


# --- Stopping -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("go", ["go infinite", "go", "go ponder", "go depth 99", "go nodes 999999999999"])
@pytest.mark.parametrize(
    "stop",
    [
        "stop", "gameover lose", "quit", "go depth 1", "position startpos", "usinewgame", "perft 1",
        "setoption name USI_Hash value 2", "setoption name USI_Variant value nana",
    ],
)  # fmt: skip
def test_whatever_ends_a_search_gets_its_bestmove(go: str, stop: str) -> None:
    client = Client()
    client.send("position startpos moves 7g7f", go)
    assert client.send(stop) is (stop != "quit")
    assert client.until("bestmove")[-1].split()[1] in legal(
        Position("shogi", "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w -")
    )
    client.send("quit")
    more = [line for line in client.waiting() if line.startswith("bestmove")]
    assert len(more) == (stop == "go depth 1")


def test_stop_at_any_moment(client: Client) -> None:
    for _ in range(60):
        client.send("go infinite", "stop")
        assert sum(line.startswith("bestmove") for line in client.waiting()) == 1


def test_stop_after_any_delay(client: Client) -> None:
    chance = random.Random(3)
    for number in range(60):
        client.send(f"go {('infinite', 'ponder', 'nodes 2000', 'mate infinite', 'movetime 5')[number % 5]}")
        time.sleep(chance.random() ** 3 * 0.02)
        client.send("stop")
        assert sum(line.startswith(("bestmove", "checkmate")) for line in client.waiting()) == 1


# --- What is wrong --------------------------------------------------------------------------------------------------


def setting(name: str, *values: str) -> list[str]:
    return [f"setoption name {name} value {value}" for value in values]


WRONG = {
    "unknown command 'hello'": ["hello"],
    "unknown command": ["x" * 100_000, "ＧＯ"],
    "expected": [
        "position", "position sfen", "position nonsense", "position startpos nonsense", "setoption", "setoption name",
        "setoption value 3 name MultiPV", "setoption name MultiPV", "perft", "perft -1", "perft 3 3",
        "perft 99999999999", "bench 0", "bench 3 3",
    ],
    "ranks": ["position sfen 9/9 b -"],
    "neither side has a king": ["position sfen lnsg1gsnl/9/9/9/9/9/9/9/LNSG1GSNL b - 1"],
    "7g7e is not legal": ["position startpos moves 7g7e"],
    "2g2f is not legal": ["position startpos moves 2g2f 2g2f"],
    "is not a move string": ["position startpos moves ☗"],
    "'Strength'": setting("Strength", "3"),
    "unknown variant 'go'": setting("USI_Variant", "go"),
    "unknown variant": ["setoption name USI_Variant value"],
    "1 to 4096": setting("USI_Hash", "0", "1e3", "²", "99999999999999999999", "000000016999"),
    "1 to ": [*setting("MultiPV", "-1", "0000000015555"), *setting("Threads", "0")],
    "any, front": setting("drop_faces", "back"),
    "1 to 10": setting("Level", "11"),
    "true, false": setting("USI_Ponder", "maybe"),
    "'value'": setting(" value", "3"),
    "'no such thing'": setting("no such thing", "3"),
}  # fmt: skip


@pytest.mark.parametrize(("line", "fragment"), [(line, words) for words, lines in WRONG.items() for line in lines])
def test_what_cannot_be_understood_is_answered_with_a_reason(client: Client, line: str, fragment: str) -> None:
    before = client.session.position
    answers = client.ask(line)
    assert len(answers) == 1, answers
    assert answers[0].startswith("info string ")
    assert fragment in answers[0]
    assert "\n" not in answers[0]
    assert len(answers[0]) < 1_000
    assert client.session.position == before
    assert client.ask("isready") == ["readyok"]
    assert client.ask("usinewgame") == [], "nothing of it has stuck"
    if "USI_Variant" in line:  # but the name of a game: another than was meant is not played
        assert client.best("go depth 1") == "resign"
        client.send("setoption name USI_Variant value shogi")
    assert client.best("go depth 1") in legal(client.session.position)


@pytest.mark.parametrize("line", ["", "   ", "\n", "\t \r\n"])
def test_empty_lines_are_passed_over(client: Client, line: str) -> None:
    assert client.ask(line) == []
