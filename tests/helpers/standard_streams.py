"""Commands run with standard streams that are closed or full, in a process that may lose its own."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from pathlib import Path


def open_streams(how: str, given: bytes) -> None:
    """Make the standard streams anew, as an interpreter does when it starts."""
    reading, writing = os.pipe()
    os.write(writing, given)
    os.close(writing)
    for number, path in enumerate((None, "out", "err")):
        found = reading if path is None else os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        if f"{number}full" in how:
            os.close(found)
            found = os.open("/dev/full", os.O_WRONLY)
        os.dup2(found, number)
        os.close(found)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if f"{number}closed" in how:
            os.close(number)
        stream = None if f"{number}closed" in how else os.fdopen(number, "w" if number else "r", closefd=False)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def run_all(how: str, commands: dict[str, list[str]], folder: str) -> None:
    """Run commands one after the other, and write how each ended and what it said."""
    from komadai.__main__ import main

    os.chdir(folder)
    found: dict[str, tuple[object, str, int]] = {}
    for name, words in commands.items():
        game = "7g7f" if "record" in words else "K*1a"
        for number in range(3):  # closed ones give way to what is opened first
            with contextlib.suppress(OSError):
                os.fstat(number)
                continue
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
        open_streams(how, f"startpos moves {game}\n".encode())
        sys.argv = ["komadai", *words]
        status: object = 0
        try:
            main()
        except BaseException as error:
            status = error.code if isinstance(error, SystemExit) else repr(error)
        said = Path("err").read_text(encoding="utf-8")
        found[name] = (status, said, Path("out").stat().st_size)
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.close()  # or what it still holds fails in the next command, which Python 3.13 says there
    Path("found").write_text(json.dumps(found), encoding="utf-8")
