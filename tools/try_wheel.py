"""Processor time from ``pip install WHEEL`` to the first page served, with an empty cache and no compiler.

The wheel goes into a new virtual environment with an empty home folder; the programs run with an empty ``PATH``, so
that whatever would have to be compiled fails. Counted is the time of all processes, user and system.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from check_size import bound


def used() -> float:
    """Seconds of processor time of all processes that were started here and have ended, and of theirs."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime


def first_page(python: Path, environment: dict[str, str]) -> str:
    """Start ``komadai play``, fetch its page, and end the server again."""
    command: list[str | Path] = [python, "-m", "komadai", "play", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+", server.stdout.readline())
            if found is None:
                raise SystemExit("the server has not started")
            with urllib.request.urlopen(found[0], timeout=60) as answer:
                page: str = answer.read().decode()
        finally:
            server.send_signal(signal.SIGTERM)
    return page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path, help="The wheel to install.")
    parser.add_argument("--python", default=sys.executable, help="The Python to install it into.")
    parser.add_argument("--most", type=float, default=30.0, help="Seconds of processor time that are permitted.")
    args = parser.parse_args()
    wheel: Path = args.wheel
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "bin").mkdir()
        kept = {key: value for key, value in os.environ.items() if key.startswith(("PIP_", "SSL_", "HTTPS_"))}
        environment = {**kept, "HOME": name, "PATH": str(folder / "bin")}
        subprocess.run([args.python, "-m", "venv", folder / "venv"], check=True)
        own = folder / "venv/bin/python"
        began, before = time.monotonic(), used()
        subprocess.run(
            [own, "-m", "pip", "install", "--quiet", f"{wheel.absolute()}[app]"], env=environment, check=True
        )
        installed = used()
        page = first_page(own, environment)
        total = used() - before
        size = wheel.stat().st_size
        print(f"{wheel.name}, {size / 1e6:.1f} MB")
        print(f"pip install: {installed - before:.1f} s of processor time; until the first page: {total:.1f} s")
        print(f"elapsed: {time.monotonic() - began:.0f} s")
        if "<title" not in page:
            raise SystemExit("what was served is no page")
        if size > bound(wheel.name):
            raise SystemExit(f"more than {bound(wheel.name):,} bytes")
        if total > args.most:
            raise SystemExit(f"more than {args.most:g} s")


if __name__ == "__main__":
    main()
