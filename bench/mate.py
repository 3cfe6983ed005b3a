"""The mate solver on late positions of the engine's own games; for standard shogi beside cshogi's df-pn, in turns.

With ``--file``, on problems of standard shogi instead: a position string a line, and the plies of the mate in the
file's name, as in ``mate-9-ply.txt``. With ``--long``, on those of ``long_mates.txt``, each in a process of its own.
"""

from __future__ import annotations

import multiprocessing
import random
import re
import resource
import time
from collections import Counter
from multiprocessing.connection import Connection
from pathlib import Path

import click

import komadai
from komadai.engine.mate import can_mate

OPENING = 6  # random plies, so that games differ
LONGEST = 250  # plies after which a game is given up
LATE = 30  # plies before the end of which positions are taken


def late_positions(variant: str, games: int) -> list[komadai.Position]:
    """The last positions, before the end, of decided games in which the side to move can give check."""
    found = []
    for seed in range(games):
        chance, game = random.Random(seed), komadai.Game(variant)
        engine = komadai.Engine(variant, tables=False, hash_mb=4)
        while game.outcome() is None and len(game.moves) < LONGEST:
            if len(game.moves) < OPENING:
                game.push(chance.choice(game.position.legal_moves()))
            elif move := engine.search(game.position, nodes=600).move:
                game.push(move)
        position = game.position.copy()
        for _ in range(min(LATE, len(game.moves)) if game.outcome() else 0):
            position.pop()
            if position._native.legal_checks():
                found.append(komadai.Position(variant, position.sfen()))
    return found


def cshogi_mates(positions: list[komadai.Position], nodes: int) -> tuple[list[bool], float]:
    """cshogi's answer and the seconds it took; raises ImportError where it is missing."""
    import cshogi

    solver = cshogi.DfPn(depth=600, nodes=nodes, draw_ply=32_000)
    boards = [cshogi.Board(f"{position.sfen()} 1") for position in positions]
    started = time.perf_counter()
    return [bool(solver.search(board)) for board in boards], time.perf_counter() - started


def problems(file: Path, nodes: int, hash_mb: int) -> str:
    """The results of the problems of a file, in milliseconds of CPU time for each, as a line."""
    wanted = int(re.findall(r"\d+", file.stem)[-1])
    starts = [line for line in file.read_text(encoding="ascii").split("\n") if line.strip()]
    engine = komadai.Engine("shogi", tables=False, hash_mb=hash_mb)
    try:
        import cshogi

        solver = cshogi.DfPn(depth=600, nodes=nodes, draw_ply=32_000)
    except ImportError:
        solver = None
    spent, counts = Counter[str](), Counter[str]()
    engine.mate(komadai.Position("shogi", starts[0]), nodes=nodes)  # reserves the table
    for start in starts:
        position = komadai.Position("shogi", start)  # right before its search, as cshogi's board
        started = time.process_time()
        first = engine.mate(position, nodes=nodes, shortest=False)
        proved = time.process_time()
        mate = engine.mate(position, nodes=nodes)
        spent["ours"] += proved - started
        spent["shortest"] += time.process_time() - proved - (proved - started)
        counts["solved"] += first.outcome == "mate"
        counts["exact"] += mate.shortest and len(mate.pv) == wanted
        counts["other"] += mate.shortest and len(mate.pv) != wanted
        if solver:
            board = cshogi.Board(f"{position.sfen()} 1")
            started = time.process_time()
            counts["cshogi"] += bool(solver.search(board))
            spent["cshogi"] += time.process_time() - started
    ours, theirs, shortest = (spent[name] / len(starts) * 1e3 for name in ("ours", "cshogi", "shortest"))
    return (
        f"{wanted:5} {len(starts):9} {counts['solved']:7} {counts['exact']:6} {counts['other']:6} {ours:9.3f} "
        f"{theirs:9.3f} {ours / theirs if theirs else 0:6.2f} {shortest:9.3f}"
    )


def peak_mb() -> int:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def solve_long(position: str, nodes: int, hash_mb: int, send: Connection) -> None:
    """Send verdict, plies, positions and processor time of the proof, and the memory of the process."""
    engine = komadai.Engine("shogi", tables=False, hash_mb=hash_mb)
    started = time.process_time()
    mate = engine.mate(komadai.Position.problem("shogi", position), nodes=nodes, shortest=False)
    send.send((mate.outcome, len(mate.pv), mate.nodes, time.process_time() - started, peak_mb()))


def solve_long_by_cshogi(position: str, nodes: int, _hash_mb: int, send: Connection) -> None:
    """Likewise by cshogi, which tells no plies, and neither a disproof from a limit that is reached."""
    import cshogi

    solver, board = cshogi.DfPn(depth=4000, nodes=nodes, draw_ply=32_000), cshogi.Board(f"{position} 1")
    started = time.process_time()
    found = bool(solver.search(board))
    send.send(("mate" if found else "-", 0, 0, time.process_time() - started, peak_mb()))


def long_problems(lines: list[str], nodes: int, theirs: int, hash_mb: int) -> None:
    """Print a row of a Markdown table for each problem: name, plies as published and position, separated by ";"."""
    print("| problem | plies | verdict | our line | million positions | s | MiB | cshogi | s | MiB |")
    print("|---|---:|---|---:|---:|---:|---:|---|---:|---:|")
    for line in lines:
        name, plies, position = line.split(";")
        row = f"| {name} | {plies} "
        for solve, limit in (solve_long, nodes), (solve_long_by_cshogi, theirs):
            receive, send = multiprocessing.Pipe(duplex=False)
            worker = multiprocessing.Process(target=solve, args=(position, limit, hash_mb, send))
            worker.start()
            send.close()
            try:
                outcome, found, visited, seconds, memory = receive.recv()
                own = f"| {found or '-'} | {visited / 1e6:.1f} " if solve is solve_long else ""
                row += f"| {outcome} {own}| {seconds:.1f} | {memory} "
            except EOFError:
                row += "| failed " + "| " * (4 if solve is solve_long else 2)
            worker.join()
        print(row + "|", flush=True)


@click.command(context_settings={"show_default": True})
@click.option("--games", type=click.IntRange(min=1), default=12, help="Games of each variant.")
@click.option("--nodes", type=click.IntRange(min=1), default=100_000, help="For each position.")
@click.option("--hash-mb", type=click.IntRange(min=1), default=16, help="Size of the table in MiB.")
@click.option(
    "--file",
    "files",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Problems of standard shogi; repeatable.",
)
@click.option("--long", "name", help="Only the long problems with that in their name; all for an empty one.")
@click.option("--cshogi-nodes", type=click.IntRange(min=1), default=10_000_000, help="For each long problem.")
def main(games: int, nodes: int, hash_mb: int, files: tuple[Path, ...], name: str | None, cshogi_nodes: int) -> None:
    """Print what share of the positions is decided, and the speed."""
    if name is not None:
        lines = Path(__file__).with_name("long_mates.txt").read_text(encoding="utf-8").splitlines()
        chosen = [line for line in lines if not line.startswith("#") and name in line.partition(";")[0]]
        long_problems(chosen, nodes, cshogi_nodes, hash_mb)
        return
    if files:
        print(" plies positions  solved  exact  other   ours ms cshogi ms  ratio  shorten")
        for file in files:
            print(problems(file, nodes, hash_mb), flush=True)
        return
    print(f"{'variant':12} {'positions':>9} {'mate':>5} {'no mate':>8} {'unknown':>8} {'longest':>8} {'knodes/s':>9}")
    for game in filter(lambda game: can_mate(komadai.variant(game)), komadai.variants(shelf=False)):
        positions = late_positions(game, games)
        engine = komadai.Engine(game, tables=False, hash_mb=hash_mb)
        mates = [engine.mate(position, nodes=nodes, shortest=False) for position in positions]
        ends = Counter(mate.outcome for mate in mates)
        seconds, visited = sum(mate.seconds for mate in mates), sum(mate.nodes for mate in mates)
        longest = max((len(mate.pv) for mate in mates), default=0)
        print(
            f"{game:12} {len(positions):9} {ends['mate']:5} {ends['no mate']:8} {ends['unknown']:8} {longest:8} "
            f"{visited / max(seconds, 1e-6) / 1e3:9.0f}",
            flush=True,
        )
        if game != "shogi":
            continue
        try:
            theirs, taken = cshogi_mates(positions, nodes)
        except ImportError:
            print("  cshogi is not installed")
            continue
        missed = sum(found and mate.outcome != "mate" for found, mate in zip(theirs, mates, strict=True))
        denied = sum(found and mate.outcome == "no mate" for found, mate in zip(theirs, mates, strict=True))
        print(
            f"  komadai {ends['mate']} mates in {seconds:.1f} s, cshogi {sum(theirs)} in {taken:.1f} s; "
            f"{missed} found there alone, {denied} of them denied here"
        )


if __name__ == "__main__":
    main()
