"""The console commands, the same in all protocols: ``d``, ``perft N`` and ``bench [DEPTH]``."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator

from ..engine import Engine, Info
from ..game.position import Position
from ..notation.fen import fen
from ..spec.variant import Variant

_AT_ONCE = 2  # plies counted between two checks for ``stop``
_BENCH_PLIES = (0, 6, 12, 20, 30, 40)  # of random play, before each position of the bench
_BENCH_NODES = 60_000  # a position, where no depth is given


def display(position: Position) -> list[str]:
    """The board, the position in both notations, its key and, if the game is over, how it ended, as lines."""
    outcome = position.outcome()
    lines = [*str(position).splitlines(), f"sfen {position.sfen(ply=True)}", f"fen {fen(position)}"]
    return [*lines, f"key {position._native.key():016x}", *([str(outcome)] if outcome else [])]


class _StoppedError(Exception):
    """Somebody said ``stop``."""


def perft(position: Position, depth: int, write: Callable[[str], None], stopped: threading.Event) -> None:
    """Write how many move sequences of ``depth`` plies there are, below each move and in total."""
    started, total = time.perf_counter(), 0
    try:
        if depth == 0:
            total = 1
        else:
            for move in sorted(position.legal_moves(), key=str):
                position.push(move)
                count = _count(position, depth - 1, stopped)
                position.pop()
                write(f"{move}: {count}")
                total += count
    except _StoppedError:
        write(f"perft {depth}: stopped")
        return
    seconds = time.perf_counter() - started
    write(f"perft {depth}: {total} nodes time {round(seconds * 1000)} nps {round(total / max(seconds, 1e-6))}")


def _count(position: Position, depth: int, stopped: threading.Event) -> int:
    if stopped.is_set():
        raise _StoppedError
    if depth <= _AT_ONCE:
        return position.perft(depth)
    total = 0
    for move in position.legal_moves():
        position.push(move)
        total += _count(position, depth - 1, stopped)
        position.pop()
    return total


def bench_positions(variant: Variant) -> Iterator[Position]:
    """Fixed positions of a game: its start, and others out of play that is random and always the same."""
    for number, plies in enumerate(_BENCH_PLIES):
        chance, position = random.Random(number), Position(variant)
        for _ in range(plies):
            # In the order of their strings, since the order of generation may change.
            moves = sorted(position.legal_moves(), key=str)
            position.push(moves[int(chance.random() * len(moves))])
            if position.outcome() is not None:
                position.pop()
                break
        yield position


def bench(engine: Engine, depth: int | None, write: Callable[[str], None], stopped: threading.Event) -> None:
    """Search the positions of :func:`bench_positions` and write the nodes of completed depths, and the speed.

    Args:
        engine: a new engine for the game, with one thread and without solved tables.
        depth: plies, 1 or more; without it each position gets a fixed number of nodes.
        write: takes each line. ``stopped``: ends it early, without a total.
    """
    total, searched, seconds = 0, 0, 0.0
    for number, position in enumerate(bench_positions(engine.variant), 1):
        reports: list[Info] = []
        nodes = None if depth is not None else _BENCH_NODES
        info = engine.search(position, depth=depth, nodes=nodes, report=reports.append)
        if stopped.is_set():
            write("bench: stopped")
            return
        engine.clear()
        done = reports[-1].nodes if reports else 0
        total, searched, seconds = total + done, searched + info.nodes, seconds + info.seconds
        write(f"bench {number}/{len(_BENCH_PLIES)}: depth {info.depth} nodes {done} best {info.move or '-'}")
    write(f"bench: {total} nodes time {round(seconds * 1000)} nps {round(searched / max(seconds, 1e-6))}")
