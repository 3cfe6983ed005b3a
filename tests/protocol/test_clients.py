"""Programs of others drive the engine: cshogi's referee over USI, python-chess over UCI."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.talking import PATIENCE, program
from helpers.volume import FULL
from komadai.game.position import Position
from komadai.notation.fen import fen, move_text
from komadai.variants import entry, names

DRAWN = "50" if FULL else "20"  # plies of a game
ENGINE = [sys.executable, "-m", "komadai", "engine"]


# --- USI: cshogi ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["--byoyomi 40", "--time 1000 --inc 20 --ponder"])
def test_cshogi_referees_a_game(tmp_path: Path, how: str) -> None:
    pytest.importorskip("cshogi")
    record = tmp_path / "record.pgn"
    options = "USI_Hash:4,Level:10"
    ours = program(tmp_path)
    command = [sys.executable, "-W", "ignore", "-m", "cshogi.cli", ours, ours, "--games", "1", "--draw", DRAWN]
    command += ["--options1", options, "--options2", options, "--pgn", str(record), *how.split()]
    made = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert made.returncode == 0, made.stderr
    assert "Komadai" in made.stdout
    assert "1 of 1 games finished" in made.stdout
    end = re.search(r"まで([0-9]+)手で(.*)", made.stdout)
    assert end, made.stdout
    # Nobody moves illegally; a loss on time is a matter of how busy the machine is.
    assert end[2] in ("持将棋", "千日手", "先手の勝ち", "後手の勝ち", "先手の切れ負け", "後手の切れ負け")
    assert end[2] != "持将棋" or end[1] == DRAWN
    assert record.exists()


@pytest.fixture(scope="module")
def cshogi_engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Our engine in the hands of cshogi's client."""
    module = pytest.importorskip("cshogi.usi")
    found = module.Engine(program(tmp_path_factory.mktemp("program")))
    found.setoption("USI_Hash", 4)
    found.isready()
    found.usinewgame()
    yield found
    found.gameover("draw")
    process = found.proc
    found.quit()
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()


def test_cshogi_reads_scores_lines_and_moves_to_ponder_on(cshogi_engine: Any) -> None:
    listener = pytest.importorskip("cshogi.usi").InfoListener()
    cshogi_engine.setoption("MultiPV", 1)
    cshogi_engine.position(["7g7f"])
    best, ponder = cshogi_engine.go(nodes=3000, listener=listener.listen())
    assert listener.bestmove == best == listener.pv[0]
    assert ponder == listener.pv[1]
    assert abs(listener.score) < 1000
    assert {"depth", "seldepth", "nodes", "nps", "hashfull", "time"} <= set(listener.info)
    cshogi_engine.position(sfen="sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
    assert cshogi_engine.go(byoyomi=1000, listener=listener.listen()) == ("G*5b", None)
    assert (listener.score, listener.info["mate"]) == (listener.mate_score, 1)


def test_cshogi_reads_several_lines(cshogi_engine: Any) -> None:
    listener = pytest.importorskip("cshogi.usi").MultiPVListener()
    cshogi_engine.setoption("MultiPV", 3)
    cshogi_engine.position()
    cshogi_engine.go(nodes=3000, listener=listener.listen())
    lines = listener.info
    assert [line["multipv"] for line in lines] == [1, 2, 3]
    assert [line["cp"] for line in lines] == sorted((line["cp"] for line in lines), reverse=True)


@pytest.mark.parametrize(
    ("sfen", "answer"),
    [
        ("7nl/7k1/9/7P1/9/9/9/9/9 b R2G 1", "G*2c 2b3a G*3b"),
        ("4k4/9/9/9/9/9/9/9/4K4 b G 1", "nomate"),
        ("9/9 b -", "timeout"),
    ],
)
def test_cshogi_reads_mates(cshogi_engine: Any, sfen: str, answer: str) -> None:
    cshogi_engine.position(sfen=f"sfen {sfen}")
    assert cshogi_engine.go_mate(10_000) == answer


# --- UCI: python-chess ----------------------------------------------------------------------------------------------


class _Move:
    """A move as python-chess passes it on: by its text."""

    def __init__(self, text: str) -> None:
        self.text = text

    def uci(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text


def _board(variant: str, start: str | None = None) -> Any:
    """A board of python-chess for one of our games."""
    chess = pytest.importorskip("chess")

    class Board(chess.Board):  # type: ignore[misc]
        uci_variant = variant
        aliases = (variant,)

        def __init__(self, position: Position | None = None) -> None:
            super().__init__()
            self.position = position or Position(variant, start)
            self.beginning = fen(self.position)
            self.move_stack: list[Any] = []
            self._turn()

        def _turn(self) -> None:
            self.turn = self.position.turn == "b"  # the first player is White here

        def copy(self, *, stack: object = True) -> Any:
            twin = type(self)(self.position.copy())
            twin.beginning, twin.move_stack = self.beginning, list(self.move_stack) if stack else []
            return twin

        def root(self) -> Any:
            return type(self)(Position(variant, start))

        def fen(self, **how: object) -> str:
            return fen(self.position)

        def push(self, move: Any) -> None:
            (found,) = (one for one in self.position.legal_moves() if move_text(self.position, one) == move.text)
            self.position.push(found)
            self.move_stack.append(move)
            self._turn()

        def pop(self) -> Any:
            self.position.pop()
            self._turn()
            return self.move_stack.pop()

        def parse_uci(self, uci: str) -> Any:
            texts = [move_text(self.position, move) for move in self.position.legal_moves()]
            found = [text for text in texts if text.lower() == uci.lower()]  # python-chess lowers the best move
            if len(found) != 1:
                raise ValueError(f"{uci} is not legal")
            return _Move(found[0])

        def push_uci(self, uci: str) -> Any:
            move = self.parse_uci(uci)
            self.push(move)
            return move

    return Board()


@pytest.fixture
def engine(caplog: pytest.LogCaptureFixture) -> Iterator[Any]:
    """Our engine in the hands of python-chess, which may have nothing to say against any line."""
    module = pytest.importorskip("chess.engine")
    caplog.set_level(logging.WARNING, logger="chess.engine")
    with module.SimpleEngine.popen_uci(ENGINE, timeout=PATIENCE) as found:
        yield found
    assert [record.getMessage() for record in caplog.records if record.name == "chess.engine"] == []


def test_python_chess_reads_the_options(engine: Any) -> None:
    assert engine.id["name"].startswith("Komadai ")
    assert set(engine.options["UCI_Variant"].var) == set(names())
    assert engine.options["Hash"].max == 4096
    assert {"Threads", "MultiPV", "Ponder", "Level"} <= set(engine.options)
    for name in names(shelf=False):
        for option in entry(name).all_options:
            assert engine.options[option.name].default == option.default
    engine.configure({"Hash": 2, "Threads": 2, "Level": 9, "drop_faces": "front"})
    engine.ping()


@pytest.mark.parametrize("variant", ["shogi", "mortal", "hand"])
def test_python_chess_plays(engine: Any, variant: str) -> None:
    limit = pytest.importorskip("chess.engine").Limit
    board = _board(variant)
    for number in range(4):
        result = engine.play(board, limit(time=0.05) if number % 2 else limit(nodes=500), ponder=number < 3)
        board.push(result.move)
    assert board.position.ply == 5


def test_python_chess_plays_with_clocks(engine: Any) -> None:
    limit = pytest.importorskip("chess.engine").Limit
    board = _board("shogi")
    clocks = limit(white_clock=0.5, black_clock=0.5, white_inc=0.02, black_inc=0.02)
    board.push(engine.play(board, clocks).move)
    board.push(engine.play(board, clocks).move)
    assert board.position.ply == 3


def test_python_chess_analyses(engine: Any) -> None:
    limit = pytest.importorskip("chess.engine").Limit
    board = _board("shogi")
    lines = engine.analyse(board, limit(depth=2), multipv=3)
    assert [line["multipv"] for line in lines] == [1, 2, 3]
    scores = [line["score"].relative for line in lines]
    assert scores == sorted(scores, reverse=True)
    assert str(engine.play(board, limit(depth=2), root_moves=[board.parse_uci("i3i4")]).move) == "i3i4"
    with engine.analysis(board) as analysis:  # which ends by ``stop``
        for info in analysis:
            if info.get("depth", 0) >= 2:
                assert {"score", "nodes", "nps", "time", "hashfull", "seldepth"} <= set(info)
                break


def test_python_chess_reads_a_mate(engine: Any) -> None:
    chess_engine = pytest.importorskip("chess.engine")
    board = _board("shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b G")
    found = engine.analyse(board, chess_engine.Limit(depth=3))
    assert found["score"].relative == chess_engine.Mate(1)
    board.push(engine.play(board, chess_engine.Limit(depth=3)).move)
    assert str(board.position.outcome()) == "Black wins: checkmate"
    assert engine.play(board, chess_engine.Limit(depth=3)).move is None
