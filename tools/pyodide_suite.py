"""Run the test suite in Pyodide under Node.js, and print its counts.

    python tools/pyodide_suite.py [PYTEST ARGUMENT…]

Tests that need threads, processes, sockets or a browser are left out, and modules whose imports exist for no tab (other
libraries to compare with) are not collected; both are named. Random play is short: it is the core that is another one,
not the rules.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pyodide_core import ROOT, core, say

from komadai.app.site.export import parts, tree
from komadai.app.site.export.running import program, run
from komadai.errors import SiteError

PACKAGES = ("pytest", "hypothesis", "packaging")
RUN = Path(__file__).parent / "pyodide_tests.py"


def stage(folder: Path, target: parts.Pyodide) -> None:
    """Put the package with its core, the packages of the tab and of the tests, and the tests into a folder."""
    site = folder / "site"
    shutil.copytree(ROOT / "src/komadai", site / "komadai", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    shutil.copytree(ROOT / "docs/rules", site / "komadai/rules")
    (site / f"komadai/_core.{target.soabi}.so").write_bytes(core(target).read_bytes())
    for wheel in parts.wheels(target, say):
        tree.write(tree.unzipped(wheel.read_bytes()), site)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--only-binary=:all:", "--upgrade"]
    platform = ["--platform", "any", "--implementation", "py", "--python-version", target.python, "--target", site]
    run([*pip, *platform, *PACKAGES], "fetching the packages of the tests")
    for name in ("tests", "fuzz", "docs", "tools", "bench", "examples", "native"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"), symlinks=False)
    for name in ("pyproject.toml", "LICENSE", "CHANGELOG.md", "README.md"):
        shutil.copy(ROOT / name, folder / name)


def main() -> int:
    """Run it; the exit status is pytest's."""
    try:
        target = parts.pyodide(None, say)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            stage(folder, target)
            command = [program("node", "it runs Pyodide"), tree.RUN, target.folder, folder, RUN, *sys.argv[1:]]
            return subprocess.run(command, env=os.environ, check=False).returncode
    except SiteError as error:
        print(f"pyodide_suite: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
