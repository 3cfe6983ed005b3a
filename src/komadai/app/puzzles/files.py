"""Files of puzzles: text, one puzzle a line. docs/reference/puzzles.md describes the format."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from ...errors import PuzzleError
from ...spec.numbers import whole_number
from ...spec.variant import Variant
from ...storage import write_whole
from ...variants import build, own_options
from .puzzle import THEMES, Puzzle

HEAD = "# Komadai puzzles, format 1"
COLUMNS = ("id", "rating", "theme", "plies", "position", "solution")
_MOST_DEFECTS = 20
_MOST_RATING = 10_000


def path_of(variant: Variant) -> Path:
    """The variant's file in the package, which need not exist."""
    name = "-".join([variant.id, *(f"{name}={value}" for name, value in own_options(variant))])
    return Path(__file__).parent / "data" / (re.sub(r"[^\w.=-]", "_", name) + ".tsv")


def games() -> tuple[str, ...]:
    """The ids of the games for which the package has puzzles with the usual options."""
    return tuple(sorted(path.stem for path in (Path(__file__).parent / "data").glob("*.tsv") if "=" not in path.stem))


@lru_cache(maxsize=32)
def load(variant: Variant) -> tuple[Puzzle, ...]:
    """The puzzles of a variant, easiest first, or those of the game of which it is a form; none where there is no file.

    Raises:
        PuzzleError: the file is no sound one, or was made for other rules.
    """
    path = path_of(variant)
    if path.is_file():
        return read(variant, path)
    return load(build(variant.about.of)) if variant.about.of and not own_options(variant) else ()


def command(variant: Variant) -> str:
    """The command that makes a file of puzzles."""
    options = "".join(f" --rule {name}={value}" for name, value in own_options(variant))
    return f"komadai puzzles mine {variant.id}{options}"


def write(path: Path, variant: Variant, puzzles: Iterable[Puzzle]) -> None:
    """Write a file of puzzles, easiest first.

    Raises:
        PuzzleError: it cannot be written.
    """
    lines = [HEAD, f"# game: {variant.id}", f"# rules: {variant.play_hash}", "\t".join(COLUMNS)]
    lines += map(line_of, sorted(puzzles, key=lambda one: (one.rating, one.plies, one.id)))
    try:
        write_whole(path, "".join(f"{line}\n" for line in lines).encode())
    except OSError as error:
        raise PuzzleError(f"{path} cannot be written: {error.strerror}") from None


def line_of(puzzle: Puzzle) -> str:
    """The line of a puzzle."""
    cells = (puzzle.id, puzzle.rating, puzzle.theme, puzzle.plies, puzzle.position, " ".join(puzzle.solution))
    return "\t".join(map(str, cells))


def read(variant: Variant, path: Path) -> tuple[Puzzle, ...]:
    """The puzzles of a file, in its order. Neither positions nor solutions are tried.

    Raises:
        PuzzleError: it cannot be read, is no file of puzzles, or was made for other rules.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise PuzzleError(f"{path} is no file of puzzles: it is no text in UTF-8") from None
    except OSError as error:
        raise PuzzleError(f"{path} cannot be read: {error.strerror}") from None
    head, _, rest = text.partition("\n")
    if head != HEAD:
        raise PuzzleError(f"{path} is no file of puzzles: line 1 is {head[:60]!r}; expected {HEAD!r}")
    defects: list[str] = []
    found: dict[str, Puzzle] = {}
    about: dict[str, str] = {}
    for number, line in enumerate(rest.splitlines(), 2):
        if line.startswith("# "):
            name, _, value = line[2:].partition(": ")
            about[name] = value
        elif line and line != "\t".join(COLUMNS):
            puzzle = _parse(variant, line)
            if isinstance(puzzle, str):
                defects.append(f"line {number}: {puzzle}")
            elif puzzle.id in found:
                defects.append(f"line {number}: puzzle {puzzle.id} is there already")
            else:
                found[puzzle.id] = puzzle
    if about.get("game") != variant.id:
        defects.insert(0, f"it holds puzzles of {about.get('game')}, not of {variant.id}")
    elif about.get("rules") not in variant.play_hashes:
        defects.insert(0, f"it was made for other rules; make it again with: {command(variant)}")
    if defects:
        more = [f"and {len(defects) - _MOST_DEFECTS} more"] if len(defects) > _MOST_DEFECTS else []
        raise PuzzleError(f"{path}: {'; '.join(defects[:_MOST_DEFECTS] + more)}")
    return tuple(found.values())


def parse_line(variant: Variant, line: str) -> Puzzle:
    """The puzzle of a line.

    Raises:
        PuzzleError: it is none.
    """
    puzzle = _parse(variant, line)
    if isinstance(puzzle, str):
        raise PuzzleError(puzzle)
    return puzzle


def _parse(variant: Variant, line: str) -> Puzzle | str:
    """The puzzle of a line, or why it is none."""
    cells = line.split("\t")
    if len(cells) != len(COLUMNS):
        return f"there are {len(cells)} columns; expected {len(COLUMNS)}: {', '.join(COLUMNS)}"
    name, rating, theme, plies, position, solution = cells
    known = next((one for one in THEMES if one == theme), None)
    if known is None:
        return f"theme {theme[:40]!r} is unknown; expected {', '.join(THEMES)}"
    rated = whole_number(rating, 0, _MOST_RATING)
    if rated is None:
        return f"rating {rating[:40]!r} is none; expected 0 to {_MOST_RATING}"
    puzzle = Puzzle(variant, position, known, tuple(solution.split()), rated)
    if not puzzle.plies % 2 or plies != str(puzzle.plies):
        return (
            f"{plies[:40]!r} plies, and a solution of {puzzle.plies}; expected an odd number of moves, and that number"
        )
    if name != puzzle.id:
        return f"puzzle {name[:40]!r} should be {puzzle.id}, by its position"
    return puzzle
