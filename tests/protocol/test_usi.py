"""USI: what it answers, when it stops, and what it says to what is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from support import NAMES, legal
from talking import Client

import komadai
from komadai.position import Position


@pytest.fixture
def client() -> Iterator[Client]:
    made = Client()
    yield made
    made.send("quit")


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
    assert not any("UCI_" in line for line in lines), "adapters would mis-size the board"
    names = [line.split()[2] for line in options]
    assert len(set(names)) == len(names)
    assert {"USI_Hash", "Threads", "MultiPV", "USI_Ponder", "Level", "drop_faces"} <= set(names)


def test_position_takes_moves(client: Client) -> None:
    client.send("position startpos moves 7g7f 3c3d 8h2b+")
    expected = Position("shogi")
    for move in ("7g7f", "3c3d", "8h2b+"):
        expected.push(move)
    assert client.session.position == expected
    assert any(expected.sfen(ply=True) in line for line in client.ask("d"))


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


def test_a_bad_move_leaves_the_position_before_the_command(client: Client) -> None:
    client.send("position startpos moves 7g7f")
    (answer,) = client.ask("position startpos moves 2g2f 2g2f")
    assert "2g2f is not legal" in answer
    assert str(client.session.position.sfen()).startswith("lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/")


def test_multipv_numbers_the_lines(client: Client) -> None:
    client.send("setoption name MultiPV value 3", "position startpos", "go depth 2")
    infos = [line for line in client.until("bestmove") if line.startswith("info depth 2 ")]
    assert [line.split()[3:5] for line in infos] == [["multipv", "1"], ["multipv", "2"], ["multipv", "3"]]


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
        ("setoption name MultiPV", "expected"),
        ("setoption name Level value 11", "1 to 10"),
        ("setoption name Threads value 0", "1 to "),
        ("setoption name USI_Ponder value maybe", "true, false"),
        ("setoption name  value value 3", "'value'"),
        ("setoption name no such thing value 3", "'no such thing'"),
        ("perft", "expected"),
        ("perft -1", "expected"),
        ("perft 3 3", "expected"),
        ("perft 99999999999", "expected"),
        ("bench 0", "expected"),
        ("bench 3 3", "expected"),
    ],
)
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
    assert client.best("go depth 1") in legal(client.session.position)


@pytest.mark.parametrize("line", ["", "   ", "\n", "\t \r\n"])
def test_empty_lines_are_passed_over(client: Client, line: str) -> None:
    assert client.ask(line) == []
