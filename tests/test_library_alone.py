"""The library and `komadai engine` without any other package, and what other commands say then."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import komadai
from helpers.support import ROOT, needs_processes
from komadai.errors import EXTRAS, lacking

pytestmark = needs_processes

LIBRARY = """
import komadai
position = komadai.Position("shogi")
position.push("7g7f")
assert position.notate("3c3d", "hodges")
game = komadai.Game(position)
game.resign("w")
for form in ("kif", "csa", "usi", "text", "json"):
    assert komadai.record.read(komadai.record.write([komadai.Record.of(game)], form), form=form)
assert komadai.picture.svg(position).startswith("<svg")
assert komadai.Engine("shogi").search(position, depth=2).move
assert komadai.Engine("shogi").mate(komadai.Position("shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b G"), nodes=1000).pv
book = komadai.book.Builder("shogi")
book.add(komadai.Record.of(game))
assert komadai.solve.open("nana").probe(komadai.Position("nana"))
print("done")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of packages that holds Komadai alone."""
    made = tmp_path / "packages"
    made.mkdir()
    (made / "komadai").symlink_to(Path(komadai.__file__).parent)
    return made


def alone(folder: Path, code: str, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run code that finds Komadai and the standard library."""
    start = f"import sys; sys.path.insert(0, {str(folder)!r}); sys.argv[0] = 'komadai'\n{code}"
    command = [sys.executable, "-I", "-S", "-c", start, *words]
    return subprocess.run(command, input=given, capture_output=True, text=True, encoding="utf-8", check=False)


def test_the_library_works_without_any_package(folder: Path) -> None:
    ran = alone(folder, LIBRARY)
    assert (ran.stdout, ran.stderr) == ("done\n", "")


@pytest.mark.parametrize(
    ("protocol", "said", "answer"),
    [
        ("usi", "usi\nisready\nposition startpos moves 7g7f\ngo depth 2\nquit\n", r"^bestmove \w+"),
        ("uci", "uci\nisready\nposition startpos\ngo depth 2\nquit\n", r"^bestmove \w+"),
        ("xboard", "xboard\nprotover 2\nvariant shogi\nping 7\nquit\n", r"^pong 7"),
    ],
)
def test_the_engine_works_without_any_package(folder: Path, protocol: str, said: str, answer: str) -> None:
    ran = alone(folder, "from komadai.__main__ import main; main()", "engine", "shogi", given=said)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert re.search(answer, ran.stdout, re.MULTILINE), ran.stdout
    wrong = alone(folder, "from komadai.__main__ import main; main()", "engine", "--protocl", protocol)
    assert wrong.returncode == 2
    assert "there is no option --protocl" in wrong.stderr
    assert wrong.stderr.count("\n") == 1


@pytest.mark.parametrize("command", [(), ("--help",), ("play",), ("moves", "nana"), ("match", "a", "b")], ids=str)
def test_other_commands_say_what_installs_them(folder: Path, command: tuple[str, ...]) -> None:
    ran = alone(folder, "from komadai.__main__ import main; main()", *command)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert re.fullmatch(
        r"komadai: .+: needs click; install it with: pip install 'komadai\[app\]'; `komadai engine` needs no package\n",
        ran.stderr,
    )


def test_a_package_of_no_extra_is_a_bug() -> None:
    with pytest.raises(ModuleNotFoundError):
        lacking(ModuleNotFoundError("No module named 'ours'", name="komadai.ours"))


def test_messages_name_the_extras_that_there_are() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert declared["dependencies"] == []
    packages = {"cloudpickle": "distributed", "psycopg_pool": "psycopg", "pyspiel": "open_spiel"}
    packages["markdown_it"] = "markdown_it_py"
    for extra, modules in EXTRAS.items():
        lines = declared["optional-dependencies"][extra]
        names = {re.split(r"[\s\[<>=~!;]", line)[0].replace("-", "_") for line in lines} - {"komadai", "pip"}
        assert {packages.get(module, module) for module in modules} == names, extra


DAMAGED = """
class Damaged:
    def find_spec(self, name, path=None, target=None):
        if name == "komadai._core":
            raise ImportError("file too short")

sys.meta_path.insert(0, Damaged())
from komadai.__main__ import main
main()
"""


@pytest.mark.parametrize("command", [("engine",), ("doctor",), ("moves", "nana")], ids=str)
@pytest.mark.parametrize(
    ("code", "what"),
    [(DAMAGED, "cannot be loaded"), (DAMAGED.replace("ImportError", "ModuleNotFoundError"), "is missing")],
)
def test_a_damaged_installation_is_told_in_a_line(folder: Path, command: tuple[str, ...], code: str, what: str) -> None:
    ran = alone(folder, code, *command)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert re.fullmatch(rf"komadai: the core of Komadai {what} \(Komadai .+\); install Komadai again\n", ran.stderr)
