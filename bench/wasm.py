"""Leaves a second of the core as WebAssembly, of two versions in turns, each compiled by zig and run by Node.js.

    git worktree add ../before 5bf975c
    pip install --no-deps --target ../installed ../before
    python bench/wasm.py ../before ../installed

The rules alone are compiled, without Python. Each version counts with rule tables of its own. In the table: millions of
leaves a second, counted in bulk and with the moves of the last ply made, and the ratio, each the median of the rounds.
The clock is that of the module; what is compiled before it starts does not count. Needs zig (``pip install ziglang``)
and Node.js.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from perft import DEPTHS

PLIES = DEPTHS | {"ki-unicorn": 5}  # one more, for a count that is long enough
HERE = Path(__file__).resolve()
# Of the core's sources, those that list moves; a version may lack one.
SOURCES = ("layout_text", "rules", "state", "position", "royal_moves", "compound", "sets")
RUNNER = """
import { WASI } from "node:wasi";
import { openSync, readFileSync } from "node:fs";
const [program, rules, ...rest] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: ["perft", ...rest], stdin: openSync(rules) });
const { instance } = await WebAssembly.instantiate(readFileSync(program), wasi.getImportObject());
process.exit(wasi.start(instance));
"""


def built(tree: Path, made: Path) -> Path:
    """The program of a version's core."""
    sources = [path for name in SOURCES if (path := tree / "native" / f"{name}.cpp").exists()]
    zig = [sys.executable, "-m", "ziglang", "c++", "-target", "wasm32-wasi", "-std=c++20", "-O3", "-g0"]
    options = ["-fno-sanitize=undefined", f"-I{tree / 'native'}"]
    subprocess.run([*zig, *options, *sources, HERE.with_suffix(".cpp"), "-o", made], check=True)
    return made


def rules(name: str, installed: Path | None, file: Path) -> Path:
    """The rule tables of a game and its start as that version writes them."""
    environment = os.environ | ({"PYTHONPATH": str(installed)} if installed else {})
    dump = [sys.executable, "-m", "komadai.compiler.dump", name]
    file.write_bytes(subprocess.run(dump, env=environment, cwd=file.parent, stdout=subprocess.PIPE, check=True).stdout)
    return file


def counted(runner: Path, program: Path, tables: Path, depth: int, mode: str) -> tuple[int, float]:
    """Leaves, and leaves a second."""
    # Optimised code from the start, as in a tab after a moment.
    node = ["node", "--no-warnings", "--no-liftoff", "--no-wasm-tier-up", "--no-wasm-lazy-compilation", runner]
    done = subprocess.run([*node, program, tables, str(depth), mode], capture_output=True, text=True, check=True)
    leaves, seconds = done.stdout.split()
    return int(leaves), int(leaves) / float(seconds)


@click.command(context_settings={"show_default": True})
@click.argument("before", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("installed", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--rounds", type=click.IntRange(min=1), default=5, help="How often each version has its turn.")
@click.option("--game", "games", multiple=True, type=click.Choice(list(PLIES)), help="This game alone; repeatable.")
def main(before: Path, installed: Path, rounds: int, games: tuple[str, ...]) -> None:
    """Print leaves a second of both versions, and the ratios.

    BEFORE is a checkout of the other version, INSTALLED the folder in which it is installed.
    """
    if shutil.which("node") is None:
        raise SystemExit("node is not installed: it runs the WebAssembly")
    print(f"{'':12}", *(f"{mode + ': depth':>12} {'before':>8} {'now':>8} {'ratio':>6}" for mode in ("bulk", "made")))
    with TemporaryDirectory() as name:
        folder = Path(name)
        runner = folder / "run.mjs"
        runner.write_text(RUNNER, encoding="ascii")
        programs = built(before.resolve(), folder / "before.wasm"), built(HERE.parents[1], folder / "now.wasm")
        for game in games or PLIES:
            tables = rules(game, installed.resolve(), folder / "old"), rules(game, None, folder / "new")
            cells = []
            for mode, depth in (("bulk", PLIES[game]), ("made", PLIES[game] - 1)):
                seen = []
                for _ in range(rounds):
                    pair = [counted(runner, *one, depth, mode) for one in zip(programs, tables, strict=True)]
                    if pair[0][0] != pair[1][0]:
                        raise SystemExit(f"{game}, depth {depth}: {pair[0][0]} leaves before, {pair[1][0]} now")
                    seen.append([rate for _, rate in pair])
                old, new = (statistics.median(column) for column in zip(*seen, strict=True))
                ratio = statistics.median(two / one for one, two in seen)
                cells.append(f"{depth:12} {old / 1e6:8.1f} {new / 1e6:8.1f} {ratio:6.2f}")
            print(f"{game:12} {' '.join(cells)}", flush=True)


if __name__ == "__main__":
    main()
