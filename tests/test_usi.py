"""The USI server: what it answers, and that nothing a program sends brings it down."""

from __future__ import annotations

import os
import queue
import random
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from support import NAMES, legal

import komadai
from komadai.position import Position
from komadai.protocol.usi import UsiServer

PATIENCE = 120  # seconds after which a lost answer fails the test instead of hanging it


class Client:
    """A server and what it has written."""

    def __init__(self, variant: str | None = None) -> None:
        self.lines: queue.Queue[str] = queue.Queue()
        self.server = UsiServer(variant, self.lines.put)

    def send(self, *lines: str) -> bool:
        return [self.server.handle(line) for line in lines][-1]

    def waiting(self) -> list[str]:
        """The lines written so far and not yet read."""
        found = []
        while not self.lines.empty():
            found.append(self.lines.get())
        return found

    def ask(self, line: str) -> list[str]:
        """The lines that answer at once."""
        self.waiting()
        self.send(line)
        return self.waiting()

    def until_bestmove(self) -> list[str]:
        found = [self.lines.get(timeout=PATIENCE)]
        while not found[-1].startswith("bestmove"):
            found.append(self.lines.get(timeout=PATIENCE))
        return found

    def best(self, *lines: str) -> str:
        self.send(*lines)
        return self.until_bestmove()[-1].removeprefix("bestmove ")


@pytest.fixture
def client() -> Iterator[Client]:
    made = Client()
    yield made
    made.send("quit")


def masked(line: str) -> str:
    """The line without what differs from run to run."""
    return re.sub(r"\b(nodes|nps|time) [0-9]+", r"\1 …", line)


# --- Transcripts ----------------------------------------------------------------------------------------------------


def test_golden_transcript(client: Client) -> None:
    for line in ("setoption name USI_Variant value nana", "isready", "usinewgame"):
        client.send(line)
    client.send("position sfen 1K1/1D[GB]/1k1 b br", "go depth 5")
    written = [masked(line) for line in client.until_bestmove()]
    assert written == [
        "readyok",
        "info depth 1 score mate 1 nodes … nps … time … pv 1b1c",
        "bestmove 1b1c",
    ]


def test_usi_names_itself_and_every_option(client: Client) -> None:
    lines = client.ask("usi")
    assert lines[0] == f"id name Komadai {komadai.__version__}"
    assert lines[1].startswith("id author ")
    assert lines[-1] == "usiok"
    options = lines[2:-1]
    assert all(line.startswith("option name ") for line in options)
    (variants,) = (line for line in options if "USI_Variant" in line)
    assert re.findall(r"var (\S+)", variants) == list(NAMES)
    assert "default shogi" in variants
    names = [line.split()[2] for line in options]
    assert len(set(names)) == len(names)
    assert {"USI_Hash", "MultiPV", "drop_faces"} <= set(names)


def test_position_takes_moves(client: Client) -> None:
    client.send("position startpos moves 7g7f 3c3d 8h2b+")
    expected = Position("shogi")
    for move in ("7g7f", "3c3d", "8h2b+"):
        expected.push(move)
    assert client.server.position == expected
    assert any(expected.sfen(ply=True) in line for line in client.ask("d"))


def test_position_takes_turns_of_several_landings_and_shots() -> None:
    start = "1g17/19/19/19/19/19/19/8p10/9+[TP]9/19/19/19/19/19/19/19/19/19/17G1 b -"
    client = Client("ko")
    client.send(f"position sfen {start} moves 10i10g*11h 18a18b 10g10e10g")
    expected = Position("ko", start)
    for move in ("10i10g*11h", "18a18b", "10g10e10g"):
        expected.push(move)
    assert client.server.position == expected
    assert client.best("go depth 1") in legal(expected)
    (answer,) = client.ask(f"position sfen {start} moves 10i10g*9h")
    assert "10i10g*9h is not legal" in answer


def test_a_bad_move_leaves_the_position_before_the_command(client: Client) -> None:
    client.send("position startpos moves 7g7f")
    (answer,) = client.ask("position startpos moves 2g2f 2g2f")
    assert "2g2f is not legal" in answer
    assert str(client.server.position.sfen()).startswith("lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/")


def test_multipv_numbers_the_lines(client: Client) -> None:
    client.send("setoption name MultiPV value 3", "position startpos", "go depth 2")
    infos = [line for line in client.until_bestmove() if line.startswith("info depth 2 ")]
    assert [line.split()[3:5] for line in infos] == [["multipv", "1"], ["multipv", "2"], ["multipv", "3"]]


def test_rule_options_reach_the_game(client: Client) -> None:
    client.send("setoption name USI_Variant value nana", "setoption name drop_faces value front")
    client.send("position sfen 2K/3/k2 b RBrb")
    assert client.server.position == Position("nana", "2K/3/k2 b RBrb", drop_faces="front")
    client.send("setoption name USI_Variant value shogi")
    assert client.server.position == Position("shogi"), "an option of another game does not matter"


def test_an_option_with_sizes_is_text_and_takes_them(client: Client) -> None:
    assert "option name field type string default unbounded" in client.ask("usi")
    client.send("setoption name USI_Variant value ki", "setoption name field value 7x12")
    assert client.server.position == Position("ki", field="7x12")
    (answer,) = client.ask("setoption name field value 7x26")
    assert "option field: cannot be '7x26'; choose from unbounded, 9x9, 5x5 or any WxH from 3x3 to 25x25" in answer
    assert client.server.position == Position("ki", field="7x12"), "a refused value changes nothing"


@pytest.mark.parametrize("name", NAMES)
def test_plays_every_variant(name: str) -> None:
    client = Client(name)
    for _ in range(4):
        position = client.server.position
        move = client.best("go nodes 500")
        assert move in legal(position)
        position.push(move)
    client.send("quit")


def test_resigns_where_there_is_no_move(client: Client) -> None:
    assert client.best("position sfen 7nk/8G/7G1/9/9/9/9/9/4K4 w -", "go depth 3") == "resign"


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


# --- Stopping -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("go", ["go infinite", "go", "go ponder", "go depth 99", "go nodes 999999999999"])
@pytest.mark.parametrize("stop", ["stop", "gameover lose", "quit", "go depth 1", "position startpos", "usinewgame"])
def test_whatever_ends_a_search_gets_its_bestmove(go: str, stop: str) -> None:
    client = Client()
    client.send("position startpos moves 7g7f", go)
    assert client.send(stop) is (stop != "quit")
    assert client.until_bestmove()[-1].removeprefix("bestmove ") in legal(
        Position("shogi", "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w -")
    )
    client.send("quit")
    more = [line for line in client.waiting() if line.startswith("bestmove")]
    assert len(more) == (stop == "go depth 1")


def test_stop_at_any_moment(client: Client) -> None:
    for _ in range(60):
        client.send("go infinite", "stop")
        assert sum(line.startswith("bestmove") for line in client.waiting()) == 1


def test_stop_without_a_search_says_nothing(client: Client) -> None:
    assert client.ask("stop") == []


def test_infinite_waits_for_stop_though_all_is_known(client: Client) -> None:
    client.send("position sfen 7nk/8G/7G1/9/9/9/9/9/4K4 w -", "go infinite")
    assert client.waiting() == []
    client.send("stop")
    assert client.waiting() == ["bestmove resign"]


def test_the_end_of_the_input_ends_a_search() -> None:
    client = Client()
    client.server.run(["position startpos\n", "go infinite\n"])
    assert client.waiting()[-1].startswith("bestmove ")


# --- What is wrong --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "fragment"),
    [
        ("hello", "unknown command 'hello'"),
        ("x" * 100_000, "unknown command"),
        ("ＧＯ", "unknown command"),
        ("position", "expected"),
        ("position sfen", "expected"),
        ("position nonsense", "expected"),
        ("position sfen 9/9 b -", "ranks"),
        ("position sfen lnsgkgsnl/9/9/9/9/9/9/9/LNSG1GSNL b - 1", "king is there 0 times"),
        ("position startpos moves 7g7e", "7g7e is not legal"),
        ("position startpos moves ☗", "is no move string"),
        ("position startpos nonsense", "expected"),
        ("setoption", "expected"),
        ("setoption name", "expected"),
        ("setoption value 3 name MultiPV", "expected"),
        ("setoption name Strength value 3", "'Strength'"),
        ("setoption name USI_Variant value go", "unknown variant 'go'"),
        ("setoption name USI_Variant value", "unknown variant"),
        ("setoption name USI_Hash value 0", "1 to 4096"),
        ("setoption name USI_Hash value 1e3", "1 to 4096"),
        ("setoption name USI_Hash value ²", "1 to 4096"),
        ("setoption name USI_Hash value 99999999999999999999", "1 to 4096"),
        ("setoption name USI_Hash value 000000016999", "1 to 4096"),
        ("setoption name MultiPV value -1", "1 to "),
        ("setoption name MultiPV value 0000000015555", "1 to "),
        ("setoption name drop_faces value back", "any, front"),
        ("go depth x", "depth"),
        ("go perft 3", "perft"),
    ],
)
def test_what_cannot_be_understood_is_answered_with_a_reason(client: Client, line: str, fragment: str) -> None:
    before = client.server.position
    answers = client.ask(line)
    assert len(answers) == 1, answers
    assert answers[0].startswith("info string ")
    assert fragment in answers[0]
    assert "\n" not in answers[0]
    assert len(answers[0]) < 1_000
    assert client.server.position == before
    assert client.ask("isready") == ["readyok"]
    assert client.ask("usinewgame") == [], "nothing of it has stuck"
    assert client.best("go depth 1") in legal(client.server.position)


@pytest.mark.parametrize("line", ["", "   ", "\n", "\t \r\n"])
def test_empty_lines_are_passed_over(client: Client, line: str) -> None:
    assert client.ask(line) == []


VOCABULARY = """
    usi isready usinewgame setoption position go stop ponderhit gameover d name value USI_Variant USI_Hash MultiPV
    USI_Ponder drop_faces illegal_move any front loses refused startpos sfen moves 7g7f 3c3d K*1a K*3c R*2b 2K/3/k2 b w
    RBrb - 3/3/3 KRBkrb depth nodes movetime btime wtime byoyomi infinite ponder mate win lose 0 1 2 7 -3 1000
    18446744073709551616 x = + [ ☗ ²
"""
WORDS = [*VOCABULARY.split(), *NAMES, "\x00", "\ud800"]
PATTERNS = """
    go nodes {n}
    go depth 1
    go infinite
    go
    stop
    position startpos
    position startpos moves 7g7f
    position startpos moves K*1a K*3c
    position sfen 2K/3/k2 b RBrb
    setoption name USI_Variant value nana
    setoption name USI_Variant value shogi
    setoption name USI_Hash value 1
    setoption name MultiPV value {n}
""".strip().splitlines()


@pytest.mark.parametrize("seed", range(6))
def test_random_lines_never_bring_it_down(seed: int) -> None:
    chance, client, searches = random.Random(seed), Client("nana"), 0
    client.send("setoption name USI_Hash value 1")
    for _ in range(700):
        if chance.random() < 0.3:
            line = chance.choice(PATTERNS).format(n=chance.randrange(1, 40))
        else:
            line = " ".join(chance.choice(WORDS) for _ in range(chance.randrange(7)))
            if line.split()[:1] == ["go"]:
                line += " nodes 5"
        running = client.server._search is not None
        assert client.send(line)
        searches += client.server._search is not None and (line.split()[:1] == ["go"] or not running)
    client.send("quit")
    written = client.waiting()
    assert sum(line.startswith("bestmove ") for line in written) == searches
    assert all("\n" not in line for line in written)


def test_bytes_that_are_no_text_do_not_end_the_process() -> None:
    made = subprocess.run(
        [sys.executable, "-c", "from komadai.cli import main; main()", "engine", "nana"],
        input=b"isready\n\xff\xfe\x80 \xc3\nposition sfen \xe3\x81\nisready\ngo depth 1\nquit\n",
        capture_output=True,
        timeout=PATIENCE,
        check=False,
        env=os.environ | {"PYTHONIOENCODING": "utf-8:strict"},
    )
    lines = made.stdout.decode().splitlines()
    assert made.stderr == b""
    assert made.returncode == 0
    assert lines.count("readyok") == 2
    assert sum(line.startswith("bestmove ") for line in lines) == 1
