"""``komadai record``: records shown, and turned from one format into another."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click
from click.exceptions import Exit

from ...errors import KomadaiError, NotationError
from ...picture import Look, animation
from ...record.files import ENCODINGS, FORMATS, MOST_BYTES, ONE_GAME, Encoding, Format, decoded, encoded, read, write
from ...record.text import move_lines
from ...record.tree import Record
from ...spec.board import SIDE_NAMES, SIDES
from ...spec.variant import Variant
from ...storage import is_stream
from ...variants import build
from .base import Group, Word, chosen
from .files import STANDARD, File, Use, check, check_in, refused
from .files import write as write_file
from .options import dark, flipped, force, game_option, letters, notation, output, rules, shown

group = Group("record", help="Show and convert records of games: KIF, KI2, JKF, CSA, USI, text and JSON.")

SUFFIXES: dict[str, Format] = {
    ".csa": "csa",
    ".jkf": "jkf",
    ".json": "json",
    ".ki2": "ki2",
    ".ki2u": "ki2",
    ".kif": "kif",
    ".kifu": "kif",
    ".pgn": "text",
    ".sfen": "usi",
    ".txt": "text",
    ".usi": "usi",
}

_CHOICES = ", ".join(FORMATS)

source = click.argument(
    "source",
    type=File(Use.READS, text=True),
    metavar="IN",
    help="A file, or - for standard input.",
)
named_game = game_option("The game, where the file does not say.")
read_as = click.option(
    "--from",
    "read_as",
    type=Word(FORMATS),
    metavar="FORMAT",
    help="The format of IN, if it cannot be detected.",
)


def _variant(name: str | None, rules: dict[str, str]) -> Variant | None:
    if name is None and rules:
        raise NotationError("--rule", ["needs --game, the game whose option it is"])
    return None if name is None else build(name, **rules)


def _encoding(name: str) -> Encoding:
    plain = name.lower().replace("-", "_").replace("utf_8", "utf-8")
    return chosen("encoding", plain if plain in ENCODINGS else name, ENCODINGS)


def contents(path: str) -> str:
    """The text of a file; errors name it."""
    try:
        if path == "-":
            return decoded(sys.stdin.buffer.read(MOST_BYTES + 1))
        with Path(path).open("rb") as file:
            return decoded(file.read(MOST_BYTES + 1))
    except OSError as error:
        raise NotationError(_about(path), [str(error.strerror)]) from None
    except KomadaiError as error:
        raise NotationError(_about(path), [str(error)]) from None


def load(path: str, variant: Variant | None, named: str | None) -> list[Record]:
    """The records of a file; errors name it."""
    form = None if named is None else chosen("format", named, FORMATS)
    text = contents(path)
    try:
        return read(text, variant, form)
    except KomadaiError as error:
        raise NotationError(_about(path), [str(error)]) from None


def _about(path: str) -> str:
    return "standard input" if path == "-" else repr(path)


def files_in(paths: Sequence[Path]) -> list[Path]:
    """The files, those in folders by what they are called; none twice.

    Raises:
        NotationError: a folder has none.
    """
    found: dict[str, Path] = {}
    for path in paths:
        inside = (
            sorted(one for one in path.rglob("*") if one.suffix.lower() in SUFFIXES) if os.path.isdir(path) else [path]
        )
        if not inside:
            raise NotationError(f"folder {str(path)!r}", [f"has no file that ends in {', '.join(SUFFIXES)}"])
        for one in inside:
            found.setdefault(os.path.realpath(one), one)
    return list(found.values())


@group.command()
@click.argument(
    "source",
    type=File(Use.READS, text=True),
    metavar="IN",
    help="A file, a folder, or - for standard input.",
)
@output("A file, or - for standard output, the default; of a folder a folder, by default the same.", Use.OWN)
@click.option(
    "--to",
    type=Word(FORMATS),
    metavar="FORMAT",
    help=f"{_CHOICES}; by default what the output is called, else text.",
)
@named_game
@rules
@read_as
@click.option(
    "--encoding",
    default="utf-8",
    show_default=True,
    metavar="ENCODING",
    help="utf-8 or shift_jis, which older programs need.",
)
@notation
@force
def convert(
    source: str,
    output: Path | None,
    to: Format | None,
    game: str | None,
    rules: dict[str, str],
    read_as: Format | None,
    encoding: str,
    notation: str | None,
    force: bool,
) -> None:
    """Turn records into another format; every move is checked against the rules.

    Of a folder, all files whose names end like records are converted, in folders inside it, too. Where a format holds
    one game per file, several games become several files with numbers.
    """
    converter = Converter(_encoding(encoding), force, _variant(game, rules), read_as, notation)
    if os.path.isdir(source):
        if to is None:
            raise NotationError(f"folder {source!r}", ["needs --to FORMAT"])
        if output is not None and str(output) == STANDARD:
            raise NotationError(f"folder {source!r}", ["becomes files, and no standard output; name a folder"])
        form = converter.checked(to)
        check_in("--output", output or Path(source))
        if not converter.folder(Path(source), form, output or Path(source)):
            raise Exit(1)
        return
    path = output or Path(STANDARD)
    stdout = str(path) == STANDARD
    form = converter.checked(to or ("text" if stdout else _form_of(str(path))))
    if not stdout:
        check([("--output", path)], read=[("IN", Path(source))], force=True)
        converter.file(source, form, path)
        return
    text = write(load(source, converter.variant, read_as), form, notation)
    write_file(path, text if converter.encoding == "utf-8" else encoded(text, converter.encoding))


def _form_of(path: str) -> Format:
    """The format that the name of a file tells."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise NotationError(f"file {path!r}", [f"name a format with --to; {suffix or 'no suffix'} tells of none"])
    return SUFFIXES[suffix]


class Converter:
    """Writes records as files, and none over another unless that is wanted."""

    def __init__(
        self, encoding: Encoding, force: bool, variant: Variant | None, form: str | None, style: str | None
    ) -> None:
        """``variant`` and ``form`` are those of what is read, where the files do not say; ``style`` is of moves."""
        self.encoding, self.force, self.variant, self.form, self.style = encoding, force, variant, form, style
        self.written: dict[Path, str] = {}  # by what they were made from

    def checked(self, form: Format) -> Format:
        """The format to write.

        Raises:
            NotationError: its moves are always in the same notation, and one has been chosen.
        """
        if self.style is not None and form != "text":
            raise NotationError("--notation", [f"goes with text; {form} has a notation of its own"])
        return form

    def file(self, source: str, form: Format, target: Path) -> int:
        """Convert a file; return how many games are in it.

        Raises:
            NotationError: it cannot be read, its games cannot be written in that format, or a file is there already.
        """
        records = load(source, self.variant, self.form)
        texts = {target: records}
        if form in ONE_GAME and len(records) > 1:
            width = len(str(len(records)))
            texts = {
                target.with_name(f"{target.stem}-{number:0{width}}{target.suffix}"): [record]
                for number, record in enumerate(records, 1)
            }
        for path in texts:
            if path in self.written:
                raise NotationError(f"file {str(path)!r}", [f"has just been made from {self.written[path]!r}"])
            if path.is_file() and not is_stream(path) and not self.force:
                raise refused("file", path, "is there already; --force overwrites it")
        for path, games in texts.items():
            write_file(path, encoded(write(games, form, self.style), self.encoding))
            self.written[path] = source
        return len(records)

    def folder(self, source: Path, form: Format, target: Path) -> bool:
        """Convert all records in a folder, and say what became of them; true if every file could be."""
        failures, games, files = list[tuple[str, str]](), 0, 0
        paths, others = _records_in(source, target, failures)
        ending = ".txt" if form == "text" else f".{form}"
        with shown(paths, "converting") as sources:
            for path in sources:
                named = (target / path.relative_to(source)).with_suffix(ending)
                if named == path:
                    others[ending] += 1
                    continue
                try:
                    games += self.file(str(path), form, named)
                    files += 1
                except KomadaiError as error:
                    failures.append((str(path), str(error).removeprefix(f"{str(path)!r}: ")))
        made = _count(len(self.written), "file")
        print(f"{_count(files, 'file')} with {_count(games, 'game')} converted, {made} written")
        if others:
            kinds = ", ".join(suffix or "no ending" for suffix in sorted(others))
            print(f"{_count(others.total(), 'other file')} left alone ({kinds})")
        if failures:
            print(f"{_count(len(failures), 'file')} not converted:", file=sys.stderr)
        for name, why in failures:
            print(f"  {name}: {why}", file=sys.stderr)
        return not failures


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def _records_in(source: Path, target: Path, failures: list[tuple[str, str]]) -> tuple[list[Path], Counter[str]]:
    """The files in a folder that are called like records, and how many others there are, by their endings.

    What is in the folder to be written is not among them, unless that is the same folder.
    """
    paths, others = list[Path](), Counter[str]()
    there = os.path.realpath(target)
    apart = None if there == os.path.realpath(source) else there

    def failed(error: OSError) -> None:
        failures.append((str(error.filename), str(error.strerror)))

    for folder, inside, names in os.walk(source, onerror=failed):
        inside[:] = sorted(name for name in inside if os.path.realpath(Path(folder) / name) != apart)
        for path in (Path(folder) / name for name in sorted(names)):
            if path.suffix.lower() in SUFFIXES:
                paths.append(path)
            else:
                others[path.suffix.lower()] += 1
    return paths, others


@group.command()
@source
@output("FILE.svg, or - for standard output, the default.", default="-")
@named_game
@rules
@read_as
@letters
@flipped
@dark
@click.option("--seconds", type=float, default=1.0, show_default=True, help="Time for each move, 0.2 to 10.")
def animate(
    source: str,
    output: Path,
    game: str | None,
    rules: dict[str, str],
    read_as: Format | None,
    letters: bool,
    flipped: bool,
    dark: bool,
    seconds: float,
) -> None:
    """Draw the main line of a record as an SVG that plays its moves."""
    found = load(source, _variant(game, rules), read_as)
    if len(found) != 1:
        raise NotationError(_about(source), [f"has {len(found)} games; expected one"])
    names = {side: found[0].header(SIDE_NAMES[side]) for side in SIDES}
    look = Look(letters=letters, flipped=flipped, dark=dark)
    write_file(output, f"{animation(found[0].game(), look, names=names, seconds=seconds)}\n")


@group.command()
@source
@named_game
@rules
@read_as
@notation
def show(source: str, game: str | None, rules: dict[str, str], read_as: Format | None, notation: str | None) -> None:
    """Show records: headers, moves as people write them, and where the main line leads."""
    for number, record in enumerate(load(source, _variant(game, rules), read_as)):
        if number:
            print()
        headers = [f"{name}: {value}" for name, value in record.headers]
        print("\n".join([record.variant.name, *headers, "", *move_lines(record, notation), ""]))
        print(record.position(record.main[-1]))
        if (outcome := record.game().outcome()) is not None:
            print(outcome)
