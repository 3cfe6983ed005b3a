"""The command line: output, JSON, exit status, and no traceback ever."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import komadai
from helpers.books import book_of_five
from helpers.command import PATIENCE, Ran, komadai_says, parsed, refusal, run_alone
from helpers.support import NAMES, legal
from komadai import i18n
from komadai.app.cli import COMMANDS
from komadai.errors import NotationError
from komadai.game.position import Position

FOG = "1g17/19/19/19/19/19/19/8p10/9+[TP]9/19/19/19/19/19/19/19/19/19/17G1 b -"
FLAME = "1g17/19/19/19/19/19/19/9+[en]9/19/9[SW]9/19/19/19/19/19/19/19/19/17G1 b -"
OVER = "19/19/19/19/19/19/19/9+[en]9/19/9[SW]9/19/19/19/19/19/19/19/19/17G1 w -"


def test_version() -> None:
    assert run_alone("--version") == Ran(0, f"komadai {komadai.__version__}\n", "")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    ran = komadai_says(command, "--help")
    assert (ran.status, ran.err) == (0, "")
    assert "usage" in ran.out.lower()
    assert command in komadai_says("--help").out


def test_a_command_loads_the_module_of_no_other() -> None:
    code = "from komadai.__main__ import main; import atexit, sys; atexit.register(lambda: print(*sys.modules)); main()"
    said = subprocess.run(
        [sys.executable, "-c", code, "perft", "nana", "1"], capture_output=True, text=True, check=True
    )
    loaded = {name for name in said.stdout.split() if name.startswith("komadai.app.cli.")}
    assert loaded == {f"komadai.app.cli.{name}" for name in ("base", "files", "options", "perft")}


def test_variants() -> None:
    ran = komadai_says("variants")
    assert (ran.status, ran.err) == (0, "")
    assert all(name in ran.out for name in komadai.variants())
    assert ran.out.index("mortal") < ran.out.index("classic variants") < ran.out.index("chu")


def test_variants_as_json() -> None:
    said = parsed("variants", "--json")
    assert [variant["name"] for variant in said] == list(komadai.variants())
    assert [variant["name"] for variant in said if not variant["shelf"]] == list(NAMES)
    (nana,) = (variant for variant in said if variant["name"] == "nana")
    assert nana["board"] == [3, 3]
    assert nana["start"] == "3/3/3 b KRBkrb"
    assert nana["unbounded"] is False
    assert nana["options"]["drop_faces"]["values"] == ["any", "front"]
    assert nana["options"]["drop_faces"]["sizes"] is None
    (ki,) = (variant for variant in said if variant["name"] == "ki")
    assert ki["unbounded"] is True
    assert ki["options"]["field"]["sizes"] == [3, 25]


def test_an_option_takes_sizes_that_are_not_listed() -> None:
    assert parsed("moves", "ki", "--rule", "field=4x6", "--json")["position"] == "4/4/4/4/4/4 b K[HI][KAKU]k[hi][kaku]"


@pytest.mark.parametrize(
    ("arguments", "position"),
    [
        (["moves", "nana"], Position("nana")),
        (["moves", "shogi", "4k4/9/9/9/9/9/9/9/4K4 b P"], Position("shogi", "4k4/9/9/9/9/9/9/9/4K4 b P")),
        (["moves", "shogi", "4k4/9/9/9/9/9/9/9/4K4 b - 7"], Position("shogi", "4k4/9/9/9/9/9/9/9/4K4 b - 7")),
        (
            ["moves", "nana", "2K/3/k2 b RBrb", "--rule", "drop_faces=front"],
            Position("nana", "2K/3/k2 b RBrb", drop_faces="front"),
        ),
        (["moves", "shogi", "7nk/8G/7G1/9/9/9/9/9/4K4 w -"], Position("shogi", "7nk/8G/7G1/9/9/9/9/9/4K4 w -")),
        # A fog that jumps and shoots, a piece that may come beside a flame, and a side without commander.
        (["moves", "ko", FOG], Position("ko", FOG)),
        (["moves", "ko", FLAME], Position("ko", FLAME)),
        (["moves", "ko", OVER], Position("ko", OVER)),
    ],
)
def test_moves(arguments: list[str], position: Position) -> None:
    said = parsed(*arguments, "--json")
    assert said["moves"] == sorted(legal(position))
    assert said["position"] == position.sfen()
    assert said["check"] is position.is_check()
    outcome = position.outcome()
    assert said["outcome"] == (outcome and {"winner": outcome.winner, "reason": outcome.reason})
    assert len(said["written"]) == len(said["moves"]) == len(set(said["written"]))
    ran = komadai_says(*arguments)
    assert (ran.status, ran.err) == (0, "")
    assert f"{len(said['moves'])} legal moves" in ran.out
    assert all(move in ran.out for move in said["moves"])


def test_moves_in_a_notation() -> None:
    words = ["moves", "shogi", "4k4/9/9/9/9/9/9/9/4K4 b P"]
    said = parsed(*words, "--json", "--notation", "japanese")
    assert "☗５八玉" in said["written"]
    assert len(set(said["written"])) == len(said["moves"])
    ran = komadai_says(*words, "--notation", "japanese")
    assert all(move in ran.out for move in said["written"])
    assert "5i5h" not in ran.out
    assert "did you mean 'japanese'" in komadai_says(*words, "--notation", "japanes").err


def test_perft() -> None:
    said = parsed("perft", "nana", "3", "--json", "--divide")
    assert (said["nodes"], said["depth"], said["variant"]) == (1292, 3, "nana")
    assert sum(said["divide"].values()) == 1292
    assert sorted(said["divide"]) == sorted(legal(Position("nana")))
    ran = komadai_says("perft", "nana", "2", "--divide")
    assert (ran.status, ran.err) == (0, "")
    assert "K*1a: 5" in ran.out
    assert "32 nodes" in ran.out


def test_turns_of_several_landings_and_shots_are_listed_whole() -> None:
    assert {"10i10g*11h", "10i12g*11h", "10i10g*11h10i"} <= set(parsed("moves", "ko", FOG, "--json")["moves"])
    assert parsed("moves", "ko", OVER, "--json")["outcome"] == {"winner": "b", "reason": "extinction"}
    assert "Black wins: White has no commander left" in komadai_says("moves", "ko", OVER).out
    said = parsed("perft", "ko", "2", FOG, "--json", "--divide")
    assert sorted(said["divide"]) == sorted(legal(Position("ko", FOG)))


def test_perft_of_nothing() -> None:
    assert parsed("perft", "nana", "0", "--json")["nodes"] == 1


def test_engine_speaks_usi() -> None:
    ran = run_alone("engine", "nana", given="usi\nisready\nposition startpos\ngo depth 2\nquit\n")
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines.index("usiok") < lines.index("readyok")
    assert lines[-1].startswith("bestmove K*")


def test_engine_ends_with_its_input() -> None:
    ran = run_alone("engine", given="go infinite\n")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines()[-1].startswith("bestmove ")


@pytest.mark.parametrize(
    ("arguments", "fragment"),
    [
        (["moves", "go"], "unknown variant 'go'"),
        (["moves", "nanna"], "did you mean 'nana'?"),
        (["moves", "nana", "3/3 b -"], "ranks"),
        (["moves", "nana", "3/3/3 b -"], "king is missing"),
        (["moves", "nana", "hello"], "field; "),
        (["moves", "nana", ""], "fields"),
        (["moves", "nana", "--rule", "drop_faces"], "NAME=VALUE"),
        (["moves", "nana", "--rule", "drop_faces=back"], "any, front"),
        (["moves", "shogi", "--rule", "drop_faces=any"], "unknown option 'drop_faces'"),
        (["moves", "ki", "--rule", "field=9x26"], "cannot be '9x26'; choose from unbounded, 9x9, 5x5 or any WxH"),
        (["perft", "go", "2"], "unknown variant 'go'"),
        (["perft", "shogi", "2", "9/9/9 b -"], "ranks"),
        (["engine", "go"], "unknown variant 'go'"),
        (["play", "go"], "unknown variant 'go'"),
        (["moves", "a\nb"], "unknown variant"),
    ],
)
def test_bad_input_is_reported_in_one_line(arguments: list[str], fragment: str) -> None:
    said = refusal(*arguments)
    assert said.startswith("komadai: ")
    assert said.count("\n") == 1
    assert fragment in said


def test_a_process_says_no_more_than_that() -> None:
    good, bad = ("moves", "shogi", "--json"), ("moves", "nana", "3/3/3 b -")
    assert run_alone(*good) == komadai_says(*good)
    assert run_alone(*bad) == komadai_says(*bad)


@pytest.mark.parametrize(
    ("line", "fragment"),
    [
        ("perft nana x", "N 'x': expected a whole number, 0 to"),
        (
            "perft nana -1",
            "perft: -1 is no option, and no number can be below 0; expected komadai perft GAME N [POSITION]",
        ),
        ("perft nana", "perft: N is missing; expected komadai perft GAME N [POSITION]"),
        ("moves", "moves: GAME is missing; expected komadai moves GAME [POSITION]"),
        ("moves shogi 4k4/9/9/9/9/9/9/9/4K4 b -", "put it in quotes: '4k4/9/9/9/9/9/9/9/4K4 b -'"),
        ("variants all", "variants: 'all' is too much; expected komadai variants"),
        ("help", "there is no command 'help'; komadai -h lists them"),
        ("record convert a.kif b.csa", "'b.csa' is too much; expected komadai record convert IN; -o names the output"),
        ("fly", "there is no command 'fly'; did you mean play?"),
        ("mvoes", "there is no command 'mvoes'; did you mean moves?"),
        (
            "book",
            "book: a command is missing; expected komadai book COMMAND, one of build, check, merge, openings, show",
        ),
        ("moves --game nana", "moves: there is no option --game; expected komadai moves GAME [POSITION]"),
        ("match a b -v nana", "match: there is no option -v; expected komadai match PLAYER... --game GAME"),
        ("print nana --out x.html", "print: there is no option --out; did you mean --output?"),
        ("engine --protocl usi", "engine: there is no option --protocl; expected komadai engine [GAME]"),
        ("engine nana more", "engine: 'more' is too much; expected komadai engine [GAME]"),
        ("book bild", "book: there is no command 'bild'; did you mean build?"),
        ("--fly", "there is no option --fly; "),
        ("perft nana 2 --divde", "perft: there is no option --divde; did you mean --divide?"),
        ("perft nana 2 --divide=yes", "perft: --divide takes no value"),
        ("moves nana --rule", "moves: --rule needs a value: --rule NAME=VALUE"),
        ("moves nana -o drop_faces=any", "moves: there is no -o; a rule option is given by --rule NAME=VALUE"),
        ("picture nana -o drop_faces=any", "-o names the output; a rule option is given by --rule NAME=VALUE"),
        ("book merge x", "book merge: needs -o FILE; expected komadai book merge FILES... -o FILE"),
        ("match komadai random --movetime 5x", "--movetime '5x': expected a time such as 0.5, 500ms, 10s, 2m or 8h"),
        ("admin prune --finished 30", "--finished '30': expected a time with its unit, such as 12h or 30d"),
        ("completion tcsh", "SHELL 'tcsh': did you mean 'zsh'? choose from bash, zsh, fish"),
    ],
)
def test_bad_usage_is_reported_in_one_line(line: str, fragment: str) -> None:
    said = refusal(*line.split(" "))
    assert said.startswith("komadai: ")
    assert said.count("\n") == 1
    assert fragment in said


def test_a_closed_pipe_is_no_error_of_ours() -> None:
    made = subprocess.run(
        f"{sys.executable} -c 'from komadai.__main__ import main; main()' moves shogi --json | head -c 1",
        shell=True,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert made.stdout == "{"
    assert "Traceback" not in made.stderr
    assert "Exception" not in made.stderr


def test_where_a_notation_fails_the_move_string_stands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fails(*_args: object) -> str:
        raise KeyError("4")

    monkeypatch.setattr("komadai.notation.notate", fails)
    for words, move in (
        (("moves", "nana", "--notation", "compass"), "K*3c"),
        (("book", "show", str(book_of_five(tmp_path / "five.book").path)), "7g7f"),
        (("mate", "shogi", "7k1/9/6G1P/9/9/9/9/9/9 b G 1"), "G*2b"),
    ):
        for form in ((), ("--json",)):
            monkeypatch.setattr(i18n, "_failed", set())
            ran = komadai_says(*words, *form)
            assert ran.status == 0
            assert move in ran.out
            assert (
                "komadai: a message for people failed; something plain stands in its place\n(KeyError('4'), " in ran.err
            )
            assert "Traceback" not in ran.err


def test_a_notation_that_a_game_is_not_written_in_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_args: object) -> str:
        raise NotationError("notation 'fen'", ["boards of that size have none"])

    monkeypatch.setattr("komadai.notation.notate", refuses)
    assert "boards of that size have none" in refusal("moves", "ko", "--notation", "fen")


LOADING = """
import sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            raise KeyboardInterrupt
        return None

sys.meta_path.insert(0, Interrupting())
sys.argv = ["komadai", "moves", "nana"]
from komadai.__main__ import main
main()
"""


@pytest.mark.parametrize(
    "name", ["komadai.app.cli", "click", "komadai.variants", "komadai.app.cli.moves", "komadai._core"]
)
def test_an_interruption_while_modules_load_is_no_traceback(name: str) -> None:
    ran = subprocess.run([sys.executable, "-c", LOADING.format(name=name)], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (130, "")
