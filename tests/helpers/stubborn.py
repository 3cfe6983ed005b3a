"""Programs that do not end by themselves, and processes that must be gone."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

_PROGRAM = """
import os, signal, subprocess, sys, time

for name in ("SIGINT", "SIGTERM", "SIGHUP"):
    signal.signal(getattr(signal, name), signal.SIG_IGN)
ids, protocol = sys.argv[1:]
child = subprocess.Popen([sys.executable, "-I", "-S", "-c", "import time; time.sleep(3600)"])

def stay():
    with open(ids, "a", encoding="utf-8") as file:
        file.write(f"{os.getpid()} {child.pid}\\n")
    while True:
        time.sleep(3600)

if not protocol:
    stay()
for line in sys.stdin:
    word = line.split(" ")[0].strip()
    if word == "usi":
        print("id name Stubborn", "usiok", sep="\\n", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        stay()
    elif word == "quit" and protocol == "quits":
        sys.exit()
stay()
"""

_SOON = 120.0  # seconds in which an end takes effect, on a machine that has much else to do


class Stubborn:
    """A program that ignores signals and the end of its input, with a child that does nothing.

    ``protocol``: ``""``: it reads nothing; ``"hangs"``: it speaks USI, but never answers ``go``; ``"quits"``: likewise,
    but it ends by itself when it is asked to, without its child.
    """

    def __init__(self, folder: Path, protocol: str = "") -> None:
        program, self._ids = folder / "stubborn.py", folder / "ids"
        program.write_text(_PROGRAM, encoding="utf-8")
        self.command = [sys.executable, "-I", "-S", str(program), str(self._ids), protocol]

    def stays(self, most: int = 1) -> list[int]:
        """Wait until so many of them do nothing any more; the ids of them and of their children."""
        return ids_in(self._ids, most)


def wait_for(come: Callable[[], bool]) -> None:
    """Wait until something is so; the test fails if that takes for ever."""
    until = time.monotonic() + _SOON
    while not come():
        assert time.monotonic() < until
        time.sleep(0.02)


def ids_in(file: Path, lines: int) -> list[int]:
    """Wait for so many lines in a file; the numbers in them."""
    wait_for(lambda: file.exists() and file.read_text(encoding="utf-8").count("\n") >= lines)
    return [int(word) for word in file.read_text(encoding="utf-8").split()]


def alive(pid: int) -> bool:
    """True if there is a process of that id, which is no zombie. Only Linux knows."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def left_of(pids: list[int]) -> list[int]:
    """Wait for the end of processes; those that are there for ever."""
    until = time.monotonic() + _SOON
    while (left := [pid for pid in pids if alive(pid)]) and time.monotonic() < until:
        time.sleep(0.02)
    return left
