"""The core, all but its bindings, compiled for other systems by zig's compiler: none of it needs POSIX."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.support import ROOT, perft_rows
from helpers.volume import FULL
from komadai.compiler.dump import dump

SOURCES = sorted(path for path in (ROOT / "native").glob("*.cpp") if not path.name.startswith("bind"))
OBJECTS = {  # target -> where the format of such an object file has its processor, and its number there
    "x86_64-windows-gnu": (6, 0x8664),  # of a file with more sections than the plain format numbers
    "aarch64-macos": (4, 0x000C),
    "x86_64-linux-musl": (18, 62),
    "aarch64-linux-gnu": (18, 183),
    "x86-linux-musl": (18, 3),  # words of 32 bits, as in WebAssembly
}
MOST_NODES = 30_000  # of a row of the perft tables: the core is built without optimisation


def compiled(target: str, folder: Path, *options: str) -> Path:
    """Compile the whole core as one file, without a warning."""
    whole, made = folder / "core.cpp", folder / "core"
    whole.write_text("".join(f'#include "{path.name}"\n' for path in SOURCES), encoding="utf-8")
    zig = [sys.executable, "-m", "ziglang", "c++", "-target", target, "-std=c++20", f"-I{ROOT / 'native'}"]
    # Without -g0 and -fno-sanitize, zig adds debugging information and UndefinedBehaviorSanitizer.
    flags = ["-O0", "-g0", "-fno-sanitize=undefined", "-Wall", "-Wextra"]
    ran = subprocess.run([*zig, *flags, *options, whole, "-o", made], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    return made


@pytest.mark.slow  # `make portable`
@pytest.mark.parametrize("target", OBJECTS)
def test_the_core_compiles_for(target: str, tmp_path: Path) -> None:
    pytest.importorskip("ziglang")
    made = compiled(target, tmp_path, "-c").read_bytes()
    at, processor = OBJECTS[target]
    assert int.from_bytes(made[at : at + 2], "little") == processor
    assert len(made) > 500_000


@pytest.mark.slow
@pytest.mark.skipif(not FULL, reason="zig builds the libraries of C++ for each target at first, which takes a minute")
@pytest.mark.parametrize(("target", "magic"), [("x86_64-linux-musl", b"\x7fELF"), ("x86_64-windows-gnu", b"MZ")])
def test_the_core_links_for(target: str, magic: bytes, tmp_path: Path) -> None:
    """The program for musl needs no library of the system, so it runs here and counts."""
    pytest.importorskip("ziglang")
    program = compiled(target, tmp_path)
    assert program.read_bytes().startswith(magic)
    if magic == b"MZ" or os.uname().machine != "x86_64":
        return
    games = {name: (position, depth, nodes) for name, _, position, depth, nodes in perft_rows() if nodes <= MOST_NODES}
    for name, (position, depth, nodes) in games.items():
        (tmp_path / "rules").write_text(dump(name, position), encoding="utf-8")
        ran = subprocess.run([program, tmp_path / "rules", str(depth)], capture_output=True, text=True)
        assert (ran.returncode, ran.stdout) == (0, f"{nodes}\n"), name
    assert len(games) > 5
