"""A program that talks to the engine's loop within the test's own process, and what differs from run to run."""

from __future__ import annotations

import queue
import re
import sys
from pathlib import Path

from komadai.protocol.server import Server

PATIENCE = 600  # seconds after which a lost answer fails the test instead of hanging it

_VARYING = (
    (re.compile(r"^(id name Komadai |feature myname=\"Komadai )[^\s\"]+"), r"\1VERSION"),
    (re.compile(r"\b(nodes|nps|time|hashfull|seldepth) [0-9]+"), r"\1 N"),
    (re.compile(r"\bscore cp -?[0-9]+"), "score cp N"),
    (re.compile(r"^([0-9]+) (?:-?[0-9]{1,5}|(-?[0-9]{6})) [0-9]+ [0-9]+ "), r"\1 N\2 N N "),  # thinking output
    (re.compile(r"^(info string bench: )[0-9]+ nodes"), r"\1N nodes"),
)


def masked(line: str) -> str:
    """The line without what differs from run to run or with every change of the search."""
    for pattern, shown in _VARYING:
        line = pattern.sub(shown, line)
    return line


def program(folder: Path) -> str:
    """The engine as a program that is called by one word."""
    script = folder / "komadai-engine"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m komadai engine\n', encoding="utf-8")
    script.chmod(0o755)
    return str(script)


class Client:
    """A server and what it has written."""

    def __init__(self, variant: str | None = None, protocol: str | None = None) -> None:
        self.lines: queue.Queue[str] = queue.Queue()
        self.server = Server(variant, protocol, self.lines.put)
        self.session = self.server.session

    def send(self, *lines: str) -> bool:
        return [self.server.handle(line) for line in lines][-1]

    def waiting(self) -> list[str]:
        """The lines written so far and not yet read."""
        found = []
        while not self.lines.empty():
            found.append(self.lines.get())
        return found

    def ask(self, line: str) -> list[str]:
        """The lines that answer at once."""
        self.waiting()
        self.send(line)
        return self.waiting()

    def settled(self, line: str) -> list[str]:
        """The lines that answer in all, once what was begun has come to its own end."""
        self.send(line)
        self.session.wait()
        return self.waiting()

    def until(self, word: str) -> list[str]:
        """The lines up to the first that begins with the word."""
        found = [self.lines.get(timeout=PATIENCE)]
        while found[-1].split(" ", 1)[0] != word:
            found.append(self.lines.get(timeout=PATIENCE))
        return found

    def best(self, *lines: str) -> str:
        """The move of the answer to these lines."""
        self.send(*lines)
        return self.until("bestmove")[-1].split()[1]
