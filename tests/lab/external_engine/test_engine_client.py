"""The client that drives other engines: what it says, what it understands, and that nothing an engine does harms it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import komadai
from helpers.engines import Fake, fairy_stockfish
from helpers.support import NAMES, legal
from komadai.engine.clock import Clock
from komadai.errors import EngineError, IllegalMoveError, NotationError
from komadai.lab.external_engine import process, replies, running
from komadai.lab.external_engine.client import EngineClient
from komadai.lab.external_engine.replies import EngineAnswer
from komadai.lab.external_engine.requests import Dialect, SearchLimits, go_command

OURS = [sys.executable, "-c", "from komadai.__main__ import main; main()", "engine"]
SHORT = SearchLimits(time=0.01)
SHOGI = komadai.variant("shogi")


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines here quit, or answer ``stop``, at once."""
    monkeypatch.setattr(process, "_FAREWELL", 0.2)
    monkeypatch.setattr(running, "GRACE", 0.2)


@pytest.fixture(scope="module")
def ours() -> Iterator[EngineClient]:
    with EngineClient(OURS) as made:
        yield made


def ended(client: EngineClient) -> bool:
    return not client.alive and client._process._program.poll() is not None


# --- What it says ---


def test_a_conversation_in_usi(tmp_path: Path) -> None:
    fake = Fake(tmp_path, "sound", "7g7f", "2g2f")
    game = komadai.Game("shogi")
    with EngineClient(fake.command) as client:
        assert (client.name, client.author) == ("Fake Engine 1", "nobody at all")
        client.set_option("move overhead", "10")
        client.set_option("Style", "very wild")
        client.set_option("Clear Hash", "")
        client.play(SHOGI)
        game.push(client.parse(game.position, client.go(game, SearchLimits(nodes=5)).word))
        game.push("3c3d")
        client.go(game, SearchLimits(clocks=(Clock(60, 1), Clock(59.5, 1)), depth=3))
    assert ended(client)
    assert fake.heard == [
        "usi",
        "setoption name Move Overhead value 10",
        "setoption name Style value very wild",
        "setoption name Clear Hash",
        "isready",
        "usinewgame",
        "position startpos",
        "go nodes 5",
        "position startpos moves 7g7f 3c3d",
        "go btime 60000 wtime 59500 binc 1000 winc 1000 depth 3",
        "quit",
    ]


def test_a_variant_that_was_chosen_by_name_is_the_one_it_plays(tmp_path: Path) -> None:
    heard = []
    for chosen in ("my-own", ""):
        fake = Fake(tmp_path, "sound", "7g7f")
        with EngineClient(fake.command) as client:
            offered = ("shogi", "nana")
            client.options["USI_Variant"] = replies.EngineOption("USI_Variant", "combo", values=offered)
            if chosen:
                client.set_option("USI_Variant", chosen)
            client.play(SHOGI)
        heard += [line for line in fake.heard if "Variant" in line]
    assert heard == [f"setoption name USI_Variant value {name}" for name in ("my-own", "shogi")]


def test_a_conversation_in_uci(tmp_path: Path) -> None:
    fake = Fake(tmp_path, "sound", "c3c4", "P@e5")
    game = komadai.Game("shogi", "lnsgkgsnl/1r5b1/pppp1pppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b P 1")
    with EngineClient(fake.command, dialect="uci") as client:
        client.play(SHOGI)
        answer = client.go(game, SearchLimits(clocks=(Clock(60, 0, 10), Clock(0, 0, 10))))
        game.push(client.parse(game.position, answer.word))
        assert str(game.moves[0]) == "7g7f"
        game.push("3c3d")
        client.go(game, SearchLimits(time=0.25))
        client.new_game()
    start = "position fen lnsgkgsnl/1r5b1/pppp1pppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[P] w 0 1"
    assert fake.heard == [
        "uci",
        "ucinewgame",
        "isready",
        start,
        "go wtime 70000 winc 10000 btime 10000 binc 10000",
        f"{start} moves c3c4 g7g6",
        "go movetime 250",
        "ucinewgame",
        "isready",
        "quit",
    ]


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (SearchLimits(), "go infinite"),
        (SearchLimits(time=0.0001), "go movetime 1"),
        (SearchLimits(time=1, depth=2, nodes=3), "go movetime 1000 depth 2 nodes 3"),
        (SearchLimits(clocks=(Clock(1), Clock(2))), "go btime 1000 wtime 2000 byoyomi 0"),
        (SearchLimits(clocks=(Clock(0, 0, 5), Clock(1, 0, 5))), "go btime 0 wtime 1000 byoyomi 5000"),
        (
            SearchLimits(clocks=(Clock(1, 2, 3), Clock(1, 2, 3))),
            "go btime 1000 wtime 1000 binc 2000 winc 2000 byoyomi 3000",
        ),
    ],
)
def test_limits_in_words(limits: SearchLimits, words: str) -> None:
    assert go_command(limits, "usi") == words


# --- What it understands ---


def test_what_the_engine_says_of_its_best_line(tmp_path: Path) -> None:
    fake = Fake(tmp_path, "sound", "7g7f ponder 3c3d")
    heard: list[replies.Thought] = []
    with EngineClient(fake.command) as client:
        answer = client.go(komadai.Game("shogi"), SHORT, report=heard.append)
    thought = replies.Thought(7, 9, 31, None, 1234, 99, ("7g7f", "3c3d"))
    assert (answer.word, answer.ponder, answer.stopped) == ("7g7f", "3c3d", False)
    assert (answer.thought.score, answer.thought.nodes, answer.thought.pv) == (31, 1234, ("7g7f", "3c3d"))
    assert thought in heard
    assert all(thought.nodes != 9999 for thought in heard), "the second line is not the best one"


@pytest.mark.parametrize(
    ("said", "score", "mate"),
    [
        ("score cp 5", 5, None),
        ("score cp +30", 30, None),
        ("score mate 3", None, 3),
        ("score mate -4", None, -4),
        ("score mate +5", None, 5),
        ("score mate 0", None, 0),
        ("score mate +", None, 10_000),
        ("score mate +0", None, 10_000),
        ("score mate -", None, -10_000),
        ("score mate -0", None, -10_000),
        ("score mate - nodes 5", None, -10_000),
        ("score 35 nodes 5", 9, None),
        ("score cp nodes 5", 9, None),
        ("pv 7g7f 3c3d score cp 30", 30, None),
        ("score", 9, None),
        ("score cp", 9, None),
        ("score cp x depth", 9, None),
        ("score cp 9999999999999999999999999", 9, None),
    ],
)
def test_scores(said: str, score: int | None, mate: int | None) -> None:
    before = replies.Thought(score=9)
    after = replies.read_thought(said.split(), before) or before
    assert (after.score, after.mate) == (score, mate)


@pytest.mark.parametrize(
    ("reports", "score", "bound", "pv"),
    [
        (["score cp 5 pv 7g7f", "score cp 40 lowerbound pv 2g2f"], 5, "", "7g7f"),
        (["score cp 5 pv 7g7f", "score cp -90 upperbound pv 1g1f", "score cp -120 pv 2g2f"], -120, "", "2g2f"),
        (["score mate 3 pv 7g7f", "lowerbound score cp 40 pv 2g2f"], None, "", "7g7f"),
        (["score cp 40 lowerbound pv 2g2f"], 40, "lower", "2g2f"),
        (["score cp 40 lowerbound pv 2g2f", "score cp 70 upperbound pv 1g1f"], 70, "upper", "1g1f"),
        (["score cp 40 lowerbound pv 2g2f", "score cp 55 pv 1g1f"], 55, "", "1g1f"),
        (["depth 3 lowerbound"], None, "", ""),
    ],
)
def test_a_bound_does_not_take_the_place_of_a_score(reports: list[str], score: int, bound: str, pv: str) -> None:
    thought = replies.Thought()
    for said in reports:
        thought = replies.read_thought(said.split(), thought) or thought
    assert (thought.score, thought.bound, " ".join(thought.pv)) == (score, bound, pv)


def test_a_line_ends_where_other_words_begin() -> None:
    said = "depth 3 pv 7g7f 3c3d score cp 30 nodes 77 string pv 1g1f"
    thought = replies.read_thought(said.split(), replies.Thought())
    assert thought == replies.Thought(depth=3, score=30, nodes=77, pv=("7g7f", "3c3d"))


KNOWN = "lowerbound upperbound score cp mate pv depth nodes nps seldepth multipv"
KNOWN += " string type name default min max var 0 -1 + - 1.5 1 ٣"
WORDS = st.lists(st.sampled_from(KNOWN.split()) | st.integers().map(str) | st.text(max_size=3))


@given(WORDS)
def test_nonsense_is_harmless(words: list[str]) -> None:
    thought = replies.read_thought(words, replies.Thought())
    assert thought is None or thought.depth >= 0
    option = replies.read_option(words)
    assert option is None or (option.name and option.type)
    if option is not None:
        option.refusal("1")
    assert replies.read_answer(words, replies.Thought(), 0.0, False).stopped is False


@pytest.mark.parametrize("word", ["resign", "win"])
def test_claims(tmp_path: Path, word: str) -> None:
    with EngineClient(Fake(tmp_path, "sound", word).command) as client:
        assert client.go(komadai.Game("shogi"), SHORT).word == word


@pytest.mark.parametrize("ponder", ["", "ponder", "ponder (none)", "ponder resign"])
def test_a_move_without_another_to_ponder_on(ponder: str) -> None:
    assert replies.read_answer(["7g7f", *ponder.split()], replies.Thought(), 0.0, False) == EngineAnswer("7g7f")


@pytest.mark.parametrize("word", ["(none)", "0000", "none", "NULL", "Resign"])
def test_no_move_is_to_give_up(word: str) -> None:
    assert replies.read_answer([word], replies.Thought(), 0.0, False) == EngineAnswer("resign")


MATE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
PROBLEM = "7nl/7k1/9/7P1/9/9/9/9/9 b R2G 1"


@pytest.mark.parametrize(
    ("said", "outcome", "pv", "why"),
    [
        ("checkmate G*2c 2b3a G*3b", "mate", "G*2c 2b3a G*3b", ""),
        ("checkmate nomate", "no mate", "", ""),
        ("checkmate timeout", "unknown", "", "no answer was found in time"),
        ("checkmate notimplemented", "unknown", "", "the engine does not look for mates"),
        ("checkmate none", "unknown", "", "the engine gave no line"),
        ("checkmate", "unknown", "", "the engine gave no line"),
        ("checkmate G*2c 2b3a", "unknown", "", "'G*2c 2b3a' for a mate, but the game is not won at its end"),
        ("checkmate G*2c 2b9a", "unknown", "", "2b9a is not legal"),
        ("checkmate yes, there is one", "unknown", "", "is not a move string"),
        ("info score mate +3 pv G*2c 2b3a G*3b\nbestmove G*2c", "mate", "G*2c 2b3a G*3b", ""),
        ("info score cp 300 pv G*2c 2b3a G*3b\nbestmove G*2c", "unknown", "", "the engine gave no line"),
        ("info string solving\nnonsense\ninfo nodes 12\ncheckmate nomate", "no mate", "", ""),
    ],
)
def test_answers_of_a_search_for_mate(tmp_path: Path, said: str, outcome: str, pv: str, why: str) -> None:
    fake = Fake(tmp_path, "mates", said)
    with EngineClient(fake.command) as client:
        found = client.mate(komadai.Position.problem("shogi", PROBLEM), time=2)
    assert (found.outcome, " ".join(map(str, found.pv))) == (outcome, pv)
    assert found.why == why if not why or outcome != "unknown" else why in found.why
    assert fake.heard[-3:] == [f"position sfen {PROBLEM}", "go mate 2000", "quit"]


def test_a_search_for_mate_is_stopped_when_its_time_is_over(tmp_path: Path) -> None:
    fake = Fake(tmp_path, "late mates", "checkmate timeout")
    with EngineClient(fake.command) as client:
        assert client.mate(komadai.Position("shogi", MATE), time=0.01).outcome == "unknown"
    assert fake.heard[-3:] == ["go mate 10", "stop", "quit"]


def test_uci_has_no_search_for_mate(tmp_path: Path) -> None:
    with (
        EngineClient(Fake(tmp_path).command, dialect="uci") as client,
        pytest.raises(NotationError, match="expected an engine that speaks USI"),
    ):
        client.mate(komadai.Position("shogi", MATE))


def test_an_engine_is_told_how_a_game_ended(tmp_path: Path) -> None:
    fake = Fake(tmp_path)
    for dialect in ("usi", "uci"):
        with EngineClient(fake.command, dialect=dialect) as client:
            client.game_over("lose")
    assert fake.heard == ["usi", "gameover lose", "quit", "uci", "quit"]


@pytest.mark.parametrize("name", ["USI_Hash", "usi_ponder"])
def test_two_options_need_not_be_listed_in_usi(tmp_path: Path, name: str) -> None:
    fake, value = Fake(tmp_path), "true" if name == "usi_ponder" else "256"
    with EngineClient(fake.command) as client:
        client.set_option(name, value)
        with pytest.raises(NotationError, match="cannot be 'many'"):
            client.set_option(name, "many")
    assert fake.heard[1].lower() == f"setoption name {name} value {value}".lower()
    with EngineClient(fake.command, dialect="uci") as client, pytest.raises(NotationError):
        client.set_option(name, value)


def test_options_as_listed(tmp_path: Path) -> None:
    with EngineClient(Fake(tmp_path).command) as client:
        listed = client.options
    assert set(listed) == {"Move Overhead", "Style", "Ponder", "Clear Hash", "Book"}
    assert listed["Move Overhead"] == replies.EngineOption("Move Overhead", "spin", "30", 0, 5000)
    assert listed["Style"].values == ("calm", "very wild")
    assert listed["Book"].default == ""


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("Styl", "calm", "did you mean 'Style'"),
        ("Style", "wild", "did you mean 'very wild'"),
        ("Move Overhead", "-1", "expected 0 to 5000"),
        ("Move Overhead", "many", "expected 0 to 5000"),
        ("Ponder", "yes", "expected true or false"),
        ("Book", "a\nquit", "several lines"),
    ],
)
def test_options_are_checked(tmp_path: Path, name: str, value: str, message: str) -> None:
    fake = Fake(tmp_path)
    with EngineClient(fake.command) as client, pytest.raises(NotationError, match=message):
        client.set_option(name, value)
    assert not any(line.startswith("setoption") for line in fake.heard)


def test_an_engine_that_does_not_know_the_variant(tmp_path: Path) -> None:
    with (
        EngineClient(Fake(tmp_path).command) as client,
        pytest.raises(EngineError, match="no option to choose a variant; it cannot play nana"),
    ):
        client.play(komadai.variant("nana"))
    with EngineClient(Fake(tmp_path, "variants").command) as client:
        client.play(komadai.variant("nana"))
        with pytest.raises(EngineError, match=r"cannot play mortal: USI_Variant cannot be 'mortal'; .* shogi, nana"):
            client.play(komadai.variant("mortal"))
        with pytest.raises(EngineError, match="cannot play nana with drop_faces=front"):
            client.play(komadai.variant("nana", drop_faces="front"))


@pytest.mark.parametrize(
    ("mode", "points", "sent"),
    [
        ("sound", "27", []),  # a right that the engine does not know
        ("entering", "27", ["setoption name EnteringKingRule value CSARule27"]),
        ("entering", "24", ["setoption name EnteringKingRule value CSARule24"]),
        ("entering", "none", ["setoption name EnteringKingRule value NoEnteringKing"]),
    ],
)
def test_a_right_has_another_name_elsewhere(tmp_path: Path, mode: str, points: str, sent: list[str]) -> None:
    fake = Fake(tmp_path, mode)
    with EngineClient(fake.command) as client:
        client.play(komadai.variant("shogi", entering_king=points))
    assert [line for line in fake.heard if line.startswith("setoption")] == sent


# --- What engines do ---


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["/no/such/program"], "cannot start '/no/such/program': No such file"),
        (["/"], "cannot start '/': Permission denied"),
        (["a\0b"], "cannot start"),
        (["false"], "false: has ended with status 1"),
    ],
)
def test_programs_that_are_no_engines(command: list[str], message: str) -> None:
    with pytest.raises(EngineError, match=message):
        EngineClient(command, patience=5)


@pytest.mark.parametrize("command", ["", "  ", "'open"])
def test_commands_that_are_none(command: str) -> None:
    with pytest.raises(NotationError):
        EngineClient(command)


def test_there_are_two_dialects() -> None:
    with pytest.raises(NotationError, match="expected usi or uci"):
        EngineClient("cat", dialect="xboard")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("mode", "message"),
    [
        ("mute", "does not answer 'usi' with 'usiok'; waited 0.3 s"),
        ("unlicensed", "has ended with status 7; it said: no licence found"),
    ],
)
def test_no_handshake(tmp_path: Path, mode: str, message: str) -> None:
    with pytest.raises(EngineError, match=message):
        EngineClient(Fake(tmp_path, mode).command, patience=0.3 if mode == "mute" else 30)


def test_never_ready(tmp_path: Path) -> None:
    with EngineClient(Fake(tmp_path, "never ready").command) as client:
        client._patience = 0.2
        with pytest.raises(EngineError, match="does not answer 'isready'"):
            client.ready()
        assert ended(client)


@pytest.mark.parametrize(
    ("mode", "message"),
    [
        ("crash", "has ended with status 3; it said: lost my mind"),
        ("killed", "was ended by signal 9"),
        ("closes", "has closed its output"),
        ("silent", "does not answer 'go'"),
        ("talks on", "does not answer 'go'"),
        ("endless", "wrote a line of more than 1048576 bytes"),
    ],
)
def test_an_engine_that_fails_while_it_thinks(tmp_path: Path, mode: str, message: str) -> None:
    with EngineClient(Fake(tmp_path, mode).command) as client:
        with pytest.raises(EngineError, match=message):
            client.go(komadai.Game("shogi"), SHORT, timeout=0.1 if "answer" in message else 30)
        if mode != "endless":
            with pytest.raises(EngineError):
                client.go(komadai.Game("shogi"), SHORT, timeout=0.1)
    assert ended(client)


def test_a_late_engine_is_asked_to_stop(tmp_path: Path) -> None:
    fake = Fake(tmp_path, "late", "7g7f")
    with EngineClient(fake.command) as client:
        answer = client.go(komadai.Game("shogi"), SHORT, timeout=0.05)
    assert (answer.word, answer.stopped) == ("7g7f", True)
    assert fake.heard[-2:] == ["stop", "quit"]


def test_stop_from_another_thread(tmp_path: Path) -> None:
    with EngineClient(Fake(tmp_path, "late", "7g7f").command) as client:
        timer = threading.Timer(0.1, client.stop)
        timer.start()
        assert client.go(komadai.Game("shogi"), SearchLimits(), timeout=60).stopped
        timer.join()


def test_an_engine_that_will_not_quit_is_ended(tmp_path: Path) -> None:
    client = EngineClient(Fake(tmp_path, "stays").command)
    client.close()
    assert ended(client)
    client.close()  # harmless
    with pytest.raises(EngineError, match="has been closed"):
        client.ready()


def test_an_engine_that_takes_no_input(tmp_path: Path) -> None:
    with EngineClient(Fake(tmp_path, "deaf", "7g7f").command) as client:
        client.go(komadai.Game("shogi"), SHORT)
        client._patience = 0.1
        with pytest.raises(EngineError, match="takes no input"):
            client.set_option("Book", "x" * 200_000)


def test_an_engine_nobody_closed_is_ended(tmp_path: Path) -> None:
    client = EngineClient(Fake(tmp_path, "stays").command)
    program = client._process._program
    del client
    assert program.poll() is not None


def test_what_belongs_to_an_earlier_question_is_not_heard(tmp_path: Path) -> None:
    fake = Fake(tmp_path, "sound", "7g7f\nbestmove 1a1b", "2g2f")
    with EngineClient(fake.command) as client:
        assert client.go(komadai.Game("shogi"), SHORT).word == "7g7f"
        assert client.go(komadai.Game("shogi"), SHORT).word == "2g2f"


def test_an_answer_without_a_move(tmp_path: Path) -> None:
    with EngineClient(Fake(tmp_path, "wordless", "7g7f").command) as client:
        answer = client.go(komadai.Game("shogi"), SHORT)
        assert answer.word == ""
        with pytest.raises((NotationError, IllegalMoveError)):
            client.parse(komadai.Position("shogi"), answer.word)


# --- Real engines ---


@pytest.mark.parametrize("name", NAMES)
def test_ours_plays_every_variant(ours: EngineClient, name: str) -> None:
    game = komadai.Game(name)
    ours.play(game.variant)
    for _ in range(3):
        answer = ours.go(game, SearchLimits(nodes=300))
        assert answer.word in legal(game.position)
        game.push(ours.parse(game.position, answer.word))


def test_what_cannot_be_asked_is_refused(ours: EngineClient) -> None:
    ours.play(SHOGI)
    with pytest.raises(NotationError, match="is one of nana; the engine plays shogi"):
        ours.go(komadai.Game("nana"), SHORT)
    position: Any = komadai.Position("shogi")
    for call in (lambda: ours.go(position, SHORT), lambda: ours.play(cast(Any, "shogi"))):
        with pytest.raises(TypeError, match=r"which has no (start|id)"):
            call()
    wrong: dict[str, Any]
    for wrong in ({"nodes": 0}, {"depth": -3}, {"time": -0.1}, {"time": 1, "clocks": (Clock(1, 1), Clock(1, 1))}):
        with pytest.raises(NotationError, match="expected"):
            SearchLimits(**wrong)


def test_ours_looks_for_mates(ours: EngineClient) -> None:
    ours.play(SHOGI)
    found = ours.mate(komadai.Position.problem("shogi", PROBLEM))
    assert (found.outcome, " ".join(map(str, found.pv))) == ("mate", "G*2c 2b3a G*3b")
    assert found.nodes > 0
    assert ours.mate(komadai.Position("shogi"), time=5).outcome == "no mate"


def test_fairy_stockfish_finds_a_mate() -> None:
    """It answers ``go mate`` by ``bestmove``."""
    with EngineClient([fairy_stockfish()]) as client:
        client.play(SHOGI)
        found = client.mate(komadai.Position("shogi", MATE), time=5)
        assert (found.outcome, [str(move) for move in found.pv]) == ("mate", ["G*5b"])


@pytest.mark.parametrize("dialect", ["usi", "uci"])
def test_fairy_stockfish_plays_shogi(dialect: Dialect) -> None:
    game = komadai.Game("shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
    with EngineClient([fairy_stockfish()], dialect=dialect) as client:
        assert client.name.startswith("Fairy-Stockfish")
        client.set_option("Hash", "1")
        client.play(SHOGI)
        answer = client.go(game, SearchLimits(depth=5))
        game.push(client.parse(game.position, answer.word))
        assert str(game.moves[0]) == "G*5b"
        assert answer.thought.mate is not None
        assert answer.thought.mate > 0
    assert str(game.outcome()) == "Black wins: checkmate"


@pytest.mark.parametrize("dialect", ["usi", "uci"])
def test_fairy_stockfish_plays_kyoto_which_it_calls_otherwise(dialect: Dialect) -> None:
    """It marks the move of a promoted piece that turns back, in what it reads and in what it writes."""
    game = komadai.Game("kyoto")
    with EngineClient([fairy_stockfish()], dialect=dialect) as client:
        assert {"kyoto", "minishogi", "shogi"} <= set(client.variants)
        client.play(game.variant)
        for move in ("5e5d", "2e2d"):  # a tokin and a gold
            game.push(move)
            game.push(client.parse(game.position, client.go(game, SearchLimits(depth=2)).word))
        position = komadai.Position("kyoto", "2k2/5/5/5/+L1K2 b -")
        assert str(client.parse(position, {"usi": "5e5d-", "uci": "a1a2-"}[dialect])) == "5e5d"
    assert len(game.moves) == 4


@pytest.mark.skipif(sys.platform == "win32", reason="no engines there")
def test_a_program_that_writes_without_end_waits_until_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """So it takes no more of the processor than there is for it: by a clock of the test's own."""
    now = 0.0

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    monkeypatch.setattr(process, "monotonic", lambda: now)
    monkeypatch.setattr(process, "sleep", sleep)
    lines, text = 100_000, "info depth 1 score cp 10 pv 7g7f 3c3d"
    flood = process.LineProcess([sys.executable, "-I", "-S", "-c", f"for _ in range({lines}): print({text!r})"])
    for _ in range(lines):
        assert flood.read(600) == text
    written = lines * (len(text) + 1)
    assert now >= (written - process._AT_ONCE - process._CHUNK) / process._A_SECOND
    assert now <= written / process._A_SECOND
    flood.close()


@pytest.mark.skipif(sys.platform == "win32", reason="no engines there")
def test_a_line_without_end_is_not_kept_while_the_program_ends() -> None:
    endless = "import sys\nwhile True: sys.stdout.write('x' * 65536)"
    program = process.LineProcess([sys.executable, "-I", "-S", "-c", endless])
    with pytest.raises(EngineError, match="wrote a line of more than"):
        program.read(600)
    program.close("quit")
    assert sum(map(len, program._rests.values())) <= process._LONGEST_LINE
