"""The USI protocol's demands on an engine, sentence by sentence, each with a conversation that shows it.

Sources: the description of the Universal Shogi Interface by its author, with the extensions of the GUI Shogidokoro
(``go mate``, ``checkmate``, ``gameover``, ``byoyomi``, ``resign``, ``win``).
"""

from __future__ import annotations

import re

import pytest

from helpers.support import legal
from helpers.talking import PATIENCE, Client
from komadai.game.position import Position

START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"
MATE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
MATED = "7nk/8G/7G1/9/9/9/9/9/4K4 w - 1"
NO_MATE = "4k4/9/9/9/9/9/9/9/4K4 b G 1"
PROBLEM = "7nl/7k1/9/7P1/9/9/9/9/9 b R2G 1"  # whose solution is that of another program, cshogi
ENTERED = "+P+P+P+PK+P+P+P+P/+R+B7/9/9/9/9/9/9/4k4 b 2G2S6P 1"  # 28 points, and 28 are needed
UNDECIDED = "9/2s6/L8/3k2+B1R/1P6R/1GP1bP3/3PN1pP1/3SS4/1N2K1SG1 b 9P2g2n3l3p 1"  # for seconds, at least
MOVE = r"[1-9][a-i][1-9][a-i]\+?|[PLNSGBR]\*[1-9][a-i]"
PONDER = f"( ponder ({MOVE}))?"
BEST = f"bestmove ({MOVE}){PONDER}"

# The sentence, the lines sent, and patterns of all answers but reports (``info depth …``), in order; ``wait`` is what
# has been waited, so that it is seen which answers come after it.
EXPECTATIONS = [
    ("the engine names itself, then its author, then its options, then usiok",
     "usi", [r"id name \S.*", r"id author \S.*", r"option name .*(\noption name \S+ type .*)*", "usiok"]),
    ("isready is always answered by readyok", "isready; isready", ["readyok", "readyok"]),
    ("isready during a search is answered, and the search goes on", "go infinite; isready; stop", ["readyok", BEST]),
    ("isready during a search for mate is answered, and the search goes on",
     f"position sfen {UNDECIDED}; go mate infinite; isready; stop", ["readyok", "checkmate timeout"]),
    ("names and values of options are in any case",
     "setoption name usi_hash value 2; setoption name USI_PONDER value TRUE; setoption name usi_variant value Shogi;"
     "setoption name BURN_ALLIES value true", []),
    ("an unknown option is passed over", "setoption name NullMoveR value 3; isready", ["info string .*", "readyok"]),
    ("options are set while the engine waits, in between games, too",
     "usinewgame; setoption name USI_Hash value 2; isready", ["readyok"]),
    ("usinewgame needs no answer, and isready after it waits", "usinewgame; isready", ["readyok"]),
    ("position needs no answer, and the engine never starts by itself",
     f"position startpos; position startpos moves 7g7f 3c3d; position sfen {MATE}", []),
    ("a position from the start and its moves",
     "position startpos moves 7g7f; go depth 1 searchmoves 3c3d", [f"bestmove 3c3d{PONDER}"]),
    ("a position by SFEN and its moves",
     f"position sfen {START} b - 1 moves 7g7f 3c3d; go depth 1 searchmoves 8h2b+", [rf"bestmove 8h2b\+{PONDER}"]),
    ("an SFEN may lack the move count",
     f"position sfen {START} b -; go depth 1 searchmoves 2g2f", [f"bestmove 2g2f{PONDER}"]),
    ("promotions end in +, and drops are the piece, a star and the square",
     f"position sfen {MATE}; go depth 1", [r"bestmove G\*5b"]),
    ("searchmoves restricts the search", "go searchmoves 9g9f 9g9f 1g1f depth 2", [f"bestmove (9g9f|1g1f){PONDER}"]),
    ("infinite lasts until stop", "go infinite; wait; stop", ["wait", BEST]),
    ("infinite lasts until stop though there is a mate",
     f"position sfen {MATE}; go infinite; wait; stop", ["wait", r"bestmove G\*5b"]),
    ("infinite lasts until stop though there is no move",
     f"position sfen {MATED}; go infinite; wait; stop", ["wait", "bestmove resign"]),
    ("resignation waits for stop, too, where a position was refused",
     "position nonsense; go infinite; wait; stop; go ponder; wait; stop",
     ["info string .*", *["info string go: .*", "wait", "bestmove resign"] * 2]),
    ("limits of the clocks", "go btime 100 wtime 100 byoyomi 20", [BEST]),
    ("clocks with increments", "go btime 100 wtime 100 binc 20 winc 20", [BEST]),
    ("byo-yomi alone", "go btime 0 wtime 0 byoyomi 20", [BEST]),
    ("a limit of depth, of nodes, of time for a move",
     "go depth 2; end; go nodes 50; end; go movetime 20; end", [BEST, BEST, BEST]),
    ("ponder lasts until ponderhit or stop",
     "position startpos moves 7g7f; go ponder depth 1; wait; ponderhit; end; go ponder byoyomi 10; wait; stop",
     ["wait", BEST, "wait", BEST]),
    ("ponder lasts until ponderhit, even if it is mate",
     f"position sfen {MATE}; go ponder byoyomi 10; wait; ponderhit", ["wait", r"bestmove G\*5b"]),
    ("after ponderhit the search goes on as a normal one", "go ponder btime 0 wtime 0 byoyomi 20; ponderhit", [BEST]),
    ("ponderhit may carry the clocks that go ponder lacked",
     "go ponder; wait; ponderhit btime 0 wtime 0 byoyomi 20", ["wait", BEST]),
    ("stop is answered by bestmove, once", "go infinite; stop; stop", [BEST]),
    ("stop and ponderhit without a search are passed over", "stop; ponderhit; gameover win; ponderhit btime 3", []),
    ("every go is answered by one bestmove", "go depth 1; end; go infinite; go infinite; stop", [BEST, BEST, BEST]),
    ("an engine without a move resigns",
     f"position sfen {MATED}; go byoyomi 1000; end; go depth 3", ["bestmove resign"] * 2),
    ("an engine that may claim a win does so at once",
     f"setoption name entering_king value 27; position sfen {ENTERED}; go btime 600000 wtime 600000", ["bestmove win"]),
    ("a win is claimed only where the rules in force know it", f"position sfen {ENTERED}; go nodes 50", [BEST]),
    ("a win is claimed only where nothing lacks", "setoption name entering_king value 27;"
     f"position sfen {ENTERED.replace('6P', '5P')}; go nodes 50", [BEST]),
    ("a win is claimed after ponderhit, not before", "setoption name entering_king value 27;"
     f"position sfen {ENTERED}; go ponder btime 600000 wtime 600000; wait; ponderhit", ["wait", "bestmove win"]),
    ("a win is claimed after stop, where the search is infinite", "setoption name entering_king value 27;"
     f"position sfen {ENTERED}; go infinite; wait; stop", ["wait", "bestmove win"]),
    ("searchmoves leaves the choice of a move only", "setoption name entering_king value 27;"
     f"position sfen {ENTERED}; go nodes 50 searchmoves P*5b", [f"bestmove P\\*5b{PONDER}"]),
    ("go mate with milliseconds is answered by the moves of the mate",
     f"position sfen {MATE}; go mate 10000", [r"checkmate G\*5b"]),
    ("go mate infinite is answered as soon as the mate is found",
     f"position sfen {MATE}; go mate infinite", [r"checkmate G\*5b"]),
    ("go mate where none exists is answered by nomate",
     f"position sfen {NO_MATE}; go mate infinite; end; go mate 1000", ["checkmate nomate"] * 2),
    ("go mate without a limit is one without end",
     f"position sfen {MATE}; go mate; end; position sfen {NO_MATE}; go mate", [r"checkmate G\*5b", "checkmate nomate"]),
    ("go mate without an answer in time is answered by timeout",
     f"position sfen {UNDECIDED}; go mate 20", ["checkmate timeout"]),
    ("go mate obeys a limit of nodes",
     f"position sfen {UNDECIDED}; go mate infinite nodes 10", ["checkmate timeout"]),
    ("go mate obeys movetime where it has no milliseconds of its own",
     f"position sfen {UNDECIDED}; go mate movetime 20", ["checkmate timeout"]),
    ("go mate says which words it passes over",
     f"position sfen {MATE}; go mate 10000 depth 3 searchmoves G*5b",
     ["info string go mate: depth, searchmoves passed over; .*", r"checkmate G\*5b"]),
    ("go mate takes problems, in which the attacker has no king",
     f"position sfen {PROBLEM}; go mate infinite", [r"checkmate G\*2c 2b3a G\*3b"]),
    ("go mate takes the side to move for the attacker, and a side without a king cannot be mated",
     "position sfen 4k4/9/4P4/9/9/9/9/9/9 w G 1; go mate infinite", ["checkmate nomate"]),
    ("a problem may be played on like a game", f"position sfen {PROBLEM}; go depth 4", [r"bestmove G\*2c ponder 2b3a"]),
    ("stop during go mate is answered by timeout, not by bestmove",
     f"position sfen {UNDECIDED}; go mate infinite; wait; stop", ["wait", "checkmate timeout"]),
    ("go mate where it is not implemented says so",
     "setoption name USI_Variant value ko; go mate infinite",
     ["info string mates are not looked for in ko", "checkmate notimplemented"]),
    ("gameover ends what is in progress, and the engine is ready for a new game",
     "go infinite; gameover lose; isready; usinewgame; position startpos; go depth 1", [BEST, "readyok", BEST]),
    ("gameover draw and win are known, too", "gameover draw; gameover win", []),
    ("unknown words are passed over, and the rest of the line is read",
     "joho isready", ["info string .*", "readyok"]),
    ("debug is known, and may come during a search", "debug on; go infinite; debug off; stop", [BEST]),
    ("any white space separates words, and lines may end in CR LF",
     "  position   startpos\tmoves  7g7f \r; \tgo   depth\t1  searchmoves 3c3d\r", [f"bestmove 3c3d{PONDER}"]),
    ("quit ends the engine, and what is in progress is answered", "go infinite; quit", [BEST]),
]  # fmt: skip


def conversation(said: str) -> tuple[Client, list[str]]:
    """All that is answered to lines with ``;`` between; at ``end`` an answer is waited for, ``wait`` is a moment."""
    client, heard = Client(), []
    for line in said.split(";"):
        if line.strip() == "wait":
            client.session.wait(0.03)
            heard += [*client.waiting(), "wait"]
        elif line.strip() == "end":
            client.session.wait(PATIENCE)
        else:
            client.send(line)
        heard += client.waiting()
    client.session.wait(PATIENCE)
    return client, heard + client.waiting()


@pytest.mark.parametrize(("said", "patterns"), [row[1:] for row in EXPECTATIONS], ids=[row[0] for row in EXPECTATIONS])
def test_an_engine_does_what_the_protocol_says(said: str, patterns: list[str]) -> None:
    _, heard = conversation(said)
    answers = [line for line in heard if not re.match("info (depth|score|nodes) ", line)]
    assert re.fullmatch("\n".join(patterns), "\n".join(answers))


# --- Reports --------------------------------------------------------------------------------------------------------


def reports(*said: str) -> list[list[str]]:
    """The words of the reports on a search."""
    _, heard = conversation(";".join(said))
    return [line.split()[1:] for line in heard if line.startswith("info ") and not line.startswith("info string")]


def value(report: list[str], word: str) -> str:
    return report[report.index(word) + 1]


def test_what_belongs_to_a_line_is_sent_together() -> None:
    for report in reports("position startpos moves 7g7f", "go depth 3"):
        assert {"depth", "seldepth", "score", "nodes", "nps", "hashfull", "time", "pv"} <= set(report)
        assert report.index("pv") > max(map(report.index, ("depth", "score", "nodes", "time"))), "the rest is moves"
        assert 0 <= int(value(report, "hashfull")) <= 1000
        assert int(value(report, "seldepth")) >= int(value(report, "depth")) > 0
        position = Position("shogi", f"{START} b - 1")
        position.push("7g7f")
        for move in report[report.index("pv") + 1 :]:
            assert move in legal(position)
            position.push(move)


def test_a_last_report_has_the_figures_of_the_whole_search() -> None:
    last = reports("position startpos", "go nodes 3000")[-1]
    assert 3000 <= int(value(last, "nodes")) < 3100


def test_all_lines_of_a_depth_are_sent_in_order() -> None:
    found = [int(value(report, "multipv")) for report in reports("setoption name MultiPV value 3", "go depth 3")]
    assert found == [1, 2, 3] * (len(found) // 3)


def test_without_multipv_lines_have_no_number() -> None:
    assert not any("multipv" in report for report in reports("go depth 2"))


@pytest.mark.parametrize(
    ("sfen", "mate"), [(MATE, 1), ("9/9/5k3/9/9/9/7R1/8R/4K4 b - 1", None), ("4k4/9/4P4/9/9/9/9/9/4K4 w G 1", None)]
)
def test_a_mate_is_counted_in_plies_from_the_engines_side(sfen: str, mate: int | None) -> None:
    last = reports(f"position sfen {sfen}", "go depth 3")[-1]
    assert value(last, "score") == ("cp" if mate is None else "mate")
    assert mate is None or value(last, "mate") == str(mate)


def test_scores_are_the_side_to_moves() -> None:
    """White has a rook and Black nothing."""
    sides = {
        side: value(reports(f"position sfen 4k4/9/9/9/9/9/9/9/4K4 {side} r", "go depth 3")[-1], "cp") for side in "bw"
    }
    assert int(sides["b"]) < 0 < int(sides["w"])


def test_a_mate_found_by_go_mate_is_reported_with_its_line() -> None:
    (report,) = reports(f"position sfen {MATE}", "go mate 10000")
    assert (value(report, "mate"), report[report.index("pv") + 1 :]) == ("1", ["G*5b"])
    assert all(word.isdigit() for word in (value(report, "nodes"), value(report, "nps"), value(report, "time")))


# --- Options --------------------------------------------------------------------------------------------------------


def test_options_are_declared_as_the_protocol_says() -> None:
    _, heard = conversation("usi")
    for line in (line for line in heard if line.startswith("option ")):
        words = line.split()
        assert words[::2][:3] == ["option", words[2], words[4]], line
        assert (words[1], words[3], words[5]) == ("name", "type", "default"), "no spaces in names"
        kind, default, rest = words[4], words[6], words[7:]
        values = dict(zip(rest[::2], rest[1::2], strict=True))
        if kind == "spin":
            assert int(values["min"]) <= int(default) <= int(values["max"])
        elif kind == "combo":
            assert set(rest[::2]) == {"var"}
            assert default in rest[1::2]
        elif kind == "check":
            assert default in ("true", "false")
        else:
            assert (kind, default) == ("filename", "<empty>") or kind == "string"
    assert any(line.startswith("option name USI_Hash type spin") for line in heard)
    assert any(line.startswith("option name USI_Ponder type check") for line in heard)


def test_what_an_engine_says_is_seven_bit_text() -> None:
    _, heard = conversation("usi; isready; go depth 2; d; position startpos moves 7g7e; go mate 5; " + "x" * 2000)
    assert all(line.isascii() for line in heard)
