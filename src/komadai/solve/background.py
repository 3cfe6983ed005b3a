"""Tables that are solved in the background, on first use: one game after the other, in a process of its own.

Only games that are quick to solve (:func:`komadai.solve.is_quick`) are. The process yields to all others, and ends with
this one.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import time
from dataclasses import dataclass

from .. import processes
from ..spec.variant import Variant
from . import find, is_quick

AGAIN_AFTER = 300.0
"""Seconds after a failure in which the game is not tried again."""

_SHARES = {"moves": (0, 40), "values": (40, 90)}  # of the work, in percent; the rest is compression


@dataclass(slots=True)
class Solving:
    """The state of a game that is to be solved.

    Attributes:
        percent: the share of the work that is done.
        fault: why it has failed, in a sentence; empty otherwise.
        until: when it may be tried again after that, by :func:`time.monotonic`.
        logged: whether a log has the fault.
    """

    percent: int = 0
    fault: str = ""
    until: float = 0.0
    logged: bool = False


_lock = threading.Lock()  # of the next three
_games: dict[Variant, Solving] = {}  # in the order of their turns; those without a fault are to be solved
_thread: threading.Thread | None = None  # while one is solved
_process: processes.Program | None = None


def begin(variant: Variant) -> Solving | None:
    """Have a game solved that is quick to solve and has no table yet; ``None`` for any other.

    Returns at once; a game that waits, is being solved or has just failed is not begun again.
    """
    global _thread
    if sys.platform == "emscripten" or not is_quick(variant) or find(variant) is not None:
        return None
    with _lock:
        state = _games.get(variant)
        if state is None or (state.fault and time.monotonic() > state.until):
            state = _games[variant] = Solving()
        if _thread is None:
            thread = threading.Thread(target=_work, name="solving", daemon=True)
            try:
                thread.start()
            except RuntimeError as error:
                state.fault, state.until = str(error), time.monotonic() + AGAIN_AFTER
            else:
                _thread = thread
    return state


def end() -> None:
    """Forget all games, and end the process that solves one."""
    with _lock:
        _games.clear()
        if _process is not None:
            _process.kill_group()


def _work() -> None:
    global _thread
    while True:
        with _lock:
            variant, state = next((game for game in _games.items() if not game[1].fault), (None, Solving()))
            if variant is None:
                _thread = None
                return
        fault = _solved(variant, state)
        with _lock:
            if not fault:
                _games.pop(variant, None)
            state.fault, state.until = fault, time.monotonic() + AGAIN_AFTER


def _solved(variant: Variant, state: Solving) -> str:
    """Solve a game; what is wrong, empty if nothing is."""
    global _process
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    try:
        with _lock:
            if variant not in _games:
                return ""
            process = _process = processes.Program([sys.executable, "-m", __name__], **pipes)
    except OSError as error:
        return str(error.strerror)
    fault = ""
    with process:
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(pickle.dumps(variant))
            process.stdin.close()
            for line in process.stdout:
                stage, *numbers = line.decode().rstrip("\n").split("\t")
                if stage == "fault":
                    fault = numbers[0]
                elif numbers[1] != "0":
                    first, last = _SHARES[stage]
                    state.percent = first + (last - first) * int(numbers[0]) // int(numbers[1])
        except OSError:
            pass  # it has ended
        finally:
            status = process.wait()
            _process = None
    return fault or (f"the process ended with status {status}" if status else "")


def _main() -> None:
    """Solve the game that standard input names, and write the stages of the work, or what is wrong, as lines."""
    from ..errors import KomadaiError
    from .build import build

    if hasattr(os, "nice"):
        os.nice(15)

    def tell(*words: object) -> None:
        print(*words, sep="\t", flush=True)

    try:
        build(pickle.load(sys.stdin.buffer), progress=tell, wait=True)
    except (KomadaiError, MemoryError) as error:
        tell("fault", " ".join(str(error).split()) or "there is not enough memory")


if __name__ == "__main__":
    _main()
