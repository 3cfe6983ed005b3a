"""UCI: where it differs from USI, which test_usi.py asks about."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from helpers.support import NAMES
from helpers.talking import Client
from komadai.game.position import Position
from komadai.notation.fen import fen, move_text


@pytest.fixture
def client() -> Iterator[Client]:
    made = Client(protocol="uci")
    yield made
    made.send("quit")


def texts(position: Position) -> set[str]:
    """The legal moves as UCI writes them."""
    return {move_text(position, move) for move in position.legal_moves()}


@pytest.mark.parametrize("name", NAMES)
def test_positions_and_moves_go_there_and_back(name: str) -> None:
    client, chance, played = Client(protocol="uci"), random.Random(7), []
    client.send(f"setoption name UCI_Variant value {name}")
    position = Position(name)
    for _ in range(12):
        moves = position.legal_moves()
        move = moves[chance.randrange(len(moves))]
        played.append(move_text(position, move))
        position.push(move)
        assert client.ask(f"position startpos moves {' '.join(played)}") == []
        assert client.session.position == position
        if position.outcome():
            break
    else:
        assert client.ask(f"position fen {fen(position)}") == []
        assert client.session.position == position
        assert client.best("go nodes 300") in texts(position)
    client.send("quit")


@pytest.mark.parametrize(("plies", "moves"), [(1, 1), (3, 2), (5, 3), (-2, -1), (-4, -2), (2, 1), (-1, -1)])
def test_a_mate_is_counted_in_moves(client: Client, plies: int, moves: int) -> None:
    assert client.server.dialect.write_mate(plies) == moves  # type: ignore[attr-defined]


def test_lines_are_written_move_by_move(client: Client) -> None:
    """The text of a move depends on the position it is made in, so each line is played."""
    client.send("setoption name MultiPV value 4", "position startpos moves c3c4 g7g6", "go depth 3")
    lines = [line for line in client.until("bestmove") if line.startswith("info depth")]
    assert lines
    for line in lines:
        position = Position("shogi", "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b -")
        for text in line.split(" pv ")[1].split():
            (move,) = (one for one in position.legal_moves() if move_text(position, one) == text)
            position.push(move)


@pytest.mark.parametrize("refused", ["position startpos moves c3c4 c3c4", "position fen 9/9 w", "position nonsense"])
def test_after_a_refused_position_no_move_of_another_is_given(client: Client, refused: str) -> None:
    client.send("position startpos moves c3c4", refused)
    for go in ("depth 2", "mate 2", "movetime 10"):
        client.send(f"go {go}")
        assert client.until("bestmove")[-1] == "bestmove (none)"
    client.send("ucinewgame", "go depth 1")
    assert client.until("bestmove")[-1].split()[1] in texts(Position("shogi"))


def test_a_position_without_its_word_is_read(client: Client) -> None:
    assert client.ask("position 4k4/9/4P4/9/9/9/9/9/4K4[G] w 0 1") == []
    assert client.session.position == Position("shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1")


def test_uci_knows_no_claim(client: Client) -> None:
    client.send("setoption name entering_king value 27")
    client.send("position fen +P+P+P+PK+P+P+P+P/+R+B7/9/9/9/9/9/9/4k4[GGSSPPPPPP] w 0 1", "go nodes 50")
    assert client.until("bestmove")[-1].split()[1] in texts(client.session.position)


def test_names_of_options_are_read_in_any_case(client: Client) -> None:
    assert client.ask("setoption name uci_variant value nana") == []
    assert client.session.variant == "nana"
    assert client.ask("setoption name HASH value 3") == []
    assert client.session.number("hash") == 3


def test_words_that_change_nothing(client: Client) -> None:
    assert [client.ask(line) for line in ("debug on", "register later", "ponderhit", "stop")] == [[]] * 4


@pytest.mark.parametrize(
    ("line", "fragment"),
    [
        ("usinewgame", "unknown command"),
        ("gameover win", "unknown command"),
        ("position sfen 4k4/9/9/9/9/9/9/9/4K4 b -", "expected 'startpos' or 'fen POSITION'"),
        ("position fen 9/9 w", "expected 9"),
        ("position startpos moves 7g7f", "7g7f"),
        ("setoption name USI_Hash value 3", "did you mean"),
        ("setoption name Ponder value yes", "true, false"),
    ],
)
def test_what_cannot_be_understood_is_answered_with_a_reason(client: Client, line: str, fragment: str) -> None:
    (answer,) = client.ask(line)
    assert answer.startswith("info string ")
    assert fragment in answer
    assert client.session.position == Position("shogi")
