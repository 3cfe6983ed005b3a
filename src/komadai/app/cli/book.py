"""``komadai book``: opening books built from records, shown and merged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from click.exceptions import Exit
from rich.cells import cell_len, set_cell_size

from ... import book as books
from ...book import Book, BookMove, Builder
from ...errors import BookError, KomadaiError, NotationError
from ...game.position import Position
from ...record.tree import Record
from ...spec.variant import Variant
from ...variants import build as build_variant
from ..openings import packaged
from ..openings.checking import check as checked
from ..openings.making import GAMES, LINES, PLIES, make
from .base import Group, number
from .files import File, Use, read_again
from .files import check as check_files
from .options import (
    as_json,
    game,
    game_option,
    notation,
    output,
    placed,
    position,
    print_json,
    rules,
    seed,
    shown,
    warn,
    written,
)
from .record import files_in, load
from .solve import Stages, solve_first

group = Group("book", help="Build, show and merge opening books, and let the engine play openings.")

_WARNINGS = 10  # files named that cannot be read; the others are counted

written_book = output("The book to write.", Use.WRITES, required=True)
least = click.option(
    "--least",
    type=number(1, 10**6),
    default=1,
    show_default=True,
    help="In how many games a move must have been played.",
)


@group.command()
@click.argument(
    "records",
    nargs=-1,
    required=True,
    type=File(Use.READS),
    metavar="RECORDS...",
    help="Files with records of games in any format, and folders of such.",
)
@written_book
@click.option(
    "--plies",
    type=number(1, 10_000),
    default=books.PLIES,
    show_default=True,
    help="How many plies of each game to take in.",
)
@least
@game_option("The game; by default that of the first record.")
@rules
@as_json
def build(
    records: tuple[Path, ...],
    output: Path,
    plies: int,
    least: int,
    game: str | None,
    rules: dict[str, str],
    as_json: bool,
) -> None:
    """Build a book from records: for each position the moves played, with their results and scores."""
    if game is None and rules:
        raise NotationError("--rule", ["needs --game, the game whose option it is"])
    variant = None if game is None else build_variant(game, **rules)
    builder = None if variant is None else Builder(variant, plies=plies)
    others: dict[str, int] = {}
    paths = files_in(records)
    check_files([("--output", output)], read=[("a file of RECORDS", path) for path in paths], force=True)
    for path, record in _records(paths, variant):
        if builder is None:
            builder = Builder(record.variant, plies=plies)
        if books.same_game(record.variant, builder.variant):
            builder.add(record)
        elif variant is None:
            words = (
                f"holds a game of {record.variant.id}, others before it are of {builder.variant.id} (or of other rules)"
            )
            raise NotationError(repr(str(path)), [f"{words}; say with --game which to take"])
        else:
            others[record.variant.id] = others.get(record.variant.id, 0) + 1
    for name, count in others.items():
        warn(f"{_games(count)} of {name} (or of other rules) passed over")
    if builder is None:
        raise NotationError("RECORDS", ["hold no game"])
    _write(builder, output, least, as_json)


def _records(paths: Sequence[Path], variant: Variant | None) -> Iterator[tuple[Path, Record]]:
    """The records of all files; those that cannot be read are named, and the others taken."""
    failed = 0
    with shown(paths, "reading") as files:
        for path in files:
            try:
                found = load(str(path), variant, None)
            except KomadaiError as error:
                failed += 1
                if failed <= _WARNINGS:
                    warn(f"{str(error)[:500]}; passed over")
                continue
            yield from ((path, record) for record in found)
    if failed == len(paths):
        raise NotationError("RECORDS", ["none of the files can be read"])
    if failed > _WARNINGS:
        warn(f"{failed} files passed over in all")


@group.command()
@click.argument(
    "sources",
    nargs=-1,
    required=True,
    type=File(Use.READS),
    metavar="FILES...",
    help="Books of one game.",
)
@written_book
@least
@as_json
def merge(sources: tuple[Path, ...], output: Path, least: int, as_json: bool) -> None:
    """Merge books of one game; a game that is in several counts several times."""
    opened = [books.open(path) for path in sources]
    builder = Builder(opened[0].variant, plies=max(min(book.plies, books.MOST_PLIES) for book in opened))
    for book in opened:
        try:
            builder.merge(book)
        except BookError as error:
            raise BookError(f"{book.path}: {error}") from None
    _write(builder, output, least, as_json)


@group.command()
@click.argument("file", type=File(Use.READS), metavar="FILE", help="A book.")
@position
@notation
@as_json
def show(file: Path, position: str | None, notation: str | None, as_json: bool) -> None:
    """Show what a book holds, and the moves of a position, by default the start."""
    book = books.open(file)
    place = placed(book.variant, position)
    moves = book.moves(place)
    if as_json:
        print_json({**book.about, "position": place.sfen(), "found": [_data(place, move, notation) for move in moves]})
        return
    _tell(book, file, False)
    print(f"\n{place.sfen()}")
    if not moves:
        print("no move of this position is in the book")
        return
    rows = [_row(place, move, notation) for move in moves]
    rows.insert(0, ("move", "", "games", "wins", "draws", "losses", "points", "score"))
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        left = [set_cell_size(cell, width) for cell, width in zip(row[:2], widths, strict=False)]
        right = [cell.rjust(width) for cell, width in zip(row[2:], widths[2:], strict=True)]
        print("  ".join((*left, *right)).rstrip())


def _row(position: Position, move: BookMove, notation: str | None) -> tuple[str, ...]:
    points = "" if move.points is None else f"{100 * move.points:.0f}%"
    score = "" if move.score is None else f"{move.score / 100:+.2f}"
    counts = (move.games, move.wins, move.draws, move.losses)
    return (str(move.move), written(position, move.move, notation), *(f"{count:,}" for count in counts), points, score)


def _data(position: Position, move: BookMove, notation: str | None) -> dict[str, object]:
    return {
        "move": str(move.move),
        "written": written(position, move.move, notation),
        **{name: getattr(move, name) for name in ("games", "wins", "draws", "losses", "score", "scored")},
    }


def _write(builder: Builder, out: Path, least: int, as_json: bool) -> None:
    """Write a book, and print what it holds."""
    with read_again(out) as path:
        _tell(builder.write(path, least=least), out, as_json)


def _games(count: int) -> str:
    return f"{count:,} game{'s' * (count != 1)}"


def _tell(book: Book, path: Path, as_json: bool) -> None:
    """Print what a book holds, which is called so."""
    size = book.path.stat().st_size
    if as_json:
        print_json({**book.about, "file": str(path), "bytes": size})
        return
    about = book.about
    options = "".join(f", {name}={value}" for name, value in about["options"].items())
    print(f"{book.variant.name} {about['version']}{options}: {_games(about['games'])}, {about['plies']} plies of each")
    played = f", each played in {about['least']} games or more" if about["least"] > 1 else ""
    print(f"{about['positions']:,} positions, {about['moves']:,} moves{played}")
    print(f"{path}, {size:,} bytes")


@group.command()
@game
@rules
@output("The book to write; by default GAME.book.", Use.WRITES)
@click.option("--games", type=number(2, 100_000), default=GAMES, show_default=True, help="How many games to play.")
@click.option("--lines", type=number(1, 100), default=LINES, show_default=True, help="How many lines to choose.")
@click.option("--plies", type=number(2, 60), default=PLIES, show_default=True, help="The length of an opening.")
@click.option("--nodes", type=number(1), help="Positions that the engine looks at for a move; by default as level 10.")
@seed("The seed of the games.")
@as_json
def openings(
    game: str,
    rules: dict[str, str],
    output: Path | None,
    games: int,
    lines: int,
    plies: int,
    nodes: int | None,
    seed: int,
    as_json: bool,
) -> None:
    """Let the engine play a game's openings: a book, lines to learn, and wrong moves with their punishment."""
    variant = build_variant(game, **rules)
    out = output or Path(f"{variant.id}.book")
    solve_first(variant)
    with read_again(out) as path:
        with (stages := Stages(one=True)).bars:
            made = make(variant, path, games=games, lines=lines, plies=plies, seed=seed, nodes=nodes, progress=stages)
        _tell(made, out, as_json)


@group.command()
@game
@rules
@click.option("--file", type=File(Use.READS), metavar="FILE", help="A book; by default that of the package.")
@click.option("--one-in", type=number(1), default=1, show_default=True, help="Check one move in N.")
@click.option("--times", type=number(1, 1_000), default=1, show_default=True, help="Search N times the usual nodes.")
@as_json
def check(game: str, rules: dict[str, str], file: Path | None, one_in: int, times: int, as_json: bool) -> None:
    """Check a book of openings: that the moves of its lines are good, and the wrong moves beside them wrong."""
    variant = build_variant(game, **rules)
    book = packaged(variant) if file is None else Book(file, variant)
    if book is None or book.openings is None:
        raise BookError(f"book of {game}: there are no openings; make some with: komadai book openings {game}")
    solve_first(variant)
    looked, defects = 0, []
    with (stages := Stages()).bars:
        for one in checked(book, times, one_in):
            stages("checking", looked, looked + 1)
            looked += 1
            if one.why:
                defects.append({"line": one.opening.id, "ply": one.ply, "why": one.why})
    if as_json:
        print_json({"game": game, "moves": looked, "wrong": defects})
    else:
        for defect in defects:
            print(f"{defect['line']}.{defect['ply']}: {defect['why']}")
        print(f"{looked - len(defects)} of {looked} moves are as the book says")
    raise Exit(1 if defects else 0)
