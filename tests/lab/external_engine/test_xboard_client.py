"""The client for engines of XBoard's protocol: what it says, what it understands, and engines that misbehave."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import komadai
from helpers.engines import fairy_stockfish
from komadai.engine.clock import Clock
from komadai.errors import DisputeError, EngineError, IllegalMoveError, NotationError
from komadai.game.position import Position
from komadai.lab.external_engine import process, running
from komadai.lab.external_engine import xboard as clients
from komadai.lab.external_engine.replies import Thought
from komadai.lab.external_engine.requests import SearchLimits
from komadai.lab.external_engine.xboard import XboardClient
from komadai.notation.xboard import XboardView

OURS = [sys.executable, "-c", "from komadai.__main__ import main; main()", "engine", "--protocol", "xboard"]
SHORT = SearchLimits(time=0.01)
SHOGI = komadai.variant("shogi")
FAKE = """
import sys

mode, log, *answers = sys.argv[1:]

def say(text):
    print(text, flush=True)

for line in sys.stdin:
    with open(log, "a") as file:
        file.write(line)
    word, *words = line.split()
    if word == "protover" and mode != "mute":
        say('feature myname="Fake Engine" ping=1 setboard=1 usermove=1 done=0')
        say('feature option="Depth of it -spin 3 1 9" option="Style -combo calm /// *wild" option="Book -check 0"')
        say('feature variants="normal,shogi" option="odd" done=1')
    elif word == "ping":
        say("pong " + words[0])
    elif word == "usermove" and mode == "refuses":
        say("Illegal move: " + words[0])
    elif word == "go":
        if mode == "crash":
            sys.exit(3)
        say("3 31 10 1234 g3g4 c7c6")
        say("4 -100002 20 2000 5 6 7\\tg3g4")
        say("# a remark")
        if mode != "late":
            say(answers.pop(0))
    elif word == "?" and mode == "late":
        say(answers.pop(0))
    elif word == "quit":
        break
"""


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines here quit at once."""
    monkeypatch.setattr(process, "_FAREWELL", 0.2)


def fake(folder: Path, mode: str = "sound", *answers: str) -> list[str]:
    program = folder / "fake.py"
    program.write_text(FAKE, encoding="utf-8")
    return [sys.executable, "-I", "-S", str(program), mode, str(folder / "log"), *answers]


def heard(folder: Path) -> list[str]:
    return (folder / "log").read_text(encoding="utf-8").splitlines()


def test_a_conversation(tmp_path: Path) -> None:
    game, thoughts = komadai.Game("shogi"), list[Thought]()
    with XboardClient(fake(tmp_path, "sound", "move g3g4", "move h3h4")) as client:
        assert (client.name, client.variants) == ("Fake Engine", ("shogi",))
        client.set_option("Depth of it", "4")
        client.set_option("Book", "true")
        client.play(SHOGI)
        answer = client.go(game, SHORT, report=thoughts.append)
        game.push(client.parse(game.position, answer.word))
        game.push("3c3d")
        clock = Clock(left=90.0, increment=2.0)
        game.push(client.parse(game.position, client.go(game, SearchLimits(depth=5, clocks=(clock, clock))).word))
    assert [move.text for move in game.moves] == ["3g3f", "3c3d", "2g2f"]
    assert thoughts == [
        Thought(3, 0, 31, None, 1234, 12340, ("g3g4", "c7c6")),
        Thought(4, 0, None, -2, 2000, 10000, ("g3g4",)),
    ]
    told = heard(tmp_path)
    start = told.index("new")
    assert told[start - 2 :] == [
        *("option Depth of it=4", "option Book=1"),
        *("new", "variant shogi", "force", "easy", "post", "ping 1"),
        *("new", "variant shogi", "force", "easy", "post", "ping 2", "ping 3", "st 1", "sd 99", "go", "force"),
        *("usermove g7g6", "ping 4", "level 0 1:30 2", "time 9000", "otim 9000", "sd 5", "go", "force", "quit"),
    ]


def test_a_game_that_goes_another_way_is_set_up_again(tmp_path: Path) -> None:
    game = komadai.Game("shogi", "4k4/9/9/9/9/9/4P4/9/4K4 b P")
    with XboardClient(fake(tmp_path, "sound", "move e3e4", "move P@e5")) as client:
        client.play(SHOGI)
        client.go(game, SHORT)
        game.push("5i5h")  # not what the engine said
        game.push("5a5b")
        assert client.go(game, SHORT).word == "P@e5"
    told = heard(tmp_path)
    assert told.count("setboard 4k4/9/9/9/9/9/4P4/9/4K4[P] w 0 1") == 2
    assert [line for line in told if line.startswith("usermove")] == ["usermove e1e2", "usermove e9e8"]


@pytest.mark.parametrize("answer", ["resign", "0-1 {White gives up}"])
def test_it_gives_up(tmp_path: Path, answer: str) -> None:
    with XboardClient(fake(tmp_path, "sound", answer)) as client:
        client.play(SHOGI)
        assert client.go(komadai.Game("shogi"), SHORT).word == "resign"


def test_it_is_told_to_move_when_the_time_is_up(tmp_path: Path) -> None:
    with XboardClient(fake(tmp_path, "late", "move g3g4")) as client:
        client.play(SHOGI)
        answer = client.go(komadai.Game("shogi"), SHORT)
        assert (answer.word, answer.stopped) == ("g3g4", True)


def test_moves_that_are_none(tmp_path: Path) -> None:
    with XboardClient(fake(tmp_path, "sound", "move e5e6", "move nonsense")) as client:
        client.play(SHOGI)
        for error in (IllegalMoveError, NotationError):
            game = komadai.Game("shogi")
            answer = client.go(game, SHORT)
            with pytest.raises(error):
                client.parse(game.position, answer.word)


@pytest.mark.parametrize(
    ("mode", "answer", "message"),
    [
        ("refuses", "move g3g4", "does not take a move or position: Illegal move: "),
        ("sound", "Illegal move: c7c6", "does not take a move or position: Illegal move: c7c6"),
        ("sound", "1/2-1/2 {Draw by repetition}", "claims that the game is over: 1/2-1/2 {Draw by repetition}"),
        ("sound", "1-0 {Black is stalemated}", "claims that the game is over: 1-0"),
    ],
)
def test_rules_in_dispute(tmp_path: Path, mode: str, answer: str, message: str) -> None:
    """A refused move and a claimed result are no failure, and the engine plays the next game."""
    game, another = komadai.Game("shogi"), komadai.Game("shogi")
    for text in ("7g7f", "3c3d"):
        game.push(text)
    with XboardClient(fake(tmp_path, mode, answer, "move g3g4")) as client:
        client.play(SHOGI)
        with pytest.raises(DisputeError, match=message):
            client.go(game, SHORT)
        if mode == "sound":
            assert client.go(another, SHORT).word == "g3g4"


@pytest.mark.parametrize(
    ("mode", "message"),
    [("crash", "has ended with status 3"), ("refuses", "does not take a move"), ("late", "does not answer 'go'")],
)
def test_engines_that_fail(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, mode: str, message: str) -> None:
    monkeypatch.setattr(running, "GRACE", 0.2)
    game = komadai.Game("shogi")
    game.push("7g7f")
    with XboardClient(fake(tmp_path, mode, *(["# nothing"] if mode == "late" else []))) as client:
        client.play(SHOGI)
        with pytest.raises(EngineError, match=message):
            client.go(game, SHORT)


def test_an_engine_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="does not answer 'protover 2'"):
        XboardClient(fake(tmp_path, "mute"), patience=0.3)
    with pytest.raises(NotationError, match="the command is empty"):
        XboardClient("")


def test_what_it_cannot_do(tmp_path: Path) -> None:
    with XboardClient(fake(tmp_path)) as client:
        with pytest.raises(EngineError, match="cannot play nana; it plays shogi"):
            client.play(komadai.variant("nana"))
        with pytest.raises(EngineError, match="cannot play shogi with entering_king=27"):
            client.play(komadai.variant("shogi", entering_king="27"))
        with pytest.raises(NotationError, match="Style"):
            client.set_option("Stile", "calm")
        with pytest.raises(NotationError, match="calm"):
            client.set_option("Style", "cruel")
        client.play(SHOGI)
        with pytest.raises(NotationError, match="no limit of nodes"):
            client.go(komadai.Game("shogi"), SearchLimits(nodes=5))


@pytest.mark.parametrize("name", ["shogi", "nana", "ki", "hand"])
def test_our_own_engine_plays_over_it(name: str) -> None:
    """On fields without edges, with faces and with codes of several letters."""
    game = komadai.Game(name)
    with XboardClient(OURS) as client:
        client.play(game.variant)
        while game.outcome() is None and len(game.moves) < 8:
            game.push(client.parse(game.position, client.go(game, SHORT).word))
            if game.outcome() is None:
                game.push(min(game.position.legal_moves(), key=str))
    assert len(game.moves) > 3


def test_fairy_stockfish_plays_over_it() -> None:
    game, thoughts = komadai.Game("shogi"), list[Thought]()
    with XboardClient([fairy_stockfish()]) as client:
        client.play(SHOGI)
        while len(game.moves) < 6:
            game.push(client.parse(game.position, client.go(game, SHORT, report=thoughts.append).word))
    assert any(thought.pv for thought in thoughts)
    assert all(not word.isdigit() for thought in thoughts for word in thought.pv)


def test_a_turn_that_leaves_everything_where_it_is_is_a_pass() -> None:
    position = Position("chu", "k10s/12/12/12/12/12/5N6/12/12/12/12/K10P b -")
    (stays,) = (move for move in position.legal_moves() if move.origin == move.target)
    view = XboardView(position.variant)
    assert clients._written(view, position, stays) == "@@@@"
    assert clients._read(view, position, "@@@@") == stays
    with pytest.raises(NotationError, match="@@@@"):
        clients._read(view, Position("shogi"), "@@@@")
