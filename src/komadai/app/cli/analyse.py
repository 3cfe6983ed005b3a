"""``komadai analyse``: the best moves of a position."""

from __future__ import annotations

import sys
from typing import Any

import click
from click.exceptions import Exit

from ...engine import MAX_DEPTH, MAX_LINES, MAX_THREADS, Engine, Info, Line
from ...game.position import Position
from .base import Command, duration, number
from .options import as_json, game, notation, position, position_of, print_json, rules, say, written_line
from .solve import solve_first

_SECONDS = 5.0  # if no limit is given at all


@click.command(cls=Command)
@game
@position
@rules
@click.option("--time", type=duration(0.001), help="The time for the search; 5s if there is no other limit.")
@click.option("--depth", type=number(1, MAX_DEPTH), help=f"Plies to search, at most {MAX_DEPTH}.")
@click.option("--nodes", type=number(1), help="Positions to look at.")
@click.option(
    "--lines",
    type=number(1, MAX_LINES),
    default=1,
    show_default=True,
    help=f"Moves to work out, best first, at most {MAX_LINES}.",
)
@click.option("--threads", type=number(1, MAX_THREADS), default=1, show_default=True, help="Threads of the search.")
@notation
@as_json
def analyse(
    game: str,
    position: str | None,
    rules: dict[str, str],
    time: float | None,
    depth: int | None,
    nodes: int | None,
    lines: int,
    threads: int,
    notation: str | None,
    as_json: bool,
) -> None:
    """Search a position for its best moves. A solved game whose table is here has exact values.

    Scores are for the side to move, in hundredths of the least piece; Ctrl+C prints what was found."""
    at = position_of(game, position, rules)
    if at.outcome() is None:
        solve_first(at.variant)
    engine = Engine(at.variant, threads=threads)
    found: list[Info] = []

    def report(info: Info) -> None:
        found.append(info)
        if not as_json and sys.stderr.isatty():
            say(f"depth {info.depth}: {_score(info.multipv[0])}, {info.nodes:,} positions" if info.multipv else "")

    if time is None and depth is None and nodes is None:
        time = _SECONDS
    interrupted = False
    try:
        found.append(engine.search(at, time=time, depth=depth, nodes=nodes, multipv=lines, report=report))
    except KeyboardInterrupt:
        if not found:
            raise
        interrupted = True
    last = found[-1]
    if as_json:
        print_json(_data(at, last, notation))
    else:
        _tell(at, last, notation)
    if interrupted:
        raise Exit(130)


def _tell(at: Position, last: Info, notation: str | None) -> None:
    """Print what was found."""
    print(at)
    if (outcome := at.outcome()) is not None:
        print(outcome)
        return
    print(f"depth {last.depth}, {last.nodes:,} positions, {last.seconds:.1f} s")
    for line in last.multipv:
        print(f"{_score(line):>10}  {' '.join(written_line(at, line.pv, notation))}")


def _score(line: Line) -> str:
    if line.mate is None:
        return f"{line.score / 100:+.2f}"
    return f"win in {line.mate}" if line.mate > 0 else f"loss in {-line.mate}"


def _data(position: Position, info: Info, style: str | None) -> dict[str, Any]:
    outcome = position.outcome()
    return {
        "variant": position.variant.id,
        "position": position.sfen(),
        "outcome": outcome and {"winner": outcome.winner, "reason": outcome.reason},
        **{name: getattr(info, name) for name in ("depth", "seldepth", "nodes")},
        "seconds": round(info.seconds, 3),
        "lines": [
            {
                "score": line.score,
                "mate": line.mate,
                "moves": [str(move) for move in line.pv],
                "written": written_line(position, line.pv, style),
            }
            for line in info.multipv
        ],
    }
