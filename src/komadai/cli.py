"""The command line: ``komadai play | tui | moves | perft | variants | solve | engine | match | record | picture``."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Table

from . import __version__
from .arena.command import match
from .board import Unbounded
from .engine.levels import STRONGEST
from .errors import KomadaiError, NotationError, TableError
from .move import Move
from .notation import of as notation_of
from .picture.command import picture
from .position import Position
from .record.command import app as records
from .variants import build, entry, names

app = typer.Typer(
    help="Ki, Hand, Nana, Mortal and Kō Shōgi, with standard shogi beside them.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
out = Console(soft_wrap=True)
err = Console(stderr=True, soft_wrap=True)

Game = Annotated[str, typer.Argument(help="A game's name; `komadai variants` lists them.", metavar="GAME")]
Words = Annotated[
    list[str] | None, typer.Argument(help="A position string; the start if left out.", metavar="[POSITION]")
]
Rules = Annotated[
    list[str] | None, typer.Option("--option", "-o", help="A rule option, as NAME=VALUE.", metavar="NAME=VALUE")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def options_of(rules: list[str] | None) -> dict[str, str]:
    """The rule options that a command was given as NAME=VALUE."""
    options = {}
    for rule in rules or []:
        name, equals, value = rule.partition("=")
        if not equals:
            raise NotationError(f"option {rule!r}", ["has no value; expected NAME=VALUE, for example drop_faces=front"])
        options[name] = value
    return options


def _position(game: str, words: list[str] | None, rules: list[str] | None) -> Position:
    return Position(build(game, **options_of(rules)), " ".join(words) if words else None)


def _print_json(data: Any) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=2))


@app.callback(invoke_without_command=True)
def root(version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False) -> None:
    if version:
        print(f"komadai {__version__}")
        raise typer.Exit


@app.command()
def variants(as_json: Json = False) -> None:
    """List the games and their rule options."""
    if as_json:
        _print_json(
            [
                {
                    "name": name,
                    "title": build(name).name,
                    "version": build(name).version,
                    "board": [build(name).board.width, build(name).board.height],
                    "unbounded": isinstance(build(name).board, Unbounded),
                    "start": build(name).start,
                    "summary": build(name).summary,
                    "options": {
                        o.name: {"default": o.default, "values": o.values, "help": o.help, "sizes": o.sizes}
                        for o in entry(name).all_options
                    },
                }
                for name in names()
            ]
        )
        return
    table = Table("name", "game", "board", "rule options (default first)")
    for name in names():
        variant = build(name)
        options = "\n".join(f"{option.name}: {option.choices}" for option in entry(name).all_options)
        board = variant.board
        size = "unbounded" if isinstance(board, Unbounded) else f"{board.width}×{board.height}"
        table.add_row(name, f"{variant.name}\n{variant.summary}", size, options)
    Console().print(table)


@app.command()
def moves(game: Game, position: Words = None, option: Rules = None, as_json: Json = False) -> None:
    """List the legal moves of a position."""
    at = _position(game, position, option)
    legal = sorted(at.legal_moves(), key=str)
    outcome = at.outcome()
    if as_json:
        _print_json(
            {
                "variant": at.variant.id,
                "position": at.sfen(),
                "check": at.is_check(),
                "outcome": outcome and {"winner": outcome.winner, "reason": outcome.reason},
                "moves": [str(move) for move in legal],
                "written": [notation_of(at.variant).write(at, move) for move in legal],
            }
        )
        return
    print(at)
    print(f"{len(legal)} legal moves{', in check' if at.is_check() else ''}")
    if outcome:
        print(outcome)
    if legal:
        width = max(len(str(move)) for move in legal) + 2
        columns = max(1, min(out.width, 100) // width)
        for start in range(0, len(legal), columns):
            print("".join(str(move).ljust(width) for move in legal[start : start + columns]).rstrip())


def _tracked(moves: list[Move]) -> Iterator[Move]:
    """The moves, with a progress bar on a terminal."""
    if not err.is_terminal:
        yield from moves
        return
    columns = (TextColumn("perft"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True) as progress:
        yield from progress.track(moves)


@app.command(context_settings={"ignore_unknown_options": True})  # so that -1 is a number out of range
def perft(
    game: Game,
    depth: Annotated[int, typer.Argument(help="Plies, 0 or more.", min=0, metavar="N")],
    position: Words = None,
    option: Rules = None,
    divide: Annotated[bool, typer.Option("--divide", help="Count below each root move too.")] = False,
    as_json: Json = False,
) -> None:
    """Count the legal move sequences of N plies."""
    at = _position(game, position, option)
    legal = sorted(at.legal_moves(), key=str)
    counts: dict[str, int] = {}
    started = time.perf_counter()
    if depth == 0:
        nodes = 1
    else:
        for move in _tracked(legal):
            at.push(move)
            counts[str(move)] = at.perft(depth - 1)
            at.pop()
        nodes = sum(counts.values())
    seconds = time.perf_counter() - started
    if as_json:
        data = {
            "variant": at.variant.id,
            "position": at.sfen(),
            "depth": depth,
            "nodes": nodes,
            "seconds": round(seconds, 6),
        }
        _print_json(data | ({"divide": counts} if divide else {}))
        return
    if divide:
        for text, count in counts.items():
            print(f"{text}: {count}")
    print(f"{nodes} nodes, {seconds:.3f} s, {nodes / max(seconds, 1e-9) / 1e6:.1f} million a second")


class _Stages:
    """Shows how far long work in several stages has come, on a terminal."""

    def __init__(self) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
        self.bars = Progress(*columns, console=err, transient=True, disable=not err.is_terminal)
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, stage: str, done: int, total: int) -> None:
        if stage not in self._tasks:
            self._tasks[stage] = self.bars.add_task(stage)
        self.bars.update(self._tasks[stage], completed=done, total=total)


_REFERENCE_SAMPLE = 10_000  # positions whose moves the slow generator finds again in an audit


@app.command()
def solve(
    game: Game,
    option: Rules = None,
    output: Annotated[
        Path | None, typer.Option(help="Where the table goes; by default into the cache.", dir_okay=False)
    ] = None,
    threads: Annotated[
        int | None, typer.Option(help="Processor cores to use; by default all.", min=1, max=256, metavar="N")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Solve even if the table is at hand.")] = False,
    audit: Annotated[bool, typer.Option("--audit", help="Check every value of the table against the moves.")] = False,
    as_json: Json = False,
) -> None:
    """Solve a small game completely, or tell what its table says; an interrupted solution is taken up again."""
    from . import solve as solved

    variant = build(game, **options_of(option))
    started = time.perf_counter()
    with (stages := _Stages()).bars:
        table = None if again or output else solved.find(variant)
        built = table is None
        if table is None:
            table = solved.build(variant, path=output, threads=threads, progress=stages)
    seconds = time.perf_counter() - started
    start = table.probe(Position(variant))
    statistics = table.statistics
    shares = statistics.shares(statistics.positions)
    data = {
        "variant": variant.id,
        "version": variant.version,
        "options": table.about["options"],
        "file": str(table.path),
        "bytes": table.path.stat().st_size,
        "values_sha256": table.about["values"],
        "built_in_seconds": round(seconds, 1) if built else None,
        "start": str(start),
        "longest_win": max((value - 1 for value in range(2, len(statistics.positions), 2)), default=None),
        "positions": shares,
        "reachable": statistics.shares(statistics.reachable),
    }
    if not as_json:
        print(f"{variant.name}: {start} for Black at the start")
        print(f"{sum(shares.values()):,} positions: {', '.join(f'{n:,} {name}' for name, n in shares.items())}")
        print(f"longest win: {data['longest_win']} plies")
        print(f"{table.path}, {data['bytes']:,} bytes{f', built in {seconds:.1f} s' if built else ''}")
    if audit:
        with (stages := _Stages()).bars:
            full = table.audit(threads=threads or os.cpu_count() or 1, progress=stages)
            slow = table.check_by_reference(_REFERENCE_SAMPLE, progress=stages)
        data["audit"] = {
            name: {"positions": one.positions, "moves": one.moves, "wrong": len(one.wrong)}
            for name, one in (("all", full), ("reference", slow))
        }
        if not as_json:
            print(f"audit: {full.positions:,} positions, {full.moves:,} moves: {len(full.wrong) or 'none'} wrong")
            print(f"by the reference generator: {slow.positions:,} positions: {len(slow.wrong) or 'none'} wrong")
    if as_json:
        _print_json(data)
    if audit and (full.wrong or slow.wrong):
        raise TableError(f"{table.path} is wrong, for example at {(*full.wrong, *slow.wrong)[0]}")


@app.command()
def engine(
    variant: Annotated[str | None, typer.Argument(help="The game to start with.", metavar="[GAME]")] = None,
    protocol: Annotated[
        str | None,
        typer.Option(help="usi, uci or xboard; by default the first of these words that the program says decides."),
    ] = None,
) -> None:
    """Run the engine for another program, over USI, UCI or XBoard's protocol on standard input and output."""
    from .protocol.server import Server

    Server(variant, protocol).run()


@app.command()
def play(
    game: Annotated[str | None, typer.Argument(help="Open this game's set-up at once.", metavar="[GAME]")] = None,
    host: Annotated[
        str, typer.Option(help="Address to listen on; others than this machine's own are reachable by strangers.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on; 0 takes a free one.", min=0, max=65535)] = 8000,
    data: Annotated[Path | None, typer.Option(help="Where games are kept.", file_okay=False)] = None,
    store: Annotated[
        str | None,
        typer.Option(
            envvar="KOMADAI_STORE",
            metavar="URL",
            help="Keep games in this PostgreSQL database, postgresql://user@host/name; servers may share it.",
        ),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A host name to answer to besides localhost, as behind a proxy; repeatable."),
    ] = None,
    limits: Annotated[
        int,
        typer.Option(help="How many times as much as usual clients may ask of this server.", min=1, max=1_000_000),
    ] = 1,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Play in the browser: start the local server and open its page."""
    if game is not None:
        entry(game)
    try:
        from .web.limits import USUAL
        from .web.server import serve
    except ModuleNotFoundError as missing:
        raise NotationError("play", [f"needs {missing.name}; install it with: pip install 'komadai[web]'"]) from None
    serve(
        game,
        host=host,
        port=port,
        open_browser=browser,
        data=data,
        store_url=store,
        names=allow_host or (),
        limits=USUAL.times(limits),
    )


@app.command()
def tui(
    game: Annotated[str | None, typer.Argument(help="Open this game's set-up at once.", metavar="[GAME]")] = None,
    level: Annotated[
        int | None, typer.Option(help="Play the computer at this level at once.", min=1, max=STRONGEST, metavar="N")
    ] = None,
    two: Annotated[bool, typer.Option("--two", help="Play at once, two people at this screen.")] = False,
    side: Annotated[str, typer.Option(help="Your side: b, w or random.")] = "b",
    position: Annotated[str | None, typer.Option(help="Where the game begins, as a position string.")] = None,
    option: Rules = None,
    letters: Annotated[bool, typer.Option("--letters", help="Show pieces by letters, not kanji (key k).")] = False,
    data: Annotated[Path | None, typer.Option(help="Where games are kept.", file_okay=False)] = None,
) -> None:
    """Play in the terminal; with --level or --two a game begins at once."""
    try:
        from .tui.app import Terminal
        from .tui.setup import game_of, players_of
    except ModuleNotFoundError as missing:
        raise NotationError("tui", [f"needs {missing.name}; install it with: pip install 'komadai[tui]'"]) from None
    begin = None
    if level is not None or two:
        if game is None:
            raise NotationError("tui", ["name the game that shall begin, for example: komadai tui shogi --level 3"])
        if level is not None and two:
            raise NotationError("tui", ["give --level or --two, not both"])
        begin = (game_of(game, position, options_of(option)), players_of(level, side))
    elif option or position:
        raise NotationError("tui", ["--option and --position need --level or --two, with which a game begins at once"])
    program = Terminal(data, set_up=game, begin=begin, letters=letters)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise NotationError("tui", ["needs a terminal for its input and output"])
    program.run()


app.command()(match)
app.command()(picture)
app.add_typer(records, name="record")


def main() -> None:
    """Run the command line; what is wrong with the input is said in one line, with exit status 2."""
    try:
        app()
    except KomadaiError as error:
        err.print(f"komadai: {error}", style="red", markup=False, highlight=False)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
