"""Nothing that Python does with the core aborts, crashes or hangs it: the end of the interpreter while threads are at
work, forks beside threads, objects that were never made or are made twice."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

import komadai
from helpers.support import needs_processes, needs_threads
from helpers.volume import FULL, volume
from komadai import _core
from komadai.compiler import Compiled, compile_variant
from komadai.lab.rl.encoding import Encoding
from komadai.spec.variant import Variant

pytestmark = [needs_threads, needs_processes]

SETUP = """
import os, random, signal, sys, tempfile, threading, time, traceback
from dataclasses import replace
from itertools import count
from pathlib import Path
import komadai, komadai.lab.rl, komadai.solve
from komadai.engine.forced_win import attack
from komadai.solve.certificate import strategy

VARIANT, NUMBERS = komadai.variant("micro"), count()
SHOGI, KO, NANA = komadai.Position("shogi"), komadai.Position("ko"), komadai.Position("nana")
MATE = komadai.Position.problem("shogi", "7nk/9/8P/9/9/9/9/9/9 b G")

def game():
    played = komadai.Game("minishogi")
    while played.outcome() is None:
        played.push(random.choice(played.position.legal_moves()))

def new_variant():
    return komadai.Position(replace(VARIANT, id=f"x{next(NUMBERS)}"))

def environment(threads):
    made = komadai.lab.rl.VecEnv("minishogi", 64, threads=threads)
    made.reset()
    return made
"""

WORK = {  # what each thread makes for itself, and does again and again
    "a long perft": ("None", "SHOGI.perft(9)"),
    "a perft of compound moves": ("None", "KO.perft(5)"),
    "short perfts": ("None", "SHOGI.perft(2)"),
    "a search": ("komadai.Engine('shogi')", "own.search(SHOGI)"),
    "short searches": ("komadai.Engine('shogi')", "own.search(SHOGI, depth=3)"),
    "searches by new engines": ("None", "komadai.Engine('ko').search(KO, nodes=300)"),
    "a search by two threads": ("komadai.Engine('shogi', threads=2)", "own.search(SHOGI)"),
    "reports": ("komadai.Engine('shogi')", "own.search(SHOGI, nodes=3000, report=lambda info: [*map(str, range(99))])"),
    "a report that waits": ("komadai.Engine('shogi')", "own.search(SHOGI, report=lambda info: time.sleep(1e5))"),
    "a report that counts": ("komadai.Engine('shogi')", "own.search(SHOGI, report=lambda info: SHOGI.perft(8))"),
    "mates": ("komadai.Engine('shogi')", "own.mate(MATE)"),
    "mate problems": ("komadai.Engine('shogi')", "own.tsume(MATE)"),
    "a forced win": ("None", "attack(NANA, 20, 1 << 60)"),
    "environments": ("environment(1)", "own.step(own.random_actions())"),
    "environments of two threads": ("environment(2)", "own.step(own.random_actions())"),
    "new environments": ("None", "environment(2).clone()"),
    "lists of moves": ("KO.copy()", "list(own.legal_moves()), repr(own.legal_moves())"),
    "one position": ("KO", "list(own.legal_moves()), repr(own.legal_moves())"),
    "moves by name": ("SHOGI.copy()", "own.push('7g7f'), own.pop()"),
    "trees of steps": ("KO.copy()", "own.steps()"),
    "encodings": ("komadai.lab.rl.Encoding('shogi')", "own.observe(SHOGI), own.mask(SHOGI)"),
    "new variants": ("None", "new_variant()"),
    "tables": ("None", "komadai.solve.build('nana', path=Path(tempfile.mkdtemp()) / 'nana', threads=2)"),
    "audits": ("komadai.solve.open('nana')", "own.audit()"),
    "strategies": ("komadai.solve.open('nana')", "strategy(own)"),
    "games": ("None", "game()"),
}


def run(code: str) -> tuple[str, str]:
    """What a process says that does this and ends as it should."""
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert made.returncode == 0, (made.returncode, made.stdout[-2000:], made.stderr[-2000:])
    return made.stdout, made.stderr


def ended(*names: str, delay: float) -> None:
    """Let the interpreter end while two daemon threads do each of the works, and say nothing about it."""
    code = [SETUP, "begun = []"]
    for number, name in enumerate(names):
        own, work = WORK[name]
        code += [
            f"def work{number}():",
            f"    own = {own}",
            f"    begun.append({name!r})",
            f"    while True: {work}",
        ]
        code += [f"for _ in range(2): threading.Thread(target=work{number}, daemon=True).start()"]
    code += [f"while len(begun) < {2 * len(names)}: time.sleep(0.01)", f"time.sleep({delay})"]
    assert run("\n".join(code)) == ("", ""), names


@pytest.mark.parametrize("delay", [0.0, 0.1, 0.3] if FULL else [0.1])
def test_the_interpreter_ends_while_daemon_threads_do_all_kinds_of_work(delay: float) -> None:
    ended(*[*WORK][:: 1 if FULL else 3], delay=delay)


@pytest.mark.parametrize("name", [pytest.param(name, marks=[] if FULL else pytest.mark.slow) for name in WORK])
def test_the_interpreter_ends_while_daemon_threads_are_at(name: str) -> None:
    for delay in (0.0, 0.1, 0.3):
        ended(name, delay=delay)


FORKS = volume(200)
FORK = """
def work():
    while True:
        {beside}

def child():
    {child}

shared = {shared}
threading.Thread(target=work, daemon=True).start()
for number in range({forks}):
    time.sleep(random.random() / 300)
    pid = os.fork()
    if not pid:
        signal.alarm(100)  # ends a child that hangs
        try:
            child()
            os._exit(0)
        finally:
            traceback.print_exc()
            os._exit(1)
    status = os.waitpid(pid, 0)[1]
    if status:
        sys.exit(f"child {{number}} ended with status {{status}}")
"""
FORKED = {  # an object, what a thread does with it beside the forks, and what the child of a fork does first
    "environments": ("environment(1)", "shared.step(shared.random_actions())", "shared.step(shared.random_actions())"),
    "environments of two threads": (
        "environment(2)",
        "shared.step(shared.random_actions())",
        "shared.step(shared.random_actions()), shared.clone().reset()",
    ),
    "an engine": (
        "komadai.Engine('shogi')",
        "shared.search(SHOGI, nodes=3000)",
        "assert shared.search(SHOGI, depth=2).move",
    ),
    "an engine of two threads": (
        "komadai.Engine('shogi', threads=2)",
        "shared.search(SHOGI, nodes=3000, report=lambda info: None)",
        "shared.stop(), shared.clear()\n    assert shared.search(SHOGI, depth=2).move in SHOGI.legal_moves()",
    ),
    "mates": ("komadai.Engine('shogi')", "shared.mate(MATE)", "assert shared.mate(MATE).outcome == 'mate'"),
    "mate problems": ("komadai.Engine('shogi')", "shared.tsume(MATE)", "assert shared.tsume(MATE).unique"),
    "a table": ("komadai.solve.open('nana')", "shared.audit()", "assert shared.moves(NANA)"),
    "a table to be made": (
        "None",
        "komadai.solve.build('nana', path=Path(tempfile.mkdtemp()) / 'nana', threads=2)",
        "assert komadai.solve.open('nana').moves(NANA)",
    ),
    "new variants": ("None", "new_variant()", "new_variant(), komadai.Position(VARIANT).perft(2)"),
    "moves": ("None", "list(KO.legal_moves()), SHOGI.perft(3)", "list(KO.legal_moves()), SHOGI.perft(2)"),
}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no forks")
@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="a fork may hold the lock of its allocator")
@pytest.mark.parametrize("name", FORKED)
def test_the_child_of_a_fork_beside_a_thread_works_at_its_first_call(name: str) -> None:
    shared, beside, child = FORKED[name]
    run(SETUP + FORK.format(shared=shared, beside=beside, child=child, forks=FORKS))


FORK_BESIDE_AN_IMPORT = """
import komadai, logging, os, sys, threading, time
sys.path.insert(0, {folder!r})
thread = threading.Thread(target=__import__, args=({module!r},))
thread.start()
time.sleep(0.1)
if not os.fork():
    os._exit(0)
assert os.wait()[1] == 0
thread.join()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no forks")
@pytest.mark.parametrize("module", ["others", "komadai.slow"])
def test_a_fork_beside_an_import_that_needs_a_lock_of_the_forking_thread_ends(module: str, tmp_path: Path) -> None:
    # `logging`, imported after Komadai, holds its lock before a fork by the time that Komadai waits for imports
    (tmp_path / "others.py").write_text("import logging, time\ntime.sleep(0.3)\nlogging.getLogger(__name__)\n")
    code = FORK_BESIDE_AN_IMPORT.format(folder=str(tmp_path), module=module)
    if module != "others":
        (tmp_path / "slow.py").write_text((tmp_path / "others.py").read_text())
        code = code.replace("thread =", f"komadai.__path__.append({str(tmp_path)!r})\nthread =")
    run(code)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no forks")
def test_a_module_that_forks_while_it_is_imported_does_not_wait_for_itself(tmp_path: Path) -> None:
    (tmp_path / "forking.py").write_text("import os\nif not os.fork():\n    os._exit(0)\nassert os.wait()[1] == 0\n")
    waits = "import komadai, time\ntime.sleep = None  # which a wait would call\n"
    said = run(f"{waits}komadai.__path__.append({str(tmp_path)!r})\nimport komadai.forking")
    assert said == ("", "")


def test_threads_that_compile_one_variant_at_once_get_the_same() -> None:
    switched = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for number in range(10):
            new, start = replace(komadai.variant("micro"), id=f"new-{number}"), threading.Barrier(4)

            def compiling(_thread: int, new: Variant = new, start: threading.Barrier = start) -> Compiled:
                start.wait()
                return compile_variant(new)

            with ThreadPoolExecutor(4) as pool:
                assert len({*map(id, list(pool.map(compiling, range(4))))}) == 1
    finally:
        sys.setswitchinterval(switched)


OTHER_INTERPRETER = """
import importlib
for name in ("_interpreters", "_xxsubinterpreters"):
    try:
        interpreters = importlib.import_module(name)
    except ImportError:
        continue
    other = interpreters.create()
    try:
        failure = interpreters.run_string(other, "import komadai")
    except Exception as error:  # in Python 3.12 and before
        failure = error
    print(failure)
    interpreters.destroy(other)
    break
import komadai
print(len(komadai.Position("shogi").legal_moves()))
"""


def test_another_interpreter_of_the_process_is_refused() -> None:
    said, _ = run(OTHER_INTERPRETER)
    assert "Komadai works in the main interpreter of a process alone" in said
    assert said.split()[-1] == "30"


CALLED = """
import importlib, inspect, pkgutil, warnings
import komadai
from komadai import _core

warnings.simplefilter("ignore")

def called(made, *arguments, skipped=()):
    "Call everything that it has with arguments of all sorts; whatever is raised is right."
    for name in {*dir(made)} - {*skipped}:
        print(type(made), name, flush=True)  # the last line tells what ended the process
        try:
            value = getattr(made, name)
        except Exception:
            continue
        if not callable(value):
            continue
        for given in ((), (made,), (1,), (-1,), ("7g7f",), (None,), (1, 2), (made, 1), (None, None, None), *arguments):
            try:
                found = value(*given)
                if inspect.isgenerator(found) or hasattr(found, "__next__"):
                    next(found)
            except Exception:
                pass
"""
NEVER = """
modules = [_core]
for package in ("book", "compiler", "engine", "game", "reference", "lab.rl", "solve", "view"):
    top = importlib.import_module(f"komadai.{package}")
    for found in pkgutil.walk_packages(top.__path__, f"komadai.{package}."):
        if not found.name.endswith(("__main__", "openspiel")):  # whose types are another library's
            try:
                modules.append(importlib.import_module(found.name))
            except ImportError:
                pass  # of an extra that is not installed
types = {one for module in modules for one in vars(module).values() if isinstance(one, type)}
for one in sorted((one for one in types if one.__module__.startswith("komadai")), key=str):
    try:
        made = one.__new__(one)
    except TypeError:
        continue
    called(made)
print(len(types))
"""


def test_objects_that_were_never_made_are_refused() -> None:
    said, _ = run(CALLED + NEVER)
    assert int(said.splitlines()[-1]) > 100


TWICE = """
import komadai.lab.rl, komadai.solve
from komadai.compiler import Compiled, compile_variant

shogi, micro = komadai.Position("shogi"), komadai.Position("micro")
native, other = compile_variant(komadai.variant("shogi")), compile_variant(komadai.variant("micro"))
tables = [komadai.lab.rl.Encoding(name)._tables() for name in ("shogi", "micro")]
long = {"mate", "search", "tsume"}
cases = [
    (komadai.Position, ("shogi",), ("micro",)),
    (komadai.Game, ("shogi",), ("micro",)),
    (komadai.Engine, ("shogi",), ("micro",)),
    (komadai.lab.rl.Encoding, ("shogi",), ("micro",)),
    (komadai.lab.rl.Encoding, ("minishogi",), ("micro",)),
    (komadai.lab.rl.Encoding, ("nana",), ("ko", "steps")),
    (komadai.lab.rl.VecEnv, ("shogi", 4), ("micro", 9)),
    (komadai.lab.rl.VecEnv, ("minishogi", 4), ("shogi", 2, 2)),
    (type(native), (native.variant,), (other.variant,)),
    (_core.Position, (native.rules, [0] * 81, [[], []], 0), (other.rules, [0] * 20, [[], []], 0)),
    (_core.Encoding, (native.rules, tables[0]), (other.rules, tables[1])),
    (_core.Evaluation, (native.rules,), (other.rules,)),
    (_core.NetShape, (native.rules, True), (other.rules, True)),
    (_core.Searcher, (_core.Evaluation(native.rules), 1), (_core.Evaluation(other.rules), 1)),
    (_core.MateSolver, (1,), (2,)),
]
for make, first, second in cases:
    made = make(*first)
    arguments = [(one,) for one in (shogi, micro, shogi._native, micro._native)]
    arguments += [(one, given) for (one,) in arguments for given in ((), [0], [131], "7g7f", 5)]
    called(made, *arguments, skipped=long)
    made = make(*first)
    for name in dir(made):
        try:
            getattr(made, name)
        except Exception:
            pass
    try:
        made.__init__(*second)
    except Exception as error:
        print(make, "is made once" if isinstance(error, TypeError) else error)
    called(made, *arguments, skipped=long)
"""


def test_objects_that_are_made_twice_work_or_are_refused() -> None:
    said, _ = run(CALLED + TWICE)
    assert {line for line in said.splitlines() if line.endswith("is made once")} >= {
        f"<class 'komadai.{name}'> is made once"
        for name in ("lab.rl.encoding.Encoding", "_core.Position", "_core.Encoding")
    }


def test_an_encoding_believes_no_tables_that_lead_out_of_the_game() -> None:
    compiled = compile_variant(komadai.variant("minishogi"))
    rules, start = compiled.rules, compiled.start
    for actions in ("flat", "steps"):
        sound = Encoding("minishogi", actions)._tables()
        fields = {name: getattr(sound, name) for name in dir(sound) if not name.startswith("_")}
        assert _core.Encoding(rules, _core.EncodingTables(**fields)).planes
        for name, value in fields.items():
            for wrong in odd(value):
                with suppress(ValueError, TypeError, RuntimeError):
                    made = _core.Encoding(rules, _core.EncodingTables(**{**fields, name: wrong}))
                    assert made.legal(start, [])


def odd(value: object) -> list[object]:
    """Values that are wrong in the place of this one."""
    if isinstance(value, bool):
        return []
    if isinstance(value, int):
        return [-(1 << 31), -2, value - 1, value + 1, value + 1000, (1 << 31) - 1]
    assert isinstance(value, list)
    within = [[*value[:at], wrong, *value[at + 1 :]] for at in (0, -1)[: len(value)] for wrong in odd(value[at])]
    return [[], value[1:], value * 2, *within]
