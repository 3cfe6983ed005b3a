"""The loop: how a protocol is chosen, the house commands, and how it all ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import IO

import pytest

from helpers.command import running
from helpers.support import NAMES
from helpers.talking import PATIENCE, Client
from komadai.errors import NotationError
from komadai.game.position import Position
from komadai.protocol.console_commands import bench_positions
from komadai.protocol.server import Server

COMMAND = [sys.executable, "-m", "komadai", "engine"]


# --- Choosing -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["usi", "uci"])
def test_the_first_word_that_is_a_protocol_chooses(word: str) -> None:
    client = Client()
    assert client.ask("isready") == ["readyok"], "before that it is USI"
    client.send("setoption name USI_Variant value nana", "position startpos moves K*1a")
    lines = client.ask(word)
    assert lines[-1] == f"{word}ok"
    assert client.session.position.ply == 2, "what was said before holds"
    other = {"usi": "uci", "uci": "usi"}[word]
    assert client.ask(other) == [f"info string unknown command {other!r}"]


def test_a_protocol_may_be_fixed_beforehand() -> None:
    client = Client("nana", "uci")
    assert client.session.variant == "nana"
    assert "unknown command 'usi'" in client.ask("usi")[0]
    with pytest.raises(NotationError, match="choose from usi, uci, xboard"):
        Server(protocol="ucci")
    with pytest.raises(NotationError, match="unknown variant"):
        Server("chess")


def test_a_search_is_answered_before_another_protocol_begins() -> None:
    client = Client()
    client.send("go infinite", "uci")
    lines = client.waiting()
    assert [line.split()[0] for line in lines if line.split()[0] in ("bestmove", "uciok")] == ["bestmove", "uciok"]


# --- House commands -------------------------------------------------------------------------------------------------


def remarks(lines: list[str]) -> list[str]:
    assert all(line.startswith("info string ") for line in lines)
    return [line.removeprefix("info string ") for line in lines]


@pytest.mark.parametrize("protocol", ["usi", "uci"])
def test_perft_counts_below_each_move_and_in_all(protocol: str) -> None:
    client = Client("shogi", protocol)
    *below, total = remarks(client.settled("perft 3"))
    assert len(below) == 30
    assert sum(int(line.split(": ")[1]) for line in below) == 25_470
    assert total.startswith("perft 3: 25470 nodes ")
    assert remarks(client.settled("perft 0"))[0].startswith("perft 0: 1 nodes ")


def test_perft_goes_deeper_than_it_counts_at_once() -> None:
    client = Client("nana")
    total = remarks(client.settled("perft 4"))[-1]
    assert total.startswith(f"perft 4: {Position('nana').perft(4)} nodes ")


def test_what_counts_is_waited_for_but_stop_ends_it() -> None:
    client = Client()
    client.send("perft 3", "position startpos moves 7g7f")
    assert any(line.startswith("info string perft 3: 25470 nodes") for line in client.waiting())
    client.send("perft 30", "isready", "stop")
    assert {"readyok", "info string perft 30: stopped"} <= set(client.waiting())
    client.send("bench 99", "stop")
    assert "info string bench: stopped" in client.waiting()
    client.send("usinewgame", "perft 2")
    assert client.send("quit") is False
    assert any(line.startswith("info string perft 2: 900 nodes") for line in client.waiting())


@pytest.mark.parametrize("depth", ["", " 3"])
def test_bench_is_a_signature(depth: str) -> None:
    runs = []
    for _ in range(2):
        client = Client("nana")
        runs.append([line.split(" time ")[0] for line in remarks(client.settled(f"bench{depth}"))])
    assert runs[0] == runs[1], "whatever else differs, the nodes do not"
    *single, total = runs[0]
    assert len(single) == 6
    nodes = [int(line.split(" nodes ")[1].split()[0]) for line in single]
    assert total == f"bench: {sum(nodes)} nodes"


@pytest.mark.parametrize("name", NAMES)
def test_bench_positions_can_be_played_on(name: str) -> None:
    positions = list(bench_positions(Position(name).variant))
    assert len(positions) == 6
    assert all(position.outcome() is None and position.legal_moves() for position in positions)
    assert positions == list(bench_positions(Position(name).variant))


def test_d_shows_board_position_and_key() -> None:
    client = Client("nana")
    before = remarks(client.ask("d"))
    assert "sfen 3/3/3 b KRBkrb 1" in before
    assert "fen 3/3/3[KRBkrb] w 0 1" in before
    client.send("position startpos moves K*1a")
    after = remarks(client.ask("d"))
    assert [line for line in before if line.startswith("key ")] != [line for line in after if line.startswith("key ")]
    client.send("setoption name USI_Variant value shogi", "position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w -")
    assert remarks(client.ask("d"))[-1] == "Black wins: checkmate"


# --- The process ----------------------------------------------------------------------------------------------------


def run(text: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    environment = os.environ | {"PYTHONIOENCODING": "utf-8:strict"}
    command = [*COMMAND, *arguments]
    return subprocess.run(command, input=text, capture_output=True, timeout=PATIENCE, check=False, env=environment)


def test_bytes_that_are_no_text_do_not_end_the_process() -> None:
    made = run(b"isready\n\xff\xfe\x80 \xc3\nposition sfen \xe3\x81\nisready\ngo depth 1\nquit\n", "nana")
    lines = made.stdout.decode().splitlines()
    assert made.stderr == b""
    assert made.returncode == 0
    assert lines.count("readyok") == 2
    assert sum(line.startswith("bestmove ") for line in lines) == 1


@pytest.mark.parametrize("end", [b"", b"quit\n", b"stop", b"isready\n"])
@pytest.mark.parametrize("go", [b"go infinite\n", b"go ponder byoyomi 9\n", b"go mate infinite\n"])
def test_the_end_of_the_input_in_mid_search(go: bytes, end: bytes) -> None:
    client_lines: list[str] = []
    server = Server(write=client_lines.append)
    server.run([line.decode() for line in (go, end) if line])
    assert sum(line.split()[0] in ("bestmove", "checkmate") for line in client_lines) == 1
    assert not server.session.busy


@pytest.mark.parametrize("end", [b"", b"quit\n"])
def test_a_process_left_alone_in_mid_search_ends(end: bytes) -> None:
    made = run(b"usi\ngo infinite\n" + end, "--protocol", "usi")
    assert made.returncode == 0
    assert made.stderr == b""
    assert made.stdout.decode().splitlines()[-1].startswith("bestmove ")


@pytest.mark.parametrize("end", [b"", b"quit\n"])
def test_a_long_count_does_not_outlive_its_input(end: bytes) -> None:
    made = run(b"perft 2\nperft 9\n" + end, "shogi")
    assert made.returncode == 0
    said = made.stdout.decode().splitlines()
    assert any("perft 2: 900 nodes" in line for line in said)
    assert "perft 9: stopped" in said[-1]


def test_a_wrong_protocol_is_reported() -> None:
    made = run(b"", "--protocol", "ucci")
    assert made.returncode == 2
    assert b"choose from usi, uci, xboard" in made.stderr


def _line(stream: IO[str] | None) -> str:
    assert stream is not None
    return stream.readline()


def test_an_interrupt_in_mid_search_ends_the_process() -> None:
    # What a shell runs in the background starts with the signal ignored.
    begin = f"import os, signal; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv({COMMAND[0]!r}, {COMMAND!r})"
    with running(
        [sys.executable, "-c", begin], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        process.stdin.write("go infinite\n")
        process.stdin.flush()
        assert _line(process.stdout).startswith("info depth 1 ")
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)  # before its input is closed, which would end it too
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert errors == ""


def test_a_program_that_no_longer_reads_ends_the_process() -> None:
    with running(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("go infinite\n")
        process.stdin.flush()
        assert _line(process.stdout).startswith("info depth 1 ")
        process.stdout.close()
        process.stdin.write("stop\n" * 3)
        process.stdin.close()
        assert process.wait(timeout=PATIENCE) in (0, 141)
        assert process.stderr is not None
        assert process.stderr.read() == ""
