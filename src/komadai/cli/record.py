"""``komadai record``: records shown, and turned from one format into another."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ..errors import KomadaiError, NotationError
from ..record.files import FORMATS, MOST_BYTES, Format, read, write
from ..record.tree import Record
from ..spec.variant import Variant
from ..variants import build, suggest

app = typer.Typer(help="Show and convert records of games: KIF, USI, text and JSON.", no_args_is_help=True)

_SUFFIXES: dict[str, Format] = {
    ".csa": "csa",
    ".json": "json",
    ".kif": "kif",
    ".kifu": "kif",
    ".pgn": "text",
    ".sfen": "usi",
    ".txt": "text",
    ".usi": "usi",
}

Source = Annotated[str, typer.Argument(help="A file, or - for standard input.", metavar="IN")]
Name = Annotated[
    str | None, typer.Option("--game", "-g", help="The game, where the file does not say.", metavar="GAME")
]
Rules = Annotated[list[str] | None, typer.Option("--option", "-o", help="A rule option of that game, as NAME=VALUE.")]
From = Annotated[str | None, typer.Option("--from", help="The format of IN, if it cannot be detected.")]


def _variant(name: str | None, rules: list[str] | None) -> Variant | None:
    from .options import options_of

    if name is None and rules:
        raise NotationError("--option", ["needs --game, the game whose option it is"])
    return None if name is None else build(name, **options_of(rules))


def _format(name: str) -> Format:
    known = next((form for form in FORMATS if form == name), None)
    if known is None:
        raise NotationError(f"format {name[:40]!r}", [suggest(name[:40], FORMATS)])
    return known


def _load(path: str, variant: Variant | None, named: str | None) -> list[Record]:
    """The records of a file; errors name it."""
    about = "standard input" if path == "-" else repr(path)
    form = None if named is None else _format(named)
    try:
        if path == "-":
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(path).open("rb") as file:
                data = file.read(MOST_BYTES + 1)
        return read(data, variant, form)
    except OSError as error:
        raise NotationError(about, [str(error.strerror)]) from None
    except KomadaiError as error:
        raise NotationError(about, [str(error)]) from None


@app.command()
def convert(
    source: Source,
    target: Annotated[
        str | None, typer.Argument(help="A file, or - for standard output (the default).", metavar="[OUT]")
    ] = None,
    to: Annotated[
        str | None, typer.Option(help="kif, usi, text or json; by default what OUT is called, else text.")
    ] = None,
    game: Name = None,
    option: Rules = None,
    from_: From = None,
) -> None:
    """Turn records into another format; every move is checked against the rules."""
    stdout = target in (None, "-")
    if to is not None:
        form = _format(to)
    elif stdout:
        form = "text"
    else:
        suffix = Path(str(target)).suffix.lower()
        if suffix not in _SUFFIXES:
            raise NotationError(f"file {target!r}", [f"name a format with --to; {suffix or 'no suffix'} tells of none"])
        form = _SUFFIXES[suffix]
    text = write(_load(source, _variant(game, option), from_), form)
    if stdout:
        sys.stdout.write(text)
        return
    try:
        Path(str(target)).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise NotationError(f"file {target!r}", [str(error.strerror)]) from None


@app.command()
def show(file: Source, game: Name = None, option: Rules = None, from_: From = None) -> None:
    """Show records: headers, moves as people write them, and where the main line leads."""
    for number, record in enumerate(_load(file, _variant(game, option), from_)):
        if number:
            print()
        lines = write([record], "text").rstrip().split("\n\n", 1)
        headers = [f"{name}: {value}" for name, value in record.headers]
        print("\n".join([record.variant.name, *headers, "", lines[1], ""]))
        print(record.position(record.main[-1]))
        if (outcome := record.game().outcome()) is not None:
            print(outcome)
