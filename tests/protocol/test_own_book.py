"""The engine's own book over USI, UCI and XBoard's protocol: options, moves, and what goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from helpers.books import book_of_five
from helpers.talking import Client, masked
from komadai.book import Builder
from komadai.record import read

Start = Callable[..., Client]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "with blanks").mkdir()
    return book_of_five(tmp_path / "with blanks" / "five.book").path


@pytest.fixture
def start() -> Iterator[Start]:
    clients: list[Client] = []

    def begun(protocol: str, *lines: str) -> Client:
        clients.append(client := Client(protocol=protocol))
        for line in lines:
            assert client.ask(line) == []
        return client

    yield begun
    for client in clients:
        client.send("quit")


def test_usi(path: Path, start: Start) -> None:
    client = start("usi", f"setoption name BookFile value {path}", "setoption name BestBookMove value true")
    assert "bestmove" in client.settled("go depth 1")[-1]
    assert client.ask("setoption name USI_OwnBook value true") == []
    assert client.settled("go btime 60000 wtime 60000 byoyomi 1000") == [
        "info string book: 7g7f, 4 games, 38% of the points, score -0.10",
        "info depth 0 score cp -10 pv 7g7f 3c3d",
        "bestmove 7g7f ponder 3c3d",
    ]
    client.send("position startpos moves 2g2f")
    assert client.settled("go movetime 1000") == [
        "info string book: 3c3d, 1 game",
        "info depth 0 pv 3c3d 7g7f",
        "bestmove 3c3d ponder 7g7f",
    ]
    client.send("position startpos moves 1g1f")
    assert not any("book" in line for line in client.settled("go depth 1"))


def test_uci(path: Path, start: Start) -> None:
    client = start(
        "uci", f"setoption name BookFile value {path}", "setoption name OwnBook value true",
        "setoption name BestBookMove value 1",
    )  # fmt: skip
    assert client.settled("go depth 9") == [
        "info string book: c3c4, 4 games, 38% of the points, score -0.10",
        "info depth 0 score cp -10 pv c3c4 g7g6",
        "bestmove c3c4 ponder g7g6",
    ]


def test_chance_chooses_by_weight(path: Path, start: Start) -> None:
    client = start("usi", f"setoption name BookFile value {path}", "setoption name USI_OwnBook value true")
    moves = {client.settled("go depth 1")[-1].split()[1] for _ in range(40)}
    assert moves == {"7g7f", "2g2f"}  # with weights 3 and 1: another set comes once in 100 000 times


def test_pondering_and_analysis(path: Path, start: Start) -> None:
    client = start(
        "usi", f"setoption name BookFile value {path}", "setoption name USI_OwnBook value true",
        "setoption name BestBookMove value true", "position startpos moves 7g7f 3c3d",
    )  # fmt: skip
    client.send("go ponder btime 1000 wtime 1000", "ponderhit")
    client.session.wait()
    assert client.waiting()[-1] == "bestmove 2g2f ponder 8c8d"
    client.send("go infinite")
    assert masked(client.until("info")[0]).startswith("info depth 1 ")
    client.send("stop")


def test_xboard(path: Path, start: Start) -> None:
    client = start("xboard", f"option BookFile={path}", "option OwnBook=1", "option BestBookMove=1", "variant shogi")
    assert client.ask("bk") == [" c3c4: 4 games, 38% of the points, score -0.10", " h3h4: 1 game", ""]
    client.send("post")
    assert client.settled("go") == ["0 -10 0 0 c3c4 g7g6 (book: 4 games, 38% of the points, score -0.10)", "move c3c4"]
    client.send("nopost", "force", "setboard 4k4/9/9/9/9/9/9/9/4K4[] w 0 1")
    assert client.ask("bk") == [" The book has no move here.", ""]


def test_bad_values_are_said_and_change_nothing(path: Path, start: Start) -> None:
    client = start("usi", f"setoption name BookFile value {path}")
    wrong = "info string option USI_OwnBook: cannot be 'perhaps'; choose from true, false"
    assert client.ask("setoption name USI_OwnBook value perhaps") == [wrong]
    [said] = client.ask("setoption name BookFile value /nowhere/x.book")
    assert said == "info string /nowhere/x.book cannot be read: there is no such file"
    assert client.ask("setoption name USI_OwnBook value true") == []
    assert not any("book" in line for line in client.settled("go depth 1"))
    for nothing in ("<empty>", ""):
        assert client.ask(f"setoption name BookFile value {nothing}") == []


def test_a_book_of_another_game_is_said_once(tmp_path: Path, start: Start) -> None:
    builder = Builder("nana")
    builder.add(read("nana startpos moves K*1a")[0])
    path = builder.write(tmp_path / "nana.book").path
    client = start("usi", f"setoption name BookFile value {path}", "setoption name USI_OwnBook value true")
    said = f"info string {path} is no book of shogi (or of other rules); playing without it"
    assert client.settled("go depth 1")[0] == said
    assert said not in client.settled("go depth 1")
    client.send("setoption name USI_Variant value nana")
    assert client.settled("go depth 1")[-1] == "bestmove K*1a"


def test_a_book_that_breaks_is_given_up(path: Path, start: Start) -> None:
    client = start("usi", f"setoption name BookFile value {path}", "setoption name USI_OwnBook value true")
    path.write_bytes(path.read_bytes()[:-3])
    said = client.settled("go depth 1")
    assert said[0] == f"info string {path} was changed while it was in use; open it again; playing without it"
    assert said[-1].startswith("bestmove ")
    assert not any("book" in line for line in client.settled("go depth 1"))
