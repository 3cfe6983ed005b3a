"""Engines for tests: a small program that speaks USI and UCI and misbehaves on request, and a real one."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

_PROGRAM = """
import os, signal, sys, time

mode, log, *answers = sys.argv[1:]

def say(text):
    print(text, flush=True)

for line in sys.stdin:
    line = line.rstrip("\\n")
    with open(log, "a", encoding="utf-8") as file:
        file.write(line + "\\n")
    word = line.split(" ")[0]
    if word in ("usi", "uci"):
        if mode == "mute":
            continue
        if mode == "unlicensed":
            print("no licence found", file=sys.stderr, flush=True)
            sys.exit(7)
        say("hello, I am a banner")
        say("id name Fake  Engine 1")
        say("id author nobody at all")
        say("option name Move Overhead type spin default 30 min 0 max 5000")
        say("option name Style type combo default calm var calm var very wild")
        say("option name Ponder type check default false")
        say("option name Clear Hash type button")
        say("option name Book type string default <empty>")
        say("option name broken")
        say("option")
        if mode == "variants":
            say("option name USI_Variant type combo default shogi var shogi var nana")
        if mode == "entering":
            rules = "default CSARule27 var NoEnteringKing var CSARule24 var CSARule27"
            say("option name EnteringKingRule type combo " + rules)
        say(word + "ok")
    elif word == "isready":
        if mode != "never ready":
            say("readyok")
    elif word == "go":
        if mode == "crash":
            print("lost my mind", file=sys.stderr, flush=True)
            os._exit(3)
        elif mode == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        elif mode in ("silent", "late", "late mates"):
            continue
        elif mode == "mates":
            say(answers.pop(0))
        elif mode == "closes":
            os.close(1)
            time.sleep(600)
        elif mode == "endless":
            sys.stdout.write("x" * 3_000_000)
            sys.stdout.flush()
        elif mode == "talks on":
            while True:
                say("info depth 1")
        elif mode == "deaf":
            say("bestmove " + answers.pop(0))
            time.sleep(600)
        else:
            if mode == "wordless":
                say("bestmove")
            say("info depth one score cp nonsense pv")
            say("info string depth 99 pv 1a1b")
            say("\\x00\\xff nonsense")
            say("info depth 7 seldepth 9 multipv 1 score cp 31 nodes 1234 nps 99 time 3 pv 7g7f 3c3d")
            say("info depth 8 multipv 2 score cp -500 nodes 9999 pv 1g1f")
            say("info depth 8 currmove 7g7f currmovenumber 1")
            if mode == "claims mate":
                say("info depth 9 score mate + pv 2h2g")
            if mode == "gloomy":
                say("info depth 9 score cp -2000 pv 2h2g")
            if mode == "level":
                say("info depth 9 score cp 0")
            say("bestmove " + answers.pop(0))
    elif word == "stop" and mode in ("late", "late mates"):
        say(("bestmove " if mode == "late" else "") + answers.pop(0))
    elif word == "quit" and mode != "stays":
        break
if mode == "stays":
    time.sleep(600)
"""


class Fake:
    """A fake engine: its command, and the lines it received."""

    def __init__(self, folder: Path, mode: str = "sound", *answers: str) -> None:
        program = folder / "fake.py"
        program.write_text(_PROGRAM, encoding="utf-8")
        self._log = folder / f"{mode.replace(' ', '-')}-{len(list(folder.iterdir()))}.log"
        # Isolated and without site packages, it starts in an instant.
        self.command = [sys.executable, "-I", "-S", str(program), mode, str(self._log), *answers]

    @property
    def spec(self) -> str:
        """The player of a match that it is."""
        return "usi:" + " ".join(f"'{word}'" for word in self.command)

    @property
    def heard(self) -> list[str]:
        """The lines it was sent."""
        return self._log.read_text(encoding="utf-8").splitlines()


def fairy_stockfish() -> str:
    """The program of that name. Without one the test is skipped, but fails where CI is set."""
    found = shutil.which("fairy-stockfish") or shutil.which("/usr/games/fairy-stockfish")
    if found is None:
        missing = "no Fairy-Stockfish on this machine (Debian: apt install fairy-stockfish)"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    return found
