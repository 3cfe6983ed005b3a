"""The core without Python: its unit tests (``native/tests``), and ``komadai_perft`` against the perft tables."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

import komadai
from helpers.support import ROOT, perft_rows
from komadai.compiler.dump import dump
from komadai.game.position import Position

BUILD = ROOT / "build" / "core-test"
MOST_NODES = 30_000  # of a row of the perft tables: the core is built without optimisation


def run(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def built(*targets: str) -> None:
    """Build the core for tests: without Python, unoptimised, warnings as errors."""
    if shutil.which("cmake") is None:
        pytest.skip("cmake is not installed")
    run("cmake", "-S", ROOT, "-B", BUILD, "-DKOMADAI_PYTHON=OFF", "-DKOMADAI_WERROR=ON", "-DCMAKE_BUILD_TYPE=None")
    run("cmake", "--build", BUILD, "-j", str(os.cpu_count() or 2), "--target", *targets)


@pytest.mark.slow  # builds the core a second time
def test_the_core_alone(tmp_path: Path) -> None:
    doctest = any(Path(folder, "doctest/doctest.h").is_file() for folder in ("/usr/include", "/usr/local/include"))
    if not doctest:
        pytest.skip("doctest is not installed (Debian: doctest-dev)")
    built("komadai_core_tests", "komadai_perft")
    assert "SUCCESS" in run(BUILD / "komadai_core_tests", "--no-colors")
    counted = set()
    for name, _, position, depth, nodes in perft_rows():
        if nodes > MOST_NODES or depth < 2:
            continue
        path = tmp_path / f"{len(counted)}.rules"
        path.write_text(dump(name, position))
        *moves, total = run(BUILD / "komadai_perft", path, str(depth), "divide").splitlines()
        assert int(total) == nodes == sum(int(line.rpartition(" ")[2]) for line in moves)
        assert int(run(BUILD / "komadai_perft", path, str(depth))) == nodes
        assert len(moves) == len(Position(name, position).legal_moves())
        counted.add(name)
    assert counted == set(komadai.variants(shelf=True))
    refused = subprocess.run([BUILD / "komadai_perft", tmp_path / "none", "1"], capture_output=True, text=True)
    assert refused.returncode == 1
    assert "cannot be read" in refused.stderr


@pytest.mark.slow
def test_a_core_for_tuning_compiles() -> None:
    """``KOMADAI_TUNING``, with which ``tools/spsa.py`` sets the numbers of the search (native/search_numbers.hpp)."""
    nanobind = pytest.importorskip("nanobind")
    for source in ("worker.cpp", "bind_search.cpp"):
        run(
            os.environ.get("CXX", "c++"),
            *(
                "-std=c++20",
                "-fsyntax-only",
                "-fvisibility=hidden",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-DKOMADAI_TUNING",
                "-DKOMADAI_WORDS=2",
            ),
            *("-isystem", nanobind.include_dir(), "-isystem", sysconfig.get_path("include")),
            ROOT / "native" / source,
        )
